"""Edits, mitigation, channels, audit and registration as the remedies page shows them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from core.columns import or_nan, table_of
from core.studies.remedies import design
from core.studies.remedies.design import FACTOR_NAMES, FAMILIES
from core.studies.remedies.formats import (
    DOTS,
    OUTCOMES,
    SHORT,
    dots_of,
    fixed,
    plus,
    points,
    share,
    tidy,
    with_ends,
)
from core.studies.remedies.recognition import Recognised
from core.studies.remedies.scales import Decider
from core.verdicts import Verdict
from core.words import listed, number, percent, plain, signed


def effects(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of edits: the graded outcome of every system, in tiers."""
    graded = table.filter(pl.col("outcome").is_in(["tier", "e_tier", "argmax"])).unique(
        ("system", "edit"), keep="first", maintain_order=True
    )
    return dots_of(graded, "edit", "system", ("effect", "low", "high"), model="system")


def effect_list(table: pl.DataFrame) -> pl.DataFrame:
    """Show effects of edits on every outcome."""
    return table.select(
        "system",
        "edit",
        pl.col("outcome").replace_strict(OUTCOMES, default=pl.col("outcome")),
        plus(table, "effect", 3).alias("effect"),
        pl.format("[{}, {}]", plus(table, "low", 3), plus(table, "high", 3)).alias("interval"),
        share(table, "moved_up").alias("moved up"),
        "complaints",
        pl.col("reason").alias("why there is no number"),
    )


def spans(table: pl.DataFrame) -> pl.DataFrame:
    """Show the fact span beside the largest gap."""
    return table.select(
        "system",
        with_ends(fixed, table, ("span", "low", "high"), 2)
        .alias("fact span, tiers"),
        fixed(table, "gap", 4).alias("largest gap, tiers"),
        pl.col("contrast").replace_strict(SHORT, default="–").alias("by"),
        fixed(table, "ratio", 0).alias("span over gap"),
        with_ends(points, table, ("money_span", "money_low", "money_high"))
        .alias("fact span, pp of monetary decisions"),
        "complaints",
        pl.col("reason").alias("why there is no number"),
    )  # fmt: skip


ARM_NAMES = {"M0": "M0, as written", "M1": "M1, one style", "M2": "M2, three styles"}


def arms(table: pl.DataFrame, decider: Decider, outcome: str) -> pl.DataFrame:
    """Rows of a chart of arms: gaps and instability of one decider, in tiers or percent."""
    own = arms_of(table, decider).filter(pl.col("outcome") == outcome)
    what = pl.col("what").replace_strict(SHORT, default=pl.col("what"))
    return dots_of(
        own,
        what,
        pl.col("arm").replace_strict(ARM_NAMES),
        scale=100 if outcome == "monetary" else 1,
    )


def arms_of(table: pl.DataFrame, decider: Decider) -> pl.DataFrame:
    """Rows of one decider."""
    return table.filter(
        (pl.col("system_id") == decider.system) & (pl.col("bank") == design.bank_name(decider.bank))
    )


def in_all(each: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Keep the reversals that every reconstruction has."""
    everywhere = pl.all_horizontal(pl.lit(own["reversed"]) for own in each)
    alike = all(own.height == each[0].height for own in each)
    return each[0].with_columns(reversed=everywhere if alike else pl.lit(value=False))


def arm_list(table: pl.DataFrame, decider: Decider) -> pl.DataFrame:
    """Show all arms of one decider with what is gone, and which gaps turn around."""
    money, first = pl.col("outcome") == "monetary", pl.col("value").first()
    rows = arms_of(table, decider).with_columns(
        left=pl.when(first.over("outcome", "what") != 0).then(
            pl.col("value") / first.over("outcome", "what")
        )
    )
    return rows.select(
        pl.col("outcome").replace_strict(OUTCOMES, default=pl.col("outcome")),
        pl.col("what").replace_strict(SHORT, default=pl.col("what")),
        "arm",
        pl.when(money)
        .then(points(rows, "value", 2))
        .otherwise(fixed(rows, "value", 4))
        .alias("value"),
        share(rows, "left", 0).alias("of M0"),
        pl.when(money)
        .then(with_ends(points, rows, ("less", "less_low", "less_high"), 2))
        .otherwise(with_ends(fixed, rows, ("less", "less_low", "less_high"), 4))
        .alias("M0 less this"),
        pl.when("reversed").then(pl.lit("yes")).otherwise(pl.lit("")).alias("reversed"),
        "complaints",
        pl.col("reason").alias("why there is no number"),
    )


def retention(table: pl.DataFrame) -> pl.DataFrame:
    """Show how much of the fact span standardising keeps."""
    return table.select(
        "system",
        pl.col("arm").replace_strict(ARM_NAMES),
        fixed(table, "unstyled", 2).alias("fact span as written, tiers"),
        fixed(table, "span", 2).alias("standardised"),
        with_ends(fixed, table, ("retention", "low", "high"), 2)
        .alias("kept"),
        "complaints",
        pl.col("reason").alias("why there is no number"),
    )  # fmt: skip


def drift(table: pl.DataFrame) -> pl.DataFrame:
    """Show whether the systems answered alike on another day."""
    return table.select(
        "system",
        "arm",
        share(table, "same").alias("same answer"),
        with_ends(plus, table, ("difference", "low", "high"), 3)
        .alias("mean difference, tiers"),
        "complaints",
    )  # fmt: skip


def reductions(table: pl.DataFrame) -> pl.DataFrame:
    """Show reductions of gaps with recorded and with fresh answers."""
    return table.select(
        "system",
        pl.col("decisions").alias("answers"),
        pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String).alias("by"),
        plus(table, "m0", 4).alias("gap as written"),
        plus(table, "m1", 4).alias("standardised"),
        with_ends(plus, table, ("reduction", "low", "high"), 4).alias("reduction, tiers"),
    )


def channels(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of channels: parts of each gap."""
    return dots_of(
        table,
        "family",
        pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String),
        ("contribution", "low", "high"),
    )


