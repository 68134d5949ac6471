"""A person carries prompts to a model and pastes its replies: nothing is sent by Hinge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from core.live.faults import LiveError, not_possible
from core.live.prompt import Prompt, Reply, Request
from core.live.providers.base import unreadable


class ByHand:
    """Gives out prompts to copy, and takes what was pasted."""

    name = "by hand"
    writes = True
    decides = False
    headroom = 0
    address = None
    identity = ""

    def __init__(self, pasted: Callable[[str, int], str | None], *, model: str = "by hand") -> None:
        """Say where replies come from.

        Parameters
        ----------
        pasted
            Given a prompt to copy, and how often the same one came before, returns the reply that
            was pasted for it, or None so far.
        model
            What the reader says answered.
        """
        self.model = model
        self._pasted = pasted
        self._seen: Counter[str] = Counter()

    def ways(self, prompt: Prompt) -> tuple[Request, ...]:
        """Return the one text to copy."""
        return ({"prompt": f"{prompt.system}\n\n{prompt.user}"},)

    def send(self, request: Request) -> str:
        """Return what was pasted for a prompt."""
        prompt = request["prompt"]
        reply = self._pasted(prompt, self._seen[prompt])
        self._seen[prompt] += 1
        if reply is None:
            raise waiting()
        return reply

    def read(self, raw: str, prompt: Prompt) -> Reply:
        """Take the reply as it is."""
        del prompt
        if not raw.strip():
            raise unreadable("empty", "The pasted reply is empty.")
        return Reply(raw, self.model)


def waiting() -> LiveError:
    """Make the error for a prompt whose reply has not been pasted yet."""
    return not_possible(
        "waiting", "No reply has been pasted yet.", "Copy the prompt to a model, paste its reply."
    )
