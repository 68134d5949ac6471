"""Figures that no rows here can give, as the study prints them."""

from __future__ import annotations

import streamlit as st

from core.studies.composition import published
from pages.parts import frame
from pages.parts.view import View


def draw(view: View) -> None:
    st.badge("published", color="green")
    st.markdown(published.INTRO)
    for part in published.parts():
        st.subheader(part.title, anchor=False)
        st.markdown(part.text)
        frame.table(part.rows, alt_text=part.title)
        frame.table_downloads(f"published-{part.key}", part.rows, [*view.lines, "Kind: published"])
