"""Which answers are missing: by run, model and condition, and what that does to a hypothesis."""

from __future__ import annotations

import numpy as np
import polars as pl

from core.studies.clauses import hypotheses
from core.studies.clauses.design import HYPOTHESES, Situation, model_names
from core.studies.clauses.estimate import Findings
from core.studies.clauses.reduce import ClauseStatistics
from core.words import counted, listed, percent, plain

WARN_BELOW = 0.95
"""Share of complete clause groups below which a hypothesis carries a warning."""

COUNTS = ("calls", "unparseable", "repaired", "repairable", "unusable")


def missing_table(statistics: ClauseStatistics, *, by_condition: bool = False) -> pl.DataFrame:
    """Count answers that could not be read.

    Parameters
    ----------
    statistics
        A reduced panel.
    by_condition
        Whether each condition has a row of its own.

    Returns
    -------
    polars.DataFrame
        run, model, model_id, (condition), calls, unparseable (before any repair), repaired,
        repairable (would parse after a repair that was not made), unusable, share (unusable among
        calls, in [0, 1]).
    """
    keys = ["run", "model", *(["condition"] if by_condition else [])]
    counts = statistics.calls.group_by(keys).agg(
        pl.col("calls").sum(),
        unparseable=(pl.col("calls") - pl.col("clean")).sum(),
        repaired=pl.col("repaired").sum(),
        repairable=pl.col("repairable").sum(),
        unusable=(pl.col("failed") + pl.col("repairable")).sum(),
    )
    order = {name: at for at, name in enumerate(statistics.models)}
    names = model_names()
    return (
        counts.sort("run", pl.col("model").replace_strict(order, return_dtype=pl.Int64), *keys[2:])
        .with_columns(model_id="model", share=pl.col("unusable") / pl.col("calls"))
        .with_columns(pl.col("model").replace(names))
        .select("run", "model", "model_id", *keys[2:], *COUNTS, "share")
    )


def totals(statistics: ClauseStatistics) -> pl.DataFrame:
    """As `missing_table`, one row a run."""
    table = missing_table(statistics).group_by("run", maintain_order=True).agg(pl.col(COUNTS).sum())
    return table.with_columns(share=pl.col("unusable") / pl.col("calls"))


def warnings(findings: Findings) -> list[str]:
    """Say where missing answers cost a hypothesis many clause groups.

    Returns
    -------
    list of str
        One sentence a run, model and hypothesis with fewer than `WARN_BELOW` of its clause groups
        complete, for the runs shown.
    """
    statistics = findings.statistics
    names = model_names()
    said = []
    for r, run in enumerate(statistics.runs):
        groups = int(findings.contrasted.scope[r].sum())
        for m, h in np.ndindex(len(statistics.models), len(HYPOTHESES)):
            n = int(findings.n[r, m, h])
            if run in findings.runs and statistics.answered[r, m] and 0 < n < WARN_BELOW * groups:
                model = plain(names.get(statistics.models[m], statistics.models[m]))
                where = _where(statistics, r, m, hypotheses.chosen(findings.choices)[h].situations)
                said.append(
                    f"{HYPOTHESES[h]} of {model} in {plain(run)} rests on {n:,} of {groups:,} "
                    f"clause groups ({percent(n / groups)}): answers are missing under {where}. If "
                    "they are missing for a reason that has to do with the rating, the estimate is "
                    "off; worst-case bounds show by how much at most."
                )
    return said


def _where(
    statistics: ClauseStatistics, run: int, model: int, needed: tuple[Situation, ...]
) -> str:
    """Name the situations among those needed that lack answers, with how many."""
    parts = []
    for situation in needed:
        if situation in statistics.situations:
            at = statistics.situations.index(situation)
            asked = statistics.asked[run, model, ..., at]
            gone = int((np.isnan(statistics.ratings["as_run"][run, model, ..., at]) & asked).sum())
            if gone:
                parts.append(f"{situation.words} ({counted(gone, 'answer')})")
    return listed(parts)
