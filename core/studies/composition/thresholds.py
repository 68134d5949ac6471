"""Threshold classification: how much of the portfolio changes sides at a tolerance (App. D.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.composition.estimate import Findings

Array = NDArray[np.float64]


DIRECTIONS = ("total", "planned_only", "chosen_only")


@dataclass(frozen=True, eq=False)
class StepFunction:
    """A right-continuous step function: ``value[i]`` holds from ``at[i]`` up to the next break."""

    at: Array
    value: Array

    def __call__(self, tau: float | Array) -> Array:
        """Evaluate it; zero left of the first break."""
        index = np.searchsorted(self.at, np.asarray(tau), side="right")
        return np.concatenate([[0.0], self.value])[index]


@dataclass(frozen=True, eq=False)
class Transitions:
    """Weight of the cells whose classification changes, as functions of the tolerance.

    With the rule ``d <= tau`` a cell counts for ``min <= tau < max`` of its two divergences, so
    every curve is a step function with breaks at the cells' own values: exact, not on a grid.
    """

    planned_only: StepFunction
    """Within tolerance under the planned comparator only."""
    chosen_only: StepFunction
    """Within tolerance under the chosen comparator only."""

    @property
    def total(self) -> StepFunction:
        """T(tau): planned only plus chosen only."""
        at = np.union1d(self.planned_only.at, self.chosen_only.at)
        return StepFunction(at, self.planned_only(at) + self.chosen_only(at))


def transitions(planned: Array, chosen: Array, weights: Array) -> Transitions:
    """Build the exact transition functions of one model.

    Parameters
    ----------
    planned, chosen
        (G,) divergences of the cells under the two comparators.
    weights
        (G,) weights of the cells in the composite; cells with weight 0 do not count.

    Returns
    -------
    Transitions
        Steps in shares of total weight, in [0, 1].
    """
    used = weights > 0
    planned, chosen, weights = planned[used], chosen[used], weights[used]
    return Transitions(
        planned_only=_steps(planned, chosen, weights, planned < chosen),
        chosen_only=_steps(chosen, planned, weights, chosen < planned),
    )


def _steps(low: Array, high: Array, weights: Array, counts: NDArray[np.bool_]) -> StepFunction:
    """Add each cell's weight at its lower value and take it away at its higher one."""
    at = np.concatenate([low[counts], high[counts]])
    change = np.concatenate([weights[counts], -weights[counts]])
    breaks, where = np.unique(at, return_inverse=True)
    total = np.zeros(breaks.size)
    np.add.at(total, where, change)
    # Adding and taking away the same weights leaves rounding dust; clip what should be zero.
    return StepFunction(breaks, np.clip(np.cumsum(total), 0.0, 1.0))


def of_model(findings: Findings, model: int) -> Transitions:
    """Build the transition functions of one model from findings."""
    return transitions(
        findings.planned_cells[model],
        findings.chosen_cells[model],
        findings.weights.composite[model],
    )


def step_frame(findings: Findings, names: Sequence[str], focus: str) -> pl.DataFrame:
    """Return the transition functions of all models, ready to draw.

    Parameters
    ----------
    findings
        Cells under both comparators.
    names
        Names of the models.
    focus
        The model of which both directions are drawn; of the others the total is.

    Returns
    -------
    polars.DataFrame
        model, direction (``total``, ``planned_only``, ``chosen_only``), tau, share in [0, 1]; each
        share holds from its tau up to the next one. Starts at 0 and ends at 1.
    """
    taus: list[Array] = []
    shares: list[Array] = []
    labels: list[tuple[str, str]] = []
    for model, name in enumerate(names):
        if not findings.weights.complete[model]:
            continue
        found = of_model(findings, model)
        for direction in DIRECTIONS if name == focus else DIRECTIONS[:1]:
            steps: StepFunction = getattr(found, direction)
            tau = np.concatenate([[0.0], steps.at[(steps.at > 0) & (steps.at < 1)], [1.0]])
            taus.append(tau)
            shares.append(steps(tau))
            labels += [(name, direction)] * tau.size
    schema = {"tau": pl.Float64, "share": pl.Float64, "model": pl.String, "direction": pl.String}
    if not taus:
        return pl.DataFrame(schema=schema)
    models, directions = zip(*labels, strict=True)
    columns = (np.concatenate(taus), np.concatenate(shares), models, directions)
    return pl.DataFrame(dict(zip(schema, columns, strict=True)), schema=schema)
