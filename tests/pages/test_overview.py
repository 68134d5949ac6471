"""The first page: its sentence is the composition page's own, and its links lead on."""

from __future__ import annotations

import pytest

from core.panels.provenance import KINDS
from core.studies.about import STUDIES, Study
from core.verdicts import MARKS
from tests.declared import declared_pages
from tests.pages.apps import all_texts, charts, open_app, open_composition


def test_the_thumbnail_says_and_draws_what_the_page_does() -> None:
    overview, page = open_app(), open_composition()
    said = "\n".join(text.value for text in overview.markdown)
    assert page.header[0].value in said
    thumbnail = next(chart for chart in charts(overview) if "models" in chart.data)
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


def test_links_lead_to_every_other_page() -> None:
    links = [node.proto.page for node in open_app().get("page_link")]
    others = {page.url_path for page in declared_pages() if not page.is_first}
    assert set(links) == others


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_study_has_a_thumbnail_with_its_title_and_kind(study: Study) -> None:
    at = open_app()
    assert study.title in [heading.value for heading in at.subheader]
    kinds = [text for place, text in all_texts(at) if "-badge[" in text]
    assert len(kinds) == len(STUDIES)
