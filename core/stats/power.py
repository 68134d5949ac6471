"""Sample size, and the smallest effect that a test would find."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

Array = NDArray[np.float64]

ROUNDING = 1e-9
"""Slack before a sample size is rounded up: 114.0000000001 is 114."""


def quantile(level: float, df: Array | float = math.inf) -> Array:
    """Quantile of Student's t, or of the normal distribution for infinite degrees of freedom."""
    df = np.asarray(df, dtype=np.float64)
    finite = np.where(np.isfinite(df), df, 1.0)
    return np.where(np.isfinite(df), stdtrit(finite, level), ndtri(level))


def detectable_factor(
    alpha: float, power: float, tests: int = 1, df: Array | float = math.inf
) -> Array:
    """Return the minimum detectable effect in standard errors.

    Parameters
    ----------
    alpha
        Two-sided error rate of the family of tests.
    power
        Probability of finding an effect of that size.
    tests
        Size of the family: the first step of Holm's procedure holds a p-value against alpha /
        tests.
    df
        Degrees of freedom; infinite for the normal distribution.

    Returns
    -------
    array
        ``q(1 - alpha / (2 tests)) + q(power)``, shape of ``df``.
    """
    return quantile(1 - alpha / (2 * tests), df) + quantile(power, df)


def calls_per_label(
    squared_weights: float, sigma: float, effect: float, alpha: float, power: float
) -> float:
    """Find the calls of each label that a contrast needs, not rounded.

    Parameters
    ----------
    squared_weights
        Sum of the contrast's squared weights, k.
    sigma
        Standard deviation of a single call about its cell's mean.
    effect
        Effect to be found, above zero.
    alpha
        Two-sided error rate.
    power
        Probability of finding the effect.

    Returns
    -------
    float
        ``k sigma^2 (z(1 - alpha/2) + z(power))^2 / effect^2``.
    """
    factor = float(detectable_factor(alpha, power))
    return squared_weights * (sigma * factor / effect) ** 2


def rounded_up(calls: float, texts: int) -> int:
    """Whole calls of each label and text that add up to at least so many calls of each label."""
    return max(1, math.ceil(calls / texts - ROUNDING))


def detectable(
    squared_weights: float, sigma: float, calls: float, alpha: float, power: float
) -> float:
    """Effect that so many calls of each label find; the inverse of `calls_per_label`."""
    factor = float(detectable_factor(alpha, power))
    return factor * sigma * math.sqrt(squared_weights / calls)
