"""Moves of the search and the state they change, compiled.

A move changes one cell, or the mapped counts of two. It reports whether it did
anything; `revert` undoes it.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from data.build.composition.cell import implausible, measure, rescale

SLOTS_IN_PAIR = 12
WITHIN = 0.7
"""Share of moves inside one cell; the rest move mapped counts between two."""
SWAP_IN_PAIR, TRANSFER = 0.85, 0.93
"""Upper ends of the shares of the two kinds of count moves before the last."""
MAPPED_N = 32
"""Place of the statistic weighted by mapped counts, the one that is not linear."""

Frame = namedtuple(
    "Frame",
    "cap others pair attribute first number terms offset size target cost weight "
    "pair_weight rate_rank score_rank extra extra_statistic alike usual",
)
"""What a search never changes. ``first`` and ``number`` are each module's cells."""

State = namedtuple("State", "c n stats total count score hist order")
"""What a search changes. ``count`` and ``score`` are sums over a pair's common
cells of n and of n times divergence; ``hist`` counts cells by module and n."""

Undo = namedtuple("Undo", "cells c n stats total count score")
"""The state before a move, for the one or two cells it touched."""


@njit(cache=True, inline="always")
def add(total, sign, stats, n, g, frame):
    """Add (or with sign -1 remove) a cell's part of the linear aggregates."""
    w, k = frame.weight[g], frame.attribute[g]
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
        total[39 + k] += sign * frame.rate_rank[k, n] * interpolated(frame.score_rank[k], geo)
    for e in range(frame.extra_statistic.size):
        total[42 + e] += sign * frame.extra[e, g] * stats[frame.extra_statistic[e]]


@njit(cache=True, inline="always")
def interpolated(grid, x):
    """Value at x of a function tabulated on an even grid over [0, 1]."""
    position = min(max(x, 0.0), 1.0) * (grid.size - 1)
    i = min(int(position), grid.size - 2)
    return grid[i] + (position - i) * (grid[i + 1] - grid[i])


@njit(cache=True, inline="always")
def _band(n):
    """Range of mapped counts within which no gate and no percentile changes."""
    if n < 20:
        return 0
    if n < 23:
        return 1
    if n == 23:
        return 2
    return 3 if n < 27 else 4


@njit(cache=True, inline="always")
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


@njit(cache=True, inline="always")
def _may_swap(a, b, n, others):
    """Whether two cells of a context can exchange mapped counts."""
    for g in (a, b):
        other = n[b] if g == a else n[a]
        for gate in (20, 24, 27):
            if others[g] >= gate and (n[g] >= gate) != (other >= gate):
                return False
    return True


@njit(cache=True, inline="always")
def copy(to, source):
    """Copy a vector; a plain loop is faster here than a slice assignment."""
    for i in range(source.size):
        to[i] = source[i]


@njit(cache=True, inline="always")
def remember(state, undo, changed):
    """Keep the counts of the touched cells and the aggregates."""
    for i in range(changed):
        t = undo.cells[i]
        undo.n[i] = state.n[t]
        copy(undo.c[i], state.c[t])
        copy(undo.stats[i], state.stats[t])
    copy(undo.total, state.total)


@njit(cache=True, inline="always")
def within(state, frame, g, kind):
    """Change one cell's composition; False if nothing changed."""
    c, n = state.c, state.n
    p = frame.pair[g]
    s = frame.size[p]
    if kind < 0.45:
        a = np.random.randint(s)
        b = np.random.randint(s)
        if a == b or c[g, a] == 0:
            return False
        units = min(c[g, a], np.random.randint(1, 6))
        c[g, a] -= units
        c[g, b] += units
    elif kind < 0.55:
        h = p * SLOTS_IN_PAIR + np.random.randint(SLOTS_IN_PAIR)
        if h == g:
            return False
        rescale(c[g], c[h], n[h], n[g], s)
    elif kind < 0.63:
        a = np.random.randint(s)
        b = np.random.randint(s)
        if c[g, a] == c[g, b]:
            return False
        c[g, a], c[g, b] = c[g, b], c[g, a]
    else:
        return _collapse(c[g], n[g], s)
    return True


