"""Adjusting p-values for the number of tests in a family, many families at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Method = Literal["none", "bonferroni", "holm", "hochberg", "bh"]
METHODS: tuple[Method, ...] = get_args(Method)

METHOD_NAMES: Mapping[Method, str] = MappingProxyType(
    {
        "none": "no adjustment",
        "bonferroni": "Bonferroni",
        "holm": "Holm",
        "hochberg": "Hochberg",
        "bh": "Benjamini-Hochberg",
    }
)


def adjust(p: Array, method: Method) -> Array:
    """Adjust p-values within families.

    Parameters
    ----------
    p
        (..., m) one family of m planned tests along the last axis. NaN: the test could not run. It
        stays in its family, counted as p = 1, and is never rejected itself.
    method
        ``holm``: step-down Bonferroni (Holm 1979). ``hochberg``: step-up with the same multipliers
        (Hochberg 1988; valid for independent or positively dependent tests). ``bh``: false
        discovery rate (Benjamini and Hochberg 1995).

    Returns
    -------
    array, same shape
        Adjusted p-values, at most 1; NaN where p is. A hypothesis is rejected where its adjusted
        p-value lies below alpha.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    missing = np.isnan(p)
    planned = np.where(missing, 1.0, p)
    size = p.shape[-1]
    if method == "none":
        adjusted = planned
    elif method == "bonferroni":
        adjusted = size * planned
    else:
        adjusted = _stepwise(planned, method)
    return np.where(missing, np.nan, np.minimum(adjusted, 1.0))


def _stepwise(p: Array, method: Method) -> Array:
    size = p.shape[-1]
    order = np.argsort(p, axis=-1, kind="stable")
    ordered = np.take_along_axis(p, order, -1)
    if method == "holm":
        stepped = np.maximum.accumulate(np.arange(size, 0, -1) * ordered, axis=-1)
    else:
        ranks = np.arange(1, size + 1)
        factors = size / ranks if method == "bh" else size - ranks + 1
        stepped = np.minimum.accumulate((factors * ordered)[..., ::-1], axis=-1)[..., ::-1]
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, stepped, -1)
    return adjusted


@dataclass(frozen=True, eq=False)
class Ladder:
    """The steps of Holm's procedure in one family, smallest p-value first."""

    order: NDArray[np.int64]
    """(m,) positions of the tests in their family."""
    p: Array
    """(m,) ordered p-values; a test that could not run counts as 1."""
    threshold: Array
    """(m,) what each p-value is held against: alpha over the number of tests not yet decided."""
    rejected: NDArray[np.bool_]
    """(m,) whether the procedure got so far and rejected."""

    @property
    def stops_at(self) -> int:
        """Position on the ladder of the first p-value that is too large; m when none is."""
        return int(self.rejected.sum())


def holm_ladder(p: Array, alpha: float) -> Ladder:
    """Go down Holm's ladder.

    Parameters
    ----------
    p
        (m,) one family; NaN where a test could not run.
    alpha
        Error rate of the family, in (0, 1).

    Returns
    -------
    Ladder
        A test is rejected where its p-value and all smaller ones lie below their thresholds: just
        where `adjust` gives less than alpha.
    """
    planned = np.where(np.isnan(p), 1.0, p)
    order = np.argsort(planned, kind="stable")
    threshold = alpha / np.arange(p.size, 0, -1)
    # Judged by the adjusted value, so that rounding can never set ladder and verdict apart.
    rejected = adjust(planned, "holm")[order] < alpha
    return Ladder(order, planned[order], threshold, rejected)
