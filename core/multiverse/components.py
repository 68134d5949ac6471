"""How much of the variation over a set of specifications goes with each choice.

The variance of a number over a full grid, all specifications counting alike, falls into parts for
each choice alone and for choices together (the analysis of variance of a full factorial; Sobol
1993). For a verdict the number is 1 where it is the planned one and 0 where it is another.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.multiverse.specs import Specs

Array = NDArray[np.float64]

EXACT = ""
INCOMPLETE = "estimated: some specifications have no number, so the grid is not complete"
SAMPLED = "estimated from a sample of the grid"

NOTHING = 1e-12
"""Variance below which nothing varies."""


@dataclass(frozen=True, eq=False)
class Components:
    """Parts of the variance of one number over specifications, as shares of it."""

    variance: float
    """Population variance over the specifications that have a number; NaN without any."""
    main: Array
    """(A,) share that goes with each axis alone; NaN where nothing varies."""
    total: Array
    """(A,) share that vanishes when the axis is held: alone and together with others."""
    pairs: Array
    """(A, A) share that two axes have together beyond each alone; zero on the diagonal, NaN where
    it was not estimated."""
    how: str
    """Empty where the shares are exact; else how they were estimated."""

    @property
    def rest(self) -> float:
        """Share of three or more axes together: what mains and pairs leave."""
        return float(1.0 - self.main.sum() - np.triu(self.pairs, 1).sum())


def components(specs: Specs, values: Array) -> Components:
    """Divide the variance of a number among the axes.

    Parameters
    ----------
    specs
        A full grid, or a sample of one as `core.multiverse.specs.grid` draws it.
    values
        (S,) the number under each specification; NaN where there is none.

    Returns
    -------
    Components
        Exact on a full grid without missing numbers: main shares, pairs and `rest` add up to one.
        On a grid with gaps: means and variances over the specifications that have a number. On a
        sample: totals by Jansen's estimator (1999), mains between levels of the independent
        draws less what chance alone puts there.
    """
    if specs.base_draws:
        return _of_sample(specs, values)
    counts = [len(axis.levels) for axis in specs.axes]
    table = values[specs.described].reshape(counts)
    known = ~np.isnan(table)
    variance = float(np.nanvar(table)) if known.any() else float("nan")
    if not variance > NOTHING:
        return _nothing(len(counts), variance)
    axes = range(len(counts))
    main = np.array([_between(table, known, (i,)) for i in axes])
    total = np.array([_within(table, known, i) for i in axes])
    pairs = np.zeros((len(counts), len(counts)))
    for i, j in combinations(axes, 2):
        both = _between(table, known, (i, j)) - main[i] - main[j]
        pairs[i, j] = pairs[j, i] = both / variance
    how = EXACT if known.all() else INCOMPLETE
    return Components(variance, main / variance, total / variance, pairs, how)


def _between(table: Array, known: NDArray[np.bool_], kept: tuple[int, ...]) -> float:
    """Variance of the means over everything but some axes."""
    others = tuple(axis for axis in range(table.ndim) if axis not in kept)
    count = known.sum(axis=others)
    sums = np.where(known, table, 0.0).sum(axis=others)
    there = count > 0
    means, weight = sums[there] / count[there], count[there] / count.sum()
    middle = (weight * means).sum()
    return float((weight * (means - middle) ** 2).sum())


def _within(table: Array, known: NDArray[np.bool_], axis: int) -> float:
    """Mean variance along an axis, all others held."""
    count = known.sum(axis=axis)
    there = count > 0
    filled = np.where(known, table, 0.0)
    means = filled.sum(axis=axis) / np.maximum(count, 1)
    gaps = np.where(known, table - np.expand_dims(means, axis), 0.0)
    spread = (gaps**2).sum(axis=axis) / np.maximum(count, 1)
    return float((spread[there] * count[there]).sum() / count[there].sum())


def _of_sample(specs: Specs, values: Array) -> Components:
    draws, axes = specs.base_draws, len(specs.axes)
    first = values[:draws]
    own = values[specs.described]
    variance = float(np.nanvar(own)) if (~np.isnan(own)).any() else float("nan")
    if not variance > NOTHING:
        return _nothing(axes, variance)
    again = values[draws : draws * (axes + 1)].reshape(axes, draws)
    squares = (again - first) ** 2 / 2
    pairs = np.full((axes, axes), np.nan)
    known = ~np.isnan(squares)
    total = np.where(known, squares, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    main = np.array([_main_of_draws(first, specs.index[:draws, at]) for at in range(axes)])
    return Components(variance, main / variance, total / variance, pairs, SAMPLED)


def _main_of_draws(values: Array, levels: NDArray[np.int64]) -> float:
    """Variance between levels of independent draws, without what chance alone puts there."""
    there = ~np.isnan(values)
    own, place = values[there], np.unique(levels[there], return_inverse=True)[1]
    count = np.bincount(place).astype(np.float64)
    if own.size <= count.size:
        return 0.0
    means = np.bincount(place, own) / count
    between = (count * (means - own.mean()) ** 2).sum()
    inside = ((own - means[place]) ** 2).sum() / (own.size - count.size)
    return float(max(0.0, (between - (count.size - 1) * inside) / own.size))


def _nothing(axes: int, variance: float) -> Components:
    none = np.full(axes, np.nan)
    return Components(variance, none, none, np.full((axes, axes), np.nan), EXACT)


def table(specs: Specs, found: Components) -> pl.DataFrame:
    """One row an axis, the largest total share first.

    Returns
    -------
    polars.DataFrame
        choice (key), label, role, levels (values looked at); main and total (shares of the
        variance, null where nothing varies).
    """
    return pl.DataFrame(
        {
            "choice": [axis.key for axis in specs.axes],
            "label": [axis.label for axis in specs.axes],
            "role": [axis.role for axis in specs.axes],
            "levels": [len(axis.levels) for axis in specs.axes],
            "main": pl.Series(found.main, dtype=pl.Float64, nan_to_null=True),
            "total": pl.Series(found.total, dtype=pl.Float64, nan_to_null=True),
        }
    ).sort("total", descending=True, nulls_last=True, maintain_order=True)
