"""What a choice of the analyst is, and one value for each of a study's choices.

A choice is declared once, as data. Its widget, its place in a link, its axis in a multiverse and
its line in an export all come from that declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["estimand", "data", "inference"]
Mark = Literal["registered", "first published", "corrected", "post hoc in the study", "ours"]
Value = str | float | int | tuple[str, ...]

ROLE_HEADINGS: Mapping[Role, str] = {
    "estimand": "The question",
    "data": "Which rows count",
    "inference": "How it is judged",
}
"""Headings in the order in which a reader meets the choices."""

LINK_VERSION = "1"

RESERVED = ("link", "panel")
"""Names in a link that no choice may have."""

TOLD_UNKNOWN = 5
"""Names of a link that are told one by one where they are no choice; of more their number."""

SHOWN_CHARACTERS = 60
"""How much of a link's value is shown when it had to be repaired."""


@dataclass(frozen=True, slots=True)
class Option:
    """One value a choice of options can take."""

    value: str
    label: str
    mark: Mark | None = None
    help: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """The values a numeric choice can take."""

    low: float
    high: float
    step: float
    decimals: int = 2
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """What a link asked for that could not be restored as it stood."""

    label: str
    found: str
    used: str
    why: str

    def sentence(self) -> str:
        """Say the repair in one line of plain text."""
        return f"{self.label}: the link says {self.found!r}, {self.why}; shown is {self.used}."


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision of the analyst.

    Exactly one of ``options``, ``range`` and ``check`` is given. ``planned`` is what the study
    registered, or where it registered nothing its corrected, else its published value.
    """

    key: str
    label: str
    help: str
    role: Role
    planned: Value
    where: str
    """Where the study states the planned value."""
    mark: Mark = "first published"
    """What kind of statement the planned value is."""
    options: tuple[Option, ...] = ()
    range: Range | None = None
    check: Callable[[str], object] | None = None
    """For a table that a reader types: reads its text, or raises ValueError with what is wrong."""
    is_table: bool = False
    """Whether what is typed is edited as a table on the page, not in a line of the sidebar."""
    many: bool = False
    """Whether several options can hold at once; the value is then a tuple in declared order."""
    opens_on: Value | None = None
    """Value shown when the page opens, where the planned one would show nothing moving."""
    only_with: tuple[str, Value] | None = None
    """(key, value) of another choice without which this one has no effect."""
    is_part: bool = False
    """Whether it picks a part of the study with a planned setting of its own: never a departure."""
    section: str = ""
    """Part of the page that it belongs to; empty for the choices that govern the whole page."""
    explained: str = ""
    """What it decides, in a sentence that stands beside it, for readers who meet it first."""

    def __post_init__(self) -> None:
        """Refuse declarations that contradict themselves."""
        if [bool(self.options), self.range is not None, self.check is not None].count(True) != 1:
            raise ValueError(f"choice {self.key!r} needs one of options, range and check")
        known = [option.value for option in self.options]
        if len(set(known)) != len(known):
            raise ValueError(f"choice {self.key!r} has an option twice")
        if self.many and any("," in value for value in known):
            raise ValueError(f"choice {self.key!r} has a comma in an option: a link could not tell")
        for value in (self.planned, self.opening):
            if not self.allows(value):
                raise ValueError(f"choice {self.key!r} cannot take its own value {value!r}")

    @property
    def opening(self) -> Value:
        """The value a page opens on."""
        return self.planned if self.opens_on is None else self.opens_on

    def allows(self, value: Value) -> bool:
        """Say whether a value is one that the choice can take."""
        if self.range is not None:
            is_number = isinstance(value, int | float)
            return is_number and self._nearest_number(value) == value
        if self.check is not None:
            return isinstance(value, str) and not self._fault(value)
        known = tuple(option.value for option in self.options)
        if self.many:
            # In declared order, and never nothing at all.
            return bool(value) and value == self.repaired(value)
        return value in known

    def repaired(self, value: Value) -> Value:
        """Return the value itself when it is allowed, else the nearest allowed one."""
        if self.range is not None:
            return self._nearest_number(value)
        if self.check is not None:
            return value if isinstance(value, str) and not self._fault(value) else self.planned
        known = tuple(option.value for option in self.options)
        if self.many:
            asked = (value,) if isinstance(value, str) else value
            kept = tuple(v for v in known if isinstance(asked, tuple) and v in asked)
            return kept or self.planned
        return value if value in known else self.planned

    def _fault(self, text: str) -> str:
        """Say what is wrong with a typed table; empty when nothing is."""
        assert self.check is not None
        try:
            self.check(text)
        except ValueError as error:
            return str(error)
        return ""

    def _nearest_number(self, value: Value) -> Value:
        assert self.range is not None
        if isinstance(value, str | tuple) or value != value:
            return self.planned
        low, high, step = self.range.low, self.range.high, self.range.step
        inside = min(max(float(value), low), high)
        snapped = low + round((inside - low) / step) * step
        return round(snapped) if self.is_whole else round(min(snapped, high), 10)

    @property
    def is_whole(self) -> bool:
        """Whether a numeric choice takes whole numbers only."""
        return self.range is not None and self.range.decimals == 0

    def say(self, value: Value) -> str:
        """Write a value as a reader sees it."""
        if self.range is not None:
            assert isinstance(value, int | float)
            return f"{value:.{self.range.decimals}f}{self.range.unit}"
        if self.check is not None:
            return str(value) or "none"
        labels = {option.value: option.label for option in self.options}
        chosen = value if isinstance(value, tuple) else (str(value),)
        return ", ".join(labels[v] for v in chosen)

    def say_within(self, value: Value) -> str:
        """Write a value within a sentence: one of several words stands between quotes."""
        text = self.say(value)
        return text if self.range is not None or " " not in text else f"“{text}”"

    def mark_of(self, value: Value) -> Mark | None:
        """Return the mark of a value, if it has one."""
        if value == self.planned:
            return self.mark
        return next((option.mark for option in self.options if option.value == value), None)

    def to_text(self, value: Value) -> str:
        """Write a value for a link."""
        return ",".join(value) if isinstance(value, tuple) else f"{value}"

    def from_text(self, text: str) -> tuple[Value, str | None]:
        """Read a value from a link.

        Returns
        -------
        value, problem
            The nearest allowed value, and why it is not the one asked for (None when it is).
        """
        asked: Value = text
        if self.check is not None:
            fault = self._fault(text)
            return (self.planned, f"where {fault}") if fault else (text, None)
        if self.many:
            asked = tuple(text.split(","))
        elif self.range is not None:
            try:
                asked = float(text)
            except ValueError:
                return self.planned, "which is not a number"
        value = self.repaired(asked)
        if self.many:
            same = isinstance(asked, tuple) and set(asked) == set(
                value if isinstance(value, tuple) else ()
            )
        else:
            same = value == asked
        if same:
            return value, None
        if self.range is not None:
            low, high = self.say(self.range.low), self.say(self.range.high)
            return value, f"which is not between {low} and {high} in steps of {self.range.step:g}"
        return value, "which is not one of its options"


@dataclass(frozen=True, slots=True)
class Declaration:
    """All choices of one study, in the order in which a reader meets them."""

    study: str
    choices: tuple[Choice, ...]

    def __post_init__(self) -> None:
        """Refuse choices that a link or a page could not tell apart or put in order."""
        keys = [choice.key for choice in self.choices]
        if len(set(keys)) != len(keys):
            raise ValueError(f"two choices of {self.study} share a key: {sorted(keys)}")
        if taken := set(keys) & set(RESERVED):
            raise ValueError(f"a choice of {self.study} has a link's own name: {sorted(taken)}")
        for position, choice in enumerate(self.choices):
            if choice.only_with is None:
                continue
            key, value = choice.only_with
            if key not in keys[:position] or not self[key].allows(value):
                raise ValueError(f"{choice.key!r} of {self.study} depends on no earlier choice")

    def __getitem__(self, key: str) -> Choice:
        """Find a choice by its key."""
        for choice in self.choices:
            if choice.key == key:
                return choice
        raise KeyError(f"{self.study} has no choice {key!r}")

    def __iter__(self) -> Iterator[Choice]:
        """Go through the choices in order."""
        return iter(self.choices)

    @property
    def planned(self) -> Choices:
        """The planned value of every choice."""
        return Choices(self.study, tuple((c.key, c.planned) for c in self.choices))

    @property
    def opening(self) -> Choices:
        """The value of every choice when the page opens."""
        return Choices(self.study, tuple((c.key, c.opening) for c in self.choices))

    def select(self, values: Mapping[str, Value]) -> Choices:
        """Build a specification from values; anything not given is planned.

        Raises
        ------
        ValueError
            If a value is not allowed; names the choice, the value and what is allowed.
        """
        chosen = []
        for choice in self.choices:
            value = values.get(choice.key, choice.planned)
            if not choice.allows(value):
                raise ValueError(
                    f"{choice.label} cannot be {value!r}; nearest is {choice.repaired(value)!r}"
                )
            chosen.append((choice.key, value))
        return Choices(self.study, tuple(chosen))

    def departures(self, choices: Choices) -> list[tuple[Choice, Value]]:
        """List the choices that differ from the planned setting and have an effect.

        Choices of a section are left out: they govern that section only, which says so itself. So
        are those that pick a part of the study.
        """
        return [
            (choice, choices[choice.key])
            for choice in self.choices
            if choices[choice.key] != choice.planned
            and self.has_effect(choice, choices)
            and not choice.section
            and not choice.is_part
        ]

    def has_effect(self, choice: Choice, choices: Choices) -> bool:
        """Say whether a choice matters, given the others."""
        if choice.only_with is None:
            return True
        key, value = choice.only_with
        return choices[key] == value

    def to_link(self, choices: Choices, *, panel: str) -> dict[str, str]:
        """Return query parameters that carry every value, the link version and the panel's hash."""
        values = {c.key: c.to_text(choices[c.key]) for c in self.choices}
        return {"link": LINK_VERSION, "panel": panel, **values}

    def from_link(
        self, query: Mapping[str, str | Sequence[str]]
    ) -> tuple[Choices, tuple[Repair, ...]]:
        """Restore a specification from query parameters.

        Parameters
        ----------
        query
            Parameter names and values, or lists of values for names that may be there more than
            once; names that are no choice's key are ignored.

        Returns
        -------
        choices, repairs
            A valid specification, and everything that had to be changed to make it one. A choice
            that the link does not name takes the value the page opens on.
        """
        values, repairs = [], []
        for choice in self.choices:
            texts = _texts(query, choice.key)
            if not texts:
                values.append((choice.key, choice.opening))
                continue
            value, problem = choice.from_text(texts[-1])
            values.append((choice.key, value))
            if problem:
                found = shortened(texts[-1])
                repairs.append(Repair(choice.label, found, choice.say(value), problem))
            else:
                repairs += repeated(choice.label, texts, choice.say(value))
        return Choices(self.study, tuple(values)), (*repairs, *unknown_version(query))

    def unknown(
        self, query: Mapping[str, str | Sequence[str]], views: Collection[str]
    ) -> tuple[Repair, ...]:
        """Tell the parameters of a link that are no choice of the study, a few by name.

        Parameters
        ----------
        query
            As for `from_link`.
        views
            View settings, which are no choices and may be there.
        """
        known = {c.key for c in self.choices} | set(RESERVED) | set(views)
        return unknown_names(query, known, "the study")

    def export_lines(self, choices: Choices) -> list[str]:
        """Write one line a choice for an export, with the planned value where it differs."""
        lines = []
        for choice in self.choices:
            value = choices[choice.key]
            line = f"{choice.label}: {choice.say(value)}"
            if not self.has_effect(choice, choices):
                line += " (no effect here)"
            elif value != choice.planned:
                line += f" (planned: {choice.say(choice.planned)})"
            lines.append(line)
        return lines


