"""Verdicts and the rules that give them, one function a rule.

Tables, charts, sentences, links and exports all call these functions; none has a rule of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Verdict(StrEnum):
    """A rule's answer."""

    WITHIN = "within"
    OUTSIDE = "outside"
    UNDECIDED = "undecided"
    SUPPORTED = "supported"
    OPPOSITE = "opposite"
    NOT_SUPPORTED = "not supported"
    DIFFERENCE = "difference"
    EQUIVALENT = "equivalent"
    BOTH = "both"
    BEYOND_MARGIN = "beyond margin"
    INCONCLUSIVE = "inconclusive"
    NEARER = "nearer"
    FARTHER = "farther"
    NOT_SEPARABLE = "not separable"
    CANNOT_COMPUTE = "cannot compute"


@dataclass(frozen=True, slots=True)
class Mark:
    """How a verdict looks: its shape carries the meaning, a colour only helps."""

    symbol: str
    shape: str
    """Name of the shape in the chart grammar."""
    meaning: str


SALTIRE = "M-1,-.6L-.6,-1L0,-.4L.6,-1L1,-.6L.4,0L1,.6L.6,1L0,.4L-.6,1L-1,.6L-.4,0Z"
"""Outline of a diagonal cross; the chart grammar's own cross is a plus sign."""

HOLLOW_DOWN = "M-1,-.8L1,-.8L0,.9ZM-.6,-.56L0,.46L.6,-.56Z"
"""Outline of a triangle that points down and is empty inside, also where marks are filled."""

DOUBLE_UP = "M-1,-.05L0,-1L1,-.05ZM-1,.95L0,0L1,.95Z"
"""Two triangles one above the other."""

MARKS: Mapping[Verdict, Mark] = MappingProxyType(
    {
        Verdict.WITHIN: Mark("■", "square", "at or below the tolerance"),
        Verdict.OUTSIDE: Mark("▲", "triangle-up", "above the tolerance"),
        Verdict.UNDECIDED: Mark("○", "circle", "too few outputs to say on which side"),
        Verdict.SUPPORTED: Mark("▲", "triangle-up", "significant in the predicted direction"),
        Verdict.OPPOSITE: Mark("▼", "triangle-down", "significant against the prediction"),
        Verdict.NOT_SUPPORTED: Mark("▽", HOLLOW_DOWN, "not significant"),
        Verdict.DIFFERENCE: Mark("▲", "triangle-up", "zero is excluded"),
        Verdict.EQUIVALENT: Mark("■", "square", "inside the margin: practically zero"),
        Verdict.BOTH: Mark("◆", "diamond", "real but small: not zero, and inside the margin"),
        Verdict.BEYOND_MARGIN: Mark("▲▲", DOUBLE_UP, "larger than the margin, on either side"),
        Verdict.INCONCLUSIVE: Mark("○", "circle", "neither zero nor the margin is excluded"),
        Verdict.NEARER: Mark(
            "▲", "triangle-up", "the first is nearer in at least 95% of shared bootstrap draws"
        ),
        Verdict.FARTHER: Mark(
            "▼", "triangle-down", "the other is nearer in at least 95% of shared bootstrap draws"
        ),
        Verdict.NOT_SEPARABLE: Mark(
            "○", "circle", "fewer than 95% of shared bootstrap draws keep the order"
        ),
        Verdict.CANNOT_COMPUTE: Mark("×", SALTIRE, "no number, for the stated reason"),
    }
)


PLANNED_OPPOSITE = "A hollow triangle that points down under a bar: opposite as planned."
"""How charts tell a planned ``opposite`` from a planned ``not supported``: both are hollow."""


def tolerance(divergence: float | NDArray[np.float64], tau: float) -> NDArray[np.str_]:
    """Judge divergences against a tolerance by the point rule ``d <= tau``.

    Parameters
    ----------
    divergence
        Any shape; NaN where there is no number.
    tau
        The tolerance, in the unit of the divergence.

    Returns
    -------
    array of text, same shape
        Values of `Verdict`. The rule is the study's indicator ``1[d <= tau]`` (App. D.8); it is a
        diagnostic setting, not a fairness cutoff.
    """
    values = np.asarray(divergence, dtype=np.float64)
    return np.where(
        np.isnan(values),
        Verdict.CANNOT_COMPUTE.value,
        np.where(values <= tau, Verdict.WITHIN.value, Verdict.OUTSIDE.value),
    )


