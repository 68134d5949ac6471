"""The remedies page in a browser: links, the bound, the rule, screen readers, phones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from core.studies.remedies.choices import DECLARATION
from core.verdicts import Verdict
from pages.sections.remedies import SECTIONS
from tests.browser.helpers import (
    address,
    chart,
    choose,
    dashed_line,
    marks,
    move_slider,
    no_exception,
    open_page,
    press,
    sentence,
    settled,
    slider_value,
)
from tests.browser.server import Server
from tests.browser.test_access import see_that_nothing_is_too_wide, serious

PATH = "/complaint-styles"
GAPS, UNSTABLE = "Signed: gaps between styles", "Unsigned: individual instability"
NARROW: ViewportSize = {"width": 390, "height": 844}
BOUND = DECLARATION["gap_bound"].label


def label(key: str, value: str) -> str:
    """Name of an option as a list shows it."""
    return DECLARATION[key].say(value)


def words(page: Page) -> list[str]:
    """The verdict now of every gap."""
    parts = [dict(p.split(": ", 1) for p in m.split("; ") if ": " in p) for m in marks(page, GAPS)]
    return [part["Verdict now"] for part in parts if "Verdict now" in part]


def bounds(page: Page) -> list[str | None]:
    """Where the chart of gaps draws the bound, on both sides of zero."""
    lines = chart(page, GAPS).locator("line[stroke-dasharray='5,4']").all()
    return [line.get_attribute("transform") for line in lines]


def test_a_link_opens_before_anything_else(page: Page, fresh_server: Server) -> None:
    asked = {
        "link": "1",
        "sample": "pooled",
        "system": "jev-1.13.0",
        "rule": "threshold",
        "threshold": "0.40",
        "gap_bound": "0.50",
        "referral": "35",
        "section": "Referral",
    }
    query = "&".join(f"{key}={value}" for key, value in asked.items())
    open_page(page, f"{fresh_server.url}{PATH}?{query}")
    shown = address(page)
    same = {"threshold": 0.4, "gap_bound": 0.5}
    assert {k: float(shown[k]) for k in same} == same
    assert {k: shown[k] for k in asked if k not in same} == {
        k: v for k, v in asked.items() if k not in same
    }
    assert slider_value(page, BOUND) == 0.5
    assert slider_value(page, DECLARATION["referral"].label) == 35
    expect(chart(page, "Who is referred")).to_be_visible()
    assert "Traceback" not in fresh_server.log, fresh_server.log


def test_the_bound_repaints_the_gaps_and_goes_back(page: Page) -> None:
    open_page(page, PATH)
    said, before = sentence(page), words(page)
    assert len(before) == 12
    line, unstable = bounds(page), marks(page, UNSTABLE)
    move_slider(page, BOUND, "Home")
    assert bounds(page) != line
    assert len(line) == 2
    assert not {Verdict.EQUIVALENT.value, Verdict.BOTH.value} & set(words(page))
    assert marks(page, UNSTABLE) == unstable
    expect(page.get_by_text("Departs from planned: Largest gap")).to_be_visible()
    press(page, "Back to planned")
    assert (words(page), bounds(page), sentence(page)) == (before, line, said)
    no_exception(page)


def test_the_rule_moves_both_scales_of_jev_alone(page: Page) -> None:
    open_page(page, PATH)
    before = marks(page, GAPS), marks(page, UNSTABLE)
    choose(page, DECLARATION["rule"].label, label("rule", "argmax"))
    for was, now in zip(before, (marks(page, GAPS), marks(page, UNSTABLE)), strict=True):
        changed = [b for a, b in zip(was, now, strict=True) if a != b]
        assert changed
        assert all("Jev" in text for text in changed)
    no_exception(page)


def test_the_volume_is_matched_with_a_button(page: Page) -> None:
    open_page(page, f"{PATH}?section=Rules&rule=threshold&threshold=0.80")
    line = dashed_line(page, "What it costs")
    press(page, "Match the volume of GPT-4o-mini")
    assert address(page).get("rule", "matched") == "matched"
    assert dashed_line(page, "What it costs") != line
    press(page, "Set the threshold by hand")
    assert address(page)["rule"] == "threshold"
    assert slider_value(page, DECLARATION["threshold"].label) < 0.8
    no_exception(page)


def test_a_cited_link_gives_the_same_view(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    open_page(page, f"{PATH}?section=Materiality&quantity=air")
    move_slider(page, DECLARATION["air_bound"].label, "ArrowRight", "ArrowRight")
    page.get_by_role("button", name="Cite this view").click()
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    page.keyboard.press("Escape")
    assert link == page.url
    parts = urlsplit(link)
    second = open_page(new_context().new_page(), f"{parts.path}?{parts.query}")
    assert address(second) == address(page)
    assert sentence(second) == sentence(page)
    title = "Impact ratio against its bound"
    assert marks(second, title) == marks(page, title)
    assert dashed_line(second, title) == dashed_line(page, title)


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_is_readable_and_fits_a_phone(page: Page, section: str) -> None:
    open_page(page, f"{PATH}?section={quote(section)}")
    assert serious(page) == []
    page.set_viewport_size(NARROW)
    settled(page)
    see_that_nothing_is_too_wide(page)
    no_exception(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_a_moved_page(
    page: Page, theme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=theme)
    open_page(page, f"{PATH}?gap_bound=0.30&rule=argmax&section=Materiality&quantity=h")
    assert serious(page) == []
    page.set_viewport_size(NARROW)
    settled(page)
    assert serious(page) == []
