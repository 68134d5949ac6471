"""What can go wrong with a call: one error type that says what, whether it cost, and what to do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Spent = Literal["no", "perhaps", "yes"]

SPENT_WORDS: dict[Spent, str] = {
    "no": "No money was spent.",
    "perhaps": "Money may have been spent: the server had the request and no whole reply came.",
    "yes": "The server answered, so the call counts if it charges.",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call gave no answer."""

    kind: str
    """A short name, such as ``rate limit``; the same fault always has the same."""
    what: str
    """What happened, as a sentence."""
    spent: Spent
    todo: str
    """What the reader can do, as a sentence."""
    again: bool = False
    """Whether the same call may succeed a little later."""
    wait: float | None = None
    """Seconds that the server asked to wait."""

    def sentence(self) -> str:
        """Say all of it in plain text."""
        return f"{self.what} {SPENT_WORDS[self.spent]} {self.todo}"

    def after(self, tries: int) -> Fault:
        """Return the same fault, saying that it came back on every try."""
        if tries < 2:
            return self
        return replace(self, what=f"{self.what} It was tried {tries} times.")


class LiveError(Exception):
    """A call, or a whole check, that cannot go on; ``fault`` says why."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.sentence())


def not_possible(kind: str, what: str, todo: str) -> LiveError:
    """Make the error for something that is refused before anything is sent."""
    return LiveError(Fault(kind, what, "no", todo))
