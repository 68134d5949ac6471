"""Keep finished parts of a panel, so that a build that was stopped goes on where it was."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

FOLDER = ".parts"

HERE = Path(__file__).resolve().parent


def kept(
    folder: Path,
    name: str,
    modules: tuple[str, ...],
    make: Callable[[], dict[str, np.ndarray]],
) -> dict[str, np.ndarray]:
    """Return the part of a name, made by the present code or kept from an earlier call.

    Parameters
    ----------
    folder : Path
        Where the panels are written.
    name : str
    modules : tuple of str
        Modules of this package that the part depends on: it is made anew when one has changed.
    make : callable
    """
    path = folder / FOLDER / f"{name}-{_digest(modules)}.npz"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part.npz")
        np.savez_compressed(unfinished, **make())
        unfinished.replace(path)
    with np.load(path) as found:
        return dict(found)


def _digest(modules: tuple[str, ...]) -> str:
    """Digest of the modules' code; comments and the layout of lines do not count."""
    trees = [ast.parse((HERE / f"{module}.py").read_text("utf-8")) for module in modules]
    code = "".join(ast.dump(_without_docstrings(tree)) for tree in trees)
    return hashlib.sha256(code.encode()).hexdigest()[:12]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not _is_text(part)]
    return tree


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def drop(folder: Path, number: int) -> None:
    """Forget the parts of a panel that is written."""
    for path in (folder / FOLDER).glob(f"*-{number}-*.npz"):
        path.unlink()
    if (folder / FOLDER).is_dir() and not any((folder / FOLDER).iterdir()):
        (folder / FOLDER).rmdir()
