"""A link restores the view, or the page says what it could not restore."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.choices import Choice
from core.studies.composition.choices import DECLARATION
from core.words import plain
from pages.parts.frame import CITE
from tests.pages.apps import (
    address,
    all_texts,
    charts,
    move,
    open_app,
    open_composition,
    press,
    run,
    shipped_panel,
    switch,
)


def some_other(choice: Choice) -> str:
    """A value that the choice does not open on, as a link has it."""
    if choice.range is not None:
        value = choice.range.low + 3 * choice.range.step
        return choice.to_text(choice.repaired(value))
    options = [option.value for option in choice.options]
    if choice.many:
        return options[-1]
    return next(option for option in options if option != choice.opening)


OTHERS = {c.key: some_other(c) for c in DECLARATION if c.check is None}


def warnings(at: AppTest) -> str:
    return "\n".join(warning.value for warning in at.warning)


def views(at: AppTest) -> list[tuple[str, str]]:
    """Everything the page says and draws, but for the link itself and what Streamlit numbers."""
    numbered = ("id", "url", "code_text", "raw_value", "raw_values")
    said = [text for text in all_texts(at) if not text[0].endswith(numbered)]
    drawn = {chart.alt: chart.data for chart in charts(at)}
    rows = [(f"{alt} {name}", d.write_json()) for alt in drawn for name, d in drawn[alt].items()]
    return said + rows


def test_a_link_restores_every_choice() -> None:
    at = open_composition(link="1", panel=shipped_panel().hash, **OTHERS)
    wanted, repairs = DECLARATION.from_link(OTHERS)
    assert not repairs
    assert "could not be restored" not in warnings(at)
    assert address(at) == wanted


def test_the_link_on_the_page_gives_the_same_view() -> None:
    at = open_composition(tau="0.31", comparator="mixture", weighting="equal_cell")
    at.pills(key="composition:focus").set_value(at.pills(key="composition:focus").options[2])
    move(at, DECLARATION["lambda"], 0.7)
    press(at, CITE)
    link = next(code.value for code in at.code if "link=" in code.value)
    run(at)
    carried = dict(at.query_params)
    assert all(f"{key}=" in link for key in carried)
    again = open_composition(**carried)
    assert views(again) == views(at)


def test_a_link_with_nothing_but_one_choice_opens_the_rest_as_the_page_does() -> None:
    at = open_composition(tau="0.4")
    assert address(at) == DECLARATION.opening.replace(tau=0.4)


BAD = [
    ("tau", "nonsense"),
    ("tau", "7"),
    ("tau", "-1"),
    ("tau", "nan"),
    ("tau", "0.12345"),
    ("gate", "31"),
    ("gate", "4.5"),
    ("comparator", "fair"),
    ("comparator", ""),
    ("modules", "race_ethnicity,shoe_size"),
    ("modules", ""),
    ("measure", "<b>jsd</b>"),
    ("zeros", "0.00002"),
    ("weights", "no table"),
    ("shares", "%00"),
    ("regime", "x" * 5000),
    ("link", "99"),
]


@pytest.mark.parametrize(("key", "text"), BAD)
def test_what_a_link_asks_in_vain_is_announced(key: str, text: str) -> None:
    query = {"weighting": "equal_cell", key: text}
    choices, repairs = DECLARATION.from_link(query)
    assert repairs, "the declaration itself takes this value; choose a worse one"
    at = open_composition(**query)
    for repair in repairs:
        assert plain(repair.sentence()) in warnings(at)
    assert address(at) == choices
    assert address(at)["weighting"] == "equal_cell"


def test_an_announced_repair_goes_with_the_next_move() -> None:
    at = open_composition(tau="nonsense")
    assert at.warning
    move(at, DECLARATION["tau"], 0.3)
    move(at, DECLARATION["tau"], 0.31)
    assert address(at)["tau"] == 0.31


def test_a_panel_that_is_not_here_is_announced_with_its_hash() -> None:
    at = open_composition(panel="0123456789ab", tau="0.3")
    assert "0123456789ab" in warnings(at)
    assert address(at)["tau"] == 0.3
    assert at.query_params["panel"] == shipped_panel().hash


@pytest.mark.parametrize("panel", ["", "x", "*" * 4000, "../../app", "**bold**"])
def test_any_text_may_stand_for_a_panel(panel: str) -> None:
    at = open_composition(panel=panel, tau="0.3")
    assert at.query_params["panel"] == shipped_panel().hash
    assert "**bold**" not in warnings(at)


def test_a_view_that_is_not_there_falls_back_and_is_listed() -> None:
    odd = {"focus": "nobody", "cell": "nowhere", "section": "nothing"}
    at = open_composition(tau="0.2", detail="cells", **odd)
    opened = open_composition(tau="0.2", detail="cells")
    assert not opened.warning
    assert all(f"View setting {name}" in warnings(at) for name in odd)
    assert at.header[0].value == opened.header[0].value
    assert address(at) == address(opened)
    assert not set(odd) & set(at.query_params)
    assert "View setting detail" in warnings(open_composition(tau="0.2", detail="nothing"))


def test_choices_survive_a_visit_to_another_page() -> None:
    at = switch(open_app(), "composition")
    move(at, DECLARATION["comparator"], "mixture")
    move(at, DECLARATION["lambda"], 0.35)
    move(at, DECLARATION["tau"], 0.3)
    before, said = address(at), at.header[0].value
    switch(at, "panels")
    switch(at, "composition")
    assert address(at) == before
    assert at.header[0].value == said


def test_a_link_of_another_page_says_what_it_does_not_know() -> None:
    at = open_composition(hypothesis="H1", measre="jsd")
    assert "hypothesis" in warnings(at)
    assert "measre" in warnings(at)
