"""How sure the composition scores are: resampling, exact alignment, and wrong labels.

Three questions, three answers (App. D.3 to D.5 of the study). The bootstrap asks how the scores
move when each cell's outputs are drawn again. The calibration asks what a model that is exactly
aligned would score with as few outputs. The perturbation asks what wrong labels would do. In all
three, the cells that count and their weights stay as observed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.resampling import (
    Counts,
    Drawing,
    Progress,
    multinomial_counts,
    percentile_interval,
)
from core.stats.tabulated import divergence_of_counts
from core.studies.composition.estimate import Findings, analyse
from core.studies.composition.reduce import CELL, CellStatistics

Array = NDArray[np.float64]
ModelCell = tuple[int, int]
Score = Literal["composite", "chosen", "mean_absolute_change"]
Mechanism = Literal["random", "adversarial"]

BOOTSTRAP_SEED = 20260722
CALIBRATION_SEED = 20260724
UNIT = "model and cell"


def _streams(
    statistics: CellStatistics,
    pairs: Sequence[ModelCell],
    drawing: Drawing,
    models: Collection[int] | None = None,
) -> Iterator[tuple[int, int, Generator]]:
    """Give each model-cell its stream: keys are the model's and the cell's names, sorted.

    With ``models`` only theirs are made.
    """
    names = list(statistics.cells.select(CELL).iter_rows())
    keys = {(statistics.models[m], *names[g]): (m, g) for m, g in pairs}
    wanted = None if models is None else {key for key, (m, _) in keys.items() if m in models}
    for key, stream in drawing.streams(list(keys), wanted).items():
        yield *keys[key], stream


def _with_outputs(statistics: CellStatistics) -> list[ModelCell]:
    """Find the model-cells with mapped outputs, whether or not they pass a gate.

    All of them have a stream, so that moving the gate leaves the draws of the others alone.
    """
    models, cells = np.nonzero(statistics.mapped)
    return list(zip(models.tolist(), cells.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class CellDraws:
    """Resampled outputs of one model in one cell. B draws, J categories seen in the cell."""

    model: int
    cell: int
    n: int
    columns: NDArray[np.int64]
    """(J,) the categories seen; a category never seen is never drawn."""
    counts: Counts
    """(B, J); a single row where only one category was seen, since all draws are alike."""


@dataclass(frozen=True, eq=False)
class Resampled:
    """Resampled outputs of every cell of one prompt regime: the slow part of the bootstrap.

    It depends on the rows, the regime and the seed only. Keep it, and a change of any other
    choice costs a small part of the time.
    """

    statistics: CellStatistics
    drawing: Drawing
    cells: tuple[CellDraws, ...]


def resample(
    statistics: CellStatistics,
    regime: str,
    *,
    draws: int = 2000,
    seed: int = BOOTSTRAP_SEED,
    models: Collection[int] | None = None,
    progress: Progress | None = None,
) -> Resampled:
    """Draw the mapped outputs of each model-cell again, with replacement (App. D.4, D.5).

    Parameters
    ----------
    statistics
        A reduced panel.
    regime
        Which prompt regime's cells.
    draws, seed
        The study's are 2,000 and 20260722.
    models
        Positions of the models to draw for; None for all. Draws of a model are the same either
        way.
    progress
        Called after each model-cell; may raise `Cancelled`.

    Returns
    -------
    Resampled
        ``Multinomial(n, q)`` counts, with n the cell's mapped outputs and q their shares.
    """
    part = statistics.in_regime(regime)
    drawing = Drawing(draws, seed, UNIT)
    pairs = _with_outputs(part)
    cells = []
    for done, (m, g, stream) in enumerate(_streams(part, pairs, drawing, models), start=1):
        observed = part.counts[m, g]
        columns = np.flatnonzero(observed)
        n = int(part.mapped[m, g])
        rows = 1 if columns.size == 1 else draws
        counts = multinomial_counts(stream, n, observed[columns].astype(np.float64), rows)
        cells.append(CellDraws(m, g, n, columns, counts))
        if progress:
            progress(done, len(pairs))
    return Resampled(part, drawing, tuple(cells))


@dataclass(frozen=True, eq=False)
class BootstrapDraws:
    """Scores under resampled outputs. B draws, M models, G cells of the regime.

    The plug-in divergence is biased upward by resampling, so a score can lie at or below the
    lower end of its own percentile interval; that is no error (App. D.5).
    """

    drawing: Drawing
    level: float
    """Level of `cell_interval`, in (0, 1)."""
    composite: Array
    """(B, M) composite divergence from the planned comparator; NaN where none is released."""
    chosen: Array
    """(B, M) composite divergence from the chosen comparator."""
    mean_absolute_change: Array
    """(B, M) ``Agg(|d_g^chosen - d_g^planned|)``, absolute value within each draw."""
    cell_interval: Array
    """(M, G, 2) percentile interval of each cell's divergence from the chosen comparator; NaN
    where there is no number. A cell with a single category has an interval of no width."""

    def interval(self, level: float = 0.95, *, score: Score = "composite") -> Array:
        """Percentile interval of a score, (M, 2): lower and upper end."""
        return percentile_interval(getattr(self, score), level)


def bootstrap(
    statistics: CellStatistics,
    choices: Choices,
    *,
    draws: int = 2000,
    seed: int = BOOTSTRAP_SEED,
    level: float = 0.95,
    progress: Progress | None = None,
    resampled: Resampled | None = None,
) -> BootstrapDraws:
    """Score resampled outputs under one specification (App. D.4, D.5; Table 25).

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        One value for each choice of the study.
    draws, seed
        The study's are 2,000 and 20260722; not used when ``resampled`` is given.
    level
        Level of the intervals of single cells.
    progress
        Called after each model-cell is drawn; may raise `Cancelled`.
    resampled
        Draws of the same panel and regime that were kept.

    Returns
    -------
    BootstrapDraws
        Cells, weights, targets and labels are held fixed.
    """
    if resampled is None:
        regime = choices.text("regime")
        resampled = resample(statistics, regime, draws=draws, seed=seed, progress=progress)
    findings = analyse(statistics, choices)
    if resampled.statistics is not findings.statistics:
        raise ValueError("resampled must come from the same panel and prompt regime as choices")
    scores = _Scores(findings, resampled.drawing.draws)
    interval = np.full((*findings.chosen_cells.shape, 2), np.nan)
    for cell in resampled.cells:
        if np.isnan(findings.comparator[cell.cell]).any():
            continue
        chosen = scores.add(cell.model, cell.cell, cell.n, cell.counts, cell.columns)
        interval[cell.model, cell.cell] = percentile_interval(chosen, level)
    return BootstrapDraws(
        drawing=resampled.drawing,
        level=level,
        composite=scores.released("composite"),
        chosen=scores.released("chosen"),
        mean_absolute_change=scores.released("mean_absolute_change"),
        cell_interval=interval,
    )


class _Scores:
    """Adds cells up into scores, one at a time, so that no (draws, M, G) array is ever held."""

    def __init__(self, findings: Findings, draws: int) -> None:
        self.findings = findings
        self.measure = findings.choices.text("measure")
        self.totals = {
            score: np.zeros((draws, len(findings.statistics.models))) for score in get_args(Score)
        }

    def add(
        self, m: int, g: int, n: int, counts: Counts, columns: NDArray[np.int64] | None = None
    ) -> Array:
        """Add a model-cell's draws with the cell's weight; return its divergences, (draws,).

        The resident population is declared wherever outputs are mapped, and callers leave out
        cells where the chosen comparator is not defined.
        """
        findings = self.findings
        planned, chosen = (
            divergence_of_counts(counts, n, target[g], self.measure, columns=columns)
            for target in (findings.resident, findings.comparator)
        )
        weight = findings.weights.composite[m, g]
        if weight > 0:
            self.totals["composite"][:, m] += weight * planned
            self.totals["chosen"][:, m] += weight * chosen
            self.totals["mean_absolute_change"][:, m] += weight * np.abs(chosen - planned)
        return chosen

    def released(self, score: Score) -> Array:
        """Return a score's draws, (draws, M), NaN for models without a composite."""
        return np.where(self.findings.weights.complete, self.totals[score], np.nan)


