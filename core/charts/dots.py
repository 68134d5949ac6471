"""Numbers with their intervals, several series to a row: one chart for every such comparison."""

from __future__ import annotations

import json
from functools import lru_cache

import altair as alt
import polars as pl

from core.charts.drawing import Drawing, named, specification
from core.charts.marks import (
    SLIDER,
    Look,
    across,
    colour_of,
    outline_of,
    rows,
    slider_frame,
    slider_line,
    told,
)

SHAPES = ("circle", "circle", "square", "diamond", "triangle-up", "triangle-down", "cross")
SERIES_HEIGHT = 17


def dots(
    frame: pl.DataFrame,
    *,
    unit: str,
    look: Look,
    line: float | None = None,
    domain: tuple[float, float] = (0.0, 1.0),
) -> Drawing:
    """Draw values with intervals.

    Parameters
    ----------
    frame
        Columns row, series, value, low, high; low and high null where there is no interval. The
        first series is drawn hollow: it is the planned one.
    unit
        Title of the axis: quantity, unit, direction.
    look
        Palette and names. A row that is one of the names has its colour, others have that of the
        name in focus.
    line
        Where a slider stands, drawn as a dashed line.
    domain
        Ends of the axis.
    """
    shown = frame.with_columns(
        model=pl.when(pl.col("row").is_in(look.names)).then("row").otherwise(pl.lit(look.focus))
    )
    row_order = tuple(frame["row"].unique(maintain_order=True).to_list())
    series = tuple(frame["series"].unique(maintain_order=True).to_list())
    data = {
        "dots": shown.select("row", "series", "value", "low", "high", "model"),
        SLIDER: slider_frame(line),
    }
    return Drawing(_dots(unit, row_order, series, domain, look), data)


@lru_cache(maxsize=64)
def _dots(
    unit: str,
    row_order: tuple[str, ...],
    series: tuple[str, ...],
    domain: tuple[float, float],
    look: Look,
) -> str:
    scale = alt.Scale(domain=list(domain), nice=False, clamp=True)
    offset = alt.YOffset("series", type="nominal", sort=list(series))
    legend = alt.Legend(
        title=None,
        orient="top",
        direction="vertical",
        labelLimit=460,
        labelExpr=f"datum.label + (datum.label === {json.dumps(series[0])} ? ' (hollow)' : '')",
        symbolFillColor=look.colours.grey,
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
    points = base.mark_point(size=65, strokeWidth=1.8, opacity=1, filled=True).encode(
        x=alt.X("value", type="quantitative", scale=scale, axis=across(unit)),
        stroke=outline_of(hue),
        shape=alt.Shape("series", type="nominal", legend=legend).scale(
            domain=list(series), range=list(SHAPES[: len(series)])
        ),
        tooltip=tips,
    )
    hollow = points.transform_filter(f"datum.series === {json.dumps(series[0])}").encode(
        fill=alt.value(look.colours.background)
    )
    filled = points.transform_filter(f"datum.series !== {json.dumps(series[0])}").encode(
        fill=alt.Fill("model", type="nominal", legend=None).scale(hue)
    )
    height = alt.Step(SERIES_HEIGHT)
    return specification([bars, slider_line(look.colours), hollow, filled], height=height)
