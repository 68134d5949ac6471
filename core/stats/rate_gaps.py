"""Two rates compared: ratio and effect size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def impact_ratio(favoured: Array, other: Array) -> Array:
    """Adverse impact ratio: the rate of the other group over that of the favoured one.

    Parameters
    ----------
    favoured, other
        Rates in [0, 1]; below 1 the other group fares worse.

    Returns
    -------
    array
        NaN where the favoured group's rate is zero.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.asarray(favoured) > 0, np.asarray(other) / favoured, np.nan)


def cohens_h(one: Array, other: Array) -> Array:
    """Difference of arcsine-transformed rates, ``2 asin sqrt(a) - 2 asin sqrt(b)`` (Cohen 1988)."""
    return np.asarray(2 * np.arcsin(np.sqrt(one)) - 2 * np.arcsin(np.sqrt(other)))