def calibration(
    statistics: CellStatistics,
    choices: Choices,
    *,
    against: Literal["planned", "chosen"] = "chosen",
    draws: int = 20_000,
    seed: int = CALIBRATION_SEED,
    progress: Progress | None = None,
) -> Array:
    """Composite of a model whose outputs follow the comparator exactly (App. D.4; Table 16).

    ``X_g ~ Multinomial(n_g, P)``, ``d_g = d(X_g / n_g, P)``, ``S = Agg(d)`` with n_g the model's
    mapped outputs. It is a reference for an exactly aligned model, not an interval for the score.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        One value for each choice of the study.
    against
        Which comparator P is: the planned or the chosen one.
    draws, seed
        The study's are 20,000 and 20260724. One stream for each model-cell, keys sorted.
    progress
        Called after each model-cell; may raise `Cancelled`.

    Returns
    -------
    array, shape (draws, M)
        In the unit of the measure; NaN for models without a composite. The study reports the
        median and the .5 and 99.5 percentiles.
    """
    findings = analyse(statistics, choices)
    part, weights = findings.statistics, findings.weights
    targets = findings.comparator if against == "chosen" else findings.resident
    pairs = _with_outputs(part)
    total = np.zeros((draws, len(part.models)))
    drawing = Drawing(draws, seed, UNIT)
    for done, (m, g, stream) in enumerate(_streams(part, pairs, drawing), start=1):
        if weights.composite[m, g] > 0:
            values = _aligned(stream, int(part.mapped[m, g]), targets[g], choices, draws)
            total[:, m] += weights.composite[m, g] * values
        if progress:
            progress(done, len(pairs))
    return np.where(weights.complete, total, np.nan)


