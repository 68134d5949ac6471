"""Findings as tables, ready to draw: one row a judge and hypothesis, with verdicts and flips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.studies.filenames.choices import DECLARATION, adjustments, planned_for
from core.studies.filenames.design import PREDICTED, SECONDARY, SHORT_CLAIMS, judge_names
from core.studies.filenames.estimate import Findings, analyse
from core.studies.filenames.reduce import Statistics, StudyStatistics
from core.studies.forest import forest
from core.verdicts import Verdict, is_flip
from core.words import printed_names

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Comparison:
    """The current findings beside those of the planned setting of the same study."""

    current: Findings
    planned: Findings

    @property
    def names(self) -> list[str]:
        """Names of the judges, in the order of the arrays."""
        return judge_names_of(self.current.part)


def judge_names_of(part: StudyStatistics) -> list[str]:
    """Name the judges as the study prints them; others keep their own name."""
    return printed_names(part.judges, judge_names())


def compare(statistics: Statistics, current: Findings) -> Comparison:
    """Put findings beside those of the planned setting of their study."""
    return Comparison(current, analyse(statistics, planned_for(current.choices)))


def keys_of(findings: Findings) -> list[tuple[str, str]]:
    """Name every judge and hypothesis, in the order of the rows of `contrast_table`."""
    return [(j, h) for j in findings.part.judges for h in findings.hypotheses]


def contrast_table(comparison: Comparison) -> pl.DataFrame:
    """One row a judge and hypothesis: estimates, intervals, p-values, verdicts, flips.

    Returns
    -------
    polars.DataFrame
        judge, judge_id, hypothesis, claim, status (confirmatory or secondary), predicted (-1 or
        1); estimate, error, low and high (at level 1 - alpha, not adjusted), n (calls or briefs),
        k (sum of squared weights, null for H5), ups and downs (briefs above and below zero, study
        2), p, p_adjusted, tests (size of the family), detectable (smallest effect found with the
        chosen power), significant; verdict_now, verdict_planned, flip; planned, planned_low,
        planned_high, planned_p (adjusted); reason (why there is no verdict).
    """
    now, planned = comparison.current, comparison.planned
    found = now.estimates
    keys = keys_of(now)
    names = dict(zip(now.part.judges, comparison.names, strict=True))
    hypotheses = [name for _, name in keys]
    return pl.DataFrame(
        {
            "judge": [names[judge] for judge, _ in keys],
            "judge_id": [judge for judge, _ in keys],
            "hypothesis": hypotheses,
            "claim": [SHORT_CLAIMS[name] for name in hypotheses],
            "status": ["secondary" if n in SECONDARY else "confirmatory" for n in hypotheses],
            "predicted": [PREDICTED[name] for name in hypotheses],
            "estimate": missing(found.estimate),
            "error": missing(found.error),
            "low": missing(now.low),
            "high": missing(now.high),
            "n": found.n.ravel(),
            "k": missing(found.k),
            "ups": found.ups.ravel(),
            "downs": found.downs.ravel(),
            "p": missing(now.p),
            "p_adjusted": missing(now.p_adjusted),
            "tests": now.tests,
            "detectable": missing(now.detectable),
            "significant": is_significant(now.verdict).ravel(),
            "verdict_now": now.verdict.ravel(),
            "verdict_planned": planned.verdict.ravel(),
            "flip": is_flip(planned.verdict, now.verdict).ravel(),
            "planned": missing(planned.estimate),
            "planned_low": missing(planned.low),
            "planned_high": missing(planned.high),
            "planned_p": missing(planned.p_adjusted),
            "reason": [why for row in found.why for why in row],
        }
    )


def is_significant(verdict: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Say which verdicts exclude zero, on either side."""
    return np.isin(verdict, [Verdict.SUPPORTED.value, Verdict.OPPOSITE.value])


def typed_table(findings: Findings) -> pl.DataFrame:
    """One row a judge, for the typed contrast; columns as in `contrast_table` without plans."""
    alone = contrast_table(Comparison(findings, findings))
    return alone.drop(c for c in alone.columns if "planned" in c or c in ("flip", "status"))


def multiplicity_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """How verdicts come out under every adjustment and family, all else as chosen.

    Returns
    -------
    polars.DataFrame
        adjustment, tests_adjusted_together (in words), supported, opposite, not_supported
        (verdicts of the study), changed (verdicts that differ from the chosen setting).
    """
    chosen = analyse(statistics, choices).verdict
    rows = []
    for other in adjustments(choices):
        found = analyse(statistics, other).verdict
        counts = [int((found == v.value).sum()) for v in _COUNTED]
        names = [DECLARATION[key].say(other[key]) for key in ("gate", "family")]
        rows.append((*names, *counts, int((found != chosen).sum())))
    columns = (
        "adjustment",
        "tests_adjusted_together",
        "supported",
        "opposite",
        "not_supported",
        "changed",
    )
    return pl.DataFrame(rows, schema=list(columns), orient="row")


_COUNTED = (Verdict.SUPPORTED, Verdict.OPPOSITE, Verdict.NOT_SUPPORTED)


def missing(values: Array) -> pl.Series:
    """Flatten values and turn NaN into missing."""
    return pl.Series(np.ravel(values), dtype=pl.Float64, nan_to_null=True)


def grid_table(contrasts: pl.DataFrame) -> pl.DataFrame:
    """Contrasts as rows of a verdict grid.

    Parameters
    ----------
    contrasts
        The contrast table with what stands behind its numbers.

    Returns
    -------
    polars.DataFrame
        model (the judge), scope (the hypothesis), planned and chosen (estimates), verdict_planned,
        verdict_now, flip, varies, behind.
    """
    columns = ("planned", "verdict_planned", "verdict_now", "flip", "varies", "behind")
    names = {"judge": "model", "hypothesis": "scope", "estimate": "chosen"}
    return contrasts[[*columns, *names]].rename(names)


def forest_table(contrasts: pl.DataFrame) -> pl.DataFrame:
    """Contrasts as rows of a forest: row, series (planned, now), value, low, high, model."""
    return forest(contrasts.iter_rows(named=True), "judge")


def share_dots(shares: pl.DataFrame) -> pl.DataFrame:
    """Variance shares as dots: row, series (the estimator), value, low, high, model."""
    return shares.select(
        row=pl.lit("study ") + pl.col("study") + "  " + pl.col("judge"),
        series="estimator_name",
        value="share",
        low="low",
        high="high",
        model="judge",
    )
