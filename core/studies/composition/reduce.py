"""From a panel's rows to small arrays: counts by model, cell and category. Done once a panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.composition.contract import REGIMES
from core.studies.composition.sources import (
    ATTRIBUTES,
    STATES,
    declared_categories,
    model_names,
    resident_shares,
)

CELL = ("regime", "attribute", "context", "format", "role")


@dataclass(frozen=True, eq=False)
class CellStatistics:
    """What the analysis needs of a panel. M models, G cells, K the widest support.

    Compared and hashed by identity, so that work on it can be kept; the arrays are read-only.
    """

    models: tuple[str, ...]
    cells: pl.DataFrame
    """The columns of `CELL`; one row a cell, G rows."""
    counts: NDArray[np.int64]
    """(M, G, K): mapped outputs in each declared category, zero beyond a cell's support."""
    states: NDArray[np.int64]
    """(M, G, 4): outputs in each non-mapped state, in the order of `STATES`."""
    other: NDArray[np.int64]
    """(M, G): outputs with a category that no declared source covers."""

    @cached_property
    def mapped(self) -> NDArray[np.int64]:
        """(M, G): outputs that carry a declared category."""
        return self.counts.sum(-1)

    @cached_property
    def outputs(self) -> NDArray[np.int64]:
        """(M, G): all outputs."""
        return self.mapped + self.states.sum(-1) + self.other

    @cached_property
    def supports(self) -> tuple[tuple[str, ...], ...]:
        """Declared categories of each cell; empty where no source is declared."""
        declared = declared_categories()
        pairs = self.cells.select("attribute", "context").iter_rows()
        return tuple(declared.get((a, c), ()) for a, c in pairs)

    def column(self, name: str) -> list[str]:
        """Return one key of every cell."""
        return self.cells[name].to_list()

    def in_regime(self, regime: str) -> CellStatistics:
        """Return the statistics of one prompt regime, always the same object for one regime."""
        return self._regimes[regime]

    @cached_property
    def _regimes(self) -> dict[str, CellStatistics]:
        parts = {}
        for regime in REGIMES:
            index = np.flatnonzero(self.cells["regime"].to_numpy() == regime)
            parts[regime] = CellStatistics(
                self.models,
                self.cells[index],
                _frozen(self.counts[:, index]),
                _frozen(self.states[:, index]),
                _frozen(self.other[:, index]),
            )
        return parts

    def resident(self, zero_mass: float) -> NDArray[np.float64]:
        """Return resident-population shares, (G, K); NaN rows where no source is declared."""
        shares = resident_shares(zero_mass)
        table = np.zeros((len(self.cells), self.counts.shape[-1]))
        for cell, (attribute, context) in enumerate(
            self.cells.select("attribute", "context").iter_rows()
        ):
            vector = shares.get((attribute, context))
            if vector is None:
                table[cell] = np.nan
            else:
                table[cell, : vector.size] = vector
        return table


def reduce_cells(rows: pl.DataFrame | pl.LazyFrame) -> CellStatistics:
    """Count outputs by model, cell and category.

    Parameters
    ----------
    rows
        Rows of a composition cells table; lazy frames are streamed.

    Returns
    -------
    CellStatistics
        Models in the study's order, others after them by name; cells in a fixed order. A model
        without rows for a cell has zero outputs there.
    """
    lazy = rows.lazy().group_by("model", *CELL, "category").agg(pl.col("n").sum())
    frame = lazy.collect(engine="streaming")
    models = _in_order(frame["model"].unique().to_list(), tuple(model_names()))
    cells = _ordered_cells(frame)
    position = _positions()
    width = max((len(names) for names in declared_categories().values()), default=1)
    counts = np.zeros((len(models), cells.height, width), dtype=np.int64)
    states = np.zeros((len(models), cells.height, len(STATES)), dtype=np.int64)
    other = np.zeros((len(models), cells.height), dtype=np.int64)
    indexed = (
        frame.join(cells.with_row_index("cell"), on=CELL)
        .join(pl.DataFrame({"model": models}).with_row_index("m"), on="model")
        .join(position, on=("attribute", "context", "category"), how="left")
        .join(pl.DataFrame({"category": STATES}).with_row_index("state"), on="category", how="left")
    )
    m, g = indexed["m"].to_numpy(), indexed["cell"].to_numpy()
    n, k, s = (indexed[name].to_numpy() for name in ("n", "position", "state"))
    is_state, is_mapped = ~np.isnan(s), ~np.isnan(k)
    np.add.at(states, (m[is_state], g[is_state], s[is_state].astype(int)), n[is_state])
    is_mapped &= ~is_state
    np.add.at(counts, (m[is_mapped], g[is_mapped], k[is_mapped].astype(int)), n[is_mapped])
    rest = ~is_state & ~is_mapped
    np.add.at(other, (m[rest], g[rest]), n[rest])
    return CellStatistics(tuple(models), cells, _frozen(counts), _frozen(states), _frozen(other))


def _positions() -> pl.DataFrame:
    rows = [
        (attribute, context, category, float(position))
        for (attribute, context), names in declared_categories().items()
        for position, category in enumerate(names)
    ]
    return pl.DataFrame(rows, schema=["attribute", "context", "category", "position"], orient="row")


def _ordered_cells(frame: pl.DataFrame) -> pl.DataFrame:
    contexts = list(dict.fromkeys(context for _, context in declared_categories()))
    orders: dict[str, Sequence[str]] = {
        "regime": REGIMES,
        "attribute": ATTRIBUTES,
        "context": contexts,
        "format": ("story", "character"),
        "role": ("ceo", "doctor", "engineer", "nurse", "teacher", "cleaner"),
    }
    cells = frame.select(CELL).unique()
    ranks = []
    for name in CELL:
        values = _in_order(cells[name].unique().to_list(), orders[name])
        lookup = {value: rank for rank, value in enumerate(values)}
        ranks.append(pl.col(name).replace_strict(lookup, return_dtype=pl.Int64))
    return cells.sort(ranks)


def _in_order(values: Sequence[str], known: Sequence[str]) -> list[str]:
    present = set(values)
    return [v for v in known if v in present] + sorted(present - set(known))


def _frozen(array: NDArray[np.int64]) -> NDArray[np.int64]:
    array.flags.writeable = False
    return array
