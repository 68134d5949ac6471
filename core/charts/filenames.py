"""Charts of the filenames study."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import polars as pl

from core.charts.drawing import Drawing, named, specification
from core.charts.marks import Look, across, columns, names_in, rows, told, upright
from core.columns import row_texts
from core.words import visible

KIND_SHAPES = {"neutral": "circle", "version": "square", "llm": "triangle-up", "human": "diamond"}
KIND_SIGNS = {
    "neutral": "● no label",
    "version": "■ version",
    "llm": "▲ model",
    "human": "◆ person",
}


def heat(texts: pl.DataFrame, *, unit: str, step: int, look: Look) -> Drawing:
    """Contrasts text by text for one judge: value, standard error and sign.

    Parameters
    ----------
    texts
        Columns text (its name), hypothesis, estimate, error, star, against, behind.
    unit
        What the shade shows.
    step
        Height of a row in pixels.
    look
        Palette and names; the judge in focus gives the colour of positive values.
    """
    shown = texts.with_columns(
        told=row_texts(texts.select("estimate", "error", "star"), _told),
        sign=pl.when(pl.col("estimate") < 0)
        .then(pl.lit("−"))
        .when(pl.col("estimate") > 0)
        .then(pl.lit("+"))
        .otherwise(pl.lit("")),
    )
    largest = max([0.05, *(abs(v) for v in shown["estimate"].drop_nulls())])
    end = round(largest + 0.05, 1)
    fields = ("text", "hypothesis", "estimate", "error", "told", "sign", "behind")
    orders = names_in(shown, "text"), names_in(shown, "hypothesis")
    return Drawing(_heat(unit, *orders, step, end, look), {"texts": shown.select(fields)})


@lru_cache(maxsize=64)
def _heat(
    unit: str,
    texts: tuple[str, ...],
    hypotheses: tuple[str, ...],
    step: int,
    end: float,
    look: Look,
) -> str:
    base = named("texts").encode(
        x=columns("hypothesis", hypotheses, labelAngle=0), y=rows("text", texts)
    )
    legend = alt.Legend(
        title=unit, orient="bottom", gradientLength=200, titleLimit=420, format=".1f"
    )
    shade = alt.Color("estimate", type="quantitative", legend=legend).scale(
        domain=[-end, 0, end],
        range=[look.colours.grey, look.colours.empty, look.hue],
        interpolate="rgb",
    )
    tiles = base.mark_rect(stroke=look.colours.background, strokeWidth=1.5).encode(
        color=shade,
        tooltip=told(
            ("text", "Text"),
            ("hypothesis", "Hypothesis"),
            ("estimate", "Contrast", ".3f"),
            ("error", "Standard error", ".3f"),
            ("behind", "Behind it"),
        ),
    )
    # Rows too low for a value still get its sign: a shade alone must not carry it.
    words, size = ("told", 11) if step >= 20 else ("sign", 9)
    texts_in = base.mark_text(fontSize=size, color=look.colours.text, aria=False).encode(
        text=alt.Text(words, type="nominal")
    )
    layers = [tiles, texts_in]
    return specification(look.colours, layers, height=alt.Step(step))


def _told(row: dict[str, float | bool | None]) -> str:
    if row["estimate"] is None:
        return "–"
    error = "" if row["error"] is None else f" ±{visible(row['error'], 2)}"
    return f"{visible(row['estimate'], 2)}{error}{' *' if row['star'] else ''}"


def text_dots(cells: pl.DataFrame, *, unit: str, step: int, look: Look) -> Drawing:
    """Mean mark of every text under every label, for one judge.

    Parameters
    ----------
    cells
        Columns name (of the text), label_name, kind, mean, n, place (rank of the text); sorted.
    unit
        Title of the axis.
    step
        Height of a row in pixels.
    look
        Palette and names; the judge in focus gives the colour.
    """
    fields = ("name", "label_name", "kind", "mean", "n")
    data = {"cells": cells.select(fields)}
    kinds = tuple(kind for kind in KIND_SHAPES if kind in set(cells["kind"]))
    return Drawing(_text_dots(unit, names_in(cells, "name"), kinds, step, look), data)


@lru_cache(maxsize=64)
def _text_dots(
    unit: str, names: tuple[str, ...], kinds: tuple[str, ...], step: int, look: Look
) -> str:
    key = alt.TitleParams(
        text="   ".join(KIND_SIGNS[kind] for kind in kinds),
        anchor="start",
        fontSize=12,
        fontWeight="normal",
        color=look.colours.text,
    )
    labels = {"labelFontSize": 11} if step >= 14 else {"labels": False}
    x = alt.X(
        "mean", type="quantitative", scale=alt.Scale(zero=False, nice=True), axis=across(unit)
    )
    points = (
        named("cells")
        .mark_point(filled=True, opacity=0.8, size=46, color=look.hue)
        .encode(
            x=x,
            y=rows("name", names, **labels),
            shape=alt.Shape("kind", type="nominal", legend=None).scale(
                domain=list(KIND_SHAPES), range=list(KIND_SHAPES.values())
            ),
            tooltip=told(
                ("name", "Text"),
                ("label_name", "Label"),
                ("mean", "Mean mark", ".2f"),
                ("n", "Calls", "d"),
            ),
        )
    )
    return specification(look.colours, [points], height=alt.Step(step), title=key)


def mark_bars(marks: pl.DataFrame, *, unit: str, look: Look) -> Drawing:
    """How often one judge gives each mark.

    Parameters
    ----------
    marks
        Columns mark, count, share (in [0, 1]).
    unit
        Title of the axis.
    look
        Palette and names; the judge in focus gives the colour.
    """
    return Drawing(_mark_bars(unit, look), {"marks": marks.select("mark", "count", "share")})


@lru_cache(maxsize=64)
def _mark_bars(unit: str, look: Look) -> str:
    bars = (
        named("marks")
        .mark_bar(color=look.hue, size=4)
        .encode(
            x=alt.X("mark", type="quantitative", scale=alt.Scale(zero=False), axis=across(unit)),
            y=alt.Y("share", type="quantitative", axis=upright("Share of calls", format="%")),
            tooltip=told(
                ("mark", "Mark", ".1f"), ("count", "Calls", "d"), ("share", "Share", ".1%")
            ),
        )
    )
    return specification(look.colours, [bars], height=220)
