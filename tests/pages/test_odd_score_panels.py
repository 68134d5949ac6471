"""The filenames page with readers' own panels that lack something, and with links to nothing."""

from __future__ import annotations

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from core.studies.filenames.choices import DECLARATION
from pages.sections.filenames import SECTIONS
from tests.core import score_rows
from tests.pages import files
from tests.pages.apps import ROOT, SECONDS, open_app, run, switch

OF_STUDY_2 = score_rows.random_marks(
    1, texts=score_rows.study_2_texts(3), labels=score_rows.STUDY_2
)
PANELS = {
    "1": score_rows.frame(score_rows.random_marks(1)),
    "2": score_rows.frame(OF_STUDY_2, study="2"),
}


def with_panel(frame: pl.DataFrame) -> AppTest:
    at = switch(open_app(), "panels")
    content = files.parquet(frame, files.cells("filenames", "scores"))
    at.file_uploader[0].set_value(("mine.parquet", content, ""))
    run(at)
    assert at.success, [error.value for error in at.error]
    return switch(at, "filenames")


def opened(**query: str) -> AppTest:
    at = AppTest.from_file(ROOT / "pages" / "filenames.py", default_timeout=SECONDS)
    at.query_params.update(query)
    return run(at)


def look_at(at: AppTest, study: str) -> None:
    at.selectbox(key="filenames:study").set_value(study)
    run(at)


@pytest.mark.parametrize("has", PANELS)
def test_a_panel_of_one_study_says_that_the_other_is_not_there(has: str) -> None:
    at = with_panel(PANELS[has])
    lacks = {"1": "2", "2": "1"}[has]
    look_at(at, lacks)
    assert f"no marks of study {lacks}, only of study {has}" in at.warning[0].value
    look_at(at, has)
    assert not at.warning
    assert "model labels get" in at.header[0].value
    for section in SECTIONS:
        at.pills(key="filenames:section").set_value(section)
        run(at)
    look_at(at, lacks)
    assert "no marks of study" in at.warning[0].value


def test_a_panel_without_a_single_mark_has_a_reason_in_every_section() -> None:
    at = with_panel(PANELS["1"].with_columns(score=pl.lit(None, dtype=pl.Float64)))
    for section in SECTIONS:
        at.pills(key="filenames:section").set_value(section)
        run(at)
        if section == "Marks":
            assert any("nothing to show" in info.value for info in at.info)


def test_without_a_neutral_label_the_other_tests_are_told() -> None:
    labels = score_rows.STUDY_1[1:]
    at = with_panel(score_rows.frame(score_rows.random_marks(1, labels=labels)))
    opening = at.header[0].value
    assert opening.startswith("No judge has an estimate of H1.")
    assert not any("No test can be made" in text.value for text in at.markdown)
    one = with_panel(score_rows.frame(score_rows.random_marks(1, labels=["chen"])))
    assert any("No test can be made of the rows" in text.value for text in one.markdown)


def test_view_settings_of_a_link_that_are_not_there_are_listed() -> None:
    at = opened(section="nonsense", focus="nobody")
    told = at.warning[0].value
    assert "View setting section" in told
    assert "View setting focus" in told
    look_at(at, "2")
    assert "section" not in at.query_params


def test_going_back_to_before_the_first_move_undoes_it() -> None:
    at = opened()
    look_at(at, "2")
    at.pills(key="filenames:section").set_value("Marks")
    run(at)
    moved = {name: str(value) for name, value in at.query_params.items()}
    at.query_params.clear()
    run(at)
    assert at.selectbox(key="filenames:study").value == DECLARATION["study"].opening
    assert at.pills(key="filenames:section").value in (None, "")
    assert not at.query_params
    at.query_params.update(moved)
    run(at)
    assert at.selectbox(key="filenames:study").value == "2"
    assert at.pills(key="filenames:section").value == "Marks"
