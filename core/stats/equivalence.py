"""Two one-sided tests: is a mean so near zero that the difference does not matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.stats.bootstrap_bca import Flipped, Means, t_greater
from core.stats.clusters import Sampled

Array = NDArray[np.float64]


def matching_level(alpha: float) -> float:
    """Level of the interval that lies inside the margin when both tests reject: 90% for .05."""
    return 1 - 2 * alpha


def tost_bootstrap(means: Means, margin: float) -> Array:
    """Bootstrap p-value of ``-margin < mean < margin``, (K,).

    The larger of ``(1 + #{theta* <= -margin}) / (B + 1)`` and ``(1 + #{theta* >= margin}) /
    (B + 1)`` (Schuirmann 1987); NaN where there is no bootstrap.
    """
    return np.maximum(means.share_at_most(-margin), means.share_at_least(margin))


def tost_draws(found: Sampled, margin: float) -> Array:
    """As `tost_bootstrap`, for draws of any statistic, (K,)."""
    return np.maximum(found.greater(-margin), found.less(margin))


def minimum_effect_draws(found: Sampled, margin: float) -> Array:
    """Bootstrap p-value of ``|statistic| > margin``, (K,): the smaller one-sided p-value.

    Nothing is added for looking on two sides (Murphy and Myors 1999 test one side; the remedies
    study does not mention a correction). Inside the margin it is nearly one less that of
    equivalence.
    """
    return np.minimum(found.greater(margin), found.less(-margin))


def tost_permutation(flipped: Flipped, margin: float) -> Array:
    """Sign-flip p-value of ``-margin < mean < margin``, (K,): the larger of both tails."""
    return np.maximum(flipped.greater(-margin), flipped.less(margin))


def tost_t(estimate: Array, spread: Array, n: NDArray[np.int64], margin: float | Array) -> Array:
    """p-value of ``-margin < mean < margin`` by Student's t.

    Parameters
    ----------
    estimate, spread, n
        Means, standard deviations over units and numbers of units; any shape.
    margin
        Largest difference that does not matter, above zero.

    Returns
    -------
    array
        The larger of both one-sided p-values; NaN without spread.
    """
    above = t_greater(estimate, spread, n, -np.asarray(margin))
    return np.maximum(above, t_greater(-estimate, spread, n, -np.asarray(margin)))


def smallest_margin(interval: Array) -> Array:
    """Margin that an interval (..., 2) lies inside of only if exceeded: its farther end's size."""
    return np.abs(interval).max(axis=-1)
