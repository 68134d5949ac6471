"""Small composition panels as parquet bytes, good ones and bad ones."""

from __future__ import annotations

import io
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.panels.problems import PanelError, Problem
from core.panels.read import Limits, Panel, read_upload


def columns(outputs: int = 30, **changes: Any) -> dict[str, Any]:
    """One cell of one model: two rows."""
    return {
        "model": ["m", "m"],
        "regime": ["joint", "joint"],
        "attribute": ["gender_to_sex", "gender_to_sex"],
        "context": ["USA", "USA"],
        "format": ["story", "story"],
        "role": ["ceo", "ceo"],
        "category": ["female", "male"],
        "n": [outputs - 10, 10],
    } | changes


def cells(*rows: tuple[str, ...], n: list[int]) -> dict[str, Any]:
    """Joint USA rows of (model, attribute, role, category)."""
    model, attribute, role, category = (list(column) for column in zip(*rows, strict=True))
    count = len(rows)
    return {
        "model": model,
        "regime": ["joint"] * count,
        "attribute": attribute,
        "context": ["USA"] * count,
        "format": ["story"] * count,
        "role": role,
        "category": category,
        "n": n,
    }


def parquet(
    table: pa.Table | dict[str, Any], metadata: dict[str, str] | None = None, **options: Any
) -> bytes:
    """Write columns as a parquet file."""
    table = table if isinstance(table, pa.Table) else pa.table(table)
    if metadata is not None:
        table = table.replace_schema_metadata(metadata)
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def constant(rows: int, **changes: Any) -> pa.Table:
    """One row, many times over: a small file however many rows it has."""
    first = {name: values[0] for name, values in columns().items()} | changes
    index = pa.repeat(pa.scalar(0, pa.int32()), rows)
    return pa.table(
        {
            name: pa.DictionaryArray.from_arrays(index, pa.array([value]))
            for name, value in first.items()
        }
    )


def accepted(data: bytes, limits: Limits | None = None) -> Panel:
    return read_upload(data, "mine", limits=limits)


def refused(data: bytes, limits: Limits | None = None) -> tuple[Problem, ...]:
    """Read a file that must be refused, and check how it is said."""
    with pytest.raises(PanelError) as caught:
        read_upload(data, "mine", limits=limits)
    problems = caught.value.problems
    assert problems
    for problem in problems:
        sentence = problem.sentence()
        assert all((problem.found, problem.expected, problem.todo))
        assert sentence.isprintable(), sentence
        assert len(sentence) < 900
        assert sentence.endswith(".")
    assert len(problems) <= 30
    return problems


def sentences(data: bytes, limits: Limits | None = None) -> list[str]:
    return [problem.sentence() for problem in refused(data, limits)]


def rows_of(panel: Panel) -> list[tuple[Any, ...]]:
    assert isinstance(panel.frame, pl.DataFrame)
    return panel.frame.rows()
