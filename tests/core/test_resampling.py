from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import multinomial

from core.stats.divergence import MEASURES
from core.stats.resampling import (
    Drawing,
    multinomial_counts,
    order_kept,
    percentile_interval,
)
from core.stats.tabulated import LARGEST_TABLE, divergence_of_counts

SHARES = np.array([0.6, 0.25, 0.1, 0.05])


def test_draws_have_the_moments_of_the_multinomial_distribution() -> None:
    draws = 200_000
    counts = multinomial_counts(np.random.default_rng(1), 30, SHARES, draws).astype(float)
    law = multinomial(30, SHARES)
    variances = np.diag(law.cov())
    # Six standard errors: of a mean, and of a covariance with its fourth moments near normal's.
    assert np.all(abs(counts.mean(axis=0) - law.mean()) < 6 * np.sqrt(variances / draws))
    spread = np.sqrt(2 * np.outer(variances, variances) / draws)
    assert np.all(abs(np.cov(counts.T) - law.cov()) < 6 * spread)


@given(
    n=st.integers(0, 400),
    weights=st.lists(st.integers(0, 9), min_size=1, max_size=13).filter(any),
    chunk=st.integers(1, 50),
)
def test_rows_add_up_and_the_chunk_size_changes_nothing(
    n: int, weights: list[int], chunk: int
) -> None:
    shares = np.array(weights, dtype=float)
    whole = multinomial_counts(np.random.default_rng(3), n, shares, 40)
    parts = multinomial_counts(np.random.default_rng(3), n, shares, 40, chunk=chunk)
    assert (whole.sum(axis=1, dtype=int) == n).all()
    assert (whole[:, shares == 0] == 0).all()
    assert (whole == parts).all()


def test_counts_take_the_smallest_type_that_holds_them() -> None:
    stream = np.random.default_rng(0)
    sizes = [multinomial_counts(stream, n, SHARES, 2).itemsize for n in (255, 256, 65_536)]
    assert sizes == [1, 2, 4]


def test_the_sorted_key_decides_the_stream() -> None:
    keys = [("b", 1), ("a", 2), ("a", 1)]
    streams = Drawing(10, 20260722, "key").streams(keys)
    children = np.random.SeedSequence(20260722).spawn(3)
    for key, child in zip([("a", 1), ("a", 2), ("b", 1)], children, strict=True):
        expected = np.random.Generator(np.random.PCG64(child)).random(5)
        assert (streams[key].random(5) == expected).all()


def test_two_units_with_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        Drawing(10, 1, "key").streams([("a",), ("a",)])


@pytest.mark.parametrize(("draws", "seed", "named"), [(0, 1, "draws"), (5, -1, "seed")])
def test_impossible_numbers_of_draws_and_seeds_are_refused(
    draws: int, seed: int, named: str
) -> None:
    with pytest.raises(ValueError, match=f"{named} must be a whole number"):
        Drawing(draws, seed, "key")


def test_a_drawing_names_its_seed_and_its_streams() -> None:
    said = Drawing(2000, 20260722, "model and cell").sentence()
    assert "2,000 draws" in said
    assert "20260722" in said
    assert "PCG64 stream for each model and cell" in said


def test_percentile_interval_of_known_draws() -> None:
    # 0 to 100: the 5th and the 95th percentile are 5 and 95; a missing value spreads.
    draws = np.column_stack([np.arange(101.0), np.full(101, 7.0), np.full(101, np.nan)])
    interval = percentile_interval(draws[::-1], 0.9)
    assert interval[:2] == pytest.approx(np.array([[5, 95], [7, 7]]))
    assert np.isnan(interval[2]).all()
    assert percentile_interval(draws.T, 0.9, axis=1)[0] == pytest.approx([5, 95])


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_is_a_share(level: float) -> None:
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        percentile_interval(np.arange(3.0), level)


def test_order_kept_counts_strict_orders_draw_by_draw() -> None:
    missing = np.nan
    draws = np.array([[1, 2, 5, missing], [2, 1, 5, 1], [1, 1, 5, 1], [0, 3, 5, 1]], dtype=float)
    kept = order_kept(draws)
    expected = [
        [missing, 0.5, 1, missing],
        [0.25, missing, 1, missing],
        [0, 0, missing, missing],
        [missing, missing, missing, missing],
    ]
    np.testing.assert_array_equal(kept, expected)


@st.composite
def cells(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three count vectors with one total over some of the categories, those, and a target."""
    size = draw(st.integers(2, 8))
    target = np.array(draw(st.lists(st.integers(0, 20), min_size=size, max_size=size)), dtype=float)
    target[draw(st.integers(0, size - 1))] += 1
    columns = np.array(sorted(draw(st.sets(st.integers(0, size - 1), min_size=1))))
    n = draw(st.sampled_from([1, 7, 30, LARGEST_TABLE, LARGEST_TABLE + 1]))
    weights = np.array(
        draw(st.lists(st.integers(1, 9), min_size=columns.size, max_size=columns.size)), dtype=float
    )
    counts = multinomial_counts(np.random.default_rng(n), n, weights, 3)
    return counts, columns, target / target.sum()


@given(cell=cells(), measure=st.sampled_from(sorted(MEASURES)))
def test_looked_up_divergences_are_those_of_the_shares(
    cell: tuple[np.ndarray, np.ndarray, np.ndarray], measure: str
) -> None:
    counts, columns, target = cell
    n = int(counts[0].sum(dtype=int))
    shares = np.zeros((3, target.size))
    shares[:, columns] = counts / n
    found = divergence_of_counts(counts, n, target, measure, columns=columns)
    # A difference of 1e-16 in a divergence near zero is 1e-8 in its root.
    close = 2e-8 if measure == "root_jsd" else 1e-12
    assert found == pytest.approx(MEASURES[measure](shares, target), abs=close)
    if measure == "root_jsd":
        oracle = [jensenshannon(row, target, base=2) for row in shares]
        assert found == pytest.approx(np.nan_to_num(oracle), abs=close)
