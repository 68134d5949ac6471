"""How each figure that the composition study prints follows from a panel's rows.

A figure says what it is in three fields: its quantity, its subject (a model, or all of them) and
the condition it holds under. One function a quantity returns the values of all models under that
condition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices, Value
from core.figures import Figure, Panels, Unavailable
from core.stats.ranks import spearman
from core.studies.composition import thresholds
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import Findings, analyse
from core.studies.composition.evidence import (
    composite_change,
    labels,
    reduce_evidence,
    scored_labels,
)
from core.studies.composition.missing_mass import (
    OUTCOMES,
    MissingMass,
    mapped_rates,
    missing_mass,
    outcome_shares,
)
from core.studies.composition.paths import REPORTED
from core.studies.composition.reduce import CellStatistics, reduce_cells
from core.studies.composition.sources import ATTRIBUTES, PRIMARY_MODULES, model_names

Array = NDArray[np.float64]


class Rows:
    """The rows of a panel, reduced once; findings are kept for each specification."""

    def __init__(self, panels: Panels) -> None:
        self._panels = panels
        self._findings: dict[Choices, Findings] = {}
        self._missing_mass: dict[Findings, MissingMass] = {}

    @cached_property
    def statistics(self) -> CellStatistics:
        """The reduced cells table."""
        return reduce_cells(self._panels["cells"].frame)

    def weak(self, kind: str) -> CellStatistics:
        """Labels that rest on one kind of weak evidence."""
        return self._evidence[kind]

    @cached_property
    def _evidence(self) -> Mapping[str, CellStatistics]:
        if "evidence" not in self._panels:
            raise Unavailable("needs the evidence table")
        return reduce_evidence(self._panels["evidence"].frame, self._panels["cells"].frame)

    def findings(self, figure: Figure, **changes: Value) -> Findings:
        """Analyse the rows under a figure's condition, with some choices changed."""
        choices = specification(figure.condition).replace(**changes)
        if choices not in self._findings:
            self._findings[choices] = analyse(self.statistics, choices)
        return self._findings[choices]

    def missing_mass(self, figure: Figure) -> MissingMass:
        """Take the unmapped outputs into account under a figure's condition."""
        findings = self.findings(figure)
        if findings not in self._missing_mass:
            self._missing_mass[findings] = missing_mass(findings)
        return self._missing_mass[findings]

    def part(self, figure: Figure) -> CellStatistics:
        """Cells of the figure's prompt regime."""
        return self.statistics.in_regime(figure.condition["regime"])

    def model(self, name: str) -> int:
        """Position of a model, by the name that the study prints."""
        ids = {printed: model for model, printed in model_names().items()}
        if ids.get(name) not in self.statistics.models:
            raise Unavailable(f"the panel has no rows of {name}")
        return self.statistics.models.index(ids[name])


def specification(condition: Mapping[str, str]) -> Choices:
    """Turn a figure's condition into choices; what it does not name is planned."""
    values: dict[str, Value] = {}
    # A contrast of comparators names the one that replaces the planned one first.
    comparator = condition.get("comparator", "geography").partition("-")[0]
    if comparator in ("geography", "equal_category"):
        values["comparator"] = comparator
    if condition.get("n_gate", "none") != "none":
        values["gate"] = int(condition["n_gate"])
    portfolio = condition.get("portfolio", "common_intersection")
    values["portfolio"] = portfolio.removesuffix("_264")
    for key in ("regime", "weighting"):
        if key in condition:
            values[key] = condition[key]
    return DECLARATION.select(values)


Values = Callable[[Rows, Figure], Array]
"""Gives the values of all models, (M,) or (M, several), or one pooled value, (1,)."""


def _composite(rows: Rows, figure: Figure) -> Array:
    return rows.findings(figure).chosen_composite


def _total_variation(rows: Rows, figure: Figure) -> Array:
    return rows.findings(figure, measure="total_variation").chosen_composite


def _largest_deviation(rows: Rows, figure: Figure) -> Array:
    return rows.findings(figure, measure="largest_deviation").chosen_composite


def _difference(rows: Rows, figure: Figure) -> Array:
    """Composite on each model's own cells minus that on the common ones."""
    own = rows.findings(figure, portfolio="model_specific").chosen_composite
    return own - rows.findings(figure, portfolio="common_intersection").chosen_composite


def _module(rows: Rows, figure: Figure) -> Array:
    findings = rows.findings(figure)
    return findings.weights.modules(findings.chosen_cells)[:, _attribute(figure)]


def _mean_change(rows: Rows, figure: Figure) -> Array:
    findings = rows.findings(figure)
    if "attribute" not in figure.condition:
        return findings.mean_absolute_change
    change = np.abs(findings.chosen_cells - findings.planned_cells)
    return findings.weights.modules(change)[:, _attribute(figure)]


