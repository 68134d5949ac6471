"""Hinge's entry: ``streamlit run app.py``.

Streamlit takes a folder named ``pages`` beside the script it runs for a menu of its own, and then
answers the first visit to a link with "page not found". The script therefore lies deeper.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.parts import ahead
from pages.parts.bursts import Bursts

ahead.load()
app = st.App(
    Path(__file__).resolve().parent / "pages" / "parts" / "navigation.py",
    middleware=[Middleware(Bursts)],
)
