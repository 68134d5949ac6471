"""The filenames study's printed figures, recomputed from a panel: what the ledger asks for.

A figure says what it is in three fields: its quantity, its subject (a judge, or all of them) and
the condition it holds under. One function a quantity returns the figure's value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.figures import (
    Figure,
    Found,
    Panels,
    Recompute,
    Recomputed,
    Tolerance,
    Unavailable,
    by_quantity,
)
from core.studies.filenames import marks
from core.studies.filenames.choices import DECLARATION
from core.studies.filenames.estimate import Findings, analyse
from core.studies.filenames.reduce import Statistics, StudyStatistics, reduce_scores
from core.studies.filenames.shares import share_table
from core.studies.filenames.text_contrasts import text_table

Array = NDArray[np.float64]

TABLES = ("scores",)

ENDS_ALLOWED = 0.7
ENDS_WHY = "ends accepted to .75: they are one draw of 2,000 resamples"

TYPICAL = "reading: smallest and largest judge's mean absolute difference of a label from no label"
DECOMPOSED = "reading: centred on the mean of labels, divided by their number, noise taken out"
SIGN_TEST = "what is signed, the level and the adjustment of the sign test are not said"


class Rows:
    """The rows of a panel, reduced once; findings are kept for each study."""

    def __init__(self, panels: Panels) -> None:
        self._panels = panels
        self._findings: dict[str, Findings] = {}

    @cached_property
    def statistics(self) -> Statistics:
        """The reduced table."""
        return reduce_scores(self._panels["scores"].frame)

    def part(self, study: str) -> StudyStatistics:
        """Return the statistics of one study."""
        if study not in self.statistics.studies:
            raise Unavailable(f"the panel has no rows of study {study}")
        return self.statistics.in_study(study)

    def judge(self, figure: Figure) -> int:
        """Position of the figure's judge."""
        judges = self.part(study_of(figure)).judges
        if figure.subject not in judges:
            raise Unavailable(f"the panel has no rows of {figure.subject}")
        return judges.index(figure.subject)

    def findings(self, study: str) -> Findings:
        """Analyse one study as planned."""
        self.part(study)
        if study not in self._findings:
            choices = DECLARATION.planned.replace(study=study)
            self._findings[study] = analyse(self.statistics, choices)
        return self._findings[study]

    def cell(self, figure: Figure) -> tuple[Findings, tuple[int, int]]:
        """Return findings, and the position of the figure's judge and hypothesis in them."""
        findings = self.findings(study_of(figure))
        return findings, (
            self.judge(figure),
            findings.hypotheses.index(figure.condition["hypothesis"]),
        )

    @cached_property
    def texts(self) -> pl.DataFrame:
        """Contrasts of study 1 by text."""
        return text_table(self.statistics, self.findings("1"))

    @cached_property
    def shares(self) -> pl.DataFrame:
        """Persistent shares of both studies."""
        return share_table(self.statistics, DECLARATION.planned)

    def mark_counts(self, figure: Figure) -> pl.DataFrame:
        """Count the marks of the figure's judge."""
        table = marks.mark_table(self.part(study_of(figure)))
        return table.filter(pl.col("judge_id") == figure.subject)

    def share(self, figure: Figure) -> dict[str, float]:
        """Row of the share table that a figure is from."""
        study = study_of(figure)
        self.judge(figure)
        estimator = figure.condition.get("estimator", "corrected")
        rows = self.shares.filter(
            (pl.col("study") == study)
            & (pl.col("judge_id") == figure.subject)
            & (pl.col("estimator") == _ESTIMATORS[estimator])
        )
        return rows.row(0, named=True)


_ESTIMATORS = {"corrected": "corrected", "between_unit_products": "between_units"}
_STUDY_OF_TEXTS = {"human": "1", "llm": "2"}


def study_of(figure: Figure) -> str:
    """Return the study that a figure belongs to."""
    texts = figure.condition.get("texts")
    return _STUDY_OF_TEXTS[texts] if texts else figure.condition["study"]


def recompute(panels: Panels, *, draws: bool) -> Recompute:
    """Prepare to recompute the study's figures from a panel's rows.

    Parameters
    ----------
    panels
        The scores table.
    draws
        Not needed: the study's resampling takes milliseconds.
    """
    del draws
    return by_quantity(QUANTITIES, Rows(panels))


def tolerance(figure: Figure) -> Tolerance:
    """Say how far a recomputed value may lie from a figure: half a unit and what is allowed."""
    wide = figure.condition.get("texts") == "llm" and figure.lower is not None
    return Tolerance(
        value=figure.half_unit,
        ends=figure.half_unit + (ENDS_ALLOWED if wide else 0.0),
        why=ENDS_WHY if wide else "",
    )


Quantity = Callable[[Rows, Figure], Found]


