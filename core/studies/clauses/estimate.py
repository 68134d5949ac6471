"""What the clauses study estimates, as a pure function of (statistics, choices).

Three steps, each kept, so that a choice redoes only what it touches: a contrast for each clause
group, its bootstrap, and the judgement of the draws. Axes: R runs, M models, H hypotheses, G clause
groups; F fills of missing ratings (one for complete cases, the lower and the upper bound else).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from core import verdicts
from core.choices import Choices
from core.stats.bootstrap_bca import Flipped, Means, flip_signs, resample_means
from core.stats.equivalence import matching_level, tost_bootstrap, tost_permutation
from core.stats.multiplicity import Method, adjust
from core.studies.clauses import hypotheses
from core.studies.clauses.choices import JUDGEMENT, RESAMPLING, method_of, with_known_names
from core.studies.clauses.design import EQUIVALENCE, FAMILIES, HYPOTHESES, PARTIES, SCALE
from core.studies.clauses.reduce import ClauseStatistics

Array = NDArray[np.float64]

H4 = HYPOTHESES.index(EQUIVALENCE)

_DEFECTS = {
    "no_giveaway": ("giveaway",),
    "no_unrealistic": ("unrealistic",),
    "no_defect": ("giveaway", "unrealistic"),
}


@dataclass(frozen=True, eq=False)
class Findings:
    """Every estimate and verdict under one specification, for both runs; arrays are (R, M, H).

    NaN where there is no number; `reason` says why.
    """

    choices: Choices
    statistics: ClauseStatistics
    contrasted: Contrasted
    estimate: Array
    """Mean over clause groups; between the bounds where missing ratings are bounded."""
    bounds: Array
    """(R, M, H, 2): estimate with missing ratings at their worst for either end."""
    n: NDArray[np.int64]
    """Clause groups that count."""
    spread: Array
    """Standard deviation over clause groups."""
    interval: Array
    """(R, M, H, 2) at level 1 - alpha."""
    matching: Array
    """(R, M, H, 2) at level 1 - 2 alpha: the one that goes with a test of equivalence."""
    p: Array
    """Each hypothesis' own p-value, for H4 that of equivalence."""
    p_equivalence: Array
    """p-value of lying inside the margin, for every cell."""
    p_adjusted: Array
    """After adjustment; NaN when the interval alone decides."""
    verdict: NDArray[np.str_]
    """Under the chosen gate."""
    verdict_alone: NDArray[np.str_]
    """By the interval alone."""

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs that are shown; runs that the study does not know always are."""
        chosen, known = self.choices.many("runs"), ("v2", "v3")
        return tuple(r for r in self.statistics.runs if r in chosen or r not in known)


@dataclass(frozen=True, eq=False)
class Contrasted:
    """Each hypothesis' contrast for each clause group."""

    values: Array
    """(F, R, M, H, G); NaN for groups that do not count."""
    scope: NDArray[np.bool_]
    """(R, G) which groups the choices leave in."""

    @property
    def flat(self) -> Array:
        """(F R M H, G)."""
        return self.values.reshape(-1, self.values.shape[-1])


@lru_cache(maxsize=256)
def analyse(statistics: ClauseStatistics, choices: Choices) -> Findings:
    """Compute every estimate and verdict under one specification; kept.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        One value for each choice of the study.

    Returns
    -------
    Findings
        Both runs, all models, all hypotheses; treat it as read-only, it is shared.
    """
    return conclude(
        statistics,
        choices,
        contrasts(statistics, choices),
        bootstrap(statistics, choices),
        permutation(statistics, choices) if choices.text("p") == "permutation" else None,
    )


def conclude(
    statistics: ClauseStatistics,
    choices: Choices,
    contrasted: Contrasted,
    means: Means,
    flipped: Flipped | None,
) -> Findings:
    """Judge kept draws: the last step of `analyse`.

    Parameters
    ----------
    statistics, choices
        As for `analyse`.
    contrasted
        The contrasts that were resampled.
    means
        Their bootstrap, flat.
    flipped
        Their sign-flip permutations, flat; None when p-values come from the bootstrap.
    """
    shape = contrasted.values.shape[:4]
    interval, matching = ends(means, shape, choices)
    bounds = bounds_of(means, shape)
    p, p_equivalence = p_values(means, flipped, shape, choices)
    method = method_of(choices)
    adjusted = adjusted_p(p, statistics.answered, method, choices.text("tests"))
    return Findings(
        choices=choices,
        statistics=statistics,
        contrasted=contrasted,
        estimate=bounds.mean(axis=-1),
        bounds=bounds,
        n=means.n.reshape(shape)[0],
        spread=means.spread.reshape(shape)[0],
        interval=interval,
        matching=matching,
        p=p,
        p_equivalence=p_equivalence,
        p_adjusted=adjusted,
        verdict=judge(interval, matching, choices, None if method is None else adjusted),
        verdict_alone=judge(interval, matching, choices, None),
    )


