"""Charts of the clauses study."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import polars as pl

from core.charts.drawing import Drawing, named, specification
from core.charts.marks import Look, across, colour_of, columns, names_in, rows, told, verdict_shape
from core.columns import row_texts

AXIS_HEIGHT = 60
"""Room for the axis and its title, in pixels."""
STEP_HEIGHT = 42


def ladder(steps: pl.DataFrame, *, look: Look) -> Drawing:
    """Holm's ladder: ordered p-values against their thresholds, and where the procedure stops.

    Parameters
    ----------
    steps
        Columns step, test, p, threshold, rejected, stops, is_open.
    look
        Palette and names; the model in focus gives the colour.

    Returns
    -------
    Drawing
        A bar is a test's threshold, a mark its p-value on a scale that stretches small ones;
        filled and left of the bar's end: rejected.
    """
    shown = steps.with_columns(
        label=pl.col("step").cast(pl.String) + ". " + pl.col("test"),
        shown_p=pl.col("p").fill_null(1.0),
        state=pl.when("rejected")
        .then(pl.lit("passes"))
        .when("stops")
        .then(pl.lit("stops here"))
        .otherwise(pl.lit("not reached")),
    )
    note = row_texts(shown.select("p", "threshold", "state"), _note)
    data = {"steps": shown.select("label", "shown_p", "threshold", "state", note=note)}
    return Drawing(_ladder(names_in(shown, "label"), look), data)


@lru_cache(maxsize=128)
def _ladder(labels: tuple[str, ...], look: Look) -> str:
    scale = alt.Scale(type="sqrt", domain=[0, 1], nice=False)
    ticks = [0, 0.01, 0.05, 0.2, 0.5, 1]
    axis = across("p-value; a bar ends at the test's threshold", values=ticks, format=".2f")
    base = named("steps").encode(y=rows("label", labels, labelFontSize=13))
    tips = told(
        ("label", "Test"), ("shown_p", "p", ".4f"), ("threshold", "Threshold", ".4f"), ("state", "")
    )
    bars = base.mark_bar(color=look.colours.grid, height=18, aria=False).encode(
        x=alt.X("threshold", type="quantitative", scale=scale, axis=axis)
    )
    points = base.mark_point(size=110, strokeWidth=2, opacity=1, filled=True).encode(
        x=alt.X("shown_p", type="quantitative", scale=scale, axis=axis),
        stroke=alt.value(look.hue),
        fill=alt.Fill("state", type="nominal", legend=None).scale(
            domain=["passes", "stops here", "not reached"],
            range=[look.hue, look.colours.background, look.colours.background],
        ),
        shape=alt.Shape("state", type="nominal", legend=None).scale(
            domain=["passes", "stops here", "not reached"],
            range=["triangle-up", "triangle-down", "circle"],
        ),
        tooltip=tips,
    )
    notes = base.mark_text(
        align="right", dy=-17, color=look.colours.quiet_text, fontSize=11, aria=False
    ).encode(x=alt.XDatum(1, scale=scale), text=alt.Text("note", type="nominal"))
    return specification(
        look.colours, [bars, points, notes], height=AXIS_HEIGHT + STEP_HEIGHT * max(len(labels), 1)
    )


def _note(row: dict[str, float | str | None]) -> str:
    p = "could not run: counts as 1" if row["p"] is None else f"p {row['p']:.4f}"
    return f"{p} against {row['threshold']:.4f}: {row['state']}"


GROUP_HEIGHT = 32
"""Height of a row of circles, in pixels."""
LARGEST_CIRCLE = 700
NARROW = 240
"""Width of the chart, in pixels, below which circles carry no numbers."""


def group_counts(counts: pl.DataFrame, *, unit: str, look: Look) -> Drawing:
    """Clause groups by their asymmetry, one row for each labelling and kind of contract.

    Parameters
    ----------
    counts
        Columns row, value, count, mean (of the row).
    unit
        Title of the axis.
    look
        Palette and names; the model in focus gives the colour.
    """
    fields = ("row", "value", "count", "mean")
    data = {"counts": counts.select(fields)}
    largest = int(counts["count"].max() or 1)  # type: ignore[arg-type]
    return Drawing(_group_counts(unit, names_in(counts, "row"), largest, look), data)


@lru_cache(maxsize=64)
def _group_counts(unit: str, names: tuple[str, ...], largest: int, look: Look) -> str:
    x = alt.X("value", type="quantitative", scale=alt.Scale(nice=True), axis=across(unit))
    base = named("counts").encode(
        y=rows("row", names, labelExpr="split(datum.label, ': ')", labelLineHeight=12)
    )
    circles = base.mark_circle(color=look.hue, opacity=0.35).encode(
        x=x,
        size=alt.Size("count", type="quantitative", legend=None).scale(
            domain=[0, largest], range=[0, LARGEST_CIRCLE]
        ),
        tooltip=told(
            ("row", "Where"), ("value", "Asymmetry", ".2f"), ("count", "Clause groups", "d")
        ),
    )
    # On a narrow screen circles lie too near to each other for numbers.
    shown = alt.expr(f"width < {NARROW} ? 0 : 1")
    numbers = base.mark_text(
        fontSize=11, color=look.colours.text, opacity=shown, aria=False
    ).encode(x=x, text=alt.Text("count", type="quantitative", format="d"))
    means = base.mark_tick(
        color=look.colours.text, thickness=2, height=GROUP_HEIGHT - 10, aria=False
    ).encode(x=alt.X("mean", type="quantitative", aggregate="max"))
    height = alt.Step(GROUP_HEIGHT)
    return specification(look.colours, [circles, numbers, means], height=height)


def deciding_clauses(tiles: pl.DataFrame, *, look: Look) -> Drawing:
    """Clauses that decide a verdict: one row a verdict, one column a clause.

    Parameters
    ----------
    tiles
        Columns archetype, cell (a row's name), model, verdict_now, verdict_without, shift.
    look
        Palette and names.

    Returns
    -------
    Drawing
        A mark has the shape of the verdict without the clause, in the model's colour.
    """
    fields = ("archetype", "cell", "model", "verdict_now", "verdict_without", "shift")
    orders = names_in(tiles.sort("cell"), "cell"), names_in(tiles, "archetype")
    return Drawing(_deciding_clauses(*orders, look), {"tiles": tiles.select(fields)})


LINE = 12
"""Least width of a column whose name is written, in pixels."""


@lru_cache(maxsize=32)
def _deciding_clauses(cells: tuple[str, ...], clauses: tuple[str, ...], look: Look) -> str:
    points = (
        named("tiles")
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            x=columns(
                "archetype",
                clauses,
                labelAngle=-90,
                labelLimit=130,
                # Names that would lie over each other are left to hovers.
                labelExpr=f"width < {LINE * len(clauses)} ? '' : datum.label",
            ),
            y=rows("cell", cells),
            shape=verdict_shape("verdict_without"),
            color=colour_of(look.every_hue()),
            tooltip=told(
                ("archetype", "Left out"),
                ("cell", "Verdict of"),
                ("verdict_now", "With it"),
                ("verdict_without", "Without it"),
                ("shift", "Estimate moves by", ".3f"),
            ),
        )
    )
    return specification(look.colours, [points], height=alt.Step(26))
