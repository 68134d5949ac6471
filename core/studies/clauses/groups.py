"""The tilt clause group by clause group, under each labelling and in each kind of contract.

Whatever kinds of contract the choices pool, all of a run's kinds are shown here side by side, the
descriptive one among them; none of these numbers has a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices
from core.figures import Figure, figures
from core.stats.bootstrap_bca import flip_signs, resample_means
from core.studies.clauses.choices import DECLARATION
from core.studies.clauses.design import (
    DESCRIPTIVE,
    FAMILIES,
    HYPOTHESES,
    PARTIES,
    STUDY,
    family_name,
)
from core.studies.clauses.estimate import (
    Contrasted,
    Findings,
    conclude,
    contrasts,
    groups_in_scope,
)
from core.studies.clauses.reconstructions import DECIMALS, Ensemble
from core.studies.clauses.reduce import ClauseStatistics
from core.studies.clauses.tables import missing, names_of

Array = NDArray[np.float64]

EVEN = 1e-9
"""How far an asymmetry may lie from zero and still count as none."""

FAMILY_FIGURES = ("archetypes", "leave_out", "repairs")
"""Choices that a printed mean of one kind of contract stands for as planned."""


def asymmetry_table(
    statistics: ClauseStatistics, choices: Choices, run: str, model: str
) -> pl.DataFrame:
    """Each clause group's asymmetry in every situation that a model was put in.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        The specification; all kinds of contract are given, whichever are pooled.
    run, model
        Ids.

    Returns
    -------
    polars.DataFrame
        archetype, family (by name), labels (the situation in words), framing, asymmetry (rating of
        the weak-favouring wording less that of the other; null where one is missing).
    """
    r, m = statistics.runs.index(run), statistics.models.index(model)
    scope = groups_in_scope(statistics, choices.replace(families=FAMILIES))[r]
    ratings = statistics.ratings[choices.text("repairs")][r, m, scope]
    tilt = ratings[:, PARTIES.index("weak")] - ratings[:, PARTIES.index("strong")]
    groups = statistics.groups.filter(pl.Series(scope))
    names = [family_name(family) for family in groups["family"]]
    asked = statistics.asked[r, m].any(axis=(0, 1))
    frames = [
        pl.DataFrame(
            {
                "archetype": groups["archetype"],
                "family": pl.Series(names, dtype=pl.String),
                "labels": pl.Series([situation.words] * groups.height, dtype=pl.String),
                "framing": pl.Series([situation.framing] * groups.height, dtype=pl.String),
                "asymmetry": pl.Series(tilt[:, at], dtype=pl.Float64, nan_to_null=True),
            }
        )
        for at, situation in enumerate(statistics.situations)
        if asked[at]
    ]
    empty = dict.fromkeys(("archetype", "family", "labels", "framing"), pl.String)
    return pl.concat(frames) if frames else pl.DataFrame(schema=empty | {"asymmetry": pl.Float64})


def labelling_table(found: Ensemble, choices: Choices, run: str, model: str) -> pl.DataFrame:
    """Sum the asymmetries up by labelling and kind of contract.

    Parameters
    ----------
    found
        The panels.
    choices, run, model
        As for `asymmetry_table`.

    Returns
    -------
    polars.DataFrame
        labels, framing, family, groups (with both ratings), mean, above, none and below (groups on
        each side of zero); number_basis and behind, as `core.basis.with_basis` gives them.
    """
    each = [_summed(asymmetry_table(one, choices, run, model)) for one in found.statistics]
    table = each[0]
    if not found.documented:
        return basis.with_basis(table, None, found.size, decimals=DECIMALS)
    keys = table.select("labels", "family")
    means = np.stack(
        [
            keys.join(one, on=keys.columns, how="left", maintain_order="left")["mean"]
            .fill_null(float("nan"))
            .to_numpy()
            for one in each
        ]
    )
    printed = [
        _printed_mean(found, choices, run, model, labels, family)
        for labels, family in keys.iter_rows()
    ]
    return _with_basis(found, table, means, printed)


def _summed(table: pl.DataFrame) -> pl.DataFrame:
    value = pl.col("asymmetry")
    return table.group_by("labels", "framing", "family", maintain_order=True).agg(
        groups=value.count(),
        mean=value.mean(),
        above=(value > EVEN).sum(),
        none=(value.abs() <= EVEN).sum(),
        below=(value < -EVEN).sum(),
    )


def _printed_mean(
    found: Ensemble, choices: Choices, run: str, model: str, labels: str, family: str
) -> Figure | None:
    planned = DECLARATION.planned
    if labels != "role labels" or any(choices[key] != planned[key] for key in FAMILY_FIGURES):
        return None
    figure = _family_figures().get((run, model, family))
    return figure if figure is not None and figure.figure_id in found.pins else None


@cache
def _family_figures() -> Mapping[tuple[str, str, str], Figure]:
    return {
        (figure.condition["run"], figure.subject, family_name(figure.condition["family"])): figure
        for figure in figures(STUDY).values()
        if figure.quantity == "group_level_mean_asymmetry" and "family" in figure.condition
    }


def count_table(table: pl.DataFrame) -> pl.DataFrame:
    """Count clause groups by asymmetry, for a chart.

    Parameters
    ----------
    table
        As `asymmetry_table` gives it.

    Returns
    -------
    polars.DataFrame
        row (labelling and kind of contract), value, count, mean (of the row); neutral framing only.
    """
    rows = table.filter((pl.col("framing") == "neutral") & pl.col("asymmetry").is_not_null())
    first = pl.col("labels").str.slice(0, 1).str.to_uppercase() + pl.col("labels").str.slice(1)
    rows = rows.with_columns(row=first + ": " + pl.col("family"))
    counts = rows.group_by("row", pl.col("asymmetry").alias("value"), maintain_order=True).len(
        "count"
    )
    means = rows.group_by("row").agg(mean=pl.col("asymmetry").mean())
    return counts.join(means, on="row", how="left", maintain_order="left")


def family_table(found: Ensemble, choices: Choices, run: str) -> pl.DataFrame:
    """Estimate every hypothesis in each kind of contract alone; without verdicts.

    Parameters
    ----------
    found
        The panels.
    choices
        The specification, but for the kinds of contract.
    run
        Which run.

    Returns
    -------
    polars.DataFrame
        model, model_id, hypothesis, family (by name), is_descriptive, estimate, low and high (the
        two-sided interval at level 1 - alpha, not adjusted), n (clause groups); number_basis and
        behind.
    """
    shown = found.statistics[0]
    everything = choices.replace(families=FAMILIES)
    families = families_of(shown, run)
    table = pl.concat([_family_rows(shown, everything, run, family) for family in families])
    if not found.documented:
        own = basis.with_basis(table, None, found.size, decimals=DECIMALS)
        return _by_model(own, shown)
    estimates = np.stack(
        [
            np.concatenate([_family_means(one, everything, run, f).ravel() for f in families])
            for one in found.statistics
        ]
    )
    printed = [
        _printed_mean(found, choices, run, model, "role labels", family)
        if hypothesis == "H1" and choices.text("missing") == DECLARATION["missing"].planned
        else None
        for model, hypothesis, family in table.select("model_id", "hypothesis", "family").rows()
    ]
    return _by_model(_with_basis(found, table, estimates, printed), shown)


def _by_model(table: pl.DataFrame, statistics: ClauseStatistics) -> pl.DataFrame:
    """Sort a table by model, in the panel's order; within a model its order stays."""
    place = {model: at for at, model in enumerate(statistics.models)}
    return table.sort(
        pl.col("model_id").replace_strict(place, return_dtype=pl.Int64), maintain_order=True
    )


