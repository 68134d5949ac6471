"""The occupational diagnostic: posterior of gender shares by role (App. D.8; Table 27).

For each model and role with y women among n mapped outputs, ``theta ~ Beta(y + .5, n - y + .5)``,
the posterior under the Jeffreys prior. It is descriptive: no adjustment for many comparisons.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.divergence import jensen_shannon
from core.stats.resampling import Drawing, percentile_interval
from core.studies.composition.choices import occupation_shares
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.shares import resident_targets
from core.studies.composition.sources import declared_categories

Array = NDArray[np.float64]

POSTERIOR_SEED = 20260722
"""Ours: the study prints the number of draws of this analysis, but no seed."""

FEMALE = 0
"""Position of women among the two categories of the source."""

QUANTITIES = ("geography", "occupation", "equal_category", "difference", "absolute_difference")
"""Divergence from each comparator in bits; occupation minus geography, and its absolute value."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """How far women's and men's shares in US stories lie from three comparators.

    M models, R roles, the five `QUANTITIES`; the last axis is median, lower end, upper end.
    """

    drawing: Drawing
    level: float
    models: tuple[str, ...]
    roles: tuple[str, ...]
    women: NDArray[np.int64]
    """(M, R) outputs with a female character."""
    mapped: NDArray[np.int64]
    """(M, R) outputs with a female or a male one."""
    by_role: Array
    """(M, R, 5, 3) bits; NaN for a role without mapped outputs."""
    overall: Array
    """(M, 5, 3) bits: means over the roles, all alike, within each draw; the last quantity is the
    mean of the roles' absolute differences. NaN where a role has no mapped outputs."""


def posterior(
    statistics: CellStatistics,
    choices: Choices,
    *,
    draws: int = 100_000,
    seed: int = POSTERIOR_SEED,
    level: float = 0.95,
) -> Posterior:
    """Compare gender shares with residents, with the occupation's workforce and with halves.

    Parameters
    ----------
    statistics
        A reduced panel; used are US stories under the implicit prompt.
    choices
        They say which row of the labour statistics stands for each role.
    draws, seed
        The study takes 100,000 draws; one stream for each model and role, keys sorted.
    level
        Level of the central intervals, in (0, 1).

    Returns
    -------
    Posterior
        For the roles that have an occupational share, in the panel's order.
    """
    part = statistics.in_regime("implicit")
    at_work = occupation_shares(choices)
    cells = _cells(part, at_work)
    roles = tuple(part.cells["role"].gather(cells))
    support = declared_categories()["gender_to_sex", "USA"]
    targets = np.empty((3, len(roles)))
    targets[0] = resident_targets(part, float(choices.text("zeros")))[cells, FEMALE]
    targets[1] = [at_work[role] for role in roles]
    targets[2] = 1 / len(support)
    women, mapped = part.counts[:, cells, FEMALE], part.mapped[:, cells]
    drawing = Drawing(draws, seed, "model and role")
    streams = drawing.streams([(model, role) for model in part.models for role in roles])
    by_role = np.full((*women.shape, len(QUANTITIES), 3), np.nan)
    overall = np.full((len(part.models), len(QUANTITIES), 3), np.nan)
    for m, model in enumerate(part.models):
        values = np.full((len(roles), draws, len(QUANTITIES)), np.nan)
        for r in np.flatnonzero(mapped[m]):
            y, n = women[m, r], mapped[m, r]
            theta = streams[model, roles[r]].beta(y + 0.5, n - y + 0.5, size=draws)
            values[r] = _quantities(theta, targets[:, r])
            by_role[m, r] = _summary(values[r], level)
        if roles:
            overall[m] = _summary(values.mean(axis=0), level)
    return Posterior(drawing, level, part.models, roles, women, mapped, by_role, overall)


def _cells(part: CellStatistics, roles: Collection[str]) -> NDArray[np.int64]:
    """Find the cells of the diagnostic: one for each role."""
    used = part.cells.select(
        (pl.col("attribute") == "gender_to_sex")
        & (pl.col("context") == "USA")
        & (pl.col("format") == "story")
        & pl.col("role").is_in(list(roles))
    )
    return np.flatnonzero(used.to_series().to_numpy())


def _quantities(theta: Array, targets: Array) -> Array:
    """Compute the `QUANTITIES` of each draw, (draws, 5), from women's shares and their targets."""
    distances = [_distance(theta, target) for target in targets]
    difference = distances[1] - distances[0]
    return np.column_stack([*distances, difference, np.abs(difference)])


def _distance(theta: Array, target: float) -> Array:
    """Divergence in bits of shares (theta, 1 - theta) from (target, 1 - target)."""
    shares = np.column_stack([theta, 1 - theta])
    return jensen_shannon(shares, np.array([target, 1 - target]))


def _summary(values: Array, level: float) -> Array:
    """Median and central interval over draws, the first axis; they come last in the result."""
    return np.concatenate(
        [np.median(values, axis=0)[..., None], percentile_interval(values, level)], axis=-1
    )
