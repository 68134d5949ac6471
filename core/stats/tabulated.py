"""Divergences of many count vectors at once, from the terms of single categories."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.stats.divergence import MEASURES
from core.stats.resampling import Counts

Array = NDArray[np.float64]

LARGEST_TABLE = 1000
"""Observations above which terms are computed, not looked up: a table has one column for each
count from 0 to n, so it would be larger than the draws it serves."""


def divergence_of_counts(
    counts: Counts, n: int, target: Array, measure: str, *, columns: NDArray[np.int64] | None = None
) -> Array:
    """Divergence of ``counts / n`` from a target, for many count vectors at once.

    Every measure adds up non-negative terms of single categories, or takes the largest of them. A
    term depends on one count between 0 and n and one target share, so it can be looked up.

    Parameters
    ----------
    counts
        (draws, J) whole numbers; every row sums to n.
    n
        Observations in each row, at least 1.
    target
        (K,) shares of the comparator.
    measure
        Key of `MEASURES`.
    columns
        (J,) which categories the counts are of; the others have none. All of them when None.

    Returns
    -------
    array, shape (draws,)
        In the unit of the measure; equal to `MEASURES` but for rounding.
    """
    combine = _combine(measure)
    present = np.arange(target.size) if columns is None else columns
    absent = np.ones(target.size, dtype=np.bool_)
    absent[present] = False
    if n <= LARGEST_TABLE:
        table = _terms_by_count(n, target.tobytes(), measure)
        terms, empty = table[present, counts], table[:, 0]
    else:
        terms = _terms(counts / n, target[present], measure)
        empty = _terms(np.zeros_like(target), target, measure)
    rest = combine.reduce(empty[absent], initial=0.0)
    return _finish(combine.reduce(terms, axis=-1, initial=rest), measure)


def divergence_of_entries(
    shares: Array, targets: Array, starts: NDArray[np.int64], rest: Array, measure: str
) -> Array:
    """Divergences of many share vectors of different lengths, written one after another.

    Parameters
    ----------
    shares, targets
        (E,) shares of the categories seen, and of the same categories in the comparator.
    starts
        (U,) where each vector begins.
    rest
        (U,) what categories that were not seen add, as `divergence_of_absent` gives it.
    measure
        Key of `MEASURES`.

    Returns
    -------
    array, shape (U,)
        In the unit of the measure; equal to `MEASURES` but for rounding.
    """
    combine = _combine(measure)
    if not starts.size:
        return np.zeros(0)
    seen = combine.reduceat(_terms(shares, targets, measure), starts)
    return _finish(combine(seen, rest), measure)


def divergence_of_absent(targets: Array, absent: NDArray[np.bool_], measure: str) -> Array:
    """Add up what categories that were not seen add to divergences, (...,) of targets (..., K)."""
    terms = _terms(np.zeros_like(targets), targets, measure)
    return np.asarray(_combine(measure).reduce(np.where(absent, terms, 0.0), axis=-1))


def _combine(measure: str) -> np.ufunc:
    return np.maximum if measure == "largest_deviation" else np.add


def _finish(total: Array, measure: str) -> Array:
    bounded = np.clip(total, 0.0, 1.0)
    return np.asarray(np.sqrt(bounded) if measure == "root_jsd" else bounded)


@lru_cache(maxsize=512)
def _terms_by_count(n: int, target: bytes, measure: str) -> Array:
    """Tabulate (K, n + 1): the term of each category at each count; kept, since cells share it."""
    shares = np.frombuffer(target)
    table = _terms(np.arange(n + 1)[None, :] / n, shares[:, None], measure)
    table.flags.writeable = False
    return table


def _terms(shares: Array, targets: Array, measure: str) -> Array:
    """Compute terms of single categories: what a measure gives when applied to one at a time."""
    term = MEASURES["jsd" if measure == "root_jsd" else measure]
    return term(shares[..., None], targets[..., None])
