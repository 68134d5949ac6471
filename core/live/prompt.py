"""What is asked in one call, and what came back, whatever the provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.live.schema import Schema

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Letters that stand for options: one token each."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a typed question."""

    key: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question, as an instrument words it."""

    instrument: str
    version: str
    schema_version: str
    step: str
    """Which of the instrument's questions it is."""
    system: str
    user: str
    schema: Schema | None = None
    """Fields of the answer, in the order in which they are to be written; None for plain text."""
    options: tuple[Option, ...] = ()
    """Options in the order in which they are shown, for providers that give a distribution."""
    question: str = ""
    """What the options answer."""
    text: str = ""
    """What the options are about."""
    most_tokens: int = 600

    @property
    def is_typed(self) -> bool:
        """Whether a distribution over options is asked for."""
        return bool(self.options)


@dataclass(frozen=True, slots=True)
class Distribution:
    """Shares of the options of a typed question."""

    shares: Mapping[str, float]
    """By option, adding up to one."""
    at_most: Mapping[str, float] = field(default_factory=dict)
    """For options that the server did not list: the most that their share can be."""
    outside: float = 0.0
    """Probability of anything that is no option, before the shares were scaled up."""

    def expected(self, values: Mapping[str, float]) -> float:
        """Return the mean of a number that each option stands for."""
        return sum(share * values[key] for key, share in self.shares.items())


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server returned, read as far as it is the same for every question."""

    text: str
    """What the model wrote; empty for a distribution."""
    model: str
    """The model's name as the server gives it; empty where it gives none."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    """Usage; None where it is not reported."""
    stopped_at_limit: bool = False
    distribution: Distribution | None = None


Request = dict[str, Any]
"""The body of a request, without key and address."""
