"""What is seldom asked for, behind a button: links, texts, files."""

from __future__ import annotations

from collections.abc import Callable

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
    if st.button(label, key=key, icon=icon, type="tertiary" if quiet else "secondary"):
        st.dialog(plain(title or label), icon=icon)(fill)()
