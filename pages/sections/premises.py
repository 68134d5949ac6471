"""What must be declared before a divergence is read as a statement about fairness."""

from __future__ import annotations

import streamlit as st

from core.studies.composition import premises
from core.studies.composition import section_texts as texts
from core.studies.composition.choices import DECLARATION
from core.words import plain
from pages.parts import controls, frame
from pages.parts.view import View


def draw(view: View) -> None:
    st.markdown(f"**{premises.reading(view.choices, view.models)}**")
    st.markdown(texts.PREMISES_INTRO)
    columns = st.columns(2, gap="large")
    for position, stake in enumerate(premises.stakes()):
        with columns[position % 2], st.container(border=True):
            controls.place(DECLARATION, stake.choice.key)
            st.markdown(
                f"Decides: {plain(stake.determines)}.\n\nIf open: {plain(stake.if_open)}.\n\n"
                f"The study: {plain(stake.study)}."
            )
    with st.expander("Who could count: relationships the study lists"):
        frame.table(premises.publics(), alt_text="Relationships and their standing")
    with st.expander("What stands between the score and the ideal (bridge B)"):
        frame.table(premises.substitutions(), alt_text="Three substitutions")
