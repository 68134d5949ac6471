"""Curves, edits, mitigation, variation, channels, audit: against definitions and hand counts."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import polars as pl
import pytest

from core.charts.remedies import look_of, scales
from core.charts.theme import LIGHT
from core.choices import Choices
from core.studies.about import study
from core.studies.remedies import (
    attributes,
    audit,
    baseline,
    channels,
    curve,
    disparity,
    distances,
    edits,
    hypotheses,
    mitigation,
    recognition,
    referral,
    registration,
    section_texts,
    shown_experiments,
    texts,
    variation,
)
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.contract import ATTRIBUTES
from core.studies.remedies.design import CONTRASTS, families, in_level, part_names, term_parts
from core.studies.remedies.parts import read_attribute_moves, read_term_moves
from core.studies.remedies.reduce import Statistics, Texts, reduce_remedies
from core.studies.remedies.rules import decide
from core.studies.remedies.scales import Decider, deciders, money
from tests.core.remedy_panels import (
    AUDITORS,
    FIVE,
    JEV,
    MINI,
    audit_of,
    drawn,
    everything,
    keys,
    labels,
    shares,
    with_experiments,
)

PLANNED = DECLARATION.planned
COUNT = 30
HOLDOUT = "holdout"
ON_OWN, ON_MINI = Decider(MINI, MINI), Decider(JEV, MINI)


@cache
def rows() -> pl.DataFrame:
    return with_experiments(2, COUNT)


@cache
def statistics() -> Statistics:
    return everything(2, COUNT)


def ruled(rule: str, **changes: float) -> Choices:
    return PLANNED.replace(rule=rule, **changes)


@pytest.mark.parametrize("threshold", [0.05, 0.2, 0.31, 0.5])
def test_the_curve_is_the_rule_at_every_threshold(threshold: float) -> None:
    table = curve.threshold_curve(statistics(), HOLDOUT, ON_MINI, ruled("threshold"))
    row = table.filter((pl.col("threshold") - threshold).abs() < 1e-9).row(0, named=True)
    choices = ruled("threshold", threshold=threshold)
    found = money(statistics(), HOLDOUT, ON_MINI, choices)
    assert row["rate"] == pytest.approx(found.rate.estimate[0])
    assert row["differ"] == pytest.approx(found.differ.estimate[0])
    assert row["mixed"] == pytest.approx(found.mixed.estimate[0])
    gaps = [row[c.key] for c in CONTRASTS]
    assert gaps == pytest.approx(found.gaps.estimate, abs=1e-12)
    assert row["largest_gap"] == pytest.approx(np.abs(found.gaps.estimate).max())
    facts = edits.span(statistics(), ON_MINI, edits.MONEY, choices)
    assert row["span"] == pytest.approx(facts.found.estimate[0])
    quick = edits.mean_span(statistics(), ON_MINI, edits.MONEY, choices)
    assert quick == pytest.approx(facts.found.estimate[0])


def test_the_averaged_curve_passes_through_the_matched_volume() -> None:
    choices = ruled("mean6")
    table = curve.threshold_curve(statistics(), HOLDOUT, ON_MINI, choices)
    assert table.height == 600
    rate = money(statistics(), HOLDOUT, ON_MINI, choices).rate.estimate[0]
    # Ties share a threshold: the matched rate lies between two neighbouring points.
    assert table["rate"].is_sorted(descending=True)
    assert table["rate"][-1] <= rate <= table["rate"][0]


def test_the_curve_of_labels_is_empty() -> None:
    assert curve.threshold_curve(statistics(), HOLDOUT, ON_OWN, PLANNED).is_empty()


def test_rule_table_has_every_rule_of_every_decider() -> None:
    who = deciders(statistics(), HOLDOUT)
    table = curve.rule_table(statistics(), HOLDOUT, who, PLANNED)
    assert table.height == 2 + 2 * len(curve.RULES)
    pairs = curve.rule_pairs(statistics(), HOLDOUT, who, PLANNED)
    assert pairs["differ"].to_list() == table["differ"].to_list()
    matched = table.filter((pl.col("rule_id") == "matched") & (pl.col("bank") == MINI))
    label = table.filter((pl.col("rule_id") == "label") & (pl.col("bank") == MINI))
    assert matched["rate"][0] == pytest.approx(label["rate"][0])
    assert dict(table.select("rule_id", "votes").iter_rows())["majority6"] == 6


def test_differences_of_rules_share_their_resamples() -> None:
    value, low, high = curve.difference_of_rules(
        statistics(), HOLDOUT, (ON_MINI, "matched"), (ON_MINI, "matched"), PLANNED
    )
    assert (value, low, high) == (0, 0, 0)
    value, low, high = curve.difference_of_rules(
        statistics(), HOLDOUT, (ON_OWN, "matched"), (ON_MINI, "mean6"), PLANNED
    )
    one = money(statistics(), HOLDOUT, ON_OWN, PLANNED).differ.estimate[0]
    other = money(statistics(), HOLDOUT, ON_MINI, ruled("mean6")).differ.estimate[0]
    assert value == pytest.approx(one - other)
    assert low <= value <= high


def test_edit_effects_against_the_rows() -> None:
    own = rows().filter((pl.col("system") == MINI) & (pl.col("style") == "none"))
    wide = own.filter(pl.col("edit") != "guise").pivot("edit", index="complaint", values="tier")
    table = edits.effect_table(statistics(), PLANNED)
    row = table.filter(
        (pl.col("system_id") == MINI)
        & (pl.col("edit_id") == "strengthen")
        & (pl.col("outcome") == "tier")
    ).row(0, named=True)
    moved = (wide["strengthen"] - wide["original"]).to_numpy()
    assert row["effect"] == pytest.approx(moved.mean())
    assert row["moved_up"] == pytest.approx((moved > 0).mean())
    span = (wide["strengthen"] - wide["weaken"]).to_numpy().mean()
    spans = edits.span_table(statistics(), PLANNED).filter(pl.col("system_id") == MINI)
    assert spans["span"][0] == pytest.approx(span)
    assert spans["ratio"][0] == pytest.approx(span / spans["gap"][0])


def test_thresholds_are_frozen_for_edited_texts() -> None:
    choices = ruled("untied")
    guises = decide(statistics(), Texts(HOLDOUT, MINI), JEV, choices).paid
    p2 = statistics().probability(Texts(HOLDOUT, MINI), JEV, "o012")
    assert p2 is not None
    cut = p2[..., 2][guises].min()
    edited = statistics().probability(Texts(HOLDOUT, MINI, "strengthen"), JEV, "o012")
    assert edited is not None
    paid = decide(statistics(), Texts(HOLDOUT, MINI, "strengthen"), JEV, choices).paid
    assert (paid == (edited[..., 2] >= cut)).all()


def test_arms_against_the_rows() -> None:
    found = mitigation.arms(statistics(), ON_OWN, PLANNED)
    assert not isinstance(found, str)
    college = in_level("education", "college")
    tiers = {}
    for style in ("none", "A", "B", "C"):
        own = statistics().tier(Texts(HOLDOUT, MINI, "guise", style), MINI)
        assert own is not None
        tiers[style] = own.astype(float)
    mean = (tiers["A"] + tiers["B"] + tiers["C"]) / 3
    for arm, values in (("M0", tiers["none"]), ("M1", tiers["A"]), ("M2", mean)):
        gap = values[:, college].mean() - values[:, ~college].mean()
        assert found.rows[found.place(arm, 1)].mean() == pytest.approx(gap)
    votes = sum((tiers[s] == 2).astype(int) for s in "ABC") >= 2
    hits = votes.sum(axis=1)
    differ = (2 * hits * (36 - hits) / (36 * 35)).mean()
    assert found.rows[found.place("M2", 3, money=True)].mean() == pytest.approx(differ)


def test_a_reversed_gap_is_named() -> None:
    table = mitigation.arm_table(statistics(), PLANNED)
    for row in table.filter(pl.col("arm") != "M0").iter_rows(named=True):
        before = table.filter(
            (pl.col("arm") == "M0")
            & (pl.col("system_id") == row["system_id"])
            & (pl.col("key") == row["key"])
            & (pl.col("outcome") == row["outcome"])
        )["value"][0]
        excludes = row["low"] > 0 or row["high"] < 0
        is_gap = row["key"] != "instability"
        assert row["reversed"] == (is_gap and excludes and before * row["value"] < 0)
        assert row["less"] == pytest.approx(before - row["value"])


def test_retention_is_a_ratio_of_spans() -> None:
    table = mitigation.retention_table(statistics(), PLANNED)
    row = table.filter((pl.col("system_id") == MINI) & (pl.col("arm") == "M1")).row(0, named=True)
    assert row["retention"] == pytest.approx(row["span"] / row["unstyled"])
    assert row["low"] < row["retention"] < row["high"]


def test_no_styles_no_edits_no_audit() -> None:
    bare = reduce_remedies(drawn(3, 5))
    assert mitigation.arm_table(bare, PLANNED).is_empty()
    assert edits.span_table(bare, PLANNED).is_empty()
    assert audit.flag_table(bare, PLANNED).is_empty()
    assert audit.screened(bare, ON_OWN, PLANNED) == audit.NO_AUDIT
    assert channels.channels(bare, ON_OWN, CONTRASTS[1], PLANNED) == channels.NO_ATTRIBUTES
    assert baseline.drift_table(bare, PLANNED).is_empty()
    table = distances.distance_table(bare, HOLDOUT, JEV, PLANNED)
    assert table.filter(pl.col("pair") == "rescore")["distance"].null_count() == 2


def test_parts_hold_all_the_variation_and_moves_keep_the_sum() -> None:
    found = variation.variation(statistics(), HOLDOUT, JEV, PLANNED)
    assert not isinstance(found, str)
    parts = variation.part_table(found, PLANNED)
    assert parts["share"].sum() == pytest.approx(1)
    assert set(term_parts().values()) == set(part_names())
    moved = variation.part_table(found, PLANNED.replace(moves="KxB:rewrite_model"))
    assert moved["share"].sum() == pytest.approx(1)
    kxb = dict(variation.term_table(found, PLANNED).select("term", "share").iter_rows())["KxB"]
    by_part = {r["part_id"]: r["share"] - r["planned"] for r in moved.iter_rows(named=True)}
    assert by_part["rewrite_model"] == pytest.approx(kxb)
    assert by_part["other_persona_interactions"] == pytest.approx(-kxb)


def test_negative_components_are_shown_before_they_count_as_zero() -> None:
    found = variation.variation(statistics(), HOLDOUT, JEV, PLANNED)
    assert not isinstance(found, str)
    table = variation.term_table(found, PLANNED).filter(pl.col("term") != "C")
    negative = table.filter("negative")
    assert negative.height > 0
    assert (negative["component"] < 0).all()
    assert (negative["share"] == 0).all()


def test_one_bank_or_order_leaves_a_smaller_layout() -> None:
    one = reduce_remedies(drawn(4, 6).filter(pl.col("bank") == MINI))
    found = variation.variation(one, HOLDOUT, JEV, PLANNED)
    assert not isinstance(found, str)
    assert found.layout.factors == "CKO"
    assert "One bank" in found.layout.note
    both = reduce_remedies(drawn(4, 6, orders=("o012",)).filter(pl.col("bank") == MINI))
    alone = variation.variation(both, HOLDOUT, JEV, PLANNED)
    assert not isinstance(alone, str)
    assert set(alone.terms) == {"C", "K", "CxK"}
    assert isinstance(distances.excess(one, HOLDOUT, JEV, PLANNED), str)


def test_incomplete_complaints_leave_the_layout_balanced() -> None:
    gone = drawn(4, 6).filter(
        ~((pl.col("complaint") == "c0002") & (pl.col("age") == "old") & (pl.col("order") == "o120"))
    )
    found = variation.variation(reduce_remedies(gone), HOLDOUT, JEV, PLANNED)
    assert not isinstance(found, str)
    assert found.layout.dropped == 1
    assert found.layout.squares.sizes == (5, 36, 2, 6)
    whole = reduce_remedies(drawn(4, 6).filter(pl.col("complaint") != "c0002"))
    expected = variation.variation(whole, HOLDOUT, JEV, PLANNED)
    assert not isinstance(expected, str)
    assert found.components == pytest.approx(expected.components)


@pytest.mark.parametrize(
    "text",
    [
        "KxB",
        "KxZ:rewrite_model",
        "KxB:elsewhere",
        "K:rewrite_model;K:order_and_noise",
    ],
)
def test_moves_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"form|no variance term|none of|twice"):
        read_term_moves(text)
    assert not DECLARATION["moves"].allows(text)


def test_moves_travel_in_a_link() -> None:
    choices = PLANNED.replace(
        moves="KxB:rewrite_model", families="grammar:structure", screen=("gpt-5.2", "amounts")
    )
    link = DECLARATION.to_link(choices, panel="x")
    restored, repairs = DECLARATION.from_link(link)
    assert restored == choices
    assert repairs == ()
    assert read_attribute_moves("grammar:structure") == {"grammar": "structure"}


def test_d_has_both_bootstraps_and_one_estimate() -> None:
    table = disparity.disparity_table(statistics(), HOLDOUT, PLANNED)
    assert set(table["hypothesis"]) == {"H3b", "H4", "H6"}
    assert (table["difference"] - (table["one"] - table["other"])).abs().max() < 1e-12  # type: ignore[operator]
    registered = disparity.disparity_table(
        statistics(), HOLDOUT, PLANNED.replace(noise="registered")
    )
    assert registered["chosen_low"].to_list() == registered["registered_low"].to_list()
    assert table["chosen_low"].to_list() == table["low"].to_list()
    # A rule is no part of D: it has the frozen one.
    other = disparity.disparity_table(statistics(), HOLDOUT, ruled("argmax"))
    assert other.equals(table)


def test_referral_takes_the_chosen_share_of_the_most_uncertain() -> None:
    even = np.array([34, 33, 33])
    sure = np.array([98, 1, 1])
    answers = np.where(in_level("education", "college")[None, :, None], even, sure)
    answers = np.broadcast_to(answers, (4, 36, 3))
    found = reduce_remedies(shares(keys(4, MINI), JEV, answers.astype(np.int64)))
    table = referral.referral_table(found, HOLDOUT, ON_MINI, PLANNED.replace(referral=50))
    college = table.filter(pl.col("key") == "college_minus_high_school").row(0, named=True)
    assert (college["target"], college["reference"]) == (1, 0)
    assert college["low"] is None, "the same gap in all complaints says nothing about uncertainty"
    entropy = referral.normalised_entropy(np.array([[100, 0, 0], [0, 50, 50]], dtype=np.int16))
    assert entropy == pytest.approx([0, np.log(2) / np.log(3)])


def test_contributions_add_up_to_the_gap() -> None:
    table = channels.channel_table(statistics(), ON_OWN, PLANNED)
    for _, own in table.group_by("key"):
        assert own["contribution"].sum() == pytest.approx(own["gap"][0])
        assert set(own["family"]) == {"delivery", "structure", "content", "unexplained"}
    moved = channels.channel_table(
        statistics(), ON_OWN, PLANNED.replace(families="grammar:structure")
    )
    one = channels.attribute_table(statistics(), ON_OWN, CONTRASTS[1], PLANNED)
    grammar = one.filter(pl.col("attribute_id") == "grammar")["contribution"][0]
    for family, sign in (("delivery", -1), ("structure", 1), ("content", 0)):
        at = (pl.col("key") == CONTRASTS[1].key) & (pl.col("family") == family)
        change = moved.filter(at)["contribution"][0] - table.filter(at)["contribution"][0]
        assert change == pytest.approx(sign * grammar)


def test_properties_come_by_size_each_with_its_own_numbers() -> None:
    table = pl.DataFrame(
        {
            "attribute": ["small", "large", "falls"],
            "family": ["a", "b", "a"],
            "contribution": [0.01, 0.5, -0.2],
            "low": [0.0, 0.4, -0.3],
            "high": [0.02, 0.6, -0.1],
        }
    )
    shown = shown_experiments.attributes(table)
    assert shown.rows() == [
        ("large", "b", "+0.5000", "[+0.4000, +0.6000]"),
        ("falls", "a", "−0.2000", "[−0.3000, −0.1000]"),
        ("small", "a", "+0.0100", "[0.0000, +0.0200]"),
    ]


def test_the_gap_of_channels_is_the_gap_of_the_scales() -> None:
    table = channels.channel_table(statistics(), ON_OWN, PLANNED)
    tiers = statistics().tier(Texts(HOLDOUT, MINI), MINI)
    assert tiers is not None
    for contrast in CONTRASTS:
        target = tiers[:, in_level(contrast.factor, contrast.target)].mean()
        reference = tiers[:, in_level(contrast.factor, contrast.reference)].mean()
        gap = table.filter(pl.col("key") == contrast.key)["gap"][0]
        assert gap == pytest.approx(target - reference)


def test_persona_shares_by_definition() -> None:
    scores = np.random.default_rng(1).normal(size=(5, 36, 2))
    scores[..., 1] = in_level("age", "old")
    found = attributes.persona_shares(scores)
    own = scores[..., 0] - scores[..., 0].mean(axis=1, keepdims=True)
    assert found[0] == pytest.approx(5 * (own.mean(axis=0) ** 2).sum() / (own**2).sum())
    assert found[1] == pytest.approx(1)


def test_recognised_guises_against_the_rows() -> None:
    found = recognition.recognised(statistics(), ON_OWN, CONTRASTS[1], PLANNED)
    tiers = statistics().tier(Texts(HOLDOUT, MINI), MINI)
    assert tiers is not None
    centred = tiers - tiers.mean(axis=1, keepdims=True)
    levels = statistics().levels[Texts(HOLDOUT, MINI)]
    college = in_level("education", "college")
    taken = np.where(college, levels[..., 6], levels[..., 5]) >= 0.6 - 1e-9
    for cue, mask in (("recognised", taken), ("ambiguous", ~taken)):
        gap = centred[mask & college].mean() - centred[mask & ~college].mean()
        row = found.table.filter(pl.col("cue") == cue)
        assert row["gap"][0] == pytest.approx(gap)
    assert found.shares[0] == pytest.approx(taken.mean())


def test_attributes_that_do_not_vary_are_left_out() -> None:
    frame = rows()
    flat = statistics().attributes[Texts(HOLDOUT, MINI)].copy()
    flat[..., 2] = 0.5
    found = Statistics(
        statistics().complaints,
        statistics().tiers,
        statistics().probabilities,
        {Texts(HOLDOUT, MINI): flat},
        dict(statistics().levels),
    )
    assert frame.height
    apart = channels.channels(found, ON_OWN, CONTRASTS[1], PLANNED)
    assert not isinstance(apart, str)
    assert ATTRIBUTES[2] not in apart.attributes
    flat[..., 3] = flat[..., 4]
    doubled = Statistics(
        statistics().complaints,
        statistics().tiers,
        statistics().probabilities,
        {Texts(HOLDOUT, MINI): flat},
        dict(statistics().levels),
    )
    assert "linear functions" in str(channels.channels(doubled, ON_OWN, CONTRASTS[1], PLANNED))


def test_flag_rates_weigh_strata_by_hand() -> None:
    frame = audit_of(3, 8).filter(pl.col("text_kind") == "guise")
    found = reduce_remedies(labels(keys(8, MINI), MINI, np.zeros((8, 36), dtype=np.int64)),
                            audit=frame)  # fmt: skip
    table = dict(audit.flag_table(found, PLANNED).select("who", "rate").iter_rows())
    flags = frame.with_columns(flag=pl.col("verdict") == "material")
    for who, own in (
        (AUDITORS[0], flags.filter(pl.col("auditor") == AUDITORS[0])),
        ("either_auditor", flags.group_by("complaint", "age", "geography", "education", "ses",
                                          "stratum").agg(pl.col("flag").any())),
    ):  # fmt: skip
        by_stratum = dict(own.group_by("stratum").agg(pl.col("flag").mean()).iter_rows())
        expected = 0.854 * by_stratum["unanimous"] + 0.146 * by_stratum["mixed"]
        assert table[who] == pytest.approx(expected)


def test_the_screen_counts_the_chosen_auditors_only() -> None:
    found = audit.guise_audit(statistics())
    assert not isinstance(found, str)
    nobody = audit.passing(found, ("years",))
    assert (nobody == ~found.years).all()
    both = audit.passing(found, (*AUDITORS, "amounts"))
    expected = ~(found.material.any(axis=0) | found.amounts)
    assert (both == expected).all()
    assert audit.passing(found, AUDITORS[:1]).sum() >= both.sum()


def test_screened_instability_by_hand() -> None:
    # Two complaints of one stratum; the guises that fail are those that are paid in the first.
    tiers = np.zeros((2, 36), dtype=np.int64)
    tiers[0, :6] = 2
    tiers[1, :3] = 2
    base = keys(2, MINI)
    fails = np.zeros((2, 36), dtype=bool)
    fails[0, :5] = True
    audited = base.with_columns(
        text_kind=pl.lit("guise"),
        auditor=pl.lit(AUDITORS[0]),
        valid=pl.lit(value=True),
        verdict=pl.Series(np.where(fails.ravel(), "material", "preserved")),
        categories=pl.lit(None, dtype=pl.String),
        amounts_match=pl.lit(value=True),
        years_match=pl.lit(value=True),
        stratum=pl.lit(None, dtype=pl.String),
        weight=pl.lit(None, dtype=pl.Float64),
    )
    found = audit.screened(
        reduce_remedies(labels(base, MINI, tiers), audit=audited), ON_OWN, PLANNED
    )
    assert not isinstance(found, str)
    every = [2 * 6 * 30 / (36 * 35), 2 * 3 * 33 / (36 * 35)]
    passing = [2 * 1 * 30 / (31 * 30), 2 * 3 * 33 / (36 * 35)]
    assert found.differ.estimate[0] == pytest.approx(np.mean(every))
    assert found.differ.estimate[1] == pytest.approx(np.mean(passing))
    assert found.differ.estimate[2] == pytest.approx(sum(passing) / sum(every))
    assert found.passing == pytest.approx((31 + 36) / 2)
    # Paid guises depart from their complaint's majority: 5 of 9 are flagged, none of the others.
    assert found.departing == pytest.approx((5 / 9, 0))


def test_fresh_decisions_against_the_rows() -> None:
    table = baseline.drift_table(statistics(), PLANNED)
    row = table.filter((pl.col("system_id") == MINI) & (pl.col("arm") == "M0")).row(0, named=True)
    old = statistics().tier(Texts(HOLDOUT, MINI), MINI)
    fresh = statistics().tier(Texts(HOLDOUT, MINI, "guise", "none", 2), MINI)
    assert old is not None
    assert fresh is not None
    assert row["same"] == pytest.approx((old == fresh).mean())
    assert row["difference"] == pytest.approx((fresh.astype(int) - old).mean())


def test_the_registration_ledger_is_complete() -> None:
    table = registration.registration_table()
    assert table.height == 30
    assert set(table["recomputed"]) == {"yes", "partly"}
    assert set(registration.RECOMPUTED) == set(table["hypothesis"])
    assert table["criterion"].null_count() == 0
    assert registration.chronology_table().height == 23


def test_counts_and_table_of_the_registration_agree() -> None:
    """Every hypothesis has a verdict, or its table says where its numbers stand."""
    table = registration.registration_table()
    decided = hypotheses.decided_table(statistics(), PLANNED)
    shown = shown_experiments.registration(table, [decided])
    assert (shown["from the rows now"] != "").all()
    pointed = shown.filter(pl.col("criterion now") == shown_experiments.NO_RULE)
    assert set(pointed["hypothesis"]) == set(registration.NUMBERS_IN)
    assert set(registration.NUMBERS_IN).isdisjoint(hypotheses.CRITERIA)
    places = {text.removeprefix("numbers under “")[:-1] for text in pointed["from the rows now"]}
    assert places <= {*study("remedies").parts["section"], "Ledger of printed figures"}
    said = shown_experiments.registration_counts(table, decided)
    given = decided.filter(pl.col("verdict_now") != "cannot compute").height
    assert f"a rule for {decided.height}; " in said
    assert f"{given} have a verdict here" in said or given == decided.height
    assert f"the other {pointed.height} the table" in said
    results = table["result"].str.to_lowercase()
    assert f"{(results == 'supported').sum()} are supported" in said
    assert "“9 of 12 supported” (H2)" in said


def test_registered_criteria_against_tables_that_show_the_numbers() -> None:
    found = dict(
        hypotheses.decided_table(statistics(), PLANNED)
        .select("hypothesis", "verdict_now")
        .iter_rows()
    )
    assert set(found) == set(hypotheses.CRITERIA)
    spans = edits.span_table(statistics(), PLANNED)
    assert (found["PC4"] == "supported") == (spans["ratio"] >= 5).all()
    kept = mitigation.retention_table(statistics(), PLANNED)
    assert (found["MH3"] == "supported") == (kept["low"] > 0.5).all()
    flags = audit.other_flags(statistics(), "edit", PLANNED).filter(pl.col("who").is_in(AUDITORS))
    assert (found["FA1"] == "supported") == (flags["rate"] >= 0.8).all()
    gap = disparity.disparity_table(statistics(), HOLDOUT, PLANNED)
    h6 = gap.filter(pl.col("key") == "gpt_minus_jev")
    assert (found["H6"] == "supported") == (h6["low"][0] > 0)
    h4 = gap.filter(pl.col("hypothesis") == "H4")
    ratio = h4["one"] / h4["other"]
    assert h4["ratio"].to_list() == pytest.approx(ratio.to_list())
    # Drawn so: strengthened facts raise the answer, weakened ones lower it.
    assert found["PC1"] == found["PC2"] == "supported"


def test_criteria_without_rows_are_not_decided() -> None:
    bare = reduce_remedies(drawn(3, 6).filter(pl.col("system") == MINI))
    found = hypotheses.decided_table(bare, PLANNED)
    assert set(found["verdict_now"]) == {"cannot compute"}


def test_every_caveat_has_a_place_on_the_page() -> None:
    places = {caveat.place for caveat in texts.CAVEATS}
    assert places == {
        "scales",
        "rules",
        "variation",
        "disparity",
        "edits",
        "mitigation",
        "channels",
        "audit",
        "registration",
    }
    assert sum(len(texts.caveats(place)) for place in places) == len(texts.CAVEATS)
    assert set(families().values()) == {"delivery", "structure", "content"}
    assert FIVE in {d.system for d in deciders(statistics(), HOLDOUT)}


def test_what_a_label_hides_is_told_without_numbers_too() -> None:
    none = float("nan")
    assert section_texts.hidden_line(none, none, none) == (
        "No complaint has an answer under every guise, so none can be told apart here."
    )
    assert section_texts.hidden_line(0.0, none, none) == (
        "0.0% of complaints have one most probable tier over all guises."
    )
    said = section_texts.hidden_line(0.25, 0.5, 0.75)
    assert "25.0% of complaints" in said
    assert "in 50.0%" in said
    assert "75.0% of texts" in said


def test_the_bound_does_not_run_through_the_names_of_groups() -> None:
    """Names have a ground between the dashed line and themselves, and marks lie above it."""
    frame = pl.DataFrame(
        {"group": ["A"], "row": ["age"], "value": [0.1], "low": [0.0], "high": [0.2],
         "planned": [0.1], "verdict_now": ["both"], "verdict_planned": ["both"],
         "flip": [False], "varies": [False], "behind": [""]}
    )  # fmt: skip
    look = look_of(LIGHT, ["A"], ["A"], "A")
    drawn = scales(frame, unit="pp", look=look, round_to=0.5, line=0.5, both_sides=True)
    marks = [layer["mark"] for layer in json.loads(drawn.specification)["layer"]]
    kinds = [mark["type"] for mark in marks]
    ground, names = (at for at, kind in enumerate(kinds) if kind == "text")
    line = next(at for at, mark in enumerate(marks) if "strokeDash" in mark)
    drawn_marks = [
        at for at, m in enumerate(marks) if m["type"] == "point" and m.get("opacity") != 0
    ]
    assert line < ground < min(drawn_marks) < names
    assert marks[ground]["stroke"] == LIGHT.background
    assert "stroke" not in marks[names]
