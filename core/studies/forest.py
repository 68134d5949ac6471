"""Estimates with their intervals, planned and now, as rows of a forest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from core.columns import table_of

FOREST = {
    **dict.fromkeys(("row", "series"), pl.String),
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
    "model": pl.String,
}
"""Columns of a forest, as a chart of dots takes them."""

_SERIES = {
    "planned setting": ("planned", "planned_low", "planned_high"),
    "now": ("estimate", "low", "high"),
}


def forest(cells: Iterable[Mapping[str, Any]], name: str) -> pl.DataFrame:
    """Rows of a forest: first all as planned, then all as they are now.

    Parameters
    ----------
    cells
        Rows of a table of verdicts: hypothesis, estimate, low, high, planned, planned_low,
        planned_high.
    name
        The column with who is looked at, such as the model.

    Returns
    -------
    polars.DataFrame
        Columns of `FOREST`; hypothesis by hypothesis, within them in the order of the cells.
    """
    own = by_hypothesis(cells)
    rows = [
        {
            "row": row_of(cell, name),
            "series": series,
            "value": cell[value],
            "low": cell[low],
            "high": cell[high],
            "model": cell[name],
        }
        for series, (value, low, high) in _SERIES.items()
        for cell in own
    ]
    return table_of(rows, FOREST)


def by_hypothesis(cells: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Order cells by hypothesis, within them as they come."""
    return sorted(cells, key=lambda cell: str(cell["hypothesis"]))


def row_of(cell: Mapping[str, Any], name: str) -> str:
    """Name a row of a forest."""
    return f"{cell['hypothesis']}  {cell[name]}"
