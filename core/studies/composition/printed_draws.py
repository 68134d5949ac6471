"""Printed figures that need random draws: intervals, exact alignment, wrong labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.figures import Figure
from core.studies.composition import uncertainty
from core.studies.composition.choices import DECLARATION, EQUAL
from core.studies.composition.occupational_posterior import QUANTITIES as QUANTITIES_OF_ROLES
from core.studies.composition.occupational_posterior import Posterior, posterior
from core.studies.composition.printed_values import QUANTITIES, Rows

Array = NDArray[np.float64]

POSTERIOR: Mapping[str, str] = MappingProxyType(
    {
        "jsd2_gender_us_roles": "comparator",
        "jsd2_gender_us_roles_difference": "difference",
        "mean_abs_role_difference": "absolute_difference",
    }
)
"""What of the posterior a quantity asks for; the first leaves it to the figure's comparator."""
CALIBRATION = ("reference_median", "reference_upper_99", "reference_upper_99_change")

LEVEL = 0.95
"""Table 25 states it; App. D.5 prints intervals of the same draws without a level."""
REFERENCE_PERCENTILES = (0.5, 50.0, 99.5)
REPEAT_SEED = 20260725


def needs_draws(figure: Figure) -> bool:
    """Say whether a figure, or an interval printed with it, comes from random draws."""
    return (
        figure.quantity in (*POSTERIOR, *CALIBRATION)
        or "error_rate" in figure.condition
        or (figure.lower is not None and figure.quantity in QUANTITIES)
    )


@dataclass(frozen=True, eq=False)
class Drawn:
    """Values of all models with their interval ends, if they have any; each (M,)."""

    values: Array
    lower: Array | None = None
    upper: Array | None = None


class Draws:
    """Random draws over a panel's rows, each made once and only when a figure asks for it."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._choices = DECLARATION.planned.replace(comparator=EQUAL)
        self._references = cache(self._reference)
        self._perturbations = cache(self._perturbation)

    def of(self, figure: Figure) -> Drawn:
        """Recompute a figure for all models."""
        if "error_rate" in figure.condition:
            return self._perturbed(figure)
        if figure.quantity in POSTERIOR:
            return self._occupational(figure)
        if figure.quantity in CALIBRATION:
            return self._aligned(figure)
        return self._resampled(figure)

    def _perturbed(self, figure: Figure) -> Drawn:
        condition = figure.condition
        found = self._perturbations(float(condition["error_rate"]), condition["mechanism"])
        is_change = figure.quantity == "mean_abs_cell_change"
        return Drawn(found.mean_absolute_change if is_change else found.composite)

    def _perturbation(self, rate: float, mechanism: uncertainty.Mechanism) -> uncertainty.Perturbed:
        return uncertainty.perturbation(
            self._rows.statistics, self._choices, rate=rate, mechanism=mechanism
        )

    def _aligned(self, figure: Figure) -> Drawn:
        lower, median, upper = self._references(uncertainty.CALIBRATION_SEED)
        match figure.quantity:
            case "reference_median":
                return Drawn(median, lower, upper)
            case "reference_upper_99":
                return Drawn(upper)
        return Drawn(np.abs(self._references(REPEAT_SEED)[2] - upper))

    def _reference(self, seed: int) -> Array:
        """Percentiles of an exactly aligned model's composite, (3, M)."""
        scores = uncertainty.calibration(
            self._rows.statistics, self._choices, against="planned", seed=seed
        )
        return np.asarray(np.percentile(scores, REFERENCE_PERCENTILES, axis=0))

    def _resampled(self, figure: Figure) -> Drawn:
        is_change = figure.quantity == "mean_abs_cell_change"
        ends = self._bootstrap.interval(
            LEVEL, score="mean_absolute_change" if is_change else "composite"
        )
        values = QUANTITIES[figure.quantity](self._rows, figure)
        return Drawn(values, ends[:, 0], ends[:, 1])

    @cached_property
    def _bootstrap(self) -> uncertainty.BootstrapDraws:
        return uncertainty.bootstrap(self._rows.statistics, self._choices)

    def _occupational(self, figure: Figure) -> Drawn:
        wanted = POSTERIOR[figure.quantity]
        if wanted == "comparator":
            wanted = figure.condition["comparator"]
        overall = self._posterior.overall[:, QUANTITIES_OF_ROLES.index(wanted)]
        return Drawn(*overall.T)

    @cached_property
    def _posterior(self) -> Posterior:
        return posterior(self._rows.statistics, self._choices)
