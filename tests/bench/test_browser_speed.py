"""From a key press on a control to the repainted charts, and from the start to the first page.

Times are taken inside the page: from the key to the frame in which the last mark changed.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect

from core.choices import Choice, Declaration
from core.studies.about import STUDIES
from core.studies.clauses.choices import DECLARATION as CLAUSES
from core.studies.composition.choices import DECLARATION as COMPOSITION
from core.studies.filenames.choices import DECLARATION as FILENAMES
from core.studies.remedies.choices import DECLARATION as REMEDIES
from tests.bench.test_composition_draws import machine
from tests.browser.chromium import ARGUMENTS, on_the_system
from tests.browser.helpers import settled, slider
from tests.browser.server import Server, serve

MOVES, MOST_MOVES = 36, 96
"""Moves of a control that count, and those that are made at most to have as many."""
REST = 450
"""Milliseconds for which a page is left alone after a move."""
STEADY = 1.2
"""How much longer than at full speed a loop may take before and after a move that counts."""
CHARTS_AIM, PAGE_AIM, START_AIM = 200.0, 300.0, 3_000.0
"""Milliseconds: the governed charts and the whole page at the 95th percentile; the start."""


@dataclass(frozen=True)
class Control:
    """A choice that is moved to and fro, and the view in which it is."""

    declaration: Declaration
    key: str
    query: str = ""
    options: tuple[str, ...] = ()
    """Values to take in turn; empty for a slider, which goes in steps."""

    @property
    def choice(self) -> Choice:
        return self.declaration[self.key]

    @property
    def address(self) -> str:
        path = next(study.path for study in STUDIES if study.name == self.declaration.study)
        return f"{path}?{self.query}"


CONTROLS = (
    Control(COMPOSITION, "tau", "comparator=equal_category&tau=0.2"),
    Control(COMPOSITION, "gate", "comparator=equal_category&tau=0.2&gate=24"),
    Control(COMPOSITION, "lambda", "comparator=mixture&tau=0.2"),
    Control(COMPOSITION, "tau", "comparator=equal_category&tau=0.2&detail=cells"),
    Control(CLAUSES, "gate", options=("interval", "holm")),
    Control(CLAUSES, "alpha"),
    Control(CLAUSES, "margin", "section=Equivalence"),
    Control(FILENAMES, "alpha"),
    Control(FILENAMES, "errors", options=("HC3", "cluster")),
    Control(REMEDIES, "gap_bound"),
    Control(REMEDIES, "shift"),
    Control(REMEDIES, "threshold", "section=Rules&rule=threshold"),
    Control(REMEDIES, "referral", "section=Referral"),
    Control(REMEDIES, "recognised", "section=Channels"),
)

# Notes for each chart, and for the page, when it was last painted after a change. A chart that is
# drawn from scratch gets a new <svg>. Called before every move, since elements may be replaced.
WATCH = """
() => {
  const seen = window.hingeSpeed ??= {key: 0, charts: {}, page: 0, fresh: 0, known: new WeakSet()};
  const waiting = new Set();
  const note = (name) => {
    if (!waiting.size) requestAnimationFrame(() => {
      const now = performance.now();
      for (const each of waiting) if (each === "") seen.page = now; else seen.charts[each] = now;
      waiting.clear();
    });
    waiting.add(name);
  };
  const watch = (element, name, changed) => {
    if (seen.known.has(element)) return;
    seen.known.add(element);
    new MutationObserver((changes) => {
      // What a data grid shows is on a canvas; its copy for screen readers follows 200 ms later.
      const shown = changes.filter((c) => !(c.target.closest ? c.target : c.target.parentElement)
        ?.closest("canvas"));
      if (shown.length) { note(name); changed(shown); }
    }).observe(
      element, {subtree: true, childList: true, attributes: true, characterData: true});
  };
  for (const chart of document.querySelectorAll("[data-testid='stVegaLiteChart']"))
    watch(chart, chart.ariaLabel, (changes) => {
      for (const change of changes)
        for (const node of change.addedNodes) if (node.nodeName === "svg") seen.fresh += 1;
    });
  for (const part of document.querySelectorAll("[data-testid='stMain'], [data-testid='stSidebar']"))
    watch(part, "", () => {});
  if (!seen.known.has(document)) addEventListener("keydown", () => {
    Object.assign(seen, {key: performance.now(), charts: {}, page: 0, fresh: 0});
  }, true);
  seen.known.add(document);
}
"""
READ = """
() => {
  const {key, charts, page, fresh} = window.hingeSpeed;
  return {charts: Object.values(charts).map((at) => at - key), page: page - key, fresh};
}
"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    found = on_the_system()
    own = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **own, "args": ARGUMENTS}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


def pulse() -> float:
    """Milliseconds of a fixed loop: on a shared machine a processor may run at half its speed."""
    start = time.perf_counter()
    for number in range(100_000):
        number * number % 7
    return 1e3 * (time.perf_counter() - start)


