"""The claims of the clauses study: each hypothesis, for each model and run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices, Value
from core.claims import JUDGED, Claim, StudyClaims
from core.multiverse.outcomes import Codes, Outcomes
from core.multiverse.specs import Specs
from core.stats.resampling import Progress
from core.studies.clauses import stated
from core.studies.clauses.choices import DECLARATION, INTERVAL_ALONE
from core.studies.clauses.design import (
    EQUIVALENCE,
    HYPOTHESES,
    RUN_NAMES,
    RUNS,
    STUDY,
    short_names,
)
from core.studies.clauses.estimate import Findings, analyse, reason
from core.studies.clauses.hypotheses import CLAIMS as WORDS
from core.studies.clauses.many import judge_many
from core.studies.clauses.null import null_verdicts
from core.studies.clauses.reconstructions import Ensemble
from core.studies.clauses.reduce import ClauseStatistics
from core.studies.clauses.tables import Comparison, cell_table, keys_of, names_of
from core.verdicts import is_support

MAIN = ("v3", "gemini-3.1-pro-preview", "H2")
"""One of the two claims that the correction of the first publication took away."""

UNIT = "points"


class ClauseClaims(StudyClaims[ClauseStatistics, Findings]):
    """One claim a run, model and hypothesis."""

    declaration = DECLARATION
    ensemble_type = Ensemble
    hinge = "gate"
    searched_a_second = 350
    because = (
        "This claim is told first because the study reports that its registered adjustment "
        "for testing several claims, applied late, took this finding away."
    )

    def claims(self, statistics: ClauseStatistics) -> tuple[Claim, ...]:
        """List the claims by run, model and hypothesis."""
        names = dict(zip(statistics.models, names_of(statistics), strict=True))
        return tuple(_claim(key, names[key[1]]) for key in keys_of(statistics))

    def main(self, statistics: ClauseStatistics) -> Claim:
        """Return the claim that the page opens with; the last run's second hypothesis else."""
        found = self.find(statistics, key_of(MAIN))
        return found or self.claims(statistics)[0]

    def judge(self, statistics: ClauseStatistics, choices: Choices) -> pl.DataFrame:
        """Judge every cell; for H4 the interval is the one that matches its test."""
        found = analyse(statistics, choices)
        cells = cell_table(Comparison(found, found, documented=False))
        return cells.select(
            pl.Series("claim", [key_of(cell) for cell in keys_of(statistics)]),
            pl.col("verdict_now").alias("verdict"),
            "estimate",
            "low",
            "high",
            pl.lit(UNIT).alias("unit"),
            "p",
            "p_adjusted",
            "reason",
        ).cast(JUDGED)

    def states(
        self,
        ensemble: basis.Ensemble[ClauseStatistics, Findings],
        choices: Choices,
        judged: pl.DataFrame,
    ) -> NDArray[np.bool_]:
        """Say which verdicts the document prints, with the gate or by the interval alone."""
        supported = is_support(judged["verdict"].to_numpy().astype(np.str_))
        said = [stated.says(key, choices) for key in keys_of(ensemble.statistics[0])]
        pairs = zip(said, supported, strict=True)
        return np.array([one is not None and one == now for one, now in pairs], dtype=np.bool_)

    def leaves_open(self, claim: Claim, choices: Choices) -> bool:
        """Say whether the document states no verdict under the chosen gate."""
        run, model, hypothesis = cell_of(claim)
        return stated.is_open((run, model, hypothesis), choices)

    def decided(self, claim: Claim, choices: Choices) -> str:
        """Say what decides a claim, with the gate, the error rate and the margin in use."""
        return _decided(cell_of(claim)[2], choices)

    moving = tuple(c.key for c in DECLARATION if c.key not in ("runs", "leave_out"))
    opening = ("families", "gate", "tests", "alpha", "interval", "p")

    @property
    def values(self) -> Mapping[str, tuple[Value, ...]]:
        """Values to look at: usual error rates, margins around the registered one, few draws."""
        return {
            "alpha": (0.01, 0.025, 0.05, 0.075, 0.1),
            "margin": (0.2, 0.3, 0.4, 0.5, 0.75),
            # Fifty thousand take longer than all others together.
            "draws": ("2000", "10000"),
        }

    def judge_many(
        self, statistics: ClauseStatistics, specs: Specs, claims: Sequence[Claim]
    ) -> Outcomes:
        """Judge many specifications; those that differ in their judgement share resamples."""
        place = {key: at for at, key in enumerate(keys_of(statistics))}
        cells = np.array([place[cell_of(claim)] for claim in claims], dtype=np.int64)
        return judge_many(statistics, specs, cells)

    def null_verdicts(
        self,
        statistics: ClauseStatistics,
        specs: Specs,
        claim: Claim,
        *,
        permutations: int,
        seed: int,
        progress: Progress | None = None,
    ) -> Codes:
        """Judge a cell over clause groups with random signs."""
        at = np.unravel_index(
            keys_of(statistics).index(cell_of(claim)),
            (*statistics.shape, len(HYPOTHESES)),
        )
        cell = int(at[0]), int(at[1]), int(at[2])
        return null_verdicts(statistics, specs, cell, permutations, seed, progress)

    def why(self, statistics: ClauseStatistics, choices: Choices, claim: Claim) -> str:
        """Say why a cell has no verdict."""
        found = analyse(statistics, choices)
        at = np.unravel_index(keys_of(statistics).index(cell_of(claim)), found.estimate.shape)
        return reason(found, *(int(place) for place in at))


