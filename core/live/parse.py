"""From the text that a model wrote to the fields that were asked for, without guessing.

A reply that was cut off is never completed: a number that is the last thing in it may have lost
digits. Fields that ended before the cut are reported apart, as what a repair would give.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from core.live.schema import Schema, problems

State = Literal["clean", "repairable", "failed"]

FENCE = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
SPACE = re.compile(r"[ \t\r\n]*")

LONGEST = 400_000
"""Most characters that are looked at; more is no answer to any of our questions."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The fields of an answer."""

    state: State
    """clean; repairable: cut off after the fields in ``values``; failed: nothing usable."""
    values: dict[str, Any] = field(default_factory=dict)
    why: str = ""
    """What is wrong, as a sentence; empty for a clean answer."""


def read_answer(text: str, schema: Schema) -> Parsed:
    """Read the one JSON object in a reply.

    Parameters
    ----------
    text
        What the model wrote: the object alone, in a code fence, or among other words.
    schema
        What the object should be.

    Returns
    -------
    Parsed
        ``clean`` with all fields of the schema; ``repairable`` with the fields that were complete
        and right before the reply was cut off; else ``failed``, with the reason.
    """
    if len(text) > LONGEST:
        return Parsed("failed", why=f"The reply has more than {LONGEST:,} characters.")
    fenced = FENCE.match(text)
    body = fenced[1] if fenced else text
    start = body.find("{")
    if start < 0:
        return Parsed("failed", why="The reply holds no JSON object.")
    try:
        value, end = DECODER.raw_decode(body, start)
    except _Unfit as unfit:
        return Parsed("failed", why=str(unfit))
    except (ValueError, RecursionError):
        return _of_a_cut_reply(body, start, schema)
    if _another_object(body, end):
        return Parsed("failed", why="The reply holds more than one JSON object.")
    wrong = problems(value, schema)
    if wrong:
        return Parsed("failed", why=_sentence(wrong))
    return Parsed("clean", {name: value[name] for name in schema["properties"] if name in value})


class _Unfit(Exception):
    """JSON that says something in two ways, or something that is no number."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise _Unfit(f"The reply gives {repeated[:60]!r} twice.")
    return dict(pairs)


def _no_number(text: str) -> NoReturn:
    raise _Unfit(f"The reply gives {text}, which is no number.")


DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)


def _another_object(body: str, end: int) -> bool:
    at = body.find("{", end)
    while at >= 0:
        try:
            value, _ = DECODER.raw_decode(body, at)
        except (ValueError, RecursionError, _Unfit):
            at = body.find("{", at + 1)
            continue
        return bool(value)
    return False


def _of_a_cut_reply(body: str, start: int, schema: Schema) -> Parsed:
    """Keep the fields that a comma shows to be complete, where they are all right."""
    fields = schema["properties"]
    whole = {
        name: value
        for name, value in _complete_pairs(body, start + 1)
        if name in fields and not problems(value, fields[name], name)
    }
    why = "The reply is cut off or is not JSON."
    return Parsed("repairable", whole, why) if whole else Parsed("failed", why=why)


def _complete_pairs(body: str, at: int) -> list[tuple[str, Any]]:
    """Read name-value pairs of an object up to the first that no comma follows."""
    pairs: list[tuple[str, Any]] = []
    while True:
        try:
            name, at = DECODER.raw_decode(body, _skip(body, at))
            at = _skip(body, at)
            if not isinstance(name, str) or body[at : at + 1] != ":":
                return pairs
            value, at = DECODER.raw_decode(body, _skip(body, at + 1))
        except (ValueError, RecursionError, _Unfit):
            return pairs
        at = _skip(body, at)
        if body[at : at + 1] != ",":
            return pairs
        if any(name == known for known, _ in pairs):
            return []
        pairs.append((name, value))
        at += 1


def _skip(body: str, at: int) -> int:
    found = SPACE.match(body, at)
    return found.end() if found else at


def _sentence(wrong: list[str]) -> str:
    text = "; ".join(wrong[:3])
    return f"{text[:1].upper()}{text[1:]}."
