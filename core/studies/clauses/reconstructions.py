"""The same specification in every shipped reconstruction: what the document determines.

The reconstructions share one search and one sense of what is plausible, so the spread over them is
no interval and understates what is possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.basis import Basis
from core.choices import Choices
from core.studies.clauses import stated
from core.studies.clauses.choices import DECLARATION
from core.studies.clauses.estimate import Findings, analyse
from core.studies.clauses.reduce import ClauseStatistics
from core.studies.clauses.tables import keys_of, names_of
from core.verdicts import Verdict, is_support

DECIMALS = 2
"""Digits to which the study prints its estimates."""

"""What the hatching means; what stands behind a number is told on hover."""


class Ensemble(basis.Ensemble[ClauseStatistics, Findings]):
    """Panels that stand for the clauses study."""

    @staticmethod
    def analyse(statistics: ClauseStatistics, choices: Choices) -> Findings:
        """Compute every estimate and verdict of one panel."""
        return analyse(statistics, choices)


def cell_basis(found: Ensemble, choices: Choices) -> pl.DataFrame:
    """Say what stands behind each cell's estimate and verdict.

    Returns
    -------
    polars.DataFrame
        Columns of `core.basis.table`; one row a cell, in the order of `tables.cell_table`.
    """
    each = found.findings(choices)
    estimates = np.stack([findings.estimate.ravel() for findings in each])
    verdicts = np.stack([findings.verdict.ravel() for findings in each])
    keys = keys_of(found.statistics[0])
    figures = [stated.estimate(key, choices, found.pins) for key in keys]
    supported = is_support(verdicts[0])
    return basis.table(
        estimates,
        verdicts,
        [None if figure is None else figure.value for figure in figures],
        settled=[
            stated.says(key, choices) is bool(now) for key, now in zip(keys, supported, strict=True)
        ],
        decimals=DECIMALS,
    )


def with_basis(cells: pl.DataFrame, found: Ensemble, choices: Choices) -> pl.DataFrame:
    """Add what stands behind each cell.

    Parameters
    ----------
    cells
        The cell table of the first panel under these choices.
    found
        The panels.
    choices
        The specification.

    Returns
    -------
    polars.DataFrame
        The table with number_basis, verdict_basis, behind; varies (to be hatched: the document
        does not state or determine the verdict); counts (it enters counts, sentences and shares).
    """
    behind = cell_basis(found, choices) if found.documented else None
    table = basis.with_basis(cells, behind, found.size, decimals=DECIMALS)
    said = pl.when("is_open").then(pl.lit(f"{stated.NOT_STATED}; ") + pl.col("behind"))
    return table.with_columns(
        behind=said.otherwise("behind"),
        varies=pl.col("is_open") | (pl.col("verdict_basis") == Basis.VARIES.value),
        counts=pl.col("shown") & ~pl.col("is_open"),
    )


@dataclass(frozen=True, kw_only=True)
class Move(basis.Move):
    """What becomes of a cell's verdict."""

    run: str
    model: str
    model_id: str
    hypothesis: str


def moves(found: Ensemble, before: Choices, after: Choices) -> list[Move]:
    """Compare the verdicts of two specifications in every reconstruction.

    Parameters
    ----------
    found
        The panels.
    before, after
        Two specifications; the runs shown are those of the second.

    Returns
    -------
    list of Move
        One for each cell that is shown and not open.
    """
    first, second = found.findings(before), found.findings(after)
    changed = np.stack(
        [(one.verdict != two.verdict).ravel() for one, two in zip(first, second, strict=True)]
    )
    same = _same_moves(first, second)
    names = dict(zip(found.statistics[0].models, names_of(found.statistics[0]), strict=True))
    verdicts = [side[0].verdict.ravel() for side in (first, second)]
    moved = []
    for i, key in enumerate(keys_of(found.statistics[0])):
        is_open = stated.is_open(key, before) or stated.is_open(key, after)
        if key[0] not in second[0].runs or (found.documented and is_open):
            continue
        printed = stated.says(key, before) is not None and stated.says(key, after) is not None
        agreed = bool(same[i]) and found.size > 1
        run, model, hypothesis = key
        then, now = (str(own[i]) for own in verdicts)
        certain = agreed or printed or not found.documented
        count = int(changed[:, i].sum())
        moved.append(
            Move(
                run=run,
                model=names[model],
                model_id=model,
                hypothesis=hypothesis,
                before=then,
                after=now,
                count=count,
                certain=certain,
            )
        )
    return moved


def _same_moves(first: Sequence[Findings], second: Sequence[Findings]) -> NDArray[np.bool_]:
    """Say in which cells both verdicts are the same in all panels."""
    pairs = [np.stack([each.verdict.ravel() for each in side]) for side in (first, second)]
    return np.asarray(np.all([(side == side[0]).all(axis=0) for side in pairs], axis=0))


def support_counts(found: Ensemble, choices: Choices) -> list[tuple[int, int, int]]:
    """Count claims in each panel: supported now, supported as planned, and all.

    Cells without a verdict now, and those whose verdict the document leaves open, now or as
    planned, are left out.
    """
    planned = DECLARATION.planned
    counts = []
    for now, before in zip(found.findings(choices), found.findings(planned), strict=True):
        kept = np.array(
            [
                key[0] in now.runs
                and not (
                    found.documented
                    and (stated.is_open(key, choices) or stated.is_open(key, planned))
                )
                for key in keys_of(now.statistics)
            ]
        )
        kept &= now.verdict.ravel() != Verdict.CANNOT_COMPUTE.value
        supported = is_support(now.verdict).ravel() & kept
        earlier = is_support(before.verdict).ravel() & kept
        counts.append((int(supported.sum()), int(earlier.sum()), int(kept.sum())))
    return counts
