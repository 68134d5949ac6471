"""Study 2: single marks stepped by a tenth, all judges at once, until every pin holds.

Sums are whole numbers throughout: brief values in 240ths (H5, H6) and 1080ths
(H7) of a point, deviations of labels from their text's mean in 960ths.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

JUDGES, BRIEFS, LABELS, CALLS = 3, 30, 8, 12
TEXTS = BRIEFS * JUDGES
UNITS = np.array([240.0, 240.0, 1080.0])
"""Steps in a point for the brief values of H5, H6 and H7."""

ESTIMATE, ERROR, LOWER, UPPER, RATIO, UPS, DOWNS = range(7)
"""Places of a hypothesis' statistics; a judge has three such blocks, then three shares."""
BLOCK, SHARES = 7, 21
CORRECTED, BY_TEXT, BY_BRIEF = range(3)
SIZE = 24


@njit(cache=False)
def _step(
    marks, sums, brief, values, up, down, dev, by_brief, by_judge, power, between, inner, own, move
):
    """Change one mark and every sum that it enters.

    ``move`` holds judge, text, label, call and change. The sums, squares
    and signs of brief values are kept in ``values``, ``up`` and ``down``.
    """
    j, t, k, r, change = move
    b, g = t // JUDGES, t % JUDGES
    old = marks[j, t, k, r]
    marks[j, t, k, r] = old + change
    s = sums[j, t, k]
    sums[j, t, k] = s + change
    inner[j] += CALLS * ((old + change) ** 2 - old**2) - ((s + change) ** 2 - s**2)
    if k == 0:
        for target in range(JUDGES):
            if target == j and target == g:
                factor = 2
            elif target in (j, g):
                factor = -1
            elif j == g:
                factor = 0
            else:
                factor = 1
            _shift(brief, values, up, down, target, 0, b, factor * change)
    if 2 <= k <= 4:
        if g == j:
            _shift(brief, values, up, down, j, 1, b, (2 if k == own[j] else -1) * change)
        _shift(brief, values, up, down, j, 2, b, change)
    elif k >= 5:
        _shift(brief, values, up, down, j, 2, b, -change)
    for i in range(LABELS):
        moved = (LABELS - 1 if i == k else -1) * change
        was = dev[j, t, i]
        dev[j, t, i] = was + moved
        power[j] += (was + moved) ** 2 - was**2
        was = by_brief[j, b, i]
        by_brief[j, b, i] = was + moved
        between[j] += (was + moved) ** 2 - was**2
        by_judge[j, i] += moved


@njit(cache=False)
def _shift(brief, values, up, down, j, h, b, change):
    old = brief[j, h, b]
    new = old + change
    brief[j, h, b] = new
    values[j, h, 0] += change
    values[j, h, 1] += new**2 - old**2
    up[j, h] += (new > 0) - (old > 0)
    down[j, h] += (new < 0) - (old < 0)


@njit(cache=False)
def _measure(values, up, down, by_judge, power, between, inner, quantile, out):
    for j in range(JUDGES):
        for h in range(3):
            place = h * BLOCK
            unit = UNITS[h]
            mean = values[j, h, 0] / BRIEFS / unit
            spread = (values[j, h, 1] - values[j, h, 0] ** 2 / BRIEFS) / (BRIEFS - 1)
            error = math.sqrt(spread / BRIEFS) / unit
            out[j, place + ESTIMATE] = mean
            out[j, place + ERROR] = error
            out[j, place + LOWER] = mean - quantile * error
            out[j, place + UPPER] = mean + quantile * error
            out[j, place + RATIO] = mean / error
            out[j, place + UPS] = up[j, h]
            out[j, place + DOWNS] = down[j, h]
        scale = float((CALLS * 10 * LABELS) ** 2)
        noise = inner[j] / (CALLS * 100.0) / (CALLS - 1) / CALLS / (TEXTS * LABELS)
        noise *= 1 - 1 / LABELS
        total = power[j] / scale / (TEXTS * LABELS) - noise
        square = 0.0
        for i in range(LABELS):
            square += float(by_judge[j, i]) ** 2
        square /= scale * LABELS
        within = between[j] / (scale * LABELS)
        own = power[j] / (scale * LABELS)
        out[j, SHARES + CORRECTED] = (square / TEXTS**2 - noise / TEXTS) / total
        out[j, SHARES + BY_TEXT] = (square - own) / (TEXTS * (TEXTS - 1)) / total
        out[j, SHARES + BY_BRIEF] = (square - within) / (TEXTS * (TEXTS - JUDGES)) / total


@njit(cache=False)
def _penalty(out, low, high, scale):
    loss = 0.0
    for j in range(JUDGES):
        for i in range(SIZE):
            miss = max(low[j, i] - out[j, i], out[j, i] - high[j, i], 0.0)
            if miss > 0:
                x = miss / scale[j, i]
                loss += x * x + 0.3 * x
    return loss


