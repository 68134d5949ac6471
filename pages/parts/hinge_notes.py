"""“Hinges on ...” beside the verdicts of a study's page.

Worked out once for each panel from the planned setting, in a thread of its own, so that moving a
slider never waits for it. Until it is known a button offers to wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
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
STAYS = "Moving a slider here does not change this list."
ASK = "Show what the planned verdicts hinge on"


def draw(panel: Panel, known: Sequence[Claim], focus: Sequence[str]) -> None:
    """Say what planned verdicts hinge on: of the claims in focus at once, of all when asked."""
    if hinges.known_single_changes(panel) is None:
        hinges.work_out(panel, partial(_lines, tuple(known), panel))
    _note(panel, tuple(known), tuple(focus))


@st.fragment
def _note(panel: Panel, known: tuple[Claim, ...], focus: tuple[str, ...]) -> None:
    singles = hinges.known_single_changes(panel)
    if singles is None:
        if not st.button(ASK, key=f"{panel.hash}:hinges", icon=":material/help_center:"):
            return
        with st.spinner("Changing every choice by itself, in every reconstruction"):
            singles = hinges.single_changes(panel)
    lines = hinges.notes(panel, partial(_lines, known, panel))
    st.markdown("\n".join(lines[key] for key in focus if key in lines))
    section = st.expander(
        "What every planned verdict hinges on", on_change="rerun", key=f"{panel.hash}:every-hinge"
    )
    if section.open:
        with section:
            st.markdown("\n".join(lines.values()))
            st.caption(f"{plain(words.alone(singles))} {STAYS}")


def draw_orders(panel: Panel, orders: Sequence[Claim]) -> None:
    """Point to what the order of two models hinges on; it is worked out where it is asked for."""
    if orders:
        st.markdown(
            "Which of two models is nearer, and what that hinges on: "
            f"{'; '.join(_link(claim, panel) for claim in orders)}."
        )


def _link(claim: Claim, panel: Panel) -> str:
    query = urlencode({"study": claim.study, "panel": panel.hash, "claim": claim.key})
    return f"[{plain(claim.title)}]({PATH}?{query})"


def _lines(known: Sequence[Claim], panel: Panel, singles: pl.DataFrame) -> dict[str, str]:
    return {claim.key: _line(claim, panel, singles) for claim in known}


def _line(claim: Claim, panel: Panel, singles: pl.DataFrame) -> str:
    study = claims.of(claim.study)
    is_open = panel.provenance.kind == "reconstructed" and study.leaves_open(
        claim, claim.within(study.declaration.planned)
    )
    said = words.note(claim, singles, is_open=is_open)
    return f"- {_link(claim, panel)}{plain(said)}"
