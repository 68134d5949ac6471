"""One visual grammar for every chart.

Planned is hollow, current is filled, a thin grey line joins them; colour is the model in focus and
only helps: shapes and words carry the meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

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

    # Palettes are constants, so keeping them alive costs nothing.
    @lru_cache(maxsize=32)  # noqa: B019
    def ink_turns(self, hue: str) -> float:
        """Say from which shade on the background is the better ink than the text colour.

        Parameters
        ----------
        hue
            The strong end of a scale that starts at ``empty`` and mixes the two linearly.

        Returns
        -------
        float
            A position in [0, 1] on the scale, or 2 where the text colour is always better.
        """
        for percent in range(101):
            shade = mixed(self.empty, hue, percent / 100)
            if contrast(self.background, shade) > contrast(self.text, shade):
                return percent / 100
        return 2.0


def _parts(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def mixed(one: str, other: str, share: float) -> str:
    """Mix a share of the other colour into one."""
    parts = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + share * (b - a)):02X}" for a, b in parts)


def contrast(one: str, other: str) -> float:
    """Contrast of two colours by WCAG 2: 1 for equal ones, 21 for black and white."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shares = [part / 255 for part in _parts(colour)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


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
BARRED_DOWN = "M-1,-.45L1,-.45L0,1L-1,-.45L1,-.45M-1,-1L1,-1"
"""Outline of a triangle that points down under a bar.

It returns over its first side instead of closing by ``Z``, which files lose where a move follows.
"""

PLANNED_SHAPES = [
    {Verdict.NOT_SUPPORTED: "triangle-down", Verdict.OPPOSITE: BARRED_DOWN}.get(
        verdict, MARKS[verdict].shape
    )
    for verdict in Verdict
]
"""Shapes of planned verdicts: all are drawn hollow, so the two that point down need a bar apart."""

VERDICT_SYMBOLS = {verdict.value: MARKS[verdict].symbol for verdict in Verdict}

HATCH = "M-1,1L1,-1M-1,.2L.2,-1M-.2,1L1,-.2"
"""Outline of three slanted lines, drawn over the mark of a verdict that varies."""
