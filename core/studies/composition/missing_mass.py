"""What the outputs without a category could change (App. D.5 and Table 19 of the study).

A composition is taken among the outputs that carry a declared category. Here the others come back
in: as a state of their own, completed in the best and the worst way, and as a penalty.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.divergence import MEASURES, jensen_shannon
from core.studies.composition.estimate import Findings, grouping_of
from core.studies.composition.hierarchy import Weights, included_cells, weigh
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.shares import conditional_shares
from core.studies.composition.sources import STATES

Array = NDArray[np.float64]

OUTCOMES = ("mapped", *STATES)
"""What can become of an output; every output has exactly one outcome in each attribute."""


@dataclass(frozen=True, eq=False)
class MissingMass:
    """Composites of every model with the unmapped outputs taken into account; each (M,).

    The first three are on the cells that count, the others on every cell with a source, whatever
    its number of mapped outputs. NaN where a model has no composite.
    """

    conditional: Array
    """S: among mapped outputs only."""
    augmented: Array
    """Unmapped outputs as one more category, of which the comparator has none."""
    visibility: Array
    """V: average share of unmapped outputs, in [0, 1]."""
    all_conditional: Array
    """As `conditional`, on every cell with a source and at least one mapped output."""
    best: Array
    """Every cell's unmapped outputs spread so that it comes as near as it can; bits."""
    worst: Array
    """Every cell's unmapped outputs spread so that it ends as far as it can; bits."""

    def penalised(self, eta: float) -> Array:
        """Add a penalty for unmapped outputs, ``D = S + eta V`` (App. D.5); may exceed 1."""
        return self.conditional + eta * self.visibility


def missing_mass(findings: Findings) -> MissingMass:
    """Compute every summary of the unmapped outputs under one specification.

    Parameters
    ----------
    findings
        What `analyse` returned; divergences are from its chosen comparator. The completion
        envelope is in bits whatever the measure, since its best case is one for that divergence.
    """
    part, measure = findings.statistics, MEASURES[findings.choices.text("measure")]
    unmapped = 1 - mapped_rates(part)
    observed = observed_shares(part)
    state_shares = np.concatenate([observed, unmapped[..., None]], axis=-1)
    state_target = np.concatenate(
        [findings.comparator, np.zeros((len(findings.comparator), 1))], axis=-1
    )
    support = findings.resident > 0
    # Once completed, all outputs of a cell are mapped.
    completed = _all_cells(findings, part.outputs)
    return MissingMass(
        conditional=findings.chosen_composite,
        augmented=findings.weights.overall(measure(state_shares, state_target)),
        visibility=findings.weights.overall(unmapped),
        all_conditional=_all_cells(findings, part.mapped).overall(
            measure(conditional_shares(part), findings.comparator)
        ),
        best=completed.overall(best_completion(observed, findings.comparator)),
        worst=completed.overall(worst_completion(observed, findings.comparator, support)),
    )


def mapped_rates(statistics: CellStatistics) -> Array:
    """Share of a cell's outputs that carry a declared category; (M, G), NaN without outputs."""
    return _per_output(statistics.mapped, statistics.outputs)


def observed_shares(statistics: CellStatistics) -> Array:
    """Shares among all outputs, ``rho q(a) = n_a / n``; (M, G, K), sums to the mapped rate."""
    return _per_output(statistics.counts, statistics.outputs[..., None])


def best_completion(observed: Array, target: Array) -> Array:
    """Least divergence that spreading the missing mass can reach.

    The divergence is convex and separable, and its slope in one category grows with the ratio
    ``c(a) / P(a)`` alone. So at the minimum every category that gets mass has the same ratio ``t``
    and no other has a lower one: ``c(a) = max(observed(a), t P(a))``.

    Parameters
    ----------
    observed
        (..., G, K) shares among all outputs; what they lack to one is spread, in fractions.
    target
        (G, K) shares of the comparator.

    Returns
    -------
    array, shape (..., G)
        Bits; NaN where the target or the outputs are missing.
    """
    return jensen_shannon(_levelled(observed, target), target)


def _levelled(observed: Array, target: Array) -> Array:
    """Raise the categories with the lowest ratio to the target to a common one."""
    share = np.broadcast_to(target, observed.shape)
    ratio = np.divide(observed, share, out=np.full(observed.shape, np.inf), where=share > 0)
    order = np.argsort(ratio, axis=-1)
    lowest = np.cumsum(np.take_along_axis(observed, order, -1), axis=-1)
    missing = _missing(observed)
    # Total mass at ratio t is the largest, over sets of raised categories, of what they and the
    # rest would hold; so the ratio at which it is one is the smallest over those sets, and the
    # best set is one of the k categories with the lowest ratios.
    levels = (missing + lowest) / np.cumsum(np.take_along_axis(share, order, -1), axis=-1)
    return np.maximum(observed, levels.min(-1, keepdims=True) * share)


def worst_completion(observed: Array, target: Array, support: NDArray[np.bool_]) -> Array:
    """Largest divergence that putting all missing mass on one declared category can reach.

    The divergence is convex, so no other way to spread the mass takes it further.

    Parameters
    ----------
    observed, target
        As for `best_completion`.
    support
        (G, K) which categories are declared.

    Returns
    -------
    array, shape (..., G)
        Bits; NaN where the target or the outputs are missing.
    """
    # The divergence is a sum of one term for each category; only the raised one's term changes.
    missing = _missing(observed)
    terms = jensen_shannon(observed[..., None], target[..., None])
    raised = jensen_shannon((observed + missing)[..., None], target[..., None])
    return terms.sum(-1) + np.where(support, raised - terms, -np.inf).max(-1)


def outcome_shares(statistics: CellStatistics) -> Array:
    """Split the outputs of each attribute by what became of them (Table 19).

    Parameters
    ----------
    statistics
        Cells of one prompt regime.

    Returns
    -------
    array, shape (M, 4, 5)
        By attribute and by `OUTCOMES`, over the outputs (not the cells) of cells with a declared
        source; sums to one, NaN for an attribute without such cells.
    """
    has_source = np.array([bool(names) for names in statistics.supports])
    outcomes = np.concatenate([statistics.mapped[..., None], statistics.states], axis=-1)
    in_module = grouping_of(statistics).cell_in_module * has_source[:, None]
    totals = np.einsum("mgs,ga->mas", outcomes, in_module)
    return _per_output(totals, totals.sum(-1, keepdims=True))


def _all_cells(findings: Findings, counted: NDArray[np.int64]) -> Weights:
    """Weigh every cell with a source and a count above zero."""
    choices = findings.choices
    included = included_cells(
        counted,
        np.asarray(~np.isnan(findings.comparator).any(-1)),
        portfolio="source_scoreable",
        gate=1,
    )
    return weigh(
        included,
        counted,
        grouping_of(findings.statistics),
        modules=choices.many("modules"),
        weighting=choices.text("weighting"),
    )


def _missing(observed: Array) -> Array:
    """Mass still to be spread, (..., 1); rounding must not leave a few 1e-17 below zero."""
    return np.maximum(1 - observed.sum(-1, keepdims=True), 0.0)


def _per_output(part: NDArray[np.int64] | Array, whole: NDArray[np.int64] | Array) -> Array:
    """Divide, with NaN where there is nothing to divide by."""
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
