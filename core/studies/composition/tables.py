"""Findings as tables: one frame a level, each with values, verdicts and flips."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.basis import with_basis as with_basis
from core.choices import Choices
from core.columns import table_of
from core.studies.composition.estimate import Findings, planned_findings, reason
from core.studies.composition.kept import Uncertainty
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.sources import (
    ATTRIBUTE_NAMES,
    ATTRIBUTES,
    PRIMARY_MODULES,
    STATES,
    context_names,
    model_names,
    role_name,
)
from core.verdicts import Verdict, is_flip, tolerance, tolerance_interval
from core.words import printed_names

Array = NDArray[np.float64]
Average = Callable[[Array], Array]
Columns = dict[str, Any]
"""Columns of a table, by name."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The current findings beside those of the planned setting, from one panel."""

    current: Findings
    planned: Findings
    uncertainty: Uncertainty | None = None
    """Draws of the current specification; single cells are judged by the point rule without."""

    @property
    def names(self) -> list[str]:
        """Names of the models, in the order of the arrays."""
        return names_of(self.current.statistics)


def names_of(statistics: CellStatistics) -> list[str]:
    """Name the models as the study prints them; others keep their own name."""
    return printed_names(statistics.models, model_names())


def compare(
    statistics: CellStatistics, current: Findings, uncertainty: Uncertainty | None = None
) -> Comparison:
    """Put findings beside those of the planned setting."""
    return Comparison(current, planned_findings(statistics), uncertainty)


def model_table(comparison: Comparison) -> pl.DataFrame:
    """One row a model: scores, change, places, verdicts.

    Returns
    -------
    polars.DataFrame
        model; planned (composite in the planned setting); resident (composite against the planned
        comparator on the cells that count now); chosen; change (chosen minus resident); mean_change
        (average absolute change of a cell); share_changed (weight of the cells that change sides
        at the tolerance, in [0, 1]); place_planned and place_now (1 is the lowest divergence; null
        without a score); verdict_planned, verdict_now, flip; cells; reason.
    """
    now, planned = comparison.current, comparison.planned
    tau, tau_planned = now.choices.number("tau"), planned.choices.number("tau")
    verdict_planned = tolerance(planned.chosen_composite, tau_planned)
    verdict_now = tolerance(now.chosen_composite, tau)
    in_composite = now.weights.composite > 0
    return pl.DataFrame(
        {
            "model": comparison.names,
            "planned": _missing(planned.chosen_composite),
            "resident": _missing(now.planned_composite),
            "chosen": _missing(now.chosen_composite),
            "change": _missing(now.chosen_composite - now.planned_composite),
            "mean_change": _missing(now.mean_absolute_change),
            "share_changed": _missing(share_changed(now, tau)),
            "place_planned": _places(planned.chosen_composite),
            "place_now": _places(now.chosen_composite),
            "verdict_planned": verdict_planned,
            "verdict_now": verdict_now,
            "flip": is_flip(verdict_planned, verdict_now),
            "cells": in_composite.sum(-1),
            "reason": [reason(now, m) for m in range(len(comparison.names))],
        }
    )


def share_changed(findings: Findings, tau: float) -> Array:
    """T(tau) of each model, (M,): weight of the cells that change sides; NaN without one."""
    sides = (findings.planned_cells <= tau) != (findings.chosen_cells <= tau)
    return findings.weights.overall(sides.astype(np.float64))


def attribute_table(comparison: Comparison) -> pl.DataFrame:
    """One row a model and attribute; columns as in `cell_table`, without context, format, role."""
    keys = {"attribute": [ATTRIBUTE_NAMES[name] for name in ATTRIBUTES]}
    return pl.DataFrame(_long(comparison, keys, lambda findings: findings.weights.modules, None))


def context_table(comparison: Comparison) -> pl.DataFrame:
    """One row a model, attribute and context; columns as in `cell_table`, without format, role."""
    contexts = comparison.current.weights.grouping.contexts
    planned = comparison.planned.weights.grouping.contexts
    keys = {
        "attribute": [ATTRIBUTE_NAMES[a] for a in contexts["attribute"]],
        "context": [context_name(c) for c in contexts["context"]],
    }
    matched = _match(planned, contexts)
    columns = _long(comparison, keys, lambda findings: findings.weights.contexts, matched)
    return pl.DataFrame(columns)


