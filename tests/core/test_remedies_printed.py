"""The printed figures: every one has a way, bounds are bounds, missing tables have a reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from core import fidelity
from core.fidelity import kept_ledger, ledger, shipped_numbers, shipped_panels
from core.figures import Figure, figures
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.formats import SHORT
from core.studies.remedies.printed import QUANTITIES, tolerance
from core.studies.remedies.printed_rows import bounded
from core.studies.remedies.reconstructions import (
    Ensemble,
    claims_with_basis,
    instability_with_basis,
    material_with_basis,
    moves,
)
from core.studies.remedies.sentences import departures, opening, standing
from core.studies.remedies.tables import (
    claim_table,
    compare,
    instability_table,
    material_table,
)
from core.words import listed, unmarked
from tests.core.remedy_panels import (
    FIVE,
    JEV,
    MINI,
    attributes_of,
    audit_of,
    everything,
    keys,
    labels,
    reduced,
    share_of,
    shares,
    tier_of,
    with_experiments,
)

PLANNED = DECLARATION.planned
COUNT = 40


def panel(frame: pl.DataFrame) -> Any:
    return SimpleNamespace(frame=frame, provenance=SimpleNamespace(pinned_ids=frozenset()))


@cache
def decisions() -> pl.DataFrame:
    """A holdout with everything, and an exploratory panel to pool with it."""
    rng = np.random.default_rng(5)
    parts = [with_experiments(1, COUNT)]
    for bank in (MINI, FIVE):
        texts = keys(50, bank, panel="exploratory")
        latent = rng.normal(-1.6, 1.3, 50)[:, None] + rng.normal(0, 0.5, (50, 36))
        parts += [labels(texts, bank, tier_of(latent)), shares(texts, JEV, share_of(latent))]
    return pl.concat(parts)


@cache
def complete() -> pl.DataFrame:
    return ledger(
        "remedies",
        {
            "decisions": panel(decisions()),
            "attributes": panel(attributes_of(1, COUNT)),
            "audit": panel(audit_of(1, COUNT)),
        },
    )


def test_every_counted_figure_has_a_way() -> None:
    for figure in figures("remedies").values():
        if figure.basis in ("rows", "recomputable"):
            assert figure.quantity in QUANTITIES, figure.figure_id


UNDEFINED = {
    "remedies.sec3_8.duplicates": "not part of the rows",
    "remedies.sec4_3.h5.p": "not said",
    "remedies.sec4_4.extension_gap": "a stated reason",
    "remedies.sec4_5.self_label.young": "not part of the rows",
    "remedies.sec4_5.self_label.college": "not part of the rows",
    "remedies.appd.order.last_position": "not said",
    "remedies.sec5_4.tokens.input": "not part of the rows",
    "remedies.sec5_4.tokens.output": "not part of the rows",
}


def test_all_figures_are_in_the_ledger_and_few_cannot_be_derived() -> None:
    table = complete()
    assert table.height == 546
    assert table.filter("counted").height == 288
    gone = table.filter(pl.col("counted") & (pl.col("status") == "not derivable"))
    assert dict(gone.select("figure_id", "why").iter_rows()).keys() == UNDEFINED.keys()
    for figure_id, why in gone.select("figure_id", "why").iter_rows():
        assert UNDEFINED[figure_id] in why
    given = table.filter(pl.col("counted") & (pl.col("status") != "not derivable"))
    assert given["recomputed"].null_count() == 0
    ends = given.filter(pl.col("published_lower").is_not_null())
    assert ends["recomputed_lower"].null_count() == 0


@pytest.mark.parametrize("number", shipped_numbers("remedies"))
def test_nine_of_ten_counted_figures_are_met_in_each_reconstruction(number: int) -> None:
    table = kept_ledger("remedies", number, shipped_panels("remedies", number))
    assert table is not None, "the ledger is not of these rows: write it anew"
    assert table.height == 546
    share = fidelity.shares(table).all.share
    assert share is not None
    assert share >= 0.9


def value(figure_id: str) -> float:
    row = complete().filter(pl.col("figure_id") == f"remedies.{figure_id}")
    return float(row["recomputed"][0])


def test_figures_that_are_functions_of_others_follow_them() -> None:
    for contrast in ("edu", "ses", "age"):
        difference = value(f"table2.gap.{contrast}.m0") - value(f"table2.gap.{contrast}.m1")
        assert value(f"table2.reduction.{contrast}") == pytest.approx(difference)
    flags = (value(f"sec4_8.fa2.{who}") for who in ("claude", "gpt52", "both", "either"))
    claude, gpt, both, either = flags
    assert either == pytest.approx(claude + gpt - both)
    span = value("table3.strengthen.gpt4o") - value("table3.weaken.gpt4o")
    assert value("appd.span.gpt4o") == pytest.approx(span)
    for outcome in ("p2", "e_tier"):
        parts = (
            "persona_shared",
            "other_persona_interactions",
            "rewrite_model",
            "complaint_persona_bank",
            "order_and_noise",
        )
        total = sum(value(f"appc.part.{outcome}.{part}") for part in parts)
        assert total == pytest.approx(100)
    shared = value("appc.term.p2.k") + value("appc.term.p2.cxk")
    assert value("appc.part.p2.persona_shared") == pytest.approx(shared)
    differ = (value(f"table1.differ.{rule}.gpt4o_bank")
              for rule in ("gpt_label", "jev_p2_threshold_matched"))  # fmt: skip
    first, second = differ
    assert value("sec4_3.diff.gpt4o_minus_threshold") == pytest.approx(first - second)
    ratio = value("sec4_8.fa3.screened.gpt4o") / value("sec4_8.fa3.all.gpt4o")
    assert value("sec4_8.fa3.ratio.gpt4o") == pytest.approx(100 * ratio)


def test_matched_rules_have_the_rate_of_the_labels() -> None:
    label = value("table1.rate.gpt_label.gpt4o_bank")
    table = complete()
    rule = "table1.rate.jev_p2_threshold_matched.gpt4o_bank"
    matched = table.filter(pl.col("figure_id") == f"remedies.{rule}")
    if matched["recomputed"][0] is not None:
        assert matched["recomputed"][0] == pytest.approx(label)
    assert value("sec3_9.monetary_rate.untied.jev") >= label


def test_missing_tables_say_so() -> None:
    bare = ledger("remedies", {"decisions": panel(decisions())})
    gone = bare.filter(pl.col("figure_id").str.contains("sec4_8.fa2|table4.delivery|mh4.eta2"))
    counted = gone.filter(pl.col("basis") == "rows")
    assert set(counted["status"]) == {"not derivable"}
    assert all(counted["why"])
    kept = bare.filter(pl.col("figure_id") == "remedies.table1.rate.gpt_label.gpt4o_bank")
    assert kept["recomputed"][0] is not None


def test_one_panel_cannot_be_pooled() -> None:
    only = decisions().filter(pl.col("panel") == "holdout")
    table = ledger("remedies", {"decisions": panel(only)})
    row = table.filter(pl.col("figure_id") == "remedies.sec4_2.pooled.gap.ses.gpt4o")
    assert row["status"][0] == "not derivable"
    assert "exploratory" in row["why"][0]


def figure(**changes: Any) -> Figure:
    return replace(figures("remedies")["remedies.sec4_2.abs_gap_max"], **changes)


def test_repeats_in_another_unit_are_converted() -> None:
    table = complete()
    for percent, share in (
        ("abstract.retention.min", "sec4_7.retention.gpt4o.m2"),
        ("sec4_8.fa3.ratio.gpt4o", "sec4_8.fa3.ratio_ci.gpt4o"),
    ):
        one, other = (
            table.filter(pl.col("figure_id") == f"remedies.{name}")["recomputed"][0]
            for name in (percent, share)
        )
        assert one == pytest.approx(100 * other)


def test_a_printed_bound_holds_or_shows_what_there_is() -> None:
    at_most = figure(value=0.5, note="le; every system and contrast")
    assert bounded(at_most, 0.47).value == 0.5
    assert "at most" in bounded(at_most, 0.47).why
    assert bounded(at_most, 0.62).value == 0.62
    above = figure(value=0.8, note="gt; every ratio")
    assert bounded(above, 0.93).value == 0.8
    assert bounded(above, 0.8).value == 0.8
    assert bounded(figure(value=0.8, note="ge"), 0.7).value == 0.7
    assert bounded(figure(value=0.8, note="plain"), 0.93).value == 0.93


def test_ends_are_held_to_what_resamples_can_differ_by() -> None:
    table = figures("remedies")
    gap = table["remedies.sec4_2.gap.edu.gpt4o"]
    allowed = tolerance(gap)
    assert allowed.value == pytest.approx(0.005)
    # Standard error .191: two 2.5% quantiles of 2,000 draws differ by about .06 of it each.
    error = (gap.upper - gap.lower) / 3.92  # type: ignore[operator]
    rng = np.random.default_rng(1)
    ends = np.quantile(rng.normal(0, error, (400, 2000)), 0.025, axis=1)
    simulated = 2 * np.sqrt(2) * ends.std(ddof=1)
    assert allowed.ends - 0.005 == pytest.approx(simulated, rel=0.12)
    assert tolerance(table["remedies.table1.rate.gpt_label.gpt4o_bank"]).value == 0.05
    assert tolerance(table["remedies.sec4_1.p2_range_over_010"]).value == 5


@cache
def ensemble() -> Ensemble:
    pins = ("remedies.table1.differ.gpt_label.gpt4o_bank", "remedies.table4.gap.edu")
    return Ensemble((everything(1, COUNT), reduced(2, COUNT), reduced(3, COUNT)), True, pins)


def test_what_stands_behind_numbers() -> None:
    found = ensemble()
    comparison = compare(found.statistics[0], found.findings(PLANNED)[0])
    claims = claims_with_basis(claim_table(comparison), found, PLANNED)
    pinned = claims.filter(pl.col("number_basis") == "pinned")
    assert pinned.select("system_id", "key", "outcome").rows() == [
        (MINI, "college_minus_high_school", "tier")
    ]
    material = material_with_basis(material_table(comparison), found, PLANNED)
    assert material["key"].to_list() == material_table(comparison)["key"].to_list()
    # GPT-4o-mini's education gap has a printed interval inside 1 pp that excludes zero.
    stated = material.filter(
        (pl.col("system_id") == MINI)
        & (pl.col("key") == "college_minus_high_school")
        & (pl.col("quantity_id") == "gap")
    )
    settled = stated["verdict_basis"][0] == "pinned"
    assert settled == (stated["verdict_now"][0] == "both")
    unstable = instability_with_basis(instability_table(comparison), found, PLANNED)
    row = unstable.filter((pl.col("system_id") == MINI) & (pl.col("measure_id") == "differ"))
    assert "the study prints 3.8" in row["behind"][0]
    # With another sample or rule the printed figure no longer stands for the number.
    other = instability_with_basis(
        instability_table(comparison), found, PLANNED.replace(sample="exploratory")
    )
    assert "the study prints" not in " ".join(other["behind"])


def test_a_panel_of_its_own_has_no_basis() -> None:
    own = Ensemble((ensemble().statistics[0],), False)
    comparison = compare(own.statistics[0], own.findings(PLANNED)[0])
    claims = claims_with_basis(claim_table(comparison), own, PLANNED)
    assert set(claims["behind"]) == {"the panel's own rows"}
    assert all(move.certain for move in moves(own, PLANNED, PLANNED.replace(gap_bound=5.0)))


def test_moves_are_told_with_what_determines_them() -> None:
    found = ensemble()
    wide = PLANNED.replace(gap_bound=5.0)
    moved = [move for move in moves(found, PLANNED, wide) if move.changed]
    assert moved
    assert {move.kind for move in moved} == {"material"}
    tight = PLANNED.replace(gap_bound=0.5)
    sure = [move for move in moves(found, PLANNED, tight) if move.changed and move.certain]
    said = unmarked(departures(found, tight))
    for word, count in Counter(move.after for move in sure).items():
        assert f"{count} gaps become {word} (" in said
    for decider in {move.decider for move in sure}:
        own = [SHORT[move.contrast] for move in sure if move.decider == decider]
        assert said.count(f"{decider}: {listed(own)}") == 1
    assert departures(found, PLANNED) == ""
    assert "Largest gap that does not matter" in departures(found, wide)
    asked = departures(found, PLANNED.replace(rule="argmax"))
    assert "another question" in asked


def test_the_opening_tells_instability_beside_the_gap() -> None:
    said = opening(ensemble(), PLANNED)
    assert "style" in said
    assert "% of complaints" in said
    assert "% of complaints" in standing(ensemble().findings(PLANNED)[0])


def test_the_opening_is_of_the_planned_setting_where_the_document_settles_nothing_else() -> None:
    said = opening(ensemble(), PLANNED.replace(sample="exploratory", gap_bound=0.5))
    assert said.startswith("In the planned setting: ")
    assert "1.00 pp" in said
