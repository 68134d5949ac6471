"""Equivalence against statsmodels and worked numbers, the sign test, and the verdict rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.weightstats import DescrStatsW

from core.stats.bootstrap_bca import flip_signs, resample_means, resampling_weights, t_interval
from core.stats.equivalence import (
    matching_level,
    smallest_margin,
    tost_bootstrap,
    tost_permutation,
    tost_t,
)
from core.stats.sign_test import sign_test
from core.verdicts import directional, is_support, margin


@given(
    values=st.lists(st.integers(-3, 3), min_size=3, max_size=40).filter(lambda v: len(set(v)) > 1),
    delta=st.sampled_from([0.05, 0.3, 0.5, 1.5]),
)
def test_t_form_is_statsmodels(values: list[int], delta: float) -> None:
    row = np.array(values, dtype=float)
    expected = DescrStatsW(row).ttost_mean(-delta, delta)[0]
    found = tost_t(np.array(row.mean()), np.array(row.std(ddof=1)), np.array(row.size), delta)
    assert float(found) == pytest.approx(expected, abs=1e-10)


def test_a_worked_example() -> None:
    # n = 25, mean 0.2, standard deviation 1, margin 0.5: standard error 1/5, so the two t values
    # are (0.2 + 0.5)/0.2 = 3.5 and (0.5 - 0.2)/0.2 = 1.5 on 24 degrees of freedom. The larger
    # p-value is P(t24 > 1.5) = .0733; the critical value t24(.95) is 1.7109.
    mean, spread, n = np.array(0.2), np.array(1.0), np.array(25)
    assert float(tost_t(mean, spread, n, 0.5)) == pytest.approx(0.0733, abs=5e-5)
    low, high = t_interval(mean, spread, n, matching_level(0.05))
    assert (low, high) == pytest.approx((0.2 - 1.7109 / 5, 0.2 + 1.7109 / 5), abs=1e-4)
    # Equivalence needs a margin beyond the farther end, 0.5422.
    assert float(smallest_margin(np.array([low, high]))) == pytest.approx(0.5422, abs=1e-4)


@given(
    values=st.lists(st.integers(-2, 2), min_size=4, max_size=30).filter(lambda v: len(set(v)) > 1),
    delta=st.sampled_from([0.1, 0.5, 1.0]),
    alpha=st.sampled_from([0.01, 0.05, 0.1]),
)
def test_the_test_and_the_matching_interval_agree_in_t_form(
    values: list[int], delta: float, alpha: float
) -> None:
    row = np.array(values, dtype=float)
    mean, spread, n = np.array(row.mean()), np.array(row.std(ddof=1)), np.array(row.size)
    interval = t_interval(mean, spread, n, matching_level(alpha))
    p = float(tost_t(mean, spread, n, delta))

    def is_inside(bound: float) -> bool:
        return bool(-bound < interval[0] and interval[1] < bound)

    if abs(p - alpha) > 1e-9:
        assert is_inside(delta) == (p < alpha)
    passes = float(smallest_margin(interval))
    assert is_inside(passes + 1e-9)
    assert not is_inside(passes - 1e-9)


def test_bootstrap_form_counts_replicates() -> None:
    values = np.array([[-1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 0.0]])
    means = resample_means(values, draws=3_000, seed=2)
    sums = resampling_weights(10, 3_000, 2).astype(int) @ values[0].astype(int)
    expected = max(np.count_nonzero(sums <= -5), np.count_nonzero(sums >= 5))
    assert tost_bootstrap(means, 0.5)[0] == (1 + expected) / 3_001


def test_permutation_form_is_the_larger_tail() -> None:
    flipped = flip_signs(np.array([[0.0, 0.0, 1.0, 0.0, -1.0, 1.0, 0.0, 0.0]]), draws=999, seed=2)
    expected = max(flipped.greater(-0.5)[0], flipped.less(0.5)[0])
    assert tost_permutation(flipped, 0.5)[0] == expected


def test_the_sign_test_of_the_study() -> None:
    assert sign_test(10, 0) == 2 / 2**10 == 0.001953125


@given(ups=st.integers(0, 60), downs=st.integers(0, 60))
def test_the_sign_test_is_scipys(ups: int, downs: int) -> None:
    if ups + downs == 0:
        assert np.isnan(sign_test(ups, downs))
    else:
        assert sign_test(ups, downs) == pytest.approx(binomtest(ups, ups + downs).pvalue)


NAN = float("nan")


@pytest.mark.parametrize(
    ("low", "high", "p", "expected"),
    [
        (0.1, 0.9, 0.01, "supported"),
        (0.1, 0.9, 0.05, "not supported"),  # The adjusted p-value has to lie below alpha.
        (0.1, 0.9, NAN, "not supported"),  # A missing p-value never rejects.
        (0.1, 0.9, None, "supported"),
        (0.0, 0.9, None, "not supported"),  # An end on zero does not exclude it.
        (-0.9, -0.1, 0.01, "opposite"),
        (-0.9, -0.1, 0.2, "not supported"),
        (-0.1, 0.9, 0.01, "not supported"),
        (NAN, NAN, 0.01, "cannot compute"),
    ],
)
def test_the_directional_rule(low: float, high: float, p: float | None, expected: str) -> None:
    gate = None if p is None else np.array(p)
    assert str(directional(np.array(low), np.array(high), gate)) == expected


@pytest.mark.parametrize(
    ("ends", "matching", "p", "expected"),
    [
        ((-0.2, 0.3), (-0.15, 0.25), 0.001, "equivalent"),
        ((0.1, 0.4), (0.12, 0.38), 0.001, "both"),
        ((0.1, 0.4), (0.12, 0.38), 0.2, "difference"),  # The gate is shut.
        ((0.1, 0.4), (0.12, 0.38), NAN, "difference"),
        ((0.1, 0.4), (0.12, 0.38), None, "both"),
        ((0.1, 0.7), (0.2, 0.6), None, "difference"),
        ((0.4, 0.9), (0.55, 0.85), None, "beyond margin"),
        ((-0.9, -0.4), (-0.85, -0.55), None, "beyond margin"),
        ((-0.3, 0.7), (-0.2, 0.6), None, "inconclusive"),
        ((-0.3, 0.6), (-0.2, 0.5), None, "inconclusive"),  # On the margin is not inside.
        ((NAN, NAN), (NAN, NAN), None, "cannot compute"),
    ],
)
def test_the_margin_rule(
    ends: tuple[float, float], matching: tuple[float, float], p: float | None, expected: str
) -> None:
    gate = None if p is None else np.array(p)
    found = margin(*map(np.array, (*ends, *matching)), 0.5, gate)  # type: ignore[arg-type]
    assert str(found) == expected
    assert bool(is_support(found)) == (expected in ("equivalent", "both"))