@dataclass
class Processors:
    """Processor time of server and browser: unlike waiting, hardly longer on a busy machine."""

    server: Server
    session: CDPSession

    def spent(self) -> tuple[float, float]:
        """Seconds so far."""
        with open(f"/proc/{self.server.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        ticks = int(fields[11]) + int(fields[12])
        processes = self.session.send("SystemInfo.getProcessInfo")["processInfo"]
        drawing = sum(p["cpuTime"] for p in processes if p["type"] == "renderer")
        return ticks / os.sysconf("SC_CLK_TCK"), drawing


def late(values: list[float]) -> float:
    """95th percentile."""
    return sorted(values)[int(0.95 * len(values))]


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(address)
    expect(page.get_by_role("main").get_by_role("heading", level=2).first).to_be_visible(
        timeout=60_000
    )
    return page


def handle_of(page: Page, control: Control) -> Locator:
    if not control.options:
        return slider(page, control.choice.label)
    return page.get_by_role("combobox", name=re.compile(re.escape(control.choice.label))).first


def move(handle: Locator, control: Control, number: int) -> None:
    """Four steps there and four back, or one option after the other; the last key is the move."""
    if control.options:
        value = control.options[number % len(control.options)]
        labels = {option.value: option.label for option in control.choice.options}
        handle.fill(labels[value])
        handle.press("Enter")
    else:
        handle.press("ArrowRight" if number // 4 % 2 == 0 else "ArrowLeft")


def _times(moves: list[dict[str, Any]]) -> tuple[list[float], list[float]]:
    """Milliseconds to the last chart, where one changed, and to the last change of the page."""
    charts = [max(move["charts"]) for move in moves if move["charts"]]
    return charts, [move["page"] for move in moves]


def test_controls(browser: Browser, server: Server) -> None:
    print(f"\n{machine()}; milliseconds from the key press, {MOVES} moves a control")
    print(f"aims at the 95th percentile: charts {CHARTS_AIM:.0f}, whole page {PAGE_AIM:.0f}")
    print("counted: moves before and after which a processor ran at full speed; all: every move")
    print("new: charts drawn from scratch, over all moves")
    full = min(pulse() for _ in range(60))
    heads = ("charts: median", "p95", "page: median", "p95", "all: p95", "p95", "counted")
    print(f"{'control':<48}{heads[0]:>15}{heads[1]:>8}{heads[2]:>15}{heads[3]:>8}", end="")
    print(f"{heads[4]:>10}{heads[5]:>8}{heads[6]:>9}{'cpu: server':>13}{'browser':>9}{'new':>5}")
    slow = []
    for control in CONTROLS:
        page = opened(browser, f"{server.url}/{control.address}")
        settled(page)
        processors = Processors(server, browser.new_browser_cdp_session())
        name = f"{control.declaration.study}: {control.choice.label}"
        handle = handle_of(page, control)
        handle.focus()
        moves: list[dict[str, Any]] = []
        counted: list[dict[str, Any]] = []
        # The first two are neither counted nor among all.
        for number in range(-2, MOST_MOVES):
            if number == 0:
                before = processors.spent()
            page.evaluate(WATCH)
            speed = pulse()
            move(handle, control, number)
            # Not asked for at once: looking through the page in every frame takes time from it.
            page.wait_for_timeout(REST)
            settled(page, quiet_ms=0)
            if number >= 0:
                moves.append(page.evaluate(READ))
                if max(speed, pulse()) < STEADY * full:
                    counted.append(moves[-1])
            if len(counted) == MOVES:
                break
        after = processors.spent()
        page.context.close()
        # Where the machine hardly ever ran at full speed, every move counts.
        charts, whole = _times(counted if len(counted) > MOVES / 3 else moves)
        assert len(charts) > len(whole) / 3, f"{name} moves hardly any chart"
        # Now and then an axis needs another end; more often, something keeps charts from staying.
        fresh = sum(move["fresh"] for move in moves)
        assert fresh < len(moves) / 3, "charts are drawn from scratch"
        cost = [1e3 * (a - b) / len(moves) for a, b in zip(after, before, strict=True)]
        print(f"{name:<48}{median(charts):>15.0f}{late(charts):>8.0f}", end="")
        print(f"{median(whole):>15.0f}{late(whole):>8.0f}", end="")
        of_all = [late(times) for times in _times(moves)]
        print(f"{of_all[0]:>10.0f}{of_all[1]:>8.0f}{len(counted):>5} of {len(moves):<3}", end="")
        print(f"{cost[0]:>10.0f}{cost[1]:>9.0f}{fresh:>5}", flush=True)
        if late(charts) > CHARTS_AIM or late(whole) > PAGE_AIM:
            slow.append(name)
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    assert not slow


def test_start(browser: Browser) -> None:
    print(f"\n{machine()}; milliseconds from the start of the app, aim {START_AIM:.0f}")
    print(f"{'first page':<32}{'answers':>10}{'usable':>10}")
    slow = []
    for path in ("", *(study.path for study in STUDIES)):
        start = time.perf_counter()
        with serve() as server:
            answers = 1e3 * (time.perf_counter() - start)
            page = opened(browser, f"{server.url}/{path}")
            expect(page.get_by_test_id("stVegaLiteChart").first.locator("svg")).to_be_visible(
                timeout=60_000
            )
            settled(page, quiet_ms=0)
            usable = 1e3 * (time.perf_counter() - start)
            page.context.close()
        print(f"{path or 'overview':<32}{answers:>10.0f}{usable:>10.0f}")
        if usable > START_AIM:
            slow.append(path or "overview")
    assert not slow
