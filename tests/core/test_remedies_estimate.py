"""Gaps, instability, rules, claims and materiality, against the rows themselves; bad input."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from statsmodels.stats.multitest import multipletests

from core.panels.values import value_problems
from core.studies.remedies import design
from core.studies.remedies.choices import DECLARATION, is_planned, planned_for
from core.studies.remedies.contract import DECISIONS
from core.studies.remedies.estimate import Findings, analyse
from core.studies.remedies.reduce import Statistics, Texts, reduce_remedies
from core.studies.remedies.rules import decide
from core.studies.remedies.scales import ALL_MONEY, FEW_COMPLAINTS, NO_MONEY, Decider
from core.studies.remedies.tables import (
    claim_table,
    compare,
    instability_table,
    material_table,
    scale_table,
)
from core.verdicts import Verdict
from tests.core.remedy_panels import FIVE, JEV, MINI, drawn, keys, labels, names, reduced, shares

PLANNED = DECLARATION.planned
CANNOT = Verdict.CANNOT_COMPUTE.value
COUNT = 60


@cache
def rows() -> pl.DataFrame:
    return drawn(4, COUNT)


@cache
def statistics() -> Statistics:
    return reduce_remedies(rows())


@cache
def planned() -> Findings:
    return analyse(statistics(), PLANNED)


def own_rows(system: str, bank: str, order: str | None = None) -> pl.DataFrame:
    found = rows().filter((pl.col("system") == system) & (pl.col("bank") == bank))
    return found if order is None else found.filter(pl.col("order") == order)


def gap_by_polars(frame: pl.DataFrame, value: pl.Expr, factor: str, a: str, r: str) -> float:
    """Mean over complaints of the difference of two levels' means."""
    means = frame.group_by("complaint", factor).agg(value.mean().alias("v"))
    wide = means.filter(pl.col(factor).is_in([a, r])).pivot(factor, index="complaint", values="v")
    return float((wide[a] - wide[r]).mean())  # type: ignore[arg-type]


def test_deciders_stand_in_the_study_order() -> None:
    assert planned().deciders == (
        Decider(MINI, MINI),
        Decider(FIVE, FIVE),
        Decider(JEV, MINI),
        Decider(JEV, FIVE),
    )


@pytest.mark.parametrize("place", range(3))
def test_gaps_against_the_rows(place: int) -> None:
    contrast = design.CONTRASTS[place]
    sides = (contrast.factor, contrast.target, contrast.reference)
    tiers = own_rows(MINI, MINI)
    graded = planned().graded[0].gaps.estimate[place]
    assert graded == pytest.approx(gap_by_polars(tiers, pl.col("tier"), *sides))
    paid = pl.col("tier") == 2
    money = planned().money[0].gaps.estimate[place]
    assert money == pytest.approx(gap_by_polars(tiers, paid.cast(pl.Float64), *sides))
    answers = own_rows(JEV, FIVE, "o012")
    expected = (pl.col("p1") + 2 * pl.col("p2")) / 100
    jev = planned().graded[3].gaps.estimate[place]
    assert jev == pytest.approx(gap_by_polars(answers, expected, *sides))


def test_ratio_and_h_follow_from_the_rates() -> None:
    paid = own_rows(MINI, MINI).with_columns(y=(pl.col("tier") == 2).cast(pl.Float64))
    rate = {
        level: float(paid.filter(pl.col("education") == level)["y"].mean())  # type: ignore[arg-type]
        for level in ("college", "high_school")
    }
    found = planned().money[0]
    assert found.ratios.estimate[1] == pytest.approx(rate["high_school"] / rate["college"])
    h = 2 * np.arcsin(np.sqrt(rate["college"])) - 2 * np.arcsin(np.sqrt(rate["high_school"]))
    assert found.sizes.estimate[1] == pytest.approx(h)


def test_instability_against_all_pairs() -> None:
    tiers = own_rows(MINI, MINI).sort("complaint")["tier"].to_numpy().reshape(COUNT, 36)
    differ, mpad = [], []
    for row in tiers:
        pairs = list(combinations(row, 2))
        differ.append(np.mean([(a == 2) != (b == 2) for a, b in pairs]))
        mpad.append(np.mean([abs(int(a) - int(b)) for a, b in pairs]))
    found = planned()
    assert found.money[0].differ.estimate[0] == pytest.approx(np.mean(differ))
    assert found.graded[0].mpad.estimate[0] == pytest.approx(np.mean(mpad))
    mixed = [0 < (row == 2).sum() < 36 for row in tiers]
    assert found.money[0].mixed.estimate[0] == pytest.approx(np.mean(mixed))


