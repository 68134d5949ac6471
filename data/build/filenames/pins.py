"""The printed figures the search must return, read from the reference.

A value and its tolerance (half a unit of the last printed digit) come from
``figures.csv``. Nothing printed is typed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from scipy.special import ndtri, stdtrit

from core.figures import Figure, figures
from core.panels.provenance import Pin
from data.build.filenames.reference import JUDGES, STUDY

FIT_SHARE = 0.985
"""Part of a window the search aims for, so that rounding cannot tip a figure."""

NOT_FITTED = (
    f"{STUDY}.text.signtest.remain_significant",
    f"{STUDY}.text.signtest.become_significant",
    f"{STUDY}.scores.study1.typical_label_effect.",
    f"{STUDY}.pilot.",
    f"{STUDY}.power.",
)
"""Figures the search is not given, by the start of their id."""


@dataclass(frozen=True)
class Window:
    """Range a statistic must lie in, and the unit in which a miss is measured."""

    low: float
    high: float
    scale: float

    def both(self, other: Window) -> Window:
        """Range common to two windows.

        Raises
        ------
        ValueError
            If there is none: two printed figures contradict each other.
        """
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low > high:
            raise ValueError(f"windows {self} and {other} have nothing in common")
        return Window(low, high, min(self.scale, other.scale))

    def narrowed(self) -> Window:
        """The part the search aims for."""
        if self.low == self.high or inf in (-self.low, self.high):
            return self
        trim = (1 - FIT_SHARE) / 2 * (self.high - self.low)
        return Window(self.low + trim, self.high - trim, self.scale)


def figure(name: str) -> Figure:
    """Printed figure by its id without the study's prefix."""
    return figures(STUDY)[f"{STUDY}.{name}"]


def around(printed: Figure, end: str = "value", unit: float = 1.0) -> Window:
    """Range that prints as a figure, times a unit."""
    value, half = getattr(printed, end), printed.half_unit
    return Window((value - half) * unit, (value + half) * unit, half * unit)


def value(name: str, unit: float = 1.0) -> Window:
    """Range that prints as the figure of a name."""
    return around(figure(name), unit=unit)


def at_least(bound: float, scale: float = 1.0) -> Window:
    """Everything from a bound upward."""
    return Window(bound, inf, scale)


def at_most(bound: float, scale: float = 1.0) -> Window:
    """Everything up to a bound."""
    return Window(-inf, bound, scale)


CLEARLY_BELOW = 0.95
"""Part of a bound printed as "less than" that a p-value stays below."""


def size_of_ratio(prefix: str, judge: str, df: float = inf) -> Window:
    """Range of |estimate| / standard error that returns a printed Holm p.

    Parameters
    ----------
    prefix : str
        Start of the figures' names, such as ``table1.h1``.
    judge : str
    df : float, optional
        Degrees of freedom; infinite for the normal distribution.
    """
    printed = figure(f"{prefix}.{judge}.p_holm")
    factor = _holm_factor(prefix, judge)
    if printed.note == "lt":
        return at_least(_ratio(CLEARLY_BELOW * printed.value / factor, df), 0.1)
    half = printed.half_unit
    low, high = (_ratio((printed.value + s * half) / factor, df) for s in (1, -1))
    return Window(low, high, (high - low) / 2)


def _holm_factor(prefix: str, judge: str) -> int:
    """What Holm multiplies a judge's p by: tests whose p is no smaller."""
    ratios = {}
    for name in JUDGES:
        printed = figure(f"{prefix}.{name}.estimate")
        assert printed.lower is not None
        assert printed.upper is not None
        ratios[name] = abs(printed.value) / (printed.upper - printed.lower)
    return sum(r <= ratios[judge] for r in ratios.values())


def quantile(level: float, df: float) -> float:
    """Quantile of Student's t, or of the normal distribution."""
    return float(ndtri(level) if df == inf else stdtrit(df, level))


def _ratio(p: float, df: float) -> float:
    return quantile(1 - p / 2, df)


def mde_factor(df: float) -> float:
    """Minimum detectable effect over its standard error (NOTES.md)."""
    alpha, power = figure("power.alpha").value, figure("run.study1.mde_power").value / 100
    return quantile(1 - alpha / (2 * len(JUDGES)), df) + quantile(power, df)


def standard_error(prefix: str, judge: str, df: float) -> Window:
    """Range of a standard error from its own column and that of the detectable effect."""
    column = value(f"{prefix}.{judge}.se")
    return column.both(value(f"{prefix}.{judge}.mde80", 1 / mde_factor(df)))


def starred(printed: Figure) -> bool:
    """Whether an estimate carries a star."""
    return printed.note.startswith("star")


def declared() -> tuple[Pin, ...]:
    """Figures the search is fitted to, for a panel's metadata."""
    fitted = {"rows", "recomputable", "bound"}
    return tuple(
        Pin(printed.figure_id, printed.half_unit)
        for printed in figures(STUDY).values()
        if printed.basis in fitted and not printed.figure_id.startswith(NOT_FITTED)
    )


def arrays(windows: list[Window]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Low ends, high ends and scales of windows, as arrays."""
    columns = zip(*((w.low, w.high, w.scale) for w in windows), strict=True)
    low, high, scale = (np.array(c, dtype=np.float64) for c in columns)
    return low, high, scale
