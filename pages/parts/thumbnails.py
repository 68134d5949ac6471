"""One live thumbnail for each study, from its first shipped panel as its page opens."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.charts import composition as charts
from core.charts.grid import verdict_grid
from core.charts.marks import Look
from core.charts.remedies import look_of, scales
from core.panels.read import Panel
from core.studies import about
from core.studies.clauses import reconstructions as clause_basis
from core.studies.clauses import sentences as clause_sentences
from core.studies.clauses import tables as clause_tables
from core.studies.clauses import texts as clause_texts
from core.studies.clauses.choices import DECLARATION as CLAUSES
from core.studies.clauses.choices import INTERVAL_ALONE
from core.studies.clauses.estimate import analyse as analyse_clauses
from core.studies.composition import sentences, texts
from core.studies.composition import tables as tabulate
from core.studies.composition.choices import DECLARATION as COMPOSITION
from core.studies.composition.estimate import analyse
from core.studies.filenames import reconstructions as label_basis
from core.studies.filenames import sentences as label_sentences
from core.studies.filenames import tables as label_tables
from core.studies.filenames.choices import DECLARATION as LABELS
from core.studies.filenames.estimate import analyse as analyse_labels
from core.studies.filenames.section_texts import contrast_alt
from core.studies.remedies import reconstructions as remedy_basis
from core.studies.remedies import section_texts as remedy_texts
from core.studies.remedies import sentences as remedy_sentences
from core.studies.remedies import shown as remedy_shown
from core.studies.remedies import tables as remedy_tables
from core.studies.remedies.choices import DECLARATION as REMEDIES
from core.studies.remedies.estimate import analyse as analyse_remedies
from pages.parts import frame
from pages.parts.panels import (
    catalogue,
    cell_statistics,
    clause_statistics,
    get,
    remedy_statistics,
    score_statistics,
    twins,
)

PAGES = Path(__file__).resolve().parent.parent


def composition() -> None:
    study = about.study("composition")
    panel = _first(study)
    statistics = cell_statistics(panel)
    opening = COMPOSITION.opening
    comparison = tabulate.compare(statistics, analyse(statistics, opening))
    models = tabulate.with_basis(tabulate.model_table(comparison), None, 1)
    frame.title(study.title, panel, level=3)
    st.markdown(f"**{sentences.opening(models, comparison)}**")
    look = Look(frame.colours(), tuple(comparison.names), comparison.names[0])
    st.vega_lite_chart(
        spec=charts.model_comparison(
            models,
            tau=opening.number("tau"),
            unit=f"Composite {texts.measure_axis(opening)}",
            look=look,
        ).for_page(),
        alt=texts.models_alt(models),
        key="overview-composition",
    )
    st.caption(texts.reading(opening))
    _link("composition", "Swap the comparator yourself")


def clauses() -> None:
    study = about.study("clauses")
    panel = _first(study)
    statistics = clause_statistics(panel)
    others = [clause_statistics(other) for other in twins(panel)]
    ensemble = clause_basis.Ensemble((statistics, *others), True, panel.provenance.pinned_ids)
    off = CLAUSES.planned.replace(gate=INTERVAL_ALONE)
    comparison = clause_tables.compare(
        statistics, analyse_clauses(statistics, off), documented=True
    )
    cells = clause_basis.with_basis(clause_tables.cell_table(comparison), ensemble, off)
    run = statistics.runs[-1]
    frame.title(study.title, panel, level=3)
    st.markdown(f"**{clause_sentences.opening(ensemble, off)}**")
    look = Look(frame.colours(), tuple(comparison.names), comparison.names[0])
    st.vega_lite_chart(
        spec=verdict_grid(clause_tables.grid_table(cells, run), look=look).for_page(),
        alt=clause_texts.matrix_alt(cells, run),
        key="overview-clauses",
    )
    st.caption(clause_texts.matrix_reading(off, ""))
    _link("clauses", "Turn the gate on and off yourself")


def filenames() -> None:
    study = about.study("filenames")
    panel = _first(study)
    statistics = score_statistics(panel)
    others = [score_statistics(other) for other in twins(panel)]
    ensemble = label_basis.Ensemble((statistics, *others), True, panel.provenance.pinned_ids)
    comparison = label_tables.compare(statistics, analyse_labels(statistics, LABELS.planned))
    contrasts = label_basis.with_basis(
        label_tables.contrast_table(comparison), ensemble, LABELS.planned
    )
    frame.title(study.title, panel, level=3)
    st.markdown(f"**{label_sentences.opening(ensemble, LABELS.planned)}**")
    look = Look(frame.colours(), tuple(comparison.names), comparison.names[0])
    st.vega_lite_chart(
        spec=verdict_grid(label_tables.grid_table(contrasts), look=look).for_page(),
        alt=contrast_alt(contrasts),
        key="overview-filenames",
    )
    _link("filenames", "See which label lifts which judge")


def remedies() -> None:
    study = about.study("remedies")
    panel = _first(study)
    statistics = remedy_statistics(panel)
    # The others take seconds to read, and the sentence rests on printed figures alone.
    ensemble = remedy_basis.Ensemble((statistics,), True, panel.provenance.pinned_ids)
    findings = analyse_remedies(statistics, REMEDIES.planned)
    comparison = remedy_tables.compare(statistics, findings)
    instability = remedy_basis.instability_with_basis(
        remedy_tables.instability_table(comparison), ensemble, REMEDIES.planned
    )
    names = remedy_shown.names(findings.deciders)
    frame.title(study.title, panel, level=3)
    st.markdown(f"**{remedy_sentences.opening(ensemble, REMEDIES.planned)}**")
    look = look_of(frame.colours(), names, [d.system for d in findings.deciders], names[0])
    st.vega_lite_chart(
        spec=scales(
            remedy_shown.instability_rows(instability),
            unit=remedy_texts.INSTABILITY_AXIS,
            look=look,
            round_to=5.0,
            least=(0.0, 5.0),
        ).for_page(),
        alt=remedy_texts.instability_alt(instability),
        key="overview-remedies",
    )
    st.caption(remedy_texts.THUMBNAIL)
    _link("remedies", "Move the bound and the rule yourself")


ALL = (composition, clauses, filenames, remedies)


def _first(study: about.Study) -> Panel:
    panel = get(study.name, study.table, catalogue(study.name, study.table)[0].hash)
    assert panel is not None
    return panel


def _link(name: str, label: str) -> None:
    st.page_link(PAGES / f"{name}.py", label=label, icon=":material/arrow_forward:")
