"""Every control of the composition page, and what it must change."""

from __future__ import annotations

from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from core.charts.composition import CELL_FIELDS
from core.choices import Choice, Choices, Value
from core.studies.composition import sentences, tables
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.reduce import CellStatistics
from core.words import plain
from pages.sections import SECTIONS
from tests.pages.apps import (
    address,
    captions,
    charts,
    move,
    open_composition,
    pick_cell,
    picked_cell,
    run,
    shipped_panel,
    statistics_of,
    widget,
)
from tests.pages.apps import (
    tables as shown_tables,
)


@cache
def statistics() -> CellStatistics:
    return statistics_of(shipped_panel())


def sentence(choices: Choices) -> str:
    """What the page must say first."""
    comparison = tables.compare(statistics(), analyse(statistics(), choices))
    return sentences.opening(tables.model_table(comparison), comparison)


def values_of(choice: Choice) -> list[Value]:
    """Every option, or both ends of a slider; of several options at once each alone and all."""
    if choice.range is not None:
        return [choice.range.low, choice.range.high]
    options = [option.value for option in choice.options]
    return [(option,) for option in options] + [tuple(options)] if choice.many else options


def moves(*, sections: bool) -> list[tuple[str, Value]]:
    return [
        (choice.key, value)
        for choice in DECLARATION
        if bool(choice.section) == sections
        for value in values_of(choice)
    ]


def needed(choice: Choice) -> dict[str, str]:
    """The part of a link that makes a choice appear."""
    query = {"tau": DECLARATION["tau"].to_text(DECLARATION["tau"].opening)}
    if choice.only_with is not None:
        key, value = choice.only_with
        query[key] = DECLARATION[key].to_text(value)
    return query


def check_view(at: AppTest, choices: Choices) -> None:
    """See that sentence, departures, planned marks and address all tell the same choices."""
    said = captions(at)
    assert address(at) == choices
    assert at.header[0].value == sentence(choices)
    departed = DECLARATION.departures(choices)
    for choice, value in departed:
        assert f"{plain(choice.label)}: {plain(choice.say(value))} (planned: " in said
    assert ("This is the planned setting." in said) == (not departed)
    assert [b.label for b in at.button].count("Back to planned") == bool(departed)


def planned_mark(at: AppTest, choice: Choice) -> str:
    """What stands behind the name of a choice's widget."""
    label = str(widget(at, choice).label)
    assert label.startswith(plain(choice.label))
    mark = label.removeprefix(f"{plain(choice.label)} :small[:gray[").removesuffix("]]")
    assert f"planned: {plain(choice.say(choice.planned))} · {choice.mark}" in mark
    return mark


@pytest.mark.parametrize(("key", "value"), moves(sections=False))
def test_every_value_of_every_choice(key: str, value: Value) -> None:
    choice = DECLARATION[key]
    query = needed(choice)
    at = open_composition(**query)
    before, _ = DECLARATION.from_link(query)
    check_view(at, before)
    move(at, choice, value)
    check_view(at, before.replace(**{key: value}))
    departs = planned_mark(at, choice).startswith("**departs**")
    assert departs == (value != choice.planned)
    assert all(chart.data for chart in charts(at))


@pytest.mark.parametrize("key", [c.key for c in DECLARATION if c.many and not c.section])
def test_emptied_list_means_the_planned_one(key: str) -> None:
    choice = DECLARATION[key]
    at = open_composition(**needed(choice))
    move(at, choice, ())
    assert address(at)[key] == choice.planned
    check_view(at, DECLARATION.opening.replace(**{key: choice.planned}))


@pytest.mark.parametrize(
    "comparator", [option.value for option in DECLARATION["comparator"].options]
)
def test_each_comparator_shows_its_own_choices_only(comparator: str) -> None:
    at = open_composition(comparator=comparator)
    drawn = {w.key for kind in (at.slider, at.selectbox, at.pills) for w in kind}
    for choice in DECLARATION:
        if choice.only_with is not None and choice.check is None and not choice.section:
            belongs = choice.only_with == ("comparator", comparator)
            assert (f"composition:{choice.key}" in drawn) == belongs
    check_view(at, DECLARATION.opening.replace(comparator=comparator))


