"""What the numbers of a page do not show."""

from __future__ import annotations

from dataclasses import dataclass

from core.panels.read import Panel


@dataclass(frozen=True, slots=True)
class Limits:
    """What a study's numbers do not show, one sentence each."""

    always: tuple[str, ...]
    """From whichever rows they are."""
    of_document: tuple[str, ...]
    """From rows that stand for the document's: what it leaves open about them."""

    def of(self, panel: Panel) -> tuple[str, ...]:
        """List what the numbers from a panel do not show."""
        return (*self.always, *self.of_document) if _stands_for_document(panel) else self.always


def heading(panel: Panel) -> str:
    """Name the list."""
    return f"What this {'study' if _stands_for_document(panel) else 'panel'} cannot say"


def _stands_for_document(panel: Panel) -> bool:
    return panel.provenance.kind == "reconstructed"
