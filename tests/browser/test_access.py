"""Who cannot see well, has no mouse, or holds a phone: every page, both themes, both widths."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.helpers import axe_violations, open_page, settled
from tests.declared import DeclaredPage, declared_pages

WIDE: ViewportSize = {"width": 1440, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 844}
THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
LEFT_OF = """
() => [...document.querySelectorAll("body *")]
  .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
  .filter(e => !e.closest("[data-testid='stDataFrame'], [data-testid='stTable'], pre, svg"))
  .map(e => e.dataset.testid || e.tagName)
"""


def path_of(declared: DeclaredPage) -> str:
    return f"/{'' if declared.is_first else declared.url_path}"


def serious(page: Page) -> list[str]:
    return [found for found in axe_violations(page) if re.search(r"\((serious|critical)\)", found)]


def see_that_nothing_is_too_wide(page: Page) -> None:
    for scroller in ("html", "[data-testid='stMain']"):
        wide = page.locator(scroller).first.evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert wide[0] <= wide[1], (scroller, page.evaluate(LEFT_OF))


def turn_to(page: Page, theme: Literal["light", "dark"]) -> None:
    """Let the system's theme change while the page is open, and see that the page follows."""
    page.emulate_media(color_scheme=theme)
    settled(page)
    ground = page.get_by_test_id("stApp").evaluate("e => getComputedStyle(e).backgroundColor")
    lightness = sum(int(part) for part in re.findall(r"\d+", ground)[:3]) / 3
    assert (lightness > 127) == (theme == "light")


@pytest.mark.parametrize("declared", declared_pages(), ids=lambda page: page.url_path)
def test_axe_finds_nothing_serious_and_a_phone_shows_all(
    page: Page, declared: DeclaredPage
) -> None:
    # One visit, all four looks: loading takes longer than looking. Pages of their own study open
    # in the dark in their tests.
    open_page(page, path_of(declared))
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        for theme in THEMES:
            turn_to(page, theme)
            assert serious(page) == [], (size, theme)
    see_that_nothing_is_too_wide(page)


def test_the_sidebar_opens_on_a_phone(page: Page) -> None:
    page.set_viewport_size(NARROW)
    open_page(page, "/who-is-generated")
    tolerance = page.get_by_role("slider", name="Tolerance")
    expect(tolerance).not_to_be_in_viewport()
    page.get_by_test_id("stExpandSidebarButton").click()
    tolerance.scroll_into_view_if_needed()
    expect(tolerance).to_be_visible()
    before = tolerance.input_value()
    tolerance.press("ArrowRight")
    settled(page)
    assert tolerance.input_value() != before
    page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    expect(page.get_by_role("heading", level=2).first).to_be_in_viewport()


def test_the_page_is_worked_by_keyboard_alone(page: Page) -> None:
    open_page(page, "/who-is-generated")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.getAttribute('aria-label') || ''"))
    assert any("Tolerance" in name for name in reached)
    assert any("Comparator" in name for name in reached)
