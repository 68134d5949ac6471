"""Who gets generated, and against which comparator."""

from __future__ import annotations

import streamlit as st

from core.charts import composition as charts
from core.charts.grid import verdict_grid
from core.studies.composition import places, sentences, texts
from core.studies.composition import tables as tabulate
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.kept import Uncertainty
from core.studies.composition.paths import curves
from core.studies.composition.thresholds import step_frame
from core.words import plain
from pages.parts import basis, controls, frame, tables
from pages.parts import cells as cell_picker
from pages.parts.panels import cell_statistics, in_use
from pages.parts.view import View, draw_or_offer, drawn
from pages.sections import SECTIONS, typed

STUDY = DECLARATION.study

controls.restore(DECLARATION, ("focus", "cell", "section", "beside"))
cell_picker.take_click(DECLARATION)
used = in_use(STUDY, "cells")
panel = used.panel
statistics = cell_statistics(panel)
names = tabulate.names_of(statistics)
focus = controls.view(DECLARATION, "focus", names, default=names[0])
section = controls.view(DECLARATION, "section", ["", *SECTIONS], default="")
shown = controls.draw(DECLARATION)
choices = shown.choices

findings = analyse(statistics, choices)
uncertainty = drawn(panel, Uncertainty, choices)
comparison = tabulate.compare(statistics, findings, uncertainty)
others = basis.of(panel, statistics, choices)
models = others.models(tabulate.model_table(comparison))
attributes = others.attributes(tabulate.attribute_table(comparison))
cells = tabulate.cell_table(comparison)
lines = frame.export_lines(panel, DECLARATION, shown)
unit = texts.measure_axis(choices)
view = View(panel, statistics, findings, comparison, models, names, focus, unit, lines)
map_rows = tabulate.map_table(
    cells, findings, view.focus_index, others.agreement(findings, view.focus_index)
)
if map_rows.is_empty():
    frame.title("Who gets generated?", panel)
    frame.notices(used, shown)
    st.header(sentences.opening(models, comparison), anchor=False)
    st.info(texts.NOTHING_TO_COMPARE)
    frame.departures(DECLARATION, shown, panel)
    controls.finish(DECLARATION, shown, panel=panel.hash)
    st.stop()
picked = cell_picker.picked(DECLARATION, map_rows)

frame.title("Who gets generated?", panel)
frame.notices(used, shown)
st.header(sentences.opening(models, comparison), anchor=False)
if others.varies(models):
    st.caption(texts.NOT_PRINTED)
ties = (
    places.inseparable_pairs(findings.chosen_composite, uncertainty.kept_chosen, names)
    if uncertainty
    else None
)
flip_counts = others.flip_counts(cells, choices)
st.markdown(f"{sentences.flips(models, choices, flip_counts)} {sentences.order(models, ties)}")
for why in sentences.reasons(models):
    st.info(why)
if choices.text("comparator") == "occupational":
    st.info(texts.occupation_note())
frame.departures(DECLARATION, shown, panel)
if choices.text("rule") == "interval" and uncertainty is None:
    st.warning(texts.INTERVAL_RULE_WAITS)
    draw_or_offer(
        panel, statistics, Uncertainty, choices, label="Draw the intervals of the cells", seconds=3
    )
typed.draw(choices)

left, right = st.columns(2, gap="large")
with left:
    frame.chart(
        "models",
        f"Each model against {texts.comparator_name(choices)}",
        lambda colours: charts.model_comparison(
            models, tau=view.tau, unit=f"Composite {unit}", look=view.look(colours)
        ),
        alt_text=texts.models_alt(models),
        lines=lines,
    )
    st.caption(texts.reading(choices) + others.legend)
with right:
    grid = tabulate.grid_table(models, attributes)
    frame.chart(
        "verdicts",
        "Verdicts, planned → now",
        lambda colours: verdict_grid(grid, look=view.look(colours)),
        alt_text=texts.grid_alt(grid),
        lines=lines,
    )
    st.caption(texts.grid_reading(choices))

st.pills(
    "Model in focus below",
    names,
    format_func=plain,
    required=True,
    key=controls.key_of(DECLARATION, "focus"),
    wrap=True,
)

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
                look=view.look(colours),
            ),
            alt_text=texts.path_alt(path),
            lines=lines,
        )
        st.caption(texts.swaps(path, others.swap_counts(path), others.size, ties))
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
                tau=view.tau,
                unit=f"Tolerance: {unit}",
                names=texts.threshold_names(choices),
                look=view.look(colours),
            ),
            alt_text=texts.threshold_alt(models, focus, choices),
            lines=lines,
        )
        shares = others.shares_changed(models, view.focus_index)
        st.caption(texts.share_changed(shares, focus, choices))

left, right = st.columns(2, gap="large")
with left:
    frame.chart(
        "cells",
        f"Every cell of {focus}: click one",
        lambda colours: charts.cell_map(
            map_rows, unit=unit, selected=picked.keys, look=view.look(colours)
        ),
        alt_text=texts.map_alt(map_rows, focus),
        lines=lines,
        select=charts.CELL_SELECTION,
    )
    st.caption(texts.map_reading(choices))
with right:
    cell_picker.draw(DECLARATION, map_rows)
    composition = tabulate.composition_table(findings, view.focus_index, picked.cell)
    frame.chart(
        "composition",
        f"{picked.label}, {focus}",
        lambda colours: charts.composition_bars(
            composition,
            names=(texts.RESIDENT, texts.comparator_name(choices)),
            look=view.look(colours),
        ),
        alt_text=texts.composition_alt(composition, picked.label),
        lines=lines,
    )
    states = tabulate.state_counts(findings, view.focus_index, picked.cell)
    st.caption(texts.cell_facts(picked.row, states, choices))
    st.caption(texts.sources_note(findings, picked.cell))
    if panel.provenance.kind == "reconstructed":
        st.caption(f"{texts.ONE_POSSIBILITY} {texts.agreement_line(picked.row)}")

st.pills("Look further", list(SECTIONS), key=controls.key_of(DECLARATION, "section"), wrap=True)
if section:
    SECTIONS[section](view)
tables.levels(
    {
        "Models": lambda: models,
        "Attributes": lambda: attributes,
        "Contexts": lambda: tabulate.context_table(comparison),
        "Cells": lambda: cells,
    },
    name=STUDY,
    lines=lines,
)
with st.expander("What this study cannot say"):
    st.markdown("\n".join(f"- {text}" for text in texts.CANNOT_SAY))
controls.finish(DECLARATION, shown, panel=panel.hash)
