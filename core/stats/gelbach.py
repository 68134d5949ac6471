"""How much of a group gap goes with which covariates, whatever the order in which they enter.

Gelbach (2016): the change of a coefficient when covariates are added is a sum with one term a
covariate, ``b0 - b1 = sum_j a_j g_j`` exactly, where a_j is the gap in covariate j and g_j its
coefficient in the full regression. Variables are taken about their cluster's mean, so that only
comparisons within clusters count; all that is needed then are sums of products of each cluster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.clusters import resampled_sums

Array = NDArray[np.float64]

NEAR_SINGULAR = 1e10
"""Condition number from which covariates are taken to be linear functions of one another."""


@dataclass(frozen=True, eq=False)
class Products:
    """Sums of products of V variables about their cluster means, of C clusters."""

    upper: Array
    """(V (V + 1) / 2, C) the upper triangle, row by row."""
    size: int
    """V."""

    def total(self) -> Array:
        """Add up over clusters: (1, V, V)."""
        return self._square(self.upper.sum(axis=1, keepdims=True))

    def resampled(self, draws: int, seed: int) -> Array:
        """Add up over resampled clusters: (draws, V, V)."""
        return self._square(resampled_sums(self.upper, draws, seed))

    def _square(self, sums: Array) -> Array:
        rows, columns = np.triu_indices(self.size)
        square = np.empty((sums.shape[1], self.size, self.size))
        square[:, rows, columns] = square[:, columns, rows] = sums.T
        return square


def products(values: Array) -> Products:
    """Take sums of products about cluster means.

    Parameters
    ----------
    values
        (C, K, V): V variables of K members of C clusters, without missing values.
    """
    centred = values - values.mean(axis=1, keepdims=True)
    square = np.matmul(centred.transpose(0, 2, 1), centred)
    rows, columns = np.triu_indices(values.shape[2])
    return Products(np.ascontiguousarray(square[:, rows, columns].T), values.shape[2])


@dataclass(frozen=True, eq=False)
class Decomposition:
    """Gap without and with covariates, for B sets of sums."""

    base: Array
    """(B,) coefficient of the group without covariates."""
    full: Array
    """(B,) with them."""
    contributions: Array
    """(B, P) one term a covariate; they sum to ``base - full``."""


def decompose(sums: Array, groups: list[int], covariates: list[int], outcome: int) -> Decomposition:
    """Decompose the coefficient of the first group variable.

    Parameters
    ----------
    sums
        (B, V, V) sums of products, as from `Products`.
    groups
        Positions of the group's indicators, the one that is decomposed first.
    covariates
        Positions of P covariates.
    outcome
        Position of the outcome.

    Raises
    ------
    ValueError
        If the group indicators or all regressors together are collinear within clusters.
    """
    # Correlations instead of sums, so that units of the covariates do not matter.
    scale = np.sqrt(np.einsum("bii->bi", sums))
    if not (scale[:, [*groups, *covariates]] > 0).all():
        raise ValueError("a regressor does not vary within clusters")
    scale = np.where(scale > 0, scale, 1.0)
    scaled = sums / (scale[:, :, None] * scale[:, None, :])
    both = [*groups, *covariates]
    if np.linalg.cond(scaled[0][np.ix_(both, both)]) > NEAR_SINGULAR:
        raise ValueError("the regressors are linear functions of one another within clusters")
    of_groups = scaled[:, groups][:, :, groups]
    unit = scale[:, groups[0]]
    base = np.linalg.solve(of_groups, scaled[:, groups][:, :, [outcome]])[:, 0, 0]
    gaps = np.linalg.solve(of_groups, scaled[:, groups][:, :, covariates])[:, 0]
    full = np.linalg.solve(scaled[:, both][:, :, both], scaled[:, both][:, :, [outcome]])[:, :, 0]
    back = scale[:, outcome] / unit
    return Decomposition(
        base * back, full[:, 0] * back, gaps * full[:, len(groups) :] * back[:, None]
    )


def explained_share(sums: Array, covariates: list[int], outcome: int) -> Array:
    """R2 within clusters of a regression of the outcome on covariates, (B,).

    Covariates that do not vary are left out; NaN where the outcome does not vary.
    """
    varied = [j for j in covariates if (sums[:, j, j] > 0).all()]
    total = sums[:, outcome, outcome]
    if not varied:
        return np.where(total > 0, 0.0, np.nan)
    scale = np.sqrt(np.einsum("bii->bi", sums[:, varied][:, :, varied]))
    square = sums[:, varied][:, :, varied] / (scale[:, :, None] * scale[:, None, :])
    right = sums[:, varied, outcome] / scale
    # A pseudo-inverse, since collinear covariates explain as much as those they copy.
    fitted = np.einsum("bi,bij,bj->b", right, np.linalg.pinv(square, hermitian=True), right)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, fitted / total, np.nan)
