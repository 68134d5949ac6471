"""What the filenames study estimates, as a pure function of (statistics, choices).

Study 1: contrasts of label effects from a regression with text effects, one fit a judge. Study 2:
one value a brief, and their mean. Axes: J judges, H hypotheses of the study, L labels, B briefs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtr

from core.choices import Choices
from core.stats.multiplicity import Method, adjust
from core.stats.ols_hc import SPREADLESS, Errors, Fit, fit
from core.stats.power import detectable_factor, quantile
from core.studies.filenames.briefs import EVEN, by_brief, own_text_excess
from core.studies.filenames.choices import SCOPE
from core.studies.filenames.contrasts import (
    Contrast,
    contrast,
    over_part,
    read_contrast,
    typed,
)
from core.studies.filenames.design import CUSTOM, HYPOTHESES, PREDICTED, label_name
from core.studies.filenames.reduce import Statistics, StudyStatistics
from core.studies.filenames.scope import in_scope
from core.verdicts import directional
from core.words import counted, listed

Array = NDArray[np.float64]

FEW_CLUSTERS = 30
"""Texts below which errors clustered by text are a poor guide."""


@dataclass(frozen=True, eq=False)
class Estimates:
    """Numbers before any judgement; arrays are (J, H), NaN where there is no number."""

    part: StudyStatistics
    hypotheses: tuple[str, ...]
    estimate: Array
    error: Array
    """Standard error."""
    df: Array
    """Degrees of freedom of the reference distribution; infinite for the normal one."""
    n: NDArray[np.int64]
    """Units: calls in study 1, briefs in study 2."""
    k: Array
    """Sum of squared weights; NaN for H5, whose weights are not over labels."""
    ups: NDArray[np.int64]
    """Study 2: briefs above zero."""
    downs: NDArray[np.int64]
    """Study 2: briefs below zero."""
    why: tuple[tuple[str, ...], ...]
    """(J, H) why there is no number; empty where there is one."""
    values: tuple[Array, ...] = ()
    """Study 2: for each hypothesis (J, B) values of briefs."""


@dataclass(frozen=True, eq=False)
class Findings:
    """Every estimate and verdict under one specification; arrays are (J, H)."""

    choices: Choices
    estimates: Estimates
    p: Array
    """Two-sided, not adjusted."""
    p_adjusted: Array
    """After adjustment; equal to p without a gate."""
    tests: int
    """Size of the family of tests."""
    low: Array
    """Lower end of the interval at level 1 - alpha, which is never adjusted."""
    high: Array
    detectable: Array
    """Smallest effect found with the chosen power, at the first step of the adjustment."""
    verdict: NDArray[np.str_]

    @property
    def part(self) -> StudyStatistics:
        """The texts and labels that count."""
        return self.estimates.part

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The study's hypotheses."""
        return self.estimates.hypotheses

    @property
    def estimate(self) -> Array:
        """(J, H) estimates."""
        return self.estimates.estimate


def analyse(statistics: Statistics, choices: Choices) -> Findings:
    """Compute every estimate and verdict of the chosen study.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        One value for each choice of the study.
    """
    return judge(estimates(statistics, choices), choices)


def estimates(statistics: Statistics, choices: Choices) -> Estimates:
    """Compute the numbers of the chosen study before any judgement; kept."""
    return _planned_estimates(statistics, _that_move_estimates(choices))


def analyse_typed(statistics: Statistics, choices: Choices) -> Findings | None:
    """As `analyse`, for the contrast that the reader typed; None when there is none.

    Its family is that contrast in all judges.
    """
    weights = dict(read_contrast(choices.text("contrast")))
    if not weights:
        return None
    part = in_scope(statistics, choices)
    whole = statistics.in_study(choices.text("study"))
    over = over_part(typed(weights, whole), whole, part)
    found = _estimates(part, (CUSTOM,), [[over] * len(part.judges)], choices)
    return judge(found, choices.replace(family="judges"))


def _that_move_estimates(choices: Choices) -> Choices:
    kept = (*SCOPE, "errors")
    return choices.without([key for key, _ in choices.values if key not in kept])


@lru_cache(maxsize=128)
def _planned_estimates(statistics: Statistics, choices: Choices) -> Estimates:
    part = in_scope(statistics, choices)
    whole = statistics.in_study(choices.text("study"))
    names = HYPOTHESES[choices.text("study")]
    contrasts = [label_contrasts(name, whole, part) for name in names]
    return _estimates(part, names, contrasts, choices)


