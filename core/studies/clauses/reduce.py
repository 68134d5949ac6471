"""From a panel's rows to small arrays: a rating for each group, variant and situation. Done once.

The axes, in this order everywhere: R runs, M models, G clause groups, V one-sided variants (of
`PARTIES`), S situations. Answers to the same prompt are averaged over its samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.clauses.contract import FLAGS, GROUP
from core.studies.clauses.design import (
    CONDITIONS,
    FAMILIES,
    PARSES,
    PARTIES,
    RUNS,
    Situation,
    model_names,
)

Array = NDArray[np.float64]

REPAIRS: Mapping[str, pl.Expr] = MappingProxyType(
    {
        "none": pl.when(pl.col("parse") == "clean").then("fairness"),
        "as_run": pl.col("fairness"),
        "all": pl.coalesce("fairness", "fairness_if_repaired"),
    }
)
"""Which answers count, by how much repair is admitted; their keys are the options of a choice."""

CALL = ("run", "model", "condition", "labels", "framing", "family", "variant", "archetype")


@dataclass(frozen=True, eq=False)
class ClauseStatistics:
    """What the analysis needs of a panel.

    Compared and hashed by identity, so that work on it can be kept; the arrays are read-only.
    """

    runs: tuple[str, ...]
    models: tuple[str, ...]
    groups: pl.DataFrame
    """The columns of `GROUP`; one row a clause group, G rows."""
    situations: tuple[Situation, ...]
    ratings: Mapping[str, Array]
    """For each key of `REPAIRS`, (R, M, G, V, S); NaN where there is no usable answer."""
    asked: NDArray[np.bool_]
    """(R, M, G, V, S) whether the panel has an answer at all, usable or not."""
    calls: pl.DataFrame
    """Answers counted by `CALL`, with calls, and answers by parse state and by favoured party."""
    archetypes: pl.DataFrame | None
    """The archetypes table, if there is one."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of runs and models."""
        return len(self.runs), len(self.models)

    @cached_property
    def answered(self) -> NDArray[np.bool_]:
        """(R, M) whether a model was asked anything in a run."""
        return np.asarray(self.asked.any(axis=(2, 3, 4)))

    @cached_property
    def in_run(self) -> NDArray[np.bool_]:
        """(R, G) whether a group is part of a run."""
        return np.asarray(self.asked.any(axis=(1, 3, 4)))

    def column(self, name: str) -> list[str]:
        """Return one key of every group."""
        return self.groups[name].to_list()

    def flag(self, name: str) -> NDArray[np.bool_] | None:
        """(G,) where a flag of the archetypes table is true; None without the table.

        A flag that is not known is not true.
        """
        if self.archetypes is None:
            return None
        true = set(self.archetypes.filter(pl.col(name))["archetype"])
        return np.array([archetype in true for archetype in self.column("archetype")])


def reduce_determinations(
    rows: pl.DataFrame | pl.LazyFrame, archetypes: pl.DataFrame | None = None
) -> ClauseStatistics:
    """Average ratings and count answers.

    Parameters
    ----------
    rows
        Rows of a clauses determinations table; lazy frames are streamed.
    archetypes
        Rows of the archetypes table; without it, choices of archetypes by defect give no groups.

    Returns
    -------
    ClauseStatistics
        Runs, models and families in the study's order, others after them by name.
    """
    lazy = rows.lazy()
    calls = _counted(lazy)
    runs = _in_order(calls["run"], RUNS)
    models = _in_order(calls["model"], tuple(model_names()))
    groups = _ordered_groups(calls)
    situations = _situations(calls)
    axes: dict[str, Sequence[Any]] = {
        "run": runs,
        "model": models,
        "group": groups.rows(),
        "variant": PARTIES,
        "situation": situations,
    }
    means = _means(lazy)
    index = _positions(means, axes)
    shape = tuple(len(values) for values in axes.values())
    asked = np.zeros(shape, dtype=np.bool_)
    asked[index] = True
    asked.flags.writeable = False
    return ClauseStatistics(
        runs=tuple(runs),
        models=tuple(models),
        groups=groups,
        situations=situations,
        ratings=MappingProxyType(
            {name: _frozen(means[name].to_numpy(), index, shape) for name in REPAIRS}
        ),
        asked=asked,
        calls=calls,
        archetypes=None if archetypes is None else archetypes.select("archetype", "topic", *FLAGS),
    )


def _counted(lazy: pl.LazyFrame) -> pl.DataFrame:
    """Count answers by everything but the sample and the labelling of the parties."""
    states = [(pl.col("parse") == name).sum().alias(name) for name in PARSES]
    named = [(pl.col("favored") == name).sum().alias(f"says_{name}") for name in ("strong", "weak")]
    said = pl.col("favored").is_not_null().sum().alias("says_any")
    counted = lazy.group_by(CALL).agg(pl.len().alias("calls"), *states, *named, said)
    return counted.collect(engine="streaming").sort(CALL)


def _means(lazy: pl.LazyFrame) -> pl.DataFrame:
    """Average the ratings of one-sided variants over samples; null where none is usable."""
    keys = ("run", "model", *GROUP, "variant", "labels", "framing")
    means = [expression.mean().alias(name) for name, expression in REPAIRS.items()]
    one_sided = lazy.filter(pl.col("variant").is_in(PARTIES))
    return one_sided.group_by(keys).agg(means).collect(engine="streaming").sort(keys)


def _positions(frame: pl.DataFrame, axes: Mapping[str, Sequence[Any]]) -> tuple[Any, ...]:
    """Find the place of each row on each axis."""
    values = {
        "run": frame["run"].to_list(),
        "model": frame["model"].to_list(),
        "group": frame.select(GROUP).rows(),
        "variant": frame["variant"].to_list(),
        "situation": [Situation(*row) for row in frame.select("labels", "framing").iter_rows()],
    }
    index = []
    for name, known in axes.items():
        place = {value: at for at, value in enumerate(known)}
        index.append(np.array([place[value] for value in values[name]], dtype=np.int64))
    return tuple(index)


def _ordered_groups(calls: pl.DataFrame) -> pl.DataFrame:
    groups = calls.select(GROUP).unique()
    order = {name: at for at, name in enumerate(_in_order(groups["family"], FAMILIES))}
    rank = pl.col("family").replace_strict(order, return_dtype=pl.Int64)
    return groups.sort(rank, "archetype")


def _situations(calls: pl.DataFrame) -> tuple[Situation, ...]:
    present = {Situation(*row) for row in calls.select("labels", "framing").unique().iter_rows()}
    known = [situation for situation in CONDITIONS.values() if situation in present]
    return (*(s for s in known if s is not None), *sorted(present - set(known)))


def _in_order(values: pl.Series, known: Sequence[str]) -> list[str]:
    present = set(values)
    return [v for v in known if v in present] + sorted(present - set(known))


def _frozen(values: NDArray[Any], index: tuple[Any, ...], shape: tuple[int, ...]) -> Array:
    array = np.full(shape, np.nan)
    array[index] = values
    array.flags.writeable = False
    return array
