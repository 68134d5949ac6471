"""What a check will send, told before anything is: calls, tokens, price, and who receives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.live.providers.base import Provider
from core.live.run import Load
from core.live.spending import Price, price_of


@dataclass(frozen=True, slots=True)
class Plan:
    """The size of a run. Replies that are in the cache already are not sent again."""

    calls: int
    tokens_in: int
    """Estimated, rather too many than too few."""
    tokens_out: int
    """At most."""
    cost: float | None
    """At most; None where a price is unknown."""
    currency: str
    receivers: tuple[str, ...]
    """A sentence for each host."""
    button: str
    """What the button that starts it says."""

    def sentences(self) -> list[str]:
        """Say it in plain text."""
        tokens = f"about {self.tokens_in:,} tokens in, at most {self.tokens_out:,} out"
        return [
            f"{self.calls:,} call{'' if self.calls == 1 else 's'}, {tokens}.",
            f"Price: {self.price()}.",
            *self.receivers,
        ]

    def price(self) -> str:
        """Say the price."""
        if self.cost is None:
            return "price unknown"
        return f"at most {self.cost:.2f} {self.currency}" if self.cost else "nothing"


def plan(
    loads: Sequence[Load],
    provider: Provider,
    *,
    writer: Provider | None = None,
    prices: Mapping[tuple[str, str], Price] | None = None,
) -> Plan:
    """Add the calls of a check up.

    Parameters
    ----------
    loads
        What `Check.loads` returns.
    provider, writer
        As for `Runner`.
    prices
        By host and model.
    """
    cost: float | None = 0.0
    currencies: set[str] = set()
    tokens_out = 0
    asked: dict[str, Provider] = {}
    for load in loads:
        who = provider if load.typed else writer or provider
        asked[who.address.host if who.address else ""] = who
        most = load.tokens_out + (0 if load.typed else who.headroom)
        tokens_out += load.calls * most
        price = price_of(who.address, who.model, prices or {})
        if price is None or cost is None:
            cost = None
            continue
        cost += load.calls * price.of(load.tokens_in, most)
        currencies |= {price.currency} if price.of(1, 1) else set()
    calls = sum(load.calls for load in loads)
    # Sums in two currencies are no price.
    return Plan(
        calls,
        sum(load.calls * load.tokens_in for load in loads),
        tokens_out,
        cost if len(currencies) < 2 else None,
        next(iter(currencies), ""),
        tuple(_receiver(who) for who in asked.values()),
        _button(calls, [host for host in asked if host]),
    )


def _receiver(who: Provider) -> str:
    return who.address.sentence() if who.address else "Nothing is sent: you carry the prompts."


def _button(calls: int, hosts: Sequence[str]) -> str:
    if not hosts:
        return "Show the prompts"
    return f"Send {calls:,} call{'' if calls == 1 else 's'} to {' and '.join(hosts)}"
