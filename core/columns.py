"""Columns of words, written by Python functions value by value.

A Python function inside a Polars expression runs on threads of Polars, which wait for the
interpreter; another run may hold it and wait for one of those threads, and then both stand still
for ever. A loop outside of expressions cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl


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
