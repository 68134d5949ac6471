"""Many specifications of the clauses study at once.

Resampling is shared by all specifications that differ in their judgement only; those are judged
together by the functions that judge one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.multiverse.outcomes import Outcomes, empty
from core.multiverse.specs import Specs
from core.stats.bootstrap_bca import Flipped, Means
from core.studies.clauses.choices import DECLARATION, JUDGEMENT, method_of
from core.studies.clauses.estimate import (
    H4,
    adjusted_p,
    bootstrap,
    bounds_of,
    contrasts,
    ends,
    judge,
    p_values,
    permutation,
)
from core.studies.clauses.reduce import ClauseStatistics

Array = NDArray[np.float64]
Index = NDArray[np.int64]

EXPENSIVE = tuple(choice.key for choice in DECLARATION if choice.key not in JUDGEMENT)
"""Choices that change the contrasts or their resamples."""

_ENDS, _TESTS, _ADJUSTED = ("interval", "alpha"), ("p", "margin"), ("gate", "tests")


def judge_many(statistics: ClauseStatistics, specs: Specs, cells: Index) -> Outcomes:
    """Judge many specifications.

    Parameters
    ----------
    statistics
        A reduced panel.
    specs
        The specifications.
    cells
        (K,) positions of the claims among all cells, run by run, model by model.

    Returns
    -------
    Outcomes
        The interval of H4 is the one that matches its test.
    """
    found = empty(len(specs), len(cells))
    for choices, rows in specs.groups(EXPENSIVE):
        with found.timed("resampling"):
            shape = contrasts(statistics, choices).values.shape[:4]
            means = bootstrap(statistics, choices)
        _judge(statistics, specs, rows, means, shape, found, cells)
    return found


def _judge(
    statistics: ClauseStatistics,
    specs: Specs,
    rows: Index,
    means: Means,
    shape: tuple[int, ...],
    found: Outcomes,
    cells: Index,
) -> None:
    """Judge all specifications that share their resamples."""
    with found.timed("judging"):
        estimate = bounds_of(means, shape).mean(axis=-1).ravel()[cells]
        intervals = [(ends(means, shape, own), at) for own, at in specs.groups(_ENDS, rows)]
        which_ends = specs.places([at for _, at in intervals])
        each = [np.stack([both[side] for both, _ in intervals]) for side in (0, 1)]
    p, which_p = _adjusted_p(statistics, specs, rows, means, shape, found)
    with found.timed("judging"):
        for own, at in specs.groups(("alpha", "margin", "gate"), rows):
            interval, matching = (side[which_ends[at]] for side in each)
            gated = p[which_p[at]] if method_of(own) is not None else None
            verdicts = judge(interval, matching, own, gated)
            decides = interval.copy()
            decides[..., H4, :] = matching[..., H4, :]
            flat = decides.reshape(len(at), -1, 2)[:, cells]
            words = verdicts.reshape(len(at), -1)[:, cells]
            found.fill(at, words, estimate, flat[..., 0], flat[..., 1])


def _adjusted_p(
    statistics: ClauseStatistics,
    specs: Specs,
    rows: Index,
    means: Means,
    shape: tuple[int, ...],
    found: Outcomes,
) -> tuple[Array, Index]:
    """Adjust p-values in every way that is asked for, and say which each specification takes."""
    tests = [_p(statistics, means, shape, own, found) for own, _ in specs.groups(_TESTS, rows)]
    which_test = specs.places([at for _, at in specs.groups(_TESTS, rows)])
    with found.timed("judging"):
        raw = np.stack(tests)
        ways = list(specs.groups(_ADJUSTED, rows))
        adjusted = [
            adjusted_p(raw, statistics.answered, method_of(own), own.text("tests"))
            for own, _ in ways
        ]
        which_way = specs.places([at for _, at in ways])
        return np.concatenate(adjusted), which_way * len(tests) + which_test


def _p(
    statistics: ClauseStatistics,
    means: Means,
    shape: tuple[int, ...],
    choices: Choices,
    found: Outcomes,
) -> Array:
    flipped: Flipped | None = None
    if choices.text("p") == "permutation":
        with found.timed("resampling"):
            flipped = permutation(statistics, choices)
    with found.timed("judging"):
        return p_values(means, flipped, shape, choices)[0]