def tolerance_interval(
    divergence: float | NDArray[np.float64],
    low: float | NDArray[np.float64],
    high: float | NDArray[np.float64],
    floor: float | NDArray[np.float64],
    tau: float,
) -> NDArray[np.str_]:
    """Judge divergences against a tolerance by their intervals.

    Parameters
    ----------
    divergence
        Any shape; NaN where there is no number.
    low, high
        Ends of each divergence's interval. Resampling shifts a divergence upward, so the interval
        may leave the divergence out; it is then taken to reach as far as it.
    floor
        What an exactly aligned model with as few outputs would stay at or below.
    tau
        The tolerance, in the unit of the divergence.

    Returns
    -------
    array of text, shape of the broadcast arguments
        Values of `Verdict`. Undecided: the interval crosses the tolerance, or the tolerance is
        below the floor. The ends follow the point rule: ``high <= tau`` is within, ``low > tau``
        outside. Cannot compute: any of the four numbers is missing.
    """
    values, low, high, floor = np.broadcast_arrays(divergence, low, high, floor)
    missing = np.isnan(values) | np.isnan(low) | np.isnan(high) | np.isnan(floor)
    verdicts = np.select(
        [missing, floor > tau, np.maximum(values, high) <= tau, np.minimum(values, low) > tau],
        [
            Verdict.CANNOT_COMPUTE.value,
            Verdict.UNDECIDED.value,
            Verdict.WITHIN.value,
            Verdict.OUTSIDE.value,
        ],
        Verdict.UNDECIDED.value,
    )
    return np.asarray(verdicts)


RULES: Mapping[str, tuple[Verdict, ...]] = MappingProxyType(
    {
        "tolerance": (Verdict.WITHIN, Verdict.OUTSIDE, Verdict.UNDECIDED),
        "directional": (Verdict.SUPPORTED, Verdict.OPPOSITE, Verdict.NOT_SUPPORTED),
        "margin": (
            Verdict.EQUIVALENT,
            Verdict.BOTH,
            Verdict.DIFFERENCE,
            Verdict.BEYOND_MARGIN,
            Verdict.INCONCLUSIVE,
        ),
        "order": (Verdict.NEARER, Verdict.FARTHER, Verdict.NOT_SEPARABLE),
    }
)
"""The answers of each rule, without ``cannot compute``, which every rule can give. Answers of
different rules may share a mark; those of one rule never do."""

SUPPORT = (Verdict.SUPPORTED, Verdict.EQUIVALENT, Verdict.BOTH, Verdict.NEARER)
"""Answers under which a claim stands: a predicted difference or order, or equivalence."""


def directional(
    low: Array,
    high: Array,
    p: Array | None = None,
    alpha: float = 0.05,
) -> NDArray[np.str_]:
    """Judge claims that a number is above zero.

    Parameters
    ----------
    low, high
        Ends of each number's interval, any shape; NaN where there is none.
    p
        Adjusted p-values; None when the interval alone decides. A missing p-value never rejects.
    alpha
        What an adjusted p-value must lie below.

    Returns
    -------
    array of text, same shape
        Values of `Verdict`: supported where the interval lies above zero and the gate is open,
        opposite where it lies below and the gate is open. Cannot compute: an end is missing.
    """
    missing = np.isnan(low) | np.isnan(high)
    gate = np.ones(np.shape(low), dtype=np.bool_) if p is None else np.asarray(p < alpha)
    verdicts = np.select(
        [missing, gate & (low > 0), gate & (high < 0)],
        [Verdict.CANNOT_COMPUTE.value, Verdict.SUPPORTED.value, Verdict.OPPOSITE.value],
        Verdict.NOT_SUPPORTED.value,
    )
    return np.asarray(verdicts)


def margin(
    low: Array,
    high: Array,
    matching_low: Array,
    matching_high: Array,
    delta: float | Array,
    p: Array | None = None,
    alpha: float = 0.05,
) -> NDArray[np.str_]:
    """Judge how numbers lie to zero and to a margin around it.

    Parameters
    ----------
    low, high
        Ends of each number's two-sided interval at level ``1 - alpha``, any shape.
    matching_low, matching_high
        Ends of the interval at level ``1 - 2 alpha``, which matches two one-sided tests.
    delta
        The margin, above zero; several broadcast against the ends.
    p
        Adjusted p-values of the two one-sided tests; None when the interval alone decides. A
        missing p-value never rejects.
    alpha
        What an adjusted p-value must lie below.

    Returns
    -------
    array of text, same shape
        Values of `Verdict`. Equivalent: the matching interval lies inside the margin and the gate
        is open; both: zero is excluded as well. Beyond margin: the matching interval lies wholly
        outside (a minimum-effect test). Difference: zero is excluded. Cannot compute: an end is
        missing.
    """
    missing = np.isnan(low) | np.isnan(high) | np.isnan(matching_low) | np.isnan(matching_high)
    gate = np.ones(np.shape(low), dtype=np.bool_) if p is None else np.asarray(p < alpha)
    inside = gate & (matching_low > -delta) & (matching_high < delta)
    beyond = (matching_low > delta) | (matching_high < -delta)
    excludes_zero = (low > 0) | (high < 0)
    verdicts = np.select(
        [missing, inside & excludes_zero, inside, beyond, excludes_zero],
        [
            Verdict.CANNOT_COMPUTE.value,
            Verdict.BOTH.value,
            Verdict.EQUIVALENT.value,
            Verdict.BEYOND_MARGIN.value,
            Verdict.DIFFERENCE.value,
        ],
        Verdict.INCONCLUSIVE.value,
    )
    return np.asarray(verdicts)


