"""Let the GPT models and Jev see the same complaints as severe.

Both searches know a complaint only by its number, so the GPT models' complaints may be exchanged
within the blocks that printed figures know: the first 200, the next 300 and the last 500. Only
figures that pair both systems change. How closely severities go together is set by the printed
intervals of the difference in disagreement.
"""

from __future__ import annotations

import numpy as np

from data.build.remedies.pins import NORMAL, figure
from data.build.remedies.reference import EDITED, GUISES, HOLDOUT, MITIGATED, PAIRS

BLOCKS = ((0, EDITED), (EDITED, MITIGATED), (MITIGATED, HOLDOUT))

LOOSENESS = np.arange(0.05, 1.55, 0.05)
"""Noise put on severity before complaints are matched, in standard deviations of it."""


def pair_share(paid: np.ndarray) -> np.ndarray:
    """Disagreeing share of pairs of guises in each complaint."""
    m = paid.sum(1)
    return m * (GUISES - m) / PAIRS


def couple(
    tiers: np.ndarray, severity: np.ndarray, jev_paid: np.ndarray, name: str, seed: int
) -> np.ndarray:
    """Reorder a GPT model's complaints.

    Parameters
    ----------
    tiers : ndarray, shape (complaints, guises)
    severity : ndarray, shape (complaints,)
        Mean monetary probability that Jev gives.
    jev_paid : ndarray, shape (complaints, guises)
        Jev's decisions at the matched threshold.
    name : str
        Figure with the interval of the difference in disagreement.
    seed : int
    """
    printed = figure(name)
    assert printed.lower is not None
    assert printed.upper is not None
    wanted = (printed.upper - printed.lower) / 2 / 100
    best, least = tiers, np.inf
    for looseness in LOOSENESS:
        found = _matched(tiers, severity, looseness, np.random.default_rng(seed))
        step = pair_share(found == 2) - pair_share(jev_paid)
        half = NORMAL * step.std() / np.sqrt(HOLDOUT)
        if abs(half - wanted) < least:
            best, least = found, abs(half - wanted)
    return best


def _matched(
    tiers: np.ndarray, severity: np.ndarray, looseness: float, rng: np.random.Generator
) -> np.ndarray:
    out = np.empty_like(tiers)
    # Ranks, since both severities are skewed.
    jev = np.argsort(np.argsort(severity, kind="stable"), kind="stable") / HOLDOUT
    level = (tiers == 2).mean(1) + 0.1 * tiers.mean(1)
    gpt = np.argsort(np.argsort(level, kind="stable"), kind="stable") / HOLDOUT
    spread = looseness * gpt.std()
    for low, high in BLOCKS:
        noisy = gpt[low:high] + spread * rng.standard_normal(high - low)
        to = low + np.argsort(jev[low:high], kind="stable")
        out[to] = tiers[low + np.argsort(noisy, kind="stable")]
    return out
