"""Least squares with text effects, against statsmodels on the same calls."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray

from core.stats.ols_hc import (
    ALONE,
    ERRORS,
    NO_CALLS,
    ONE_GROUP,
    SPREADLESS,
    TOO_FEW,
    Errors,
    Fit,
    fit,
    within_group_error,
)

Array = NDArray[np.float64]


def calls(seed: int, groups: int = 4, labels: int = 5, *, holes: bool = False) -> list[Array]:
    """Group, label and outcome of every call; unbalanced, each cell with a spread of its own."""
    rng = np.random.default_rng(seed)
    rows = []
    for g in range(groups):
        for k in range(labels):
            n = 0 if holes and (g + k) % 4 == 0 else int(rng.integers(2, 9))
            y = rng.normal(g + 0.3 * k + rng.normal(0, 0.2), rng.uniform(0.1, 2), n)
            rows += [(g, k, value) for value in y]
    return [np.array(column) for column in zip(*rows, strict=True)]


def cells(group: Array, label: Array, y: Array) -> tuple[NDArray[np.int64], Array, Array]:
    """Counts, means and sums of squares of the cells."""
    shape = (int(group.max()) + 1, int(label.max()) + 1)
    n, mean, squares = np.zeros(shape, dtype=np.int64), np.full(shape, np.nan), np.zeros(shape)
    for g, k in np.ndindex(shape):
        part = y[(group == g) & (label == k)]
        n[g, k] = part.size
        if part.size:
            mean[g, k], squares[g, k] = part.mean(), ((part - part.mean()) ** 2).sum()
    return n, mean, squares


def oracle(group: Array, label: Array, y: Array, weights: Array, errors: Errors) -> list[float]:
    """Estimate, standard error and residual degrees of freedom from the whole design."""
    dummies = [(group == g) for g in np.unique(group)]
    dummies += [(label == k) for k in range(1, int(label.max()) + 1)]
    model = sm.OLS(y, np.column_stack(dummies).astype(float))
    if errors == "classical":
        done = model.fit()
    elif errors == "cluster":
        done = model.fit(cov_type="cluster", cov_kwds={"groups": group})
    else:
        done = model.fit(cov_type=errors)
    contrast = np.concatenate([np.zeros(np.unique(group).size), weights[1:]])
    tested = done.t_test(contrast)
    return [float(tested.effect[0]), float(tested.sd[0, 0]), float(done.df_resid)]


WEIGHTS = np.array([-0.5, 1 / 3, 1 / 3, 1 / 3, -0.5])


@pytest.mark.parametrize("errors", ERRORS)
@pytest.mark.parametrize("holes", [False, True])
def test_against_statsmodels(errors: Errors, holes: bool) -> None:
    for seed in range(4):
        data = calls(seed, holes=holes)
        found = fit(*cells(*data), errors)
        for weights in (WEIGHTS, np.array([0, 1, -1, 0, 0.0]), np.array([-1, 0, 0.5, 0.5, 0])):
            estimate, error, df = oracle(*data, weights, errors)
            assert found.estimate(weights) == pytest.approx(estimate, rel=1e-10, abs=1e-12)
            assert found.error(weights) == pytest.approx(error, rel=1e-10)
            assert found.df == df


def test_the_largest_leverage_is_that_of_the_hat_matrix() -> None:
    group, label, y = calls(7)
    design = np.column_stack(
        [*(group == g for g in range(4)), *(label == k for k in range(1, 5))]
    ).astype(float)
    hat = design @ np.linalg.pinv(design)
    assert fit(*cells(group, label, y), "HC3").leverage == pytest.approx(hat.diagonal().max())


def test_balanced_hc3_by_hand() -> None:
    # Two groups, two labels, two calls each: h = 1/4 + 1/4 - 1/8 = 3/8 for all.
    n = np.full((2, 2), 2)
    mean = np.array([[1.0, 2.0], [3.0, 6.0]])
    squares = np.array([[0.5, 0.5], [2.0, 2.0]])
    found = fit(n, mean, squares, "HC3")
    weights = np.array([-1.0, 1.0])
    # Estimate: mean of 1 and 3. Residuals of means: ±1/2 in each cell, so squares + 2/4 each.
    assert found.estimate(weights) == pytest.approx(2.0)
    squared = (0.5 + 0.5) * 2 + (2.0 + 0.5) * 2
    assert found.error(weights) == pytest.approx(np.sqrt(squared / 16) / (5 / 8))


def test_one_group_by_itself_is_saturated() -> None:
    data = calls(3, groups=1)
    n, mean, squares = cells(*data)
    for errors in ("classical", "HC0", "HC1", "HC2", "HC3"):
        whole = fit(n, mean, squares, errors)
        alone, why = within_group_error(n, squares, WEIGHTS[None], errors)
        assert not why
        assert alone[0] == pytest.approx(whole.error(WEIGHTS), rel=1e-10)
    assert within_group_error(n, squares, WEIGHTS[None], "cluster")[1] == ONE_GROUP


def no_error(found: Fit, why: str) -> bool:
    return found.why == why and np.isnan(found.error(WEIGHTS[: found.effects.size]))


def test_what_cannot_be_computed_says_why() -> None:
    n, mean, squares = cells(*calls(5))
    nothing = np.zeros_like(n)
    assert no_error(fit(nothing, mean, squares, "HC3"), NO_CALLS)
    assert no_error(fit(np.ones_like(n[:1]), mean[:1], squares[:1], "HC3"), TOO_FEW)
    assert no_error(fit(n, np.full(n.shape, 5.0), np.zeros(n.shape), "HC3"), SPREADLESS)
    assert no_error(fit(n[:1], mean[:1], squares[:1], "cluster"), ONE_GROUP)


@pytest.mark.parametrize("errors", ["HC2", "HC3"])
def test_a_call_alone_with_its_label_is_refused(errors: Errors) -> None:
    group, label, y = calls(6, labels=4)
    group, label, y = np.append(group, 0), np.append(label, 4), np.append(y, 9.0)
    table = cells(group, label, y)
    found = fit(*table, errors)
    assert found.leverage == pytest.approx(1)
    assert no_error(found, ALONE)
    # Without its division the others are defined, and the same as statsmodels'.
    weights = np.array([-1, 0.5, 0.5, 0, 0])
    expected = oracle(group, label, y, weights, "HC1")[1]
    assert fit(*table, "HC1").error(weights) == pytest.approx(expected, rel=1e-10)


def test_labels_that_never_meet_on_a_text_cannot_be_compared() -> None:
    n = np.array([[3, 3, 0, 0], [0, 0, 3, 3]])
    mean, squares = np.where(n, 1.0 + np.arange(4), np.nan), np.where(n, 1.0, 0.0)
    found = fit(n, mean, squares, "HC3")
    assert np.isnan(found.estimate(np.array([1, 0, -1, 0.0])))
    assert np.isnan(found.error(np.array([1, 0, -1, 0.0])))
    assert found.estimate(np.array([-1, 1, 0, 0.0])) == pytest.approx(1.0)
    # Both groups speak for themselves: the difference of differences can be told.
    assert found.tells(np.array([-1, 1, 1, -1.0]))


def test_scale_and_shift() -> None:
    n, mean, squares = cells(*calls(8))
    base = fit(n, mean, squares, "HC3")
    moved = fit(n, 10 + 3 * mean, 9 * squares, "HC3")
    assert moved.estimate(WEIGHTS) == pytest.approx(3 * base.estimate(WEIGHTS))
    assert moved.error(WEIGHTS) == pytest.approx(3 * base.error(WEIGHTS))


def test_order_of_the_errors() -> None:
    n, mean, squares = cells(*calls(9))
    sizes = [fit(n, mean, squares, e).error(WEIGHTS) for e in ("HC0", "HC2", "HC3")]
    assert sizes == sorted(sizes)
