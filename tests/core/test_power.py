"""Sample sizes and detectable effects, against printed figures and the power they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import norm, t

from core.reference import table
from core.stats.power import (
    calls_per_label,
    detectable,
    detectable_factor,
    quantile,
    rounded_up,
)


def printed(name: str) -> float:
    rows = table("filenames", "figures")
    return float(rows.filter(rows["figure_id"] == f"filenames.{name}")["value"][0])


EFFECT, ALPHA, POWER = (printed(f"power.{n}") for n in ("effect_size", "alpha", "power"))
TEXTS = int(printed("design.study1.n_documents"))


def repetitions(hypothesis: str, sigma: float) -> int:
    k = printed(f"power.k.{hypothesis}")
    return rounded_up(calls_per_label(k, sigma, EFFECT, ALPHA, POWER / 100), TEXTS)


@pytest.mark.parametrize("hypothesis", ["h1", "h2", "h3", "h4"])
def test_the_printed_sample_sizes(hypothesis: str) -> None:
    sigma = printed("pilot.residual_sd")
    assert repetitions(hypothesis, sigma) == printed(f"power.reps.{hypothesis}")


def test_all_three_printed_sizes_need_the_unrounded_spread() -> None:
    # The printed .536 gives 151 for H4b, where the document prints 152.
    assert repetitions("h4b", printed("pilot.residual_sd")) == printed("power.reps.h4b") - 1
    for sigma in (0.53612, 0.5363, 0.53646):
        assert round(sigma, 3) == printed("pilot.residual_sd")
        for name in ("h1", "h2", "h4b"):
            assert repetitions(name, sigma) == printed(f"power.reps.{name}")


def test_the_printed_factor_of_detectable_effects() -> None:
    # Ranges that printed standard errors and detectable effects leave (NOTES.md).
    assert 3.194 < float(detectable_factor(0.05, 0.8, 3)) < 3.286
    assert 3.377 < float(detectable_factor(0.05, 0.8, 3, 29.0)) < 3.407
    assert not 3.194 < float(detectable_factor(0.05, 0.8)) < 3.286


@pytest.mark.parametrize("tests", [1, 3, 15])
def test_an_effect_of_that_size_is_found_as_often_as_promised(tests: int) -> None:
    effect = float(detectable_factor(0.05, 0.8, tests))
    cut = norm.isf(0.05 / tests / 2)
    # The other tail adds less than a thousandth.
    assert ndtr(effect - cut) == pytest.approx(0.8)
    assert ndtr(effect - cut) + ndtr(-effect - cut) == pytest.approx(0.8, abs=1e-3)


def test_quantiles_are_those_of_scipy() -> None:
    df = np.array([3.0, 29.0, np.inf])
    expected = [t.ppf(0.975, 3), t.ppf(0.975, 29), norm.ppf(0.975)]
    assert quantile(0.975, df) == pytest.approx(expected)


def test_planning_and_detecting_are_inverse() -> None:
    calls = calls_per_label(1.5, 0.4, 0.07, 0.05, 0.9)
    assert detectable(1.5, 0.4, calls, 0.05, 0.9) == pytest.approx(0.07)
    # Half the effect needs four times the calls.
    assert calls_per_label(1.5, 0.4, 0.035, 0.05, 0.9) == pytest.approx(4 * calls)


def test_rounding_up() -> None:
    assert rounded_up(400.0, 4) == 100
    assert rounded_up(400.0000000001, 4) == 100
    assert rounded_up(401.0, 4) == 101
    assert rounded_up(0.2, 4) == 1
