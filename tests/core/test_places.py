"""Places of models as far as the draws tell them apart."""

from __future__ import annotations

import numpy as np

from core.studies.composition.places import inseparable_pairs, place_ranges, say_range

NAMES = ["a", "b", "c"]


def test_two_that_cannot_be_told_apart_share_their_places():
    scores = np.array([0.1, 0.2, 0.3])
    # a below b in 60% of draws; both below c in all.
    kept = np.array([[np.nan, 0.6, 1.0], [0.4, np.nan, 1.0], [0.0, 0.0, np.nan]])
    assert place_ranges(scores, kept) == [(1, 2), (1, 2), (3, 3)]
    assert inseparable_pairs(scores, kept, NAMES) == [("a", "b", 0.6)]


def test_the_order_asked_about_is_the_observed_one():
    scores = np.array([0.3, 0.1, 0.2])
    kept = np.array([[np.nan, 0.0, 0.02], [1.0, np.nan, 0.97], [0.98, 0.03, np.nan]])
    assert inseparable_pairs(scores, kept, NAMES) == []
    assert place_ranges(scores, kept) == [(3, 3), (1, 1), (2, 2)]


def test_a_model_without_a_score_has_no_place():
    scores = np.array([0.1, np.nan, 0.3])
    kept = np.array([[np.nan, np.nan, 1.0], [np.nan] * 3, [0.0, np.nan, np.nan]])
    assert place_ranges(scores, kept) == [(1, 1), None, (2, 2)]
    assert say_range(None) == "–"
    assert say_range((2, 4)) == "2 to 4"
