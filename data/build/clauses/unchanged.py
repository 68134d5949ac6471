"""Asymmetries of the archetypes that are the same in both runs.

They are found first, because their paired change pools all models; the search
of each model then works around them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.build.clauses import anneal, pins, targets
from data.build.clauses.exact import law
from data.build.clauses.reference import MODELS

MOVES = 5_000
TRIES = 12
OPAQUE_UPPER_STEP = 1
"""Steps of the lattice between the printed upper end under opaque labels and the one aimed at.

Among 20 integers from -8 to 3 with the printed mean, none have both printed
ends when ties count by mid-rank, as planned; three of -2 and two of -1 have
them when ties do not count. One step is the nearest.
"""
LARGEST = 4
"""Largest change of a unit, summed over models."""
ROLE_SHARES = {
    "gpt-5.1": 0.45,
    "claude-sonnet-5": 0.3,
    "gemini-3.1-pro-preview": 0.15,
    "gemini-3.1-flash-lite": 0.1,
}
"""Part of each model in the pooled role-labeled asymmetry of v2, close to its part overall."""
ROLE_MOVED = {
    "gpt-5.1": 0.5,
    "claude-sonnet-5": 0.45,
    "gemini-3.1-pro-preview": 0.2,
    "gemini-3.1-flash-lite": 0.2,
}
"""Part of the units each model tilts on in v2; a small mean that is significant needs few."""
OPAQUE_SHIFT = {
    "gpt-5.1": 0.35,
    "claude-sonnet-5": 0.1,
    "gemini-3.1-pro-preview": 0.45,
    "gemini-3.1-flash-lite": 0.1,
}
"""Part of each model in the change under opaque labels."""
OPAQUE_BEFORE = 4
"""Opaque asymmetry of these units in v2, summed over models; no figure says."""


@dataclass(frozen=True)
class Unchanged:
    """Asymmetries of shape (runs, models, units), in role-labeled and opaque conditions."""

    role: np.ndarray
    opaque: np.ndarray


def search(rng: np.random.Generator) -> Unchanged:
    """Asymmetries that return the printed pooled means and paired changes."""
    n = pins.count("unchanged.n_units")
    pooled = n * len(MODELS)
    before = pins.total("unchanged.labeled.v2", pooled)
    change = _change("unchanged.labeled.change", n, pooled, rng)
    parts = _labelled_parts(n, rng)
    first = _spread(_split(before, list(ROLE_SHARES.values())), n, rng, list(ROLE_MOVED.values()))
    role = np.stack([first, first + _share_out(change, parts, rng)])
    change = _change("unchanged.opaque.change", n, pooled, rng, OPAQUE_UPPER_STEP)
    parts = _split(int(change.sum()), list(OPAQUE_SHIFT.values()))
    # Nothing but what the sum needs: the printed bounds leave little room for spread.
    still = [0.0] * len(MODELS)
    first = _spread(_split(OPAQUE_BEFORE, [0.25] * len(MODELS)), n, rng, still)
    opaque = np.stack([first, first + _share_out(change, parts, rng)])
    return Unchanged(role, opaque)


def _change(name: str, n: int, pooled: int, rng, upper_step: int = 0) -> np.ndarray:
    """Change of each unit, summed over models, whose interval ends as printed.

    Raises
    ------
    RuntimeError
        If no try meets the interval.
    """
    total, (low, high) = pins.total(name, pooled), pins.ends(name, pooled)
    wanted = low, high + upper_step
    for _ in range(TRIES):
        values = np.zeros((1, n), dtype=np.int64)
        for _ in range(abs(total)):
            values[0, rng.integers(n)] += np.sign(total)
        everywhere = np.ones((1, n), dtype=bool)
        bounds = [np.array([x]) for x in (-LARGEST, LARGEST, 1)]
        rows = anneal.Rows(values, everywhere, np.zeros((1, n), dtype=int), *bounds)
        left = anneal.run(rows, lambda v: targets.interval(law(v[0]), wanted), rng, MOVES)
        if left < anneal.ENOUGH:
            return values[0]
    raise RuntimeError(f"{name}: no change of {n} units has the printed interval")


def _labelled_parts(n: int, rng) -> np.ndarray:
    """Change of each model, at the printed ends for two of them and zero in sum."""
    stem = "unchanged.labeled.per_model_change"
    low, high = (pins.total(f"{stem}.{end}", n) for end in ("min", "max"))
    middle = int(rng.integers(0, high))
    # The model that gains most overall gains most here.
    others = rng.permutation([low, middle, -low - high - middle])
    return np.array([*others, high])


def _split(total: int, shares: list[float]) -> np.ndarray:
    """Whole parts of a total, close to the shares."""
    edges = np.round(np.cumsum([0.0, *shares]) * total).astype(int)
    return np.diff(edges)


def _spread(sums: np.ndarray, n: int, rng, moved: list[float]) -> np.ndarray:
    """Small integers with given row sums, shape (models, n).

    Parameters
    ----------
    moved : list of float
        Part of each row that differs from zero before the sum is met.
    """
    values = np.stack([rng.choice([-1, 0, 1, 2], p=_weights(part), size=n) for part in moved])
    for row, total in zip(values, sums, strict=True):
        while row.sum() != total:
            step = np.sign(total - row.sum())
            i = rng.integers(n)
            if -1 <= row[i] + step <= 4:
                row[i] += step
    return values


def _weights(moved: float) -> list[float]:
    return [moved * 0.25, 1 - moved, moved * 0.6, moved * 0.15]


def _share_out(change: np.ndarray, parts: np.ndarray, rng) -> np.ndarray:
    """Changes by model and unit with both margins given, shape (models, units)."""
    values = np.zeros((len(parts), len(change)), dtype=np.int64)
    left = parts - values.sum(axis=1)
    for i, wanted in enumerate(change):
        for _ in range(abs(wanted)):
            step = np.sign(wanted)
            m = _who(left * step, values[:, i] * step, rng)
            values[m, i] += step
            left[m] -= step
    # A model that still needs more takes it from one that has too much, within a unit.
    while left.any():
        gains, loses = rng.choice(np.flatnonzero(left > 0)), rng.choice(np.flatnonzero(left < 0))
        i = rng.integers(len(change))
        values[gains, i] += 1
        values[loses, i] -= 1
        left[gains] -= 1
        left[loses] += 1
    return values


def _who(need: np.ndarray, taken: np.ndarray, rng) -> int:
    """Model that needs a step most, taking turns within a unit."""
    score = need - 2 * taken + rng.random(len(need))
    return int(np.argmax(score))