def decided(rule: str, bank: str = MINI, **changes: float) -> np.ndarray:
    choices = PLANNED.replace(rule=rule, **changes)
    return decide(statistics(), Texts("holdout", bank), JEV, choices).paid


def answers(bank: str, order: str) -> np.ndarray:
    frame = own_rows(JEV, bank, order).sort("complaint", maintain_order=True)
    return frame.select("p0", "p1", "p2").to_numpy().reshape(COUNT, 36, 3)


def test_matched_rules_pay_exactly_as_many_as_the_label_system() -> None:
    for bank in (MINI, FIVE):
        target = (own_rows(bank, bank)["tier"] == 2).sum()
        assert decided("matched", bank).sum() == target
        assert decided("mean6", bank).sum() == target
        assert decided("untied", bank).sum() >= target
    shifted = round((decided("matched").mean() + 0.01) * COUNT * 36)
    assert decided("matched", shift=1.0).sum() == shifted
    p2 = answers(MINI, "o012")[..., 2]
    paid = decided("matched")
    assert p2[paid].min() >= p2[~paid].max()
    untied = decided("untied")
    assert (untied == (p2 >= p2[paid].min())).all()


def test_another_tie_seed_moves_tied_texts_only() -> None:
    p2 = answers(MINI, "o012")[..., 2]
    one, other = decided("matched"), decided("matched", tie_seed="20261019")
    assert one.sum() == other.sum()
    assert set(p2[one != other].tolist()) <= {p2[one].min()}


def test_rules_by_hand() -> None:
    first = answers(MINI, "o012")
    # Ties go to the lower tier, so tier 2 must be strictly above both.
    wins = [
        (a[..., 2] > a[..., 1]) & (a[..., 2] > a[..., 0])
        for a in (answers(MINI, order) for order in design.ORDERS)
    ]
    assert (decided("argmax") == wins[0]).all()
    assert (decided("majority6") == (np.sum(wins, axis=0) >= 4)).all()
    assert (decided("threshold", threshold=0.37) == (first[..., 2] >= 37)).all()


def test_claims_are_adjusted_within_their_family() -> None:
    claims = planned().claims
    assert len(claims.claims) == 18
    own = np.array([c.decider.system == JEV for c in claims.claims])
    for family in (own, ~own):
        expected = multipletests(claims.p[family], method="fdr_bh")[1]
        assert claims.p_adjusted[family] == pytest.approx(expected)
    assert set(claims.tests[own]) == {12}
    assert set(claims.tests[~own]) == {6}
    together = analyse(statistics(), PLANNED.replace(family="all", gate="holm")).claims
    assert together.p_adjusted == pytest.approx(multipletests(claims.p, method="holm")[1])
    alone = analyse(statistics(), PLANNED.replace(gate="none")).claims
    assert alone.p_adjusted == pytest.approx(alone.p)
    apart = analyse(statistics(), PLANNED.replace(family="decider")).claims
    assert set(apart.tests) == {3}


def test_a_claim_needs_its_sign_and_its_test() -> None:
    claims = planned().claims
    for i, verdict in enumerate(claims.verdict):
        passes = claims.p_adjusted[i] < 0.05
        expected = (
            Verdict.SUPPORTED
            if passes and claims.low[i] > 0
            else Verdict.OPPOSITE
            if passes and claims.high[i] < 0
            else Verdict.NOT_SUPPORTED
        )
        assert verdict == expected
    college = [c.contrast == 1 for c in claims.claims]
    assert (claims.verdict[college] == Verdict.SUPPORTED).all(), "drawn with a gap in education"


