"""Typed questions to OpenAI's decisions endpoint, by the official client."""

from __future__ import annotations

from typing import Any

from core.live.faults import not_possible
from core.live.prompt import Distribution, Prompt, Reply, Request
from core.live.providers.base import read_object, told_model, told_usage, unreadable
from core.live.providers.chat import Chat, open_client

ROUNDING = 0.02
"""How far rounded probabilities may miss a sum of one."""


class Decisions(Chat):
    """An endpoint that answers typed questions with a distribution, and writes nothing."""

    name = "decisions"
    writes = False
    decides = True
    headroom = 0

    def ways(self, prompt: Prompt) -> tuple[Request, ...]:
        """Return the one request: a choice among the options, in our order."""
        question = {
            "type": "choice",
            "name": prompt.step,
            "instructions": prompt.question,
            "choices": [{"value": o.key, "description": o.meaning} for o in prompt.options],
        }
        return ({"model": self.model, "input": prompt.text, "questions": [question]},)

    def _post(self, request: Request) -> str:
        with open_client(self.address, self._key, self._bounds) as client:
            if not hasattr(client, "decisions"):
                raise not_possible(
                    "not installed",
                    "The installed openai package has no decisions endpoint.",
                    "Install the version that requirements.txt names.",
                )
            return str(client.decisions.with_raw_response.create(**request).http_response.text)

    def read(self, raw: str, prompt: Prompt) -> Reply:
        """Read the distribution of a choice."""
        value = read_object(raw, self.address.host)
        answers = value.get("answers")
        answer = answers[0] if isinstance(answers, list) and answers else None
        if not isinstance(answer, dict):
            raise unreadable("empty", "The reply holds no answer at all.")
        if answer.get("type") == "refusal":
            raise unreadable("refusal", "The model declined to answer the question.")
        listed = answer.get("probabilities")
        pairs = [
            (entry.get("value"), entry.get("probability"))
            for entry in (listed if isinstance(listed, list) else [])
            if isinstance(entry, dict)
        ]
        tokens = told_usage(value, ("input_tokens", "output_tokens"))
        shares = over_keys(pairs, prompt)
        return Reply("", told_model(value), *tokens, distribution=shares)


def over_keys(pairs: list[tuple[Any, Any]], prompt: Prompt) -> Distribution:
    """Check probabilities by option and scale them to a sum of one.

    Raises
    ------
    LiveError
        If an option is missing, unknown or named twice, or the probabilities are none.
    """
    keys = [option.key for option in prompt.options]
    shares = {key: p for key, p in pairs if isinstance(key, str) and _is_probability(p)}
    if len(shares) != len(pairs) or set(shares) != set(keys):
        raise unreadable("no distribution", "The reply is no distribution over the options.")
    total = sum(shares.values())
    if abs(total - 1) > ROUNDING * len(keys):
        raise unreadable("no distribution", f"The probabilities add up to {total:.2f}, not one.")
    return Distribution({key: shares[key] / total for key in keys})


def _is_probability(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1
