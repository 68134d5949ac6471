"""Check the values of a panel against its row contract."""

from __future__ import annotations

import polars as pl

from core.panels.contract import MAX_TEXT, Column, TableContract
from core.panels.problems import Problem

SHOWN_ROWS = 3
"""How many offending rows a problem names; the count says how many there are."""

UNSHOWABLE = r"[\p{Cc}\u{2028}\u{2029}\u{202A}-\u{202E}\u{2066}-\u{2069}]"
"""Control characters, line separators, and marks that turn the direction of the text around."""


def value_problems(frame: pl.DataFrame, contract: TableContract) -> list[Problem]:
    """Return every breach of the contract.

    Parameters
    ----------
    frame
        Rows with the contract's types, and those of its columns that could be read.
    contract
        What the rows should be.

    Returns
    -------
    list of Problem
        Empty when all rows fit. Rules that need several rows are looked at only when every single
        value fits, since they would only repeat those problems, and when the columns are there.
    """
    present = [column for column in contract.columns if column.name in frame.columns]
    problems = [p for column in present for p in _column_problems(frame, column)]
    if problems or not set(contract.key) <= set(frame.columns):
        return problems
    repeated = frame.select(contract.key).is_duplicated()
    if repeated.any():
        problems.append(
            Problem(
                " + ".join(contract.key),
                *_where(repeated),
                "each combination once",
                "Add up or remove the repeated rows.",
            )
        )
        return problems
    return contract.check(frame) if len(present) == len(contract.columns) else []


def rows_problem(
    values: pl.Series, mask: pl.Series, column: str, expected: str, todo: str
) -> Problem:
    """Name the rows that a mask picks, of which there is at least one, and the first's value."""
    mask = mask.fill_null(value=False)
    row, found = _where(mask)
    example = str(values.filter(mask)[0])[:60]
    return Problem(column, row, f"{found}, first {example!r}", expected, todo)


def _column_problems(frame: pl.DataFrame, column: Column) -> list[Problem]:
    values = frame[column.name]
    problems = []

    def report(mask: pl.Series, expected: str, todo: str) -> None:
        if mask.any():
            problems.append(rows_problem(values, mask, column.name, expected, todo))

    if not column.nullable:
        report(values.is_null(), column.domain(), "Fill it in or remove the row.")
    if column.holds == "number":
        finite = values.is_finite()
        report(~finite, "a finite number", "Use an empty value where there is none.")
        # What is no number lies above every limit to polars; it is told once.
        values = values.set(~finite, None)
    if column.minimum is not None:
        expected = f"at least {column.minimum:,.10g}"
        report(values < column.minimum, expected, "Correct the value.")
    if column.maximum is not None:
        expected = f"at most {column.maximum:,.10g}"
        report(values > column.maximum, expected, "Correct the value.")
    if column.allowed:
        report(~values.is_in(list(column.allowed)), column.domain(), "Correct or map the value.")
    elif column.holds == "text":
        report(
            (values.str.len_chars() > MAX_TEXT) | values.str.contains(UNSHOWABLE),
            f"at most {MAX_TEXT} characters, none of them control characters",
            "Shorten the name.",
        )
        report(values.str.strip_chars() == "", "a name", "Fill it in or remove the row.")
    return problems


def _where(mask: pl.Series) -> tuple[str, str]:
    rows = mask.arg_true()
    shown = ", ".join(f"{int(i) + 1:,}" for i in rows[:SHOWN_ROWS])
    more = " and others" if len(rows) > SHOWN_ROWS else ""
    return shown + more, f"{len(rows):,} row{'s' if len(rows) > 1 else ''}"
