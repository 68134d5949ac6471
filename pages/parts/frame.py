"""What surrounds the findings on every study page: title, kind, departures, link, downloads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

import polars as pl
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.charts.drawing import Drawing
from core.charts.export import chart_file
from core.charts.theme import LIGHT, Palette, palette
from core.choices import Choice, Declaration, Repair, Value
from core.columns import arrow
from core.export import about, table_file
from core.limits import Limits
from core.limits import heading as heading_of_limits
from core.panels.provenance import KIND_MEANINGS
from core.panels.read import Panel
from core.views.view import Chart
from core.words import listed, lowered, number, plain, unmarked, with_p_values
from pages.parts import controls, menu, reports
from pages.parts.panels import InUse

KIND_COLOURS = {
    "published": "green",
    "reconstructed": "orange",
    "collected": "blue",
    "imported": "violet",
}


MENU, FILES, CITE = "As text or file", "Table as file", "Cite this view"
"""What opens the dialogs of a chart, of a table and of the link to the view."""
SAVE = ":material/download:"


def colours() -> Palette:
    return palette(st.context.theme.type)


def title(text: str, panel: Panel, *, level: int = 1) -> None:
    """Name a page, or a part of one, with the kind of its panel beside it."""
    heading = st.title if level == 1 else st.subheader
    kind = panel.provenance.kind
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading(text, anchor=False, width="content")
        st.badge(
            kind,
            color=KIND_COLOURS[kind],  # type: ignore[arg-type]
            help=f"These are {KIND_MEANINGS[kind]}. Panel {plain(panel.name)}, hash {panel.hash}.",
        )


def notices(in_use: InUse, shown: controls.Shown) -> None:
    """Say what a link asked for that is not what is shown."""
    notices_of(in_use, shown.repairs)


def notices_of(in_use: InUse, repairs: Sequence[Repair]) -> None:
    """Say which panel a link asked for that is not here, and what in it was repaired."""
    if in_use.asked_for:
        st.warning(
            f"The link was made with the panel whose hash begins {plain(in_use.asked_for[:12])}, "
            f"which is not here. Shown is {plain(in_use.panel.name)}. To see the linked view, "
            "upload that file on the panels page and open the link again."
        )
    if repairs:
        told = [f"- {plain(repair.sentence())}" for repair in repairs[:MOST_REPAIRS]]
        if len(repairs) > MOST_REPAIRS:
            told.append(f"- {len(repairs) - MOST_REPAIRS:,} more of this kind")
        st.warning("The link could not be restored exactly:\n\n" + "\n".join(told))


MOST_REPAIRS = 20
"""Repairs that are told one by one; a link can hold any number."""


def sentences() -> DeltaGenerator:
    """Hold what a page says above its charts.

    However many sentences there are, what follows keeps its place; what changes its place, a
    browser draws from scratch.
    """
    return st.container()


def paragraphs(*texts: str, last_change: str) -> None:
    """Write texts one below the other, and what the last change of a choice did unless it is there.

    They are one part of the page: what a browser does on every move grows with the parts.
    """
    told = [text for text in texts if text]
    if last_change and last_change not in told:
        told.append(f"**Last change.** {last_change}")
    if told:
        st.markdown("\n\n".join(told))


def row() -> DeltaGenerator:
    """Keep a line free, for `departures` once every part of a page has looked at its settings."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small")


def departures(
    declaration: Declaration, shown: controls.Shown, panel: Panel, *, place: DeltaGenerator
) -> None:
    """List the departures from the planned setting, with the way back and the link."""
    departed = declaration.departures(shown.choices)
    with place:
        if departed:
            st.button(
                "Back to planned",
                on_click=controls.back_to_planned,
                args=(declaration,),
                icon=":material/undo:",
                help="Set every choice to the value the study planned or published.",
            )
        address = link(declaration, shown, panel)
        cite(
            address,
            "This link restores every choice, the view and the panel:",
            f"Panel {panel.hash} ({panel.provenance.kind}). A link to an imported panel opens for "
            "others only after they upload the same file.",
        )
        reports.of_view(panel, address, declaration.study)
        if departed:
            lines = " · ".join(
                f"{plain(choice.label)}: {plain(choice.say(value))} "
                f"(planned: {plain(choice.say(choice.planned))})"
                for choice, value in departed
            )
            said = f"Departs from planned: {lines}{_questions(departed)}"
            opened = _opened(departed)
            st.caption(f"{said.removesuffix('.')}. {opened}" if opened else said, width="stretch")
        else:
            st.caption("This is the planned setting.", width="stretch")


def cite(address: str, text: str, note: str = "", *, label: str = CITE) -> None:
    """Offer a link to copy, with what it restores."""

    def fill() -> None:
        st.write(text)
        st.code(address, language=None, wrap_lines=True)
        if note:
            st.caption(note)

    menu.offer(label, fill, key=label, icon=":material/link:")


def _questions(departed: list[tuple[Choice, Value]]) -> str:
    """Say which departures ask another question than the study did."""
    changed = [lowered(choice.label) for choice, _ in departed if choice.role == "estimand"]
    return f". Another question is asked by: {plain(listed(changed))}." if changed else ""


def _opened(departed: list[tuple[Choice, Value]]) -> str:
    """Say of a departure that the page opens on it by design, and how to leave it."""
    own = [choice for choice, value in departed if value == choice.opening and not choice.only_with]
    if not own:
        return ""
    values = listed([choice.say(choice.opening) for choice in own])
    return (
        f"The page opens on “{plain(values)}” on purpose, since as planned there is nothing to "
        "compare with; “Back to planned” shows the study’s own setting."
    )


