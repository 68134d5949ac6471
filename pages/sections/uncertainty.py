"""How sure the numbers are: bootstrap, exact-alignment reference, wrong labels."""

from __future__ import annotations

import streamlit as st

from core.charts.dots import dots
from core.studies.composition import further
from core.studies.composition import section_texts as texts
from core.studies.composition.choices import DECLARATION
from core.studies.composition.kept import Perturbation, Reference, Uncertainty
from pages.parts import controls, frame
from pages.parts.view import View, draw_or_offer


def draw(view: View) -> None:
    st.markdown(texts.UNCERTAINTY_INTRO)
    left, right = st.columns(2, gap="large")
    with left:
        one, two = st.columns(2)
        with one:
            controls.place(DECLARATION, "draws")
        with two:
            controls.place(DECLARATION, "seed")
        _bootstrap(view)
    with right:
        one, two = st.columns(2)
        with one:
            controls.place(DECLARATION, "mechanism")
        with two:
            controls.place(DECLARATION, "rate")
        _wrong_labels(view)


def _bootstrap(view: View) -> None:
    found = draw_or_offer(
        view.panel,
        view.statistics,
        Uncertainty,
        view.choices,
        label="Draw the bootstrap for these choices",
        seconds=3,
    )
    if found is None:
        return
    frame.chart(
        "intervals",
        "Composites with 95% bootstrap intervals",
        lambda colours: dots(
            further.interval_rows(view.findings, found, view.names),
            unit=view.unit,
            look=view.look(colours),
        ),
        alt_text=texts.intervals_alt(view.findings, found, view.names),
        lines=view.lines,
    )
    st.caption(texts.separable_line(view.findings, found, view.names))
    reference = draw_or_offer(
        view.panel,
        view.statistics,
        Reference,
        view.choices,
        label="Draw what an exactly aligned model would score",
        seconds=10,
    )
    if reference is not None:
        st.caption(texts.reference_line(reference, view.names, view.choices))
    rows = further.interval_table(view.findings, found, reference, view.names)
    frame.table(rows, alt_text="Scores, intervals and possible places of each model")
    frame.table_downloads("uncertainty", rows, view.lines)


def _wrong_labels(view: View) -> None:
    found = draw_or_offer(
        view.panel,
        view.statistics,
        Perturbation,
        view.choices,
        label="Draw scores with wrong labels",
        seconds=1,
    )
    if found is None:
        return
    frame.chart(
        "wrong-labels",
        "If some labels are wrong",
        lambda colours: dots(
            further.perturbation_rows(view.findings, found, view.names),
            unit=view.unit,
            look=view.look(colours),
        ),
        alt_text="Composites and average cell change of each model without and with wrong labels.",
        lines=view.lines,
    )
    st.caption(texts.WRONG_LABELS_NOTE)
