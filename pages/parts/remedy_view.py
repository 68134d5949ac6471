"""What the sections of the remedies page are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl
import streamlit as st

from core.charts.dots import dots
from core.charts.marks import Look
from core.charts.remedies import look_of
from core.charts.theme import Palette
from core.choices import Choices
from core.panels.read import Panel
from core.studies.remedies import formats, printed_beside, shown, shown_variation, texts
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.design import system_name
from core.studies.remedies.estimate import Findings
from core.studies.remedies.reconstructions import Ensemble
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.scales import Decider
from core.studies.remedies.tables import Comparison
from core.words import plain
from pages.parts import controls, frame


@dataclass(frozen=True)
class RemedyView:
    """One view of the study: panel, specification, findings, and what is in focus."""

    panel: Panel
    statistics: Statistics
    findings: Findings
    comparison: Comparison
    ensemble: Ensemble
    both: pl.DataFrame
    """Both scales of every decider, side by side."""
    material: pl.DataFrame
    """Three tests of every gap, with what stands behind them."""
    instability: pl.DataFrame
    focus: Decider
    lines: list[str]

    @property
    def choices(self) -> Choices:
        return self.findings.choices

    def each(self, table: Callable[[Statistics], pl.DataFrame]) -> list[pl.DataFrame]:
        """Make a table of every reconstruction, that of the panel on the page first."""
        return [table(statistics) for statistics in self.ensemble.statistics]

    def look(self, colours: Palette) -> Look:
        """Colour deciders by system."""
        names = shown.names(self.findings.deciders)
        systems = [d.system for d in self.findings.deciders]
        return look_of(colours, names, systems, shown.name(self.focus))

    def look_on(self, colours: Palette, decider: Decider) -> Look:
        """As `look`, with another decider in focus."""
        return replace(self.look(colours), focus=shown.name(decider))

    def system_look(self, colours: Palette) -> Look:
        """Colour systems as their deciders are coloured."""
        systems = list(dict.fromkeys(d.system for d in self.findings.deciders))
        return look_of(colours, [system_name(s) for s in systems], systems,
                       system_name(self.focus.system))  # fmt: skip


def warn(place: str) -> None:
    """Say where the source contradicts itself about a part of the page."""
    told = [f"- {plain(c.says)} **{plain(c.reading)}**" for c in texts.caveats(place)]
    if told:
        st.caption("Where the source needs reading with care:\n\n" + "\n".join(told))


def draw_dots(
    view: RemedyView,
    name: str,
    title: str,
    rows: pl.DataFrame,
    unit: str,
    *,
    has_planned: bool = False,
    line: float | None = None,
    round_to: float = 0.05,
) -> None:
    """Draw numbers with intervals, or nothing where there is no number."""
    if rows.is_empty():
        return
    frame.chart(
        name,
        title,
        lambda colours: dots(
            rows,
            unit=unit,
            look=view.system_look(colours),
            line=line,
            has_planned=has_planned,
            round_to=round_to,
        ),
        alt_text=formats.dots_alt(title, rows),
        lines=view.lines,
    )


def draw_table(
    shown: pl.DataFrame,
    *,
    alt_text: str,
    each: Sequence[pl.DataFrame] = (),
    column: str = "",
    decimals: int = 3,
    scale: float = 1.0,
) -> None:
    """Show a table; with the tables of every reconstruction, say how far a number is the same."""
    told = formats.with_range(shown, each, column, decimals, scale)
    frame.table(formats.tidy(told), alt_text=alt_text)


def as_printed(view: RemedyView, place: str) -> None:
    """Offer what the study prints about a part of the page; built only when it is open."""
    if not view.ensemble.documented:
        return
    part = st.expander("As the study prints it", on_change="rerun", key=f"printed-{place}")
    if part.open:
        with part:
            st.badge("published", color="green")
            rows = printed_beside.printed_beside(place)
            frame.table(rows, alt_text="Printed figures about this part")
            frame.table_downloads(f"printed-{place}", rows, [*view.lines, "Kind: published"])


def mover(
    key: str,
    what: str,
    planned: Mapping[str, str],
    *,
    names: Mapping[str, str],
    places: Mapping[str, str],
) -> None:
    """Let the reader count a thing in another place than the study does.

    Parameters
    ----------
    key
        The choice that holds the moves.
    what
        What is moved, in a word.
    planned
        The place of each thing in the study.
    names, places
        Names of the things and of the places, by id.
    """
    one, two = st.columns(2)
    one.selectbox(
        f"Move a {what}",
        list(planned),
        format_func=lambda thing: f"{names.get(thing, thing)} ({places[planned[thing]]})",
        key=f"remedies-{key}-what",
    )
    two.selectbox("to", list(places), format_func=places.__getitem__, key=f"remedies-{key}-where")
    st.button(
        "Move",
        on_click=_move,
        args=(key, planned),
        icon=":material/move_item:",
        key=f"remedies-{key}-move",
    )
    controls.place(DECLARATION, key)


def _move(key: str, planned: Mapping[str, str]) -> None:
    thing, place = (str(st.session_state[f"remedies-{key}-{part}"]) for part in ("what", "where"))
    text = str(st.session_state.get(controls.key_of(DECLARATION, key), ""))
    controls.set_one(DECLARATION, key, shown_variation.moved(text, thing, place, planned))
