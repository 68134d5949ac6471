"""The interface of a provider, and what several of them share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from core.live.address import Address
from core.live.faults import Fault, LiveError
from core.live.prompt import Prompt, Reply, Request
from core.live.secrets import Secret
from core.live.translate import of_exception


class Provider(Protocol):
    """Something that answers prompts.

    A call has three steps, so that what was paid for can be stored between the last two: `ways`
    says what could be sent, `send` gets the reply as text, `read` looks into it.
    """

    @property
    def name(self) -> str:
        """Its kind, as on the page and in the command line."""

    @property
    def model(self) -> str:
        """The model that is asked."""

    @property
    def address(self) -> Address | None:
        """Who receives the text; None when a person carries it."""

    @property
    def identity(self) -> str:
        """What stands for the address in the cache."""

    @property
    def writes(self) -> bool:
        """Whether it can write text."""

    @property
    def decides(self) -> bool:
        """Whether it gives distributions over options."""

    @property
    def headroom(self) -> int:
        """Tokens beyond those of the answer, for models that think before they write."""

    def ways(self, prompt: Prompt) -> tuple[Request, ...]:
        """Return the requests that could put a prompt, the strictest first."""

    def send(self, request: Request) -> str:
        """Put one request and return the body of the reply; raises `LiveError`."""

    def read(self, raw: str, prompt: Prompt) -> Reply:
        """Read the body of a reply; raises `LiveError` where it is none to this prompt."""


def guarded(call: Callable[[], str], address: Address, key: Secret) -> str:
    """Run a call of an official client; whatever it raises becomes a fault without the key.

    Returns
    -------
    str
        The reply's body, with the key taken out should the server repeat it.
    """
    fault: Fault
    try:
        return key.scrub(call())
    except LiveError:
        raise
    except Exception as error:  # A client's errors are as many as its releases.
        fault = of_exception(error, address, key.scrub)
    # Raised outside, so that nothing leads back to a request with the key in its headers.
    raise LiveError(fault)


def read_object(raw: str, host: str) -> dict[str, Any]:
    """Read a reply's body as the JSON object that every endpoint returns."""
    if raw.lstrip()[:1] == "<":
        raise unreadable(
            "web page",
            f"{host} answered with a web page instead of data.",
            "Check the base address: it usually ends in /v1. A sign-in page may be in the way.",
        )
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise unreadable("no data", f"The reply of {host} is incomplete or is not JSON.")
    return value


def unreadable(kind: str, what: str, todo: str = "") -> LiveError:
    """Make the error for a reply that came and cannot be used."""
    return LiveError(Fault(kind, what, "yes", todo or "Run it again, or use another model."))


def told_model(value: Mapping[str, Any]) -> str:
    """Return the model's name as a reply gives it."""
    name = value.get("model")
    # It is shown on terminals and pages: no signs that steer them.
    return "".join(filter(str.isprintable, name))[:200] if isinstance(name, str) else ""


def told_usage(value: Mapping[str, Any], names: tuple[str, str]) -> tuple[int | None, int | None]:
    """Return tokens in and out as a reply gives them; None for what it does not."""
    usage = value.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    found = [counts.get(name) for name in names]
    one, other = (n if type(n) is int and 0 <= n < 10**9 else None for n in found)
    return one, other
