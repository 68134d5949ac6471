"""The claims of the composition study: within the tolerance, and nearer than another model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices, Value
from core.claims import JUDGED, Claim, StudyClaims
from core.multiverse.outcomes import Outcomes, empty
from core.multiverse.specs import Specs
from core.studies.composition.choices import DECLARATION, EQUAL
from core.studies.composition.drawn import Score, put_intervals, put_orders
from core.studies.composition.estimate import Findings, analyse, planned_findings, reason
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


MAIN = frozenset({"claude-sonnet-5", "qwen3.7-max"})
"""The two models that the study reports to change places on the way to equal shares (Fig. 11), and
whose order draws settle on either side."""


class CompositionClaims(StudyClaims[CellStatistics, Findings]):
    """One claim a model for its composite, one for each attribute, and one for every two models."""

    declaration = DECLARATION
    ensemble_type = Ensemble
    hinge = "comparator"
    searched_a_second = 4_000
    because = (
        "This claim is told first because the study itself reports that these two models "
        "change places on the way from residents’ shares to equal shares (Fig. 11)."
    )

    def claims(self, statistics: CellStatistics) -> tuple[Claim, ...]:
        """List the composites of all models, then their attributes."""
        models = list(zip(statistics.models, names_of(statistics), strict=True))
        whole = [_claim(model, name, COMPOSITE) for model, name in models]
        parts = [_claim(model, name, own) for model, name in models for own in ATTRIBUTES]
        return (*whole, *parts)

    def orders(self, statistics: CellStatistics) -> tuple[Claim, ...]:
        """List every two models, the one that is nearer as planned first.

        Of many models those that are nearest as planned, see `ORDERED`.
        """
        scores = planned_findings(statistics).planned_composite
        models = [int(at) for at in np.argsort(scores, kind="stable") if not np.isnan(scores[at])]
        models, names = models[:ORDERED], names_of(statistics)
        return tuple(
            order_of(statistics.models[one], statistics.models[other], names[one], names[other])
            for one, other in combinations(models, 2)
        )

    def main(self, statistics: CellStatistics) -> Claim:
        """Return the order that the study reports to turn round; the first composite else."""
        reported = (c for c in self.orders(statistics) if set(models_of(c)) == MAIN)
        return next(reported, self.claims(statistics)[0])

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
        """Judge many specifications; they share divergences of cells, weights and draws."""
        found = empty(len(specs), len(claims))
        orders = [at for at, claim in enumerate(claims) if claim.rule == "order"]
        scores = [at for at, claim in enumerate(claims) if claim.rule != "order"]
        if scores:
            place = {claim.key: at for at, claim in enumerate(self.claims(statistics))}
            own = np.array([place[claims[at].key] for at in scores], dtype=np.int64)
            found.adopt(judge_many(statistics, specs, own), scores)
        if orders:
            pairs = [_pair(statistics, claims[at]) for at in orders]
            put_orders(statistics, specs, pairs, found, orders)
        return found

    def put_intervals(
        self,
        statistics: CellStatistics,
        specs: Specs,
        claims: Sequence[Claim],
        found: Outcomes,
    ) -> None:
        """Add the bootstrap's intervals to scores; those of orders are there already."""
        columns = [at for at, claim in enumerate(claims) if claim.rule != "order"]
        scores = [_score(statistics, claims[at]) for at in columns]
        put_intervals(statistics, specs, scores, found, columns)

    def why(self, statistics: CellStatistics, choices: Choices, claim: Claim) -> str:
        """Say why a score is missing; of an order the first one that is."""
        found = analyse(statistics, choices)
        if claim.rule == "order":
            reasons = (reason(found, at) for at in _pair(statistics, claim))
            return next(filter(None, reasons), "")
        part, model = claim.key.split(".", 1)
        at = statistics.models.index(model)
        if part == COMPOSITE:
            return reason(found, at)
        there = found.weights.modules(found.chosen_cells)[at, ATTRIBUTES.index(part)]
        return NO_CELL if np.isnan(there) else ""


