"""Random draws of counts, and intervals from them.

Every unit that is resampled (a cell, a cluster set, a role) has a random stream of its own, so its
draws depend neither on how the work is cut into pieces nor on what else is drawn beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

Array = NDArray[np.float64]
Counts = NDArray[np.integer[Any]]
Progress = Callable[[int, int], None]
"""Called with (done, total) after each piece of work; it may raise `Cancelled` to end it."""
Key = TypeVar("Key", bound=tuple[Any, ...])

CHUNK = 65_536
"""Draws held at once before they are packed into small integers."""


class Cancelled(Exception):
    """Raised by a progress callback to end the work; nothing is kept of it."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Which random draws stand behind a result: enough to draw them again."""

    draws: int
    seed: int
    unit: str
    """What has a stream of its own, such as ``model and cell``."""

    def __post_init__(self) -> None:
        """Refuse a number of draws or a seed that no generator can take."""
        for name, value, least in (("draws", self.draws, 1), ("seed", self.seed, 0)):
            if value < least:
                raise ValueError(f"{name} must be a whole number of at least {least}, not {value}")

    def sentence(self) -> str:
        """Name seed and streams in one line of plain text."""
        return (
            f"{self.draws:,} draws, seed {self.seed}, one PCG64 stream for each {self.unit} "
            "in sorted order"
        )

    def streams(
        self, keys: Sequence[Key], wanted: Collection[Key] | None = None
    ) -> Mapping[Key, Generator]:
        """Make one random stream for each key.

        Parameters
        ----------
        keys
            Names of the units, in any order.
        wanted
            Keys to make one for, where others are not asked for; None for all.

        Returns
        -------
        mapping of key to generator
            The i-th key in sorted order gets the i-th child of ``SeedSequence(seed)``.

        Raises
        ------
        ValueError
            If two units have the same key.
        """
        ordered = sorted(keys)
        if len(set(ordered)) != len(ordered):
            raise ValueError("keys must differ from each other; some key is there twice")
        return {
            key: Generator(PCG64(SeedSequence(self.seed, spawn_key=(i,))))
            for i, key in enumerate(ordered)
            if wanted is None or key in wanted
        }


def multinomial_counts(
    stream: Generator, n: int, shares: Array, draws: int, *, chunk: int = CHUNK
) -> Counts:
    """Draw ``X ~ Multinomial(n, shares)`` many times.

    With observed shares this is resampling n observations with replacement.

    Parameters
    ----------
    stream
        Where the randomness comes from; it moves on.
    n
        Observations in each draw.
    shares
        (K,) probabilities; rescaled to sum to one.
    draws
        Number of draws.
    chunk
        Draws held at once as 8-byte integers; it changes the memory used, not the answer.

    Returns
    -------
    array, shape (draws, K)
        In the smallest unsigned integer type that holds n.
    """
    probabilities = shares / shares.sum()
    counts = np.empty((draws, shares.size), dtype=np.min_scalar_type(n))
    for start in range(0, draws, chunk):
        part = counts[start : start + chunk]
        part[:] = stream.multinomial(n, probabilities, size=len(part))
    return counts


def percentile_interval(draws: Array, level: float, *, axis: int = 0) -> Array:
    """Take the central part of draws: the percentile interval (Efron 1979).

    Parameters
    ----------
    draws
        Any shape; an entry that is NaN in some draw is NaN in the result.
    level
        Share of the draws between the ends, in (0, 1).
    axis
        The axis of the draws.

    Returns
    -------
    array
        Shape of ``draws`` without that axis, then 2: lower and upper end, by linear interpolation
        between order statistics.

    Raises
    ------
    ValueError
        If the level is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    tail = (1 - level) / 2
    return np.moveaxis(np.quantile(draws, [tail, 1 - tail], axis=axis), 0, -1)


def order_kept(draws: Array) -> Array:
    """Share of the draws in which one score is below another.

    Parameters
    ----------
    draws
        (draws, M) scores; the same row is the same draw for all.

    Returns
    -------
    array, shape (M, M)
        Entry (a, b): share of draws with a strictly below b, so a tie keeps no order. NaN on the
        diagonal and where a score is missing.
    """
    size = draws.shape[1]
    kept = np.full((size, size), np.nan)
    there = ~np.isnan(draws).any(axis=0)
    for a in np.flatnonzero(there):
        below = (draws[:, [a]] < draws[:, there]).mean(axis=0)
        kept[a, there] = below
    np.fill_diagonal(kept, np.nan)
    return kept
