"""One visual grammar for every chart.

Planned is hollow, current is filled, a thin grey line joins them; colour is the model in focus and
only helps: shapes and words carry the meaning.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.verdicts import MARKS, Verdict


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours for one background. Every mark colour has a contrast of at least 3:1 on it."""

    background: str
    text: str
    quiet_text: str
    grey: str
    """Whatever is not in focus."""
    grid: str
    empty: str
    """The pale end of a sequential scale."""
    hues: tuple[str, ...]
    """One for each model or judge, in the study's order."""

    def hue(self, position: int) -> str:
        """Return the colour of a model; beyond six they repeat and names tell them apart."""
        return self.hues[position % len(self.hues)]


LIGHT = Palette(
    background="#FFFFFF",
    text="#1F2328",
    quiet_text="#59636E",
    grey="#8A929A",
    grid="#E6E8EA",
    empty="#F1F3F5",
    hues=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B87F00", "#2F93CF"),
)

DARK = Palette(
    background="#14171A",
    text="#E6E8EA",
    quiet_text="#A4ADB6",
    grey="#7D868F",
    grid="#2A3036",
    empty="#22272C",
    hues=("#3A8BD0", "#E8703A", "#1DB388", "#E6A0CB", "#D9A521", "#8AD0FA"),
)


def palette(theme: str | None) -> Palette:
    """Return the palette of a theme; light when it is not known."""
    return DARK if theme == "dark" else LIGHT


VERDICT_ORDER = [verdict.value for verdict in Verdict]
VERDICT_SHAPES = [MARKS[verdict].shape for verdict in Verdict]
VERDICT_SYMBOLS = {verdict.value: MARKS[verdict].symbol for verdict in Verdict}
