"""The multiverse page in a browser: links restore it, charts draw, a click looks around a mark."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.helpers import axe_violations, chart, open_page, sentence, settled

PATH = "/what-it-hinges-on"
QUERY = "study=composition&claim=religion.gpt-5.6&vary.tau=0.1&vary.tau=0.3&vary.measure=root_jsd"


def test_a_link_restores_claim_choices_and_values(page: Page) -> None:
    open_page(page, f"{PATH}?{QUERY}")
    expect(page.get_by_role("heading", level=2).first).to_contain_text("religion")
    for name in ("Tolerance", "Measure of distance"):
        expect(page.get_by_role("checkbox", name=name)).to_be_checked()
    expect(page.get_by_role("checkbox", name="Comparator", exact=False).first).not_to_be_checked()
    expect(page.get_by_text("All 6 combinations")).to_be_visible()
    page.get_by_role("button", name="Cite this view").click()
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    assert link == page.url
    before = sentence(page)
    open_page(page, link)
    assert sentence(page) == before
    assert page.url == link


def test_curve_and_choices_are_drawn_and_a_click_looks_around_it(page: Page) -> None:
    open_page(page, f"{PATH}?study=clauses&claim=v3.gemini-3.1-pro-preview.H2")
    curve = chart(page, "Pro Preview H2, v3: every estimate")
    beneath = chart(page, "The values beneath")
    expect(curve.locator("path[aria-label]").first).to_be_visible()
    expect(
        beneath.locator(".mark-rule path, .mark-rule line, .mark-rect path").first
    ).to_be_visible()
    # Most marks are hollow: their middle answers too.
    hollow = curve.locator('.mark-symbol path[aria-label*="not supported"]').first
    hollow.scroll_into_view_if_needed()
    box = hollow.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    settled(page)
    expect(page.get_by_role("heading", name="What this part has in common")).to_be_visible()


def test_axe_finds_nothing_after_a_move_and_the_note_leads_here(page: Page) -> None:
    open_page(page, "/contract-clauses")
    asked = page.get_by_role("button", name="Show what the planned verdicts hinge on")
    if asked.count():
        asked.click()
    link = page.get_by_role("link", name="Sonnet 5 H2, v3").first
    expect(link).to_be_visible(timeout=60_000)
    target = link.get_attribute("href")
    assert target is not None
    open_page(page, f"/{target}")
    expect(page.get_by_role("heading", level=2).first).to_contain_text("Claude Sonnet 5, v3")
    page.get_by_role("checkbox", name="Margin of equivalence").press("Space")
    settled(page)
    assert axe_violations(page) == []
