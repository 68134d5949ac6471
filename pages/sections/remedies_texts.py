"""Edited, standardised, scored and audited texts, and what was registered about them."""

from __future__ import annotations

import streamlit as st

from core.columns import distinct
from core.studies.remedies import attributes as scores
from core.studies.remedies import audit as audits
from core.studies.remedies import baseline, section_texts, sentences, shown, texts
from core.studies.remedies import channels as paths
from core.studies.remedies import edits as edited
from core.studies.remedies import mitigation as styles
from core.studies.remedies import registration as registered
from core.studies.remedies import shown_experiments as tabled
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.design import CONTRASTS, FAMILIES, attribute_names, families
from core.studies.remedies.formats import SHORT
from core.studies.remedies.hypotheses import decided_table
from core.studies.remedies.recognition import recognised
from core.words import plain
from pages.parts import controls, frame
from pages.parts.remedy_view import RemedyView, as_printed, draw_dots, draw_table, mover, warn


def edits(view: RemedyView) -> None:
    """Draw what changed facts do, beside what changed style does."""
    st.markdown(texts.EDITS)
    each = view.each(lambda own: edited.effect_table(own, view.choices))
    all_spans = view.each(lambda own: edited.span_table(own, view.choices))
    effects, spans = each[0], all_spans[0]
    if effects.is_empty():
        st.info(section_texts.NO_EDITS)
        return
    line = section_texts.fact_line(spans, documented=view.ensemble.documented)
    if line:
        st.markdown(f"**{line}**")
    draw_table(
        tabled.spans(spans),
        alt_text="Fact span beside the largest gap",
        each=all_spans,
        column="span",
        decimals=2,
    )
    frame.table_downloads("spans", spans, view.lines)
    left, right = st.columns(2, gap="large")
    with left:
        draw_dots(
            view,
            "effects",
            "What one changed fact does",
            tabled.effects(effects),
            section_texts.EFFECT_AXIS,
            line=0.0,
        )
    with right:
        draw_table(
            tabled.effect_list(effects),
            alt_text="Effects of edits on every outcome",
            each=each,
            column="effect",
            decimals=2,
        )
        frame.table_downloads("effects", effects, view.lines)
    warn("edits")
    as_printed(view, "edits")


def mitigation(view: RemedyView) -> None:
    """Draw what a standard style does to gaps, instability and facts."""
    st.markdown(texts.MITIGATION)
    who = styles.mitigated(view.statistics)
    if not who:
        st.info(section_texts.NO_MITIGATION)
        return
    controls.place(DECLARATION, "style_rule")
    decider = shown.in_focus(who, view.choices)
    each = view.each(lambda own: styles.arm_table(own, view.choices))
    all_kept = view.each(lambda own: styles.retention_table(own, view.choices))
    table, kept = each[0], all_kept[0]
    turned = sentences.reversals(tabled.in_all(each))
    if turned:
        st.markdown(turned)
    left, right = st.columns(2, gap="large")
    for column, outcome, title, unit, step in (
        (left, "graded", "Graded outcome", section_texts.TIER_GAP_AXIS, 0.01),
        (right, "monetary", "Monetary decision", section_texts.MONEY_GAP_AXIS, 1.0),
    ):
        with column:
            draw_dots(
                view,
                f"arms-{outcome}",
                f"{title}, {shown.name(decider)}",
                tabled.arms(table, decider, outcome),
                unit,
                line=0.0,
                round_to=step,
            )
    st.caption(texts.AVERAGING)
    draw_table(
        tabled.arm_list(table, decider),
        alt_text="Every arm and what is gone",
        each=[tabled.arms_of(own, decider) for own in each],
        column="value",
    )
    frame.table_downloads("arms", table, view.lines)
    st.subheader("Does standardising keep the facts?", anchor=False)
    st.caption(section_texts.RETENTION_READING)
    draw_table(
        tabled.retention(kept),
        alt_text="Fact span kept under a standard style",
        each=all_kept,
        column="retention",
        decimals=2,
    )
    frame.table_downloads("retention", kept, view.lines)
    drift = baseline.drift_table(view.statistics, view.choices)
    if not drift.is_empty():
        st.subheader("Decided again on one day", anchor=False)
        st.caption(section_texts.DRIFT_READING)
        frame.table(tabled.drift(drift), alt_text="Answers of record against fresh ones")
        frame.table_downloads("drift", drift, view.lines)
        again = baseline.reduction_table(view.statistics, view.choices)
        frame.table(tabled.reductions(again), alt_text="Reductions with recorded and fresh answers")
        frame.table_downloads("reductions", again, view.lines)
    warn("mitigation")
    as_printed(view, "mitigation")


