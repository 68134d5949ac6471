"""The address that text is sent to, checked before anything is."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.live.faults import LiveError, not_possible


@dataclass(frozen=True, slots=True)
class Address:
    """A base URL and what a reader should know about it."""

    base_url: str
    host: str
    """Host with its port, as shown before sending."""
    name: str
    """Host alone."""
    here: bool
    """Whether it is this machine."""
    encrypted: bool

    def sentence(self) -> str:
        """Say who receives the text."""
        if self.here:
            return f"The text stays on this machine ({self.host})."
        how = "" if self.encrypted else ", unencrypted"
        return f"The text is sent to {self.host}{how}."


def read_address(base_url: str) -> Address:
    """Check a base URL.

    Raises
    ------
    LiveError
        If it is no http address, or carries a user name, password, query or fragment: addresses
        are shown and kept, so a key has no place in them.
    """
    text = base_url.strip().rstrip("/")
    try:
        parts = urlsplit(text)
        name, port = parts.hostname or "", parts.port
    except ValueError:
        raise _unusable("The address cannot be read.") from None
    if parts.scheme not in ("http", "https") or not name or not text.isprintable() or " " in text:
        raise _unusable("The address is not one that starts with http:// or https://.")
    if "@" in parts.netloc or parts.query or parts.fragment or "?" in text or "#" in text:
        raise _unusable("The address holds a user name, password or parameters.")
    host = f"{name}:{port}" if port else name
    return Address(text, host, name, _is_here(name), parts.scheme == "https")


def _unusable(what: str) -> LiveError:
    todo = "Give the server’s base address, such as https://host/v1, and the key by itself."
    return not_possible("address", what, todo)


def _is_here(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