def families_of(statistics: ClauseStatistics, run: str) -> list[str]:
    """List the kinds of contract that a run asked about, the study's own first."""
    there = set(
        statistics.groups.filter(pl.Series(statistics.in_run[statistics.runs.index(run)]))["family"]
    )
    return [f for f in FAMILIES if f in there] + sorted(there - set(FAMILIES))


def _of_family(statistics: ClauseStatistics, choices: Choices, family: str) -> Contrasted:
    """Contrasts of the clause groups of one kind of contract."""
    everywhere = contrasts(statistics, choices)
    own = np.array([name == family for name in statistics.column("family")])
    return Contrasted(np.where(own, everywhere.values, np.nan), everywhere.scope & own)


@lru_cache(maxsize=64)
def _findings(statistics: ClauseStatistics, choices: Choices, family: str) -> Findings:
    own = _of_family(statistics, choices, family)
    draws, seed = int(choices.text("draws")), int(choices.text("seed"))
    permuted = choices.text("p") == "permutation"
    return conclude(
        statistics,
        choices,
        own,
        resample_means(own.flat, draws=draws, seed=seed),
        flip_signs(own.flat, draws=draws, seed=seed) if permuted else None,
    )


def _family_means(statistics: ClauseStatistics, choices: Choices, run: str, family: str) -> Array:
    """(M, H) estimates, without intervals; NaN where no group has every rating."""
    values = _of_family(statistics, choices, family).values[:, statistics.runs.index(run)]
    there = ~np.isnan(values)
    n = there.sum(axis=-1)
    total = np.where(there, values, 0.0).sum(axis=-1)
    return np.asarray(np.where(n > 0, total / np.maximum(n, 1), np.nan).mean(axis=0))


