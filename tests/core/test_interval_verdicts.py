from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.verdicts import (
    MARKS,
    RULES,
    Verdict,
    determinate,
    order,
    separable,
    tolerance,
    tolerance_interval,
)


@pytest.mark.parametrize(
    ("divergence", "low", "high", "floor", "expected"),
    [
        (0.10, 0.05, 0.15, 0.05, "within"),
        (0.10, 0.05, 0.20, 0.05, "within"),  # The point rule is d <= tau, so the end may touch it.
        (0.30, 0.25, 0.35, 0.05, "outside"),
        (0.30, 0.20, 0.35, 0.05, "undecided"),
        (0.19, 0.15, 0.21, 0.05, "undecided"),
        (0.10, 0.05, 0.15, 0.20, "within"),
        (0.10, 0.05, 0.15, 0.21, "undecided"),  # An aligned model would exceed the tolerance.
        (0.30, 0.25, 0.35, 0.21, "undecided"),
        (0.19, 0.21, 0.25, 0.05, "undecided"),  # Resampling shifts upward: point and ends disagree.
        (0.21, 0.15, 0.20, 0.05, "undecided"),
        (0.20, 0.20, 0.20, 0.05, "within"),
        (np.nan, 0.05, 0.15, 0.05, "cannot compute"),
        (0.10, np.nan, 0.15, 0.05, "cannot compute"),
        (0.10, 0.05, np.nan, 0.05, "cannot compute"),
        (0.10, 0.05, 0.15, np.nan, "cannot compute"),
    ],
)
def test_the_interval_rule(
    divergence: float, low: float, high: float, floor: float, expected: str
) -> None:
    assert tolerance_interval(divergence, low, high, floor, 0.2) == expected


SHARE = st.floats(0, 1)


@given(divergence=SHARE, one=SHARE, other=SHARE, floor=SHARE, tau=SHARE)
def test_a_decided_verdict_is_that_of_the_point_rule(
    divergence: float, one: float, other: float, floor: float, tau: float
) -> None:
    low, high = sorted((one, other))
    verdict = str(tolerance_interval(divergence, low, high, floor, tau))
    assert verdict in (str(tolerance(divergence, tau)), "undecided")


def test_the_rule_works_on_whole_panels() -> None:
    divergence = np.array([[0.1, 0.3], [np.nan, 0.2]])
    ends = np.stack([divergence - 0.05, divergence + 0.05], axis=-1)
    verdicts = tolerance_interval(divergence, ends[..., 0], ends[..., 1], 0.04, 0.2)
    assert verdicts.tolist() == [["within", "outside"], ["cannot compute", "undecided"]]


def test_every_verdict_has_a_mark_and_no_rule_uses_one_twice() -> None:
    assert set(MARKS) == set(Verdict)
    assert {v for rule in RULES.values() for v in rule} == set(Verdict) - {Verdict.CANNOT_COMPUTE}
    for rule in RULES.values():
        answers = (*rule, Verdict.CANNOT_COMPUTE)
        assert len({MARKS[verdict].symbol for verdict in answers}) == len(answers)
        assert len({MARKS[verdict].shape for verdict in answers}) == len(answers)
    assert MARKS[Verdict.UNDECIDED].symbol == "○"
    assert MARKS[Verdict.UNDECIDED].shape == "circle"


@pytest.mark.parametrize(
    ("gap", "kept", "turned", "expected"),
    [
        (0.1, 0.95, 0.05, "nearer"),
        (0.1, 0.949, 0.05, "not separable"),
        (-0.1, 0.05, 0.95, "farther"),
        # Draws shift: they may keep an order that the scores themselves do not have.
        (-0.1, 0.99, 0.01, "not separable"),
        (0.0, 0.99, 0.0, "not separable"),
        (np.nan, 0.99, 0.0, "cannot compute"),
        (np.nan, np.nan, np.nan, "cannot compute"),
    ],
)
def test_an_order_needs_scores_and_draws(
    gap: float, kept: float, turned: float, expected: str
) -> None:
    assert str(order(gap, kept, turned)) == expected


def test_an_order_kept_in_too_few_draws_is_not_separable() -> None:
    kept = np.array([0.949, 0.95, 1.0, np.nan])
    assert separable(kept).tolist() == [False, True, True, False]
    assert separable(kept, 0.9).tolist() == [True, True, True, False]


def test_determinate_needs_one_verdict_and_a_number() -> None:
    verdicts = np.array(
        [
            ["within", "within", "cannot compute", "cannot compute"],
            ["within", "outside", "cannot compute", "within"],
        ]
    )
    assert determinate(verdicts).tolist() == [True, False, False, False]
