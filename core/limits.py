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


def heading(*panels: Panel) -> str:
    """Name the list of one panel, or those of several."""
    one, several = ("study", "studies") if any(map(_stands_for_document, panels)) else _PANELS
    return f"What {f'these {several}' if len(panels) > 1 else f'this {one}'} cannot say"


_PANELS = ("panel", "panels")


def _stands_for_document(panel: Panel) -> bool:
    return panel.provenance.kind == "reconstructed"
