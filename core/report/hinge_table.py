"""What planned verdicts hinge on, as a part of a report."""

from __future__ import annotations

import polars as pl

from core import claims
from core.choices import Choices
from core.claims import Claim
from core.multiverse import words
from core.multiverse.hinges import single_changes
from core.report.document import Block, Grid, Text
from core.studies.reduced import Reduced
from core.verdicts import Verdict
from core.views.view import marked
from core.words import unmarked

NOTE = (
    "Each choice was changed alone, from the planned setting; named are the changes that give "
    "another verdict in every reconstruction."
)


def blocks(found: Reduced, choices: Choices, singles: pl.DataFrame | None = None) -> list[Block]:
    """Say what each planned verdict hinges on.

    Parameters
    ----------
    found
        The panel with those that stand for the same rows.
    choices
        The specification: says which part of the study is told.
    singles
        Single changes from the planned setting, as `single_changes` gives them, where they are
        known already; working them out takes seconds.
    """
    study = claims.of(choices.study)
    known = study.claims(found.statistics[0])
    told = [claim for claim in known if _is_of(claim, choices)]
    main = study.main(found.statistics[0])
    ensemble = found.ensemble(study.ensemble_type)
    if singles is None:
        singles = single_changes(study, ensemble, told)
    if main not in known:
        singles = pl.concat([singles, single_changes(study, ensemble, [main])])
    first = singles.group_by("claim", maintain_order=True).agg(pl.col("before").first())
    planned = dict(first.iter_rows())

    def is_open(claim: Claim) -> bool:
        setting = claim.within(study.declaration.planned)
        return found.documented and study.leaves_open(claim, setting)

    def line(claim: Claim) -> tuple[str, str, str]:
        verdict = planned.get(claim.key, Verdict.CANNOT_COMPUTE.value)
        if is_open(claim):
            return claim.title, "–", words.OPEN
        if verdict == Verdict.CANNOT_COMPUTE:
            return claim.title, marked(verdict), "–"
        return claim.title, marked(verdict), unmarked(words.hinges_on(singles, claim.key))

    opening: list[Block] = []
    if _is_of(main, choices) and main.key in planned:
        said = words.opening(main, planned[main.key], singles, is_open=is_open(main))
        opening = [Text(unmarked(said))]
    head = ("claim", "verdict as planned", "hinges on")
    return [*opening, Grid("Single changes", head, tuple(map(line, told)), NOTE)]


def _is_of(claim: Claim, choices: Choices) -> bool:
    """Say whether a claim belongs to the part of the study that is told."""
    return all(choices[key] == value for key, value in claim.part)
