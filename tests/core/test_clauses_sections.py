"""Influence, run against run, unchanged clauses, direction and missing answers."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.choices import Choices
from core.figures import figures
from core.stats.multiplicity import adjust
from core.studies.clauses import direction, history, missing, runs_compared, unchanged
from core.studies.clauses.choices import DECLARATION
from core.studies.clauses.design import HYPOTHESES, OPAQUE, ROLE, Situation
from core.studies.clauses.estimate import analyse
from core.studies.clauses.influence import add_to_list, hinges, influence
from core.studies.clauses.reduce import ClauseStatistics, reduce_determinations
from core.studies.clauses.tables import compare
from core.verdicts import is_support
from tests.core.clause_rows import (
    archetype_rows,
    frame_of,
    panel_rows,
    random_rate,
    row,
)

PLANNED = DECLARATION.planned.replace(draws="2000")
ROWS = panel_rows(random_rate(4, missing=0.02), runs={"v2": 7, "v3": 6})
FLAGS = archetype_rows(7, dropped=[7], unchanged=[1, 2, 3])
STATISTICS = reduce_determinations(ROWS, FLAGS)


def compared(statistics: ClauseStatistics, choices: Choices) -> pl.DataFrame:
    found = analyse(statistics, choices)
    return runs_compared.compare_runs(compare(statistics, found, documented=False))


@pytest.mark.parametrize("changes", [{}, {"p": "permutation"}, {"missing": "worst_case"}], ids=str)
def test_influence_is_the_analysis_without_the_clause(changes: dict[str, Any]) -> None:
    choices = PLANNED.replace(**changes)
    table = influence(STATISTICS, choices)
    now = analyse(STATISTICS, choices)
    for name in ("clause-03", "clause-07"):
        without = analyse(STATISTICS, choices.replace(leave_out=name))
        rows = table.filter(pl.col("archetype") == name)
        # The last clause is in the first run only.
        assert set(rows["run"]) == ({"v2"} if name == "clause-07" else {"v2", "v3"})
        for r in rows.iter_rows(named=True):
            at = (
                STATISTICS.runs.index(r["run"]),
                STATISTICS.models.index(r["model_id"]),
                HYPOTHESES.index(r["hypothesis"]),
            )
            assert r["estimate"] == pytest.approx(without.estimate[at])
            assert r["shift"] == pytest.approx(without.estimate[at] - now.estimate[at])
            assert r["verdict_without"] == without.verdict[at]
            assert r["flip"] == (without.verdict[at] != now.verdict[at])


def test_hinges_sum_influence_up() -> None:
    table = influence(STATISTICS, PLANNED)
    found = hinges(table)
    assert found.height == 2 * 2 * 5
    assert found.filter(pl.col("run") == "v2")["archetypes"].unique().to_list() == [7]
    assert found["flips"].sum() == table["flip"].sum()
    assert [len(names) for names in found["names"]] == found["flips"].to_list()
    assert influence(STATISTICS, PLANNED.replace(families=("b2b",), archetypes="unchanged")).height
    longer = add_to_list(add_to_list(PLANNED, "clause-03"), "clause-01")
    assert longer.text("leave_out") == "clause-03, clause-01"


def test_influence_of_nothing_is_empty() -> None:
    statistics = reduce_determinations(ROWS)
    assert influence(statistics, PLANNED.replace(archetypes="unchanged")).is_empty()


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"gate": "interval"},
        {"gate": "bh", "tests": "all"},
        {"gate": "hochberg", "tests": "hypothesis", "p": "one_sided"},
    ],
    ids=str,
)
def test_shares_add_up_exactly(changes: dict[str, Any]) -> None:
    choices = PLANNED.replace(**changes)
    table = compared(STATISTICS, choices)
    found = analyse(STATISTICS, choices)
    switched = runs_compared.switch(found, 0, 1)
    support = is_support(switched.verdict).astype(int)
    for (model, hypothesis), rows in table.group_by("model_id", "hypothesis"):
        m, h = STATISTICS.models.index(str(model)), HYPOTHESES.index(str(hypothesis))
        assert rows.height == 4
        change = support[-1, m, h] - support[0, m, h]
        assert rows["share"].sum() == pytest.approx(change, abs=1e-12)
        logs = np.log10(switched.p[-1, m, h] / switched.p[0, m, h])
        assert rows["share_log_p"].sum() == pytest.approx(logs, abs=1e-9)


@given(st.lists(st.floats(-5, 5), min_size=16, max_size=16))
def test_average_steps_by_every_order(values: list[float]) -> None:
    worth = dict(zip(runs_compared.SWITCHES, values, strict=True))
    expected = np.zeros(4)
    for order in permutations(range(4)):
        taken = [0, 0, 0, 0]
        for factor in order:
            before = worth[tuple(taken)]
            taken[factor] = 1
            expected[factor] += (worth[tuple(taken)] - before) / 24
    found = runs_compared.average_steps(np.array(values))
    assert found == pytest.approx(expected, abs=1e-9)
    assert found.sum() == pytest.approx(values[-1] - values[0], abs=1e-9)


def test_switches_take_each_factor_from_its_run() -> None:
    found = analyse(STATISTICS, PLANNED)
    switched = runs_compared.switch(found, 0, 1)
    assert len(runs_compared.SWITCHES) == 16
    for s, (e, n, spread, gate) in enumerate(runs_compared.SWITCHES):
        own = runs_compared.t_p(found, found.estimate[[e]], found.spread[[spread]], found.n[[n]])[0]
        company = runs_compared.t_p(
            found, found.estimate[[gate]], found.spread[[gate]], found.n[[gate]]
        )[0]
        for m, h in np.ndindex(2, 5):
            family = company[m].copy()
            family[h] = own[m, h]
            assert switched.p[s, m, h] == pytest.approx(adjust(family, "holm")[h])


def test_the_t_form_is_the_verdict_when_the_interval_is_students() -> None:
    choices = PLANNED.replace(interval="student", gate="interval")
    table = compared(STATISTICS, choices)
    assert table["agrees"].all()
    assert (table["t_first"] == table["verdict_first"]).all()
    assert (table["t_second"] == table["verdict_second"]).all()


def test_nothing_to_compare_in_one_run_or_without_numbers() -> None:
    one = reduce_determinations(ROWS.filter(pl.col("run") == "v2"))
    assert compared(one, PLANNED).is_empty()
    half = reduce_determinations(
        ROWS.filter((pl.col("run") == "v2") | (pl.col("model") == "gpt-5.1"))
    )
    assert set(compared(half, PLANNED)["model_id"]) == {"gpt-5.1"}


def test_unchanged_clauses_by_hand() -> None:
    found = unchanged.paired(STATISTICS, PLANNED, "role")
    assert isinstance(found, unchanged.Paired)
    ratings = {
        (r["run"], r["model"], r["archetype"], r["family"], r["variant"]): r["fairness"]
        for r in ROWS.filter(pl.col("condition") == "neutral_role").iter_rows(named=True)
    }
    changes = []
    for name in ("clause-01", "clause-02", "clause-03"):
        for family in ("employment", "landlord_tenant"):
            steps = []
            for model in STATISTICS.models:
                tilt = {}
                for run in ("v2", "v3"):
                    weak, strong = (
                        ratings[run, model, name, family, v] for v in ("weak", "strong")
                    )
                    tilt[run] = None if None in (weak, strong) else weak - strong
                if None not in tilt.values():
                    steps.append(tilt["v3"] - tilt["v2"])
            if len(steps) == len(STATISTICS.models):
                changes.append(sum(steps) / len(steps))
    assert found.units.height == len(changes)
    assert found.change.estimate[0] == pytest.approx(sum(changes) / len(changes))
    assert found.second - found.first == pytest.approx(found.change.estimate[0])
    assert found.per_model.mean() == pytest.approx(found.change.estimate[0])
    assert found.not_excluded == max(map(abs, found.interval))
    table = unchanged.unchanged_table(found)
    assert table["model"][0] == "All models"
    assert table["change"].to_list()[1:] == pytest.approx(found.per_model.tolist())


def test_why_nothing_can_be_paired() -> None:
    assert unchanged.paired(reduce_determinations(ROWS), PLANNED, "role") == unchanged.NEEDS_TABLE
    one = reduce_determinations(ROWS.filter(pl.col("run") == "v2"), FLAGS)
    assert unchanged.paired(one, PLANNED, "role") == unchanged.NEEDS_RUNS
    none = reduce_determinations(ROWS, archetype_rows(7, dropped=[7]))
    assert unchanged.paired(none, PLANNED, "role") == unchanged.NEEDS_UNITS
    role = reduce_determinations(ROWS.filter(pl.col("condition") == "neutral_role"), FLAGS)
    assert unchanged.paired(role, PLANNED, "opaque") == unchanged.NEEDS_UNITS


def answers(run: str, wrong: dict[str, int], says: str | None = None) -> list[dict[str, Any]]:
    """Twenty clauses; of the first ones the weak variant is said to favour somebody else."""
    rows = []
    for i in range(20):
        for variant in ("strong", "weak", "mutual"):
            r = row(run, "gpt-5.1", f"c{i:02d}", "employment", variant, ROLE, 5.0)
            if variant == "weak" and i < wrong.get("weak", 0):
                r["favored"] = says or "strong"
            if variant == "strong" and i < wrong.get("strong", 0):
                r["favored"] = says or "weak"
            rows.append(r)
    return rows


def test_direction_calls_and_their_sign_test() -> None:
    rows = answers("v2", {"weak": 10}) + answers("v3", {})
    statistics = reduce_determinations(frame_of(rows))
    table = direction.direction_table(statistics, "role")
    first, second = (
        table.filter((pl.col("run") == run) & (pl.col("model_id") == "")).row(0, named=True)
        for run in ("v2", "v3")
    )
    assert (first["calls"], first["wrong"], first["wrong_strong"], first["wrong_weak"]) == (
        *(40, 10),
        *(10, 0),
    )
    assert first["accuracy"] == 0.75
    assert first["p"] == 2 / 2**10
    assert (second["wrong"], second["p"], second["accuracy"]) == (0, None, 1.0)
    neither = reduce_determinations(frame_of(answers("v2", {"weak": 3, "strong": 1}, "neither")))
    whole = direction.direction_table(neither, "role").row(0, named=True)
    assert (whole["wrong"], whole["wrong_strong"], whole["wrong_weak"], whole["p"]) == (
        *(4, 0),
        *(0, None),
    )
    assert direction.direction_table(statistics, "opaque").is_empty()


def test_clauses_with_wrong_answers() -> None:
    rows = frame_of(answers("v2", {"weak": 2, "strong": 1}))
    plain = direction.wrong_archetypes(reduce_determinations(rows), "v2")
    assert plain.select("archetype", "wrong", "wrong_strong", "dropped").rows() == [
        ("c00", 2, 1, None),
        ("c01", 1, 1, None),
    ]
    flags = archetype_rows(2, dropped=[2]).with_columns(archetype=pl.Series(["c00", "c01"]))
    known = direction.wrong_archetypes(reduce_determinations(rows, flags), "v2")
    assert known["dropped"].to_list() == [False, True]


def test_missing_answers_by_state() -> None:
    states = ["clean"] * 6 + ["repaired"] * 2 + ["repairable"] + ["failed"]
    rows = []
    for i, parse in enumerate(states):
        usable = parse in ("clean", "repaired")
        r = row("v2", "gpt-5.1", f"c{i}", "employment", "weak", ROLE, 5.0 if usable else None)
        r |= {"parse": parse, "fairness_if_repaired": 4.0 if "repair" in parse else None}
        rows.append(r)
    statistics = reduce_determinations(frame_of(rows))
    (whole,) = missing.totals(statistics).iter_rows(named=True)
    assert whole == {
        "run": "v2",
        "calls": 10,
        "unparseable": 4,
        "repaired": 2,
        "repairable": 1,
        "unusable": 2,
        "share": 0.2,
    }
    by_condition = missing.missing_table(statistics, by_condition=True)
    assert by_condition.select("model", "condition", "unusable").rows() == [
        ("GPT-5.1", "neutral_role", 2)
    ]


def test_a_warning_where_many_groups_are_incomplete() -> None:
    base = random_rate(2)

    def rate(*where: Any) -> float | None:
        name, situation = where[2], where[5]
        gone = situation == Situation("opaque", "rep_weak") and name == "clause-01"
        return None if gone and where[1] == "gpt-5.1" else base(*where)

    statistics = reduce_determinations(panel_rows(rate, runs={"v3": 5}))
    (text,) = missing.warnings(analyse(statistics, PLANNED))
    assert text.startswith("H5 of GPT")
    assert "8 of 10 clause groups (80%)" in text
    # One clause in three families, two one-sided variants each.
    assert "representing the weaker party (6 answers)" in text
    assert missing.warnings(analyse(statistics, PLANNED.replace(families=("b2b",))))
    assert OPAQUE in statistics.situations


def test_contradictions_name_printed_figures() -> None:
    known = figures("clauses")
    table = history.contradiction_table()
    assert set(table["figure"]) <= set(known)
    assert table.filter(pl.col("figure") == "clauses.v3.unparseable.share")["printed"][0] == "1.22"
    count = next(c for c in history.CONTRADICTIONS if "three to six" in c.text)
    assert [known[name].value for name in count.figure_ids] == [3, 2, 6]
