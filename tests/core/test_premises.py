"""The words fair and unfair appear only under declared premises."""

from __future__ import annotations

import polars as pl
import pytest

from core.studies.composition.choices import DECLARATION, PREMISE_CHOICES, UNDECLARED
from core.studies.composition.premises import misfits, open_premises, reading, stakes

MODELS = pl.DataFrame({"model": ["A", "B"], "verdict_now": ["within", "outside"]})

DECLARED = DECLARATION.planned.replace(
    use="public_world",
    prior="geographic",
    allocation="per_person",
    source="resident_sources",
    bridge_a="accepted",
    bridge_b="accepted",
)


def test_all_six_premises_are_open_when_the_page_opens():
    assert len(open_premises(DECLARATION.opening)) == 6
    assert reading(DECLARATION.opening, MODELS).startswith("No fairness verdict")


@pytest.mark.parametrize("choice", PREMISE_CHOICES, ids=lambda choice: choice.key)
def test_one_open_premise_is_enough_for_no_fairness_verdict(choice):
    text = reading(DECLARED.replace(**{choice.key: UNDECLARED}), MODELS)
    assert text.startswith("No fairness verdict: premise ")
    assert "unfair in" not in text


def test_declared_premises_give_a_reading_that_names_them():
    text = reading(DECLARED, MODELS)
    assert text.startswith("Under premises A and B")
    assert "A: fair in composition" in text
    assert "B: unfair in composition" in text


@pytest.mark.parametrize(
    ("comparator", "changes", "fits"),
    [
        ("geography", {}, True),
        ("geography", {"prior": "civic"}, False),
        ("equal_category", {}, False),
        ("equal_category", {"allocation": "per_category"}, True),
        ("occupational", {}, False),
        ("occupational", {"use": "workforce", "prior": "occupational"}, True),
        ("corrective", {"allocation": "weighted"}, True),
    ],
)
def test_a_declaration_that_asks_for_another_comparator_gives_no_verdict(comparator, changes, fits):
    choices = DECLARED.replace(comparator=comparator, **changes)
    assert (not misfits(choices)) is fits
    assert reading(choices, MODELS).startswith("Under premises") is fits


def test_every_premise_says_what_is_at_stake():
    for stake in stakes():
        assert stake.determines
        assert stake.if_open
        assert stake.study
