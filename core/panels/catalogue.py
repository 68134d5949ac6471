"""The panels that ship with Hinge."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from core.panels.provenance import KIND_MEANINGS
from core.panels.read import Panel, read_panel
from core.paths import PANELS

KINDS: tuple[str, ...] = tuple(KIND_MEANINGS)


@dataclass(frozen=True, slots=True)
class Shipped:
    """A shipped panel file; its rows are read only when it is used."""

    study: str
    table: str
    path: Path
    sha256: str

    @property
    def hash(self) -> str:
        """First twelve digits of the checksum, as in links."""
        return self.sha256[:12]

    def read(self) -> Panel:
        """Read the panel; its values are checked unless it is listed, as when it was written."""
        return read_panel(self.path, is_checked=self.sha256 in _listed(self.path.parent))


def _listed(folder: Path) -> frozenset[str]:
    """Checksums of the files that ship in a folder: their values were checked as they were made."""
    sums = folder / "SHA256SUMS"
    lines = sums.read_text(encoding="utf-8").splitlines() if sums.is_file() else []
    return frozenset(line.split("  ", 1)[0] for line in lines)


def shipped(study: str, table: str, kind: str = "") -> tuple[Shipped, ...]:
    """List the shipped panels of one table: by kind, then by number.

    File names are ``<table>-<kind>-<number>.parquet``. With ``kind``, only panels of that kind.
    """
    paths = sorted((PANELS / study).glob(f"{table}-{kind or '*'}-*.parquet"), key=_order)
    return tuple(
        Shipped(study, table, path, hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths
    )


def _order(path: Path) -> tuple[int, str, int]:
    """Sort reconstructed panels before collected ones: a page opens on the first."""
    name, _, number = path.stem.rpartition("-")
    kind = name.rpartition("-")[2]
    place = KINDS.index(kind) if kind in KINDS else len(KINDS)
    return place, name, int(number) if number.isdigit() else 0
