"""The same contrasts text by text, with one text left out, and counted by sign."""

from __future__ import annotations

from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.stats.multiplicity import Method
from core.stats.ols_hc import Errors, fit, within_group_error
from core.studies.filenames import design
from core.studies.filenames.briefs import EVEN, by_text
from core.studies.filenames.estimate import (
    Findings,
    adjusted_p,
    label_contrasts,
    quantile,
    two_sided,
    verdicts,
)
from core.studies.filenames.reduce import Statistics, StudyStatistics
from core.studies.filenames.tables import judge_names_of, missing
from core.verdicts import Verdict, is_flip

Array = NDArray[np.float64]

STAR = 0.01
"""Level of a star in Table 2, two-sided and not adjusted."""

_KEYS = ("judge", "judge_id", "hypothesis", "left_out")

MOST_UNITS = 200
"""Most texts or briefs that are left out one by one."""


def text_table(statistics: Statistics, findings: Findings) -> pl.DataFrame:
    """One row a judge, hypothesis and text: the contrast on that text alone.

    Parameters
    ----------
    statistics
        A reduced panel.
    findings
        Its findings under the chosen specification.

    Returns
    -------
    polars.DataFrame
        judge, judge_id, hypothesis, text, brief, genre, author_family; estimate, error, p (not
        adjusted), star (p below 1%), sign (-1, 0, 1; null without a number), against (whether the
        sign is not that of the pooled estimate). Without H5, which compares texts.
    """
    part = findings.part
    whole = statistics.in_study(findings.choices.text("study"))
    errors = cast(Errors, findings.choices.text("errors"))
    frames = []
    for h, name in enumerate(findings.hypotheses):
        if name == "H5":
            continue
        weights = _weights(name, whole, part)
        estimate, error = by_text(part, weights), text_errors(part, weights, errors)
        if name == "H6":
            estimate = np.where(_own_texts(part), estimate, np.nan)
        frames.append(_text_rows(findings, h, estimate, error))
    return pl.concat(frames)


def text_errors(part: StudyStatistics, weights: Array, errors: Errors) -> Array:
    """Estimate a contrast's standard error on each text, (J, T); HC3 in place of clusters."""
    kind = "HC3" if errors == "cluster" else errors
    known = np.nan_to_num(weights)[:, None, :]
    error, _ = within_group_error(part.n, part.squares, known, kind)
    return error


def _weights(name: str, whole: StudyStatistics, part: StudyStatistics) -> Array:
    found = label_contrasts(name, whole, part)
    return np.reshape([each.weights for each in found], (len(part.judges), part.labels.height))


def _own_texts(part: StudyStatistics) -> NDArray[np.bool_]:
    authors = part.texts["author_family"].to_list()
    return np.array([[author == family for author in authors] for family in part.families])


def _text_rows(findings: Findings, h: int, estimate: Array, error: Array) -> pl.DataFrame:
    part = findings.part
    judges, texts = estimate.shape
    with np.errstate(invalid="ignore", divide="ignore"):
        p = two_sided(np.abs(estimate) / error, np.full(estimate.shape, np.inf))
    sign = np.where(np.abs(estimate) <= EVEN, 0.0, np.sign(estimate))
    overall = np.sign(findings.estimate[:, h])[:, None]
    columns = ("text", "brief", "genre", "author_family")
    return pl.DataFrame(
        {
            "judge": np.repeat(judge_names_of(part), texts),
            "judge_id": np.repeat(part.judges, texts),
            "hypothesis": [findings.hypotheses[h]] * (judges * texts),
            **{name: part.texts[name].to_list() * judges for name in columns},
            "estimate": missing(estimate),
            "error": missing(error),
            "p": missing(p),
            "star": (p < STAR).ravel(),
            "sign": missing(sign).cast(pl.Int64),
            "against": (sign * overall < 0).ravel(),
        },
        schema_overrides={"brief": pl.String, "genre": pl.String},
    )


def sign_table(texts: pl.DataFrame) -> pl.DataFrame:
    """Count signs of a text table.

    Returns
    -------
    polars.DataFrame
        One row a judge and hypothesis: judge, judge_id, hypothesis, texts (with a number), up,
        down, even, starred_up, starred_down.
    """
    up, down = pl.col("sign") > 0, pl.col("sign") < 0
    return texts.group_by("judge", "judge_id", "hypothesis", maintain_order=True).agg(
        texts=pl.col("sign").count(),
        up=up.sum(),
        down=down.sum(),
        even=(pl.col("sign") == 0).sum(),
        starred_up=(up & pl.col("star")).sum(),
        starred_down=(down & pl.col("star")).sum(),
    )


