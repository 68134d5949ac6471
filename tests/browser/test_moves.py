"""What a reader does on the composition page, by keyboard and mouse, and what answers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from core.studies.composition.choices import DECLARATION
from pages.parts.cells import LIST_LABELS
from tests.browser.helpers import (
    address,
    chart,
    choose,
    dashed_line,
    marks,
    move_slider,
    no_exception,
    open_page,
    press,
    sentence,
    settled,
    slider,
    slider_value,
)

PATH = "/who-is-generated"
TAU, GATE, LAMBDA = (DECLARATION[key].label for key in ("tau", "gate", "lambda"))
MODELS, TOLERANCE, CELLS = "Each model against", "How much changes sides", "Every cell of"


def step(key: str) -> float:
    span = DECLARATION[key].range
    assert span is not None
    return span.step


def test_a_slider_moves_charts_sentence_and_address(page: Page) -> None:
    open_page(page, f"{PATH}?comparator=mixture&lambda=0.5")
    said, drawn = sentence(page), marks(page, MODELS)
    move_slider(page, LAMBDA, "ArrowRight")
    assert float(address(page)["lambda"]) == pytest.approx(0.5 + step("lambda"))
    assert sentence(page) != said
    assert marks(page, MODELS) != drawn
    lines = dashed_line(page, MODELS), dashed_line(page, TOLERANCE)
    move_slider(page, TAU, "ArrowRight")
    expected = float(DECLARATION["tau"].planned) + step("tau")  # type: ignore[arg-type]
    assert slider_value(page, TAU) == pytest.approx(expected)
    assert float(address(page)["tau"]) == pytest.approx(expected)
    assert dashed_line(page, MODELS) != lines[0]
    assert dashed_line(page, TOLERANCE) != lines[1]
    no_exception(page)


@pytest.mark.parametrize("key", ["ArrowRight", "ArrowLeft"])
def test_quick_presses_all_count(page: Page, key: str) -> None:
    open_page(page, f"{PATH}?tau=0.3")
    handle = slider(page, TAU)
    handle.focus()
    for _ in range(5):
        page.keyboard.press(key)
    settled(page)
    moved = 0.3 + 5 * step("tau") * (1 if key == "ArrowRight" else -1)
    assert slider_value(page, TAU) == pytest.approx(moved)
    assert float(address(page)["tau"]) == pytest.approx(moved)
    expect(chart(page, MODELS)).to_be_visible()
    assert f"{moved:.2f}" in page.get_by_text("dashed").first.inner_text()


def test_back_undoes_a_move_and_forward_redoes_it(page: Page) -> None:
    open_page(page, f"{PATH}?comparator=mixture&lambda=0.5&tau=0.3")
    first = sentence(page), dashed_line(page, MODELS), slider_value(page, LAMBDA)
    move_slider(page, LAMBDA, "ArrowRight")
    move_slider(page, TAU, "ArrowRight")
    second = sentence(page), dashed_line(page, MODELS), slider_value(page, LAMBDA)
    assert first[0] != second[0]
    assert first[1] != second[1]
    page.go_back()
    settled(page)
    page.go_back()
    settled(page)
    assert (sentence(page), dashed_line(page, MODELS), slider_value(page, LAMBDA)) == first
    assert slider_value(page, TAU) == pytest.approx(0.3)
    page.go_forward()
    settled(page)
    page.go_forward()
    settled(page)
    assert (sentence(page), dashed_line(page, MODELS), slider_value(page, LAMBDA)) == second
    assert slider_value(page, TAU) == pytest.approx(0.3 + step("tau"))


def test_back_undoes_a_change_of_focus_and_of_cell(page: Page) -> None:
    open_page(page, f"{PATH}?tau=0.3&detail=cells")
    names = page.get_by_role("radiogroup", name="Model in focus below").get_by_role("radio")
    first, other = names.nth(0).inner_text(), names.nth(2).inner_text()
    expect(chart(page, f"{CELLS} {first}")).to_be_visible()
    names.nth(2).click()
    settled(page)
    expect(chart(page, f"{CELLS} {other}")).to_be_visible()
    assert address(page)["focus"] == other
    page.go_back()
    settled(page)
    expect(chart(page, f"{CELLS} {first}")).to_be_visible()
    page.go_forward()
    settled(page)
    expect(chart(page, f"{CELLS} {other}")).to_be_visible()


def test_choices_survive_a_visit_to_another_page(page: Page) -> None:
    open_page(page, PATH)
    choose(page, DECLARATION["comparator"].label, "Between the two: mixture")
    move_slider(page, LAMBDA, "ArrowRight")
    move_slider(page, GATE, "ArrowRight", "ArrowRight")
    before, said, drawn = address(page), sentence(page), marks(page, MODELS)
    page.get_by_role("link", name="Panels").first.click()
    settled(page)
    expect(page.get_by_role("heading", name="Where every number comes from")).to_be_visible()
    page.get_by_role("link", name="Composition").first.click()
    settled(page)
    assert sentence(page) == said
    assert marks(page, MODELS) == drawn
    assert address(page) == before


def test_back_to_planned(page: Page) -> None:
    open_page(page, f"{PATH}?comparator=power&alpha=0.25&tau=0.4&gate=25&weighting=equal_cell")
    press(page, "Back to planned")
    expect(page.get_by_text("This is the planned setting.")).to_be_visible()
    expect(page.get_by_role("button", name="Back to planned")).to_have_count(0)
    shown = address(page)
    for choice in DECLARATION:
        if not choice.section:
            assert shown[choice.key] == choice.to_text(choice.planned)
    assert slider_value(page, TAU) == DECLARATION["tau"].planned
    assert slider_value(page, GATE) == DECLARATION["gate"].planned


def detail(page: Page) -> str:
    """Name of the cell shown in detail: where its three lists stand."""
    lists = [page.get_by_role("combobox", name=re.compile(name)) for name in LIST_LABELS.values()]
    return ", ".join(box.last.input_value() for box in lists)


def test_a_click_on_the_map_shows_that_cell(page: Page) -> None:
    open_page(page, f"{PATH}?tau=0.3&detail=cells")
    tiles = chart(page, CELLS).locator(".mark-rect.role-mark path[aria-label]")
    was = detail(page)
    for number in (3, 40):
        tile = tiles.nth(number)
        text = tile.get_attribute("aria-label") or ""
        place = re.search(r"place: ([^;]+)", text)
        column = re.search(r"column: ([^;]+)", text)
        assert place is not None
        assert column is not None
        wanted = f"{place.group(1)}, {column.group(1)}"
        assert wanted != was
        tile.click()
        settled(page)
        assert detail(page) == wanted
        expect(chart(page, f"{wanted}, ")).to_be_visible()
        assert address(page)["cell"] == wanted
        was = wanted


def test_a_cell_is_chosen_from_the_list_by_keyboard(page: Page) -> None:
    open_page(page, f"{PATH}?tau=0.3&detail=cells")
    was = detail(page)
    box = page.get_by_role("combobox", name=re.compile(LIST_LABELS["place"]))
    box.focus()
    box.press("ArrowDown")
    box.press("ArrowDown")
    box.press("Enter")
    settled(page)
    now = detail(page)
    assert now != was
    assert address(page)["cell"] == now
    expect(chart(page, f"{now}, ")).to_be_visible()
    choose(page, LIST_LABELS["place"], was.split(", ")[0])
    assert detail(page).split(", ")[0] == was.split(", ")[0]


def test_two_readers_do_not_see_each_other(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    other = open_page(new_context().new_page(), f"{PATH}?comparator=mixture&lambda=0.5")
    open_page(page, f"{PATH}?comparator=mixture&lambda=0.5")
    assert sentence(page) == sentence(other)
    move_slider(page, LAMBDA, "ArrowRight")
    move_slider(other, LAMBDA, "ArrowLeft")
    move_slider(other, TAU, "ArrowRight")
    move_slider(page, GATE, "ArrowLeft")
    assert slider_value(page, LAMBDA) == pytest.approx(0.5 + step("lambda"))
    assert slider_value(other, LAMBDA) == pytest.approx(0.5 - step("lambda"))
    assert slider_value(page, TAU) == DECLARATION["tau"].planned
    assert slider_value(other, GATE) == DECLARATION["gate"].planned
    assert sentence(page) != sentence(other)


def test_a_typed_number_is_used_only_when_asked(page: Page) -> None:
    open_page(page, f"{PATH}?comparator=corrective")
    before = sentence(page)
    use = page.get_by_role("button", name="Use these numbers", exact=True)
    expect(use).to_be_disabled()
    grid = page.get_by_test_id("stDataFrame").first.locator(".dvn-scroller")
    box = grid.bounding_box()
    assert box is not None
    # The last column is the reader's; the first row lies under the head.
    grid.dblclick(position={"x": box["width"] - 40, "y": 52})
    cell = page.locator("#portal input")
    expect(cell).to_be_visible()
    cell.fill("3")
    cell.press("Enter")
    expect(cell).to_have_count(0)
    settled(page)
    assert sentence(page) == before
    expect(use).to_be_enabled()
    use.click()
    settled(page)
    no_exception(page)
    assert address(page)["weights"]
    expect(page.get_by_text("In use: ")).to_be_visible()
    press(page, "Remove all typed numbers")
    assert address(page)["weights"] == ""
    assert sentence(page) == before
