"""The claims of the filenames study: each hypothesis for each judge, in both of its studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices, Value
from core.claims import JUDGED, Claim, StudyClaims
from core.multiverse.outcomes import Codes, Outcomes
from core.multiverse.specs import Specs
from core.stats.resampling import Progress
from core.studies.filenames import stated
from core.studies.filenames.choices import DECLARATION, SCOPE
from core.studies.filenames.design import (
    HYPOTHESES,
    PREDICTED,
    SECONDARY,
    SHORT_CLAIMS,
    STUDY,
    short_names,
)
from core.studies.filenames.estimate import Findings, analyse, estimates
from core.studies.filenames.many import judge_many
from core.studies.filenames.null import null_verdicts
from core.studies.filenames.reconstructions import Ensemble
from core.studies.filenames.reduce import Statistics
from core.studies.filenames.tables import compare, contrast_table, judge_names_of

UNIT = "points of 10"


class LabelClaims(StudyClaims[Statistics, Findings]):
    """One claim a study, judge and hypothesis."""

    declaration = DECLARATION
    ensemble_type = Ensemble
    hinge = "errors"
    searched_a_second = 1_000
    because = (
        "This claim is told first because the study asks whether a judge favours its own "
        "maker’s label; the first judge stands for the others, which can be set beside it."
    )

    def claims(self, statistics: Statistics) -> tuple[Claim, ...]:
        """List the claims by study, judge and hypothesis; a study without rows has none."""
        found = []
        for study in parts_of(statistics):
            own = statistics.in_study(study)
            names = judge_names_of(own)
            found += [
                _claim(study, judge, name, hypothesis)
                for judge, name in zip(own.judges, names, strict=True)
                for hypothesis in HYPOTHESES[study]
            ]
        return tuple(found)

    def main(self, statistics: Statistics) -> Claim:
        """Return whether the first judge puts its own maker's label above those of rivals."""
        claims = self.claims(statistics)
        own = [claim for claim in claims if cell_of(claim)[1] == "H2"]
        return (own or list(claims))[0]

    def judge(self, statistics: Statistics, choices: Choices) -> pl.DataFrame:
        """Judge both studies; the estimate keeps its sign, whatever is predicted."""
        rows = []
        for study in parts_of(statistics):
            found = analyse(statistics, choices.replace(study=study))
            table = contrast_table(compare(statistics, found))
            rows.append(
                table.select(
                    pl.concat_str(pl.lit(study), "judge_id", "hypothesis", separator=".").alias(
                        "claim"
                    ),
                    pl.col("verdict_now").alias("verdict"),
                    "estimate",
                    "low",
                    "high",
                    pl.lit(UNIT).alias("unit"),
                    "p",
                    "p_adjusted",
                    "reason",
                ).cast(JUDGED)
            )
        return pl.concat(rows)

    def states(
        self,
        ensemble: basis.Ensemble[Statistics, Findings],
        choices: Choices,
        judged: pl.DataFrame,
    ) -> NDArray[np.bool_]:
        """Say which verdicts the printed estimates and p-values settle."""
        claims = self.claims(ensemble.statistics[0])
        said = [
            stated.says(cell_of(claim), claim.within(choices), ensemble.pins) for claim in claims
        ]
        pairs = zip(said, judged["verdict"], strict=True)
        return np.array([one is not None and one == now for one, now in pairs], dtype=np.bool_)

    def decided(self, claim: Claim, choices: Choices) -> str:
        """Say what decides a claim, with the adjustment and the error rate in use."""
        del claim
        return _decided(choices)

    moving = (*(key for key in SCOPE if key != "study"), "errors", "gate", "family", "alpha")
    opening = ("documents", "genres", "authors", "errors", "gate", "family", "alpha")

    @property
    def values(self) -> Mapping[str, tuple[Value, ...]]:
        """Values to look at: usual error rates."""
        return {"alpha": (0.01, 0.025, 0.05, 0.075, 0.1)}

    def judge_many(self, statistics: Statistics, specs: Specs, claims: Sequence[Claim]) -> Outcomes:
        """Judge many specifications; those that differ in their judgement share a fit."""
        studies = [study for study in parts_of(statistics) if _of(claims, study)]
        cells, order = [], []
        for study in studies:
            judges, names = statistics.in_study(study).judges, HYPOTHESES[study]
            place = {(j, h): at for at, (j, h) in enumerate(product(judges, names))}
            cells.append(np.array([place[cell_of(claims[k])] for k in _of(claims, study)]))
            order += _of(claims, study)
        found = judge_many(statistics, specs, studies, cells)
        return found.claims(np.argsort(order))

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
        """Judge a contrast over permuted labels, or briefs with random signs."""
        study = str(dict(claim.part)["study"])
        judge, hypothesis = cell_of(claim)
        cell = (
            statistics.in_study(study).judges.index(judge),
            HYPOTHESES[study].index(hypothesis),
        )
        return null_verdicts(statistics, specs, study, cell, permutations, seed, progress)

    def why(self, statistics: Statistics, choices: Choices, claim: Claim) -> str:
        """Say why a contrast has no number."""
        found = estimates(statistics, claim.within(choices))
        judge, hypothesis = cell_of(claim)
        return found.why[found.part.judges.index(judge)][found.hypotheses.index(hypothesis)]


def _of(claims: Sequence[Claim], study: str) -> list[int]:
    """Positions of the claims of one study."""
    return [k for k, claim in enumerate(claims) if claim.part == (("study", study),)]


def parts_of(statistics: Statistics) -> list[str]:
    """List the studies that a panel has rows of."""
    return [study for study in HYPOTHESES if not statistics.in_study(study).is_empty]


def cell_of(claim: Claim) -> stated.Cell:
    """Return the judge and hypothesis of a claim."""
    judge, hypothesis = claim.key.split(".", 1)[1].rsplit(".", 1)
    return judge, hypothesis


def predicted(claim: Claim) -> int:
    """Return the sign that a claim predicts."""
    return PREDICTED[cell_of(claim)[1]]


def _decided(choices: Choices) -> str:
    adjusted = "" if choices["gate"] == "none" else ", adjusted for the claims tested together,"
    return (
        "It is supported where the difference of mean marks has the predicted sign and its "
        f"two-sided p-value{adjusted} is below {DECLARATION['alpha'].say(choices['alpha'])}."
    )


def _claim(study: str, judge: str, name: str, hypothesis: str) -> Claim:
    words = SHORT_CLAIMS[hypothesis]
    return Claim(
        study=STUDY,
        key=f"{study}.{judge}.{hypothesis}",
        title=f"{short_names().get(judge, name)} {hypothesis}, study {study}",
        sentence=f"{name} puts {'its ' if words.startswith('own') else ''}{words}.",
        rule="superiority",
        unit=UNIT,
        decided=_decided(DECLARATION.planned),
        status="secondary" if hypothesis in SECONDARY else "confirmatory",
        group=f"{study}.{hypothesis}",
        part=(("study", study),),
        view=(("focus", name),),
    )


CLAIMS = LabelClaims()
