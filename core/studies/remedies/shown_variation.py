"""Variation, disparity, distances and referral as the remedies page shows them."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from core.choices import Choices
from core.columns import texts
from core.studies.remedies.formats import (
    OUTCOMES,
    SHORT,
    bank,
    dots_of,
    fixed,
    plus,
    points,
    share,
    with_ends,
)
from core.studies.remedies.parts import ASSIGNS, SEPARATOR
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.variation import part_table, variation


def parts(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of variance parts, in percent; the study's own where terms were moved."""
    now = dots_of(table, "part", pl.lit("now"), ("share", "low", "high"), 100)
    if not table["moved"].any():
        return now
    before = dots_of(table, "part", pl.lit("with the study’s terms"), ("planned", "", ""), 100)
    return pl.concat([before, now])


def parts_of(statistics: Statistics, panel: str, system: str, choices: Choices) -> pl.DataFrame:
    """Parts of one reconstruction; no rows where its components cannot be estimated."""
    found = variation(statistics, panel, system, choices)
    return pl.DataFrame() if isinstance(found, str) else part_table(found, choices)


def part_list(table: pl.DataFrame) -> pl.DataFrame:
    """Show the parts with their terms, and the study's shares where terms were moved."""
    before = (
        [share(table, "planned").alias("with the study’s terms")] if table["moved"].any() else []
    )
    return table.select(
        "part",
        share(table, "share").alias("share now"),
        pl.format("[{}, {}]", share(table, "low"), share(table, "high")).alias("interval"),
        *before,
        "terms",
    )


def terms(table: pl.DataFrame) -> pl.DataFrame:
    """Show every component before truncation."""
    return table.select(
        "term",
        pl.col("part").fill_null("between complaints, left out"),
        pl.when("moved").then(pl.lit("yes")).otherwise(pl.lit("")).alias("moved"),
        texts(table["component"], _scientific)
        .alias("component before truncation"),
        share(table, "share", 2).alias("share"),
        share(table, "low", 2).alias("from"),
        share(table, "high", 2).alias("to"),
    )  # fmt: skip


def _scientific(value: float) -> str:
    return f"{value:.2e}".replace("-", "−")


def moved(text: str, thing: str, place: str, planned: Mapping[str, str]) -> str:
    """Add one move to a list of moves; back to where the study has it takes the move away."""
    pairs = [tuple(p.split(ASSIGNS, 1)) for p in text.split(SEPARATOR) if ASSIGNS in p]
    own = {t.strip(): p.strip() for t, p in pairs} | {thing: place}
    return SEPARATOR.join(f"{t}{ASSIGNS}{p}" for t, p in own.items() if planned.get(t) != p)


def differences_of_d(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of D: both bootstraps of each difference."""
    row = pl.format("{}, {}", _hypothesis(), bank())
    both = [
        dots_of(table, row, pl.lit("corrected"), ("difference", "low", "high")),
        dots_of(table, row, pl.lit("as registered"),
                ("difference", "registered_low", "registered_high")),
    ]  # fmt: skip
    return pl.concat(both)


def _hypothesis() -> pl.Expr:
    kind = {"six_orders": " six orders", "two_paraphrases": " two texts"}
    return pl.col("hypothesis") + pl.col("key").replace_strict(kind, default="")


NO_SPREAD = "Complaints do not differ in one of the two, so there is nothing to compare with."


def disparity(table: pl.DataFrame) -> pl.DataFrame:
    """Show differences of D; the two D themselves are not determined by the document."""
    return table.select(
        "hypothesis",
        pl.col("name").alias("difference of D"),
        bank().alias("texts"),
        plus(table, "difference", 4).alias("estimate"),
        pl.format("[{}, {}]", plus(table, "low", 4), plus(table, "high", 4)).alias("corrected"),
        pl.format("[{}, {}]", plus(table, "registered_low", 4), plus(table, "registered_high", 4))
        .alias("as registered"),
        pl.when(pl.col("hypothesis") == "H4")
        .then(fixed(table, "ratio", 2))
        .otherwise(pl.lit(""))
        .alias("ratio"),
        pl.when(pl.col("difference").is_nan() & (pl.col("reason") == ""))
        .then(pl.lit(NO_SPREAD))
        .otherwise("reason")
        .alias("why there is no number"),
    )  # fmt: skip


PAIR_NAMES = {
    "rescore": "asked again",
    "fresh_vs_original": "asked again later",
    "reversed_order": "options reversed",
    "same_persona_paraphrase": "same persona, other words",
    "different_persona_paraphrase": "another persona",
}


def distances(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of distances."""
    return dots_of(
        table,
        pl.col("pair").replace_strict(PAIR_NAMES),
        pl.when(pl.col("bank") == "").then(pl.lit("across both banks")).otherwise(bank()),
        ("distance", "", ""),
    )


def distance_list(table: pl.DataFrame) -> pl.DataFrame:
    """Show mean distances."""
    return table.select(
        pl.col("what").alias("two answers to"),
        pl.when(pl.col("bank") == "").then(pl.lit("across both banks")).otherwise(bank())
        .alias("texts"),
        fixed(table, "distance", 3).alias("total variation"),
        share(table, "flips").alias("other most probable tier"),
        pl.col("pairs").alias("pairs"),
        pl.col("reason").alias("why there is no number"),
    )  # fmt: skip


def residuals(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of residual shares."""
    outcome = pl.col("outcome").replace_strict(OUTCOMES, default=pl.col("outcome"))
    return dots_of(table, bank(), outcome, ("share", "low", "high"))


def orders(table: pl.DataFrame) -> pl.DataFrame:
    """Show the mean answer under every option order."""
    return table.select(
        pl.col("order").str.slice(1).str.split("").list.join(", ").alias("tiers offered as"),
        pl.col("last").alias("offered last"),
        bank().alias("texts"),
        fixed(table, "e_tier", 3).alias("expected tier"),
        *(fixed(table, f"p{j}", 3).alias(f"p of tier {j}") for j in range(3)),
    )


def referrals(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of referral gaps, in percentage points."""
    return dots_of(
        table,
        pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String),
        pl.lit("difference of shares referred"),
        ("gap", "low", "high"),
        100,
    )


def referral_list(table: pl.DataFrame) -> pl.DataFrame:
    """Show whom a referral reaches."""
    return table.select(
        pl.col("contrast"),
        share(table, "target").alias("first-named referred"),
        share(table, "reference").alias("second-named referred"),
        with_ends(points, table, ("gap", "low", "high"), 2)
        .alias("difference, pp"),
        "p",
        pl.col("reason").alias("why there is no number"),
    )  # fmt: skip
