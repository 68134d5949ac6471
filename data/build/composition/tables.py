"""Lookup tables that make one cell's statistics cheap.

Every additive statistic of a cell is a sum over categories of a term that
depends only on the category's share, the mapped count and the category's
count. All terms are tabulated once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.build.composition.reference import OUTPUTS, Layout, implausibility

MIXTURE = np.linspace(0.0, 1.0, 11)
"""Weights of the equal-category end on the mixture path."""

POWERS = (0.25, 0.5, 0.75)
"""Inner exponents of the power path; its ends are on the mixture path."""

TERMS = len(MIXTURE) + len(POWERS) + 1
"""Columns of the term table: mixture path, power path, total variation."""


@dataclass(frozen=True)
class Tables:
    """Tabulated terms and the targets of every pair.

    ``terms`` is (categories of all pairs, n, count, TERMS); ``target`` and
    ``cost`` are (pairs, widest), zero beyond a pair's size.
    """

    terms: np.ndarray
    offset: np.ndarray
    size: np.ndarray
    target: np.ndarray
    cost: np.ndarray


def divergence_term(share: np.ndarray, reference: float) -> np.ndarray:
    """One category's part of the base-2 Jensen-Shannon divergence (bits)."""
    middle = (share + reference) / 2
    term = 0.5 * reference * np.log2(reference / middle)
    positive = share > 0
    term[positive] += 0.5 * share[positive] * np.log2(share[positive] / middle[positive])
    return term


def build(layout: Layout) -> Tables:
    """Tabulate the terms of every pair of a layout."""
    sizes = np.array([p.size for p in layout.pairs])
    offset = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    n = np.arange(OUTPUTS + 1)[:, None]
    count = np.arange(OUTPUTS + 1)[None, :]
    share = np.where(count <= n, count / np.maximum(n, 1), 0.0)
    terms = np.zeros((sizes.sum(), OUTPUTS + 1, OUTPUTS + 1, TERMS))
    target = np.zeros((len(sizes), layout.widest))
    cost = np.zeros_like(target)
    for i, pair in enumerate(layout.pairs):
        target[i, : pair.size] = pair.target
        cost[i, : pair.size] = implausibility(pair)
        references = _comparators(pair.target)
        for a in range(pair.size):
            row = terms[offset[i] + a]
            for j, reference in enumerate(references):
                row[..., j] = divergence_term(share, reference[a])
            row[..., -1] = np.abs(share - pair.target[a]) / 2
    return Tables(terms, offset, sizes, target, cost)


def _comparators(target: np.ndarray) -> list[np.ndarray]:
    """Both comparator paths of one target, in the order of the term table."""
    equal = 1 / len(target)
    mixed = [(1 - w) * target + w * equal for w in MIXTURE]
    powered = [target**alpha / (target**alpha).sum() for alpha in POWERS]
    return mixed + powered
