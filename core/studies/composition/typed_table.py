"""Weights and shares that a reader types, as rows of an editor and as text in a link."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, cast

import polars as pl

from core.studies.composition.corrective import Table, read_shares, read_weights, write_table
from core.studies.composition.sources import (
    ATTRIBUTE_NAMES,
    declared_categories,
    resident_shares,
)
from core.studies.composition.tables import context_name
from core.words import listed, number

Numbers = Literal["weights", "shares"]

_READERS: Mapping[str, Callable[[str], Table]] = MappingProxyType(
    {"weights": read_weights, "shares": read_shares}
)

COLUMN = MappingProxyType({"weights": "weight", "shares": "percent"})
"""Name of the typed column."""


def contexts_of(attribute: str) -> list[str]:
    """Contexts that have a source for an attribute."""
    return [context for name, context in declared_categories() if name == attribute]


def editor_rows(numbers: str, text: str, attribute: str, context: str) -> pl.DataFrame:
    """Rows to edit: category, resident percent, and the number in use.

    Untyped shares start from the resident percentages, rounded so that they sum to 100.
    """
    typed = _READERS[numbers](text).get((attribute, context), {})
    names = declared_categories()[attribute, context]
    resident = [100 * float(share) for share in resident_shares()[attribute, context]]
    if numbers == "weights":
        start = [typed.get(name, 1.0) for name in names]
    elif typed:
        start = [typed.get(name, 0.0) for name in names]
    else:
        start = rounded_to_hundred(resident)
    return pl.DataFrame(
        {
            "category": names,
            "resident percent": [round(value, 2) for value in resident],
            COLUMN[cast(Numbers, numbers)]: start,
        }
    )


def rounded_to_hundred(percents: list[float]) -> list[float]:
    """Round percentages to two digits so that they sum to 100, by largest remainders."""
    hundredths = [value * 100 for value in percents]
    floors = [int(value) for value in hundredths]
    left = 10_000 - sum(floors)
    by_remainder = sorted(range(len(floors)), key=lambda i: floors[i] - hundredths[i])
    for position in by_remainder[:left]:
        floors[position] += 1
    return [value / 100 for value in floors]


def with_rows(numbers: str, text: str, attribute: str, context: str, rows: pl.DataFrame) -> str:
    """Put edited rows into the text.

    Raises
    ------
    ValueError
        If a number is missing, negative or too large, or shares do not sum to 100; names it.
    """
    column = COLUMN[cast(Numbers, numbers)]
    empty = rows.filter(pl.col(column).is_null())["category"].to_list()
    if empty:
        raise ValueError(f"{column} of {listed(empty)} is empty; type a number, 0 for none")
    table = {pair: dict(values) for pair, values in _READERS[numbers](text).items()}
    table[attribute, context] = dict(rows.select("category", column).iter_rows())
    new = write_table(table)
    return write_table(_READERS[numbers](new))


def summary(numbers: str, text: str) -> str:
    """Say in one line what is typed."""
    table = _READERS[numbers](text)
    unit = "%" if numbers == "shares" else ""
    parts = [
        f"{ATTRIBUTE_NAMES[attribute]}, {context_name(context)}: "
        + ", ".join(f"{name} {number(value, 2)}{unit}" for name, value in values.items())
        for (attribute, context), values in table.items()
    ]
    return "; ".join(parts)
