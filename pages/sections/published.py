"""Figures that no rows here can give, as the study prints them."""

from __future__ import annotations

import streamlit as st

from core.published import Published
from core.studies.composition.published import PUBLISHED
from pages.parts import frame
from pages.parts.view import View


def draw(view: View) -> None:
    """Draw those of the composition study."""
    show(PUBLISHED, view.lines)


def show(published: Published, lines: list[str]) -> None:
    """Draw a study's published figures, group by group."""
    st.badge("published", color="green")
    st.markdown(published.intro)
    for part in published.parts():
        st.subheader(part.title, anchor=False)
        st.markdown(part.text)
        if part.rows is not None:
            frame.table(part.rows, alt_text=part.title)
            frame.table_downloads(f"published-{part.key}", part.rows, [*lines, "Kind: published"])
