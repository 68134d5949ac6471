"""Claims: statements that a study's rule decides, and one way to have them judged in any study.

Reports, stories, the overview and the multiverse speak of claims by their keys; each study lists
its own in ``core/studies/<study>/claims.py`` and has them judged by its own verdict functions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.basis import Basis, Ensemble
from core.choices import Choice, Choices, Declaration, Value
from core.multiverse.outcomes import Codes, Outcomes
from core.multiverse.specs import Specs
from core.stats.resampling import Progress
from core.studies.about import STUDIES
from core.verdicts import Verdict, is_support

Rule = Literal["superiority", "margin", "tolerance", "order"]
Statistics = TypeVar("Statistics")
Findings = TypeVar("Findings")


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement that a rule can decide."""

    study: str
    key: str
    """Its name in links, unique within the study and panel."""
    title: str
    """Short, for tables and lists."""
    sentence: str
    """The claim in one plain sentence."""
    rule: Rule
    status: str
    """What the study itself calls it: confirmatory, secondary, post hoc, descriptive."""
    unit: str
    """Of its estimate as planned."""
    decided: str
    """What decides it, in one plain sentence."""
    ends: str = "Lines are the intervals that decide."
    """What the interval of its estimate is."""
    group: str = ""
    """Claims that say the same of others, such as of other models, have the same."""
    part: tuple[tuple[str, Value], ...] = ()
    """Choices that pick the part of the study it belongs to, such as which of two experiments."""
    view: tuple[tuple[str, str], ...] = ()
    """View settings under which the study's page shows it."""
    unmoved: tuple[str, ...] = ()
    """Choices that move other claims of the study and never this one."""

    def within(self, choices: Choices) -> Choices:
        """Return a specification with the part of the study that the claim belongs to."""
        return choices.replace(**dict(self.part))


@dataclass(frozen=True, slots=True)
class HeldAgainst:
    """One of several tests that a verdict rests on."""

    what: str
    """What the estimate is held against, such as zero."""
    level: float
    """Of the interval that matches the test, 0 to 1."""
    low: float
    high: float
    p: float
    """Not adjusted."""
    shows: str
    """What a small p-value shows."""


JUDGED = pl.Schema(
    {
        "claim": pl.String(),
        "verdict": pl.String(),
        "estimate": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "unit": pl.String(),
        "p": pl.Float64(),
        "p_adjusted": pl.Float64(),
        "reason": pl.String(),
    }
)
"""Columns of a table of judged claims."""


