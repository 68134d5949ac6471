"""The claims of the composition study: each model's divergence lies within the tolerance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices, Value
from core.claims import JUDGED, Claim, StudyClaims
from core.multiverse.outcomes import Outcomes
from core.multiverse.specs import Specs
from core.studies.composition.choices import DECLARATION, EQUAL
from core.studies.composition.estimate import Findings, analyse, reason
from core.studies.composition.many import judge_many
from core.studies.composition.pinned import printed
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.sources import ATTRIBUTE_NAMES, ATTRIBUTES
from core.studies.composition.tables import attribute_table, compare, model_table, names_of

COMPOSITE = "composite"

NO_CELL = "No cell of this attribute counts under these choices, so there is no score."

UNITS = {
    "jsd": "bits",
    "root_jsd": "square root of bits",
    "total_variation": "total variation",
    "largest_deviation": "largest deviation",
}


class Ensemble(basis.Ensemble[CellStatistics, Findings]):
    """Panels that stand for the composition study."""

    @staticmethod
    def analyse(statistics: CellStatistics, choices: Choices) -> Findings:
        """Compute every estimate of one panel."""
        return analyse(statistics, choices)


class CompositionClaims(StudyClaims[CellStatistics, Findings]):
    """One claim a model for its composite, and one for each attribute."""

    declaration = DECLARATION
    ensemble_type = Ensemble

    def claims(self, statistics: CellStatistics) -> tuple[Claim, ...]:
        """List the composites of all models, then their attributes."""
        models = list(zip(statistics.models, names_of(statistics), strict=True))
        whole = [_claim(model, name, COMPOSITE) for model, name in models]
        parts = [_claim(model, name, own) for model, name in models for own in ATTRIBUTES]
        return (*whole, *parts)

    def main(self, statistics: CellStatistics) -> Claim:
        """Return the composite of the first model."""
        return self.claims(statistics)[0]

    def judge(self, statistics: CellStatistics, choices: Choices) -> pl.DataFrame:
        """Judge scores by the point rule ``d <= tau``; it looks at no interval and no p-value."""
        comparison = compare(statistics, analyse(statistics, choices))
        columns = ("chosen", "verdict_now", "reason")
        none = pl.col("chosen").is_null()
        attributes = attribute_table(comparison).with_columns(
            reason=pl.when(none).then(pl.lit(NO_CELL)).otherwise(pl.lit(""))
        )
        frames = [model_table(comparison), attributes]
        rows = pl.concat([frame.select(columns) for frame in frames])
        return rows.select(
            pl.Series("claim", [claim.key for claim in self.claims(statistics)]),
            pl.col("verdict_now").alias("verdict"),
            pl.col("chosen").alias("estimate"),
            pl.lit(None).alias("low"),
            pl.lit(None).alias("high"),
            pl.lit(UNITS[choices.text("measure")]).alias("unit"),
            pl.lit(None).alias("p"),
            pl.lit(None).alias("p_adjusted"),
            "reason",
        ).cast(JUDGED)

    def states(
        self,
        ensemble: basis.Ensemble[CellStatistics, Findings],
        choices: Choices,
        judged: pl.DataFrame,
    ) -> NDArray[np.bool_]:
        """Say which verdicts a printed score settles: rounding cannot hide on which side it is."""
        del judged
        names = names_of(ensemble.statistics[0])
        figures = [printed("composite", n, choices, pins=ensemble.pins) for n in names] + [
            printed("module", n, choices, attribute=a, pins=ensemble.pins)
            for n in names
            for a in ATTRIBUTES
        ]
        tau = choices.number("tau")
        settled = [f is not None and abs(f.value - tau) > f.half_unit for f in figures]
        return np.array(settled, dtype=np.bool_)

    moving = (
        *("comparator", "lambda", "alpha", "regime", "modules", "measure", "weighting"),
        *("portfolio", "gate", "zeros", "tau"),
    )
    opening = ("comparator", "measure", "weighting", "portfolio", "gate", "tau")

    @property
    def values(self) -> Mapping[str, tuple[Value, ...]]:
        """Values to look at: those the study reports, wider tolerances, places on the paths."""
        return {
            "lambda": (0.25, 0.5, 0.75),
            "alpha": (0.75, 0.5, 0.25),
            "gate": (10, 15, 20, 24, 27),
            "tau": (0.1, 0.2, 0.3, 0.4, 0.6),
        }

    @property
    def opening_values(self) -> Mapping[str, tuple[Value, ...]]:
        """Leave out what gives no composite: occupational shares are declared for gender only."""
        return {"comparator": ("geography", EQUAL, "mixture", "power")}

    def judge_many(
        self, statistics: CellStatistics, specs: Specs, claims: Sequence[Claim]
    ) -> Outcomes:
        """Judge many specifications; they share divergences of cells and weights."""
        place = {claim.key: at for at, claim in enumerate(self.claims(statistics))}
        scores = np.array([place[claim.key] for claim in claims], dtype=np.int64)
        return judge_many(statistics, specs, scores)

    def why(self, statistics: CellStatistics, choices: Choices, claim: Claim) -> str:
        """Say why a score is missing."""
        part, model = claim.key.split(".", 1)
        found = analyse(statistics, choices)
        at = statistics.models.index(model)
        if part == COMPOSITE:
            return reason(found, at)
        there = found.weights.modules(found.chosen_cells)[at, ATTRIBUTES.index(part)]
        return NO_CELL if np.isnan(there) else ""


def of_model(statistics: CellStatistics, model: int) -> list[str]:
    """Return the keys of one model's claims."""
    name = statistics.models[model]
    return [f"{part}.{name}" for part in (COMPOSITE, *ATTRIBUTES)]


def _claim(model: str, name: str, part: str) -> Claim:
    is_whole = part == COMPOSITE
    what = "composite" if is_whole else ATTRIBUTE_NAMES[part].lower()
    of = "all chosen attributes together" if is_whole else f"the attribute {what} alone"
    return Claim(
        study=DECLARATION.study,
        key=f"{part}.{model}",
        title=f"{name}, {what}",
        sentence=f"{name} stays within the tolerance of the comparator, {of}.",
        rule="tolerance",
        group=part,
        status="descriptive",
        view=(("focus", name),),
    )


CLAIMS = CompositionClaims()
