"""What a view is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import polars as pl

from core.charts.drawing import Drawing
from core.charts.theme import Palette
from core.choices import Choices, Declaration, Repair
from core.limits import Limits
from core.panels.read import Panel
from core.studies.about import Study
from core.verdicts import MARKS, Verdict
from core.words import number, p_value


@dataclass(frozen=True, eq=False)
class Chart:
    """A chart with all that must stand beside it."""

    name: str
    title: str
    build: Callable[[Palette], Drawing]
    alt: str
    """What it shows, in words."""
    reading: str = ""
    """How to read it."""


@dataclass(frozen=True, eq=False)
class Listing:
    """A table whose values are written as a reader sees them."""

    title: str
    rows: pl.DataFrame
    note: str = ""


@dataclass(frozen=True, eq=False)
class View:
    """One view of a study. Sentences may hold Markdown, as on its page."""

    study: Study
    panel: Panel
    declaration: Declaration
    choices: Choices
    size: int
    """Number of panels that stand for the same rows."""
    answer: str
    """The sentence that answers the question; what a departure changes, where there is one."""
    further: tuple[str, ...]
    claims: tuple[str, ...]
    """What is claimed, one line each."""
    charts: Mapping[str, Chart]
    listings: tuple[Listing, ...]
    """Verdicts and estimates."""
    judgement: tuple[str, ...]
    """How verdicts are given: rule, intervals, adjustment and size of the family."""
    limits: Limits
    """What the numbers do not show."""
    looking: Mapping[str, str] = field(default_factory=dict)
    """View settings of the link, such as the model in focus; they move no number."""
    repairs: tuple[Repair, ...] = ()
    """What the link asks to look at that is not there."""

    @property
    def cannot_say(self) -> tuple[str, ...]:
        """What the numbers of this panel do not show, one sentence each."""
        return self.limits.of(self.panel)


@dataclass(frozen=True, eq=False)
class Card:
    """One choice swapped, as the front door shows it: a sentence and a chart."""

    sentence: str
    """May hold Markdown."""
    chart: Chart
    key: str = ""
    """What the names in the chart stand for."""


def marked(verdict: str) -> str:
    """Write a verdict with its shape, which stay together; a dash where there is none."""
    return f"{MARKS[Verdict(verdict)].symbol}\N{NO-BREAK SPACE}{verdict}" if verdict else "–"


def interval(low: float | None, high: float | None, decimals: int) -> str:
    """Write an interval, or a dash where there is none."""
    if low is None or high is None:
        return "–"
    return f"{number(low, decimals)} to {number(high, decimals)}"


def value(found: float | None, decimals: int) -> str:
    """Write a number, or a dash where there is none."""
    return "–" if found is None else number(found, decimals)


def p_or_dash(p: float | None) -> str:
    """Write a p-value, or a dash where there is none."""
    return "–" if p is None else p_value(p)
