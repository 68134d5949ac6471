"""What a choice may be, and what a specification says of itself."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from core.choices import Choice, Choices, Declaration, Option, Range
from core.studies.composition.choices import DECLARATION


def choice(key: str = "k", **changes: Any) -> Choice:
    """A choice between a and b, unless told otherwise."""
    declared: dict[str, Any] = {
        "key": key,
        "label": f"The {key}",
        "help": "help",
        "role": "estimand",
        "planned": "a",
        "where": "Sec. 1",
        "options": (Option("a", "First"), Option("b", "Second", "ours")),
    }
    return Choice(**declared | changes)


def many(key: str = "k", **changes: Any) -> Choice:
    options = (Option("x", "Ex"), Option("y", "Why"), Option("z", "Zed"))
    return choice(key, **{"options": options, "planned": ("x", "y"), "many": True} | changes)


def slider(key: str = "k", **changes: Any) -> Choice:
    return choice(key, **{"options": (), "planned": 0.5, "range": Range(0.0, 1.0, 0.25)} | changes)


def typed(key: str = "k", **changes: Any) -> Choice:
    def check(text: str) -> None:
        if "!" in text:
            raise ValueError("an exclamation mark was found")

    return choice(key, **{"options": (), "planned": "", "check": check} | changes)


IMPOSSIBLE: dict[str, tuple[Any, dict[str, Any]]] = {
    "a planned value that is no option": (choice, {"planned": "c"}),
    "an opening value that is no option": (choice, {"opens_on": "c"}),
    "several values for one option": (choice, {"planned": ("a",)}),
    "neither options nor a range": (choice, {"options": ()}),
    "both options and a range": (choice, {"range": Range(0, 1, 1)}),
    "both options and a check": (choice, {"check": str}),
    "an option twice": (choice, {"options": (Option("a", "A"), Option("a", "B"))}),
    "one value where several are asked for": (many, {"planned": "x"}),
    "no value where several are asked for": (many, {"planned": ()}),
    "several values in another order": (many, {"planned": ("y", "x")}),
    "an unknown one among several": (many, {"planned": ("x", "w")}),
    "a comma in one of several options": (
        many,
        {"options": (Option("x,y", "Both"), Option("z", "Zed")), "planned": ("z",)},
    ),
    "a planned number beyond the range": (slider, {"planned": 1.5}),
    "a planned number between steps": (slider, {"planned": 0.3}),
    "a planned text for a number": (slider, {"planned": "0.5"}),
    "a planned number that is none": (slider, {"planned": math.nan}),
    "an opening number beyond the range": (slider, {"opens_on": -0.25}),
    "a typed table that its check refuses": (typed, {"planned": "no!"}),
    "a number for a typed table": (typed, {"planned": 1}),
}


@pytest.mark.parametrize(("make", "changes"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_declaration_that_contradicts_itself_is_refused(
    make: Any, changes: dict[str, Any]
) -> None:
    assert make()
    with pytest.raises(ValueError, match="choice 'k'"):
        make(**changes)


def test_two_choices_cannot_share_a_key() -> None:
    with pytest.raises(ValueError, match="share a key"):
        Declaration("s", (choice("a"), choice("b"), choice("a")))


@pytest.mark.parametrize("name", ["link", "panel"])
def test_a_choice_cannot_have_a_name_that_every_link_has(name: str) -> None:
    with pytest.raises(ValueError, match="a link's own name"):
        Declaration("s", (choice(name),))


@pytest.mark.parametrize(
    "only_with", [("later", "a"), ("nowhere", "a"), ("first", "c")], ids=lambda pair: pair[0]
)
def test_a_choice_can_only_depend_on_an_earlier_one_and_its_values(
    only_with: tuple[str, str],
) -> None:
    dependent = choice("dependent", only_with=only_with)
    with pytest.raises(ValueError, match="'dependent' of s depends on no earlier choice"):
        Declaration("s", (choice("first"), dependent, choice("later")))


def test_an_unknown_key_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="composition has no choice 'nothing'"):
        DECLARATION["nothing"]
    with pytest.raises(KeyError, match="composition has no choice 'nothing'"):
        DECLARATION.planned["nothing"]
    with pytest.raises(KeyError, match="composition has no choice"):
        DECLARATION.planned.replace(nothing=1)


REPAIRS: list[tuple[Choice, Any, Any]] = [
    (choice(), "b", "b"),
    (choice(), "c", "a"),
    (choice(), 3, "a"),
    (many(), ("z", "x"), ("x", "z")),
    (many(), ("z", "w"), ("z",)),
    (many(), (), ("x", "y")),
    (many(), "z", ("z",)),
    (many(), 3, ("x", "y")),
    (slider(), 0.75, 0.75),
    (slider(), 0.6, 0.5),
    (slider(), 0.7, 0.75),
    (slider(), 7, 1.0),
    (slider(), -7, 0.0),
    (slider(), math.inf, 1.0),
    (slider(), -math.inf, 0.0),
    (slider(), math.nan, 0.5),
    (slider(), "0.75", 0.5),
    (typed(), "text", "text"),
    (typed(), "no!", ""),
    (typed(), 3, ""),
]


@pytest.mark.parametrize(
    ("declared", "asked", "expected"), REPAIRS, ids=[str(n) for n in range(len(REPAIRS))]
)
def test_a_value_is_repaired_to_the_nearest_allowed_one(
    declared: Choice, asked: Any, expected: Any
) -> None:
    assert declared.repaired(asked) == expected
    assert declared.allows(expected)
    assert declared.allows(asked) == (asked == expected)


def test_whole_numbers_stay_whole() -> None:
    gate = slider(range=Range(1, 30, 1, decimals=0), planned=20)
    assert gate.repaired(19.6) == 20
    assert isinstance(gate.repaired(7.2), int)
    assert gate.say(7) == "7"


def test_a_range_never_leaves_its_ends_when_steps_do_not_fit() -> None:
    uneven = slider(range=Range(0.0, 1.0, 0.3), planned=0.3)
    assert uneven.repaired(0.95) == pytest.approx(0.9)
    assert uneven.repaired(50) <= 1.0
    assert uneven.allows(uneven.repaired(50))


def test_every_choice_of_the_study_says_its_values_apart() -> None:
    for declared in DECLARATION:
        if declared.options:
            said = [option.label for option in declared.options]
        elif declared.range is not None:
            low, high, step = declared.range.low, declared.range.high, declared.range.step
            said = [declared.say(low + k * step) for k in range(round((high - low) / step) + 1)]
        else:
            said = [declared.say(""), declared.say("x")]
        assert len(set(said)) == len(said), declared.key
        assert declared.label
        assert declared.help
        assert declared.where


def test_select_fills_in_what_is_planned_and_refuses_what_is_not_allowed() -> None:
    assert DECLARATION.select({}) == DECLARATION.planned
    assert DECLARATION.select({"tau": 0.3})["tau"] == 0.3
    with pytest.raises(ValueError, match=r"Tolerance cannot be 1\.5; nearest is 1\.0"):
        DECLARATION.select({"tau": 1.5})


def test_specifications_are_keys() -> None:
    one, other = DECLARATION.planned, DECLARATION.select({})
    assert one == other
    assert hash(one) == hash(other)
    assert {one: 1}[other] == 1
    moved = one.replace(tau=0.3)
    assert moved != one
    assert moved.replace(tau=one["tau"]) == one
    assert moved.without(("tau",)) == one.without(("tau",))
    assert hash(DECLARATION.opening) != hash(one)


def test_values_are_read_by_what_they_are() -> None:
    planned = DECLARATION.planned
    assert planned.number("gate") == 20.0
    assert planned.text("comparator") == "geography"
    assert planned.many("modules") == ("race_ethnicity", "religion", "sexual_orientation")
    for read, key in (
        (planned.number, "comparator"),
        (planned.number, "modules"),
        (planned.text, "gate"),
        (planned.many, "comparator"),
    ):
        with pytest.raises(TypeError, match=f"{key!r} of composition is not"):
            read(key)


SMALL = Declaration(
    "s",
    (
        choice("first", planned="a"),
        slider("detail", only_with=("first", "b")),
        many("several"),
        choice("apart", section="uncertainty"),
    ),
)


def test_departures_leave_out_what_has_no_effect_and_what_governs_a_section_only() -> None:
    def departed(**changes: Any) -> list[str]:
        return [c.key for c, _ in SMALL.departures(SMALL.planned.replace(**changes))]

    assert departed() == []
    assert departed(detail=0.75) == []
    assert departed(first="b") == ["first"]
    assert departed(first="b", detail=0.75) == ["first", "detail"]
    assert departed(several=("z",)) == ["several"]
    assert departed(apart="b") == []
    found = SMALL.departures(SMALL.planned.replace(first="b", detail=0.75))
    assert [value for _, value in found] == ["b", 0.75]


def test_an_export_says_every_choice_and_where_it_departs() -> None:
    assert SMALL.export_lines(SMALL.planned.replace(detail=0.75, several=("z",))) == [
        "The first: First",
        "The detail: 0.75 (no effect here)",
        "The several: Zed (planned: Ex, Why)",
        "The apart: First",
    ]
    assert SMALL.export_lines(SMALL.planned.replace(first="b", detail=0.75))[:2] == [
        "The first: Second (planned: First)",
        "The detail: 0.75 (planned: 0.50)",
    ]


def test_a_mark_is_the_options_or_that_of_the_planned_statement() -> None:
    declared = choice(mark="registered")
    assert declared.mark_of("a") == "registered"
    assert declared.mark_of("b") == "ours"
    assert slider().mark_of(0.75) is None


def test_pages_open_on_planned_values_but_for_the_declared_exceptions() -> None:
    assert isinstance(DECLARATION.opening, Choices)
    for declared in DECLARATION:
        expected = declared.planned if declared.opens_on is None else declared.opens_on
        assert DECLARATION.opening[declared.key] == expected
    assert replace(choice(), opens_on="b").opening == "b"
