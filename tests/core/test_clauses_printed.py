"""The ledger of the clauses study: every figure has a row, and shipped panels meet them."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import polars as pl
import pytest

from core.fidelity import ledger, shares, shipped_numbers, shipped_panels
from core.figures import Figure, Panels, figures
from core.panels.provenance import Provenance
from core.panels.read import Panel
from core.studies.clauses import printed
from core.studies.clauses.contract import ARCHETYPES, DETERMINATIONS
from tests.core.clause_rows import archetype_rows, panel_rows, random_rate

NUMBERS = shipped_numbers("clauses")
FIGURES = figures("clauses")


@cache
def shipped_ledger(number: int) -> pl.DataFrame:
    return ledger("clauses", shipped_panels("clauses", number), draws=True)


def made_of(rows: pl.DataFrame, archetypes: pl.DataFrame | None = None) -> Panels:
    panels = {
        "determinations": Panel(
            "t", rows, Provenance("clauses", "determinations", "imported"), DETERMINATIONS, "0"
        )
    }
    if archetypes is not None:
        provenance = Provenance("clauses", "archetypes", "imported")
        panels["archetypes"] = Panel("t", archetypes, provenance, ARCHETYPES, "0")
    return panels


@pytest.mark.parametrize("number", NUMBERS)
def test_all_figures_have_a_row_and_those_that_count_are_met(number: int) -> None:
    table = shipped_ledger(number)
    assert table["figure_id"].to_list() == list(FIGURES)
    assert table.height == 128
    counted = table.filter("counted")
    off = counted.filter(pl.col("status") != "reproduced")
    assert off.is_empty(), off.select("figure_id", "why").rows()
    share = shares(table).all.share
    assert share is not None
    assert share >= 0.95


@pytest.mark.parametrize("number", NUMBERS)
def test_the_contradiction_stays_visible(number: int) -> None:
    rows = {row["figure_id"]: row for row in shipped_ledger(number).iter_rows(named=True)}
    before = rows["clauses.compare.verdicts_changed.before_correction"]
    by_holm = rows["clauses.v3.holm_changed_cells"]
    # Each cell that Holm changes moves the count by one: three to six and two cells do not go
    # together, so one of the two figures is off in any panel.
    assert {before["status"], by_holm["status"]} == {"reproduced", "off"}
    assert not before["counted"]
    assert not by_holm["counted"]


def test_no_figure_that_needs_rows_is_left_without_a_way() -> None:
    table = shipped_ledger(NUMBERS[0])
    needed = table.filter(pl.col("basis").is_in(["rows", "recomputable", "bound", "arithmetic"]))
    assert needed.filter(pl.col("status") == "not derivable").is_empty()
    rest = table.filter(pl.col("status") == "not derivable")
    assert set(rest["basis"]) == {"design", "other_run"}


def test_figures_by_hand_from_rows() -> None:
    """A sample of printed figures, in plain Python from the first shipped panel's rows."""
    panels = shipped_panels("clauses", NUMBERS[0])
    rows = panels["determinations"].frame.to_dicts()
    table = {row["figure_id"]: row for row in shipped_ledger(NUMBERS[0]).iter_rows(named=True)}

    def mean_tilt(run: str, model: str, families: set[str]) -> float:
        sums: dict[tuple[str, str], dict[str, Any]] = {}
        for r in rows:
            mine = (r["run"], r["model"], r["condition"]) == (run, model, "neutral_role")
            if mine and r["family"] in families:
                sums.setdefault((r["archetype"], r["family"]), {})[r["variant"]] = r["fairness"]
        tilts = [
            g["weak"] - g["strong"] for g in sums.values() if None not in (g["weak"], g["strong"])
        ]
        return sum(tilts) / len(tilts)

    both = {"employment", "landlord_tenant"}
    for figure_id, value in {
        "clauses.v2.h1.gpt-5.1": mean_tilt("v2", "gpt-5.1", both),
        "clauses.v2.family.b2b.gpt-5.1": mean_tilt("v2", "gpt-5.1", {"b2b"}),
        "clauses.v3.h1.gemini-3.1-flash-lite": mean_tilt("v3", "gemini-3.1-flash-lite", both),
    }.items():
        assert table[figure_id]["recomputed"] == pytest.approx(value)
        assert abs(value - FIGURES[figure_id].value) <= 0.005
    unusable = sum(r["run"] == "v3" and r["fairness"] is None for r in rows)
    assert table["clauses.v3.missing.count"]["recomputed"] == unusable == 99
    one_sided = [
        r
        for r in rows
        if (r["run"], r["condition"]) == ("v2", "neutral_role") and r["variant"] != "mutual"
    ]
    wrong = sum(r["favored"] not in (None, r["variant"]) for r in one_sided)
    assert table["clauses.direction.v2.wrong"]["recomputed"] == wrong == 10


def test_a_panel_of_another_shape_says_what_it_lacks() -> None:
    rows = panel_rows(random_rate(1), runs={"v2": 3}, models=["gpt-5.1"])
    table = ledger("clauses", made_of(rows))
    why = dict(table.select("figure_id", "why").iter_rows())
    assert why["clauses.v2.h1.claude-sonnet-5"] == "the panel has no rows of claude-sonnet-5"
    assert why["clauses.v3.h4.n_models_supported"] == "the panel has no rows of v3"
    assert why["clauses.v2.defects.giveaway"] == "needs the archetypes table"
    assert "no archetypes table" in why["clauses.unchanged.labeled.v2"]
    flags = archetype_rows(3, giveaway=[1, 2])
    found = ledger("clauses", made_of(rows, flags)).filter(
        pl.col("figure_id") == "clauses.v2.defects.giveaway"
    )
    assert found["recomputed"][0] == 2


def test_a_panel_without_a_single_rating_breaks_no_ledger() -> None:
    rows = panel_rows(lambda *_: None, runs={"v2": 2, "v3": 2}, models=["gpt-5.1"])
    table = ledger("clauses", made_of(rows, archetype_rows(2, unchanged=[1, 2])))
    assert table.height == 128
    row = table.filter(pl.col("figure_id") == "clauses.v2.h1.gpt-5.1").row(0, named=True)
    assert (row["status"], row["recomputed"]) == ("off", None)


def test_tolerances() -> None:
    plain = printed.tolerance(FIGURES["clauses.v2.h1.claude-sonnet-5"])
    assert (plain.value, plain.ends, plain.why) == (0.005, 0.005, "")
    ends = printed.tolerance(FIGURES["clauses.unchanged.opaque.change"])
    assert ends.value == pytest.approx(0.0005)
    assert ends.ends == pytest.approx(0.0155)
    assert "lattice" in ends.why


def test_an_unknown_quantity_has_no_way() -> None:
    panels = made_of(panel_rows(random_rate(1), runs={"v2": 2}, models=["gpt-5.1"]))
    look_up = printed.recompute(panels, draws=False)
    known = FIGURES["clauses.v2.n_models"]
    assert look_up(known) is None
    assert cast(Figure, known).basis == "design"
