"""What the sections of the composition page are given."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from core.charts.marks import Look
from core.charts.theme import Palette
from core.choices import Choices
from core.panels.read import Panel
from core.stats.resampling import Progress
from core.studies.composition import kept
from core.studies.composition.estimate import Findings
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.tables import Comparison
from pages.parts import jobs


@dataclass(frozen=True)
class View:
    """One view of the study: panel, specification, findings, and how they are drawn."""

    panel: Panel
    statistics: CellStatistics
    findings: Findings
    comparison: Comparison
    models: pl.DataFrame
    names: list[str]
    focus: str
    unit: str
    lines: list[str]
    ties: list[tuple[str, str, float]] | None
    """Pairs of models whose order the draws do not settle; None without draws."""

    @property
    def choices(self) -> Choices:
        return self.findings.choices

    @property
    def tau(self) -> float:
        return self.choices.number("tau")

    @property
    def focus_index(self) -> int:
        return self.names.index(self.focus)

    def look(self, colours: Palette) -> Look:
        return Look(colours, tuple(self.names), self.focus)


def drawn(panel: Panel, kind: type[kept.Kind], choices: Choices) -> kept.Kind | None:
    """Find draws that ship with the panel or were made since the start; else None."""
    key = kept.setting(kind, choices)
    found = jobs.shipped(panel.sha256).get(key) or jobs.kept(panel).get(f"{panel.sha256}:{key}")
    return found if isinstance(found, kind) else None


def draw_or_offer(
    panel: Panel,
    statistics: CellStatistics,
    kind: type[kept.Kind],
    choices: Choices,
    *,
    label: str,
    seconds: int,
) -> kept.Kind | None:
    """As `drawn`, and offer to make the draws where there are none."""
    found = drawn(panel, kind, choices)
    if found is not None:
        return found

    def work(progress: Progress) -> kept.Result:
        return kept.WORK[kind](statistics, choices, progress)

    key = f"{panel.sha256}:{kept.setting(kind, choices)}"
    made = jobs.find_or_offer(jobs.kept(panel), key, work, label=label, seconds=seconds)
    return made if isinstance(made, kind) else None
