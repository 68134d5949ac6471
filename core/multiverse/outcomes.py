"""Verdicts and numbers of many specifications."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from core.verdicts import SUPPORT, Verdict

Array = NDArray[np.float64]
Codes = NDArray[np.int8]
Index = NDArray[np.int64]

VERDICTS: tuple[str, ...] = tuple(sorted(verdict.value for verdict in Verdict))
"""A verdict's code is its place here."""

CANNOT = VERDICTS.index(Verdict.CANNOT_COMPUTE.value)

STANDS = (*(verdict.value for verdict in SUPPORT), Verdict.WITHIN.value)
"""Verdicts under which a claim of any rule stands."""

_STANDS = np.isin(VERDICTS, STANDS)

Work = Literal["resampling", "judging"]


@dataclass(eq=False)
class Outcomes:
    """What S specifications say of K claims; arrays are (S, K), NaN where there is no number."""

    verdict: Codes
    """Places in `VERDICTS`."""
    estimate: Array
    low: Array
    """Lower end of the interval that decides; NaN where the rule looks at none."""
    high: Array
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(get_args(Work), 0.0))
    """Time spent on what a change of judgement keeps, and on judging it."""

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """(S, K) where there is a verdict."""
        return np.asarray(self.verdict != CANNOT)

    @property
    def holds(self) -> Array:
        """(S, K) 1 where the claim stands, 0 where it does not, NaN without a verdict."""
        return np.where(self.is_known, _STANDS[self.verdict].astype(np.float64), np.nan)

    @contextmanager
    def timed(self, work: Work) -> Iterator[None]:
        """Count the time of a step."""
        started = time.perf_counter()
        yield
        self.seconds[work] += time.perf_counter() - started

    def fill(
        self, rows: Index, verdicts: NDArray[np.str_], estimate: Array, low: Array, high: Array
    ) -> None:
        """Write down all claims of some specifications; arguments broadcast to (rows, K)."""
        self.put(rows, np.arange(self.verdict.shape[1]), verdicts, estimate, low, high)

    def put(
        self,
        rows: Index,
        claims: Index,
        verdicts: NDArray[np.str_],
        estimate: Array,
        low: Array,
        high: Array,
    ) -> None:
        """Write down some claims of some specifications; arguments broadcast to (rows, claims)."""
        at = np.ix_(rows, claims)
        self.verdict[at] = encode(verdicts)
        self.estimate[at] = estimate
        self.low[at] = low
        self.high[at] = high

    def adopt(self, other: Outcomes, claims: Sequence[int]) -> None:
        """Write down other outcomes of the same specifications as some claims of these."""
        for name in ("verdict", "estimate", "low", "high"):
            getattr(self, name)[:, claims] = getattr(other, name)
        for work, seconds in other.seconds.items():
            self.seconds[work] += seconds

    def claims(self, positions: Sequence[int] | Index) -> Outcomes:
        """Keep some claims."""
        return Outcomes(
            self.verdict[:, positions],
            self.estimate[:, positions],
            self.low[:, positions],
            self.high[:, positions],
            self.seconds,
        )


def empty(specs: int, claims: int) -> Outcomes:
    """Return outcomes in which nothing can be computed yet."""
    low, high, estimate = (np.full((specs, claims), np.nan) for _ in range(3))
    return Outcomes(np.full((specs, claims), CANNOT, dtype=np.int8), estimate, low, high)


def beside(parts: Sequence[Outcomes]) -> Outcomes:
    """Put the claims of several outcomes of the same specifications side by side."""
    seconds = {work: sum(own.seconds[work] for own in parts) for work in get_args(Work)}
    return Outcomes(
        np.concatenate([own.verdict for own in parts], axis=1),
        np.concatenate([own.estimate for own in parts], axis=1),
        np.concatenate([own.low for own in parts], axis=1),
        np.concatenate([own.high for own in parts], axis=1),
        seconds,
    )


def encode(verdicts: NDArray[np.str_]) -> Codes:
    """Write verdicts as places in `VERDICTS`."""
    return np.searchsorted(VERDICTS, verdicts).astype(np.int8)


def decode(codes: Codes) -> NDArray[np.str_]:
    """Write places as verdicts."""
    return np.asarray(np.array(VERDICTS)[codes])
