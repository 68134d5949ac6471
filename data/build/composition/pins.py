"""The printed figures the search must return, read from the reference.

Each entry names a statistic of the search and the figure that prints it; the
value and the tolerance (half a unit of the last printed digit) are read from
``figures.csv``. Nothing printed is typed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil, floor

from data.build.composition.reference import PRIMARY, read_rows

STUDY = "composition."

FIT_SHARE = 0.97
"""Part of the tolerance the search uses, so that rounding cannot tip a figure."""

BY_MODEL = {
    "geo": "table2.geo_composite.{model}",
    "equal": "table2.equal_composite.{model}",
    "change": "table2.mean_abs_cell_change.{model}",
    "model_specific_20": "table15.geo_composite.model_specific.{model}",
    "equal_cell": "table15.geo_composite.equal_cell.{model}",
    "mapped_n": "table15.geo_composite.mapped_n.{model}",
    "augmented": "table18.augmented_composite.{model}",
    "common_24": "table18.geo_composite.n24.{model}",
    "common_27": "table18.geo_composite.n27.{model}",
    "all_cells": "table20.geo_composite_all_cells.{model}",
    "best": "table20.completion_envelope.min.{model}",
    "worst": "table20.completion_envelope.max.{model}",
    "unmapped": "table20.non_mapping_mass.{model}",
    "penalised_half": "table20.visibility_penalised.eta0.5.{model}",
    "penalised_one": "table20.visibility_penalised.eta1.{model}",
    "total_variation": "table22.total_variation.{model}",
    "max_deviation": "table22.mean_max_abs_deviation.{model}",
    **{f"geo.{k}": f"table21.module.{k}.{{model}}" for k in PRIMARY},
    **{f"change.{k}": f"table26.mean_abs_cell_change.{k}.{{model}}" for k in PRIMARY},
}
"""Statistics with one printed figure for every model."""

BY_RANGE = {
    "root_change": "app_b2.mean_abs_cell_change_root.{end}",
    "model_specific_24": "table14.geo_composite.model_specific.n24.{end}",
    "model_specific_27": "table14.geo_composite.model_specific.n27.{end}",
    "first_step": "app_d8.mixture_reduction.{end}",
}
"""Statistics printed only as a range over the six models."""

BEARERS = {
    "root_change": ("gemini-3.5-flash", "gpt-5.6"),
    "model_specific_24": ("gemini-3.5-flash", "qwen3.7-max"),
    "model_specific_27": ("gemini-3.5-flash", "qwen3.7-max"),
    "first_step": ("claude-sonnet-5", "llama-4-maverick"),
}
"""Models that carry the lower and the upper end of each range.

