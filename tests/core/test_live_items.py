"""The items that the shipped collections are made from."""

from __future__ import annotations

import pytest

from core.live.collect import REPEATS, Settings, checks_for
from core.paths import ROOT

LABELS = ("neutral", "v2", "chatgpt", "claude", "gemini", "sergey", "chen", "catherine")


@pytest.mark.parametrize(
    ("study", "items", "calls"),
    [
        # Eight conditions in three variants.
        ("clauses", 30, 30 * 8 * 3),
        # Eight labels, three times.
        ("filenames", 6, 6 * 8 * 3),
        # Thirty-six rewrites; they and the original decided.
        ("remedies", 12, 12 * (36 + 37)),
        # Four places and six roles; a text, what is in it, and whose words it is, thirty times.
        ("composition", 24, 24 * 3 * 30),
    ],
)
def test_the_items_are_as_many_as_the_design_asks(study: str, items: int, calls: int) -> None:
    text = (ROOT / "data" / "items" / f"{study}.csv").read_text("utf-8")
    checks = checks_for(study, text, Settings("m", labels=LABELS))
    assert len(checks) == items
    assert sum(load.calls for check in checks for load in check.loads()) == calls
    assert study in REPEATS