def limits(found: Limits, panel: Panel) -> None:
    """Say what the numbers of a panel do not show."""
    with st.expander(heading_of_limits(panel)):
        st.markdown("\n".join(f"- {text}" for text in found.of(panel)))


def link(declaration: Declaration, shown: controls.Shown, panel: Panel) -> str:
    """Return the full address of the view."""
    query = controls.link_query(declaration, shown, panel.hash)
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(query)}"


def chart(
    name: str,
    title_text: str,
    build: Callable[[Palette], Drawing],
    *,
    alt_text: str,
    lines: list[str],
    select: str | None = None,
    rows: pl.DataFrame | None = None,
) -> None:
    """Place a chart under its small heading, with the chart in words and its downloads.

    With ``rows``, what the chart draws, these are offered as a table too.

    The words change with every move and are kept out of the chart: its description is a part of
    the specification, and a browser draws a chart with a changed specification from scratch.

    With ``select``, the name of a chart selection, a click reruns the page; the selection is then
    in the session under ``chart-NAME``.
    """

    def fill() -> None:
        st.markdown(plain(alt_text))
        with st.container(horizontal=True, gap="small"):
            _chart_downloads(name, title_text, build, lines)
            if rows is not None:
                _table_buttons(name, rows, lines)

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(plain(title_text), anchor=False, width="stretch")
        menu.offer(MENU, fill, key=f"menu-{name}", icon=SAVE, title=title_text, quiet=True)
    drawn, key = build(colours()).for_page(), f"chart-{name}"
    if select is None:
        st.vega_lite_chart(spec=drawn, alt=title_text, key=key)
    else:
        st.vega_lite_chart(
            spec=drawn, alt=title_text, key=key, on_select="rerun", selection_mode=select
        )


def figure(drawn: Chart, lines: list[str]) -> None:
    """Place a chart that stands ready; its files say how to read it, the page does so apart."""
    told = [unmarked(drawn.reading), *lines] if drawn.reading else lines
    chart(drawn.name, drawn.title, drawn.build, alt_text=drawn.alt, lines=told)


def explained(drawn: Chart, lines: list[str]) -> None:
    """Place a chart that stands ready, and below it how to read it."""
    figure(drawn, lines)
    if drawn.reading:
        st.caption(drawn.reading)


def _chart_downloads(
    name: str, title_text: str, build: Callable[[Palette], Drawing], lines: list[str]
) -> None:
    for form, mime in (("svg", "image/svg+xml"), ("png", "image/png")):
        st.download_button(
            f"Chart as {form.upper()}",
            data=lambda form=form: chart_file(  # type: ignore[misc]
                build(LIGHT), title=title_text, caption=lines, form=form
            ),
            file_name=f"hinge-{name}.{form}",
            mime=mime,
            on_click="ignore",
            key=f"{name}-{form}",
        )


SMALL_ROWS, SMALL_COLUMNS = 12, 5
"""Tables up to this size are plain text: they fit a narrow screen and nobody has to sort them."""


NOT_SHOWN = ("model_id", "judge_id", "estimator")
"""Columns that a table is made with and nobody reads."""


def table(frame: pl.DataFrame, *, alt_text: str, **options: Any) -> None:
    """Show a table with readable headings and numbers to the study's precision."""
    frame = with_p_values(frame[[name for name in frame.columns if name not in NOT_SHOWN]])
    if frame.height <= SMALL_ROWS and frame.width <= SMALL_COLUMNS:
        st.table(arrow(_written(frame)), hide_index=True, border="horizontal", alt=alt_text)
        return
    config = {
        name: st.column_config.NumberColumn(heading(name), format="%.3f")
        if frame.schema[name].is_float()
        else st.column_config.Column(heading(name))
        for name in frame.columns
    }
    st.dataframe(arrow(frame), hide_index=True, alt=alt_text, column_config=config, **options)


def _written(frame: pl.DataFrame) -> pl.DataFrame:
    """Write every value of a table as it is to be read."""
    return pl.DataFrame({plain(heading(c.name)): [_cell(v) for v in c] for c in frame})


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else plain(str(value))


def heading(name: str) -> str:
    """Write a column's name as words."""
    return name.replace("_", " ")


def table_downloads(name: str, frame: pl.DataFrame, lines: list[str]) -> None:
    """Offer a table as CSV and parquet."""
    menu.offer(
        FILES,
        partial(_table_files, name, frame, lines),
        key=f"table-{name}",
        icon=SAVE,
        title=f"{FILES}: {name.replace('-', ' ')}",
        quiet=True,
    )


def _table_files(name: str, frame: pl.DataFrame, lines: list[str]) -> None:
    with st.container(horizontal=True, gap="small"):
        _table_buttons(name, frame, lines)


def _table_buttons(name: str, frame: pl.DataFrame, lines: list[str]) -> None:
    for form, mime in (("csv", "text/csv"), ("parquet", "application/vnd.apache.parquet")):
        st.download_button(
            f"Table as {form if form == 'parquet' else 'CSV'}",
            data=lambda form=form: table_file(frame, lines, form=form),  # type: ignore[misc]
            file_name=f"hinge-{name}.{form}",
            mime=mime,
            on_click="ignore",
            key=f"{name}-{form}",
        )


def export_lines(panel: Panel, declaration: Declaration, shown: controls.Shown) -> list[str]:
    return about(panel, declaration, shown.choices)
