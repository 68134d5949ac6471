"""Charts of the composition study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl

from core.charts.theme import VERDICT_ORDER, VERDICT_SHAPES, VERDICT_SYMBOLS, Palette
from core.words import number, percent

ROW_HEIGHT = 40
LABEL_LIMIT = 220


@dataclass(frozen=True, slots=True)
class Focus:
    """The model in focus and the colours of all."""

    model: str
    hues: dict[str, str]

    def colour(self, colours: Palette) -> alt.Color:
        """Colour the model in focus by its hue and everything else grey."""
        names = list(self.hues)
        shades = [self.hues[n] if n == self.model else colours.grey for n in names]
        return alt.Color("model", type="nominal", legend=None).scale(domain=names, range=shades)

    @property
    def hue(self) -> str:
        """Colour of the model in focus."""
        return self.hues[self.model]


def _dashed(value: float, colours: Palette) -> alt.Chart:
    """Draw where a slider stands."""
    return (
        alt.Chart(pl.DataFrame({"value": [value]}))
        .mark_rule(strokeDash=[5, 4], color=colours.text, strokeWidth=1.3, aria=False)
        .encode(x=alt.X("value", type="quantitative"))
    )


def _model_scale(hues: dict[str, str]) -> alt.Scale:
    return alt.Scale(domain=list(hues), range=list(hues.values()))


def _verdict_shape(field: str) -> alt.Shape:
    return alt.Shape(field, type="nominal", legend=None).scale(
        domain=VERDICT_ORDER, range=VERDICT_SHAPES
    )


def _value_axis(title: str, **options: Any) -> alt.Axis:
    return alt.Axis(title=title, titleAnchor="start", grid=True, tickCount=6, **options)


def _upright_axis(title: str, **options: Any) -> alt.Axis:
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


def model_comparison(
    models: pl.DataFrame, *, tau: float, unit: str, colours: Palette, hues: dict[str, str]
) -> alt.LayerChart:
    """Composite of each model against the planned and the chosen comparator.

    Parameters
    ----------
    models
        The study's model table, one row a model.
    tau
        The tolerance, drawn as a dashed line.
    unit
        Title of the axis: quantity, unit, direction.
    colours, hues
        Palette, and a colour for each model.

    Returns
    -------
    altair.LayerChart
        Hollow: planned comparator; filled: chosen; ring: the verdict differs from the planned one.
        Models from the lowest to the highest planned score; places that change are written out.
    """
    rows = models.sort("place_planned", "model", nulls_last=True).with_columns(
        note=pl.struct("place_planned", "place_now", "chosen", "reason").map_elements(
            _note, return_dtype=pl.String
        )
    )
    names = rows["model"].to_list()
    y = alt.Y("model", type="nominal", sort=names, title=None).axis(
        labelLimit=LABEL_LIMIT, ticks=False, domain=False, labelFontSize=13
    )
    top = max([0.3, tau, *rows["resident"].drop_nulls(), *rows["chosen"].drop_nulls()])
    scale = alt.Scale(domain=[0, min(1.0, 1.32 * top)], nice=False)
    colour = alt.Color("model", type="nominal", legend=None).scale(_model_scale(hues))
    tips = [
        alt.Tooltip("model", type="nominal", title="Model"),
        alt.Tooltip("resident", type="quantitative", title="Resident population", format=".3f"),
        alt.Tooltip("chosen", type="quantitative", title="Chosen comparator", format=".3f"),
        alt.Tooltip("mean_change", type="quantitative", title="Average cell moves", format=".3f"),
        alt.Tooltip("verdict_planned", type="nominal", title="Planned verdict"),
        alt.Tooltip("verdict_now", type="nominal", title="Verdict now"),
    ]
    base = alt.Chart(rows)

    x_now = alt.X("chosen", type="quantitative", scale=scale, axis=_value_axis(unit))
    line = base.mark_rule(color=colours.grey, strokeWidth=1.5, aria=False).encode(
        y=y,
        x=alt.X("resident", type="quantitative", scale=scale, axis=_value_axis(unit)),
        x2=alt.X2("chosen"),
    )
    hollow = base.mark_point(filled=True, fill=colours.background, size=120, strokeWidth=2).encode(
        y=y,
        x=alt.X("resident", type="quantitative", scale=scale),
        shape=_verdict_shape("verdict_planned"),
        stroke=alt.Stroke("model", type="nominal", legend=None).scale(_model_scale(hues)),
        tooltip=tips,
    )
    filled = base.mark_point(filled=True, size=130, opacity=1).encode(
        y=y, x=x_now, color=colour, shape=_verdict_shape("verdict_now"), tooltip=tips
    )
    ring = (
        base.transform_filter(alt.datum.flip)
        .mark_point(filled=False, size=420, strokeWidth=1.6, color=colours.text, aria=False)
        .encode(y=y, x=x_now)
    )
    note = base.mark_text(align="left", dx=16, color=colours.quiet_text, fontSize=12).encode(
        y=y,
        x=alt.X("edge", type="quantitative", scale=scale),
        text=alt.Text("note", type="nominal"),
    )
    note = note.transform_calculate(
        edge="max(isValid(datum.chosen) ? datum.chosen : 0, "
        "isValid(datum.resident) ? datum.resident : 0)"
    )
    layers = [line, _dashed(tau, colours), hollow, filled, ring, note]
    return alt.LayerChart(layer=layers).properties(height=ROW_HEIGHT * max(len(names), 1) + 20)


def verdict_grid(grid: pl.DataFrame, *, colours: Palette, hues: dict[str, str]) -> alt.LayerChart:
    """Verdict of each model for the composite and every attribute, planned and now.

    Parameters
    ----------
    grid
        Columns model, scope, planned, chosen, verdict_planned, verdict_now, flip.
    colours, hues
        Palette, and a colour for each model.

    Returns
    -------
    altair.LayerChart
        Hollow and left: planned; filled and right: now; a ring where they differ.
    """
    rows = grid.with_columns(
        text=pl.struct("planned", "chosen").map_elements(
            lambda row: f"{_score(row['planned'])} → {_score(row['chosen'])}",
            return_dtype=pl.String,
        )
    )
    models = rows["model"].unique(maintain_order=True).to_list()
    scopes = rows["scope"].unique(maintain_order=True).to_list()
    x = alt.X("scope", type="nominal", sort=scopes, title=None).axis(
        orient="top",
        labelAngle=0,
        labelExpr="split(datum.label, ' ')",
        labelOverlap=False,
        ticks=False,
        domain=False,
    )
    y = alt.Y("model", type="nominal", sort=models, title=None).axis(
        labelLimit=LABEL_LIMIT, ticks=False, domain=False, labelFontSize=13
    )
    colour = _model_scale(hues)
    base = alt.Chart(rows).encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("model", type="nominal", title="Model"),
            alt.Tooltip("scope", type="nominal", title="Scope"),
            alt.Tooltip("planned", type="quantitative", title="Planned setting", format=".3f"),
            alt.Tooltip("verdict_planned", type="nominal", title="Planned verdict"),
            alt.Tooltip("chosen", type="quantitative", title="Now", format=".3f"),
            alt.Tooltip("verdict_now", type="nominal", title="Verdict now"),
        ],
    )

    before = base.mark_point(
        filled=True, fill=colours.background, size=80, strokeWidth=2, xOffset=-13, yOffset=-7
    ).encode(
        shape=_verdict_shape("verdict_planned"),
        stroke=alt.Stroke("model", type="nominal", legend=None).scale(colour),
    )
    now = base.mark_point(filled=True, size=90, opacity=1, xOffset=13, yOffset=-7).encode(
        shape=_verdict_shape("verdict_now"),
        color=alt.Color("model", type="nominal", legend=None).scale(colour),
    )
    ring = base.transform_filter(alt.datum.flip).mark_point(
        shape="circle",
        filled=False,
        size=330,
        strokeWidth=1.5,
        color=colours.text,
        xOffset=13,
        yOffset=-7,
        aria=False,
    )
    text = base.mark_text(fontSize=10.5, dy=11, color=colours.quiet_text, aria=False).encode(
        text=alt.Text("text", type="nominal")
    )
    return alt.LayerChart(layer=[before, now, ring, text]).properties(
        height=(ROW_HEIGHT + 6) * max(len(models), 1)
    )


def _score(value: float | None) -> str:
    return "–" if value is None else number(value, 2)


def _note(row: dict[str, object]) -> str:
    if row["chosen"] is None:
        return "× cannot compute"
    planned, now = row["place_planned"], row["place_now"]
    assert isinstance(row["chosen"], float)
    score = number(row["chosen"])
    if planned is None or planned == now:
        return score
    return f"{score}  place {planned} → {now}"


def path(
    curves: pl.DataFrame,
    *,
    position: float | None,
    reversed_axis: bool,
    x_title: str,
    y_title: str,
    focus: Focus,
    colours: Palette,
    crossings: pl.DataFrame,
) -> alt.LayerChart:
    """Composite of each model along a path of comparators.

    Parameters
    ----------
    curves
        Columns model, position, composite, reported (whether the study reports the point).
    position
        Where the slider stands, or None when the chosen comparator is not on the path.
    reversed_axis
        Whether the resident population is at the high end (the power path's exponent 1).
    x_title, y_title
        Axis titles.
    focus
        Model in focus; the others are grey and named at the end of their line.
    colours
        Palette.
    crossings
        Columns position, composite, text: where two models change places.
    """
    x = alt.X(
        "position",
        type="quantitative",
        scale=alt.Scale(domain=[0, 1], reverse=reversed_axis, nice=False, padding=0),
        axis=_value_axis(x_title, format=".1f"),
    )
    low, high = curves["composite"].min(), curves["composite"].max()
    assert isinstance(low, float)
    assert isinstance(high, float)
    margin = max(0.01, 0.08 * (high - low))
    y = alt.Y(
        "composite",
        type="quantitative",
        scale=alt.Scale(domain=[max(0, low - margin), min(1, high + margin)], nice=False),
        axis=_upright_axis(y_title, format=".2f"),
    )
    base = alt.Chart(curves)
    colour = focus.colour(colours)
    lines = base.mark_line(strokeWidth=1.6).encode(x=x, y=y, color=colour)
    front = (
        base.transform_filter(alt.datum.model == focus.model)
        .mark_line(strokeWidth=3)
        .encode(x=x, y=y, color=colour)
    )
    tips = [
        alt.Tooltip("model", type="nominal", title="Model"),
        alt.Tooltip("position", type="quantitative", title=x_title, format=".2f"),
        alt.Tooltip("composite", type="quantitative", title="Composite", format=".3f"),
    ]
    points = (
        base.transform_filter(alt.datum.reported)
        .mark_point(filled=True, size=26, opacity=1)
        .encode(x=x, y=y, color=colour, tooltip=tips)
    )
    layers = [lines, front, points]
    if crossings.height:
        layers.append(
            alt.Chart(crossings)
            .mark_point(shape="circle", filled=False, size=150, color=colours.text, strokeWidth=1.4)
            .encode(x=x, y=y, tooltip=[alt.Tooltip("text", type="nominal", title="Places change")])
        )
    if position is not None:
        layers.append(_dashed(position, colours))
    ends = _end_labels(curves, at=0.0 if reversed_axis else 1.0, gap=(high - low + 2 * margin) / 17)
    layers.append(
        alt.Chart(ends)
        .mark_text(align="left", dx=7, fontSize=11, aria=False)
        .encode(
            x=x,
            y=alt.Y("label_at", type="quantitative"),
            text=alt.Text("model", type="nominal"),
            color=colour,
        )
    )
    return alt.LayerChart(layer=layers).properties(height=300, padding={"right": 110})


def _end_labels(curves: pl.DataFrame, *, at: float, gap: float) -> pl.DataFrame:
    """Place one label a line at the end of the path, moved apart so that none overlap."""
    ends = curves.filter(pl.col("position") == at).sort("composite")
    places: list[float] = []
    for value in ends["composite"]:
        places.append(value if not places else max(value, places[-1] + gap))
    # Moving apart only pushes upwards; shift all back by half the overshoot to stay centred.
    shift = (places[-1] - ends["composite"][-1]) / 2 if places else 0.0
    return ends.with_columns(label_at=pl.Series([place - shift for place in places]))


def threshold_curves(
    steps: pl.DataFrame,
    *,
    tau: float,
    unit: str,
    focus: Focus,
    colours: Palette,
    names: tuple[str, str],
) -> alt.LayerChart:
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
    focus
        Model in focus, for which both directions are drawn; the others' totals are grey.
    colours
        Palette.
    names
        What ``planned_only`` and ``chosen_only`` are called.
    """
    x = alt.X(
        "tau",
        type="quantitative",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=_value_axis(unit, format=".1f"),
    )
    y = alt.Y(
        "share",
        type="quantitative",
        scale=alt.Scale(domainMin=0),
        axis=_upright_axis("Share of portfolio weight whose verdict differs", format="%"),
    )
    in_focus = steps.filter(pl.col("model") == focus.model)
    parts = in_focus.filter(pl.col("direction") != "total").with_columns(
        direction=pl.col("direction").replace_strict(
            {"planned_only": names[0], "chosen_only": names[1]}
        )
    )
    others = steps.filter((pl.col("model") != focus.model) & (pl.col("direction") == "total"))
    grey = (
        alt.Chart(others)
        .mark_line(interpolate="step-after", strokeWidth=1, color=colours.grey, opacity=0.6)
        .encode(x=x, y=y, detail=alt.Detail("model", type="nominal"))
    )
    directions = (
        alt.Chart(parts)
        .mark_line(interpolate="step-after", strokeWidth=1.6, color=focus.hue)
        .encode(
            x=x,
            y=y,
            strokeDash=alt.StrokeDash(
                "direction",
                type="nominal",
                legend=alt.Legend(
                    title=None,
                    orient="bottom",
                    direction="vertical",
                    labelLimit=420,
                    symbolSize=260,
                ),
            ).scale(domain=list(names), range=[[7, 3], [2, 2]]),
        )
    )
    total = (
        alt.Chart(in_focus.filter(pl.col("direction") == "total"))
        .mark_line(interpolate="step-after", strokeWidth=2.8, color=focus.hue)
        .encode(x=x, y=y)
    )
    layers = [grey, directions, total, _dashed(tau, colours)]
    return alt.LayerChart(layer=layers).properties(height=320)


CELL_SELECTION = "cell"
CELL_FIELDS = ["place", "role", "format"]


def cell_map(
    cells: pl.DataFrame,
    *,
    unit: str,
    focus: Focus,
    colours: Palette,
    selected: tuple[str, str, str] | None,
) -> alt.LayerChart:
    """Divergence and verdict of every cell of one model.

    Parameters
    ----------
    cells
        Rows of one model: place (attribute and context), role, format, chosen, verdict_planned,
        verdict_now, flip, mapped, outputs, counts, resident.
    unit
        What the shade shows.
    focus
        The model; the shade is its colour.
    colours
        Palette.
    selected
        (place, role, format) of the cell that is shown in detail.
    """
    rows = cells.with_columns(
        symbol=pl.when(pl.col("counts"))
        .then(pl.col("verdict_now").replace_strict(VERDICT_SYMBOLS, default="×"))
        .otherwise(pl.lit("·")),
        column=pl.col("role") + ", " + pl.col("format"),
        state=pl.when(pl.col("counts"))
        .then(pl.col("verdict_now"))
        .otherwise(pl.lit("does not count: too few mapped outputs or no comparator")),
    )
    places = rows["place"].unique(maintain_order=True).to_list()
    columns = rows["column"].unique(maintain_order=True).to_list()
    pick = alt.selection_point(name=CELL_SELECTION, fields=CELL_FIELDS, on="click", empty=False)
    x = alt.X("column", type="nominal", sort=columns, title=None).axis(
        orient="top",
        labelAngle=-60,
        labelLimit=140,
        labelOverlap=False,
        ticks=False,
        domain=False,
    )
    y = alt.Y("place", type="nominal", sort=places, title=None).axis(
        labelLimit=LABEL_LIMIT, labelOverlap=False, ticks=False, domain=False
    )
    base = alt.Chart(rows)
    shade = alt.Color("chosen", type="quantitative").scale(
        domain=[0, 1], range=[colours.empty, focus.hue]
    )
    legend = alt.Legend(
        title=unit, orient="bottom", gradientLength=200, titleLimit=400, format=".1f"
    )
    tiles = (
        base.mark_rect(stroke=colours.background, strokeWidth=1.5)
        .encode(
            x=x,
            y=y,
            color=shade.legend(legend),
            tooltip=[
                alt.Tooltip("place", type="nominal", title="Where"),
                alt.Tooltip("column", type="nominal", title="Role and format"),
                alt.Tooltip("resident", type="quantitative", title="Resident", format=".3f"),
                alt.Tooltip("chosen", type="quantitative", title="Chosen", format=".3f"),
                alt.Tooltip("mapped", type="quantitative", title="Mapped outputs"),
                alt.Tooltip("outputs", type="quantitative", title="of all outputs"),
                alt.Tooltip("verdict_planned", type="nominal", title="Planned verdict"),
                alt.Tooltip("state", type="nominal", title="Verdict now"),
            ],
        )
        .add_params(pick)
    )
    ink = alt.condition(
        "isValid(datum.chosen) && datum.chosen > 0.55",
        alt.value(colours.background),
        alt.value(colours.text),
    )
    symbols = base.mark_text(fontSize=11, aria=False).encode(
        x=x, y=y, text=alt.Text("symbol", type="nominal"), color=ink
    )
    rings = (
        base.transform_filter(alt.datum.flip & alt.datum.counts)
        .mark_point(shape="circle", filled=False, size=230, strokeWidth=1.3, aria=False)
        .encode(x=x, y=y, stroke=ink)
    )
    layers = [tiles, symbols, rings]
    if selected is not None:
        place, role, form = selected
        layers.append(
            base.transform_filter(
                (alt.datum.place == place) & (alt.datum.role == role) & (alt.datum.format == form)
            )
            .mark_rect(fill=None, stroke=colours.text, strokeWidth=2.5, aria=False)
            .encode(x=x, y=y)
        )
    return alt.LayerChart(layer=layers).properties(height=alt.Step(24))


def composition_bars(
    shares: pl.DataFrame, *, names: tuple[str, str, str], hue: str, colours: Palette
) -> alt.LayerChart:
    """Shares of one cell's outputs against both comparators.

    Parameters
    ----------
    shares
        Columns category, n, share, resident, comparator; shares in [0, 1].
    names
        What the bars, the hollow mark and the filled mark are called.
    hue
        Colour of the model.
    colours
        Palette.
    """
    categories = shares["category"].to_list()
    rows = shares.with_columns(
        label=pl.struct("n", "share").map_elements(
            lambda row: "" if row["share"] is None else f"{row['n']} ({percent(row['share'])})",
            return_dtype=pl.String,
        )
    )
    y = alt.Y("category", type="nominal", sort=categories, title=None).axis(
        labelLimit=260, ticks=False, domain=False
    )
    scale = alt.Scale(domain=[0, 1.3], nice=False)
    axis = _value_axis(
        "Share of mapped outputs, and of each comparator",
        format="%",
        values=[0, 0.25, 0.5, 0.75, 1],
    )
    bars = (
        alt.Chart(rows)
        .mark_bar(color=hue, opacity=0.45, height=16)
        .encode(y=y, x=alt.X("share", type="quantitative", scale=scale, axis=axis))
    )
    text = (
        alt.Chart(rows)
        .mark_text(align="right", color=colours.quiet_text, fontSize=11, aria=False)
        .encode(
            y=y,
            x=alt.XDatum(1.3, scale=scale),
            text=alt.Text("label", type="nominal"),
        )
    )
    marks = _comparator_marks(rows, names)
    points = (
        alt.Chart(marks)
        .mark_point(size=70, strokeWidth=2, opacity=1, filled=True, stroke=colours.text)
        .encode(
            y=y,
            x=alt.X("value", type="quantitative", scale=scale),
            fill=alt.Fill(
                "comparator",
                type="nominal",
                legend=alt.Legend(
                    title=None,
                    orient="top",
                    direction="vertical",
                    labelLimit=360,
                    symbolStrokeColor=colours.text,
                ),
            ).scale(domain=list(names[1:]), range=[colours.background, colours.text]),
            tooltip=[
                alt.Tooltip("category", type="nominal", title="Category"),
                alt.Tooltip("comparator", type="nominal", title="Comparator"),
                alt.Tooltip("value", type="quantitative", title="Share", format=".2%"),
            ],
        )
    )
    return alt.LayerChart(layer=[bars, text, points]).properties(height=alt.Step(26))


def _comparator_marks(rows: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    long = rows.select("category", resident="resident", chosen="comparator").unpivot(
        index="category", variable_name="comparator", value_name="value"
    )
    labels = {"resident": names[1], "chosen": names[2]}
    return long.drop_nulls("value").with_columns(pl.col("comparator").replace_strict(labels))