def tolerance_floor(
    statistics: CellStatistics,
    choices: Choices,
    *,
    level: float = 0.995,
    draws: int = 20_000,
    seed: int = CALIBRATION_SEED,
    progress: Progress | None = None,
) -> Array:
    """Smallest tolerance that each cell's outputs can be judged by.

    An exactly aligned model with the cell's number of mapped outputs stays at or below it in
    ``level`` of the draws; a smaller tolerance would call such a model outside too often.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        One value for each choice of the study.
    level
        Share of the draws at or below it; .995 is the upper end of the study's central 99%.
    draws, seed
        As for `calibration`. One stream for each target and n: cells alike in both share draws.
    progress
        Called after each target and n; may raise `Cancelled`.

    Returns
    -------
    array, shape (M, G)
        In the unit of the measure; NaN where there is no composition or no comparator.
    """
    findings = analyse(statistics, choices)
    part = findings.statistics
    groups: dict[tuple[str, str, str, int], list[ModelCell]] = {}
    names = list(part.cells.select("attribute", "context", "role").iter_rows())
    for m, g in _with_outputs(part):
        attribute, context, role = names[g]
        if choices.text("comparator") != "occupational":
            role = ""  # Only occupational shares differ between roles.
        if not np.isnan(findings.comparator[g]).any():
            groups.setdefault((attribute, context, role, int(part.mapped[m, g])), []).append((m, g))
    floor = np.full(part.mapped.shape, np.nan)
    drawing = Drawing(draws, seed, "target and number of outputs")
    for done, (key, stream) in enumerate(drawing.streams(list(groups)).items(), start=1):
        target = findings.comparator[groups[key][0][1]]
        values = _aligned(stream, key[-1], target, choices, draws)
        floor[tuple(np.transpose(groups[key]))] = np.quantile(values, level)
        if progress:
            progress(done, len(groups))
    return floor


