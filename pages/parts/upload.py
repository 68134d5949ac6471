"""Bringing a panel: it is checked before it is used, and stays in this session."""

from __future__ import annotations

import polars as pl
import streamlit as st

from core.panels.problems import PanelError
from core.panels.read import Limits, read_upload
from core.words import plain
from pages.parts import panels


def draw(limits: Limits) -> None:
    """Draw the upload and what came of it."""
    st.markdown(
        "Choose a parquet file in one of the row shapes. It is checked before anything uses it, "
        "is shown as **imported**, stays in this session and is written nowhere. A file that "
        "does not fit leaves the panel in use as it is."
    )
    file = st.file_uploader(
        "Parquet file", type=["parquet"], max_upload_size=limits.file_bytes // 2**20
    )
    if file is None:
        return
    try:
        panel = read_upload(file.getvalue(), file.name.removesuffix(".parquet"), limits=limits)
    except PanelError as error:
        _show(error, file.name)
        return
    if panel.hash not in {known.hash for known in panels.uploads()}:
        panels.add_upload(panel)
        st.rerun()
    st.success(
        f"{plain(panel.name)}: {panel.frame.height:,} rows of {panel.provenance.study} "
        f"{panel.provenance.table}, hash {panel.hash}. " + panels.use_of(panel)
    )


def _show(error: PanelError, name: str) -> None:
    st.error(
        f"{plain(name)} cannot be used: {len(error.problems)} thing(s) to mend. The panel in use "
        "stays as it was."
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
        alt="Every problem found in the file",
    )
