"""A bootstrap over whole clusters: resampling weights times per-cluster sums, one product.

The result of any smooth function of sums over clusters (means, rates, ratios, components) follows
from the resampled sums, so cost depends on the number of clusters and not on that of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.stats.bootstrap_bca import TIE, product, resampling_weights

Array = NDArray[np.float64]


@lru_cache(maxsize=2)
def cluster_weights(n: int, draws: int, seed: int) -> Array:
    """How often each of n clusters is drawn, (draws, n); kept, read-only.

    `core.stats.bootstrap_bca.resampling_weights` as floating-point numbers, with its errors.
    """
    weights = resampling_weights(n, draws, seed).astype(np.float64)
    weights.flags.writeable = False
    return weights


def resampled_sums(sums: Array, draws: int, seed: int) -> Array:
    """Add per-cluster sums up over resampled clusters.

    Parameters
    ----------
    sums
        (M, n): M quantities of n clusters, without missing values.
    draws
        Number of resamples, B.
    seed
        As for `resampling_weights`: quantities over as many clusters share their draws.

    Returns
    -------
    array, shape (M, B)
    """
    weights = resampling_weights(sums.shape[1], draws, seed)
    columns = np.ascontiguousarray(sums.T, dtype=np.float64)
    return np.ascontiguousarray(product(weights, columns).T)


@dataclass(frozen=True, eq=False)
class Sampled:
    """K estimates with their bootstrap; NaN where there is no number."""

    estimate: Array
    """(K,)."""
    ordered: Array
    """(K, B) draws of each, ascending; NaN where a draw gave no number or all are the same."""

    def interval(self, level: float) -> Array:
        """Percentile interval (Efron 1979), (K, 2), interpolated between order statistics.

        Parameters
        ----------
        level
            Share of the draws between the ends, in (0, 1).
        """
        last = self.ordered.shape[1] - 1
        places = np.array([(1 - level) / 2, (1 + level) / 2]) * last
        lower = np.floor(places).astype(np.int64)
        low, high = self.ordered[:, lower], self.ordered[:, np.minimum(lower + 1, last)]
        return np.asarray(low + (places - lower) * (high - low))

    def greater(self, bound: float | Array = 0.0) -> Array:
        """p-value of ``estimate > bound``: ``(1 + #{draws <= bound}) / (B + 1)``, (K,)."""
        return self._p(self.ordered <= self._bound(bound) + TIE)

    def less(self, bound: float | Array = 0.0) -> Array:
        """p-value of ``estimate < bound``: ``(1 + #{draws >= bound}) / (B + 1)``, (K,)."""
        return self._p(self.ordered >= self._bound(bound) - TIE)

    def two_sided(self, bound: float | Array = 0.0) -> Array:
        """p-value of ``estimate != bound``: twice the smaller one-sided, at most 1, (K,)."""
        return np.minimum(1.0, 2 * np.minimum(self.greater(bound), self.less(bound)))

    @property
    def error(self) -> Array:
        """Standard deviation of the draws, (K,)."""
        return np.asarray(self.ordered.std(axis=1, ddof=1))

    @staticmethod
    def _bound(bound: float | Array) -> Array:
        return np.atleast_1d(np.asarray(bound, dtype=np.float64))[:, None]

    def _p(self, hits: NDArray[np.bool_]) -> Array:
        p = (1 + hits.sum(axis=1)) / (hits.shape[1] + 1)
        return np.where(np.isnan(self.ordered[:, 0]), np.nan, p)


def sampled(estimate: Array, draws: Array) -> Sampled:
    """Put estimates, (K,), and their draws, (K, B), together.

    Draws that are all the same say nothing about uncertainty: they become NaN, as do those of an
    estimate for which some draw gave no number.
    """
    ordered = np.sort(draws, axis=1)
    bad = ~np.isfinite(ordered).all(axis=1)
    with np.errstate(invalid="ignore"):
        bad |= ~(ordered[:, -1] - ordered[:, 0] > TIE)
    ordered[bad] = np.nan
    return Sampled(np.asarray(estimate, dtype=np.float64), ordered)


def stacked(parts: Sequence[Sampled]) -> Sampled:
    """Put samples with as many draws one below the other; one without draws counts as NaN."""
    draws = max((part.ordered.shape[1] for part in parts), default=1)
    ordered = [
        part.ordered
        if part.ordered.shape[1] == draws
        else np.full((len(part.ordered), draws), np.nan)
        for part in parts
    ]
    return Sampled(
        np.concatenate([np.empty(0), *(part.estimate for part in parts)]),
        np.concatenate([np.empty((0, draws)), *ordered]),
    )


def resampled_means(values: Array, draws: int, seed: int) -> Sampled:
    """Bootstrap the means of M quantities over n clusters, (M, n) without missing values."""
    n = values.shape[1]
    return sampled(values.mean(axis=1), resampled_sums(values, draws, seed) / n)
