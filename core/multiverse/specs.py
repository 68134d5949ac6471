"""Sets of specifications: a full grid, a sample of one, or single changes from the planned one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

from core.choices import Choices
from core.multiverse.axes import Axis, level_choices

Index = NDArray[np.int64]

LIMIT = 50_000
"""Most specifications that are looked at."""

SEED = 20261130
"""Names the sample that is drawn from a larger grid."""


@dataclass(frozen=True, eq=False)
class Specs:
    """S specifications: for each, the position of its level on each of A axes."""

    base: Choices
    """Values of everything that does not vary."""
    axes: tuple[Axis, ...]
    index: Index
    """(S, A)."""
    size: int
    """Number of specifications in the full grid."""
    base_draws: int = 0
    """For a sample: its first so many specifications are drawn alike from the full grid, and as
    many again follow for each axis, in which that axis alone is drawn anew. 0 for a full grid."""
    chosen: int = 0
    """Specifications at the end that are no part of the sample: the planned one and those near."""

    def __len__(self) -> int:
        """Return the number of specifications, S."""
        return len(self.index)

    @property
    def is_full(self) -> bool:
        """Whether every specification of the grid is there, each once."""
        return self.base_draws == 0 and self.chosen == 0 and len(self) == self.size

    @property
    def described(self) -> slice:
        """Specifications that a share describes: the grid or the sample of it."""
        return slice(0, len(self) - self.chosen)

    @property
    def planned(self) -> Index:
        """(A,) positions of the planned values."""
        return np.array([axis.planned for axis in self.axes], dtype=np.int64)

    @property
    def changed(self) -> NDArray[np.bool_]:
        """(S, A) where a specification departs from the planned setting."""
        return np.asarray(self.index != self.planned)

    @property
    def planned_row(self) -> int | None:
        """Position of the planned specification; None where it is not among them."""
        found = np.flatnonzero(~self.changed.any(axis=1))
        return int(found[0]) if found.size else None

    def choices(self, row: int) -> Choices:
        """Return one specification as a value for every choice."""
        pairs = zip(self.axes, self.index[row], strict=True)
        return level_choices(self.base, [axis.levels[at] for axis, at in pairs])

    def groups(
        self, keys: Collection[str], rows: Index | None = None
    ) -> Iterator[tuple[Choices, Index]]:
        """Group specifications that have the same values of some choices.

        Parameters
        ----------
        keys
            Choices that matter.
        rows
            Positions of the specifications to group; None for all.

        Yields
        ------
        choices, rows
            One specification of the group, and the positions of all that are in it.
        """
        everyone = np.arange(len(self)) if rows is None else rows
        code = self.codes(keys)[everyone]
        order = np.argsort(code, kind="stable")
        starts = np.flatnonzero(np.diff(code[order], prepend=-1))
        for own in np.split(everyone[order], starts[1:]):
            if own.size:
                yield self.choices(int(own[0])), own

    def places(self, groups: Sequence[Index]) -> Index:
        """(S,) which group each specification is in; -1 for those in none."""
        places = np.full(len(self), -1, dtype=np.int64)
        for place, rows in enumerate(groups):
            places[rows] = place
        return places

    def codes(self, keys: Collection[str]) -> Index:
        """(S,) whole numbers that are the same where the values of some choices are."""
        wanted = set(keys)
        code = np.zeros(len(self), dtype=np.int64)
        for at, axis in enumerate(self.axes):
            if axis.keys & wanted:
                code = code * len(axis.levels) + self.index[:, at]
        return code


def full(base: Choices, axes: Sequence[Axis]) -> Specs:
    """Make every combination; the last axis moves fastest."""
    shape = [len(axis.levels) for axis in axes]
    index = np.indices(shape).reshape(len(shape), -1).T if shape else np.zeros((1, 0))
    return Specs(base, tuple(axes), np.ascontiguousarray(index, dtype=np.int64), prod(shape))


def grid(base: Choices, axes: Sequence[Axis], *, limit: int = LIMIT, seed: int = SEED) -> Specs:
    """Make every combination up to a limit, and a sample of them beyond it.

    Parameters
    ----------
    base
        Values of everything that does not vary.
    axes
        What varies.
    limit
        Most specifications to make.
    seed
        Names the sample.

    Returns
    -------
    Specs
        Beyond the limit: specifications drawn alike and independently, each followed by others in
        which one axis is drawn anew, so that shares and components can be estimated; then the
        planned one, every single change and as many pairs of changes as there is room for, which
        shares leave out.
    """
    size = prod(len(axis.levels) for axis in axes)
    if size <= limit:
        return full(base, axes)
    near = _near([len(axis.levels) for axis in axes], [axis.planned for axis in axes], limit // 4)
    draws = max(1, (limit - len(near)) // (len(axes) + 1))
    stream = Generator(PCG64(seed))
    levels = np.array([len(axis.levels) for axis in axes])
    first = stream.integers(0, levels, (draws, len(axes)))
    parts = [first]
    for at, count in enumerate(levels):
        again = first.copy()
        again[:, at] = stream.integers(0, count, draws)
        parts.append(again)
    index = np.concatenate([*parts, near]).astype(np.int64)
    return Specs(base, tuple(axes), index, size, base_draws=draws, chosen=len(near))


def star(base: Choices, axes: Sequence[Axis]) -> Specs:
    """Make the planned specification and every single change from it."""
    levels, planned = [len(a.levels) for a in axes], [a.planned for a in axes]
    index = _near(levels, planned, 1 + sum(levels))
    return Specs(base, tuple(axes), index, prod(levels), chosen=len(index))


def _near(levels: Sequence[int], planned: Sequence[int], limit: int) -> Index:
    """(N, A) the planned specification, single changes, then pairs of changes up to a limit."""
    start = np.array([planned], dtype=np.int64)
    moves = [
        (at, level)
        for at, (count, own) in enumerate(zip(levels, planned, strict=True))
        for level in range(count)
        if level != own
    ]
    rows = [start]
    for size in (1, 2):
        sets = [one for one in combinations(moves, size) if len({at for at, _ in one}) == size]
        if size > 1 and 1 + len(moves) + len(sets) > limit:
            break
        changed = np.repeat(start, len(sets), axis=0)
        for row, one in enumerate(sets):
            for at, level in one:
                changed[row, at] = level
        rows.append(changed)
    return np.concatenate(rows)
