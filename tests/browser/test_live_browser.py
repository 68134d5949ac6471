"""The page that checks one text, in a browser: from a clause to results and files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.live.providers.local import is_installed
from core.panels.read import read_panel
from tests.browser.helpers import axe_violations, choose, no_exception, open_page, settled
from tests.browser.server import Server, serve
from tests.core.live_server import Seen, completion, send, serving
from tests.core.test_live_checks import rate

PATH = "/check-one-text"
CLAUSE = "The Employer may end this Agreement at any time. The Employee's notice takes sixty days."
MARKS = {"Employer": 3, "Employee": 7, "Party A": 5, "Party B": 6}
KEY = "sk-planted-in-the-browser-0123456789"
NARROW = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An app whose replies are kept in a folder of this module."""
    with serve(env={"HINGE_CACHE": str(tmp_path_factory.mktemp("replies"))}) as server:
        yield server


def judge(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
    system, user = (message["content"] for message in seen.body["messages"])
    send(handler, completion(json.dumps(rate(MARKS)(system, user))))


def write(page: Page, label: str, text: str) -> None:
    """Fill a field and leave it."""
    box = page.get_by_role("textbox", name=label, exact=True)
    box.fill(text)
    box.press("Control+Enter")
    settled(page)


def no_sideways_scroll(page: Page) -> None:
    wide = page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")
    assert wide <= 0


def test_a_clause_from_its_words_to_its_files(page: Page, own_server: Server) -> None:
    with serving(judge) as server:
        open_page(page, f"{own_server.url}{PATH}")
        choose(page, "Provider", "Chat endpoint")
        write(page, "Base address", server.address.base_url)
        write(page, "Model", "judge-1")
        field = page.locator("input[type=password]")
        field.fill(KEY)
        field.press("Enter")
        settled(page)
        write(page, "Clause", CLAUSE)
        expect(page.get_by_text("The swap of Employer and Employee is lossless")).to_be_visible()
        page.get_by_role("button", name="It favours Employer").click()
        settled(page)
        assert server.requests == []
        page.get_by_role("button", name=f"Send 18 calls to {server.address.host}").click()
        said = page.get_by_role("heading", level=2).first
        expect(said).to_contain_text("rated 4.00 points less fair", timeout=30_000)
        settled(page)
        no_exception(page)
        assert len(server.requests) == 18
        assert all(s.headers["authorization"] == f"Bearer {KEY}" for s in server.requests)
    with page.expect_download() as started:
        page.get_by_role("button", name="Determinations as parquet").click()
    panel = read_panel(Path(started.value.path()))
    assert (panel.provenance.kind, panel.frame.height) == ("collected", 18)
    with page.expect_download() as started:
        page.get_by_role("button", name="Everything as JSON").click()
    everything = Path(started.value.path()).read_text("utf-8")
    assert len(json.loads(everything)["calls"]) == 18
    for place in (everything, page.url, page.content(), own_server.log):
        assert KEY not in place
    assert axe_violations(page) == []
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    settled(page)
    no_sideways_scroll(page)


@pytest.mark.skipif(not is_installed(), reason="make local was not run")
def test_the_local_model_answers_without_a_key(page: Page, own_server: Server) -> None:
    open_page(page, f"{own_server.url}{PATH}")
    page.get_by_role("radio", name="File name").click()
    settled(page)
    expect(page.get_by_text("not how good judges behave")).to_be_visible()
    write(page, "Text to be marked", "The moon pulls the water on the near side more strongly.")
    repeats = page.get_by_role("spinbutton", name="Answers to each prompt")
    repeats.fill("1")
    repeats.press("Enter")
    settled(page)
    page.get_by_role("button", name="Send 6 calls to 127.0.0.1").click()
    said = page.get_by_text("Model as the server names it: smollm2-135m-instruct.")
    expect(said).to_be_visible(timeout=120_000)
    expect(page.get_by_role("button", name="Scores as parquet")).to_be_visible()
    settled(page)
    no_exception(page)