def label_contrasts(
    hypothesis: str, whole: StudyStatistics, part: StudyStatistics
) -> list[Contrast]:
    """Return each judge's weights over the labels that count; H5 has none."""
    if hypothesis == "H5":
        return [Contrast(np.full(part.labels.height, np.nan)) for _ in part.judges]
    return [over_part(contrast(hypothesis, whole, j), whole, part) for j in range(len(part.judges))]


def _estimates(
    part: StudyStatistics,
    names: tuple[str, ...],
    contrasts: list[list[Contrast]],
    choices: Choices,
) -> Estimates:
    if choices.text("study") == "1":
        return _from_calls(part, names, contrasts, cast(Errors, choices.text("errors")))
    return _from_briefs(part, names, contrasts)


def _from_calls(
    part: StudyStatistics,
    names: tuple[str, ...],
    contrasts: list[list[Contrast]],
    errors: Errors,
) -> Estimates:
    fits = [fit_judge(part, j, errors) for j in range(len(part.judges))]
    shape = (len(part.judges), len(names))
    estimate, error, k = (np.full(shape, np.nan) for _ in range(3))
    why = [["" for _ in names] for _ in part.judges]
    for h, of_judges in enumerate(contrasts):
        for j, (found, fitted) in enumerate(zip(of_judges, fits, strict=True)):
            k[j, h] = found.k
            why[j][h] = found.why or _why_no_fit(part, j, found, fitted)
            if not why[j][h]:
                estimate[j, h] = fitted.estimate(found.weights)
                error[j, h] = fitted.error(found.weights)
    groups = np.array([f.groups for f in fits], dtype=np.float64)
    df = np.where(errors == "cluster", np.maximum(groups - 1, 1), np.inf)
    n = np.array([f.n for f in fits], dtype=np.int64)
    none = np.zeros(shape, dtype=np.int64)
    return Estimates(
        part,
        names,
        estimate,
        error,
        np.broadcast_to(df[:, None], shape),
        np.broadcast_to(n[:, None], shape),
        k,
        none,
        none,
        tuple(map(tuple, why)),
    )


@lru_cache(maxsize=512)
def fit_judge(part: StudyStatistics, judge: int, errors: Errors) -> Fit:
    """Fit text and label effects to the marks of one judge; kept."""
    return fit(part.n[judge], part.mean[judge], part.squares[judge], errors)


def _why_no_fit(part: StudyStatistics, judge: int, found: Contrast, fitted: Fit) -> str:
    if fitted.n == 0:
        return "The panel has no marks of this judge on the texts that count."
    silent = [
        name
        for name, weight, n in zip(
            part.label_names, found.weights, part.n[judge].sum(axis=0), strict=True
        )
        if weight and not n
    ]
    if silent:
        named = listed([label_name(name) for name in silent])
        return f"This judge has no marks of files labelled {named}."
    if not fitted.tells(found.weights):
        return "No text has marks under the labels that it compares."
    if fitted.why:
        return f"{fitted.why[0].upper()}{fitted.why[1:]}."
    return "" if fitted.error(found.weights) > 0 else f"{SPREADLESS[0].upper()}{SPREADLESS[1:]}."


def _from_briefs(
    part: StudyStatistics, names: tuple[str, ...], contrasts: list[list[Contrast]]
) -> Estimates:
    shape = (len(part.judges), len(names))
    estimate, error, df, k = (np.full(shape, np.nan) for _ in range(4))
    n, ups, downs = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    why = [["" for _ in names] for _ in part.judges]
    kept = []
    for h, (name, of_judges) in enumerate(zip(names, contrasts, strict=True)):
        values, excuse = _brief_values(part, name, of_judges)
        kept.append(values)
        k[:, h] = [found.k for found in of_judges]
        for j, row in enumerate(values):
            there = row[~np.isnan(row)]
            n[j, h], ups[j, h], downs[j, h] = (
                there.size,
                (there > EVEN).sum(),
                (there < -EVEN).sum(),
            )
            why[j][h] = of_judges[j].why or excuse or _why_no_mean(there)
            if there.size:
                estimate[j, h] = there.mean()
            if not why[j][h]:
                error[j, h] = there.std(ddof=1) / np.sqrt(there.size)
                df[j, h] = there.size - 1
    return Estimates(
        part, names, estimate, error, df, n, k, ups, downs, tuple(map(tuple, why)), tuple(kept)
    )


