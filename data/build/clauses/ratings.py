"""Ratings from 1 to 10 that have the asymmetries found.

Asymmetries fix differences and, for the two neutral conditions, how their sums
differ. The level is free: it follows a model, a clause and a family. Conditions
that no hypothesis uses follow their neighbours.
"""

from __future__ import annotations

import numpy as np

from data.build.clauses.asymmetry import Asymmetries
from data.build.clauses.reference import FAMILIES, MODELS, RUNS, VARIANTS, condition

BOTTOM, TOP = 1, 10
"""The document does not say whether the scale starts at 0 or 1; these fit both."""
LARGEST = TOP - BOTTOM
LEVEL = {
    "gpt-5.1": 4.2,
    "claude-sonnet-5": 3.7,
    "gemini-3.1-pro-preview": 3.3,
    "gemini-3.1-flash-lite": 4.5,
}
"""Usual rating of a one-sided clause; no figure says."""
FAMILY_LEVEL = {"employment": -0.2, "landlord_tenant": -0.3, "b2b": 0.5}
CLAUSE_SPREAD, GROUP_SPREAD, RUN_SPREAD, CONDITION_SPREAD = 1.0, 0.4, 0.3, 0.5
KEPT_TILT = {"undetermined_7": 0.6, "undetermined_8": 0.4}
"""Part of the role-labeled tilt left when one label is kept: the weaker's or the stronger's."""
STRONG, WEAK, MUTUAL = (VARIANTS.index(v) for v in ("strong", "weak", "mutual"))


def build(found: Asymmetries, conditions: int, rng: np.random.Generator) -> np.ndarray:
    """Rating of every answer.

    Returns
    -------
    ndarray of int, shape (runs, models, families, archetypes, variants, conditions)
    """
    shape = (*found.role.shape, len(VARIANTS), conditions)
    ratings = np.zeros(shape, dtype=np.int64)
    level = _levels(found.role.shape, rng)
    for c, (difference, total) in _pairs(found, level, rng).items():
        ratings[..., WEAK, c] = (total + difference) // 2
        ratings[..., STRONG, c] = (total - difference) // 2
        # A clause that binds both alike rates between its one-sided versions.
        ratings[..., MUTUAL, c] = (total + rng.integers(0, 2, total.shape)) // 2
    return ratings


def _levels(shape: tuple[int, ...], rng) -> np.ndarray:
    """Level of each group, shape (runs, models, families, archetypes)."""
    model = np.array([LEVEL[m] for m in MODELS])[None, :, None, None]
    family = np.array([FAMILY_LEVEL[f] for f in FAMILIES])[None, None, :, None]
    clause = rng.normal(0, CLAUSE_SPREAD, shape[-1])
    run = rng.normal(0, RUN_SPREAD, (len(RUNS), len(MODELS), 1, 1))
    return model + family + clause + run + rng.normal(0, GROUP_SPREAD, shape)


def _pairs(found: Asymmetries, level, rng) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Difference and sum of the one-sided ratings, by condition."""
    role, opaque, lift = found.role, found.opaque, found.lift
    low = 2 * BOTTOM + np.maximum(abs(opaque), abs(role) - lift)
    high = np.minimum(2 * TOP - abs(opaque), 2 * TOP - abs(role) - lift)
    total = _near(2 * level - lift / 2, opaque, low, high)
    pairs = {
        condition("neutral_opaque"): (opaque, total),
        condition("neutral_role"): (role, total + lift),
    }
    loose = _represented(found, rng)
    for name, share in KEPT_TILT.items():
        tilt = opaque + share * (role - opaque) + rng.normal(0, 0.3, role.shape)
        loose[name] = np.round(tilt).astype(np.int64)
    for name, difference in loose.items():
        wanted = total + lift / 2 + rng.normal(0, CONDITION_SPREAD, role.shape)
        bound = abs(difference)
        pairs[condition(name)] = (
            difference,
            _near(wanted, difference, 2 * BOTTOM + bound, 2 * TOP - bound),
        )
    return pairs


def _represented(found: Asymmetries, rng) -> dict[str, np.ndarray]:
    """Asymmetries of the represented conditions: each side's own clause rates higher."""
    differences = {}
    for ending, base, noise in (("_anon", found.opaque, 0), ("", found.role, 1)):
        pull = found.pull + rng.integers(-noise, noise + 1, found.pull.shape)
        half = (pull + rng.integers(0, 2, pull.shape)) // 2
        weak = np.clip(base + half, -LARGEST, LARGEST)
        differences[f"rep_weak{ending}"] = weak
        differences[f"rep_strong{ending}"] = np.clip(weak - pull, -LARGEST, LARGEST)
    return differences


def _near(wanted, parity, low, high) -> np.ndarray:
    """The allowed integer nearest to a value that is odd where ``parity`` is odd."""
    total = 2 * np.round((wanted - parity % 2) / 2) + parity % 2
    total = np.where(total < low, low + (low - parity) % 2, total)
    total = np.where(total > high, high - (high - parity) % 2, total)
    return total.astype(np.int64)