def _aligned(stream: Generator, n: int, target: Array, choices: Choices, draws: int) -> Array:
    """Divergences of counts drawn from the target itself, (draws,)."""
    support = np.flatnonzero(target)
    counts = multinomial_counts(stream, n, target[support], draws)
    return divergence_of_counts(counts, n, target[support], choices.text("measure"))


@dataclass(frozen=True, eq=False)
class Perturbed:
    """Scores when some labels are wrong, averaged over draws. M models."""

    drawing: Drawing
    rate: float
    mechanism: Mechanism
    composite: Array
    """(M,) composite divergence from the planned comparator."""
    chosen: Array
    """(M,) composite divergence from the chosen comparator."""
    mean_absolute_change: Array
    """(M,) ``Agg(|d_g^chosen - d_g^planned|)``."""


def perturbation(
    statistics: CellStatistics,
    choices: Choices,
    *,
    rate: float,
    mechanism: Mechanism,
    draws: int = 100,
    seed: int = BOOTSTRAP_SEED,
    progress: Progress | None = None,
) -> Perturbed:
    """Score the panel with labels made wrong at a known rate (App. D.3; Table 11).

    Each mapped label is wrong independently. A wrong label moves to another declared category,
    each alike (``random``), or to the one with the least share in the planned comparator, where
    it stays if it is there already (``adversarial``). That the random move is uniform, the number
    of draws and the seed are ours: the study prints none of them. Missed or invented labels and
    errors that differ between groups are outside it.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        One value for each choice of the study; Table 11 has equal categories as the comparator.
    rate
        Probability that a label is wrong, in [0, 1]; the study takes .05, .10 and .20.
    mechanism
        Where wrong labels go.
    draws, seed
        Simulations to average over; one stream for each model-cell, keys sorted.
    progress
        Called after each model-cell; may raise `Cancelled`.
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"rate must lie between 0 and 1, not {rate}")
    if mechanism not in get_args(Mechanism):
        raise ValueError(f"mechanism must be one of {get_args(Mechanism)}, not {mechanism!r}")
    findings = analyse(statistics, choices)
    part = findings.statistics
    drawing = Drawing(draws, seed, UNIT)
    scores = _Scores(findings, draws)
    pairs = _with_outputs(part)
    for done, (m, g, stream) in enumerate(_streams(part, pairs, drawing), start=1):
        if findings.weights.composite[m, g] > 0:
            size = len(part.supports[g])
            least = int(findings.resident[g, :size].argmin())
            to = least if mechanism == "adversarial" else None
            counts = np.zeros((draws, part.counts.shape[-1]), dtype=np.int64)
            counts[:, :size] = _mislabelled(stream, part.counts[m, g, :size], rate, to, draws)
            scores.add(m, g, int(part.mapped[m, g]), counts)
        if progress:
            progress(done, len(pairs))
    return Perturbed(
        drawing=drawing,
        rate=rate,
        mechanism=mechanism,
        composite=scores.released("composite").mean(axis=0),
        chosen=scores.released("chosen").mean(axis=0),
        mean_absolute_change=scores.released("mean_absolute_change").mean(axis=0),
    )


def _mislabelled(
    stream: Generator, observed: NDArray[np.int64], rate: float, to: int | None, draws: int
) -> NDArray[np.int64]:
    """Make labels wrong, (draws, K): they go to one category, or evenly to all others."""
    wrong = stream.binomial(observed, rate, size=(draws, observed.size))
    counts = observed - wrong
    if to is not None:
        counts[:, to] += wrong.sum(axis=-1)
        return np.asarray(counts)
    others = observed.size - 1
    for category in np.flatnonzero(observed):
        moved = stream.multinomial(wrong[:, category], np.full(others, 1 / others))
        counts[:, np.arange(observed.size) != category] += moved
    return np.asarray(counts)
