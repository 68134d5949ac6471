"""Tables as a reader sees them: the columns that answer a question, with headings in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from core.columns import row_texts, texts
from core.studies.filenames.choices import DECLARATION
from core.studies.filenames.design import LABEL_NAMES
from core.studies.filenames.texts import DELIVERY_NAMES, KIND_NAMES
from core.words import number

FAMILY_HEADINGS = {
    "judges": "within a hypothesis",
    "hypotheses": "within a judge",
    "all": "all tests",
}
"""Which tests are adjusted together, short enough for a heading."""


def contrasts(table: pl.DataFrame) -> pl.DataFrame:
    """Show a contrast table with what stands behind it.

    The smallest effect that would have been found stands only beside estimates that are not
    significant.
    """
    return table.select(
        "judge",
        "hypothesis",
        "estimate",
        "p",
        "p_adjusted",
        pl.col("verdict_now").alias("verdict now"),
        pl.when(~pl.col("significant"))
        .then(texts(table["detectable"], number, missing=""))
        .otherwise(pl.lit(""))
        .alias("detectable effect"),
        pl.col("error").alias("standard error"),
        pl.col("low").alias("from"),
        pl.col("high").alias("to"),
        "behind",
    )


def multiplicity(table: pl.DataFrame) -> pl.DataFrame:
    """Show a multiplicity table: one row an adjustment, one column a family of tests.

    Each entry counts the significant results, on either side, and the verdicts that differ from the
    chosen setting. Without adjustment it is all one which tests stand together.
    """
    said = {DECLARATION["family"].say(key): name for key, name in FAMILY_HEADINGS.items()}
    wide: dict[str, dict[str, str]] = {}
    for row in table.iter_rows(named=True):
        own = wide.setdefault(row["adjustment"], {"adjustment": row["adjustment"]})
        own[said[row["tests_adjusted_together"]]] = _counted(row)
    headings = tuple(FAMILY_HEADINGS.values())
    for own in wide.values():
        own |= {name: own.get(name, own[headings[0]]) for name in headings}
    schema = dict.fromkeys(("adjustment", *headings), pl.String)
    return pl.DataFrame(list(wide.values()), schema=schema)


def _counted(row: Mapping[str, Any]) -> str:
    found = row["supported"] + row["opposite"]
    differ = f", {row['changed']} differ" if row["changed"] > 0 else ""
    return f"{found} of {found + row['not_supported']}{differ}"


def signs(table: pl.DataFrame, judge: str) -> pl.DataFrame:
    """Show the signs of one judge's contrasts over texts; in brackets, how many are significant."""
    return table.filter(pl.col("judge") == judge).select(
        "hypothesis",
        "texts",
        pl.format("{} ({})", "up", "starred_up").alias("above zero"),
        pl.format("{} ({})", "down", "starred_down").alias("below zero"),
    )


def left_out(table: pl.DataFrame, judge: str) -> pl.DataFrame:
    """Show what leaving one text or brief out does to one judge's verdicts."""
    own = table.filter(pl.col("judge") == judge)
    return own.select(
        "hypothesis",
        pl.col("verdict_all").alias("verdict with all"),
        pl.format("{} of {}", "flips", "tried").alias("change it"),
        pl.col("names").list.join(", ").alias("which ones"),
        _span(own, "lowest", "highest", 3).alias("estimates"),
    )


def _span(table: pl.DataFrame, low: str, high: str, decimals: int) -> pl.Series:
    """Write two columns as “low to high”; empty where one is missing."""

    def told(ends: Mapping[str, float | None]) -> str:
        one, other = ends[low], ends[high]
        if one is None or other is None:
            return ""
        return f"{number(one, decimals)} to {number(other, decimals)}"

    return row_texts(table.select(low, high), told)


def shares(table: pl.DataFrame) -> pl.DataFrame:
    """Show a share table with what stands behind it."""
    return table.select(
        "study",
        "judge",
        pl.col("estimator_name").alias("how estimated"),
        "share",
        pl.col("low").alias("from"),
        pl.col("high").alias("to"),
        pl.col("persistent_sd").alias("persistent, points"),
        pl.col("context_sd").alias("by text, points"),
        "texts",
        "behind",
        *_reasons(table),
    )


def _reasons(table: pl.DataFrame) -> list[pl.Expr]:
    """Add why rows have no number, if some have none."""
    reason = pl.col("reason").alias("why there is none")
    return [reason] if table.filter(pl.col("reason") != "").height else []


def biases(table: pl.DataFrame, judge: str) -> pl.DataFrame:
    """Show one judge's mean bias of each label as dots: row, series, value, low, high, model."""
    return table.filter(pl.col("judge") == judge).select(
        row=pl.col("label").replace(LABEL_NAMES),
        series=pl.lit("mean over texts; line: lowest and highest text"),
        value="bias",
        low="low",
        high="high",
        model="judge",
    )


def coarseness(table: pl.DataFrame) -> pl.DataFrame:
    """Show how coarse each judge's marks are."""
    top = pl.col("top").list.eval(pl.element().round(1).cast(pl.String)).list.join(", ")
    return table.select(
        "judge",
        "calls",
        _span(table, "lowest", "highest", 1).alias("marks"),
        pl.col("distinct").alias("different ones"),
        top.alias("most frequent"),
        pl.col("top_share").alias("their share"),
        pl.col("cell_sd").alias("spread of repeats"),
        _span(table, "deviation_low", "deviation_high", 2).alias("95% of repeats"),
        pl.col("largest_difference").alias("largest label gap"),
        pl.col("largest_text").alias("on text"),
    )


def typed(table: pl.DataFrame) -> pl.DataFrame:
    """Show the typed contrast of each judge."""
    return table.select(
        "judge",
        "estimate",
        "p",
        "p_adjusted",
        pl.col("verdict_now").alias("verdict"),
        pl.col("error").alias("standard error"),
        pl.col("low").alias("from"),
        pl.col("high").alias("to"),
        pl.col("detectable").alias("detectable effect"),
        "k",
        *_reasons(table),
    )


def deliveries(table: pl.DataFrame) -> pl.DataFrame:
    """Show the published means by how a text was handed over."""
    return table.select(
        pl.col("delivery").replace(DELIVERY_NAMES).alias("handed over"),
        pl.col("label").replace(LABEL_NAMES),
        "mean",
        pl.col("sd").alias("spread"),
        "note",
    )


def kinds(table: pl.DataFrame) -> pl.DataFrame:
    """Write labels and their kinds in words."""
    return table.with_columns(
        pl.col("kind").replace(KIND_NAMES), pl.col("label").replace(LABEL_NAMES)
    )
