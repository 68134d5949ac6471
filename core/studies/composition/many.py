"""Many specifications of the composition study at once.

Divergences of cells are shared by specifications with the same comparator and measure, weights by
those with the same cells and averages; every combination is one product.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.multiverse.outcomes import Outcomes, empty
from core.multiverse.specs import Specs
from core.stats.divergence import MEASURES
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import grouping_of
from core.studies.composition.hierarchy import Weights, included_cells, weigh
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.shares import comparator_shares, conditional_shares
from core.verdicts import tolerance

Array = NDArray[np.float64]
Index = NDArray[np.int64]

_COMPARED = (
    "zeros",
    *(c.key for c in DECLARATION if "comparator" in (c.key, *(c.only_with or ()))),
)
"""Choices that change the comparator's shares."""

_AVERAGED = ("portfolio", "gate", "modules", "weighting")
"""Choices that change which cells count, and how much."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """What the specifications of one prompt regime share. V comparators with a measure."""

    regime: str
    compared: tuple[tuple[Array, str], ...]
    """(V,) shares (G, K) of a comparator, and the measure."""
    cells: Array
    """(V, M, G) divergences."""
    which: Index
    """(S,) which of them a specification takes."""
    averages: tuple[tuple[Weights, Index], ...]
    """Weights with the specifications that use them."""


def judge_many(statistics: CellStatistics, specs: Specs, scores: Index) -> Outcomes:
    """Judge many specifications by the point rule.

    Parameters
    ----------
    statistics
        A reduced panel.
    specs
        The specifications.
    scores
        (K,) positions of the claims: composites by model, then attributes by model.

    Returns
    -------
    Outcomes
        Without intervals: the rule looks at none.
    """
    found = empty(len(specs), len(scores))
    for shared in prepare(statistics, specs, found):
        for weights, own in shared.averages:
            with found.timed("judging"):
                used, place = np.unique(shared.which[own], return_inverse=True)
                values = _scores(weights, shared.cells[used])[:, scores][place]
                row_of = np.empty(len(specs), dtype=np.int64)
                row_of[own] = np.arange(own.size)
                for judged, at in specs.groups(("tau",), own):
                    numbers = values[row_of[at]]
                    verdicts = tolerance(numbers, judged.number("tau"))
                    found.fill(at, verdicts, numbers, np.array(np.nan), np.array(np.nan))
    return found


def _scores(weights: Weights, cells: Array) -> Array:
    """Composites by model, then attributes by model, (V, M + M 4) of divergences (V, M, G)."""
    modules = weights.modules(cells).reshape(len(cells), -1)
    return np.concatenate([weights.overall(cells), modules], axis=1)


def prepare(statistics: CellStatistics, specs: Specs, found: Outcomes) -> Iterator[Prepared]:
    """Compute divergences of cells and weights that specifications share, regime by regime."""
    for choices, rows in specs.groups(("regime",)):
        with found.timed("judging"):
            regime = choices.text("regime")
            prepared = _prepared(statistics.in_regime(regime), regime, specs, rows)
        yield prepared


def _prepared(part: CellStatistics, regime: str, specs: Specs, rows: Index) -> Prepared:
    compared: list[tuple[Array, str]] = []
    which = np.zeros(len(specs), dtype=np.int64)
    for choices, own in specs.groups((*_COMPARED, "measure"), rows):
        which[own] = len(compared)
        compared.append((comparator_shares(part, choices), choices.text("measure")))
    observed = conditional_shares(part)
    cells = np.stack([MEASURES[measure](observed, shares) for shares, measure in compared])
    scoreable = np.array([~np.isnan(shares).any(-1) for shares, _ in compared])
    # Where a comparator is not defined, cells do not count: few comparators differ in that.
    masks, mask_of = np.unique(scoreable, axis=0, return_inverse=True)
    averages = []
    for choices, own in specs.groups(_AVERAGED, rows):
        for place, mask in enumerate(masks):
            at = own[mask_of.ravel()[which[own]] == place]
            if at.size:
                averages.append((_weights(part, choices, mask), at))
    return Prepared(regime, tuple(compared), cells, which, tuple(averages))


def _weights(part: CellStatistics, choices: Choices, scoreable: NDArray[np.bool_]) -> Weights:
    included = included_cells(
        part.mapped,
        scoreable,
        portfolio=choices.text("portfolio"),
        gate=int(choices.number("gate")),
    )
    return weigh(
        included,
        part.mapped,
        grouping_of(part),
        modules=choices.many("modules"),
        weighting=choices.text("weighting"),
    )
