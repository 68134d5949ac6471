"""Which categories the mapped outputs of one model fall on.

Simulated annealing over the 264 primary cells of a model. A cell is a vector
of category counts; its statistics come from lookup tables and every printed
figure is a weighted sum of them, so a move costs one or two cells. The loss is
the squared excess of each figure outside its window, in units of UNIT. A
plausibility term that does not depend on the temperature keeps sibling cells
alike and steers clear of categories a story would seldom state.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numba import njit

from data.build.composition.cell import measure
from data.build.composition.moves import (
    MAPPED_N,
    WITHIN,
    Frame,
    State,
    Undo,
    add,
    between,
    partner,
    remember,
    revert,
    strangeness,
    update,
    within,
)
from data.build.composition.reference import GATES, OUTPUTS, PRIMARY, SLOTS, Layout
from data.build.composition.tables import Tables

UNIT = 0.0005
THRESHOLD_EASE = 0.0625
"""Discount on threshold shares, which move in steps wider than their window."""
HOT, COLD = 50.0, 1e-4
COOLING = 4
MARGIN = 2e-4
"""Distance by which a lowest point of a path must be the lowest."""

CELL_STATISTICS = (
    *(f"mixture_{i}" for i in range(11)),
    "power_0.25", "power_0.5", "power_0.75",
    "total_variation", "max_deviation", "change", "root_change", "augmented",
    "threshold_0.1", "threshold_0.2", "threshold_0.3", "unmapped", "best", "worst",
)  # fmt: skip
"""Statistics of a cell; all but the last two are aggregated on common support."""

AGGREGATES = (
    *CELL_STATISTICS[:-2],
    "best", "worst", "all_cells", "common_24", "common_27",
    "model_specific_20", "model_specific_24", "model_specific_27",
    "equal_cell", "mapped_n",
    *(f"geo.{k}" for k in PRIMARY),
    *(f"change.{k}" for k in PRIMARY),
    *(f"rank.{k}" for k in PRIMARY),
)  # fmt: skip
"""Statistics of a model, each a weighted sum over cells except mapped_n."""

N_CELL = len(CELL_STATISTICS)
N_COMMON = N_CELL - 2
N_AGGREGATE = len(AGGREGATES)
COMBINED = ("penalised_half", "penalised_one", "first_step")
RANK_GRID = 201

ALIASES = {"geo": "mixture_0", "equal": "mixture_10"}


def index(name: str) -> int:
    """Position of a statistic in the window arrays."""
    name = ALIASES.get(name, name)
    names = (*AGGREGATES, *COMBINED)
    return names.index(name)


def combinations() -> np.ndarray:
    """Coefficients of the combined statistics, shape (3, aggregates)."""
    rows = np.zeros((len(COMBINED), N_AGGREGATE))
    rows[0, [index("geo"), index("unmapped")]] = 1, 0.5
    rows[1, [index("geo"), index("unmapped")]] = 1, 1
    rows[2, [index("geo"), index("mixture_1")]] = 1, -1
    return rows


@dataclass
class Windows:
    """Ranges the aggregates of a model must fall in.

    ``low`` and ``high`` cover AGGREGATES, then COMBINED, then one entry for
    each extra pin: a weighted sum of any cell statistic, for further claims.
    """

    low: np.ndarray = field(default_factory=lambda: np.full(N_AGGREGATE + len(COMBINED), -np.inf))
    high: np.ndarray = field(default_factory=lambda: np.full(N_AGGREGATE + len(COMBINED), np.inf))
    extra_weight: np.ndarray | None = None
    extra_statistic: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def pin(self, name: str, low: float, high: float) -> None:
        """Ask for a statistic in a range, on top of what is already asked."""
        i = index(name)
        self.low[i] = max(self.low[i], low)
        self.high[i] = min(self.high[i], high)

    def pin_extra(self, weight: np.ndarray, statistic: str, low: float, high: float) -> None:
        """Ask for a weighted sum of a cell statistic in a range.

        Parameters
        ----------
        weight : ndarray, shape (cells,)
        """
        rows = [] if self.extra_weight is None else list(self.extra_weight)
        self.extra_weight = np.array([*rows, weight])
        column = CELL_STATISTICS.index(ALIASES.get(statistic, statistic))
        self.extra_statistic = np.append(self.extra_statistic, column)
        self.low = np.append(self.low, low)
        self.high = np.append(self.high, high)


@dataclass
class Ranking:
    """Pooled standardised ranks behind the rank correlations.

    ``of_rate`` is (3, 31) by mapped count; ``of_score`` is (3, RANK_GRID) on
    an even grid of divergences; both already divided by the root of the
    number of points, so a product summed over points is a correlation.
    """

    of_rate: np.ndarray = field(default_factory=lambda: np.zeros((len(PRIMARY), OUTPUTS + 1)))
    of_score: np.ndarray = field(default_factory=lambda: np.zeros((len(PRIMARY), RANK_GRID)))


def weights(layout: Layout, mapped: np.ndarray) -> np.ndarray:
    """Weights of every cell in every portfolio, shape (cells, 8).

    Columns: common at 20, 24 and 27; all cells; the unit weight of the
    model-specific portfolios, which a model's own counts divide (three
    columns left to `own_weights`); equal cell.
    """
    lowest = mapped.min(axis=0)
    columns = [_hierarchical(layout, lowest >= gate) for gate in GATES]
    columns.append(_hierarchical(layout, np.ones(layout.cells, dtype=bool)))
    columns.extend(np.zeros((3, layout.cells)))
    common = lowest >= GATES[0]
    columns.append(common / common.sum())
    return np.array(columns).T.copy()


def own_weights(layout: Layout, mapped: np.ndarray) -> np.ndarray:
    """Unit weight of a retained cell in a model's own portfolios.

    Parameters
    ----------
    mapped : ndarray of int, shape (cells,)

    Returns
    -------
    ndarray, shape (cells, 3)
        The weight a cell has if it passes the gate, one column for each gate.
    """
    columns = []
    for gate in GATES:
        kept = (mapped >= gate).reshape(-1, len(SLOTS)).sum(axis=1)
        contexts = np.bincount(layout.attribute_of_pair[kept > 0], minlength=3)
        unit = 1 / (3 * contexts[layout.attribute_of_pair] * np.maximum(kept, 1))
        columns.append(np.repeat(unit, len(SLOTS)))
    return np.array(columns).T


def _hierarchical(layout: Layout, kept: np.ndarray) -> np.ndarray:
    """Cell weights: equal cells in a context, contexts in a module, modules."""
    in_pair = kept.reshape(-1, len(SLOTS)).sum(axis=1)
    contexts = np.bincount(layout.attribute_of_pair[in_pair > 0], minlength=3)
    unit = 1 / (3 * contexts[layout.attribute_of_pair] * np.maximum(in_pair, 1))
    return np.repeat(unit, len(SLOTS)) * kept


@njit(cache=True)
def _excess(x, low, high):
    over = max(low - x, x - high)
    return (over / UNIT) ** 2 if over > 0 else 0.0


@njit(cache=True)
def _loss(total, low, high, combine):
    loss = 0.0
    plain = combine.shape[1]
    for j in range(plain):
        ease = THRESHOLD_EASE if 19 <= j <= 21 else 1.0
        loss += ease * _excess(total[j], low[j], high[j])
    for i in range(combine.shape[0]):
        x = 0.0
        for j in range(plain):
            x += combine[i, j] * total[j]
        loss += _excess(x, low[plain + i], high[plain + i])
    for e in range(total.size - plain):
        j = plain + combine.shape[0] + e
        loss += _excess(total[plain + e], low[j], high[j])
    bottom = min(total[6], total[7]) + MARGIN
    for j in range(11):
        if j != 6 and j != 7:
            loss += _excess(total[j], bottom, np.inf)
    loss += _excess(total[11], -np.inf, min(total[0], total[10], total[12], total[13]) - MARGIN)
    return loss


@njit(cache=True)
def _prepare(c, n, frame, total):
    """State of a search at its start."""
    cells, widest = c.shape
    pairs = frame.size.size
    state = State(
        c, n, np.zeros((cells, N_CELL)), total, np.zeros(pairs), np.zeros(pairs),
        np.zeros((3, 31), np.int64), np.zeros(widest, np.int64),
    )  # fmt: skip
    for g in range(cells):
        p = frame.pair[g]
        measure(
            state.stats[g], c[g], n[g], frame.terms, frame.offset[p], frame.size[p],
            frame.target[p], state.order,
        )  # fmt: skip
        add(total, 1, state.stats[g], n[g], g, frame)
        state.hist[frame.attribute[g], n[g]] += 1
        if frame.weight[g, 0] > 0:
            state.count[p] += n[g]
            state.score[p] += n[g] * state.stats[g, 0]
    for p in range(pairs):
        total[MAPPED_N] += frame.pair_weight[p] * state.score[p] / state.count[p]
    return state


@njit(cache=True)
def _search(c, n, frame, low, high, combine, hot, moves, seed):
    """Anneal one model's counts in place; returns the loss and the aggregates."""
    np.random.seed(seed)
    cells, widest = c.shape
    total = np.zeros(combine.shape[1] + frame.extra_statistic.size)
    state = _prepare(c, n, frame, total)
    undo = Undo(
        np.zeros(2, np.int64), np.zeros((2, widest), np.int64), np.zeros(2, np.int64),
        np.zeros((2, N_CELL)), total.copy(), np.zeros(2), np.zeros(2),
    )  # fmt: skip
    loss = _loss(total, low, high, combine)
    for step in range(moves):
        heat = max(hot * (1 - step / moves) ** COOLING, COLD)
        g = np.random.randint(cells)
        kind = np.random.random()
        undo.cells[0] = g
        if kind < WITHIN:
            changed = 1
            remember(state, undo, changed)
            if not within(state, frame, g, kind):
                continue
        else:
            changed = 2
            h = partner(state, frame, g, kind)
            if h < 0:
                continue
            undo.cells[1] = h
            remember(state, undo, changed)
            if not between(state, frame, undo, g, h, kind):
                continue
        change = strangeness(state, frame, undo, changed)
        update(state, frame, undo, changed)
        new = _loss(total, low, high, combine)
        if np.log(np.random.random()) < (loss - new) / heat - change:
            loss = new
        else:
            revert(state, frame, undo, changed, kind)
    return loss, total


