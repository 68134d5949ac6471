"""Matched volume: exactly so many texts, the highest first, ties by a draw."""

from __future__ import annotations

import numpy as np
import pytest

from core.studies.remedies.ties import precedence, take_highest


def test_ties_go_by_their_place() -> None:
    scores, places = np.array([[5, 7], [5, 5]]), np.array([[2, 3], [0, 1]])
    assert take_highest(scores, 2, places).tolist() == [[False, True], [True, False]]
    assert take_highest(scores, 3, places).tolist() == [[False, True], [True, True]]


@pytest.mark.parametrize("wanted", [0, 1, 57, 720])
def test_volume_is_exact_and_the_lowest_taken_is_no_lower_than_the_highest_left(
    wanted: int,
) -> None:
    scores = np.random.default_rng(3).integers(0, 12, (20, 36))
    taken = take_highest(scores, wanted, precedence(20, 36))
    assert taken.sum() == wanted
    if 0 < wanted < scores.size:
        assert scores[taken].min() >= scores[~taken].max()


def test_every_text_has_a_place_of_its_own_and_seeds_differ() -> None:
    places = precedence(20, 36, seed=5)
    assert sorted(places.ravel()) == list(range(720))
    assert (places == precedence(20, 36, seed=5)).all()
    assert (places != precedence(20, 36, seed=6)).any()
