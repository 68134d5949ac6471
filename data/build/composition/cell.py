"""Statistics of one cell, compiled.

The order of the statistics is `anneal.CELL_STATISTICS`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

ADDITIVE = 15
"""Statistics read off the term table: both paths and total variation."""


@njit(cache=True)
def fill_best(c, n, target, size, order):
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
def measure(out, c, n, terms, offset, size, target, order):
    """Fill one cell's statistics from its counts."""
    for j in range(ADDITIVE):
        out[j] = 0.0
    deepest = 0.0
    augmented = 0.0
    gain = -1.0
    spare = 30 - n
    for a in range(size):
        row = terms[offset + a, n, c[a]]
        for j in range(ADDITIVE):
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
        out[23] = fill_best(c, n, target, size, order)
        out[24] = augmented + gain


@njit(cache=True)
def rescale(out, c, n_old, n_new, size):
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
def implausible(c, n, sibling, n_sibling, cost, size, alike, usual):
    apart, odd = 0.0, 0.0
    for a in range(size):
        q = c[a] / n
        apart += abs(q - sibling[a] / n_sibling)
        odd += q * cost[a]
    return alike * apart / 2 + usual * odd
