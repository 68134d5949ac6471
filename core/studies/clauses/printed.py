"""The clauses study's printed figures, recomputed from a panel: what the ledger asks for.

A figure says what it is in three fields: its quantity, its subject (a model, or all of them) and
the condition it holds under. One function a quantity returns the figure's value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices, Value
from core.figures import (
    Figure,
    Found,
    Panels,
    Recompute,
    Recomputed,
    Tolerance,
    Unavailable,
    by_quantity,
)
from core.studies.clauses import direction, missing
from core.studies.clauses.choices import DECLARATION
from core.studies.clauses.design import (
    CONDITIONS,
    CONFIRMATORY,
    DESCRIPTIVE,
    EQUIVALENCE,
    FAMILIES,
    HYPOTHESES,
    OPAQUE,
    PARTIES,
    ROLE,
)
from core.studies.clauses.estimate import Findings, analyse
from core.studies.clauses.reduce import ClauseStatistics, reduce_determinations
from core.studies.clauses.unchanged import Paired, paired
from core.verdicts import is_support

Array = NDArray[np.float64]

TABLES = ("determinations", "archetypes")

ENDS_ALLOWED = 0.015
ENDS_WHY = "ends accepted to .015: they move by a lattice step (1/70, 1/58, 1/80) between seeds"


class Rows:
    """The rows of a panel, reduced once; findings are kept for each specification."""

    def __init__(self, panels: Panels) -> None:
        self._panels = panels
        self._findings: dict[Choices, Findings] = {}

    @cached_property
    def statistics(self) -> ClauseStatistics:
        """The reduced tables."""
        archetypes = self._panels.get("archetypes")
        return reduce_determinations(
            self._panels["determinations"].frame, archetypes.frame if archetypes else None
        )

    @property
    def archetypes(self) -> pl.DataFrame:
        """The archetypes table."""
        if self.statistics.archetypes is None:
            raise Unavailable("needs the archetypes table")
        return self.statistics.archetypes

    def findings(self, **changes: Value) -> Findings:
        """Analyse the rows as planned, with some choices changed."""
        choices = DECLARATION.planned.replace(**changes)
        if choices not in self._findings:
            self._findings[choices] = analyse(self.statistics, choices)
        return self._findings[choices]

    def run(self, name: str) -> int:
        """Position of a run."""
        if name not in self.statistics.runs:
            raise Unavailable(f"the panel has no rows of {name}")
        return self.statistics.runs.index(name)

    def model(self, name: str) -> int:
        """Position of a model."""
        if name not in self.statistics.models:
            raise Unavailable(f"the panel has no rows of {name}")
        return self.statistics.models.index(name)

    def paired(self, labels: str) -> Paired:
        """Compare both runs on unchanged clauses."""
        found = paired(self.statistics, DECLARATION.planned, labels)
        if isinstance(found, str):
            raise Unavailable(found)
        return found


def recompute(panels: Panels, *, draws: bool) -> Recompute:
    """Prepare to recompute the study's figures from a panel's rows.

    Parameters
    ----------
    panels
        The determinations table and, for figures about kinds of clauses, the archetypes table.
    draws
        Not needed: the study's resampling takes milliseconds.
    """
    del draws
    return by_quantity(QUANTITIES, Rows(panels))


def tolerance(figure: Figure) -> Tolerance:
    """Say how far a recomputed value may lie from a figure: half a unit and what is allowed."""
    has_ends = figure.lower is not None
    return Tolerance(
        value=figure.half_unit,
        ends=figure.half_unit + (ENDS_ALLOWED if has_ends else 0.0),
        why=ENDS_WHY if has_ends else "",
    )


Quantity = Callable[[Rows, Figure], Found]


def _end(values: Array, figure: Figure) -> float:
    """Take an end of the range over models."""
    return float(values.min() if figure.condition["bound"] == "min" else values.max())


def _cell(rows: Rows, figure: Figure) -> tuple[int, int, int]:
    condition = figure.condition
    hypothesis = HYPOTHESES.index(condition["hypothesis"])
    return rows.run(condition["run"]), rows.model(figure.subject), hypothesis


def _estimate(rows: Rows, figure: Figure) -> Found:
    cell = _cell(rows, figure)
    findings = rows.findings()
    low, high = findings.interval[cell]
    return Recomputed(float(findings.estimate[cell]), float(low), float(high))


def _asymmetry(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    if "items" in condition:
        found = rows.paired(condition["labels"])
        return found.first if condition["run"] == "v2" else found.second
    if "family" in condition:
        return _family_mean(rows, figure, condition["family"])
    if "bound" in condition:
        h = HYPOTHESES.index(condition["hypothesis"])
        return _end(rows.findings().estimate[rows.run(condition["run"]), :, h], figure)
    return _estimate(rows, figure)


def _family_mean(rows: Rows, figure: Figure, family: str) -> float:
    findings = rows.findings(families=(family,))
    run, model = rows.run(figure.condition["run"]), rows.model(figure.subject)
    return float(findings.estimate[run, model, HYPOTHESES.index("H1")])


def _envelope(rows: Rows, figure: Figure) -> Found:
    h = HYPOTHESES.index(figure.condition["hypothesis"])
    end = 0 if figure.condition["bound"] == "min" else 1
    return _end(rows.findings().matching[rows.run(figure.condition["run"]), :, h, end], figure)


def _supported(rows: Rows, figure: Figure) -> Found:
    h = HYPOTHESES.index(figure.condition["hypothesis"])
    return float(is_support(rows.findings().verdict[rows.run(figure.condition["run"]), :, h]).sum())


def _holm_p(rows: Rows, figure: Figure) -> Found:
    return float(rows.findings().p_adjusted[_cell(rows, figure)])


def _changed_by_holm(rows: Rows, figure: Figure) -> Found:
    findings, run = rows.findings(), rows.run(figure.condition["run"])
    changed = is_support(findings.verdict[run]) != is_support(findings.verdict_alone[run])
    return float(changed.sum())


def _changed_between_runs(rows: Rows, figure: Figure) -> Found:
    findings = rows.findings()
    alone = figure.condition["gating"] == "interval_only"
    supported = is_support(findings.verdict_alone if alone else findings.verdict)
    return float((supported[rows.run("v2")] != supported[rows.run("v3")]).sum())


def _lost(rows: Rows, figure: Figure) -> Found:
    findings = rows.findings()
    supported, first, second = is_support(findings.verdict), rows.run("v2"), rows.run("v3")
    lost = supported[first] & ~supported[second]
    if figure.condition.get("estimate") == "larger_in_v3":
        lost &= findings.estimate[second] > findings.estimate[first]
    return float(lost.sum())


def _pairs(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    if condition.get("bound") == "max":
        return None
    run = rows.run(condition["run"])
    if condition.get("bound") == "min":
        return float(rows.findings().n[run].min())
    if "cells" in condition:
        counts = rows.findings().n[run, rows.model(figure.subject)]
        # The number that four of the five hypotheses share.
        return float(np.sort(counts)[: len(HYPOTHESES) - 1].max())
    return float(rows.findings().n[_cell(rows, figure)])


def _cells_with_pairs(rows: Rows, figure: Figure) -> Found:
    run, model = rows.run(figure.condition["run"]), rows.model(figure.subject)
    return float((rows.findings().n[run, model] == int(figure.condition["group_pairs"])).sum())


_KINDS: Mapping[str, pl.Expr] = MappingProxyType(
    {
        "defective": pl.col("giveaway") | pl.col("unrealistic"),
        "giveaway_sentence": pl.col("giveaway"),
        "unrealistic_or_confounded": pl.col("unrealistic"),
        "dropped": pl.col("dropped"),
        "byte_identical": pl.col("unchanged"),
    }
)


def _archetypes(rows: Rows, figure: Figure) -> Found:
    kind = figure.condition.get("kind", "")
    if kind == "dropped_with_errors":
        return float(_wrong_in_dropped(rows, "v2", "role").height)
    return float(rows.archetypes.filter(_KINDS[kind]).height) if kind in _KINDS else None


def _wrong_in_dropped(rows: Rows, run: str, labels: str) -> pl.DataFrame:
    """List the archetypes with wrong answers among those that v3 left out."""
    gone = rows.archetypes.filter("dropped")["archetype"]
    wrong = direction.wrong_archetypes(rows.statistics, run, labels)
    return wrong.filter(pl.col("archetype").is_in(gone.to_list()))


def _models_with_pattern(rows: Rows, figure: Figure) -> Found:
    if figure.condition.get("pattern") != "individual_families_above_b2b":
        return None
    run, h = rows.run(figure.condition["run"]), HYPOTHESES.index("H1")
    means = {f: rows.findings(families=(f,)).estimate[run, :, h] for f in FAMILIES}
    above = [means[family] > means[DESCRIPTIVE] for family in CONFIRMATORY]
    return float(np.all(above, axis=0).sum())


def _accuracy(rows: Rows, figure: Figure) -> Found:
    table = direction.direction_table(rows.statistics, figure.condition["labels"])
    models = table.filter((pl.col("run") == figure.condition["run"]) & (pl.col("model_id") != ""))
    return _end(100 * models["accuracy"].to_numpy(), figure)


def _whole_run(rows: Rows, run: str, labels: str) -> pl.DataFrame:
    """Right and wrong answers of all models together, one row."""
    rows.run(run)
    table = direction.direction_table(rows.statistics, labels)
    return table.filter((pl.col("run") == run) & (pl.col("model_id") == ""))


def _wrong_calls(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    labels = condition.get("labels", "role")
    if condition.get("archetypes") == "dropped_before_v3":
        return float(_wrong_in_dropped(rows, condition["run"], labels)["wrong"].sum())
    whole = _whole_run(rows, condition.get("run", "v2"), labels)
    named = "wrong_strong" if condition.get("named") == "stronger_party" else "wrong"
    return float(whole[named].sum())


def _sign_test(rows: Rows, figure: Figure) -> Found:
    p = _whole_run(rows, figure.condition["run"], "role")["p"][0]
    return float("nan") if p is None else float(p)


_RESPONSES = {
    "recovered": "repaired",
    "unparseable": "unparseable",
    "unusable": "unusable",
    "terminal_brace_repairable": "repairable",
}


def _responses(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    kind, run = condition["kind"], condition["run"]
    if kind == "parsed_role_labeled_variant":
        table = direction.direction_table(rows.statistics, ROLE.labels)
        return float(
            table.filter((pl.col("run") == run) & (pl.col("model_id") == ""))["calls"].sum()
        )
    if kind not in _RESPONSES:
        return None
    calls = rows.statistics.calls.filter(pl.col("run") == run)
    if figure.subject != "all":
        rows.model(figure.subject)
        calls = calls.filter(pl.col("model") == figure.subject)
    return float(_counted(calls.filter(_which(condition)), _RESPONSES[kind]))


def _which(condition: Mapping[str, str]) -> pl.Expr:
    """Select the answers that a figure speaks of."""
    if condition.get("conditions") == "neutral":
        return pl.col("framing") == "neutral"
    if "condition" in condition:
        return pl.col("condition") == condition["condition"]
    if condition.get("hypothesis") == EQUIVALENCE:
        opaque = next(name for name, situation in CONDITIONS.items() if situation == OPAQUE)
        return (pl.col("condition") == opaque) & pl.col("variant").is_in(PARTIES)
    return pl.lit(value=True)


def _counted(calls: pl.DataFrame, column: str) -> int:
    count = {
        "repaired": pl.col("repaired"),
        "repairable": pl.col("repairable"),
        "unparseable": pl.col("calls") - pl.col("clean"),
        "unusable": pl.col("failed") + pl.col("repairable"),
    }[column]
    return int(calls.select(count.sum()).item())


def _share_of_responses(rows: Rows, figure: Figure) -> Found:
    run = figure.condition["run"]
    rows.run(run)
    whole = missing.totals(rows.statistics).filter(pl.col("run") == run)
    return 100 * float(whole[figure.condition["kind"]][0]) / float(whole["calls"][0])


def _paired_change(rows: Rows, figure: Figure) -> Found:
    found = rows.paired(figure.condition["labels"])
    if "bound" in figure.condition:
        return _end(found.per_model, figure)
    return Recomputed(float(found.change.estimate[0]), *found.interval)


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "ci_envelope": _envelope,
        "direction_accuracy": _accuracy,
        "group_level_mean_asymmetry": _asymmetry,
        "h3_estimate": _estimate,
        "holm_p": _holm_p,
        "labeled_minus_opaque_contrast": _estimate,
        "n_archetypes": _archetypes,
        "n_cells": _cells_with_pairs,
        "n_group_pairs": _pairs,
        "n_models": _models_with_pattern,
        "n_models_supported": _supported,
        "n_responses": _responses,
        "n_verdicts_changed_between_runs": _changed_between_runs,
        "n_verdicts_changed_by_holm": _changed_by_holm,
        "n_verdicts_lost": _lost,
        "n_wrong_direction_calls": _wrong_calls,
        "paired_change_v3_minus_v2": _paired_change,
        "share_of_responses": _share_of_responses,
        "sign_test_p": _sign_test,
    }
)
"""How each quantity follows from the rows; what is not here follows from a formula, or not at
all."""
