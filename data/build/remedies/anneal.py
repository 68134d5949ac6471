"""One annealing search for every table: change a complaint, keep it if its figures come closer.

All printed figures are smooth functions of sums over complaints. A table says which numbers of one
complaint are summed (`features`), what follows from the sums (`measure`), and how a complaint may
be changed (`propose`); a change then costs one complaint's features whatever the table's size.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

LINEAR = 0.3
"""Part of a miss that counts linearly, so that the last tenth of a unit still has a slope."""


@njit(cache=False)
def loss_of(found, low, high, unit):
    """Sum over statistics of the miss in units, squared and linear."""
    loss = 0.0
    for i in range(found.size):
        miss = max(low[i] - found[i], found[i] - high[i], 0.0)
        if miss > 0:
            x = miss / unit[i]
            loss += x * x + LINEAR * x
        elif not miss <= 0:
            loss += 1e6
    return loss


def sums_over(features: Callable) -> Callable:
    """Compile the sums of all complaints' numbers.

    Returns
    -------
    compiled function
        ``total(state, aux, fixed, blocks, size)``, shape (blocks, size).
    """

    @njit(cache=False)
    def total(state, aux, fixed, blocks, size):
        sums = np.zeros((blocks.max(), size))
        out = np.zeros(size)
        for c in range(state.shape[0]):
            features(state[c], aux[c], fixed, out)
            for b in range(blocks[c]):
                sums[b] += out
        return sums

    return total


def annealer(features: Callable, measure: Callable, propose: Callable) -> tuple[Callable, Callable]:
    """Compile a search and the sums it starts from.

    Parameters
    ----------
    features : compiled function (row, aux, fixed, out)
        Numbers of one complaint from its row, what else is known of it, and constants.
    measure : compiled function (sums, fixed, out)
        Statistics from sums, shape (blocks, features).
    propose : compiled function (row, new) -> bool
        Write a changed row, False where the change is not possible.

    Returns
    -------
    tuple of functions
        ``total(state, aux, fixed, blocks, size)`` and ``search(...)``.
    """
    total = sums_over(features)

    @njit(cache=False)
    def search(state, aux, fixed, blocks, size, low, high, unit, moves, hot, cold, seed):
        np.random.seed(seed)
        complaints = state.shape[0]
        sums = total(state, aux, fixed, blocks, size)
        trial = np.zeros_like(sums)
        known = np.zeros((complaints, size))
        for c in range(complaints):
            features(state[c], aux[c], fixed, known[c])
        after = np.zeros(size)
        new = np.zeros_like(state[0])
        found = np.zeros(low.size)
        measure(sums, fixed, found)
        loss = loss_of(found, low, high, unit)
        factor = (cold / hot) ** (1.0 / moves)
        heat = hot
        for _ in range(moves):
            heat *= factor
            c = np.random.randint(complaints)
            if not propose(state[c], new):
                continue
            features(new, aux[c], fixed, after)
            for i in range(size):
                change = after[i] - known[c, i]
                for b in range(sums.shape[0]):
                    trial[b, i] = sums[b, i] + (change if b < blocks[c] else 0.0)
            measure(trial, fixed, found)
            tried = loss_of(found, low, high, unit)
            if tried <= loss or np.random.random() < np.exp((loss - tried) / heat):
                loss = tried
                state[c] = new
                known[c] = after
                sums, trial = trial, sums
                if loss == 0.0:
                    break
        return loss

    return total, search
