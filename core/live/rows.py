"""From answers to rows of the studies' tables, and to files that say where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from core.live.run import Outcome
from core.panels.contract import TableContract
from core.panels.provenance import Provenance
from core.panels.read import write_panel


def frame_of(contract: TableContract, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Put rows into the shape of a table; columns that a row does not name are empty."""
    schema = {column.name: column.polars_type for column in contract.columns}
    values = [{name: row.get(name) for name in contract.names} for row in rows]
    return pl.DataFrame(values, schema=schema)


def collected(study: str, table: str, *, model: str, generator: str, title: str) -> Provenance:
    """Describe rows that were got from a model."""
    return Provenance(
        study=study,
        table=table,
        kind="collected",
        title=title[:200],
        source=f"answers of {model[:200]}",
        licence="CC0-1.0",
        generator=generator,
    )


def panel_bytes(frame: pl.DataFrame, provenance: Provenance) -> bytes:
    """Return the bytes of a panel file; raises `PanelError` where rows break their contract."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "panel.parquet"
        write_panel(frame, path, provenance)
        return path.read_bytes()


def short_id(text: str) -> str:
    """Make a text fit for a key column: one line, not too long."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line[:120] or "unnamed"


def models_of(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """List the models' names as the server gave them; more than one means that it changed."""
    names = (outcome.reply.model for outcome in outcomes if outcome.reply)
    return tuple(dict.fromkeys(name for name in names if name))


def usage_of(outcomes: Sequence[Outcome]) -> tuple[int, int] | None:
    """Add up tokens in and out; None where any reply does not report them."""
    replies = [outcome.reply for outcome in outcomes if outcome.reply]
    pairs = [(reply.tokens_in, reply.tokens_out) for reply in replies]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    if not pairs or len(known) != len(pairs):
        return None
    return sum(a for a, _ in known), sum(b for _, b in known)