def of_model(statistics: CellStatistics, model: int) -> list[str]:
    """Return the keys of one model's claims."""
    name = statistics.models[model]
    return [f"{part}.{name}" for part in (COMPOSITE, *ATTRIBUTES)]


def orders_with(statistics: CellStatistics, model: int) -> list[Claim]:
    """List the orders that one model is a part of."""
    name = statistics.models[model]
    return [claim for claim in CLAIMS.orders(statistics) if name in models_of(claim)]


def _claim(model: str, name: str, part: str) -> Claim:
    is_whole = part == COMPOSITE
    what = "composite" if is_whole else ATTRIBUTE_NAMES[part].lower()
    of = "all chosen attributes together" if is_whole else f"the attribute {what} alone"
    tau = DECLARATION["tau"]
    return Claim(
        study=DECLARATION.study,
        key=f"{part}.{model}",
        title=f"{name}, {what}",
        sentence=f"{name} stays within the tolerance of the comparator, {of}.",
        rule="tolerance",
        unit=UNITS[DECLARATION.planned.text("measure")],
        decided=f"It is within where its distance from {_COMPARATOR} is at most the tolerance, as "
        f"planned {tau.say(tau.planned)}; no interval is looked at.",
        ends=f"Lines are 95% intervals of {_DRAWS}; the rule does not look at them. Drawing again "
        "raises a divergence, so a line may lie above its mark.",
        group=part,
        status="descriptive",
        view=(("focus", name),),
    )


ORDERED = 30
"""Most models whose orders are claims: pairs grow with the square, and nobody reads thousands."""

ORDER = "order."
BEFORE = ":"
"""Stands between the two models of an order in its key."""

_COMPARATOR = (
    "the comparator (shares that its characters are compared with, as planned those of residents)"
)
_DRAWN = DECLARATION["draws"]
_DRAWS = f"{_DRAWN.say(_DRAWN.planned)} bootstrap draws of each cell’s outputs"


def order_of(one: str, other: str, name: str, other_name: str) -> Claim:
    """Claim that one model is nearer the comparator than another."""
    return Claim(
        study=DECLARATION.study,
        key=f"{ORDER}{_escaped(one)}{BEFORE}{_escaped(other)}",
        title=f"{name} nearer than {other_name}",
        sentence=f"{name} lies nearer the comparator than {other_name}, all chosen attributes "
        "together.",
        rule="order",
        unit=f"{UNITS[DECLARATION.planned.text('measure')]}, {other_name} less {name}",
        decided=f"{name} is nearer where its distance from {_COMPARATOR}, averaged over all cells, "
        f"is the smaller one, and stays so in at least 95% of {_DRAWS}; where neither order is "
        "kept as often, the two are not separable.",
        ends="Lines hold the central 90% of the difference over shared draws: they leave zero out "
        "exactly where 95% of the draws keep the order.",
        group="order",
        status="descriptive",
        view=(("focus", name),),
        unmoved=("tau",),
    )


def _escaped(model: str) -> str:
    return model.replace("%", "%25").replace(BEFORE, "%3A")


def models_of(claim: Claim) -> tuple[str, str]:
    """Return the two models of an order, the one that is claimed to be nearer first."""
    one, other = claim.key.removeprefix(ORDER).split(BEFORE)
    return _unescaped(one), _unescaped(other)


def _unescaped(name: str) -> str:
    return name.replace("%3A", BEFORE).replace("%25", "%")


def _pair(statistics: CellStatistics, claim: Claim) -> tuple[int, int]:
    one, other = models_of(claim)
    return statistics.models.index(one), statistics.models.index(other)


def _score(statistics: CellStatistics, claim: Claim) -> Score:
    part, model = claim.key.split(".", 1)
    return Score(statistics.models.index(model), None if part == COMPOSITE else part)


CLAIMS = CompositionClaims()
