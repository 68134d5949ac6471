"""Least squares with group effects and labels, and its standard errors, from cell statistics.

The model is ``y = group effect + label effect + error``. All calls of one group and label share
one row of the design, so counts, means and sums of squares of the cells are all it needs, however
many calls there are. Errors: classical, White's HC0 to HC3 (MacKinnon and White 1985), clustered
by group (Liang and Zeger 1986).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Counts = NDArray[np.integer[Any]]
Errors = Literal["classical", "HC0", "HC1", "HC2", "HC3", "cluster"]
ERRORS: tuple[Errors, ...] = get_args(Errors)

NEAR_ONE = 1 - 1e-8
"""Leverage from which a call is fitted by itself alone: HC2 and HC3 would divide by zero."""

OUTSIDE = 1e-8
"""How far a contrast may lie outside what the design can tell apart, per unit of its weights."""

NO_CALLS = "there are no calls"
TOO_FEW = "there are no more calls than effects to estimate"
SPREADLESS = "the calls leave no residual: they say nothing about uncertainty"
ALONE = "a call is alone with its group or label (leverage 1), so its error has no estimate"
ONE_GROUP = "one text only: nothing to cluster"


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model. L labels; labels without a call have no effect."""

    effects: Array
    """(L,) label effects about their own mean; only contrasts among them have a meaning."""
    covariance: Array
    """(L, L) of the effects."""
    n: int
    df: int
    """Residual degrees of freedom: calls less groups less labels plus one."""
    groups: int
    """Groups with a call."""
    leverage: float
    """The largest."""
    why: str
    """Why there is no covariance; empty where there is one."""
    seen: Array
    """(L, L) projection on what the design can tell apart."""

    def estimate(self, weights: Array) -> float:
        """Return a contrast of label effects; NaN where the design cannot tell it."""
        if not self.tells(weights):
            return float("nan")
        return float(weights @ self.effects)

    def error(self, weights: Array) -> float:
        """Return a contrast's standard error; NaN where there is none."""
        if self.why or not self.tells(weights):
            return float("nan")
        variance = float(weights @ self.covariance @ weights)
        return math.sqrt(max(variance, 0.0))

    def tells(self, weights: Array) -> bool:
        """Say whether the design can tell a contrast."""
        miss = np.abs(weights - self.seen @ weights).max(initial=0.0)
        return bool(miss <= OUTSIDE * np.abs(weights).max(initial=1.0))


def fit(n: Counts, mean: Array, squares: Array, errors: Errors) -> Fit:
    """Fit group and label effects to calls, and estimate the effects' covariance.

    Parameters
    ----------
    n
        (G, L) calls in each group and label.
    mean
        (G, L) their means; anything where there are none.
    squares
        (G, L) sums of squared deviations from those means.
    errors
        Which covariance. HC1 is HC0 times n / (n - parameters); HC2 and HC3 divide squared
        residuals by ``1 - h`` and its square, h being a call's leverage. ``cluster`` sums
        residuals within groups, times G / (G - 1) x (n - 1) / (n - parameters).

    Returns
    -------
    Fit
        Without covariance where it cannot be computed; `Fit.why` says why.
    """
    count = n.astype(np.float64)
    in_group = count.sum(axis=1)
    used = in_group > 0
    count, in_group = count[used], in_group[used]
    mean, squares = np.where(count > 0, mean[used], 0.0), np.where(count > 0, squares[used], 0.0)
    share = count / in_group[:, None]
    # Taking the group means out of the labels' indicators leaves e_l - share.
    cross = np.diag(count.sum(axis=0)) - count.T @ share
    inverse = np.linalg.pinv(cross, hermitian=True)
    level = (share * mean).sum(axis=1)
    effects = inverse @ (count * (mean - level[:, None])).sum(axis=0)
    seen = cross @ inverse
    rank = round(float(np.trace(seen)))
    size, parameters = int(count.sum()), int(used.sum()) + rank
    leverage = _leverage(share, in_group, inverse)
    residual = mean - level[:, None] - (effects - (share @ effects)[:, None])
    squared = squares + count * residual**2
    largest = float(leverage[count > 0].max(initial=0.0))
    why = _why_not(size, parameters, squared, largest, len(count), errors)
    covariance = np.full((n.shape[1], n.shape[1]), np.nan)
    if not why:
        moments = _moments(count, share, residual, squared, leverage, parameters, errors, cross)
        covariance = inverse @ moments @ inverse
    return Fit(effects, covariance, size, size - parameters, len(count), largest, why, seen)


