"""Study 1, one judge: counts of marks in each document and label, moved until all pins hold.

The design is balanced, so every printed figure is a function of 24 means and
24 sums of squares, a few tail counts and the spread of marks.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

DOCS, LABELS, CALLS, TENTHS = 4, 6, 152, 10

ESTIMATE, ERROR, RATIO, LOWER, UPPER = (5 * i for i in range(5))
"""Places of Table 1's statistics, one for each contrast."""
DOC_ESTIMATE, DOC_ERROR, DOC_RATIO = 25, 45, 65
"""Places of Table 2's statistics, by contrast and document."""
PRODUCTS, PRODUCT_ENDS, PERSISTENT, CONTEXT = 85, 86, 90, 91
BOOK_RANGE, OTHER_RANGE, GAP, GAP_SHARE = 92, 93, 94, 95
CELL_ONE, CELL_TWO = 96, 98
"""Mean and standard deviation of two single cells."""
TAILS, ENDS, FAVOURITES = 100, 104, 106
SIZE = 108

END_LEVELS = np.array([0.019, 0.031, 0.969, 0.981])
"""Levels at which both ends of a 95% interval are held, so that a draw seldom slips by an atom."""

LEVERAGE = 1 / 912 + 1 / 608 - 1 / 3648


def multisets() -> tuple[np.ndarray, np.ndarray]:
    """The 35 ways to draw four documents with replacement, and their probabilities."""
    counts = [
        (a, b, c, DOCS - a - b - c)
        for a in range(DOCS + 1)
        for b in range(DOCS + 1 - a)
        for c in range(DOCS + 1 - a - b)
    ]
    ways = [math.factorial(DOCS) / math.prod(map(math.factorial, c)) for c in counts]
    return np.array(counts, dtype=np.float64), np.array(ways) / DOCS**DOCS


@njit(cache=False)
def smooth_statistics(mean, squares, w, z, sets, chances, levels, book, cells, out):
    """Statistics that depend on means and sums of squared deviations only.

    Parameters
    ----------
    mean, squares : ndarray of float, shape (documents, labels)
        In points.
    w : ndarray of float, shape (contrasts, labels)
    z : float
        Half-width of an interval over its standard error.
    sets, chances : ndarray
        From `multisets`.
    levels : ndarray
        Levels at which interval ends are held.
    book : int
        Position of the document with the largest label difference.
    cells : ndarray of int, shape (2, 2)
        Document and label of the two single cells.
    out : ndarray of float, shape (SIZE,)
        Filled in; other places are left alone.
    """
    label = np.zeros(LABELS)
    doc = np.zeros(DOCS)
    for d in range(DOCS):
        for k in range(LABELS):
            label[k] += mean[d, k] / DOCS
            doc[d] += mean[d, k] / LABELS
    grand = doc.mean()
    spread = np.zeros(LABELS)
    for k in range(LABELS):
        for d in range(DOCS):
            rest = mean[d, k] - label[k] - doc[d] + grand
            spread[k] += squares[d, k] + CALLS * rest * rest
    for h in range(w.shape[0]):
        estimate = 0.0
        variance = 0.0
        for k in range(LABELS):
            estimate += w[h, k] * label[k]
            variance += w[h, k] ** 2 * spread[k]
        error = math.sqrt(variance) / (CALLS * DOCS * (1 - LEVERAGE))
        out[ESTIMATE + h] = estimate
        out[ERROR + h] = error
        out[RATIO + h] = estimate / error
        out[LOWER + h] = estimate - z * error
        out[UPPER + h] = estimate + z * error
        for d in range(DOCS):
            estimate = 0.0
            variance = 0.0
            for k in range(LABELS):
                estimate += w[h, k] * mean[d, k]
                variance += w[h, k] ** 2 * squares[d, k]
            error = math.sqrt(variance) / (CALLS - 1)
            place = h * DOCS + d
            out[DOC_ESTIMATE + place] = estimate
            out[DOC_ERROR + place] = error
            out[DOC_RATIO + place] = abs(estimate) / error
    _decompose(mean, squares, doc, sets, chances, levels, out)
    out[OTHER_RANGE] = 0.0
    for d in range(DOCS):
        width = mean[d].max() - mean[d].min()
        if d == book:
            out[BOOK_RANGE] = width
        else:
            out[OTHER_RANGE] = max(out[OTHER_RANGE], width)
    out[GAP] = doc.max() - doc.min()
    out[GAP_SHARE] = out[BOOK_RANGE] / out[GAP]
    for i in range(2):
        place = CELL_ONE if i == 0 else CELL_TWO
        d, k = cells[i]
        out[place] = mean[d, k]
        out[place + 1] = math.sqrt(squares[d, k] / (CALLS - 1))


