"""Which cells count, and how they are averaged (App. D.2 and D.4 of the study)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.composition.sources import ATTRIBUTES

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Grouping:
    """Membership of cells in contexts (of one attribute) and of contexts in attributes."""

    contexts: pl.DataFrame
    """One row a context of an attribute: attribute, context. C rows."""
    cell_in_context: Array
    """(G, C): 1 where the cell belongs to the context."""
    context_in_module: Array
    """(C, 4): 1 where the context belongs to the attribute, in the order of `ATTRIBUTES`."""

    @property
    def cell_in_module(self) -> Array:
        """(G, 4): 1 where the cell belongs to the attribute."""
        return self.cell_in_context @ self.context_in_module


def group(cells: pl.DataFrame) -> Grouping:
    """Find the contexts and attributes of cells, in the order of the cells."""
    contexts = cells.select("attribute", "context").unique(maintain_order=True)
    index = cells.join(contexts.with_row_index("i"), on=("attribute", "context"), how="left")["i"]
    in_context = np.zeros((cells.height, contexts.height))
    in_context[np.arange(cells.height), index.to_numpy()] = 1
    in_module = np.array([[float(a == m) for m in ATTRIBUTES] for a in contexts["attribute"]])
    return Grouping(contexts, in_context, in_module.reshape(contexts.height, len(ATTRIBUTES)))


def included_cells(
    mapped: NDArray[np.int64], scoreable: NDArray[np.bool_], *, portfolio: str, gate: int
) -> NDArray[np.bool_]:
    """Say which cells count for which model.

    Parameters
    ----------
    mapped
        (M, G) outputs that carry a declared category.
    scoreable
        (G,) whether the cell has a declared source and the comparator is defined there.
    portfolio
        ``common_intersection``: the cell passes the gate for every model; ``model_specific``: for
        this one; ``source_scoreable``: no gate, but at least one mapped output, without which
        there is no composition.
    gate
        Mapped outputs a cell needs.

    Returns
    -------
    array of bool, shape (M, G)
    """
    passes = scoreable & (mapped >= (1 if portfolio == "source_scoreable" else gate))
    if portfolio == "common_intersection":
        return np.broadcast_to(passes.all(axis=0), passes.shape)
    return passes


@dataclass(frozen=True, eq=False)
class Weights:
    """How the included cells of each model are averaged at every level."""

    grouping: Grouping
    within_context: Array
    """(M, G): sums to one over the included cells of a context; 0 elsewhere."""
    within_module: Array
    """(M, G): sums to one over the included cells of an attribute; 0 elsewhere."""
    composite: Array
    """(M, G): sums to one over the included cells of the chosen attributes; 0 for a model that
    lacks one of them, since a composite is released only when all are there."""
    has_context: NDArray[np.bool_]
    """(M, C)"""
    has_module: NDArray[np.bool_]
    """(M, 4)"""
    complete: NDArray[np.bool_]
    """(M,): whether every chosen attribute keeps at least one cell."""

    def contexts(self, values: Array) -> Array:
        """Average (..., M, G) values within contexts: (..., M, C), NaN where none is included."""
        sums = (self._filled(values) * self.within_context) @ self.grouping.cell_in_context
        return np.where(self.has_context, sums, np.nan)

    def modules(self, values: Array) -> Array:
        """Average (..., M, G) values within attributes: (..., M, 4), NaN where none is included."""
        sums = (self._filled(values) * self.within_module) @ self.grouping.cell_in_module
        return np.where(self.has_module, sums, np.nan)

    def overall(self, values: Array) -> Array:
        """Average (..., M, G) values into composites: (..., M), NaN where one is not released."""
        sums = np.einsum("...mg,mg->...m", self._filled(values), self.composite)
        return np.where(self.complete, sums, np.nan)

    def _filled(self, values: Array) -> Array:
        """Blank out cells that do not count, so that a missing value there cannot spread."""
        return np.where(self.within_module > 0, values, 0.0)


def weigh(
    included: NDArray[np.bool_],
    mapped: NDArray[np.int64],
    grouping: Grouping,
    *,
    modules: tuple[str, ...],
    weighting: str,
) -> Weights:
    """Build the weights ``w_g = 1/|modules| * 1/|contexts| * 1/|cells|`` or a variant (App. D.4).

    Parameters
    ----------
    included
        (M, G) which cells count.
    mapped
        (M, G) mapped outputs, used by ``mapped_n``.
    grouping
        Contexts and attributes of the cells.
    modules
        Attributes in the composite.
    weighting
        ``hierarchy``: cells alike within a context, contexts alike within an attribute, attributes
        alike; ``equal_cell``: all cells of the chosen attributes alike; ``mapped_n``: as the
        hierarchy, cells within a context by their mapped outputs.
    """
    share = included * (mapped if weighting == "mapped_n" else 1.0)
    context_total = share @ grouping.cell_in_context
    has_context = context_total > 0
    within_context = share * (_inverse(context_total) @ grouping.cell_in_context.T)
    chosen = np.array([name in modules for name in ATTRIBUTES])
    if weighting == "equal_cell":
        module_total = share @ grouping.cell_in_module
        within_module = share * (_inverse(module_total) @ grouping.cell_in_module.T)
        has_module = module_total > 0
        in_composite = share * (grouping.cell_in_module @ chosen)
        composite = in_composite * _inverse(in_composite.sum(-1, keepdims=True))
    else:
        contexts_kept = has_context @ grouping.context_in_module
        has_module = contexts_kept > 0
        within_module = within_context * (_inverse(contexts_kept) @ grouping.cell_in_module.T)
        composite = within_module * (grouping.cell_in_module @ chosen) / max(chosen.sum(), 1)
    complete = (has_module | ~chosen).all(-1) & bool(chosen.any())
    return Weights(
        grouping,
        within_context,
        within_module,
        composite * complete[:, None],
        has_context,
        has_module,
        complete,
    )


def _inverse(values: Array) -> Array:
    """``1 / x``, and 0 for 0: an empty group gets no weight."""
    return np.divide(1.0, values, out=np.zeros_like(values, dtype=np.float64), where=values > 0)
