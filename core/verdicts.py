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


class Verdict(StrEnum):
    """A rule's answer."""

    WITHIN = "within"
    OUTSIDE = "outside"
    UNDECIDED = "undecided"
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

MARKS: Mapping[Verdict, Mark] = MappingProxyType(
    {
        Verdict.WITHIN: Mark("■", "square", "at or below the tolerance"),
        Verdict.OUTSIDE: Mark("▲", "triangle-up", "above the tolerance"),
        Verdict.UNDECIDED: Mark("○", "circle", "too few outputs to say on which side"),
        Verdict.CANNOT_COMPUTE: Mark("×", SALTIRE, "no number, for the stated reason"),
    }
)


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


def separable(share_kept: float | NDArray[np.float64], level: float = 0.95) -> NDArray[np.bool_]:
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


def determinate(verdicts: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Say where a verdict is the same under all specifications, which are the first axis.

    Where some specification gives no number there is nothing to agree on.
    """
    alike = (verdicts == verdicts[0]).all(axis=0)
    return np.asarray(alike & (verdicts[0] != Verdict.CANNOT_COMPUTE.value))


def is_flip(planned: NDArray[np.str_], current: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Say where a verdict differs from the planned one; losing or gaining a number counts."""
    return np.asarray(planned != current)
