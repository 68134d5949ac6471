"""The same specification in every shipped reconstruction: what the document determines.

The reconstructions share one search and one sense of what is plausible, so the spread over them is
no interval and understates what is possible.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from core import basis
from core.choices import Choices
from core.studies.filenames import stated
from core.studies.filenames.choices import SCOPE, departs
from core.studies.filenames.estimate import Findings, analyse
from core.studies.filenames.reduce import Statistics
from core.studies.filenames.tables import judge_names_of, keys_of
from core.studies.filenames.text_contrasts import text_table

DECIMALS = 3
"""Digits to which the study prints its pooled estimates."""
TEXT_DECIMALS = 2
"""Digits to which it prints them by text."""
SHARE_DECIMALS = 1
"""Digits of a share in percent."""

"""What the hatching means; what stands behind a number is told on hover."""


class Ensemble(basis.Ensemble[Statistics, Findings]):
    """Panels that stand for the filenames study."""

    @staticmethod
    def analyse(statistics: Statistics, choices: Choices) -> Findings:
        """Compute every estimate and verdict of one panel."""
        return analyse(statistics, choices)


def with_basis(contrasts: pl.DataFrame, found: Ensemble, choices: Choices) -> pl.DataFrame:
    """Add what stands behind each judge and hypothesis.

    Parameters
    ----------
    contrasts
        The contrast table of the first panel under these choices.
    found
        The panels.
    choices
        The specification.

    Returns
    -------
    polars.DataFrame
        The table with number_basis, verdict_basis, varies (to be hatched: the document does not
        determine the verdict) and behind (all in words).
    """
    if not found.documented:
        return basis.with_basis(contrasts, None, found.size, decimals=DECIMALS)
    each = found.findings(choices)
    figures = [stated.estimate(key, choices, found.pins) for key in keys_of(each[0])]
    verdicts = np.stack([findings.verdict.ravel() for findings in each])
    table = basis.table(
        np.stack([findings.estimate.ravel() for findings in each]),
        verdicts,
        [None if figure is None else figure.value for figure in figures],
        settled=_settled(found, each[0], choices),
        decimals=DECIMALS,
    )
    return basis.with_basis(contrasts, table, found.size, decimals=DECIMALS)


def _settled(found: Ensemble, findings: Findings, choices: Choices) -> list[bool]:
    return [
        stated.says(key, choices, found.pins) == verdict
        for key, verdict in zip(keys_of(findings), findings.verdict.ravel(), strict=True)
    ]


def texts_with_basis(texts: pl.DataFrame, found: Ensemble, choices: Choices) -> pl.DataFrame:
    """As `with_basis`, for a text table; the verdict is the star and its sign."""
    if not found.documented:
        return basis.with_basis(texts, None, found.size, decimals=TEXT_DECIMALS)
    each = [texts] + [
        text_table(statistics, analyse(statistics, choices)) for statistics in found.statistics[1:]
    ]
    keys = texts.select("judge_id", "hypothesis", "text").rows()
    figures = [stated.text_estimate(j, h, t, choices, found.pins) for j, h, t in keys]
    stars = np.stack([_star_words(table) for table in each])
    starred = choices.text("errors") == "HC3"
    table = basis.table(
        np.stack([t["estimate"].fill_null(float("nan")).to_numpy() for t in each]),
        stars,
        [None if figure is None else figure.value for figure in figures],
        settled=[figure is not None and starred for figure in figures],
        decimals=TEXT_DECIMALS,
    )
    return basis.with_basis(texts, table, found.size, decimals=TEXT_DECIMALS)


def _star_words(table: pl.DataFrame) -> np.ndarray:
    words = pl.when("star").then(pl.col("sign").cast(pl.String)).otherwise(pl.lit("none"))
    return table.select(words.alias("word"))["word"].fill_null("none").to_numpy().astype(np.str_)


def moves(found: Ensemble, before: Choices, after: Choices) -> pl.DataFrame:
    """Compare the verdicts of two specifications of one study in every reconstruction.

    Parameters
    ----------
    found
        The panels.
    before, after
        Two specifications of the same study.

    Returns
    -------
    polars.DataFrame
        judge, judge_id, hypothesis, before and after (verdicts in the first panel), changed, count
        (panels in which the verdict changes), size (panels), certain (whether the document
        determines the change, or that there is none).
    """
    first, second = found.findings(before), found.findings(after)
    sides = [np.stack([f.verdict.ravel() for f in side]) for side in (first, second)]
    changed = sides[0] != sides[1]
    same = np.all([(side == side[0]).all(axis=0) for side in sides], axis=0)
    keys = keys_of(first[0])
    printed = [
        all(stated.says(key, choices, found.pins) is not None for choices in (before, after))
        for key in keys
    ]
    names = dict(zip(first[0].part.judges, judge_names_of(first[0].part), strict=True))
    return pl.DataFrame(
        {
            "judge": [names[judge] for judge, _ in keys],
            "judge_id": [judge for judge, _ in keys],
            "hypothesis": [name for _, name in keys],
            "before": sides[0][0],
            "after": sides[1][0],
            "changed": changed[0],
            "count": changed.sum(axis=0),
            "size": found.size,
            "certain": (same & (found.size > 1)) | np.array(printed) | (not found.documented),
        }
    )


def shares_with_basis(shares: pl.DataFrame, found: Ensemble, tables: list[pl.DataFrame],
                      choices: Choices) -> pl.DataFrame:  # fmt: skip
    """Add what stands behind each share, in percent: number_basis and behind.

    Parameters
    ----------
    shares
        The share table of the first panel.
    found
        The panels.
    tables
        The share tables of all panels, that of the first included.
    choices
        The specification; printed shares stand for all texts and labels only.
    """
    if not found.documented:
        return basis.with_basis(shares, None, found.size, decimals=SHARE_DECIMALS)
    rows = shares.select("judge_id", "study", "estimator").rows()
    printed = []
    for judge, study, estimator in rows:
        whole = not departs(choices.replace(study=study), SCOPE)
        figure = stated.share(judge, study, estimator, found.pins) if whole else None
        printed.append(None if figure is None else figure.value)
    values = np.stack([100 * t["share"].fill_null(float("nan")).to_numpy() for t in tables])
    table = basis.table(
        values,
        np.full(values.shape, "", dtype=np.str_),
        printed,
        settled=[True] * len(printed),
        decimals=SHARE_DECIMALS,
    )
    return basis.with_basis(shares, table, found.size, decimals=SHARE_DECIMALS)
