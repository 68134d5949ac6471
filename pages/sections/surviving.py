"""Several comparators at once: which verdicts are the same under all that survive."""

from __future__ import annotations

import streamlit as st

from core.charts.dots import dots
from core.studies.composition import further
from core.studies.composition import section_texts as texts
from core.studies.composition.choices import DECLARATION
from core.studies.composition.surviving import survive
from pages.parts import controls, frame
from pages.parts.view import View


def draw(view: View) -> None:
    st.markdown(texts.SURVIVING_INTRO)
    controls.place(DECLARATION, "survivors")
    comparators = view.choices.many("survivors")
    found = survive(view.statistics, [view.choices.replace(comparator=c) for c in comparators])
    left, right = st.columns(2, gap="large")
    with left:
        frame.chart(
            "surviving",
            "Score of each model under every surviving comparator",
            lambda colours: dots(
                further.surviving_rows(found, view.names),
                unit=f"Composite {view.unit}",
                look=view.look(colours),
                line=view.tau,
            ),
            alt_text="Composite of each model under every surviving comparator.",
            lines=view.lines,
        )
    with right:
        for line in texts.surviving_lines(found, view.names):
            st.markdown(line)
        rows = further.surviving_table(found, view.names)
        frame.table(rows, alt_text="Scores and verdicts over surviving comparators")
        frame.table_downloads("surviving", rows, view.lines)
        st.caption(texts.BOUND_NOTE)
