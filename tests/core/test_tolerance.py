"""The point rule of a tolerance, and what counts as a flip."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.verdicts import is_flip, tolerance


@pytest.mark.parametrize(
    ("divergence", "tau", "verdict"),
    [
        (0.19, 0.2, "within"),
        (0.2, 0.2, "within"),  # The study's indicator is 1[d <= tau].
        (np.nextafter(0.2, 1), 0.2, "outside"),
        (0.0, 0.0, "within"),
        (1.0, 1.0, "within"),
        (math.nan, 0.2, "cannot compute"),
        (math.nan, 1.0, "cannot compute"),
    ],
)
def test_the_point_rule(divergence: float, tau: float, verdict: str) -> None:
    assert tolerance(divergence, tau) == verdict


@given(values=st.lists(st.floats(0, 1) | st.just(math.nan), max_size=8), tau=st.floats(0, 1))
def test_a_wider_tolerance_never_puts_anything_outside(values: list[float], tau: float) -> None:
    array = np.array(values)
    narrow, wide = tolerance(array, tau), tolerance(array, min(1.0, tau + 0.1))
    assert narrow.shape == wide.shape == array.shape
    assert not ((narrow == "within") & (wide == "outside")).any()
    assert ((narrow == "cannot compute") == np.isnan(array)).all()


def test_a_flip_is_any_other_verdict_and_losing_a_number_is_one() -> None:
    before = np.array(["within", "within", "within", "cannot compute", "cannot compute"])
    after = np.array(["within", "outside", "cannot compute", "outside", "cannot compute"])
    assert is_flip(before, after).tolist() == [False, True, True, True, False]
