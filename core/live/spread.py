"""Means of repeats, their spread, and differences between two sets of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Spread:
    """Answers to the same question, asked several times."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float | None:
        """Their mean; None without any."""
        return math.fsum(self.values) / len(self.values) if self.values else None

    @property
    def sd(self) -> float | None:
        """Their standard deviation (n - 1); None for fewer than two."""
        mean = self.mean
        if mean is None or len(self.values) < 2:
            return None
        squares = math.fsum((value - mean) ** 2 for value in self.values)
        return math.sqrt(squares / (len(self.values) - 1))

    def as_record(self) -> dict[str, object]:
        """Return it for a download."""
        return {"values": list(self.values), "mean": self.mean, "sd": self.sd}


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of two means of repeats."""

    estimate: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""
    """Why there is no estimate or no interval."""

    def as_record(self) -> dict[str, object]:
        """Return it for a download."""
        return {
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "level": LEVEL,
            "why": self.why,
        }


def difference(one: Sequence[float], other: Sequence[float]) -> Difference:
    """Compare the means of two sets of repeats.

    Parameters
    ----------
    one, other
        Repeats of two questions.

    Returns
    -------
    Difference
        Mean of ``one`` minus mean of ``other``, with Welch's 95% interval (unequal variances,
        Welch 1947). It speaks of repeats of these very prompts, not of other texts. Without an
        interval where a side has fewer than two repeats or all are equal.
    """
    first, second = Spread(tuple(one)), Spread(tuple(other))
    if first.mean is None or second.mean is None:
        return Difference(None, why="cannot compute: no answer that can be read on one side")
    estimate = first.mean - second.mean
    if first.sd is None or second.sd is None:
        return Difference(estimate, why="no interval: it takes two repeats on each side")
    parts = [s.sd**2 / len(s.values) for s in (first, second) if s.sd is not None]
    error = math.sqrt(sum(parts))
    if error == 0:
        return Difference(estimate, why="no interval: the repeats do not differ at all")
    counts = (len(first.values), len(second.values))
    freedom = sum(parts) ** 2 / sum(p**2 / (n - 1) for p, n in zip(parts, counts, strict=True))
    half = _t_quantile(freedom) * error
    return Difference(estimate, estimate - half, estimate + half)


def _t_quantile(freedom: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2))
