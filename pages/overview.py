"""What Hinge is, with its studies as live thumbnails."""

from __future__ import annotations

import streamlit as st

from core.panels.provenance import KIND_MEANINGS
from core.verdicts import MARKS, RULES, Verdict
from pages.parts import thumbnails
from pages.parts.thumbnails import PAGES

st.title("Hinge", anchor=False)
st.header("What does a fairness verdict hinge on?", anchor=False)
st.markdown(
    "An audit of a language model ends in verdicts: within tolerance or outside it, supported or "
    "not. Each rests on choices that somebody made: which comparator, which rows, which measure, "
    "which margin. Hinge holds the results of such audits, lets you swap one choice, and shows at "
    "once which verdicts hold and which flip. No code, no waiting; the planned setting is always "
    "one click away, and every view has a link that restores it exactly."
)

columns = st.columns(2, gap="medium")
for number, draw in enumerate(thumbnails.ALL):
    with columns[number % 2], st.container(border=True):
        draw()

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
        "and a ring marks a verdict that flipped. A verdict is a rule’s answer under stated "
        "choices; it is never “fair” or “unfair” by itself, and nothing here is legal advice."
    )
    st.subheader("Where numbers come from", anchor=False)
    st.markdown("\n".join(f"- **{kind}**: {text}" for kind, text in KIND_MEANINGS.items()))
    st.page_link(
        PAGES / "multiverse.py",
        label="See what each verdict hinges on, over many settings at once",
        icon=":material/arrow_forward:",
    )
    st.page_link(
        PAGES / "panels.py",
        label="See provenance and the ledger, or bring your own results",
        icon=":material/arrow_forward:",
    )
