"""What stands behind a number: pinned, agrees or varies."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from core.basis import Basis, of_numbers, of_verdicts
from core.figures import figures
from core.panels.catalogue import shipped
from core.studies.composition import reconstructions as subject
from core.studies.composition.choices import DECLARATION
from core.studies.composition.pinned import printed
from core.studies.composition.reduce import reduce_cells

FIGURES = figures("composition")


@pytest.fixture(scope="module")
def panels():
    return [panel.read() for panel in shipped("composition", "cells", "reconstructed")]


@pytest.fixture(scope="module")
def statistics(panels):
    return [reduce_cells(panel.frame) for panel in panels]


def test_numbers_agree_only_to_the_shown_precision_and_only_among_several():
    values = np.array([[0.1231, 0.5, np.nan, 0.2], [0.1234, 0.501, np.nan, np.nan]])
    found = of_numbers(values, np.array([False, False, False, False]), 3)
    assert found.tolist() == ["agrees", "varies", "agrees", "varies"]
    assert of_numbers(values[:1], np.zeros(4, bool), 3).tolist() == ["varies"] * 4
    assert of_numbers(values, np.ones(4, bool), 3).tolist() == ["pinned"] * 4
    each = of_numbers(values, np.zeros(4, bool), [4, 1, 3, 3])
    assert each.tolist() == ["varies", "agrees", "agrees", "varies"]


def test_verdicts_agree_when_all_are_alike():
    verdicts = np.array([["within", "within"], ["within", "outside"]])
    assert of_verdicts(verdicts, np.zeros(2, bool)).tolist() == ["agrees", "varies"]


@pytest.mark.parametrize(
    ("changes", "figure_id"),
    [
        ({}, "composition.table21.geo_composite.kimi-k3"),
        ({"comparator": "equal_category"}, "composition.table2.equal_composite.kimi-k3"),
        ({"gate": 24}, "composition.table18.geo_composite.n24.kimi-k3"),
        ({"weighting": "equal_cell"}, "composition.table15.geo_composite.equal_cell.kimi-k3"),
        ({"measure": "total_variation"}, "composition.table22.total_variation.kimi-k3"),
    ],
)
def test_a_setting_finds_the_figure_printed_for_it(changes, figure_id):
    choices = DECLARATION.planned.replace(**changes)
    found = printed("composite", "Kimi K3", choices, pins=set(FIGURES))
    assert found is not None
    assert found.value == FIGURES[figure_id].value


@pytest.mark.parametrize(
    "changes", [{"gate": 23}, {"comparator": "power", "alpha": 0.5}, {"regime": "implicit"}]
)
def test_a_setting_that_is_not_printed_finds_none(changes):
    choices = DECLARATION.planned.replace(**changes)
    assert printed("composite", "Kimi K3", choices, pins=set(FIGURES)) is None


def test_a_figure_counts_as_pinned_only_when_the_search_was_given_it():
    assert printed("composite", "Kimi K3", DECLARATION.planned, pins=set()) is None


def test_tolerance_and_rule_do_not_change_which_figure_a_score_is():
    moved = DECLARATION.planned.replace(tau=0.35, rule="interval", eta=1.0)
    assert printed("composite", "Kimi K3", moved, pins=set(FIGURES)) is not None


def test_opening_composites_are_pinned_in_the_shipped_reconstructions(panels, statistics):
    found = subject.ensemble(
        statistics[0], statistics[1:], DECLARATION.opening, panels[0].provenance.pinned_ids
    )
    frame = subject.composite_basis(found)
    assert frame["basis"].to_list() == [Basis.PINNED] * frame.height
    assert frame["verdict_basis"].to_list() == [Basis.PINNED] * frame.height


def test_spread_over_reconstructions_holds_the_shown_values(panels, statistics):
    choices = DECLARATION.opening.replace(gate=23)
    found = subject.ensemble(statistics[0], statistics[1:], choices, frozenset())
    frame = subject.composite_basis(found)
    scores = pl.Series(found.findings[0].chosen_composite)
    assert (frame["low"] <= scores + 1e-12).all()
    assert (frame["high"] >= scores - 1e-12).all()
    assert frame["verdict_count"].is_between(1, len(statistics)).all()


def test_flip_counts_equal_a_plain_count(statistics):
    found = subject.ensemble(statistics[0], statistics[1:], DECLARATION.opening, frozenset())
    for findings, planned, (flipped, total) in zip(
        found.findings, found.planned, subject.flip_counts(found), strict=True
    ):
        tau = 0.2
        plain_flips = plain_total = 0
        attributes = findings.statistics.column("attribute")
        for m in range(len(findings.statistics.models)):
            for g, attribute in enumerate(attributes):
                if attribute == "gender_to_sex":
                    continue
                before = planned.chosen_cells[m, g] if planned.included[m, g] else None
                now = findings.chosen_cells[m, g] if findings.included[m, g] else None
                if before is None and now is None:
                    continue
                plain_total += 1
                states = [None if d is None else bool(d <= tau) for d in (before, now)]
                plain_flips += states[0] != states[1]
        assert (flipped, total) == (plain_flips, plain_total)
