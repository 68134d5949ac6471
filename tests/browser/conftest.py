"""The app in a real browser: one server for all tests, or a fresh one for a test that asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, WebSocket

from tests.browser.chromium import ARGUMENTS, on_the_system
from tests.browser.server import Server, serve

HOME = {"127.0.0.1", "localhost", ""}


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the system's Chromium where there is one, else Playwright's."""
    found = on_the_system()
    own = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **own, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A laptop's window, the light theme, no animations."""
    look = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
    return {**browser_context_args, **look, "locale": "en-GB", "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def app_server() -> Iterator[Server]:
    """The server that tests share."""
    with serve() as server:
        yield server


@pytest.fixture(scope="session")
def base_url(app_server: Server) -> str:
    """Where the shared server is: page.goto("/path") goes there."""
    return app_server.url


@pytest.fixture
def fresh_server() -> Iterator[Server]:
    """A server that nobody has visited: the first visit is the test's own."""
    with serve() as server:
        yield server


# Streamlit asks below the page's own address first, and finds the right one after that.
ASKED_AT_THE_WRONG_ADDRESS = ("/_stcore/health", "/_stcore/host-config")


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext],
) -> Iterator[Callable[..., BrowserContext]]:
    """Watch every context: no requests to other machines, no errors on the console."""
    strangers: list[str] = []
    errors: list[str] = []

    def note(url: str) -> None:
        if urlsplit(url).hostname not in HOME | {None}:
            strangers.append(url)

    def note_socket(socket: WebSocket) -> None:
        note(socket.url)

    def note_console(message: ConsoleMessage) -> None:
        at = message.location["url"]
        if message.type == "error" and not at.endswith(ASKED_AT_THE_WRONG_ADDRESS):
            errors.append(f"{message.text} ({at})")

    def watch_sockets(page: Page) -> None:
        page.on("websocket", note_socket)

    def watched(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.on("request", lambda request: note(request.url))
        context.on("console", note_console)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.on("page", watch_sockets)
        return context

    yield watched
    assert not strangers, f"the page asked other machines for {sorted(set(strangers))}"
    assert not errors, f"the page reported {sorted(set(errors))}"
