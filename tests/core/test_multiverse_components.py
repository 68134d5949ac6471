"""Variance shares, against tables worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.choices import Choices
from core.multiverse.axes import Axis, Level
from core.multiverse.components import EXACT, INCOMPLETE, SAMPLED, components, table
from core.multiverse.specs import Specs, full, grid

BASE = Choices("os", (("a", "0"), ("b", "0"), ("c", "0"), ("d", "0")))


def axis(key: str, levels: int = 2) -> Axis:
    found = tuple(Level(str(i), ((key, str(i)),)) for i in range(levels))
    return Axis(key, key, "inference", found, 0)


def shares(values: list[object], levels: tuple[int, ...]):
    specs = full(BASE, [axis(key, n) for key, n in zip("abcd", levels, strict=False)])
    return components(specs, np.asarray(values, dtype=np.float64).ravel())


def test_or_of_two_choices() -> None:
    # Mean 3/4, variance 3/16. Means by either choice are 1/2 and 1: variance 1/16, a third; the
    # rest, another third, is theirs together.
    found = shares([[0, 1], [1, 1]], (2, 2))
    assert found.variance == pytest.approx(3 / 16)
    assert found.main == pytest.approx([1 / 3, 1 / 3])
    assert found.pairs[0, 1] == pytest.approx(1 / 3)
    assert found.total == pytest.approx([2 / 3, 2 / 3])
    assert found.rest == pytest.approx(0, abs=1e-12)
    assert found.how == EXACT


def test_one_choice_alone_decides() -> None:
    found = shares([[0, 0], [1, 1]], (2, 2))
    assert found.main == pytest.approx([1, 0])
    assert found.total == pytest.approx([1, 0])


def test_either_but_not_both() -> None:
    # Neither choice moves the mean: everything is theirs together.
    found = shares([[0, 1], [1, 0]], (2, 2))
    assert found.main == pytest.approx([0, 0])
    assert found.total == pytest.approx([1, 1])
    assert found.pairs[0, 1] == pytest.approx(1)


def test_all_three_together() -> None:
    # Mean 1/8, variance 7/64; by one choice 0 and 1/4: 1/64; by two 1/2 once of four: 3/64.
    values = np.zeros((2, 2, 2))
    values[1, 1, 1] = 1
    found = shares(values.tolist(), (2, 2, 2))
    assert found.main == pytest.approx([1 / 7] * 3)
    assert found.pairs[np.triu_indices(3, 1)] == pytest.approx([1 / 7] * 3)
    assert found.rest == pytest.approx(1 / 7)
    assert found.total == pytest.approx([4 / 7] * 3)


def test_a_sum_has_nothing_together() -> None:
    # 1 a + 2 b + 4 c with a, b, c in {0, 1}: variances 1/4, 1, 4.
    a, b, c = np.indices((2, 2, 2))
    found = shares((a + 2 * b + 4 * c).tolist(), (2, 2, 2))
    assert found.main == pytest.approx(np.array([0.25, 1, 4]) / 5.25)
    assert found.total == pytest.approx(found.main)
    assert found.pairs == pytest.approx(np.zeros((3, 3)), abs=1e-12)


def test_nothing_varies() -> None:
    found = shares([[1, 1], [1, 1]], (2, 2))
    assert np.isnan(found.main).all()
    specs = full(BASE, [axis("a"), axis("b")])
    assert table(specs, found)["total"].null_count() == 2


def test_a_grid_with_gaps_is_not_called_exact() -> None:
    found = shares([[0, 0], [1, float("nan")]], (2, 2))
    assert found.how == INCOMPLETE
    assert found.main[0] > found.main[1]
    # Of the three that are known, two differ along the first choice (variance 1/4 each, 1/6 over
    # all three) and none along the second; altogether the variance is 2/9.
    assert found.total == pytest.approx([1 / 6 / (2 / 9), 0])


@given(st.lists(st.integers(0, 1), min_size=24, max_size=24))
def test_shares_add_up_on_a_full_grid(values: list[int]) -> None:
    found = shares(values, (2, 3, 2, 2))  # type: ignore[arg-type]
    if found.variance <= 1e-12:
        return
    together = found.total - found.main
    assert (found.main >= -1e-12).all()
    assert (together >= -1e-12).all()
    assert found.main.sum() + np.triu(found.pairs, 1).sum() + found.rest == pytest.approx(1)
    # Everything that one choice has with others is in pairs or in larger sets.
    assert (found.total <= 1 + 1e-12).all()
    assert found.total.sum() >= 1 - 1e-9


def all_three(index: NDArray[np.int64]) -> NDArray[np.float64]:
    return (index[:, :3] > 0).all(axis=1).astype(np.float64)


def test_a_sample_estimates_what_the_full_grid_has() -> None:
    axes = [axis("a"), axis("b", 3), axis("c"), axis("d", 4)]
    whole: Specs = full(BASE, axes)
    exact = components(whole, all_three(whole.index))
    sample = grid(BASE, [*axes, *(axis(f"e{i}", 10) for i in range(5))], limit=150_000)
    assert not sample.is_full
    found = components(sample, all_three(sample.index))
    assert found.how == SAMPLED
    assert found.variance == pytest.approx(exact.variance, rel=0.05)
    assert found.main[:4] == pytest.approx(exact.main, abs=0.03)
    assert found.total[:4] == pytest.approx(exact.total, abs=0.03)
    assert found.total[4:] == pytest.approx(np.zeros(5), abs=1e-12)
