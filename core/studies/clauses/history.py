"""Where the document contradicts itself, and what Hinge makes of it."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from core.figures import figures
from core.studies.clauses.design import STUDY
from core.words import number


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
