"""Charts of a multiverse: the specification curve, the choices beneath it, and hinge bars."""

from __future__ import annotations

import textwrap
from functools import lru_cache

import altair as alt
import polars as pl

from core.charts.drawing import Drawing, named, specification
from core.charts.marks import Look, across, rows, told, verdict_shape

PICK = "pick"
"""Name of the selection of a place on the curve."""

PLACE_FIELD = "place"

TOUCH = 64
"""Square pixels around a mark that answer a click."""

PART = "part"
"""Name of the frame of the part that is looked at: columns low and high."""

LABELS = 150
"""Room for the names of the rows beside the choices, and as much beside the curve, in pixels."""

LABEL_LINE = 11
LABEL_LETTERS = 26
"""Letters of a row's name that fit into one line of that room."""

TITLE_LETTERS = 48
"""Letters of the title above the curve that fit into one line on a phone."""

TITLE_LINE = 13
CURVE_HEIGHT = 260
ROW, WRAPPED_ROW = 17, 25
"""Height of a row, and where some name takes two lines, in pixels."""

AXIS_HEIGHT = 16

HEADING = "¦"
"""Ends the name of a row that is a choice, not a value of one; between choice and value."""

BREAK = "¬"
"""Where the name of a row goes on in the next line."""

PLANNED = " (planned)"

PLACE = "Percent of specifications; from the lowest estimate"


def part_frame(part: tuple[float, float] | None) -> pl.DataFrame:
    """Return the part that is looked at; no rows where that is the whole curve."""
    ends = [part] if part else []
    return pl.DataFrame(ends, schema={"low": pl.Float64, "high": pl.Float64}, orient="row")


def _shade(look: Look) -> alt.Chart:
    """Shade the part that is looked at."""
    return (
        named(PART)
        .mark_rect(color=look.colours.grey, opacity=0.22, aria=False, tooltip=None)
        .encode(x=alt.X("low", type="quantitative"), x2=alt.X2("high"))
    )


def curve(
    points: pl.DataFrame,
    planned: pl.DataFrame,
    *,
    unit: str,
    line: float | None,
    part: tuple[float, float] | None,
    look: Look,
) -> Drawing:
    """Estimates of all specifications from the lowest to the highest, with verdicts.

    Parameters
    ----------
    points
        One row a column and verdict: place, verdict, estimate, count, low, high.
    planned
        place, estimate and verdict of the planned specification; may be empty.
    unit
        What an estimate is, and in which unit.
    line
        What estimates are compared with, such as zero; None for nothing.
    part
        The part that is looked at, in percent; None for the whole.
    look
        Palette; verdicts are told by shape, and by the colour in focus where they are the planned
        one.

    Returns
    -------
    Drawing
        A ring and the word mark the planned specification.
    """
    first = planned["verdict"][0] if planned.height else ""
    shown = points.with_columns(same=pl.col("verdict") == first)
    lines = pl.DataFrame({"value": [] if line is None else [line]}, schema={"value": pl.Float64})
    data = {"points": shown, "planned": planned, "line": lines, PART: part_frame(part)}
    return Drawing(_curve(unit, look), data)


