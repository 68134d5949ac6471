"""What is seldom asked for, behind a button: links, texts, files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from core.words import plain


def offer(
    label: str,
    fill: Callable[[], None],
    *,
    key: str,
    icon: str,
    title: str = "",
    quiet: bool = False,
) -> None:
    """Place a button that opens a dialog; what is in it is made when it opens.

    A button costs a browser on every move a third of what a shut list costs.

    Parameters
    ----------
    label
        Of the button.
    fill
        Draws what the dialog holds.
    key
        Of the button.
    icon
        Of button and dialog.
    title
        Of the dialog; the label where it is empty.
    quiet
        Whether the button looks like text, as beside a heading.
    """
    kind: Literal["tertiary", "secondary"] = "tertiary" if quiet else "secondary"
    st.button(label, key=key, icon=icon, type=kind, on_click=_open, args=(key,))
    if st.session_state.get(OPEN) == key:
        st.dialog(plain(title or label), icon=icon, on_dismiss=shut)(fill)()


OPEN = "dialog"
"""Where the session keeps which dialog is open: it stays so when long work ends behind it."""


def _open(key: str) -> None:
    st.session_state[OPEN] = key


def shut() -> None:
    """Leave no dialog open."""
    st.session_state[OPEN] = ""
