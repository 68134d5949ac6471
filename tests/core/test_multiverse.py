"""Many specifications at once: the same as one by one, and what a verdict hinges on."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import claims
from core.multiverse import hinges
from core.multiverse.axes import Axis, axes, usual
from core.multiverse.components import components
from core.multiverse.outcomes import CANNOT, decode
from core.multiverse.setup import from_json, from_query, opening
from core.multiverse.specs import Specs, full, grid, star
from core.studies.about import STUDIES
from core.studies.clauses.choices import INTERVAL_ALONE
from core.verdicts import Verdict
from tests.core import judged_panels

NAMES = [study.name for study in STUDIES]

DRAWN = {"composition": 40, "clauses": 30, "filenames": 40, "remedies": 10}


@pytest.mark.parametrize("name", NAMES)
def test_many_at_once_is_one_by_one(name: str) -> None:
    study, statistics = claims.of(name), judged_panels.statistics(name)
    found = hinges.axes_of(study)
    stream = np.random.default_rng(7)
    index = np.stack([stream.integers(0, len(a.levels), DRAWN[name]) for a in found], axis=1)
    specs = Specs(study.declaration.planned, found, index, 0)
    everything = study.claims(statistics)
    many = study.judge_many(statistics, specs, everything)
    for row in range(len(specs)):
        one = study.judge(statistics, specs.choices(row))
        assert decode(many.verdict[row]).tolist() == one["verdict"].to_list()
        for column in ("estimate", "low", "high"):
            expected = one[column].fill_null(float("nan")).to_numpy()
            assert getattr(many, column)[row] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", NAMES)
def test_some_claims_are_those_of_all(name: str) -> None:
    study, statistics = claims.of(name), judged_panels.statistics(name)
    everything = study.claims(statistics)
    specs = star(study.declaration.planned, hinges.axes_of(study, keys=("gate", "alpha", "tau")))
    chosen = [everything[-1], everything[2], everything[len(everything) // 2]]
    some = study.judge_many(statistics, specs, chosen)
    all_of_them = study.judge_many(statistics, specs, everything)
    places = [everything.index(claim) for claim in chosen]
    assert (some.verdict == all_of_them.verdict[:, places]).all()
    assert some.estimate == pytest.approx(all_of_them.estimate[:, places], nan_ok=True)


def test_holm_is_the_hinge_of_two_verdicts_in_v3() -> None:
    study, found = claims.of("clauses"), judged_panels.ensemble("clauses")
    table = hinges.single_changes(study, found)
    off = table.filter(
        pl.col("choice") == "gate",
        pl.col("value") == study.declaration["gate"].say(INTERVAL_ALONE),
        pl.col("claim").str.starts_with("v3"),
        "told",
    )
    assert set(off["claim"]) == {"v3.gemini-3.1-pro-preview.H2", "v3.claude-sonnet-5.H2"}
    assert set(off["before"]) == {Verdict.NOT_SUPPORTED.value}
    assert set(off["after"]) == {Verdict.SUPPORTED.value}
    assert (off["count"] == 5).all()
    # The document says that Holm changes no cell of v2.
    v2 = table.filter(
        pl.col("claim").str.starts_with("v2"),
        pl.col("choice") == "gate",
        pl.col("value") == study.declaration["gate"].say(INTERVAL_ALONE),
    )
    assert not v2["told"].any()
    # What it leaves open is never named.
    assert not table.filter(pl.col("claim").str.ends_with("H5"))["told"].any()


@pytest.mark.parametrize("name", ["clauses", "filenames"])
def test_a_few_claims_alone_give_what_they_give_among_all(name: str) -> None:
    study, statistics = claims.of(name), judged_panels.statistics(name)
    alone = study.ensemble([statistics], documented=True)
    known = study.claims(statistics)
    few = [known[-1], study.main(statistics)]
    together = hinges.single_changes(study, alone)
    for claim in few:
        mine = hinges.single_changes(study, alone, few).filter(pl.col("claim") == claim.key)
        assert mine.height
        assert mine.equals(together.filter(pl.col("claim") == claim.key))


def test_one_reconstruction_alone_tells_nothing() -> None:
    study, statistics = claims.of("filenames"), judged_panels.statistics("filenames")
    alone = hinges.single_changes(study, study.ensemble([statistics], documented=True))
    assert alone["flips"].any()
    assert not alone["told"].any()
    own = hinges.single_changes(study, study.ensemble([statistics], documented=False))
    assert (own["told"] == own["flips"]).all()


def looked(axes_: tuple[Axis, ...], claim: str) -> hinges.Looked:
    study, found = claims.of("filenames"), judged_panels.ensemble("filenames")
    wanted = study.find(found.statistics[0], claim)
    assert wanted is not None
    return hinges.look(study, found, [wanted], full(study.declaration.planned, axes_))


FILENAMES = hinges.axes_of(
    claims.of("filenames"), keys=("documents", "errors", "gate", "family", "alpha")
)


@settings(max_examples=12)
@given(st.permutations(FILENAMES))
def test_the_order_of_choices_changes_nothing(order: list[Axis]) -> None:
    claim = "1.gpt-6.1-sol.H2"
    one, other = looked(FILENAMES, claim), looked(tuple(order), claim)
    assert hinges.shares(one, 0) == hinges.shares(other, 0)
    assert hinges.verdict_counts(one, 0).equals(hinges.verdict_counts(other, 0))
    tables = [hinges.one_at_a_time(own).sort("choice", "level") for own in (one, other)]
    assert tables[0].equals(tables[1])
    small = [hinges.smallest_sets(own, 0) for own in (one, other)]
    assert small[0]["changes"].equals(small[1]["changes"])
    assert {frozenset(c.split("; ")) for c in small[0]["change"]} == {
        frozenset(c.split("; ")) for c in small[1]["change"]
    }
    parts = [components(own.specs, own.kept(0)) for own in (one, other)]
    places = [order.index(axis) for axis in FILENAMES]
    assert parts[0].main == pytest.approx(parts[1].main[places])
    assert parts[0].total == pytest.approx(parts[1].total[places])


def test_smallest_sets_against_a_plain_search() -> None:
    own = looked(FILENAMES, "1.gpt-6.1-sol.H2")
    words = [decode(o.verdict[:, 0]) for o in own.outcomes]
    planned = own.specs.planned_row
    sizes = own.specs.changed.sum(axis=1)
    flipped = [
        row
        for row in range(len(own.specs))
        if len({w[row] for w in words}) == 1 and words[0][row] != words[0][planned]
    ]
    least = min(sizes[row] for row in flipped)
    expected = [row for row in flipped if sizes[row] == least]
    found = hinges.smallest_sets(own, 0, most=1_000)
    assert set(found["changes"]) == {least}
    assert found.height == len(expected)
    assert found["told"].all()


def test_without_a_verdict_nothing_is_counted_and_the_reason_is_told() -> None:
    study, found = claims.of("composition"), judged_panels.ensemble("composition")
    axes_ = hinges.axes_of(study, keys=("comparator", "tau"))
    claim = study.claims(found.statistics[0])[0]
    own = hinges.look(study, found, [claim], full(study.declaration.planned, axes_))
    none = own.outcomes[0].verdict[:, 0] == CANNOT
    occupational = [
        own.specs.choices(row)["comparator"] == "occupational" for row in range(len(own.specs))
    ]
    assert none.tolist() == occupational
    share = hinges.shares(own, 0)[0]
    assert share.size == len(own.specs)
    assert share.known == share.size - none.sum()
    assert np.isnan(own.kept(0)[none]).all()
    assert np.isnan(own.outcomes[0].holds[none]).all()
    assert not hinges.flips(own, 0).shown[none].any()
    told = hinges.reasons(own, 0)
    assert told["count"].sum() == none.sum()
    assert told["reason"][0].startswith("Occupational shares are declared for gender")


def test_the_planned_question_leaves_other_questions_out() -> None:
    study, found = claims.of("composition"), judged_panels.ensemble("composition")
    axes_ = hinges.axes_of(study, keys=("measure", "gate", "tau"))
    claim = study.claims(found.statistics[0])[0]
    own = hinges.look(study, found, [claim], full(study.declaration.planned, axes_))
    assert hinges.shares(own, 0)[0].size == 4 * 5 * 5
    same = hinges.shares(own, 0, question="planned")
    assert same[0].size == 5 * 5
    by_hand = sum(
        study.judge(found.statistics[0], own.specs.choices(row))["verdict"][0] == "within"
        for row in range(len(own.specs))
        if own.specs.choices(row)["measure"] == "jsd"
    )
    assert same[0].stands == by_hand


def test_a_grid_over_the_limit_is_a_sample_with_everything_near_the_plan() -> None:
    study = claims.of("clauses")
    axes_ = hinges.axes_of(study)
    sample = grid(study.declaration.planned, axes_, limit=5_000)
    assert len(sample) <= 5_000
    assert sample.size > 1_000_000
    assert not sample.is_full
    changed = sample.changed[sample.described.stop :]
    singles = int((changed.sum(axis=1) == 1).sum())
    assert singles == sum(len(axis.levels) - 1 for axis in axes_)
    assert sample.planned_row is not None
    again = grid(study.declaration.planned, axes_, limit=5_000)
    assert (again.index == sample.index).all()
    whole = grid(study.declaration.planned, axes_[:3], limit=5_000)
    assert whole.is_full
    assert len(np.unique(whole.index, axis=0)) == whole.size


def test_what_depends_on_a_value_splits_it() -> None:
    declaration = claims.of("composition").declaration
    found = axes(declaration, ["comparator", "lambda"], {"lambda": (0.25, 0.5)})
    assert [axis.key for axis in found] == ["comparator"]
    levels = [dict(level.changes) for level in found[0].levels]
    mixtures = [level["lambda"] for level in levels if level["comparator"] == "mixture"]
    assert mixtures == [0.25, 0.5]
    assert [lv["lambda"] for lv in levels if lv["comparator"] != "mixture"] == [0.0] * (
        len(levels) - 2
    )
    # Typed tables are planned to be empty: those comparators would be the planned one again.
    assert not {"custom", "corrective"} & {level["comparator"] for level in levels}
    assert levels[found[0].planned]["comparator"] == "geography"


@pytest.mark.parametrize("name", NAMES)
def test_ranges_have_five_values_with_the_planned_one(name: str) -> None:
    declaration = claims.of(name).declaration
    for choice in declaration:
        if choice.range is None or choice.section:
            continue
        values = usual(declaration, choice)
        assert choice.planned in values
        assert all(choice.allows(value) for value in values)
        low, high = choice.range.low, choice.range.high
        if low < float(str(choice.planned)) < high:
            assert len(values) == 5


@pytest.mark.parametrize("name", NAMES)
def test_a_link_and_a_file_restore_what_is_looked_at(name: str) -> None:
    study, statistics = claims.of(name), judged_panels.statistics(name)
    known, main = study.everything(statistics), study.main(statistics)
    start = opening(study, main)
    assert start.axes(study)
    query = start.to_query(study, panel="abc")
    again, repairs = from_query(study, known, main, query)
    assert again == start
    assert not repairs
    assert from_json(study, start.to_json()) == start
    assert {axis.key for axis in start.axes(study)} <= set(study.moving)


def test_a_link_says_what_it_could_not_restore() -> None:
    study, statistics = claims.of("clauses"), judged_panels.statistics("clauses")
    known, main = study.claims(statistics), study.main(statistics)
    query = {
        "claim": ["nobody.H9", "v2.gpt-5.1.H1"],
        "vary.gate": ["holm", "sidak"],
        "vary.alpha": ["0.1", "0.9"],
        "vary.leave_out": ["x"],
        "vary.colour": ["red"],
    }
    setup, repairs = from_query(study, known, main, query)
    assert setup.claims == ("v2.gpt-5.1.H1",)
    assert setup.by_choice == {"gate": ("holm",), "alpha": (0.1, 0.2)}
    told = " ".join(repair.sentence() for repair in repairs)
    for word in ("nobody.H9", "sidak", "0.9", "leave_out", "colour"):
        assert word in told
    # The planned value is always looked at.
    alpha = next(axis for axis in setup.axes(study) if axis.key == "alpha")
    assert [dict(level.changes)["alpha"] for level in alpha.levels] == [0.05, 0.1, 0.2]
