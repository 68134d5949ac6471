"""The same specification in every shipped reconstruction: what the document determines.

The reconstructions share one search and one sense of what is plausible, so the spread over them is
no interval and understates what is possible.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices
from core.figures import Figure
from core.studies.composition.estimate import Findings, analyse, planned_findings
from core.studies.composition.paths import Curves, swaps_onward
from core.studies.composition.pinned import Score, printed
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.sources import ATTRIBUTES
from core.studies.composition.tables import match_cells, names_of, share_changed
from core.verdicts import Verdict, is_flip, tolerance

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Findings of one specification from R reconstructions; the first are those on the page."""

    findings: tuple[Findings, ...]
    planned: tuple[Findings, ...]
    pins: Collection[str]
    """Ids of the printed figures that the search was given."""

    @property
    def size(self) -> int:
        """Number of reconstructions, R."""
        return len(self.findings)

    @property
    def choices(self) -> Choices:
        """The specification."""
        return self.findings[0].choices

    @property
    def names(self) -> list[str]:
        """Names of the models."""
        return names_of(self.findings[0].statistics)


def ensemble(
    shown: CellStatistics, others: Sequence[CellStatistics], choices: Choices, pins: Collection[str]
) -> Ensemble:
    """Analyse every reconstruction under one specification.

    Parameters
    ----------
    shown
        The reconstruction on the page.
    others
        The other shipped ones; they have the same models and cells in the same order.
    choices
        The specification.
    pins
        Ids of the figures that the search for the shown rows was given.
    """
    all_of_them = (shown, *others)
    return Ensemble(
        findings=tuple(analyse(statistics, choices) for statistics in all_of_them),
        planned=tuple(planned_findings(statistics) for statistics in all_of_them),
        pins=pins,
    )


def composite_basis(found: Ensemble) -> pl.DataFrame:
    """Say what stands behind each model's composite and its verdict.

    Returns
    -------
    polars.DataFrame
        model; printed (the pinned figure's value, null without one); basis; low and high (over the
        reconstructions); verdict_basis; verdict_count (reconstructions with the shown verdict).
    """
    scores = np.stack([findings.chosen_composite for findings in found.findings])
    figures = [_printed(found, "composite", name) for name in found.names]
    return _basis_frame(found, scores, figures).insert_column(0, pl.Series("model", found.names))


def module_basis(found: Ensemble) -> pl.DataFrame:
    """As `composite_basis`, for each model (slowest) and attribute, without the model."""
    scores = np.stack([f.weights.modules(f.chosen_cells) for f in found.findings])
    figures = [_printed(found, "module", n, attribute=a) for n in found.names for a in ATTRIBUTES]
    return _basis_frame(found, scores.reshape(found.size, -1), figures)


def _printed(found: Ensemble, score: Score, model: str, *, attribute: str = "") -> Figure | None:
    return printed(score, model, found.choices, attribute=attribute, pins=found.pins)


def _basis_frame(found: Ensemble, scores: Array, figures: Sequence[Figure | None]) -> pl.DataFrame:
    tau = found.choices.number("tau")
    verdicts = tolerance(scores, tau)
    # A printed figure settles its verdict unless rounding could hide on which side it lies.
    settled = [f is not None and abs(f.value - tau) > f.half_unit for f in figures]
    printed_values = [None if figure is None else figure.value for figure in figures]
    return basis.table(scores, verdicts, printed_values, settled=settled, decimals=3)


def cell_agreement(found: Ensemble, model: int) -> NDArray[np.int64]:
    """Count the reconstructions that give each cell of a model the shown verdict, (G,)."""
    verdicts = np.stack([_cell_verdicts(findings)[model] for findings in found.findings])
    return np.asarray((verdicts == verdicts[0]).sum(axis=0))


def flip_counts(found: Ensemble) -> list[tuple[int, int]]:
    """Count flipped cell verdicts and all cell verdicts in each reconstruction.

    Cells of attributes outside the composite, and cells that count in neither setting, are left
    out.
    """
    return [
        count_flips(planned, findings)
        for planned, findings in zip(found.planned, found.findings, strict=True)
    ]


def count_flips(planned: Findings, findings: Findings) -> tuple[int, int]:
    """Count flipped cell verdicts and all cell verdicts of one panel; as `flip_counts`."""
    before, now = _cell_verdicts(planned), _cell_verdicts(findings)
    if planned.statistics is not findings.statistics:
        before = _aligned(before, planned, findings)
    none = Verdict.CANNOT_COMPUTE.value
    modules = list(findings.choices.many("modules"))
    there = (before != none) | (now != none)
    there &= np.isin(findings.statistics.column("attribute"), modules)
    return int((is_flip(before, now) & there).sum()), int(there.sum())


def _aligned(verdicts: NDArray[np.str_], planned: Findings, findings: Findings) -> NDArray[np.str_]:
    """Hold the planned verdicts against another prompt regime's cells; none where there is none."""
    none = np.full((len(verdicts), 1), Verdict.CANNOT_COMPUTE.value)
    matched = match_cells(planned.statistics, findings.statistics)
    return np.concatenate([verdicts, none], axis=1)[:, matched]


def _cell_verdicts(findings: Findings) -> NDArray[np.str_]:
    """(M, G) point verdicts; a cell that does not count has none."""
    counting = np.where(findings.included, findings.chosen_cells, np.nan)
    return tolerance(counting, findings.choices.number("tau"))


def shares_changed(found: Ensemble) -> Array:
    """T(tau) of each model in each reconstruction, (R, M); NaN without a composite."""
    tau = found.choices.number("tau")
    return np.stack([share_changed(findings, tau) for findings in found.findings])


def swap_counts(found: Ensemble, shown: Curves) -> list[int]:
    """Count, for each change of places on the shown path, the reconstructions that have it too.

    A change is the same when the same model passes the same other one, wherever on the path.
    """
    names = tuple(found.names)
    others = [
        {f"{ahead} passes {behind}" for _, ahead, behind in swaps_onward(f, names)}
        for f in found.findings[1:]
    ]
    return [1 + sum(text in other for other in others) for text in shown.crossings["text"]]
