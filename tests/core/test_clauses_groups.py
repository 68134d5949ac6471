"""The tilt by labelling, kind of contract and clause; clauses that decide; wrong directions."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import beside
from core.charts.clauses import deciding_clauses, group_counts
from core.charts.marks import Look
from core.charts.theme import LIGHT
from core.figures import figures
from core.studies.clauses import direction, groups, influence, published, sentences, tables, texts
from core.studies.clauses.choices import DECLARATION, read_names, write_name
from core.studies.clauses.design import FAMILIES, FAMILY_NAMES, Situation
from core.studies.clauses.estimate import analyse
from core.studies.clauses.reconstructions import Ensemble, support_counts
from core.studies.clauses.reduce import reduce_determinations
from core.verdicts import Verdict
from tests.core import clause_by_hand
from tests.core.clause_rows import panel_rows, random_rate
from tests.core.test_clauses_tables import shipped

PLANNED = DECLARATION.planned
QUICK = PLANNED.replace(draws="2000")
ROWS = panel_rows(random_rate(7, missing=0.02), runs={"v2": 6, "v3": 5})
OWN = Ensemble((reduce_determinations(ROWS),), documented=False)
MODEL = "gpt-5.1"


@cache
def by_hand(hypothesis: str, family: str) -> list[float]:
    values = clause_by_hand.group_values(ROWS.to_dicts(), "v3", MODEL, hypothesis, [family])
    return list(values.values())


@pytest.mark.parametrize(("labels", "hypothesis"), [("role labels", "H1"), ("opaque labels", "H4")])
def test_asymmetry_by_labelling_and_kind_of_contract(labels: str, hypothesis: str) -> None:
    table = groups.labelling_table(OWN, PLANNED, "v3", MODEL)
    for family in FAMILIES:
        values = by_hand(hypothesis, family)
        row = table.row(
            by_predicate=(pl.col("labels") == labels) & (pl.col("family") == FAMILY_NAMES[family]),
            named=True,
        )
        assert row["groups"] == len(values)
        assert row["mean"] == pytest.approx(sum(values) / len(values))
        assert row["above"] == sum(value > 1e-9 for value in values)
        assert row["below"] == sum(value < -1e-9 for value in values)
        assert row["above"] + row["none"] + row["below"] == row["groups"]


def test_every_situation_and_kind_is_there_whichever_are_pooled() -> None:
    one = groups.labelling_table(OWN, PLANNED.replace(families=("b2b",)), "v3", MODEL)
    assert one.equals(groups.labelling_table(OWN, PLANNED, "v3", MODEL))
    assert one.height == 8 * 3
    without = groups.asymmetry_table(
        OWN.statistics[0], PLANNED.replace(leave_out="clause-01"), "v3", MODEL
    )
    assert "clause-01" not in without["archetype"].to_list()


def test_counts_of_groups_add_up() -> None:
    table = groups.asymmetry_table(OWN.statistics[0], PLANNED, "v3", MODEL)
    counts = groups.count_table(table)
    neutral = table.filter(pl.col("framing") == "neutral").drop_nulls("asymmetry")
    assert counts["count"].sum() == neutral.height
    for (_, mean), rows in counts.group_by("row", "mean"):
        assert (rows["value"] * rows["count"]).sum() / rows["count"].sum() == pytest.approx(mean)
    drawing = group_counts(counts, unit="u", look=Look(LIGHT, (MODEL,), MODEL))
    assert drawing.data["counts"].height == counts.height


def test_each_kind_of_contract_is_the_analysis_of_it_alone() -> None:
    table = groups.family_table(OWN, QUICK, "v3")
    statistics = OWN.statistics[0]
    for family in FAMILIES:
        alone = analyse(statistics, QUICK.replace(families=(family,)))
        rows = table.filter(pl.col("family") == FAMILY_NAMES[family])
        r = statistics.runs.index("v3")
        assert rows["estimate"].to_numpy() == pytest.approx(alone.estimate[r].ravel())
        assert rows["low"].to_numpy() == pytest.approx(alone.interval[r, ..., 0].ravel())
        assert rows["high"].to_numpy() == pytest.approx(alone.interval[r, ..., 1].ravel())
        assert rows["n"].to_list() == alone.n[r].ravel().tolist()
    assert table.filter("is_descriptive")["family"].unique().to_list() == [FAMILY_NAMES["b2b"]]
    assert not [name for name in table.columns if name.startswith("verdict_now")]


def test_a_kind_of_contract_that_the_study_does_not_know() -> None:
    rows = panel_rows(random_rate(8), runs={"v3": 5}, families=("loan", "employment"))
    own = Ensemble((reduce_determinations(rows),), documented=False)
    table = groups.family_table(own, QUICK, "v3")
    assert table["family"].unique(maintain_order=True).to_list() == [
        FAMILY_NAMES["employment"],
        "loan",
    ]
    values = clause_by_hand.group_values(rows.to_dicts(), "v3", MODEL, "H1", ["loan"]).values()
    row = table.row(
        by_predicate=(pl.col("family") == "loan")
        & (pl.col("hypothesis") == "H1")
        & (pl.col("model_id") == MODEL),
        named=True,
    )
    assert row["estimate"] == pytest.approx(sum(values) / len(values))


def test_printed_means_of_kinds_are_pinned_where_the_search_was_given_them() -> None:
    printed = {
        FAMILY_NAMES[figure.condition["family"]]: figure
        for figure in figures("clauses").values()
        if figure.quantity == "group_level_mean_asymmetry" and "family" in figure.condition
    }
    assert len(printed) == 3
    table = groups.labelling_table(shipped(), PLANNED, "v2", MODEL)
    rows = table.filter(pl.col("labels") == "role labels")
    families = groups.family_table(shipped(), PLANNED, "v2").filter(
        (pl.col("model_id") == MODEL) & (pl.col("hypothesis") == "H1")
    )
    for frame, number in ((rows, "mean"), (families, "estimate")):
        assert frame["number_basis"].to_list() == ["pinned"] * 3
        for family, value in frame.select("family", number).iter_rows():
            assert value == pytest.approx(printed[family].value, abs=printed[family].half_unit)
    assert "pinned" not in table.filter(pl.col("labels") != "role labels")["number_basis"]
    fewer = PLANNED.replace(archetypes="unchanged")
    departed = groups.labelling_table(shipped(), fewer, "v2", MODEL)
    assert "pinned" not in departed["number_basis"].to_list()


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5, unique=True))
def test_any_name_can_be_left_out(names: list[str]) -> None:
    assert read_names(",".join(map(write_name, names))) == tuple(names)


def test_a_clause_with_a_comma_is_left_out_by_the_button() -> None:
    rows = ROWS.with_columns(pl.col("archetype").str.replace("clause-01", "fees, costs and 5%"))
    statistics = reduce_determinations(rows)
    longer = influence.add_to_list(PLANNED.replace(leave_out="clause-02"), "fees, costs and 5%")
    assert longer.text("leave_out") == "clause-02, fees%2C costs and 5%25"
    scope = analyse(statistics, longer).contrasted.scope
    left = statistics.groups.filter(pl.Series(scope.any(axis=0)))["archetype"].unique().to_list()
    assert not {"clause-02", "fees, costs and 5%"} & set(left)


def test_tiles_are_the_flips_of_one_run() -> None:
    table = influence.influence(OWN.statistics[0], QUICK.replace(alpha=0.2))
    flips = table.filter("flip", pl.col("run") == "v2")
    assert flips.height, "another seed, please"
    tiles = influence.tiles(table, "v2")
    keys = ("archetype", "model", "verdict_without")
    assert sorted(tiles.select(keys).rows()) == sorted(flips.select(keys).rows())
    names = tuple(tiles["model"].unique(maintain_order=True))
    drawing = deciding_clauses(tiles, look=Look(LIGHT, names, names[0]))
    assert drawing.data["tiles"].height == tiles.height
    said = texts.influence_alt(tiles, "v2")
    assert all(name in said for name in tiles["archetype"])
    shown = influence.shown(influence.hinges(table))
    assert "change it" in shown.columns
    cell = influence.hinges(table).head(1)
    many = cell.with_columns(names=pl.Series([[f"c{i}" for i in range(8)]]))
    assert influence.shown(many)["which clauses"].item() == "c0, c1, c2, c3, c4 and 3 more"


def test_the_exact_sign_test_is_told_in_full() -> None:
    printed = figures("clauses")["clauses.direction.v2.sign_test_p"]
    table = direction.direction_table(shipped().statistics[0], "role")
    first, second = table.filter(pl.col("model_id") == "").iter_rows(named=True)
    assert f"{first['p']:.3f}" == f"{printed.value:.3f}"
    # Ten of ten: 2 x (1/2)^10.
    assert texts.direction_line(first).startswith(
        "In v2, 10 of 840 answers are wrong: the stronger party is named in 10, the weaker one in "
        "0."
    )
    assert "p = 0.002 (0.001953)" in texts.direction_line(first)
    assert texts.direction_line(second) == "In v3, none of 694 answers is wrong."
    assert direction.shown(table)["stronger"][0] == 10
    assert "97 and 100 percent" in texts.direction_printed()


def test_cells_without_a_verdict_are_not_counted() -> None:
    situations = (Situation("role"),)
    rows = panel_rows(random_rate(4), runs={"v2": 6}, situations=situations)
    own = Ensemble((reduce_determinations(rows),), documented=False)
    verdicts = analyse(own.statistics[0], PLANNED).verdict
    judged = int((verdicts != Verdict.CANNOT_COMPUTE.value).sum())
    assert judged == 2, "H1 of two models; the others need opaque labels"
    ((supported, planned, total),) = support_counts(own, PLANNED)
    assert (supported, total) == (planned, judged)
    assert f"{supported} of 2 verdicts" in sentences.counts(
        [(supported, planned, total)], documented=False
    )
    none = sentences.counts([(0, 0, 0)], documented=False)
    assert "no claim has a verdict" in none


@pytest.mark.parametrize(
    ("tests", "title"),
    [("model", "GPT-5.1, v3"), ("hypothesis", "H2 of all models, v3"), ("all", "all tests, v3")],
)
def test_the_ladder_is_named_after_its_family(tests: str, title: str) -> None:
    choices = PLANNED.replace(tests=tests)
    assert tables.family_title(choices, "v3", "GPT-5.1", "H2") == title


def test_equivalence_is_drawn_in_the_studys_order() -> None:
    statistics = shipped().statistics[0]
    compared = tables.compare(statistics, analyse(statistics, PLANNED), documented=True)
    rows = tables.equivalence_rows(
        tables.equivalence_table(compared).filter(pl.col("run") == "v2")
    )["row"].to_list()
    assert rows == [
        f"{h}  {name}" for h in ("H1", "H2", "H3", "H4", "H5") for name in compared.names
    ]


def changed(shares: list[float]) -> str:
    rows = pl.DataFrame(
        {
            "model": "M",
            "hypothesis": "H1",
            "verdict_first": "supported",
            "verdict_second": "not supported",
            "factor": ["estimate", "n", "spread", "gate"],
            "share": shares,
            "agrees": True,
        }
    )
    (line,) = texts.change_lines(rows)
    return line.split("; ")[1]


def test_what_changed_a_verdict_is_told_as_part_of_the_change() -> None:
    assert changed([-1.0, 0.0, 0.0, 0.0]) == "because of the estimate alone."
    assert changed([0.2, 0.0, -1.0, -0.2]) == (
        "mostly because of the spread over clause groups, which carries 100% of the change."
    )
    assert changed([-0.25, 0.0, -0.75, 0.0]) == (
        "mostly because of the spread over clause groups, which carries 75% of the change."
    )
    assert changed([0.5, 0.0, 0.25, 0.25]) == (
        "first of all because of the estimate, which carries 50% of the change."
    )
    assert changed([0.0] * 4) == "the t form shows no change to explain."


def test_published_parts_hold_printed_figures() -> None:
    first, second = published.PUBLISHED.parts()
    assert first.rows is not None
    assert second.rows is not None
    known = figures("clauses")
    external = [f for f in known if f.startswith("clauses.external.")]
    assert first.rows["printed"].to_list() == [f"{known[name].value:g}" for name in external]
    assert second.rows["printed"].to_list() == ["96", "0", "83"]


def test_two_panels_beside_each_other() -> None:
    one = pl.DataFrame(
        {
            "model": ["a", "b", "c", "d"],
            "estimate": [1.0, 2.0, 3.0, None],
            "verdict_now": ["supported", "supported", "opposite", "cannot compute"],
        }
    )
    other = pl.DataFrame(
        {
            "model": ["b", "a", "d", "e"],
            "estimate": [2.5, 1.0, None, 4.0],
            "verdict_now": ["not supported", "supported", "cannot compute", "supported"],
        }
    )
    table = beside.differences(one, other, keys=("model",), number="estimate")
    assert table["model"].to_list() == ["a", "b", "c", "d", "e"]
    assert table["difference"].to_list() == [0.0, 0.5, None, None, None]
    assert table["verdict_differs"].to_list() == [False, True, True, False, True]
    # d has a verdict in neither.
    assert beside.counts(table) == (3, 4)
    same = beside.differences(one, one, keys=("model",), number="estimate")
    assert beside.counts(same) == (0, 3)
    assert np.nansum(same["difference"].to_numpy()) == 0