@njit(cache=False)
def _decompose(mean, squares, doc, sets, chances, levels, out):
    """Persistent and context-specific parts, with the exact law of a resample of documents."""
    products = np.zeros((DOCS, DOCS))
    noise = np.zeros(DOCS)
    for d in range(DOCS):
        for e in range(DOCS):
            for k in range(LABELS):
                products[d, e] += (mean[d, k] - doc[d]) * (mean[e, k] - doc[e]) / LABELS
        error = squares[d].mean() / (CALLS - 1) / CALLS
        noise[d] = (1 - 1 / LABELS) * error
    share = np.empty(len(sets))
    for i in range(len(sets)):
        share[i] = _between(sets[i], products, noise)
    order = np.argsort(share)
    step = 0
    reached = 0.0
    for i in order:
        reached += chances[i]
        while step < len(levels) and reached >= levels[step]:
            out[PRODUCT_ENDS + step] = share[i]
            step += 1
    ones = np.ones(DOCS)
    out[PRODUCTS] = _between(ones, products, noise)
    total = (np.trace(products) - noise.sum()) / DOCS
    persistent = (1 / DOCS + (1 - 1 / DOCS) * out[PRODUCTS]) * total
    out[PERSISTENT] = math.sqrt(max(persistent, 0.0))
    out[CONTEXT] = math.sqrt(max(total - persistent, 0.0))


@njit(cache=False)
def _between(count, products, noise):
    """Between-document share of a resample that holds each document so many times."""
    total = 0.0
    raw = 0.0
    own = 0.0
    for d in range(DOCS):
        total += count[d] * (products[d, d] - noise[d]) / DOCS
        own += count[d] * products[d, d] / DOCS
        for e in range(DOCS):
            raw += count[d] * count[e] * products[d, e] / DOCS**2
    return (DOCS * raw - own) / (DOCS - 1) / total


@njit(cache=False)
def _cell(count, lowest, tails, mean, squares, beyond, d, k):
    """Refresh a cell's mean, sum of squares and tail counts from its marks."""
    n = count.shape[0]
    first = 0.0
    for i in range(n):
        first += count[i] * (lowest + i)
    first /= CALLS
    second = 0.0
    for i in range(n):
        second += count[i] * (lowest + i - first) ** 2
    mean[d, k] = first / TENTHS
    squares[d, k] = second / TENTHS**2
    for t in range(4):
        beyond[d, k, t] = 0
    for i in range(n):
        if count[i] == 0:
            continue
        deviation = (lowest + i - first) / TENTHS
        if deviation < tails[0]:
            beyond[d, k, 0] += count[i]
        if deviation < tails[1]:
            beyond[d, k, 1] += count[i]
        if deviation > tails[2]:
            beyond[d, k, 2] += count[i]
        if deviation > tails[3]:
            beyond[d, k, 3] += count[i]


@njit(cache=False)
def _spread_of_marks(total, beyond, favourites, out):
    """Statistics that need single marks."""
    for t in range(4):
        out[TAILS + t] = beyond[:, :, t].sum()
    out[ENDS] = total[0]
    out[ENDS + 1] = total[-1]
    held = 0
    least = CALLS * DOCS * LABELS
    most = 0
    for i in range(total.shape[0]):
        if favourites[i]:
            held += total[i]
            least = min(least, total[i])
        else:
            most = max(most, total[i])
    out[FAVOURITES] = held / (CALLS * DOCS * LABELS)
    out[FAVOURITES + 1] = least - most


@njit(cache=False)
def _few():
    """Draw a number of marks to move: 1 to 8, mostly few."""
    return 1 + int(8 * np.random.random() ** 3)


@njit(cache=False)
def penalty(out, low, high, scale):
    """Squared and absolute misses, in units of each pin's scale."""
    loss = 0.0
    for i in range(out.shape[0]):
        miss = max(low[i] - out[i], out[i] - high[i], 0.0)
        if miss > 0:
            x = miss / scale[i]
            loss += x * x + 0.3 * x
    return loss


