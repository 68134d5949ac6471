"""Rank correlation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def mid_ranks(values: Array) -> Array:
    """Rank values from 1; tied values share the mean of their ranks. One dimension."""
    _, group, size = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(size)
    return np.asarray((last - (size - 1) / 2)[group])


def spearman(x: Array, y: Array) -> float:
    """Correlate the mid-ranks of two lists (Spearman 1904), in [-1, 1].

    Parameters
    ----------
    x, y
        Same length, one dimension, no missing values.

    Returns
    -------
    float
        NaN when either list is constant or has fewer than two values.
    """
    a, b = (mid_ranks(values) - (values.size + 1) / 2 for values in (x, y))
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / scale if scale else float("nan")
