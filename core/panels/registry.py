"""Which row contracts there are."""

from __future__ import annotations

from dataclasses import dataclass

from core.panels.contract import TableContract
from core.panels.problems import PanelError, Problem
from core.studies.clauses.contract import ARCHETYPES, DETERMINATIONS
from core.studies.composition.contract import CELLS, EVIDENCE
from core.studies.filenames.contract import SCORES
from core.studies.remedies.contract import ATTRIBUTES_TABLE, AUDIT, DECISIONS

CONTRACTS: tuple[TableContract, ...] = (
    CELLS,
    EVIDENCE,
    DETERMINATIONS,
    ARCHETYPES,
    SCORES,
    DECISIONS,
    ATTRIBUTES_TABLE,
    AUDIT,
)


def contract_for(study: str, table: str) -> TableContract:
    """Find a contract by its names.

    Raises
    ------
    PanelError
        If there is no such table, naming the ones there are.
    """
    for contract in CONTRACTS:
        if (contract.study, contract.table) == (study, table):
            return contract
    known = ", ".join(f"{c.study} {c.table}" for c in CONTRACTS)
    raise PanelError(
        [
            Problem(
                "",
                "",
                f"the table {table[:60]!r} of the study {study[:60]!r}",
                f"one of: {known}",
                "Check hinge.study and hinge.table.",
            )
        ]
    )


@dataclass(frozen=True, slots=True)
class Shape:
    """The row contract that a file is held against, and why this one."""

    contract: TableContract
    why: str

    def sentence(self) -> str:
        """Say both in one line of plain text."""
        name = f"{self.contract.study} / {self.contract.table}"
        return f"Held against the row shape {name}, because {self.why}."


NEAR = 0.5
"""Share of a contract's columns from which on a file is taken for an attempt at it."""


def shape_with_columns(names: tuple[str, ...]) -> Shape:
    """Find the shape that a file without metadata is meant to have, by its column names.

    Raises
    ------
    PanelError
        If the file has fewer than half of the columns of every shape.
    """
    present = set(names)
    matching = [c for c in CONTRACTS if set(c.names) <= present]
    if matching:
        contract = max(matching, key=lambda c: len(c.names))
        return Shape(contract, f"the file has all {len(contract.names)} columns of it")
    nearest = max(CONTRACTS, key=lambda c: _share(c, present))
    there, all_of_it = len(present & set(nearest.names)), len(nearest.names)
    if _share(nearest, present) >= NEAR:
        return Shape(
            nearest,
            f"its metadata name none and it has {there} of {all_of_it} columns of this one, a "
            "larger part than of any other",
        )
    known = ", ".join(f"{c.study} / {c.table}" for c in CONTRACTS)
    raise PanelError(
        [
            Problem(
                "",
                "",
                f"the columns {_some(names)}",
                f"at least half of the columns of one row shape: {known}",
                "Compare them with the tab “Row shapes”, or choose the row shape that the file is "
                "meant to have.",
            )
        ],
        "Held against no row shape: its metadata name none, and the nearest by its columns, "
        f"{nearest.study} / {nearest.table}, has only {there} of {all_of_it} in the file.",
    )


def _share(contract: TableContract, present: set[str]) -> float:
    return len(present & set(contract.names)) / len(contract.names)


def _some(names: tuple[str, ...], most: int = 8) -> str:
    shown = [repr(name[:30]) for name in names[:most]]
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(shown) + more
