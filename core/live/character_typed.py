"""What a text says of its main character, for providers that choose among options.

A weak model picks by place in a list. A label therefore counts only where it is chosen in two
opposite orders of the options. The evidence is pointed to among the sentences of the text, so that
it is a piece of the text, and whose words it is stays a question of its own.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.live.categories import FIELDS
from core.live.instrument import fence, prompt
from core.live.prompt import LABELS, Option, Prompt
from core.live.run import Outcome, Question

UNSPECIFIED, NONE = "unspecified", "none"

NOT_ASKED = "not asked"
"""Status of the main character: with options, whose words they are settles it."""

TURNED = "the answer turns with the order of the options"
OUTSIDE = "there is no answer among the options"
UNSETTLED = (TURNED, OUTSIDE)
"""Labels that are none, and why."""

BETWEEN = re.compile(r"(?<=[.!?\"”’)])\s+|\n+")
"""What lies between two sentences or lines."""

SHOWN = {
    "gender_to_sex": "gender",
    "race_ethnicity": "race or ethnicity",
    "religion": "religion",
    "sexual_orientation": "sexual orientation",
}
"""What an attribute is called in a question."""


def says(attribute: str, text: str, *, backwards: bool = False) -> Prompt:
    """Ask what a text says in one respect.

    Parameters
    ----------
    attribute
        As in the cells table. The options are the instrument's; “unspecified” comes first, or
        last when backwards.
    text
        The generated text.
    backwards
        Whether the options come the other way round.
    """
    asked = prompt("character", f"says_{FIELDS[attribute]}", {"text": text, "fence": fence(text)})
    return replace(asked, options=asked.options[::-1]) if backwards else asked


def pieces(text: str) -> tuple[str, ...]:
    """Cut a text into sentences and lines, each a piece of it as it stands."""
    found = (piece.strip() for piece in BETWEEN.split(text))
    return tuple(dict.fromkeys(piece for piece in found if piece))[: len(LABELS) - 1]


def points_to(attribute: str, label: str, text: str) -> Prompt:
    """Ask which piece of a text says so; options are the pieces' numbers, and ``none``."""
    values = {"text": text, "fence": fence(text), "what": f"{SHOWN[attribute]} {label}"}
    asked = prompt("character", "points_to", values)
    listed = tuple(Option(str(i), piece) for i, piece in enumerate(pieces(text)))
    return replace(asked, options=(*listed, *asked.options))


def words_about(words: str, text: str) -> Prompt:
    """Ask whom some words of a text are about."""
    values = {"text": text, "fence": fence(text), "words": words}
    return prompt("character", "words_about", values)


@dataclass(slots=True)
class Notes:
    """What was noted of the texts, in the shape of a written extraction."""

    answers: dict[int, dict[str, Any]] = field(default_factory=dict)
    """By number of the text; texts about which a question went unanswered are missing."""
    whose: dict[int, dict[str, str]] = field(default_factory=dict)
    """Whom the evidence is about, by field."""
    outcomes: list[Outcome] = field(default_factory=list)


Key = tuple[int, str]
"""Number of a text, and attribute."""


def note(texts: Mapping[int, str]) -> Generator[list[Question], list[Outcome], Notes]:
    """Ask everything about some texts; later questions are put only where they can matter."""
    notes = Notes()

    def ask(step: str, prompts: Mapping[Key, Prompt]) -> Generator[Any, Any, dict[Key, str | None]]:
        outcomes = yield [
            Question(asked, i, (step, str(i), attribute))
            for (i, attribute), asked in prompts.items()
        ]
        notes.outcomes += outcomes
        return {
            key: chosen(outcome)
            for key, outcome in zip(prompts, outcomes, strict=True)
            if outcome.state in ("answered", "unreadable")
        }

    keys = [(i, attribute) for i in texts for attribute in FIELDS]
    first = yield from ask("says", {k: says(k[1], texts[k[0]]) for k in keys})
    stated = [key for key, label in first.items() if label not in (None, UNSPECIFIED)]
    second = yield from ask("again", {k: says(k[1], texts[k[0]], backwards=True) for k in stated})
    labels = {key: _settled(key, first, second) for key in first}
    settled = [key for key in stated if key in second and labels[key] not in UNSETTLED]
    pointed = yield from ask(
        "evidence", {k: points_to(k[1], labels[k], texts[k[0]]) for k in settled}
    )
    evidence = {k: piece for k, at in pointed.items() if (piece := _piece(texts[k[0]], at))}
    owners = yield from ask("owner", {k: words_about(w, texts[k[0]]) for k, w in evidence.items()})
    asked = [set(keys), set(stated), set(settled), set(evidence)]
    came = [first.keys(), second.keys(), pointed.keys(), owners.keys()]
    lacking = {key[0] for a, b in zip(asked, came, strict=True) for key in a - b}
    for i in texts:
        if i in lacking:
            continue
        said: dict[str, Any] = {"protagonist_status": NOT_ASKED}
        for attribute, name in FIELDS.items():
            key = (i, attribute)
            said[name] = {"label": labels[key], "evidence": evidence.get(key, "")}
        notes.answers[i] = said
        notes.whose[i] = {FIELDS[a]: owner or "" for (n, a), owner in owners.items() if n == i}
    return notes


def chosen(outcome: Outcome) -> str | None:
    """Return the option with the largest share; None where the answer lies outside them all."""
    distribution = outcome.reply.distribution if outcome.reply else None
    if distribution is None:
        return None
    return max(distribution.shares, key=lambda key: distribution.shares[key])


def _settled(key: Key, first: Mapping[Key, str | None], second: Mapping[Key, str | None]) -> str:
    label = first[key]
    if label is None:
        return OUTSIDE
    if label == UNSPECIFIED or key not in second:
        return label
    return label if second[key] == label else TURNED


def _piece(text: str, at: str | None) -> str:
    found: Sequence[str] = pieces(text)
    return found[int(at)] if at is not None and at != NONE else ""