def _mean_change_root(rows: Rows, figure: Figure) -> Array:
    return rows.findings(figure, measure="root_jsd").mean_absolute_change


def _augmented(rows: Rows, figure: Figure) -> Array:
    return rows.missing_mass(figure).augmented


def _envelope(rows: Rows, figure: Figure) -> Array:
    mass = rows.missing_mass(figure)
    return mass.best if figure.condition["bound"] == "min" else mass.worst


def _visibility(rows: Rows, figure: Figure) -> Array:
    return rows.missing_mass(figure).visibility


def _penalised(rows: Rows, figure: Figure) -> Array:
    return rows.missing_mass(figure).penalised(float(figure.condition["eta"]))


def _threshold_share(rows: Rows, figure: Figure) -> Array:
    """T at every tolerance that the figure names, in percent."""
    findings = rows.findings(figure)
    tau = np.array([float(text) for text in figure.condition["tau"].split("|")])
    steps = [thresholds.of_model(findings, m).total for m in range(len(findings.statistics.models))]
    return 100 * np.array([step(tau) for step in steps])


def _path(rows: Rows, figure: Figure, path: str) -> Array:
    """Composites at the points of a path that the study reports, (points, M)."""
    position = {"mixture": "lambda", "power": "alpha"}[path]
    return np.array(
        [
            rows.findings(figure, comparator=path, **{position: at}).chosen_composite
            for at in REPORTED[path]
        ]
    )


def _path_minimum(path: str) -> Values:
    def at(rows: Rows, figure: Figure) -> Array:
        composites = _path(rows, figure, path)
        lowest = np.asarray(REPORTED[path])[composites.argmin(axis=0)]
        return np.where(np.isnan(composites).any(axis=0), np.nan, lowest)

    return at


def _first_step(rows: Rows, figure: Figure) -> Array:
    composites = _path(rows, figure, "mixture")
    return np.asarray(composites[0] - composites[1])


OVERTAKINGS = (("Llama 4 Maverick", "Kimi K3"), ("Qwen3.7-Max", "Claude Sonnet 5"))
"""(passes, is passed) on the mixture path, as the caption of Fig. 11 names them."""


def _overtaking(rows: Rows, figure: Figure) -> Array:
    """First reported weight at which each pair has changed places; NaN where none has."""
    composites = _path(rows, figure, "mixture")
    weights = []
    for passing, passed in OVERTAKINGS:
        ahead = composites[:, rows.model(passing)] < composites[:, rows.model(passed)]
        changes = ahead.any() and not ahead[0]
        weights.append(REPORTED["mixture"][int(ahead.argmax())] if changes else np.nan)
    return np.array(weights)


def _cells_that_count(rows: Rows, figure: Figure) -> Array:
    """Count each model's cells that count."""
    included = rows.findings(figure).included
    return np.asarray((included & _named_cells(rows, figure)).sum(-1), dtype=np.float64)


def _cells_on_their_own(rows: Rows, figure: Figure) -> Array:
    included = rows.findings(figure, portfolio="model_specific").included
    return np.asarray((included & _named_cells(rows, figure)).sum(-1), dtype=np.float64)


def _dropped_cells(rows: Rows, figure: Figure) -> Array:
    has_source = ~np.isnan(rows.findings(figure).resident).any(-1)
    return (has_source & _named_cells(rows, figure)).sum() - _cells_that_count(rows, figure)


def _named_cells(rows: Rows, figure: Figure) -> NDArray[np.bool_]:
    """Cells of the attribute (or all primary ones) and the context that a figure names."""
    attribute = figure.condition["attribute"]
    asked = PRIMARY_MODULES if attribute in ("all", "primary") else (attribute,)
    return _cells_of(rows.part(figure), asked, figure.condition.get("context"))


def _cells_of(
    part: CellStatistics, attributes: tuple[str, ...], context: str | None = None
) -> NDArray[np.bool_]:
    named = np.isin(part.cells["attribute"].to_numpy(), attributes)
    if context is not None:
        named &= part.cells["context"].to_numpy() == context
    if not named.any():
        raise Unavailable("the panel has no such cells")
    return named


STATISTICS: Mapping[str, float] = MappingProxyType({"min": 0, "p05": 0.05, "median": 0.5, "max": 1})
"""Quantiles by the name under which a figure asks for them."""


def _mapped_rate(rows: Rows, figure: Figure) -> Array:
    """Take a quantile over cells: of each model, of each model and attribute, or pooled."""
    quantile = STATISTICS[figure.condition["statistic"]]
    part = rows.part(figure)
    rates = mapped_rates(part)
    if "bound" in figure.condition:
        modules = [rates[:, _cells_of(part, (name,))] for name in PRIMARY_MODULES]
        return np.stack([np.quantile(module, quantile, axis=1) for module in modules], axis=1)
    axis = None if figure.subject == "pooled" else 1
    return np.atleast_1d(np.quantile(rates[:, _named_cells(rows, figure)], quantile, axis=axis))


