"""Spread of version effects that all units share, relative to the spread among units (D).

Units (complaints) C, versions (personas) K, one outcome a cell. A version's mean over units carries
noise, which would look like disparity; an estimate of it is taken off (Searle, Casella and
McCulloch 1992, ch. 4, for the two-way layout).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.stats.clusters import cluster_weights, resampled_sums

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TwoWay:
    """What D needs of a layout of C units by K versions without missing cells."""

    cells: Array
    """(K, C) outcomes."""

    @cached_property
    def sums(self) -> Array:
        """(3, C) of each unit: its mean, the square of it, squares about it."""
        mean = self.cells.mean(axis=0)
        return np.stack([mean, mean**2, ((self.cells - mean) ** 2).sum(axis=0)])

    @cached_property
    def parts(self) -> Parts:
        """Components from all units."""
        ones = np.ones((self.cells.shape[1], 1))
        return _parts(self, self.cells @ ones, self.sums @ ones, None)

    def resampled(self, draws: int, seed: int, *, corrected: bool) -> Parts:
        """Components in resamples of units; arrays are (draws,).

        Parameters
        ----------
        draws, seed
            As for `core.stats.clusters.resampled_sums`.
        corrected
            Copies of a unit carry the same noise, so the noise of a version's mean is
            ``s2 * sum(w ** 2) / C ** 2`` for counts w. Otherwise ``s2 / C`` is taken off, which is
            about half of it and leaves D too large in resamples.
        """
        cells = resampled_sums(self.cells, draws, seed)
        sums = resampled_sums(self.sums, draws, seed)
        weights = cluster_weights(self.cells.shape[1], draws, seed)
        return _parts(self, cells, sums, (weights**2).sum(axis=1) if corrected else None)


@dataclass(frozen=True, eq=False)
class Parts:
    """Components of a two-way layout, (1,) or (B,)."""

    versions: Array
    """Variance of the version effects that all units share; may be negative."""
    units: Array
    """Variance among units."""
    residual: Array
    """Interaction of both, which is also the noise."""

    @property
    def disparity(self) -> Array:
        """D: root of the shared version variance over root of the unit variance.

        A negative version variance counts as zero; NaN where units do not differ.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = np.maximum(self.versions, 0.0) / self.units
        return np.sqrt(np.where(self.units > 0, ratio, np.nan))

    @property
    def residual_share(self) -> Array:
        """Residual among all three, with negative ones as zero; NaN where all are zero."""
        total = np.maximum(self.versions, 0) + np.maximum(self.units, 0) + self.residual
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(total > 0, self.residual / total, np.nan)


def two_way(values: Array) -> TwoWay:
    """Prepare outcomes, (C, K) without missing cells.

    Raises
    ------
    ValueError
        If there are fewer than two units or versions, or a cell is missing.
    """
    if min(values.shape) < 2:
        raise ValueError("at least two units and two versions are needed")
    if np.isnan(values).any():
        raise ValueError("the layout has missing cells")
    return TwoWay(np.ascontiguousarray(values.T, dtype=np.float64))


def _parts(layout: TwoWay, cells: Array, sums: Array, copies: Array | None) -> Parts:
    """Solve for the components.

    Parameters
    ----------
    cells, sums
        (K, B) and (3, B) added up over units with their weights.
    copies
        (B,) sum of squared weights; None to treat every unit as there once.
    """
    versions, units = layout.cells.shape
    means = cells / units
    grand = means.mean(axis=0)
    between = ((means - grand) ** 2).sum(axis=0)
    residual = (sums[2] - units * between) / ((units - 1) * (versions - 1))
    noise = residual / units if copies is None else residual * copies / units**2
    spread = (sums[1] - units * grand**2) / (units - 1)
    return Parts(between / (versions - 1) - noise, spread - residual / versions, residual)
