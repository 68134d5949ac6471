"""From what the HTTP library or a server reports to a fault that a reader can act on."""

from __future__ import annotations

import json
import math
import re
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from core.live.address import Address
from core.live.faults import Fault

LONGEST_MESSAGE = 200
"""Most characters of a server's own message that are quoted."""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")

FORMAT_STATUSES = (400, 415, 422, 501)
"""How servers refuse a request that asks for something they do not know."""


def of_exception(error: BaseException, address: Address, scrub: Callable[[str], str]) -> Fault:
    """Name the fault behind an exception of a client or of the HTTP library.

    Parameters
    ----------
    error
        Whatever a call raised.
    address
        Whom it was for.
    scrub
        Takes the key out of a text.
    """
    causes = list(_causes(error))
    for cause in causes:
        told = _status(cause)
        if told is not None:
            return of_status(*told, address, scrub)
    names = {type(cause).__name__ for cause in causes}
    if "UnicodeEncodeError" in names:
        what = "The text holds characters that are none, such as halves of pairs."
        return Fault("text", what, "no", "Copy it again from its source.")
    if names & {"TooLarge", "TooSlow", "Encoded", "Moved"}:
        return _own_limit(names, address.host)
    return _before_sending(causes, names, address) or _after_sending(names, address.host)


def _before_sending(
    causes: Sequence[BaseException], names: set[str], address: Address
) -> Fault | None:
    """Name a fault that kept the request from leaving; None if it left."""
    host = address.host
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return Fault(
            "tls",
            f"No secure connection to {host}: its certificate or protocol was not accepted.",
            "no",
            "Check the address, the clock of this machine, and whether http was meant.",
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return Fault(
            "dns",
            f"The name {address.name} is not known.",
            "no",
            "Check the address for a slip, and the connection.",
            again=True,
        )
    if names & {"ConnectTimeout", "PoolTimeout"}:
        return _no_connection(f"{host} did not take the connection in time.")
    if names & {"ConnectError", "ConnectionRefusedError"}:
        return _no_connection(f"{host} refused the connection: nothing answers there.")
    return None


def _after_sending(names: set[str], host: str) -> Fault:
    """Name a fault that came once the server had the request."""
    if names & {"ReadTimeout", "WriteTimeout", "APITimeoutError", "TimeoutException"}:
        return Fault(
            "no reply",
            f"{host} took the request and then fell silent.",
            "perhaps",
            "Look at the provider’s usage page before trying again.",
        )
    return Fault(
        "cut off",
        f"{host} broke off before its reply was complete.",
        "perhaps",
        "Try again; look at the provider’s usage page if it happens often.",
    )


def of_status(
    status: int,
    headers: Mapping[str, str],
    body: str,
    address: Address,
    scrub: Callable[[str], str],
) -> Fault:
    """Name the fault behind an HTTP status that is no success."""
    said = _said(body, scrub)
    host = address.host
    if status == 401:
        what = f"{host} does not accept the key.{said}"
        return Fault("key refused", what, "no", "Check the key, and that it belongs to this host.")
    if status == 402 or (status == 429 and _is_out_of_money(body)):
        what = f"The account at {host} has no credit left.{said}"
        return Fault("no credit", what, "no", "Add credit with the provider, or use another.")
    if status == 403:
        what = f"{host} accepts the key but forbids this call.{said}"
        return Fault("forbidden", what, "no", "Ask the provider for access, or use another model.")
    if status == 404:
        what = f"{host} knows no such model or address.{said}"
        todo = "Check the model’s name and that the base address ends as the provider says."
        return Fault("not found", what, "no", todo)
    if status == 429:
        wait = _retry_after(headers)
        what = f"{host} asks to slow down.{said}"
        return Fault("rate limit", what, "no", "Wait, then run it again.", again=True, wait=wait)
    if status in (408, 500, 502, 503, 504, 529):
        what = f"{host} has a problem of its own (status {status}).{said}"
        todo = "Run it again later: replies that arrived are kept."
        return Fault("server", what, "no", todo, again=True, wait=_retry_after(headers))
    if status in FORMAT_STATUSES:
        what = f"{host} does not accept the request (status {status}).{said}"
        todo = "Try another model, a shorter text, or another provider."
        return Fault("request refused", what, "no", todo)
    what = f"{host} answered with status {status}.{said}"
    return Fault("status", what, "no", "Check the address and the model’s name.")


def _status(error: BaseException) -> tuple[int, Mapping[str, str], str] | None:
    """Return status, headers and body of a response that an error carries, if it does."""
    response = getattr(error, "response", None)
    if response is not None and hasattr(response, "status_code"):
        return response.status_code, response.headers, _text(response)
    # typesafe-sdk keeps them apart.
    status, headers = getattr(error, "status", None), getattr(error, "headers", None)
    if type(status) is int and headers is not None:
        return status, headers, json.dumps(getattr(error, "body", ""))
    return None


def _own_limit(names: set[str], host: str) -> Fault:
    if "TooLarge" in names:
        what = f"The reply of {host} was larger than any answer can be and was not read further."
        return Fault("too large", what, "perhaps", "Check that the address is that of a model.")
    if "TooSlow" in names:
        what = f"The reply of {host} came too slowly and was given up."
        return Fault("too slow", what, "perhaps", "Try again later or use another model.")
    if "Moved" in names:
        what = f"{host} sends the request on to another address, which was not followed."
        todo = "Give the address that the provider names now, if you trust it."
        return Fault("moved", what, "no", todo)
    what = f"The reply of {host} is compressed, although that was not asked for."
    return Fault("encoded", what, "perhaps", "Use a server that answers in plain JSON.")


def _no_connection(what: str) -> Fault:
    todo = "Check that the server runs, its port, and the connection."
    return Fault("no connection", what, "no", todo, again=True)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        yield at
        at = at.__cause__ or at.__context__


def _text(response: object) -> str:
    try:
        return str(getattr(response, "text", ""))
    except (RuntimeError, ValueError, LookupError):
        # A body that was never read, or whose encoding nobody knows.
        return ""


def _said(body: str, scrub: Callable[[str], str]) -> str:
    """Quote the server's own message, shortened; an HTML page has none."""
    message = _message(body)
    message = CONTROL.sub(" ", scrub(message)).strip()
    if not message or message.startswith("<"):
        return ""
    short = message[:LONGEST_MESSAGE] + ("…" if len(message) > LONGEST_MESSAGE else "")
    return f" It says: “{short}”."


def _message(body: str) -> str:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if isinstance(value, dict):
        error = value.get("error", value)
        found = error.get("message", "") if isinstance(error, dict) else error
        return found if isinstance(found, str) else ""
    return ""


def _is_out_of_money(body: str) -> bool:
    return "insufficient_quota" in body or "insufficient_credits" in body


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long the server asks to wait: seconds or a date; None where it says nothing."""
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        seconds = _seconds_until(text)
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _seconds_until(text: str) -> float:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return math.nan
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return (date - datetime.now(UTC)).total_seconds()