def leave_one_out(statistics: Statistics, findings: Findings) -> pl.DataFrame:
    """Take out one text after another (in study 2 one brief) and judge again.

    Returns
    -------
    polars.DataFrame
        judge, judge_id, hypothesis, left_out; estimate, error, p_adjusted, shift (from the
        estimate with all), verdict, verdict_all (with all), flip. Empty where fewer than two or
        more than `MOST_UNITS` units count.
    """
    units, estimate, error, df = _without_each(statistics, findings)
    choices = findings.choices
    alpha = choices.number("alpha")
    with np.errstate(invalid="ignore", divide="ignore"):
        p = two_sided(np.abs(estimate) / error, df)
    adjusted, _ = adjusted_p(p, cast(Method, choices.text("gate")), choices.text("family"))
    half = quantile(1 - alpha / 2, df) * error
    found = verdicts(estimate - half, estimate + half, adjusted, findings.hypotheses, alpha)
    shape = estimate.shape
    keys = np.indices(shape).reshape(3, -1)
    names = judge_names_of(findings.part)
    judges, hypotheses = findings.part.judges, findings.hypotheses
    with_all = np.broadcast_to(findings.verdict, shape).ravel()
    return pl.DataFrame(
        {
            "judge": [names[j] for j in keys[1]],
            "judge_id": [judges[j] for j in keys[1]],
            "hypothesis": [hypotheses[h] for h in keys[2]],
            "left_out": [units[u] for u in keys[0]],
            "estimate": missing(estimate),
            "error": missing(error),
            "p_adjusted": missing(adjusted),
            "shift": missing(estimate - findings.estimate),
            "verdict": found.ravel(),
            "verdict_all": with_all,
            "flip": is_flip(with_all, found.ravel()),
        },
        schema_overrides=dict.fromkeys(_KEYS, pl.String),
    )


def leave_out_summary(table: pl.DataFrame) -> pl.DataFrame:
    """Sum up `leave_one_out`: one row a judge and hypothesis.

    Returns
    -------
    polars.DataFrame
        judge, judge_id, hypothesis, verdict_all, tried, flips, names (of the units whose absence
        flips the verdict), lowest and highest (estimates).
    """
    keys = ("judge", "judge_id", "hypothesis", "verdict_all")
    return table.group_by(keys, maintain_order=True).agg(
        tried=pl.len(),
        flips=pl.col("flip").sum(),
        names=pl.col("left_out").filter(pl.col("flip")),
        lowest=pl.col("estimate").min(),
        highest=pl.col("estimate").max(),
    )


def _without_each(
    statistics: Statistics, findings: Findings
) -> tuple[list[str], Array, Array, Array]:
    """Units, and (U, J, H) estimates, standard errors and degrees of freedom without each."""
    part = findings.part
    units, place = part.clusters
    if not 2 <= len(units) <= MOST_UNITS:
        nothing = np.empty((0, *findings.estimate.shape))
        return [], nothing, nothing, nothing
    if findings.choices.text("study") == "2":
        return units, *_without_briefs(findings)
    estimate, error = (np.full((len(units), *findings.estimate.shape), np.nan) for _ in range(2))
    whole = statistics.in_study("1")
    errors = cast(Errors, findings.choices.text("errors"))
    weights = np.stack([_weights(name, whole, part) for name in findings.hypotheses])
    has_number = findings.verdict != Verdict.CANNOT_COMPUTE
    for u in range(len(units)):
        kept = place != u
        for j in range(len(part.judges)):
            fitted = fit(part.n[j, kept], part.mean[j, kept], part.squares[j, kept], errors)
            for h in np.flatnonzero(has_number[j]):
                estimate[u, j, h] = fitted.estimate(weights[h, j])
                error[u, j, h] = fitted.error(weights[h, j])
    free = max(len(units) - 2, 1) if errors == "cluster" else np.inf
    return units, estimate, error, np.full(estimate.shape, free)


def _without_briefs(findings: Findings) -> tuple[Array, Array, Array]:
    values = np.stack(findings.estimates.values, axis=1)
    there = ~np.isnan(values)
    filled = np.where(there, values, 0.0)
    n = there.sum(axis=2)
    total, square = filled.sum(axis=2), (filled**2).sum(axis=2)
    rest = (n[..., None] - there).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (total[..., None] - filled) / rest
        spread = np.maximum((square[..., None] - filled**2) - rest * mean**2, 0) / (rest - 1)
        error = np.sqrt(spread / rest)
    usable = (rest > 1) & (error > EVEN) & (findings.verdict != Verdict.CANNOT_COMPUTE)[..., None]
    found = [np.where(usable, a, np.nan) for a in (mean, error, rest - 1)]
    estimate, error, df = (np.moveaxis(a, 2, 0) for a in found)
    return estimate, error, df


def design_names(texts: pl.DataFrame) -> pl.Series:
    """Describe texts for hovers: the brief's short description and the author's maker."""
    known = design.briefs()
    return pl.Series(
        [
            text if brief is None else f"{known.get(brief, brief)}, by {design.family_name(author)}"
            for text, brief, author in texts.select("text", "brief", "author_family").iter_rows()
        ],
        dtype=pl.String,
    )