@njit(cache=False)
def _set_up(marks, own):
    """Sums of an array of marks; the order is that of `_step`'s arguments."""
    sums = np.zeros((JUDGES, TEXTS, LABELS), dtype=np.int64)
    brief = np.zeros((JUDGES, 3, BRIEFS), dtype=np.int64)
    values = np.zeros((JUDGES, 3, 2), dtype=np.int64)
    up = np.zeros((JUDGES, 3), dtype=np.int64)
    down = np.zeros((JUDGES, 3), dtype=np.int64)
    dev = np.zeros((JUDGES, TEXTS, LABELS), dtype=np.int64)
    by_brief = np.zeros((JUDGES, BRIEFS, LABELS), dtype=np.int64)
    by_judge = np.zeros((JUDGES, LABELS), dtype=np.int64)
    power = np.zeros(JUDGES, dtype=np.int64)
    between = np.zeros(JUDGES, dtype=np.int64)
    inner = np.zeros(JUDGES, dtype=np.int64)
    empty = np.zeros_like(marks)
    move = np.zeros(5, dtype=np.int64)
    for j in range(JUDGES):
        for t in range(TEXTS):
            for k in range(LABELS):
                for r in range(CALLS):
                    move[0], move[1], move[2], move[3] = j, t, k, r
                    move[4] = marks[j, t, k, r]
                    _step(
                        empty, sums, brief, values, up, down, dev, by_brief, by_judge, power,
                        between, inner, own, move,
                    )  # fmt: skip
    return sums, brief, values, up, down, dev, by_brief, by_judge, power, between, inner


@njit(cache=False)
def statistics(marks, own, quantile):
    """Every statistic of an array of marks, shape (judges, SIZE)."""
    (_, _, values, up, down, _, _, by_judge, power, between, inner) = _set_up(marks, own)
    out = np.zeros((JUDGES, SIZE))
    _measure(values, up, down, by_judge, power, between, inner, quantile, out)
    return out


@njit(cache=False)
def anneal(
    marks, own, aim, spread, quantile, low, high, scale, moves, heat_from, heat_to, stiff, seed
):
    """Step marks until the pins hold, holding cells near their aims.

    Parameters
    ----------
    marks : ndarray of int, shape (judges, texts, labels, calls)
        In tenths; changed in place.
    own : ndarray of int, shape (judges,)
        Label of each judge's family.
    aim : ndarray of int, shape (judges, texts, labels)
        Sum of the marks that each cell is held to.
    spread : ndarray of float, shape (judges,)
        Standard deviation of single marks about their cell's aim, in tenths.
    quantile : float
        Half-width of an interval over its standard error.
    low, high, scale : ndarray of float, shape (judges, SIZE)
        The pins.
    moves, heat_from, heat_to, stiff, seed
        Length of the run, temperature of the pins at both ends, weight of the
        aims, random seed.

    Returns
    -------
    float
        Penalty of the pins that are left.
    """
    np.random.seed(seed)
    (sums, brief, values, up, down, dev, by_brief, by_judge, power, between, inner) = _set_up(
        marks, own
    )
    out = np.zeros((JUDGES, SIZE))
    _measure(values, up, down, by_judge, power, between, inner, quantile, out)
    loss = _penalty(out, low, high, scale)
    steps = np.zeros((2, 5), dtype=np.int64)
    growth = math.log(heat_to / heat_from)
    for n in range(moves):
        heat = heat_from * math.exp(growth * n / moves)
        steps[0, 0] = np.random.randint(JUDGES)
        steps[0, 1] = np.random.randint(TEXTS)
        steps[0, 2] = np.random.randint(LABELS)
        steps[0, 3] = np.random.randint(CALLS)
        steps[0, 4] = 1 if np.random.random() < 0.5 else -1
        count = 1
        if np.random.random() < 0.4:
            steps[1] = steps[0]
            kind = np.random.randint(3)
            if kind == 0:
                steps[1, 1] = np.random.randint(TEXTS)
            elif kind == 1:
                steps[1, 2] = np.random.randint(LABELS)
            steps[1, 3] = np.random.randint(CALLS)
            steps[1, 4] = -steps[0, 4]
            count = 2
        energy = 0.0
        for i in range(count):
            energy += _hold(marks, sums, aim, spread, stiff, steps[i])
            _step(
                marks, sums, brief, values, up, down, dev, by_brief, by_judge, power, between,
                inner, own, steps[i],
            )  # fmt: skip
        _measure(values, up, down, by_judge, power, between, inner, quantile, out)
        new = _penalty(out, low, high, scale)
        change = energy + (new - loss) / heat
        if change <= 0 or np.random.random() < math.exp(-change):
            loss = new
            continue
        for i in range(count - 1, -1, -1):
            steps[i, 4] = -steps[i, 4]
            _step(
                marks, sums, brief, values, up, down, dev, by_brief, by_judge, power, between,
                inner, own, steps[i],
            )  # fmt: skip
    return loss


@njit(cache=False)
def _hold(marks, sums, aim, spread, stiff, move):
    """Change of the pull towards a cell's aim when a mark is about to be stepped."""
    j, t, k, r, change = move
    off = sums[j, t, k] - aim[j, t, k]
    apart = marks[j, t, k, r] - aim[j, t, k] / CALLS
    square = (apart + change) ** 2 - apart**2
    return stiff * ((off + change) ** 2 - off**2) + square / (2 * spread[j] ** 2)
