"""Uploads that are no panel as files: each is refused in clear words, and nothing else happens."""

from __future__ import annotations

import random
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pyarrow as pa
import pytest

from core.panels.problems import PanelError
from core.panels.read import Limits, read_upload
from tests.core.panel_files import (
    accepted,
    columns,
    constant,
    parquet,
    refused,
    sentences,
)

ROOT = Path(__file__).resolve().parents[2]
GOOD = parquet(columns())

WRITE_AGAIN = (
    "expected a complete parquet file. Write it again and compare its size with the source."
)


def png() -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + b"\0" * 40


NOT_PARQUET = {
    "CSV": ",".join(columns()).encode() + b"\nm,joint,gender_to_sex,USA,story,ceo,female,30\n",
    "an image": png(),
    "a zip archive": b"PK\x03\x04" + zlib.compress(b"x" * 100),
    "text": "Größe: 3".encode(),
    "one byte": b"P",
    "zeros": bytes(10_000),
    "a Feather file": b"ARROW1\0\0" + bytes(100) + b"ARROW1",
    "a wrong beginning": b"X" + GOOD[1:],
}


@pytest.mark.parametrize("data", NOT_PARQUET.values(), ids=NOT_PARQUET)
def test_a_file_of_another_kind_is_refused(data: bytes) -> None:
    assert sentences(data) == [f"file: found a file that is not parquet; {WRITE_AGAIN}"]


def test_an_empty_file_is_refused() -> None:
    assert sentences(b"") == [
        "file: found an empty file; expected a parquet file. Choose another file."
    ]


def test_an_encrypted_file_is_named_as_one() -> None:
    data = b"PARE" + bytes(40) + struct.pack("<I", 40) + b"PARE"
    assert sentences(data) == [f"file: found an encrypted parquet file; {WRITE_AGAIN}"]


