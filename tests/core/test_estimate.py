"""Estimates against the same formulas in plain Python, from the rows."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import polars as pl
import pytest

from core.choices import Choices, Value
from core.panels.catalogue import shipped
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import Findings, analyse, reason
from core.studies.composition.reduce import reduce_cells
from core.studies.composition.sources import ATTRIBUTES, PRIMARY_MODULES
from tests.core import by_hand

COMPARATORS = ("geography", "equal_category", "mixture", "power", "occupational")
MEASURES = ("jsd", "root_jsd", "total_variation", "largest_deviation")
WEIGHTINGS = ("hierarchy", "equal_cell", "mapped_n")
PORTFOLIOS = ("common_intersection", "model_specific", "source_scoreable")

Counted = dict[str, dict[by_hand.Key, Counter[str]]]


def frame(rows: list[by_hand.Row]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=list(by_hand.COLUMNS), orient="row")


def random_choices(seed: int) -> dict[str, Value]:
    pick = random.Random(seed)
    modules = [name for name in (*PRIMARY_MODULES, "gender_to_sex") if pick.random() < 0.6]
    comparator = pick.choice(COMPARATORS)
    if comparator == "occupational":
        # Nothing else has such shares, so that all else would have no composite.
        modules = pick.choice([["gender_to_sex"], modules])
    return {
        "comparator": comparator,
        "lambda": pick.randrange(21) / 20,
        "alpha": pick.randrange(21) / 20,
        "regime": pick.choice(["joint", "joint", "implicit"]),
        "modules": tuple(modules) or ("religion",),
        "measure": pick.choice(MEASURES),
        "weighting": pick.choice(WEIGHTINGS),
        "portfolio": pick.choice(PORTFOLIOS),
        "gate": pick.choice([1, 5, 15, 20, 24, 30]),
        "zeros": pick.choice(["4.9e-05", "2e-05", "1e-09"]),
    }


def keys_of(findings: Findings) -> list[by_hand.Key]:
    return list(findings.statistics.cells.iter_rows())


def assert_same(found: float, expected: float | None, what: str) -> None:
    if expected is None:
        assert math.isnan(found), what
    else:
        assert found == pytest.approx(expected, abs=1e-7), what


def check(table: Counted, findings: Findings) -> int:
    """Compare every level of every model; say how many composites there were to compare."""
    choices = findings.choices
    keys, models = keys_of(findings), findings.statistics.models
    zero_mass = float(choices.text("zeros"))
    name, measure = choices.text("comparator"), choices.text("measure")
    setting = choices.number("lambda" if name == "mixture" else "alpha")
    planned = {key: by_hand.resident(key, zero_mass) for key in keys}
    chosen = {key: by_hand.comparator(name, key, setting, zero_mass) for key in keys}
    counting = by_hand.portfolio(
        table, keys, chosen, kind=choices.text("portfolio"), gate=int(choices.number("gate"))
    )
    weighting, modules = choices.text("weighting"), choices.many("modules")
    released = 0
    for m, model in enumerate(models):
        cells = {key: table[model].get(key, Counter()) for key in keys}
        sizes = {key: by_hand.mapped(cells[key], key) for key in keys}
        distances = []
        for g, key in enumerate(keys):
            pair = [
                by_hand.cell_distance(measure, cells[key], key, q[key]) for q in (planned, chosen)
            ]
            assert_same(findings.planned_cells[m, g], pair[0], f"{model} {key} planned")
            assert_same(findings.chosen_cells[m, g], pair[1], f"{model} {key} chosen")
            assert findings.included[m, g] == (key in counting[model])
            distances.append(pair)
        used = [
            (key, *pair)
            for key, pair in zip(keys, distances, strict=True)
            if key in counting[model]
        ]
        levels = {
            "planned": {key: before for key, before, _ in used},
            "chosen": {key: after for key, _, after in used},
            "change": {key: abs(after - before) for key, before, after in used},
        }
        found = {
            "planned": findings.planned_composite[m],
            "chosen": findings.chosen_composite[m],
            "change": findings.mean_absolute_change[m],
        }
        for level, values in levels.items():
            expected = by_hand.composite(values, weighting, sizes, modules)
            assert_same(found[level], expected, f"{model} {level}")
        released += expected is not None
        values = levels["chosen"]
        attributes = by_hand.by_attribute(values, weighting, sizes)
        for k, attribute in enumerate(ATTRIBUTES):
            of_attribute = findings.weights.modules(findings.chosen_cells)[m, k]
            assert_same(of_attribute, attributes.get(attribute), f"{model} {attribute}")
        contexts = by_hand.by_context(values, weighting, sizes)
        for c, pair in enumerate(findings.weights.grouping.contexts.iter_rows()):
            of_context = findings.weights.contexts(findings.chosen_cells)[m, c]
            assert_same(of_context, contexts.get(pair), f"{model} {pair}")
        assert (reason(findings, m) == "") == (expected is not None)
    return released


def test_every_level_of_random_panels_is_as_worked_in_plain_python() -> None:
    released = 0
    for seed in range(60):
        rows = by_hand.random_rows(seed)
        statistics = reduce_cells(frame(rows))
        for variant in range(3):
            choices = DECLARATION.select(random_choices(1000 * seed + variant))
            released += check(by_hand.counted(rows), analyse(statistics, choices))
    # The comparison must be of numbers, not only of their absence.
    assert released > 60


@pytest.fixture(scope="module")
def shipped_rows() -> list[by_hand.Row]:
    panel = shipped("composition", "cells")[0].read()
    return panel.frame.select(by_hand.COLUMNS).rows()


SHIPPED_CHOICES: dict[str, dict[str, Value]] = {
    "planned": {},
    "equal": {"comparator": "equal_category", "weighting": "equal_cell", "gate": 24},
    "mixture": {
        "comparator": "mixture",
        "lambda": 0.35,
        "measure": "root_jsd",
        "weighting": "mapped_n",
    },
    "power": {
        "comparator": "power",
        "alpha": 0.25,
        "zeros": "1e-06",
        "portfolio": "model_specific",
    },
    "occupational": {
        "comparator": "occupational",
        "modules": ("gender_to_sex",),
        "measure": "total_variation",
    },
    "implicit": {
        "regime": "implicit",
        "modules": ("gender_to_sex",),
        "portfolio": "source_scoreable",
    },
}


@pytest.mark.parametrize("changes", SHIPPED_CHOICES.values(), ids=SHIPPED_CHOICES)
def test_every_level_of_the_shipped_panel_is_as_worked_in_plain_python(
    shipped_rows: list[by_hand.Row], changes: dict[str, Value]
) -> None:
    statistics = reduce_cells(frame(shipped_rows))
    choices = DECLARATION.planned.replace(**changes)
    assert check(by_hand.counted(shipped_rows), analyse(statistics, choices)) == 6


def planned(**changes: Value) -> Choices:
    return DECLARATION.planned.replace(**changes)


def rows_of(
    cells: dict[tuple[str, str, str], dict[str, int]], model: str = "m"
) -> list[by_hand.Row]:
    """Joint story cells by (attribute, context, role)."""
    return [
        (model, "joint", attribute, context, "story", role, category, n)
        for (attribute, context, role), counts in cells.items()
        for category, n in counts.items()
    ]


def test_a_model_with_one_cell_has_that_cell_and_no_composite() -> None:
    rows = rows_of({("religion", "USA", "ceo"): {"Christian": 24, "unspecified": 6}})
    findings = analyse(reduce_cells(frame(rows)), planned())
    assert check(by_hand.counted(rows), findings) == 0
    assert findings.chosen_cells.shape == (1, 1)
    assert reason(findings, 0) == (
        "No cell of race/ethnicity, sexual orientation has 20 mapped outputs for every model; "
        "a composite needs every chosen attribute."
    )
    alone = analyse(reduce_cells(frame(rows)), planned(modules=("religion",)))
    assert alone.chosen_composite[0] == alone.chosen_cells[0, 0]
    assert reason(alone, 0) == ""


def test_a_context_without_a_target_counts_nowhere() -> None:
    cells = {
        ("religion", "USA", "ceo"): {"Christian": 30},
        ("religion", "MARS", "ceo"): {"Other": 30},
    }
    findings = analyse(reduce_cells(frame(rows_of(cells))), planned(modules=("religion",)))
    assert [key[2] for key in keys_of(findings)] == ["USA", "MARS"]
    assert findings.included.tolist() == [[True, False]]
    assert np.isnan(findings.comparator).any(-1).tolist() == [False, True]
    assert findings.statistics.other.tolist() == [[0, 30]]
    assert findings.chosen_composite[0] == findings.chosen_cells[0, 0]


@pytest.mark.parametrize("portfolio", PORTFOLIOS)
def test_a_model_without_mapped_outputs_has_no_number_anywhere(portfolio: str) -> None:
    empty = {
        ("race_ethnicity", "USA", "ceo"): {"unspecified": 30},
        ("religion", "USA", "ceo"): {"unmapped": 30},
        ("sexual_orientation", "USA", "ceo"): {"ambiguous": 20, "failed": 10},
    }
    findings = analyse(reduce_cells(frame(rows_of(empty))), planned(portfolio=portfolio))
    for values in (
        findings.chosen_cells,
        findings.planned_composite,
        findings.chosen_composite,
        findings.mean_absolute_change,
        findings.weights.modules(findings.chosen_cells),
        findings.weights.contexts(findings.chosen_cells),
    ):
        assert np.isnan(values).all()
    assert reason(findings, 0).startswith("No cell of race/ethnicity, religion, sexual orientation")


def test_one_model_without_a_cell_takes_it_from_all_in_common_portfolios_only() -> None:
    first = {name: next(iter(by_hand.sources()[name, "USA"])) for name in PRIMARY_MODULES}
    full = {(name, "USA", "ceo"): {category: 30} for name, category in first.items()}
    gap = full | {("religion", "USA", "ceo"): {first["religion"]: 19, "unmapped": 11}}
    rows = [*rows_of(full, "full"), *rows_of(gap, "gap")]
    statistics = reduce_cells(frame(rows))
    complete = {
        portfolio: analyse(statistics, planned(portfolio=portfolio)).weights.complete.tolist()
        for portfolio in PORTFOLIOS
    }
    assert complete == {
        "common_intersection": [False, False],
        "model_specific": [True, False],
        "source_scoreable": [True, True],
    }


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_weights_sum_to_one_at_every_level(weighting: str) -> None:
    complete = []
    for seed in range(20):
        choices = DECLARATION.select(random_choices(seed) | {"weighting": weighting})
        findings = analyse(reduce_cells(frame(by_hand.random_rows(seed))), choices)
        weights, grouping = findings.weights, findings.weights.grouping
        assert weights.composite.sum(-1) == pytest.approx(weights.complete.astype(float))
        within_context = weights.within_context @ grouping.cell_in_context
        assert within_context == pytest.approx(weights.has_context.astype(float))
        within_module = weights.within_module @ grouping.cell_in_module
        assert within_module == pytest.approx(weights.has_module.astype(float))
        for each in (weights.composite, weights.within_context, weights.within_module):
            assert (each >= 0).all()
            assert not each[~findings.included].any()
        complete += weights.complete.tolist()
    assert set(complete) == {True, False}


@pytest.mark.parametrize("regime", ["joint", "implicit"])
def test_a_regime_that_the_panel_does_not_have_is_no_error(regime: str) -> None:
    other = {"joint": "implicit", "implicit": "joint"}[regime]
    rows = [row for row in by_hand.random_rows(3) if row[1] == other]
    statistics = reduce_cells(frame(rows))
    findings = analyse(statistics, planned(regime=regime))
    assert findings.chosen_cells.shape == (len(statistics.models), 0)
    assert np.isnan(findings.chosen_composite).all()
    assert all(reason(findings, m) for m in range(len(statistics.models)))


def test_the_arrays_that_are_kept_cannot_be_written_to() -> None:
    statistics = reduce_cells(frame(by_hand.random_rows(1)))
    findings = analyse(statistics, planned())
    part = findings.statistics
    kept = (part.counts, part.states, part.other, findings.resident, findings.planned_cells)
    assert not any(array.flags.writeable for array in kept)
