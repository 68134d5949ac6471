"""Rows for the charts and tables of the page's further sections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.composition.estimate import Findings
from core.studies.composition.kept import Perturbation, Reference, Uncertainty
from core.studies.composition.missing_mass import OUTCOMES, MissingMass, outcome_shares
from core.studies.composition.occupational_posterior import QUANTITIES, Posterior
from core.studies.composition.places import place_ranges, say_range
from core.studies.composition.sources import ATTRIBUTE_NAMES, ATTRIBUTES, role_name
from core.studies.composition.surviving import Surviving
from core.studies.composition.texts import RESIDENT, comparator_name

Array = NDArray[np.float64]


def _dots(
    rows: Sequence[str], series: str, value: Array, interval: Array | None = None
) -> pl.DataFrame:
    none = np.full(len(value), np.nan)
    low, high = (none, none) if interval is None else (interval[:, 0], interval[:, 1])
    return pl.DataFrame(
        {"row": rows, "series": [series] * len(value), "value": value, "low": low, "high": high}
    ).with_columns(pl.col("value", "low", "high").fill_nan(None))


def interval_rows(findings: Findings, drawn: Uncertainty, names: Sequence[str]) -> pl.DataFrame:
    """Composites with their bootstrap intervals, planned comparator first; columns as for dots."""
    return pl.concat(
        [
            _dots(names, RESIDENT, findings.planned_composite, drawn.resident),
            _dots(
                names, comparator_name(findings.choices), findings.chosen_composite, drawn.chosen
            ),
            _dots(names, "average cell moves by", findings.mean_absolute_change, drawn.change),
        ]
    )


def interval_table(
    findings: Findings, drawn: Uncertainty, reference: Reference | None, names: Sequence[str]
) -> pl.DataFrame:
    """One row a model: scores, 95% intervals, possible places, exact-alignment reference."""
    frame = pl.DataFrame(
        {
            "model": names,
            "resident": findings.planned_composite,
            "resident_low": drawn.resident[:, 0],
            "resident_high": drawn.resident[:, 1],
            "chosen": findings.chosen_composite,
            "chosen_low": drawn.chosen[:, 0],
            "chosen_high": drawn.chosen[:, 1],
            "mean_change": findings.mean_absolute_change,
            "mean_change_low": drawn.change[:, 0],
            "mean_change_high": drawn.change[:, 1],
            "place_resident": [
                say_range(p) for p in place_ranges(findings.planned_composite, drawn.kept_resident)
            ],
            "place_chosen": [
                say_range(p) for p in place_ranges(findings.chosen_composite, drawn.kept_chosen)
            ],
        }
    )
    if reference is not None:
        low, median, high = reference.quantiles
        frame = frame.with_columns(
            aligned_low=pl.Series(low),
            aligned_median=pl.Series(median),
            aligned_high=pl.Series(high),
        )
    return frame.with_columns(pl.col(pl.Float64).fill_nan(None))


def perturbation_rows(
    findings: Findings, wrong: Perturbation, names: Sequence[str]
) -> pl.DataFrame:
    """Scores without and with wrong labels; columns as for dots."""
    return pl.concat(
        [
            _dots(names, f"{RESIDENT}, labels as they are", findings.planned_composite),
            _dots(names, f"{RESIDENT}, with wrong labels", wrong.resident),
            _dots(names, "cell moves by, labels as they are", findings.mean_absolute_change),
            _dots(names, "cell moves by, with wrong labels", wrong.change),
        ]
    )


def missing_rows(found: MissingMass, eta: float, names: Sequence[str]) -> pl.DataFrame:
    """Scores with the unmapped outputs taken into account; columns as for dots."""
    envelope = np.stack([found.best, found.worst], axis=-1)
    return pl.concat(
        [
            _dots(names, "among mapped outputs, cells that count", found.conditional),
            _dots(names, "every cell: best to worst completion", found.all_conditional, envelope),
            _dots(names, "unmapped as a category of their own", found.augmented),
            _dots(names, "with the price of unmapped outputs", found.penalised(eta)),
        ]
    )


def missing_table(found: MissingMass, eta: float, names: Sequence[str]) -> pl.DataFrame:
    """One row a model: every summary of the unmapped outputs."""
    return pl.DataFrame(
        {
            "model": names,
            "conditional": found.conditional,
            "augmented": found.augmented,
            "unmapped_share": found.visibility,
            "penalised": found.penalised(eta),
            "every_cell": found.all_conditional,
            "best_completion": found.best,
            "worst_completion": found.worst,
        }
    ).with_columns(pl.col(pl.Float64).fill_nan(None))


def outcome_table(findings: Findings, names: Sequence[str]) -> pl.DataFrame:
    """One row a model and attribute: percent of outputs with each outcome (Table 19)."""
    shares = outcome_shares(findings.statistics)
    columns = {
        "model": np.repeat(names, len(ATTRIBUTES)),
        "attribute": [ATTRIBUTE_NAMES[a] for a in ATTRIBUTES] * len(names),
    }
    percents = {outcome: (100 * shares[..., o]).ravel() for o, outcome in enumerate(OUTCOMES)}
    return pl.DataFrame(columns | percents).with_columns(pl.col(pl.Float64).fill_nan(None))


def posterior_rows(found: Posterior, names: Sequence[str]) -> pl.DataFrame:
    """Divergence of all roles together from each comparator; columns as for dots."""
    return pl.concat(
        [_quantity(names, label, found.overall[:, q]) for q, label in _POSTERIOR_SERIES]
    )


def posterior_role_rows(found: Posterior, model: int) -> pl.DataFrame:
    """As `posterior_rows`, role by role for one model."""
    roles = [
        f"{role_name(role)}: {women} of {mapped} women"
        for role, women, mapped in zip(
            found.roles, found.women[model], found.mapped[model], strict=True
        )
    ]
    return pl.concat(
        [_quantity(roles, label, found.by_role[model, :, q]) for q, label in _POSTERIOR_SERIES]
    )


_POSTERIOR_SERIES = ((0, RESIDENT), (1, "people in the occupation"), (2, "equal categories"))
"""Quantities of the posterior that are divergences, with their names."""


def _quantity(rows: Sequence[str], series: str, summary: Array) -> pl.DataFrame:
    return _dots(rows, series, summary[:, 0], summary[:, 1:])


def surviving_rows(found: Surviving, names: Sequence[str]) -> pl.DataFrame:
    """Score of every model under every surviving comparator; columns as for dots."""
    return pl.concat(
        [
            _dots(names, comparator_name(choices), found.scores[s])
            for s, choices in enumerate(found.specifications)
        ]
    )


def surviving_table(found: Surviving, names: Sequence[str]) -> pl.DataFrame:
    """One row a model: scores and verdicts over the surviving comparators, and their bound."""
    verdicts = [", ".join(dict.fromkeys(found.verdicts[:, m].tolist())) for m in range(len(names))]
    return pl.DataFrame(
        {
            "model": names,
            "lowest": found.interval[:, 0],
            "highest": found.interval[:, 1],
            "verdicts": verdicts,
            "determinate": found.determinate,
            "cells_determinate": found.determinate_share,
            "root_spread": found.root_spread,
            "root_bound": found.bound,
        }
    ).with_columns(pl.col(pl.Float64).fill_nan(None))


def posterior_table(found: Posterior, names: Sequence[str]) -> pl.DataFrame:
    """One row a model: medians and interval ends of all five quantities (Table 27)."""
    columns: dict[str, Sequence[str] | Array] = {"model": names}
    for q, quantity in enumerate(QUANTITIES):
        for e, end in enumerate(("median", "low", "high")):
            columns[f"{quantity}_{end}"] = found.overall[:, q, e]
    return pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None))
