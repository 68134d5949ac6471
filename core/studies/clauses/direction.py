"""Whom the models say a clause favours, against whom its wording favours."""

from __future__ import annotations

import polars as pl

from core.stats.sign_test import sign_test
from core.studies.clauses.design import OPAQUE, PARTIES, ROLE, Situation, model_names
from core.studies.clauses.reduce import ClauseStatistics

KINDS = {"role": ROLE, "opaque": OPAQUE}


def calls_of(statistics: ClauseStatistics, situation: Situation) -> pl.DataFrame:
    """Count the answers about one-sided variants in one situation, by run, model and archetype.

    Returns
    -------
    polars.DataFrame
        run, model, archetype, variant, calls (that name a party or neither), right, wrong,
        wrong_strong and wrong_weak (wrong answers by the party they name; the rest name neither).
    """
    rows = statistics.calls.filter(
        pl.col("variant").is_in(PARTIES)
        & (pl.col("labels") == situation.labels)
        & (pl.col("framing") == situation.framing)
    )
    right = pl.when(pl.col("variant") == "strong").then("says_strong").otherwise("says_weak").sum()
    other = {
        f"wrong_{party}": pl.when(pl.col("variant") != party)
        .then(f"says_{party}")
        .otherwise(0)
        .sum()
        for party in PARTIES
    }
    keys = ("run", "model", "archetype", "variant")
    counted = rows.group_by(keys).agg(pl.col("says_any").sum().alias("calls"), right=right, **other)
    return counted.with_columns(wrong=pl.col("calls") - pl.col("right")).sort(keys)


def direction_table(statistics: ClauseStatistics, labels: str) -> pl.DataFrame:
    """Right and wrong answers by run, and by run and model.

    Parameters
    ----------
    statistics
        A reduced panel.
    labels
        ``role`` or ``opaque``, with neutral framing.

    Returns
    -------
    polars.DataFrame
        run, model (“All models” first), model_id (empty there), calls, right, wrong, wrong_strong,
        wrong_weak, accuracy (in [0, 1], null without answers), p (exact sign test that wrong
        answers name either party equally often; null without any that names one).
    """
    calls = calls_of(statistics, KINDS[labels])
    sums = ("calls", "right", "wrong", "wrong_strong", "wrong_weak")
    by_run = calls.group_by("run").agg(pl.col(sums).sum()).with_columns(model=pl.lit(""))
    by_model = calls.group_by("run", "model").agg(pl.col(sums).sum())
    order = {name: at for at, name in enumerate(("", *statistics.models))}
    table = pl.concat([by_run.select("run", "model", *sums), by_model]).sort(
        "run", pl.col("model").replace_strict(order, return_dtype=pl.Int64)
    )
    names = {"": "All models", **model_names()}
    signs = table.select("wrong_strong", "wrong_weak").iter_rows()
    return table.select(
        "run",
        pl.col("model").replace(names),
        pl.col("model").alias("model_id"),
        *sums,
        accuracy=(pl.col("right") / pl.col("calls")).fill_nan(None),
        p=pl.Series([sign_test(*pair) for pair in signs], dtype=pl.Float64).fill_nan(None),
    )


def shown(table: pl.DataFrame) -> pl.DataFrame:
    """Show a direction table: shares of right answers, and whom the wrong ones name."""
    return table.select(
        "run",
        "model",
        pl.format("{}%", (100 * pl.col("accuracy")).round(1)).alias("right"),
        "wrong",
        pl.col("wrong_strong").alias("stronger"),
        pl.col("wrong_weak").alias("weaker"),
        "p",
    )


def shown_wrong(table: pl.DataFrame) -> pl.DataFrame:
    """Show the archetypes with wrong answers, with headings in words."""
    return table.select(
        pl.col("archetype").alias("clause"),
        "wrong",
        pl.col("wrong_strong").alias("stronger"),
        pl.col("dropped").alias("dropped for v3"),
    )


def wrong_archetypes(statistics: ClauseStatistics, run: str, labels: str = "role") -> pl.DataFrame:
    """List archetypes with wrong answers in a run.

    Returns
    -------
    polars.DataFrame
        archetype, wrong, wrong_strong, dropped (whether v3 left it out; null where not known); most
        wrong answers first.
    """
    table = (
        calls_of(statistics, KINDS[labels])
        .filter((pl.col("run") == run) & (pl.col("wrong") > 0))
        .group_by("archetype")
        .agg(pl.col("wrong", "wrong_strong").sum())
        .sort("wrong", "archetype", descending=[True, False])
    )
    known = statistics.archetypes
    if known is None:
        return table.with_columns(dropped=pl.lit(None, dtype=pl.Boolean))
    return table.join(known.select("archetype", "dropped"), on="archetype", how="left")
