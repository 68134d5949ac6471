"""Typed questions to a System One endpoint, by the optional typesafe-sdk."""

from __future__ import annotations

from typing import Any

from core.live.address import Address
from core.live.bounds import Bounds
from core.live.faults import not_possible
from core.live.prompt import Prompt, Reply, Request
from core.live.providers.base import guarded, read_object, told_model, told_usage, unreadable
from core.live.providers.decisions import over_keys
from core.live.secrets import NO_KEY, Secret

QUESTION = "decision"


class SystemOne:
    """An endpoint that returns a probability for each option and writes nothing."""

    name = "system_one"
    writes = False
    decides = True
    headroom = 0

    def __init__(
        self, address: Address, model: str, *, key: Secret = NO_KEY, bounds: Bounds | None = None
    ) -> None:
        self.address = address
        self.model = model
        self.identity = address.base_url
        self._key = key
        self._bounds = bounds

    def __repr__(self) -> str:
        """Name server and model; the key is not shown."""
        return f"SystemOne({self.address.base_url!r}, {self.model!r})"

    def ways(self, prompt: Prompt) -> tuple[Request, ...]:
        """Return the one request: a choice among the options, in our order."""
        question = {
            "type": "choice",
            "instructions": prompt.question,
            "criteria": {option.key: option.meaning for option in prompt.options},
        }
        body = {"state": {"text": prompt.text}, "questions": {QUESTION: question}}
        return ({"model": self.model, **body},)

    def send(self, request: Request) -> str:
        """Put one request and return the body of the reply."""
        return guarded(lambda: self._post(request), self.address, self._key)

    def _post(self, request: Request) -> str:
        try:
            import typesafe_sdk
        except ImportError:
            raise not_possible(
                "not installed",
                "The package typesafe-sdk is not installed.",
                "Install it, or use another provider.",
            ) from None
        from core.live.transport import bounded_client

        kept: list[str] = []
        with bounded_client(self._bounds or Bounds()) as http:
            http.event_hooks["response"].append(lambda response: _keep(response, kept))
            client = typesafe_sdk.TypeSafeClient(
                api_key=self._key.reveal() or "none",
                base_url=self.address.base_url,
                retry=typesafe_sdk.RetryPolicy(max_retries=0),
                http_client=http,
                compression=False,
            )
            try:
                client.system_one(**request)
            except typesafe_sdk.TypeSafeError:
                # It also raises where it does not understand a reply, which we read ourselves.
                if not kept:
                    raise
        return kept[0]

    def read(self, raw: str, prompt: Prompt) -> Reply:
        """Read the distribution of a choice."""
        value = read_object(raw, self.address.host)
        answers = value.get("answers")
        answer = answers.get(QUESTION) if isinstance(answers, dict) else None
        if not isinstance(answer, dict):
            raise unreadable("empty", "The reply holds no answer at all.")
        listed = answer.get("probabilities")
        pairs = list(listed.items()) if isinstance(listed, dict) else []
        tokens = told_usage(value, ("input_tokens", "output_tokens"))
        shares = over_keys(pairs, prompt)
        return Reply("", told_model(value), *tokens, distribution=shares)


def _keep(response: Any, kept: list[str]) -> None:
    """Keep the body of a success before the client looks into it."""
    if response.is_success:
        response.read()
        kept.append(response.text)
