"""What each question of a check asks, in plain words."""

from __future__ import annotations

from typing import Any

from core.live.clause import ClauseCheck
from core.live.complaint import ORIGINAL
from core.live.run import Question
from core.studies.remedies.contract import UNSTYLED

WHY_PARTY_A = (
    "Some prompts call the parties Party A and Party B. Those labels say nothing of who is who, so "
    "they show how far the ratings of this clause move without the names: what the names do is the "
    "difference."
)
"""Why a clause is rated under labels as well."""

STEPS = {
    "write": "Write text {0}",
    "extract": "Note what text {0} says",
    "owner": "Say whom the words of text {0} are about",
    "says": "Say what text {0} says of {1}",
    "again": "Say what text {0} says of {1}, options turned round",
    "evidence": "Point to where text {0} says {1}",
}
"""Questions about characters, with the number of the text and the attribute."""


def question_name(check: Any, question: Question) -> str:
    """Name a question by what it asks, in plain words.

    Parameters
    ----------
    check
        The check that the question belongs to.
    question
        One of its questions.
    """
    naming = {"clause": _clause, "complaint": _complaint, "filename": _filename}
    return naming.get(check.instrument, _character)(check, question.tag)


def _clause(check: ClauseCheck, tag: tuple[str, ...]) -> str:
    index, step, _ = tag
    presented, named = check.presented[int(index)], check.presented[0]
    asks = "Say who is favoured by" if step.startswith("favored") else "Rate"
    how = "as written" if presented.variant == "strong" else "with the parties swapped"
    if presented.party_a is None:
        return f"{asks} the clause {how}, roles named"
    a, b = named.strong, named.weak
    if presented.party_a == "weak":
        a, b = b, a
    return f"{asks} the clause {how}, {a} called Party A and {b} Party B"


def _complaint(check: Any, tag: tuple[str, ...]) -> str:
    step, name = tag[:2]
    version = "the complaint as you wrote it" if name == ORIGINAL else f"guise {name}"
    if step == "rewrite":
        return f"Rewrite the complaint as guise {name}"
    if step == "standardise":
        return f"Write {version} in standard style {check.style}"
    if step == "audit":
        return f"Compare the facts of {version} with the original"
    style = "" if tag[2] == UNSTYLED else f", in style {tag[2]}"
    order = f", options in order {tag[3]}" if check.typed else ""
    return f"Decide {version}{style}{order}"


def _filename(check: Any, tag: tuple[str, ...]) -> str:
    label = next(each for each in check.labels if each.name == tag[0])
    return f"Mark the text as the file {label.file}"


def _character(check: Any, tag: tuple[str, ...]) -> str:
    del check
    attribute = tag[2].replace("_", " ") if len(tag) > 2 else ""
    return STEPS[tag[0]].format(int(tag[1]) + 1, attribute)
