"""Small remedies tables: good rows to start from."""

from __future__ import annotations

from itertools import product
from typing import Any

import polars as pl

from core.panels.contract import TableContract
from core.studies.remedies.contract import (
    ATTRIBUTES_TABLE,
    AUDIT,
    DECISIONS,
    PERSONA,
    PERSONA_LEVELS,
)

PERSONAS = [dict(zip(PERSONA, levels, strict=True)) for levels in product(*PERSONA_LEVELS.values())]
NOBODY: dict[str, str | None] = dict.fromkeys(PERSONA)


def keys(complaint: str = "h1", **changes: Any) -> dict[str, Any]:
    """Keys of the first guise of a complaint."""
    row = {"panel": "holdout", "bank": "gpt-4o-mini", "complaint": complaint, **PERSONAS[0]}
    return row | {"edit": "guise", "style": "none", "repeat": 0} | changes


def label(tier: int | None, **changes: Any) -> dict[str, Any]:
    """A decision by label."""
    answer = {"system": "gpt-4o-mini", "order": None, "tier": tier}
    return keys() | answer | dict.fromkeys(("p0", "p1", "p2")) | changes


def scored(p: tuple[int, int, int], **changes: Any) -> dict[str, Any]:
    """A decision by probabilities."""
    answer = {"system": "jev", "order": "o012", "tier": None}
    return keys() | answer | dict(zip(("p0", "p1", "p2"), p, strict=True)) | changes


def attributes(**changes: Any) -> dict[str, Any]:
    """A text whose every attribute and persona level is unknown."""
    return dict.fromkeys(ATTRIBUTES_TABLE.names) | keys() | changes


def audited(**changes: Any) -> dict[str, Any]:
    """A guise that an auditor found to keep its facts."""
    found = {"text_kind": "guise", "auditor": "a", "valid": True, "verdict": "preserved"}
    return dict.fromkeys(AUDIT.names) | keys() | found | changes


def frame(contract: TableContract, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a frame with the contract's columns and types."""
    schema = {column.name: column.polars_type for column in contract.columns}
    return pl.DataFrame([{name: row[name] for name in schema} for row in rows], schema=schema)


def decisions(*rows: dict[str, Any]) -> pl.DataFrame:
    """Rows as a decisions table."""
    return frame(DECISIONS, list(rows))
