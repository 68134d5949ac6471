"""Comparators: hand arithmetic, ends of the paths, and what splitting a category does."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import comparators
from core.studies.composition.sources import declared_categories, resident_shares

TARGETS = Path(__file__).resolve().parents[2] / "data" / "reference" / "composition" / "targets.csv"

RESIDENT = np.array([[0.6, 0.3, 0.1], [0.75, 0.25, 0.0]])
"""Two cells; the second has a support of two categories."""

SHARES = st.lists(st.integers(1, 60), min_size=2, max_size=7).map(
    lambda counts: np.array([counts]) / sum(counts)
)


def test_equal_categories_share_the_support_alike() -> None:
    found = comparators.equal_category(RESIDENT)
    assert found == pytest.approx(np.array([[1 / 3, 1 / 3, 1 / 3], [0.5, 0.5, 0.0]]))


def test_categories_printed_as_zero_count_as_categories() -> None:
    with TARGETS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    listed = Counter((row["attribute"], row["context"]) for row in rows)
    printed_zeros = {(row["attribute"], row["context"]) for row in rows if float(row["share"]) == 0}
    assert ("religion", "EGY") in printed_zeros
    for pair, count in listed.items():
        shares = resident_shares()[pair]
        equal = comparators.equal_category(shares[None])[0]
        assert equal == pytest.approx(np.full(count, 1 / count))
        assert len(declared_categories()[pair]) == count


@pytest.mark.parametrize("zero_mass", [4.9e-5, 2e-5, 1e-9])
def test_resident_shares_are_the_printed_ones_rescaled(zero_mass: float) -> None:
    with TARGETS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    printed: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        shares = printed.setdefault((row["attribute"], row["context"]), [])
        shares.append(float(row["share"]) or zero_mass)
    found = resident_shares(zero_mass)
    assert found.keys() == printed.keys()
    for pair, shares in printed.items():
        # Displayed vectors sum to .9999 to 1.0001, plus what stands behind printed zeros.
        assert sum(shares) == pytest.approx(1, abs=4e-4)
        assert found[pair] == pytest.approx([share / sum(shares) for share in shares])


def test_a_mixture_worked_by_hand() -> None:
    # .75 (.6, .3, .1) + .25 (1/3, 1/3, 1/3); .75 (.75, .25, 0) + .25 (.5, .5, 0).
    third = 0.25 / 3
    expected = [[0.45 + third, 0.225 + third, 0.075 + third], [0.6875, 0.3125, 0.0]]
    assert comparators.mixture(RESIDENT, 0.25) == pytest.approx(np.array(expected))


def test_a_power_worked_by_hand() -> None:
    # Square roots of (.64, .36, 0) are (.8, .6, 0), which sum to 1.4.
    found = comparators.power(np.array([[0.64, 0.36, 0.0]]), 0.5)
    assert found == pytest.approx(np.array([[0.8 / 1.4, 0.6 / 1.4, 0.0]]))


def test_a_small_share_grows_on_the_power_path() -> None:
    # (1e-6)^(1/4) = 10^-1.5 = .0316228, beside nearly 1 for the rest.
    found = comparators.power(np.array([[1 - 1e-6, 1e-6]]), 0.25)
    assert found[0, 1] == pytest.approx(0.0316228 / 1.0316228, abs=1e-6)


@given(resident=SHARES)
def test_both_paths_lead_from_geography_to_equal_categories(resident: np.ndarray) -> None:
    equal = comparators.equal_category(resident)
    assert (comparators.geography(resident) == resident).all()
    assert (comparators.mixture(resident, 0.0) == resident).all()
    assert comparators.mixture(resident, 1.0) == pytest.approx(equal)
    assert comparators.power(resident, 1.0) == pytest.approx(resident)
    assert comparators.power(resident, 0.0) == pytest.approx(equal)


@given(resident=SHARES, weight=st.floats(0, 1), exponent=st.floats(0, 1))
def test_paths_hold_shares_in_the_order_of_the_residents(
    resident: np.ndarray, weight: float, exponent: float
) -> None:
    for found in (
        comparators.mixture(resident, weight),
        comparators.power(resident, exponent),
    ):
        assert found.sum() == pytest.approx(1)
        assert (found > 0).all()
        order = np.argsort(resident[0], kind="stable")
        assert (np.diff(found[0, order]) >= -1e-12).all()


@given(counts=st.lists(st.integers(1, 500), min_size=3, max_size=8))
def test_merging_two_categories_moves_equal_categories_but_not_equal_persons(
    counts: list[int],
) -> None:
    people = sum(counts)
    split = np.array([counts]) / people
    merged = np.array([[counts[0] + counts[1], *counts[2:]]]) / people
    before, after = comparators.geography(split)[0], comparators.geography(merged)[0]
    assert after[0] == pytest.approx(before[0] + before[1])
    assert after[1:] == pytest.approx(before[2:])
    # Of k categories, the two hold 2/k together; merged into one of k - 1 they hold 1/(k - 1).
    before, after = comparators.equal_category(split)[0], comparators.equal_category(merged)[0]
    k = len(counts)
    assert after[0] - (before[0] + before[1]) == pytest.approx(1 / (k - 1) - 2 / k)
    assert after[0] != pytest.approx(before[0] + before[1])


@pytest.mark.parametrize(
    "make",
    [
        comparators.geography,
        comparators.equal_category,
        lambda resident: comparators.mixture(resident, 0.4),
        lambda resident: comparators.mixture(resident, 1.0),
        lambda resident: comparators.power(resident, 0.4),
        lambda resident: comparators.power(resident, 0.0),
    ],
    ids=["geography", "equal_category", "mixture", "mixture to the end", "power", "power of 0"],
)
def test_a_cell_without_a_source_has_no_comparator(make) -> None:
    found = make(np.array([[0.5, 0.5], [np.nan, np.nan]]))
    assert np.isnan(found).tolist() == [[False, False], [True, True]]


def test_occupational_shares_are_for_gender_in_the_united_states_only() -> None:
    cells = [
        ("gender_to_sex", "USA", "ceo"),
        ("gender_to_sex", "USA", "pilot"),  # No share is known.
        ("gender_to_sex", "BRA", "ceo"),
        ("religion", "USA", "ceo"),
    ]
    attributes, contexts, roles = zip(*cells, strict=True)
    found = comparators.occupational(
        np.full((4, 3), 1 / 3),
        attributes=attributes,
        contexts=contexts,
        roles=roles,
        women={"ceo": 0.33},
    )
    assert found[0] == pytest.approx([0.33, 0.67, 0])
    assert np.isnan(found[1:]).all()


def test_women_come_first_in_the_source_of_gender() -> None:
    # Occupational shares are put in this order.
    assert declared_categories()["gender_to_sex", "USA"] == ("female", "male")
