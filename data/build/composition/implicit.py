"""Primary cells of the implicit regime.

Few implicit outputs state a primary attribute. Only the smallest, middle and
largest mapped rate of each module are printed, so the counts between them are
drawn: most cells map nothing, a few map one or two outputs.
"""

from __future__ import annotations

import numpy as np

from data.build.composition import occupancy, pins
from data.build.composition.reference import OUTPUTS, PRIMARY, SLOTS, Layout

STATING_SHARE = 0.3
"""Share of cells that map anything; below one half, so the median stays at zero."""
TYPICAL = 0.25
"""Mean mapped count of a stating cell, as a share of the module's largest."""
MAJORITY_TILT = 0.5
"""Tilt of orientation draws towards the target, which stories seldom follow."""


def build(layout: Layout, failed: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Category counts of the implicit primary cells.

    Parameters
    ----------
    failed : ndarray of int, shape (models, contexts, slots)
        Failed records of the implicit regime.

    Returns
    -------
    ndarray of int, shape (models, cells, widest)
    """
    models = len(layout.models)
    cap = OUTPUTS - occupancy.failed_by_cell(layout, failed)
    counts = np.zeros((models, layout.cells, layout.widest), dtype=np.int64)
    for m, model in enumerate(layout.models):
        for k, attribute in enumerate(PRIMARY):
            cells = np.flatnonzero(layout.attribute_of_cell == k)
            highest = round(_rate(attribute, "max", model) * OUTPUTS)
            n = np.zeros(len(cells), dtype=np.int64)
            stating = rng.choice(len(cells), int(STATING_SHARE * len(cells)), False)
            n[stating] = 1 + rng.poisson(TYPICAL * highest, len(stating))
            n[stating] = np.minimum(n[stating], max(highest - 1, 1))
            n[stating[0]] = highest
            n = np.minimum(n, cap[m, cells])
            for g, total in zip(cells, n, strict=True):
                counts[m, g] = _spread(layout, g, total, rng)
    return counts


def _rate(attribute: str, statistic: str, model: str) -> float:
    return pins.figure(
        pins.MAPPED_RATE,
        regime="implicit",
        attribute=attribute,
        statistic=statistic,
        model=model,
    ).value


def _spread(layout: Layout, g: int, total: int, rng) -> np.ndarray:
    pair = layout.pairs[g // len(SLOTS)]
    share = pair.target
    if pair.attribute == "sexual_orientation":
        share = share**MAJORITY_TILT
    drawn = np.zeros(layout.widest, dtype=np.int64)
    drawn[: pair.size] = rng.multinomial(total, share / share.sum())
    return drawn
