"""Comparators between two targets, and where the order of models changes along the way."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core import comparators
from core.stats.divergence import MEASURES
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.shares import conditional_shares

Array = NDArray[np.float64]

GRID = np.round(np.linspace(0.0, 1.0, 101), 2)
"""Positions on a path: 0 is the resident population, 1 is equal categories."""

REPORTED: Mapping[str, tuple[float, ...]] = MappingProxyType(
    {
        "mixture": tuple(round(0.1 * step, 1) for step in range(11)),
        "power": (1.0, 0.75, 0.5, 0.25, 0.0),
    }
)
"""Points the study reports (App. D.8): weights of the mixture, exponents of the power path."""


@lru_cache(maxsize=32)
def cell_paths(statistics: CellStatistics, path: str, measure: str, zero_mass: float) -> Array:
    """Divergence of every cell from every comparator on a path.

    Parameters
    ----------
    statistics
        Cells of one prompt regime.
    path
        ``mixture``, by weight of equal categories, or ``power``, by exponent.
    measure
        Key of `MEASURES`.
    zero_mass
        Share put in place of a printed .0000.

    Returns
    -------
    array, shape (101, M, G)
        In the order of `GRID`, which is the weight of a mixture or the exponent of a power; NaN
        where a cell has no mapped output or no source. Read-only, since it is kept.
    """
    resident = statistics.resident(zero_mass)
    make = comparators.mixture if path == "mixture" else comparators.power
    shares = conditional_shares(statistics)
    distance = MEASURES[measure]
    values = np.stack([distance(shares, make(resident, float(position))) for position in GRID])
    values.flags.writeable = False
    return values


def order_swaps(curves: Array, models: tuple[str, ...]) -> list[tuple[float, str, str]]:
    """Find where two models change places along a path.

    Parameters
    ----------
    curves
        (L, M) composites at the positions of `GRID`; models with a missing value are left out.
    models
        Their names.

    Returns
    -------
    list of (position, now ahead, now behind)
        "Ahead" means a lower divergence. The position is where the straight line between two grid
        points crosses, so it is exact to about a hundredth of the grid step.
    """
    swaps = []
    for a in range(len(models)):
        for b in range(a + 1, len(models)):
            gap = curves[:, a] - curves[:, b]
            if np.isnan(gap).any():
                continue
            for step in np.flatnonzero(np.sign(gap[:-1]) * np.sign(gap[1:]) < 0):
                part = gap[step] / (gap[step] - gap[step + 1])
                position = GRID[step] + part * (GRID[step + 1] - GRID[step])
                ahead, behind = (a, b) if gap[step + 1] < 0 else (b, a)
                swaps.append((float(position), models[ahead], models[behind]))
    return sorted(swaps)
