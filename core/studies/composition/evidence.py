"""How much a composite rests on labels with weak evidence (App. D.3 of the study)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.panels.problems import PanelError, Problem
from core.stats.divergence import MEASURES
from core.studies.composition.estimate import Findings
from core.studies.composition.reduce import CellStatistics, reduce_cells
from core.studies.composition.shares import conditional_shares
from core.studies.composition.sources import PRIMARY_MODULES

Array = NDArray[np.float64]

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "footer_only": "found in the footer of the text and nowhere in its prose",
        "relational": "orientation inferred from the genders of a character and a partner",
    }
)
"""Kinds of weak evidence, and what is meant by them."""


def reduce_evidence(evidence: pl.DataFrame, cells: pl.DataFrame) -> Mapping[str, CellStatistics]:
    """Count weak labels by model, cell and category, in the order of the panel's own cells.

    Parameters
    ----------
    evidence
        Rows of a composition evidence table.
    cells
        Rows of the cells table that it belongs to.

    Returns
    -------
    mapping of kind to CellStatistics
        The same models and cells as the reduced cells table; counts of labels in place of outputs.

    Raises
    ------
    PanelError
        If the evidence names more labels than the cells table has, so that the two do not belong
        together.
    """
    keys = [name for name in cells.columns if name != "n"]
    owned = evidence.join(cells, on=keys, how="left", suffix="_outputs")
    excess = owned.filter(pl.col("n") > pl.col("n_outputs").fill_null(0))
    if excess.height:
        raise PanelError([_too_many(excess)])
    empty = cells.with_columns(n=pl.lit(0, dtype=pl.Int64))
    return {
        kind: reduce_cells(
            pl.concat([empty, evidence.filter(pl.col("evidence") == kind).select(cells.columns)])
        )
        for kind in KINDS
    }


def _too_many(excess: pl.DataFrame) -> Problem:
    row = excess.row(0, named=True)
    where = ", ".join(str(value)[:60] for key, value in row.items() if not key.startswith("n"))
    return Problem(
        "n",
        where,
        f"{row['n']} labels in the first of {excess.height} such rows",
        f"at most the {row['n_outputs'] or 0} outputs of the cells table",
        "Bring the evidence table that was made with these cells.",
    )


def composite_change(findings: Findings, weak: CellStatistics) -> Array:
    """Change of the composite when weak labels are dropped, cells and weights held fixed.

    Parameters
    ----------
    findings
        What `analyse` returned.
    weak
        One entry of `reduce_evidence` for the same panel.

    Returns
    -------
    array, shape (M,)
        ``Agg(d without the labels) - Agg(d)`` from the chosen comparator on the same cells; NaN
        where a cell that counts has no other label.
    """
    kept = _without(findings.statistics, weak.in_regime(findings.choices.text("regime")))
    measure = MEASURES[findings.choices.text("measure")]
    values = measure(conditional_shares(kept), findings.comparator)
    return findings.weights.overall(values - findings.chosen_cells)


@lru_cache(maxsize=8)
def _without(statistics: CellStatistics, weak: CellStatistics) -> CellStatistics:
    """Take weak labels out of the counts; their outputs become unspecified."""
    states = statistics.states.copy()
    states[..., 0] += weak.mapped
    counts = statistics.counts - weak.counts
    return CellStatistics(statistics.models, statistics.cells, counts, states, statistics.other)


def labels(weak: CellStatistics, regime: str) -> NDArray[np.int64]:
    """Count the weak labels of one regime, in any category or state; (M,)."""
    return np.asarray(weak.in_regime(regime).outputs.sum(-1))


def scored_labels(weak: CellStatistics, regime: str) -> NDArray[np.int64]:
    """Count those that a score rests on: a declared category of a primary attribute; (M,)."""
    part = weak.in_regime(regime)
    primary = part.cells["attribute"].is_in(PRIMARY_MODULES).to_numpy()
    return np.asarray(part.mapped[:, primary].sum(-1))
