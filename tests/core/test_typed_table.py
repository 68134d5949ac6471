"""Tables that a reader types."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.studies.composition.choices import DECLARATION
from core.studies.composition.sources import declared_categories
from core.studies.composition.typed_table import (
    contexts_of,
    editor_rows,
    rounded_to_hundred,
    summary,
    with_rows,
)


@pytest.mark.parametrize(("attribute", "context"), list(declared_categories()))
def test_untyped_shares_start_at_a_hundred_percent(attribute, context):
    rows = editor_rows("shares", "", attribute, context)
    assert rows["percent"].sum() == pytest.approx(100, abs=1e-9)
    assert (rows["percent"] - rows["resident percent"]).abs().max() <= 0.011


@given(st.lists(st.floats(0.001, 1), min_size=2, max_size=13))
def test_rounding_keeps_the_sum_and_moves_no_share_by_a_hundredth(weights):
    percents = [100 * weight / sum(weights) for weight in weights]
    rounded = rounded_to_hundred(percents)
    assert sum(rounded) == pytest.approx(100, abs=1e-9)
    assert all(abs(a - b) < 0.01 + 1e-9 for a, b in zip(percents, rounded, strict=True))


def test_typed_weights_come_back_into_the_editor():
    rows = editor_rows("weights", "", "religion", "USA").with_columns(
        weight=pl.when(pl.col("category") == "Christian").then(3.86).otherwise(pl.col("weight"))
    )
    text = with_rows("weights", "", "religion", "USA", rows)
    assert text == "USA~religion~Christian:3.86"
    again = editor_rows("weights", text, "religion", "USA")
    assert again.filter(category="Christian")["weight"].to_list() == [3.86]
    assert summary("weights", text) == "Religion, United States: Christian 3.86"


def test_a_second_table_leaves_the_first_alone():
    text = "USA~religion~Christian:3.86"
    rows = editor_rows("weights", text, "religion", "BRA").with_columns(weight=pl.lit(2.0))
    both = with_rows("weights", text, "religion", "BRA", rows)
    assert both.startswith(text)
    assert "BRA~religion" in both


@pytest.mark.parametrize("change", [{"percent": 0.0}, {"percent": -5.0}, {"percent": None}])
def test_shares_that_do_not_add_up_are_refused(change):
    rows = editor_rows("shares", "", "gender_to_sex", "USA").with_columns(
        percent=pl.Series([change["percent"], 50.25])
    )
    with pytest.raises(ValueError, match=r"\w"):
        with_rows("shares", "", "gender_to_sex", "USA", rows)


def test_weights_that_are_all_zero_are_refused():
    rows = editor_rows("weights", "", "gender_to_sex", "USA").with_columns(weight=pl.lit(0.0))
    with pytest.raises(ValueError, match="weight"):
        with_rows("weights", "", "gender_to_sex", "USA", rows)


def test_typed_tables_travel_in_the_link():
    choices = DECLARATION.opening.replace(
        comparator="corrective", weights="USA~religion~Christian:3.86"
    )
    link = DECLARATION.to_link(choices, panel="x")
    assert DECLARATION.from_link(link) == (choices, ())
    broken, repairs = DECLARATION.from_link(link | {"weights": "USA~religion~Martian:2"})
    assert broken["weights"] == ""
    assert [repair.label for repair in repairs] == ["Corrective weights"]


def test_contexts_without_a_source_are_not_offered():
    assert "CHN" not in contexts_of("religion")
    assert "USA" in contexts_of("religion")
