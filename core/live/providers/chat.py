"""Any OpenAI-compatible chat endpoint, by the official client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from core.live.address import Address
from core.live.bounds import Bounds
from core.live.prompt import Prompt, Reply, Request
from core.live.providers.base import guarded, read_object, told_model, told_usage, unreadable
from core.live.secrets import NO_KEY, Secret

if TYPE_CHECKING:
    from openai import OpenAI


KEYLESS = "none"
"""Sent as the key where there is none: the client insists on one, and would else take OpenAI's
from the environment and send it to any host."""


class Chat:
    """Answers in JSON by schema where the server has it, else in JSON mode, else in plain text."""

    name = "chat"
    writes = True
    decides = False
    headroom = 2_000

    def __init__(
        self,
        address: Address,
        model: str,
        *,
        key: Secret = NO_KEY,
        bounds: Bounds | None = None,
        identity: str = "",
    ) -> None:
        """Name a server and a model.

        Parameters
        ----------
        address
            The server's base address.
        model
            The model's name there.
        key
            For this server only.
        bounds
            Limits of time and size; the defaults when None.
        identity
            What stands for the address in the cache, where the address changes on every start.
        """
        self.address = address
        self.model = model
        self.identity = identity or address.base_url
        self._key = key
        self._bounds = bounds

    def __repr__(self) -> str:
        """Name server and model; the key is not shown."""
        return f"{type(self).__name__}({self.address.base_url!r}, {self.model!r})"

    def ways(self, prompt: Prompt) -> tuple[Request, ...]:
        """Return the request by schema, in JSON mode and as plain text."""
        plain: Request = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "max_completion_tokens": prompt.most_tokens + self.headroom,
        }
        if prompt.schema is None:
            return (plain,)
        form = {"name": prompt.step, "strict": True, "schema": prompt.schema}
        return (
            plain | {"response_format": {"type": "json_schema", "json_schema": form}},
            plain | {"response_format": {"type": "json_object"}},
            plain,
        )

    def send(self, request: Request) -> str:
        """Put one request and return the body of the reply."""
        return guarded(lambda: self._post(request), self.address, self._key)

    def _post(self, request: Request) -> str:
        with open_client(self.address, self._key, self._bounds) as client:
            raw = client.chat.completions.with_raw_response.create(**request)
            return str(raw.http_response.text)

    def read(self, raw: str, prompt: Prompt) -> Reply:
        """Read a chat completion: what was written, by which model, with what usage."""
        del prompt
        value = read_object(raw, self.address.host)
        choice = first_choice(value, self.address.host)
        message = choice.get("message")
        message = message if isinstance(message, dict) else {}
        text = message.get("content")
        if message.get("refusal") or choice.get("finish_reason") == "content_filter":
            raise unreadable("refusal", "The model, or a filter before it, refused to answer.")
        cut = choice.get("finish_reason") == "length"
        if not isinstance(text, str) or not text.strip():
            why = " It thought until its tokens ran out." if cut else ""
            raise unreadable("empty", f"The model’s answer is empty.{why}")
        tokens = told_usage(value, ("prompt_tokens", "completion_tokens"))
        return Reply(text, told_model(value), *tokens, stopped_at_limit=cut)


def first_choice(value: dict[str, Any], host: str) -> dict[str, Any]:
    """Return the first choice of a chat completion."""
    choices = value.get("choices")
    if not isinstance(choices, list):
        told = json.dumps(value.get("error"))[:120] if "error" in value else ""
        what = f"The reply of {host} is no chat completion."
        raise unreadable("no data", f"{what} It holds an error: {told}." if told else what)
    if not choices or not isinstance(choices[0], dict):
        raise unreadable("empty", "The reply holds no answer at all.")
    return choices[0]


@contextmanager
def open_client(address: Address, key: Secret, bounds: Bounds | None) -> Iterator[OpenAI]:
    """Open the official client for one call, with our bounds and without its own retries."""
    import openai

    from core.live.transport import bounded_client

    with bounded_client(bounds or Bounds()) as http:
        client = openai.OpenAI(
            api_key=key.reveal() or KEYLESS,
            base_url=address.base_url,
            max_retries=0,
            http_client=http,
        )
        # The client takes these from the environment; they are nobody else's business.
        client.organization = client.project = None
        yield client
