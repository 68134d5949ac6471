"""A search that knows the ends of the study's own resamples.

The seed of the app's bootstrap is fixed, so the ends of an interval follow from the rows as values
do. Sums over every resample are kept beside the sums over the panel; a change of one complaint
adds its counts in the resamples times the change. Ends are worked out last, and only for a change
that the other statistics would not already rule out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numba import njit

from core.stats.clusters import cluster_weights
from core.studies.remedies.choices import DECLARATION, sampling
from core.studies.remedies.printed import tolerance
from data.build.remedies.anneal import loss_of
from data.build.remedies.pins import figure

AIM = 0.95
"""Part of what an end may be away from the printed one that a search aims at."""


def weights(size: int, stratum: int = 0) -> np.ndarray:
    """How often each of so many complaints is drawn, shape (complaints, draws)."""
    draws, seed = sampling(DECLARATION.planned)
    return np.ascontiguousarray(cluster_weights(size, draws, seed + stratum).T)


@dataclass
class Ends:
    """Printed intervals that a search with resamples is given, in the order of their statistics."""

    held: tuple[int, ...] = ()
    """Features that are kept for every resample."""
    names: list[str] = field(default_factory=list)
    rows: list[tuple[float, float, float, float, float]] = field(default_factory=list)
    """Tail; lowest and highest lower end; the same of the upper end."""
    groups: list[int] = field(default_factory=list)
    """Group of each interval: those of a group follow from the same sums."""

    def add(
        self, name: str, unit: float = 1.0, *, level: float = 0.95, together: bool = False
    ) -> None:
        """Ask for the ends of a printed interval.

        Parameters
        ----------
        name : str
            Figure without the study's prefix.
        unit : float
            What the statistic is per unit of the figure, such as .01 for percent; negative where
            the statistic has the other sign.
        level : float
            Of the interval.
        together : bool
            Whether it is in the group of the one before.
        """
        printed = figure(name)
        assert printed.lower is not None
        assert printed.upper is not None
        room = AIM * tolerance(printed).ends * abs(unit)
        low, high = sorted((printed.lower * unit, printed.upper * unit))
        self.names.append(printed.figure_id)
        before = self.groups[-1] if self.groups else -1
        self.groups.append(before if together else before + 1)
        self.rows.append(((1 - level) / 2, low - room, low + room, high - room, high + room))

    def loss(self, draws: np.ndarray) -> float:
        """Miss of the ends of draws, shape (intervals, draws), as the searches count it."""
        _, _, tails, low, high, unit = self.arrays()
        found = np.array(
            [np.quantile(d, [tail, 1 - tail]) for d, tail in zip(draws, tails, strict=True)]
        )
        return float(loss_of(found.ravel(), low.ravel(), high.ravel(), unit.ravel()))

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return what a search takes: `asked`, and the windows of the ends: low, high, unit."""
        rows = np.array(self.rows)
        low, high = rows[:, 1::2].copy(), rows[:, 2::2].copy()
        return *self.asked(), low, high, (high - low) / 2

    def asked(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return held features, the first interval of each group and behind the last, and tails."""
        firsts = np.flatnonzero(np.diff(self.groups, prepend=-1, append=-1)).astype(np.int64)
        tails = np.array([row[0] for row in self.rows])
        return np.array(self.held, dtype=np.int64), firsts, tails


def settled(arrays: tuple[np.ndarray, ...], reached: np.ndarray) -> tuple[np.ndarray, ...]:
    """Widen the windows of ends to what was reached, so that nothing else is given up for the rest.

    Parameters
    ----------
    arrays : tuple of ndarray
        Of `Ends.arrays`.
    reached : ndarray, shape (intervals, 2)
        Ends that a search came to.
    """
    *asked, low, high, unit = arrays
    return *asked, np.minimum(low, reached), np.maximum(high, reached), unit


@njit(cache=False)
def select(x, k):
    """Bring the k-th smallest value to its place, smaller ones before it (Hoare 1961)."""
    low, high = 0, x.size - 1
    while low < high:
        pivot = x[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while x[j] > pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return x[k]


@njit(cache=False)
def quantile(x, share):
    """Quantile interpolated between order statistics; reorders ``x``."""
    place = share * (x.size - 1)
    k = int(place)
    low = select(x, k)
    high = low
    if k + 1 < x.size:
        high = x[k + 1]
        for i in range(k + 2, x.size):
            high = min(high, x[i])
    return low + (place - k) * (high - low)


def one_complaint(propose: Callable) -> Callable:
    """Compile a move of one complaint, drawn at random, from a change of its row.

    Parameters
    ----------
    propose : compiled function (row, new) -> bool
        As in `anneal.annealer`.

    Returns
    -------
    compiled function
        See `annealer`.
    """

    @njit(cache=False)
    def move(state, fixed, picked, new):
        picked[0] = np.random.randint(state.shape[0])
        return 1 if propose(state[picked[0]], new[0]) else 0

    return move


def or_exchange(propose: Callable, often: float) -> Callable:
    """Compile a move of one complaint, or at times an exchange of two complaints' rows.

    An exchange keeps what averages say of the rows, and changes how far complaints differ in what
    is paired with them: the widths of intervals.

    Parameters
    ----------
    propose : compiled function (row, new) -> bool
        As in `anneal.annealer`.
    often : float
        Share of exchanges.

    Returns
    -------
    compiled function
        See `annealer`.
    """
    one = one_complaint(propose)

    @njit(cache=False)
    def move(state, fixed, picked, new):
        if np.random.random() >= often:
            return one(state, fixed, picked, new)
        c, d = np.random.randint(state.shape[0]), np.random.randint(state.shape[0])
        picked[0], picked[1] = c, d
        new[0], new[1] = state[d], state[c]
        return 0 if c == d else 2

    return move


def annealer(features: Callable, measure: Callable, move: Callable, derive: Callable) -> Callable:
    """Compile a search as `anneal.annealer` does, with ends of resamples.

    Parameters
    ----------
    features, measure : compiled functions
        As there.
    move : compiled function (state, fixed, picked, new) -> int
        Write which complaints are changed, at most two, and their changed rows; how many there are,
        none where the change is not possible. See `one_complaint`.
    derive : compiled function (totals, group, fixed, out) -> int
        Write the draws of a group of intervals, from sums in resamples (held features, draws); how
        many draws there are.

    Returns
    -------
    compiled function
        ``search(...)``, which changes the state and returns the loss and the ends (intervals, 2).
    """

    @njit(cache=False)
    def totals_of(state, aux, fixed, size, held, counts):
        out = np.zeros(size)
        totals = np.zeros((held.size, counts.shape[1]))
        for c in range(state.shape[0]):
            features(state[c], aux[c], fixed, out)
            for h in range(held.size):
                if out[held[h]] != 0:
                    totals[h] += out[held[h]] * counts[c]
        return totals

    @njit(cache=False)
    def ends_of(totals, group, fixed, firsts, tails, draws, out):
        used = derive(totals, group, fixed, draws)
        for i in range(firsts[group], firsts[group + 1]):
            own = draws[i - firsts[group], :used]
            out[i, 0] = quantile(own, tails[i])
            out[i, 1] = quantile(own, 1 - tails[i])

    @njit(cache=False)
    def search(
        state, aux, fixed, blocks, size, low, high, unit,
        held, firsts, tails, end_low, end_high, end_unit, uses, counts, moves, hot, cold, seed,
    ):  # fmt: skip
        np.random.seed(seed)
        complaints, groups = state.shape[0], firsts.size - 1
        sums = np.zeros((blocks.max(), size))
        known = np.zeros((complaints, size))
        for c in range(complaints):
            features(state[c], aux[c], fixed, known[c])
            for b in range(blocks[c]):
                sums[b] += known[c]
        trial = np.zeros_like(sums)
        picked, new = np.zeros(2, np.int64), np.zeros_like(state[:2])
        after, change = np.zeros((2, size)), np.zeros((2, size))
        found = np.zeros(low.size)
        measure(sums, fixed, found)
        totals = totals_of(state, aux, fixed, size, held, counts)
        draws, pairs = np.zeros((tails.size, counts.shape[1])), np.zeros((tails.size, 2))
        each, each_tried = np.zeros(groups), np.zeros(groups)
        touched, affected = np.zeros(held.size, np.bool_), np.zeros(groups, np.bool_)
        for g in range(groups):
            ends_of(totals, g, fixed, firsts, tails, draws, pairs)
            for i in range(firsts[g], firsts[g + 1]):
                each[g] += loss_of(pairs[i], end_low[i], end_high[i], end_unit[i])
        loss = loss_of(found, low, high, unit) + each.sum()
        factor = (cold / hot) ** (1.0 / moves)
        heat = hot
        for _ in range(moves):
            heat *= factor
            if loss == 0.0:
                break
            changed = move(state, fixed, picked, new)
            if changed == 0:
                continue
            bar = loss - heat * np.log(1.0 - np.random.random())
            trial[:] = sums
            for m in range(changed):
                c = picked[m]
                features(new[m], aux[c], fixed, after[m])
                change[m] = after[m] - known[c]
                for b in range(blocks[c]):
                    trial[b] += change[m]
            measure(trial, fixed, found)
            tried = loss_of(found, low, high, unit)
            if tried > bar:
                continue
            for h in range(held.size):
                touched[h] = False
                for m in range(changed):
                    step = change[m, held[h]]
                    if step != 0:
                        touched[h] = True
                        totals[h] += step * counts[picked[m]]
            for g in range(groups):
                affected[g] = False
                for h in range(held.size):
                    affected[g] |= touched[h] and uses[g, h]
                each_tried[g] = each[g]
                if not affected[g]:
                    tried += each[g]
            for g in range(groups):
                if affected[g] and tried <= bar:
                    ends_of(totals, g, fixed, firsts, tails, draws, pairs)
                    each_tried[g] = 0.0
                    for i in range(firsts[g], firsts[g + 1]):
                        each_tried[g] += loss_of(pairs[i], end_low[i], end_high[i], end_unit[i])
                    tried += each_tried[g]
            if tried <= bar:
                loss = tried
                each[:] = each_tried
                for m in range(changed):
                    state[picked[m]] = new[m]
                    known[picked[m]] = after[m]
                sums, trial = trial, sums
            else:
                for h in range(held.size):
                    for m in range(changed):
                        step = change[m, held[h]]
                        if step != 0:
                            totals[h] -= step * counts[picked[m]]
        reached = np.zeros((tails.size, 2))
        for g in range(groups):
            ends_of(totals, g, fixed, firsts, tails, draws, reached)
        return loss, reached

    return search
