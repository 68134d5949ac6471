"""Compiled pieces that searches share: intervals, D, variance components, moves of hundredths."""

from __future__ import annotations

import numpy as np
from numba import njit

from data.build.remedies.pins import NORMAL
from data.build.remedies.reference import GUISES

COMPLAINT, PERSONA, BANK, ORDER = 1, 2, 4, 8
"""Factors of the crossed layout; a term is the sum of its factors."""

TERMS = 16


@njit(cache=False)
def ends(total, squares, size, factor, out, place):
    """Ends of the normal interval of a mean over complaints, times a factor."""
    mean = total / size
    error = np.sqrt(max(squares / size - mean * mean, 0.0) / size)
    out[place] = factor * (mean - NORMAL * error)
    out[place + 1] = factor * (mean + NORMAL * error)


@njit(cache=False)
def disparity(squares, row_squares, columns, complaints):
    """D and the residual share of a complaint x persona matrix (NOTES 3.7 and 3.8).

    Parameters
    ----------
    squares : float
        Sum of squares of all values.
    row_squares : float
        Sum of squares of the complaints' totals.
    columns : ndarray
        Totals of the guises.
    complaints : int
    """
    grand = columns.sum()
    rows = row_squares / GUISES
    guises = (columns * columns).sum() / complaints
    mean = grand * grand / (complaints * GUISES)
    noise = (squares - rows - guises + mean) / ((complaints - 1) * (GUISES - 1))
    persona = (guises - mean) / complaints / (GUISES - 1) - noise / complaints
    complaint = (rows - mean) / GUISES / (complaints - 1) - noise / GUISES
    share = noise / (complaint + max(persona, 0.0) + noise)
    # The study stops at zero; below it a search needs the slope.
    sign = 1.0 if persona >= 0 else -1.0
    return sign * np.sqrt(abs(persona) / complaint), share


@njit(cache=False)
def components(squares, sizes):
    """Variance components by expected mean squares (NOTES 3.10).

    Parameters
    ----------
    squares : ndarray, shape (16,)
        For each term the sum, over its levels, of the squared total.
    sizes : ndarray, shape (4,)
        Numbers of complaints, personas, banks and orders.

    Returns
    -------
    ndarray, shape (16,)
        Of the terms; the first place means nothing.
    """
    value = np.zeros(TERMS)
    outside = np.ones(TERMS)
    for term in range(TERMS):
        for f in range(4):
            if not term & (1 << f):
                outside[term] *= sizes[f]
        value[term] = squares[term] / outside[term]
    for f in range(4):
        for term in range(TERMS):
            if term & (1 << f):
                value[term] -= value[term ^ (1 << f)]
    for term in range(TERMS):
        freedom = 1.0
        for f in range(4):
            if term & (1 << f):
                freedom *= sizes[f] - 1
        value[term] /= freedom
    for f in range(4):
        for term in range(TERMS):
            if not term & (1 << f):
                value[term] -= value[term | (1 << f)]
    return value / outside


@njit(cache=False)
def shift(p, giver, taker, size):
    """Move hundredths of a text (p1, p2) between two tiers; False where it has not so many."""
    have = 100 - p[0] - p[1] if giver == 0 else p[giver - 1]
    if have < size:
        return False
    for tier in range(1, 3):
        p[tier - 1] += size * ((taker == tier) - (giver == tier))
    return True
