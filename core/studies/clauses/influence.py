"""Which single clause a verdict hangs on: every verdict with one archetype left out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import polars as pl

from core.choices import Choices
from core.columns import texts
from core.stats.bootstrap_bca import flip_signs, resample_means
from core.studies.clauses.choices import DECLARATION, write_name
from core.studies.clauses.estimate import Contrasted, Findings, analyse, conclude
from core.studies.clauses.reduce import ClauseStatistics
from core.studies.clauses.tables import keys_of, names_of

SCHEMA = {
    "run": pl.String,
    "model": pl.String,
    "model_id": pl.String,
    "hypothesis": pl.String,
    "archetype": pl.String,
    "estimate": pl.Float64,
    "shift": pl.Float64,
    "verdict_now": pl.String,
    "verdict_without": pl.String,
    "flip": pl.Boolean,
}


@lru_cache(maxsize=8)
def influence(statistics: ClauseStatistics, choices: Choices) -> pl.DataFrame:
    """Leave out one archetype at a time, in every kind of contract, and judge again.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        The specification.

    Returns
    -------
    polars.DataFrame
        One row a cell and archetype of its run: run, model, model_id, hypothesis, archetype,
        estimate (without it), shift (that less the estimate with all), verdict_now,
        verdict_without, flip. Kept.
    """
    now = analyse(statistics, choices)
    parts = [
        _table(now, without, archetype)
        for archetype in sorted(set(statistics.column("archetype")))
        if (without := _without(now, archetype)) is not None
    ]
    return pl.concat(parts) if parts else pl.DataFrame(schema=SCHEMA)


def _without(now: Findings, archetype: str) -> Findings | None:
    """Analyse without one archetype; None where the choices leave it out anyway."""
    gone = np.array([name == archetype for name in now.statistics.column("archetype")])
    if not (now.contrasted.scope & gone).any():
        return None
    values = np.where(gone, np.nan, now.contrasted.values)
    contrasted = Contrasted(values, now.contrasted.scope & ~gone)
    draws, seed = int(now.choices.text("draws")), int(now.choices.text("seed"))
    permuted = now.choices.text("p") == "permutation"
    return conclude(
        now.statistics,
        now.choices,
        contrasted,
        resample_means(contrasted.flat, draws=draws, seed=seed),
        flip_signs(contrasted.flat, draws=draws, seed=seed) if permuted else None,
    )


def _table(now: Findings, without: Findings, archetype: str) -> pl.DataFrame:
    statistics = now.statistics
    names = dict(zip(statistics.models, names_of(statistics), strict=True))
    keys = keys_of(statistics)
    in_run = (now.contrasted.scope & ~without.contrasted.scope).any(axis=1)
    kept = np.repeat(in_run, len(keys) // len(statistics.runs))
    frame = pl.DataFrame(
        {
            "run": [run for run, _, _ in keys],
            "model": [names[model] for _, model, _ in keys],
            "model_id": [model for _, model, _ in keys],
            "hypothesis": [name for _, _, name in keys],
            "archetype": archetype,
            "estimate": pl.Series(without.estimate.ravel(), nan_to_null=True),
            "shift": pl.Series((without.estimate - now.estimate).ravel(), nan_to_null=True),
            "verdict_now": now.verdict.ravel(),
            "verdict_without": without.verdict.ravel(),
            "flip": (now.verdict != without.verdict).ravel(),
        },
        schema=SCHEMA,
    )
    return frame.filter(pl.Series(kept))


def hinges(table: pl.DataFrame) -> pl.DataFrame:
    """Sum up by cell: how many single archetypes flip its verdict, and which.

    Returns
    -------
    polars.DataFrame
        run, model, model_id, hypothesis, verdict_now, archetypes (number tried), flips, names (of
        the archetypes that flip it), lowest and highest (estimate with one left out).
    """
    return table.group_by(
        "run", "model", "model_id", "hypothesis", "verdict_now", maintain_order=True
    ).agg(
        archetypes=pl.len(),
        flips=pl.col("flip").sum(),
        names=pl.col("archetype").filter(pl.col("flip")),
        lowest=pl.col("estimate").min(),
        highest=pl.col("estimate").max(),
    )


def shown(table: pl.DataFrame) -> pl.DataFrame:
    """Show the cells that single archetypes flip, with headings in words."""
    return table.select(
        "run",
        "model",
        "hypothesis",
        pl.col("verdict_now").alias("verdict with all"),
        pl.format("{} of {}", "flips", "archetypes").alias("change it"),
        pl.col("lowest").alias("lowest estimate"),
        pl.col("highest").alias("highest estimate"),
        texts(table["names"], _some).alias("which clauses"),
    )


MOST_NAMES = 5


def _some(names: Sequence[str]) -> str:
    """List the first few names, and how many more there are."""
    first = names[:MOST_NAMES]
    rest = len(names) - len(first)
    return ", ".join(first) + (f" and {rest:,} more" if rest else "")


def tiles(table: pl.DataFrame, run: str) -> pl.DataFrame:
    """Flips of one run as tiles of a chart: the clauses that decide, by the verdict they decide.

    Parameters
    ----------
    table
        As `influence` gives it.
    run
        Which run.

    Returns
    -------
    polars.DataFrame
        archetype, cell (hypothesis and model), model, verdict_now, verdict_without, shift; clauses
        that decide most first, cells in the order of the table.
    """
    flips = table.filter("flip", pl.col("run") == run)
    return flips.select(
        "archetype",
        "model",
        "verdict_now",
        "verdict_without",
        "shift",
        cell=pl.col("hypothesis") + " " + pl.col("model"),
        decides=pl.len().over("archetype"),
    ).sort("decides", "archetype", descending=[True, False], maintain_order=True)


def add_to_list(choices: Choices, archetype: str) -> Choices:
    """Return the specification with one more archetype left out."""
    listed = choices.text("leave_out")
    name = write_name(archetype)
    longer = f"{listed}, {name}" if listed.strip() else name
    return choices.replace(leave_out=DECLARATION["leave_out"].repaired(longer))
