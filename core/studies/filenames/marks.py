"""How coarse the scale really is: which marks each judge gives, and how they scatter in a cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.filenames.design import label_name
from core.studies.filenames.reduce import StudyStatistics
from core.studies.filenames.tables import judge_names_of, missing
from core.studies.filenames.text_contrasts import design_names

Array = NDArray[np.float64]

TOP = 3
"""How many of the most frequent marks are named."""

LEVEL = 0.95


def mark_table(part: StudyStatistics) -> pl.DataFrame:
    """One row a judge and mark: judge, judge_id, mark, count, share (of the judge's marks)."""
    frame = pl.DataFrame(
        {
            "judge_id": np.array(part.judges, dtype=object)[part.mark_cells[:, 0]].tolist(),
            "mark": part.mark_values,
            "count": part.mark_counts,
        },
        schema_overrides={"judge_id": pl.String},
    )
    names = dict(zip(part.judges, judge_names_of(part), strict=True))
    order = {judge: i for i, judge in enumerate(part.judges)}
    return (
        frame.group_by("judge_id", "mark")
        .agg(pl.col("count").sum())
        .sort(pl.col("judge_id").replace_strict(order, return_dtype=pl.Int64), "mark")
        .with_columns(
            judge=pl.col("judge_id").replace_strict(names, return_dtype=pl.String),
            share=pl.col("count") / pl.col("count").sum().over("judge_id"),
        )
        .select("judge", "judge_id", "mark", "count", "share")
    )


def coarseness_table(part: StudyStatistics) -> pl.DataFrame:
    """One row a judge: how many marks it uses and how far single calls lie from their cell's mean.

    Returns
    -------
    polars.DataFrame
        judge, judge_id, calls, lowest, highest, distinct (marks), top (the most frequent ones, in
        order of value), top_share, cell_sd (pooled standard deviation within cells), deviation_low
        and deviation_high (ends of the central 95% of deviations from cell means),
        largest_difference and largest_text (of two labels on one text).
    """
    marks = mark_table(part)
    rows = []
    for j, judge in enumerate(part.judges):
        own = marks.filter(pl.col("judge_id") == judge)
        if own.is_empty():
            continue
        top = own.sort("count", "mark", descending=[True, False]).head(TOP)
        spread, text = largest_difference(part, j)
        low, high = deviation_range(part, j)
        rows.append(
            {
                "judge": own["judge"][0],
                "judge_id": judge,
                "calls": int(own["count"].sum()),
                "lowest": own["mark"][0],
                "highest": own["mark"][-1],
                "distinct": own.height,
                "top": sorted(top["mark"].to_list()),
                "top_share": float(top["share"].sum()),
                "cell_sd": cell_sd(part, j),
                "deviation_low": low,
                "deviation_high": high,
                "largest_difference": spread,
                "largest_text": text,
            }
        )
    return pl.DataFrame(rows, schema=_COARSENESS)


_COARSENESS: dict[str, Any] = {
    "judge": pl.String,
    "judge_id": pl.String,
    "calls": pl.Int64,
    "lowest": pl.Float64,
    "highest": pl.Float64,
    "distinct": pl.Int64,
    "top": pl.List(pl.Float64),
    **dict.fromkeys(
        ("top_share", "cell_sd", "deviation_low", "deviation_high", "largest_difference"),
        pl.Float64,
    ),
    "largest_text": pl.String,
}


def cell_sd(part: StudyStatistics, judge: int) -> float | None:
    """Pooled standard deviation of single calls within cells; None without repeated calls."""
    free = int(np.maximum(part.n[judge] - 1, 0).sum())
    return float(np.sqrt(part.squares[judge].sum() / free)) if free else None


def deviation_range(part: StudyStatistics, judge: int) -> tuple[float, float]:
    """Return the ends of the central 95% of a judge's marks less their cell's mean."""
    own = part.mark_cells[:, 0] == judge
    deviation = part.mark_values[own] - part.mean[tuple(part.mark_cells[own].T)]
    order = np.argsort(deviation, kind="stable")
    last = part.mark_counts[own][order].cumsum() - 1
    places = np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2]) * last[-1]
    below = np.floor(places)
    lower, upper = (
        deviation[order][np.searchsorted(last, np.minimum(rank, last[-1]))]
        for rank in (below, below + 1)
    )
    low, high = lower + (places - below) * (upper - lower)
    return float(low), float(high)


def largest_difference(part: StudyStatistics, judge: int) -> tuple[float | None, str]:
    """Largest difference of two labels' means on one text, and the text."""
    mean = part.mean[judge]
    complete = ~np.isnan(mean).any(axis=1)
    if not complete.any():
        return None, ""
    width = np.where(complete, mean.max(axis=1) - mean.min(axis=1), -np.inf)
    at = int(width.argmax())
    return float(width[at]), str(part.texts["text"][at])


def cell_table(part: StudyStatistics) -> pl.DataFrame:
    """One row a judge, text and label, for the dot display.

    Returns
    -------
    polars.DataFrame
        judge, judge_id, text, name (for hovers), brief, genre, author_family, label, label_name,
        kind; mean, bias (less the text's mean over labels; null where a label is missing), n,
        place (position of the text when sorted by its mean over labels, lowest first, for each
        judge).
    """
    judges, texts, labels = part.n.shape
    level = np.nan_to_num(part.level, nan=np.inf)
    place = np.argsort(np.argsort(level, axis=1, kind="stable"), axis=1)
    j, t, k = (axis.ravel() for axis in np.indices((judges, texts, labels)))
    of_texts = part.texts.select("text", "brief", "genre", "author_family")[t]
    of_labels = part.labels[k]
    return pl.DataFrame(
        {
            "judge": np.array(judge_names_of(part), dtype=object)[j].tolist(),
            "judge_id": np.array(part.judges, dtype=object)[j].tolist(),
            "text": of_texts["text"],
            "name": design_names(part.texts)[t],
            "brief": of_texts["brief"],
            "genre": of_texts["genre"],
            "author_family": of_texts["author_family"],
            "label": of_labels["label"],
            "label_name": [label_name(name) for name in of_labels["label"]],
            "kind": of_labels["label_kind"],
            "mean": missing(part.mean),
            "bias": missing(part.bias),
            "n": part.n.ravel(),
            "place": np.repeat(place.ravel(), labels),
        },
        schema_overrides={"judge": pl.String, "judge_id": pl.String, "label_name": pl.String},
    )
