"""The stories page: step by step, from the panel in use, with everything in the address."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.panels.read import read_upload
from core.stories import link
from core.stories.data import stories, unfilled
from pages.parts import panels as panel_store
from pages.parts import reports, tour
from tests.core.test_stories import shipped, swapped
from tests.pages import files
from tests.pages.apps import all_texts, captions, charts, open_app, press, run, switch
from tests.pages.test_text_is_text import marked_up


def opened(**query: str) -> AppTest:
    return follow(switch(open_app(), "stories"), **query)


def follow(at: AppTest, **query: str) -> AppTest:
    """Open a link of the page."""
    at.query_params.clear()
    at.query_params.update(query)
    return run(at)


def asked(at: AppTest) -> link.Asked:
    query = {name: at.query_params[name] for name in at.query_params}
    return link.read({name: [own] if isinstance(own, str) else own for name, own in query.items()})


@pytest.mark.parametrize("key", stories())
def test_every_step_says_its_headline_and_draws_its_chart(key: str) -> None:
    story = stories()[key]
    at = opened(story=key)
    for place, step in enumerate(story.steps):
        assert asked(at).step == place
        start = unfilled(step.headline).split("…")[0].lower()[:12]
        assert start in at.header[0].value.replace("\\", "").lower()
        assert not at.warning
        assert len(charts(at)) == 1
        assert step.because in captions(at).replace("\\", "")
        if place + 1 < len(story.steps):
            at.button(key="stories-Next").click()
            run(at)
    assert at.button(key="stories-Next").disabled
    at.button(key="stories-Back").click()
    run(at)
    assert asked(at).step == len(story.steps) - 2


def test_a_step_of_a_link_that_is_not_there_is_told_until_the_reader_moves_on() -> None:
    at = opened(story=next(iter(stories())), step="99")
    assert "no step from 1 to 6" in at.warning[0].value
    at.button(key="stories-Back").click()
    run(at)
    assert not at.warning


def test_keys_of_the_keyboard_move_on_and_back() -> None:
    at = opened()
    assert at.button(key="stories-Back").proto.shortcut.lower() == "left"
    assert at.button(key="stories-Next").proto.shortcut.lower() == "right"


def test_the_address_names_story_step_and_panels() -> None:
    at = opened(story="only-a-label", step="3")
    found = asked(at)
    assert (found.story.key, found.step) == ("only-a-label", 2)
    assert found.panels == {name: shipped(name).panel.hash for name in found.story.studies}


def test_another_story_starts_at_its_first_step() -> None:
    at = opened(story="gate", step="4")
    at.pills(key=tour.CHOSEN).set_value("label")
    run(at)
    assert (asked(at).story.key, asked(at).step) == ("label", 0)


def test_a_reader_who_comes_back_finds_the_same_step() -> None:
    at = opened(story="gate", step="4")
    switch(at, "panels")
    switch(at, "stories")
    assert (asked(at).story.key, asked(at).step) == ("gate", 3)


def test_a_story_that_is_not_there_is_said() -> None:
    at = opened(story="nope")
    assert any("expected one of" in warning.value for warning in at.warning)
    assert at.header


def test_a_story_that_is_not_there_is_told_as_text() -> None:
    at = opened(story="![](http://pictures.example/a.png)")
    assert at.warning
    assert not any("![](" in warning.value for warning in at.warning)


def test_notes_are_shown_when_asked_for() -> None:
    at = opened(story="gate")
    assert not at.info
    at.toggle(key=tour.NOTES).set_value(True)
    run(at)
    assert [i.value.replace("\\", "") for i in at.info] == [stories()["gate"].steps[0].notes]


def uploaded(content: bytes, name: str = "turned.parquet") -> AppTest:
    at = switch(open_app(), "panels")
    at.file_uploader[0].set_value((name, content, ""))
    run(at)
    assert at.success
    return at


def test_the_panel_in_use_decides_and_a_step_it_does_not_support_says_so() -> None:
    content = files.parquet(swapped("gpt-5.1").frame, files.cells("clauses", "determinations"))
    at = switch(uploaded(content), "stories")
    follow(at, story="gate", step="2")
    assert "does not hold" in at.header[0].value
    assert any("GPT\\-5\\.1 H2, v3 is “opposite”" in warning.value for warning in at.warning)
    assert asked(at).panels["clauses"] == read_upload(content, "turned").hash


def test_a_panel_that_the_link_names_and_nobody_has_is_said() -> None:
    at = opened(story="gate", panels="0123456789ab")
    assert any("0123456789ab" in warning.value for warning in at.warning)
    assert charts(at)


def test_names_from_a_file_are_text() -> None:
    at = switch(uploaded(files.renamed(files.NASTY, title=files.NASTY[0])), "stories")
    for key in ("comparator", "only-a-label"):
        follow(at, story=key, step="5")
        assert marked_up(at) == []


def test_the_report_is_offered_when_asked_for() -> None:
    at = opened(story="gate")
    press(at, "report-story-gate")
    labels = [button.proto.label for button in at.get("download_button")]
    assert set(reports.FORMS) <= set(labels)


def test_a_step_leads_to_its_view() -> None:
    at = opened(story="gate", step="2")
    (found,) = [node.proto for node in at.get("page_link")]
    assert found.page == "contract-clauses"
    assert any("gate=interval" in text for _, text in all_texts(at))


class Address(dict[str, str]):
    """Stands for the address of a session."""

    def from_dict(self, query: Mapping[str, str]) -> None:
        self.clear()
        self.update(query)


def test_presses_that_come_before_the_page_is_drawn_again_all_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = SimpleNamespace(session_state={}, query_params=Address())
    monkeypatch.setattr(tour, "st", session)
    story = stories()["gate"]
    panels = {name: panel_store.InUse(shipped(name).panel, asked_for="") for name in story.studies}
    drawn = tour.Tour(story, 1, panels)
    steps = []
    for by in (1, 1, -1, 1, 1, 1, 1, -1):
        tour._go(drawn, by)
        steps.append(session.query_params["step"])
    # From the second step on, and no farther than the last.
    assert steps == ["3", "4", "3", "4", "5", "6", "6", "5"]
    # Another story that is drawn meanwhile starts from where it stands itself.
    tour._go(tour.Tour(stories()["label"], 0, panels), 1)
    assert session.query_params["story"] == "label"
    assert session.query_params["step"] == "2"
