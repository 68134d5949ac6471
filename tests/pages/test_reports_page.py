"""Reports on pages: nothing is made before somebody asks."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.report import make
from core.studies.about import STUDIES, Study
from core.studies.about import study as study_named
from core.studies.remedies.design import CONTRAST_KEYS
from core.studies.remedies.estimate import QUANTITIES
from pages.parts import reports
from pages.sections import DETAILS
from pages.sections import SECTIONS as COMPOSITION
from pages.sections.clauses import SECTIONS as CLAUSES
from pages.sections.filenames import SECTIONS as FILENAMES
from pages.sections.remedies import SECTIONS as REMEDIES
from tests.pages.apps import open_app, press, switch


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_a_report_is_offered_when_asked_for_and_not_made_before(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a report was made although nobody asked")

    monkeypatch.setattr(make, "_compose", fail)
    at = switch(open_app(), study.name)
    labels = [button.proto.label for button in at.get("download_button")]
    assert not set(labels) & set(reports.FORMS)
    press(at, f"report-{study.name}")
    labels = [button.proto.label for button in at.get("download_button")]
    assert set(reports.FORMS) <= set(labels)


SECTIONS = {
    "composition": COMPOSITION,
    "clauses": CLAUSES,
    "filenames": FILENAMES,
    "remedies": REMEDIES,
}


@pytest.mark.parametrize(("name", "sections"), SECTIONS.items())
def test_a_report_knows_every_part_that_a_page_can_open(
    name: str, sections: Mapping[str, object]
) -> None:
    assert study_named(name).parts["section"] == tuple(sections)


def test_a_report_knows_the_other_settings_of_pages() -> None:
    assert study_named("composition").parts["detail"] == tuple(DETAILS)
    assert study_named("remedies").parts["quantity"] == QUANTITIES
    assert study_named("remedies").parts["contrast"] == CONTRAST_KEYS
