"""Anneal rows of integers by transfers that keep every block's sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

HOT, COLD = 4.0, 0.02
ENOUGH = 1e-9


@dataclass
class Rows:
    """Integer vectors over the same groups, and what may be done to them."""

    values: np.ndarray
    """Shape (rows, groups)."""
    free: np.ndarray
    """Entries that may move, shape (rows, groups)."""
    block: np.ndarray
    """Block of each entry, shape (rows, groups); a transfer stays within one."""
    low: np.ndarray
    high: np.ndarray
    """Range of each row, shape (rows,)."""
    step: np.ndarray
    """Size of a transfer in each row, shape (rows,)."""


def run(
    rows: Rows, penalty: Callable[[np.ndarray], float], rng: np.random.Generator, moves: int
) -> float:
    """Move ``rows.values`` to the lowest penalty found and return that penalty.

    The search ends early once the penalty is zero.
    """
    places = _places(rows)
    current = penalty(rows.values)
    best, kept = current, rows.values.copy()
    for move in range(moves):
        if best < ENOUGH:
            break
        change = _transfer(rows, places, rng)
        if change is None:
            continue
        proposed = penalty(rows.values)
        heat = COLD + HOT * (1 - move / moves) ** 2
        if proposed <= current or rng.random() < np.exp((current - proposed) / heat):
            current = proposed
            if current < best:
                best, kept = current, rows.values.copy()
        else:
            r, i, j, size = change
            rows.values[r, i] -= size
            rows.values[r, j] += size
    rows.values[:] = kept
    return best


def _places(rows: Rows) -> list[tuple[int, np.ndarray]]:
    """Row and members of every block with at least two free entries."""
    found = []
    for r in range(len(rows.values)):
        for b in np.unique(rows.block[r]):
            members = np.flatnonzero(rows.free[r] & (rows.block[r] == b))
            if len(members) > 1:
                found.append((r, members))
    return found


def _transfer(rows: Rows, places, rng) -> tuple[int, int, int, int] | None:
    """Make one random transfer; None, and nothing done, where it would leave the range."""
    r, members = places[rng.integers(len(places))]
    i, j = members[rng.integers(len(members), size=2)]
    size = rows.step[r]
    if i == j or rows.values[r, i] + size > rows.high[r] or rows.values[r, j] - size < rows.low[r]:
        return None
    rows.values[r, i] += size
    rows.values[r, j] -= size
    return int(r), int(i), int(j), int(size)