def _family_rows(
    statistics: ClauseStatistics, choices: Choices, run: str, family: str
) -> pl.DataFrame:
    r = statistics.runs.index(run)
    findings = _findings(statistics, choices, family)
    cells = [
        (name, model, hypothesis)
        for name, model in zip(names_of(statistics), statistics.models, strict=True)
        for hypothesis in HYPOTHESES
    ]
    return pl.DataFrame(
        {
            "model": [name for name, _, _ in cells],
            "model_id": [model for _, model, _ in cells],
            "hypothesis": [hypothesis for _, _, hypothesis in cells],
            "family": [family_name(family)] * len(cells),
            "is_descriptive": [family == DESCRIPTIVE] * len(cells),
            "estimate": missing(findings.estimate[r]),
            "low": missing(findings.interval[r, ..., 0]),
            "high": missing(findings.interval[r, ..., 1]),
            "n": findings.n[r].ravel(),
        }
    )


def _with_basis(
    found: Ensemble, table: pl.DataFrame, values: Array, printed: Sequence[Figure | None]
) -> pl.DataFrame:
    """Add what stands behind numbers, (R, K), that have no verdict."""
    behind = basis.table(
        values,
        np.full(values.shape, "", dtype=np.str_),
        [None if figure is None else figure.value for figure in printed],
        settled=[True] * len(printed),
        decimals=DECIMALS,
    )
    return basis.with_basis(table, behind, found.size, decimals=DECIMALS)


def shown(table: pl.DataFrame) -> pl.DataFrame:
    """Show a labelling table, with headings in words."""
    return table.select(
        "labels",
        pl.col("family").alias("kind of contract"),
        "mean",
        "groups",
        pl.col("above").alias("above 0"),
        pl.col("below").alias("below 0"),
        "behind",
    )


def shown_families(table: pl.DataFrame) -> pl.DataFrame:
    """Show a family table of one hypothesis, with headings in words."""
    return table.select(
        "model",
        pl.col("family").alias("kind of contract"),
        "estimate",
        pl.col("low").alias("from"),
        pl.col("high").alias("to"),
        "n",
        "behind",
    )


def shown_values(table: pl.DataFrame) -> pl.DataFrame:
    """Show a group table, largest values first, with kinds of contract by name."""
    names = [family_name(family) for family in table["family"]]
    return table.select(
        pl.col("archetype").alias("clause"),
        pl.Series("kind of contract", names, dtype=pl.String),
        "value",
    ).sort("value", descending=True, nulls_last=True, maintain_order=True)


def family_rows(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of a family table as dots: row (the model), series, value, low, high, model."""
    descriptive = pl.when("is_descriptive").then(pl.lit(" (descriptive)")).otherwise(pl.lit(""))
    return table.select(
        "model",
        row="model",
        series=pl.col("family") + descriptive,
        value="estimate",
        low="low",
        high="high",
    )
