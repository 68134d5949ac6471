"""Adjusted p-values against statsmodels, hand arithmetic and the rule for missing tests."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.multitest import multipletests

from core.stats.multiplicity import METHOD_NAMES, METHODS, Method, adjust, holm_ladder

Array = NDArray[np.float64]
ORACLE: dict[Method, str] = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "bh": "fdr_bh",
}
P = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.02, 0.05, 1.0]))


@pytest.mark.parametrize("method", ORACLE)
@settings(max_examples=25)  # The oracle takes a tenth of a second for Holm.
@given(p=st.lists(P, min_size=1, max_size=12))
def test_every_method_is_statsmodels(method: Method, p: list[float]) -> None:
    expected = multipletests(p, method=ORACLE[method])[1]
    assert adjust(np.array(p), method) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_many_families_at_once(method: Method) -> None:
    p = np.random.default_rng(1).random((3, 4, 5))
    p[0, 1, 2] = np.nan
    one_by_one = np.array([[adjust(family, method) for family in row] for row in p])
    assert np.array_equal(adjust(p, method), one_by_one, equal_nan=True)


@pytest.mark.parametrize("method", METHODS)
@given(p=st.lists(st.one_of(P, st.just(float("nan"))), min_size=1, max_size=8))
def test_a_test_that_could_not_run_counts_as_one_and_is_never_rejected(
    method: Method, p: list[float]
) -> None:
    given_p = np.array(p)
    missing = np.isnan(given_p)
    found = adjust(given_p, method)
    assert (np.isnan(found) == missing).all()
    as_one = adjust(np.where(missing, 1.0, given_p), method)
    assert np.array_equal(found[~missing], as_one[~missing])
    assert not (found[missing] < 1.1).any()


def test_statsmodels_would_let_a_missing_test_spoil_the_family() -> None:
    # Why the rule is written here: statsmodels sorts the missing value among the others.
    p = np.array([0.01, np.nan, 0.02])
    assert np.isnan(multipletests(p, method="holm")[1]).any()
    # Holm by hand, three planned tests: 3 x .01, then the larger of .03 and 2 x .02.
    assert adjust(p, "holm")[[0, 2]] == pytest.approx([0.03, 0.04])


def test_holm_by_hand() -> None:
    p = np.array([0.04, 0.001, 0.03, 0.9, 0.012])
    # In order: .001 x 5, .012 x 4, .03 x 3, max(.09, .04 x 2), .9.
    expected = [0.09, 0.005, 0.09, 0.9, 0.048]
    assert adjust(p, "holm") == pytest.approx(expected)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="method must be one of none, bonferroni"):
        adjust(np.array([0.1]), "sidak")  # type: ignore[arg-type]
    assert set(METHOD_NAMES) == set(METHODS)


def test_the_ladder_by_hand() -> None:
    ladder = holm_ladder(np.array([0.03, 0.001, np.nan, 0.011, 0.04]), 0.05)
    assert ladder.order.tolist() == [1, 3, 0, 4, 2]
    assert ladder.p == pytest.approx([0.001, 0.011, 0.03, 0.04, 1.0])
    # .05 over 5, 4, 3, 2, 1.
    assert ladder.threshold == pytest.approx([0.01, 0.0125, 0.05 / 3, 0.025, 0.05])
    assert ladder.rejected.tolist() == [True, True, False, False, False]
    assert ladder.stops_at == 2
    assert holm_ladder(np.array([0.001, 0.002]), 0.05).stops_at == 2


@given(p=st.lists(P, min_size=1, max_size=8), alpha=st.sampled_from([0.01, 0.05, 0.1]))
def test_the_ladder_and_the_adjusted_values_agree(p: list[float], alpha: float) -> None:
    values = np.array(p)
    ladder = holm_ladder(values, alpha)
    by_test = np.empty(len(p), dtype=bool)
    by_test[ladder.order] = ladder.rejected
    assert (by_test == (adjust(values, "holm") < alpha)).all()
    # Once the procedure stops, nothing after it is rejected.
    assert (np.diff(ladder.rejected.astype(int)) <= 0).all()
