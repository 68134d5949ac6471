"""Which row contracts there are."""

from __future__ import annotations

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


def contract_with_columns(names: tuple[str, ...]) -> TableContract:
    """Find the contract that a file without metadata is meant to follow, by its column names.

    Raises
    ------
    PanelError
        If no contract's columns are all there; says what the nearest one misses.
    """
    present = set(names)
    nearest = max(CONTRACTS, key=lambda c: len(present & set(c.names)) / len(c.names))
    matching = [c for c in CONTRACTS if set(c.names) <= present]
    if matching:
        return max(matching, key=lambda c: len(c.names))
    missing = [name for name in nearest.names if name not in present]
    raise PanelError(
        [
            Problem(
                name,
                "",
                "no such column",
                f"the columns of the {nearest.study} {nearest.table} table",
                "Add the column, or see the row contracts on the panels page.",
            )
            for name in missing
        ]
    )
