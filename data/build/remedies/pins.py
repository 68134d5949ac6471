"""The printed figures that a search is given, read from the reference.

A value and its tolerance (half a unit of the last printed digit) come from ``figures.csv``. A
search aims at the inner part of each window, so that rounding cannot tip a figure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np

from core.figures import Figure, figures
from core.panels.provenance import Pin
from data.build.remedies.reference import STUDY

AIM = 0.92
"""Part of a printed unit's half that a search may be away from the printed value."""

NORMAL = 1.959963984540054
"""Half-width of a 95% interval in standard errors."""


@dataclass(frozen=True)
class Window:
    """Range a statistic must lie in, and the unit in which a miss is measured."""

    low: float
    high: float
    unit: float


def figure(name: str) -> Figure:
    """Printed figure by its id without the study's prefix."""
    return figures(STUDY)[f"{STUDY}.{name}"]


def around(value: float, half: float, unit: float | None = None) -> Window:
    """Range about a value, trimmed to the part that is aimed at."""
    return Window(value - AIM * half, value + AIM * half, unit or half)


@dataclass
class Targets:
    """Windows for the statistics of one search, and the figures that they come from."""

    size: int
    pinned: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start with every statistic free."""
        self.low = np.full(self.size, -inf)
        self.high = np.full(self.size, inf)
        self.unit = np.ones(self.size)

    def free(self, place: int, low: float, high: float, unit: float) -> None:
        """Ask for a range that is not printed: what another table needs, or plausibility."""
        self.low[place], self.high[place], self.unit[place] = low, high, unit

    def value(self, place: int, name: str, unit: float = 1.0, *, soft: float = 1.0) -> None:
        """Ask for a printed value.

        Parameters
        ----------
        place : int
            Of the statistic.
        name : str
            Figure without the study's prefix.
        unit : float
            What the statistic is per unit of the figure, such as .01 for percent.
        soft : float
            Divides the weight of a miss.
        """
        printed = figure(name)
        half = printed.half_unit * abs(unit)
        window = around(printed.value * unit, half, half * soft)
        self.free(place, window.low, window.high, window.unit)
        self.pinned.append(printed.figure_id)

    def ends(self, place: int, name: str, unit: float = 1.0, *, soft: float = 3.0) -> None:
        """Ask for the ends of a printed interval: lower at ``place``, upper next to it.

        Softer than a value: percentiles of a bootstrap are not those of the normal law. Where
        ``unit`` is negative, the printed upper end gives the lower one.
        """
        printed = figure(name)
        assert printed.lower is not None
        assert printed.upper is not None
        half = printed.half_unit * abs(unit)
        for at, end in enumerate((printed.lower, printed.upper)[:: 1 if unit > 0 else -1]):
            window = around(end * unit, half, half * soft)
            self.free(place + at, window.low, window.high, window.unit)

    def misses(self, found: np.ndarray) -> dict[int, float]:
        """How far outside its window each statistic is, in units; those inside left out."""
        away = np.maximum(self.low - found, found - self.high) / self.unit
        return {int(i): float(away[i]) for i in np.flatnonzero(~(away <= 1e-9))}


def declare(names: list[str]) -> tuple[Pin, ...]:
    """Pins for a panel's metadata, in the order of the study's table."""
    wanted = set(names)
    return tuple(
        Pin(printed.figure_id, printed.half_unit)
        for printed in figures(STUDY).values()
        if printed.figure_id in wanted
    )
