"""A check whose prompts a reader carries: which are still open, and what the pasted replies say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.live.providers.by_hand import ByHand
from core.live.run import Check, Outcome, Runner


@dataclass(frozen=True)
class Errand:
    """One prompt to carry, and what came of it."""

    prompt: str
    nth: int
    """How often the same prompt stands before it in this check."""
    outcome: Outcome

    @property
    def is_open(self) -> bool:
        """Whether no reply has been pasted yet."""
        return self.outcome.state == "waiting"


@dataclass(frozen=True)
class Carried:
    """How far a check by hand is."""

    result: Any
    errands: tuple[Errand, ...]
    """Every prompt that can be asked so far, in order; more may follow from the replies."""

    @property
    def open(self) -> int:
        """How many replies are missing."""
        return sum(errand.is_open for errand in self.errands)


def carry(check: Check[Any], replies: Mapping[tuple[str, int], str]) -> Carried:
    """Run a check on the replies that were pasted so far.

    Parameters
    ----------
    check
        An instrument with a reader's text.
    replies
        By prompt and by how often the same prompt came before.
    """
    asked: list[tuple[str, int]] = []

    def pasted(prompt: str, nth: int) -> str | None:
        asked.append((prompt, nth))
        return replies.get((prompt, nth)) or None

    result = Runner(ByHand(pasted), workers=1).run(check)
    errands = [Errand(*key, outcome) for key, outcome in zip(asked, result.outcomes, strict=True)]
    return Carried(result, tuple(errands))
