"""Panels that are built beside each other: all are built, and listed when all are there."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from data.build.sums import SUMS
from data.build.together import built

MADE_UP = """
def build(number, folder):
    (folder / f"rows-{number}.parquet").write_bytes(bytes([number]))
    return number != 2
"""


def test_every_panel_is_built_and_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # A page that ran in this process stays its main module, which every new process would run.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    (tmp_path / "made_up_build.py").write_text(MADE_UP, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert not built("made_up_build", [1, 2, 3], tmp_path)
    listed = (tmp_path / SUMS).read_text("utf-8").splitlines()
    assert [line.split()[1] for line in listed] == [f"rows-{n}.parquet" for n in (1, 2, 3)]
    assert built("made_up_build", [1, 3], tmp_path)
