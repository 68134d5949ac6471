"""Charts of the composition study."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import altair as alt
import polars as pl

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
from core.columns import row_texts
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
    ordered = models.sort("place_planned", "model", nulls_last=True)
    told_of = ("place_planned", "place_now", "chosen", "number_basis")
    shown = ordered.with_columns(
        note=row_texts(ordered.select(told_of), _note),
        edge=pl.max_horizontal(pl.col("resident").fill_null(0), pl.col("chosen").fill_null(0)),
    )
    scores = [*shown["resident"].drop_nulls(), *shown["chosen"].drop_nulls()]
    # A few ends keep the specification, and so the drawing, the same while a slider moves.
    end = next((end for end in AXIS_ENDS if end >= 1.3 * max([0.0, *scores])), AXIS_ENDS[-1])
    fields = (
        *("model", "resident", "chosen", "mean_change", "verdict_planned", "verdict_now"),
        "behind",
    )
    data = {
        "models": shown.select(*fields, "flip", "note", "edge", "varies"),
        SLIDER: slider_frame(tau),
    }
    return Drawing(_model_comparison(unit, end, names_in(shown, "model"), look), data)


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
    now = curves.filter(pl.col("position") == position) if position is not None else curves.clear()
    # Every second point: on paper nobody sees the difference, in a browser every point costs.
    drawn = curves.filter((100 * pl.col("position")).round() % 2 == 0)
    data = {
        "curves": drawn.select("model", "position", "composite"),
        "focus": drawn.filter(model=look.focus).select("model", "position", "composite"),
        "reported": curves.filter("reported").select("model", "position", "composite"),
        "now": now.select("model", "position", "composite"),
        "crossings": crossings,
        "ends": _end_labels(curves.filter(pl.col("position") == end), gap=(high - low) / 14),
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
    ends = ends.sort("composite")
    places: list[float] = []
    for value in ends["composite"]:
        places.append(value if not places else max(value, places[-1] + gap))
    # Moving apart only pushes upwards; shift all back by half the overshoot to stay centred.
    shift = (places[-1] - ends["composite"][-1]) / 2 if places else 0.0
    return ends.select(
        "model",
        "short",
        "position",
        label_at=pl.Series([p - shift for p in places], dtype=pl.Float64),
    )


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
    totals = steps.filter(direction="total").select("model", "tau", "share")
    parts = steps.filter((pl.col("model") == look.focus) & (pl.col("direction") != "total"))
    labels = dict(zip(("planned_only", "chosen_only"), names, strict=True))
    data = {
        "others": _to_hundredths(totals.filter(pl.col("model") != look.focus)),
        "total": totals.filter(model=look.focus).drop("model"),
        "parts": parts.select(
            pl.col("direction").replace_strict(labels, return_dtype=pl.String), "tau", "share"
        ),
        SLIDER: slider_frame(tau),
    }
    return Drawing(_threshold_curves(unit, names, look), data)


def _to_hundredths(steps: pl.DataFrame) -> pl.DataFrame:
    """Keep the last step of each hundredth of tolerance: background lines need no more."""
    hundredth = (100 * pl.col("tau")).floor().alias("hundredth")
    return steps.group_by("model", hundredth, maintain_order=True).last().drop("hundredth")


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
    counts = pl.col("counts")
    shown = cells.select(
        "place",
        "role",
        "format",
        "chosen",
        "behind",
        "varies",
        told=row_texts(cells.select(CELL_TOLD), _cell_told),
        column=pl.col("role") + ", " + pl.col("format"),
        symbol=pl.when(counts)
        .then(pl.col("verdict_now").replace_strict(VERDICT_SYMBOLS))
        .otherwise(pl.lit("·")),
        flip=pl.col("flip") & counts,
        dark=pl.col("chosen").fill_null(0) >= look.colours.ink_turns(look.hue),
    )
    place, role, form = selected
    mark = pl.DataFrame({"place": [place], "column": [f"{role}, {form}"]})
    orders = names_in(shown, "place"), names_in(shown, "column")
    return Drawing(_cell_map(unit, *orders, look), {"cells": shown, "selected": mark})


IDLE = "does not count (too few mapped outputs or no comparator)"
CELL_TOLD = ("resident", "chosen", "verdict_planned", "verdict_now", "counts", "mapped", "outputs")


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
    bars = shares.select(
        "category",
        "share",
        label=row_texts(shares.select("n", "share"), _bar_told),
    )
    labels = dict(zip(("resident", "comparator"), names, strict=True))
    marks = (
        shares.select("category", "resident", "comparator")
        .unpivot(index="category", variable_name="comparator_name", value_name="value")
        .with_columns(pl.col("comparator_name").replace_strict(labels))
        .drop_nulls("value")
    )
    order = names_in(shares, "category")
    return Drawing(_composition_bars(names, order, look), {"bars": bars, "marks": marks})


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
