"""What is said of hinges is made where they are worked out."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from core.panels.catalogue import shipped
from pages.parts import hinges


def test_notes_are_written_with_the_changes_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, dict[str, Any]] = {}
    monkeypatch.setattr(hinges, "_shared", lambda: kept)
    panel = shipped("composition", "cells")[0].read()
    written: list[pl.DataFrame] = []

    def write(singles: pl.DataFrame) -> dict[str, str]:
        # The page draws the notes as soon as the changes are known.
        assert hinges.known_single_changes(panel) is None
        written.append(singles)
        return dict.fromkeys(singles["claim"].unique(), "said")

    hinges.work_out(panel, write)
    singles = hinges.single_changes(panel)
    assert set(hinges.notes(panel, write)) == set(singles["claim"])
    assert len(written) == 1
    assert written[0].equals(singles)


def test_notes_are_written_where_the_changes_are_known_without_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: dict[str, dict[str, Any]] = {}
    monkeypatch.setattr(hinges, "_shared", lambda: kept)
    panel = shipped("composition", "cells")[0].read()
    singles = hinges.single_changes(panel)
    assert hinges.notes(panel, lambda found: {"height": str(found.height)}) == {
        "height": str(singles.height)
    }