def channel_list(table: pl.DataFrame) -> pl.DataFrame:
    """Show each gap with its parts."""
    return pl.DataFrame([_part_of_gap(row) for row in table.iter_rows(named=True)])


def _part_of_gap(row: Mapping[str, Any]) -> dict[str, str]:
    gap, part, low, high = (
        signed(or_nan(row[name]), 4) for name in ("gap", "contribution", "low", "high")
    )
    return {
        "gap by": SHORT[row["contrast"]],
        "gap, tiers": gap,
        "part": f"{row['family']} (moved)" if row["moved"] else row["family"],
        "tiers": part,
        "interval": f"[{low}, {high}]",
        "all properties together": percent(or_nan(row["explained"])),
        "why there is no number": row["reason"],
    }


def attributes(table: pl.DataFrame) -> pl.DataFrame:
    """Show the part of each property, the largest first."""
    ordered = sorted(
        table.iter_rows(named=True), key=lambda row: abs(row["contribution"]), reverse=True
    )
    schema = dict.fromkeys(("property", "family", "tiers", "interval"), pl.String)
    return pl.DataFrame([_property(row) for row in ordered], schema=schema)


def _property(row: Mapping[str, Any]) -> dict[str, str]:
    part, low, high = (signed(row[name], 4) for name in ("contribution", "low", "high"))
    return {
        "property": row["attribute"],
        "family": row["family"],
        "tiers": part,
        "interval": f"[{low}, {high}]",
    }


def cues(found: Sequence[Recognised]) -> pl.DataFrame:
    """Rows of the chart of recognised and ambiguous guises, by contrast."""
    rows = [
        row | {"row": SHORT[own.contrast.name], "series": row["cue"], "value": row["gap"]}
        for own in found
        for row in own.table.iter_rows(named=True)
        if row["gap"] is not None
    ]
    return table_of(rows, DOTS)


def recognised_lines(found: Sequence[Recognised]) -> str:
    """Say how many guises are recognised."""
    told = [
        f"{SHORT[own.contrast.name]} {percent(own.shares[0])}"
        for own in found
        if not math.isnan(own.shares[0])
    ]
    return f"Guises that are recognised: {', '.join(told)}." if told else ""


def r2(table: pl.DataFrame) -> pl.DataFrame:
    """Show how well each family predicts, one row a target."""
    explained: dict[str, dict[str, str]] = {}
    for row in table.iter_rows(named=True):
        own = explained.setdefault(row["target"], {"target": _target_name(row["target"])})
        own[row["family"]] = number(or_nan(row["r2"]))
    return pl.DataFrame(list(explained.values()), dict.fromkeys(("target", *FAMILIES), pl.String))


def _target_name(target: str) -> str:
    """Name what is predicted: “income: high”, “remedy p2”."""
    factor, _, level = target.partition("_")
    name = FACTOR_NAMES.get(factor)
    return f"{name}: {level}" if name else target.replace("_", " ")


def who_flags(name: str = "who") -> pl.Expr:
    """Name auditors and exact checks."""
    known = {
        **design.system_names(),
        "either_auditor": "either auditor",
        "both_auditors": "both auditors",
        "amounts": "dollar amounts differ",
        "years": "years differ",
    }
    return pl.col(name).replace_strict(known, default=pl.col(name))


def flags(table: pl.DataFrame) -> pl.DataFrame:
    """Show shares of texts that are flagged."""
    return table.select(
        who_flags().alias("flagged by"),
        with_ends(share, table, ("rate", "low", "high"))
        .alias("share of texts"),
        *([pl.col("texts")] if "texts" in table.columns else []),
    )  # fmt: skip


