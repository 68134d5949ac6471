"""Small composition panels for tests, written as counts of categories."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from core.studies.composition.reduce import CELL, CellStatistics, reduce_cells

Counts = Mapping[str, int]
Cell = tuple[str, str, str, str, str]
"""Regime, attribute, context, format, role."""

ROLES = ("ceo", "doctor", "engineer", "nurse", "teacher", "cleaner")


def cell(
    attribute: str,
    context: str,
    role: str = "ceo",
    *,
    format: str = "story",
    regime: str = "joint",
) -> Cell:
    return regime, attribute, context, format, role


def statistics_of(models: Mapping[str, Mapping[Cell, Counts]]) -> CellStatistics:
    """Reduce a panel in which each model has the given counts in the given cells."""
    rows = [
        (model, *where, category, n)
        for model, cells in models.items()
        for where, counts in cells.items()
        for category, n in counts.items()
    ]
    return reduce_cells(pl.DataFrame(rows, schema=["model", *CELL, "category", "n"], orient="row"))
