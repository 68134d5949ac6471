"""Small moves that every browser test makes."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

ROOT = Path(__file__).resolve().parent.parent.parent
PICTURES = ROOT / "test-results" / "pictures"

# Idle means: connected, no script running, nothing greyed out, for a while without a break.
# The while bridges the moment between a key press and the rerun it asks for.
IDLE = """
(quiet) => {
  const app = document.querySelector("[data-testid='stApp']");
  const idle = app
    && app.dataset.testScriptState === "notRunning"
    && app.dataset.testConnectionState === "CONNECTED"
    && !document.querySelector("[data-stale='true'], [data-testid='stSkeleton']");
  if (!idle) { window.hingeIdleSince = undefined; return false; }
  window.hingeIdleSince ??= performance.now();
  return performance.now() - window.hingeIdleSince >= quiet;
}
"""


def settled(page: Page, *, quiet_ms: int = 400, timeout_ms: int = 60_000) -> Page:
    """Wait until the app is idle."""
    page.evaluate("window.hingeIdleSince = undefined")
    page.wait_for_function(IDLE, arg=quiet_ms, timeout=timeout_ms)
    return page


def open_page(page: Page, path: str = "/") -> Page:
    """Go to a path or an address, wait until the app is idle, and see that nothing failed."""
    page.goto(path)
    settled(page)
    no_exception(page)
    return page


def no_exception(page: Page) -> None:
    """See that the page shows no failure of the script."""
    failures = page.get_by_test_id("stException")
    assert failures.count() == 0, failures.first.inner_text()


def slider(page: Page, name: str, *, thumb: int = 0) -> Locator:
    """Find a slider by its label; a range slider has a second thumb.

    The accessible name holds the label twice, so the label can't be matched exactly.
    """
    return page.get_by_role("slider", name=re.compile(re.escape(name))).nth(thumb)


def move_slider(page: Page, name: str, *keys: str, thumb: int = 0) -> Locator:
    """Press keys on a slider (ArrowRight, End, ...) and wait for the answer."""
    handle = slider(page, name, thumb=thumb)
    expect(handle).to_be_visible()
    handle.focus()
    for key in keys:
        handle.press(key)
    settled(page)
    return handle


def slider_value(page: Page, name: str, *, thumb: int = 0) -> float:
    """Read where a slider stands."""
    return float(slider(page, name, thumb=thumb).input_value())


def chart(page: Page, title: str) -> Locator:
    """Find a chart by the beginning of its title."""
    return page.locator(f"[data-testid='stVegaLiteChart'][aria-label^='{title}']")


def marks(page: Page, title: str) -> list[str]:
    """Read what a chart tells of each of its marks."""
    symbols = chart(page, title).locator("[role='graphics-symbol'][aria-label]")
    texts: list[str] = symbols.evaluate_all("all => all.map(e => e.ariaLabel)")
    return texts


def dashed_line(page: Page, title: str) -> str:
    """Read where a chart draws the line of a slider."""
    line = chart(page, title).locator("line[stroke-dasharray='5,4']")
    return line.get_attribute("transform") or ""


def sentence(page: Page) -> str:
    """Read the sentence that a page opens with."""
    return page.get_by_role("main").get_by_role("heading", level=2).first.inner_text()


def address(page: Page) -> dict[str, str]:
    """Read the parameters in the address."""
    return dict(parse_qsl(urlsplit(page.url).query, keep_blank_values=True))


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option of a select box by keyboard and wait for the answer."""
    box = page.get_by_role("combobox", name=re.compile(re.escape(label))).first
    box.focus()
    box.fill(option)
    box.press("Enter")
    settled(page)


def press(page: Page, label: str) -> None:
    """Press a button by its whole label and wait for the answer."""
    page.get_by_role("button", name=label, exact=True).click()
    settled(page)


def screenshot(page: Page, name: str, *, height: int | None = None) -> Path:
    """Keep a picture under test-results/pictures.

    The page scrolls inside a container, so a full page needs a tall window: give its height.
    """
    size = page.viewport_size
    if height is not None and size is not None:
        page.set_viewport_size({"width": size["width"], "height": height})
        settled(page)
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path)
    if height is not None and size is not None:
        page.set_viewport_size(size)
    return path


def axe_violations(page: Page, *, without: tuple[str, ...] = ()) -> list[str]:
    """List what axe finds wrong for people who use a screen reader or a keyboard.

    ``without`` names rules whose findings lie in Streamlit itself; say which and why.
    """
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}: {node['html'][:200]}"
        for rule in found
        if rule["id"] not in without
        for node in rule["nodes"]
    ]
