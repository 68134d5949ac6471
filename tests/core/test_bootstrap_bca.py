"""Bootstrap of means against scipy, plain Python, hand arithmetic and properties."""

from __future__ import annotations

import warnings
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from core.stats import bootstrap_bca
from core.stats.bootstrap_bca import (
    draw_weights,
    flip_signs,
    resample_means,
    resampling_weights,
    sign_flips,
    t_greater,
    t_interval,
)

Array = NDArray[np.float64]
NORMAL = NormalDist()


def drawn_indices(n: int, draws: int, seed: int) -> NDArray[np.int64]:
    """Indices that give the same resamples as the weights."""
    weights = resampling_weights(n, draws, seed)
    return np.array([np.repeat(np.arange(n), row) for row in weights])


class SameDraws(np.random.Generator):
    """A generator that hands scipy the resamples that the weights stand for."""

    def __init__(self, indices: NDArray[np.int64]) -> None:
        super().__init__(np.random.PCG64(0))
        self._indices = indices

    def integers(self, *_: object, **__: object) -> NDArray[np.int64]:  # type: ignore[override]
        return self._indices


def scipy_bca(values: Array, draws: int, seed: int, level: float) -> Array:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = stats.bootstrap(
            (values,),
            np.mean,
            n_resamples=draws,
            confidence_level=level,
            method="BCa",
            rng=SameDraws(drawn_indices(values.size, draws, seed)),
        )
    return np.array(found.confidence_interval)


@pytest.mark.parametrize("n", [12, 50, 69])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_bca_is_scipys_on_data_without_ties(n: int, level: float) -> None:
    values = np.random.default_rng(n).gamma(1.5, size=n) - 0.7
    means = resample_means(values[None], draws=999, seed=5)
    assert means.bca(level)[0] == pytest.approx(scipy_bca(values, 999, 5, level), abs=1e-12)


def test_weights_are_resamples() -> None:
    weights = resampling_weights(70, 20_000, 3)
    assert weights.dtype == np.uint8
    assert (weights.sum(axis=1, dtype=int) == 70).all()
    # A unit is drawn Binomial(70, 1/70) times: mean 1, variance 69/70; six standard errors.
    assert abs(weights.mean(axis=0) - 1).max() < 6 * sqrt(69 / 70 / 20_000)
    assert weights.astype(float).var() == pytest.approx(69 / 70, abs=0.01)
    assert not weights.flags.writeable
    assert (resampling_weights(70, 2_000, 3) == weights[:2_000]).all()
    assert (resampling_weights(70, 2_000, 4) != weights[:2_000]).any()
    with pytest.raises(ValueError, match="at least 1, not 0 and 5"):
        resampling_weights(0, 5, 1)


def test_the_chunk_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = draw_weights(30, 500, 3)
    values = np.random.default_rng(0).integers(-3, 4, (4, 30)).astype(float)
    means = resample_means(values, draws=500, seed=3).bca(0.95)
    monkeypatch.setattr(bootstrap_bca, "CHUNK", 70)
    monkeypatch.setattr(bootstrap_bca, "PIECE", 300)
    assert (draw_weights(30, 500, 3) == whole).all()
    assert (resample_means(values, draws=500, seed=3).bca(0.95) == means).all()


def by_hand(values: Array, draws: int, seed: int, level: float) -> tuple[float, float]:
    """BCa with ties by mid-rank, written out in plain Python from the resampled values."""
    n = len(values)
    estimate = sum(values) / n
    replicates = sorted(
        sum(int(w) * v for w, v in zip(row, values, strict=True)) / n
        for row in resampling_weights(n, draws, seed)
    )
    below = sum(r < estimate - 1e-9 for r in replicates)
    ties = sum(abs(r - estimate) <= 1e-9 for r in replicates)
    z0 = NORMAL.inv_cdf((below + ties / 2) / draws)
    left_out = [(sum(values) - v) / (n - 1) for v in values]
    centre = sum(left_out) / n
    cubes = sum((centre - t) ** 3 for t in left_out)
    squares = sum((centre - t) ** 2 for t in left_out)
    a = cubes / (6 * squares**1.5)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = z0 + NORMAL.inv_cdf(tail)
        position = NORMAL.cdf(z0 + z / (1 - a * z)) * (draws - 1)
        low = int(position)
        high = min(low + 1, draws - 1)
        ends.append(replicates[low] + (position - low) * (replicates[high] - replicates[low]))
    return ends[0], ends[1]


@settings(max_examples=40)
@given(
    values=st.lists(st.integers(-4, 4), min_size=3, max_size=20).filter(lambda v: len(set(v)) > 1),
    step=st.sampled_from([1, 2, 3, 4, 7]),
)
def test_bca_by_plain_python_on_lattices(values: list[int], step: int) -> None:
    row = np.array(values) / step
    found = resample_means(row[None], draws=200, seed=8).bca(0.95)[0]
    assert found == pytest.approx(by_hand(row, 200, 8, 0.95), abs=1e-9)


def test_a_two_point_sample_by_hand() -> None:
    # Means of resamples of {0, 1} are 0, 1/2 or 1, with probabilities 1/4, 1/2, 1/4. By mid-rank
    # half of them lie below 1/2, so z0 is near 0; two points have no skew, so a is 0. The 2.5% and
    # 97.5% points of the replicates are then 0 and 1.
    means = resample_means(np.array([[0.0, 1.0]]), draws=4_000, seed=1)
    assert means.replicates.values[0].tolist() == [0.0, 0.5, 1.0]
    shares = np.diff(means.replicates.cumulative[0], prepend=0) / 4_000
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.04)
    assert means.acceleration[0] == 0
    assert means.bias[0] == pytest.approx(0, abs=0.05)
    assert means.bca(0.95)[0].tolist() == [0.0, 1.0]


