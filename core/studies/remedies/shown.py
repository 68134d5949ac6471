"""Findings as the remedies page shows them: frames of charts, and tables with headings in words."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from core.choices import Choices
from core.studies.remedies import design
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.design import CONTRASTS, FACTOR_NAMES
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.scales import Decider
from core.studies.remedies.tables import who
from core.words import number, p_value, percent, signed

SHORT = {contrast.name: FACTOR_NAMES[contrast.factor] for contrast in CONTRASTS}
"""One word for each contrast; the axis says which style is compared with which."""

MEASURE_ROWS = {"differ": "pairs of guises", "mixed": "complaints", "": " "}
"""Names of the measures of instability in percent; the last keeps the rows of two charts level."""

FREE = {"verdict_now": "", "verdict_planned": "", "flip": False, "varies": False}
"""What a number without a verdict has in a chart."""


def is_moved(before: Choices, after: Choices) -> bool:
    """Say whether a choice that governs the whole page changed."""
    return any(
        before[c.key] != after[c.key] and not c.section and not c.is_part for c in DECLARATION
    )


def name(decider: Decider) -> str:
    """Name a decider."""
    return str(who(decider)["decider"])


def names(deciders: Sequence[Decider]) -> list[str]:
    """Name deciders, in their order."""
    return [name(decider) for decider in deciders]


def in_focus(deciders: Sequence[Decider], choices: Choices) -> Decider:
    """Find the decider in focus, else that system on other texts, else the first."""
    wanted = Decider(choices.text("system"), choices.text("bank"))
    same = [d for d in deciders if d.system == wanted.system]
    return wanted if wanted in deciders else (same or list(deciders))[0]


def graded_in_focus(
    statistics: Statistics, deciders: Sequence[Decider], choices: Choices
) -> Decider | None:
    """Find who answers with probabilities, on the texts in focus where it has them."""
    graded = [d for d in deciders if not statistics.gives_labels(d.system)]
    if not graded:
        return None
    focus = in_focus(deciders, choices)
    own = [d for d in graded if d == focus] or [d for d in graded if d.bank == focus.bank]
    return (own or graded)[0]


def gap_rows(material: pl.DataFrame, quantity: str) -> pl.DataFrame:
    """Rows of the chart of signed gaps, from a material table with what stands behind it."""
    return material.filter(pl.col("quantity_id") == quantity).select(
        group="decider",
        row=pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String),
        value="estimate",
        low="low",
        high="high",
        planned="planned",
        verdict_now="verdict_now",
        verdict_planned="verdict_planned",
        flip="flip",
        varies="varies",
        behind="behind",
    )


def instability_rows(instability: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of instability in percent, one place in each group kept free."""
    rows = instability.filter(pl.col("measure_id").is_in(list(MEASURE_ROWS))).select(
        group="decider",
        row=pl.col("measure_id").replace_strict(MEASURE_ROWS, return_dtype=pl.String),
        value="value",
        low="low",
        high="high",
        planned="planned",
        behind="behind",
    )
    free = rows.unique("group", maintain_order=True).select(
        "group",
        pl.lit(MEASURE_ROWS[""]).alias("row"),
        *(
            pl.lit(None, dtype=pl.Float64).alias(name)
            for name in ("value", "low", "high", "planned")
        ),
        pl.lit("").alias("behind"),
    )
    return pl.concat([rows, free]).with_columns(
        pl.lit(value).alias(name) for name, value in FREE.items()
    )


def both_scales(scales: pl.DataFrame, material: pl.DataFrame) -> pl.DataFrame:
    """Show both scales of every decider, one row each; a word never without instability."""
    gaps = material.filter(pl.col("quantity_id") == "gap").select(
        "decider", "contrast", "verdict_basis", varying="varies"
    )
    joined = scales.join(gaps, on=("decider", "contrast"), how="left", maintain_order="left")
    return joined.select(
        pl.col("decider").alias("who decides"),
        _to("rate", 1).alias("paid, %"),
        pl.format(
            "{} [{}, {}]", _signed("largest_gap", 2), _signed("low", 2), _signed("high", 2)
        ).alias("largest gap, pp"),
        pl.col("contrast").replace_strict(SHORT, default="–").alias("by"),
        pl.when(pl.col("varying").fill_null(value=False))
        .then(pl.format("{} (varies)", "word"))
        .otherwise("word")
        .alias("the gap is"),
        _to("differ", 1).alias("pairs of guises that differ, %"),
        _to("mixed", 1).alias("complaints not unanimous, %"),
        _to("mpad", 3).alias("mean difference, tiers"),
        pl.col("complaints"),
    )


