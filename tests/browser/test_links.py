"""Links: opened before anything else on a server, and carried to another one."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from core.studies.composition.choices import DECLARATION
from tests.browser.helpers import (
    address,
    chart,
    marks,
    move_slider,
    open_page,
    sentence,
    settled,
    slider_value,
)
from tests.browser.server import Server, serve
from tests.declared import DeclaredPage, declared_pages

PATH = "/who-is-generated"
ASKED = {"link": "1", "comparator": "mixture", "lambda": "0.35", "tau": "0.31", "gate": "24"}


@pytest.mark.parametrize("declared", declared_pages(), ids=lambda page: page.url_path)
def test_an_address_with_parameters_opens_first(page: Page, declared: DeclaredPage) -> None:
    query = "&".join(f"{key}={value}" for key, value in ASKED.items())
    path = "" if declared.is_first else declared.url_path
    with serve() as server:
        open_page(page, f"{server.url}/{path}?{query}")
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(page.get_by_role("dialog")).to_have_count(0)
        for other in declared_pages():
            expect(page.get_by_role("link", name=str(other.title)).first).to_be_visible()
        assert "Traceback" not in server.log, server.log
    if f"/{path}" == PATH:
        for key in ("lambda", "tau", "gate"):
            assert slider_value(page, DECLARATION[key].label) == float(ASKED[key])
        assert {key: address(page)[key] for key in ASKED} == ASKED


def test_a_cited_link_shows_the_same_view_on_another_server(
    page: Page, new_context: Callable[..., BrowserContext], fresh_server: Server
) -> None:
    open_page(page, f"{PATH}?comparator=mixture&detail=cells")
    move_slider(page, DECLARATION["lambda"].label, "ArrowLeft", "ArrowLeft")
    focus = page.get_by_role("radiogroup", name="Model in focus below").get_by_role("radio").nth(3)
    name = focus.inner_text()
    focus.click()
    settled(page)
    chart(page, "Every cell of").locator(".mark-rect.role-mark path[aria-label]").nth(30).click()
    settled(page)
    page.get_by_role("button", name="Cite this view").click()
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    assert link == page.url
    titles = [
        node.get_attribute("aria-label") for node in page.get_by_test_id("stVegaLiteChart").all()
    ]
    told = [marks(page, str(title)) for title in titles]

    parts = urlsplit(link)
    second = open_page(new_context().new_page(), f"{fresh_server.url}{parts.path}?{parts.query}")
    assert sentence(second) == sentence(page)
    assert address(second) == address(page)
    expect(second.get_by_role("radio", name=name)).to_be_checked()
    again = [
        node.get_attribute("aria-label") for node in second.get_by_test_id("stVegaLiteChart").all()
    ]
    assert again == titles
    assert [marks(second, str(title)) for title in again] == told


def test_a_bad_value_in_a_link_is_announced(page: Page) -> None:
    open_page(page, f"{PATH}?tau=7&comparator=fair")
    notice = page.get_by_role("alert").filter(has_text="could not be restored exactly")
    expect(notice).to_contain_text(DECLARATION["tau"].label)
    expect(notice).to_contain_text("fair")
    _, repairs = DECLARATION.from_link({"tau": "7", "comparator": "fair"})
    for repair in repairs:
        expect(notice).to_contain_text(repair.sentence())
