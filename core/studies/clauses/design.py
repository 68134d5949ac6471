"""What the study's design fixes: runs, models, families, variants and elicitation conditions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from core.reference import table

STUDY = "clauses"

RUNS = ("v2", "v3")
RUN_NAMES: Mapping[str, str] = MappingProxyType(
    {"v2": "v2, the first elicitation", "v3": "v3, the replication"}
)

VARIANTS = ("strong", "weak", "mutual")
"""Which party the wording favours; `mutual` binds both alike."""

LABELS = ("role", "opaque", "weak_only", "strong_only")
FRAMINGS = ("neutral", "rep_strong", "rep_weak")
FIELD_ORDERS = ("number_first", "reasoning_first")
PARTIES = ("strong", "weak")
FAVOURED = ("strong", "weak", "neither")
PARSES = ("clean", "repaired", "repairable", "failed")

CONFIRMATORY = ("employment", "landlord_tenant")
DESCRIPTIVE = "b2b"
FAMILIES = (*CONFIRMATORY, DESCRIPTIVE)
FAMILY_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "employment": "Employment contract",
        "landlord_tenant": "Residential lease",
        "b2b": "Software service between businesses",
    }
)

SCALE = (0.0, 10.0)
"""Ends of the rating scale; the document calls it a 10-point scale and does not say where it
starts."""

HYPOTHESES = ("H1", "H2", "H3", "H4", "H5")
EQUIVALENCE = "H4"
"""The one hypothesis that claims a difference is practically zero."""


class Situation(NamedTuple):
    """How a clause is put to a model: which labels the parties carry, and whom it is to represent.

    One elicitation condition.
    """

    labels: str
    framing: str = "neutral"

    @property
    def words(self) -> str:
        """Name the situation within a sentence."""
        return f"{_LABEL_WORDS[self.labels]}{_FRAMING_WORDS[self.framing]}"


_LABEL_WORDS = {
    "role": "role labels",
    "opaque": "opaque labels",
    "weak_only": "a role label for the weaker party only",
    "strong_only": "a role label for the stronger party only",
}
_FRAMING_WORDS = {
    "neutral": "",
    "rep_strong": ", representing the stronger party",
    "rep_weak": ", representing the weaker party",
}

ROLE, OPAQUE = Situation("role"), Situation("opaque")
WEAK_ONLY, STRONG_ONLY = Situation("weak_only"), Situation("strong_only")
REP_WEAK, REP_STRONG = Situation("role", "rep_weak"), Situation("role", "rep_strong")
REP_WEAK_OPAQUE = Situation("opaque", "rep_weak")
REP_STRONG_OPAQUE = Situation("opaque", "rep_strong")

CONDITIONS: Mapping[str, Situation | None] = MappingProxyType(
    {
        "neutral_role": ROLE,
        "neutral_opaque": OPAQUE,
        "rep_strong_anon": REP_STRONG_OPAQUE,
        "rep_weak_anon": REP_WEAK_OPAQUE,
        "rep_strong": REP_STRONG,
        "rep_weak": REP_WEAK,
        "undetermined_7": None,
        "undetermined_8": None,
    }
)
"""Elicitation conditions by id, as in ``conditions.csv``; None where the document leaves open what
the condition is, so that a panel may say so itself."""


@cache
def model_names() -> Mapping[str, str]:
    """Map model ids to the names that the study prints, in the study's order."""
    return {row["model"]: row["display_name"] for row in _models()}


@cache
def short_names() -> Mapping[str, str]:
    """Map model ids to the short names that the study's text uses, for sentences."""
    return {
        row["model"]: (row["short_names_used"] or row["display_name"]).split("; ")[0]
        for row in _models()
    }


def _models() -> list[dict[str, str]]:
    return table(STUDY, "models").to_dicts()


def family_name(family: str) -> str:
    """Name a clause family; one that the study does not know keeps its own name."""
    return FAMILY_NAMES.get(family, family)
