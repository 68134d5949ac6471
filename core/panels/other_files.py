"""Files of another kind than parquet: told by their name, never read, with the way to convert."""

from __future__ import annotations

from pathlib import PurePath

from core.panels.problems import Problem

MAX_NAME = 60
"""Characters of a file's name that are shown."""

READERS = {
    ".csv": "pl.read_csv({name})",
    ".tsv": 'pl.read_csv({name}, separator="\\t")',
    ".json": "pl.read_json({name})",
    ".jsonl": "pl.read_ndjson({name})",
    ".ndjson": "pl.read_ndjson({name})",
    ".arrow": "pl.read_ipc({name})",
    ".feather": "pl.read_ipc({name})",
    ".avro": "pl.read_avro({name})",
    ".xlsx": "pl.read_excel({name})",
    ".xls": "pl.read_excel({name})",
    ".ods": "pl.read_ods({name})",
}
"""How polars reads a kind of file, by the end of its name."""

PARQUET = (".parquet", ".pq")


def another_kind(name: str) -> Problem | None:
    """Say what is to be done with a file that is no parquet file by its name, else None."""
    path = PurePath(name)
    kind = path.suffix.lower()
    if kind in PARQUET:
        return None
    shown = repr(name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…")
    todo = "Write the table as parquet: with polars, frame.write_parquet('results.parquet')."
    if kind in READERS:
        reads = READERS[kind].format(name=shown)
        todo = f"Convert it with polars: {reads}.write_parquet('results.parquet')."
    return Problem(
        "",
        "",
        f"{shown}, by its name no parquet file",
        "a parquet file with the columns of one of the row shapes (tab “Row shapes”)",
        todo,
    )