@lru_cache(maxsize=64)
def _curve(unit: str, look: Look) -> str:
    colours = look.colours
    x = alt.X(
        "place",
        type="quantitative",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=across(PLACE, format="d"),
    )
    scale = alt.Scale(zero=False, nice=True)
    title = textwrap.wrap(unit, TITLE_LETTERS)
    axis = alt.Axis(
        title=title,
        titleAngle=0,
        titleAlign="left",
        titleAnchor="end",
        titleBaseline="bottom",
        titleX=-LABELS,
        titleY=-10 - TITLE_LINE * (len(title) - 1),
        titleLimit=900,
        tickCount=6,
        minExtent=LABELS,
        maxExtent=LABELS,
    )

    def up(field: str) -> alt.Y:
        return alt.Y(field, type="quantitative", scale=scale, axis=axis)

    colour = alt.Color("same", type="nominal", legend=None).scale(
        domain=[True, False], range=[look.hue, colours.quiet_text]
    )
    pick = alt.selection_point(name=PICK, fields=[PLACE_FIELD], on="click", empty=False)
    ends = (
        named("points")
        .mark_rule(strokeWidth=1.2, opacity=0.45, aria=False)
        .encode(x=x, y=up("low"), y2=alt.Y2("high"), color=colour)
    )
    tips = told(
        ("verdict", "Verdict"),
        ("estimate", "Estimate", ".3f"),
        ("low", "From", ".3f"),
        ("high", "To", ".3f"),
        ("count", "Specifications", "d"),
    )
    marks = (
        named("points")
        .mark_point(filled=True, size=34, opacity=1)
        .encode(x=x, y=up("estimate"), shape=verdict_shape("verdict"), color=colour, tooltip=tips)
    )
    # Hollow shapes have no middle to click on, and all are small for a finger.
    touch = (
        named("points")
        .mark_point(shape="circle", filled=True, size=TOUCH, opacity=0, aria=False)
        .encode(x=x, y=up("estimate"), tooltip=tips)
        .add_params(pick)
    )
    zero = (
        named("line")
        .mark_rule(strokeDash=[5, 4], color=colours.text, strokeWidth=1.3, aria=False)
        .encode(y=up("value"))
    )
    own = named("planned").encode(x=x, y=up("estimate"))
    ring = own.mark_point(
        shape="circle", filled=False, size=260, strokeWidth=2, color=colours.text, aria=False
    )
    word = own.mark_text(dy=-18, fontSize=12, fontWeight="bold", color=colours.text).encode(
        text=alt.value("planned")
    )
    return specification(
        colours, [_shade(look), ends, marks, zero, ring, word, touch], height=CURVE_HEIGHT
    )


def choices_beneath(
    matrix: pl.DataFrame,
    order: list[str],
    *,
    part: tuple[float, float] | None,
    look: Look,
) -> Drawing:
    """Which values the specifications of each column of the curve have.

    Parameters
    ----------
    matrix
        One row a column and value: place, choice, value, share, is_planned.
    order
        Rows in their order, ``choice: value``.
    part
        As for `curve`.
    look
        Palette.

    Returns
    -------
    Drawing
        A mark is as strong as the share of the column's specifications that have the value; planned
        values are named so.
    """
    names: list[str] = []
    name_of: dict[str, str] = {}
    for row, choice, value, planned in _rows(matrix, order):
        heading = f"{_in_lines(choice)}{HEADING}"
        if heading not in names:
            names.append(heading)
        mark = PLANNED if planned and value != "as planned" else ""
        name_of[row] = f"{heading}{_in_lines(f'{value}{mark}')}"
        names.append(name_of[row])
    shown = matrix.with_columns(
        name=pl.col("row").replace_strict(name_of, return_dtype=pl.String)
    ).select("place", "name", "choice", "value", "share")
    said = pl.DataFrame(
        {
            "name": names,
            "said": [name.removesuffix(HEADING).split(HEADING)[-1] for name in names],
            "heads": [name.endswith(HEADING) for name in names],
        }
    )
    data = {"values": shown, "names": said, PART: part_frame(part)}
    return Drawing(_choices_beneath(tuple(names), look), data)


def _rows(matrix: pl.DataFrame, order: list[str]) -> list[tuple[str, str, str, bool]]:
    known = matrix.select("row", "choice", "value", "is_planned").unique(maintain_order=True)
    place = {name: at for at, name in enumerate(order)}
    return sorted(known.iter_rows(), key=lambda row: place[row[0]])


def _in_lines(name: str) -> str:
    """Break a name where it is longer than its room; a second line that is too long is cut."""
    lines = textwrap.wrap(name, LABEL_LETTERS) or [name]
    return BREAK.join([lines[0], " ".join(lines[1:])] if len(lines) > 1 else lines)


