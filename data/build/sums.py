"""Checksums of the shipped panels: ``python -m data.build.sums`` after a collection."""

from __future__ import annotations

import hashlib
from pathlib import Path

from core.paths import PANELS

SUMS = "SHA256SUMS"


def write_sums(folder: Path) -> None:
    """Write the checksums of every panel in a folder, in the format of sha256sum."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.glob("*.parquet"))
    ]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    for each in sorted(path for path in PANELS.iterdir() if path.is_dir()):
        write_sums(each)
