"""Verdicts of every model side by side: the planned one hollow, the current one filled."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import polars as pl

from core.charts.drawing import Drawing, named, specification
from core.charts.marks import (
    INDEPENDENT_SHAPES,
    ROW_HEIGHT,
    Look,
    colour_of,
    columns,
    hatch,
    names_in,
    outline_of,
    planned_shape,
    ring,
    rows,
    told,
    verdict_shape,
)
from core.columns import row_texts
from core.words import visible

ASIDE = 9
"""How far the planned and the current mark lie from the middle of their column, in pixels: nearer
to each other than to the next column on a narrow screen."""
HEADER = 44
"""Room for the names of the columns, in pixels."""

HEAD_LINE = 12
"""Height of one further line of a column's name, in pixels: lines grow towards the marks."""

NUMBERS_BESIDE = 64
"""Width that a column needs for two numbers in one line, in pixels."""

IN_TWO_LINES = "replace(datum.text, '→', '→\\n')"


def verdict_grid(grid: pl.DataFrame, *, look: Look) -> Drawing:
    """Verdicts of each model in several scopes, planned and now.

    Parameters
    ----------
    grid
        Columns model, scope, planned and chosen (estimates), verdict_planned, verdict_now, flip,
        varies (whether the document does not determine the verdict), behind (what stands behind
        it, in words).
    look
        Palette and names.

    Returns
    -------
    Drawing
        Hollow and left: planned; filled and right: now; a ring where they differ.
    """
    fields = ["model", "scope", "planned", "chosen", "verdict_planned", "verdict_now", "flip"]
    text = row_texts(grid[["planned", "chosen"]], _told).alias("text")
    orders = names_in(grid, "model"), names_in(grid, "scope")
    data = {"verdicts": grid[[*fields, "varies", "behind"]].hstack([text])}
    return Drawing(_verdict_grid(*orders, look), data)


@lru_cache(maxsize=16)
def _verdict_grid(models: tuple[str, ...], scopes: tuple[str, ...], look: Look) -> str:
    base = named("verdicts").encode(
        x=columns(
            "scope",
            scopes,
            labelAngle=0,
            labelExpr="split(replace(datum.label, '/', '/ '), ' ')",
            labelPadding=4 + HEAD_LINE * max(map(_breaks, scopes), default=0),
        ),
        y=rows("model", models, labelFontSize=13),
        tooltip=told(
            ("model", "Model"),
            ("scope", "Scope"),
            ("planned", "Planned setting", ".3f"),
            ("verdict_planned", "Planned verdict"),
            ("chosen", "Now", ".3f"),
            ("verdict_now", "Verdict now"),
            ("behind", "Behind it"),
        ),
    )
    before = base.mark_point(
        filled=True,
        fill=look.colours.background,
        size=100,
        strokeWidth=2,
        opacity=1,
        xOffset=-ASIDE,
        yOffset=-7,
    ).encode(shape=planned_shape("verdict_planned"), stroke=outline_of(look.every_hue()))
    now = base.mark_point(filled=True, size=110, opacity=1, xOffset=ASIDE, yOffset=-7).encode(
        shape=verdict_shape("verdict_now"), color=colour_of(look.every_hue())
    )
    flips = ring(base, look.colours, size=360, xOffset=ASIDE, yOffset=-7)
    text = base.mark_text(
        fontSize=10.5,
        dy=12,
        color=look.colours.quiet_text,
        aria=False,
        lineBreak="\n",
        text=alt.ExprRef(f"width < {NUMBERS_BESIDE * len(scopes)} ? {IN_TWO_LINES} : datum.text"),
    )
    hatched = hatch(base, look.colours, size=110, xOffset=ASIDE, yOffset=-7)
    return specification(
        look.colours,
        [before, now, hatched, flips, text],
        height=HEADER + (ROW_HEIGHT + 8) * max(len(models), 1),
        resolve=INDEPENDENT_SHAPES,
    )


def _breaks(scope: str) -> int:
    """Count where the name of a column breaks, as its axis breaks it."""
    return scope.replace("/", "/ ").count(" ")


def _told(row: dict[str, float | None]) -> str:
    """Write both estimates, or one where they print alike: narrow screens have room for few."""
    planned, now = _score(row["planned"]), _score(row["chosen"])
    return now if planned == now else f"{planned}→{now}"


def _score(value: float | None) -> str:
    return "–" if value is None else visible(value, 2)