@pytest.mark.parametrize(
    "size", [4, 5, 8, 12, 40, len(GOOD) // 2, len(GOOD) - 9, len(GOOD) - 8, len(GOOD) - 1]
)
def test_a_truncated_file_is_refused(size: int) -> None:
    found = f"file: found a truncated or damaged parquet file; {WRITE_AGAIN}"
    assert sentences(GOOD[:size]) == [found]


def test_a_footer_of_the_wrong_length_is_refused() -> None:
    for length in (0, 1, len(GOOD), 2**31 - 1, 2**32 - 1):
        data = GOOD[:-8] + struct.pack("<I", length) + b"PAR1"
        assert "truncated or damaged" in sentences(data)[0]


EVERY_BYTE = """
import sys
from core.panels.problems import PanelError
from core.panels.read import read_upload

data = sys.stdin.buffer.read()
footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
refused = 0
for place in range(footer, len(data) - 8):
    damaged = bytearray(data)
    damaged[place] = 0 if data[place] else 1
    try:
        read_upload(bytes(damaged), "mine")
    except PanelError:
        refused += 1
print(refused)
"""


def test_no_damage_to_a_footer_ends_the_process() -> None:
    # In a process of its own: a reader that trusts the metadata of columns aborts here.
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", EVERY_BYTE],
        cwd=ROOT,
        input=GOOD,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert int(done.stdout) > 100


@pytest.mark.parametrize(
    "options",
    [
        {"compression": "zstd"},
        {"compression": "snappy"},
        {"compression": "none", "use_dictionary": False},
        {"compression": "none", "data_page_version": "2.0"},
    ],
    ids=["zstd", "snappy", "plain", "second page version"],
)
def test_damaged_pages_give_a_panel_or_a_panel_error(options: dict[str, object]) -> None:
    data = parquet(columns(), **options)
    pick = random.Random(7)
    outcomes = set()
    for _ in range(120):
        damaged = bytearray(data)
        place = pick.randrange(4, len(data) // 2)
        damaged[place] ^= 1 << pick.randrange(8)
        try:
            read_upload(bytes(damaged), "mine")
            outcomes.add("panel")
        except PanelError:
            outcomes.add("refused")
    assert "refused" in outcomes


def test_damaged_pages_with_checksums_are_always_refused() -> None:
    # Without compression, so that only the checksum can tell; the values would still be valid.
    data = parquet(columns(), compression="none", use_dictionary=False, write_page_checksum=True)
    twenty = data.index(struct.pack("<qq", 20, 10))
    damaged = bytearray(data)
    damaged[twenty : twenty + 16] = struct.pack("<qq", 10, 20)
    assert sentences(bytes(damaged)) == [
        "file: found values that cannot be decoded; expected whole data pages, with text stored "
        "plainly or by dictionary. Write the file again with the usual encodings."
    ]


def test_a_damaged_page_of_compressed_text_is_refused() -> None:
    data = parquet(constant(1000, model="x" * 150), compression="zstd")
    middle = data.index(b"\x28\xb5\x2f\xfd") + 6
    damaged = data[:middle] + bytes(8) + data[middle + 8 :]
    assert "cannot be decoded" in sentences(damaged)[0]


def test_bytes_that_are_no_text_are_refused() -> None:
    offsets = pa.py_buffer(struct.pack("<3i", 0, 3, 6))
    broken = pa.Array.from_buffers(
        pa.string(), 2, [None, offsets, pa.py_buffer(b"\xff\xfe\xfdabc")]
    )
    for name in ("model", "category"):
        assert sentences(parquet(columns(**{name: broken}))) == [
            f"column '{name}': found bytes that are no text; expected text in UTF-8. "
            "Write the column again."
        ]


def test_too_large_a_file_is_refused_unopened() -> None:
    limits = Limits(file_bytes=2**20)
    assert sentences(b"PAR1" + bytes(3 * 2**20), limits) == [
        "file: found 3 MB; expected at most 1 MB. Leave out columns that the row contract does "
        "not name, or fewer models."
    ]


def test_five_million_rows_are_refused_from_the_footer() -> None:
    data = parquet(constant(5_000_000))
    assert len(data) < 2**20
    assert sentences(data) == [
        "file: found 5,000,000 rows; expected at most 2,000,000. Aggregate to one row per cell "
        "and category first."
    ]


def test_rows_beyond_what_the_footer_says_are_refused() -> None:
    rows = {name: values * 150 for name, values in columns().items()}
    rows["model"] = [f"m{row // 2}" for row in range(300)]
    data = parquet(rows)
    # Thrift's compact form: 300 is written as the number 600, here once for the whole file; 2 as 4.
    claim = b"\x16" + bytes([0xD8, 0x04]) + b"\x19"
    assert data.count(claim) == 1
    lying = data.replace(claim, b"\x16" + bytes([0x84, 0x00]) + b"\x19")
    assert sentences(lying, Limits(rows=100)) == [
        "file: found more rows than its footer says; expected at most 100. Aggregate to one row "
        "per cell and category first."
    ]
    assert accepted(lying).frame.height == 300


def test_a_text_named_many_times_is_refused_before_it_is_unpacked() -> None:
    # About ten gigabytes of text in a file of a few kilobytes.
    data = parquet(constant(100_000, model="x" * 100_000))
    assert len(data) < 20_000
    assert sentences(data) == [
        "file: found more than 1,024 MB of text once unpacked; expected at most 1,024 MB. "
        "Aggregate to one row per cell and category first."
    ]


def test_compressed_text_is_refused_once_it_is_too_large() -> None:
    rows = {name: values * 500 for name, values in columns().items()}
    rows["model"] = ["x" * 190] * 1000
    data = parquet(rows, compression="zstd", use_dictionary=False)
    assert len(data) < 20_000
    (problem,) = refused(data, Limits(decoded_bytes=100_000))
    assert problem.found == "more than 0 MB of text once unpacked"
    assert refused(data)[0].todo == "Add up or remove the repeated rows."


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_text_stored_as_differences_is_refused(encoding: str) -> None:
    # It may unpack to any size: twenty megabytes here, from a few kilobytes.
    rows = {name: values[:1] * 200 for name, values in columns().items()}
    rows["model"] = ["x" * 100_000] * 200
    data = parquet(rows, use_dictionary=False, column_encoding={"model": encoding})
    assert "cannot be decoded" in sentences(data)[0]


def test_ten_thousand_columns_are_refused() -> None:
    table = pa.table(columns() | {f"x{number}": [1, 2] for number in range(10_000)})
    assert sentences(parquet(table)) == [
        "file: found 10,008 columns; expected at most 1,000. Leave out the ones not asked for."
    ]


def test_many_row_groups_are_refused() -> None:
    rows = {name: values[:1] * 5_001 for name, values in columns().items()}
    assert sentences(parquet(rows, row_group_size=1)) == [
        "file: found 5,001 row groups; expected at most 5,000. Write larger row groups."
    ]


def test_a_file_without_rows_is_refused() -> None:
    none = parquet(pa.table(columns()).slice(0, 0))
    assert sentences(none) == [
        "file: found no rows; expected at least one row. Choose another file."
    ]


def test_every_count_that_is_too_high_is_named_at_once() -> None:
    rows = {name: values[:1] * 20 for name, values in columns().items()}
    limits = Limits(columns=7, row_groups=3, rows=10)
    found = [problem.found for problem in refused(parquet(rows, row_group_size=5), limits)]
    assert found == ["8 columns", "4 row groups", "20 rows"]