def _brief_values(part: StudyStatistics, name: str, of_judges: list[Contrast]) -> tuple[Array, str]:
    if name == "H5":
        return own_text_excess(part)
    shape = (len(part.judges), part.labels.height)
    weights = np.reshape([found.weights for found in of_judges], shape)
    return by_brief(part, weights, own_texts=name == "H6"), ""


def _why_no_mean(values: Array) -> str:
    if values.size == 0:
        return "No brief has every mark that it needs."
    if values.size == 1:
        return "One brief only: nothing to say how much briefs differ."
    if np.ptp(values) <= EVEN:
        return f"All {values.size:,} briefs have the same value: no uncertainty can be read off."
    return ""


def judge(found: Estimates, choices: Choices) -> Findings:
    """Judge estimates: the last step of `analyse`."""
    alpha = choices.number("alpha")
    p = p_values(found)
    method = cast(Method, choices.text("gate"))
    adjusted, tests = adjusted_p(p, method, choices.text("family"))
    low, high = interval(found, alpha)
    factor = detectable_factor(alpha, choices.number("power"), max(tests, 1), found.df)
    return Findings(
        choices=choices,
        estimates=found,
        p=p,
        p_adjusted=adjusted,
        tests=tests,
        low=low,
        high=high,
        detectable=factor * found.error,
        verdict=verdicts(low, high, adjusted, found.hypotheses, alpha),
    )


def p_values(found: Estimates) -> Array:
    """Two-sided p-values without adjustment, (..., J, H)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.abs(found.estimate) / found.error
    return two_sided(ratio, found.df)


def interval(found: Estimates, alpha: float) -> tuple[Array, Array]:
    """Return the ends of the interval at level 1 - alpha, both (..., J, H)."""
    half = quantile(1 - alpha / 2, found.df) * found.error
    return found.estimate - half, found.estimate + half


def verdicts(
    low: Array, high: Array, p: Array, hypotheses: tuple[str, ...], alpha: float
) -> NDArray[np.str_]:
    """Judge contrasts by adjusted p-value and sign.

    Parameters
    ----------
    low, high
        (..., J, H) interval at level ``1 - alpha``, which excludes zero just where the p-value
        without adjustment is below alpha.
    p
        (..., J, H) adjusted p-values.
    hypotheses
        Their names; they fix the predicted signs.
    alpha
        What an adjusted p-value must lie below.
    """
    sign = np.array([PREDICTED[name] for name in hypotheses])
    along, against = np.where(sign > 0, low, -high), np.where(sign > 0, high, -low)
    return directional(along, against, p, alpha)


def two_sided(ratio: Array, df: Array) -> Array:
    """Two-sided p-value of |estimate| / standard error."""
    finite = np.where(np.isfinite(df), df, 1.0)
    return np.where(np.isfinite(df), 2 * stdtr(finite, -ratio), 2 * ndtr(-ratio))


def adjusted_p(p: Array, method: Method, family: str) -> tuple[Array, int]:
    """Adjust p-values within families.

    Parameters
    ----------
    p
        (..., J, H).
    method
        A method of adjustment.
    family
        Option of the choice `family`.

    Returns
    -------
    p, tests
        Adjusted p-values and the size of a family; 1 without adjustment.
    """
    judges, hypotheses = p.shape[-2:]
    if method == "none":
        return p, 1
    if family == "judges":
        return np.swapaxes(adjust(np.swapaxes(p, -1, -2), method), -1, -2), judges
    if family == "hypotheses":
        return adjust(p, method), hypotheses
    flat = adjust(p.reshape(*p.shape[:-2], judges * hypotheses), method)
    return flat.reshape(p.shape), judges * hypotheses


def warnings(findings: Findings) -> list[str]:
    """Say what a reader must know before trusting the standard errors."""
    choices = findings.choices
    said = []
    if choices.text("study") == "1" and choices.text("errors") == "cluster":
        groups = findings.part.texts.height
        if groups < FEW_CLUSTERS:
            said.append(
                f"Standard errors clustered by {counted(groups, 'text')} are a poor guide: with so "
                "few they tend to be too small, here judged against t with "
                f"{counted(max(groups - 1, 1), 'degree')} of freedom."
            )
    missing = int(findings.part.missing.sum())
    if missing:
        said.append(f"{counted(missing, 'call')} gave no mark and count nowhere.")
    return said
