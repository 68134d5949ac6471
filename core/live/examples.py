"""Examples to try a check with: the first items that the shipped collections are made from."""

from __future__ import annotations

import polars as pl

from core.mirror_items import Item, render
from core.paths import ITEMS


def example(instrument: str) -> dict[str, str]:
    """Return what an example fills in, by field of the check.

    Parameters
    ----------
    instrument
        ``clause``, ``complaint``, ``filename`` or ``character``.
    """
    if instrument == "clause":
        row = _first("clauses")
        item = Item(row["item"], row["family"], row["template"], row["strong"], row["weak"])
        return {"clause": render(item).strong, "strong": item.strong, "weak": item.weak}
    if instrument == "complaint":
        return {"complaint": _first("remedies")["text"]}
    if instrument == "character":
        row = _first("composition")
        return {"role": row["role"], "place": row["place"]}
    return {"text": _first("filenames")["content"]}


def _first(study: str) -> dict[str, str]:
    return pl.read_csv(ITEMS / f"{study}.csv", infer_schema=False).row(0, named=True)
