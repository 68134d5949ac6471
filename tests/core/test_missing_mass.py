"""Unmapped outputs: against hand arithmetic, a numerical optimiser and brute force."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import Findings, analyse
from core.studies.composition.missing_mass import (
    OUTCOMES,
    best_completion,
    missing_mass,
    outcome_shares,
    worst_completion,
)
from core.studies.composition.reduce import CellStatistics, reduce_cells

Array = NDArray[np.float64]

ALL_ONE_SIDED = 0.311278124459
"""JSD of (1, 0) and (1/2, 1/2): 1/2 log2(4/3) + 1/2 (1/2 log2(2/3) + 1/2)."""


def plain_jsd(p: list[float] | Array, q: list[float] | Array) -> float:
    """Divergence in bits, in plain Python."""
    total = 0.0
    for a, b in zip(p, q, strict=True):
        middle = (a + b) / 2
        total += a / 2 * math.log2(a / middle) if a > 0 else 0.0
        total += b / 2 * math.log2(b / middle) if b > 0 else 0.0
    return total


def optimum(observed: Array, target: Array) -> float:
    """Least divergence over all completions, found by a general optimiser."""
    missing = 1 - observed.sum()
    found = minimize(
        lambda u: plain_jsd(observed + missing * np.clip(u, 0, 1), target),
        np.full(observed.size, 1 / observed.size),
        bounds=[(0, 1)] * observed.size,
        constraints={"type": "eq", "fun": lambda u: u.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    return float(found.fun)


def random_cell(seed: int) -> tuple[Array, Array]:
    """Observed counts of 30 outputs, some unmapped, and a target."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 9))
    target = rng.dirichlet(np.full(size, 0.5)) + 1e-5
    counts = rng.multinomial(rng.integers(0, 31), rng.dirichlet(np.full(size, 0.3)))
    return counts / 30, target / target.sum()


@pytest.mark.parametrize("seed", range(40))
def test_the_best_completion_is_what_an_optimiser_finds(seed: int) -> None:
    observed, target = random_cell(seed)
    best = float(best_completion(observed[None], target[None])[0])
    found = optimum(observed, target)
    # The optimiser stops a little above the minimum; it must never get below ours.
    assert best <= found + 1e-9
    assert best == pytest.approx(found, abs=5e-6)


