"""The same facts in another style: who gets another remedy."""

from __future__ import annotations

import streamlit as st

from core.studies.about import study
from core.studies.remedies import reconstructions, section_texts, sentences, shown, texts
from core.studies.remedies import tables as tabulate
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.estimate import analyse
from core.studies.remedies.reconstructions import Ensemble
from pages.parts import controls, frame, tables
from pages.parts.panels import in_use, remedy_statistics, twins
from pages.parts.remedy_view import RemedyView
from pages.sections.remedies import PUBLISHED_ONLY, SCALES, SECTIONS

STUDY = DECLARATION.study
TITLE = "Same facts, another remedy?"

controls.restore(DECLARATION, study(STUDY).views)
used = in_use(STUDY, "decisions")
panel = used.panel
statistics = remedy_statistics(panel)
said = controls.draw(DECLARATION)
choices = said.choices
before = controls.before_change(DECLARATION, choices)
section = controls.view(DECLARATION, "section", list(SECTIONS), default=SCALES)

documented = panel.provenance.kind == "reconstructed"
others = [remedy_statistics(other) for other in twins(panel)]
ensemble = Ensemble((statistics, *others), documented, panel.provenance.pinned_ids)
findings = analyse(statistics, choices)
lines = frame.export_lines(panel, DECLARATION, said)

frame.title(TITLE, panel)
notices = st.container()
if not findings.deciders:
    frame.notices(used, said)
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

st.pills(
    "Part of the study",
    list(SECTIONS),
    required=True,
    key=controls.key_of(DECLARATION, "section"),
    wrap=True,
)
if documented and section not in {SCALES, PUBLISHED_ONLY}:
    st.caption(section_texts.ONE_POSSIBILITY)
SECTIONS[section](
    RemedyView(
        panel, statistics, findings, comparison, ensemble, both, material, instability, focus, lines
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
# Last, since a part of the page looks at settings of its own.
with notices:
    frame.notices(used, said)
controls.finish(DECLARATION, said, panel=panel.hash)