def _estimate(rows: Rows, figure: Figure) -> Found:
    if "document" in figure.condition:
        return _on_text(rows, figure, "estimate")
    findings, cell = rows.cell(figure)
    return Recomputed(
        float(findings.estimate[cell]), float(findings.low[cell]), float(findings.high[cell])
    )


def _error(rows: Rows, figure: Figure) -> Found:
    if "document" in figure.condition:
        return _on_text(rows, figure, "error")
    findings, cell = rows.cell(figure)
    return float(findings.estimates.error[cell])


def _on_text(rows: Rows, figure: Figure, column: str) -> Found:
    rows.judge(figure)
    found = rows.texts.filter(
        (pl.col("judge_id") == figure.subject)
        & (pl.col("hypothesis") == figure.condition["hypothesis"])
        & (pl.col("text") == figure.condition["document"])
    )
    if found.is_empty() or found[column][0] is None:
        raise Unavailable(f"the panel has no such contrast on {figure.condition['document']}")
    return float(found[column][0])


def _detectable(rows: Rows, figure: Figure) -> Found:
    findings, cell = rows.cell(figure)
    return float(findings.detectable[cell])


def _p(rows: Rows, figure: Figure) -> Found:
    findings, cell = rows.cell(figure)
    return float(findings.p_adjusted[cell])


def _briefs(rows: Rows, figure: Figure) -> Found:
    findings, cell = rows.cell(figure)
    counts = (
        findings.estimates.ups
        if figure.condition["sign"] == "positive"
        else findings.estimates.downs
    )
    return float(counts[cell])


def _share(rows: Rows, figure: Figure) -> Found:
    row = rows.share(figure)
    return Recomputed(100 * row["share"], 100 * row["low"], 100 * row["high"], why=DECOMPOSED)


def _spread(column: str) -> Quantity:
    def work(rows: Rows, figure: Figure) -> Found:
        return Recomputed(rows.share(figure)[column], why=DECOMPOSED)

    return work


def _range(rows: Rows, figure: Figure) -> Found:
    # The range over all judges is a formula over these.
    if figure.subject == "all":
        return None
    rows.judge(figure)
    column = rows.mark_counts(figure)["mark"]
    return float(column[0] if figure.condition["bound"] == "min" else column[-1])


def _deviations(rows: Rows, figure: Figure) -> Found:
    ends = marks.deviation_range(rows.part(study_of(figure)), rows.judge(figure))
    return Recomputed(
        ends[figure.condition["bound"] == "max"],
        why="reading: deviations of all cells pooled, marks not smoothed",
    )


def _largest_difference(rows: Rows, figure: Figure) -> Found:
    width, text = marks.largest_difference(rows.part(study_of(figure)), rows.judge(figure))
    if width is None:
        raise Unavailable("no text has marks under every label")
    if text != figure.condition["document"]:
        return Recomputed(width, why=f"reached on {text}")
    return width


def _gap(rows: Rows, figure: Figure) -> Found:
    mean = rows.part(study_of(figure)).mean[rows.judge(figure)].mean(axis=1)
    return float(mean.max() - mean.min())


def _frequent(rows: Rows, figure: Figure) -> Found:
    rows.judge(figure)
    top = rows.mark_counts(figure).sort("count", descending=True)["mark"].head(marks.TOP)
    return float(np.sort(top.to_numpy())[int(figure.condition["order"]) - 1])


def _frequent_share(rows: Rows, figure: Figure) -> Found:
    rows.judge(figure)
    return float(100 * rows.mark_counts(figure)["share"].top_k(marks.TOP).sum())


def _typical_effect(rows: Rows, figure: Figure) -> Found:
    part = rows.part(study_of(figure))
    if part.neutral is None:
        raise Unavailable("no file is without a label")
    pooled = part.mean.mean(axis=1)
    away = np.abs(np.delete(pooled - pooled[:, [part.neutral]], part.neutral, axis=1)).mean(axis=1)
    end = away.min() if figure.condition["bound"] == "min" else away.max()
    return Recomputed(float(end), why=TYPICAL)


def _valid(rows: Rows, figure: Figure) -> Found:
    return float(rows.part(study_of(figure)).n.sum())


def _sign_test(rows: Rows, figure: Figure) -> Found:
    del rows, figure
    return Recomputed(why=SIGN_TEST)


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "contrast_estimate": _estimate,
        "standard_error": _error,
        "mde80": _detectable,
        "holm_p": _p,
        "n_units_by_sign": _briefs,
        "persistent_share": _share,
        "persistent_bias_sd": _spread("persistent_sd"),
        "context_bias_sd": _spread("context_sd"),
        "score_range": _range,
        "within_cell_deviation_range": _deviations,
        "largest_label_difference_within_document": _largest_difference,
        "document_mean_gap": _gap,
        "most_frequent_score": _frequent,
        "share_of_most_frequent_scores": _frequent_share,
        "typical_label_effect": _typical_effect,
        "n_valid_replies": _valid,
        "n_tests_significant_in_sign_test": _sign_test,
    }
)
