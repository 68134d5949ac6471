"""Bootstrap of means: resampling weights, replicates on their lattice, intervals and p-values.

A bootstrap over units (clause groups, texts, complaints) is a matrix of resampling weights times
the units' values, so one matrix serves every estimate over as many units. Ratings are whole
numbers, so replicates of a mean repeat: they are kept as distinct values with counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

Array = NDArray[np.float64]
Weights = NDArray[np.unsignedinteger[Any]]

CHUNK = 2**17
"""Weights made at once: so few stay near the processor. It changes no answer."""

PIECE = 2**18
"""Multiplications in one call: so few are done on one core, and a busy machine is not slowed down
by cores that wait for one another."""

LATTICE_STEPS = (1, 2, 4, 3, 6, 12)
"""Fractions of a point on which values may all lie: the first that fits is used."""

MAX_LATTICE = 4_096
"""Most lattice points between the ends of a replicate's range; above it replicates are sorted."""

TIE = 1e-9
"""How far two replicates may lie apart, in units of the values, and still be the same."""


def resampling_weights(n: int, draws: int, seed: int) -> Weights:
    """Draw n units out of n with replacement, many times.

    Parameters
    ----------
    n
        Number of units, at least 1.
    draws
        Number of resamples, at least 1.
    seed
        Names the stream together with n: the child ``(n,)`` of ``SeedSequence(seed)``. Fewer draws
        are the first rows of more.

    Returns
    -------
    array of whole numbers, shape (draws, n)
        How often each unit is drawn; rows sum to n. Kept, so read-only.
    """
    return (_of_few if n <= BYTE else _of_many)(n, draws, seed)


BYTE = 255
"""Largest count that takes one byte: matrices of so few units are small, and many are kept."""


