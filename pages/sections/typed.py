"""Typing weights or shares for one attribute and context at a time."""

from __future__ import annotations

import polars as pl
import streamlit as st

from core.choices import Choices
from core.studies.composition import typed_table
from core.studies.composition.choices import DECLARATION
from core.studies.composition.sources import ATTRIBUTE_NAMES
from core.studies.composition.tables import context_name
from core.words import plain
from pages.parts import controls

NUMBERS = {"corrective": "weights", "custom": "shares"}
"""Choice that holds the typed table, by comparator."""


def draw(choices: Choices) -> None:
    """Draw the editor when the chosen comparator is typed."""
    key = NUMBERS.get(choices.text("comparator"))
    if key is None:
        return
    choice = DECLARATION[key]
    with st.container(border=True):
        st.subheader(choice.label, anchor=False)
        st.caption(choice.help)
        left, right = st.columns(2)
        attribute = left.selectbox(
            "Attribute", list(ATTRIBUTE_NAMES), format_func=ATTRIBUTE_NAMES.__getitem__
        )
        context = right.selectbox(
            "Context", typed_table.contexts_of(attribute), format_func=context_name
        )
        text = choices.text(key)
        start = typed_table.editor_rows(key, text, attribute, context)
        edited = st.data_editor(
            start,
            hide_index=True,
            disabled=["category", "resident percent"],
            key=f"typed-{key}-{attribute}-{context}-{text}",
            num_rows="fixed",
        )
        _apply(key, text, attribute, context, pl.DataFrame(edited))
        if text:
            st.caption("In use: " + plain(typed_table.summary(key, text)))
            st.button(
                "Remove all typed numbers",
                on_click=controls.set_one,
                args=(DECLARATION, key, ""),
            )


def _apply(key: str, text: str, attribute: str, context: str, edited: pl.DataFrame) -> None:
    """Offer to use what is typed, or say what is wrong with it."""
    try:
        new = typed_table.with_rows(key, text, attribute, context, edited)
    except ValueError as error:
        st.error(f"Not used yet: {plain(str(error))}")
        return
    st.button(
        "Use these numbers",
        type="primary",
        disabled=new == text,
        on_click=controls.set_one,
        args=(DECLARATION, key, new),
    )
