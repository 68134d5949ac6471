"""What a multiverse looks at: study, claims, choices and their values; to and from links and files.

In a link each varying choice is a parameter of its own, ``vary.KEY``, once for each of its values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from core.choices import LINK_VERSION, Choice, Repair, Value, view_repair
from core.claims import Claim, StudyClaims
from core.multiverse.axes import Axis, axes, is_axis, usual
from core.multiverse.specs import LIMIT, Specs, grid

PREFIX = "vary."
"""What the name of a varying choice begins with in a link."""

CLAIM = "claim"

Query = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Setup:
    """Claims and values to look at."""

    study: str
    claims: tuple[str, ...]
    """Keys of the claims, at least one; the first is in focus."""
    values: tuple[tuple[str, tuple[Value, ...]], ...]
    """Values by choice, in declared order; those of choices that depend on another too."""

    @property
    def by_choice(self) -> dict[str, tuple[Value, ...]]:
        """Values by the key of their choice."""
        return dict(self.values)

    def axes(self, study: StudyClaims[Any, Any]) -> tuple[Axis, ...]:
        """Make the axes."""
        return axes(study.declaration, self.by_choice, {**study.values, **self.by_choice})

    def size(self, study: StudyClaims[Any, Any]) -> int:
        """Count the specifications of the full grid."""
        return prod(len(axis.levels) for axis in self.axes(study))

    def specs(self, study: StudyClaims[Any, Any], *, limit: int = LIMIT) -> Specs:
        """Make the specifications; the part of the study is that of the first claim's link."""
        return grid(study.declaration.planned, self.axes(study), limit=limit)

    def to_query(self, study: StudyClaims[Any, Any], *, panel: str) -> dict[str, list[str]]:
        """Return the parameters of a link that restores it."""
        declaration = study.declaration
        vary = {
            f"{PREFIX}{key}": [declaration[key].to_text(value) for value in values]
            for key, values in self.values
        }
        head = {"link": [LINK_VERSION], "panel": [panel], "study": [self.study]}
        return head | {CLAIM: list(self.claims)} | vary

    def to_json(self) -> str:
        """Write it for a file."""
        values = {key: list(values) for key, values in self.values}
        return json.dumps(
            {"study": self.study, "claims": list(self.claims), "values": values},
            indent=2,
            ensure_ascii=False,
        )


def opening(study: StudyClaims[Any, Any], claim: Claim) -> Setup:
    """Return what is looked at where nobody chose: the study's opening choices."""
    keys = [key for key in study.opening if can_vary(study, claim, key)]
    named = {key: own for key, own in study.opening_values.items() if key in keys}
    return with_choices(study, (claim.key,), keys, named)


def can_vary(study: StudyClaims[Any, Any], claim: Claim, key: str) -> bool:
    """Say whether a choice is an axis that can move a claim."""
    choice = study.declaration[key]
    return is_axis(study.declaration, choice) and study.moves(choice, claim)


def with_choices(
    study: StudyClaims[Any, Any],
    claims: Sequence[str],
    keys: Sequence[str],
    values: Mapping[str, tuple[Value, ...]] | None = None,
) -> Setup:
    """Let some choices vary.

    Parameters
    ----------
    study
        The study's claims.
    claims
        Keys of the claims.
    keys
        Choices that vary.
    values
        Values to look at; a choice without any has those that the study names, else the usual ones.
    """
    wanted, found = values or {}, []
    for choice in study.declaration:
        parent = choice.only_with[0] if choice.only_with else ""
        if choice.key not in keys and choice.key not in wanted:
            continue
        if not is_axis(study.declaration, choice) and parent not in keys:
            continue
        own = wanted.get(choice.key) or tuple(usual_values(study, choice))
        found.append((choice.key, own))
    return Setup(study.study, tuple(claims), tuple(found))


def usual_values(study: StudyClaims[Any, Any], choice: Choice) -> Sequence[Value]:
    """Return the values of a choice that are looked at where nobody chose, the planned one too."""
    named = study.values.get(choice.key)
    return named if named is not None else usual(study.declaration, choice)


def from_query(
    study: StudyClaims[Any, Any], known: Sequence[Claim], main: Claim, query: Query
) -> tuple[Setup, tuple[Repair, ...]]:
    """Restore what a link looks at.

    Parameters
    ----------
    study
        The study's claims.
    known
        The claims that the panel can be asked about.
    main
        The claim that is shown where the link names none that is there.
    query
        Parameter names and their values.

    Returns
    -------
    setup, repairs
        What is looked at, and everything in the link that had to be changed.
    """
    repairs: list[Repair] = []
    there = {claim.key: claim for claim in known}
    asked = list(dict.fromkeys(query.get(CLAIM, ())))
    kept = [key for key in asked if key in there]
    repairs += [view_repair(CLAIM, key, main.title) for key in asked if key not in there]
    claims = tuple(kept or [main.key])
    focus = there[claims[0]]
    names = [name.removeprefix(PREFIX) for name in query if name.startswith(PREFIX)]
    if not names:
        start = opening(study, focus)
        return Setup(start.study, claims, start.values), tuple(repairs)
    values: dict[str, tuple[Value, ...]] = {}
    for name in names:
        choice = next((c for c in study.declaration if c.key == name), None)
        if choice is None or not _may_vary(study, choice):
            why = "which is no choice that can vary"
            repairs.append(Repair("What varies", name[:60], "the others", why))
            continue
        read, told = _read(choice, query[f"{PREFIX}{name}"])
        repairs += told
        values[name] = read
    keys = [key for key in values if is_axis(study.declaration, study.declaration[key])]
    return with_choices(study, claims, keys, values), tuple(repairs)


def _may_vary(study: StudyClaims[Any, Any], choice: Choice) -> bool:
    if choice.check is not None or choice.section or choice.is_part:
        return False
    return choice.key in study.moving or (
        choice.only_with is not None and choice.only_with[0] in study.moving
    )


def _read(choice: Choice, texts: Sequence[str]) -> tuple[tuple[Value, ...], list[Repair]]:
    """Read the values of one choice."""
    values: list[Value] = []
    repairs = []
    for text in texts:
        value, problem = choice.from_text(text)
        if problem:
            repairs.append(Repair(choice.label, text[:60], choice.say(value), problem))
        values.append(value)
    return tuple(dict.fromkeys(values)), repairs


def from_json(study: StudyClaims[Any, Any], text: str) -> Setup:
    """Read what a file looks at.

    Raises
    ------
    ValueError
        If a choice cannot vary or a value is not one that it can take.
    """
    read = json.loads(text)
    values: dict[str, tuple[Value, ...]] = {}
    for key, found in read["values"].items():
        choice = study.declaration[key]
        own = tuple(tuple(v) if isinstance(v, list) else v for v in found)
        wrong = [value for value in own if not choice.allows(value)]
        if wrong or not _may_vary(study, choice):
            raise ValueError(f"{key!r} of {study.study} cannot take {wrong or 'several values'}")
        values[key] = own
    keys = [key for key in values if is_axis(study.declaration, study.declaration[key])]
    return with_choices(study, read["claims"], keys, values)
