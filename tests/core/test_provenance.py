"""Where a panel comes from, in its file's metadata; and what becomes of it in an upload."""

from __future__ import annotations

import json

import pytest

from core.panels.provenance import (
    KIND_MEANINGS,
    KINDS,
    MAX_FIELD,
    Pin,
    Provenance,
    from_metadata,
)
from core.panels.read import read_panel_bytes
from tests.core.panel_files import accepted, columns, parquet, refused, sentences

FULL = Provenance(
    study="composition",
    table="cells",
    kind="reconstructed",
    title="Ein Titel, „zitiert“",
    source="Sec. 1; \N{GREEK SMALL LETTER RHO}",
    licence="CC0-1.0",
    generator="data.build",
    seed="4",
    pins=(Pin("composition.a", 0.0005), Pin("composition.b", 0.0)),
)


@pytest.mark.parametrize("kind", KINDS)
def test_provenance_survives_its_metadata(kind: str) -> None:
    provenance = Provenance("composition", "cells", kind)  # type: ignore[arg-type]
    assert from_metadata(provenance.to_metadata()) == provenance
    assert KIND_MEANINGS[provenance.kind]


def test_every_field_survives_the_metadata_of_a_file() -> None:
    assert from_metadata(FULL.to_metadata()) == FULL
    read = read_panel_bytes(parquet(columns(), FULL.to_metadata()), "x").provenance
    assert read == FULL
    assert read.pinned_ids == {"composition.a", "composition.b"}


@pytest.mark.parametrize("missing", ["hinge.study", "hinge.table"])
def test_a_file_that_does_not_say_what_it_is_has_no_provenance(missing: str) -> None:
    metadata = FULL.to_metadata()
    del metadata[missing]
    assert from_metadata(metadata) is None
    assert from_metadata({}) is None
    # Its columns say which table it is; the name of the file becomes its title.
    found = accepted(parquet(columns(), metadata))
    assert found.provenance == Provenance("composition", "cells", "imported", title="mine")


@pytest.mark.parametrize("kind", KINDS)
def test_an_upload_is_imported_whatever_it_says(kind: str) -> None:
    metadata = FULL.to_metadata() | {"hinge.kind": kind}
    found = accepted(parquet(columns(), metadata)).provenance
    assert found.kind == "imported"
    assert found.pins == ()
    assert (found.title, found.source, found.seed) == (FULL.title, FULL.source, FULL.seed)


BROKEN_PINS = {
    "no JSON": "not json",
    "cut off": '[{"figure_id": "a", "toler',
    "a number": "5",
    "a list of numbers": "[1, 2]",
    "a list of texts": '["a"]',
    "an object": '{"figure_id": "a", "tolerance": 1}',
    "no tolerance": '[{"figure_id": "a"}]',
    "no id": '[{"tolerance": 1}]',
    "a tolerance that is a word": '[{"figure_id": "a", "tolerance": "small"}]',
    "a tolerance that is nothing": '[{"figure_id": "a", "tolerance": null}]',
    "a tolerance that is no number": '[{"figure_id": "a", "tolerance": NaN}]',
    "an infinite tolerance": '[{"figure_id": "a", "tolerance": Infinity}]',
    "a negative tolerance": '[{"figure_id": "a", "tolerance": -1}]',
    "a tolerance beyond any number": json.dumps([{"figure_id": "a", "tolerance": 10**400}]),
    "more digits than are read": f'[{{"figure_id": "a", "tolerance": {"9" * 10_000}}}]',
    "lists in lists": "[" * 100_000,
}


@pytest.mark.parametrize("pins", BROKEN_PINS.values(), ids=BROKEN_PINS)
def test_pins_that_cannot_be_read_are_refused(pins: str) -> None:
    metadata = FULL.to_metadata() | {"hinge.pins": pins}
    with pytest.raises(ValueError, match=r"hinge\.pins"):
        from_metadata(metadata)
    (problem,) = refused(parquet(columns(), metadata))
    assert problem.found.startswith("metadata that cannot be read (hinge.pins")
    assert problem.todo == "Mend or drop the field."


@pytest.mark.parametrize("kind", ["genuine", "", "Published", "x" * 1000, "a\nb"])
def test_an_unknown_kind_is_refused(kind: str) -> None:
    metadata = FULL.to_metadata() | {"hinge.kind": kind}
    assert sentences(parquet(columns(), metadata)) == [
        f"file: found metadata that cannot be read (hinge.kind is {kind[:60]!r}; expected one of "
        "published, reconstructed, collected, imported); expected hinge fields as Hinge writes "
        "them. Mend or drop the field."
    ]


@pytest.mark.parametrize("field", ["title", "source", "licence", "generator", "seed", "study"])
def test_a_field_that_is_no_name_is_refused(field: str) -> None:
    longest = FULL.to_metadata() | {f"hinge.{field}": "x" * MAX_FIELD}
    assert from_metadata(longest) is not None
    longer = FULL.to_metadata() | {f"hinge.{field}": "x" * (MAX_FIELD + 1)}
    assert sentences(parquet(columns(), longer)) == [
        f"file: found metadata that cannot be read (hinge.{field} is longer than 2,000 "
        "characters); expected hinge fields as Hinge writes them. Mend or drop the field."
    ]


@pytest.mark.parametrize(
    ("study", "table"),
    [
        ("weather", "cells"),
        ("composition", "determinations"),
        ("../composition", "cells"),
        ("x" * 1000, "a\nb"),
    ],
    ids=["study", "table", "path", "strange"],
)
def test_a_table_that_there_is_not_is_refused(study: str, table: str) -> None:
    metadata = FULL.to_metadata() | {"hinge.study": study, "hinge.table": table}
    (problem,) = refused(parquet(columns(), metadata))
    assert problem.found == f"the table {table[:60]!r} of the study {study[:60]!r}"
    assert problem.expected.startswith("one of: composition cells, composition evidence")


def test_a_file_that_takes_itself_for_another_table_is_judged_by_that_one() -> None:
    metadata = FULL.to_metadata() | {"hinge.table": "evidence"}
    assert sentences(parquet(columns(), metadata)) == [
        "column 'evidence': found no such column; expected the 9 columns of composition / "
        "evidence. Add it (the tab “Row shapes” says what it holds), or choose another row shape."
    ]
    rows = columns(evidence=["footer_only", "relational"])
    assert accepted(parquet(rows, metadata)).contract.table == "evidence"
    # Without metadata the columns decide, and the larger table wins.
    assert accepted(parquet(rows)).contract.table == "evidence"


@pytest.mark.parametrize("version", ["0", "2", "", "1.0", "x" * 1000])
def test_a_file_of_another_version_is_refused(version: str) -> None:
    metadata = FULL.to_metadata() | {"hinge.schema": version}
    assert sentences(parquet(columns(), metadata)) == [
        f"file: found row-shape version {version[:60]!r}; expected version 1. Write the panel "
        "again with this version of Hinge."
    ]


def test_metadata_that_is_no_text_is_read_as_far_as_it_goes() -> None:
    raw = {"hinge.study": "composition", "hinge.table": "cells", "hinge.title": b"\xff\xfe"}
    found = accepted(parquet(columns(), raw)).provenance
    assert found.title == "\N{REPLACEMENT CHARACTER}" * 2


def test_other_metadata_is_left_alone() -> None:
    metadata = FULL.to_metadata() | {"pandas": "{not json", "other": "x" * 10_000}
    assert accepted(parquet(columns(), metadata)).provenance.title == FULL.title
