"""Each page by its own address, on a server that nobody has visited yet."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.helpers import open_page
from tests.browser.server import serve
from tests.declared import declared_pages


def test_every_address_opens_first_on_a_fresh_server(page: Page) -> None:
    # Opened first, a page whose address is its file's name would come without app.py and so
    # without the navigation; only a fresh server shows it.
    pages = declared_pages()
    assert pages
    for declared in pages:
        with serve() as server:
            open_page(page, f"{server.url}/{'' if declared.is_first else declared.url_path}")
            links = page.get_by_test_id("stSidebarNavLink")
            expect(links).to_have_count(len(pages))
            assert "Traceback" not in server.log, server.log
