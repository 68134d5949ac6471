"""Which pages app.py offers."""

from __future__ import annotations

import runpy
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class DeclaredPage:
    """What st.Page was told."""

    source: object
    title: str | None
    url_path: str | None
    is_first: bool


class _EndOfDeclarations(Exception):
    """Raised in place of drawing the pages."""


def declared_pages() -> list[DeclaredPage]:
    """Run the script that app.py names up to its navigation and note each st.Page."""
    import streamlit as st

    pages: list[DeclaredPage] = []

    def note(
        page: object,
        *,
        title: str | None = None,
        url_path: str | None = None,
        default: bool = False,
        **_: object,
    ) -> object:
        pages.append(DeclaredPage(page, title, url_path, default))
        return page

    def stop(*_: object, **__: object) -> None:
        raise _EndOfDeclarations

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "Page", note)
        patch.setattr(st, "navigation", stop)
        patch.setattr(st, "session_state", {})
        patch.syspath_prepend(str(ROOT))
        script = runpy.run_path(str(ROOT / "app.py"))["app"].script_path
        with pytest.raises(_EndOfDeclarations):
            runpy.run_path(str(script))
    return pages