@njit(cache=False)
def anneal(
    counts, lowest, favour, base, favourites, tails, w, z, sets, chances, levels, book, cells,
    low, high, scale, moves, weight_from, weight_to, plausible, seed,
):  # fmt: skip
    """Move marks between bins at constant temperature while pins weigh more and more.

    Parameters
    ----------
    counts : ndarray of int, shape (documents, labels, marks)
        Changed in place.
    lowest : int
        First mark, in tenths.
    favour : float
        Share of the moves that go to a favourite mark.
    base : ndarray of float, shape (documents, labels, marks)
        Logarithm of how plausible each mark is.
    favourites : ndarray of bool, shape (marks,)
    tails : ndarray of float, shape (4,)
        Deviations from a cell's mean beyond which marks are counted.
    low, high, scale : ndarray of float, shape (SIZE,)
        The pins.
    moves, weight_from, weight_to, plausible, seed
        Length of the run, weight of the pins at both ends, weight of the
        multinomial plausibility, random seed.

    Returns
    -------
    float
        Penalty of the pins that are left.
    """
    np.random.seed(seed)
    marks = counts.shape[2]
    chosen = np.flatnonzero(favourites)
    log_factorial = np.zeros(CALLS + 1)
    for i in range(2, CALLS + 1):
        log_factorial[i] = log_factorial[i - 1] + math.log(i)
    mean = np.zeros((DOCS, LABELS))
    squares = np.zeros((DOCS, LABELS))
    beyond = np.zeros((DOCS, LABELS, 4))
    total = np.zeros(marks, dtype=np.int64)
    out = np.zeros(SIZE)
    for d in range(DOCS):
        for k in range(LABELS):
            _cell(counts[d, k], lowest, tails, mean, squares, beyond, d, k)
            total += counts[d, k]
    smooth_statistics(mean, squares, w, z, sets, chances, levels, book, cells, out)
    _spread_of_marks(total, beyond, favourites, out)
    loss = penalty(out, low, high, scale)
    old_mean, old_squares = mean.copy(), squares.copy()
    old_beyond, old_total = beyond.copy(), total.copy()
    # (document, label, from, to, marks) of a move and of its counterpart.
    step = np.zeros((2, 5), dtype=np.int64)
    growth = math.log(weight_to / weight_from)
    for move in range(moves):
        weight = weight_from * math.exp(growth * move / moves)
        d, k = np.random.randint(DOCS), np.random.randint(LABELS)
        a = np.random.randint(marks)
        if counts[d, k, a] == 0:
            continue
        if np.random.random() < favour:
            b = chosen[np.random.randint(chosen.size)]
        else:
            b = a + np.random.randint(1, 4) * (1 if np.random.random() < 0.5 else -1)
        if b < 0 or b >= marks or a == b:
            continue
        size = min(_few(), counts[d, k, a])
        parts = 1
        step[0, 0], step[0, 1], step[0, 2], step[0, 3], step[0, 4] = d, k, a, b, size
        kind = np.random.random()
        if kind < 0.8:
            # The same shift backwards, here or under the same label of another document; or any
            # other shift elsewhere.
            e, f, turned = d, k, size
            if kind >= 0.25:
                e = np.random.randint(DOCS)
            c = np.random.randint(marks)
            g = c - (b - a)
            if kind >= 0.5:
                f = np.random.randint(LABELS)
                g = c + np.random.randint(1, 4) * (1 if np.random.random() < 0.5 else -1)
                turned = _few()
            same = e == d and f == k and c == a
            if g < 0 or g >= marks or counts[e, f, c] < turned or same:
                continue
            step[1, 0], step[1, 1], step[1, 2], step[1, 3], step[1, 4] = e, f, c, g, turned
            parts = 2
        energy = 0.0
        for i in range(parts):
            x, y, u, v, q = step[i]
            row = counts[x, y]
            energy += log_factorial[row[u] - q] - log_factorial[row[u]]
            energy += log_factorial[row[v] + q] - log_factorial[row[v]]
            energy += q * (base[x, y, u] - base[x, y, v])
            row[u] -= q
            row[v] += q
            total[u] -= q
            total[v] += q
        for i in range(parts):
            x, y = step[i, 0], step[i, 1]
            _cell(counts[x, y], lowest, tails, mean, squares, beyond, x, y)
        smooth_statistics(mean, squares, w, z, sets, chances, levels, book, cells, out)
        _spread_of_marks(total, beyond, favourites, out)
        new = penalty(out, low, high, scale)
        change = plausible * energy + weight * (new - loss)
        if change <= 0 or np.random.random() < math.exp(-change):
            loss = new
            for i in range(parts):
                x, y = step[i, 0], step[i, 1]
                old_mean[x, y], old_squares[x, y] = mean[x, y], squares[x, y]
                old_beyond[x, y] = beyond[x, y]
            old_total[:] = total
        else:
            for i in range(parts - 1, -1, -1):
                x, y, u, v, q = step[i]
                counts[x, y, u] += q
                counts[x, y, v] -= q
                mean[x, y], squares[x, y] = old_mean[x, y], old_squares[x, y]
                beyond[x, y] = old_beyond[x, y]
            total[:] = old_total
    smooth_statistics(mean, squares, w, z, sets, chances, levels, book, cells, out)
    _spread_of_marks(total, beyond, favourites, out)
    return penalty(out, low, high, scale)


@njit(cache=False)
def statistics(counts, lowest, favourites, tails, w, z, sets, chances, levels, book, cells):
    """Every statistic of a judge's counts, shape (SIZE,)."""
    mean = np.zeros((DOCS, LABELS))
    squares = np.zeros((DOCS, LABELS))
    beyond = np.zeros((DOCS, LABELS, 4))
    total = np.zeros(counts.shape[2], dtype=np.int64)
    out = np.zeros(SIZE)
    for d in range(DOCS):
        for k in range(LABELS):
            _cell(counts[d, k], lowest, tails, mean, squares, beyond, d, k)
            total += counts[d, k]
    smooth_statistics(mean, squares, w, z, sets, chances, levels, book, cells, out)
    _spread_of_marks(total, beyond, favourites, out)
    return out