def channels(view: RemedyView) -> None:
    """Draw which properties of texts the gaps go with."""
    st.markdown(texts.CHANNELS)
    who = paths.scored_deciders(view.statistics)
    if not who:
        st.info(section_texts.NO_ATTRIBUTES)
        return
    decider = shown.in_focus(who, view.choices)
    each = view.each(lambda own: paths.channel_table(own, decider, view.choices))
    table = each[0]
    for why in distinct(filter(None, table["reason"].to_list())):
        st.info(f"Cannot compute: {plain(why)}")
    left, right = st.columns(2, gap="large")
    with left:
        draw_dots(
            view,
            "channels",
            f"What each gap goes with, {shown.name(decider)}",
            tabled.channels(table),
            section_texts.PART_OF_GAP_AXIS,
            line=0.0,
            round_to=0.01,
        )
        mover(
            "families",
            "property",
            families(),
            names=attribute_names(),
            places={family: family for family in FAMILIES},
        )
    with right:
        controls.place(DECLARATION, "recognised")
        st.markdown(texts.RECOGNISED)
        found = [recognised(view.statistics, decider, c, view.choices) for c in CONTRASTS]
        for own in found:
            if own.reason:
                st.info(f"{SHORT[own.contrast.name].capitalize()}: {plain(own.reason)}")
        cues = tabled.cues(found)
        draw_dots(
            view,
            "recognised",
            "Gaps where the style is recognised",
            cues,
            section_texts.CUE_AXIS,
            line=0.0,
            round_to=0.02,
        )
        st.caption(tabled.recognised_lines(found))
        frame.table_downloads("recognised", cues, view.lines)
    draw_table(
        tabled.channel_list(table),
        alt_text="Parts of every gap",
        each=each,
        column="contribution",
    )
    frame.table_downloads("channels", table, view.lines)
    contrast = controls.view(DECLARATION, "contrast", [c.key for c in CONTRASTS],
                             default="college_minus_high_school")  # fmt: skip
    st.pills(
        "Gap whose properties are listed",
        [c.key for c in CONTRASTS],
        format_func={c.key: SHORT[c.name] for c in CONTRASTS}.__getitem__,
        required=True,
        key=controls.key_of(DECLARATION, "contrast"),
        wrap=True,
    )
    listed = next(c for c in CONTRASTS if c.key == contrast)
    properties = paths.attribute_table(view.statistics, decider, listed, view.choices)
    one, two = st.columns(2, gap="large")
    with one:
        frame.table(tabled.attributes(properties), alt_text="Part of each property")
        frame.table_downloads("properties", properties, view.lines)
    with two:
        st.caption(section_texts.R2_READING)
        r2 = scores.r2_table(view.statistics, decider, view.choices)
        frame.table(tabled.r2(r2), alt_text="How well each family predicts")
        frame.table_downloads("r2", r2, view.lines)
    warn("channels")
    as_printed(view, "channels")


def audit(view: RemedyView) -> None:
    """Draw whether rewrites kept the facts, and instability among those that did."""
    st.markdown(texts.AUDIT)
    who = audits.audited_deciders(view.statistics)
    if not who:
        st.info(section_texts.NO_AUDIT)
        return
    left, right = st.columns(2, gap="large")
    with left:
        controls.place(DECLARATION, "screen")
        each = view.each(lambda own: audits.screen_table(own, view.choices))
        table = each[0]
        draw_dots(
            view,
            "screens",
            "Instability among guises that pass",
            tabled.screens(table),
            section_texts.SCREEN_AXIS,
            line=1.0,
        )
        st.caption(section_texts.SCREEN_READING)
    with right:
        flags = audits.flag_table(view.statistics, view.choices)
        frame.table(tabled.flags(flags), alt_text="Guises called materially changed")
        agreement = audits.agreement_table(view.statistics)
        frame.table(tabled.agreement(agreement), alt_text="How far two auditors agree")
        frame.table_downloads("flags", flags, view.lines)
        frame.table_downloads("agreement", agreement, view.lines)
    draw_table(
        tabled.screen_list(table),
        alt_text="Screened instability by who counts",
        each=each,
        column="ratio",
        decimals=2,
    )
    frame.table_downloads("screens", table, view.lines)
    one, two = st.columns(2, gap="large")
    with one:
        st.subheader("Flags by style", anchor=False)
        levels = audits.level_flags(view.statistics)
        frame.table(tabled.level_flags(levels), alt_text="Flags by style")
        frame.table_downloads("flags-by-style", levels, view.lines)
    with two:
        for kind, title in (("edit", "Known edits"), ("standardised", "Standardised texts")):
            st.subheader(f"{title} that are flagged", anchor=False)
            rows = audits.other_flags(view.statistics, kind, view.choices)
            frame.table(tabled.flags(rows), alt_text=f"{title} that auditors flag")
            frame.table_downloads(f"flags-{kind}", rows, view.lines)
    warn("audit")
    as_printed(view, "audit")


def registration(view: RemedyView) -> None:
    """List all hypotheses and what became of them."""
    st.badge("published", color="green")
    st.markdown(texts.REGISTRATION)
    rows = registered.registration_table()
    each = view.each(lambda own: decided_table(own, view.choices))
    st.markdown(tabled.registration_counts(rows, each[0]))
    st.caption(section_texts.REGISTRATION_READING)
    shown_here = tabled.registration(rows, each)
    frame.table(
        shown_here,
        alt_text="All 30 hypotheses with status and result",
        height="content",
    )
    frame.table_downloads("registration", shown_here, view.lines)
    st.subheader("What was registered, run and corrected, in order", anchor=False)
    events = registered.chronology_table()
    frame.table(events, alt_text="Timeline in UTC")
    frame.table_downloads("chronology", events, [*view.lines, "Kind: published"])
    warn("registration")
