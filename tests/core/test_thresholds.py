"""Threshold classification against direct counts of cells."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import Findings, analyse
from core.studies.composition.reduce import reduce_cells
from core.studies.composition.sources import PRIMARY_MODULES
from core.studies.composition.thresholds import StepFunction, of_model, step_frame, transitions
from tests.core import by_hand

# Few values, so that cells share breaks and tolerances hit them exactly.
DISTANCE = st.integers(0, 10).map(lambda tenths: tenths / 10)
CELLS = st.lists(st.tuples(DISTANCE, DISTANCE, st.integers(0, 4)), min_size=1, max_size=12)
TAUS = [tenths / 20 for tenths in range(21)]


def arrays(cells: list[tuple[float, float, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    planned, chosen, weights = (
        np.array(column, dtype=float) for column in zip(*cells, strict=True)
    )
    return planned, chosen, weights / max(weights.sum(), 1)


@given(cells=CELLS)
def test_every_curve_is_the_direct_count(cells: list[tuple[float, float, int]]) -> None:
    planned, chosen, weights = arrays(cells)
    found = transitions(planned, chosen, weights)
    for tau in TAUS:
        parts = {"both": 0.0, "planned_only": 0.0, "chosen_only": 0.0, "neither": 0.0}
        for before, after, weight in zip(planned, chosen, weights, strict=True):
            within = (before <= tau, after <= tau)
            name = {
                (True, True): "both",
                (True, False): "planned_only",
                (False, True): "chosen_only",
                (False, False): "neither",
            }[within]
            parts[name] += weight
        assert found.planned_only(tau) == pytest.approx(parts["planned_only"], abs=1e-12)
        assert found.chosen_only(tau) == pytest.approx(parts["chosen_only"], abs=1e-12)
        changed = parts["planned_only"] + parts["chosen_only"]
        assert found.total(tau) == pytest.approx(changed, abs=1e-12)
        # What does not change sides is within under both or under neither.
        unchanged = parts["both"] + parts["neither"]
        assert found.total(tau) + unchanged == pytest.approx(weights.sum(), abs=1e-12)


@given(cells=CELLS)
def test_swapping_the_comparators_swaps_the_directions(cells) -> None:
    planned, chosen, weights = arrays(cells)
    one, other = transitions(planned, chosen, weights), transitions(chosen, planned, weights)
    taus = np.array(TAUS)
    assert one.planned_only(taus) == pytest.approx(other.chosen_only(taus))
    assert one.total(taus) == pytest.approx(other.total(taus))


def test_a_cell_changes_sides_from_its_lower_value_up_to_its_higher_one() -> None:
    # d <= tau: within under the planned comparator from .2 on, under the chosen one from .5 on.
    found = transitions(np.array([0.2]), np.array([0.5]), np.array([1.0]))
    taus = np.array([0.0, 0.19999, 0.2, 0.3, 0.49999, 0.5, 1.0])
    assert found.planned_only(taus).tolist() == [0, 0, 1, 1, 1, 0, 0]
    assert found.chosen_only(taus).tolist() == [0, 0, 0, 0, 0, 0, 0]
    assert found.total(taus).tolist() == [0, 0, 1, 1, 1, 0, 0]


def test_cells_without_weight_do_not_count_even_without_a_number() -> None:
    planned, chosen = np.array([0.2, np.nan, 0.1]), np.array([0.5, np.nan, 0.9])
    found = transitions(planned, chosen, np.array([1.0, 0.0, 0.0]))
    assert found.total.at.tolist() == [0.2, 0.5]


def test_no_cells_change_nothing() -> None:
    found = transitions(np.empty(0), np.empty(0), np.empty(0))
    assert found.total(0.3) == 0


def test_a_step_function_holds_from_its_break_on() -> None:
    step = StepFunction(np.array([0.1, 0.4]), np.array([0.7, 0.2]))
    assert step(np.array([0.0, 0.1, 0.3999, 0.4, 2.0])).tolist() == [0.0, 0.7, 0.7, 0.2, 0.2]


def findings_of(seed: int) -> Findings:
    rows = pl.DataFrame(by_hand.random_rows(seed), schema=list(by_hand.COLUMNS), orient="row")
    choices = DECLARATION.planned.replace(
        comparator="equal_category", portfolio="source_scoreable", modules=PRIMARY_MODULES[1:]
    )
    return analyse(reduce_cells(rows), choices)


@pytest.mark.parametrize("seed", range(6))
def test_curves_of_a_panel_are_direct_counts_at_breaks_and_between(seed: int) -> None:
    findings = findings_of(seed)
    rng = np.random.default_rng(seed)
    names = [f"model {m}" for m in range(len(findings.statistics.models))]
    drawn = step_frame(findings, names, names[0])
    complete = [n for n, there in zip(names, findings.weights.complete, strict=True) if there]
    assert drawn["model"].unique(maintain_order=True).to_list() == complete
    for m, name in enumerate(names):
        if name not in complete:
            continue
        found = of_model(findings, m)
        breaks = found.total.at
        assert breaks.size > 0
        total = drawn.filter(model=name, direction="total")
        assert total["tau"].is_sorted()
        assert (total["tau"][0], total["tau"][-1]) == (0, 1)
        for tau in (*breaks, *rng.uniform(0, 1, 20), 0.1, 0.2, 0.3):
            expected = sum(
                weight
                for before, after, weight in zip(
                    findings.planned_cells[m],
                    findings.chosen_cells[m],
                    findings.weights.composite[m],
                    strict=True,
                )
                if weight > 0 and (before <= tau) != (after <= tau)
            )
            assert found.total(tau) == pytest.approx(expected, abs=1e-12)
            shown = total.filter(pl.col("tau") <= tau)["share"][-1]
            assert shown == pytest.approx(expected, abs=1e-12)


def test_the_three_directions_of_a_drawing_add_up() -> None:
    findings = findings_of(2)
    names = [f"m{m}" for m in range(len(findings.statistics.models))]
    model = step_frame(findings, names, names[0])["model"][0]
    drawn = step_frame(findings, names, model)
    assert drawn.filter(pl.col("direction") != "total")["model"].unique().to_list() == [model]
    lines = {
        direction: drawn.filter(model=model, direction=direction)
        for direction in ("total", "planned_only", "chosen_only")
    }
    for low, high in itertools.pairwise(lines["total"]["tau"]):
        tau = (low + high) / 2
        value = {
            name: line.filter(pl.col("tau") <= tau)["share"][-1] for name, line in lines.items()
        }
        assert value["total"] == pytest.approx(value["planned_only"] + value["chosen_only"])


def test_no_composite_no_curves() -> None:
    rows = [("m", "joint", "religion", "USA", "story", "ceo", "unmapped", 30)]
    frame = pl.DataFrame(rows, schema=list(by_hand.COLUMNS), orient="row")
    drawn = step_frame(analyse(reduce_cells(frame), DECLARATION.planned), ["m"], "m")
    assert drawn.is_empty()
    assert drawn.columns == ["tau", "share", "model", "direction"]
