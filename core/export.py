"""Tables as files that say what they are: study, panel, kind, choices, then the rows."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Literal

import polars as pl
import pyarrow.parquet as pq

from core.choices import Choices, Declaration
from core.panels.provenance import KIND_MEANINGS
from core.panels.read import Panel


def about(panel: Panel, declaration: Declaration, choices: Choices) -> list[str]:
    """Write the lines that every export of a view carries.

    Returns
    -------
    list of str
        Study and panel with its hash, what its kind means, departures, then every choice.
    """
    kind = panel.provenance.kind
    departures = [choice.label for choice, _ in declaration.departures(choices)]
    return [
        f"Hinge, study {declaration.study}",
        f"Panel {panel.name} (sha256 {panel.sha256})",
        f"Kind: {kind}: {KIND_MEANINGS[kind]}",
        f"Source: {panel.provenance.source or 'not stated'}",
        "Departs from the planned setting in: " + (", ".join(departures) or "nothing"),
        *declaration.export_lines(choices),
    ]


ARMED = r"^[\s\p{Cc}\u{FEFF}]*[=+\-@#\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]|^[\t\r\n]"
"""How a text starts that a spreadsheet may run (the wide forms of the signs too), or that a reader
of the file takes for a comment."""


def table_file(
    frame: pl.DataFrame, lines: Sequence[str], *, form: Literal["csv", "parquet"]
) -> bytes:
    """Write a table as a file.

    Parameters
    ----------
    frame
        The rows as shown.
    lines
        What `about` returns.
    form
        ``csv``: the lines come first, each after ``# ``; values that a spreadsheet could take for
        a formula, or a reader of the file for such a line, are prefixed by an apostrophe.
        ``parquet``: the lines are in the metadata under ``hinge.about``.
    """
    if form == "parquet":
        table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
        table = table.replace_schema_metadata({"hinge.about": json.dumps(list(lines))})
        buffer = io.BytesIO()
        pq.write_table(table, buffer, compression="zstd")
        return buffer.getvalue()
    head = "".join(f"# {' '.join(line.split())}\n" for line in lines)
    return (head + _without_formulas(frame).write_csv()).encode("utf-8")


def _without_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """Disarm text that a spreadsheet would run: names in a panel may come from anyone."""
    text = [name for name, kind in frame.schema.items() if kind == pl.String]
    return frame.with_columns(
        pl.when(pl.col(name).str.contains(ARMED))
        .then("'" + pl.col(name))
        .otherwise(pl.col(name))
        .alias(name)
        for name in text
    )
