"""What the study itself corrected, withdrew or contradicts, from its changelog and notes."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from core.figures import figures
from core.reference import table
from core.studies.clauses.design import STUDY
from core.studies.clauses.unchanged import Paired
from core.words import number

NEVER_POOLED = (
    "The two runs are never pooled: clauses were edited and the answer’s field order was turned "
    "around between them, so their difference has several causes at once."
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two things the document says that cannot both hold."""

    topic: str
    text: str
    figure_ids: tuple[str, ...]
    """Printed figures that it concerns."""


CONTRADICTIONS = (
    Contradiction(
        "Verdicts that differ between the runs",
        "The changelog says that Holm’s adjustment raised the count from three to six. The same "
        "entry names two cells that it changed, both in v3; with two changes the count rises from "
        "four to six. Three would need a third change, GPT-5.1 H3 in v3. Hinge follows the named "
        "cells and treats that verdict, by the interval alone, as not stated.",
        (
            "clauses.compare.verdicts_changed.before_correction",
            "clauses.v3.holm_changed_cells",
            "clauses.compare.verdicts_changed.gated",
        ),
    ),
    Contradiction(
        "Answers that could not be read in v3",
        "Printed as 1.22 percent, which is 102 of 8,352 answers; the counts by model add up to 99, "
        "which is 1.19 percent. Three answers read after a repair would close the gap; the text "
        "mentions none.",
        ("clauses.v3.unparseable.share", "clauses.v3.missing.count", "clauses.v3.missing.share"),
    ),
    Contradiction(
        "Why two verdicts were lost although their estimates grew",
        "The text names the smaller number of clauses and the adjustment. The number alone does "
        "not do it for GPT-5.1 H3: 0.29 over 58 groups is farther from zero, in standard errors, "
        "than 0.24 over 70 with the same spread. A larger spread or the adjustment has to come in.",
        ("clauses.v2.h3.gpt-5.1", "clauses.v3.h3.gpt-5.1"),
    ),
)


def changelog() -> pl.DataFrame:
    """Return the study's corrections, oldest first.

    Returns
    -------
    polars.DataFrame
        date, kind, subject, summary.
    """
    return table(STUDY, "changelog").select("date", "kind", "subject", "summary").sort("date")


def withdrawn() -> pl.DataFrame:
    """Return the claims that were withdrawn, as `changelog`."""
    return changelog().filter(pl.col("kind") == "withdrawal")


def contradiction_table() -> pl.DataFrame:
    """List the printed figures that each contradiction concerns.

    Returns
    -------
    polars.DataFrame
        topic, figure (its id), place, printed.
    """
    known = figures(STUDY)
    return pl.DataFrame(
        [
            {
                "topic": found.topic,
                "figure": figure_id,
                "place": known[figure_id].locator,
                "printed": number(known[figure_id].value, known[figure_id].decimals),
            }
            for found in CONTRADICTIONS
            for figure_id in found.figure_ids
        ]
    )


def control_moved(opaque: Paired) -> str:
    """Say, beside H2, what the control did between the runs.

    Parameters
    ----------
    opaque
        The paired comparison of unchanged clauses under opaque labels.
    """
    change = float(opaque.change.estimate[0])
    low, high = opaque.interval
    text = (
        f"On the clauses that both runs asked word for word, the tilt under opaque labels, H2’s "
        f"control, moved by {number(change)} ({number(low)} to {number(high)}). H2 is the tilt "
        "under role labels less that control, so "
    )
    if change == 0:
        return text + "this leaves it as it was."
    verb = "widens" if change < 0 else "narrows"
    return text + f"this by itself {verb} H2 by {number(abs(change))} from the first run on."
