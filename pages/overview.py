"""The front door: four questions, each with a choice to swap, and where to go from here."""

from __future__ import annotations

import streamlit as st

from core.panels.provenance import KIND_MEANINGS
from core.studies.about import study
from core.verdicts import MARKS, RULES, Verdict
from core.views.front import SWAPS
from core.words import plain
from pages.parts import panels, thumbnails
from pages.parts.thumbnails import PAGES

NEXT = {
    "stories": (
        ":material/tour:",
        "Take a guided tour",
        "One view after another, with what may be said about it and why.",
    ),
    "multiverse": (
        ":material/account_tree:",
        "See what each verdict hinges on",
        "Many settings at once: which single changes flip a verdict, and how often it holds.",
    ),
    "live": (
        ":material/experiment:",
        "Check one text",
        "Put a clause, a complaint, a file or a character of your own to a model.",
    ),
    "panels": (
        ":material/upload_file:",
        "Bring your own results",
        "A parquet file is checked, stays in your session, and its study’s page and “What it "
        "hinges on” work on it. The ledger of printed figures is there too.",
    ),
}
"""Pages that lead on, with an icon, a label and what they are for."""

st.title("Hinge", anchor=False)
st.header("What does a fairness verdict hinge on?", anchor=False)
st.markdown(
    "An audit of a language model ends in verdicts, and each rests on choices that somebody made: "
    "which comparator, which rows, which rule, which margin. Here are four audits. Swap one choice "
    "and see at once which verdicts hold and which flip."
)

for panel in panels.own_in_use():
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            f"Your own panel {plain(panel.name)} is in use on its study’s page. The cards below "
            "stay on the panels that ship with Hinge.",
            width="content",
        )
        known = study(panel.contract.study)
        st.page_link(PAGES / f"{known.name}.py", label=known.title, icon=":material/arrow_forward:")

# Row by row, so that a phone shows the studies in their order too.
for pair in (SWAPS[:2], SWAPS[2:]):
    for column, swap in zip(st.columns(2, gap="medium"), pair, strict=True):
        with column, st.container(border=True):
            thumbnails.draw(swap)

st.subheader("Where to go next", anchor=False)
for column, (page, (icon, label, text)) in zip(st.columns(len(NEXT)), NEXT.items(), strict=True):
    with column:
        st.page_link(PAGES / f"{page}.py", label=label, icon=icon)
        st.caption(text)

left, right = st.columns(2, gap="large")
with left:
    st.subheader("How to read a verdict", anchor=False)
    for rule, verdicts in RULES.items():
        meanings = [f"{MARKS[v].symbol} **{v}** ({MARKS[v].meaning})" for v in verdicts]
        st.markdown(f"Rule of {rule}: {', '.join(meanings)}.")
    nothing = MARKS[Verdict.CANNOT_COMPUTE]
    st.markdown(f"{nothing.symbol} **{Verdict.CANNOT_COMPUTE}**: {nothing.meaning}.")
with right:
    st.subheader("What the marks mean", anchor=False)
    st.markdown(
        "Hollow marks are the planned setting, filled ones what you chose, a thin line joins them "
        "and a ring marks a verdict that flipped. A hatched mark is a verdict that the study’s "
        "document does not settle. After a number, • says that the study prints it, and ≈ that it "
        "is one possibility. A verdict is a rule’s answer under stated choices; it is never “fair” "
        "or “unfair” by itself, and nothing here is legal advice."
    )
    st.subheader("Where numbers come from: four kinds of panel", anchor=False)
    st.markdown("\n".join(f"- **{kind}**: {text}" for kind, text in KIND_MEANINGS.items()))
