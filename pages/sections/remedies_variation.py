"""Where answers vary: components, systematic disparity, distances between answers."""

from __future__ import annotations

import streamlit as st

from core.studies.remedies import design, section_texts, shown, texts
from core.studies.remedies import disparity as disparities
from core.studies.remedies import distances as apart_by
from core.studies.remedies import shown_variation as tabled
from core.studies.remedies import variation as components
from core.studies.remedies.choices import DECLARATION
from pages.parts import controls, frame
from pages.parts.remedy_view import RemedyView, as_printed, draw_dots, draw_table, mover, warn


def variation(view: RemedyView) -> None:
    """Draw the parts of the variation within complaints, and let terms be moved."""
    st.markdown(texts.VARIATION)
    one, two = st.columns(2)
    with one:
        controls.place(DECLARATION, "component_outcome")
    with two:
        controls.place(DECLARATION, "component_draws")
    system = shown.graded_system(view.statistics, view.findings.deciders, view.choices)
    if system is None:
        st.info(section_texts.NO_GRADED)
        return
    where = view.findings.panel, system, view.choices
    found = components.variation(view.statistics, *where)
    if isinstance(found, str):
        st.info(f"Cannot compute: {found}")
        return
    if found.layout.note:
        st.info(found.layout.note)
    parts = components.part_table(found, view.choices)
    terms = components.term_table(found, view.choices)
    left, right = st.columns(2, gap="large")
    with left:
        draw_dots(
            view,
            "parts",
            f"Sources of variation, {design.system_name(system)}",
            tabled.parts(parts),
            section_texts.PART_AXIS,
            has_planned=bool(parts["moved"].any()),
            round_to=5.0,
        )
        st.caption(section_texts.PARTS_READING)
    with right:
        draw_table(
            tabled.part_list(parts),
            alt_text="Parts with their terms and shares",
            each=view.each(lambda own: tabled.parts_of(own, *where)),
            column="share",
            decimals=1,
            scale=100,
        )
        frame.table_downloads("parts", parts, view.lines)
        terms_of = design.term_parts()
        mover("moves", "term", terms_of, names={}, places=design.part_names())
    st.caption(section_texts.TERMS_READING)
    frame.table(tabled.terms(terms), alt_text="Every component before truncation")
    frame.table_downloads("terms", terms, view.lines)
    warn("variation")
    as_printed(view, "variation")


def disparity(view: RemedyView) -> None:
    """Draw differences of D with both bootstraps."""
    st.markdown(texts.DISPARITY)
    st.markdown(disparities.WHY_THEY_DIFFER)
    panel = view.findings.panel
    each = view.each(lambda own: disparities.disparity_table(own, panel, view.choices))
    table = each[0]
    if table.is_empty():
        st.info(section_texts.NO_GRADED)
        return
    left, right = st.columns(2, gap="large")
    with left:
        draw_dots(
            view,
            "disparity",
            "Differences of D, both bootstraps",
            tabled.differences_of_d(table),
            section_texts.D_AXIS,
            line=0.0,
            round_to=0.01,
        )
        st.caption(section_texts.D_READING)
    with right:
        controls.place(DECLARATION, "noise")
        residuals = disparities.residual_table(view.statistics, panel, view.choices)
        draw_dots(
            view,
            "residuals",
            "Residual share (H3a)",
            tabled.residuals(residuals),
            section_texts.RESIDUAL_AXIS,
        )
        st.caption(section_texts.RESIDUAL_READING)
        frame.table_downloads("residuals", residuals, view.lines)
    draw_table(
        tabled.disparity(table),
        alt_text="Differences of D with both intervals",
        each=each,
        column="difference",
    )
    frame.table_downloads("disparity", table, view.lines)
    warn("disparity")
    as_printed(view, "disparity")


def apart(view: RemedyView) -> None:
    """Draw how far two answers to the same complaint lie apart."""
    st.markdown(section_texts.DISTANCES)
    panel = view.findings.panel
    decider = shown.graded_in_focus(view.statistics, view.findings.deciders, view.choices)
    if decider is None:
        st.info(section_texts.NO_GRADED)
        return
    found = apart_by.excess(view.statistics, panel, decider.system, view.choices)
    if isinstance(found, str):
        st.info(f"Cannot compute H1: {found}")
    else:
        st.markdown(f"**{section_texts.excess_line(found, view.choices)}**")
    each = view.each(lambda own: apart_by.distance_table(own, panel, decider.system, view.choices))
    table = each[0]
    orders = apart_by.order_table(view.statistics, panel, decider.system)
    left, right = st.columns(2, gap="large")
    with left:
        draw_dots(
            view,
            "distances",
            "How far two answers lie apart",
            tabled.distances(table),
            section_texts.DISTANCE_AXIS,
        )
        st.caption(section_texts.DISTANCES_READING)
    with right:
        st.markdown(
            section_texts.hidden_line(
                *apart_by.hidden_variation(
                    view.statistics, panel, *decider, view.choices, section_texts.WIDE
                ),
                apart_by.order_unanimity(view.statistics, panel, *decider),
            )
        )
        st.subheader("The mean answer under each option order", anchor=False)
        frame.table(tabled.orders(orders), alt_text="Mean answer by option order and texts")
        frame.table_downloads("orders", orders, view.lines)
    draw_table(
        tabled.distance_list(table),
        alt_text="Mean distances between two answers",
        each=each,
        column="distance",
    )
    frame.table_downloads("distances", table, view.lines)
    warn("apart")
    as_printed(view, "apart")
