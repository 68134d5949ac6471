"""Rank correlation, against scipy and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from core.stats.ranks import mid_ranks, spearman


def test_ties_share_the_mean_of_their_ranks() -> None:
    # 10 is first, the two 20s share 2 and 3, 30 is last.
    assert mid_ranks(np.array([20.0, 10.0, 30.0, 20.0])).tolist() == [2.5, 1.0, 4.0, 2.5]


@pytest.mark.parametrize("seed", range(10))
def test_same_as_scipy_with_many_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 6, size=(2, 200)).astype(float)
    assert mid_ranks(x) == pytest.approx(rankdata(x))
    assert spearman(x, y) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


def test_a_constant_list_has_no_correlation() -> None:
    assert math.isnan(spearman(np.ones(4), np.arange(4.0)))
    assert math.isnan(spearman(np.ones(1), np.ones(1)))