def _texts(query: Mapping[str, str | Sequence[str]], key: str) -> list[str]:
    """Return the values of a parameter: none, one or several."""
    found = query.get(key, ())
    return [found] if isinstance(found, str) else list(found)


def repeated(label: str, texts: Sequence[str], used: str) -> tuple[Repair, ...]:
    """Tell that a link gives a name several values; none where it gives one."""
    if len(set(texts)) < 2:
        return ()
    return (Repair(label, shortened(", ".join(texts)), used, "of which the last counts"),)


def unknown_version(query: Mapping[str, str | Sequence[str]]) -> tuple[Repair, ...]:
    """Tell a version of a link that is not known."""
    why = "which this version does not know"
    return tuple(
        Repair("Link version", shortened(version), LINK_VERSION, why)
        for version in _texts(query, "link")[-1:]
        if version != LINK_VERSION
    )


def unknown_names(
    query: Mapping[str, str | Sequence[str]], known: Collection[str], whose: str
) -> tuple[Repair, ...]:
    """Tell the parameters of a link that mean nothing, a few by name.

    Parameters
    ----------
    query
        Parameter names and values, or lists of values.
    known
        Names that mean something.
    whose
        Whose choices they are not, such as the study.
    """
    names = sorted(set(query) - set(known))
    why, without = f"which is no choice of {whose}", "the view without it"
    told = [
        # Control characters of a link reach neither a terminal nor a file.
        Repair(repr(name[:SHOWN_CHARACTERS])[1:-1], shortened(texts[-1]), without, why)
        for name in names[:TOLD_UNKNOWN]
        if (texts := _texts(query, name))
    ]
    left = len(names) - TOLD_UNKNOWN
    if left > 0:
        told.append(Repair("Others", f"{left:,} more names", "the view without them", why))
    return tuple(told)


