"""The clauses that both runs asked word for word: paired, so that only the elicitation differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.bootstrap_bca import Means, resample_means
from core.studies.clauses.design import (
    FAMILIES,
    OPAQUE,
    PARTIES,
    ROLE,
    RUNS,
    Situation,
    model_names,
)
from core.studies.clauses.reduce import ClauseStatistics

Array = NDArray[np.float64]

LABELS: Mapping[str, Situation] = MappingProxyType({"role": ROLE, "opaque": OPAQUE})

NEEDS_TABLE = (
    "Which clauses are unchanged between the runs is not known: the panel has no archetypes table."
)
NEEDS_RUNS = "The panel does not hold both runs, so nothing can be paired."
NEEDS_UNITS = "No unchanged clause has every rating in both runs and all models."


@dataclass(frozen=True, eq=False)
class Paired:
    """One kind of labels: asymmetry of unchanged clauses in two runs. M models, U units."""

    labels: str
    models: tuple[str, ...]
    units: pl.DataFrame
    """archetype and family; one row a unit."""
    levels: Array
    """(2, M, U) asymmetry in the first and the second run."""
    change: Means
    """Bootstrap of the units' mean change over models: one estimate."""
    interval: tuple[float, float]

    @property
    def first(self) -> float:
        """Mean asymmetry in the first run, over models and units."""
        return float(self.levels[0].mean())

    @property
    def second(self) -> float:
        """Mean asymmetry in the second run, over models and units."""
        return float(self.levels[1].mean())

    @property
    def per_model(self) -> Array:
        """(M,) mean change of each model."""
        return np.asarray((self.levels[1] - self.levels[0]).mean(axis=-1))

    @property
    def not_excluded(self) -> float:
        """Size of the largest change that the interval does not exclude."""
        return max(abs(end) for end in self.interval)


def paired(
    statistics: ClauseStatistics, choices: Choices, labels: str, runs: tuple[str, str] = RUNS
) -> Paired | str:
    """Compare both runs on the clauses whose text did not change.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        Kinds of contract, repairs, alpha, resamples and seed are taken from it.
    labels
        ``role`` or ``opaque``.
    runs
        The two runs, earlier one first.

    Returns
    -------
    Paired or str
        Why there is no comparison, in place of one. Each unit is a clause in a kind of contract; it
        counts when all models have its ratings in both runs.
    """
    unchanged = statistics.flag("unchanged")
    if unchanged is None:
        return NEEDS_TABLE
    if not set(runs) <= set(statistics.runs):
        return NEEDS_RUNS
    if LABELS[labels] not in statistics.situations:
        return NEEDS_UNITS
    places = np.array([statistics.runs.index(run) for run in runs])
    models = np.flatnonzero(statistics.answered[places].all(axis=0))
    families = choices.many("families")
    kept = np.array([f in families or f not in FAMILIES for f in statistics.column("family")])
    tilt = _asymmetry(statistics, choices, LABELS[labels])[np.ix_(places, models)]
    there = unchanged & kept & ~np.isnan(tilt).any(axis=(0, 1))
    if not models.size or not there.any():
        return NEEDS_UNITS
    levels = tilt[..., there]
    change = (levels[1] - levels[0]).mean(axis=0)
    means = resample_means(
        change[None, :], draws=int(choices.text("draws")), seed=int(choices.text("seed"))
    )
    low, high = means.bca(1 - choices.number("alpha"))[0]
    return Paired(
        labels=labels,
        models=tuple(statistics.models[m] for m in models),
        units=statistics.groups.filter(pl.Series(there)),
        levels=levels,
        change=means,
        interval=(float(low), float(high)),
    )


def _asymmetry(statistics: ClauseStatistics, choices: Choices, situation: Situation) -> Array:
    """(R, M, G) rating of the weak-favouring variant less that of the other."""
    at = statistics.situations.index(situation)
    ratings = statistics.ratings[choices.text("repairs")][..., at]
    return np.asarray(ratings[..., PARTIES.index("weak")] - ratings[..., PARTIES.index("strong")])


def unchanged_table(found: Paired) -> pl.DataFrame:
    """One row for all models together, then one a model.

    Returns
    -------
    polars.DataFrame
        model, labels, units, first, second (mean asymmetry in each run), change, low and high (its
        interval; null for single models, whose intervals the study does not print).
    """
    names = model_names()
    first, second = found.levels.mean(axis=-1)
    rows = [
        ("All models", found.first, found.second, float(found.change.estimate[0]), *found.interval),
        *(
            (names.get(m, m), float(a), float(b), float(b - a), None, None)
            for m, a, b in zip(found.models, first, second, strict=True)
        ),
    ]
    columns = ("model", "first", "second", "change", "low", "high")
    table = pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
    return table.with_columns(
        pl.col("low", "high").cast(pl.Float64).fill_nan(None),
        labels=pl.lit(found.labels),
        units=pl.lit(found.units.height),
    )
