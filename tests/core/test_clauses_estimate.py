"""The clauses study's estimates and verdicts: by brute force from rows, and on bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from core.choices import Choices
from core.panels.values import value_problems
from core.reference import table
from core.stats.bootstrap_bca import flip_signs, resample_means
from core.stats.multiplicity import adjust
from core.studies.clauses.choices import DECLARATION, JUDGEMENT, read_names
from core.studies.clauses.contract import ARCHETYPES, DETERMINATIONS
from core.studies.clauses.design import (
    CONDITIONS,
    CONFIRMATORY,
    HYPOTHESES,
    OPAQUE,
    ROLE,
    Situation,
)
from core.studies.clauses.estimate import analyse, bootstrap, reason
from core.studies.clauses.hypotheses import CONTRASTS
from core.studies.clauses.reduce import ClauseStatistics, reduce_determinations
from core.studies.clauses.tables import cell_table, compare, keys_of
from core.verdicts import is_support
from tests.core.clause_by_hand import group_values
from tests.core.clause_rows import (
    Rate,
    archetype_rows,
    frame_of,
    panel_rows,
    random_rate,
    row,
)

PLANNED = DECLARATION.planned.replace(draws="2000")
ROWS = panel_rows(random_rate(1, missing=0.03), runs={"v2": 9, "v3": 7})
STATISTICS = reduce_determinations(ROWS)


def cell(statistics: ClauseStatistics, run: str, model: str, hypothesis: str) -> tuple[int, ...]:
    return (
        statistics.runs.index(run),
        statistics.models.index(model),
        HYPOTHESES.index(hypothesis),
    )


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"h3": "one_label"},
        {"h3": "weak_rise", "h5": "role"},
        {"h5": "role_minus_opaque"},
        {"families": ("employment",)},
        {"families": ("employment", "landlord_tenant", "b2b")},
    ],
    ids=str,
)
def test_every_estimate_by_brute_force(changes: dict[str, Any]) -> None:
    choices = PLANNED.replace(**changes)
    found = analyse(STATISTICS, choices)
    rows = ROWS.to_dicts()
    for run, model, hypothesis in keys_of(STATISTICS):
        reading = choices.text("h3" if hypothesis == "H3" else "h5")
        name = f"{hypothesis} {reading}"
        planned = (
            hypothesis not in ("H3", "H5") or reading == DECLARATION[hypothesis.lower()].planned
        )
        values = group_values(
            rows, run, model, hypothesis if planned else name, choices.many("families")
        )
        at = cell(STATISTICS, run, model, hypothesis)
        assert found.n[at] == len(values)
        assert found.estimate[at] == pytest.approx(sum(values.values()) / len(values))
        assert found.spread[at] == pytest.approx(np.std(list(values.values()), ddof=1))
    assert found.n.min() < found.n.max(), "complete cases ought to differ by hypothesis"


def test_intervals_p_values_and_gate_by_hand() -> None:
    found = analyse(STATISTICS, PLANNED)
    rows = ROWS.to_dicts()
    p = np.empty(5)
    for h, hypothesis in enumerate(HYPOTHESES):
        values = group_values(rows, "v2", "gpt-5.1", hypothesis, CONFIRMATORY)
        # In the order of the core's groups: by family, then archetype.
        ordered = [values[key] for key in sorted(values, key=lambda k: (k[1], k[0]))]
        means = resample_means(np.array([ordered]), draws=2000, seed=int(PLANNED.text("seed")))
        level = 0.9 if hypothesis == "H4" else 0.95
        ends = found.matching if hypothesis == "H4" else found.interval
        assert ends[0, 0, h] == pytest.approx(means.bca(level)[0])
        if hypothesis == "H4":
            p[h] = max(means.share_at_most(-0.5)[0], means.share_at_least(0.5)[0])
        else:
            p[h] = means.two_sided()[0]
    assert found.p[0, 0] == pytest.approx(p)
    assert found.p_adjusted[0, 0] == pytest.approx(adjust(p, "holm"))
    gated = is_support(found.verdict_alone[0, 0]) & (adjust(p, "holm") < 0.05)
    assert (is_support(found.verdict[0, 0]) == gated).all()


def test_families_of_tests() -> None:
    p = analyse(STATISTICS, PLANNED).p
    by_model = analyse(STATISTICS, PLANNED).p_adjusted
    by_hypothesis = analyse(STATISTICS, PLANNED.replace(tests="hypothesis")).p_adjusted
    everything = analyse(STATISTICS, PLANNED.replace(tests="all")).p_adjusted
    for run in range(2):
        assert by_model[run] == pytest.approx(np.array([adjust(row, "holm") for row in p[run]]))
        across = np.array([adjust(column, "holm") for column in p[run].T]).T
        assert by_hypothesis[run] == pytest.approx(across)
        assert everything[run].ravel() == pytest.approx(adjust(p[run].ravel(), "holm"))


def test_gates() -> None:
    off = analyse(STATISTICS, PLANNED.replace(gate="interval"))
    assert np.isnan(off.p_adjusted).all()
    assert (off.verdict == off.verdict_alone).all()
    raw = analyse(STATISTICS, PLANNED.replace(gate="none"))
    assert np.array_equal(raw.p_adjusted, raw.p)
    for gate in ("hochberg", "bonferroni", "bh"):
        found = analyse(STATISTICS, PLANNED.replace(gate=gate))
        expected = np.array([[adjust(p, gate) for p in run] for run in found.p])  # type: ignore[arg-type]
        assert found.p_adjusted == pytest.approx(expected)


def test_kinds_of_interval_and_p_value() -> None:
    means = bootstrap(STATISTICS, PLANNED)
    shape = analyse(STATISTICS, PLANNED).estimate.shape
    for kind, ends in (("percentile", means.percentile(0.95)), ("student", means.student(0.95))):
        found = analyse(STATISTICS, PLANNED.replace(interval=kind))
        assert found.interval == pytest.approx(ends.reshape(*shape, 2))
    one = analyse(STATISTICS, PLANNED.replace(p="one_sided")).p
    assert one[..., :3] == pytest.approx(means.share_at_most(0.0).reshape(shape)[..., :3])
    values = analyse(STATISTICS, PLANNED).contrasted.flat
    flipped = flip_signs(values, draws=2000, seed=int(PLANNED.text("seed")))
    permuted = analyse(STATISTICS, PLANNED.replace(p="permutation"))
    assert permuted.p[..., :3] == pytest.approx(flipped.two_sided().reshape(shape)[..., :3])
    inside = np.maximum(flipped.greater(-0.5), flipped.less(0.5)).reshape(shape)
    assert permuted.p[..., 3] == pytest.approx(inside[..., 3])


def test_alpha_sets_both_intervals_and_margin_its_test() -> None:
    means = bootstrap(STATISTICS, PLANNED)
    found = analyse(STATISTICS, PLANNED.replace(alpha=0.1, margin=0.3))
    shape = found.estimate.shape
    assert found.interval == pytest.approx(means.bca(0.9).reshape(*shape, 2))
    assert found.matching == pytest.approx(means.bca(0.8).reshape(*shape, 2))
    expected = np.maximum(means.share_at_most(-0.3), means.share_at_least(0.3)).reshape(shape)
    assert found.p_equivalence == pytest.approx(expected)


def test_judgement_choices_keep_the_draws() -> None:
    means = bootstrap(STATISTICS, PLANNED)
    moved = PLANNED.replace(
        runs=("v3",),
        gate="bh",
        tests="all",
        alpha=0.1,
        margin=0.2,
        interval="student",
        p="one_sided",
    )
    assert {key for key, value in moved.values if value != PLANNED[key]} == set(JUDGEMENT)
    assert bootstrap(STATISTICS, moved) is means
    assert bootstrap(STATISTICS, PLANNED.replace(seed="20260728")) is not means


def test_worst_case_bounds_hold_whatever_is_missing() -> None:
    found = analyse(STATISTICS, PLANNED.replace(missing="worst_case"))
    stream = np.random.default_rng(0)
    for _ in range(5):
        filled = ROWS.with_columns(
            fairness=pl.when(pl.col("fairness").is_null())
            .then(pl.Series(stream.choice([0.0, 4.0, 10.0], ROWS.height)))
            .otherwise("fairness"),
            parse=pl.lit("clean"),
        )
        whole = analyse(reduce_determinations(filled), PLANNED)
        assert (found.bounds[..., 0] <= whole.estimate + 1e-12).all()
        assert (found.bounds[..., 1] >= whole.estimate - 1e-12).all()
        assert (found.n == whole.n).all()
        # A claim that stands in the worst case stands under any filling.
        stands = is_support(found.verdict_alone)
        assert is_support(whole.verdict_alone)[stands].all()
    assert found.estimate == pytest.approx(found.bounds.mean(axis=-1))
    complete = analyse(STATISTICS, PLANNED)
    assert (found.n >= complete.n).all()


def test_worst_case_bounds_by_hand() -> None:
    def rate(
        run: str, model: str, name: str, family: str, variant: str, s: Situation
    ) -> float | None:
        if (name, family, variant, s) == ("clause-01", "employment", "weak", ROLE):
            return None
        return {"weak": 6.0, "strong": 5.0}.get(variant, 5.0) + (name == "clause-02")

    statistics = reduce_determinations(panel_rows(rate, runs={"v2": 2}, models=["m"]))
    found = analyse(statistics, PLANNED.replace(missing="worst_case"))
    h1, h2 = HYPOTHESES.index("H1"), HYPOTHESES.index("H2")
    # Four groups with asymmetry 1; in one the rating of 6 is missing and may be 0 or 10.
    assert found.bounds[0, 0, h1] == pytest.approx([(3 + 0 - 5) / 4, (3 + 10 - 5) / 4])
    assert found.bounds[0, 0, h2] == pytest.approx([(0 - 5 - 1) / 4, (10 - 5 - 1) / 4])
    assert found.n[0, 0, h1] == 4
    assert analyse(statistics, PLANNED).n[0, 0, h1] == 3


def test_repairs() -> None:
    rows = [
        row("v2", "m", f"c{i}", "employment", variant, s, 5.0)
        for i in range(4)
        for variant in ("strong", "weak")
        for s in (ROLE, OPAQUE)
    ]
    rows[0] |= {"parse": "repaired", "fairness_if_repaired": 5.0}
    rows[4] |= {
        "parse": "repairable",
        "fairness": None,
        "favored": None,
        "fairness_if_repaired": 9.0,
    }
    statistics = reduce_determinations(frame_of(rows))
    n = {
        repairs: int(analyse(statistics, PLANNED.replace(repairs=repairs)).n[0, 0, 0])
        for repairs in ("none", "as_run", "all")
    }
    assert n == {"none": 2, "as_run": 3, "all": 4}


def test_clauses_in_and_out() -> None:
    flags = archetype_rows(9, giveaway=[1, 2], unrealistic=[3], dropped=[8, 9], unchanged=[4, 5])
    statistics = reduce_determinations(ROWS, flags)

    def names(choices: Choices) -> list[set[str]]:
        scope = analyse(statistics, choices).contrasted.scope
        column = np.array(statistics.column("archetype"))
        return [{name.removeprefix("clause-0") for name in column[row]} for row in scope]

    assert names(PLANNED) == [set("123456789"), set("1234567")]
    assert names(PLANNED.replace(archetypes="no_giveaway")) == [set("3456789"), set("34567")]
    assert names(PLANNED.replace(archetypes="no_unrealistic")) == [set("12456789"), set("124567")]
    assert names(PLANNED.replace(archetypes="no_defect")) == [set("456789"), set("4567")]
    assert names(PLANNED.replace(archetypes="unchanged")) == [set("45"), set("45")]
    listed = PLANNED.replace(leave_out="clause-01, clause-09, nothing")
    assert names(listed) == [set("2345678"), set("234567")]


def test_a_typed_list_of_clauses() -> None:
    assert read_names(" a, b ,a") == ("a", "b")
    assert read_names("  ") == ()
    with pytest.raises(ValueError, match="nothing is named"):
        read_names("a,,b")
    with pytest.raises(ValueError, match="characters"):
        read_names("a" * 5000)


def test_samples_are_averaged() -> None:
    rows = [
        row("v2", "m", f"c{i}", "employment", variant, s, 5.0 + (variant == "weak") * (i + sample))
        | {"sample": sample}
        for i in range(3)
        for variant in ("strong", "weak")
        for s in (ROLE, OPAQUE)
        for sample in (0, 1)
    ]
    assert value_problems(frame_of(rows), DETERMINATIONS) == []
    found = analyse(reduce_determinations(frame_of(rows)), PLANNED)
    # Asymmetries i + 0 and i + 1, averaged: .5, 1.5, 2.5.
    assert found.estimate[0, 0, 0] == pytest.approx(1.5)
    assert found.n[0, 0, 0] == 3


def constant(*_: object) -> float:
    return 5.0


def tilted(run: str, model: str, name: str, family: str, variant: str, s: Situation) -> float:
    tilt = {"weak": 1.0, "strong": 0.0}.get(variant, 0.0)
    return 5.0 + tilt + (name == "clause-02") * (variant == "weak") + (s.labels == "role")


@pytest.mark.parametrize(
    ("rate", "options", "hypothesis", "says"),
    [
        (constant, {}, "H1", "have the same value"),
        (constant, {}, "H4", "have the same value"),
        (tilted, {"runs": {"v2": 1}, "families": ["employment"]}, "H1", "One clause group only"),
        (tilted, {"situations": [ROLE]}, "H2", "no answers under opaque labels"),
        (tilted, {"families": ["b2b"]}, "H1", "leave no clause in"),
    ],
    ids=["constant", "constant-equivalence", "one-group", "never-asked", "out-of-scope"],
)
def test_cannot_compute_says_why(
    rate: Rate, options: dict[str, Any], hypothesis: str, says: str
) -> None:
    statistics = reduce_determinations(panel_rows(rate, models=["gpt-5.1"], **options))
    found = analyse(statistics, PLANNED)
    at = cell(statistics, "v2", "gpt-5.1", hypothesis)
    assert found.verdict[at] == found.verdict_alone[at] == "cannot compute"
    assert np.isnan(found.p[at])
    assert says in reason(found, *at)  # type: ignore[call-arg]
    cells = cell_table(compare(statistics, found, documented=False))
    assert cells.select(pl.col(pl.Float64).is_nan().any()).sum_horizontal().item() == 0


def test_all_missing_in_one_condition_leaves_the_rest() -> None:
    base = random_rate(3)

    def rate(*where: Any) -> float | None:
        value = base(*where)
        return None if where[-1] == OPAQUE and where[1] == "gpt-5.1" else value

    statistics = reduce_determinations(panel_rows(rate))
    found = analyse(statistics, PLANNED)
    for hypothesis, works in (
        ("H1", True),
        ("H2", False),
        ("H3", False),
        ("H4", False),
        ("H5", True),
    ):
        at = cell(statistics, "v2", "gpt-5.1", hypothesis)
        assert (found.verdict[at] != "cannot compute") == works
        assert ("has every rating" in reason(found, *at)) != works  # type: ignore[call-arg]
    # Three tests could not run: they stay in the family as p = 1.
    p = found.p[0, 0]
    expected = adjust(np.where(np.isnan(p), 1.0, p), "holm")
    assert found.p_adjusted[0, 0][[0, 4]] == pytest.approx(expected[[0, 4]])
    other = cell(statistics, "v2", "claude-sonnet-5", "H2")
    assert found.verdict[other] != "cannot compute"


def test_a_model_in_one_run_only_planned_no_test_in_the_other() -> None:
    rows = pl.concat(
        [
            panel_rows(random_rate(1), runs={"v2": 6}, models=["gpt-5.1", "own-model"]),
            panel_rows(random_rate(2), runs={"v3": 6}, models=["gpt-5.1"]),
        ]
    )
    statistics = reduce_determinations(rows)
    found = analyse(statistics, PLANNED.replace(tests="all"))
    at = cell(statistics, "v3", "own-model", "H1")
    assert found.verdict[at] == "cannot compute"
    assert "no answers of this model" in reason(found, *at)  # type: ignore[call-arg]
    there = statistics.models.index("gpt-5.1")
    assert found.p_adjusted[1, there] == pytest.approx(adjust(found.p[1, there], "holm"))
    cells = cell_table(compare(statistics, found, documented=True))
    assert set(cells["model"]) == {"GPT-5.1", "own-model"}
    # The document says nothing of this model, so its verdicts are its own.
    assert not cells.filter(pl.col("model") == "own-model")["is_open"].any()


def test_defects_are_not_known_without_the_table() -> None:
    found = analyse(STATISTICS, PLANNED.replace(archetypes="unchanged"))
    assert "no archetypes table" in reason(found, 0, 0, 0)


def test_runs_that_the_study_does_not_know_are_always_shown() -> None:
    rows = panel_rows(random_rate(1), runs={"v2": 4, "mine": 4}, models=["gpt-5.1"])
    statistics = reduce_determinations(rows)
    assert analyse(statistics, PLANNED.replace(runs=("v3",))).runs == ("mine",)
    assert analyse(statistics, PLANNED).runs == ("v2", "mine")


def test_the_design_is_that_of_the_reference_tables() -> None:
    assert list(CONDITIONS) == table("clauses", "conditions")["condition"].to_list()
    assert list(CONTRASTS) == table("clauses", "hypotheses")["hypothesis"].to_list()
    for readings in CONTRASTS.values():
        for contrast in readings.values():
            # Every contrast is a difference: a rating that is the same everywhere gives zero.
            assert sum(contrast.weights.values()) == 0


def problems_of(frame: pl.DataFrame) -> str:
    return "\n".join(problem.sentence() for problem in value_problems(frame, DETERMINATIONS))


GOOD = row("v2", "m", "c", "employment", "weak", ROLE, 5.0)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"fairness": 11.0}, "at most 10"),
        ({"fairness": -1.0}, "at least 0"),
        ({"labels": "names"}, "one of role, opaque"),
        ({"condition": "neutral_named"}, "one of neutral_role"),
        ({"favored": "both"}, "one of strong, weak, neither"),
        ({"labels": "opaque"}, "labels 'role' and framing 'neutral'"),
        ({"framing": "rep_weak"}, "labels 'role' and framing 'neutral'"),
        ({"condition": "undetermined_7"}, "2 kinds of name"),
        ({"archetype": "c", "fairness": 6.0}, "each combination once"),
        ({"archetype": "d", "field_order": "reasoning_first"}, "one field order in a run"),
        ({"archetype": "d", "parse": "failed"}, "a rating in an answer that was not read"),
        ({"archetype": "d", "fairness": None}, "no rating in an answer that was read"),
        (
            {"archetype": "d", "fairness": None, "favored": None, "parse": "repairable"},
            "a repairable answer without its rating",
        ),
        ({"archetype": "d", "fairness_if_repaired": 5.0}, "nothing is to be repaired"),
        (
            {"archetype": "d", "fairness": None, "parse": "failed"},
            "a favoured party in an answer that was not read",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_rows_are_refused(changes: dict[str, Any], says: str) -> None:
    assert says in problems_of(frame_of([GOOD, GOOD | changes]))


def test_good_rows_are_taken() -> None:
    assert problems_of(frame_of([GOOD])) == ""
    assert problems_of(ROWS) == ""
    assert value_problems(archetype_rows(3, dropped=[1], edited=[2]), ARCHETYPES) == []


def test_an_archetype_has_one_fate() -> None:
    (problem,) = value_problems(archetype_rows(3, dropped=[2], unchanged=[2]), ARCHETYPES)
    assert "both dropped and unchanged" in problem.sentence()
