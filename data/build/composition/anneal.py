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

from data.build.composition.reference import GATES, OUTPUTS, PRIMARY, SLOTS, Layout
from data.build.composition.tables import Tables

UNIT = 0.0005
THRESHOLD_EASE = 0.25
"""Weight of threshold shares, which move in steps wider than their window.

Their excess counts once, not squared, so a step past the window is affordable
and the last small excess still matters.
"""
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
N_AGGREGATE = len(AGGREGATES)
COMBINED = ("penalised_half", "penalised_one", "first_step")
RANK_GRID = 201

WITHIN = 0.7
"""Share of moves inside one cell; the rest move mapped counts between two."""
SWAP_IN_PAIR, TRANSFER = 0.85, 0.93
"""Ends of the shares of exchanges within a pair and of single transfers.

What is left exchanges counts of one band anywhere in the module.
"""

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
def _fill_best(c, n, target, size, order):
    """Divergence after placing unmapped mass where it lowers it most."""
    for a in range(size):
        order[a] = a
    for i in range(1, size):
        key = order[i]
        ratio = c[key] / target[key]
        j = i - 1
        while j >= 0 and c[order[j]] / target[order[j]] > ratio:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = key
    rest = n / 30.0
    filled = 0.0
    level = 0.0
    for i in range(size):
        a = order[i]
        if i > 0 and c[a] / 30.0 / target[a] >= level:
            break
        filled += target[a]
        rest -= c[a] / 30.0
        level = (1.0 - rest) / filled
    total = 0.0
    for a in range(size):
        p = target[a]
        q = max(c[a] / 30.0, level * p)
        total += 0.5 * (p * np.log2(2 * p / (p + q)) + q * np.log2(2 * q / (p + q)))
    return total


@njit(cache=True)
def _measure(out, c, n, terms, offset, size, target, order):
    """Fill one cell's statistics from its counts."""
    for j in range(15):
        out[j] = 0.0
    deepest = 0.0
    augmented = 0.0
    gain = -1.0
    spare = 30 - n
    for a in range(size):
        row = terms[offset + a, n, c[a]]
        for j in range(15):
            out[j] += row[j]
        deepest = max(deepest, abs(c[a] / n - target[a]))
        here = terms[offset + a, 30, c[a], 0]
        augmented += here
        gain = max(gain, terms[offset + a, 30, c[a] + spare, 0] - here)
    geo, equal = out[0], out[10]
    out[15] = deepest
    out[16] = abs(geo - equal)
    out[17] = abs(np.sqrt(max(geo, 0.0)) - np.sqrt(max(equal, 0.0)))
    out[18] = augmented + spare / 60.0
    for j in range(3):
        tolerance = (j + 1) / 10.0
        out[19 + j] = 1.0 if (geo <= tolerance) != (equal <= tolerance) else 0.0
    out[22] = spare / 30.0
    if spare == 0:
        out[23] = geo
        out[24] = geo
    else:
        out[23] = _fill_best(c, n, target, size, order)
        out[24] = augmented + gain


@njit(cache=True)
def _rank(grid, x):
    position = min(max(x, 0.0), 1.0) * (grid.size - 1)
    i = min(int(position), grid.size - 2)
    return grid[i] + (position - i) * (grid[i + 1] - grid[i])


@njit(cache=True)
def _add(total, sign, stats, w, n, k, rate_rank, score_rank, extra, extra_stat, g):
    """Add (or with sign -1 remove) a cell's part of the linear aggregates."""
    for j in range(23):
        total[j] += sign * w[0] * stats[j]
    total[23] += sign * w[3] * stats[23]
    total[24] += sign * w[3] * stats[24]
    geo = stats[0]
    total[25] += sign * w[3] * geo
    total[26] += sign * w[1] * geo
    total[27] += sign * w[2] * geo
    total[28] += sign * w[4] * geo * (n >= 20)
    total[29] += sign * w[5] * geo * (n >= 24)
    total[30] += sign * w[6] * geo * (n >= 27)
    total[31] += sign * w[7] * geo
    total[33 + k] += sign * 3 * w[0] * geo
    total[36 + k] += sign * 3 * w[0] * stats[16]
    if w[0] > 0:
        total[39 + k] += sign * rate_rank[k, n] * _rank(score_rank[k], geo)
    for e in range(extra_stat.size):
        total[42 + e] += sign * extra[e, g] * stats[extra_stat[e]]


@njit(cache=True)
def _excess(x, low, high):
    over = max(low - x, x - high)
    return (over / UNIT) ** 2 if over > 0 else 0.0


@njit(cache=True)
def _loss(total, low, high, combine):
    loss = 0.0
    plain = combine.shape[1]
    for j in range(plain):
        part = _excess(total[j], low[j], high[j])
        loss += THRESHOLD_EASE * np.sqrt(part) if 19 <= j <= 21 else part
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
def _rescale(out, c, n_old, n_new, size):
    """Counts of the same composition at another total, largest remainders."""
    left = n_new
    for a in range(size):
        out[a] = c[a] * n_new // n_old
        left -= out[a]
    for _ in range(left):
        best, at = -1.0, 0
        for a in range(size):
            remainder = c[a] * n_new / n_old - out[a]
            if remainder > best:
                best, at = remainder, a
        out[at] += 1


