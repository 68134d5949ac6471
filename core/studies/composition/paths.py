"""Comparators between two targets, and where the order of models changes along the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import comparators
from core.choices import Choices
from core.stats.divergence import MEASURES
from core.studies.composition.estimate import Findings
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.shares import conditional_shares
from core.studies.composition.sources import short_names

Array = NDArray[np.float64]

GRID = np.round(np.linspace(0.0, 1.0, 101), 2)
"""Points of a path. Of a mixture, weights of equal categories: 0 is the resident population. Of a
power, exponents: 1 is the resident population."""

SAME = 1e-12
"""Composites that differ by less differ by rounding only."""

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


def order_swaps(
    curves: Array, models: tuple[str, ...], positions: Array = GRID
) -> list[tuple[float, str, str]]:
    """Find where two models change places along a path.

    Parameters
    ----------
    curves
        (L, M) composites at the positions; models with a missing value are left out.
    models
        Their names.
    positions
        (L,) points of the path, in the order in which it is followed.

    Returns
    -------
    list of (position, now ahead, now behind)
        In the order of the path. "Ahead" means a lower divergence. The position is where the
        straight line between two points crosses, so it is exact to about a hundredth of their
        distance. Models that meet and part again as they came have not changed places.
    """
    swaps: list[tuple[float, int, int]] = []
    one, other = np.triu_indices(len(models), k=1)
    gaps = curves[:, one] - curves[:, other]
    # A pair changes places only if each is ahead somewhere.
    complete = ~np.isnan(gaps).any(0)
    for pair in np.flatnonzero(complete & (gaps > SAME).any(0) & (gaps < -SAME).any(0)):
        a, b, gap = int(one[pair]), int(other[pair]), gaps[:, pair]
        for here, there in pairwise(np.flatnonzero(np.abs(gap) > SAME)):
            if gap[here] * gap[there] < 0:
                # With points in between at which they are equal: the first of those.
                part = gap[here] / (gap[here] - gap[there]) if there == here + 1 else 1.0
                swaps.append((float(here + part), *((a, b) if gap[there] < 0 else (b, a))))
    steps = np.arange(len(positions))
    return [
        (float(np.interp(step, steps, positions)), models[ahead], models[behind])
        for step, ahead, behind in sorted(swaps)
    ]


def place_on_path(choices: Choices) -> tuple[str, float | None]:
    """Say which path shows the chosen comparator, and where it lies on it.

    Returns
    -------
    path, position
        The mixture path is shown unless a power is chosen; None when the comparator lies on none.
    """
    match choices.text("comparator"):
        case "power":
            return "power", choices.number("alpha")
        case "mixture":
            return "mixture", choices.number("lambda")
        case "geography":
            return "mixture", 0.0
        case "equal_category":
            return "mixture", 1.0
        case _:
            return "mixture", None


@dataclass(frozen=True, eq=False)
class Curves:
    """Composites along a path, ready to draw."""

    path: str
    position: float | None
    """Where the chosen comparator lies."""
    lines: pl.DataFrame
    """model, short, position, composite, reported; only models that have a composite."""
    crossings: pl.DataFrame
    """position, composite, text: where two models change places."""


def composites(findings: Findings) -> Array:
    """Composites of all models along the path of the chosen comparator, (101, M)."""
    choices = findings.choices
    path, _ = place_on_path(choices)
    cells = cell_paths(
        findings.statistics, path, choices.text("measure"), float(choices.text("zeros"))
    )
    return findings.weights.overall(cells)


def swaps_onward(findings: Findings, names: tuple[str, ...]) -> list[tuple[float, str, str]]:
    """Find the changes of place from the resident population to equal shares, as a chart is read.

    Returns what `order_swaps` does.
    """
    path, _ = place_on_path(findings.choices)
    onward = slice(None, None, -1 if path == "power" else 1)
    return order_swaps(composites(findings)[onward], names, GRID[onward])


def curves(findings: Findings, names: Sequence[str]) -> Curves:
    """Follow the composites of all models along the path of the chosen comparator.

    The cells and weights are those of the findings; with an occupational comparator those of the
    cells that have one.
    """
    path, position = place_on_path(findings.choices)
    scores = composites(findings)
    reported = np.isin(GRID, np.round(REPORTED[path], 2))
    short = [short_names().get(name, name)[:12] for name in names]
    models, points = np.nonzero(~np.isnan(scores.T))
    lines = pl.DataFrame(
        {
            "model": [names[model] for model in models.tolist()],
            "short": [short[model] for model in models.tolist()],
            "position": GRID[points],
            "composite": scores[points, models],
            "reported": reported[points],
        },
        schema_overrides={"model": pl.String, "short": pl.String},
    )
    found = swaps_onward(findings, tuple(names))
    at = [position for position, _, _ in found]
    height = [float(np.interp(p, GRID, scores[:, list(names).index(a)])) for p, a, _ in found]
    texts = [f"{ahead} passes {behind}" for _, ahead, behind in found]
    crossings = pl.DataFrame(
        {"position": at, "composite": height, "text": texts},
        schema={"position": pl.Float64, "composite": pl.Float64, "text": pl.String},
    )
    return Curves(path, position, lines, crossings)
