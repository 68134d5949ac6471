"""Stories by keyboard, and their report without a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from core.stories.data import stories
from tests.browser.helpers import address, axe_violations, open_page, press, sentence, settled


def test_arrow_keys_lead_through_a_story_and_back(page: Page) -> None:
    open_page(page, "/guided-tours?story=gate")
    first = sentence(page)
    page.keyboard.press("ArrowRight")
    settled(page)
    expect(page.get_by_text("Step 2 of")).to_be_visible()
    assert sentence(page) != first
    assert address(page)["step"] == "2"
    page.keyboard.press("ArrowLeft")
    settled(page)
    assert sentence(page) == first


def test_a_step_opens_its_view(page: Page) -> None:
    open_page(page, "/guided-tours?story=gate&step=2")
    page.get_by_role("link", name="Open this view").click()
    settled(page)
    assert "/contract-clauses" in page.url
    assert address(page)["gate"] == "interval"


def test_a_storys_report_opens_offline(
    page: Page, new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    open_page(page, "/guided-tours?story=only-a-label")
    press(page, "Report")
    with page.expect_download() as event:
        page.get_by_role("button", name="Report as HTML", exact=True).click()
    event.value.save_as(tmp_path / "story.html")
    report = new_context(offline=True).new_page()
    report.goto((tmp_path / "story.html").as_uri())
    assert axe_violations(report) == []
    steps = report.get_by_role("heading", level=2)
    assert steps.count() > len(stories()["only-a-label"].steps)
