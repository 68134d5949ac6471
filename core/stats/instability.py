"""How far outcomes of one unit differ among its versions, whatever the direction.

A unit (a complaint) has n versions (guises) that should be treated alike. All measures are means
over unordered pairs of distinct versions, so n versions count as n (n - 1) / 2 comparisons.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Counts = NDArray[np.integer[Any]]


def pairwise_disagreement(hits: Counts | Array, n: Counts | Array | int) -> Array:
    """Share of pairs of versions of which one is a hit and the other is not.

    Parameters
    ----------
    hits
        Number of hits among a unit's versions, any shape.
    n
        Number of versions, same shape or one number.

    Returns
    -------
    array
        ``2 m (n - m) / (n (n - 1))``; NaN with fewer than two versions. For draws with replacement
        it would be smaller by (n - 1) / n.
    """
    m, n = np.asarray(hits, dtype=np.float64), np.asarray(n, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 1, 2 * m * (n - m) / (n * (n - 1)), np.nan)


def not_unanimous(hits: Counts | Array, n: Counts | Array | int) -> NDArray[np.bool_]:
    """Whether some but not all versions are hits."""
    return np.asarray((hits > 0) & (hits < n))


def mean_pairwise_difference(values: Array) -> Array:
    """Mean absolute difference over pairs of versions (MPAD; Gini's mean difference).

    Parameters
    ----------
    values
        (..., n) outcomes of a unit's versions; NaN where there is none.

    Returns
    -------
    array, shape (...)
        In the unit of the values, by sorting: ``sum_i (2 i - n - 1) y_(i)`` over n (n - 1) / 2
        pairs. NaN with fewer than two versions. For zeros and ones it equals
        `pairwise_disagreement`.
    """
    ordered = np.sort(values, axis=-1)
    there = ~np.isnan(ordered)
    n = there.sum(axis=-1, dtype=np.int64)
    ranks = np.arange(1, ordered.shape[-1] + 1)
    # NaN sorts last, so ranks 1 to n are those of the values.
    weights = np.where(there, 2 * ranks - n[..., None] - 1, 0)
    total = np.einsum("...i,...i->...", weights, np.where(there, ordered, 0.0))
    pairs = n * (n - 1) / 2
    return np.where(n > 1, total / np.maximum(pairs, 1), np.nan)
