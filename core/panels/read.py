"""Read and write panels: parquet in, validated and immutable panel out.

A file is judged from its footer first (size, rows, columns, types), so that nothing large or
strange is decoded before it is known to fit; then from its values. Every problem is collected.

Text is decoded to its distinct values and where they stand: a file of a few kilobytes can name one
long text a million times, and must not be unpacked before its size is known.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.panels.contract import Column, TableContract
from core.panels.problems import PanelError, Problem
from core.panels.provenance import SCHEMA_VERSION, Provenance, from_metadata
from core.panels.registry import Shape, contract_for, shape_with_columns
from core.panels.values import rows_problem, value_problems

T = TypeVar("T")

MAGIC = b"PAR1"
"""How a parquet file begins and ends."""

BATCH = 2**16
"""Rows decoded at a time."""

CHOSEN = "you chose this one"

MAX_WHOLE = 2**53
"""Largest size up to which a number with room for fractions is exact."""

FEWER_ROWS = "Aggregate to one row per cell and category first."


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a panel may be before any value is read."""

    file_bytes: int = 50 * 2**20
    decoded_bytes: int = 2**30
    rows: int = 2_000_000
    row_groups: int = 5_000
    columns: int = 1_000


@dataclass(frozen=True, slots=True)
class Panel:
    """A validated table of audit results. Treat ``frame`` as read-only: it is shared."""

    name: str
    frame: pl.DataFrame
    provenance: Provenance
    contract: TableContract
    sha256: str
    """Checksum of the file's bytes; names this exact panel in links and exports."""
    notes: tuple[str, ...] = ()
    """What was read otherwise than it is stored, in sentences."""

    @property
    def hash(self) -> str:
        """First twelve digits of the checksum: short enough for a link."""
        return self.sha256[:12]


def read_panel(path: Path, *, limits: Limits | None = None, is_checked: bool = False) -> Panel:
    """Read a panel from disk.

    Parameters
    ----------
    path
        A parquet file.
    limits
        Size limits; the defaults when None.
    is_checked
        Whether its values were found to meet the contract before; they are then taken as they are.

    Returns
    -------
    Panel
        Its rows meet the row contract of its table.

    Raises
    ------
    PanelError
        With every problem found, when the file is no panel or breaks its contract.
    FileNotFoundError
        If there is no such file.
    """
    return read_panel_bytes(path.read_bytes(), path.stem, limits=limits, is_checked=is_checked)


def read_panel_bytes(
    data: bytes,
    name: str,
    *,
    limits: Limits | None = None,
    is_checked: bool = False,
    meant: TableContract | None = None,
) -> Panel:
    """Read a panel from bytes; parameters and errors as for `read_panel`.

    ``meant`` is the contract that the file is to be held against; by default its metadata, else
    its columns, say which.
    """
    limits = limits or Limits()
    file = _open(data, limits)
    provenance = _provenance(file)
    problems = _file_problems(file, limits)
    if problems:
        raise PanelError(problems)
    shape = _shape(file, provenance, meant)
    contract = shape.contract
    problems, readable = _column_problems(file.schema_arrow, contract)
    frame, notes = pl.DataFrame(), list[str]()
    if readable:
        frame, found = _decode(data, file, readable, limits)
        problems += found
        frame, found, notes = _with_whole_numbers(frame, readable)
        problems += found
    if not is_checked:
        problems += value_problems(frame, contract)
    if problems:
        raise PanelError(problems, shape.sentence())
    if provenance is None:
        provenance = Provenance(contract.study, contract.table, "imported", title=name)
    provenance = replace(provenance, study=contract.study, table=contract.table)
    return Panel(name, frame, provenance, contract, hashlib.sha256(data).hexdigest(), tuple(notes))


def read_upload(
    data: bytes, name: str, *, limits: Limits | None = None, meant: TableContract | None = None
) -> Panel:
    """Read a panel that a reader brought: same rules, kind always ``imported``, pins dropped."""
    panel = read_panel_bytes(data, name, limits=limits, meant=meant)
    return replace(panel, provenance=panel.provenance.as_imported())


