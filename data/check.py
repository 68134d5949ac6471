"""Rebuild panels in a copy of the project and compare: ``python -m data.check STUDY...``.

On the machine that built the shipped panels the bytes are the same. Elsewhere another build of
numpy may round differently, so there the ledger has to be the same.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def copy_project(target: Path) -> None:
    """Copy the project without the panels that can be rebuilt: all of those are built anew."""
    left_out = shutil.ignore_patterns("__pycache__", "*-reconstructed-*.parquet")
    shutil.copytree(ROOT / "core", target / "core", ignore=left_out)
    shutil.copytree(ROOT / "data", target / "data", ignore=left_out)


def run(module: str, *arguments: str, root: Path) -> str:
    """Run a module of the project that lies at ``root``; its errors go to the terminal."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def files(folder: Path) -> dict[str, bytes]:
    """Contents by name of the files in a folder; none if there is no such folder."""
    if not folder.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def same(left: object, right: object) -> bool:
    """Tell whether two pieces of a ledger agree; numbers to about nine digits."""
    if isinstance(left, float) and isinstance(right, int | float):
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return left == right


def check(study: str, copy: Path) -> bool:
    """Rebuild one study's panels in the copy and say how they compare with the shipped ones."""
    print(f"{study}: rebuilding", flush=True)
    run("data.build", study, root=copy)
    shipped = files(ROOT / "data" / "panels" / study)
    rebuilt = files(copy / "data" / "panels" / study)
    if shipped.keys() != rebuilt.keys():
        print(f"{study}: other files, {sorted(shipped.keys() ^ rebuilt.keys())}")
        return False
    changed = [name for name in shipped if shipped[name] != rebuilt[name]]
    if not changed:
        print(f"{study}: same bytes, {len(shipped)} files")
        return True
    ledgers = [json.loads(run("core.fidelity", study, "--json", root=at)) for at in (ROOT, copy)]
    agree = same(*ledgers)
    print(f"{study}: bytes differ in {changed}; the ledger is {'the same' if agree else 'another'}")
    return agree


def main(studies: list[str]) -> int:
    """Check the studies named; the result is the exit code."""
    with tempfile.TemporaryDirectory(prefix="hinge-check-") as folder:
        copy = Path(folder)
        copy_project(copy)
        failed = [study for study in studies if not check(study, copy)]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
