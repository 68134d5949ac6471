"""Which verdicts survive the gate, the margin and a second run."""

from __future__ import annotations

import polars as pl
import streamlit as st

from core.studies.about import study
from core.studies.clauses import reconstructions, sentences, texts, unchanged
from core.studies.clauses import tables as tabulate
from core.studies.clauses.choices import DECLARATION, with_known_names
from core.studies.clauses.claims import CLAIMS, key_of
from core.studies.clauses.design import HYPOTHESES, RUNS
from core.studies.clauses.estimate import analyse
from core.studies.clauses.reconstructions import Ensemble
from core.views.clauses import forest_chart, ladder_chart, matrix_chart
from core.words import plain
from pages.parts import controls, frame, hinge_notes, tables
from pages.parts.panels import clause_statistics, in_use, twins
from pages.sections.clauses import OF_THE_STUDY, SECTIONS, ClauseView

STUDY = DECLARATION.study

controls.restore(DECLARATION, study(STUDY).views)
used = in_use(STUDY, "determinations")
panel = used.panel
statistics = clause_statistics(panel)
names = tabulate.names_of(statistics)
shown = controls.draw(DECLARATION, held={"runs": statistics.runs})
choices = shown.choices
before = controls.before_change(DECLARATION, choices)

documented = panel.provenance.kind == "reconstructed"
others = [clause_statistics(p) for p in twins(panel)]
ensemble = Ensemble((statistics, *others), documented, panel.provenance.pinned_ids)
findings = analyse(statistics, choices)
comparison = tabulate.compare(statistics, findings, documented=documented)
cells = reconstructions.with_basis(tabulate.cell_table(comparison), ensemble, choices)
visible = cells.filter("shown")
lines = frame.export_lines(panel, DECLARATION, shown)
runs = visible["run"].unique(maintain_order=True).to_list()
if not runs:
    frame.title("Which verdicts survive?", panel)
    frame.notices(used, shown)
    st.warning(texts.NO_RUN)
    frame.departures(DECLARATION, shown, panel, place=frame.row())
    controls.finish(DECLARATION, shown, panel=panel.hash)
    st.stop()
run = controls.view(DECLARATION, "run", runs, default=runs[-1])
lost = tabulate.lost_to_the_gate(comparison, run)
focus = controls.view(DECLARATION, "focus", names, default=[*lost, names[0]][0])
hypothesis = controls.view(DECLARATION, "hypothesis", HYPOTHESES, default="H2")
section = controls.view(DECLARATION, "section", ["", *SECTIONS], default="")


frame.title("Which verdicts survive?", panel)
frame.notices(used, shown)
with frame.sentences():
    opening = sentences.opening(ensemble, choices)
    st.header(opening, anchor=False)
    counts = reconstructions.support_counts(ensemble, choices)
    moved = sentences.departed(before, choices)
    last = sentences.last_change(ensemble, before, choices) if moved else ""
    frame.paragraphs(
        sentences.counts(counts, documented=documented).capitalize(),
        last_change="" if last == opening else last,
    )
    for why in sentences.reasons(visible):
        st.info(why)
    _, unknown = with_known_names(choices, tuple(statistics.column("archetype")))
    if unknown:
        st.warning(texts.not_in_panel(unknown))
frame.departures(DECLARATION, shown, panel, place=frame.row())

columns = st.columns(min(len(runs), 2), gap="large")
for at, name in enumerate(runs):
    with columns[at % len(columns)]:
        matrix = matrix_chart(visible, name, choices, names, focus)
        frame.figure(matrix, lines)
st.caption(matrix.reading)
model_id = statistics.models[names.index(focus)]
hinge_notes.draw(
    panel, CLAIMS.claims(statistics), [key_of((run, model_id, name)) for name in HYPOTHESES]
)
claims, why_lost = st.columns(2, gap="large")
with claims:
    st.subheader("What the five hypotheses claim", anchor=False)
    st.markdown(texts.claims_text())
with why_lost:
    st.subheader("Why a gate can take a verdict away", anchor=False)
    st.markdown(texts.HOLM_IN_WORDS)
    if documented:
        st.markdown(texts.HOLM_HISTORY)
with st.expander("Formulas of the five hypotheses"):
    st.markdown(f"Formulas under the chosen readings:\n\n{texts.formulas(choices)}")

one, two, three = st.columns(3)
with one:
    key = controls.key_of(DECLARATION, "run")
    st.pills("Run below", runs, format_func=plain, required=True, key=key, wrap=True)
with two:
    key = controls.key_of(DECLARATION, "focus")
    st.pills("Model in focus", names, format_func=plain, required=True, key=key, wrap=True)
with three:
    key = controls.key_of(DECLARATION, "hypothesis")
    st.pills("Hypothesis", HYPOTHESES, required=True, key=key, wrap=True)

left, right = st.columns(2, gap="large")
with left:
    forest = forest_chart(visible, run, choices, names, focus)
    frame.explained(forest, lines)
with right:
    ladder = ladder_chart(comparison, run, focus, hypothesis)
    if ladder is None:
        st.info(texts.no_ladder(focus, run))
    else:
        frame.explained(ladder, lines)
    if hypothesis == "H2" and run == RUNS[-1]:
        control = unchanged.paired(statistics, choices, "opaque")
        if not isinstance(control, str):
            st.caption(texts.control_note(control))
    mine = visible.filter((pl.col("run") == run) & (pl.col("model") == focus))
    frame.table(tabulate.verdict_view(mine), alt_text="Estimates, p-values and verdicts in focus")
bounded = choices.text("missing") == "worst_case"
frame.table(tabulate.basis_view(mine, bounded=bounded), alt_text="What stands behind the estimates")

st.pills("Look further", list(SECTIONS), key=controls.key_of(DECLARATION, "section"), wrap=True)
if section:
    view = ClauseView(
        panel,
        statistics,
        findings,
        comparison,
        visible,
        ensemble,
        names,
        focus,
        run,
        hypothesis,
        lines,
    )
    if documented:
        st.caption(texts.ONE_POSSIBILITY)
    elif section in OF_THE_STUDY:
        st.caption(texts.OF_THE_STUDY)
    SECTIONS[section](view)
tables.levels(
    {"Verdicts": lambda: visible, "Equivalence": lambda: tabulate.equivalence_table(comparison)},
    name=STUDY,
    lines=lines,
)
frame.limits(texts.LIMITS, panel)
controls.finish(DECLARATION, shown, panel=panel.hash)
