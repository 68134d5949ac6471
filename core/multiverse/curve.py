"""A specification curve as small frames: estimates sorted, verdicts, and the choices beneath.

A browser draws some two thousand marks with ease and fifty thousand with none, so neighbours on the
curve are put together into columns once there are more specifications than columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.multiverse.hinges import Looked
from core.multiverse.outcomes import decode

Array = NDArray[np.float64]
Index = NDArray[np.int64]

MARKS = 2_000
"""Most marks that are sent to a browser, in both charts together."""

PER_COLUMN = 4
"""Marks of a column on the curve itself: an interval, and a mark for each of three verdicts."""

WHOLE = (0.0, 100.0)


@dataclass(frozen=True, eq=False)
class Curve:
    """What a specification curve draws."""

    points: pl.DataFrame
    """One row a column and verdict: place (percent of the specifications, from the lowest
    estimate), verdict, estimate (median), count, low, high (medians), is_planned, told (in
    words)."""
    matrix: pl.DataFrame
    """One row a column and value: place, choice (label), value, share (of the column's
    specifications), is_planned (whether it is the planned value)."""
    drawn: int
    """Specifications on the curve: those with an estimate."""
    missing: int
    """Specifications without one."""
    columns: int
    planned: pl.DataFrame
    """place and estimate of the planned specification; empty where it has none."""

    @property
    def together(self) -> bool:
        """Whether several specifications share a column."""
        return self.columns < self.drawn


def curve(looked: Looked, column: int) -> Curve:
    """Sort the specifications of the first panel by their estimate of one claim.

    Parameters
    ----------
    looked
        The specifications; those that a sample adds near the plan are left out.
    column
        Position of the claim.
    """
    specs, own = looked.specs, looked.outcomes[0]
    order = sorted_rows(looked, column)
    levels = sum(len(axis.levels) for axis in specs.axes)
    columns = max(1, min(len(order), MARKS // (PER_COLUMN + levels)))
    which = np.minimum(np.arange(len(order)) * columns // max(len(order), 1), columns - 1)
    places = (np.arange(columns) + 0.5) * 100 / columns
    verdict = decode(own.verdict[order, column])
    rows = pl.DataFrame(
        {
            "column": which,
            "verdict": verdict,
            "estimate": own.estimate[order, column],
            "low": own.low[order, column],
            "high": own.high[order, column],
        }
    ).with_columns(pl.col("low", "high").fill_nan(None))
    points = rows.group_by("column", "verdict", maintain_order=True).agg(
        pl.col("estimate", "low", "high").median(), pl.len().alias("count")
    )
    place = pl.Series("place", places[points["column"].to_numpy()])
    return Curve(
        points.select(place, "verdict", "estimate", "count", "low", "high"),
        _matrix(looked, order, which, places),
        len(order),
        len(range(*specs.described.indices(len(specs)))) - len(order),
        columns,
        _planned(looked, column, order),
    )


def sorted_rows(looked: Looked, column: int) -> Index:
    """Positions of the specifications that have an estimate, from the lowest."""
    described = np.arange(len(looked.specs))[looked.specs.described]
    own = looked.outcomes[0]
    there = described[~np.isnan(own.estimate[described, column])]
    # Many share an estimate: those are put together by verdict, then by where intervals begin.
    keys = (own.low, own.verdict, own.estimate)
    return there[np.lexsort([values[there, column] for values in keys])]


def _matrix(looked: Looked, order: Index, which: Index, places: Array) -> pl.DataFrame:
    frames = []
    per_column = np.bincount(which, minlength=len(places))
    for at, axis in enumerate(looked.specs.axes):
        count = np.zeros((len(places), len(axis.levels)))
        np.add.at(count, (which, looked.specs.index[order, at]), 1)
        column, level = np.nonzero(count)
        names = np.array([own.label for own in axis.levels], dtype=np.str_)
        frames.append(
            pl.DataFrame(
                {
                    "place": places[column],
                    "choice": [axis.label] * len(column),
                    "value": names[level],
                    "row": [f"{axis.label}: {names[i]}" for i in level],
                    "share": count[column, level] / per_column[column],
                    "is_planned": level == axis.planned,
                }
            )
        )
    return pl.concat(frames) if frames else pl.DataFrame()


def _planned(looked: Looked, column: int, order: Index) -> pl.DataFrame:
    row, own = looked.specs.planned_row, looked.outcomes[0]
    schema = {"place": pl.Float64, "estimate": pl.Float64, "verdict": pl.String}
    if row is None or np.isnan(own.estimate[row, column]) or not order.size:
        return pl.DataFrame(schema=schema)
    value = own.estimate[row, column]
    found = np.flatnonzero(order == row)
    # A sample may not hold it: it then stands where its estimate would.
    rank = found[0] if found.size else np.searchsorted(own.estimate[order, column], value)
    place = 100 * (rank + 0.5) / order.size
    verdict = str(decode(own.verdict[row, column]))
    return pl.DataFrame([(place, value, verdict)], schema=schema, orient="row")


def rows_of(looked: Looked) -> list[str]:
    """Name the rows of the matrix: choice by choice, values in their order."""
    return [f"{a.label}: {level.label}" for a in looked.specs.axes for level in a.levels]


def in_common(looked: Looked, column: int, part: tuple[float, float]) -> pl.DataFrame:
    """Say which values are more or less frequent in a part of the curve than on the whole of it.

    Parameters
    ----------
    looked, column
        As for `curve`.
    part
        From and to, in percent of the specifications with an estimate.

    Returns
    -------
    polars.DataFrame
        choice, value, share (of the part's specifications), share_all; the largest difference
        first.
    """
    order = sorted_rows(looked, column)
    low, high = (round(end / 100 * len(order)) for end in part)
    inside = order[low : max(high, low + 1)]
    rows = []
    for at, axis in enumerate(looked.specs.axes):
        size = len(axis.levels)
        here = np.bincount(looked.specs.index[inside, at], minlength=size) / max(len(inside), 1)
        whole = np.bincount(looked.specs.index[order, at], minlength=size) / max(len(order), 1)
        rows += [
            (axis.label, level.label, float(here[i]), float(whole[i]))
            for i, level in enumerate(axis.levels)
        ]
    schema = {"choice": pl.String, "value": pl.String, "share": pl.Float64, "share_all": pl.Float64}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return table.sort((pl.col("share") - pl.col("share_all")).abs(), descending=True)


def verdicts_in(looked: Looked, column: int, part: tuple[float, float]) -> pl.DataFrame:
    """Count the verdicts in a part of the curve: verdict, count."""
    order = sorted_rows(looked, column)
    low, high = (round(end / 100 * len(order)) for end in part)
    words = decode(looked.outcomes[0].verdict[order[low : max(high, low + 1)], column])
    names, count = np.unique(words, return_counts=True)
    return pl.DataFrame({"verdict": names, "count": count}).sort("count", descending=True)


def specification_table(looked: Looked, column: int) -> pl.DataFrame:
    """One row a specification of the first panel: every choice in words, then what it gives."""
    specs, own = looked.specs, looked.outcomes[0]
    described = np.arange(len(specs))[specs.described]
    columns: dict[str, pl.Series | list[str]] = {}
    for at, axis in enumerate(specs.axes):
        names = np.array([level.label for level in axis.levels], dtype=np.str_)
        columns[axis.label] = pl.Series(names[specs.index[described, at]])
    numbers = {
        name: pl.Series(getattr(own, name)[described, column], nan_to_null=True)
        for name in ("estimate", "low", "high")
    }
    verdict = pl.Series(decode(own.verdict[described, column]))
    return pl.DataFrame({**columns, **numbers, "verdict": verdict})
