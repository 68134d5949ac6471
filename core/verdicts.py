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
    CANNOT_COMPUTE = "cannot compute"


@dataclass(frozen=True, slots=True)
class Mark:
    """How a verdict looks: its shape carries the meaning, a colour only helps."""

    symbol: str
    shape: str
    """Name of the shape in the chart grammar."""
    meaning: str


MARKS: Mapping[Verdict, Mark] = MappingProxyType(
    {
        Verdict.WITHIN: Mark("■", "square", "at or below the tolerance"),
        Verdict.OUTSIDE: Mark("▲", "triangle-up", "above the tolerance"),
        Verdict.CANNOT_COMPUTE: Mark("×", "cross", "no number, for the stated reason"),
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


def is_flip(planned: NDArray[np.str_], current: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Say where a verdict differs from the planned one; losing or gaining a number counts."""
    return np.asarray(planned != current)
