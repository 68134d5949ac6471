"""A distribution over labelled options, from the log-probabilities of one token."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from core.live.prompt import LABELS, Distribution, Option, Prompt, Reply, Request
from core.live.providers.base import read_object, told_model, told_usage, unreadable
from core.live.providers.chat import Chat, first_choice

ALTERNATIVES = (20, 5)
"""How many alternatives are asked for: the most that the usual servers give, then fewer."""

DECORATION = " \t\r\n\"'`()[]{}<>*_.:,;-\u2581\u0120"
"""Signs that may stand around a label in a token, marks for a leading space among them."""

ROUNDED_ONE = 1e-6
"""What the logarithm of a probability of one may be once rounded."""

MOST_OUTSIDE = 0.5
"""With more probability than this on other tokens, the answer says little about the options."""


class OneToken(Chat):
    """A chat endpoint that returns log-probabilities.

    Typed questions are answered by a distribution, other prompts are written as by `Chat`.
    """

    name = "distribution"
    decides = True

    alternatives: tuple[int, ...] = ALTERNATIVES

    def ways(self, prompt: Prompt) -> tuple[Request, ...]:
        """Return the requests for one token, with the most alternatives first."""
        if not prompt.is_typed:
            return super().ways(prompt)
        return tuple(
            {
                "model": self.model,
                "messages": [
                    {"role": "system", "content": prompt.system},
                    {"role": "user", "content": f"{prompt.user}\n\n{listed(prompt.options)}"},
                ],
                "max_completion_tokens": 1,
                "logprobs": True,
                "top_logprobs": most,
            }
            for most in self.alternatives
        )

    def read(self, raw: str, prompt: Prompt) -> Reply:
        """Read the distribution of a typed question; other replies as `Chat` does."""
        if not prompt.is_typed:
            return super().read(raw, prompt)
        value = read_object(raw, self.address.host)
        listed_tokens = _alternatives(first_choice(value, self.address.host))
        if not listed_tokens:
            raise unreadable(
                "no log-probabilities",
                "The server gives no log-probabilities.",
                "Use the chat provider with this model.",
            )
        shares = over_options(listed_tokens, prompt.options)
        tokens = told_usage(value, ("prompt_tokens", "completion_tokens"))
        return Reply("", told_model(value), *tokens, distribution=shares)


def listed(options: Iterable[Option]) -> str:
    """Write options with their letters, and ask for one of these."""
    pairs = list(zip(LABELS, options, strict=False))
    lines = [f"{letter}: {option.meaning}" for letter, option in pairs]
    letters = ", ".join(letter for letter, _ in pairs)
    return "\n".join([*lines, "", f"Answer with one letter only ({letters}). Letter:"])


def over_options(tokens: Iterable[tuple[str, float]], options: tuple[Option, ...]) -> Distribution:
    """Turn the listed tokens into shares of the options.

    Parameters
    ----------
    tokens
        Each alternative that the server lists with its log-probability.
    options
        The options in the order in which they were lettered.

    Returns
    -------
    Distribution
        All spellings of a letter count for its option. A letter that is not listed has less
        probability than the smallest alternative that is, which bounds its share.

    Raises
    ------
    LiveError
        If more than half of the probability lies outside the options.
    """
    letters = dict(zip(LABELS, (option.key for option in options), strict=False))
    mass = dict.fromkeys(letters.values(), 0.0)
    smallest = 1.0
    for token, logarithm in tokens:
        probability = math.exp(min(logarithm, 0.0))
        smallest = min(smallest, probability)
        key = letters.get(token.strip(DECORATION).upper())
        if key is not None:
            mass[key] += probability
    total = sum(mass.values())
    outside = max(1.0 - total, 0.0)
    if outside > MOST_OUTSIDE:
        raise unreadable(
            "outside the options",
            f"Cannot compute: {outside:.0%} of the probability lies outside the options.",
            "Use the chat provider, or a model that follows the instruction to give one letter.",
        )
    missing = {key for key, value in mass.items() if value == 0}
    return Distribution(
        {key: value / total for key, value in mass.items()},
        {key: smallest / (total + smallest) for key in mass if key in missing},
        outside,
    )


def _alternatives(choice: dict[str, Any]) -> list[tuple[str, float]]:
    """Return the alternatives of the first token; empty where there are none that can be read."""
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    first = content[0] if isinstance(content, list) and content else None
    found = first.get("top_logprobs") if isinstance(first, dict) else None
    pairs = []
    for entry in found if isinstance(found, list) else []:
        token, logarithm = (
            (entry.get("token"), entry.get("logprob")) if isinstance(entry, dict) else (None, None)
        )
        is_number = isinstance(logarithm, (int, float)) and not isinstance(logarithm, bool)
        if not isinstance(token, str) or not is_number or not float(logarithm or 0) <= ROUNDED_ONE:
            return []
        pairs.append((token, float(logarithm or 0)))
    # A server that lists a letter twice cannot be believed; parts of a sign may look alike.
    letters = [token for token, _ in pairs if token.strip(DECORATION).upper() in set(LABELS)]
    return pairs if len(set(letters)) == len(letters) else []
