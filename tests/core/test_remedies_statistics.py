"""Instability, rate gaps, kappa, Gelbach, cluster draws: brute force and statsmodels."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.proportion import proportion_effectsize
from statsmodels.stats.weightstats import DescrStatsW

from core.stats.agreement import cohens_kappa, confusion, observed_agreement
from core.stats.bootstrap_bca import resampling_weights
from core.stats.clusters import resampled_means, resampled_sums, sampled
from core.stats.distances import cross_distances, total_variation
from core.stats.equivalence import minimum_effect_draws, tost_draws
from core.stats.gelbach import decompose, explained_share, products
from core.stats.instability import (
    mean_pairwise_difference,
    not_unanimous,
    pairwise_disagreement,
)
from core.stats.rate_gaps import cohens_h, impact_ratio
from core.stats.ties import ranks_from_top
from core.verdicts import Verdict, lower_margin

Array = NDArray[np.float64]

flags = st.lists(st.booleans(), min_size=2, max_size=12)


@given(flags)
def test_disagreement_is_the_share_of_pairs_that_differ(values: list[bool]) -> None:
    pairs = [a != b for a, b in combinations(values, 2)]
    found = float(pairwise_disagreement(np.array(sum(values)), len(values)))
    assert found == pytest.approx(np.mean(pairs))
    assert bool(not_unanimous(np.array(sum(values)), len(values))) == (len(set(values)) > 1)
    # On zeros and ones it is the mean absolute difference.
    assert float(mean_pairwise_difference(np.array(values, dtype=float))) == pytest.approx(found)


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=10), st.integers(0, 3))
def test_mpad_against_all_pairs(values: list[float], missing: int) -> None:
    padded = np.array([*values, *[np.nan] * missing])
    expected = np.mean([abs(a - b) for a, b in combinations(values, 2)])
    assert float(mean_pairwise_difference(padded)) == pytest.approx(expected, abs=1e-9)


def test_one_version_has_no_pairs() -> None:
    assert np.isnan(pairwise_disagreement(np.array([1]), np.array([1])))[0]
    assert np.isnan(mean_pairwise_difference(np.array([[3.0, np.nan]])))[0]


@given(st.floats(0, 1), st.floats(0, 1))
def test_h_against_statsmodels(a: float, b: float) -> None:
    found = float(cohens_h(np.array(a), np.array(b)))
    assert found == pytest.approx(proportion_effectsize(a, b), abs=1e-9)


def test_the_printed_pair_of_gap_and_ratio() -> None:
    # Gap 0.84 pp with AIR 0.917 implies 10.1 and 9.3 percent and h 0.028, as printed.
    high = 0.0084 / (1 - 0.917)
    assert float(impact_ratio(np.array(high), np.array(high - 0.0084))) == pytest.approx(0.917)
    assert float(cohens_h(np.array(high), np.array(high - 0.0084))) == pytest.approx(
        0.028, abs=5e-4
    )
    assert np.isnan(impact_ratio(np.array([0.0]), np.array([0.1])))[0]


def test_kappa_by_hand() -> None:
    # 20 both yes, 5 only the first, 10 only the second, 15 neither (Cohen's textbook layout):
    # po = .7, pe = .5 * .6 + .5 * .4 = .5.
    one = np.repeat([1, 1, 0, 0], [20, 5, 10, 15])
    other = np.repeat([1, 0, 1, 0], [20, 5, 10, 15])
    table = confusion(one, other, 2)
    assert table.tolist() == [[15, 10], [5, 20]]
    assert observed_agreement(table) == pytest.approx(0.7)
    assert cohens_kappa(table) == pytest.approx(0.4)
    # Three classes: po = 6/10, pe = (5*4 + 3*4 + 2*2) / 100 = .36.
    three = np.array([[3, 2, 0], [1, 2, 0], [0, 0, 1]])
    three[2, 2], three[2, 0] = 1, 0
    total = three.sum()
    expected = (three.sum(1) @ three.sum(0)) / total**2
    assert cohens_kappa(three) == pytest.approx((6 / total - expected) / (1 - expected))


def test_kappa_has_no_value_where_both_never_vary() -> None:
    assert np.isnan(cohens_kappa(np.array([[7, 0], [0, 0]])))
    assert np.isnan(cohens_kappa(np.zeros((2, 2), dtype=np.int64)))


def test_resampled_sums_are_those_of_drawn_clusters() -> None:
    values = np.random.default_rng(1).normal(size=(3, 11))
    found = resampled_sums(values, 6, 9)
    for b, weights in enumerate(resampling_weights(11, 6, 9)):
        drawn = np.repeat(values, weights.astype(int), axis=1)
        assert found[:, b] == pytest.approx(drawn.sum(axis=1))


def test_intervals_are_quantiles_and_p_values_count_draws() -> None:
    draws = np.random.default_rng(2).normal(0.4, 1, (2, 999))
    found = sampled(np.array([0.4, 0.4]), draws)
    assert found.interval(0.9)[0] == pytest.approx(np.quantile(draws[0], [0.05, 0.95]))
    assert found.greater()[1] == pytest.approx((1 + (draws[1] <= 0).sum()) / 1000)
    assert found.less(1.0)[1] == pytest.approx((1 + (draws[1] >= 1).sum()) / 1000)
    assert found.two_sided()[0] == pytest.approx(
        2 * min(1 + (draws[0] <= 0).sum(), 1 + (draws[0] >= 0).sum()) / 1000
    )


def test_constant_draws_say_nothing() -> None:
    found = sampled(np.array([1.0]), np.ones((1, 50)))
    assert np.isnan(found.interval(0.95)).all()
    assert np.isnan(found.two_sided()).all()


@pytest.mark.parametrize("shift", [0.0, 0.15, 0.35, 0.7])
def test_equivalence_against_statsmodels(shift: float) -> None:
    values = np.random.default_rng(3).normal(shift, 1.5, 400)
    values += shift - values.mean()
    found = resampled_means(values[None], 20_000, 4)
    p, *_ = DescrStatsW(values).ttost_mean(-0.3, 0.3)
    # A bootstrap of a mean over 400 values is normal to about a hundredth.
    assert tost_draws(found, 0.3)[0] == pytest.approx(p, abs=0.012)
    upper = 1 - p if shift > 0 else 1.0
    beyond = minimum_effect_draws(found, 0.3)[0]
    if shift > 0:
        # On the side of the estimate the two tests are complementary.
        assert beyond == pytest.approx(upper, abs=0.012)
    else:
        assert beyond > 0.99


def test_total_variation_and_its_pairs() -> None:
    one, other = np.array([50, 30, 20]), np.array([20, 30, 50])
    assert float(total_variation(one, other)) == 30
    rng = np.random.default_rng(6)
    a, b = rng.integers(0, 101, (2, 70, 5, 3))
    same, different = cross_distances(a, b)
    for c in (0, 64, 69):
        pairs = {(j, k): 0.5 * np.abs(a[c, j] - b[c, k]).sum() for j in range(5) for k in range(5)}
        assert same[c] == pytest.approx(np.mean([pairs[k, k] for k in range(5)]))
        assert different[c] == pytest.approx(np.mean([v for (j, k), v in pairs.items() if j != k]))


def test_ranks_take_exactly_so_many_and_break_ties_by_the_draw() -> None:
    values = np.array([[3, 1, 3], [2, 3, 2]])
    draws = np.array([[0.9, 0.5, 0.1], [0.8, 0.3, 0.2]])
    ranks = ranks_from_top(values, draws)
    assert ranks.tolist() == [[2, 5, 0], [4, 1, 3]]
    assert sorted(ranks.ravel()) == list(range(6))


def panel(seed: int) -> tuple[Array, Array, Array]:
    """Group indicator, four covariates and an outcome of 40 clusters of 12."""
    rng = np.random.default_rng(seed)
    group = np.broadcast_to(np.arange(12) % 2, (40, 12)).astype(float)
    covariates = rng.normal(size=(40, 12, 4)) + 0.6 * group[..., None] * [1, 0.5, 0, -1]
    own = rng.normal(size=(40, 1))
    outcome = own + covariates @ [0.3, -0.2, 0.5, 0.1] + 0.2 * group + rng.normal(size=(40, 12))
    return group, covariates, outcome


def test_gelbach_against_two_regressions() -> None:
    group, covariates, outcome = panel(8)
    stacked = np.concatenate([group[..., None], covariates, outcome[..., None]], axis=2)
    found = decompose(products(stacked).total(), [0], [1, 2, 3, 4], 5)
    dummies = np.kron(np.eye(40), np.ones((12, 1)))
    base = sm.OLS(outcome.ravel(), np.column_stack([group.ravel(), dummies])).fit()
    design = np.column_stack([group.ravel(), covariates.reshape(-1, 4), dummies])
    full = sm.OLS(outcome.ravel(), design).fit()
    assert found.base[0] == pytest.approx(base.params[0])
    assert found.full[0] == pytest.approx(full.params[0])
    # The identity is exact, whatever the order of the covariates.
    assert found.contributions[0].sum() == pytest.approx(base.params[0] - full.params[0], abs=1e-12)
    for j in range(4):
        aux = sm.OLS(covariates[..., j].ravel(), np.column_stack([group.ravel(), dummies])).fit()
        assert found.contributions[0, j] == pytest.approx(aux.params[0] * full.params[1 + j])
    turned = decompose(products(stacked).total(), [0], [4, 2, 1, 3], 5)
    assert turned.contributions[0] == pytest.approx(found.contributions[0, [3, 1, 0, 2]])


def test_gelbach_resamples_clusters_whole() -> None:
    group, covariates, outcome = panel(9)
    stacked = np.concatenate([group[..., None], covariates, outcome[..., None]], axis=2)
    found = decompose(products(stacked).resampled(3, 2), [0], [1, 2, 3, 4], 5)
    for b, weights in enumerate(resampling_weights(40, 3, 2)):
        again = np.repeat(stacked, weights.astype(int), axis=0)
        expected = decompose(products(again).total(), [0], [1, 2, 3, 4], 5)
        assert found.contributions[b] == pytest.approx(expected.contributions[0])


def test_r2_within_clusters_against_statsmodels() -> None:
    _, covariates, outcome = panel(10)
    stacked = np.concatenate([covariates, outcome[..., None]], axis=2)
    centred = stacked - stacked.mean(axis=1, keepdims=True)
    fit = sm.OLS(centred[..., 4].ravel(), centred[..., :2].reshape(-1, 2)).fit()
    found = explained_share(products(stacked).total(), [0, 1], 4)
    assert found[0] == pytest.approx(fit.rsquared)
    # A copy of a covariate explains nothing more.
    copied = np.concatenate([stacked, stacked[..., :1]], axis=2)
    assert explained_share(products(copied).total(), [0, 1, 5], 4)[0] == pytest.approx(found[0])


def test_collinear_covariates_cannot_be_told_apart() -> None:
    group, covariates, outcome = panel(11)
    stacked = np.concatenate(
        [group[..., None], covariates, covariates[..., :1] * 2, outcome[..., None]], axis=2
    )
    with pytest.raises(ValueError, match="linear functions"):
        decompose(products(stacked).total(), [0], [1, 2, 3, 4, 5], 6)
    still = np.concatenate([group[..., None], np.ones_like(group)[..., None]], axis=2)
    with pytest.raises(ValueError, match="does not vary"):
        decompose(products(still).total(), [0], [1], 1)


@given(
    st.floats(0.3, 1.6),
    st.floats(0.01, 0.3),
    st.floats(0.0, 0.2),
    st.floats(0.5, 0.95),
)
def test_a_ratio_is_judged_on_its_lower_side(
    centre: float, half: float, wider: float, bound: float
) -> None:
    low, high = centre - half, centre + half
    ends = [np.array([x]) for x in (low - wider, high + wider, low, high)]
    found = lower_margin(*ends, bound)[0]
    nonzero = low - wider > 1 or high + wider < 1
    if low > bound:
        assert found == (Verdict.BOTH if nonzero else Verdict.EQUIVALENT)
    elif high < bound:
        assert found == Verdict.BEYOND_MARGIN
    else:
        assert found == (Verdict.DIFFERENCE if nonzero else Verdict.INCONCLUSIVE)
    # Raising the bound never turns a failure into a pass.
    stricter = lower_margin(*ends, min(bound + 0.03, 0.99))[0]
    passed = (Verdict.BOTH, Verdict.EQUIVALENT)
    assert not (stricter in passed and found not in passed)
    missing = lower_margin(np.array([np.nan]), *ends[1:], bound)[0]
    assert missing == Verdict.CANNOT_COMPUTE
