"""What the outputs without a label could change."""

from __future__ import annotations

import streamlit as st

from core.charts.dots import dots
from core.studies.composition import further
from core.studies.composition import section_texts as texts
from core.studies.composition.choices import DECLARATION
from core.studies.composition.missing_mass import missing_mass
from pages.parts import controls, frame
from pages.parts.view import View


def draw(view: View) -> None:
    st.markdown(texts.MISSING_INTRO)
    left, right = st.columns(2, gap="large")
    found = missing_mass(view.findings)
    eta = view.choices.number("eta")
    with left:
        controls.place(DECLARATION, "eta")
        frame.chart(
            "missing",
            "Scores with the unmapped outputs taken into account",
            lambda colours: dots(
                further.missing_rows(found, eta, view.names),
                unit=view.unit,
                look=view.look(colours),
            ),
            alt_text=texts.missing_alt(found, view.names),
            lines=view.lines,
        )
        st.caption(texts.envelope_line(found, view.names))
    with right:
        outcomes = further.outcome_table(view.findings, view.names)
        st.subheader("What became of the outputs, percent", anchor=False)
        frame.table(outcomes, alt_text="Percent of outputs with each outcome")
        frame.table_downloads("outcomes", outcomes, view.lines)
        rows = further.missing_table(found, eta, view.names)
        frame.table(rows, alt_text="Every summary of the unmapped outputs")
        frame.table_downloads("missing", rows, view.lines)
