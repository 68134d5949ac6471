"""Columns of words: the function's own words, in order, under the column's name."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from core.columns import row_texts, texts

NUMBERS = st.lists(st.none() | st.floats())


@given(NUMBERS)
def test_each_value_is_what_the_function_makes_of_it(values: list[float | None]) -> None:
    said = texts(pl.Series("x", values, dtype=pl.Float64), repr, missing="–")
    assert said.to_list() == ["–" if value is None else repr(value) for value in values]
    assert (said.name, said.dtype) == ("x", pl.String)


def test_values_that_are_missing_stay_missing() -> None:
    assert texts(pl.Series([1, None]), str).to_list() == ["1", None]


def test_lists_are_given_as_lists() -> None:
    lists = pl.Series([["a", "b"], [], None], dtype=pl.List(pl.String))
    assert texts(lists, ", ".join, missing="none").to_list() == ["a, b", "", "none"]


def test_a_row_is_given_with_the_names_of_its_columns() -> None:
    rows = pl.DataFrame({"a": [1, 2], "b": ["x", None]})
    assert row_texts(rows, lambda row: f"{row['a']}{row['b']}").to_list() == ["1x", "2None"]
    assert row_texts(rows.clear(), str).to_list() == []
