"""Page configuration and navigation; runs on every visit, before the page."""

from __future__ import annotations

import gc
from pathlib import Path

import streamlit as st

from core.stories import PATH as STORIES
from core.studies.about import STUDIES
from pages.parts import menu

PARTS = Path(__file__).resolve().parent
PAGES = PARTS.parent


@st.cache_resource(show_spinner=False)
def set_aside(title: str) -> None:
    """Leave what the first visit to a page loaded out of every later collection of garbage.

    Streamlit collects after each run; looking through all modules again takes as long as a run.
    """
    del title
    gc.collect()
    gc.freeze()


# Kept for a visit: making them anew looks up files on every move.
if "pages" not in st.session_state:
    st.session_state["pages"] = [
        st.Page(PAGES / "overview.py", title="Overview", url_path="start", default=True),
        *(
            st.Page(
                PAGES / f"{study.name}.py",
                title=study.label,
                url_path=study.path,
                help=f"{study.title} {study.question}.",
            )
            for study in STUDIES
        ),
        st.Page(
            PAGES / "multiverse.py",
            title="What it hinges on",
            url_path="what-it-hinges-on",
            help="Many specifications at once: which choices flip a verdict",
        ),
        st.Page(
            PAGES / "stories.py",
            title="Stories",
            url_path=STORIES,
            help="Guided tours through the findings, one view after another",
        ),
        st.Page(
            PAGES / "live.py",
            title="Check one text",
            url_path="check-one-text",
            help="Put one clause, complaint, text or character of your own to a model",
        ),
        st.Page(
            PAGES / "panels.py",
            title="Panels",
            url_path="data-and-provenance",
            help="Where every number comes from; bring your own results",
        ),
    ]
pages = st.session_state["pages"]
page = st.navigation(pages, position="top")
titles = {study.path: f"{study.title} · Hinge" for study in STUDIES}
st.set_page_config(
    page_title="Hinge" if page is pages[0] else titles.get(page.url_path, f"{page.title} · Hinge"),
    page_icon=str(PARTS / "hinge.svg"),
    layout="wide",
    # With an entry of its own the menu is there, and in it the choice of a light or dark theme.
    menu_items={"About": "Hinge shows what a fairness verdict hinges on."},
)
# Long work that was asked for on another page (`jobs`) does not start again by itself.
if st.session_state.get("page") != page.url_path:
    st.session_state["page"], st.session_state["job"] = page.url_path, ""
    menu.shut()
page.run()
set_aside(page.title)