def cell_table(comparison: Comparison) -> pl.DataFrame:
    """One row a model and cell.

    Returns
    -------
    polars.DataFrame
        model, attribute, context, format, role; resident (divergence from the planned comparator),
        chosen (from the chosen one), change; verdict_planned (planned setting), verdict_now, flip;
        mapped and outputs (counts); counts (whether the cell counts in the current setting); with
        draws also low and high (95% interval of chosen) and floor (smallest tolerance that the
        cell can be judged by).
    """
    now = comparison.current
    cells = now.statistics.cells
    keys = {
        "attribute": [ATTRIBUTE_NAMES[a] for a in cells["attribute"]],
        "context": [context_name(c) for c in cells["context"]],
        "format": cells["format"].to_list(),
        "role": [role_name(r) for r in cells["role"]],
    }
    matched = match_cells(comparison.planned.statistics, now.statistics)
    columns = _long(comparison, keys, _counting, matched) | {
        "mapped": now.statistics.mapped.ravel(),
        "outputs": now.statistics.outputs.ravel(),
        "counts": np.asarray(now.included).ravel(),
    }
    drawn = comparison.uncertainty
    return pl.DataFrame(columns if drawn is None else _with_intervals(columns, drawn, now.choices))


def _with_intervals(columns: Columns, drawn: Uncertainty, choices: Choices) -> Columns:
    """Add the cells' intervals and, where the rule asks for it, judge by them."""
    low, high, floor = drawn.cells[..., 0].ravel(), drawn.cells[..., 1].ravel(), drawn.floor.ravel()
    columns = columns | {"low": _missing(low), "high": _missing(high), "floor": _missing(floor)}
    if choices.text("rule") == "point":
        return columns
    chosen = columns["chosen"].to_numpy()
    verdict = tolerance_interval(chosen, low, high, floor, choices.number("tau"))
    return columns | _judged(np.asarray(columns["verdict_planned"]), verdict)


def _counting(findings: Findings) -> Average:
    """Blank out the cells that do not count, instead of averaging them."""

    def blank(values: Array) -> Array:
        return np.where(findings.included, values, np.nan)

    return blank


def match_cells(planned: CellStatistics, current: CellStatistics) -> NDArray[np.int64]:
    """Find each current cell, (G,), among the planned ones by position; -1 if not there."""
    keys = ["attribute", "context", "format", "role"]
    return _match(planned.cells[keys], current.cells[keys])


def _match(planned: pl.DataFrame, current: pl.DataFrame) -> NDArray[np.int64]:
    """Position of each current row in the planned rows, -1 where it is not there."""
    where = {key: row for row, key in enumerate(planned.iter_rows())}
    return np.array([where.get(key, -1) for key in current.iter_rows()], dtype=np.int64)


def _long(
    comparison: Comparison,
    keys: Mapping[str, Sequence[str]],
    average: Callable[[Findings], Average],
    matched: NDArray[np.int64] | None,
) -> Columns:
    """Stack (M, rows) arrays into one row a model and row, with verdicts and flips."""
    now, planned = comparison.current, comparison.planned
    resident, chosen = average(now)(now.planned_cells), average(now)(now.chosen_cells)
    before = average(planned)(planned.chosen_cells)
    if matched is not None:
        padded = np.concatenate([before, np.full((before.shape[0], 1), np.nan)], axis=1)
        before = padded[:, matched]
    verdict_planned = tolerance(before, planned.choices.number("tau"))
    verdict_now = tolerance(chosen, now.choices.number("tau"))
    models, rows = chosen.shape
    return {
        "model": pl.Series([n for n in comparison.names for _ in range(rows)], dtype=pl.String),
        **{name: list(values) * models for name, values in keys.items()},
        "planned": _missing(before.ravel()),
        "resident": _missing(resident.ravel()),
        "chosen": _missing(chosen.ravel()),
        "change": _missing((chosen - resident).ravel()),
        **_judged(verdict_planned.ravel(), verdict_now.ravel()),
    }


def _judged(planned: NDArray[np.str_], now: NDArray[np.str_]) -> Columns:
    return {
        "verdict_planned": pl.Series(planned.tolist(), dtype=pl.String),
        "verdict_now": pl.Series(now.tolist(), dtype=pl.String),
        "flip": is_flip(planned, now),
    }


def grid_table(models: pl.DataFrame, attributes: pl.DataFrame) -> pl.DataFrame:
    """One row a model and scope: the composite first, then each attribute.

    Parameters
    ----------
    models, attributes
        The model table and the attribute table, both with what stands behind their numbers.

    Returns
    -------
    polars.DataFrame
        model, scope, planned, chosen, verdict_planned, verdict_now, flip, varies, behind.
    """
    order = ["Composite", *(ATTRIBUTE_NAMES[name] for name in (*PRIMARY_MODULES, "gender_to_sex"))]
    rows = [
        *(row | {"scope": "Composite"} for row in models.iter_rows(named=True)),
        *(row | {"scope": row["attribute"]} for row in attributes.iter_rows(named=True)),
    ]
    return table_of(sorted(rows, key=lambda row: order.index(row["scope"])), _GRID)


