"""Stories as data: one TOML file each under ``data/stories``.

A step names a view as a cite link does, without machine and panel; its sentences hold names in
braces, each of which is a number declared beside it. No number is typed into a sentence.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Literal, cast, get_args

from core.paths import STORIES
from core.report.link import Cited, LinkError
from core.report.link import read as read_link
from core.verdicts import Verdict

Of = Literal[
    "estimate",
    "lowest",
    "highest",
    "smallest move",
    "largest move",
    "claims",
    "count",
    "changed",
    "measure",
    "planned measure",
    "choice",
    "planned choice",
]
"""What a number is: of one claim its estimate; over several their lowest and highest estimate, the
smallest and largest distance from the planned estimates, how many there are, have a verdict, or
have another verdict than planned; a measure of the study that is no claim, now or in the planned
setting; a choice's value, in the step's view or as planned."""

Ground = Literal["printed figures", "reverse search failed"]
"""Why no other rows with the same printed figures could say otherwise: the figures alone settle it,
or a search for such rows found none."""


TEXTS = ("title", "summary", "question", "claim", "verdict", "says")
"""Fields of a file that say something of its whole story."""


class StoryError(ValueError):
    """A story's file is not what it should be; names the file, what was found, and what to do."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a sentence."""

    of: Of
    claims: str = ""
    """A claim's key, or a pattern of keys with ``*``."""
    verdicts: tuple[Verdict, ...] = ()
    """For ``count``: which verdicts count."""
    name: str = ""
    """For measures and choices: which one."""
    decimals: int = 2
    is_absolute: bool = False
    """Whether the sign is told in words."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a sentence rests on: claims have these verdicts, or an estimate has this sign."""

    claims: str
    verdicts: tuple[Verdict, ...] = ()
    sign: int = 0
    """1 or -1: every estimate lies above or below zero; 0: nothing is asked."""
    is_planned: bool = False
    """Whether it is about the planned setting, not about the step's view."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a story."""

    view: Cited
    chart: str
    """Name of a chart of the view."""
    headline: str
    text: str
    notes: str
    """For whoever presents it."""
    ground: Ground
    because: str
    """Why the ground holds, in a sentence."""
    numbers: Mapping[str, Number]
    conditions: tuple[Condition, ...]
    is_answer: bool
    """Whether the numbers of what the whole story says are this step's."""


@dataclass(frozen=True, slots=True)
class Story:
    """A guided tour."""

    key: str
    """Its name in links."""
    title: str
    summary: str
    question: str
    """What the story is about, in full."""
    claim: str
    """What is claimed, of which it says whether it holds; with numbers as `says`."""
    verdict: str
    """What became of the claim, in words; with numbers as `says`."""
    says: str
    """What all of it says, in a sentence, with numbers of the step that is its answer."""
    steps: tuple[Step, ...]

    @property
    def studies(self) -> tuple[str, ...]:
        """Names of the studies it shows, each once."""
        return tuple(dict.fromkeys(step.view.study.name for step in self.steps))

    @property
    def answer(self) -> int:
        """Position of the step whose numbers the story's sentence takes."""
        return next(at for at, step in enumerate(self.steps) if step.is_answer)


def unfilled(sentence: str) -> str:
    """Write a sentence with gaps for its numbers."""
    return re.sub(r"\{[^}]*\}", "…", sentence)


@cache
def stories() -> Mapping[str, Story]:
    """Read all stories that ship, by name, in the order of their files.

    Raises
    ------
    StoryError
        If one of them is not what it should be.
    """
    found = [read(path) for path in sorted(STORIES.glob("*.toml"))]
    return {story.key: story for story in found}


def read(path: Path) -> Story:
    """Read one story.

    Raises
    ------
    StoryError
        If it is no TOML, lacks a field, or a step names what does not exist.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        steps = tuple(_step(own) for own in table["step"])
        story = Story(_key(path), **{name: table[name] for name in TEXTS}, steps=steps)
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, LinkError) as error:
        raise StoryError(f"{path.name}: {_what(error)}. Mend the file.") from error
    if [step.is_answer for step in story.steps].count(True) != 1:
        raise StoryError(f"{path.name}: one step must be its answer. Mark it with is_answer.")
    try:
        for sentence in (story.claim, story.verdict, story.says):
            _check(sentence, story.steps[story.answer].numbers)
    except ValueError as error:
        raise StoryError(f"{path.name}: {error}. Mend the file.") from error
    return story


def _key(path: Path) -> str:
    """Name a story by its file, without the number that gives its place."""
    return path.stem.split("-", 1)[-1]


def _what(error: Exception) -> str:
    return f"the field {error} is missing" if isinstance(error, KeyError) else str(error)


def _step(table: Mapping[str, Any]) -> Step:
    numbers = {name: _number(own) for name, own in table.get("numbers", {}).items()}
    for sentence in (table["headline"], table["text"]):
        _check(sentence, numbers)
    view = read_link(table["view"])
    if view.repairs:
        raise ValueError(f"its view {table['view']!r}: {view.repairs[0].sentence()}")
    if table["ground"] not in get_args(Ground):
        raise ValueError(f"ground {table['ground']!r} is none of {', '.join(get_args(Ground))}")
    return Step(
        view=view,
        chart=table["chart"],
        headline=table["headline"],
        text=" ".join(table["text"].split()),
        notes=" ".join(table["notes"].split()),
        ground=cast(Ground, table["ground"]),
        because=table["because"],
        numbers=numbers,
        conditions=tuple(_condition(own) for own in table.get("holds", ())),
        is_answer=table.get("is_answer", False),
    )


def _check(sentence: str, numbers: Mapping[str, Number]) -> None:
    """See that a sentence types no measured number and names only numbers that are declared."""
    named = {name for _, name, _, _ in Formatter().parse(sentence) if name}
    if unknown := named - set(numbers):
        raise ValueError(f"a sentence names {sorted(unknown)}, which is not among its numbers")


def _number(table: Mapping[str, Any]) -> Number:
    if table["of"] not in get_args(Of):
        raise ValueError(
            f"a number is of {table['of']!r}, which is none of {', '.join(get_args(Of))}"
        )
    return Number(
        of=cast(Of, table["of"]),
        claims=table.get("claims", ""),
        verdicts=tuple(Verdict(word) for word in table.get("verdicts", ())),
        name=table.get("name", ""),
        decimals=table.get("decimals", 2),
        is_absolute=table.get("is_absolute", False),
    )


def _condition(table: Mapping[str, Any]) -> Condition:
    return Condition(
        table["claims"],
        tuple(Verdict(word) for word in table.get("verdicts", ())),
        table.get("sign", 0),
        table.get("is_planned", False),
    )
