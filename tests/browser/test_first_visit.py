"""Each page by its own address, on a server that nobody has visited yet."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.helpers import open_page
from tests.browser.server import serve
from tests.declared import declared_pages


def test_every_address_opens_first_on_a_fresh_server(page: Page) -> None:
    # Only a fresh server shows whether Streamlit takes the address for a file's, and answers with
    # that page alone, without the navigation, or with "page not found".
    pages = declared_pages()
    assert pages
    for declared in pages:
        with serve() as server:
            open_page(page, f"{server.url}/{'' if declared.is_first else declared.url_path}")
            expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
            for other in pages:
                link = page.get_by_role("link", name=str(other.title)).first
                expect(link).to_be_visible()
            expect(page.get_by_text("Page not found")).to_have_count(0)
            assert "Traceback" not in server.log, server.log
