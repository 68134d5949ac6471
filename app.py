"""Hinge's entry: ``streamlit run app.py``.

Streamlit takes a folder named ``pages`` beside the script it runs for a menu of its own, and then
answers the first visit to a link with "page not found". The script therefore lies deeper.
"""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from pages.parts import ahead

# Python code inside an expression keeps a thread of Polars waiting for the interpreter. With more
# threads than a table has such columns, one is left for whoever holds it: see pages/parts/turns.py.
os.environ.setdefault("POLARS_MAX_THREADS", "16")
ahead.load()
app = st.App(Path(__file__).resolve().parent / "pages" / "parts" / "navigation.py")
