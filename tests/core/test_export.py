"""Tables as files: what they say of themselves, and names that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import polars as pl
import pyarrow.parquet as pq
import pytest

from core.export import about, table_file
from core.panels.read import Panel, read_upload
from core.studies.composition.choices import DECLARATION
from tests.core.panel_files import columns, parquet

FRAME = pl.DataFrame(
    {"model": ["a", "b"], "score": [0.25, None], "n": [1, 2], "flip": [True, False]}
)
LINES = ["Hinge, study s", "Source: a\nb  c"]


def panel(**metadata: str) -> Panel:
    named = {f"hinge.{name}": value for name, value in metadata.items()}
    return read_upload(parquet(columns(), named), "my file")


def rows_of(data: bytes) -> tuple[list[str], list[list[str]]]:
    """Comment lines, and the rows below them with their header."""
    text = data.decode("utf-8")
    lines = text.split("\n")
    head = [line for line in lines if line.startswith("#")]
    body = text[sum(len(line) + 1 for line in head) :]
    return head, list(csv.reader(io.StringIO(body)))


def test_a_csv_file_says_first_what_it_is() -> None:
    head, rows = rows_of(table_file(FRAME, LINES, form="csv"))
    assert head == ["# Hinge, study s", "# Source: a b c"]
    assert rows == [
        ["model", "score", "n", "flip"],
        ["a", "0.25", "1", "true"],
        ["b", "", "2", "false"],
    ]


def test_a_csv_file_can_be_read_again() -> None:
    frame = pl.DataFrame(
        {"model": ['say "hi"', "a, b", "two\nlines", "# no comment", "é"], "n": range(5)}
    )
    data = table_file(frame, LINES, form="csv")
    back = pl.read_csv(io.BytesIO(data), comment_prefix="#")
    assert back["n"].to_list() == [0, 1, 2, 3, 4]
    names = [name.removeprefix("'") for name in back["model"]]
    assert names == frame["model"].to_list()


ARMED = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "  +1",
    "\u00a0=1",
    "\ufeff=1",
    "=HYPERLINK('http://example.com')",
    "\N{FULLWIDTH EQUALS SIGN}1",
    "\N{FULLWIDTH PLUS SIGN}1",
    "\N{FULLWIDTH HYPHEN-MINUS}1",
    "\N{FULLWIDTH COMMERCIAL AT}a",
    "# a comment",
    "-",
]


@pytest.mark.parametrize("text", ARMED, ids=[repr(text) for text in ARMED])
def test_text_that_a_spreadsheet_would_run_is_disarmed(text: str) -> None:
    frame = pl.DataFrame({"model": [text, "a"], "role": ["b", text]})
    _, rows = rows_of(table_file(frame, LINES, form="csv"))
    expected = "'" + text.replace("\r", "\n") if "\r" in text else "'" + text
    found = [rows[1][0], rows[2][1]]
    assert [cell.replace("\r", "\n") for cell in found] == [expected] * 2


@pytest.mark.parametrize("text", ["a=1", "1+1", "a-b", "a@b", "−1", "x # y", "'=1", ""])
def test_other_text_stays_as_it_is(text: str) -> None:
    _, rows = rows_of(table_file(pl.DataFrame({"a": [text], "b": ["x"]}), [], form="csv"))
    assert rows[1] == [text, "x"]


def test_negative_numbers_are_numbers() -> None:
    _, rows = rows_of(table_file(pl.DataFrame({"change": [-0.5]}), [], form="csv"))
    assert rows[1] == ["-0.5"]


def test_a_parquet_file_says_what_it_is_in_its_metadata() -> None:
    armed = FRAME.with_columns(model=pl.lit("=1+1"))
    data = table_file(armed, LINES, form="parquet")
    metadata = pq.read_metadata(io.BytesIO(data)).metadata
    assert json.loads(metadata[b"hinge.about"]) == LINES
    # Nothing runs there, so nothing is changed.
    assert pl.read_parquet(io.BytesIO(data)).equals(armed)


def test_the_same_table_gives_the_same_file() -> None:
    for form in ("csv", "parquet"):
        assert table_file(FRAME, LINES, form=form) == table_file(FRAME, LINES, form=form)


def lines(used: Panel, **changes: Any) -> list[str]:
    return about(used, DECLARATION, DECLARATION.planned.replace(**changes))


def test_every_export_says_study_panel_kind_source_and_choices() -> None:
    used = panel(study="composition", table="cells", source="Sec. 5", kind="published")
    found = lines(used)
    assert found[:5] == [
        "Hinge, study composition",
        f"Panel my file (sha256 {used.sha256})",
        "Kind: imported: rows that a reader brought; this session only",
        "Source: Sec. 5",
        "Departs from the planned setting in: nothing",
    ]
    assert found[5:] == DECLARATION.export_lines(DECLARATION.planned)
    assert len(found) == 5 + len(DECLARATION.choices)
    assert lines(panel())[3] == "Source: not stated"


def test_an_export_names_what_departs() -> None:
    found = lines(panel(), tau=0.3, comparator="power", alpha=0.5, **{"lambda": 0.5})
    departs = "Comparator, Exponent of the resident shares, Tolerance"
    assert found[4] == f"Departs from the planned setting in: {departs}"
    assert "Tolerance: 0.30 (planned: 0.20)" in found
    assert "Weight of equal categories: 0.50 (no effect here)" in found