def write_panel(frame: pl.DataFrame, path: Path, provenance: Provenance) -> None:
    """Write a panel so that equal rows and provenance give equal bytes on one machine.

    Raises
    ------
    PanelError
        If the rows break the row contract named by the provenance.
    """
    contract = contract_for(provenance.study, provenance.table)
    frame = frame.select(contract.names)
    problems = [p for c in contract.columns for p in _series_problems(c, frame[c.name].dtype)]
    if problems:
        raise PanelError(problems)
    frame = frame.cast({c.name: c.polars_type for c in contract.columns}).sort(contract.key)
    problems = value_problems(frame, contract)
    if problems:
        raise PanelError(problems)
    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    table = table.replace_schema_metadata(provenance.to_metadata())
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, compression="zstd")


def _open(data: bytes, limits: Limits) -> pq.ParquetFile:
    if not data:
        raise PanelError([_file_problem("an empty file", "a parquet file", "Choose another file.")])
    if len(data) > limits.file_bytes:
        raise PanelError(
            [
                _file_problem(
                    f"{len(data) / 2**20:.0f} MB",
                    f"at most {limits.file_bytes / 2**20:.0f} MB",
                    "Leave out columns that the row contract does not name, or fewer models.",
                )
            ]
        )
    if not data.startswith(MAGIC):
        # The reader looks at the end only, where a file of two kinds may say the same.
        raise PanelError([_not_parquet(data)])
    return _reading(lambda: _parquet(data), _not_parquet(data))


def _parquet(data: bytes, **options: Any) -> pq.ParquetFile:
    reader = pa.BufferReader(data)
    file = pq.ParquetFile(reader, page_checksum_verification=True, **options)
    # Parsed only when asked for, and damaged as easily as the rest.
    _ = file.schema_arrow.names
    return file


def _not_parquet(data: bytes) -> Problem:
    found = {MAGIC: "a truncated or damaged parquet file", b"PARE": "an encrypted parquet file"}
    return _file_problem(
        found.get(data[:4], "a file that is not parquet"),
        "a complete parquet file",
        "Write it again and compare its size with the source.",
    )


def _reading(read: Callable[[], T], problem: Problem) -> T:
    """Do something with the bytes of a file; whatever they do wrong is the problem given."""
    try:
        return read()
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        raise PanelError([problem]) from error


def _provenance(file: pq.ParquetFile) -> Provenance | None:
    raw = file.metadata.metadata or {}
    metadata = {
        key.decode("utf-8", "replace"): value.decode("utf-8", "replace")
        for key, value in raw.items()
        if key.startswith(b"hinge.")
    }
    try:
        return from_metadata(metadata)
    except ValueError as error:
        problem = _file_problem(
            f"metadata that cannot be read ({error})",
            "hinge fields as Hinge writes them",
            "Mend or drop the field.",
        )
        raise PanelError([problem]) from error


def _shape(
    file: pq.ParquetFile, provenance: Provenance | None, meant: TableContract | None
) -> Shape:
    if provenance is None:
        return (
            Shape(meant, CHOSEN)
            if meant is not None
            else shape_with_columns(tuple(file.schema_arrow.names))
        )
    if provenance.schema != SCHEMA_VERSION:
        problem = _file_problem(
            f"row-shape version {provenance.schema[:60]!r}",
            f"version {SCHEMA_VERSION}",
            "Write the panel again with this version of Hinge.",
        )
        raise PanelError([problem])
    if meant is not None:
        return Shape(meant, CHOSEN)
    return Shape(contract_for(provenance.study, provenance.table), "its metadata name this one")


def _file_problems(file: pq.ParquetFile, limits: Limits) -> list[Problem]:
    """Report what keeps every column from being looked at."""
    problems = _count_problems(file, limits)
    if not problems and file.metadata.num_rows < 1:
        problems.append(_file_problem("no rows", "at least one row", "Choose another file."))
    return problems


def _column_problems(
    schema: pa.Schema, contract: TableContract
) -> tuple[list[Problem], list[Column]]:
    """Report columns that cannot be read, and list those that can."""
    present = Counter(schema.names)
    # The parquet reader takes such a name for a part of the column before the dot.
    dotted = [name for name in present if "." in name and name.split(".")[0] in contract.names]
    problems = [
        Problem(name[:60], "", "a dot in the name", "plain column names", "Rename or drop it.")
        for name in dotted
    ]
    missing = [name for name in contract.names if not present[name]]
    if missing:
        problems.append(_missing(missing, contract))
    readable, shadowed = [], {name.split(".")[0] for name in dotted}
    for column in (c for c in contract.columns if present[c.name]):
        found = _one_column_problems(column, present[column.name], schema)
        problems += found
        if not found and column.name not in shadowed:
            readable.append(column)
    return problems, readable


