"""Charts of the clauses study."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import polars as pl

from core.charts.drawing import Drawing, named, specification
from core.charts.marks import Look, across, names_in, rows, told

AXIS_HEIGHT = 60
"""Room for the axis and its title, in pixels."""
STEP_HEIGHT = 42


def ladder(steps: pl.DataFrame, *, alpha: float, look: Look) -> Drawing:
    """Holm's ladder: ordered p-values against their thresholds, and where the procedure stops.

    Parameters
    ----------
    steps
        Columns step, test, p, threshold, rejected, stops, is_open.
    alpha
        Level of the whole family; the widest threshold.
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
    ).with_columns(
        note=pl.struct("p", "threshold", "state").map_elements(_note, return_dtype=pl.String)
    )
    data = {"steps": shown.select("label", "shown_p", "threshold", "state", "note")}
    return Drawing(_ladder(names_in(shown, "label"), alpha, look), data)


@lru_cache(maxsize=128)
def _ladder(labels: tuple[str, ...], alpha: float, look: Look) -> str:
    scale = alt.Scale(type="sqrt", domain=[0, 1], nice=False)
    ticks = [0, 0.01, alpha, 0.2, 0.5, 1]
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
        align="right", dy=-11, color=look.colours.quiet_text, fontSize=11, aria=False
    ).encode(x=alt.XDatum(1, scale=scale), text=alt.Text("note", type="nominal"))
    return specification(
        look.colours, [bars, points, notes], height=AXIS_HEIGHT + STEP_HEIGHT * max(len(labels), 1)
    )


def _note(row: dict[str, float | str | None]) -> str:
    p = "could not run: counts as 1" if row["p"] is None else f"p {row['p']:.4f}"
    return f"{p} against {row['threshold']:.4f}: {row['state']}"
