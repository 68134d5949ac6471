"""Another panel of the study beside the one in use, under the same choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import polars as pl
import streamlit as st

from core import beside
from core.charts import composition as charts
from core.charts.drawing import Drawing
from core.charts.marks import Look
from core.charts.theme import Palette
from core.choices import Choices, Declaration
from core.export import about
from core.panels.read import Panel
from core.studies.composition import tables as tabulate
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.words import plain
from pages.parts import controls, frame
from pages.parts.panels import available, cell_statistics, get
from pages.parts.view import View


class Side(NamedTuple):
    """One of the two panels under the choices of the page."""

    panel: Panel
    names: list[str]
    """Of its models or judges."""
    rows: pl.DataFrame
    """With verdict_now and what else the chart and the comparison need."""


class Comparison(NamedTuple):
    """How a study sets two panels beside each other."""

    read: Callable[[Panel], Side]
    draw: Callable[[Side, Look], Drawing]
    """Draws a side that has rows."""
    keys: tuple[str, ...]
    number: str
    what: str
    """What the chart shows, in words."""
    verdicts: str = "verdicts"
    drawn: Callable[[pl.DataFrame], pl.DataFrame] = lambda rows: rows
    """Picks the rows that the chart shows."""


def draw(view: View) -> None:
    """Draw another panel of the composition study."""

    def read(panel: Panel) -> Side:
        statistics = cell_statistics(panel)
        comparison = tabulate.compare(statistics, analyse(statistics, view.choices))
        models = tabulate.with_basis(tabulate.model_table(comparison), None, 1)
        return Side(panel, comparison.names, models)

    def chart(side: Side, look: Look) -> Drawing:
        unit = f"Composite {view.unit}"
        return charts.model_comparison(side.rows, tau=view.tau, unit=unit, look=look)

    show(
        DECLARATION,
        Side(view.panel, view.names, view.models),
        Comparison(
            read, chart, ("model",), "chosen", "Composite of each model", "composite verdicts"
        ),
        view.choices,
        focus=view.focus,
    )


def show(
    declaration: Declaration, mine: Side, comparison: Comparison, choices: Choices, *, focus: str
) -> None:
    """Let the reader pick another panel and draw both, with the verdicts that differ."""
    contract = mine.panel.contract
    names = available(contract.study, contract.table)
    names.pop(mine.panel.hash, None)
    if not names:
        st.info("There is no other panel of this study. Bring one on the panels page.")
        return
    chosen = controls.view(declaration, "beside", list(names), default=next(iter(names)))
    st.selectbox(
        "Panel to set beside this one",
        list(names),
        format_func=lambda value: f"{names[value]} ({value})",
        key=controls.key_of(declaration, "beside"),
    )
    other_panel = get(contract.study, contract.table, chosen)
    assert other_panel is not None
    other = comparison.read(other_panel)
    all_names = tuple(dict.fromkeys([*mine.names, *other.names]))

    def drawing(side: Side) -> Callable[[Palette], Drawing]:
        return lambda colours: comparison.draw(side, Look(colours, all_names, focus))

    for column, side in zip(st.columns(2, gap="large"), (mine, other), strict=True):
        with column:
            if comparison.drawn(side.rows).is_empty():
                st.info(f"{plain(side.panel.name)} has nothing to show under these choices.")
                continue
            frame.chart(
                f"beside-{side.panel.hash}",
                f"{side.panel.name} ({side.panel.provenance.kind})",
                drawing(side),
                alt_text=f"{comparison.what} in one of two panels.",
                lines=about(side.panel, declaration, choices),
            )
    table = beside.differences(
        mine.rows, other.rows, keys=comparison.keys, number=comparison.number
    )
    settled = beside.differences(
        _counting(mine.rows), _counting(other.rows), keys=comparison.keys, number=comparison.number
    )
    differing, judged = beside.counts(settled)
    st.markdown(
        f"{plain(mine.panel.name)} and {plain(other_panel.name)} differ in {differing} of "
        f"{judged} {comparison.verdicts}."
    )
    frame.table(table, alt_text="Numbers and verdicts of both panels")
    both = [*about(mine.panel, declaration, choices), f"Beside it: panel {other_panel.name}"]
    both.append(f"Its kind: {other_panel.provenance.kind}; sha256 {other_panel.sha256}")
    frame.table_downloads("beside", table, both)


def _counting(rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out the verdicts that enter no count, where a study has such."""
    return rows.filter("counts") if "counts" in rows.columns else rows
