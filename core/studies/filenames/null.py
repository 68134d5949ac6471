"""Marks whose labels say nothing: dealt out anew within texts, or briefs with random signs."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

from core.multiverse.null import flipped_moments, signs
from core.multiverse.outcomes import Codes, encode
from core.multiverse.specs import Specs
from core.stats.multiplicity import Method
from core.stats.ols_hc import Errors, fit
from core.stats.resampling import Progress
from core.studies.filenames.estimate import (
    Estimates,
    adjusted_p,
    estimates,
    interval,
    label_contrasts,
    p_values,
    verdicts,
)
from core.studies.filenames.many import EXPENSIVE
from core.studies.filenames.reduce import Statistics, StudyStatistics

Array = NDArray[np.float64]
Index = NDArray[np.int64]


def null_verdicts(
    statistics: Statistics,
    specs: Specs,
    study: str,
    cell: tuple[int, int],
    permutations: int,
    seed: int,
    progress: Progress | None,
) -> Codes:
    """Judge one judge and hypothesis in the data and in permutations, (P + 1, S).

    Study 1: the marks of a text are dealt out to its labels anew, for each judge by itself. Study
    2: a brief's values change their sign, all hypotheses together.
    """
    codes = np.zeros((permutations + 1, len(specs)), dtype=np.int8)
    whole = statistics.in_study(study)
    dealt = permuted_marks(whole, permutations, seed) if study == "1" else None
    names = list(whole.clusters[0])
    flips = signs(permutations, (len(names),), seed)
    done = 0
    for choices, rows in specs.groups(EXPENSIVE):
        found = estimates(statistics, choices.replace(study=study))
        if dealt is not None:
            permuted = _refitted(found, whole, *dealt, cast(Errors, choices.text("errors")))
        else:
            own_briefs = [names.index(name) for name in found.part.clusters[0]]
            permuted = _flipped(found, flips[:, own_briefs])
        p = p_values(permuted)
        for own, at in specs.groups(("gate", "family", "alpha"), rows):
            adjusted = adjusted_p(p, cast(Method, own.text("gate")), own.text("family"))[0]
            low, high = interval(permuted, own.number("alpha"))
            words = verdicts(low, high, adjusted, found.hypotheses, own.number("alpha"))
            codes[:, at] = encode(words[:, cell[0], cell[1]])[:, None]
        done += len(rows)
        if progress:
            progress(done, len(specs))
    return codes


def permuted_marks(whole: StudyStatistics, permutations: int, seed: int) -> tuple[Array, Array]:
    """Deal the marks of a text out to its labels anew, for each judge by itself.

    Returns
    -------
    mean, squares
        (P + 1, J, T, L) as in the statistics; the first are those of the data.
    """
    stream = Generator(PCG64(seed))
    shape = (permutations + 1, *whole.n.shape)
    mean, squares = np.full(shape, np.nan), np.zeros(shape)
    mean[0], squares[0] = whole.mean, whole.squares
    judge, text, label = whole.mark_cells.T
    for j, t in np.ndindex(whole.n.shape[:2]):
        here = np.flatnonzero((judge == j) & (text == t))
        own = here[np.argsort(label[here], kind="stable")]
        marks = np.repeat(whole.mark_values[own], whole.mark_counts[own])
        there = np.flatnonzero(whole.n[j, t])
        if not there.size:
            continue
        starts = np.concatenate([[0], whole.n[j, t, there].cumsum()[:-1]])
        dealt = stream.permuted(np.broadcast_to(marks, (permutations, marks.size)), axis=1)
        count = whole.n[j, t, there]
        means = np.add.reduceat(dealt, starts, axis=1) / count
        mean[1:, j, t, there] = means
        gaps = dealt - np.repeat(means, count, axis=1)
        squares[1:, j, t, there] = np.add.reduceat(gaps**2, starts, axis=1)
    return mean, squares


def _refitted(
    found: Estimates, whole: StudyStatistics, mean: Array, squares: Array, errors: Errors
) -> Estimates:
    """Fit every permutation anew; arrays (P + 1, J, H)."""
    part = found.part
    texts = [whole.texts["text"].to_list().index(t) for t in part.texts["text"]]
    labels = [whole.label_names.index(name) for name in part.label_names]
    shape = (len(mean), len(part.judges), len(found.hypotheses))
    estimate, error = (np.full(shape, np.nan) for _ in range(2))
    contrasts = [label_contrasts(name, whole, part) for name in found.hypotheses]
    cells = np.ix_(texts, labels)
    for p, j in np.ndindex(shape[:2]):
        fitted = fit(part.n[j], mean[p, j][cells], squares[p, j][cells], errors)
        for h, of_judges in enumerate(contrasts):
            if not of_judges[j].why:
                estimate[p, j, h] = fitted.estimate(of_judges[j].weights)
                error[p, j, h] = fitted.error(of_judges[j].weights)
    return replace(found, estimate=estimate, error=np.where(error > 0, error, np.nan))


def _flipped(found: Estimates, flips: Array) -> Estimates:
    """Give briefs random signs; arrays (P + 1, J, H)."""
    estimate, error = [], []
    for values in found.values:
        mean, spread, n = flipped_moments(flips, values)
        estimate.append(mean)
        with np.errstate(invalid="ignore", divide="ignore"):
            error.append(np.where(spread > 0, spread / np.sqrt(n), np.nan))
    return replace(
        found,
        estimate=np.stack(estimate, axis=-1),
        error=np.where(np.isnan(found.error), np.nan, np.stack(error, axis=-1)),
    )
