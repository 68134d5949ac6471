"""Numbers with their intervals, several series to a row: one chart for every such comparison."""

from __future__ import annotations

import json
from functools import lru_cache

import altair as alt
import polars as pl

from core.charts.drawing import Drawing, named, specification
from core.charts.marks import (
    ENDS,
    SLIDER,
    Look,
    across,
    axis_ends,
    colour_of,
    ends_frame,
    names_in,
    outline_of,
    rows,
    slider_frame,
    slider_line,
    told,
)

SHAPES = ("circle", "circle", "square", "diamond", "triangle-up", "triangle-down", "cross")
SIGNS = ("○", "●", "■", "◆", "▲", "▼", "✚")
"""The shapes as text, for the key above the chart; the first is for a hollow, planned series."""
SERIES_HEIGHT = 17


def dots(
    frame: pl.DataFrame,
    *,
    unit: str,
    look: Look,
    line: float | None = None,
    both_sides: bool = False,
    whole_scale: bool = False,
    step: int = SERIES_HEIGHT,
    has_planned: bool = True,
    round_to: float = 0.05,
    has_key: bool = True,
) -> Drawing:
    """Draw values with intervals.

    Parameters
    ----------
    frame
        Columns row, series, value, low, high; low and high null where there is no interval. A
        column model gives a row's colour where its name is no model's.
    unit
        Title of the axis: quantity, unit, direction.
    look
        Palette and names. A row that is one of the names has its colour, others have that of the
        name in focus.
    line
        Where a slider stands, drawn as a dashed line.
    both_sides
        Whether a second line stands as far on the other side of zero: a margin.
    step
        Height of one series of one row, in pixels.
    whole_scale
        Whether the axis runs from 0 to 1; else it ends where the values do, rounded outward.
    has_planned
        Whether the first series is the planned one, which is drawn hollow.
    round_to
        The axis ends at multiples of it.
    has_key
        Whether the marks of the series are explained above the chart.
    """
    shown = frame
    if "model" not in frame.columns:
        hues = [row if row in look.names else look.focus for row in frame["row"].to_list()]
        shown = frame.hstack([pl.Series("model", hues, dtype=pl.String)])
    row_order, series = names_in(frame, "row"), names_in(frame, "series")
    lines = (line, -line) if both_sides and line is not None else (line,)
    values = [v for name in ("value", "low", "high") for v in frame[name].to_list()]
    numbers = (0.0, 1.0) if whole_scale else (*values, *lines)
    data = {
        "dots": shown[["row", "series", "value", "low", "high", "model"]],
        SLIDER: slider_frame(*lines),
        ENDS: ends_frame(numbers, round_to),
    }
    return Drawing(_dots(unit, row_order, series, step, has_planned, has_key, look), data)


def forest_dots(forest: pl.DataFrame, *, unit: str, look: Look, alone: bool) -> Drawing:
    """Draw estimates around zero, planned and now, or ``alone`` those now.

    Parameters
    ----------
    forest
        As the frame of `dots`, the planned series first and then the one now.
    unit
        Title of the axis.
    look
        Palette and names.
    alone
        Whether both series are the same, so that one is enough.
    """
    shown = forest.filter(pl.col("series") == forest["series"][-1]) if alone else forest
    step = SERIES_HEIGHT + 1 if alone else 12
    return dots(
        shown,
        unit=unit,
        look=look,
        line=0.0,
        step=step,
        has_planned=not alone,
        round_to=0.25,
        has_key=not alone,
    )


@lru_cache(maxsize=64)
def _dots(
    unit: str,
    row_order: tuple[str, ...],
    series: tuple[str, ...],
    step: int,
    has_planned: bool,
    has_key: bool,
    look: Look,
) -> str:
    first = 0 if has_planned else 1
    shapes, signs = SHAPES[first:], SIGNS[first:]
    scale = alt.Scale(nice=False, zero=False, padding=8)
    offset = alt.YOffset("series", type="nominal", sort=list(series))
    key = alt.TitleParams(
        text=[f"{sign}  {name}" for sign, name in zip(signs, series, strict=False)],
        anchor="start",
        fontSize=12,
        fontWeight="normal",
        color=look.colours.text,
        lineHeight=17,
        offset=12,
    )
    base = named("dots").encode(y=rows("row", row_order, labelFontSize=13), yOffset=offset)
    hue = look.every_hue()
    tips = told(
        ("row", "Row"),
        ("series", "Series"),
        ("value", "Value", ".3f"),
        ("low", "From", ".3f"),
        ("high", "To", ".3f"),
    )
    bars = base.mark_rule(strokeWidth=2, aria=False).encode(
        x=alt.X("low", type="quantitative", scale=scale, axis=across(unit)),
        x2=alt.X2("high"),
        color=colour_of(hue),
    )
    points = base.mark_point(size=45, strokeWidth=1.6, opacity=1, filled=True).encode(
        x=alt.X("value", type="quantitative", scale=scale, axis=across(unit)),
        stroke=outline_of(hue),
        shape=alt.Shape("series", type="nominal", legend=None).scale(
            domain=list(series), range=list(shapes[: len(series)])
        ),
        tooltip=tips,
    )
    filling = alt.Fill("model", type="nominal", legend=None).scale(hue)
    # A layer that draws nothing would be an image without a text for screen readers.
    marks = [points.encode(fill=filling)]
    if has_planned:
        one = json.dumps(series[0])
        hollow = points.transform_filter(f"datum.series === {one}").encode(
            fill=alt.value(look.colours.background)
        )
        filled = points.transform_filter(f"datum.series !== {one}").encode(fill=filling)
        marks = [hollow, filled] if len(series) > 1 else [hollow]
    height = alt.Step(step)
    layers = [bars, axis_ends(scale), slider_line(look.colours), *marks]
    return specification(look.colours, layers, height=height, **({"title": key} if has_key else {}))
