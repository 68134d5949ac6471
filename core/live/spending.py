"""What calls cost, from a table that the reader keeps, and a limit that stops a run.

The shipped table is empty: prices change, and a wrong one is worse than none. A reader enters what
the provider states; without an entry the price is unknown, and is called so.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from core.live.address import Address
from core.live.faults import not_possible

SHIPPED = Path(__file__).with_name("prices.csv")
COLUMNS = ("host", "model", "per_million_in", "per_million_out", "currency", "as_of", "note")

CHARACTERS_A_TOKEN = 3.0
"""A low count for English, so that estimates are rather too high."""

FRAME_TOKENS = 30
"""Tokens of a request around its texts."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, per million tokens."""

    per_million_in: float
    per_million_out: float
    currency: str = "USD"
    as_of: str = ""

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """Return the price of a number of tokens."""
        return (tokens_in * self.per_million_in + tokens_out * self.per_million_out) / 1e6


FREE = Price(0.0, 0.0)


def read_prices(text: str) -> dict[tuple[str, str], Price]:
    """Read a price table.

    Parameters
    ----------
    text
        CSV with the columns of `COLUMNS`.

    Returns
    -------
    dict
        Prices by host and model.

    Raises
    ------
    ValueError
        If a column is missing or a price is no number of at least 0.
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    missing = [name for name in COLUMNS[:4] if name not in (reader.fieldnames or ())]
    if missing:
        raise ValueError(f"the price table has no column {', '.join(missing)}")
    return {(row["host"], row["model"]): _price(row) for row in reader}


def _price(row: dict[str, str]) -> Price:
    try:
        numbers = float(row["per_million_in"]), float(row["per_million_out"])
    except (TypeError, ValueError):
        numbers = (math.nan, math.nan)
    if not all(0 <= number < math.inf for number in numbers):
        raise ValueError(f"the price of {row['model']!r} is no number of at least 0")
    return Price(*numbers, row.get("currency") or "USD", row.get("as_of") or "")


def price_of(
    address: Address | None, model: str, prices: Mapping[tuple[str, str], Price]
) -> Price | None:
    """Return what a model costs; None where it is unknown.

    Nothing by hand, and nothing on this machine unless the table says so: a server here may pass
    the text on to one that charges.
    """
    if address is None:
        return FREE
    return prices.get((address.name, model), FREE if address.here else None)


def tokens_of(texts: Iterable[str]) -> int:
    """Estimate the tokens of a request from its texts, rather too many than too few."""
    return FRAME_TOKENS + math.ceil(sum(map(len, texts)) / CHARACTERS_A_TOKEN)


class Purse:
    """Money spent in a run, and what is set aside for calls on their way."""

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit
        self.spent = 0.0
        self._set_aside = 0.0
        self._lock = Lock()

    def set_aside(self, most: float) -> None:
        """Set the most that a call can cost aside.

        Raises
        ------
        LiveError
            If the limit could be passed.
        """
        with self._lock:
            if self.limit is not None and self.spent + self._set_aside + most > self.limit:
                raise not_possible(
                    "spending limit",
                    f"The next call could pass the spending limit of {self.limit:g}.",
                    "What arrived is kept. Raise the limit to go on.",
                )
            self._set_aside += most

    def settle(self, aside: float, cost: float) -> None:
        """Replace what was set aside by what the call did cost."""
        with self._lock:
            self._set_aside -= aside
            self.spent += cost


def refuse_blind_limit(limit: float | None, price: Price | None) -> None:
    """Refuse a limit that nothing could keep.

    Raises
    ------
    LiveError
        If a limit is set while the price is unknown.
    """
    if limit is not None and price is None:
        raise not_possible(
            "price unknown",
            "A spending limit was set, but the price of this model is unknown.",
            "Enter its price per million tokens, or remove the limit.",
        )
