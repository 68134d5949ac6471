"""Guided tours: one view after another, each with what it says and why it may be said."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.words import plain
from pages.parts import frame, tour
from pages.parts.tour import Tour

asked = tour.asked()
shown = Tour(asked.story, asked.step, tour.panels(asked))
told = shown.told

tour.choose(asked)
frame.title(shown.story.title, told.panel)
for warning in (*shown.missing, *(plain(repair.sentence()) for repair in asked.repairs)):
    st.warning(warning)
if told.holds:
    st.header(plain(told.headline), anchor=False)
    st.markdown(plain(told.text))
else:
    st.header("This step does not hold for the panel in use", anchor=False)
    st.warning(tour.why_not(told))

with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    tour.move(shown, -1, "Back", "Left")
    st.markdown(f"Step {shown.step + 1} of {len(shown.story.steps)}", width="content")
    tour.move(shown, 1, "Next", "Right")
    tour.open_view(told)
    tour.cite(shown)
    tour.report(shown)
    st.toggle("Presenter notes", key=tour.NOTES)
if st.session_state.get(tour.NOTES):
    st.info(plain(told.step.notes), icon=":material/co_present:")

chart = told.chart
if chart is not None:
    frame.explained(replace(chart, name=f"story-{chart.name}"), tour.lines(told))
st.caption(tour.behind(told))
frame.limits(told.view.limits, told.panel)
tour.finish(shown)
