"""A panel reduced to what its study computes with, beside the panels that stand for the same."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from core.panels.catalogue import Shipped, shipped
from core.panels.read import Panel
from core.studies.about import study as about
from core.studies.clauses.reduce import reduce_determinations
from core.studies.composition.reduce import reduce_cells
from core.studies.filenames.reduce import reduce_scores
from core.studies.remedies.reduce import reduce_remedies

Built = TypeVar("Built")

Beside = Callable[[str], Panel | None]
"""Finds another table of a panel by its name; None where there is none."""


@dataclass(frozen=True, eq=False)
class Reduced:
    """A panel in use, with its statistics and those of the other shipped reconstructions."""

    panel: Panel
    statistics: tuple[Any, ...]
    """Those of the panel come first; alone where no other panel stands for the same rows."""

    @property
    def documented(self) -> bool:
        """Whether the rows stand for a document's."""
        return self.panel.provenance.kind == "reconstructed"

    def ensemble(self, build: Callable[[tuple[Any, ...], bool, Collection[str]], Built]) -> Built:
        """Put the panel beside the others that stand for the same rows, as its study does."""
        return build(self.statistics, self.documented, self.panel.provenance.pinned_ids)


def reduce_panel(panel: Panel, beside: Beside) -> Any:
    """Reduce a panel to the sufficient statistics of its study.

    Parameters
    ----------
    panel
        The table that the study's page is drawn from.
    beside
        Finds the tables that are reduced with it.
    """
    match panel.contract.study:
        case "composition":
            return reduce_cells(panel.frame)
        case "clauses":
            archetypes = beside("archetypes")
            return reduce_determinations(
                panel.frame, None if archetypes is None else archetypes.frame
            )
        case "filenames":
            return reduce_scores(panel.frame)
        case _:
            attributes, audit = beside("attributes"), beside("audit")
            return reduce_remedies(
                panel.frame,
                None if attributes is None else attributes.frame,
                None if audit is None else audit.frame,
            )


def name_beside(panel: Panel, table: str) -> str:
    """Name another table of a panel: its file has the same name but for the table's."""
    return panel.name.replace(panel.contract.table, table)


def of_shipped(study: str, panel_hash: str = "") -> Reduced | None:
    """Read and reduce a shipped panel and the others of its kind; kept.

    Parameters
    ----------
    study
        Name of the study.
    panel_hash
        First twelve digits of its checksum; empty for the panel that the study's page opens on.

    Returns
    -------
    Reduced or None
        None where no shipped panel has this hash.
    """
    known = shipped(study, about(study).table)
    first = next((p for p in known if p.hash == panel_hash), None) if panel_hash else known[0]
    return None if first is None else _with_its_kind(first, known)


@lru_cache(maxsize=4)
def _with_its_kind(first: Shipped, known: tuple[Shipped, ...]) -> Reduced:
    panel = first.read()
    panels = [panel]
    if panel.provenance.kind == "reconstructed":
        others = [p.read() for p in known if p.sha256 != first.sha256]
        panels += [p for p in others if p.provenance.kind == panel.provenance.kind]
    return Reduced(panel, tuple(reduce_panel(p, _shipped_beside(p)) for p in panels))


def _shipped_beside(panel: Panel) -> Beside:
    def find(table: str) -> Panel | None:
        name = name_beside(panel, table)
        found = [p for p in shipped(panel.contract.study, table) if p.path.stem == name]
        return found[0].read() if found else None

    return find


def of_own(panel: Panel, others: tuple[Panel, ...] = ()) -> Reduced:
    """Reduce a panel that a reader brought, with other tables brought beside it.

    Its name and theirs say what belongs together, as on the panels page.
    """

    def find(table: str) -> Panel | None:
        name = name_beside(panel, table)
        mine = [p for p in others if p.contract.table == table and p.name == name]
        # As on its page: only shipped ratings have marks of their clauses beside them.
        return mine[0] if mine and table != "archetypes" else None

    return Reduced(panel, (reduce_panel(panel, find),))