def cell_of(claim: Claim) -> stated.Cell:
    """Return the run, model and hypothesis of a claim."""
    run, rest = claim.key.split(".", 1)
    model, hypothesis = rest.rsplit(".", 1)
    return run.replace("%2E", ".").replace("%25", "%"), model, hypothesis


def key_of(cell: stated.Cell) -> str:
    """Join a cell's ids; a point within a run's name is escaped, so that no two keys are alike."""
    run, model, hypothesis = cell
    return f"{run.replace('%', '%25').replace('.', '%2E')}.{model}.{hypothesis}"


def _decided(hypothesis: str, choices: Choices) -> str:
    alpha, margin = (DECLARATION[key].say(choices[key]) for key in ("alpha", "margin"))
    alone = choices["gate"] == INTERVAL_ALONE
    raw = choices["gate"] == "none"
    if hypothesis == EQUIVALENCE:
        tests = "the interval that matches two one-sided tests; no p-value is looked at."
        if not alone:
            tests = (
                f"two one-sided tests whose {'' if raw else 'adjusted '}p-value is below {alpha}."
            )
        return (
            "It stands where the mean over clause groups is shown to be less than "
            f"{margin} points away from zero, by {tests}"
        )
    adjusted = "" if raw else ", adjusted for the hypotheses tested together,"
    gated = (
        "; no p-value is looked at." if alone else f" and the p-value{adjusted} is below {alpha}."
    )
    return (
        "It is supported where the interval of the mean over clause groups lies on the predicted "
        f"side of zero{gated}"
    )


def _claim(key: stated.Cell, name: str) -> Claim:
    run, model, hypothesis = key
    return Claim(
        study=STUDY,
        key=key_of(key),
        title=f"{short_names().get(model, name)} {hypothesis}, {run}",
        sentence=f"{WORDS[hypothesis]}: {name}, {RUN_NAMES.get(run, run)}.",
        rule="margin" if hypothesis == EQUIVALENCE else "superiority",
        unit=UNIT,
        decided=_decided(hypothesis, DECLARATION.planned),
        group=hypothesis,
        status="post hoc replication" if run == RUNS[-1] else "confirmatory",
        view=(("run", run), ("focus", name), ("hypothesis", hypothesis)),
    )


CLAIMS = ClauseClaims()
