"""Does a label on the same text move a judge's mark."""

from __future__ import annotations

import streamlit as st

from core.studies.about import study
from core.studies.filenames import reconstructions, section_texts, sentences, texts
from core.studies.filenames import shown as views
from core.studies.filenames import tables as tabulate
from core.studies.filenames.choices import DECLARATION, for_page
from core.studies.filenames.claims import CLAIMS
from core.studies.filenames.estimate import analyse, warnings
from core.studies.filenames.reconstructions import Ensemble
from core.views.filenames import forest_chart, grid_chart
from pages.parts import controls, frame, hinge_notes, tables
from pages.parts.panels import in_use, score_statistics, twins
from pages.sections.filenames import SECTIONS, LabelView

STUDY = DECLARATION.study

controls.restore(DECLARATION, study(STUDY).views)
used = in_use(STUDY, "scores")
panel = used.panel
statistics = score_statistics(panel)
shown = controls.draw(DECLARATION)
choices = shown.choices
before = controls.before_change(DECLARATION, for_page(choices))

section = controls.view(DECLARATION, "section", ["", *SECTIONS], default="")

if statistics.in_study(choices.text("study")).is_empty:
    frame.title("Does a label move the mark?", panel)
    frame.notices(used, shown)
    st.warning(texts.no_rows(choices.text("study"), statistics.studies))
    frame.departures(DECLARATION, shown, panel, place=frame.row())
    controls.finish(DECLARATION, shown, panel=panel.hash)
    st.stop()

documented = panel.provenance.kind == "reconstructed"
others = [score_statistics(other) for other in twins(panel)]
ensemble = Ensemble((statistics, *others), documented, panel.provenance.pinned_ids)
findings = analyse(statistics, choices)
comparison = tabulate.compare(statistics, findings)
contrasts = reconstructions.with_basis(tabulate.contrast_table(comparison), ensemble, choices)
names = comparison.names
focus = controls.view(DECLARATION, "focus", names, default=names[0])
lines = frame.export_lines(panel, DECLARATION, shown)


frame.title("Does a label move the mark?", panel)
frame.notices(used, shown)
with frame.sentences():
    st.header(sentences.opening(ensemble, choices), anchor=False)
    moved = sentences.departed(before, choices)
    frame.paragraphs(
        f"{sentences.hinge(ensemble, choices)} {sentences.standing(ensemble, choices)}",
        sentences.departures(ensemble, choices),
        last_change=sentences.last_change(ensemble, before, choices) if moved else "",
    )
    for why in (*sentences.reasons(contrasts), *warnings(findings)):
        st.info(why)
frame.departures(DECLARATION, shown, panel, place=frame.row())

left, right = st.columns(2, gap="large")
with left:
    forest = forest_chart(contrasts, findings, names, focus)
    frame.explained(forest, lines)
with right:
    grid = grid_chart(contrasts, choices, names, focus)
    frame.explained(grid, lines)
    st.subheader("Does multiplicity matter here?", anchor=False)
    st.caption(section_texts.MULTIPLICITY)
    frame.table(
        views.multiplicity(tabulate.multiplicity_table(statistics, choices)),
        alt_text="Significant results under every adjustment and family of tests",
    )
own = f"{choices.text('study')}.{comparison.current.part.judges[names.index(focus)]}."
known = CLAIMS.claims(statistics)
hinge_notes.draw(panel, known, [claim.key for claim in known if claim.key.startswith(own)])
frame.table(
    views.contrasts(contrasts), alt_text="Estimates, p-values and verdicts", height="content"
)
st.caption(section_texts.DETECTABLE)

st.pills(
    "Judge in focus", names, required=True, key=controls.key_of(DECLARATION, "focus"), wrap=True
)
st.pills("Look further", list(SECTIONS), key=controls.key_of(DECLARATION, "section"), wrap=True)
if section:
    if documented:
        st.caption(texts.ONE_POSSIBILITY)
    SECTIONS[section](
        LabelView(panel, statistics, findings, ensemble, contrasts, names, focus, lines)
    )
tables.levels({"Contrasts": lambda: contrasts}, name=STUDY, lines=lines)
frame.limits(texts.LIMITS, panel)
controls.finish(DECLARATION, shown, panel=panel.hash)
