"""Reading and writing panels, the shipped ones, and the documented row shapes."""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path

import polars as pl
import pytest

from core.panels.catalogue import shipped
from core.panels.contract import Column
from core.panels.problems import PanelError, Problem
from core.panels.provenance import Pin, Provenance
from core.panels.read import read_panel, read_panel_bytes, write_panel
from core.panels.registry import CONTRACTS, contract_for
from tests.core.panel_files import columns, parquet

PROVENANCE = Provenance(
    "composition", "cells", "collected", title="Rows", seed="7", pins=(Pin("composition.a", 0.5),)
)
FRAME = pl.DataFrame(columns())


def test_a_panel_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "cells-collected-1.parquet"
    write_panel(FRAME, path, PROVENANCE)
    panel = read_panel(path)
    assert panel.frame.equals(FRAME)
    assert panel.provenance == PROVENANCE
    assert panel.name == "cells-collected-1"
    assert panel.contract is contract_for("composition", "cells")
    assert panel.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert panel.hash == panel.sha256[:12]


def test_equal_rows_give_equal_bytes(tmp_path: Path) -> None:
    one, other, third = (tmp_path / name for name in ("1.parquet", "2.parquet", "3.parquet"))
    write_panel(FRAME, one, PROVENANCE)
    write_panel(FRAME.reverse().select(*reversed(FRAME.columns)), other, PROVENANCE)
    assert one.read_bytes() == other.read_bytes()
    write_panel(read_panel(one).frame, third, read_panel(one).provenance)
    assert one.read_bytes() == third.read_bytes()
    write_panel(FRAME, third, dataclasses.replace(PROVENANCE, seed="8"))
    assert one.read_bytes() != third.read_bytes()


def test_rows_that_break_their_contract_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    with pytest.raises(PanelError, match="at least 0"):
        write_panel(FRAME.with_columns(n=pl.lit(-1)), path, PROVENANCE)
    with pytest.raises(PanelError, match="the study 'weather'"):
        write_panel(FRAME, path, dataclasses.replace(PROVENANCE, study="weather"))
    assert not path.exists()


def test_rows_are_written_with_the_types_they_are_read_with(tmp_path: Path) -> None:
    one, other = tmp_path / "1.parquet", tmp_path / "2.parquet"
    write_panel(FRAME, one, PROVENANCE)
    write_panel(FRAME.with_columns(pl.col("n").cast(pl.Int32)), other, PROVENANCE)
    assert one.read_bytes() == other.read_bytes()
    with pytest.raises(PanelError, match="column 'n': found Float64; expected integer"):
        write_panel(FRAME.with_columns(n=pl.col("n") + 0.5), other, PROVENANCE)


def test_a_missing_file_is_no_panel_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_panel(tmp_path / "nothing.parquet")


def test_the_same_bytes_are_the_same_panel() -> None:
    data = parquet(columns())
    one, other = read_panel_bytes(data, "one"), read_panel_bytes(data, "other")
    assert one.sha256 == other.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("table", ["cells", "evidence"])
def test_every_shipped_panel_can_be_read_and_says_what_it_is(table: str) -> None:
    found = shipped("composition", table)
    assert found
    for panel in found:
        assert panel.sha256 == hashlib.sha256(panel.path.read_bytes()).hexdigest()
        assert panel.sha256.startswith(panel.hash)
        read = panel.read()
        assert read.sha256 == panel.sha256
        assert (read.provenance.study, read.provenance.table) == ("composition", table)
        assert all((read.provenance.title, read.provenance.source, read.provenance.licence))
        assert bool(read.provenance.pins) == (read.provenance.kind == "reconstructed")
        assert panel.path.stem.startswith(f"{table}-{read.provenance.kind}-")


def test_shipped_panels_come_in_the_order_of_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.panels.catalogue.PANELS", tmp_path)
    for name in ("cells-collected-10", "cells-collected-9", "cells-imported-2", "evidence-x-1"):
        write_panel(FRAME, tmp_path / "composition" / f"{name}.parquet", PROVENANCE)
    assert [panel.path.stem for panel in shipped("composition", "cells")] == [
        "cells-collected-9",
        "cells-collected-10",
        "cells-imported-2",
    ]
    assert [panel.path.stem for panel in shipped("composition", "cells", "imported")] == [
        "cells-imported-2"
    ]
    assert shipped("nothing", "cells") == ()


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda c: f"{c.study} {c.table}")
def test_every_column_of_every_table_is_documented(contract) -> None:
    assert contract.meaning
    assert len(set(contract.names)) == len(contract.names)
    assert set(contract.key) <= set(contract.names)
    for column in contract.columns:
        assert column.meaning, column.name
        assert column.domain(), column.name
        assert "." not in column.name
        if column.holds == "integer":
            # Without ends, sums over the rows of a panel could overflow.
            assert column.minimum is not None
            assert column.maximum is not None
            assert column.maximum * 2_000_000 < 2**63
    shown = contract.as_frame()
    assert shown.columns == ["column", "values", "meaning"]
    assert shown["column"].to_list() == list(contract.names)


def test_tables_have_names_of_their_own() -> None:
    names = [(contract.study, contract.table) for contract in CONTRACTS]
    assert len(set(names)) == len(names)
    assert [contract_for(*name) for name in names] == list(CONTRACTS)


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (Column("a", "text", "m"), "text"),
        (Column("a", "text", "m", allowed=("x", "y")), "one of x, y"),
        (Column("a", "integer", "m", minimum=0), "integer, at least 0"),
        (Column("a", "integer", "m", maximum=1_000_000), "integer, at most 1,000,000"),
        (
            Column("a", "number", "m", minimum=0.5, maximum=1.5, nullable=True),
            "number, at least 0.5, at most 1.5, may be empty",
        ),
        (Column("a", "flag", "m"), "flag"),
    ],
    ids=["text", "options", "count", "large", "number", "flag"],
)
def test_a_column_says_what_it_may_hold(column: Column, said: str) -> None:
    assert column.domain() == said


def test_a_problem_says_where_what_and_what_to_do() -> None:
    everywhere = Problem("", "", "a", "b", "Do c.")
    assert everywhere.sentence() == "file: found a; expected b. Do c."
    somewhere = Problem("n", "3", "a", "b", "Do c.")
    assert somewhere.sentence() == "column 'n', row 3: found a; expected b. Do c."
    error = PanelError([everywhere, somewhere])
    assert error.problems == (everywhere, somewhere)
    assert str(error) == f"{everywhere.sentence()}\n{somewhere.sentence()}"
