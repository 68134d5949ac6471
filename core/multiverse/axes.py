"""A choice as an axis of a multiverse: the values that are looked at.

A choice that has an effect under one value of another only, such as the place on a path between two
comparators, is no axis of its own: it splits that value of the other into several.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.choices import Choice, Choices, Declaration, Role, Value

Values = Mapping[str, Sequence[Value]]
"""Values to look at, by the key of their choice."""

STEPS = (-0.5, -0.25, 0.25, 0.5)
"""Places of the values of a range beside the planned one: parts of the way to its lower end, and of
the way to its upper end."""


@dataclass(frozen=True, slots=True)
class Level:
    """One value of an axis."""

    label: str
    changes: tuple[tuple[str, Value], ...]
    """Every choice of the axis with its value."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One decision with the values that are looked at; the planned one is always among them."""

    key: str
    label: str
    role: Role
    levels: tuple[Level, ...]
    planned: int
    """Position of the planned value."""

    @property
    def keys(self) -> frozenset[str]:
        """Choices that it sets."""
        return frozenset(key for key, _ in self.levels[0].changes)


def axes(declaration: Declaration, keys: Iterable[str], values: Values) -> tuple[Axis, ...]:
    """Make axes of some choices.

    Parameters
    ----------
    declaration
        A study's choices.
    keys
        Choices that vary; those that depend on another one go with it.
    values
        Values to look at; a choice without any has those of `usual`.

    Returns
    -------
    tuple of Axis
        In declared order, without choices that are left with the planned value alone.
    """
    wanted = set(keys)
    found = (
        axis(declaration, choice, values)
        for choice in declaration
        if choice.key in wanted and is_axis(declaration, choice)
    )
    return tuple(own for own in found if len(own.levels) > 1)


def is_axis(declaration: Declaration, choice: Choice) -> bool:
    """Say whether a choice can be an axis: no part, nothing typed, none that goes with another."""
    depends = choice.only_with is not None and not declaration[choice.only_with[0]].is_part
    return not (choice.section or choice.is_part or choice.check is not None or depends)


def dependents(declaration: Declaration, choice: Choice, value: Value) -> list[Choice]:
    """List the choices that have an effect under one value of another only."""
    return [own for own in declaration if own.only_with == (choice.key, value)]


def axis(declaration: Declaration, choice: Choice, values: Values) -> Axis:
    """Make an axis of a choice and of those that depend on it."""
    wanted = values.get(choice.key) or usual(declaration, choice)
    in_order = _with_planned(choice, wanted)
    base = declaration.planned
    keys = [choice.key] + [
        own.key for own in declaration if own.only_with and own.only_with[0] == choice.key
    ]
    levels: list[Level] = []
    planned = 0
    for value in in_order:
        if value == choice.planned:
            planned = len(levels)
        for label, changes in _split(declaration, choice, value, values):
            own = dict(changes)
            full = tuple((key, own.get(key, base[key])) for key in keys)
            levels.append(Level(label, full))
    return Axis(choice.key, choice.label, choice.role, tuple(levels), planned)


def _split(
    declaration: Declaration, choice: Choice, value: Value, values: Values
) -> list[tuple[str, dict[str, Value]]]:
    """Split a value by the choices that depend on it; the planned values come first."""
    under = [own for own in dependents(declaration, choice, value) if own.check is None]
    own = {choice.key: value}
    name = name_of(choice, value)
    if not under:
        return [(name, own)]
    if len(under) == 1:
        inner = under[0]
        wanted = values.get(inner.key) or usual(declaration, inner)
        return [(f"{name} {inner.say(v)}", own | {inner.key: v}) for v in wanted]
    # Several that depend on one value: one of them at a time.
    moved = [
        (f"{name}, {inner.label}: {inner.say(v)}", own | {inner.key: v})
        for inner in under
        for v in values.get(inner.key, ())
        if v != inner.planned
    ]
    return [(name, own), *moved]


def name_of(choice: Choice, value: Value) -> str:
    """Name a value; several options that hold at once by what they differ in from the planned."""
    planned = choice.planned
    if not (choice.many and isinstance(value, tuple) and isinstance(planned, tuple)):
        return choice.say(value)
    out, more = set(planned) - set(value), set(value) - set(planned)
    if len(out) + len(more) != 1 or len(value) == 1:
        return choice.say(value) if value != planned else "as planned"
    changed = choice.say(tuple(out | more))
    return f"without {changed}" if out else f"with {changed}"


def _with_planned(choice: Choice, wanted: Sequence[Value]) -> list[Value]:
    """Put values into a choice's own order, the planned one among them."""
    found = list(dict.fromkeys([*wanted, choice.planned]))
    if choice.range is not None:
        return sorted(found, key=lambda value: float(str(value)))
    if choice.many:
        return [choice.planned, *(value for value in found if value != choice.planned)]
    return [option.value for option in choice.options if option.value in found]


def usual(declaration: Declaration, choice: Choice) -> list[Value]:
    """Return the values that are looked at where nobody names any.

    Of a list of options all, but those that a typed table alone gives an effect; of several options
    that can hold at once the planned ones, each way of leaving one out and each way of adding one;
    of a range the planned value and four around it.
    """
    if choice.range is not None:
        low, high = choice.range.low, choice.range.high
        planned = float(str(choice.planned))
        ways = (planned + step * (high - planned if step > 0 else planned - low) for step in STEPS)
        found = {choice.repaired(way) for way in ways} | {choice.planned}
        return sorted(found, key=lambda value: float(str(value)))
    if choice.many:
        return _neighbours(choice)
    return [
        option.value
        for option in choice.options
        if option.value == choice.planned
        or not any(own.check is not None for own in dependents(declaration, choice, option.value))
    ]


def _neighbours(choice: Choice) -> list[Value]:
    """Return the planned options, and every set that has one less or one more."""
    planned = choice.planned
    assert isinstance(planned, tuple)
    names = [option.value for option in choice.options]
    fewer = [tuple(n for n in planned if n != out) for out in planned if len(planned) > 1]
    more = [tuple(n for n in names if n in planned or n == new) for new in names]
    return list(dict.fromkeys([planned, *fewer, *more]))


def level_choices(base: Choices, levels: Iterable[Level]) -> Choices:
    """Return a specification with the values of some levels."""
    changes = {key: value for level in levels for key, value in level.changes}
    return base.replace(**changes)
