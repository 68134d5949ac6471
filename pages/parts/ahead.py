"""What a first visit needs, loaded while its browser is still busy with Streamlit's own scripts."""

from __future__ import annotations

from importlib import import_module
from threading import Thread

MODULES = (
    "pages.parts.thumbnails",
    "pages.sections",
    "pages.sections.clauses",
    "pages.sections.filenames",
    "pages.sections.remedies",
)
"""They draw on nearly everything else."""


def load() -> None:
    """Import in a thread of its own; a page that comes first waits for what it needs itself."""
    Thread(target=lambda: [import_module(name) for name in MODULES], daemon=True).start()
