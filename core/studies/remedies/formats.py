"""Numbers and names of the remedies tables in words, and rows of charts of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from core.columns import texts
from core.studies.remedies import design
from core.studies.remedies.design import CONTRASTS, FACTOR_NAMES
from core.words import number, p_value, percent, signed, span

SHORT = {contrast.name: FACTOR_NAMES[contrast.factor] for contrast in CONTRASTS}
"""One word for each contrast; the axis says which style is compared with which."""

OUTCOMES = {
    "tier": "tier",
    "e_tier": "expected tier",
    "argmax": "most probable tier",
    "p2": "probability of tier 2",
    "monetary": "monetary decision",
    "graded": "graded outcome",
}


def fixed(table: pl.DataFrame, name: str, decimals: int) -> pl.Expr:
    """Write a column of numbers; a dash where there is none."""
    return _written(table, name, lambda v: number(v, decimals))


def plus(table: pl.DataFrame, name: str, decimals: int) -> pl.Expr:
    """Write a column of changes with their signs."""
    return _written(table, name, lambda v: signed(v, decimals))


def share(table: pl.DataFrame, name: str, decimals: int = 1) -> pl.Expr:
    """Write a column of shares as percentages."""
    return _written(table, name, lambda v: percent(v, decimals))


def points(table: pl.DataFrame, name: str, decimals: int = 2) -> pl.Expr:
    """Write a column of differences of shares in percentage points."""
    return _written(table, name, lambda v: number(100 * v, decimals))


def p_text(table: pl.DataFrame, name: str) -> pl.Expr:
    """Write a column of p-values."""
    return _written(table, name, p_value)


def _written(table: pl.DataFrame, name: str, write: Callable[[float], str]) -> pl.Expr:
    return pl.lit(texts(table[name], write, missing="–"))


def with_ends(
    write: Callable[[pl.DataFrame, str, int], pl.Expr],
    table: pl.DataFrame,
    names: tuple[str, str, str],
    decimals: int = 1,
) -> pl.Expr:
    """Write a number and the ends of its interval, each as `write` does."""
    return pl.format("{} [{}, {}]", *(write(table, name, decimals) for name in names))


NOTHING = "– [–, –]"
"""How a number with an interval reads where there is neither."""


SILENT = {None, "", "–"}


def tidy(table: pl.DataFrame) -> pl.DataFrame:
    """Leave out columns without a word, such as reasons that nobody needs."""
    columns = [c if c.dtype != pl.String else _dashes(c) for c in table]
    silent = {c.name for c in columns if c.dtype == pl.String and set(c) <= SILENT}
    return pl.DataFrame([c for c in columns if table.is_empty() or c.name not in silent])


def _dashes(column: pl.Series) -> pl.Series:
    return texts(column, lambda text: text.replace(NOTHING, "–", 1))


def with_range(
    table: pl.DataFrame,
    each: Sequence[pl.DataFrame],
    column: str,
    decimals: int,
    scale: float = 1.0,
) -> pl.DataFrame:
    """Say how far a number is the same in every reconstruction.

    Parameters
    ----------
    table
        A table as it is shown.
    each
        The tables behind it, one a reconstruction, with the same rows in the same order.
    column
        The number that is compared.
    decimals
        Digits that are shown after the point.
    scale
        What numbers are multiplied by, such as 100 for percent.
    """
    if len(each) < 2 or any(own.height != table.height for own in each):
        return table
    name = f"over {len(each)} reconstructions"
    rows = zip(*(own[column].to_list() for own in each), strict=True)
    said = [_range(row, decimals, scale) for row in rows]
    return table.hstack([pl.Series(name, said, dtype=pl.String)])


def _range(values: Sequence[float | None], decimals: int, scale: float) -> str:
    there = [scale * v for v in values if v is not None]
    if len(there) < len(values):
        return "–" if not there else "a number in some only"
    text = span(there, decimals)
    return text if " to " in text else "the same"


DOTS = {
    **dict.fromkeys(("row", "series"), pl.String),
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
}
"""Columns of a chart of numbers with intervals; model may come beside them."""


def dots_of(
    table: pl.DataFrame,
    row: pl.Expr | str,
    series: pl.Expr | str,
    numbers: Sequence[str] = ("value", "low", "high"),
    scale: float = 1.0,
    model: str = "",
) -> pl.DataFrame:
    """Rows of a chart of numbers with intervals.

    Parameters
    ----------
    row, series
        Columns, or expressions, that name rows and series.
    numbers
        Columns with the value and the ends of its interval; an end that is not there is null.
    scale
        What numbers are multiplied by, such as 100 for percent.
    model
        Column with the system whose colour a mark has; that in focus where there is none.
    """
    own = [pl.col(n) * scale if n in table.columns else pl.lit(None, dtype=pl.Float64)
           for n in numbers]  # fmt: skip
    # One query: each wakes Polars' threads.
    return (
        table.lazy()
        .select(
            row=pl.col(row) if isinstance(row, str) else row,
            series=pl.col(series) if isinstance(series, str) else series,
            value=own[0].cast(pl.Float64).fill_nan(None),
            low=own[1].cast(pl.Float64).fill_nan(None),
            high=own[2].cast(pl.Float64).fill_nan(None),
            **({"model": pl.col(model)} if model else {}),
        )
        .drop_nulls("value")
        .collect()
    )


def bank(name: str = "bank") -> pl.Expr:
    """Name the texts of a bank."""
    known = {b: design.bank_name(b) for b in design.banks()}
    return pl.col(name).replace_strict(known, default=pl.format("texts of {}", name))


def dots_alt(title: str, rows: pl.DataFrame) -> str:
    """Alternative text of a chart of numbers: every number with its interval."""
    told = [
        f"{r['row']}, {r['series']}: {number(r['value'])}"
        + ("" if r["low"] is None else f" [{number(r['low'])}, {number(r['high'])}]")
        for r in rows.iter_rows(named=True)
    ]
    return f"{title}. {'; '.join(told)}."
