"""Reports as downloads: made when a form is asked for, never before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from core.panels.read import Panel
from pages.parts import menu
from pages.parts.panels import reduced

# What makes a report is loaded when somebody asks for one: a page starts faster without it.
if TYPE_CHECKING:
    from core.report.document import Document


class Form(NamedTuple):
    """A form of report."""

    suffix: str
    mime: str
    write: Callable[[Document], bytes]


def _write_html(report: Document) -> bytes:
    from core.report.html import write_html

    return write_html(report)


def _write_word(report: Document) -> bytes:
    from core.report.word import write_word

    return write_word(report)


FORMS: Mapping[str, Form] = {
    "Report as HTML": Form("html", "text/html", _write_html),
    "Report as Word": Form(
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        _write_word,
    ),
}


def of_view(panel: Panel, address: str, name: str) -> None:
    """Offer the view at an address as a file."""

    def prepare() -> Callable[[], Document]:
        from core.report.make import of_panel
        from pages.parts import hinges

        found, singles = reduced(panel), hinges.known_single_changes(panel)
        return lambda: of_panel(address, found, singles)

    offer(
        prepare,
        name,
        "What the study’s page opens on, under these choices, as a file that stands alone, with "
        "every choice in it. Other parts of the page are not in it; its link opens the one you "
        "look at.",
    )


def offer(prepare: Callable[[], Callable[[], Document]], name: str, text: str) -> None:
    """Offer a report in every form, in a dialog.

    Parameters
    ----------
    prepare
        Called when the dialog opens: gathers what the session has, and returns what makes the
        report.
    name
        Of the file, and of the widgets.
    text
        What the file holds.
    """

    def fill() -> None:
        compose = prepare()
        st.write(text)
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

    menu.offer("Report", fill, key=f"report-{name}", icon=":material/article:")
