"""Which party each answer says a clause favours, with the wrong calls that are counted."""

from __future__ import annotations

import numpy as np

from data.build.clauses import pins
from data.build.clauses.missing import FLASH, GPT, PRO, ROLE, SONNET, V2
from data.build.clauses.reference import (
    CONDITIONS,
    FAMILIES,
    MODELS,
    ONE_SIDED,
    PRESENTATION,
    RUNS,
    VARIANTS,
    Archetypes,
)

FAVORED = ("strong", "weak", "neither")
STRONG, WEAK, NEITHER = range(3)
MUTUAL_ONE_SIDED = 0.03
"""Part of the mutual clauses that an answer takes to favour a party."""
WRONG_NEITHER = 0.3
"""Part of the wrong calls without role labels that name no party."""


def build(archetypes: Archetypes, usable: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Favored party of every answer, an index into `FAVORED`, shape of ``usable``."""
    calls = np.empty(usable.shape, dtype=np.int64)
    for v, name in enumerate(VARIANTS):
        calls[..., v, :] = FAVORED.index(name) if name in FAVORED else NEITHER
    mutual = VARIANTS.index("mutual")
    taken = rng.random(usable[..., mutual, :].shape) < MUTUAL_ONE_SIDED
    side = rng.integers(0, 2, taken.shape)
    calls[..., mutual, :] = np.where(taken, side, calls[..., mutual, :])
    _wrong_with_roles(calls, archetypes, usable, rng)
    _wrong_without_roles(calls, usable, rng)
    return calls


def _wrong_with_roles(calls, archetypes, usable, rng) -> None:
    """v2, neutral role labels: every wrong call names the stronger party."""
    wrong = pins.count("direction.v2.wrong")
    in_dropped = pins.count("direction.v2.wrong_in_dropped")
    spread_over = pins.count("direction.v2.dropped_archetypes_with_errors")
    dropped = rng.permutation(np.flatnonzero(archetypes.dropped))[:spread_over]
    parts = np.full(spread_over, in_dropped // spread_over)
    parts[0] += in_dropped - parts.sum()
    for a, number in zip(dropped, parts, strict=True):
        _misname(calls, usable, [a], number, rng)
    _misname(calls, usable, np.flatnonzero(~archetypes.dropped), wrong - in_dropped, rng)


def _misname(calls, usable, archetypes, number, rng) -> None:
    weak = VARIANTS.index("weak")
    open_to = np.zeros(usable.shape, dtype=bool)
    everyone = range(len(MODELS)), range(len(FAMILIES))
    open_to[np.ix_([V2], *everyone, archetypes, [weak], [ROLE])] = True
    for place in rng.permutation(np.argwhere(open_to & usable))[:number]:
        calls[tuple(place)] = STRONG


def _wrong_without_roles(calls, usable, rng) -> None:
    """Few wrong calls: as many as printed for the worst model in v2, none for the best.

    They are spread evenly over families and conditions, because the document
    does not say over which of them its accuracy is taken.
    """
    worst, best = rng.choice([PRO, FLASH]), rng.choice([GPT, SONNET])
    size = 2 * pins.count("v2.n_archetypes")
    most = round((1 - pins.count("v2.direction_accuracy.opaque.min") / 100) * size)
    for run in range(len(RUNS)):
        for m in range(len(MODELS)):
            for f in range(len(FAMILIES)):
                for c, name in enumerate(CONDITIONS):
                    if PRESENTATION[name][0] == "role" or m == best:
                        continue
                    number = most if (run, m) == (V2, worst) else rng.integers(0, 2)
                    _miscall(calls, usable, (run, m, f), c, number, rng)


def _miscall(calls, usable, block, c, number, rng) -> None:
    places = np.argwhere(usable[block][:, ONE_SIDED, c])
    for a, v in rng.permutation(places)[:number]:
        other = STRONG if calls[(*block, a, v, c)] == WEAK else WEAK
        calls[(*block, a, v, c)] = NEITHER if rng.random() < WRONG_NEITHER else other