@njit(cache=True)
def _implausible(c, n, sibling, n_sibling, cost, size, alike, usual):
    apart, odd = 0.0, 0.0
    for a in range(size):
        q = c[a] / n
        apart += abs(q - sibling[a] / n_sibling)
        odd += q * cost[a]
    return alike * apart / 2 + usual * odd


@njit(cache=True)
def _band(n):
    """Range of mapped counts within which no gate and no percentile changes."""
    if n < 20:
        return 0
    if n < 23:
        return 1
    if n == 23:
        return 2
    return 3 if n < 27 else 4


@njit(cache=True)
def _centre(hist, cells):
    """Sum of the two middle mapped counts, and the smallest count."""
    seen, first, second, least = 0, -1, -1, -1
    for v in range(hist.size):
        seen += hist[v]
        if hist[v] > 0 and least < 0:
            least = v
        if first < 0 and seen >= cells // 2:
            first = v
        if second < 0 and seen >= cells // 2 + 1:
            second = v
    return first + second, least


@njit(cache=True)
def _may_swap(a, b, n, others):
    """Whether two cells of a context can exchange mapped counts."""
    for g in (a, b):
        other = n[b] if g == a else n[a]
        for gate in (20, 24, 27):
            if others[g] >= gate and (n[g] >= gate) != (other >= gate):
                return False
    return True


@njit(cache=True)
def _move_within(c, n, g, p, size, kind):
    """Change one cell's composition; False if nothing changed."""
    if kind < 0.45:
        a = np.random.randint(size)
        b = np.random.randint(size)
        if a == b or c[g, a] == 0:
            return False
        units = min(c[g, a], np.random.randint(1, 6))
        c[g, a] -= units
        c[g, b] += units
    elif kind < 0.55:
        h = p * 12 + np.random.randint(12)
        if h == g:
            return False
        _rescale(c[g], c[h], n[h], n[g], size)
    elif kind < 0.63:
        a = np.random.randint(size)
        b = np.random.randint(size)
        if c[g, a] == c[g, b]:
            return False
        c[g, a], c[g, b] = c[g, b], c[g, a]
    else:
        return _collapse(c[g], n[g], size)
    return True


@njit(cache=True)
def _collapse(c, n, size):
    """Put a cell, or one of its categories, on another category."""
    a = np.random.randint(size)
    if np.random.random() < 0.5:
        for b in range(size):
            c[b] = 0
        c[a] = n
        return True
    b = np.random.randint(size)
    if a == b or c[a] == 0:
        return False
    c[b] += c[a]
    c[a] = 0
    return True


@njit(cache=True)
def _partner(g, p, first, number, n, others, kind):
    """A second cell for a move of mapped counts, or -1."""
    if kind < SWAP_IN_PAIR:
        h = p * 12 + np.random.randint(12)
        return h if h != g and _may_swap(g, h, n, others) else -1
    h = first + np.random.randint(number)
    return h if h != g else -1


@njit(cache=True)
def _move_between(c, n, cap, hist, number, pair, size, old_c, g, h, kind):
    """Move mapped counts between two cells of a module; False if not allowed."""
    if kind < SWAP_IN_PAIR or kind >= TRANSFER:
        if n[g] == n[h] or n[g] > cap[h] or n[h] > cap[g]:
            return False
        if kind >= TRANSFER and _band(n[g]) != _band(n[h]):
            return False
        to_g, to_h = n[h], n[g]
    else:
        to_g, to_h = n[g] + 1, n[h] - 1
        if n[g] >= cap[g] or n[h] <= 1:
            return False
        if _band(n[g]) != _band(to_g) or _band(n[h]) != _band(to_h):
            return False
        if not _recount(hist, n[g], n[h], to_g, to_h, number):
            return False
    _rescale(c[g], old_c[0], n[g], to_g, size[pair[g]])
    _rescale(c[h], old_c[1], n[h], to_h, size[pair[h]])
    n[g], n[h] = to_g, to_h
    return True


@njit(cache=True)
def _recount(hist, from_g, from_h, to_g, to_h, cells):
    """Update the histogram unless the median or the smallest count would change."""
    before, least = _centre(hist, cells)
    hist[from_g] -= 1
    hist[from_h] -= 1
    hist[to_g] += 1
    hist[to_h] += 1
    after, least_after = _centre(hist, cells)
    if before == after and least == least_after:
        return True
    hist[from_g] += 1
    hist[from_h] += 1
    hist[to_g] -= 1
    hist[to_h] -= 1
    return False


