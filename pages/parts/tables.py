"""Findings as tables with downloads; a table is built only when its section is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl
import streamlit as st

from pages.parts import frame


def levels(
    tables: Mapping[str, Callable[[], pl.DataFrame]], *, name: str, lines: list[str]
) -> None:
    """Offer several tables, one at a time."""
    section = st.expander("Tables and downloads", on_change="rerun", key=f"{name}-tables")
    if not section.open:
        return
    with section:
        level = st.segmented_control(
            "Table", list(tables), default=next(iter(tables)), required=True, key=f"{name}-level"
        )
        rows = tables[str(level)]()
        frame.table(rows, alt_text=f"{level}: every value and verdict as shown")
        frame.table_downloads(f"{name}-{str(level).lower()}", rows, lines)
        with st.popover("What the file says about itself"):
            st.code("\n".join(lines), language=None, wrap_lines=True)