def lower_margin(
    low: Array,
    high: Array,
    matching_low: Array,
    matching_high: Array,
    bound: float | Array,
    null: float = 1.0,
) -> NDArray[np.str_]:
    """Judge ratios that are tested on their lower side only, such as an adverse impact ratio.

    Parameters
    ----------
    low, high
        Ends of each ratio's two-sided interval at level ``1 - alpha``, any shape.
    matching_low, matching_high
        Ends of the interval at level ``1 - 2 alpha``, which matches one-sided tests.
    bound
        The ratio that must be exceeded, below ``null``; several broadcast against the ends.
    null
        The ratio of equal rates.

    Returns
    -------
    array of text, same shape
        Values of `Verdict`, as `margin`: equivalent where the matching lower end exceeds the
        bound, both where equal rates are excluded as well, beyond margin where the matching upper
        end is below the bound. A ratio above ``null`` is never beyond the margin.
    """
    missing = np.isnan(low) | np.isnan(high) | np.isnan(matching_low) | np.isnan(matching_high)
    excludes_null = (low > null) | (high < null)
    inside = matching_low > bound
    verdicts = np.select(
        [missing, inside & excludes_null, inside, matching_high < bound, excludes_null],
        [
            Verdict.CANNOT_COMPUTE.value,
            Verdict.BOTH.value,
            Verdict.EQUIVALENT.value,
            Verdict.BEYOND_MARGIN.value,
            Verdict.DIFFERENCE.value,
        ],
        Verdict.INCONCLUSIVE.value,
    )
    return np.asarray(verdicts)


def is_support(verdicts: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Say under which answers the claim stands."""
    return np.isin(verdicts, [verdict.value for verdict in SUPPORT])


SEPARABLE_LEVEL = 0.95
"""Share of shared draws that must keep an order."""


def separable(
    share_kept: float | NDArray[np.float64], level: float = SEPARABLE_LEVEL
) -> NDArray[np.bool_]:
    """Say whether an order can be told apart from its reverse.

    Parameters
    ----------
    share_kept
        Share of shared bootstrap draws that keep the order in question, in [0, 1]; NaN where a
        score is missing.
    level
        Share that is needed.

    Returns
    -------
    array of bool, same shape
        Where it is False the order is not separable, and neither is ranked.
    """
    return np.asarray(np.asarray(share_kept) >= level)


def order(
    gap: float | NDArray[np.float64],
    kept: float | NDArray[np.float64],
    turned: float | NDArray[np.float64],
) -> NDArray[np.str_]:
    """Judge whether the first of two scores is the lower one, so nearer what it is compared with.

    Parameters
    ----------
    gap
        The other score less the first, any shape; NaN where one is missing.
    kept, turned
        Shares of shared bootstrap draws in which the first is strictly the lower one, and the
        higher one.

    Returns
    -------
    array of text, same shape
        Values of `Verdict`: nearer or farther as the scores lie, where enough draws keep that
        order; not separable where too few do, or the scores are the same. Cannot compute: a score
        is missing.
    """
    gap, kept, turned = np.broadcast_arrays(gap, kept, turned)
    verdicts = np.select(
        [np.isnan(gap), (gap > 0) & separable(kept), (gap < 0) & separable(turned)],
        [Verdict.CANNOT_COMPUTE.value, Verdict.NEARER.value, Verdict.FARTHER.value],
        Verdict.NOT_SEPARABLE.value,
    )
    return np.asarray(verdicts)


def determinate(verdicts: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Say where a verdict is the same under all specifications, which are the first axis.

    Where some specification gives no number there is nothing to agree on.
    """
    alike = (verdicts == verdicts[0]).all(axis=0)
    return np.asarray(alike & (verdicts[0] != Verdict.CANNOT_COMPUTE.value))


def is_flip(planned: NDArray[np.str_], current: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Say where a verdict differs from the planned one; losing or gaining a number counts."""
    return np.asarray(planned != current)
