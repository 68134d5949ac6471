"""Keys: where they may come from, and keeping them out of everything that is shown or kept."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import NoReturn

from core.live.address import Address
from core.live.faults import not_possible

HIDDEN = "[key]"

VARIABLES: dict[str, str] = {
    "api.openai.com": "OPENAI_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "api.typesafe.ai": "TYPESAFE_API_KEY",
}
"""Environment variables by host. A key is only ever sent to the host that it belongs to."""

OTHER_HOSTS = "HINGE_API_KEY"
"""The variable for every other host."""


class Secret:
    """A key that does not show itself: only `reveal` gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        value = value.strip()
        # Checked here: libraries quote what they cannot put into a header.
        if not value.isascii() or not value.isprintable() or " " in value or len(value) > 4_096:
            raise not_possible(
                "key",
                "The key holds characters that no key has, or is too long.",
                "Copy it again, without spaces or quotation marks.",
            )
        self._value = value

    def __repr__(self) -> str:
        """Say that there is a key, not which."""
        return "Secret(hidden)"

    def __bool__(self) -> bool:
        """Say whether there is a key at all."""
        return bool(self._value)

    def __reduce__(self) -> NoReturn:
        """Refuse to be written."""
        raise TypeError("a key is never written anywhere")

    def reveal(self) -> str:
        """Return the key, for the request that needs it and nothing else."""
        return self._value

    def scrub(self, text: str) -> str:
        """Take the key out of a text, however it is written there."""
        # Shorter ones are no keys, and hiding them would eat ordinary words.
        return text if len(self._value) < 6 else _any_form(self._value).sub(HIDDEN, text)


NO_KEY = Secret("")


def _any_form(value: str) -> re.Pattern[str]:
    """Match a text plain, escaped any number of times, or as part of an address."""
    return re.compile("".join(map(_any_sign, value)), re.IGNORECASE)


def _any_sign(sign: str) -> str:
    if sign.isalnum():
        return sign
    return rf"(?:\\*{re.escape(sign)}|\\+u00{ord(sign):02x}|%{ord(sign):02x})"


def variable_for(address: Address) -> str:
    """Name the environment variable that holds the key of a host."""
    return VARIABLES.get(address.name, OTHER_HOSTS)


def key_from(address: Address, environment: Mapping[str, str] | None = None) -> Secret:
    """Take a host's key from the environment; empty where there is none.

    Parameters
    ----------
    address
        Who will receive it.
    environment
        Names and values; those of the process when None.
    """
    given = os.environ if environment is None else environment
    return Secret(given.get(variable_for(address), ""))
