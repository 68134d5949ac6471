"""How probabilities become decisions, and which answers go to people."""

from __future__ import annotations

import polars as pl
import streamlit as st

from core.charts.remedies import curves
from core.studies.remedies import curve, section_texts, shown, shown_variation, texts
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.design import system_name
from core.studies.remedies.referral import referral_table
from core.words import plain
from pages.parts import controls, frame
from pages.parts.remedy_view import RemedyView, as_printed, draw_dots, draw_table, warn


def rules(view: RemedyView) -> None:
    """Draw what every rule pays and costs."""
    st.markdown(texts.RULES)
    found = view.findings
    decider = shown.graded_in_focus(view.statistics, found.deciders, view.choices)
    if decider is None:
        st.info(section_texts.NO_GRADED)
        return
    lines = curve.threshold_curve(view.statistics, found.panel, decider, view.choices)
    table = curve.rule_table(view.statistics, found.panel, found.deciders, view.choices)
    row = shown.rule_in_use(table, decider)
    at = shown.threshold_in_use(lines, None if row is None else row["rate"], view.choices)
    with st.container(horizontal=True, gap="small"):
        model = system_name(shown.matched_model(view.statistics, found.panel, decider))
        if model:
            st.button(
                f"Match the volume of {plain(model)}",
                on_click=_set,
                args=({"rule": "matched", "shift": 0.0},),
                icon=":material/balance:",
                help="Pay as many texts; ties at the threshold are broken by a seeded draw.",
            )
        st.button(
            "Set the threshold by hand",
            on_click=_set,
            args=({"rule": "threshold", "threshold": shown.to_step(at)},),
            icon=":material/tune:",
            help="The slider then stands in the sidebar.",
        )
    if row is None:
        st.info(shown.why_no_rule(table, decider))
    else:
        line = section_texts.rule_line(row, shown.name(decider))
        st.markdown(f"**{plain(line)}**")
        points = shown.rule_points(row, at)
        frames = shown.rule_lines(lines)
        left, right = st.columns(2, gap="large")
        for column, name, title, unit, own, marks in (
            (left, "volume", "What a rule pays", section_texts.VOLUME_AXIS, frames[0], points[0]),
            (right, "cost", "What it costs", section_texts.COST_AXIS, frames[1], points[1]),
        ):
            with column:
                frame.chart(
                    f"rules-{name}",
                    title,
                    lambda colours, own=own, marks=marks, unit=unit: curves(  # type: ignore[misc]
                        own,
                        marks,
                        unit=unit,
                        along=section_texts.THRESHOLD_AXIS,
                        look=view.look_on(colours, decider),
                        at=at,
                    ),
                    alt_text=line,
                    lines=view.lines,
                    rows=lines,
                )
        st.caption(section_texts.RULES_READING)
    draw_table(
        shown.rules(table, decider),
        alt_text="Every rule on the texts in focus",
        each=_each(view, decider.bank),
        column="differ",
        decimals=1,
        scale=100,
    )
    st.caption(section_texts.RANGE_OF_PAIRS)
    frame.table_downloads("rules", table, view.lines)
    warn("rules")
    as_printed(view, "rules")


def _each(view: RemedyView, bank: str) -> list[pl.DataFrame]:
    """Give the pairs that differ on the texts of one bank, by rule, in every reconstruction."""
    own = tuple(d for d in view.findings.deciders if d.bank == bank)
    panel, choices = view.findings.panel, view.choices
    return view.each(lambda statistics: curve.rule_pairs(statistics, panel, own, choices))


def _set(values: dict[str, str | float]) -> None:
    for key, value in values.items():
        controls.set_one(DECLARATION, key, value)


def referral(view: RemedyView) -> None:
    """Draw whom a referral of uncertain answers reaches."""
    st.markdown(texts.REFERRAL)
    found = view.findings
    decider = shown.graded_in_focus(view.statistics, found.deciders, view.choices)
    if decider is None:
        st.info(section_texts.NO_GRADED)
        return
    controls.place(DECLARATION, "referral")
    each = view.each(lambda own: referral_table(own, found.panel, decider, view.choices))
    table = each[0]
    left, right = st.columns(2, gap="large")
    with left:
        draw_dots(
            view,
            "referral",
            f"Who is referred, {shown.name(decider)}",
            shown_variation.referrals(table),
            section_texts.REFERRAL_AXIS,
            line=0.0,
            round_to=2.0,
        )
    with right:
        draw_table(
            shown_variation.referral_list(table),
            alt_text="Shares referred by style",
            each=each,
            column="gap",
            decimals=2,
            scale=100,
        )
        frame.table_downloads("referral", table, view.lines)
    warn("referral")
    as_printed(view, "referral")