def _missing(names: Sequence[str], contract: TableContract) -> Problem:
    one = len(names) == 1
    return Problem(
        ", ".join(names),
        "",
        "no such column" if one else "no such columns",
        f"the {len(contract.names)} columns of {contract.study} / {contract.table}",
        f"Add {'it' if one else 'them'} (the tab “Row shapes” says what {'it' if one else 'they'} "
        f"hold{'s' if one else ''}), or choose another row shape.",
    )


def _one_column_problems(column: Column, times: int, schema: pa.Schema) -> list[Problem]:
    if times > 1:
        found = f"the column {times:,} times"
        return [Problem(column.name, "", found, "each column once", "Keep one.")]
    return _type_problems(column, schema.field(column.name).type)


def _count_problems(file: pq.ParquetFile, limits: Limits) -> list[Problem]:
    """Report numbers of things that would take long to look at one by one.

    Nothing here may look into row groups: where the metadata of their columns are damaged, pyarrow
    ends the whole process and not just the call.
    """
    metadata = file.metadata
    counts = (
        (metadata.num_columns, limits.columns, "columns", "Leave out the ones not asked for."),
        (metadata.num_row_groups, limits.row_groups, "row groups", "Write larger row groups."),
        (metadata.num_rows, limits.rows, "rows", FEWER_ROWS),
    )
    return [
        _file_problem(f"{count:,} {things}", f"at most {limit:,}", todo)
        for count, limit, things, todo in counts
        if count > limit
    ]


def _type_problems(column: Column, arrow_type: pa.DataType) -> list[Problem]:
    is_empty = column.nullable and pa.types.is_null(arrow_type)
    if is_empty or _type_fits(arrow_type, column.holds):
        return []
    return [Problem(column.name, "", str(arrow_type)[:60], column.holds, "Convert the column.")]


def _series_problems(column: Column, kind: pl.DataType) -> list[Problem]:
    """Report a type that could not be cast to the declared one without a loss."""
    fits = {
        "text": kind == pl.String,
        "integer": kind.is_integer(),
        "number": kind.is_integer() or kind.is_float(),
        "flag": kind == pl.Boolean,
    }
    if fits[column.holds]:
        return []
    return [Problem(column.name, "", str(kind), column.holds, "Convert the column.")]


def _type_fits(arrow_type: pa.DataType, wanted: str) -> bool:
    if pa.types.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    is_text = (
        pa.types.is_string(arrow_type)
        or pa.types.is_large_string(arrow_type)
        or pa.types.is_string_view(arrow_type)
    )
    is_numeric = pa.types.is_integer(arrow_type) or _has_fractions(arrow_type)
    fits = {
        "text": is_text,
        # Whether all values are whole is seen once they are read.
        "integer": is_numeric,
        "number": is_numeric,
        "flag": pa.types.is_boolean(arrow_type),
    }
    return fits[wanted]


def _has_fractions(arrow_type: pa.DataType) -> bool:
    """Say whether a type of numbers has room for fractions."""
    return bool(pa.types.is_floating(arrow_type) or pa.types.is_decimal(arrow_type))


def _with_whole_numbers(
    frame: pl.DataFrame, columns: Sequence[Column]
) -> tuple[pl.DataFrame, list[Problem], list[str]]:
    """Turn whole numbers that are stored with room for fractions into integers.

    Tools without an empty integer store a column of integers with gaps in this way.

    Returns
    -------
    polars.DataFrame
        Without the columns that hold something else.
    list of Problem
        One for each column left out, naming its first rows.
    list of str
        One sentence for each column that was turned.
    """
    problems, notes = [], []
    for column in columns:
        values = frame.get_column(column.name, default=None)
        if column.holds != "integer" or values is None or not values.dtype.is_float():
            continue
        is_whole = (values == values.floor()) & (values.abs() <= MAX_WHOLE)
        if is_whole.all():
            frame = frame.with_columns(values.cast(pl.Int64))
            notes.append(
                f"The column {column.name} is stored with room for fractions; all its values are "
                "whole, so it is read as integers."
            )
        else:
            problems.append(
                rows_problem(values, ~is_whole, column.name, "whole numbers", "Correct the value.")
            )
            frame = frame.drop(column.name)
    return frame, problems, notes