def _leverage(share: Array, in_group: Array, inverse: Array) -> Array:
    """Leverage of a call in each cell, (G, L): the group's part and the labels' part."""
    middle = share @ inverse
    own = np.einsum("gl,gl->g", middle, share)
    return 1 / in_group[:, None] + np.diag(inverse) - 2 * middle + own[:, None]


def _why_not(
    size: int, parameters: int, squared: Array, leverage: float, groups: int, errors: Errors
) -> str:
    if size == 0:
        return NO_CALLS
    if size <= parameters:
        return TOO_FEW
    if errors == "cluster" and groups < 2:
        return ONE_GROUP
    if errors in ("HC2", "HC3") and leverage > NEAR_ONE:
        return ALONE
    return SPREADLESS if squared.sum() <= 1e-18 * size else ""


def _moments(
    count: Array,
    share: Array,
    residual: Array,
    squared: Array,
    leverage: Array,
    parameters: int,
    errors: Errors,
    cross: Array,
) -> Array:
    """Middle part of the covariance of label effects, (L, L)."""
    size = count.sum()
    if errors == "classical":
        return np.asarray(squared.sum() / (size - parameters) * cross)
    if errors == "cluster":
        total = count * residual
        scores = total - share * total.sum(axis=1, keepdims=True)
        groups = len(count)
        factor = groups / (groups - 1) * (size - 1) / (size - parameters)
        return np.asarray(factor * scores.T @ scores)
    weight = squared
    if errors in ("HC2", "HC3"):
        room = np.where(count > 0, 1 - leverage, 1.0)
        weight = squared / (room if errors == "HC2" else room**2)
    elif errors == "HC1":
        weight = squared * size / (size - parameters)
    in_group = weight.sum(axis=1)
    middle = np.diag(weight.sum(axis=0)) - weight.T @ share - share.T @ weight
    return np.asarray(middle + share.T @ (in_group[:, None] * share))


def within_group_error(
    n: Counts, squares: Array, weights: Array, errors: Errors
) -> tuple[Array, str]:
    """Find one contrast's standard error in each group by itself, each label having its mean.

    Parameters
    ----------
    n, squares
        (..., L) as for `fit`.
    weights
        (..., L) weights of the contrast.
    errors
        As for `fit`; a group alone cannot be clustered.

    Returns
    -------
    errors, why
        (...) standard errors, NaN where there is none, and why none can be had at all. A fit of
        one group leaves each label's own mean, with leverage 1 / n.
    """
    if errors == "cluster":
        return np.full(n.shape[:-1], np.nan), ONE_GROUP
    needed = weights != 0
    least = 1 if errors in ("HC0", "HC1", "classical") else 2
    there = ((n >= least) | ~needed).all(axis=-1)
    calls, labels = n.sum(axis=-1), (n > 0).sum(axis=-1)
    count = np.maximum(n, 1).astype(np.float64)
    free = np.where(calls > labels, calls - labels, np.nan).astype(np.float64)
    match errors:
        case "classical":
            variance = (squares.sum(axis=-1) / free)[..., None] / count
        case "HC0":
            variance = squares / count**2
        case "HC1":
            variance = squares / count**2 * (calls / free)[..., None]
        case "HC2":
            variance = squares / (count * np.maximum(count - 1, 1))
        case _:
            variance = squares / np.maximum(count - 1, 1) ** 2
    total = np.where(needed, weights**2 * variance, 0.0).sum(axis=-1)
    return np.where(there & (total > 0), np.sqrt(total), np.nan), ""