def test_a_hidden_choice_keeps_its_value() -> None:
    at = open_composition(comparator="mixture")
    move(at, DECLARATION["lambda"], 0.3)
    move(at, DECLARATION["comparator"], "power")
    assert address(at)["lambda"] == 0.3
    move(at, DECLARATION["comparator"], "mixture")
    assert widget(at, DECLARATION["lambda"]).value == 0.3
    check_view(at, DECLARATION.opening.replace(comparator="mixture", **{"lambda": 0.3}))


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_opens_with_its_choices(section: str) -> None:
    at = open_composition()
    before = len(charts(at))
    at.pills(key="composition:section").set_value(section)
    run(at)
    assert at.query_params["section"] == section
    assert len(charts(at)) >= before
    at.pills(key="composition:section").set_value(None)
    run(at)
    assert "section" not in at.query_params
    assert len(charts(at)) == before


def section_of(choice: Choice) -> str:
    """Find the section that draws a choice, by its name in the declaration."""
    names = {
        "uncertainty": "Uncertainty",
        "missing": "Missing labels",
        "surviving": "Several comparators",
        "premises": "Premises",
    }
    return names[choice.section]


@pytest.mark.parametrize(("key", "value"), moves(sections=True))
def test_every_value_of_every_choice_in_a_section(key: str, value: Value) -> None:
    choice = DECLARATION[key]
    at = open_composition(section=section_of(choice), **needed(choice))
    move(at, choice, value)
    assert address(at) == DECLARATION.opening.replace(**{key: value})
    mark = planned_mark(at, choice)
    assert mark.startswith("planned: ") == (value == choice.planned)
    assert mark.startswith("**departs**") == (value not in (choice.planned, choice.opening))


def test_back_to_planned_sets_every_choice_of_the_page() -> None:
    query = {
        choice.key: choice.to_text(other)
        for choice in DECLARATION
        if not choice.section and choice.check is None
        for other in [next(v for v in values_of(choice) if v != choice.planned)]
    }
    at = open_composition(**query)
    asked, repairs = DECLARATION.from_link(query)
    assert not repairs
    check_view(at, asked)
    next(b for b in at.button if b.label == "Back to planned").click()
    run(at)
    planned = {c.key: c.planned for c in DECLARATION if not c.section}
    check_view(at, asked.replace(**planned))
    for choice in DECLARATION:
        if not choice.section and choice.only_with is None and choice.check is None:
            shown = widget(at, choice).value
            assert choice.repaired(tuple(shown) if choice.many else shown) == choice.planned


def test_the_model_in_focus_is_a_view_and_no_choice() -> None:
    at = open_composition()
    focus = at.pills(key="composition:focus")
    names = tables.names_of(statistics())
    focus.set_value(names[-1])
    run(at)
    assert at.query_params["focus"] == names[-1]
    assert at.header[0].value == sentence(DECLARATION.opening)
    assert any(names[-1] in chart.alt for chart in charts(at))


def test_a_cell_from_the_lists_is_shown_in_detail() -> None:
    at = open_composition(detail="cells")
    for part in CELL_FIELDS:
        before = picked_cell(at)
        there = at.selectbox(key=f"composition:cell-{part}")
        other = 0 if there.options.index(there.value) else 1
        wanted = there.options[other]
        now = pick_cell(at, part, other)
        assert now != before
        assert now.split(", ")[CELL_FIELDS.index(part)] == wanted
        assert at.query_params["cell"] == now
        assert any(chart.alt.startswith(f"{now}, ") for chart in charts(at))


def test_a_cell_of_the_link_is_kept_while_curves_are_shown() -> None:
    cells = open_composition(detail="cells")
    wanted = pick_cell(cells, "place", -1)
    at = open_composition(cell=wanted)
    assert not any(chart.alt.startswith(f"{wanted}, ") for chart in charts(at))
    at.segmented_control(key="composition:detail").set_value("cells")
    run(at)
    assert picked_cell(at) == wanted
    assert at.query_params["cell"] == wanted


@pytest.mark.parametrize("level", ["Models", "Attributes", "Contexts", "Cells"])
def test_tables_open_at_every_level(level: str) -> None:
    at = open_composition()
    at.session_state["composition-tables"] = True
    run(at)
    at.segmented_control(key="composition-level").set_value(level)
    run(at)
    comparison = tables.compare(statistics(), analyse(statistics(), DECLARATION.opening))
    expected = {
        "Models": tables.model_table,
        "Attributes": tables.attribute_table,
        "Contexts": tables.context_table,
        "Cells": tables.cell_table,
    }[level](comparison)
    assert any(len(shown) == expected.height for shown in shown_tables(at))


def test_the_page_says_that_it_opens_on_a_departure_by_design() -> None:
    at = open_composition()
    line = (
        "Another question is asked by: comparator. The page opens on “Equal categories” on purpose"
    )
    assert line in captions(at)
    assert any(button.label == "Back to planned" for button in at.button)
    planned = open_composition(comparator="geography")
    assert line not in captions(planned)
