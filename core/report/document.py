"""What a report holds, before it becomes HTML or Word: headings, text, tables and charts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.panels.provenance import Kind
from core.views.view import Chart

LONG, LONGEST = 180, 320
"""Characters from which on the answer is set smaller, and smaller still."""


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    is_quiet: bool = False
    """A note: smaller, as under a chart."""
    type: ClassVar[str] = "text"


@dataclass(frozen=True, slots=True)
class Points:
    """A list."""

    told: tuple[str, ...]
    type: ClassVar[str] = "points"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; all values are text."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    marked: frozenset[int] = frozenset()
    """Rows that stand out: verdicts or settings that differ from planned."""
    type: ClassVar[str] = "grid"


@dataclass(frozen=True, eq=False)
class Picture:
    """A chart."""

    chart: Chart
    type: ClassVar[str] = "picture"


@dataclass(frozen=True, slots=True)
class Shell:
    """Lines to type into a shell."""

    lines: tuple[str, ...]
    type: ClassVar[str] = "shell"


@dataclass(frozen=True, slots=True)
class Link:
    """An address that opens the view."""

    address: str
    label: str = ""
    """What stands for it; empty: the address itself."""
    type: ClassVar[str] = "link"


@dataclass(frozen=True, slots=True)
class Facts:
    """Short answers to short questions: what is asked, and what is said."""

    rows: tuple[tuple[str, str], ...]
    type: ClassVar[str] = "facts"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a section."""

    text: str
    type: ClassVar[str] = "heading"


Block = Heading | Text | Points | Grid | Picture | Shell | Link | Facts


@dataclass(frozen=True, eq=False)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, eq=False)
class Document:
    """A whole report. All text is bare: a writer escapes it as its format asks."""

    title: str
    answer: str
    """The sentence that answers the question: the largest text."""
    kinds: tuple[Kind, ...]
    """Of the panels behind it."""
    setting: str
    """Whether it is the planned setting, in a few words."""
    lead: tuple[str, ...]
    short: Facts
    """The whole in a few lines: question, claim, verdict, hinge, how far to trust it, setting."""
    warnings: tuple[str, ...]
    """What of a link could not be restored."""
    sections: tuple[Section, ...]
    foot: str
