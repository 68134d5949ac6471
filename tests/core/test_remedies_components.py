"""Variance components and D: hand-worked squares, simulated truth, explicit resamples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.stats.bootstrap_bca import resampling_weights
from core.stats.components import components, effects_of, reduce_layout, resampled_components
from core.stats.disparity import two_way

Array = NDArray[np.float64]


def test_a_layout_of_two_by_two_worked_by_hand() -> None:
    # Rows are clusters. Grand mean 4; cluster means 2 and 6; column means 3 and 5.
    found = components(reduce_layout(np.array([[2.0, 2.0], [4.0, 8.0]])))
    assert found.effects == ((0,), (1,), (0, 1))
    # SS clusters = 2 * (4 + 4) = 16, columns = 2 * (1 + 1) = 4, interaction = 4 * 1 = 4.
    assert found.mean_squares == pytest.approx([16.0, 4.0, 4.0])
    # (16 - 4) / 2 columns, (4 - 4) / 2 clusters, 4.
    assert found.components == pytest.approx([6.0, 0.0, 4.0])


def test_three_factors_worked_by_hand() -> None:
    values = np.array([[[1.0, 3.0], [5.0, 7.0]], [[2.0, 2.0], [4.0, 12.0]]])
    found = dict(zip(effects_of(3), components(reduce_layout(values)).mean_squares, strict=True))
    # Means of factor levels about 4.5: clusters 4 and 5, rows 2 and 7, columns 3 and 6.
    assert found[0,] == pytest.approx(4 * 2 * 0.5**2)
    assert found[1,] == pytest.approx(4 * 2 * 2.5**2)
    assert found[2,] == pytest.approx(4 * 2 * 1.5**2)
    # Cluster by row means 2, 6 / 2, 8: interaction +-0.5. Cluster by column 3, 5 / 3, 7: +-0.5.
    assert found[0, 1] == pytest.approx(2 * 4 * 0.5**2)
    assert found[0, 2] == pytest.approx(2 * 4 * 0.5**2)
    # Row by column 1.5, 2.5 / 4.5, 9.5: interaction +-1.
    assert found[1, 2] == pytest.approx(2 * 4 * 1.0**2)
    # The rest of a cell's value, +-1 everywhere.
    total = ((values - 4.5) ** 2).sum()
    rest = total - sum(found[e] for e in found if e != (0, 1, 2))
    assert found[0, 1, 2] == pytest.approx(rest)
    assert found[0, 1, 2] == pytest.approx(8 * 1.0**2)


SIZES = (14, 5, 4, 3)
VARIANCES = (3.0, 0.4, 0.9, 0.3, 0.5, 1.1, 0.2, 0.3, 0.1, 0.2, 0.8, 0.15, 0.1, 0.2, 0.6)
TRUTH = dict(zip(effects_of(4), VARIANCES, strict=True))


def simulated(rng: np.random.Generator) -> Array:
    """All effects independent and normal; one observation a cell."""
    values = np.zeros(SIZES)
    for effect, variance in TRUTH.items():
        shape = [size if f in effect else 1 for f, size in enumerate(SIZES)]
        values = values + rng.normal(0, np.sqrt(variance), shape)
    return values


def test_components_are_recovered_without_bias() -> None:
    rng = np.random.default_rng(11)
    found = np.stack([components(reduce_layout(simulated(rng))).components for _ in range(700)])
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    off = (found.mean(axis=0) - np.array(list(TRUTH.values()))) / error
    # Fifteen means: none beyond 4 standard errors of its truth.
    assert np.abs(off).max() < 4
    assert (found < 0).any(), "an unbiased estimate of a small variance must sometimes be negative"


def test_a_resample_is_the_layout_with_clusters_drawn_again() -> None:
    values = simulated(np.random.default_rng(3))
    found = resampled_components(reduce_layout(values), 5, 7)
    for b, weights in enumerate(resampling_weights(SIZES[0], 5, 7)):
        again = np.repeat(values, weights.astype(int), axis=0)
        expected = components(reduce_layout(again))
        assert found.components[:, b] == pytest.approx(expected.components, rel=1e-9, abs=1e-12)
        assert found.mean_squares[:, b] == pytest.approx(expected.mean_squares, rel=1e-9)


@pytest.mark.parametrize("values", [np.ones((1, 3, 2)), np.ones((4, 1, 2))])
def test_a_factor_needs_two_levels(values: Array) -> None:
    with pytest.raises(ValueError, match="two levels"):
        reduce_layout(values)


def test_a_missing_cell_is_refused() -> None:
    with pytest.raises(ValueError, match="missing"):
        reduce_layout(np.array([[1.0, np.nan], [2.0, 3.0]]))


def brute_parts(values: Array) -> tuple[float, float, float]:
    """Persona, complaint and residual variance from all pairs, without sums of squares."""
    rows, columns = values.shape
    residual = np.mean(
        [
            (values[a, j] - values[a, k] - values[b, j] + values[b, k]) ** 2 / 4
            for a, b in combinations(range(rows), 2)
            for j, k in combinations(range(columns), 2)
        ]
    )
    means = values.mean(axis=0)
    between = np.mean([(x - y) ** 2 / 2 for x, y in combinations(means, 2)])
    own = values.mean(axis=1)
    units = np.mean([(x - y) ** 2 / 2 for x, y in combinations(own, 2)])
    return between - residual / rows, units - residual / columns, residual


def test_d_against_pairs() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(7, 5)) + np.arange(5) * 0.7 + rng.normal(0, 3, (7, 1))
    found = two_way(values).parts
    versions, units, residual = brute_parts(values)
    assert found.versions[0] == pytest.approx(versions)
    assert found.units[0] == pytest.approx(units)
    assert found.residual[0] == pytest.approx(residual)
    assert found.disparity[0] == pytest.approx(np.sqrt(versions / units))
    assert found.residual_share[0] == pytest.approx(residual / (versions + units + residual))


def test_the_registered_noise_term_treats_copies_as_different_units() -> None:
    values = np.random.default_rng(4).normal(size=(9, 4)) + np.arange(4)
    layout = two_way(values)
    registered = layout.resampled(4, 5, corrected=False)
    corrected = layout.resampled(4, 5, corrected=True)
    for b, weights in enumerate(resampling_weights(9, 4, 5)):
        again = np.repeat(values, weights.astype(int), axis=0)
        versions, units, residual = brute_parts(again)
        assert registered.versions[b] == pytest.approx(versions)
        assert registered.units[b] == pytest.approx(units)
        copies = (weights.astype(float) ** 2).sum()
        assert corrected.versions[b] == pytest.approx(
            versions + residual / 9 - residual * copies / 81
        )


def test_the_corrected_noise_term_leaves_no_bias_without_persona_effects() -> None:
    rng = np.random.default_rng(5)
    corrected, registered, noise = [], [], []
    for _ in range(200):
        layout = two_way(rng.normal(0, 1, (60, 6)) + rng.normal(0, 2, (60, 1)))
        corrected.append(layout.resampled(40, 3, corrected=True).versions.mean())
        registered.append(layout.resampled(40, 3, corrected=False).versions.mean())
        noise.append(layout.parts.residual[0] / 60)
    error = np.std(corrected, ddof=1) / np.sqrt(200)
    assert abs(np.mean(corrected)) < 4 * error
    # The ordinary term leaves about s2 / C.
    assert np.mean(registered) == pytest.approx(np.mean(noise), rel=0.25)


def test_a_negative_persona_variance_counts_as_none() -> None:
    values = np.array([[0.0, 1.0], [2.0, 1.0], [4.0, 4.0]])
    parts = two_way(values).parts
    assert parts.versions[0] < 0
    assert parts.disparity[0] == 0
