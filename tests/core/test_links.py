"""A link restores a view exactly, or says what it had to repair."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.choices import Choice, Choices, Value
from core.studies.composition.choices import DECLARATION
from core.studies.composition.corrective import write_table
from core.studies.composition.sources import declared_categories

PANEL = "0123456789ab"


def through_an_address(query: Mapping[str, str]) -> dict[str, list[str]]:
    return parse_qs(urlencode(query), keep_blank_values=True)


@st.composite
def tables(draw: st.DrawFn, *, shares: bool) -> str:
    """Tables as a reader types them: weights, or shares in percent."""
    pairs = draw(st.lists(st.sampled_from(sorted(declared_categories())), unique=True, max_size=3))
    table = {}
    for pair in pairs:
        names = declared_categories()[pair]
        if shares:
            cut = draw(st.integers(0, 100))
            table[pair] = {names[0]: float(cut), names[1]: float(100 - cut)}
        else:
            numbers = st.floats(0, 50, allow_subnormal=False)
            # Weights of nothing but zero leave no shares, so they are refused.
            table[pair] = {name: draw(numbers) for name in names} | {names[0]: 0.1}
    return write_table(table)


def values_of(choice: Choice) -> st.SearchStrategy[Value]:
    if choice.check is not None:
        return tables(shares=choice.key == "shares")
    if choice.range is not None:
        low, high, step = choice.range.low, choice.range.high, choice.range.step
        return st.integers(0, round((high - low) / step)).map(
            lambda k: choice.repaired(low + k * step)
        )
    names = [option.value for option in choice.options]
    if choice.many:
        return st.sets(st.sampled_from(names), min_size=1).map(
            lambda chosen: tuple(name for name in names if name in chosen)
        )
    return st.sampled_from(names)


SPECIFICATIONS = st.fixed_dictionaries({c.key: values_of(c) for c in DECLARATION}).map(
    DECLARATION.select
)


@settings(max_examples=40)
@given(choices=SPECIFICATIONS)
def test_every_specification_survives_its_link(choices: Choices) -> None:
    query = through_an_address(DECLARATION.to_link(choices, panel=PANEL))
    assert query["panel"] == [PANEL]
    assert query["link"] == ["1"]
    found, repairs = DECLARATION.from_link(query)
    assert found == choices
    assert repairs == ()


def each_value() -> list[tuple[str, Value]]:
    found: list[tuple[str, Value]] = []
    for choice in DECLARATION:
        if choice.range is not None:
            low, high, step = choice.range.low, choice.range.high, choice.range.step
            steps = range(round((high - low) / step) + 1)
            found += [(choice.key, choice.repaired(low + k * step)) for k in steps]
        elif choice.many:
            found += [(choice.key, (option.value,)) for option in choice.options]
        else:
            found += [(choice.key, option.value) for option in choice.options]
    return found


def test_every_single_value_survives_its_link() -> None:
    values = each_value()
    assert len({key for key, _ in values}) == len([c for c in DECLARATION if c.check is None])
    for key, value in values:
        choices = DECLARATION.select({key: value})
        query = through_an_address(DECLARATION.to_link(choices, panel=PANEL))
        assert DECLARATION.from_link(query) == (choices, ())


def test_what_a_link_does_not_name_is_as_the_page_opens() -> None:
    assert DECLARATION.from_link({}) == (DECLARATION.opening, ())
    found, repairs = DECLARATION.from_link({"tau": "0.3", "unknown": "x", "panel": PANEL})
    assert found == DECLARATION.opening.replace(tau=0.3)
    assert repairs == ()


STEPS = "which is not between 0.00 and 1.00 in steps of 0.01"
OPTIONS = "which is not one of its options"

REPAIRED: dict[str, tuple[dict[str, str | list[str]], Value, str]] = {
    "above the range": (
        {"tau": "7"},
        1.0,
        f"Tolerance: the link says '7', {STEPS}; shown is 1.00.",
    ),
    "below the range": (
        {"tau": "-0.5"},
        0.0,
        f"Tolerance: the link says '-0.5', {STEPS}; shown is 0.00.",
    ),
    "between steps": (
        {"tau": "0.123"},
        0.12,
        f"Tolerance: the link says '0.123', {STEPS}; shown is 0.12.",
    ),
    "not a whole number": (
        {"gate": "19.6"},
        20,
        "Mapped outputs a cell needs: the link says '19.6', which is not between 1 and 30 in "
        "steps of 1; shown is 20.",
    ),
    "not a number": (
        {"tau": "a lot"},
        0.2,
        "Tolerance: the link says 'a lot', which is not a number; shown is 0.20.",
    ),
    "no number at all": (
        {"tau": "nan"},
        0.2,
        f"Tolerance: the link says 'nan', {STEPS}; shown is 0.20.",
    ),
    "infinite": ({"tau": "inf"}, 1.0, f"Tolerance: the link says 'inf', {STEPS}; shown is 1.00."),
    "beyond any number": (
        {"tau": "-1e999"},
        0.0,
        f"Tolerance: the link says '-1e999', {STEPS}; shown is 0.00.",
    ),
    "empty number": (
        {"tau": ""},
        0.2,
        "Tolerance: the link says '', which is not a number; shown is 0.20.",
    ),
    "unknown option": (
        {"comparator": "fair"},
        "geography",
        f"Comparator: the link says 'fair', {OPTIONS}; shown is Resident population.",
    ),
    "empty option": (
        {"comparator": ""},
        "geography",
        f"Comparator: the link says '', {OPTIONS}; shown is Resident population.",
    ),
    "one unknown among several": (
        {"modules": "religion,hair"},
        ("religion",),
        f"Attributes in the composite: the link says 'religion,hair', {OPTIONS}; "
        "shown is Religion.",
    ),
    "empty list": (
        {"modules": ""},
        ("race_ethnicity", "religion", "sexual_orientation"),
        f"Attributes in the composite: the link says '', {OPTIONS}; shown is Race/ethnicity, "
        "Religion, Sexual orientation.",
    ),
    "given twice": (
        {"tau": ["0.1", "0.3"]},
        0.3,
        "Tolerance: the link says '0.1, 0.3', of which the last counts; shown is 0.30.",
    ),
    "given twice, the last one bad": (
        {"tau": ["0.1", "x"]},
        0.2,
        "Tolerance: the link says 'x', which is not a number; shown is 0.20.",
    ),
    "very long": (
        {"comparator": "x" * 10_000},
        "geography",
        f"Comparator: the link says '{'x' * 60}…', {OPTIONS}; shown is Resident population.",
    ),
    "a very long number": (
        {"tau": "9" * 10_000},
        1.0,
        f"Tolerance: the link says '{'9' * 60}…', {STEPS}; shown is 1.00.",
    ),
    "signs that no page should run": (
        {"comparator": "<b>\n\x00"},
        "geography",
        r"Comparator: the link says '<b>\n\x00', "
        f"{OPTIONS}; shown is Resident population.",
    ),
}


@pytest.mark.parametrize(("query", "value", "sentence"), REPAIRED.values(), ids=REPAIRED)
def test_what_cannot_be_restored_is_repaired_and_said(
    query: dict[str, str | list[str]], value: Value, sentence: str
) -> None:
    choices, repairs = DECLARATION.from_link(query)
    (key,) = query
    assert choices == DECLARATION.opening.replace(**{key: value})
    assert [repair.sentence() for repair in repairs] == [sentence]


@pytest.mark.parametrize("key", ["weights", "shares"])
@pytest.mark.parametrize("text", ["nonsense", "USA~religion~Christian:x", "x" * 30_000])
def test_a_typed_table_that_cannot_be_read_is_left_out_and_said(key: str, text: str) -> None:
    choices, (repair,) = DECLARATION.from_link({key: text})
    assert choices == DECLARATION.opening
    assert repair.used == "none"
    assert repair.why.startswith("where ")
    assert len(repair.sentence()) < 600


@pytest.mark.parametrize("version", ["2", "", "1.0", "x" * 10_000])
def test_a_link_of_another_version_is_read_as_far_as_it_goes(version: str) -> None:
    choices, repairs = DECLARATION.from_link({"link": version, "tau": "0.3"})
    assert choices == DECLARATION.opening.replace(tau=0.3)
    shown = version if len(version) < 60 else f"{'x' * 60}…"
    assert [repair.sentence() for repair in repairs] == [
        f"Link version: the link says '{shown}', which this version does not know; shown is 1."
    ]


@settings(max_examples=60)
@given(
    query=st.dictionaries(
        st.sampled_from([c.key for c in DECLARATION] + ["link", "panel", "x"]),
        st.text(max_size=40) | st.lists(st.text(max_size=5), max_size=3),
    )
)
def test_no_link_is_an_error(query: dict[str, str | list[str]]) -> None:
    choices, repairs = DECLARATION.from_link(query)
    assert DECLARATION.select(dict(choices.values)) == choices
    assert all(repair.sentence() for repair in repairs)


def test_other_ways_of_writing_the_same_value_need_no_repair() -> None:
    query = {"tau": "2e-1", "gate": "20.0", "modules": "religion,race_ethnicity,religion"}
    choices, repairs = DECLARATION.from_link(query)
    assert repairs == ()
    assert choices["tau"] == 0.2
    assert choices["gate"] == 20
    assert choices["modules"] == ("race_ethnicity", "religion")


def test_the_same_value_twice_is_one_value() -> None:
    choices, repairs = DECLARATION.from_link({"tau": ["0.3", "0.3"], "gate": []})
    assert choices == DECLARATION.opening.replace(tau=0.3)
    assert repairs == ()


def test_names_that_are_no_choice_are_told_a_few_of_many() -> None:
    views = ("focus",)
    assert DECLARATION.unknown({"tau": "0.3", "focus": "x", "panel": PANEL}, views) == ()
    (told,) = DECLARATION.unknown({"measre\x1b": ["jsd"], "tau": "0.3"}, views)
    assert "measre" in told.label
    assert "\x1b" not in told.label
    assert "no choice" in told.why
    many = DECLARATION.unknown({f"x{at}": "1" for at in range(150)}, views)
    assert len(many) < 10
    assert "145 more names" in many[-1].found
