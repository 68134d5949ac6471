"""Clause groups with random signs: data in which no hypothesis holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.multiverse.null import flipped_moments, signs
from core.multiverse.outcomes import Codes, encode
from core.multiverse.specs import Specs
from core.stats.bootstrap_bca import t_greater, t_interval
from core.stats.equivalence import matching_level, tost_t
from core.stats.resampling import Progress
from core.studies.clauses.choices import RESAMPLING, method_of
from core.studies.clauses.estimate import H4, adjusted_p, contrasts, judge
from core.studies.clauses.many import EXPENSIVE
from core.studies.clauses.reduce import ClauseStatistics

Array = NDArray[np.float64]


def null_verdicts(
    statistics: ClauseStatistics,
    specs: Specs,
    cell: tuple[int, int, int],
    permutations: int,
    seed: int,
    progress: Progress | None,
) -> Codes:
    """Judge one cell in the data and in permutations without effects, (P + 1, S).

    A clause group's contrasts all change their sign together, so that hypotheses stay as
    correlated as they are. Intervals and p-values are Student's t, whatever type is chosen.
    """
    codes = np.zeros((permutations + 1, len(specs)), dtype=np.int8)
    models = statistics.shape[1]
    # Runs are never adjusted together: the claim's own is enough.
    run = slice(cell[0], cell[0] + 1)
    answered = statistics.answered[run]
    flips = signs(permutations, (1, models, statistics.groups.height), seed)
    kinds = [key for key in EXPENSIVE if key not in RESAMPLING]
    done = 0
    for choices, rows in specs.groups(kinds):
        moments = _moments(flips, contrasts(statistics, choices).values[:, run])
        for own, at in specs.groups(("p", "margin", "gate", "tests", "alpha"), rows):
            verdicts = _judged(answered, own, *moments)
            codes[:, at] = encode(verdicts[:, 0, cell[1], cell[2]])[:, None]
            done += len(at)
            if progress:
                progress(done, len(specs))
    return codes


def _moments(flips: Array, values: Array) -> tuple[Array, Array, NDArray[np.int64]]:
    """Means and deviations over clause groups, (P, F, R, M, H), and numbers, (F, R, M, H)."""
    fills, runs, models, hypotheses, _ = values.shape
    shape = (fills, runs, models, hypotheses)
    mean = np.empty((len(flips), *shape))
    spread, n = np.empty_like(mean), np.empty(shape, dtype=np.int64)
    for r in range(runs):
        for m in range(models):
            flat = values[:, r, m].reshape(fills * hypotheses, -1)
            found = flipped_moments(flips[:, r, m], flat)
            mean[:, :, r, m] = found[0].reshape(len(flips), fills, hypotheses)
            spread[:, :, r, m] = found[1].reshape(len(flips), fills, hypotheses)
            n[:, r, m] = found[2].reshape(fills, hypotheses)
    return mean, spread, n


def _judged(
    answered: NDArray[np.bool_],
    choices: Choices,
    mean: Array,
    spread: Array,
    n: NDArray[np.int64],
) -> NDArray[np.str_]:
    """Judge every cell of every permutation, (P, R, M, H)."""
    alpha, margin = choices.number("alpha"), choices.number("margin")
    count = np.broadcast_to(n, mean.shape)
    interval, matching = (
        _outer(t_interval(mean, spread, count, level))
        for level in (1 - alpha, matching_level(alpha))
    )
    above = t_greater(mean, spread, count)
    own = above if choices.text("p") == "one_sided" else 2 * np.minimum(above, 1 - above)
    own[..., H4] = tost_t(mean[..., H4], spread[..., H4], count[..., H4], margin)
    p = own.max(axis=1)
    if mean.shape[1] > 1:
        crosses = (mean.min(axis=1) < 0) & (mean.max(axis=1) > 0)
        crosses[..., H4] = False
        p = np.where(crosses, 1.0, p)
    method = method_of(choices)
    adjusted = adjusted_p(p, answered, method, choices.text("tests"))
    return judge(interval, matching, choices, None if method is None else adjusted)


def _outer(ends: Array) -> Array:
    """From the lowest low end over fills to the highest high end, (P, R, M, H, 2)."""
    return np.stack([ends[..., 0].min(axis=1), ends[..., 1].max(axis=1)], axis=-1)
