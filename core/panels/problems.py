"""What can be wrong with a panel, and the one exception that carries all of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a panel."""

    column: str
    """The column it concerns; empty when it concerns the whole file."""
    row: str
    """Row number (counted from 1), the cell's keys, or empty when it concerns the whole column."""
    found: str
    """What the file holds."""
    expected: str
    """What the row contract asks for."""
    todo: str
    """What the reader can do about it."""

    def sentence(self) -> str:
        """Say the problem in one line of plain text."""
        place = ", ".join(
            part
            for part in (
                f"column {self.column!r}" if self.column else "",
                f"row {self.row}" if self.row else "",
            )
            if part
        )
        return (
            f"{place or 'file'}: found {self.found}; expected {self.expected}. {self.todo}".strip()
        )


class PanelError(ValueError):
    """A panel cannot be used; ``problems`` lists every reason that was found.

    ``held_against`` says in a sentence which row shape was assumed and why; empty when the file
    was refused before that.
    """

    def __init__(self, problems: Iterable[Problem], held_against: str = "") -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        self.held_against = held_against
        super().__init__("\n".join(problem.sentence() for problem in self.problems))
