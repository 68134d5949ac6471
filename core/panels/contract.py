"""Row contracts: what a panel's columns are, declared as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from core.panels.problems import Problem

ColumnType = Literal["text", "integer", "number", "flag"]

MAX_TEXT = 200
"""Longest text a key may hold, in characters; longer ones are not names."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    holds: ColumnType
    meaning: str
    allowed: tuple[str, ...] = ()
    """The only values it may take; empty means any."""
    nullable: bool = False
    minimum: float | None = None
    maximum: float | None = None

    @property
    def polars_type(self) -> type[pl.DataType]:
        """The type the column has once read."""
        types: dict[ColumnType, type[pl.DataType]] = {
            "text": pl.String,
            "integer": pl.Int64,
            "number": pl.Float64,
            "flag": pl.Boolean,
        }
        return types[self.holds]

    def domain(self) -> str:
        """Say which values are allowed, in plain words."""
        parts = [f"one of {', '.join(self.allowed)}" if self.allowed else self.holds]
        if self.minimum is not None:
            parts.append(f"at least {self.minimum:,.10g}")
        if self.maximum is not None:
            parts.append(f"at most {self.maximum:,.10g}")
        if self.nullable:
            parts.append("may be empty")
        return ", ".join(parts)


def no_further_check(frame: pl.DataFrame) -> list[Problem]:
    """Accept any rows that meet the column rules."""
    del frame
    return []


@dataclass(frozen=True, slots=True)
class TableContract:
    """The documented row shape of one table of one study."""

    study: str
    table: str
    meaning: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    """Columns that together name a row once."""
    check: Callable[[pl.DataFrame], list[Problem]] = no_further_check
    """Rules that need several rows at once."""

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(column.name for column in self.columns)

    def as_frame(self) -> pl.DataFrame:
        """Return the contract as a table for display: column, type and domain, meaning."""
        return pl.DataFrame(
            {
                "column": self.names,
                "values": [column.domain() for column in self.columns],
                "meaning": [column.meaning for column in self.columns],
            }
        )
