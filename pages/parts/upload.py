"""Bringing a panel: it is checked before it is used, and stays in this session."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import streamlit as st

from core.panels.contract import TableContract
from core.panels.other_files import another_kind
from core.panels.problems import PanelError
from core.panels.read import Limits, Panel, read_upload
from core.panels.registry import CONTRACTS
from core.studies.about import study
from core.words import plain
from pages.parts import panels

PAGES = Path(__file__).resolve().parent.parent

SHAPES = {f"{study(c.study).label}: {c.table}": c for c in CONTRACTS}
BY_THE_FILE = "As its metadata or its columns say"


def draw(limits: Limits) -> None:
    """Draw the upload and what came of it."""
    st.markdown(
        "Choose a parquet file in one of the row shapes; the tab **Row shapes** lists their "
        "columns. It is checked before anything uses it, is shown as **imported**, stays in this "
        "session and is written nowhere. A file that does not fit leaves the panel in use as it is."
    )
    shape = st.selectbox(
        "Row shape of the file",
        [BY_THE_FILE, *SHAPES],
        key="panels:shape",
        help="What the file is held against. Without a choice its metadata say it, else the "
        "names of its columns.",
    )
    # Any kind is let through, so that this page and not the upload says what is expected.
    file = st.file_uploader("Parquet file", max_upload_size=limits.file_bytes // 2**20)
    if file is None:
        return
    try:
        panel = _read(file.getvalue(), file.name, limits, SHAPES.get(shape))
    except PanelError as error:
        _show(error, file.name)
        return
    if not panels.is_brought(panel):
        panels.add_upload(panel)
        st.session_state[TURN_TO] = panel.contract.study
        st.rerun()
    st.success(
        f"{plain(panel.name)}: {panel.frame.height:,} rows of {panel.provenance.study} "
        f"{panel.provenance.table}, hash {panel.hash}. " + panels.use_of(panel)
    )
    for note in panel.notes:
        st.caption(plain(note))
    if panels.is_shown(panel):
        known = study(panel.contract.study)
        st.page_link(
            PAGES / f"{known.name}.py",
            label=f"Go to “{known.title}” with this panel",
            icon=":material/arrow_forward:",
        )


ROW_HEIGHT = 104
"""Pixels: five lines of text."""

TURN_TO = "panels:turn_to"
"""Where the session holds the study that the page of panels turns to on its next run."""


def _read(data: bytes, name: str, limits: Limits, meant: TableContract | None) -> Panel:
    """Read a file, unless its name says that it is of another kind: then nothing looks inside."""
    problem = another_kind(name)
    if problem is not None:
        raise PanelError([problem])
    return read_upload(data, name.removesuffix(".parquet"), limits=limits, meant=meant)


def _show(error: PanelError, name: str) -> None:
    st.error(
        f"{plain(name)} cannot be used: {len(error.problems)} thing(s) to mend. The panel in use "
        f"stays as it was. {plain(error.held_against)}"
    )
    st.dataframe(
        pl.DataFrame(
            {
                "column": [p.column or "(file)" for p in error.problems],
                "row": [p.row for p in error.problems],
                "found": [p.found for p in error.problems],
                "expected": [p.expected for p in error.problems],
                "what to do": [p.todo for p in error.problems],
            }
        ),
        hide_index=True,
        # High enough for the longest of them to be read without a click.
        row_height=ROW_HEIGHT,
        alt="Every problem found in the file",
    )
