"""The clauses page in a browser: links, the gate, screen readers, phones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from core.reference import table
from core.studies.clauses.choices import DECLARATION, INTERVAL_ALONE
from core.studies.clauses.design import RUN_NAMES, model_names
from tests.browser.helpers import (
    address,
    axe_violations,
    chart,
    choose,
    marks,
    no_exception,
    open_page,
    press,
    sentence,
    settled,
    slider_value,
)
from tests.browser.server import Server

PATH = "/contract-clauses"
GATE = DECLARATION["gate"]
NAMES = list(model_names().values())
NARROW = {"width": 390, "height": 844}


def label(gate: str) -> str:
    """Name of a gate as the list shows it."""
    return GATE.say(gate)


def matrix(page: Page, run: str) -> list[str]:
    """What the verdict matrix of a run tells of each of its marks."""
    found = marks(page, RUN_NAMES[run])
    assert found
    return found


def lost() -> set[tuple[str, str]]:
    """Cells of v3 that the document says Holm takes away, by name of the model."""
    rows = table("clauses", "verdicts").iter_rows(named=True)
    return {
        (model_names()[row["model"]], row["hypothesis"])
        for row in rows
        if (row["supported_ungated"], row["supported_gated"]) == ("yes", "no")
    }


def verdicts(told: list[str]) -> dict[tuple[str, str], str]:
    """The verdict now of each model and hypothesis, as marks tell them."""
    found = {}
    for text in told:
        parts = dict(part.split(": ", 1) for part in text.split("; ") if ": " in part)
        if "Verdict now" in parts:
            found[parts["Model"], parts["Scope"]] = parts["Verdict now"]
    return found


def checked(page: Page, group: str) -> str:
    """Which of some pills is the chosen one."""
    pills = page.get_by_role("radiogroup", name=group).get_by_role("radio", checked=True)
    return pills.inner_text()


def test_a_link_opens_before_anything_else(page: Page, fresh_server: Server) -> None:
    asked = {"link": "1", "gate": "bh", "alpha": "0.1", "margin": "0.3", "families": "employment"}
    view = {"run": "v2", "focus": NAMES[1], "hypothesis": "H3", "section": "Equivalence"}
    query = "&".join(f"{key}={value}" for key, value in (asked | view).items())
    open_page(page, f"{fresh_server.url}{PATH}?{query}")
    shown = address(page)
    assert {key: shown[key] for key in asked | view} == asked | view
    assert slider_value(page, DECLARATION["margin"].label) == 0.3
    assert checked(page, "Run below") == "v2"
    assert checked(page, "Model in focus") == NAMES[1]
    expect(chart(page, "Interval against the margin, v2")).to_be_visible()
    assert "Traceback" not in fresh_server.log, fresh_server.log


def test_the_gate_repaints_matrices_and_sentence(page: Page) -> None:
    open_page(page, PATH)
    before = {run: matrix(page, run) for run in RUN_NAMES}
    said = sentence(page)
    choose(page, GATE.label, label(INTERVAL_ALONE))
    off = {run: matrix(page, run) for run in RUN_NAMES}
    assert sentence(page).startswith("Turning Holm off: Sonnet 5 H2 and Pro Preview H2 in v3")
    assert off["v3"] != before["v3"]
    assert len(lost()) == 2
    for cell in lost():
        assert verdicts(before["v3"])[cell] == "not supported"
        assert verdicts(off["v3"])[cell] == "supported"
    for run, expected in {"v2": set(), "v3": lost()}.items():
        now, was = verdicts(off[run]), verdicts(before[run])
        stated = [cell for cell in now if cell[1] in ("H1", "H2", "H4")]
        assert {cell for cell in stated if now[cell] != was[cell]} == expected
    press(page, "Back to planned")
    assert {run: matrix(page, run) for run in RUN_NAMES} == before
    assert sentence(page) == said
    choose(page, GATE.label, "Bonferroni")
    assert sentence(page) != said
    assert address(page)["gate"] == "bonferroni"
    no_exception(page)


def test_a_cited_link_gives_the_same_view(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    open_page(page, PATH)
    choose(page, GATE.label, label(INTERVAL_ALONE))
    wanted = {
        "Run below": "v2",
        "Model in focus": NAMES[2],
        "Hypothesis": "H1",
        "Look further": "Equivalence",
    }
    for group, name in wanted.items():
        page.get_by_role("radiogroup", name=group).get_by_role("radio", name=name).click()
        settled(page)
    page.get_by_role("button", name="Cite this view").click()
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    page.keyboard.press("Escape")
    assert link == page.url
    titles = [node.get_attribute("aria-label") for node in charts(page)]
    told = [marks(page, str(title)) for title in titles]

    parts = urlsplit(link)
    second = open_page(new_context().new_page(), f"{parts.path}?{parts.query}")
    assert sentence(second) == sentence(page)
    assert address(second) == address(page)
    for group, name in wanted.items():
        assert checked(second, group) == name
    assert [node.get_attribute("aria-label") for node in charts(second)] == titles
    assert [marks(second, str(title)) for title in titles] == told


def charts(page: Page):  # type: ignore[no-untyped-def]
    return page.get_by_test_id("stVegaLiteChart").all()


def serious(page: Page) -> list[str]:
    return [f for f in axe_violations(page) if "(serious)" in f or "(critical)" in f]


SECTIONS = ("First run against second", "Mirror check")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_sections(page: Page, theme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=theme)
    open_page(page, f"{PATH}?gate=interval&section=Equivalence")
    assert serious(page) == []
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    settled(page)
    assert serious(page) == []
    for section in SECTIONS if theme == "light" else ():
        page.get_by_role("radio", name=section).click()
        settled(page)
        assert serious(page) == [], section


WIDER = """
(main) => [...main.querySelectorAll("*")]
  .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
  .filter(e => !e.closest("[data-testid='stDataFrame'], [data-testid='stTable'], pre, svg"))
  .map(e => e.dataset.testid || e.tagName)
"""


def test_no_section_is_wider_than_a_phone(page: Page) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    open_page(page, f"{PATH}?gate=interval")
    pills = page.get_by_role("radiogroup", name="Look further").get_by_role("radio")
    main = page.get_by_test_id("stMain")
    for number in range(pills.count()):
        pills.nth(number).click()
        settled(page)
        wide = main.evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert wide[0] <= wide[1], (pills.nth(number).inner_text(), main.evaluate(WIDER))
