"""Distances between distributions: scipy, hand arithmetic and properties."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from core.stats.divergence import (
    MEASURES,
    jensen_shannon,
    largest_deviation,
    root_jensen_shannon,
    total_variation,
)

EVERY_MEASURE = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)


def shares(counts: Sequence[int]) -> np.ndarray:
    return np.array(counts) / sum(counts)


def distributions(count: int) -> st.SearchStrategy[list[np.ndarray]]:
    """Distributions over the same categories, with empty ones among them."""
    one = st.integers(1, 6).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, 30), min_size=size, max_size=size).filter(any),
            min_size=count,
            max_size=count,
        )
    )
    return one.map(lambda lists: [shares(counts) for counts in lists])


PAIRS = distributions(2)


@pytest.mark.parametrize(
    ("p", "q", "bits"),
    [
        # All in one category against none of it: M = (1/2, 1/2), each side has log2(1 / 1/2) = 1.
        ((1, 0), (0, 1), 1.0),
        # M = (3/4, 1/4). P: 1 log2(4/3). Q: 1/2 log2(2/3) + 1/2 log2(2). With l = log2 3, their
        # mean is ((2 - l) + (1 - l)/2 + 1/2) / 2 = 3/4 (2 - l).
        ((1, 0), (0.5, 0.5), 0.75 * (2 - math.log2(3))),
        # M = (1/4, 1/2, 1/4). P: 1/2 log2(2) + 1/2 log2(1) = 1/2, and Q the same.
        ((0.5, 0.5, 0), (0, 0.5, 0.5), 0.5),
        # M = (3/8, 1/4, 3/8). P: 1/2 log2(4/3) + 1/4 log2(1) + 1/4 log2(2/3)
        # = 1/2 (2 - l) + 1/4 (1 - l) = 5/4 - 3/4 l, and Q the same.
        ((0.5, 0.25, 0.25), (0.25, 0.25, 0.5), 1.25 - 0.75 * math.log2(3)),
    ],
)
def test_divergences_worked_by_hand(p: Sequence[float], q: Sequence[float], bits: float) -> None:
    one, other = np.array(p, dtype=float), np.array(q, dtype=float)
    assert jensen_shannon(one, other) == pytest.approx(bits, abs=1e-15)
    assert root_jensen_shannon(one, other) == pytest.approx(math.sqrt(bits), abs=1e-15)


def test_other_distances_worked_by_hand() -> None:
    # Differences .3, .2, -.3, -.2: their absolute sum is 1, half of it .5; the largest is .3.
    p, q = np.array([0.6, 0.4, 0.0, 0.0]), np.array([0.3, 0.2, 0.3, 0.2])
    assert total_variation(p, q) == pytest.approx(0.5)
    assert largest_deviation(p, q) == pytest.approx(0.3)


@settings(max_examples=50)
@given(pair=PAIRS)
def test_the_divergence_is_scipys(pair: list[np.ndarray]) -> None:
    p, q = pair
    distance = jensenshannon(p, q, base=2)
    assert root_jensen_shannon(p, q) == pytest.approx(distance, abs=1e-7)
    assert jensen_shannon(p, q) == pytest.approx(distance**2, abs=1e-12)


@EVERY_MEASURE
@settings(max_examples=50)
@given(pair=PAIRS)
def test_every_distance_is_symmetric_and_between_0_and_1(measure, pair) -> None:
    p, q = pair
    assert 0 <= measure(p, q) <= 1
    assert measure(p, q) == pytest.approx(measure(q, p), abs=1e-7)


@EVERY_MEASURE
@settings(max_examples=50)
@given(pair=PAIRS)
def test_a_distance_is_zero_for_equal_shares_only(measure, pair) -> None:
    p, q = pair
    assert measure(p, p) == 0
    assume(not np.allclose(p, q))
    assert measure(p, q) > 0


@pytest.mark.parametrize("name", ["root_jsd", "total_variation", "largest_deviation"])
@settings(max_examples=50)
@given(three=distributions(3))
def test_a_detour_is_never_shorter(name: str, three: list[np.ndarray]) -> None:
    p, q, r = three
    measure = MEASURES[name]
    # The root of a rounding error of 1e-16 is 1e-8.
    assert measure(p, r) <= measure(p, q) + measure(q, r) + 1e-7


def test_the_divergence_itself_is_no_metric() -> None:
    # From (1, 0) to (0, 1) by (1/2, 1/2): 2 * 3/4 (2 - log2 3) = .623, less than the direct 1.
    ends, middle = np.eye(2), np.array([0.5, 0.5])
    detour = jensen_shannon(ends[0], middle) + jensen_shannon(middle, ends[1])
    assert detour == pytest.approx(1.5 * (2 - math.log2(3)))
    assert detour < jensen_shannon(ends[0], ends[1])


@settings(max_examples=50)
@given(pair=PAIRS)
def test_the_divergence_is_at_most_the_total_variation(pair: list[np.ndarray]) -> None:
    p, q = pair
    assert jensen_shannon(p, q) <= total_variation(p, q) + 1e-12


@EVERY_MEASURE
@settings(max_examples=50)
@given(pair=PAIRS, extra=st.integers(1, 5))
def test_categories_that_neither_has_change_nothing(measure, pair, extra: int) -> None:
    p, q = pair
    padded = [np.pad(shares, (0, extra)) for shares in pair]
    assert measure(*padded) == pytest.approx(measure(p, q), abs=1e-7)


@EVERY_MEASURE
def test_a_missing_distribution_has_no_distance(measure) -> None:
    p = np.array([[0.5, 0.5], [np.nan, np.nan], [1.0, 0.0]])
    q = np.array([0.5, 0.5])
    assert np.isnan(measure(p, q)).tolist() == [False, True, False]
    assert np.isnan(measure(q, p)).tolist() == [False, True, False]


@EVERY_MEASURE
def test_whole_panels_at_once_are_the_same_as_one_by_one(measure) -> None:
    rng = np.random.default_rng(5)
    p, q = rng.dirichlet(np.ones(4), size=(3, 7)), rng.dirichlet(np.ones(4), size=7)
    found = measure(p, q)
    assert found.shape == (3, 7)
    for model in range(3):
        for cell in range(7):
            assert found[model, cell] == pytest.approx(measure(p[model, cell], q[cell]), abs=1e-15)