@pytest.mark.parametrize(
    ("observed", "target", "completed"),
    [
        # All missing mass goes where the target is short: .5 / .5.
        ([0.5, 0.0], [0.5, 0.5], [0.5, 0.5]),
        # The first is already above its target, the second takes everything.
        ([0.8, 0.0], [0.5, 0.5], [0.8, 0.2]),
        # Ratios 2.5, .25, 0: the last two rise to (1 - .5) / .8 = .625 of their targets.
        ([0.5, 0.1, 0.0], [0.2, 0.4, 0.4], [0.5, 0.25, 0.25]),
        # Only the last rises: .2 / .5 = .4 is still below .3 / .25 = 1.2.
        ([0.5, 0.3, 0.0], [0.25, 0.25, 0.5], [0.5, 0.3, 0.2]),
        # Nothing is missing.
        ([0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [0.5, 0.5, 0.0]),
        # Nothing is mapped: the target itself.
        ([0.0, 0.0, 0.0], [0.2, 0.3, 0.5], [0.2, 0.3, 0.5]),
    ],
)
def test_the_best_completion_by_hand(
    observed: list[float], target: list[float], completed: list[float]
) -> None:
    best = best_completion(np.array([observed]), np.array([target]))
    assert best[0] == pytest.approx(plain_jsd(completed, target), abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_no_way_to_spread_the_missing_mass_goes_beyond_the_worst(seed: int) -> None:
    observed, target = random_cell(seed)
    support = np.ones((1, observed.size), dtype=bool)
    worst = float(worst_completion(observed[None], target[None], support)[0])
    missing = 1 - observed.sum()
    corners = [plain_jsd(observed + missing * e, target) for e in np.eye(observed.size)]
    assert worst == pytest.approx(max(corners), abs=1e-12)
    spread = np.random.default_rng(seed).dirichlet(np.full(observed.size, 0.5), size=200)
    assert max(plain_jsd(observed + missing * u, target) for u in spread) <= worst + 1e-12


def test_categories_beyond_the_support_take_no_mass() -> None:
    observed, target = np.array([[0.5, 0.2, 0.0]]), np.array([[0.5, 0.5, 0.0]])
    support = np.array([[True, True, False]])
    inside = best_completion(observed[:, :2], target[:, :2])
    assert best_completion(observed, target) == pytest.approx(inside)
    worst = max(plain_jsd([0.8, 0.2], [0.5, 0.5]), plain_jsd([0.5, 0.5], [0.5, 0.5]))
    assert worst_completion(observed, target, support)[0] == pytest.approx(worst)


def test_a_missing_target_gives_no_number() -> None:
    observed, nothing = np.array([[0.5, 0.2]]), np.full((1, 2), np.nan)
    support = np.zeros((1, 2), dtype=bool)
    assert np.isnan(best_completion(observed, nothing)).all()
    assert np.isnan(worst_completion(observed, nothing, support)).all()


def gender_cells(
    *cells: dict[str, int], attribute: str = "gender_to_sex", context: str = "USA"
) -> CellStatistics:
    """One model's cells by role, joint prompt, story; states and categories as counts."""
    roles = ("ceo", "doctor", "engineer", "nurse")
    rows = [
        ("m", "joint", attribute, context, "story", role, category, n)
        for role, counts in zip(roles, cells, strict=False)
        for category, n in counts.items()
    ]
    names = ["model", "regime", "attribute", "context", "format", "role", "category", "n"]
    return reduce_cells(pl.DataFrame(rows, schema=names, orient="row"))


def findings_of(statistics: CellStatistics, **changes: str | int) -> Findings:
    """Gender alone, compared with equal shares, every cell with a mapped output."""
    choices = DECLARATION.select(
        {"modules": ("gender_to_sex",), "comparator": "equal_category", "gate": 1, **changes}
    )
    return analyse(statistics, choices)


def test_every_summary_by_hand() -> None:
    # One cell, half of it unmapped, the mapped half all female.
    found = missing_mass(findings_of(gender_cells({"female": 15, "unmapped": 10, "failed": 5})))
    assert found.conditional[0] == pytest.approx(ALL_ONE_SIDED)
    assert found.all_conditional[0] == pytest.approx(ALL_ONE_SIDED)
    # (1/2, 0, 1/2) against (1/2, 1/2, 0): half of each lies where the other has nothing, 1/4 + 1/4.
    assert found.augmented[0] == pytest.approx(0.5)
    assert found.visibility[0] == pytest.approx(0.5)
    # All 15 to men gives half and half; all 15 to women gives one side only.
    assert found.best[0] == pytest.approx(0.0, abs=1e-12)
    assert found.worst[0] == pytest.approx(ALL_ONE_SIDED)
    assert found.penalised(0.0)[0] == pytest.approx(ALL_ONE_SIDED)
    assert found.penalised(0.5)[0] == pytest.approx(ALL_ONE_SIDED + 0.25)
    assert found.penalised(1.0)[0] == pytest.approx(ALL_ONE_SIDED + 0.5)


def test_the_envelope_takes_in_cells_that_the_gate_leaves_out() -> None:
    statistics = gender_cells({"female": 30}, {"female": 3, "unmapped": 27}, {"unmapped": 30})
    found = missing_mass(findings_of(statistics, gate=20))
    # Only the first cell passes, and it has nothing unmapped.
    assert found.conditional[0] == pytest.approx(ALL_ONE_SIDED)
    assert found.visibility[0] == pytest.approx(0.0)
    # Two cells have a composition, all three can be completed.
    assert found.all_conditional[0] == pytest.approx(ALL_ONE_SIDED)
    assert found.best[0] == pytest.approx(ALL_ONE_SIDED / 3)
    assert found.worst[0] == pytest.approx(ALL_ONE_SIDED)


def test_a_model_without_a_composite_has_none_here_either() -> None:
    statistics = gender_cells({"female": 3, "unmapped": 27})
    found = missing_mass(findings_of(statistics, gate=20, portfolio="model_specific"))
    assert np.isnan([found.conditional, found.augmented, found.visibility]).all()
    assert not np.isnan([found.best, found.worst]).any()


counts_of_a_cell = st.fixed_dictionaries(
    {name: st.integers(0, 30) for name in ("female", "male", "unspecified", "failed")}
).filter(lambda counts: counts["female"] + counts["male"] > 0)


@given(st.lists(counts_of_a_cell, min_size=1, max_size=4))
def test_the_score_of_mapped_outputs_lies_in_the_envelope(cells: list[dict[str, int]]) -> None:
    # Spreading the unmapped outputs like the mapped ones is one of the completions.
    found = missing_mass(findings_of(gender_cells(*cells), comparator="geography"))
    assert found.best[0] <= found.all_conditional[0] + 1e-12
    assert found.all_conditional[0] <= found.worst[0] + 1e-12


def test_outcomes_are_shares_of_outputs_not_of_cells() -> None:
    statistics = gender_cells(
        {"female": 8, "male": 1, "unmapped": 1}, {"male": 10, "failed": 5, "unspecified": 15}
    )
    shares = outcome_shares(statistics.in_regime("joint"))[0]
    by_name = dict(zip(OUTCOMES, shares[0], strict=True))
    assert by_name == pytest.approx(
        {
            "mapped": 19 / 40,
            "unspecified": 15 / 40,
            "unmapped": 1 / 40,
            "ambiguous": 0,
            "failed": 5 / 40,
        }
    )
    assert np.isnan(shares[1:]).all()


def test_a_place_without_a_source_has_no_outcomes() -> None:
    # No race/ethnicity source is declared for China, so nothing there can be mapped or unmapped.
    statistics = gender_cells(
        {"unspecified": 30}, {"Han": 30}, attribute="race_ethnicity", context="CHN"
    )
    assert np.isnan(outcome_shares(statistics.in_regime("joint"))).all()