def _decode(
    data: bytes, file: pq.ParquetFile, columns: Sequence[Column], limits: Limits
) -> tuple[pl.DataFrame, list[Problem]]:
    """Decode the rows, and stop where there are more of them than the footer says.

    Columns whose values do not fit their type are left out, with a problem each.
    """
    schema = file.schema_arrow
    texts = [
        column.name
        for column in columns
        if column.holds == "text" and not pa.types.is_null(schema.field(column.name).type)
    ]
    damaged = _file_problem(
        "values that cannot be decoded",
        "whole data pages, with text stored plainly or by dictionary",
        "Write the file again with the usual encodings.",
    )
    reopened = _reading(
        lambda: _parquet(data, metadata=file.metadata, read_dictionary=texts), damaged
    )
    batches = reopened.iter_batches(BATCH, columns=[c.name for c in columns], use_threads=False)
    parts, rows, size = [], 0, 0
    problems: dict[str, Problem] = {}
    while (batch := _reading(lambda: next(batches, None), damaged)) is not None:
        rows += batch.num_rows
        size += _reading(partial(_text_bytes, batch, texts), damaged)
        if rows > limits.rows:
            found, most = "more rows than its footer says", f"at most {limits.rows:,}"
            raise PanelError([_file_problem(found, most, FEWER_ROWS)])
        if size > limits.decoded_bytes:
            most = f"{limits.decoded_bytes / 2**20:,.0f} MB"
            found = f"more than {most} of text once unpacked"
            raise PanelError([_file_problem(found, f"at most {most}", FEWER_ROWS)])
        part = []
        for column in (c for c in columns if c.name not in problems):
            try:
                part.append(_series(batch[column.name], column))
            except PanelError as error:
                (problems[column.name],) = error.problems
        parts.append(pl.DataFrame(part))
    if not parts:
        raise PanelError([damaged])
    whole = pl.concat([part.drop(problems, strict=False) for part in parts], rechunk=True)
    return whole, list(problems.values())


def _text_bytes(batch: pa.RecordBatch, texts: list[str]) -> int:
    """Count the bytes of dictionary-encoded text with every value written out."""
    total = 0
    for name in texts:
        lengths = pc.cast(pc.binary_length(batch[name].dictionary), pa.int64())
        total += pc.sum(lengths.take(batch[name].indices)).as_py() or 0
    return total


def _series(values: pa.Array, column: Column) -> pl.Series:
    """Convert a column to the type it is declared with; whole numbers are told apart later."""
    if pa.types.is_null(values.type):
        return pl.Series(column.name, [None] * len(values), dtype=column.polars_type)
    if column.holds == "text":
        return _text_series(values, column)
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    types = {"integer": pa.int64(), "number": pa.float64(), "flag": pa.bool_()}
    wanted = pa.float64() if _has_fractions(kind) else types[column.holds]

    def convert() -> pa.Array:
        return pc.cast(pc.cast(values, kind), wanted)

    unfit = Problem(
        column.name, "", f"values that do not fit {wanted}", column.domain(), "Correct the values."
    )
    return pl.Series(column.name, _reading(convert, unfit))


def _text_series(values: pa.DictionaryArray, column: Column) -> pl.Series:
    """Put distinct texts in their places; rows with the same text share its bytes."""

    def check() -> None:
        # Anything may be stored as text; only this looks whether it is.
        values.validate(full=True)
        values.dictionary.validate(full=True)

    unfit = Problem(
        column.name, "", "bytes that are no text", "text in UTF-8", "Write the column again."
    )
    _reading(check, unfit)
    texts = pl.Series(column.name, values.dictionary, dtype=pl.String)
    return texts.gather(pl.Series(values.indices, dtype=pl.UInt32))


def _file_problem(found: str, expected: str, todo: str) -> Problem:
    return Problem("", "", found, expected, todo)
