"""Tables that a reader types: corrective weights and custom shares, and their text in a link.

A table gives numbers to categories of some attributes in some contexts. As text it reads
``USA~religion~Christian:3.86,Muslim:1;BRA~religion~Unaffiliated:2``: entries are separated by
``;``, their parts by ``~``, categories by ``,`` and a category from its number by ``:``. Where a
name holds one of these signs, or ``%``, the sign is written as in a web address (``%2C``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from core.studies.composition.reduce import CellStatistics
from core.studies.composition.sources import declared_categories

Array = NDArray[np.float64]
Pair = tuple[str, str]
"""Attribute and context."""
Table = Mapping[Pair, Mapping[str, float]]
"""Numbers of categories."""

SHARES_TOLERANCE = 1e-6
"""How far custom shares may sum from one."""

LARGEST_NUMBER = 1_000_000

LONGEST_TEXT = 20_000
"""Characters of a text; a table that names every category of every source is about 7,000 long."""

_ESCAPES = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "%~;,:"})


def read_weights(text: str) -> Table:
    """Read corrective weights: not negative, 1 where a category is not named.

    Parameters
    ----------
    text
        As described above; empty for no weights.

    Returns
    -------
    table
        Without weights of 1, which change nothing.

    Raises
    ------
    ValueError
        If the text is no table; says what was found and what is allowed.
    """
    return _without(_read(text, "weight", _check_weights), 1.0)


def read_shares(text: str) -> Table:
    """Read custom shares in percent: not negative, 100 together, 0 where a category is not named.

    Parameters
    ----------
    text
        As described above; empty for no shares.

    Returns
    -------
    table
        In percent, without zeros.

    Raises
    ------
    ValueError
        If the text is no table; says what was found and what is allowed.
    """
    return _without(_read(text, "share", _check_shares), 0.0)


def write_table(table: Table) -> str:
    """Write a table as text, in the sources' order, so that equal tables have equal texts.

    Numbers keep every digit: reading the text gives the same table again.
    """
    entries = []
    for (attribute, context), categories in declared_categories().items():
        numbers = table.get((attribute, context), {})
        named = [f"{_escape(c)}:{_digits(numbers[c])}" for c in categories if c in numbers]
        if named:
            entries.append(f"{_escape(context)}~{_escape(attribute)}~{','.join(named)}")
    return ";".join(entries)


def weight_rows(statistics: CellStatistics, table: Table) -> Array:
    """Spread weights over cells, (G, K), for `comparators.corrective`; 1 where none is given."""
    return _spread(statistics, table, np.ones(statistics.counts.shape[1:]), unnamed=1.0, unit=1.0)


def share_rows(statistics: CellStatistics, table: Table) -> Array:
    """Spread shares over cells, (G, K), for `comparators.custom`; NaN where none is given.

    The shares of a cell are rescaled to sum to one exactly.
    """
    left_alone = np.full(statistics.counts.shape[1:], np.nan)
    rows = _spread(statistics, table, left_alone, unnamed=0.0, unit=100.0)
    return rows / rows.sum(-1, keepdims=True)


def _spread(
    statistics: CellStatistics, table: Table, rows: Array, *, unnamed: float, unit: float
) -> Array:
    """Put the numbers of a table into the rows of its cells, in the order of the categories."""
    pairs = statistics.cells.select("attribute", "context").iter_rows()
    for row, support, pair in zip(rows, statistics.supports, pairs, strict=True):
        if pair in table:
            row[:] = unnamed
            row[: len(support)] = [table[pair].get(c, unnamed) / unit for c in support]
    return rows


def _read(text: str, what: str, check: Callable[[Pair, Mapping[str, float]], None]) -> Table:
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"a table may be {LONGEST_TEXT:,} characters long, not {len(text):,}")
    table: dict[Pair, dict[str, float]] = {}
    for entry in filter(None, text.split(";")):
        parts = entry.split("~")
        if len(parts) != 3:
            raise ValueError(
                f"an entry must read context~attribute~category:number, not {entry[:60]!r}"
            )
        pair = unquote(parts[1]), unquote(parts[0])
        if pair not in declared_categories():
            raise ValueError(f"no source is declared for {_say(pair)}, so it can have no {what}")
        if pair in table:
            raise ValueError(f"{_say(pair)} must be there once, not twice")
        table[pair] = _numbers(parts[2], what, pair)
        check(pair, table[pair])
    return table


def _numbers(text: str, what: str, pair: Pair) -> dict[str, float]:
    known = declared_categories()[pair]
    numbers: dict[str, float] = {}
    for entry in text.split(","):
        name, _, typed = entry.partition(":")
        category = unquote(name)
        if category not in known:
            raise ValueError(
                f"{category[:60]!r} is no category of {_say(pair)}; "
                f"it must be one of {', '.join(known)}"
            )
        if category in numbers:
            raise ValueError(f"{category!r} of {_say(pair)} must be there once, not twice")
        numbers[category] = _number(typed, f"the {what} of {category!r}, {_say(pair)},")
    return numbers


def _number(typed: str, what: str) -> float:
    try:
        number = float(typed)
    except ValueError:
        number = math.nan
    if not 0 <= number <= LARGEST_NUMBER:
        raise ValueError(
            f"{what} must be a number from 0 to {LARGEST_NUMBER:,}, not {typed[:60]!r}"
        )
    return number


def _check_weights(pair: Pair, weights: Mapping[str, float]) -> None:
    if len(weights) == len(declared_categories()[pair]) and not any(weights.values()):
        raise ValueError(f"the weights of {_say(pair)} must not all be 0")


def _check_shares(pair: Pair, shares: Mapping[str, float]) -> None:
    total = math.fsum(shares.values())
    if abs(total / 100 - 1) > SHARES_TOLERANCE:
        raise ValueError(f"the shares of {_say(pair)} must sum to 100 percent, not {total:.10g}")


def _say(pair: Pair) -> str:
    attribute, context = pair
    return f"{attribute[:60]} in {context[:60]}"


def _without(table: Table, value: float) -> Table:
    """Leave out numbers that say the same as not being named, and entries left empty by that."""
    kept = {
        pair: {name: number for name, number in numbers.items() if number != value}
        for pair, numbers in table.items()
    }
    return {pair: numbers for pair, numbers in kept.items() if numbers}


def _escape(name: str) -> str:
    return name.translate(_ESCAPES)


def _digits(number: float) -> str:
    """Write a number in the fewest digits that read back as the same number."""
    return repr(float(number)).removesuffix(".0")
