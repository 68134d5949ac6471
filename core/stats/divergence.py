"""How far one distribution over categories lies from another.

All functions work on arrays whose last axis is the category axis and broadcast over the others.
Categories outside a support carry zero in both arguments and contribute nothing. A distribution
that is missing (NaN) gives a missing result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Measure = Callable[[Array, Array], Array]


def jensen_shannon(p: Array, q: Array) -> Array:
    """Jensen-Shannon divergence in bits.

    ``JSD(p, q) = H(m) - (H(p) + H(q)) / 2`` with ``m = (p + q) / 2`` and entropies to base 2
    (Lin 1991, eq. 3.14 with equal weights); 0 for equal shares, 1 for disjoint ones.

    Parameters
    ----------
    p, q
        Shares that sum to one over the last axis; they broadcast against each other.

    Returns
    -------
    array
        Bits, in [0, 1], shape of the broadcast arguments without the last axis.
    """
    halves = _plogp((p + q) / 2).sum(-1)
    bits = (_plogp(p).sum(-1) + _plogp(q).sum(-1)) / 2 - halves
    # Rounding can leave a few 1e-17 below zero where the shares are equal.
    return np.clip(bits, 0.0, 1.0)


def root_jensen_shannon(p: Array, q: Array) -> Array:
    """Square root of the divergence: a metric, in [0, 1] (Endres and Schindelin 2003)."""
    return np.sqrt(jensen_shannon(p, q))


def total_variation(p: Array, q: Array) -> Array:
    """Half the summed absolute differences, in [0, 1]: the mass that would have to move."""
    return np.abs(p - q).sum(-1) / 2


def largest_deviation(p: Array, q: Array) -> Array:
    """Largest absolute difference of any one category's share, in [0, 1]."""
    return np.abs(p - q).max(-1)


def _plogp(p: Array) -> Array:
    """``p log2 p`` with ``0 log 0 = 0``."""
    return p * np.log2(p, out=np.zeros_like(p), where=p != 0)


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        "jsd": jensen_shannon,
        "root_jsd": root_jensen_shannon,
        "total_variation": total_variation,
        "largest_deviation": largest_deviation,
    }
)
