"""Who can answer, as a reader chooses: names, what each is good for, and what it takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Door:
    """One kind of provider on the page."""

    key: str
    """Its name for `core.live.providers.choose`."""
    label: str
    help: str
    is_remote: bool = True
    """Whether it takes an address, a model and mostly a key."""
    decides: bool = False
    """Whether it gives distributions over options."""
    writes: bool = True


LOCAL, BY_HAND = "local", "by-hand"

DOORS: tuple[Door, ...] = (
    Door(LOCAL, "Local model, written", "It writes answers in JSON.", is_remote=False),
    Door(
        "local-distribution",
        "Local model, probabilities",
        "It gives the probability of each option, from one token.",
        is_remote=False,
        decides=True,
    ),
    Door("chat", "Chat endpoint", "Any OpenAI-compatible server: answers are written in JSON."),
    Door(
        "distribution",
        "Chat endpoint, probabilities",
        "Any OpenAI-compatible server that returns log-probabilities: the probability of each "
        "option, from one token.",
        decides=True,
    ),
    Door(
        "decisions",
        "Decisions endpoint",
        "A distribution over typed options; it writes no texts, so a chat model has to write "
        "rewrites and characters.",
        decides=True,
        writes=False,
    ),
    Door(
        "system_one",
        "System One endpoint",
        "A distribution over typed options; it writes no texts, so a chat model has to write "
        "rewrites and characters.",
        decides=True,
        writes=False,
    ),
    Door(
        BY_HAND,
        "By hand",
        "Hinge shows each prompt to copy; you paste the replies. Hinge sends nothing.",
        is_remote=False,
    ),
)


def door(key: str) -> Door:
    """Find a kind of provider."""
    return next(each for each in DOORS if each.key == key)


def first(*, has_key: bool, has_local: bool) -> str:
    """Say on which kind the page opens.

    Parameters
    ----------
    has_key
        Whether a key for the usual chat endpoint is set.
    has_local
        Whether the local model is installed.
    """
    if has_key:
        return "chat"
    return LOCAL if has_local else BY_HAND


WITHOUT_KEY = (
    "For a check without a key and without carrying replies, “make local” in Hinge’s folder "
    "installs a small model (about 200 MB)."
)
INSTALL = (
    "The local model is not installed. “make local” in Hinge’s folder installs it once (about "
    "200 MB); it needs no key and sends nothing. Until then, replies can be carried by hand."
)