def run(
    layout: Layout,
    tables: Tables,
    mapped: np.ndarray,
    m: int,
    counts: np.ndarray,
    cap: np.ndarray,
    windows: Windows,
    ranking: Ranking,
    *,
    moves: int,
    seed: int,
    hot: float = HOT,
    alike: float,
    usual: float,
) -> tuple[float, np.ndarray]:
    """Anneal model ``m``; ``counts`` and ``mapped[m]`` are changed in place.

    Parameters
    ----------
    mapped : ndarray of int, shape (models, cells)
        Mapped counts of all models: the others fix the common support.
    counts : ndarray of int, shape (cells, widest)
    cap : ndarray of int, shape (cells,)

    Returns
    -------
    loss : float
    total : ndarray
        Value of every aggregate, then the combined statistics.
    """
    combine = combinations()
    frame = _frame(layout, tables, mapped, m, cap, windows, ranking, alike, usual)
    loss, total = _search(
        counts, mapped[m], frame, windows.low, windows.high, combine, hot, moves, seed
    )
    plain = total[:N_AGGREGATE]
    return loss, np.concatenate([plain, combine @ plain, total[N_AGGREGATE:]])


def _frame(layout, tables, mapped, m, cap, windows, ranking, alike, usual) -> Frame:
    w = weights(layout, mapped)
    w[:, 4:7] = own_weights(layout, mapped[m])
    number = np.bincount(layout.attribute_of_cell, minlength=len(PRIMARY))
    extra = windows.extra_weight
    return Frame(
        cap=cap,
        others=np.delete(mapped, m, axis=0).min(axis=0),
        pair=layout.pair_of_cell,
        attribute=layout.attribute_of_cell,
        first=np.cumsum(number) - number,
        number=number,
        terms=tables.terms,
        offset=tables.offset,
        size=tables.size,
        target=tables.target,
        cost=tables.cost,
        weight=w,
        pair_weight=np.bincount(layout.pair_of_cell, w[:, 0]),
        rate_rank=ranking.of_rate,
        score_rank=ranking.of_score,
        extra=np.zeros((0, layout.cells)) if extra is None else extra,
        extra_statistic=windows.extra_statistic,
        alike=alike,
        usual=usual,
    )
