"""Pieces that several charts share: axes, scales, marks of verdicts, a slider's dashed line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import altair as alt
import polars as pl

from core.charts.drawing import named
from core.charts.theme import HATCH, PLANNED_SHAPES, VERDICT_ORDER, VERDICT_SHAPES, Palette
from core.columns import distinct

ROW_HEIGHT = 40
LABEL_LIMIT = 220
TITLE_WIDTH = 36
"""Letters of a line of an axis title."""
SLIDER = "slider"
ENDS = "ends"


@dataclass(frozen=True, slots=True)
class Look:
    """Palette, the names that have a colour, and the one in focus."""

    colours: Palette
    names: tuple[str, ...]
    focus: str

    @property
    def hue(self) -> str:
        """Colour of the name in focus."""
        return self.colours.hue(self.names.index(self.focus))

    def every_hue(self) -> alt.Scale:
        """Give each name its own colour."""
        hues = [self.colours.hue(position) for position in range(len(self.names))]
        return alt.Scale(domain=list(self.names), range=hues)

    def focus_hue(self) -> alt.Scale:
        """Give the name in focus its colour and all others grey."""
        shades = [self.hue if name == self.focus else self.colours.grey for name in self.names]
        return alt.Scale(domain=list(self.names), range=shades)


def colour_of(scale: alt.Scale, field: str = "model") -> alt.Color:
    """Colour marks by name, without a legend: names are written beside the marks."""
    return alt.Color(field, type="nominal", legend=None).scale(scale)


def outline_of(scale: alt.Scale, field: str = "model") -> alt.Stroke:
    """Outline hollow marks by name."""
    return alt.Stroke(field, type="nominal", legend=None).scale(scale)


def verdict_shape(field: str) -> alt.Shape:
    """Shape filled marks by verdict."""
    return alt.Shape(field, type="nominal", legend=None).scale(
        domain=VERDICT_ORDER, range=VERDICT_SHAPES
    )


def planned_shape(field: str) -> alt.Shape:
    """Shape hollow marks by verdict."""
    return alt.Shape(field, type="nominal", legend=None).scale(
        domain=VERDICT_ORDER, range=PLANNED_SHAPES
    )


def across(title: str, **options: Any) -> alt.Axis:
    """Make a horizontal axis; its title breaks to fit a narrow screen, first after a semicolon."""
    parts = title.replace("; ", ";\n").split("\n")
    lines = [line for part in parts for line in wrap(part, TITLE_WIDTH)]
    return alt.Axis(title=lines, titleAnchor="start", grid=True, tickCount=6, **options)


def upright(title: str, **options: Any) -> alt.Axis:
    """Make a vertical axis whose title lies above it, where long ones are not cut."""
    return alt.Axis(
        title=title,
        titleAngle=0,
        titleAlign="left",
        titleAnchor="end",
        titleBaseline="bottom",
        titleX=-34,
        titleY=-10,
        grid=True,
        tickCount=6,
        **options,
    )


def rows(field: str, order: Sequence[str], **options: Any) -> alt.Y:
    """Put one row for each name."""
    options = {"labelLimit": LABEL_LIMIT} | options
    axis = alt.Axis(labelOverlap=False, labelFlush=False, ticks=False, domain=False, **options)
    return alt.Y(field, type="nominal", sort=list(order), title=None, axis=axis)


def columns(field: str, order: Sequence[str], **options: Any) -> alt.X:
    """Put one column for each name, named on top."""
    axis = alt.Axis(orient="top", labelOverlap=False, ticks=False, domain=False, **options)
    return alt.X(field, type="nominal", sort=list(order), title=None, axis=axis)


INDEPENDENT_SHAPES = alt.Resolve(scale={"shape": "independent"})
"""Hollow and filled marks of one chart shape the same verdicts in different ways."""


def told(*fields: tuple[str, str] | tuple[str, str, str]) -> list[alt.Tooltip]:
    """Tell fields on hover: (field, title) for names, (field, title, format) for numbers."""
    return [
        alt.Tooltip(field[0], type="quantitative", title=field[1], format=field[2])
        if len(field) == 3
        else alt.Tooltip(field[0], type="nominal", title=field[1])
        for field in fields
    ]


def slider_line(colours: Palette) -> alt.Chart:
    """Draw where a slider stands; the frame `SLIDER` has one column, value."""
    return (
        named(SLIDER)
        .mark_rule(strokeDash=[5, 4], color=colours.text, strokeWidth=1.3, aria=False)
        .encode(x=alt.X("value", type="quantitative"))
    )


def slider_frame(*values: float | None) -> pl.DataFrame:
    """Positions on an x axis, such as where a slider stands; none for None."""
    there = [value for value in values if value is not None]
    return pl.DataFrame({"value": there}, schema={"value": pl.Float64})


def axis_ends(scale: alt.Scale) -> alt.Chart:
    """Stretch an x axis without drawing anything; the frame `ENDS` has one column, value.

    Ends that are data, not part of the specification, can change without the chart being drawn
    anew.
    """
    return (
        named(ENDS)
        .mark_point(opacity=0, size=0, aria=False, tooltip=None)
        .encode(x=alt.X("value", type="quantitative", scale=scale))
    )


def ends_frame(numbers: Iterable[float | None], unit: float) -> pl.DataFrame:
    """Where an axis ends, for `axis_ends`: around all numbers, at multiples of ``unit``.

    Rounded, so that the ends seldom move while a slider does; none where there is no number.
    """
    there = [value for value in numbers if value is not None]
    if not there:
        return slider_frame(0.0, unit)
    low, high = math.floor(min(there) / unit) * unit, math.ceil(max(there) / unit) * unit
    return slider_frame(round(low, 9), round(max(high, low + unit), 9))


def ring(chart: alt.Chart, colours: Palette, **options: Any) -> alt.Chart:
    """Ring the marks whose verdict differs from the planned one."""
    return chart.transform_filter("datum.flip").mark_point(
        shape="circle",
        filled=False,
        strokeWidth=1.5,
        color=colours.text,
        aria=False,
        **options,
    )


def hatch(chart: alt.Chart, colours: Palette, **options: Any) -> alt.Chart:
    """Hatch the marks of verdicts that the document does not determine."""
    return chart.transform_filter("datum.varies").mark_point(
        shape=HATCH,
        filled=False,
        strokeWidth=2,
        color=colours.background,
        aria=False,
        **options,
    )


def names_in(frame: pl.DataFrame, column: str) -> tuple[str, ...]:
    """Return the names in a column, in the order of the frame."""
    return tuple(distinct(frame[column].to_list()))