def judge(interval: Array, matching: Array, choices: Choices, p: Array | None) -> NDArray[np.str_]:
    """Give each hypothesis its verdict.

    Parameters
    ----------
    interval, matching
        (..., H, 2) the two-sided interval and the one that matches a test of equivalence.
    choices
        Alpha and margin are taken from it.
    p
        (..., H) adjusted p-values; None when the interval alone decides.
    """
    alpha = choices.number("alpha")
    found = verdicts.directional(interval[..., 0], interval[..., 1], p, alpha).astype("U16")
    two, one = interval[..., H4, :], matching[..., H4, :]
    found[..., H4] = verdicts.margin(
        two[..., 0],
        two[..., 1],
        one[..., 0],
        one[..., 1],
        choices.number("margin"),
        None if p is None else p[..., H4],
        alpha,
    )
    return found


def adjusted_p(p: Array, answered: NDArray[np.bool_], method: str | None, tests: str) -> Array:
    """Adjust p-values within their families; runs are never mixed.

    Parameters
    ----------
    p
        (..., R, M, H).
    answered
        (R, M) which models were asked in a run: the others planned no test there.
    method
        A method of adjustment; None gives NaN.
    tests
        Option of the choice `tests`.
    """
    adjusted = np.full_like(p, np.nan)
    if method is None:
        return adjusted
    for run, present in enumerate(answered):
        family = p[..., run, present, :]
        if tests == "model":
            found = adjust(family, cast(Method, method))
        elif tests == "hypothesis":
            swapped = np.swapaxes(family, -1, -2)
            found = np.swapaxes(adjust(swapped, cast(Method, method)), -1, -2)
        else:
            flat = family.reshape(*family.shape[:-2], -1)
            found = adjust(flat, cast(Method, method)).reshape(family.shape)
        adjusted[..., run, present, :] = found
    return adjusted


def ends(means: Means, shape: tuple[int, ...], choices: Choices) -> tuple[Array, Array]:
    """Interval ends of every cell, both (R, M, H, 2).

    Parameters
    ----------
    means
        The bootstrap of all contrasts, flat.
    shape
        (F, R, M, H), which they are of.
    choices
        The type of interval and alpha are taken from it.

    Returns
    -------
    interval, matching
        At level 1 - alpha, and at level 1 - 2 alpha, which goes with a test of equivalence.
    """
    kind, alpha = choices.text("interval"), choices.number("alpha")
    return _ends(means, shape, kind, 1 - alpha), _ends(means, shape, kind, matching_level(alpha))


def bounds_of(means: Means, shape: tuple[int, ...]) -> Array:
    """(R, M, H, 2) estimates with missing ratings at their worst for either end."""
    per_fill = means.estimate.reshape(shape)
    return np.stack([per_fill[0], per_fill[-1]], axis=-1)


def p_values(
    means: Means, flipped: Flipped | None, shape: tuple[int, ...], choices: Choices
) -> tuple[Array, Array]:
    """p-values of every cell, both (R, M, H).

    Parameters
    ----------
    means, shape
        As for `ends`.
    flipped
        Sign-flip permutations of all contrasts; None when p-values come from the bootstrap.
    choices
        The kind of p-value and the margin are taken from it.

    Returns
    -------
    p, p_equivalence
        Each hypothesis' own, for H4 that of equivalence; and that of lying inside the margin.
    """
    margin, bounds = choices.number("margin"), bounds_of(means, shape)
    inside = tost_permutation(flipped, margin) if flipped else tost_bootstrap(means, margin)
    p_equivalence = inside.reshape(shape).max(axis=0)
    p = _difference(choices, means, flipped).reshape(shape).max(axis=0)
    p = np.where((bounds[..., 0] < 0) & (bounds[..., 1] > 0) & (shape[0] > 1), 1.0, p)
    p[..., H4] = p_equivalence[..., H4]
    return p, p_equivalence


def _ends(means: Means, shape: tuple[int, ...], kind: str, level: float) -> Array:
    """Interval ends, (R, M, H, 2): from the lower bound's low end to the upper bound's high end."""
    ends = {"bca": means.bca, "percentile": means.percentile, "student": means.student}[kind](level)
    per_fill = ends.reshape(*shape, 2)
    return np.stack([per_fill[..., 0].min(axis=0), per_fill[..., 1].max(axis=0)], axis=-1)


def _difference(choices: Choices, means: Means, flipped: Flipped | None) -> Array:
    """p-values of being above zero, or of being other than zero, flat."""
    if flipped is not None:
        return flipped.two_sided()
    return means.share_at_most(0.0) if choices.text("p") == "one_sided" else means.two_sided()


def contrasts(statistics: ClauseStatistics, choices: Choices) -> Contrasted:
    """Work out each hypothesis' contrast for each clause group; kept."""
    return _contrasts(statistics, choices.without((*JUDGEMENT, *RESAMPLING)))


def bootstrap(statistics: ClauseStatistics, choices: Choices) -> Means:
    """Bootstrap every contrast over clause groups, (F R M H,) flat; kept."""
    return _bootstrap(statistics, choices.without(JUDGEMENT))


