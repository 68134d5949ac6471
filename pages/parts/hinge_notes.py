"""“Hinges on ...” beside the verdicts of a study's page.

Worked out once for each panel, in a thread of its own, from the planned setting: moving a slider
never waits for it, and the note keeps its place from the first moment on.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import polars as pl
import streamlit as st

from core import claims
from core.claims import Claim
from core.multiverse import words
from core.panels.read import Panel
from core.words import plain
from pages.parts import hinges

PATH = "what-it-hinges-on"
EVERY = 2.0
"""Seconds between two looks at whether the hinges are known."""


def draw(panel: Panel, known: Sequence[Claim], focus: Sequence[str]) -> None:
    """Say what planned verdicts hinge on: of the claims in focus at once, of all when asked."""
    there = hinges.known_single_changes(panel)
    if there is None:
        hinges.work_out(panel)
    note = st.fragment(_note, run_every=EVERY if there is None else None)
    note(panel, tuple(known), tuple(focus), there is None)


def _note(panel: Panel, known: tuple[Claim, ...], focus: tuple[str, ...], is_waiting: bool) -> None:
    singles = hinges.known_single_changes(panel)
    if singles is None:
        st.caption("Working out what the planned verdicts hinge on …")
        return
    if is_waiting:
        # A whole run, which stops looking again.
        st.rerun()
    lines = hinges.notes(panel, lambda: {c.key: _line(c, panel, singles) for c in known})
    st.markdown("\n".join(lines[key] for key in focus if key in lines))
    section = st.expander(
        "What every planned verdict hinges on", on_change="rerun", key=f"{panel.hash}:every-hinge"
    )
    if section.open:
        with section:
            st.markdown("\n".join(lines.values()))
            st.caption(plain(words.NOTE))


def _line(claim: Claim, panel: Panel, singles: pl.DataFrame) -> str:
    study = claims.of(claim.study)
    is_open = panel.provenance.kind == "reconstructed" and study.leaves_open(
        claim, claim.within(study.declaration.planned)
    )
    query = urlencode({"study": claim.study, "panel": panel.hash, "claim": claim.key})
    said = words.note(claim, singles, is_open=is_open)
    return f"- [{plain(claim.title)}]({PATH}?{query}){plain(said)}"
