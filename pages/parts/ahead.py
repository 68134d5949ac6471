"""What a first visit needs, loaded while its browser is still busy with Streamlit's own scripts.

What takes long on other pages follows a little later.
"""

from __future__ import annotations

import time
from importlib import import_module
from threading import Thread

MODULES = (
    # Altair looks at pandas once some thread has begun to import it: here nobody meets half of it.
    "pandas",
    "pages.parts.thumbnails",
    "core.multiverse.shown",
    "core.charts.multiverse",
    "pages.sections",
    "pages.sections.clauses",
    "pages.sections.filenames",
    "pages.sections.remedies",
)
"""They draw on nearly everything else."""


LATER = 5.0
"""Seconds after which the first page is drawn as a rule; what other pages need can be read then."""


def load() -> None:
    """Work in a thread of its own; a page that comes first waits for what it needs itself."""
    Thread(target=_work, daemon=True).start()


def _work() -> None:
    for name in MODULES:
        import_module(name)
    panels = import_module("pages.parts.panels")
    panels.prepare()
    time.sleep(LATER)
    panels.prepare_twins()