@lru_cache(maxsize=64)
def _choices_beneath(names: tuple[str, ...], look: Look) -> str:
    colours = look.colours
    row = WRAPPED_ROW if any(BREAK in name for name in names) else ROW
    axis = {"labels": False, "minExtent": LABELS, "maxExtent": LABELS}
    y = rows("name", names, **axis).scale(domain=list(names))
    # An axis puts the first line of a name beside its row, not the middle of its lines.
    lines = alt.ExprRef(f"indexof(datum.said, '{BREAK}') < 0 ? 0 : {-LABEL_LINE / 2}")
    said = (
        named("names")
        .mark_text(
            align="right",
            baseline="middle",
            lineBreak=BREAK,
            lineHeight=LABEL_LINE,
            limit=LABELS - 8,
            dy=lines,
            fontWeight=alt.ExprRef("datum.heads ? 'bold' : 'normal'"),
            fontSize=10,
            color=colours.quiet_text,
            tooltip=None,
        )
        .encode(x=alt.value(-8), y=y, text=alt.Text("said", type="nominal"))
    )
    marks = (
        named("values")
        .mark_tick(thickness=ROW - 6, size=3, orient="horizontal", color=look.hue)
        .encode(
            x=alt.X(
                "place",
                type="quantitative",
                scale=alt.Scale(domain=[0, 100], nice=False),
                axis=alt.Axis(title=None, labels=False, ticks=False, grid=False, domain=False),
            ),
            y=y,
            opacity=alt.Opacity("share", type="quantitative", legend=None).scale(
                domain=[0, 1], range=[0, 1]
            ),
            tooltip=told(("choice", "Choice"), ("value", "Value"), ("share", "Share", ".0%")),
        )
    )
    return specification(
        colours, [_shade(look), said, marks], height=AXIS_HEIGHT + row * len(names)
    )


BAR = 34


def hinge_bars(parts: pl.DataFrame, *, what: str, look: Look) -> Drawing:
    """How much of a verdict's, or an estimate's, variation goes with each choice.

    Parameters
    ----------
    parts
        Columns name, kind (estimand, data or inference), main and total (shares), low and high
        (of the total, over reconstructions); largest first.
    what
        What varies, in a word.
    look
        Palette; choices that ask another question are grey.

    Returns
    -------
    Drawing
        A strong bar is the choice alone, the pale one together with others.
    """
    shown = parts.with_columns(asks=pl.col("kind") == "estimand")
    order = tuple(shown["name"].to_list())
    return Drawing(_hinge_bars(order, what, look), {"parts": shown})


@lru_cache(maxsize=64)
def _hinge_bars(order: tuple[str, ...], what: str, look: Look) -> str:
    colours = look.colours
    scale = alt.Scale(domain=[0, 1], nice=False)
    axis = across(f"Share of the {what}’s variation; pale: with other choices", format=".0%")
    base = named("parts").encode(
        y=rows("name", order, labelExpr="split(datum.label, '; ')", labelLineHeight=12)
    )
    colour = alt.Color("asks", type="nominal", legend=None).scale(
        domain=[False, True], range=[look.hue, colours.grey]
    )
    tips = told(
        ("name", "Choice"), ("main", "Alone", ".1%"), ("total", "Alone and with others", ".1%")
    )
    pale = base.mark_bar(opacity=0.35, height=15, aria=False).encode(
        x=alt.X("total", type="quantitative", scale=scale, axis=axis), color=colour
    )
    strong = base.mark_bar(height=15).encode(
        x=alt.X("main", type="quantitative", scale=scale, axis=axis), color=colour, tooltip=tips
    )
    span = base.mark_rule(strokeWidth=1.5, color=colours.text, aria=False).encode(
        x=alt.X("low", type="quantitative", scale=scale, axis=axis), x2="high"
    )
    return specification(colours, [pale, strong, span], height=56 + BAR * max(len(order), 1))
