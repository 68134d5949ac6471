"""Read the study's reference tables and lay out its cells.

The search works on arrays; this module fixes their order. A *pair* is one
attribute in one context with a source; it has twelve cells, one for each
format and role. Primary pairs come first by attribute, then by context.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

REFERENCE = Path(__file__).resolve().parents[2] / "reference" / "composition"

PRIMARY = ("race_ethnicity", "religion", "sexual_orientation")
GENDER = "gender_to_sex"
REGIMES = ("joint", "implicit")
FORMATS = ("story", "character")
ROLES = ("doctor", "nurse", "engineer", "teacher", "ceo", "cleaner")
SLOTS = tuple((f, r) for f in FORMATS for r in ROLES)
STATES = ("unspecified", "unmapped", "ambiguous", "failed")
OUTPUTS = 30
GATES = (20, 24, 27)

ZERO_MASS = 2e-5
"""Mass given to a share displayed as .0000: positive, below display rounding."""

RESIDUAL_WORDS = ("other", "n.i.e.", "multiple visible", "two or more")


def read_rows(name: str) -> list[dict[str, str]]:
    """Rows of one reference table, as dictionaries of strings."""
    with open(REFERENCE / f"{name}.csv", encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


@dataclass(frozen=True)
class Pair:
    """One attribute in one context, with its target."""

    attribute: str
    context: str
    categories: tuple[str, ...]
    target: np.ndarray
    """Shares, renormalised to 1, shape (categories,)."""

    @property
    def size(self) -> int:
        """Number of declared categories."""
        return len(self.categories)


class Layout:
    """Order of models, contexts, pairs and cells, and the inputs on them."""

    def __init__(self) -> None:
        self.models = tuple(row["model_id"] for row in read_rows("models"))
        mask = read_rows("source_mask")
        self.contexts = tuple(row["context"] for row in mask)
        scored = {
            attribute: [row["context"] for row in mask if row[attribute] == "true"]
            for attribute in (*PRIMARY, GENDER)
        }
        shares = _shares()
        self.pairs = tuple(
            _pair(attribute, context, shares)
            for attribute in PRIMARY
            for context in scored[attribute]
        )
        self.gender_pairs = tuple(_pair(GENDER, context, shares) for context in scored[GENDER])

    @cached_property
    def attribute_of_pair(self) -> np.ndarray:
        """Index into PRIMARY for each pair, shape (pairs,)."""
        return np.array([PRIMARY.index(p.attribute) for p in self.pairs])

    @cached_property
    def context_of_pair(self) -> np.ndarray:
        """Index into contexts for each pair, shape (pairs,)."""
        return np.array([self.contexts.index(p.context) for p in self.pairs])

    @property
    def cells(self) -> int:
        """Number of primary cells."""
        return len(self.pairs) * len(SLOTS)

    @cached_property
    def pair_of_cell(self) -> np.ndarray:
        """Pair index of each primary cell, shape (cells,)."""
        return np.repeat(np.arange(len(self.pairs)), len(SLOTS))

    @cached_property
    def attribute_of_cell(self) -> np.ndarray:
        """Index into PRIMARY of each primary cell, shape (cells,)."""
        return self.attribute_of_pair[self.pair_of_cell]

    @cached_property
    def widest(self) -> int:
        """Largest number of categories of any pair."""
        return max(p.size for p in self.pairs)


def _shares() -> dict[tuple[str, str], list[tuple[str, float]]]:
    table: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for row in read_rows("targets"):
        key = (row["attribute"], row["context"])
        table.setdefault(key, []).append((row["category"], float(row["share"])))
    return table


def _pair(attribute: str, context: str, shares: dict) -> Pair:
    listed = shares[attribute, context]
    mass = np.array([share if share > 0 else ZERO_MASS for _, share in listed])
    return Pair(attribute, context, tuple(c for c, _ in listed), mass / mass.sum())


def implausibility(pair: Pair) -> np.ndarray:
    """Cost of putting an output on each category, shape (categories,).

    Rare categories cost more, and residual categories more again, because a
    written character seldom states one. Orientation is exempt from the first
    part: the printed divergences require outputs far from its target.
    """
    cost = np.zeros(pair.size)
    if pair.attribute != "sexual_orientation":
        cost += np.minimum(-np.log10(pair.target), 5.0) / 2.0
    for i, category in enumerate(pair.categories):
        if any(word in category.lower() for word in RESIDUAL_WORDS):
            cost[i] += 1.0
    return cost