def permutation(statistics: ClauseStatistics, choices: Choices) -> Flipped:
    """Flip signs of every contrast over clause groups, (F R M H,) flat; kept."""
    return _permutation(statistics, choices.without(JUDGEMENT))


@lru_cache(maxsize=64)
def _contrasts(statistics: ClauseStatistics, choices: Choices) -> Contrasted:
    scope = groups_in_scope(statistics, choices)
    ratings = statistics.ratings[choices.text("repairs")]
    fills = (0, 1) if choices.text("missing") == "worst_case" else (None,)
    stacked = np.stack(
        [
            np.stack(
                [
                    hypotheses.values(
                        _filled(statistics, ratings, contrast, fill),
                        statistics.situations,
                        contrast,
                    )
                    for contrast in hypotheses.chosen(choices)
                ],
                axis=2,
            )
            for fill in fills
        ]
    )
    values = np.where(scope[:, None, None, :], stacked, np.nan)
    values.flags.writeable = False
    return Contrasted(values, scope)


def _filled(
    statistics: ClauseStatistics, ratings: Array, contrast: hypotheses.Contrast, fill: int | None
) -> Array:
    """Put an end of the scale where an answer is missing: the lower bound for 0, the upper for 1.

    Answers that were never asked for stay missing.
    """
    if fill is None:
        return ratings
    worst = np.zeros(ratings.shape[-2:])
    for (party, situation), weight in contrast.weights.items():
        if situation in statistics.situations:
            at = PARTIES.index(party), statistics.situations.index(situation)
            worst[at] = SCALE[fill if weight > 0 else 1 - fill]
    return np.where(np.isnan(ratings) & statistics.asked, worst, ratings)


def groups_in_scope(statistics: ClauseStatistics, choices: Choices) -> NDArray[np.bool_]:
    """Say which clause groups the choices leave in, (R, G)."""
    families = choices.many("families")
    kept = np.array([f in families or f not in FAMILIES for f in statistics.column("family")])
    names = statistics.column("archetype")
    left_out, _ = with_known_names(choices, tuple(names))
    kept &= np.array([name not in left_out for name in names])
    return np.asarray(statistics.in_run & kept & _archetypes_in_scope(statistics, choices))


def _archetypes_in_scope(statistics: ClauseStatistics, choices: Choices) -> NDArray[np.bool_]:
    which = choices.text("archetypes")
    everything = np.ones(statistics.groups.height, dtype=np.bool_)
    if which == "all":
        return everything
    if statistics.archetypes is None:
        return ~everything
    if which == "unchanged":
        return cast(NDArray[np.bool_], statistics.flag("unchanged"))
    flags = [cast(NDArray[np.bool_], statistics.flag(name)) for name in _DEFECTS[which]]
    return np.asarray(~np.any(flags, axis=0))


@lru_cache(maxsize=48)
def _bootstrap(statistics: ClauseStatistics, choices: Choices) -> Means:
    values = _contrasts(statistics, choices.without(RESAMPLING)).flat
    return resample_means(values, draws=int(choices.text("draws")), seed=int(choices.text("seed")))


@lru_cache(maxsize=6)
def _permutation(statistics: ClauseStatistics, choices: Choices) -> Flipped:
    values = _contrasts(statistics, choices.without(RESAMPLING)).flat
    return flip_signs(values, draws=int(choices.text("draws")), seed=int(choices.text("seed")))


def reason(findings: Findings, run: int, model: int, hypothesis: int) -> str:
    """Say why a cell has no verdict, or an empty text where it has one."""
    cell = run, model, hypothesis
    if findings.verdict[cell] != verdicts.Verdict.CANNOT_COMPUTE:
        return ""
    statistics = findings.statistics
    if not statistics.answered[run, model]:
        return "The panel has no answers of this model in this run."
    contrast = hypotheses.chosen(findings.choices)[hypothesis]
    unasked = [s for s in contrast.situations if not _was_asked(statistics, run, model, s)]
    if unasked:
        return f"The panel has no answers under {unasked[0].words}."
    if not findings.contrasted.scope[run].any():
        if statistics.archetypes is None and findings.choices.text("archetypes") != "all":
            return "Which clauses these are is not known: the panel has no archetypes table."
        return "The choices leave no clause in."
    return _why_no_interval(findings, cell)


def _was_asked(statistics: ClauseStatistics, run: int, model: int, situation: Any) -> bool:
    if situation not in statistics.situations:
        return False
    at = statistics.situations.index(situation)
    return bool(statistics.asked[run, model, ..., at].any())


def _why_no_interval(findings: Findings, cell: tuple[int, int, int]) -> str:
    scope = int(findings.contrasted.scope[cell[0]].sum())
    match int(findings.n[cell]):
        case 0:
            return f"None of {scope:,} clause groups has every rating that this hypothesis needs."
        case 1:
            return "One clause group only: nothing to resample."
        case n:
            return (
                f"All {n:,} clause groups have the same value, so resampling says nothing about "
                "its uncertainty."
            )
