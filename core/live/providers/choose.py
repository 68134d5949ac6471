"""From names to a provider: which kind, which address, which model, which key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.live.address import Address, read_address
from core.live.faults import LiveError, not_possible
from core.live.providers.base import Provider
from core.live.providers.by_hand import ByHand
from core.live.providers.chat import Chat
from core.live.providers.decisions import Decisions
from core.live.providers.distribution import OneToken
from core.live.providers.local import (
    HERE,
    IDENTITY,
    MODEL,
    PATIENT,
    LocalChat,
    LocalOneToken,
    running_server,
)
from core.live.providers.system_one import SystemOne
from core.live.secrets import Secret, key_from, variable_for

OPENAI = "https://api.openai.com/v1"

BASE_URLS: Mapping[str, str] = {
    "chat": OPENAI,
    "distribution": OPENAI,
    "decisions": OPENAI,
    "system_one": "https://api.typesafe.ai",
}
"""Where each kind is asked when no address is given."""

MODELS: Mapping[str, str] = {"decisions": "gpt-6-luna", "system_one": "jev-latest"}
"""Models of endpoints that have one of their own; elsewhere the reader names one."""

LOCAL = ("local", "local-distribution")
BY_HAND = "by-hand"
NAMES = (*BASE_URLS, *LOCAL, BY_HAND)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a reader asks for; empty where it is left open."""

    provider: str = ""
    base_url: str = ""
    model: str = ""


def default_name(wanted: Wanted, environment: Mapping[str, str] | None = None) -> str:
    """Return the kind of provider: the local model where no key is set and no address is given."""
    if wanted.provider:
        return wanted.provider
    if wanted.base_url:
        return "chat"
    return "chat" if key_from(read_address(OPENAI), environment) else "local"


def choose(
    wanted: Wanted,
    *,
    key: Secret | None = None,
    environment: Mapping[str, str] | None = None,
    pasted: Callable[[str, int], str | None] | None = None,
    start: bool = True,
) -> Provider:
    """Make a provider.

    Parameters
    ----------
    wanted
        Kind, address and model.
    key
        A key that the reader gave; the environment's for this host when None.
    environment
        As for `key_from`.
    pasted
        For replies by hand, as `ByHand` takes it.
    start
        Whether to start the local model's server; without, such a provider is for a plan only.

    Raises
    ------
    LiveError
        If the kind is unknown, the address unusable, or model or key is missing.
    """
    name = default_name(wanted, environment)
    if name in LOCAL:
        kind = LocalChat if name == "local" else LocalOneToken
        return kind(running_server() if start else HERE, MODEL, bounds=PATIENT, identity=IDENTITY)
    if name == BY_HAND:
        return ByHand(pasted or (lambda prompt, nth: None), model=wanted.model or "by hand")
    if name not in BASE_URLS:
        what = f"There is no provider {name[:40]!r}."
        raise not_possible("provider", what, f"Use one of {', '.join(NAMES)}.")
    address = read_address(wanted.base_url or BASE_URLS[name])
    model = wanted.model or MODELS.get(name, "")
    if not model:
        raise not_possible("model", "No model is named.", "Name one that this server has.")
    key = key_from(address, environment) if key is None else key
    if not key and not address.here:
        raise _no_key(address)
    kinds = {"chat": Chat, "distribution": OneToken, "decisions": Decisions}
    if name in kinds:
        return kinds[name](address, model, key=key)
    return SystemOne(address, model, key=key)


def _no_key(address: Address) -> LiveError:
    return not_possible(
        "key",
        f"There is no key for {address.host}.",
        f"Set {variable_for(address)}, or use the local model or replies by hand.",
    )
