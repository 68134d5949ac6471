"""The exact law of a bootstrap mean of integers.

A resampled sum of n integers is the n-fold convolution of their histogram, so
p-values and BCa levels need no draws: a fit to them holds under every
resampling seed, which a fit to one set of draws does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import fft
from scipy.special import ndtr, ndtri

DRAWS = 10_000
"""Draws of the planned analysis; they decide how far a margin must reach."""

DENSITY_AT_ZERO = 1 / sqrt(2 * np.pi)


@dataclass(frozen=True, slots=True)
class Law:
    """Distribution of the resampled sum of ``n`` integers."""

    n: int
    total: int
    """The observed sum."""
    offset: int
    """The sum that the first entry of ``cdf`` belongs to."""
    cdf: np.ndarray
    z0: float
    """Bias correction of BCa; draws that tie with the estimate count half."""
    acceleration: float

    def at_most(self, total: int) -> float:
        """Probability of a resampled sum of at most ``total``."""
        i = total - self.offset
        if i < 0:
            return 0.0
        return float(self.cdf[min(i, len(self.cdf) - 1)])

    def at_least(self, total: int) -> float:
        """Probability of a resampled sum of at least ``total``."""
        return max(1.0 - self.at_most(total - 1), 0.0)

    @property
    def p(self) -> float:
        """Two-sided bootstrap p against a mean of zero."""
        return min(1.0, 2 * min(self.at_most(0), self.at_least(0)))

    def bca_levels(self, level: float) -> tuple[float, float]:
        """Quantile levels of the ends of a BCa interval."""
        z = np.array([-1.0, 1.0]) * ndtri(0.5 + level / 2) + self.z0
        low, high = ndtr(self.z0 + z / (1 - self.acceleration * z))
        return float(low), float(high)

    def quantile(self, level: float) -> int:
        """Smallest sum whose probability of not being exceeded reaches ``level``."""
        return int(np.searchsorted(self.cdf, level)) + self.offset


def law(values: np.ndarray) -> Law:
    """Law of the bootstrap sum.

    Parameters
    ----------
    values : ndarray of int, shape (n,)
    """
    n, low = len(values), int(values.min())
    counts = np.bincount(values - low)
    size = n * (len(counts) - 1) + 1
    length = fft.next_fast_len(size, real=True)
    spectrum = fft.rfft(counts / n, length)
    mass = np.maximum(fft.irfft(_power(spectrum, n), length)[:size], 0.0)
    cdf = np.cumsum(mass)
    total, offset = int(values.sum()), n * low
    below = cdf[total - offset] - mass[total - offset] / 2
    z0 = float(ndtri(np.clip(below, 1e-12, 1 - 1e-12)))
    return Law(n, total, offset, cdf, z0, _acceleration(values))


def _power(base: np.ndarray, exponent: int) -> np.ndarray:
    """Integer power by squaring; numpy's complex power is many times slower."""
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result *= base
        base = base * base
        exponent >>= 1
    return result


def _acceleration(values: np.ndarray) -> float:
    """Acceleration of BCa; for a mean the jackknife reduces to the skewness."""
    deviation = values - values.mean()
    spread = float((deviation**2).sum())
    return float((deviation**3).sum()) / (6 * spread**1.5) if spread else 0.0


def level_error(level: float) -> float:
    """Standard error of a BCa level against an empirical distribution of `DRAWS` draws.

    Two parts: the distribution function itself, and the level, which moves
    twice as far as the estimated bias correction.
    """
    level = min(max(level, 1e-9), 1 - 1e-9)
    density = np.exp(-(ndtri(level) ** 2) / 2) * DENSITY_AT_ZERO
    shift = 2 * density * 0.5 / sqrt(DRAWS) / DENSITY_AT_ZERO
    return sqrt(level * (1 - level) / DRAWS + shift**2)


def p_error(p: float) -> float:
    """Standard error of a two-sided p from `DRAWS` draws."""
    half = min(max(p / 2, 0.5 / DRAWS), 0.5)
    return 2 * sqrt(half * (1 - half) / DRAWS)