def test_counting_ties_below_only_would_shift_the_interval() -> None:
    # Nine zeros and a one: P(mean < 1/10) is (9/10)^10 = .349, P(mean = 1/10) is .387; by mid-rank
    # the share below is .349 + .194 = .542.
    values = np.array([[0.0] * 9 + [1.0]])
    means = resample_means(values, draws=20_000, seed=2)
    assert NORMAL.cdf(means.bias[0]) == pytest.approx(0.9**10 + 0.9**9 / 2, abs=0.01)


def test_sets_with_missing_units_are_resampled_over_their_own() -> None:
    values = np.array([[1.0, 2.0, 5.0, np.nan, 3.0], [np.nan, 1.0, 2.0, 5.0, 3.0]])
    means = resample_means(values, draws=500, seed=1)
    assert means.n.tolist() == [4, 4]
    assert means.estimate == pytest.approx([11 / 4, 11 / 4])
    # Their complete values are the same list in the same order: the same draws for both.
    assert means.bca(0.95)[0] == pytest.approx(means.bca(0.95)[1])
    assert means.spread == pytest.approx([np.std([1, 2, 5, 3], ddof=1)] * 2)


@pytest.mark.parametrize(
    ("row", "works"),
    [
        ([np.nan, np.nan, np.nan], False),
        ([2.0, np.nan, np.nan], False),
        ([2.0, 2.0, 2.0], False),
        ([0.1 + 0.2, 0.3, 0.3], False),
        ([1.0, 2.0, 2.0], True),
    ],
)
def test_what_cannot_be_computed_is_missing(row: list[float], works: bool) -> None:
    values = np.array([row, [1.0, 2.0, 3.0]])
    means = resample_means(values, draws=300, seed=1)
    assert np.isnan(means.bias).tolist() == [not works, False]
    for ends in (means.bca(0.95), means.percentile(0.9), means.student(0.95)):
        assert np.isnan(ends[0]).all() != works
        assert not np.isnan(ends[1]).any()
    for p in (
        means.two_sided(),
        means.share_at_most(0.0),
        flip_signs(values, draws=99, seed=1).greater(),
    ):
        assert np.isnan(p[0]) != works
        assert 0 < p[1] <= 1


def test_p_values_count_replicates() -> None:
    values = np.array([[-1.0, 0.0, 0.0, 1.0, 2.0, 2.0]])
    draws = 2_000
    means = resample_means(values, draws=draws, seed=4)
    sums = resampling_weights(6, draws, 4).astype(int) @ values[0].astype(int)
    up, down = np.count_nonzero(sums <= 0), np.count_nonzero(sums >= 0)
    assert means.share_at_most(0.0)[0] == (1 + up) / (draws + 1)
    assert means.share_at_least(0.0)[0] == (1 + down) / (draws + 1)
    assert means.two_sided()[0] == 2 * (1 + min(up, down)) / (draws + 1)
    # 3/6 is a lattice point: replicates on it count on both sides.
    assert means.share_at_least(0.5)[0] == (1 + np.count_nonzero(sums >= 3)) / (draws + 1)


def test_percentile_is_numpys_quantile() -> None:
    values = np.random.default_rng(1).integers(-3, 6, (3, 40)) / 2
    means = resample_means(values, draws=1_000, seed=1)
    sums = resampling_weights(40, 1_000, 1).astype(float) @ values.T / 40
    expected = np.quantile(sums, [0.05, 0.95], axis=0).T
    assert means.percentile(0.9) == pytest.approx(expected)


def test_wide_lattices_and_no_lattice_give_the_same_as_sorting() -> None:
    stream = np.random.default_rng(3)
    for values in (stream.integers(0, 10**6, (2, 15)).astype(float), stream.normal(size=(2, 15))):
        means = resample_means(values, draws=400, seed=1)
        sums = resampling_weights(15, 400, 1).astype(float) @ values.T / 15
        expected = np.quantile(sums, [0.025, 0.975], axis=0).T
        assert means.percentile(0.95) == pytest.approx(expected)


def test_student_is_scipys() -> None:
    values = np.random.default_rng(2).normal(0.3, 1, 25)
    test = stats.ttest_1samp(values, 0, alternative="greater")
    two = stats.ttest_1samp(values, 0)
    mean, spread, n = np.array([values.mean()]), np.array([values.std(ddof=1)]), np.array([25])
    assert t_greater(mean, spread, n)[0] == pytest.approx(test.pvalue)
    assert t_interval(mean, spread, n, 0.9)[0] == pytest.approx(tuple(two.confidence_interval(0.9)))


def test_sign_flips_against_every_sign() -> None:
    values = np.array([3.0, 1.0, -1.0, 2.0, 4.0, 0.0])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 6)).reshape(6, -1).T
    exact = np.mean(signs @ values >= values.sum())
    found = flip_signs(values[None], draws=20_000, seed=1)
    assert found.greater()[0] == pytest.approx(exact, abs=0.01)
    assert found.two_sided()[0] == pytest.approx(2 * exact, abs=0.02)
    # Against another bound: the differences from it get the signs.
    moved = np.mean(signs @ (values - 3) <= (values - 3).sum())
    assert found.less(3.0)[0] == pytest.approx(moved, abs=0.01)
    assert set(np.unique(sign_flips(6, 100, 1))) == {-1, 1}