The document does not name them; these follow the order of the nearest printed
statistic.
"""

THRESHOLDS = (0.1, 0.2, 0.3)
THRESHOLD_RANGE = "sec5.threshold_change_share.{end}"
THRESHOLD_BEARERS = (("llama-4-maverick", 0.1), ("gpt-5.6", 0.3))
"""(model, tolerance) carrying the ends of T, which the document does not name."""

SPEARMAN = "fig6.spearman.{attribute}"
ORDER_CHANGE = "app_d8.order_change_lambda"
ORDER_SWAPS = (
    ("kimi-k3", "llama-4-maverick"),
    ("claude-sonnet-5", "qwen3.7-max"),
)
"""Pairs (before, after) whose order on the mixture path the document states."""
LOWEST_RATES = "sec5.mapped_output_rate.p05"
MAPPED_RATE = "table17.mapped_output_rate.{regime}.{attribute}.{statistic}.{model}"
FOOTER_LABELS = "app_d3.metadata_only_labels"
FOOTER_PRIMARY = "app_d3.metadata_only_labels.primary"
FOOTER_CHANGE = "app_d3.composite_change.metadata_only_removed.{model}"
RELATIONAL_LABELS = "app_d3.relational_orientation_labels.{regime}"
RELATIONAL_MAPPED = "app_d3.relational_orientation_labels.joint_mapped.{model}"
RELATIONAL_CHANGE = "app_d3.composite_change.relational_removed.{model}"
GENDER_JOINT = "table21.module.gender_to_sex.{model}"
GENDER_IMPLICIT = "sec5.implicit_gender_to_sex.{end}"
CEO_SHARE = "fig1.generated_female_share.{end}"
OCCUPATIONAL = "table27.{column}.{model}"
OCCUPATIONAL_COLUMNS = (
    "geo",
    "occupation",
    "difference",
    "mean_abs_role_difference",
)


PINNED_PREFIXES = (
    ("app_d3.metadata_only_labels", "evidence"),
    ("app_d3.composite_change.", "evidence"),
    ("app_d3.relational_orientation_labels.", "evidence"),
    ("app_d3.records_passing_validation.", "cells"),
    ("app_b2.mean_abs_cell_change_root.", "cells"),
    ("app_d8.", "cells"),
    ("fig1.generated_female_share.", "cells"),
    ("fig6.spearman.", "cells"),
    ("sec5.implicit_gender_to_sex.", "cells"),
    ("sec5.mapped_output_rate.p05", "cells"),
    ("sec5.threshold_change_share.", "cells"),
    *((f"table{i}.", "cells") for i in (2, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 26, 27)),
)
"""Figures the search is fitted to, by the start of their id, and their table."""


@dataclass(frozen=True)
class Figure:
    """One printed figure and its tolerance."""

    figure_id: str
    value: float
    lower: float | None
    upper: float | None
    tolerance: float
    bounded: bool
    """Whether the value is printed as a bound."""

    def window(self) -> tuple[float, float]:
        """Range the search aims for."""
        half = self.tolerance * FIT_SHARE
        return self.value - half, self.value + half


@cache
def figures() -> dict[str, Figure]:
    """Every printed figure of the study by id without the study's prefix."""
    table = {}
    for row in read_rows("figures"):
        if row["value"] == "":
            continue
        figure = Figure(
            figure_id=row["figure_id"],
            value=float(row["value"]),
            lower=float(row["lower"]) if row["lower"] else None,
            upper=float(row["upper"]) if row["upper"] else None,
            tolerance=0.5 * 10.0 ** -int(row["decimals"] or 0),
            bounded=row["note"].startswith(("lt", "gt")),
        )
        table[row["figure_id"].removeprefix(STUDY)] = figure
    return table


def figure(template: str, **keys: str) -> Figure:
    """The printed figure a template names."""
    return figures()[template.format(**keys)]


def count_window(value: float, decimals: int, total: int, bounded: bool) -> tuple[int, int]:
    """Counts out of ``total`` that print as ``value`` percent.

    A bound printed as "less than" admits any positive count below it.
    """
    if bounded:
        return 1, ceil(value / 100 * total) - 1
    if value == 0:
        return 0, 0
    half = 0.5 * 10.0**-decimals
    low = ceil((value - half) / 100 * total - 1e-9)
    high = floor((value + half) / 100 * total - 1e-9)
    return max(low, 0), min(high, total)


def declared(ids: list[str]) -> list[dict[str, float | str]]:
    """Figure ids and tolerances, as written into a panel's metadata."""
    table = figures()
    return [{"figure_id": table[i].figure_id, "tolerance": table[i].tolerance} for i in ids]


def pinned() -> dict[str, list[str]]:
    """Ids of the figures the search is fitted to, by table.

    Design numbers and figures of other runs are not fitted.
    """
    basis = {r["figure_id"].removeprefix(STUDY): r["basis"] for r in read_rows("figure_basis")}
    found: dict[str, list[str]] = {"cells": [], "evidence": []}
    for figure_id in figures():
        table = next((t for p, t in PINNED_PREFIXES if figure_id.startswith(p)), None)
        if table is not None and basis[figure_id] not in ("design", "other_run"):
            found[table].append(figure_id)
    return found