def test_materiality_words_follow_from_both_intervals() -> None:
    found = planned().material
    for at in np.ndindex(found.verdict.shape):
        is_air = at[2] == 2
        bound, null = (0.8, 1.0) if is_air else ((0.01, 0.2)[at[2]], 0.0)
        nonzero = found.low[at] > null or found.high[at] < null
        low, high = found.matching_low[at], found.matching_high[at]
        inside = low > bound if is_air else (low > -bound and high < bound)
        beyond = high < bound if is_air else (low > bound or high < -bound)
        expected = (
            (Verdict.BOTH if nonzero else Verdict.EQUIVALENT)
            if inside
            else Verdict.BEYOND_MARGIN
            if beyond
            else Verdict.DIFFERENCE
            if nonzero
            else Verdict.INCONCLUSIVE
        )
        assert found.verdict[at] == expected
        # The three tests agree with the intervals that go with them, but for single draws.
        assert (found.p_equivalent[at] < 0.05) == inside or abs(
            found.p_equivalent[at] - 0.05
        ) < 0.003


def test_a_bound_on_air_has_one_side() -> None:
    turned = rows().with_columns(
        education=pl.col("education").replace({"college": "high_school", "high_school": "college"})
    )
    found = analyse(reduce_remedies(turned), PLANNED)
    air = found.material.verdict[:, 1, 2]
    assert Verdict.BEYOND_MARGIN not in air
    assert (found.material.estimate[:, 1, 2] > 1).all()


def test_a_ratio_without_a_denominator_has_its_reason() -> None:
    # One complaint of five is ever paid, so a third of the resamples have nobody paid.
    tiers = np.zeros((5, 36), dtype=np.int64)
    tiers[0, :30] = 2
    found = reduce_remedies(labels(keys(5, MINI), MINI, tiers))
    table = material_table(compare(found, analyse(found, PLANNED)))
    air = table.filter(pl.col("quantity_id") == "air")
    assert set(air["verdict_now"]) == {CANNOT}
    assert all("no ratio" in why for why in air["reason"])
    gap = table.filter((pl.col("quantity_id") == "gap") & (pl.col("key") == "old_minus_young"))
    assert gap["verdict_now"][0] != CANNOT


def test_tables_keep_instability_beside_every_materiality_verdict() -> None:
    comparison = compare(statistics(), analyse(statistics(), PLANNED.replace(gap_bound=0.05)))
    table = material_table(comparison)
    assert table.height == 4 * 3 * 3
    assert table["differ"].null_count() == 0
    moved = table.filter(pl.col("quantity_id") != "gap")
    assert not moved["flip"].any()
    scales = scale_table(comparison.current)
    assert scales["largest_gap"].abs().min() <= 100  # type: ignore[operator]
    assert instability_table(comparison).height == 12
    claims = claim_table(comparison)
    assert claims.height == 18
    assert claims["in_h2"].sum() == 12


def test_focus_is_no_departure() -> None:
    focused = PLANNED.replace(system=JEV, bank=FIVE)
    assert is_planned(focused)
    assert planned_for(focused.replace(rule="argmax")) == focused
    assert not is_planned(PLANNED.replace(gate="none"))


def test_no_monetary_decision_leaves_tiers_alone() -> None:
    tiers = np.random.default_rng(1).integers(0, 2, (8, 36))
    found = analyse(reduce_remedies(labels(keys(8, MINI), MINI, tiers)), PLANNED)
    assert found.money[0].why == NO_MONEY
    assert (found.material.verdict == CANNOT).all()
    assert not np.isnan(found.graded[0].gaps.interval(0.95)).any()
    every = analyse(reduce_remedies(labels(keys(8, MINI), MINI, np.full((8, 36), 2))), PLANNED)
    assert every.money[0].why == ALL_MONEY
    assert set(every.claims.verdict) == {CANNOT}
    assert all(every.claims.why)


def test_missing_guises_count_where_both_sides_are_there() -> None:
    gone = rows().filter(
        ~((pl.col("complaint") == "c0003") & (pl.col("age") == "old"))
        & ~((pl.col("complaint") == "c0005") & (pl.col("ses") == "middle"))
    )
    found = analyse(reduce_remedies(gone), PLANNED)
    assert found.graded[0].complaints == COUNT - 1
    assert found.graded[0].dropped == 1
    kept = own_rows(MINI, MINI).filter(
        (pl.col("complaint") != "c0003")
        & ~((pl.col("complaint") == "c0005") & (pl.col("ses") == "middle"))
    )
    expected = gap_by_polars(kept, pl.col("tier"), "education", "college", "high_school")
    assert found.graded[0].gaps.estimate[1] == pytest.approx(expected)


