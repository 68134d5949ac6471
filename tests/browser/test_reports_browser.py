"""A report opens where there is no network: in Chromium, without errors, readable for all."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from core.report import link
from tests.browser.helpers import address, axe_violations, open_page, press, settled
from tests.core.reports import read_word

PATH = "/contract-clauses?gate=interval&alpha=0.1"


def taken(page: Page, label: str, path: Path) -> Path:
    """Ask for a report of the page that is open."""
    with page.expect_download() as event:
        page.get_by_role("button", name=label, exact=True).click()
    event.value.save_as(path)
    return path


def test_a_report_opens_offline_and_its_link_restores_the_view(
    page: Page, new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    open_page(page, PATH)
    press(page, "Report")
    html = taken(page, "Report as HTML", tmp_path / "report.html")
    word = taken(page, "Report as Word", tmp_path / "report.docx")
    shown = address(page)
    offline = new_context(offline=True)
    report = offline.new_page()
    report.goto(html.as_uri())
    heading = page.get_by_role("main").get_by_role("heading", level=2).first.inner_text()
    expect(report.locator(".answer")).to_have_text(heading)
    assert axe_violations(report) == []
    largest = report.evaluate(
        "Math.max(...[...document.querySelectorAll('body *')]"
        ".filter(e => !e.closest('svg')).map(e => parseFloat(getComputedStyle(e).fontSize)))"
    )
    answer = report.locator(".answer").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert answer == largest
    report.set_viewport_size({"width": 390, "height": 844})
    assert report.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe_violations(report) == []
    cited = report.get_by_role("link").get_attribute("href") or ""
    assert heading in "\n".join(p.text for p in read_word(word.read_bytes()).paragraphs)
    open_page(page, re.sub(r"^https?://[^/]+", "", cited))
    settled(page)
    assert link.read(cited).choices == link.read(f"{PATH}&panel={shown['panel']}").choices
    assert address(page) == shown
