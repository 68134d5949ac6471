"""The filenames page: what its sidebar offers, what it says of changes, and its sections."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.reference import table
from core.studies.filenames.choices import DECLARATION, LABELS
from core.studies.filenames.design import label_name
from core.words import plain
from pages.sections.filenames import SECTIONS
from tests.pages.apps import ROOT, address, charts, run, tables

PAGE = ROOT / "pages" / "filenames.py"
CODE_LIKE = {
    "starred up",
    "starred down",
    "verdict all",
    "tried",
    "top",
    "estimator name",
    "cell sd",
    "deviation low",
    "persistent sd",
    "names",
}


def opened(**query: str) -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=60)
    at.query_params.update(query)
    return run(at)


def told(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


@pytest.mark.parametrize("study", ["1", "2"])
def test_each_study_offers_the_labels_it_has(study: str) -> None:
    at = opened(study=study)
    rows = table("filenames", "labels")
    names = rows.filter(rows[f"study_{study}"] == "1")["label"].to_list()
    pills = at.pills(key=f"filenames:{LABELS[study]}")
    assert pills.options == [label_name(name) for name in names]
    assert "This is the planned setting." in "\n".join(c.value for c in at.caption)
    other = LABELS["2" if study == "1" else "1"]
    assert not [p for p in at.pills if p.key == f"filenames:{other}"]


def test_labels_left_out_of_one_study_stay_out_after_a_look_at_the_other() -> None:
    at = opened(labels="neutral,claude,gemini,chatgpt,sergey")
    at.selectbox(key="filenames:study").set_value("2")
    run(at)
    assert "Labels that count" not in "\n".join(c.value for c in at.caption if "Departs" in c.value)
    at.selectbox(key="filenames:study").set_value("1")
    run(at)
    assert "chen" not in address(at, DECLARATION)["labels"]


def test_the_page_opens_on_what_the_verdicts_hinge_on() -> None:
    text = told(opened())
    assert "**The verdicts hinge on the standard error.**" in text
    assert "12 of 13 significant results" in text
    assert "hinge on the standard error" not in told(opened(study="2"))


def test_a_choice_of_a_section_leaves_the_last_change_alone() -> None:
    at = opened(section="Persistent or specific")
    assert "Last change" not in told(at)
    at.selectbox(key="filenames:draws").set_value("500")
    run(at)
    assert "Nothing changed" not in told(at)
    assert "Last change" not in told(at)
    at.slider(key="filenames:alpha").set_value(0.005)
    run(at)
    at.slider(key="filenames:alpha").set_value(0.01)
    run(at)
    _, _, said = told(at).partition("**Last change.** ")
    said, _, _ = said.partition("\n")
    assert said.startswith(f"Alpha from {plain('0.005')} to {plain('0.010')}")
    at.selectbox(key="filenames:draws").set_value("2000")
    run(at)
    assert said in told(at)


@pytest.mark.parametrize("study", ["1", "2"])
@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_has_headings_in_words(section: str, study: str) -> None:
    at = opened(section=section, study=study, contrast="chen:1,sergey:-1")
    assert at.query_params["section"] == section
    headings = {name for shown in tables(at) for name in shown.columns}
    assert not headings & CODE_LIKE
    if section == "Another panel":
        assert any("differ in 0 of " in text for text in told(at).splitlines())


def test_no_estimate_on_the_grid_shows_as_plain_zero() -> None:
    # Table 1 prints -0.001 for H4b of GPT-6.1 Sol.
    grid = next(c.data["verdicts"] for c in charts(opened()) if "verdicts" in c.data)
    row = grid.filter((grid["scope"] == "H4b") & (grid["model"] == "GPT-6.1 Sol"))
    assert row["text"].to_list() == ["−0.001"]
