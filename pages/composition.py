"""Who gets generated, and against which comparator."""

from __future__ import annotations

import streamlit as st

from core.charts import composition as charts
from core.charts.marks import Look
from core.charts.theme import Palette
from core.studies.composition import sentences, texts
from core.studies.composition import tables as tabulate
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.paths import curves
from core.studies.composition.thresholds import step_frame
from pages.parts import cells as cell_picker
from pages.parts import controls, frame, tables
from pages.parts.panels import cell_statistics, in_use

STUDY = DECLARATION.study

used = in_use(STUDY, "cells")
panel = used.panel
statistics = cell_statistics(panel, panel.hash)
names = tabulate.names_of(statistics)
focus_name = controls.view_choice(DECLARATION, "focus", names)
shown = controls.draw(DECLARATION, panel=panel.hash)
choices = shown.choices

findings = analyse(statistics, choices)
comparison = tabulate.compare(statistics, findings)
models = tabulate.model_table(comparison)
cells = tabulate.cell_table(comparison)
lines = frame.export_lines(panel, DECLARATION, shown)
unit = texts.measure_axis(choices)
tau = choices.number("tau")


def look(colours: Palette) -> Look:
    return Look(colours, tuple(names), focus_name)


frame.title("Who gets generated?", panel)
frame.notices(used, shown)
st.header(sentences.opening(models, comparison), anchor=False)
st.markdown(f"{sentences.flips(models, cells, comparison)} {sentences.order(models)}")
for why in sentences.reasons(models):
    st.info(why)
if choices.text("comparator") == "occupational":
    st.info(texts.occupation_note())
frame.departures(DECLARATION, shown, panel)

left, right = st.columns(2, gap="large")
with left:
    frame.chart(
        "models",
        f"Each model against {texts.comparator_name(choices)}",
        lambda colours: charts.model_comparison(
            models, tau=tau, unit=f"Composite {unit}", look=look(colours)
        ),
        alt_text=texts.models_alt(models),
        lines=lines,
    )
    st.caption(texts.reading(choices))
with right:
    grid = tabulate.grid_table(comparison, models)
    frame.chart(
        "verdicts",
        "Verdicts, planned → now",
        lambda colours: charts.verdict_grid(grid, look=look(colours)),
        alt_text=texts.grid_alt(grid),
        lines=lines,
    )
    st.caption(texts.grid_reading(choices))

controls.view_pills(DECLARATION, "focus", "Model in focus below", names, focus_name)

left, right = st.columns(2, gap="large")
with left:
    path = curves(findings, names)
    if path.lines.is_empty():
        st.info("There is no path to show: no model has a composite under these choices.")
    else:
        frame.chart(
            "path",
            "From resident-population shares to equal shares",
            lambda colours: charts.path(
                path.lines,
                path.crossings,
                position=path.position,
                reversed_axis=path.path == "power",
                x_title=texts.PATH_AXES[path.path],
                y_title=f"Composite {unit}",
                look=look(colours),
            ),
            alt_text=texts.path_alt(path),
            lines=lines,
        )
        st.caption(texts.swaps(path))
        if path.path == "power":
            st.caption(texts.zero_note(choices))
with right:
    steps = step_frame(findings, names)
    if steps.is_empty():
        st.info("No verdicts change sides: no model has a composite under these choices.")
    else:
        frame.chart(
            "tolerance",
            "How much changes sides, by tolerance",
            lambda colours: charts.threshold_curves(
                steps,
                tau=tau,
                unit=f"Tolerance: {unit}",
                names=texts.threshold_names(choices),
                look=look(colours),
            ),
            alt_text=texts.threshold_alt(models, focus_name, choices),
            lines=lines,
        )
        st.caption(texts.share_changed(models, focus_name, choices))

left, right = st.columns(2, gap="large")
map_rows = tabulate.map_table(cells, findings, names.index(focus_name))
picked = cell_picker.picked(DECLARATION, map_rows)
with left:
    frame.chart(
        "cells",
        f"Every cell of {focus_name}: click one",
        lambda colours: charts.cell_map(
            map_rows, unit=unit, selected=picked.keys, look=look(colours)
        ),
        alt_text=texts.map_alt(map_rows, focus_name),
        lines=lines,
        select=charts.CELL_SELECTION,
    )
    st.caption(texts.map_reading(choices))
with right:
    cell_picker.draw(DECLARATION, map_rows, picked)
    shares = tabulate.composition_table(findings, names.index(focus_name), picked.cell)
    frame.chart(
        "composition",
        f"{picked.label}, {focus_name}",
        lambda colours: charts.composition_bars(
            shares,
            names=(texts.RESIDENT, texts.comparator_name(choices)),
            look=look(colours),
        ),
        alt_text=texts.composition_alt(shares, picked.label),
        lines=lines,
    )
    states = tabulate.state_counts(findings, names.index(focus_name), picked.cell)
    st.caption(texts.cell_facts(picked.row, states, choices))
    st.caption(texts.sources_note(findings, picked.cell))
    if panel.provenance.kind == "reconstructed":
        st.caption(texts.ONE_POSSIBILITY)

tables.levels(
    {
        "Models": lambda: models,
        "Attributes": lambda: tabulate.attribute_table(comparison),
        "Contexts": lambda: tabulate.context_table(comparison),
        "Cells": lambda: cells,
    },
    name=STUDY,
    lines=lines,
)
with st.expander("What this study cannot say"):
    st.markdown("\n".join(f"- {text}" for text in texts.CANNOT_SAY))
