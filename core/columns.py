"""Small tables and columns of words, made value by value in Python.

A Python function inside a Polars expression runs on threads of Polars, which wait for the
interpreter; another run may hold it and wait for one of those threads, and then both stand still
for ever. A loop outside of expressions cannot.

A query wakes those threads too, which takes half a millisecond beside a server at work, however few
the rows are. What every move of a slider makes anew and what has a few dozen rows is made of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl
import pyarrow as pa


def texts(
    values: pl.Series, write: Callable[[Any], str], *, missing: str | None = None
) -> pl.Series:
    """Write every value of a column in words.

    Parameters
    ----------
    values
        The column; a value that is a list of values stays one.
    write
        Takes a value that is there.
    missing
        What stands for a value that is null.

    Returns
    -------
    polars.Series
        Of the same name and length.
    """
    said = [missing if value is None else write(value) for value in values.to_list()]
    return pl.Series(values.name, said, dtype=pl.String)


def row_texts(rows: pl.DataFrame, write: Callable[[dict[str, Any]], str]) -> pl.Series:
    """Write every row of a few columns in words; the function takes a row as column: value."""
    return pl.Series([write(row) for row in rows.iter_rows(named=True)], dtype=pl.String)


def table_of(rows: Sequence[Mapping[str, Any]], schema: Mapping[str, Any]) -> pl.DataFrame:
    """Make a small table of rows, each column: value; what is not a number becomes null.

    Parameters
    ----------
    schema
        Columns and their types, in order; what else a row has is left out.
    """
    columns = {name: [known(row[name]) for row in rows] for name in schema}
    return pl.DataFrame(columns, schema=schema)


def known(value: Any) -> Any:
    """Return a value, or None for a float that is not a number."""
    return None if isinstance(value, float) and math.isnan(value) else value


def or_nan(value: float | None) -> float:
    """Return a number, or not-a-number where there is none: the other way round than `known`."""
    return math.nan if value is None else value


def rows_with(frame: pl.DataFrame, **values: Any) -> list[dict[str, Any]]:
    """List the rows of a small table that have some values, each as column: value."""
    wanted = values.items()
    return [row for row in frame.iter_rows(named=True) if all(row[name] == v for name, v in wanted)]


def distinct(values: Iterable[Any]) -> list[Any]:
    """List values once each, in the order in which they first come."""
    return list(dict.fromkeys(values))


_ARROW = {
    pl.String: pa.large_string(),
    pl.Float64: pa.float64(),
    pl.Int64: pa.int64(),
    pl.Boolean: pa.bool_(),
}
SMALL = 4_000
"""Values up to which a loop is faster than a query."""


def arrow(frame: pl.DataFrame) -> pa.Table:
    """Return a table as `polars.DataFrame.to_arrow` does, a small one without a query."""
    types = [_ARROW.get(type(dtype)) for dtype in frame.dtypes]
    if frame.width * frame.height > SMALL or None in types:
        return frame.to_arrow()
    columns = [pa.array(c.to_list(), type=own) for c, own in zip(frame, types, strict=True)]
    return pa.table(columns, names=frame.columns)
