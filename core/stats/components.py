"""Variance components of a fully crossed random layout by expected mean squares.

Factors: clusters C (resampled whole) and up to any number of further factors, one observation a
cell, so that the highest interaction and the error are one. For a set S of factors

``E[MS_S] = sum over T containing S of (product of sizes not in T) * sigma2_T``,

which is solved for the components by inclusion and exclusion over the sets that contain S (Searle,
Casella and McCulloch 1992, ch. 4). Estimates are unbiased and may be negative.

A cluster's cells enter through two things only: their means over sets of factors and the squared
lengths of the interactions within the cluster. Resampling clusters is therefore one product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from core.stats.clusters import resampled_sums

Array = NDArray[np.float64]
Effect = tuple[int, ...]
"""Positions of the factors in an effect, ascending; the cluster factor is 0."""


def effects_of(factors: int) -> tuple[Effect, ...]:
    """All non-empty sets of factors: single ones first, then pairs, and so on."""
    places = range(factors)
    return tuple(chain.from_iterable(combinations(places, k) for k in range(1, factors + 1)))


@dataclass(frozen=True, eq=False)
class ClusterSquares:
    """What the components need of a layout. C clusters, sizes (C, n1, n2, ...), M = n1 n2 ... ."""

    sizes: tuple[int, ...]
    cells: Array
    """(M, C) values of each cluster, less the grand mean."""
    squares: Array
    """(2 ** (factors - 1), C) squared lengths of the within-cluster interactions, for each set of
    the further factors in the order of `_inner`; the empty set is the cluster's mean."""

    @cached_property
    def inner(self) -> tuple[Effect, ...]:
        """Sets of the further factors, the empty one first."""
        return ((), *effects_of(len(self.sizes) - 1))


def reduce_layout(values: Array) -> ClusterSquares:
    """Take the sums that the components need out of a layout, in one pass.

    Parameters
    ----------
    values
        (C, n1, n2, ...), one observation a cell, without missing values.

    Raises
    ------
    ValueError
        If a factor has fewer than two levels (its component cannot be told apart) or a value is
        missing (the layout is not balanced).
    """
    if min(values.shape) < 2:
        raise ValueError("every factor needs at least two levels")
    if np.isnan(values).any():
        raise ValueError("the layout has missing cells")
    centred = values - values.mean()
    sizes = values.shape
    flat = centred.reshape(sizes[0], -1)
    squares = _lengths(flat, sizes[1:])
    return ClusterSquares(sizes, np.ascontiguousarray(flat.T), squares)


def _lengths(flat: Array, sizes: Sequence[int]) -> Array:
    """Squared lengths of the interactions of rows over (n1, n2, ...), summed over all cells.

    Returns
    -------
    array, shape (2 ** len(sizes), rows)
        Rows in the order of the empty set and `effects_of`.
    """
    sets = ((), *effects_of(len(sizes)))
    full = flat.reshape(len(flat), *sizes)
    axes = range(1, len(sizes) + 1)
    # Length of the projection on the cell means of a set, in the space of all cells.
    projected = {}
    for kept in sets:
        gone = tuple(a for a in axes if a - 1 not in kept)
        count = int(np.prod([sizes[a - 1] for a in gone], dtype=np.int64))
        sums = full.sum(axis=gone) if gone else full
        own = sums.reshape(len(flat), -1)
        projected[kept] = np.einsum("ij,ij->i", own, own) / count
    return np.stack(
        [
            sum(
                (-1) ** (len(kept) - len(part)) * projected[part]
                for part in sets
                if set(part) <= set(kept)
            )
            for kept in sets
        ]
    )


@dataclass(frozen=True, eq=False)
class Components:
    """Sums of squares and components of each effect, in the order of `effects_of`."""

    effects: tuple[Effect, ...]
    df: NDArray[np.int64]
    """(E,) degrees of freedom."""
    mean_squares: Array
    """(E,) or (E, B)."""
    components: Array
    """(E,) or (E, B) estimates of the variances, not truncated."""


def components(layout: ClusterSquares) -> Components:
    """Estimate the components from the whole layout."""
    ones = np.ones((layout.sizes[0], 1))
    found = _solve(layout, layout.cells @ ones, layout.squares @ ones)
    return Components(found.effects, found.df, found.mean_squares[:, 0], found.components[:, 0])


def resampled_components(layout: ClusterSquares, draws: int, seed: int) -> Components:
    """Estimate the components again in every resample of clusters; arrays are (E, B).

    Copies of one cluster carry the same noise, so effects without the cluster factor come out
    somewhat too large in resamples: by about the component of their interaction with it, divided
    by the number of clusters.
    """
    stacked = np.concatenate([layout.cells, layout.squares])
    sums = resampled_sums(stacked, draws, seed)
    cells = len(layout.cells)
    return _solve(layout, sums[:cells], sums[cells:])


def _solve(layout: ClusterSquares, cells: Array, squares: Array) -> Components:
    """Solve for the components from sums over clusters: (M, B) and (2 ** f, B)."""
    sizes = layout.sizes
    clusters = sizes[0]
    effects = effects_of(len(sizes))
    # Interactions of the means over clusters, and of the clusters about them.
    shared = _lengths((cells / clusters).T, sizes[1:])
    sums = {}
    for position, inner in enumerate(layout.inner):
        without = tuple(f + 1 for f in inner)
        if without:
            sums[without] = clusters * shared[position]
        sums[(0, *without)] = squares[position] - clusters * shared[position]
    df = np.array([np.prod([sizes[f] - 1 for f in e], dtype=np.int64) for e in effects])
    means = np.stack([sums[e] for e in effects]) / df[:, None]
    solved = np.stack(
        [
            sum(
                (-1) ** (len(above) - len(e)) * means[i]
                for i, above in enumerate(effects)
                if set(e) <= set(above)
            )
            / np.prod([sizes[f] for f in range(len(sizes)) if f not in e], dtype=np.float64)
            for e in effects
        ]
    )
    return Components(effects, df, means, solved)
