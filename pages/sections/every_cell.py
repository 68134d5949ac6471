"""Every cell of one model on a map, and one cell in detail."""

from __future__ import annotations

import polars as pl
import streamlit as st

from core.charts import composition as charts
from core.studies.composition import tables as tabulate
from core.studies.composition import texts
from core.studies.composition.choices import DECLARATION
from pages.parts import cells as cell_picker
from pages.parts import frame
from pages.parts.basis import Behind
from pages.parts.view import View


def draw(view: View, others: Behind) -> None:
    """Draw the map beside the composition of the picked cell."""
    agreement = others.agreement(view.findings, view.focus_index)
    rows = tabulate.map_table(
        tabulate.cell_table(view.comparison), view.findings, view.focus_index, agreement
    )
    picked = cell_picker.picked(DECLARATION, rows)
    left, right = st.columns(2, gap="large")
    with left:
        _map(view, rows, picked)
    with right:
        cell_picker.draw(DECLARATION, rows, picked)
        _cell(view, picked)


def _map(view: View, rows: pl.DataFrame, picked: cell_picker.Picked) -> None:
    frame.chart(
        "cells",
        f"Every cell of {view.focus}: click one",
        lambda colours: charts.cell_map(
            rows, unit=view.unit, selected=picked.keys, look=view.look(colours)
        ),
        alt_text=texts.map_alt(rows, view.focus),
        lines=view.lines,
        select=charts.CELL_SELECTION,
    )
    st.caption(texts.map_reading(view.choices))


def _cell(view: View, picked: cell_picker.Picked) -> None:
    shares = tabulate.composition_table(view.findings, view.focus_index, picked.cell)
    frame.chart(
        "composition",
        f"{picked.label}, {view.focus}",
        lambda colours: charts.composition_bars(
            shares,
            names=(texts.RESIDENT, texts.comparator_name(view.choices)),
            look=view.look(colours),
        ),
        alt_text=texts.composition_alt(shares, picked.label),
        lines=view.lines,
    )
    states = tabulate.state_counts(view.findings, view.focus_index, picked.cell)
    said = [
        texts.cell_facts(picked.row, states, view.choices),
        texts.sources_note(view.findings, picked.cell),
    ]
    if view.panel.provenance.kind == "reconstructed":
        said.append(f"{texts.ONE_POSSIBILITY} {texts.agreement_line(picked.row)}")
    st.caption("\n\n".join(said))
