"""Picking one cell: by a click on the map, or by keyboard from a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl
import streamlit as st

from core.charts.composition import CELL_FIELDS, CELL_SELECTION
from core.choices import Declaration
from pages.parts import controls

CHART_KEY = "chart-cells"


@dataclass(frozen=True)
class Picked:
    """A cell of the map."""

    keys: tuple[str, str, str]
    """place, role, format"""
    row: dict[str, Any]

    @property
    def cell(self) -> int:
        return int(self.row["cell"])

    @property
    def label(self) -> str:
        place, role, form = self.keys
        return f"{place}, {role}, {form}"


def picked(declaration: Declaration, rows: pl.DataFrame) -> Picked:
    """Return the cell last clicked or listed, else the one whose score the swap moves most."""
    clicked = _clicked()
    if clicked and clicked != st.session_state.get(f"{CHART_KEY}:last"):
        st.session_state[f"{CHART_KEY}:last"] = clicked
        st.session_state[_list_key(declaration)] = clicked
    wanted = st.session_state.get(_list_key(declaration)) or controls.view_setting(
        declaration, "cell"
    )
    labels = _labels(rows)
    if wanted not in labels:
        moving = rows.filter(pl.col("counts")).sort(pl.col("change").abs(), nulls_last=True)
        first = moving.tail(1) if moving.height else rows.head(1)
        wanted = _labels(first)[0]
    st.session_state[_list_key(declaration)] = wanted
    row = rows.row(labels.index(wanted), named=True)
    return Picked((row["place"], row["role"], row["format"]), row)


def draw(declaration: Declaration, rows: pl.DataFrame, chosen: Picked) -> None:
    """Draw the list, for readers who do not click."""
    st.selectbox("Cell", _labels(rows), key=_list_key(declaration))
    controls.set_view(declaration, cell=chosen.label)


def _labels(rows: pl.DataFrame) -> list[str]:
    return (rows["place"] + ", " + rows["role"] + ", " + rows["format"]).to_list()


def _list_key(declaration: Declaration) -> str:
    return f"{declaration.study}:cell-list"


def _clicked() -> str:
    selection = st.session_state.get(CHART_KEY, {}).get("selection", {}).get(CELL_SELECTION, [])
    return ", ".join(str(selection[0][name]) for name in CELL_FIELDS) if selection else ""