class StudyClaims(ABC, Generic[Statistics, Findings]):
    """The claims of one study, and how they are judged."""

    declaration: Declaration
    """The study's choices."""
    ensemble_type: type[Ensemble[Statistics, Findings]]
    """Puts panels that stand for the same study together."""
    because: str
    """Why a page opens with the claim of `main`, where rows stand for the document's."""
    hinge: str = ""
    """The choice that the study's page and the front door tell of: named before others that flip a
    verdict as well."""
    searched_a_second: int
    """Sets of two or three changes that one panel is judged under in a second, about: so that a
    reader knows how long a search takes."""

    @property
    def study(self) -> str:
        """Name of the study."""
        return self.declaration.study

    @abstractmethod
    def claims(self, statistics: Statistics) -> tuple[Claim, ...]:
        """List every claim that a panel can be asked about."""

    def orders(self, statistics: Statistics) -> tuple[Claim, ...]:
        """List claims that one model is nearer its target than another.

        They are decided by random draws of two models, which take a while, so they are judged
        where they are asked for and not by `judge`.
        """
        del statistics
        return ()

    def everything(self, statistics: Statistics) -> tuple[Claim, ...]:
        """List every claim that the multiverse can be asked about."""
        return (*self.orders(statistics), *self.claims(statistics))

    def beside(
        self, ensemble: Ensemble[Statistics, Findings], choices: Choices, claim: Claim
    ) -> str:
        """Say what a claim's verdict must not be shown without; empty where there is nothing."""
        del ensemble, choices, claim
        return ""

    @abstractmethod
    def main(self, statistics: Statistics) -> Claim:
        """Return the claim that a page opens with."""

    def opening_claim(self, statistics: Statistics, *, documented: bool) -> Claim:
        """Return the claim that a page opens with: of a panel of one's own, one with a verdict.

        Parameters
        ----------
        statistics
            A reduced panel with claims.
        documented
            Whether its rows stand for a document's, so that `main` is what the document is about.
        """
        main = self.main(statistics)
        planned = self.declaration.planned
        if documented or not self.why(statistics, main.within(planned), main):
            return main
        judged = self.judge(statistics, planned).filter(
            pl.col("verdict") != Verdict.CANNOT_COMPUTE.value
        )
        found = None if judged.is_empty() else self.find(statistics, judged["claim"][0])
        return found or main

    @abstractmethod
    def judge(self, statistics: Statistics, choices: Choices) -> pl.DataFrame:
        """Judge every claim under one specification.

        Parameters
        ----------
        statistics
            A reduced panel.
        choices
            One value for each choice; those that pick a part of the study are set for each claim.

        Returns
        -------
        polars.DataFrame
            The columns of `JUDGED`, one row a claim, in the order of `claims`: verdict (of
            `core.verdicts`), estimate, low and high (the interval that decides; null where the
            rule looks at none), unit, p and p_adjusted (null where there is none), reason (why
            there is no verdict; empty where there is one).
        """

    def ensemble(
        self, statistics: Sequence[Statistics], *, documented: bool, pins: Collection[str] = ()
    ) -> Ensemble[Statistics, Findings]:
        """Put panels that stand for the same study together; the first is the one on the page."""
        return self.ensemble_type(tuple(statistics), documented, pins)

    @abstractmethod
    def states(
        self, ensemble: Ensemble[Statistics, Findings], choices: Choices, judged: pl.DataFrame
    ) -> NDArray[np.bool_]:
        """Say for which claims the document itself states or settles the shown verdict, (K,).

        Parameters
        ----------
        ensemble
            The panels.
        choices
            The specification.
        judged
            The claims of the first panel, as `judge` gives them.
        """

    def decided(self, claim: Claim, choices: Choices) -> str:
        """Say what decides a claim under a specification; as planned where nothing else is said."""
        del choices
        return claim.decided

    def held_against(
        self, statistics: Statistics, choices: Choices, claim: Claim
    ) -> tuple[HeldAgainst, ...]:
        """List the tests of a claim whose verdict rests on several; none where it is one."""
        del statistics, choices, claim
        return ()

    @property
    @abstractmethod
    def moving(self) -> tuple[str, ...]:
        """Choices that can move a claim, in declared order; others are no axis of a multiverse."""

    @property
    def values(self) -> Mapping[str, tuple[Value, ...]]:
        """Values to look at where a reader names none, such as those that the study reports."""
        return {}

    @property
    @abstractmethod
    def opening(self) -> tuple[str, ...]:
        """Choices that vary in the multiverse that a page opens with."""

    @property
    def opening_values(self) -> Mapping[str, tuple[Value, ...]]:
        """Values over those of `values` in the multiverse that a page opens with."""
        return {}

    @abstractmethod
    def judge_many(self, statistics: Statistics, specs: Specs, claims: Sequence[Claim]) -> Outcomes:
        """Judge some claims under many specifications; as `judge` for each of them."""

    def put_intervals(
        self, statistics: Statistics, specs: Specs, claims: Sequence[Claim], found: Outcomes
    ) -> None:
        """Add intervals for a curve to outcomes whose rule looks at none."""
        del statistics, specs, claims, found

    @abstractmethod
    def why(self, statistics: Statistics, choices: Choices, claim: Claim) -> str:
        """Say why a claim has no verdict; empty where it has one."""

    def can_calibrate(self, claim: Claim) -> bool:
        """Say whether data without its effect can be made: of claims of superiority."""
        return claim.rule == "superiority"

    def null_verdicts(
        self,
        statistics: Statistics,
        specs: Specs,
        claim: Claim,
        *,
        permutations: int,
        seed: int,
        progress: Progress | None = None,
    ) -> Codes:
        """Judge a claim in the data and in permutations without effects.

        Returns
        -------
        array, shape (P + 1, S)
            Codes of verdicts by analytic intervals; the first row is the data as observed.
        """
        raise NotImplementedError(f"{self.study} has no claim whose effect can be permuted away")

    def moves(self, choice: Choice, claim: Claim) -> bool:
        """Say whether a choice can move a claim: not one that belongs to another part."""
        if choice.key not in self.moving or choice.key in claim.unmoved:
            return False
        return choice.only_with is None or dict(claim.part).get(choice.only_with[0]) in (
            None,
            choice.only_with[1],
        )

    def leaves_open(self, claim: Claim, choices: Choices) -> bool:
        """Say whether the document leaves a verdict open, so that no reconstruction can tell it."""
        del claim, choices
        return False

    def find(self, statistics: Statistics, key: str) -> Claim | None:
        """Find a claim by its key; None where the panel has no such claim."""
        return next((claim for claim in self.everything(statistics) if claim.key == key), None)

    def standing(self, ensemble: Ensemble[Statistics, Findings], choices: Choices) -> pl.DataFrame:
        """Judge every claim and say what stands behind its verdict.

        Returns
        -------
        polars.DataFrame
            The columns of `JUDGED` for the first panel, and holds (whether the claim stands; null
            without a verdict), count (panels with the shown verdict), size (panels), basis (a
            value of `core.basis.Basis`), is_open (the document leaves this verdict open) and
            certain (it may be told as a fact).
        """
        judged = self.judge(ensemble.statistics[0], choices)
        others = [judged, *(self.judge(own, choices) for own in ensemble.statistics[1:])]
        verdicts = np.stack([_in_order(own, judged) for own in others])
        settled = self.states(ensemble, choices, judged)
        is_open = np.array(
            [
                ensemble.documented and self.leaves_open(claim, claim.within(choices))
                for claim in self.claims(ensemble.statistics[0])
            ],
            dtype=np.bool_,
        )
        behind = basis.of_verdicts(verdicts, settled & ensemble.documented)
        own_rows = not ensemble.documented
        return judged.with_columns(
            holds=holds(judged["verdict"]),
            count=(verdicts == verdicts[0]).sum(axis=0),
            size=pl.lit(ensemble.size),
            basis=pl.Series(behind),
            is_open=pl.Series(is_open),
            certain=pl.Series(own_rows | (~is_open & (behind != Basis.VARIES.value))),
        )


