"""The study's design as arrays: their axes, and the archetypes of one panel.

Arrays of ratings have the axes run, model, family, archetype, variant and
condition, in the order of the names here. Archetypes that a run leaves out keep
their place and hold nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from core.reference import table

STUDY = "clauses"
RUNS = ("v2", "v3")
VARIANTS = ("strong", "weak", "mutual")
ONE_SIDED = [VARIANTS.index("strong"), VARIANTS.index("weak")]
HYPOTHESES = ("H1", "H2", "H3", "H4", "H5")
FIELD_ORDER = {"v2": "number_first", "v3": "reasoning_first"}

MODELS = tuple(table(STUDY, "models")["model"])
FAMILIES = tuple(table(STUDY, "families")["family"])
CONFIRMATORY = [i for i, s in enumerate(table(STUDY, "families")["scope"]) if s == "confirmatory"]
DESCRIPTIVE = [i for i in range(len(FAMILIES)) if i not in CONFIRMATORY]
CONDITIONS = tuple(table(STUDY, "conditions")["condition"])

PRESENTATION = {
    "neutral_role": ("role", "neutral"),
    "neutral_opaque": ("opaque", "neutral"),
    "rep_strong_anon": ("opaque", "rep_strong"),
    "rep_weak_anon": ("opaque", "rep_weak"),
    "rep_strong": ("role", "rep_strong"),
    "rep_weak": ("role", "rep_weak"),
    "undetermined_7": ("weak_only", "neutral"),
    "undetermined_8": ("strong_only", "neutral"),
}
"""Labels and framing of each condition.

The document leaves the last two open; they follow the reading that the
reference mentions first.
"""

NOT_NAMED = "not named"
ILLUSTRATION = "schematic illustration"


def model(name: str) -> int:
    """Position of a model."""
    return MODELS.index(name)


def condition(name: str) -> int:
    """Position of a condition."""
    return CONDITIONS.index(name)


@cache
def named_topics() -> tuple[tuple[str, bool], ...]:
    """Topics the document names, and whether it says they were dropped."""
    rows = table(STUDY, "clause_topics").iter_rows(named=True)
    return tuple(
        (row["topic"], row["fate_in_v3"] == "dropped")
        for row in rows
        if not row["role_in_text"].startswith(ILLUSTRATION)
    )


@dataclass(frozen=True)
class Archetypes:
    """The clause archetypes of one panel, flags of shape (archetypes,)."""

    names: tuple[str, ...]
    topics: tuple[str, ...]
    dropped: np.ndarray
    named_dropped: np.ndarray
    """Dropped ones that the document names; they led the withdrawn claim."""
    giveaway: np.ndarray
    unchanged: np.ndarray

    @property
    def size(self) -> int:
        """Number of archetypes."""
        return len(self.names)

    def in_run(self, run: int) -> np.ndarray:
        """Which archetypes a run holds."""
        return ~self.dropped if RUNS[run] == "v3" else np.ones(self.size, dtype=bool)


def draw_archetypes(
    rng: np.random.Generator, size: int, dropped: int, giveaway: int, unchanged: int
) -> Archetypes:
    """Give flags to archetypes; the document names too few of them to know whose they are.

    Parameters
    ----------
    size, dropped, giveaway, unchanged : int
        Printed numbers of archetypes.
    """
    named = named_topics()
    topics = [topic for topic, _ in named] + [NOT_NAMED] * (size - len(named))
    names = [t if t != NOT_NAMED else f"clause {i + 1}" for i, t in enumerate(topics)]
    known = np.array([gone for _, gone in named] + [False] * (size - len(named)))
    order = rng.permutation(np.flatnonzero(~known))
    cuts = np.cumsum([dropped - known.sum(), giveaway, unchanged])
    others, with_giveaway, same, _ = np.split(order, cuts)
    return Archetypes(
        names=tuple(names),
        topics=tuple(topics),
        dropped=known | _mask(size, others),
        named_dropped=known,
        giveaway=_mask(size, with_giveaway),
        unchanged=_mask(size, same),
    )


def _mask(size: int, members: np.ndarray) -> np.ndarray:
    return np.isin(np.arange(size), members)
