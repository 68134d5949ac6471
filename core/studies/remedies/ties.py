"""Which texts go first when a threshold would take too many: a seeded draw for each text."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

PLANNED_SEED = 20261022
"""The study's seed is not printed; ours is the date of its rerun with exact matching."""


def precedence(complaints: int, personas: int, seed: int = PLANNED_SEED) -> npt.NDArray[np.int64]:
    """Draw the place of every text in the queue for ties.

    A text keeps its place whatever its score, the bank and the rule.

    Parameters
    ----------
    complaints
        In the order of their ids.
    personas
        In the order of the study's table of personas.
    seed
        Of the draw.

    Returns
    -------
    numpy.ndarray
        Places from 0 (taken first), shape (complaints, personas).
    """
    drawn = np.random.default_rng(seed).permutation(complaints * personas)
    return drawn.reshape(complaints, personas).astype(np.int64)


def take_highest(
    scores: npt.NDArray[np.int64], wanted: int, places: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Take exactly so many texts with the highest scores; ties go by their place in the queue."""
    queue = np.lexsort((places.ravel(), -scores.ravel()))
    taken = np.zeros(scores.size, dtype=np.bool_)
    taken[queue[:wanted]] = True
    return taken.reshape(scores.shape)