def shortened(text: str) -> str:
    """Cut a value of a link that is too long to show."""
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


def view_repair(name: str, found: str, used: str) -> Repair:
    """Say that a link names something to look at, such as a model in focus, that is not there."""
    why = "which is not there to look at"
    return Repair(f"View setting {name}", shortened(found), used or "none", why)


@dataclass(frozen=True, slots=True)
class Choices:
    """One value for each choice of a study: a specification. Hashable, so it is a cache key."""

    study: str
    values: tuple[tuple[str, Value], ...]

    def __getitem__(self, key: str) -> Value:
        """Return the value of a choice."""
        for name, value in self.values:
            if name == key:
                return value
        raise KeyError(f"{self.study} has no choice {key!r}")

    def number(self, key: str) -> float:
        """Return the value of a numeric choice."""
        value = self[key]
        if isinstance(value, str | tuple):
            raise TypeError(f"{key!r} of {self.study} is not a number")
        return float(value)

    def text(self, key: str) -> str:
        """Return the value of a choice of one option."""
        value = self[key]
        if not isinstance(value, str):
            raise TypeError(f"{key!r} of {self.study} is not one option")
        return value

    def many(self, key: str) -> tuple[str, ...]:
        """Return the value of a choice of several options."""
        value = self[key]
        if not isinstance(value, tuple):
            raise TypeError(f"{key!r} of {self.study} is not several options")
        return value

    def replace(self, **changes: Value) -> Choices:
        """Return the specification with some values changed."""
        values = dict(self.values)
        unknown = changes.keys() - values.keys()
        if unknown:
            raise KeyError(f"{self.study} has no choice {sorted(unknown)}")
        return Choices(self.study, tuple((values | changes).items()))

    def without(self, keys: Sequence[str]) -> Choices:
        """Return the values of the other choices only: the key of work that these do not touch."""
        return Choices(self.study, tuple((k, v) for k, v in self.values if k not in keys))