def test_missing_answers_are_nobody() -> None:
    tiers = np.random.default_rng(2).integers(0, 3, (6, 36))
    tiers[2] = -1
    tiers[4, :3] = -1
    found = analyse(reduce_remedies(labels(keys(6, MINI), MINI, tiers)), PLANNED).money[0]
    assert (found.complaints, found.dropped) == (5, 0)
    there = tiers[[0, 1, 3, 4, 5]]
    rates = [(row[row >= 0] == 2).mean() for row in there]
    assert found.rate.estimate[0] == pytest.approx(np.mean(rates))


def test_one_complaint_cannot_be_resampled() -> None:
    found = analyse(reduced(3, 1), PLANNED)
    assert set(found.claims.verdict) == {CANNOT}
    assert found.graded[0].why == FEW_COMPLAINTS
    assert (found.material.verdict == CANNOT).all()


def test_one_order_leaves_rules_over_orders_without_an_answer() -> None:
    found = reduce_remedies(drawn(5, 6, orders=("o012",)))
    for rule in ("mean6", "majority6"):
        money = analyse(found, PLANNED.replace(rule=rule)).money
        assert not money[0].why
        assert "several option orders" in money[2].why
    # Another order than the one in the panel falls back on the only one there is.
    moved = analyse(found, PLANNED.replace(order="o210"))
    assert moved.graded[2].gaps.estimate == pytest.approx(
        analyse(found, PLANNED).graded[2].gaps.estimate
    )


def test_one_bank_and_no_labels() -> None:
    only = drawn(6, 5).filter((pl.col("bank") == MINI) & (pl.col("system") == JEV))
    found = analyse(reduce_remedies(only), PLANNED)
    assert found.deciders == (Decider(JEV, MINI),)
    assert "no volume to match" in found.money[0].why
    assert not analyse(reduce_remedies(only), PLANNED.replace(rule="threshold")).money[0].why


def test_unknown_names_keep_their_own() -> None:
    tiers = np.random.default_rng(7).integers(0, 3, (4, 36))
    other = labels(keys(4, "my-writer", panel="mine"), "my-model", tiers)
    found = analyse(reduce_remedies(other), PLANNED)
    assert found.panel == "mine"
    assert scale_table(found)["system"].to_list() == ["my-model"]


def test_pooling_needs_two_panels() -> None:
    first = drawn(8, 6)
    second = drawn(9, 4).with_columns(panel=pl.lit("exploratory"))
    found = reduce_remedies(pl.concat([first, second]))
    assert found.panels == ("holdout", "exploratory", "pooled")
    pooled = analyse(found, PLANNED.replace(sample="pooled"))
    assert pooled.graded[0].complaints == 10
    both = pl.concat([first, second]).filter(pl.col("system") == MINI)
    both = both.with_columns(complaint=pl.col("panel") + pl.col("complaint"))
    expected = gap_by_polars(both, pl.col("tier"), "age", "old", "young")
    assert pooled.graded[0].gaps.estimate[0] == pytest.approx(expected)
    alone = analyse(reduce_remedies(first), PLANNED.replace(sample="pooled"))
    assert alone.panel == "holdout"


def faults(frame: pl.DataFrame) -> str:
    return " ".join(problem.sentence() for problem in value_problems(frame, DECISIONS))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"p0": 90, "p1": 40, "p2": 10}, "do not add up"),
        ({"p0": 60, "p1": 40, "p2": None}, "all three or none"),
    ],
)
def test_probabilities_that_do_not_sum_to_one_are_refused(
    changes: dict[str, int | None], says: str
) -> None:
    frame = shares(keys(1, MINI), JEV, np.tile([60, 30, 10], (36, 1)))
    assert not faults(frame)
    broken = frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 4)
        .then(pl.lit(value, dtype=pl.Int64))
        .otherwise(pl.col(name))
        .alias(name)
        for name, value in changes.items()
    )
    assert says in faults(broken)


def test_tiers_outside_are_refused() -> None:
    tiers = np.zeros((1, 36), dtype=np.int64)
    tiers[0, 3] = 3
    assert "at most 2" in faults(labels(keys(1, MINI), MINI, tiers))


def test_names_are_in_order() -> None:
    assert reduced(1, 3).complaints["holdout"] == tuple(names(3))
