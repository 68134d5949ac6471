"""The smallest sets of changes from the planned setting that flip a verdict, searched directly.

A grid or a sample holds few of the sets of three changes, and none of a choice that does not vary
there. Here every value of every choice that can move a claim is tried: alone, then with one other,
then with two others, up to a stated number of sets, until some set flips the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import polars as pl
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

from core.basis import Ensemble
from core.claims import Claim, StudyClaims
from core.multiverse.axes import Axis, Values
from core.multiverse.hinges import MOST_CHANGES, axes_of, least, look, smallest_sets
from core.multiverse.setup import usual_values
from core.multiverse.specs import SEED, Specs
from core.stats.resampling import Progress

Index = NDArray[np.int64]

MOST_SETS = 10_000
"""Most sets of one size that are tried; of more a seeded sample."""

BEYOND_ONE = tuple(range(2, MOST_CHANGES + 1))
"""Sizes to try where every single change was tried already."""

CHUNK = 400
"""Sets that are judged between two reports of progress."""


@dataclass(frozen=True, eq=False)
class Searched:
    """What a search found."""

    sets: pl.DataFrame
    """As `core.multiverse.hinges.smallest_sets` gives them: all of the smallest size; those that
    may be told as facts where there are any."""
    tried: tuple[int, ...]
    """Sets tried of one change, of two, and of three; as far as the search went."""
    there: tuple[int, ...]
    """Sets that there are of these sizes."""

    @property
    def is_complete(self) -> bool:
        """Whether every set was tried of the sizes that the search went to."""
        return self.tried == self.there


def search(
    study: StudyClaims[Any, Any],
    ensemble: Ensemble[Any, Any],
    claim: Claim,
    *,
    values: Values | None = None,
    sizes: Sequence[int] = range(1, MOST_CHANGES + 1),
    most: int = MOST_SETS,
    progress: Progress | None = None,
) -> Searched:
    """Search sets of changes, the smallest first, until some surely flip the verdict.

    Parameters
    ----------
    study
        The study's claims.
    ensemble
        The panels; a set surely flips the verdict where all agree and the document settles it.
    claim
        The claim.
    values
        Values to try over those that the study names.
    sizes
        Numbers of changes to try, rising.
    most
        Most sets of one size.
    progress
        Called after each chunk of sets; may raise `Cancelled`.

    Returns
    -------
    Searched
        Where no set surely flips it, the smallest ones that do in some panel.
    """
    found = axes_of(study, claim, values=values)
    levels = [len(axis.levels) for axis in found]
    there = [_count(levels, size) for size in sizes]
    planned = min(sum(min(count, most) for count in there), most * len(there))
    tried: list[int] = []
    frames: list[pl.DataFrame] = []
    for size, count in zip(sizes, there, strict=True):
        rows = _sets(found, size, count, most)
        # Where there is no set at all, the planned setting is looked at alone.
        for start in range(0, max(len(rows), 1), CHUNK):
            specs = _specs(study, found, rows[start : start + CHUNK])
            frames.append(smallest_sets(look(study, ensemble, [claim], specs), 0, most=most))
            if progress:
                progress(sum(tried) + min(start + CHUNK, len(rows)), planned)
        tried.append(len(rows))
        if any(bool(frame["told"].any()) for frame in frames):
            break
    return Searched(least(pl.concat(frames)), tuple(tried), tuple(there[: len(tried)]))


def values_to_try(study: StudyClaims[Any, Any], looked_at: Values) -> Values:
    """Put the values that a reader looks at beside those that are looked at where nobody chose."""
    return {
        key: tuple(dict.fromkeys([*own, *usual_values(study, study.declaration[key])]))
        for key, own in looked_at.items()
    }


def count(study: StudyClaims[Any, Any], claim: Claim, values: Values) -> int:
    """Count the sets of two and three changes that a search tries at most."""
    levels = [len(axis.levels) for axis in axes_of(study, claim, values=values)]
    return sum(min(_count(levels, size), MOST_SETS) for size in BEYOND_ONE)


def _count(levels: Sequence[int], size: int) -> int:
    """Count the sets of some number of changes."""
    return sum(prod(own - 1 for own in some) for some in combinations(levels, size))


def _sets(found: Sequence[Axis], size: int, count: int, most: int) -> Index:
    """Write down the sets of one size as positions of levels, (N, A); a sample of too many."""
    planned = np.array([axis.planned for axis in found], dtype=np.int64)
    parts = []
    for some in combinations(range(len(found)), size):
        moved = [np.delete(np.arange(len(found[at].levels)), planned[at]) for at in some]
        grid = np.stack([own.ravel() for own in np.meshgrid(*moved, indexing="ij")], axis=1)
        rows = np.repeat(planned[None, :], len(grid), axis=0)
        rows[:, list(some)] = grid
        parts.append(rows)
    everything = np.concatenate([np.zeros((0, len(found)), dtype=np.int64), *parts])
    if count <= most:
        return everything
    kept = Generator(PCG64(SEED)).choice(count, most, replace=False)
    return np.asarray(everything[np.sort(kept)])


def _specs(study: StudyClaims[Any, Any], found: tuple[Axis, ...], rows: Index) -> Specs:
    """Put the planned setting before some sets."""
    planned = np.array([[axis.planned for axis in found]], dtype=np.int64)
    index = np.concatenate([planned, rows])
    size = prod(len(axis.levels) for axis in found)
    return Specs(study.declaration.planned, found, index, size, chosen=len(index))
