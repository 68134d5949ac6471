"""Findings as tables: one frame a level, each with values, verdicts and flips."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.basis import with_basis as with_basis
from core.choices import Choices
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
    return _long(comparison, keys, lambda findings: findings.weights.modules, None)


def context_table(comparison: Comparison) -> pl.DataFrame:
    """One row a model, attribute and context; columns as in `cell_table`, without format, role."""
    contexts = comparison.current.weights.grouping.contexts
    planned = comparison.planned.weights.grouping.contexts
    keys = {
        "attribute": [ATTRIBUTE_NAMES[a] for a in contexts["attribute"]],
        "context": [context_name(c) for c in contexts["context"]],
    }
    matched = _match(planned, contexts)
    return _long(comparison, keys, lambda findings: findings.weights.contexts, matched)


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
    key = ["attribute", "context", "format", "role"]
    matched = _match(comparison.planned.statistics.cells.select(key), cells.select(key))
    frame = _long(comparison, keys, _counting, matched).with_columns(
        mapped=now.statistics.mapped.ravel(),
        outputs=now.statistics.outputs.ravel(),
        counts=np.asarray(now.included).ravel(),
    )
    drawn = comparison.uncertainty
    return frame if drawn is None else _with_intervals(frame, drawn, now.choices)


def _with_intervals(frame: pl.DataFrame, drawn: Uncertainty, choices: Choices) -> pl.DataFrame:
    """Add the cells' intervals and, where the rule asks for it, judge by them."""
    low, high, floor = drawn.cells[..., 0].ravel(), drawn.cells[..., 1].ravel(), drawn.floor.ravel()
    frame = frame.with_columns(low=_missing(low), high=_missing(high), floor=_missing(floor))
    if choices.text("rule") == "point":
        return frame
    chosen = frame["chosen"].fill_null(float("nan")).to_numpy()
    verdict = tolerance_interval(chosen, low, high, floor, choices.number("tau"))
    planned = frame["verdict_planned"].to_numpy()
    return frame.with_columns(
        verdict_now=pl.Series(verdict), flip=pl.Series(is_flip(planned, verdict))
    )


def _counting(findings: Findings) -> Average:
    """Blank out the cells that do not count, instead of averaging them."""

    def blank(values: Array) -> Array:
        return np.where(findings.included, values, np.nan)

    return blank


def _match(planned: pl.DataFrame, current: pl.DataFrame) -> NDArray[np.int64]:
    """Position of each current row in the planned rows, -1 where it is not there."""
    joined = current.join(
        planned.with_row_index("i"), on=planned.columns, how="left", maintain_order="left"
    )
    return joined["i"].cast(pl.Int64).fill_null(-1).to_numpy()


def _long(
    comparison: Comparison,
    keys: Mapping[str, Sequence[str]],
    average: Callable[[Findings], Average],
    matched: NDArray[np.int64] | None,
) -> pl.DataFrame:
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
    return pl.DataFrame(
        {
            "model": np.repeat(comparison.names, rows),
            **{name: list(values) * models for name, values in keys.items()},
            "planned": _missing(before.ravel()),
            "resident": _missing(resident.ravel()),
            "chosen": _missing(chosen.ravel()),
            "change": _missing((chosen - resident).ravel()),
            "verdict_planned": verdict_planned.ravel(),
            "verdict_now": verdict_now.ravel(),
            "flip": is_flip(verdict_planned, verdict_now).ravel(),
        }
    )


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
    columns = (
        *("model", "scope", "planned", "chosen", "verdict_planned", "verdict_now", "flip"),
        *("varies", "behind"),
    )
    composite = models.with_columns(scope=pl.lit("Composite")).select(columns)
    attributes = attributes.rename({"attribute": "scope"}).select(columns)
    order = ["Composite", *(ATTRIBUTE_NAMES[name] for name in (*PRIMARY_MODULES, "gender_to_sex"))]
    return pl.concat([composite, attributes]).sort(
        pl.col("scope").replace_strict({name: i for i, name in enumerate(order)}),
        maintain_order=True,
    )


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
    chosen = [ATTRIBUTE_NAMES[name] for name in findings.choices.many("modules")]
    has_source = pl.Series(map(bool, findings.statistics.supports), dtype=pl.Boolean)
    return (
        cells.slice(model * size, size)
        .with_columns(
            place=pl.col("attribute") + ": " + pl.col("context"),
            cell=pl.int_range(size),
            no_comparator=pl.Series(np.isnan(findings.comparator).any(-1)),
            varies=pl.Series(alike < of),
            behind=pl.Series(
                [f"this verdict in {k} of {of} reconstructions" if of > 1 else "" for k in alike]
            ),
        )
        .filter(has_source)
        .sort(~pl.col("attribute").is_in(chosen), maintain_order=True)
    )


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
    return _missing(scores).rank("min").cast(pl.Int64)
