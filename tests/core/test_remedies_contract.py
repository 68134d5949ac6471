"""Row contracts of the remedies tables: what a row's columns must agree on."""

from __future__ import annotations

from typing import Any

import pytest

from core.panels.registry import contract_for, shape_with_columns
from core.panels.values import value_problems
from core.reference import table
from core.studies.remedies.contract import (
    ATTRIBUTES_TABLE,
    AUDIT,
    DECISIONS,
    PERSONA,
    PERSONA_LEVELS,
    SCORED,
)
from tests.core.remedy_rows import (
    NOBODY,
    PERSONAS,
    attributes,
    audited,
    decisions,
    frame,
    label,
    scored,
)


@pytest.mark.parametrize("contract", [DECISIONS, ATTRIBUTES_TABLE, AUDIT], ids=lambda c: c.table)
def test_the_contracts_are_registered(contract) -> None:
    assert contract_for("remedies", contract.table) is contract
    assert shape_with_columns(contract.names).contract is contract


def test_personas_are_those_of_the_study() -> None:
    rows = table("remedies", "personas").select(PERSONA).iter_rows(named=True)
    assert list(rows) == PERSONAS
    levels = table("remedies", "persona_levels").select("dimension", "level").iter_rows()
    assert {(factor, level) for factor, every in PERSONA_LEVELS.items() for level in every} == set(
        levels
    )


def test_nineteen_attributes_are_scored_and_three_measured() -> None:
    assert len(SCORED) == 19
    assert {"mean_sentence_length", "flesch_kincaid_grade", "abs_vader_compound"}.isdisjoint(SCORED)


def test_good_rows() -> None:
    rows = [label(2), scored((60, 30, 10)), scored((33, 33, 33), order="o210")]
    rows += [label(None, complaint="h2"), label(0, edit="strengthen", **NOBODY)]
    assert not value_problems(decisions(*rows), DECISIONS)
    assert not value_problems(frame(ATTRIBUTES_TABLE, [attributes()]), ATTRIBUTES_TABLE)
    rows = [audited(), audited(auditor="b", valid=False, verdict=None)]
    rows += [audited(text_kind="standardised", style="A")]
    assert not value_problems(frame(AUDIT, rows), AUDIT)


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (label(3), "tier"),
        (label(-1), "tier"),
        (scored((60, 30, 5)), "p0"),
        (scored((60, 30, 5)) | {"p2": None}, "p0"),
        (scored((101, 0, 0)), "p0"),
        (scored((60, 30, 10), tier=0), "tier"),
        (label(1, age=None), "edit"),
        (label(1, edit="weaken"), "edit"),
        (label(1, age="middle"), "age"),
        (label(1, order="o123"), "order"),
        (label(1, edit="shorten", **NOBODY), "edit"),
    ],
    ids=[
        "a fourth tier",
        "a tier below zero",
        "probabilities that do not add up",
        "two of three probabilities",
        "more than certain",
        "a label and probabilities",
        "a guise of no age",
        "an edit with a persona",
        "an unknown age",
        "an unknown order",
        "an unknown edit",
    ],
)
def test_what_is_wrong_in_a_decision_is_named(row: dict[str, Any], column: str) -> None:
    found = value_problems(decisions(row, label(0, complaint="h2")), DECISIONS)
    assert column in {problem.column for problem in found}


def test_the_same_decision_twice_is_a_problem() -> None:
    assert value_problems(decisions(label(1), label(2)), DECISIONS)
    assert not value_problems(decisions(label(1), label(2, repeat=1)), DECISIONS)


@pytest.mark.parametrize(
    ("given", "fits"), [((70, 30), True), ((70, 25), False), ((70, None), False)]
)
def test_inferred_levels_add_up(given: tuple[int, int | None], fits: bool) -> None:
    row = attributes(age_young=given[0], age_old=given[1])
    assert (not value_problems(frame(ATTRIBUTES_TABLE, [row]), ATTRIBUTES_TABLE)) == fits


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("text_kind", {"text_kind": "edit"}),
        ("text_kind", {"text_kind": "guise", "style": "B"}),
        ("verdict", {"valid": False}),
        ("verdict", {"verdict": None}),
        ("verdict", {"verdict": "major"}),
        ("weight", {"weight": 1.5}),
    ],
    ids=[
        "an edit that is a guise",
        "a guise in a style",
        "a verdict from nowhere",
        "no verdict",
        "an unknown verdict",
        "more than everybody",
    ],
)
def test_what_is_wrong_in_an_audit_is_named(column: str, change: dict[str, Any]) -> None:
    found = value_problems(frame(AUDIT, [audited(**change)]), AUDIT)
    assert column in {problem.column for problem in found}