_GRID = {
    **dict.fromkeys(("model", "scope"), pl.String),
    **dict.fromkeys(("planned", "chosen"), pl.Float64),
    **dict.fromkeys(("verdict_planned", "verdict_now"), pl.String),
    **dict.fromkeys(("flip", "varies"), pl.Boolean),
    "behind": pl.String,
}


def without_source(findings: Findings) -> bool:
    """Say whether no cell has a source of shares to compare with."""
    return not any(map(bool, findings.statistics.supports))


def is_silent(findings: Findings) -> bool:
    """Say whether no output of any model carries a category, so that there is nothing to score."""
    return not findings.statistics.counts.any()


def map_table(
    cells: pl.DataFrame, findings: Findings, model: int, agreement: tuple[NDArray[np.int64], int]
) -> pl.DataFrame:
    """Cells of one model that have a source, with their place and position.

    Parameters
    ----------
    cells
        The cell table.
    findings
        The current findings.
    model
        Position of the model.
    agreement
        In how many of how many reconstructions each cell has the shown verdict; (ones, 1) for rows
        that are not reconstructed.

    Returns
    -------
    polars.DataFrame
        The columns of the cell table, and place (attribute and context), cell (position in the
        findings), no_comparator, behind, varies. Attributes outside the composite come last.
    """
    alike, of = agreement
    size = findings.statistics.cells.height
    own = cells.slice(model * size, size)
    attributes = own["attribute"].to_list()
    places = zip(attributes, own["context"].to_list(), strict=True)
    added = pl.DataFrame(
        {
            "place": [f"{attribute}: {context}" for attribute, context in places],
            "cell": list(range(size)),
            "no_comparator": np.isnan(findings.comparator).any(-1),
            "varies": alike < of,
            "behind": [
                f"this verdict in {k} of {of} reconstructions" if of > 1 else "" for k in alike
            ],
        },
        schema_overrides={"place": pl.String, "cell": pl.Int64, "behind": pl.String},
    )
    chosen = [ATTRIBUTE_NAMES[name] for name in findings.choices.many("modules")]
    shown = [cell for cell, support in enumerate(findings.statistics.supports) if support]
    shown.sort(key=lambda cell: attributes[cell] not in chosen)
    return own.hstack(added)[np.array(shown, dtype=np.int64)]


def moved_most(rows: pl.DataFrame) -> int:
    """Find the row of the counting cell whose score the swap moves most; the first without any.

    Parameters
    ----------
    rows
        Columns counts and change, as the cell table has them.
    """
    changes = enumerate(rows[["counts", "change"]].iter_rows())
    moves = [(abs(change or 0.0), row) for row, (counts, change) in changes if counts]
    return max(moves, default=(0.0, 0))[1]


def count_flips(cells: pl.DataFrame, choices: Choices) -> tuple[int, int]:
    """Count flipped cell verdicts and all cell verdicts of a cell table.

    Cells of attributes outside the composite, and cells that count in neither setting, are left
    out.
    """
    modules = [ATTRIBUTE_NAMES[name] for name in choices.many("modules")]
    none = Verdict.CANNOT_COMPUTE.value
    counting = cells.filter(
        pl.col("attribute").is_in(modules)
        & ((pl.col("verdict_planned") != none) | (pl.col("verdict_now") != none))
    )
    return int(counting["flip"].sum()), counting.height


def composition_table(findings: Findings, model: int, cell: int) -> pl.DataFrame:
    """One row a category of one cell: count and share, and both comparators' shares.

    Returns
    -------
    polars.DataFrame
        category, n, share (among mapped outputs), resident, comparator; shares in [0, 1], null
        where there is none.
    """
    names = findings.statistics.supports[cell]
    counts = findings.statistics.counts[model, cell, : len(names)]
    mapped = counts.sum()
    return pl.DataFrame(
        {
            "category": names,
            "n": counts,
            "share": _missing(counts / mapped if mapped else np.full(len(names), np.nan)),
            "resident": _missing(findings.resident[cell, : len(names)]),
            "comparator": _missing(findings.comparator[cell, : len(names)]),
        }
    )


def state_counts(findings: Findings, model: int, cell: int) -> dict[str, int]:
    """Map each non-mapped state of one cell to its number of outputs."""
    counts = findings.statistics.states[model, cell]
    return {state: int(n) for state, n in zip(STATES, counts, strict=True)}


def context_name(code: str) -> str:
    """Name a context; one that the study does not know keeps its code."""
    return context_names().get(code, code)


def _missing(values: Array) -> pl.Series:
    """Turn NaN into null, so that tables and exports never show it."""
    return pl.Series(values, dtype=pl.Float64, nan_to_null=True)


def _places(scores: Array) -> pl.Series:
    """Rank scores from the lowest; models without one have none."""
    places = [None if math.isnan(own) else 1 + int((scores < own).sum()) for own in scores]
    return pl.Series(places, dtype=pl.Int64)
