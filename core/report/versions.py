"""What a report was made with."""

from __future__ import annotations

import platform
import tomllib
from functools import cache
from importlib.metadata import version

from core.paths import ROOT

PACKAGES = (
    *("numpy", "scipy", "polars", "pyarrow", "altair"),
    *("vl-convert-python", "Jinja2", "python-docx"),
)
"""Those that numbers, charts and files come from."""


@cache
def own() -> str:
    """Return Hinge's version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


@cache
def packages() -> str:
    """List Python and the packages with their versions."""
    return ", ".join(
        [f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in PACKAGES)]
    )
