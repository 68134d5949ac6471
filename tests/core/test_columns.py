"""Columns of words and small tables made of rows: as a query would make them."""

from __future__ import annotations

import math
from datetime import date

import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from core.columns import (
    SMALL,
    arrow,
    distinct,
    known,
    or_nan,
    row_texts,
    rows_with,
    table_of,
    texts,
)

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


SCHEMA = {"name": pl.String, "share": pl.Float64, "count": pl.Int64, "flip": pl.Boolean}
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.none() | st.text(),
            "share": st.none() | st.floats(),
            "count": st.none() | st.integers(-(2**63), 2**63 - 1),
            "flip": st.none() | st.booleans(),
        }
    ),
    max_size=8,
)


@given(ROWS)
def test_a_table_of_rows_is_what_a_query_makes_of_them(rows: list[dict[str, object]]) -> None:
    queried = pl.DataFrame(rows, schema=SCHEMA).with_columns(pl.col("share").fill_nan(None))
    assert_frame_equal(table_of([row | {"more": 1} for row in rows], SCHEMA), queried)


@given(ROWS)
def test_a_browser_gets_what_polars_would_send(rows: list[dict[str, object]]) -> None:
    frame = pl.DataFrame(rows, schema=SCHEMA)
    sent = arrow(frame)
    assert sent.schema == frame.to_arrow().schema
    assert_frame_equal(pl.DataFrame(sent), frame)


def test_tables_that_are_long_or_of_other_types_are_sent_all_the_same() -> None:
    for frame in (
        pl.DataFrame({"n": range(SMALL + 1)}),
        pl.DataFrame({"day": [date(2026, 1, 2)]}),
        pl.DataFrame({"list": [["a"], None]}),
    ):
        assert arrow(frame).equals(frame.to_arrow())


@given(ROWS, st.none() | st.text(), st.none() | st.booleans())
def test_rows_are_found_as_a_query_finds_them(
    rows: list[dict[str, object]], name: str | None, flip: bool | None
) -> None:
    frame = pl.DataFrame(rows, schema=SCHEMA)
    queried = frame.filter(pl.col("name").eq_missing(name), pl.col("flip").eq_missing(flip))
    assert_frame_equal(pl.DataFrame(rows_with(frame, name=name, flip=flip), SCHEMA), queried)


def test_what_is_no_number_is_none_and_back() -> None:
    assert [known(v) for v in (math.nan, 1.5, "nan", None)] == [None, 1.5, "nan", None]
    assert math.isnan(or_nan(None))
    assert or_nan(1.5) == 1.5


def test_values_are_told_once_in_their_order() -> None:
    assert distinct(["b", "a", "b", "c", "a"]) == ["b", "a", "c"]