def draw_weights(n: int, draws: int, seed: int) -> Weights:
    """Make the matrix of `resampling_weights` anew."""
    if n < 1 or draws < 1:
        raise ValueError(f"n and draws must be at least 1, not {n} and {draws}")
    stream = Generator(PCG64(SeedSequence(seed, spawn_key=(n,))))
    weights = np.empty((draws, n), dtype=np.min_scalar_type(n))
    rows = max(1, CHUNK // n)
    for start in range(0, draws, rows):
        part = weights[start : start + rows]
        drawn = stream.integers(0, n, part.shape, dtype=np.int64)
        drawn += (np.arange(len(part)) * n)[:, None]
        part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
    weights.flags.writeable = False
    return weights


_of_few = lru_cache(maxsize=96)(draw_weights)
_of_many = lru_cache(maxsize=12)(draw_weights)


@lru_cache(maxsize=24)
def sign_flips(n: int, draws: int, seed: int) -> NDArray[np.int8]:
    """Draw a sign for each of n units, many times: (draws, n) of -1 and 1; kept, read-only."""
    stream = Generator(PCG64(SeedSequence(seed, spawn_key=(n, 1))))
    signs = stream.integers(0, 2, (draws, n), dtype=np.int8)
    signs *= 2
    signs -= 1
    signs.flags.writeable = False
    return signs


@dataclass(frozen=True, eq=False)
class Replicates:
    """Bootstrap replicates of K estimates: distinct values in ascending order, with counts."""

    values: Array
    """(K, U), filled up with infinity."""
    cumulative: NDArray[np.int64]
    """(K, U) replicates at or below each value."""
    draws: int

    def at_most(self, bound: Array | float) -> Array:
        """Count replicates at or below a bound, (K,); ties within `TIE` count."""
        return self._count(np.asarray(bound, dtype=np.float64) + TIE)

    def below(self, bound: Array | float) -> Array:
        """Count replicates strictly below a bound, (K,); ties within `TIE` do not count."""
        return self._count(np.asarray(bound, dtype=np.float64) - TIE)

    def _count(self, bound: Array) -> Array:
        bound = np.broadcast_to(bound, len(self.values))
        places = np.array(
            [row.searchsorted(b, "right") for row, b in zip(self.values, bound, strict=True)],
            dtype=np.int64,
        )
        padded = np.concatenate([np.zeros_like(self.cumulative[:, :1]), self.cumulative], axis=1)
        return np.take_along_axis(padded, places[:, None], 1)[:, 0].astype(np.float64)

    def quantile(self, share: Array) -> Array:
        """Interpolate between order statistics, as ``numpy.quantile`` does.

        Parameters
        ----------
        share
            (K, Q) in [0, 1]; NaN gives NaN.

        Returns
        -------
        array, shape (K, Q)
        """
        missing = np.isnan(share)
        position = np.where(missing, 0.0, share) * (self.draws - 1)
        lower = np.floor(position)
        low, high = self._order(lower), self._order(np.minimum(lower + 1, self.draws - 1))
        low, high = np.where(missing, np.nan, low), np.where(missing, np.nan, high)
        return low + (position - lower) * (high - low)

    def _order(self, rank: Array) -> Array:
        """Return order statistics by rank, counted from 0, (K, Q)."""
        places = np.array(
            [row.searchsorted(r, "right") for row, r in zip(self.cumulative, rank, strict=True)],
            dtype=np.int64,
        ).reshape(rank.shape)
        return np.take_along_axis(self.values, places, 1)


@dataclass(frozen=True, eq=False)
class Means:
    """Means of K sets of values over units, with their bootstrap. NaN where there is no number."""

    estimate: Array
    """(K,)."""
    n: NDArray[np.int64]
    """(K,) units with a value."""
    spread: Array
    """(K,) standard deviation of the values over units, with n - 1."""
    replicates: Replicates
    bias: Array
    """(K,) z0: normal quantile of the share of replicates below the estimate, ties by half."""
    acceleration: Array
    """(K,) from the jackknife."""

    def bca(self, level: float) -> Array:
        """Bias-corrected and accelerated interval (Efron 1987), (K, 2).

        Parameters
        ----------
        level
            Share of cases in which such an interval is to hold the truth, in (0, 1).
        """
        z = ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
        moved = self.bias[:, None] + z
        # A skew so strong that the correction turns around has no interval.
        room = 1 - self.acceleration[:, None] * moved
        shares = ndtr(self.bias[:, None] + moved / np.where(room > 0, room, np.nan))
        return self.replicates.quantile(shares)

    def percentile(self, level: float) -> Array:
        """Percentile interval (Efron 1979), (K, 2)."""
        shares = np.array([(1 - level) / 2, (1 + level) / 2])
        known = np.where(np.isnan(self.bias), np.nan, 0.0)[:, None]
        return self.replicates.quantile(shares + known)

    def student(self, level: float) -> Array:
        """Student's t interval from estimate, spread and n, (K, 2)."""
        return t_interval(self.estimate, self.spread, self.n, level)

    def share_at_most(self, bound: Array | float) -> Array:
        """Bootstrap p-value of ``estimate > bound``: ``(1 + #{theta* <= bound}) / (B + 1)``."""
        return self._p(self.replicates.at_most(bound))

    def share_at_least(self, bound: Array | float) -> Array:
        """Bootstrap p-value of ``estimate < bound``: ``(1 + #{theta* >= bound}) / (B + 1)``."""
        return self._p(self.replicates.draws - self.replicates.below(bound))

    def _p(self, count: Array) -> Array:
        return np.where(np.isnan(self.bias), np.nan, (1 + count) / (self.replicates.draws + 1))

    def two_sided(self) -> Array:
        """Two-sided bootstrap p-value against zero: twice the smaller one-sided, at most 1."""
        smaller = np.minimum(self.share_at_most(0.0), self.share_at_least(0.0))
        return np.minimum(1.0, 2 * smaller)


def resample_means(values: Array, *, draws: int, seed: int) -> Means:
    """Bootstrap the mean of many sets of values.

    Parameters
    ----------
    values
        (K, G): a value for each set and unit; NaN where a unit has none. A set's complete units
        are resampled; sets with as many share one weight matrix.
    draws
        Number of resamples, B.
    seed
        As for `resampling_weights`.

    Returns
    -------
    Means
        A set with fewer than two units, or the same value in all, has neither interval nor p-value:
        they are NaN, as is its bias.
    """
    there = ~np.isnan(values)
    n = there.sum(axis=1)
    filled = np.where(there, values, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        estimate = filled.sum(axis=1) / n
        deviations = np.where(there, values - estimate[:, None], 0.0)
        squares = (deviations**2).sum(axis=1)
        spread = np.sqrt(squares / (n - 1))
        # Leaving unit i out moves a mean by -d_i / (n - 1), so the jackknife has a closed form.
        acceleration = (deviations**3).sum(axis=1) / (6 * squares**1.5)
    varied = (n > 1) & (spread > TIE)
    spread[n < 2] = np.nan
    replicates = _replicates(values, there, varied, draws, seed)
    below, at_most = replicates.below(estimate), replicates.at_most(estimate)
    share = np.where(varied, (below + at_most) / (2 * draws), np.nan)
    bias = ndtri(share)
    bias[~np.isfinite(bias)] = np.nan
    return Means(estimate, n, spread, replicates, bias, np.where(varied, acceleration, np.nan))


def _replicates(
    values: Array, there: NDArray[np.bool_], varied: NDArray[np.bool_], draws: int, seed: int
) -> Replicates:
    """Multiply weights and values, for sets with as many units at once."""
    n = there.sum(axis=1)
    found: dict[int, tuple[Array, NDArray[np.int64]]] = {}
    for size in np.unique(n[varied]):
        rows = np.flatnonzero(varied & (n == size))
        block = np.stack([values[k, there[k]] for k in rows], axis=1)
        weights = resampling_weights(int(size), draws, seed)
        found |= dict(zip(rows.tolist(), _distributions(weights, block), strict=True))
    width = max((v.size for v, _ in found.values()), default=1)
    distinct = np.full((len(values), width), np.inf)
    cumulative = np.full((len(values), width), draws, dtype=np.int64)
    for k, (support, counts) in found.items():
        distinct[k, : support.size] = support
        cumulative[k, : counts.size] = counts
    return Replicates(distinct, cumulative, draws)


def _distributions(weights: Weights, block: Array) -> list[tuple[Array, NDArray[np.int64]]]:
    """Distinct replicates of the means and their cumulative counts, for each column of a block."""
    n = len(block)
    step = next((s for s in LATTICE_STEPS if _on_lattice(block * s)), 0)
    steps = np.rint(block * step) if step else block
    sums = product(weights, steps)
    found = []
    for column in sums.T:
        low, high = column.min(), column.max()
        if step and high - low < MAX_LATTICE:
            counts = np.bincount((column - low).astype(np.int64))
            kept = np.flatnonzero(counts)
            found.append(((kept + low) / (step * n), counts[kept].cumsum()))
        else:
            ordered = np.sort(column) / ((step or 1) * n)
            found.append((ordered, np.arange(1, ordered.size + 1)))
    return found


def _on_lattice(values: Array) -> bool:
    return bool(np.all(np.abs(values - np.rint(values)) < TIE))


def product(weights: NDArray[Any], block: Array) -> Array:
    """Weights, (B, n), times values, (n, K), in pieces of `PIECE` multiplications."""
    sums = np.empty((len(weights), block.shape[1]))
    rows = max(1, PIECE // block.size)
    for start in range(0, len(weights), rows):
        part = weights[start : start + rows]
        np.matmul(part.astype(np.float64), block, out=sums[start : start + rows])
    return sums


@dataclass(frozen=True, eq=False)
class Flipped:
    """Sign-flip permutations of K sets of values; they serve a test against any shift."""

    estimate: Array
    """(K,)."""
    flipped: tuple[Array | None, ...]
    """For each set, (draws,) means with random signs; None where there is no test."""
    signs: tuple[Array | None, ...]
    """For each set, (draws,) means of the signs themselves."""

    def greater(self, bound: float = 0.0) -> Array:
        """p-value of ``mean > bound``, (K,): ``(1 + #{permuted >= observed}) / (draws + 1)``."""
        return self._tail(bound, 1)

    def less(self, bound: float = 0.0) -> Array:
        """p-value of ``mean < bound``, (K,)."""
        return self._tail(bound, -1)

    def two_sided(self) -> Array:
        """p-value of ``mean != 0``, (K,): twice the smaller tail, at most 1."""
        return np.minimum(1.0, 2 * np.minimum(self.greater(), self.less()))

    def _tail(self, bound: float, sign: int) -> Array:
        p = np.full(len(self.estimate), np.nan)
        for k, (flipped, signs) in enumerate(zip(self.flipped, self.signs, strict=True)):
            if flipped is None or signs is None:
                continue
            # The values less the bound, with random signs.
            moved = sign * (flipped - bound * signs)
            beyond = np.count_nonzero(moved >= sign * (self.estimate[k] - bound) - TIE)
            p[k] = (1 + beyond) / (moved.size + 1)
        return p


def flip_signs(values: Array, *, draws: int, seed: int) -> Flipped:
    """Permute signs of many sets of values; parameters as for `resample_means`.

    Under the hypothesis that the values are symmetric about a bound, the signs of their differences
    from it are arbitrary (Fisher 1935).
    """
    there = ~np.isnan(values)
    n = there.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        estimate = np.where(there, values, 0.0).sum(axis=1) / n
    gap = np.where(there, np.abs(values - estimate[:, None]), 0.0).max(axis=1, initial=0.0)
    varied = (n > 1) & (gap > TIE)
    flipped: list[Array | None] = [None] * len(values)
    signs: list[Array | None] = [None] * len(values)
    for size in np.unique(n[varied]):
        rows = np.flatnonzero(varied & (n == size))
        columns = [values[k, there[k]] for k in rows]
        drawn = sign_flips(int(size), draws, seed)
        means = product(drawn, np.stack([*columns, np.ones(size)], axis=1)).T / size
        for k, found in zip(rows, means, strict=False):
            flipped[k], signs[k] = found, means[-1]
    return Flipped(estimate, tuple(flipped), tuple(signs))


def t_interval(estimate: Array, spread: Array, n: NDArray[np.int64], level: float) -> Array:
    """Student's t interval of means, shape of the arguments, then 2; NaN without spread."""
    n = np.maximum(n, 2)
    half = stdtrit(n - 1, (1 + level) / 2) * np.where(spread > TIE, spread, np.nan) / np.sqrt(n)
    return np.stack([estimate - half, estimate + half], axis=-1)


def t_greater(
    estimate: Array, spread: Array, n: NDArray[np.int64], bound: float | Array = 0.0
) -> Array:
    """p-value of ``mean > bound`` by Student's t; NaN without spread."""
    n = np.maximum(n, 2)
    error = np.where(spread > TIE, spread, np.nan) / np.sqrt(n)
    return np.asarray(stdtr(n - 1, (bound - estimate) / error))