def tests(material: pl.DataFrame, quantity: str) -> pl.DataFrame:
    """Show three tests beside each other, with the decider's instability."""
    digits = {"gap": 2}.get(quantity, 3)
    rows = material.filter(pl.col("quantity_id") == quantity)
    return rows.select(
        pl.col("decider").alias("who decides"),
        pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String).alias("by"),
        pl.format(
            "{} [{}, {}]", _to("estimate", digits), _to("low", digits), _to("high", digits)
        ).alias("estimate"),
        _p("p_zero").alias("p: not zero"),
        _p("p_equivalent").alias("p: inside the bound"),
        _p("p_beyond").alias("p: outside it"),
        pl.col("verdict_now").alias("the gap is"),
        pl.col("verdict_planned").alias("as planned"),
        _to("differ", 1).alias("pairs that differ, %"),
        "behind",
    )


def claims(table: pl.DataFrame) -> pl.DataFrame:
    """Show directional claims with raw and adjusted p-values."""
    return table.select(
        pl.col("decider").alias("who decides"),
        pl.col("outcome").replace_strict(OUTCOMES, default=pl.col("outcome")),
        pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String).alias("by"),
        _signed("estimate", 3).alias("gap, tiers"),
        _signed("low", 3).alias("from"),
        _signed("high", 3).alias("to"),
        "p",
        "p_adjusted",
        pl.col("tests").alias("tests in family"),
        pl.col("verdict_now").alias("verdict now"),
        pl.col("verdict_planned").alias("planned"),
        "behind",
    )


OUTCOMES = {
    "tier": "tier",
    "e_tier": "expected tier",
    "argmax": "most probable tier",
    "p2": "probability of tier 2",
    "monetary": "monetary decision",
    "graded": "graded outcome",
}


def claim_grid(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the verdict grid of directional claims: one row a decider and outcome.

    The column system_id gives a row's colour.
    """
    short = {"e_tier": "expected", "argmax": "most probable"}
    outcome = pl.col("outcome").replace(short)
    writer = pl.col("bank_id").replace_strict(design.system_names(), default=pl.col("bank_id"))
    own = pl.when(pl.col("system_id") == pl.col("bank_id")).then(pl.lit("own"))
    return table.select(
        model=pl.format("{} ({}): {}", "system", own.otherwise(writer), outcome),
        scope=pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String),
        planned="planned",
        chosen="estimate",
        verdict_planned="verdict_planned",
        verdict_now="verdict_now",
        flip="flip",
        varies="varies",
        behind="behind",
        system_id="system_id",
    )


def coloured(grid: pl.DataFrame) -> tuple[list[str], list[str]]:
    """Return the rows of a verdict grid and the system of each, which gives its colour."""
    rows = grid.unique("model", maintain_order=True)
    return rows["model"].to_list(), rows["system_id"].to_list()


def _to(name: str, decimals: int) -> pl.Expr:
    return pl.col(name).map_elements(
        lambda v: number(v, decimals), return_dtype=pl.String
    ).fill_null("–")  # fmt: skip


def _signed(name: str, decimals: int) -> pl.Expr:
    return pl.col(name).map_elements(
        lambda v: signed(v, decimals), return_dtype=pl.String
    ).fill_null("–")  # fmt: skip


def _percent(name: str, decimals: int = 1) -> pl.Expr:
    return pl.col(name).map_elements(
        lambda v: percent(v, decimals), return_dtype=pl.String
    ).fill_null("–")  # fmt: skip


def _p(name: str) -> pl.Expr:
    return pl.col(name).map_elements(p_value, return_dtype=pl.String).fill_null("–")


def gap_grid(material: pl.DataFrame) -> pl.DataFrame:
    """Rows of a verdict grid of gaps: one row a decider."""
    return material.select(
        model="decider",
        scope=pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String),
        planned="planned",
        chosen="estimate",
        verdict_planned="verdict_planned",
        verdict_now="verdict_now",
        flip="flip",
        varies="varies",
        behind="behind",
    )