def holds(verdicts: pl.Series) -> pl.Series:
    """Say whether claims stand: supported, practically zero, or within tolerance; null without."""
    words = verdicts.to_numpy().astype(np.str_)
    stands = is_support(words) | (words == Verdict.WITHIN.value)
    frame = pl.DataFrame({"stands": stands, "none": words == Verdict.CANNOT_COMPUTE.value})
    return frame.select(pl.when(~pl.col("none")).then("stands").alias("holds"))["holds"]


def _in_order(judged: pl.DataFrame, like: pl.DataFrame) -> NDArray[np.str_]:
    """Verdicts in the order of another panel's claims; a claim that is not there has none."""
    if judged["claim"].equals(like["claim"]):
        return judged["verdict"].to_numpy().astype(np.str_)
    joined = like.select("claim").join(judged, on="claim", how="left", maintain_order="left")
    found = joined["verdict"].fill_null(Verdict.CANNOT_COMPUTE.value)
    return found.to_numpy().astype(np.str_)


@cache
def of(study: str) -> StudyClaims[Any, Any]:
    """Return the claims of a study by its name.

    Raises
    ------
    KeyError
        If there is no such study.
    """
    if study not in {known.name for known in STUDIES}:
        raise KeyError(f"there is no study {study!r}")
    # A study's analysis is loaded when it is asked for, and it needs this module itself.
    found: StudyClaims[Any, Any] = import_module(f"core.studies.{study}.claims").CLAIMS
    return found