@njit(cache=True, inline="always")
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


@njit(cache=True, inline="always")
def partner(state, frame, g, kind):
    """A second cell for a move of mapped counts, or -1."""
    if kind < SWAP_IN_PAIR:
        h = frame.pair[g] * SLOTS_IN_PAIR + np.random.randint(SLOTS_IN_PAIR)
        return h if h != g and _may_swap(g, h, state.n, frame.others) else -1
    k = frame.attribute[g]
    h = frame.first[k] + np.random.randint(frame.number[k])
    return h if h != g else -1


@njit(cache=True, inline="always")
def between(state, frame, undo, g, h, kind):
    """Move mapped counts between two cells of a module; False if not allowed."""
    n, cap, k = state.n, frame.cap, frame.attribute[g]
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
        if not _recount(state.hist[k], n[g], n[h], to_g, to_h, frame.number[k]):
            return False
    rescale(state.c[g], undo.c[0], n[g], to_g, frame.size[frame.pair[g]])
    rescale(state.c[h], undo.c[1], n[h], to_h, frame.size[frame.pair[h]])
    n[g], n[h] = to_g, to_h
    return True


@njit(cache=True, inline="always")
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


@njit(cache=True, inline="always")
def strangeness(state, frame, undo, changed):
    """Change of the plausibility cost, against one random sibling per cell."""
    change = 0.0
    for i in range(changed):
        t = undo.cells[i]
        p = frame.pair[t]
        h = p * SLOTS_IN_PAIR + np.random.randint(SLOTS_IN_PAIR)
        if h == undo.cells[0] or h == undo.cells[changed - 1]:
            continue
        sibling, n_sibling = state.c[h], state.n[h]
        cost, size = frame.cost[p], frame.size[p]
        change += implausible(
            state.c[t], state.n[t], sibling, n_sibling, cost, size, frame.alike, frame.usual
        ) - implausible(
            undo.c[i], undo.n[i], sibling, n_sibling, cost, size, frame.alike, frame.usual
        )
    return change


@njit(cache=True, inline="always")
def update(state, frame, undo, changed):
    """Bring statistics and aggregates of the touched cells up to date."""
    total = state.total
    for i in range(changed):
        t = undo.cells[i]
        p = frame.pair[t]
        stats = state.stats[t]
        add(total, -1, stats, undo.n[i], t, frame)
        measure(
            stats, state.c[t], state.n[t], frame.terms, frame.offset[p], frame.size[p],
            frame.target[p], state.order,
        )  # fmt: skip
        add(total, 1, stats, state.n[t], t, frame)
        undo.count[i] = state.count[p]
        undo.score[i] = state.score[p]
        if frame.weight[t, 0] > 0:
            total[MAPPED_N] -= frame.pair_weight[p] * state.score[p] / state.count[p]
            state.count[p] += state.n[t] - undo.n[i]
            state.score[p] += state.n[t] * stats[0] - undo.n[i] * undo.stats[i, 0]
            total[MAPPED_N] += frame.pair_weight[p] * state.score[p] / state.count[p]


@njit(cache=True, inline="always")
def revert(state, frame, undo, changed, kind):
    """Undo a move that was not accepted."""
    if SWAP_IN_PAIR <= kind < TRANSFER:
        for i in range(2):
            k = frame.attribute[undo.cells[i]]
            state.hist[k, state.n[undo.cells[i]]] -= 1
            state.hist[k, undo.n[i]] += 1
    for i in range(changed - 1, -1, -1):
        t = undo.cells[i]
        p = frame.pair[t]
        state.n[t] = undo.n[i]
        copy(state.c[t], undo.c[i])
        copy(state.stats[t], undo.stats[i])
        state.count[p] = undo.count[i]
        state.score[p] = undo.score[i]
    copy(state.total, undo.total)
