"""The studies' printed figures, and what a study must offer so that they can be checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal, Protocol, TypeVar, cast

from core.panels.read import Panel
from core.reference import table

Basis = Literal["rows", "recomputable", "bound", "arithmetic", "repeat", "design", "other_run"]

UNDEFINED = "definition_not_given:"
"""How a formula starts when the document leaves the figure's definition open."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """One printed figure and what it rests on."""

    figure_id: str
    locator: str
    quantity: str
    subject: str
    condition: Mapping[str, str]
    """The setting it was computed in, by key."""
    value: float
    lower: float | None
    upper: float | None
    decimals: int
    unit: str
    note: str
    basis: Basis
    source: str
    """For a repeat: the figure it repeats."""
    formula: str

    @property
    def half_unit(self) -> float:
        """Half a unit of the last printed digit: what rounding can hide."""
        return 0.5 * 10.0**-self.decimals

    @property
    def is_defined(self) -> bool:
        """Whether the document gives the figure's definition."""
        return not self.formula.startswith(UNDEFINED)


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What a panel's rows give for a figure, in the figure's unit."""

    value: float | None = None
    """None when the rows do not give it; NaN when they give no number."""
    lower: float | None = None
    upper: float | None = None
    why: str = ""
    """How the figure was read, or why there is no value."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Largest accepted differences from a figure, in the figure's unit."""

    value: float
    ends: float
    why: str = ""
    """Why it is not half a unit of the last printed digit; empty where it is."""


Recompute = Callable[[Figure], Recomputed | None]
"""Recomputes a figure from rows; None where it has no way to."""

Panels = Mapping[str, Panel]
"""The tables of one panel, by name."""


Rows = TypeVar("Rows")

Found = float | Recomputed | None
"""What one quantity gives for a figure; a bare number is its value."""


class Unavailable(Exception):
    """The panel has not got the rows that a figure needs; the message says which."""


def by_quantity(quantities: Mapping[str, Callable[[Rows, Figure], Found]], rows: Rows) -> Recompute:
    """Recompute figures with one function a quantity.

    Parameters
    ----------
    quantities
        By the name of the quantity; each takes the rows and a figure, and raises `Unavailable`
        where the rows do not have what the figure needs.
    rows
        The panel's rows in whatever form the functions take.
    """

    def look_up(figure: Figure) -> Recomputed | None:
        if figure.quantity not in quantities:
            return None
        try:
            found = quantities[figure.quantity](rows, figure)
        except Unavailable as gone:
            return Recomputed(why=str(gone))
        return Recomputed(found) if isinstance(found, float) else found

    return look_up


class PrintedStudy(Protocol):
    """What a study's module of printed figures offers to the ledger."""

    TABLES: tuple[str, ...]

    def recompute(self, panels: Panels, *, draws: bool) -> Recompute:
        """Prepare to recompute figures from a panel's rows.

        Parameters
        ----------
        panels
            The tables at hand; the study says in `Recomputed.why` when one is missing.
        draws
            Whether to recompute figures that need random draws, which takes seconds.
        """
        ...

    def tolerance(self, figure: Figure) -> Tolerance:
        """Say how far a recomputed value may lie from a figure."""
        ...


@cache
def figures(study: str) -> Mapping[str, Figure]:
    """Read the printed figures of a study, by id, in the order of the file."""
    basis = {row["figure_id"]: row for row in table(study, "figure_basis").iter_rows(named=True)}
    return MappingProxyType(
        {
            row["figure_id"]: _figure(row, basis[row["figure_id"]])
            for row in table(study, "figures").iter_rows(named=True)
        }
    )


def _figure(row: Mapping[str, str | None], basis: Mapping[str, str | None]) -> Figure:
    def text(name: str) -> str:
        return row[name] or ""

    pairs = (part.split("=", 1) for part in text("condition").split(";") if part)
    return Figure(
        figure_id=text("figure_id"),
        locator=text("locator"),
        quantity=text("quantity"),
        subject=text("subject"),
        condition=MappingProxyType(dict(cast(list[tuple[str, str]], pairs))),
        value=float(text("value")),
        lower=_number(row["lower"]),
        upper=_number(row["upper"]),
        decimals=int(text("decimals")),
        unit=text("unit"),
        note=text("note"),
        basis=cast(Basis, basis["basis"]),
        source=basis["source"] or "",
        formula=basis["formula"] or "",
    )


def _number(text: str | None) -> float | None:
    return float(text) if text else None
