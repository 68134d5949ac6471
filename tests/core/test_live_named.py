"""Plain names of questions, for every instrument."""

from __future__ import annotations

from typing import Any

import pytest

from core.live.character import CharacterCheck
from core.live.clause import ClauseCheck
from core.live.clause_texts import own_clause
from core.live.complaint import FOUR, PRIMARY_ORDER, ComplaintCheck
from core.live.filename import FilenameCheck, Marked, label_of
from core.live.named import question_name
from core.live.providers.by_hand import ByHand
from core.live.run import Runner
from core.live.schema import expected

CLAUSE = "The Landlord may end this lease at once. The Tenant may end it only after sixty days."
CHECKS: dict[str, Any] = {
    "clause": ClauseCheck(own_clause(CLAUSE, ("Landlord", "Tenant")), 1),
    "typed clause": ClauseCheck(own_clause(CLAUSE, ("Landlord", "Tenant")), 1, typed=True),
    "complaint": ComplaintCheck("Please refund $70.", FOUR, "A", (PRIMARY_ORDER,), 1, True, False),
    "filename": FilenameCheck(Marked("An essay."), (label_of("neutral"), label_of("chen")), 1),
    "character": CharacterCheck("doctor", "USA", 2),
}


@pytest.mark.parametrize("name", list(CHECKS))
def test_every_question_has_a_name_of_its_own_without_internal_words(name: str) -> None:
    check = CHECKS[name]
    result = Runner(ByHand(lambda prompt, nth: "A reply."), workers=1).run(check)
    names = [question_name(check, outcome.question) for outcome in result.outcomes]
    assert names
    assert len(set(names)) == len(names)
    assert not any("_" in said.replace("Document_from_", "") for said in names)


def test_an_expected_answer_is_said_by_its_fields() -> None:
    schema = {
        "properties": {
            "why": {"type": "string"},
            "mark": {"type": "number", "minimum": 0, "maximum": 10},
            "side": {"enum": ["A", "neither"]},
        }
    }
    assert expected(schema) == (
        "one JSON object with why (text), mark (number from 0 to 10) and side (A or neither)"
    )
