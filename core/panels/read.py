"""Read and write panels: parquet in, validated and immutable panel out.

A file is judged from its footer first (size, rows, columns, types), so that nothing large or
strange is decoded before it is known to fit; then from its values. Every problem is collected.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from core.panels.contract import TableContract
from core.panels.problems import PanelError, Problem
from core.panels.provenance import SCHEMA_VERSION, Provenance, from_metadata
from core.panels.registry import contract_for, contract_with_columns
from core.panels.values import value_problems


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a panel may be before any value is read."""

    file_bytes: int = 50 * 2**20
    decoded_bytes: int = 2**30
    rows: int = 2_000_000


@dataclass(frozen=True, slots=True)
class Panel:
    """A validated table of audit results. Treat ``frame`` as read-only: it is shared."""

    name: str
    frame: pl.DataFrame
    provenance: Provenance
    contract: TableContract
    sha256: str
    """Checksum of the file's bytes; names this exact panel in links and exports."""

    @property
    def hash(self) -> str:
        """First twelve digits of the checksum: short enough for a link."""
        return self.sha256[:12]


def read_panel(path: Path, *, limits: Limits | None = None) -> Panel:
    """Read a panel from disk.

    Parameters
    ----------
    path
        A parquet file.
    limits
        Size limits; the defaults when None.

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
    return read_panel_bytes(path.read_bytes(), path.stem, limits=limits)


def read_panel_bytes(data: bytes, name: str, *, limits: Limits | None = None) -> Panel:
    """Read a panel from bytes; parameters and errors as for `read_panel`."""
    limits = limits or Limits()
    file = _open(data, limits)
    provenance = _provenance(file)
    contract = _contract(file, provenance)
    problems = _footer_problems(file, contract, limits)
    if problems:
        raise PanelError(problems)
    frame = _decode(file, contract)
    problems = value_problems(frame, contract)
    if problems:
        raise PanelError(problems)
    if provenance is None:
        provenance = Provenance(contract.study, contract.table, "imported", title=name)
    return Panel(name, frame, provenance, contract, hashlib.sha256(data).hexdigest())


def read_upload(data: bytes, name: str, *, limits: Limits | None = None) -> Panel:
    """Read a panel that a reader brought: same rules, kind always ``imported``, pins dropped."""
    panel = read_panel_bytes(data, name, limits=limits)
    return replace(panel, provenance=panel.provenance.as_imported())


def write_panel(frame: pl.DataFrame, path: Path, provenance: Provenance) -> None:
    """Write a panel so that equal rows and provenance give equal bytes on one machine.

    Raises
    ------
    PanelError
        If the rows break the row contract named by the provenance.
    """
    contract = contract_for(provenance.study, provenance.table)
    frame = frame.select(contract.names).sort(contract.key)
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
    try:
        return pq.ParquetFile(io.BytesIO(data))
    except (pa.ArrowException, OSError, ValueError) as error:
        found = "a file that is not parquet" if data[:4] != b"PAR1" else "a truncated parquet file"
        problem = _file_problem(
            found, "a complete parquet file", "Write it again and compare its size with the source."
        )
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
            "the fields of the design",
            "Mend or drop it.",
        )
        raise PanelError([problem]) from error


def _contract(file: pq.ParquetFile, provenance: Provenance | None) -> TableContract:
    names = tuple(file.schema_arrow.names)
    if provenance is None:
        return contract_with_columns(names)
    if provenance.schema != SCHEMA_VERSION:
        problem = _file_problem(
            f"row-shape version {provenance.schema}",
            f"version {SCHEMA_VERSION}",
            "Write the panel again with this version of Hinge.",
        )
        raise PanelError([problem])
    return contract_for(provenance.study, provenance.table)


def _footer_problems(
    file: pq.ParquetFile, contract: TableContract, limits: Limits
) -> list[Problem]:
    schema, metadata = file.schema_arrow, file.metadata
    problems = [
        Problem(name, "", "no such column", f"a {contract.table} table has it", "Add the column.")
        for name in contract.names
        if name not in schema.names
    ]
    for name in sorted({n for n in schema.names if schema.names.count(n) > 1}):
        problems.append(Problem(name, "", "the column twice", "each column once", "Drop one."))
    for column in contract.columns:
        if schema.names.count(column.name) == 1:
            arrow_type = schema.field(column.name).type
            if not _type_fits(arrow_type, column.holds):
                problems.append(
                    Problem(column.name, "", str(arrow_type), column.holds, "Convert the column.")
                )
    if metadata.num_rows == 0:
        problems.append(_file_problem("no rows", "at least one row", "Choose another file."))
    if metadata.num_rows > limits.rows:
        problems.append(
            _file_problem(
                f"{metadata.num_rows:,} rows",
                f"at most {limits.rows:,}",
                "Aggregate to one row per cell and category first.",
            )
        )
    decoded = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if decoded > limits.decoded_bytes:
        problems.append(
            _file_problem(
                f"{decoded / 2**20:,.0f} MB once unpacked",
                f"at most {limits.decoded_bytes / 2**20:,.0f} MB",
                "Aggregate the rows first.",
            )
        )
    return problems


def _type_fits(arrow_type: pa.DataType, wanted: str) -> bool:
    if pa.types.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    is_text = (
        pa.types.is_string(arrow_type)
        or pa.types.is_large_string(arrow_type)
        or pa.types.is_string_view(arrow_type)
    )
    fits = {
        "text": is_text,
        "integer": pa.types.is_integer(arrow_type),
        "number": pa.types.is_integer(arrow_type) or pa.types.is_floating(arrow_type),
        "flag": pa.types.is_boolean(arrow_type),
    }
    return fits[wanted]


def _decode(file: pq.ParquetFile, contract: TableContract) -> pl.DataFrame:
    try:
        table = file.read(columns=list(contract.names))
        frame = pl.from_arrow(table)
        assert isinstance(frame, pl.DataFrame)
        return frame.select(
            pl.col(column.name).cast(column.polars_type) for column in contract.columns
        )
    except (pa.ArrowException, OSError, pl.exceptions.PolarsError) as error:
        problem = _file_problem(
            f"values that cannot be decoded ({str(error).splitlines()[0][:120]})",
            "values of the declared types",
            "Write the file again.",
        )
        raise PanelError([problem]) from error


def _file_problem(found: str, expected: str, todo: str) -> Problem:
    return Problem("", "", found, expected, todo)