STATE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "mapped": "mapped",
        "unspecified": "unspecified",
        "other_or_mapping": "unmapped",
        "failure": "failed",
        "ambiguous_or_absent_protagonist": "ambiguous",
    }
)
"""States as the figures name them, and as the rows do."""


def _state_percent(rows: Rows, figure: Figure) -> Array:
    state = OUTCOMES.index(STATE_NAMES[figure.condition["state"]])
    shares = 100 * outcome_shares(rows.part(figure))[..., state]
    if figure.condition["attribute"] == "primary":
        return shares[:, [ATTRIBUTES.index(name) for name in PRIMARY_MODULES]]
    return shares[:, _attribute(figure)]


def _rank_correlation(rows: Rows, figure: Figure) -> Array:
    """Over all models and common cells of an attribute, pooled."""
    findings = rows.findings(figure)
    counts = findings.included & _named_cells(rows, figure)
    rates = mapped_rates(findings.statistics)
    return np.array([spearman(rates[counts], findings.chosen_cells[counts])])


def _failed(rows: Rows) -> tuple[Array, Array]:
    """Failed records and all records of each model; every record once, though it has 4 labels."""
    cells = rows.statistics.cells.with_row_index()
    once = cells.unique(["regime", "context", "format", "role"], keep="first")["index"].to_numpy()
    failed = rows.statistics.states[:, once, OUTCOMES.index("failed") - 1]
    return failed.sum(-1).astype(float), rows.statistics.outputs[:, once].sum(-1).astype(float)


def _passing(rows: Rows, figure: Figure) -> Array:
    del figure
    failed, records = _failed(rows)
    return records - failed


def _unresolved(rows: Rows, figure: Figure) -> Array:
    del figure
    return _failed(rows)[0].sum(keepdims=True)


def _weak_labels(kind: str) -> Values:
    def count(rows: Rows, figure: Figure) -> Array:
        counter = scored_labels if "cells" in figure.condition else labels
        found = counter(rows.weak(kind), figure.condition["regime"]).astype(np.float64)
        return found.sum(keepdims=True) if figure.subject == "all" else found

    return count


REMOVED: Mapping[str, str] = MappingProxyType(
    {"metadata_only": "footer_only", "relational_orientation": "relational"}
)


def _change_without(rows: Rows, figure: Figure) -> Array:
    return composite_change(rows.findings(figure), rows.weak(REMOVED[figure.condition["removed"]]))


CEO_CELL = ("implicit", "gender_to_sex", "USA", "character", "ceo")
CEO_READING = "read as: female share of the mapped outputs, implicit prompt, character sketch"


def _female_share(rows: Rows, figure: Figure) -> Array:
    """Percent female in the one cell that Fig. 1 may mean."""
    del figure
    keys = list(rows.statistics.cells.iter_rows())
    if CEO_CELL not in keys:
        raise Unavailable("the panel has no such cell")
    counts = rows.statistics.counts[:, keys.index(CEO_CELL)]
    return np.asarray(100 * counts[:, 0] / counts.sum(-1))


def _attribute(figure: Figure) -> int:
    return ATTRIBUTES.index(figure.condition["attribute"])


QUANTITIES: Mapping[str, Values] = MappingProxyType(
    {
        "common_support_cells": _cells_that_count,
        "completion_envelope": _envelope,
        "dropped_cells": _dropped_cells,
        "generated_female_share": _female_share,
        "jsd2_composite_augmented": _augmented,
        "jsd2_composite_change": _change_without,
        "jsd2_composite_equal": _composite,
        "jsd2_composite_geo": _composite,
        "jsd2_composite_geo_difference": _difference,
        "jsd2_module_geo": _module,
        "mapped_output_rate": _mapped_rate,
        "mean_abs_cell_change": _mean_change,
        "mean_abs_cell_change_root": _mean_change_root,
        "mean_max_abs_category_deviation": _largest_deviation,
        "metadata_only_labels": _weak_labels("footer_only"),
        "mixture_path_argmin": _path_minimum("mixture"),
        "mixture_path_reduction": _first_step,
        "model_scoreable_cells": _cells_on_their_own,
        "non_mapping_mass": _visibility,
        "order_change_lambda": _overtaking,
        "portfolio_cells": _cells_that_count,
        "power_path_argmin": _path_minimum("power"),
        "records_passing_validation": _passing,
        "relational_orientation_labels": _weak_labels("relational"),
        "spearman_mapped_rate_jsd2": _rank_correlation,
        "state_percent": _state_percent,
        "threshold_change_share": _threshold_share,
        "total_variation_composite": _total_variation,
        "unresolved_records": _unresolved,
        "visibility_penalised_composite": _penalised,
    }
)
