"""The occupational diagnostic: posterior of gender shares by role (App. D.8; Table 27).

For each model and role with y women of n mapped outputs, ``theta ~ Beta(y + .5, n - y + .5)``, the
posterior under the Jeffreys prior. It is descriptive: nothing is adjusted for many comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import comparators
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

QUANTITIES = ("geography", "occupation", "equal_category", "difference", "absolute_difference")
"""Divergence from each comparator in bits; occupation minus geography, and its absolute value."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """Divergences of women's and men's shares in US stories, with what is left uncertain.

    M models, R roles, five `QUANTITIES`; the last axis is median, lower end, upper end.
    """

    drawing: Drawing
    level: float
    models: tuple[str, ...]
    roles: tuple[str, ...]
    women: NDArray[np.int64]
    """(M, R) outputs whose character is female."""
    mapped: NDArray[np.int64]
    """(M, R) outputs with a gender."""
    by_role: Array
    """(M, R, 5, 3) bits; NaN for a role without mapped outputs."""
    overall: Array
    """(M, 5, 3) mean over roles, role by role alike and within each draw; NaN where a role has no
    mapped outputs. ``absolute_difference`` is the mean of the absolute values of the roles."""


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
        A reduced panel; the cells are US stories under the implicit prompt.
    choices
        Which row of the labour statistics stands for each role.
    draws, seed
        The study takes 100,000 draws; one stream for each model and role, keys sorted.
    level
        Level of the central intervals, in (0, 1).

    Returns
    -------
    Posterior
        Roles that have an occupational share, in the panel's order.
    """
    part = statistics.in_regime("implicit")
    women_at_work = occupation_shares(choices)
    cells = _cells(part, tuple(women_at_work))
    roles = tuple(part.cells["role"].gather(cells))
    resident = resident_targets(part, float(choices.text("zeros")))[cells]
    targets = np.stack([resident, _at_work(resident, roles, women_at_work)])
    targets = np.concatenate([targets, comparators.equal_category(resident)[None]])
    # Two shares that sum to one: the categories after female and male hold nothing.
    targets = targets[..., :2]
    position = declared_categories()["gender_to_sex", "USA"].index("female")
    women, mapped = part.counts[:, cells, position], part.mapped[:, cells]
    drawing = Drawing(draws, seed, "model and role")
    streams = drawing.streams([(model, role) for model in part.models for role in roles])
    shape = (len(part.models), len(roles), len(QUANTITIES), 3)
    by_role, overall = np.full(shape, np.nan), np.full((shape[0], *shape[2:]), np.nan)
    for m, model in enumerate(part.models):
        values = np.full((draws, len(roles), len(QUANTITIES)), np.nan)
        for r in np.flatnonzero(mapped[m]):
            y, n = women[m, r], mapped[m, r]
            theta = streams[model, roles[r]].beta(y + 0.5, n - y + 0.5, size=draws)
            values[:, r] = _quantities(theta, targets[:, r, position])
        by_role[m] = _summary(values, level)
        overall[m] = _summary(values.mean(axis=1), level) if roles else np.nan
    return Posterior(drawing, level, part.models, roles, women, mapped, by_role, overall)