def level_flags(table: pl.DataFrame) -> pl.DataFrame:
    """Show by style how many guises either auditor flags."""
    return table.select(
        pl.col("factor").replace_strict(FACTOR_NAMES, default=pl.col("factor")),
        pl.col("level").str.replace_all("_", " ").alias("style"),
        share(table, "rate").alias("flagged by either"),
        pl.format("{} of {}", "flagged", "guises").alias("guises"),
    )


def agreement(table: pl.DataFrame) -> pl.DataFrame:
    """Show how far two auditors agree."""
    return table.select(
        pl.col("kind").alias("texts"),
        pl.col("texts").alias("how many"),
        share(table, "agreement").alias("agree on material"),
        fixed(table, "kappa", 2).alias("Cohen’s kappa"),
        fixed(table, "kappa_3", 2).alias("kappa, three verdicts"),
    )


def screens(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of screened instability."""
    return dots_of(table, screen_name(), "system", ("ratio", "low", "high"), model="system")


def screen_name() -> pl.Expr:
    """Name a screen, with a mark at the chosen one."""
    both = " + ".join(design.system_name(auditor) for auditor in design.auditors())
    name = pl.col("screen").str.replace(both, "both auditors", literal=True)
    return pl.format("{}{}", name, pl.when("chosen").then(pl.lit(" •")).otherwise(pl.lit("")))


def screen_list(table: pl.DataFrame) -> pl.DataFrame:
    """Show screened instability."""
    return table.select(
        "system",
        screen_name().alias("has to pass"),
        fixed(table, "passing", 1).alias("guises that pass, of 36"),
        share(table, "all", 2).alias("pairs that differ, all"),
        share(table, "screened", 2).alias("passing"),
        with_ends(fixed, table, ("ratio", "low", "high"), 2).alias("ratio"),
        fixed(table, "mpad_ratio", 2).alias("ratio of mean differences"),
        pl.col("reason").alias("why there is no number"),
    )


NO_RULE = "no rule printed, so no verdict"


def registration(table: pl.DataFrame, each: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Show the registration ledger, its results first.

    Parameters
    ----------
    table
        The ledger.
    each
        Registered criteria held against the rows, one table a reconstruction.
    """
    same = pl.sum_horizontal(pl.lit(own["verdict_now"] == each[0]["verdict_now"]) for own in each)
    decided = each[0].with_columns(count=same)
    reading = pl.when(pl.col("reading") == "").then(pl.lit(""))
    return tidy(
        table.join(decided, on="hypothesis", how="left", maintain_order="left").select(
            "hypothesis",
            "status",
            pl.col("result").alias("result as printed"),
            pl.col("now")
            .fill_null(pl.format("numbers under “{}”", "numbers_in"))
            .alias("from the rows now"),
            pl.col("verdict_now").fill_null(NO_RULE).alias("criterion now"),
            pl.when(pl.lit(len(each) > 1) & pl.col("count").is_not_null())
            .then(pl.format("{} of {}", "count", pl.lit(len(each))))
            .otherwise(pl.lit(""))
            .alias("same in reconstructions"),
            "statement",
            "criterion",
            pl.format("{}{}", "recomputed", reading.otherwise(pl.format(": {}", "reading"))).alias(
                "recomputed here"
            ),
            "registration",
            "section",
            "note",
        )
    )


_IN_WORDS = {
    "supported": "are supported",
    "descriptive": "are descriptive",
    "not supported": "are not supported",
    "estimation": "are estimates without a verdict",
}
"""Results that several hypotheses share."""


def registration_counts(table: pl.DataFrame, decided: pl.DataFrame) -> str:
    """Count hypotheses by printed result, by what is recomputed, and by what is decided.

    Parameters
    ----------
    table
        The ledger.
    decided
        Registered criteria held against the rows of the panel in use.
    """
    results = table.select("hypothesis", pl.col("result").str.to_lowercase())
    common = [
        f"{results.filter(pl.col('result') == result).height} {words}"
        for result, words in _IN_WORDS.items()
    ]
    own = [
        f"“{plain(result)}” ({name})"
        for name, result in results.filter(~pl.col("result").is_in(list(_IN_WORDS))).iter_rows()
    ]
    done = dict(table.group_by("recomputed").len().iter_rows())
    found = (
        f"for {done.get('yes', 0)} hypotheses",
        f"for {done['partly']} in part" if done.get("partly") else "",
        f"for {done['no']} not" if done.get("no") else "",
    )
    verdicts = decided.filter(pl.col("verdict_now") != Verdict.CANNOT_COMPUTE.value).height
    ruled = f"The document prints or implies a rule for {decided.height}"
    given = (
        "each has a verdict here"
        if verdicts == decided.height
        else f"{verdicts} have a verdict here"
    )
    return (
        f"{table.height} hypotheses. As printed, {listed(common)}; the others are each told in "
        f"words of their own: {listed(own)}.\n\nNumbers are recomputed here from rows "
        f"{listed([text for text in found if text])}. {ruled}; {given}; for the other "
        f"{table.height - decided.height} the table says where their numbers stand."
    )
