"""Page configuration and navigation; runs on every visit, before the page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

PARTS = Path(__file__).resolve().parent
PAGES = PARTS.parent

st.set_page_config(page_title="Hinge", page_icon=str(PARTS / "hinge.svg"), layout="wide")

st.navigation(
    [
        st.Page(PAGES / "overview.py", title="Overview", url_path="start", default=True),
        st.Page(
            PAGES / "composition.py",
            title="Who gets generated?",
            url_path="who-is-generated",
            help="Generated characters against census, equal, occupational and other shares",
        ),
        st.Page(
            PAGES / "panels.py",
            title="Panels",
            url_path="data-and-provenance",
            help="Where every number comes from; bring your own results",
        ),
    ],
    position="top",
).run()
