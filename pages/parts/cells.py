"""Picking one cell: by a click on the map, or by keyboard from a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl
import streamlit as st

from core.charts.composition import CELL_FIELDS, CELL_SELECTION
from core.choices import Declaration
from core.columns import distinct
from core.studies.composition.tables import moved_most
from pages.parts import controls

CHART_KEY = "chart-cells"
VIEW = "cell"
LIST_LABELS = {"place": "Cell: where", "role": "Role", "format": "Format"}


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
    labels = [_label(keys) for keys in _keys(rows)]
    wanted = controls.view(declaration, VIEW, labels, default=labels[moved_most(rows)])
    row = rows.row(labels.index(wanted), named=True)
    return Picked((row["place"], row["role"], row["format"]), row)


def draw(declaration: Declaration, rows: pl.DataFrame, picked: Picked) -> None:
    """Draw lists of its three parts, for readers who do not click.

    One list of some hundred cells would take a browser longer to keep than all charts together.
    """
    there = _keys(rows)
    for name, value, place in zip(CELL_FIELDS, picked.keys, st.columns([2, 1, 1]), strict=True):
        key = _list_key(declaration, name)
        st.session_state[key] = value
        place.selectbox(
            LIST_LABELS[name],
            distinct(row[name] for row in there),
            key=key,
            on_change=_take_lists,
            args=(declaration, rows),
        )
        there = [row for row in there if row[name] == value]


def _take_lists(declaration: Declaration, rows: pl.DataFrame) -> None:
    """Adopt what the lists say; the parts that a new place or role has not are its first ones."""
    there = _keys(rows)
    for name in CELL_FIELDS:
        wanted = st.session_state[_list_key(declaration, name)]
        same = [row for row in there if row[name] == wanted]
        there = same or [row for row in there if row[name] == there[0][name]]
    st.session_state[controls.key_of(declaration, VIEW)] = _label(there[0])


def _list_key(declaration: Declaration, name: str) -> str:
    return controls.key_of(declaration, f"{VIEW}-{name}")


def _keys(rows: pl.DataFrame) -> list[dict[str, str]]:
    return list(rows[CELL_FIELDS].iter_rows(named=True))


def _label(keys: Mapping[str, str]) -> str:
    return ", ".join(keys.values())
