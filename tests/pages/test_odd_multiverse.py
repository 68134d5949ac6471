"""The multiverse page with readers' own panels that lack something, or are full of markup."""

from __future__ import annotations

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from core.panels.catalogue import shipped
from core.studies.about import study as about
from tests.core import score_rows
from tests.pages import files
from tests.pages.apps import all_texts, open_app, run, switch
from tests.pages.test_odd_remedy_panels import ODD
from tests.pages.test_text_is_text import marked_up


def with_panel(name: str, frame: pl.DataFrame) -> AppTest:
    """Bring a panel and look at it on the multiverse page."""
    at = switch(open_app(), "panels")
    at.pills(key="panels:study").set_value(name)
    run(at)
    content = files.parquet(frame, files.cells(name, about(name).table))
    at.file_uploader[0].set_value(("mine.parquet", content, ""))
    run(at)
    assert at.success, [error.value for error in at.error]
    at = switch(at, "multiverse")
    at.pills(key="multiverse:study").set_value(name)
    return run(at)


def rows(name: str) -> pl.DataFrame:
    return shipped(name, about(name).table)[0].read().frame


@pytest.mark.parametrize("odd", ODD)
def test_odd_remedy_panels(odd: str) -> None:
    at = with_panel("remedies", ODD[odd])
    if odd == "edits only":
        assert "no claims to judge" in at.warning[0].value
    else:
        assert at.header[0].value
        assert "reconstruction" not in at.header[0].value


@pytest.mark.parametrize("what", ["one run", "one model", "one clause", "no opaque labels"])
def test_odd_clause_panels(what: str) -> None:
    all_rows = rows("clauses")
    first = all_rows["archetype"][0]
    odd = {
        "one run": all_rows.filter(pl.col("run") == "v2"),
        "one model": all_rows.filter(pl.col("model") == "gpt-5.1"),
        "one clause": all_rows.filter(
            (pl.col("archetype") == first) & (pl.col("family") == "employment")
        ),
        "no opaque labels": all_rows.filter(pl.col("labels") == "role"),
    }
    at = with_panel("clauses", odd[what])
    assert at.header[0].value
    if what in ("one clause", "no opaque labels"):
        at.selectbox(key="multiverse:clauses:claim").select_index(1)
        run(at)
        assert "As planned there is no verdict" in at.header[0].value


@pytest.mark.parametrize("study", ["1", "2"])
def test_a_panel_of_one_study_of_labels(study: str) -> None:
    texts = {} if study == "1" else {
        "texts": score_rows.study_2_texts(3), "labels": score_rows.STUDY_2
    }  # fmt: skip
    at = with_panel("filenames", score_rows.frame(score_rows.random_marks(1, **texts), study=study))
    titles = at.selectbox(key="multiverse:filenames:claim").options
    assert titles
    assert all(f"study {study}" in title for title in titles)


@pytest.mark.parametrize("what", ["one model", "one role", "a few rows", "a few models"])
def test_odd_composition_panels(what: str) -> None:
    all_rows = rows("composition")
    one = all_rows.filter(pl.col("model") == "qwen3.7-max")
    odd = {
        "one model": one,
        "one role": all_rows.filter(pl.col("role") == "nurse"),
        "a few rows": one.filter(pl.col("context") == "USA").head(3),
        # Without the two models whose order the study reports to turn.
        "a few models": all_rows.filter(pl.col("model").is_in(["gpt-5.6", "kimi-k3"])),
    }
    at = with_panel("composition", odd[what])
    assert at.header[0].value
    assert "reconstruction" not in at.header[0].value
    offered = at.selectbox(key="multiverse:composition:claim").options
    assert any("nearer than" in title for title in offered) == (
        what in ("one role", "a few models")
    )
    if what == "a few rows":
        assert any("Why there is no verdict as planned" in info.value for info in at.info)


def test_a_panel_of_ones_own_opens_on_a_claim_with_a_verdict() -> None:
    # No file carries the judge's own label, so the study's first claim has no number.
    (panel,) = shipped("filenames", "scores", "collected")
    at = switch(open_app(), "multiverse")
    at.query_params.update({"study": "filenames", "panel": panel.hash})
    run(at)
    assert "As planned: not supported" in at.header[0].value.replace("\\", "")
    assert not any("Why there is no verdict" in info.value for info in at.info)


def test_names_are_text() -> None:
    frame = rows("composition")
    models = frame["model"].unique().sort().to_list()
    named = dict(zip(models, files.NASTY, strict=True))
    at = with_panel("composition", frame.with_columns(pl.col("model").replace_strict(named)))
    assert any("alert" in text or "onerror" in text for _, text in all_texts(at))
    assert not marked_up(at)
    at = switch(at, "composition")
    assert not marked_up(at)


def test_nothing_varies() -> None:
    at = switch(open_app(), "multiverse")
    at.query_params.update({"study": "composition", "vary.measure": "jsd"})
    run(at)
    for box in [box for box in at.checkbox if box.value]:
        box.uncheck()
    run(at)
    said = "\n".join(text for _, text in all_texts(at))
    assert "All 1 combination of the values below" in said
    # Single changes are tried all the same.
    assert "One change is enough" in said
