"""Where models change places between two comparators, against fine grids and by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest

from core import comparators
from core.panels.catalogue import shipped
from core.stats.divergence import MEASURES
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import Findings, analyse
from core.studies.composition.paths import (
    GRID,
    cell_paths,
    curves,
    order_swaps,
    place_on_path,
)
from core.studies.composition.reduce import CellStatistics, reduce_cells
from core.studies.composition.shares import conditional_shares
from core.studies.composition.tables import names_of
from tests.core import by_hand


def lines(
    *heights: tuple[float, float, float], at: tuple[float, ...] = (0.0, 0.5, 1.0)
) -> np.ndarray:
    """Curves that are straight between three points, on the grid of the paths."""
    return np.stack([np.interp(GRID, at, height) for height in heights], axis=1)


def test_a_crossing_worked_by_hand() -> None:
    # a rises from 0 to 1, b falls from .5 to 0: x = .5 - .5 x at x = 1/3. Before it a is lower.
    (found,) = order_swaps(lines((0, 0.5, 1), (0.5, 0.25, 0)), ("a", "b"))
    assert found[0] == pytest.approx(1 / 3)
    assert found[1:] == ("b", "a")


def test_a_crossing_at_a_point_of_the_grid_is_found() -> None:
    (found,) = order_swaps(lines((0, 0.5, 1), (1, 0.5, 0)), ("a", "b"))
    assert found == (0.5, "b", "a")


def test_models_that_touch_do_not_change_places() -> None:
    assert order_swaps(lines((0, 0.5, 0), (1, 0.5, 1)), ("a", "b")) == []


def test_models_that_run_together_for_a_while_change_places_where_they_meet() -> None:
    a = np.where(GRID < 0.3, 0.3 - GRID, np.where(GRID > 0.6, 0.6 - GRID, 0.0))
    (found,) = order_swaps(np.stack([a, np.zeros_like(a)], axis=1), ("a", "b"))
    assert found == (pytest.approx(0.3), "a", "b")


def test_models_that_start_or_end_alike_do_not_change_places() -> None:
    assert order_swaps(lines((0, 0.5, 1), (0, 0.6, 1)), ("a", "b")) == []


def test_rounding_is_no_change_of_places() -> None:
    noise = 1e-16 * np.where(np.arange(GRID.size) % 2, 1, -1)
    assert order_swaps(np.stack([0.4 + noise, 0.4 - noise], axis=1), ("a", "b")) == []


def test_a_model_with_a_gap_is_left_out() -> None:
    broken = lines((0, 0.5, 1), (0.5, 0.25, 0), (0.2, 0.2, 0.2))
    broken[50, 2] = np.nan
    assert {name for _, *pair in order_swaps(broken, ("a", "b", "c")) for name in pair} == {
        "a",
        "b",
    }


def test_a_path_can_be_followed_from_its_other_end() -> None:
    onward = order_swaps(lines((0, 0.5, 1), (0.5, 0.25, 0)), ("a", "b"))
    back = order_swaps(lines((0, 0.5, 1), (0.5, 0.25, 0))[::-1], ("a", "b"), GRID[::-1])
    assert onward == [(pytest.approx(1 / 3), "b", "a")]
    assert back == [(pytest.approx(1 / 3), "a", "b")]


def test_swaps_come_in_the_order_of_the_path() -> None:
    three = lines((0, 0.5, 1), (0.25, 0.25, 0.25), (0.75, 0.75, 0.75))
    assert [ahead for _, ahead, _ in order_swaps(three, ("a", "b", "c"))] == ["b", "c"]
    backwards = order_swaps(three[::-1], ("a", "b", "c"), GRID[::-1])
    assert [behind for *_, behind in backwards] == ["c", "b"]


@pytest.fixture(scope="module")
def statistics() -> CellStatistics:
    return reduce_cells(shipped("composition", "cells")[0].read().frame)


def findings_on(path: str, statistics: CellStatistics) -> Findings:
    settings = {"mixture": {"lambda": 0.5}, "power": {"alpha": 0.5}}[path]
    return analyse(statistics, DECLARATION.planned.replace(comparator=path, **settings))


def composites(findings: Findings, path: str, positions: np.ndarray) -> np.ndarray:
    make = {"mixture": comparators.mixture, "power": comparators.power}[path]
    shares = conditional_shares(findings.statistics)
    return np.stack(
        [
            findings.weights.overall(
                MEASURES["jsd"](shares, make(findings.resident, float(position)))
            )
            for position in positions
        ]
    )


@pytest.mark.parametrize("path", ["mixture", "power"])
def test_swaps_of_the_shipped_panel_are_those_of_a_fine_grid(
    path: str, statistics: CellStatistics
) -> None:
    findings = findings_on(path, statistics)
    names = names_of(statistics)
    fine = np.linspace(0, 1, 1601)
    fine = fine if path == "mixture" else fine[::-1]
    heights = composites(findings, path, fine)
    expected = []
    for a, b in combinations(range(len(names)), 2):
        ahead = heights[:, a] < heights[:, b]
        for step in np.flatnonzero(ahead[:-1] != ahead[1:]):
            pair = (a, b) if ahead[step + 1] else (b, a)
            expected.append((fine[step : step + 2].mean(), *(names[m] for m in pair)))
    expected.sort(key=lambda swap: swap[0], reverse=path == "power")
    found = curves(findings, names).crossings
    assert found["text"].to_list() == [f"{ahead} passes {behind}" for _, ahead, behind in expected]
    positions = [position for position, *_ in expected]
    assert found["position"].to_list() == pytest.approx(positions, abs=0.002)
    assert found.height > 0


@pytest.mark.parametrize(("path", "geography", "equal"), [("mixture", 0, 100), ("power", 100, 0)])
def test_the_ends_of_a_path_are_the_composites_of_both_comparators(
    path: str, geography: int, equal: int, statistics: CellStatistics
) -> None:
    planned = analyse(statistics, DECLARATION.planned)
    swapped = analyse(statistics, DECLARATION.planned.replace(comparator="equal_category"))
    cells = cell_paths(planned.statistics, path, "jsd", 2e-5)
    assert cells.shape[0] == GRID.size
    ends = planned.weights.overall(cells)
    assert ends[geography] == pytest.approx(planned.chosen_composite)
    assert ends[equal] == pytest.approx(swapped.chosen_composite)


@pytest.mark.parametrize("path", ["mixture", "power"])
def test_lines_hold_every_composite_and_mark_what_the_study_reports(
    path: str, statistics: CellStatistics
) -> None:
    findings = findings_on(path, statistics)
    found = curves(findings, names_of(statistics))
    assert (found.path, found.position) == (path, 0.5)
    reported = {"mixture": [step / 10 for step in range(11)], "power": [0, 0.25, 0.5, 0.75, 1]}
    for m, name in enumerate(names_of(statistics)):
        line = found.lines.filter(model=name)
        assert line["position"].to_list() == pytest.approx(np.linspace(0, 1, 101))
        assert line.filter("reported")["position"].to_list() == pytest.approx(reported[path])
        now = line.filter(pl.col("position") == 0.5)["composite"].item()
        assert now == pytest.approx(findings.chosen_composite[m])


def test_a_crossing_lies_on_the_lines(statistics: CellStatistics) -> None:
    findings = findings_on("mixture", statistics)
    found = curves(findings, names_of(statistics))
    for row in found.crossings.iter_rows(named=True):
        behind = row["text"].split(" passes ")[1]
        line = found.lines.filter(model=behind)
        height = np.interp(row["position"], line["position"], line["composite"])
        assert row["composite"] == pytest.approx(height, abs=1e-9)


def test_every_comparator_has_its_place() -> None:
    places = {
        name: place_on_path(
            DECLARATION.planned.replace(comparator=name, **{"lambda": 0.3}, alpha=0.7)
        )
        for name in ("geography", "equal_category", "mixture", "power", "occupational", "custom")
    }
    assert places == {
        "geography": ("mixture", 0.0),
        "equal_category": ("mixture", 1.0),
        "mixture": ("mixture", 0.3),
        "power": ("power", 0.7),
        "occupational": ("mixture", None),
        "custom": ("mixture", None),
    }


def test_models_without_a_composite_have_no_line() -> None:
    rows = pl.DataFrame(by_hand.random_rows(1), schema=list(by_hand.COLUMNS), orient="row")
    findings = analyse(reduce_cells(rows), DECLARATION.planned.replace(gate=30))
    names = [f"model {m}" for m in range(len(findings.statistics.models))]
    found = curves(findings, names)
    assert not findings.weights.complete.any()
    assert found.lines.is_empty()
    assert found.crossings.is_empty()
