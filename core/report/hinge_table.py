"""What planned verdicts hinge on, as a part of a report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import polars as pl

from core import claims
from core.choices import Choices
from core.claims import Claim
from core.multiverse import words
from core.report.document import Block, Grid, Text
from core.report.in_short import NOTHING_ASKED, main_claim, told_claims
from core.studies.reduced import Reduced
from core.verdicts import Verdict
from core.views.view import marked
from core.words import listed, unmarked


def blocks(
    found: Reduced,
    choices: Choices,
    singles: pl.DataFrame,
    *,
    only: Collection[str] | None = None,
    looking: Mapping[str, str] = NOTHING_ASKED,
) -> list[Block]:
    """Say what each planned verdict hinges on.

    Parameters
    ----------
    found
        The panel with those that stand for the same rows.
    choices
        The specification: says which part of the study is told.
    singles
        Single changes from the planned setting of all claims that are told, as
        `core.multiverse.hinges` gives them.
    only
        Keys of the claims to tell; None for all of the part.
    looking
        View settings, such as the model in focus.
    """
    study = claims.of(choices.study)
    statistics = found.statistics[0]
    told = told_claims(study, statistics, choices)
    main = main_claim(study, statistics, told, looking)
    listed_claims = [claim for claim in told if only is None or claim.key in only]
    if main is None or not listed_claims:
        return [Text("The panel has none of the claims told here, so there is nothing to flip.")]
    first = singles.group_by("claim", maintain_order=True).agg(pl.col("before").first())
    planned = dict(first.iter_rows())
    opened = {c.key for c in told if _is_open(found, c)}
    opening: list[Block] = []
    if main.key in planned and (only is None or main.key in only):
        said = words.opening(main, planned[main.key], singles, is_open=main.key in opened)
        opening = [Text(unmarked(said))]
    none = Verdict.CANNOT_COMPUTE.value
    given = [c for c in listed_claims if c.key not in opened and planned.get(c.key, none) != none]
    flipped = singles.filter(pl.col("count") > 0)["claim"].unique().to_list()
    rows = tuple(
        (claim.title, marked(planned[claim.key]), unmarked(words.hinges_on(singles, claim.key)))
        for claim in given
        if claim.key in flipped
    )
    head = ("claim", "verdict as planned", "hinges on")
    table = [Grid("Single changes", head, rows, words.alone(singles))] if rows else []
    firm = [claim for claim in given if claim.key not in flipped]
    return [*opening, *table, *_rest(firm, planned, _named(listed_claims, opened))]


def _is_open(found: Reduced, claim: Claim) -> bool:
    """Say whether the document leaves a claim's planned verdict open."""
    study = claims.of(claim.study)
    setting = claim.within(study.declaration.planned)
    return found.documented and study.leaves_open(claim, setting)


def _named(told: Sequence[Claim], keys: Collection[str]) -> list[str]:
    return [claim.title for claim in told if claim.key in keys]


def _rest(firm: Sequence[Claim], planned: dict[str, str], left_open: Sequence[str]) -> list[Text]:
    """Name the claims that nothing flips, and those without a verdict."""
    said = []
    if firm:
        names = [f"{claim.title} ({planned[claim.key]})" for claim in firm]
        what = "the verdict" if len(firm) == 1 else "a verdict"
        said.append(Text(f"No single change that was looked at flips {what} on {listed(names)}."))
    if left_open:
        said.append(Text(f"The document states no verdict on {listed(left_open)}."))
    return said
