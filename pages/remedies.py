"""The same facts in another style: who gets another remedy."""

from __future__ import annotations

import streamlit as st

from core.studies.about import study
from core.studies.remedies import reconstructions, section_texts, sentences, shown, texts
from core.studies.remedies import tables as tabulate
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.claims import CLAIMS, of_decider
from core.studies.remedies.estimate import analyse
from core.studies.remedies.reconstructions import Ensemble
from core.views.remedies import gaps_chart, instability_chart
from pages.parts import controls, frame, hinge_notes, tables
from pages.parts.panels import in_use, remedy_statistics, twins
from pages.parts.remedy_view import RemedyView, warn
from pages.sections.remedies import SECTIONS

STUDY = DECLARATION.study
TITLE = "Same facts, another remedy?"

controls.restore(DECLARATION, study(STUDY).views)
used = in_use(STUDY, "decisions")
panel = used.panel
statistics = remedy_statistics(panel)
said = controls.draw(DECLARATION)
choices = said.choices
before = controls.before_change(DECLARATION, choices)
section = controls.view(DECLARATION, "section", ["", *SECTIONS], default="")

documented = panel.provenance.kind == "reconstructed"
others = [remedy_statistics(other) for other in twins(panel)]
ensemble = Ensemble((statistics, *others), documented, panel.provenance.pinned_ids)
findings = analyse(statistics, choices)
lines = frame.export_lines(panel, DECLARATION, said)

frame.title(TITLE, panel)
frame.notices(used, said)
if not findings.deciders:
    st.warning(section_texts.NO_GUISES)
    frame.departures(DECLARATION, said, panel, place=frame.row())
    controls.finish(DECLARATION, said, panel=panel.hash)
    st.stop()

comparison = tabulate.compare(statistics, findings)
both = tabulate.scale_table(findings)
material = reconstructions.material_with_basis(
    tabulate.material_table(comparison), ensemble, choices
)
instability = reconstructions.instability_with_basis(
    tabulate.instability_table(comparison), ensemble, choices
)
focus = shown.in_focus(findings.deciders, choices)


with frame.sentences():
    st.header(sentences.opening(ensemble, choices), anchor=False)
    moved = shown.is_moved(before, choices)
    frame.paragraphs(
        sentences.standing(findings),
        sentences.departures(ensemble, choices),
        last_change=sentences.last_change(ensemble, before, choices) if moved else "",
    )
    for why in sentences.reasons(both):
        st.info(why)
frame.departures(DECLARATION, said, panel, place=frame.row())

left, right = st.columns(2, gap="large")
with left:
    gaps = gaps_chart(material, findings)
    frame.figure(gaps, lines)
    st.caption(gaps.reading)
with right:
    unstable = instability_chart(instability, findings)
    frame.figure(unstable, lines)
    st.caption(unstable.reading)
st.markdown(texts.TWO_SCALES)
frame.table(shown.both_scales(both, material, instability), alt_text="Both scales of every decider")
if documented:
    st.caption(section_texts.BASIS_SIGNS)
hinge_notes.draw(panel, CLAIMS.claims(statistics), of_decider(focus, "gap"))
warn("scales")

st.pills("Look further", list(SECTIONS), key=controls.key_of(DECLARATION, "section"), wrap=True)
if section:
    if documented:
        st.caption(section_texts.ONE_POSSIBILITY)
    SECTIONS[section](
        RemedyView(
            panel, statistics, findings, comparison, ensemble, material, instability, focus, lines
        )
    )
tables.levels(
    {
        "Gaps": lambda: material,
        "Instability": lambda: instability,
        "Both scales": lambda: both,
        "Claims": lambda: reconstructions.claims_with_basis(
            tabulate.claim_table(comparison), ensemble, choices
        ),
    },
    name=STUDY,
    lines=lines,
)
frame.limits(texts.LIMITS, panel)
controls.finish(DECLARATION, said, panel=panel.hash)