@njit(cache=True)
def search(
    c, n, cap, others, pair, attribute, terms, offset, size, target, cost, w,
    rate_rank, score_rank, low, high, combine, extra, extra_stat,
    alike, usual, hot, moves, seed,
):  # fmt: skip
    """Anneal one model's counts in place; see the module docstring.

    Returns
    -------
    loss : float
    total : ndarray
        The aggregates, then the extra sums.
    """
    np.random.seed(seed)
    cells, widest = c.shape
    stats = np.zeros((cells, N_CELL))
    order = np.zeros(widest, np.int64)
    total = np.zeros(combine.shape[1] + extra_stat.size)
    count_in = np.zeros(size.size)
    score_in = np.zeros(size.size)
    pair_weight = np.zeros(size.size)
    hist = np.zeros((3, 31), np.int64)
    number = np.zeros(3, np.int64)
    start = np.zeros(3, np.int64)
    for g in range(cells - 1, -1, -1):
        p, k = pair[g], attribute[g]
        _measure(stats[g], c[g], n[g], terms, offset[p], size[p], target[p], order)
        _add(total, 1, stats[g], w[g], n[g], k, rate_rank, score_rank, extra, extra_stat, g)
        pair_weight[p] += w[g, 0]
        if w[g, 0] > 0:
            count_in[p] += n[g]
            score_in[p] += n[g] * stats[g, 0]
        hist[k, n[g]] += 1
        number[k] += 1
        start[k] = g
    for p in range(size.size):
        total[32] += pair_weight[p] * score_in[p] / count_in[p]
    loss = _loss(total, low, high, combine)
    touched = np.zeros(2, np.int64)
    old_c = np.zeros((2, widest), np.int64)
    old_n = np.zeros(2, np.int64)
    old_stats = np.zeros((2, N_CELL))
    old_total = total.copy()
    old_count = np.zeros(2)
    old_score = np.zeros(2)
    for step in range(moves):
        heat = max(hot * (1 - step / moves) ** COOLING, COLD)
        g = np.random.randint(cells)
        p, k = pair[g], attribute[g]
        touched[0] = g
        kind = np.random.random()
        changed = 1 if kind < WITHIN else 2
        if changed == 2:
            h = _partner(g, p, start[k], number[k], n, others, kind)
            if h < 0:
                continue
            touched[1] = h
        for i in range(changed):
            t = touched[i]
            old_n[i] = n[t]
            for a in range(widest):
                old_c[i, a] = c[t, a]
        if changed == 1:
            if not _move_within(c, n, g, p, size[p], kind):
                continue
        elif not _move_between(c, n, cap, hist[k], number[k], pair, size, old_c, g, h, kind):
            continue
        change = 0.0
        for j in range(total.size):
            old_total[j] = total[j]
        for i in range(changed):
            t = touched[i]
            q = pair[t]
            sibling = q * 12 + np.random.randint(12)
            if sibling != g and sibling != touched[changed - 1]:
                change += _implausible(
                    c[t], n[t], c[sibling], n[sibling], cost[q], size[q], alike, usual
                ) - _implausible(
                    old_c[i], old_n[i], c[sibling], n[sibling], cost[q], size[q],
                    alike, usual,
                )  # fmt: skip
            for j in range(N_CELL):
                old_stats[i, j] = stats[t, j]
            _add(
                total, -1, stats[t], w[t], old_n[i], k, rate_rank, score_rank, extra, extra_stat, t
            )
            _measure(stats[t], c[t], n[t], terms, offset[q], size[q], target[q], order)
            _add(total, 1, stats[t], w[t], n[t], k, rate_rank, score_rank, extra, extra_stat, t)
            old_count[i] = count_in[q]
            old_score[i] = score_in[q]
            if w[t, 0] > 0:
                total[32] -= pair_weight[q] * score_in[q] / count_in[q]
                count_in[q] += n[t] - old_n[i]
                score_in[q] += n[t] * stats[t, 0] - old_n[i] * old_stats[i, 0]
                total[32] += pair_weight[q] * score_in[q] / count_in[q]
        new = _loss(total, low, high, combine)
        if np.log(np.random.random()) < (loss - new) / heat - change:
            loss = new
            continue
        if SWAP_IN_PAIR <= kind < TRANSFER:
            for i in range(2):
                hist[k, n[touched[i]]] -= 1
                hist[k, old_n[i]] += 1
        for i in range(changed - 1, -1, -1):
            t = touched[i]
            n[t] = old_n[i]
            for a in range(widest):
                c[t, a] = old_c[i, a]
            for j in range(N_CELL):
                stats[t, j] = old_stats[i, j]
            count_in[pair[t]] = old_count[i]
            score_in[pair[t]] = old_score[i]
        for j in range(total.size):
            total[j] = old_total[j]
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
    w = weights(layout, mapped)
    w[:, 4:7] = own_weights(layout, mapped[m])
    others = np.delete(mapped, m, axis=0).min(axis=0)
    combine = combinations()
    extra = windows.extra_weight
    loss, total = search(
        counts, mapped[m], cap, others, layout.pair_of_cell, layout.attribute_of_cell,
        tables.terms, tables.offset, tables.size, tables.target, tables.cost, w,
        ranking.of_rate, ranking.of_score, windows.low, windows.high, combine,
        np.zeros((0, layout.cells)) if extra is None else extra,
        windows.extra_statistic, alike, usual, hot, moves, seed,
    )  # fmt: skip
    plain = total[:N_AGGREGATE]
    return loss, np.concatenate([plain, combine @ plain, total[N_AGGREGATE:]])
