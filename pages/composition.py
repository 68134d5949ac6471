"""Who gets generated, and against which comparator."""

from __future__ import annotations

import streamlit as st

from core.studies.about import study
from core.studies.composition import further, places, sentences, texts
from core.studies.composition import tables as tabulate
from core.studies.composition.choices import DECLARATION
from core.studies.composition.claims import CLAIMS, of_model, orders_with
from core.studies.composition.estimate import analyse
from core.studies.composition.kept import Uncertainty
from core.views.composition import models_chart, verdicts_chart
from core.words import plain
from pages.parts import basis, controls, frame, hinge_notes, tables
from pages.parts import cells as cell_picker
from pages.parts.panels import cell_statistics, in_use
from pages.parts.view import View, draw_or_offer, drawn
from pages.sections import DETAILS, SCORELESS, SECTIONS, typed

STUDY = DECLARATION.study

controls.restore(DECLARATION, study(STUDY).views)
cell_picker.take_click(DECLARATION)
used = in_use(STUDY, "cells")
panel = used.panel
statistics = cell_statistics(panel)
names = tabulate.names_of(statistics)
focus = controls.view(DECLARATION, "focus", names, default=names[0])
detail = controls.view(DECLARATION, "detail", list(DETAILS), default=next(iter(DETAILS)))
section = controls.view(DECLARATION, "section", ["", *SECTIONS], default="")
shown = controls.draw(DECLARATION)
choices = shown.choices

findings = analyse(statistics, choices)
uncertainty = drawn(panel, Uncertainty, choices)
comparison = tabulate.compare(statistics, findings, uncertainty)
others = basis.of(panel, statistics, choices)
models = others.models(tabulate.model_table(comparison))
attributes = others.attributes(tabulate.attribute_table(comparison))
lines = frame.export_lines(panel, DECLARATION, shown)
unit = texts.measure_axis(choices)
ties = (
    places.inseparable_pairs(findings.chosen_composite, uncertainty.kept_chosen, names)
    if uncertainty
    else None
)
view = View(panel, statistics, findings, comparison, models, names, focus, unit, lines, ties)


def draw_silent() -> None:
    """Show a panel in which no text says who its character is: words and counts, no charts."""
    st.header(sentences.SILENT, anchor=False)
    frame.notices(used, shown)
    is_collected = panel.provenance.kind == "collected"
    st.info(sentences.silent(findings, names, collected=is_collected))
    frame.departures(DECLARATION, shown, panel, place=frame.row())
    outcomes = further.outcome_table(findings, names)
    st.subheader("What became of the outputs, percent", anchor=False)
    frame.table(outcomes, alt_text="Percent of outputs with each outcome")
    frame.table_downloads("outcomes", outcomes, lines)
    offered = [name for name in SECTIONS if name in SCORELESS or name == section]
    st.pills("Look further", offered, key=controls.key_of(DECLARATION, "section"), wrap=True)
    if section in SCORELESS:
        SECTIONS[section](view)
    elif section:
        st.caption(f"“{section}” needs scores, and there are none here.")
    frame.limits(texts.LIMITS, panel)
    controls.finish(DECLARATION, shown, panel=panel.hash)


frame.title("Who gets generated?", panel)
if tabulate.is_silent(findings) and not tabulate.without_source(findings):
    draw_silent()
    st.stop()
notices = st.container()
st.header(sentences.opening(models, comparison), anchor=False)
if tabulate.without_source(findings):
    frame.notices(used, shown)
    st.info(texts.NOTHING_TO_COMPARE)
    frame.departures(DECLARATION, shown, panel, place=frame.row())
    controls.finish(DECLARATION, shown, panel=panel.hash)
    st.stop()
with frame.sentences():
    if others.varies(models):
        st.caption(texts.NOT_PRINTED)
    flip_counts = others.flip_counts(comparison)
    st.markdown(f"{sentences.flips(models, choices, flip_counts)} {sentences.order(models, ties)}")
    for why in sentences.reasons(models):
        st.info(why)
    if choices.text("comparator") == "occupational":
        st.info(texts.occupation_note())
departures = frame.row()
if choices.text("rule") == "interval" and uncertainty is None:
    st.warning(texts.INTERVAL_RULE_WAITS)
    draw_or_offer(
        panel, statistics, Uncertainty, choices, label="Draw the intervals of the cells", seconds=3
    )
typed.draw(choices)

left, right = st.columns(2, gap="large")
with left:
    each = models_chart(models, choices, names, focus)
    frame.explained(each, lines)
with right:
    grid = verdicts_chart(models, attributes, choices, names, focus)
    frame.explained(grid, lines)
hinge_notes.draw(panel, CLAIMS.claims(statistics), of_model(statistics, view.focus_index))
hinge_notes.draw_orders(panel, orders_with(statistics, view.focus_index))

st.pills(
    "Model in focus below",
    names,
    format_func=plain,
    required=True,
    key=controls.key_of(DECLARATION, "focus"),
    wrap=True,
)

st.segmented_control(
    "Shown for it",
    list(DETAILS),
    format_func=lambda name: DETAILS[name].title,
    required=True,
    key=controls.key_of(DECLARATION, "detail"),
)
DETAILS[detail].draw(view, others)

st.pills("Look further", list(SECTIONS), key=controls.key_of(DECLARATION, "section"), wrap=True)
if section:
    SECTIONS[section](view)
tables.levels(
    {
        "Models": lambda: models,
        "Attributes": lambda: attributes,
        "Contexts": lambda: tabulate.context_table(comparison),
        "Cells": lambda: tabulate.cell_table(comparison),
    },
    name=STUDY,
    lines=lines,
)
frame.limits(texts.LIMITS, panel)
# Parts drawn above may have found a view setting of the link that is not there.
with notices:
    frame.notices(used, shown)
frame.departures(DECLARATION, shown, panel, place=departures)
controls.finish(DECLARATION, shown, panel=panel.hash)
