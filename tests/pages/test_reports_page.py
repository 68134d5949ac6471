"""Reports on pages: nothing is made before somebody asks."""

from __future__ import annotations

import pytest

from core.report import make
from core.studies.about import STUDIES, Study
from pages.parts import reports
from tests.pages.apps import open_app, run, switch


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
    at.session_state[f"report-{study.name}"] = True
    run(at)
    labels = [button.proto.label for button in at.get("download_button")]
    assert set(reports.FORMS) <= set(labels)
