"""Shipped panels: those that are listed are taken as they were made, all others are checked."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from core.panels import catalogue
from core.panels.catalogue import Shipped, shipped
from core.panels.problems import PanelError
from core.panels.read import read_panel
from core.paths import PANELS

FILES = sorted(PANELS.glob("*/*.parquet"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_shipped_panel_meets_its_contract(path: Path) -> None:
    assert read_panel(path).frame.height


def test_a_file_that_is_not_listed_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = shipped("composition", "cells")[0]
    folder = tmp_path / "composition"
    folder.mkdir()
    bad = pl.read_parquet(good.path).with_columns(n=-pl.col("n") - 1)
    table = bad.to_arrow(compat_level=pl.CompatLevel.oldest())
    table = table.replace_schema_metadata(pq.read_schema(good.path).metadata)
    pq.write_table(table, folder / good.path.name)
    (folder / "SHA256SUMS").write_text(f"{good.sha256}  {good.path.name}\n", encoding="utf-8")
    monkeypatch.setattr(catalogue, "PANELS", tmp_path)
    found: Shipped = shipped("composition", "cells")[0]
    with pytest.raises(PanelError):
        found.read()
