"""Charts of the remedies study."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import altair as alt
import polars as pl

from core.charts.drawing import Drawing, named, specification
from core.charts.marks import (
    ENDS,
    INDEPENDENT_SHAPES,
    LABEL_LIMIT,
    SLIDER,
    Look,
    across,
    axis_ends,
    colour_of,
    ends_frame,
    hatch,
    names_in,
    outline_of,
    ring,
    slider_frame,
    slider_line,
    told,
    upright,
)
from core.charts.theme import PLANNED_SHAPES, VERDICT_ORDER, VERDICT_SHAPES, Palette
from core.columns import table_of
from core.words import number

APART = "\u2063"
"""Parts the number of a group from the name of a row; takes no room."""
STEP = 21
"""Height of a row in pixels."""


def look_of(colours: Palette, names: Sequence[str], systems: Sequence[str], focus: str) -> Look:
    """Give each decider the colour of its system.

    Parameters
    ----------
    names
        Of the deciders, in the order of the page.
    systems
        The system of each.
    focus
        One of the names.
    """
    order = list(dict.fromkeys(systems))
    hues = tuple(colours.hue(order.index(system)) for system in systems)
    return Look(replace(colours, hues=hues or colours.hues), tuple(names), focus)


def scales(
    frame: pl.DataFrame,
    *,
    unit: str,
    look: Look,
    round_to: float,
    line: float | None = None,
    both_sides: bool = False,
    least: tuple[float, float] | None = None,
) -> Drawing:
    """Numbers of every decider with intervals, planned and now, grouped by decider.

    Parameters
    ----------
    frame
        Columns group (the decider), row, value, low, high, planned, verdict_now and
        verdict_planned (empty where a number has no verdict), flip, varies, behind. Each group has
        the same rows; a row without a name keeps a place free.
    unit
        Title of the axis: quantity, unit, direction.
    look
        Palette and names of the deciders.
    round_to
        The axis ends at multiples of it, so that it seldom changes while a slider moves.
    line
        Where a slider stands, drawn as a dashed line; on both sides of zero with ``both_sides``.
    least
        What the axis spans at least.

    Returns
    -------
    Drawing
        Hollow: planned; filled: now, in the shape of its verdict; a ring where verdicts differ.
    """
    groups, names = names_in(frame, "group"), names_in(frame, "row")
    rows = [
        row
        | {
            "place": f"{groups.index(row['group'])}{APART}{row['row']}",
            "verdict_now": row["verdict_now"] or PLAIN,
            "verdict_planned": row["verdict_planned"] or PLAIN,
            "told": _told(row),
        }
        for row in frame.iter_rows(named=True)
    ]
    heads = pl.DataFrame(
        {"place": [f"{i}{APART}" for i in range(len(groups))], "group": list(groups)},
        schema=dict.fromkeys(("place", "group"), pl.String),
    )
    lines = (line, -line) if both_sides and line is not None else (line,)
    columns = ("value", "low", "high", "planned")
    numbers = [*(row[name] for row in rows for name in columns), *lines, *(least or ())]
    data = {
        "scales": table_of(rows, _SCALES),
        "heads": heads,
        SLIDER: slider_frame(*lines),
        ENDS: ends_frame(numbers, round_to),
    }
    return Drawing(_scales(unit, len(groups), names, look), data)


_SCALES = {
    **dict.fromkeys(("place", "group", "row"), pl.String),
    **dict.fromkeys(("value", "low", "high", "planned"), pl.Float64),
    **dict.fromkeys(("verdict_now", "verdict_planned"), pl.String),
    **dict.fromkeys(("flip", "varies"), pl.Boolean),
    **dict.fromkeys(("behind", "told"), pl.String),
}

HEAD_GROUND = 10
"""Pixels, half of them on either side of a letter."""

FLIP_LIFT = 9
"""Pixels by which a planned mark stands above the line of its number where verdicts differ."""

PLAIN = "no verdict"
"""Stands for the verdict of a number that has none: a circle."""


def _told(row: Mapping[str, Any]) -> str:
    if row["value"] is None:
        return "no number"
    if row["low"] is None or row["high"] is None:
        return number(row["value"])
    return f"{number(row['value'])} [{number(row['low'])}, {number(row['high'])}]"


@lru_cache(maxsize=64)
def _scales(unit: str, groups: int, names: tuple[str, ...], look: Look) -> str:
    order = [f"{i}{APART}{name}" for i in range(groups) for name in ("", *names)]
    axis = alt.Axis(
        title=None,
        labelExpr=f"split(datum.label, '{APART}')[1]",
        labelLimit=LABEL_LIMIT,
        labelFontSize=12,
        labelOverlap=False,
        ticks=False,
        domain=False,
    )
    # All layers share an axis, so one of them describes it: names in each would be half of what a
    # browser reads on every move.
    y = alt.Y("place", type="nominal", scale=alt.Scale(domain=order), axis=axis)
    place = alt.Y("place", type="nominal")
    scale = alt.Scale(nice=False, zero=False, padding=8)
    # Layers of several named frames: each axis is asked for once, by the first of them.
    x = alt.X("value", type="quantitative", scale=scale, axis=across(unit))
    base = named("scales").encode(y=place)
    tips = told(
        ("group", "Who decides"),
        ("row", "What"),
        ("told", "Now"),
        ("planned", "Planned setting", ".3f"),
        ("verdict_now", "Verdict now"),
        ("verdict_planned", "Planned verdict"),
        ("behind", "Behind it"),
    )
    hue = look.every_hue()
    bars = base.mark_rule(strokeWidth=2, aria=False).encode(
        y=y,
        x=alt.X("low", type="quantitative", scale=scale, axis=across(unit)),
        x2=alt.X2("high"),
        color=colour_of(hue, "group"),
    )
    joined = base.mark_rule(strokeWidth=1, color=look.colours.grey, aria=False).encode(
        x=alt.X("planned", type="quantitative", scale=scale), x2=alt.X2("value")
    )

    def before_mark(chart: alt.Chart, up: int) -> alt.Chart:
        return chart.mark_point(
            filled=True,
            fill=look.colours.background,
            size=120 if up == 0 else 70,
            strokeWidth=1.6,
            opacity=1,
            aria=False,
            yOffset=-up,
        ).encode(
            x=alt.X("planned", type="quantitative", scale=scale),
            shape=_shape("verdict_planned", PLANNED_SHAPES),
            stroke=outline_of(hue, "group"),
        )

    # Where only the judgement changed, both marks have one place: the planned one moves up.
    held = before_mark(base.transform_filter("!datum.flip"), 0)
    moved = before_mark(base.transform_filter("datum.flip"), FLIP_LIFT)
    now = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=x,
        shape=_shape("verdict_now", VERDICT_SHAPES),
        color=colour_of(hue, "group"),
        tooltip=tips,
    )
    at = base.encode(x=alt.X("value", type="quantitative", scale=scale))
    heads = named("heads").encode(y=place, x=alt.value(2), text=alt.Text("group", type="nominal"))
    head: dict[str, Any] = {"align": "left", "fontSize": 12, "fontWeight": "bold", "aria": False}
    # A ground of their own, wide enough to close the gaps between letters: the dashed bound stands
    # where the names begin and would run through them. Marks lie above it.
    rim = heads.mark_text(
        **head, stroke=look.colours.background, strokeWidth=HEAD_GROUND, strokeJoin="round"
    )
    names_on_top = heads.mark_text(**head, color=look.colours.text)
    layers = [
        bars,
        axis_ends(scale),
        slider_line(look.colours),
        rim,
        joined,
        held,
        moved,
        now,
        hatch(at, look.colours, size=60),
        ring(at, look.colours, size=320),
        names_on_top,
    ]
    return specification(look.colours, layers, height=alt.Step(STEP), resolve=INDEPENDENT_SHAPES)


def _shape(field: str, shapes: list[str]) -> alt.Shape:
    """Shape marks by verdict, and those of numbers without one as circles."""
    return alt.Shape(field, type="nominal", legend=None).scale(
        domain=[*VERDICT_ORDER, PLAIN], range=[*shapes, "circle"]
    )


CURVE_HEIGHT = 340
TALL = 10
"""Highest value up to which the vertical axis goes in halves."""


def curves(
    frame: pl.DataFrame,
    points: pl.DataFrame,
    *,
    unit: str,
    along: str,
    look: Look,
    at: float | None,
) -> Drawing:
    """Quantities over every threshold, with the chosen rule marked.

    Parameters
    ----------
    frame
        Columns threshold, line (the name of a quantity), value.
    points
        Columns threshold, line, value, told: where the chosen rule stands.
    unit
        Title of the vertical axis.
    along
        Title of the horizontal one.
    look
        Palette and names; the decider in focus gives the colour of the first line.
    at
        The threshold in use, drawn as a dashed line; None where the rule has none.
    """
    lines = names_in(frame, "line")
    values = [0.0, *frame["value"].to_list(), *points["value"].to_list()]
    top, low = max(values), min(values)
    step = 10.0 if top > TALL else 0.5
    ends = (math.floor(low / step) * step, max(math.ceil(top / step) * step, step))
    data = {
        "lines": frame,
        "points": points,
        SLIDER: slider_frame(at),
    }
    return Drawing(_curves(unit, along, lines, ends, look), data)


DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
SHAPES = ("circle", "square", "diamond", "triangle-up")
SIGNS = ("● solid", "■ dashed", "◆ dotted", "▲ dash and dot")


@lru_cache(maxsize=32)
def _curves(
    unit: str, along: str, lines: tuple[str, ...], ends: tuple[float, float], look: Look
) -> str:
    shades = [look.hue, look.colours.text, look.colours.grey, look.colours.quiet_text]
    order = list(lines)
    colour = alt.Color("line", type="nominal", legend=None).scale(
        domain=order, range=shades[: len(order)]
    )
    key = alt.TitleParams(
        text=[f"{sign}: {name}" for sign, name in zip(SIGNS, order, strict=False)],
        anchor="start",
        fontSize=12,
        fontWeight="normal",
        color=look.colours.text,
        lineHeight=17,
        offset=22,
    )
    x = alt.X(
        "threshold",
        type="quantitative",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=across(along),
    )
    y = alt.Y(
        "value",
        type="quantitative",
        scale=alt.Scale(domain=list(ends), nice=False),
        axis=upright(unit),
    )
    # A description for each of a hundred points would be read out one by one.
    drawn = (
        named("lines")
        .mark_line(strokeWidth=2, aria=False)
        .encode(
            x=x,
            y=y,
            color=colour,
            strokeDash=alt.StrokeDash("line", type="nominal", legend=None).scale(
                domain=order, range=list(DASHES[: len(order)])
            ),
        )
    )
    marks = (
        named("points")
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            x=x,
            y=y,
            color=colour,
            shape=alt.Shape("line", type="nominal", legend=None).scale(
                domain=order, range=list(SHAPES[: len(order)])
            ),
            tooltip=told(("line", "What"), ("told", "At this rule")),
        )
    )
    return specification(
        look.colours,
        [drawn, slider_line(look.colours), marks],
        height=CURVE_HEIGHT,
        title=key,
    )
