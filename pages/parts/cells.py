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
VIEW = "cell"


@dataclass(frozen=True)
class Picked:
    """A cell of the map."""

    keys: tuple[str, str, str]
    """place, role, format"""
    row: dict[str, Any]

    @property
    def cell(self) -> int:
        """Position of the cell in the findings."""
        return int(self.row["cell"])

    @property
    def label(self) -> str:
        """Name of the cell in the list."""
        return ", ".join(self.keys)


def take_click(declaration: Declaration) -> None:
    """Adopt a new click on the map; before the address is written."""
    selection = st.session_state.get(CHART_KEY, {}).get("selection", {}).get(CELL_SELECTION, [])
    clicked = ", ".join(str(selection[0][name]) for name in CELL_FIELDS) if selection else ""
    if clicked and clicked != st.session_state.get(f"{CHART_KEY}:last"):
        st.session_state[controls.key_of(declaration, VIEW)] = clicked
    st.session_state[f"{CHART_KEY}:last"] = clicked


def picked(declaration: Declaration, rows: pl.DataFrame) -> Picked:
    """Return the cell last clicked or listed, else the one whose score the swap moves most."""
    labels = _labels(rows)
    moving = rows.filter(pl.col("counts")).sort(pl.col("change").abs(), nulls_last=False)
    first = _labels(moving.tail(1) if moving.height else rows.head(1))[0]
    wanted = controls.view(declaration, VIEW, labels, default=first)
    row = rows.row(labels.index(wanted), named=True)
    return Picked((row["place"], row["role"], row["format"]), row)


def draw(declaration: Declaration, rows: pl.DataFrame) -> None:
    """Draw the list, for readers who do not click."""
    st.selectbox("Cell", _labels(rows), key=controls.key_of(declaration, VIEW))


def _labels(rows: pl.DataFrame) -> list[str]:
    return (rows["place"] + ", " + rows["role"] + ", " + rows["format"]).to_list()
