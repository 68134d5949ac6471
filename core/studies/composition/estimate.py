"""What the composition study estimates, as a pure function of (statistics, choices).

Names follow the study: ``d`` is a cell's divergence, the composite averages cells within contexts,
contexts within attributes and attributes alike; the planned comparator is the resident population.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.divergence import MEASURES
from core.studies.composition.choices import DECLARATION
from core.studies.composition.hierarchy import (
    Grouping,
    Weights,
    group,
    included_cells,
    weigh,
)
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.shares import (
    comparator_shares,
    conditional_shares,
    resident_targets,
)
from core.studies.composition.sources import ATTRIBUTE_NAMES, ATTRIBUTES

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Findings:
    """Every estimate under one specification. M models, G cells of its regime, C contexts."""

    choices: Choices
    statistics: CellStatistics
    """Cells of the chosen regime."""
    resident: Array
    """(G, K) shares of the planned comparator."""
    comparator: Array
    """(G, K) shares of the chosen comparator; NaN rows where it is not defined."""
    planned_cells: Array
    """(M, G) divergence from the planned comparator; NaN where there is no number."""
    chosen_cells: Array
    """(M, G) divergence from the chosen comparator."""
    included: NDArray[np.bool_]
    """(M, G) which cells count."""
    weights: Weights

    @property
    def planned_composite(self) -> Array:
        """(M,) composite divergence from the planned comparator, on the cells that count."""
        return self.weights.overall(self.planned_cells)

    @property
    def chosen_composite(self) -> Array:
        """(M,) composite divergence from the chosen comparator, on the same cells."""
        return self.weights.overall(self.chosen_cells)

    @property
    def mean_absolute_change(self) -> Array:
        """(M,) average absolute change of a cell when the comparator is replaced.

        ``Agg(|d_g^chosen - d_g^planned|)``: absolute value first, then the hierarchy (App. D.4,
        D.8). It is not the change of the composite, in which cells cancel.
        """
        return self.weights.overall(np.abs(self.chosen_cells - self.planned_cells))


def analyse(statistics: CellStatistics, choices: Choices) -> Findings:
    """Compute every estimate under one specification.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        One value for each choice of the study.

    Returns
    -------
    Findings
        Cells, contexts, attributes and composites. Where something cannot be computed it is NaN
        and `reason` says why.
    """
    part = statistics.in_regime(choices.text("regime"))
    zero_mass = float(choices.text("zeros"))
    comparator = comparator_shares(part, choices)
    included = included_cells(
        part.mapped,
        np.asarray(~np.isnan(comparator).any(-1)),
        portfolio=choices.text("portfolio"),
        gate=int(choices.number("gate")),
    )
    weights = weigh(
        included,
        part.mapped,
        grouping_of(part),
        modules=choices.many("modules"),
        weighting=choices.text("weighting"),
    )
    return Findings(
        choices=choices,
        statistics=part,
        resident=resident_targets(part, zero_mass),
        comparator=comparator,
        planned_cells=planned_divergence(part, choices.text("measure"), zero_mass),
        chosen_cells=MEASURES[choices.text("measure")](conditional_shares(part), comparator),
        included=included,
        weights=weights,
    )


@lru_cache(maxsize=32)
def planned_findings(statistics: CellStatistics) -> Findings:
    """Every estimate in the planned setting; kept, since every view is compared with it."""
    return analyse(statistics, DECLARATION.planned)


@lru_cache(maxsize=32)
def planned_divergence(statistics: CellStatistics, measure: str, zero_mass: float) -> Array:
    """(M, G) divergence from the resident population; kept, since most choices leave it alone."""
    shares = conditional_shares(statistics)
    values = MEASURES[measure](shares, resident_targets(statistics, zero_mass))
    values.flags.writeable = False
    return values


@lru_cache(maxsize=32)
def grouping_of(statistics: CellStatistics) -> Grouping:
    """Find contexts and attributes of the cells; kept."""
    return group(statistics.cells)


def reason(findings: Findings, model: int) -> str:
    """Say why a model has no composite, or an empty text where it has one."""
    if findings.weights.complete[model]:
        return ""
    choices = findings.choices
    if choices.text("comparator") == "occupational" and choices.many("modules") != (
        "gender_to_sex",
    ):
        return (
            "Occupational shares are declared for gender in the United States only, so the "
            "composite of the chosen attributes has cells without a comparator."
        )
    empty = [
        ATTRIBUTE_NAMES[name].lower()
        for name, there in zip(ATTRIBUTES, findings.weights.has_module[model], strict=True)
        if name in choices.many("modules") and not there
    ]
    if choices.text("portfolio") == "source_scoreable":
        return f"No cell of {', '.join(empty)} has a mapped output."
    scope = " for every model" if choices.text("portfolio") == "common_intersection" else ""
    return (
        f"No cell of {', '.join(empty)} has {int(choices.number('gate'))} mapped outputs{scope}; "
        "a composite needs every chosen attribute."
    )
