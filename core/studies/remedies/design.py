"""What the study's design fixes: systems, banks, guises, contrasts, variance terms and names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.reference import table
from core.studies.remedies.contract import (
    EXPLORATORY,
    HOLDOUT,
    ORDERS,
    PERSONA,
    STUDY,
)

POOLED = "pooled"
PANELS = (HOLDOUT, EXPLORATORY, POOLED)

MONETARY = 2
"""The tier that pays."""

PRIMARY_ORDER = ORDERS[0]

Persona = tuple[str, ...]
"""Age, geography, education, ses."""


@cache
def personas() -> tuple[Persona, ...]:
    """List the 36 guises, in the order of the arrays."""
    rows = table(STUDY, "personas").select(PERSONA).rows()
    return tuple(tuple(map(str, row)) for row in rows)


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two levels of a persona factor that are compared."""

    key: str
    factor: str
    target: str
    """The level that the study predicts to fare better."""
    reference: str
    name: str
    styles: tuple[str, str]
    """How texts of the two sides are spoken of: a style names no person."""


CONTRASTS: tuple[Contrast, ...] = (
    Contrast(
        "old_minus_young",
        "age",
        "old",
        "young",
        "older style minus younger",
        ("an older style", "a younger style"),
    ),
    Contrast(
        "college_minus_high_school",
        "education",
        "college",
        "high_school",
        "college style minus high-school",
        ("a college style", "a high-school style"),
    ),
    Contrast(
        "high_minus_low_ses",
        "ses",
        "high",
        "low",
        "high-income style minus low-income",
        ("a high-income style", "a low-income style"),
    ),
)
"""The three signed contrasts (Sec 3.4); middle SES and geography enter none of them."""

CONTRAST_KEYS = tuple(contrast.key for contrast in CONTRASTS)


@cache
def in_level(factor: str, level: str) -> NDArray[np.bool_]:
    """Say which of the 36 guises imitate a level; read-only."""
    place = PERSONA.index(factor)
    mask = np.array([persona[place] == level for persona in personas()], dtype=np.bool_)
    mask.flags.writeable = False
    return mask


@cache
def sides() -> NDArray[np.bool_]:
    """Guises on each side of each contrast, (2, 3, 36): targets, then references; read-only."""
    both = np.array(
        [
            [in_level(c.factor, c.target) for c in CONTRASTS],
            [in_level(c.factor, c.reference) for c in CONTRASTS],
        ]
    )
    both.flags.writeable = False
    return both


@cache
def systems() -> tuple[str, ...]:
    """List the deciding systems, in the study's order."""
    rows = table(STUDY, "systems").to_dicts()
    return tuple(row["system_id"] for row in rows if row["audited_system"] == "yes")


@cache
def banks() -> tuple[str, ...]:
    """List the models that rewrote the complaints, in the study's order; each has one bank."""
    rows = table(STUDY, "systems").to_dicts()
    return tuple(row["system_id"] for row in rows if "rewrite model" in row["role"])


@cache
def auditors() -> tuple[str, ...]:
    """List the models that audited facts, in the study's order."""
    rows = table(STUDY, "systems").to_dicts()
    return tuple(row["system_id"] for row in rows if "auditor" in row["role"])


@cache
def system_names() -> Mapping[str, str]:
    """Map ids of systems to the names that the study prints."""
    rows = table(STUDY, "systems").to_dicts()
    return MappingProxyType({row["system_id"]: row["name"] for row in rows})


def system_name(system: str) -> str:
    """Name a system; one that the study does not know keeps its own name."""
    return system_names().get(system, system)


def bank_name(bank: str) -> str:
    """Name the texts that a model rewrote."""
    return f"texts of {system_name(bank)}"


@cache
def families() -> Mapping[str, str]:
    """Map the 22 attributes to their families: delivery, structure, content."""
    rows = table(STUDY, "attributes").select("attribute", "family")
    return MappingProxyType(dict(rows.iter_rows()))


FAMILIES = ("delivery", "structure", "content")


@cache
def attribute_names() -> Mapping[str, str]:
    """Map the 22 attributes to their names."""
    rows = table(STUDY, "attributes").select("attribute", "name")
    return MappingProxyType(dict(rows.iter_rows()))


@cache
def term_parts() -> Mapping[str, str]:
    """Map the 14 variance terms within complaints to the part that the study counts them in."""
    rows = table(STUDY, "variance_parts").filter(table(STUDY, "variance_parts")["term"] != "C")
    return MappingProxyType(dict(rows.select("term", "part_id").iter_rows()))


@cache
def part_names() -> Mapping[str, str]:
    """Map the five reported parts to their names, in the study's order."""
    rows = table(STUDY, "variance_part_totals").select("part_id", "part_name")
    return MappingProxyType(dict(rows.iter_rows()))


EDIT_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "strengthen": "facts strengthened",
        "weaken": "facts weakened",
        "harm_x10": "amounts times ten",
    }
)

FACTOR_NAMES: Mapping[str, str] = MappingProxyType(
    {"age": "age", "geography": "place", "education": "education", "ses": "income"}
)


def in_order(values: Sequence[str], known: Sequence[str]) -> list[str]:
    """Sort names: those that the study knows in its order, others after them by name."""
    present = set(values)
    return [v for v in known if v in present] + sorted(present - set(known))
