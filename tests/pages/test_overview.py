"""The first page: its sentence is the composition page's own, and its links lead on."""

from __future__ import annotations

from core.panels.provenance import KINDS
from core.verdicts import MARKS
from tests.pages.apps import charts, open_app, open_composition


def test_the_thumbnail_says_and_draws_what_the_page_does() -> None:
    overview, page = open_app(), open_composition()
    said = "\n".join(text.value for text in overview.markdown)
    assert page.header[0].value in said
    (thumbnail,) = charts(overview)
    drawn = next(chart for chart in charts(page) if "models" in chart.data)
    shared = ["model", "resident", "chosen", "verdict_now"]
    assert (
        thumbnail.data["models"].select(shared).rows() == drawn.data["models"].select(shared).rows()
    )


def test_every_verdict_and_every_kind_is_explained() -> None:
    said = "\n".join(text.value for text in open_app().markdown)
    for verdict, mark in MARKS.items():
        assert verdict.value in said
        assert mark.symbol in said
        assert mark.meaning in said
    assert all(f"**{kind}**" in said for kind in KINDS)


def test_links_lead_to_the_other_pages() -> None:
    links = [node.proto.page for node in open_app().get("page_link")]
    assert set(links) == {"who-is-generated", "data-and-provenance"}
