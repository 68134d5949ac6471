"""Rows of a panel and the parquet files that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

from core.panels.contract import TableContract
from core.panels.provenance import Pin, Provenance
from core.panels.read import write_panel
from core.studies.remedies.contract import (
    ATTRIBUTES,
    ATTRIBUTES_TABLE,
    AUDIT,
    DECISIONS,
    PERSONA,
    STUDY,
)
from data.build.remedies.reference import PERSONAS

SOURCE = '"Same Facts, Different Remedy: Linguistic Profiling and Arbitrariness"'
LICENCE = "CC0-1.0 for the reconstructed rows; figures are the study's"
TITLES = {
    "decisions": "Remedies by complaint, guise, bank and system, reconstructed from printed "
    "summaries",
    "attributes": "Attributes of texts and inferred personas, reconstructed from printed summaries",
    "audit": "Verdicts of two fact auditors, reconstructed from printed summaries",
}


def keys(
    complaints: list[str],
    *,
    panel: str = "holdout",
    bank: str,
    edit: str = "guise",
    style: str = "none",
    repeat: int = 0,
) -> pl.DataFrame:
    """Keys of a set of texts: 36 guises of each complaint, or one text for other edits."""
    personas = PERSONAS if edit == "guise" else ((None,) * len(PERSONA),)
    rows = [(name, *persona) for name, persona in product(complaints, personas)]
    schema = dict.fromkeys(("complaint", *PERSONA), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.lit(panel).alias("panel"),
        pl.lit(bank).alias("bank"),
        pl.lit(edit).alias("edit"),
        pl.lit(style).alias("style"),
        pl.lit(repeat, dtype=pl.Int64).alias("repeat"),
    )


def labels(texts: pl.DataFrame, system: str, tiers: np.ndarray) -> pl.DataFrame:
    """Decisions by label, one for each text."""
    return _filled(
        texts.with_columns(
            pl.lit(system).alias("system"), pl.Series("tier", tiers.ravel().astype(np.int64))
        ),
        DECISIONS,
    )


def scores(texts: pl.DataFrame, system: str, order: str, p: np.ndarray) -> pl.DataFrame:
    """Decisions by hundredths (.., 2) of tiers 1 and 2, one for each text."""
    flat = p.reshape(-1, 2).astype(np.int64)
    return _filled(
        texts.with_columns(
            pl.lit(system).alias("system"),
            pl.lit(order).alias("order"),
            pl.Series("p0", 100 - flat.sum(1)),
            pl.Series("p1", flat[:, 0]),
            pl.Series("p2", flat[:, 1]),
        ),
        DECISIONS,
    )


def attribute_rows(
    texts: pl.DataFrame, attributes: np.ndarray, levels: dict[str, np.ndarray]
) -> pl.DataFrame:
    """Attributes (.., 22) of each text, and inferred persona levels where there are any."""
    flat = attributes.reshape(-1, len(ATTRIBUTES))
    columns = [pl.Series(name, flat[:, j]) for j, name in enumerate(ATTRIBUTES)]
    columns += [pl.Series(name, p.ravel().astype(np.int64)) for name, p in levels.items()]
    return _filled(texts.with_columns(columns), ATTRIBUTES_TABLE)


def _filled(frame: pl.DataFrame, contract: TableContract) -> pl.DataFrame:
    """Add the columns that are empty, in the contract's order and types."""
    empty = [
        pl.lit(None, dtype=column.polars_type).alias(column.name)
        for column in contract.columns
        if column.name not in frame.columns
    ]
    return frame.with_columns(empty).select(contract.names)


def audit_rows(records: Iterator[dict[str, object]]) -> pl.DataFrame:
    """Verdicts as a frame with the contract's columns and types."""
    schema = {column.name: column.polars_type for column in AUDIT.columns}
    return pl.DataFrame(list(records), schema=schema, infer_schema_length=None)


def write(
    table: str, frame: pl.DataFrame, number: int, seed: int, pins: tuple[Pin, ...], folder: Path
) -> None:
    """Write one table; the same rows always give the same bytes."""
    provenance = Provenance(
        study=STUDY,
        table=table,
        kind="reconstructed",
        title=TITLES[table],
        source=SOURCE,
        licence=LICENCE,
        generator="data.build.remedies",
        seed=str(seed),
        pins=pins,
    )
    write_panel(frame, folder / f"{table}-reconstructed-{number}.parquet", provenance)
