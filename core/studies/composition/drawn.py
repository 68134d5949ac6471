"""Bootstrap draws of scores under many specifications at once.

The draws are those of `core.studies.composition.uncertainty`: the same streams, the same numbers.
Of the thousands of draws of a cell few differ, so divergences are computed for those and looked up
for the rest; averages of cells are one matrix product for all specifications that share a
comparator and a measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.multiverse.outcomes import Outcomes
from core.multiverse.specs import Specs
from core.stats.resampling import Counts, percentile_interval
from core.stats.tabulated import divergence_of_absent, divergence_of_entries
from core.studies.composition.hierarchy import Weights
from core.studies.composition.many import Prepared, prepare
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.sources import ATTRIBUTES
from core.studies.composition.uncertainty import resample
from core.verdicts import SEPARABLE_LEVEL, order

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Rows = tuple[Index, ...]

LEVEL = 0.95
"""Level of the interval of a single score."""

LARGEST_CODE = 2**62


@dataclass(frozen=True, slots=True)
class Score:
    """A score of one model: its composite, or that of one attribute."""

    model: int
    attribute: str | None = None
    """None for the composite."""

    def weights(self, own: Weights) -> Array:
        """(G,) weights of the cells; NaN where the score is not released."""
        if self.attribute is None:
            there, share = own.complete[self.model], own.composite[self.model]
        else:
            at = ATTRIBUTES.index(self.attribute)
            there = own.has_module[self.model, at]
            share = own.within_module[self.model] * own.grouping.cell_in_module[:, at]
        return share if there else np.full(len(share), np.nan)


@dataclass(frozen=True, eq=False)
class Outputs:
    """Resampled outputs of one model in one regime.

    B draws; U distinct count vectors of all cells, whose shares of the categories seen are written
    one after another as E entries.
    """

    shares: Array
    """(E,)"""
    place: tuple[Index, Index]
    """(E,) cell and category of each."""
    starts: Index
    """(U,) where the entries of a vector begin."""
    cell: Index
    """(U,) cell of a vector."""
    absent: NDArray[np.bool_]
    """(G, K) categories that a cell has not seen."""
    cells: Index
    """(V,) cells whose draws differ."""
    which: Index
    """(V, B) the vector of each draw."""
    fixed_cells: Index
    """(F,) cells in which one category was seen, so that all draws are alike."""
    fixed: Index
    """(F,) their vectors."""

    def divergences(self, comparator: Array, measure: str) -> Array:
        """Divergence of every vector, (U,); 0 where the comparator (G, K) is not defined."""
        rest = divergence_of_absent(comparator, self.absent, measure)[self.cell]
        targets = comparator[self.place]
        values = divergence_of_entries(self.shares, targets, self.starts, rest, measure)
        return np.nan_to_num(values, nan=0.0)

    def scores(self, divergences: Array, weights: Array) -> Array:
        """Average divergences, (W, B), with the weights (W, G) of W specifications."""
        moving = weights[:, self.cells] @ np.take(divergences, self.which)
        still = weights[:, self.fixed_cells] @ divergences[self.fixed]
        return np.asarray(moving + still[:, None])


@lru_cache(maxsize=32)
def outputs(statistics: CellStatistics, regime: str, model: int, draws: int, seed: int) -> Outputs:
    """Resample the outputs of one model; kept, since all specifications of a regime share them."""
    drawn = resample(statistics, regime, draws=draws, seed=seed, models=(model,))
    part = drawn.statistics
    shares, cells, categories = [], [], []
    lengths: list[int] = []
    owners: list[int] = []
    which: list[Index] = []
    for own in drawn.cells:
        counts, places = _distinct(own.counts, own.n)
        which.append(places + len(owners))
        shares.append((counts / own.n).ravel())
        cells.append(np.full(counts.size, own.cell))
        categories.append(np.tile(own.columns, len(counts)))
        lengths += [own.columns.size] * len(counts)
        owners += [own.cell] * len(counts)
    of_cell = np.array([own.cell for own in drawn.cells], dtype=np.int64)
    moves = np.array([places.size > 1 for places in which], dtype=np.bool_)
    none = [np.zeros(0)]
    return Outputs(
        np.concatenate([*shares, *none]),
        (_whole(cells), _whole(categories)),
        np.concatenate([[0], np.cumsum(lengths)])[:-1].astype(np.int64),
        np.array(owners, dtype=np.int64),
        part.counts[model] == 0,
        of_cell[moves],
        np.array([which[at] for at in np.flatnonzero(moves)], dtype=np.int64).reshape(-1, draws),
        of_cell[~moves],
        _whole([which[at] for at in np.flatnonzero(~moves)]),
    )


def _whole(parts: Sequence[NDArray[np.integer]]) -> Index:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts]).astype(np.int64)


def _distinct(counts: Counts, n: int) -> tuple[Counts, Index]:
    """Find the distinct rows, and which of them each row is."""
    width = counts.shape[1]
    if (n + 1) ** width >= LARGEST_CODE:
        return counts, np.arange(len(counts))
    codes = counts.astype(np.int64) @ (n + 1) ** np.arange(width, dtype=np.int64)
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    return counts[first], which.ravel()


def put_intervals(
    statistics: CellStatistics,
    specs: Specs,
    scores: Sequence[Score],
    found: Outcomes,
    columns: Sequence[int],
) -> None:
    """Write down the percentile interval of each score under every specification.

    Parameters
    ----------
    statistics
        A reduced panel.
    specs
        The specifications; draws and seed are those of what does not vary.
    scores
        (K,) scores of single models.
    found
        Gets the ends of intervals at `LEVEL`; verdicts and estimates stay as they are.
    columns
        (K,) the columns of the scores there.
    """
    for shared in _shared(statistics, specs, found):
        for column, score in zip(columns, scores, strict=True):
            with found.timed("judging"):
                ends = percentile_interval(shared.draws(score), LEVEL, axis=1)
                for (low, high), rows in zip(ends, shared.rows, strict=True):
                    found.low[rows, column], found.high[rows, column] = low, high


def put_orders(
    statistics: CellStatistics,
    specs: Specs,
    pairs: Sequence[tuple[int, int]],
    found: Outcomes,
    columns: Sequence[int],
) -> None:
    """Judge which of two composites is the lower one under every specification.

    Parameters
    ----------
    statistics, specs
        As for `put_intervals`.
    pairs
        (P,) positions of two models; the claim is that the first is nearer the comparator.
    found
        Gets verdicts, gaps (the second composite less the first) and the central 90% of the gaps
        of shared draws, whose lower end lies above zero exactly where 95% of the draws keep the
        first below the second.
    columns
        (P,) their columns there.
    """
    for shared in _shared(statistics, specs, found):
        for column, (one, other) in zip(columns, pairs, strict=True):
            with found.timed("judging"):
                gaps = shared.draws(Score(other)) - shared.draws(Score(one))
                estimates = shared.estimates(other) - shared.estimates(one)
                low = np.quantile(gaps, 1 - SEPARABLE_LEVEL, axis=1, method="higher")
                high = np.quantile(gaps, SEPARABLE_LEVEL, axis=1, method="lower")
                verdicts = order(estimates, (gaps > 0).mean(axis=1), (gaps < 0).mean(axis=1))
                # (S, 1): what each way of averaging gives, for every specification that uses it.
                which = np.repeat(np.arange(len(shared.rows)), [rows.size for rows in shared.rows])
                which = which[:, None]
                found.put(
                    np.concatenate(shared.rows),
                    np.array([column]),
                    verdicts[which],
                    estimates[which],
                    low[which],
                    high[which],
                )


@dataclass(eq=False)
class _Shared:
    """Specifications that share a comparator and a measure; W ways of averaging among them."""

    source: CellStatistics
    base: Choices
    prepared: Prepared
    place: int
    """Position of the comparator and measure."""
    averages: tuple[Weights, ...]
    """(W,)"""
    rows: Rows
    """(W,) the specifications of each."""
    found: Outcomes

    def __post_init__(self) -> None:
        """Keep what several claims ask for."""
        self._divergences: dict[int, Array] = {}
        self._draws: dict[Score, Array] = {}
        self._composites: Array | None = None

    def draws(self, score: Score) -> Array:
        """Draws of a score, (W, B); NaN where it is not released."""
        if score not in self._draws:
            weights = np.stack([score.weights(own) for own in self.averages])
            there = ~np.isnan(weights).any(axis=1)
            drawn = np.full((len(self.averages), int(self.base.text("draws"))), np.nan)
            if there.any():
                own = self._outputs(score.model)
                drawn[there] = own.scores(self._of(own, score.model), weights[there])
            self._draws[score] = drawn
        return self._draws[score]

    def estimates(self, model: int) -> Array:
        """Composites of a model, (W,); NaN where one is not released."""
        if self._composites is None:
            cells = self.prepared.cells[self.place]
            self._composites = np.stack([own.overall(cells) for own in self.averages])
        return np.asarray(self._composites[:, model])

    def _outputs(self, model: int) -> Outputs:
        draws, seed = int(self.base.text("draws")), int(self.base.text("seed"))
        with self.found.timed("resampling"):
            return outputs(self.source, self.prepared.regime, model, draws, seed)

    def _of(self, own: Outputs, model: int) -> Array:
        if model not in self._divergences:
            self._divergences[model] = own.divergences(*self.prepared.compared[self.place])
        return self._divergences[model]


def _shared(statistics: CellStatistics, specs: Specs, found: Outcomes) -> Iterator[_Shared]:
    """Go through the specifications by what they share."""
    for own in prepare(statistics, specs, found):
        for place in range(len(own.compared)):
            averages, rows = [], []
            for weights, all_rows in own.averages:
                mine = all_rows[own.which[all_rows] == place]
                if mine.size:
                    averages.append(weights)
                    rows.append(mine)
            yield _Shared(statistics, specs.base, own, place, tuple(averages), tuple(rows), found)
