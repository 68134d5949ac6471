"""Sections of the filenames page below its charts; only the open one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl
import streamlit as st

from core.charts.dots import dots
from core.charts.drawing import Drawing
from core.charts.filenames import heat, mark_bars, text_dots
from core.charts.grid import verdict_grid
from core.charts.marks import Look
from core.charts.theme import Palette
from core.panels.read import Panel
from core.studies.filenames import contrasts as weights
from core.studies.filenames import (
    marks,
    planner,
    reconstructions,
    section_texts,
    shares,
    shown,
    text_contrasts,
    texts,
)
from core.studies.filenames import tables as tabulate
from core.studies.filenames.choices import DECLARATION
from core.studies.filenames.estimate import Findings, analyse, analyse_typed
from core.studies.filenames.published import PUBLISHED
from core.studies.filenames.reconstructions import Ensemble
from core.studies.filenames.reduce import Statistics
from core.words import plain
from pages.parts import controls, frame
from pages.parts.panels import score_statistics
from pages.sections import beside, published

FEW = 12
"""Texts up to which each has a row with room for words."""


@dataclass(frozen=True)
class LabelView:
    """One view of the study: panel, specification, findings, and what is in focus."""

    panel: Panel
    statistics: Statistics
    findings: Findings
    ensemble: Ensemble
    contrasts: pl.DataFrame
    names: list[str]
    focus: str
    lines: list[str]

    def look(self, colours: Palette) -> Look:
        return Look(colours, tuple(self.names), self.focus)


def _by_text(view: LabelView) -> None:
    st.markdown(section_texts.BY_TEXT)
    choices = view.findings.choices
    table = reconstructions.texts_with_basis(
        text_contrasts.text_table(view.statistics, view.findings), view.ensemble, choices
    )
    mine = table.filter(pl.col("judge") == view.focus)
    step = 30 if mine["text"].n_unique() <= FEW else 11
    signs = text_contrasts.sign_table(table)
    out = text_contrasts.leave_out_summary(
        text_contrasts.leave_one_out(view.statistics, view.findings)
    )
    left, right = st.columns(2, gap="large")
    with left:
        frame.chart(
            "by-text",
            f"Contrasts text by text, {view.focus}",
            lambda colours: heat(
                mine, unit=texts.CONTRAST_AXIS, step=step, look=view.look(colours)
            ),
            alt_text="Contrast of each text and hypothesis, with standard error and sign.",
            lines=view.lines,
        )
        frame.table_downloads("by-text", table, view.lines)
    with right:
        st.caption(section_texts.SIGNS)
        frame.table(shown.signs(signs, view.focus), alt_text="Signs over texts")
        st.caption(section_texts.LEFT_OUT)
        frame.table(shown.left_out(out, view.focus), alt_text="Verdicts with a text left out")
        frame.table_downloads("left-out", out.drop("names"), view.lines)


def _shares(view: LabelView) -> None:
    st.markdown(section_texts.SHARES)
    controls.place(DECLARATION, "pairs", "draws")
    choices = view.findings.choices
    each = [shares.share_table(one, choices) for one in view.ensemble.statistics]
    table = reconstructions.shares_with_basis(each[0], view.ensemble, each, choices)
    for warning in shares.warnings(table):
        st.warning(warning)
    bias = shares.bias_table(view.statistics, choices)
    left, right = st.columns(2, gap="large")
    with left:
        frame.chart(
            "shares",
            "Share of label variance that persists over texts",
            lambda colours: dots(
                tabulate.share_dots(table),
                unit=texts.SHARE_AXIS,
                look=view.look(colours),
                line=0.0,
                has_planned=False,
            ),
            alt_text="Persistent share of label variance by judge, study and estimator.",
            lines=view.lines,
        )
        st.caption(texts.UNDEFINED)
    with right:
        frame.chart(
            "biases",
            f"Bias of each label, {view.focus}",
            lambda colours: dots(
                shown.biases(bias, view.focus),
                unit=texts.BIAS_AXIS,
                look=view.look(colours),
                line=0.0,
                has_planned=False,
            ),
            alt_text="Mean of each label less the mean over labels, over texts.",
            lines=view.lines,
        )
        frame.table_downloads("biases", shown.kinds(bias), view.lines)
    frame.table(shown.shares(table), alt_text="Variance shares and components", height="content")
    frame.table_downloads("shares", table, view.lines)


def _dots(view: LabelView) -> None:
    st.markdown(section_texts.DOTS)
    cells = marks.cell_table(view.findings.part).filter(pl.col("judge") == view.focus)
    cells = cells.sort("place", maintain_order=True)
    step = 40 if cells["name"].n_unique() <= FEW else 11
    frame.chart(
        "dots",
        f"Mean mark of every text and label, {view.focus}",
        lambda colours: text_dots(cells, unit=texts.MEAN_AXIS, step=step, look=view.look(colours)),
        alt_text="Mean mark of every text under every label, texts in order of their mean.",
        lines=view.lines,
    )
    frame.table_downloads("dots", cells, view.lines)


def _marks(view: LabelView) -> None:
    st.markdown(section_texts.MARKS)
    table = marks.mark_table(view.findings.part)
    if table.is_empty():
        st.info("No text of this study has a mark that a judge gave, so there is nothing to show.")
        return
    mine = table.filter(pl.col("judge") == view.focus)
    frame.chart(
        "marks",
        f"Marks that {view.focus} gives",
        lambda colours: mark_bars(mine, unit=texts.MARK_AXIS, look=view.look(colours)),
        alt_text="Share of calls with each mark.",
        lines=view.lines,
    )
    rows = marks.coarseness_table(view.findings.part)
    frame.table(shown.coarseness(rows), alt_text="How coarse each judge's marks are")
    frame.table_downloads("marks", table, view.lines)


def _typed(view: LabelView) -> None:
    st.markdown(section_texts.TYPED)
    controls.place(DECLARATION, "contrast")
    st.caption("Labels: " + ", ".join(plain(name) for name in view.findings.part.labels["label"]))
    found = analyse_typed(view.statistics, view.findings.choices)
    if found is None:
        st.info("Type a contrast such as chen:1,sergey:-1/2,neutral:-1/2.")
        return
    typed = weights.read_contrast(view.findings.choices.text("contrast"))
    st.caption("In use: " + plain(weights.write_contrast(typed)))
    frame.table(
        shown.typed(tabulate.typed_table(found)), alt_text="The typed contrast of each judge"
    )


def _planner(view: LabelView) -> None:
    st.markdown(section_texts.PLANNER)
    keys = [c.key for c in DECLARATION if c.section == "planner"]
    columns = st.columns(3)
    for position, key in enumerate(keys):
        with columns[position % 3]:
            controls.place(DECLARATION, key)
    found = planner.plan(view.findings.choices)
    if isinstance(found, str):
        st.error(found)
        return
    st.markdown(f"**{found.sentence(view.findings.choices)}**")
    frame.table(planner.effect_curve(view.findings.choices), alt_text="Calls by effect")


def _published(view: LabelView) -> None:
    published.show(PUBLISHED, view.lines)


def _beside(view: LabelView) -> None:
    choices = view.findings.choices

    def read(panel: Panel) -> beside.Side:
        statistics = score_statistics(panel)
        if statistics.in_study(choices.text("study")).is_empty:
            return beside.Side(panel, [], view.contrasts.clear())
        compared = tabulate.compare(statistics, analyse(statistics, choices))
        documented = panel.provenance.kind == "reconstructed"
        alone = reconstructions.Ensemble((statistics,), documented, panel.provenance.pinned_ids)
        rows = reconstructions.with_basis(tabulate.contrast_table(compared), alone, choices)
        return beside.Side(panel, compared.names, rows)

    def draw(side: beside.Side, look: Look) -> Drawing:
        return verdict_grid(tabulate.grid_table(side.rows), look=look)

    beside.show(
        DECLARATION,
        beside.Side(view.panel, view.names, view.contrasts),
        beside.Comparison(
            read, draw, ("judge", "hypothesis"), "estimate", "Verdicts, planned and now,"
        ),
        choices,
        focus=view.focus,
    )


SECTIONS: Mapping[str, Callable[[LabelView], None]] = {
    "Text by text": _by_text,
    "Persistent or specific": _shares,
    "Every text and label": _dots,
    "Marks": _marks,
    "My own contrast": _typed,
    "Planner": _planner,
    "Published only": _published,
    "Another panel": _beside,
}
