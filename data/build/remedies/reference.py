"""The study's design as arrays: guises, contrasts, option orders and the places of complaints."""

from __future__ import annotations

from itertools import product

import numpy as np

from core.reference import table
from core.studies.remedies.contract import ORDERS, PERSONA_LEVELS, STUDY

__all__ = ["ORDERS", "STUDY"]

SYSTEMS = tuple(table(STUDY, "systems")["system_id"])
GPT4O, GPT5, JEV, CLAUDE, GPT52 = SYSTEMS[:5]
BANKS = (GPT4O, GPT5)
"""Each GPT model rewrites one bank of texts, and decides it."""

PERSONAS = tuple(product(*PERSONA_LEVELS.values()))
GUISES = len(PERSONAS)

HOLDOUT, EXPLORATORY = 1000, 2000
EDITED, MITIGATED = 200, 500
"""Numbers of complaints; the edited and the mitigated are the first ones of the holdout."""

CONTRASTS = (
    ("old_minus_young", 0, "old", "young"),
    ("college_minus_high_school", 2, "college", "high_school"),
    ("high_minus_low_ses", 3, "high", "low"),
)
"""Printed name, place of the factor in a persona, target and reference level (Sec 3.4)."""

AGE, EDUCATION, SES = range(3)

SIGNS = np.array(
    [
        [(p[at] == target) - (p[at] == reference) for p in PERSONAS]
        for _, at, target, reference in CONTRASTS
    ],
    dtype=np.int64,
)
"""+1, -1 or 0 for each guise, shape (contrasts, guises)."""

PER_SIDE = (SIGNS > 0).sum(1).astype(np.int64)
"""Guises on each side of a contrast: 18, 18, 12."""

POSITIONS = np.array([[int(tier) for tier in order[1:]] for order in ORDERS], dtype=np.int64)
"""The tier that stands first, second and last under each option order."""

REVERSED = ORDERS.index("o210")

PAIRS = GUISES * (GUISES - 1) // 2


def names(letter: str, count: int) -> list[str]:
    """Ids of a panel's complaints, in the order of the arrays and of the alphabet."""
    return [f"{letter}{i:04d}" for i in range(1, count + 1)]
