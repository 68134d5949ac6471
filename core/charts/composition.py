"""Charts of the composition study."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.basis import SIGNS
from core.charts.drawing import Drawing, named, specification
from core.charts.marks import (
    INDEPENDENT_SHAPES,
    ROW_HEIGHT,
    SLIDER,
    Look,
    across,
    colour_of,
    columns,
    hatch,
    names_in,
    outline_of,
    planned_shape,
    ring,
    rows,
    slider_frame,
    slider_line,
    told,
    upright,
    verdict_shape,
)
from core.charts.theme import VERDICT_SYMBOLS
from core.columns import or_nan, table_of, texts
from core.words import number, percent

AXIS_ENDS = (0.4, 0.7, 1.0, 1.4)
"""Where the axis of scores can end; scores are at most 1, and numbers are written behind them."""


def model_comparison(models: pl.DataFrame, *, tau: float, unit: str, look: Look) -> Drawing:
    """Composite of each model against the planned and the chosen comparator.

    Parameters
    ----------
    models
        The study's model table, one row a model.
    tau
        The tolerance, drawn as a dashed line.
    unit
        Title of the axis: quantity, unit, direction.
    look
        Palette and names.

    Returns
    -------
    Drawing
        Hollow: planned comparator; filled: chosen; ring: the verdict differs from the planned one.
        Models from the lowest to the highest planned score; places that change are written out.
    """
    shown = [
        row | {"note": _note(row), "edge": max(row["resident"] or 0.0, row["chosen"] or 0.0)}
        for row in sorted(models.iter_rows(named=True), key=_planned_place)
    ]
    furthest = max((row["edge"] for row in shown), default=0.0)
    # A few ends keep the specification, and so the drawing, the same while a slider moves.
    end = next((end for end in AXIS_ENDS if end >= 1.3 * furthest), AXIS_ENDS[-1])
    data = {"models": table_of(shown, _MODELS), SLIDER: slider_frame(tau)}
    order = tuple(row["model"] for row in shown)
    return Drawing(_model_comparison(unit, end, order, look), data)


def _planned_place(row: Mapping[str, Any]) -> tuple[float, str]:
    place = row["place_planned"]
    return (math.inf if place is None else place, row["model"])


_MODELS = {
    "model": pl.String,
    **dict.fromkeys(("resident", "chosen", "mean_change"), pl.Float64),
    **dict.fromkeys(("verdict_planned", "verdict_now", "behind"), pl.String),
    "flip": pl.Boolean,
    "note": pl.String,
    "edge": pl.Float64,
    "varies": pl.Boolean,
}


@lru_cache(maxsize=64)
def _model_comparison(unit: str, end: float, order: tuple[str, ...], look: Look) -> str:
    y = rows("model", order, labelFontSize=13)
    scale = alt.Scale(domain=[0, end], nice=False)

    def x(field: str) -> alt.X:
        return alt.X(field, type="quantitative", scale=scale, axis=across(unit))

    tips = told(
        ("model", "Model"),
        ("resident", "Resident population", ".3f"),
        ("chosen", "Chosen comparator", ".3f"),
        ("mean_change", "Average cell moves by", ".3f"),
        ("verdict_planned", "Planned verdict"),
        ("verdict_now", "Verdict now"),
        ("behind", "Behind it"),
    )
    base = named("models").encode(y=y)
    line = base.mark_rule(color=look.colours.grey, strokeWidth=1.5, aria=False).encode(
        x=x("resident"), x2=alt.X2("chosen")
    )
    hollow = base.mark_point(
        filled=True, fill=look.colours.background, size=120, strokeWidth=2, opacity=1
    ).encode(
        x=x("resident"),
        shape=planned_shape("verdict_planned"),
        stroke=outline_of(look.every_hue()),
        tooltip=tips,
    )
    filled = base.mark_point(filled=True, size=130, opacity=1).encode(
        x=x("chosen"),
        shape=verdict_shape("verdict_now"),
        color=colour_of(look.every_hue()),
        tooltip=tips,
    )
    note = base.mark_text(
        align="left", dx=16, color=look.colours.quiet_text, fontSize=12, aria=False
    ).encode(x=x("edge"), text=alt.Text("note", type="nominal"))
    flips = ring(base, look.colours, size=420).encode(x=x("chosen"))
    hatched = hatch(base, look.colours, size=130).encode(x=x("chosen"))
    layers = [line, slider_line(look.colours), hollow, filled, hatched, flips, note]
    return specification(
        look.colours,
        layers,
        height=ROW_HEIGHT * max(len(order), 1) + 20,
        resolve=INDEPENDENT_SHAPES,
    )


def _note(row: dict[str, Any]) -> str:
    if row["chosen"] is None:
        return "× cannot compute"
    score = number(row["chosen"]) + SIGNS.get(row["number_basis"], "")
    if row["place_planned"] in (None, row["place_now"]):
        return score
    return f"{score}  ({row['place_planned']} → {row['place_now']})"


def path(
    curves: pl.DataFrame,
    crossings: pl.DataFrame,
    *,
    position: float | None,
    reversed_axis: bool,
    x_title: str,
    y_title: str,
    look: Look,
) -> Drawing:
    """Composite of each model along a path of comparators.

    Parameters
    ----------
    curves
        Columns model, short (its short name), position, composite, reported (whether the study
        reports the point).
    crossings
        Columns position, composite, text: where two models change places.
    position
        Where the chosen comparator lies, or None when it is not on the path.
    reversed_axis
        Whether the resident population is at the high end (the power path's exponent 1).
    x_title, y_title
        Axis titles.
    look
        Palette and names; models out of focus are grey and named at the end of their line.
    """
    low, high = curves["composite"].min(), curves["composite"].max()
    assert isinstance(low, float)
    assert isinstance(high, float)
    end = 0.0 if reversed_axis else 1.0
    points, at = curves[["model", "position", "composite"]], curves["position"].to_numpy()
    # Every second point: on paper nobody sees the difference, in a browser every point costs.
    drawn = np.rint(100 * at) % 2 == 0
    data = {
        "curves": _where(points, drawn),
        "focus": _where(points, drawn & (curves["model"] == look.focus).to_numpy()),
        "reported": _where(points, curves["reported"].to_numpy()),
        "now": _where(points, at == or_nan(position)),
        "crossings": crossings,
        "ends": _end_labels(_where(curves, at == end), gap=(high - low) / 14),
        SLIDER: slider_frame(position),
    }
    return Drawing(_path(reversed_axis, x_title, y_title, look), data)


@lru_cache(maxsize=64)
def _path(reversed_axis: bool, x_title: str, y_title: str, look: Look) -> str:
    x = alt.X(
        "position",
        type="quantitative",
        scale=alt.Scale(domain=[0, 1], reverse=reversed_axis, nice=False, padding=0),
        axis=across(x_title, format=".1f"),
    )
    scale = alt.Scale(zero=False, nice=False, padding=10)
    y = alt.Y("composite", type="quantitative", scale=scale, axis=upright(y_title, format=".2f"))
    colour = colour_of(look.focus_hue())
    tips = told(
        ("model", "Model"), ("position", "Position", ".2f"), ("composite", "Composite", ".3f")
    )
    # Named by model alone: a browser would else word every point of every line on every move.
    lines = (
        named("curves")
        .mark_line(strokeWidth=1.5)
        .encode(x=x, y=y, color=colour, description=alt.Description("model", type="nominal"))
    )
    front = named("focus").mark_line(strokeWidth=3, aria=False).encode(x=x, y=y, color=colour)
    dots = (
        named("reported")
        .mark_point(filled=True, size=24, opacity=1)
        .encode(x=x, y=y, color=colour, tooltip=tips)
    )
    now = (
        named("now")
        .mark_point(filled=True, size=90, opacity=1)
        .encode(x=x, y=y, color=colour, tooltip=tips)
    )
    rings = (
        named("crossings")
        .mark_point(
            shape="circle", filled=False, size=150, color=look.colours.text, strokeWidth=1.4
        )
        .encode(x=x, y=y, tooltip=told(("text", "Places change"), ("position", "At", ".2f")))
    )
    names = (
        named("ends")
        .mark_text(align="left", dx=8, fontSize=11, aria=False)
        .encode(
            x=x,
            y=alt.Y("label_at", type="quantitative", scale=scale),
            text=alt.Text("short", type="nominal"),
            color=colour,
        )
    )
    layers = [lines, front, dots, now, rings, slider_line(look.colours), names]
    return specification(
        look.colours, layers, height=320, padding={"left": 5, "top": 5, "bottom": 5, "right": 62}
    )


def _end_labels(ends: pl.DataFrame, *, gap: float) -> pl.DataFrame:
    """Place one label a line at the end of the path, moved apart so that none overlap."""
    upwards = sorted(ends.iter_rows(named=True), key=lambda row: float(row["composite"]))
    places: list[float] = []
    for row in upwards:
        places.append(max(row["composite"], places[-1] + gap) if places else row["composite"])
    # Moving apart only pushes upwards; shift all back by half the overshoot to stay centred.
    shift = (places[-1] - upwards[-1]["composite"]) / 2 if places else 0.0
    labels = [row | {"label_at": at - shift} for row, at in zip(upwards, places, strict=True)]
    return table_of(labels, _ENDS)


_ENDS = {
    **dict.fromkeys(("model", "short"), pl.String),
    **dict.fromkeys(("position", "label_at"), pl.Float64),
}


def threshold_curves(
    steps: pl.DataFrame, *, tau: float, unit: str, names: tuple[str, str], look: Look
) -> Drawing:
    """Share of the portfolio that changes sides, by tolerance.

    Parameters
    ----------
    steps
        Columns model, direction (``total``, ``planned_only``, ``chosen_only``), tau, share; exact
        breaks, each value holding up to the next.
    tau
        Where the slider stands.
    unit
        Title of the horizontal axis.
    names
        What ``planned_only`` and ``chosen_only`` are called.
    look
        Palette and names; both directions are drawn for the model in focus.
    """
    is_total = (steps["direction"] == "total").to_numpy()
    in_focus = (steps["model"] == look.focus).to_numpy()
    labels = dict(zip(("planned_only", "chosen_only"), names, strict=True))
    parts = _where(steps[["direction", "tau", "share"]], in_focus & ~is_total)
    data = {
        "others": _to_hundredths(_where(steps[["model", "tau", "share"]], is_total & ~in_focus)),
        "total": _where(steps[["tau", "share"]], is_total & in_focus),
        "parts": parts.replace_column(0, texts(parts["direction"], labels.__getitem__)),
        SLIDER: slider_frame(tau),
    }
    return Drawing(_threshold_curves(unit, names, look), data)


def _to_hundredths(steps: pl.DataFrame) -> pl.DataFrame:
    """Keep the last step of each hundredth of tolerance: background lines need no more."""
    hundredths = np.floor(100 * steps["tau"].to_numpy()).tolist()
    of_each = zip(steps["model"].to_list(), hundredths, strict=True)
    last = {own: row for row, own in enumerate(of_each)}
    return steps[np.array(list(last.values()), dtype=np.int64)]


def _where(frame: pl.DataFrame, mask: NDArray[np.bool_]) -> pl.DataFrame:
    """Keep some rows; taking them by position costs a fraction of a query."""
    return frame[np.flatnonzero(mask)]


@lru_cache(maxsize=64)
def _threshold_curves(unit: str, names: tuple[str, str], look: Look) -> str:
    scale = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("tau", type="quantitative", scale=scale, axis=across(unit, format=".1f"))
    y = alt.Y(
        "share",
        type="quantitative",
        scale=alt.Scale(domainMin=0),
        axis=upright("Share of portfolio weight whose verdict differs", format="%"),
    )
    legend = alt.Legend(
        title=None, orient="bottom", direction="vertical", labelLimit=420, symbolSize=260
    )
    dashes = alt.StrokeDash("direction", type="nominal", legend=legend).scale(
        domain=list(names), range=[[7, 3], [2, 2]]
    )
    others = (
        named("others")
        .mark_line(color=look.colours.grey, strokeWidth=0.8, aria=False, interpolate="step-after")
        .encode(x=x, y=y, detail=alt.Detail("model", type="nominal"))
    )
    parts = (
        named("parts")
        .mark_line(color=look.hue, strokeWidth=1.6, interpolate="step-after")
        .encode(
            x=x,
            y=y,
            strokeDash=dashes,
            description=alt.Description("direction", type="nominal"),
        )
    )
    total = (
        named("total")
        .mark_line(
            color=look.hue,
            strokeWidth=2.8,
            description=f"{look.focus}: verdicts that differ, either way",
            interpolate="step-after",
        )
        .encode(x=x, y=y)
    )
    return specification(
        look.colours, [others, parts, total, slider_line(look.colours)], height=320
    )


CELL_SELECTION = "cell"
CELL_FIELDS = ["place", "role", "format"]


def cell_map(
    cells: pl.DataFrame, *, unit: str, selected: tuple[str, str, str], look: Look
) -> Drawing:
    """Divergence and verdict of every cell of one model.

    Parameters
    ----------
    cells
        Rows of one model: place (attribute and context), role, format, resident, chosen,
        verdict_planned, verdict_now, flip, mapped, outputs, counts.
    unit
        What the shade shows.
    selected
        (place, role, format) of the cell that is shown in detail.
    look
        Palette and names; the shade is the colour of the model in focus.
    """
    turns = look.colours.ink_turns(look.hue)
    marks = [
        {
            "told": _cell_told(row),
            "column": f"{row['role']}, {row['format']}",
            "symbol": VERDICT_SYMBOLS[row["verdict_now"]] if row["counts"] else "·",
            "flip": row["flip"] and row["counts"],
            "dark": (row["chosen"] or 0.0) >= turns,
        }
        for row in cells.iter_rows(named=True)
    ]
    fields = ["place", "role", "format", "chosen", "behind", "varies"]
    shown = cells[fields].hstack(table_of(marks, _CELLS))
    place, role, form = selected
    mark = pl.DataFrame({"place": [place], "column": [f"{role}, {form}"]})
    orders = names_in(shown, "place"), names_in(shown, "column")
    return Drawing(_cell_map(unit, *orders, look), {"cells": shown, "selected": mark})


_CELLS = {
    **dict.fromkeys(("told", "column", "symbol"), pl.String),
    **dict.fromkeys(("flip", "dark"), pl.Boolean),
}

IDLE = "does not count (too few mapped outputs or no comparator)"


def _cell_told(row: dict[str, Any]) -> str:
    """Write both divergences, both verdicts and the outputs behind them."""
    scores = [number(math.nan if row[k] is None else row[k]) for k in ("resident", "chosen")]
    now = row["verdict_now"] if row["counts"] else IDLE
    outputs = f"{row['mapped']} of {row['outputs']} outputs mapped"
    return f"{scores[0]} → {scores[1]}; {row['verdict_planned']} → {now}; {outputs}"


@lru_cache(maxsize=32)
def _cell_map(unit: str, places: tuple[str, ...], roles: tuple[str, ...], look: Look) -> str:
    x = columns("column", roles, labelAngle=-60, labelLimit=140)
    y = rows("place", places)
    pick = alt.selection_point(name=CELL_SELECTION, fields=CELL_FIELDS, on="click", empty=False)
    legend = alt.Legend(
        title=unit, orient="bottom", gradientLength=200, titleLimit=400, format=".1f"
    )
    shade = alt.Color("chosen", type="quantitative", legend=legend).scale(
        domain=[0, 1], range=[look.colours.empty, look.hue], interpolate="rgb"
    )
    tiles = (
        named("cells")
        .mark_rect(stroke=look.colours.background, strokeWidth=1.5)
        .encode(
            x=x,
            y=y,
            color=shade,
            tooltip=told(
                ("place", "Where"),
                ("column", "Role and format"),
                ("told", "Planned → now"),
                ("behind", "Behind it"),
            ),
        )
        .add_params(pick)
    )
    ink = alt.Scale(domain=[False, True], range=[look.colours.text, look.colours.background])
    symbols = (
        named("cells")
        .mark_text(fontSize=11, aria=False)
        .encode(
            x=x,
            y=y,
            text=alt.Text("symbol", type="nominal"),
            fill=alt.Fill("dark", type="nominal", legend=None).scale(ink),
            opacity=alt.Opacity("varies", type="nominal", legend=None).scale(
                domain=[False, True], range=[1, 0.75]
            ),
        )
    )
    rings = (
        named("cells")
        .transform_filter("datum.flip")
        .mark_point(shape="circle", filled=False, size=230, strokeWidth=1.3, aria=False)
        .encode(x=x, y=y, stroke=alt.Stroke("dark", type="nominal", legend=None).scale(ink))
    )
    frame = (
        named("selected")
        .mark_rect(filled=False, stroke=look.colours.text, strokeWidth=2.5, aria=False)
        .encode(x=x, y=y)
    )
    return specification(look.colours, [tiles, symbols, rings, frame], height=alt.Step(24))


def composition_bars(shares: pl.DataFrame, *, names: tuple[str, str], look: Look) -> Drawing:
    """Shares of one cell's outputs against both comparators.

    Parameters
    ----------
    shares
        Columns category, n, share, resident, comparator; shares in [0, 1].
    names
        What the hollow mark (resident) and the filled mark (comparator) are called.
    look
        Palette and names; the bars have the colour of the model in focus.
    """
    bars = list(shares.iter_rows(named=True))
    marks = [
        {"category": row["category"], "comparator_name": name, "value": row[column]}
        for column, name in zip(("resident", "comparator"), names, strict=True)
        for row in bars
        if row[column] is not None
    ]
    data = {
        "bars": table_of([row | {"label": _bar_told(row)} for row in bars], _BARS),
        "marks": table_of(marks, _MARKS),
    }
    return Drawing(_composition_bars(names, names_in(shares, "category"), look), data)


_BARS = {"category": pl.String, "share": pl.Float64, "label": pl.String}
_MARKS = {"category": pl.String, "comparator_name": pl.String, "value": pl.Float64}


def _bar_told(row: dict[str, Any]) -> str:
    return "" if row["share"] is None else f"{row['n']} ({percent(row['share'])})"


@lru_cache(maxsize=64)
def _composition_bars(names: tuple[str, str], order: tuple[str, ...], look: Look) -> str:
    y = rows("category", order, labelLimit=260)
    scale = alt.Scale(domain=[0, 1.3], nice=False)
    axis = across("Share of mapped outputs", format="%", values=[0, 0.25, 0.5, 0.75, 1])
    share = alt.X("share", type="quantitative", scale=scale, axis=axis)
    # Pale inside, so that the marks on them stand out; outlined, so that they do themselves.
    bars = (
        named("bars")
        .mark_bar(color=look.hue, fillOpacity=0.45, stroke=look.hue, strokeWidth=1, height=16)
        .encode(y=y, x=share)
    )
    counts = (
        named("bars")
        .mark_text(align="right", color=look.colours.quiet_text, fontSize=11, aria=False)
        .encode(y=y, x=alt.XDatum(1.3, scale=scale), text=alt.Text("label", type="nominal"))
    )
    legend = alt.Legend(
        title=None,
        orient="top",
        direction="vertical",
        labelLimit=360,
        symbolStrokeColor=look.colours.text,
    )
    fill = alt.Fill("comparator_name", type="nominal", legend=legend).scale(
        domain=list(names), range=[look.colours.background, look.colours.text]
    )
    marks = (
        named("marks")
        .mark_point(size=70, strokeWidth=2, opacity=1, filled=True, stroke=look.colours.text)
        .encode(
            y=y,
            x=alt.X("value", type="quantitative", scale=scale),
            fill=fill,
            tooltip=told(
                ("category", "Category"),
                ("comparator_name", "Comparator"),
                ("value", "Share", ".2%"),
            ),
        )
    )
    return specification(look.colours, [bars, counts, marks], height=alt.Step(26))
