"""Verdicts when several comparators survive the argument about which one is right.

Whoever can't rule out a set of comparators has a set of scores, not one. A verdict is determinate
only if it is the same under all of them (App. B.2 of the study).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.divergence import root_jensen_shannon
from core.studies.composition.estimate import analyse, grouping_of
from core.studies.composition.hierarchy import Weights, included_cells, weigh
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.shares import conditional_shares
from core.verdicts import determinate, tolerance

Array = NDArray[np.float64]

SHARED = ("regime", "modules", "measure", "weighting", "portfolio", "gate", "zeros", "tau")
"""Choices that must not differ between the specifications: only the comparator may."""


@dataclass(frozen=True, eq=False)
class Surviving:
    """Scores and verdicts under every surviving comparator. S comparators, M models, G cells.

    A cell counts only where each of the comparators is defined, so all scores are averages of the
    same cells.
    """

    specifications: tuple[Choices, ...]
    weights: Weights
    cells: Array
    """(S, M, G) divergences of the cells in the chosen measure; NaN where there is no number."""
    scores: Array
    """(S, M) composites in the chosen measure; NaN where one is not released."""
    root_scores: Array
    """(S, M) composites of the cells' root divergences, whatever the measure."""
    diameter: Array
    """(G,) largest root divergence between two of the comparators; NaN where one is undefined."""
    tau: float

    @property
    def interval(self) -> Array:
        """(M, 2) lowest and highest score: not a confidence interval."""
        return np.stack([self.scores.min(axis=0), self.scores.max(axis=0)], axis=-1)

    @property
    def root_spread(self) -> Array:
        """(M,) highest minus lowest composite on the root scale; never above `bound`."""
        return self.root_scores.max(axis=0) - self.root_scores.min(axis=0)

    @property
    def bound(self) -> Array:
        """(M,) composite of the diameters, the most that composites on the root scale can differ.

        For one cell, ``|d_JS(q, P1) - d_JS(q, P2)| <= diam(S)`` by the triangle inequality
        (App. B.2); averaging both sides with the same weights keeps it. It says nothing about
        composites of divergences without the root.
        """
        return self.weights.overall(np.broadcast_to(self.diameter, self.cells.shape[1:]))

    @property
    def verdicts(self) -> NDArray[np.str_]:
        """(S, M) verdict on each composite by the point rule."""
        return tolerance(self.scores, self.tau)

    @property
    def determinate(self) -> NDArray[np.bool_]:
        """(M,) whether the composite's verdict is the same under every comparator."""
        return determinate(self.verdicts)

    @property
    def determinate_cells(self) -> NDArray[np.bool_]:
        """(M, G) whether a cell's verdict is the same under every comparator."""
        return determinate(tolerance(self.cells, self.tau))

    @property
    def determinate_share(self) -> Array:
        """(M,) weight of the cells whose verdict is determinate, in [0, 1]."""
        return self.weights.overall(self.determinate_cells.astype(np.float64))


def survive(statistics: CellStatistics, specifications: Sequence[Choices]) -> Surviving:
    """Score a panel under every surviving comparator.

    Parameters
    ----------
    statistics
        A reduced panel.
    specifications
        One for each comparator; at least one, and alike in all of `SHARED`.

    Returns
    -------
    Surviving
        In the order of the specifications.

    Raises
    ------
    ValueError
        If there is no specification, or they differ in more than the comparator.
    """
    if not specifications:
        raise ValueError("specifications must name at least one comparator")
    first = specifications[0]
    for key in SHARED:
        values = {specification[key] for specification in specifications}
        if len(values) > 1:
            raise ValueError(f"specifications must share one {key}, not {sorted(map(str, values))}")
    found = [analyse(statistics, specification) for specification in specifications]
    part = found[0].statistics
    comparators = np.stack([findings.comparator for findings in found])
    included = included_cells(
        part.mapped,
        np.asarray(~np.isnan(comparators).any(axis=(0, 2))),
        portfolio=first.text("portfolio"),
        gate=int(first.number("gate")),
    )
    weights = weigh(
        included,
        part.mapped,
        grouping_of(part),
        modules=first.many("modules"),
        weighting=first.text("weighting"),
    )
    cells = np.stack([findings.chosen_cells for findings in found])
    roots = root_jensen_shannon(conditional_shares(part), comparators[:, None])
    return Surviving(
        specifications=tuple(specifications),
        weights=weights,
        cells=cells,
        scores=weights.overall(cells),
        root_scores=weights.overall(roots),
        diameter=_diameter(comparators),
        tau=first.number("tau"),
    )


def _diameter(comparators: Array) -> Array:
    """Largest pairwise root divergence in each cell, (G,), of comparators (S, G, K)."""
    pairs = [root_jensen_shannon(comparators, other) for other in comparators]
    return np.asarray(np.max(pairs, axis=(0, 1)))
