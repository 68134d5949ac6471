"""Reports as downloads: made when a form is asked for, never before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import streamlit as st

from core.panels.read import Panel
from core.report.document import Document
from core.report.html import write_html
from core.report.make import of_panel
from core.report.word import write_word
from pages.parts.panels import reduced


class Form(NamedTuple):
    """A form of report."""

    suffix: str
    mime: str
    write: Callable[[Document], bytes]


FORMS: Mapping[str, Form] = {
    "Report as HTML": Form("html", "text/html", write_html),
    "Report as Word": Form(
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        write_word,
    ),
}

LABEL = "Report"
ICON = ":material/article:"


def of_view(panel: Panel, address: str, name: str) -> None:
    """Offer the view at an address as a file; the buttons are drawn when the list is opened."""
    menu = st.popover(LABEL, icon=ICON, on_change="rerun", key=f"report-{name}")
    if not menu.open:
        return
    found = reduced(panel)
    with menu:
        st.write("This view as a file that stands alone, with every choice and its link in it.")
        downloads(lambda: of_panel(address, found), name)


def downloads(compose: Callable[[], Document], name: str) -> None:
    """Offer a report in every form."""
    with st.container(horizontal=True, gap="small"):
        for label, form in FORMS.items():
            st.download_button(
                label,
                data=lambda form=form: form.write(compose()),  # type: ignore[misc]
                file_name=f"hinge-{name}.{form.suffix}",
                mime=form.mime,
                on_click="ignore",
                key=f"report-{name}-{form.suffix}",
            )
