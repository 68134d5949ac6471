"""Places of models, as far as the bootstrap can tell them apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.verdicts import separable

Array = NDArray[np.float64]


def place_ranges(scores: Array, kept: Array) -> list[tuple[int, int] | None]:
    """Places that each model may have; 1 is the lowest score.

    Parameters
    ----------
    scores
        (M,) composites; NaN where there is none.
    kept
        (M, M) share of shared draws in which the row's model lies below the column's.

    Returns
    -------
    list of (best, worst) or None
        A model's place is one more than the models that are separably below it, to the number of
        models less those separably above. None without a score.
    """
    there = ~np.isnan(scores)
    below = np.nan_to_num(kept)
    ranges: list[tuple[int, int] | None] = []
    for m in range(len(scores)):
        if not there[m]:
            ranges.append(None)
            continue
        ahead = int((separable(below[:, m]) & there).sum())
        behind = int((separable(below[m]) & there).sum())
        ranges.append((ahead + 1, int(there.sum()) - behind))
    return ranges


def inseparable_pairs(
    scores: Array, kept: Array, names: Sequence[str]
) -> list[tuple[str, str, float]]:
    """List pairs whose order the draws do not settle.

    Returns
    -------
    list of (lower, higher, share)
        The model with the lower score, the other, and the share of draws that keep this order.
    """
    order = [int(m) for m in np.argsort(scores) if not np.isnan(scores[m])]
    pairs = []
    for position, lower in enumerate(order):
        for higher in order[position + 1 :]:
            share = float(kept[lower, higher])
            if not bool(separable(share)):
                pairs.append((names[lower], names[higher], share))
    return pairs


def say_range(place: tuple[int, int] | None) -> str:
    """Write a range of places: '2' or '2 to 4'."""
    if place is None:
        return "–"
    return f"{place[0]}" if place[0] == place[1] else f"{place[0]} to {place[1]}"
