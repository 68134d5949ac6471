"""Distances between two answers given as probabilities over the same options."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Counts = NDArray[np.integer[Any]]

CHUNK = 64
"""Units compared at once in `cross_distances`; it bounds the memory used."""


def total_variation(one: Array | Counts, other: Array | Counts) -> Array:
    """Half the sum of absolute differences over the last axis, in the unit of the arguments."""
    difference = np.subtract(one, other, dtype=np.float64)
    return np.asarray(0.5 * np.abs(difference).sum(axis=-1))


def cross_distances(one: Counts, other: Counts) -> tuple[Array, Array]:
    """Total variation between the versions of a unit in two sets.

    Parameters
    ----------
    one, other
        (C, K, J) whole numbers, such as hundredths: J options of K versions of C units; version k
        is the same in both.

    Returns
    -------
    same, different
        (C,) mean distance over the K pairs of the same version, and over the K (K - 1) ordered
        pairs of different ones, in the unit of the arguments.
    """
    units, versions, _ = one.shape
    every = np.empty(units)
    small, large = one.astype(np.int16), other.astype(np.int16)
    for start in range(0, units, CHUNK):
        a, b = small[start : start + CHUNK], large[start : start + CHUNK]
        gaps = np.abs(a[:, :, None, :] - b[:, None, :, :])
        every[start : start + CHUNK] = 0.5 * gaps.sum(axis=(1, 2, 3), dtype=np.int64)
    same = total_variation(one, other).sum(axis=1)
    pairs = versions * (versions - 1)
    different = np.full(units, np.nan) if pairs == 0 else (every - same) / pairs
    return same / versions, different
