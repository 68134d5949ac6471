"""The composition study's printed figures, recomputed from a panel: what the ledger asks for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures import Figure, Panels, Recompute, Recomputed, Tolerance, Unavailable
from core.studies.composition.printed_draws import Draws, needs_draws
from core.studies.composition.printed_values import CEO_READING, QUANTITIES, Rows

Array = NDArray[np.float64]

TABLES = ("cells", "evidence")


def recompute(panels: Panels, *, draws: bool) -> Recompute:
    """Prepare to recompute the study's figures from a panel's rows.

    Parameters
    ----------
    panels
        The cells table and, for figures about weak evidence, the evidence table.
    draws
        Whether to recompute figures that need random draws.
    """
    rows = Rows(panels)
    drawn = Draws(rows) if draws else None

    def look_up(figure: Figure) -> Recomputed | None:
        try:
            if needs_draws(figure):
                return _from_draws(rows, drawn, figure)
            if figure.quantity in QUANTITIES:
                value = pick(rows, figure, QUANTITIES[figure.quantity](rows, figure))
                return Recomputed(value, why="" if figure.is_defined else CEO_READING)
        except Unavailable as missing:
            return Recomputed(why=str(missing))
        return None

    return look_up


def _from_draws(rows: Rows, drawn: Draws | None, figure: Figure) -> Recomputed:
    if drawn is None:
        return Recomputed(why="needs random draws")
    found = drawn.of(figure)
    value = pick(rows, figure, found.values)
    if found.lower is None or found.upper is None:
        return Recomputed(value)
    return Recomputed(value, pick(rows, figure, found.lower), pick(rows, figure, found.upper))


def pick(rows: Rows, figure: Figure, values: Array) -> float:
    """Take the subject's value: one model's, an end of the models' range, or a shared one.

    A figure that speaks of all models at once and names no end holds for each of them, so the
    value farthest from it is the one to judge.
    """
    # The ends of an envelope are one model's own, not those of a range over models.
    if "bound" in figure.condition and figure.quantity != "completion_envelope":
        return float(values.min() if figure.condition["bound"] == "min" else values.max())
    if figure.subject not in ("all", "pooled"):
        return float(values[rows.model(figure.subject)])
    flat = values.ravel()
    return float(flat[np.abs(flat - figure.value).argmax()])


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is accepted beyond rounding, in the figure's unit, and why."""

    quantities: tuple[str, ...]
    why: str
    decimals: int
    """Only figures printed to so many decimals."""
    value: float = 0.0
    ends: float = 0.0


ALLOWANCES: tuple[Allowance, ...] = (
    Allowance(
        quantities=(
            "completion_envelope",
            "jsd2_composite_augmented",
            "jsd2_composite_geo",
            "jsd2_composite_geo_difference",
            "jsd2_module_geo",
            "mean_abs_cell_change",
            "mean_abs_cell_change_root",
            "mean_max_abs_category_deviation",
            "mixture_path_reduction",
            "total_variation_composite",
            "visibility_penalised_composite",
        ),
        why="accepted to .0006: resident shares are printed to four decimals only",
        decimals=3,
        value=0.0001,
    ),
    Allowance(
        quantities=("threshold_change_share",),
        why="accepted to .4: a single cell at the tolerance moves it by .1 to 3.3",
        decimals=1,
        value=0.35,
    ),
    Allowance(
        quantities=("reference_median",),
        why="ends accepted to .0006: they are extreme percentiles of random draws",
        decimals=3,
        ends=0.0001,
    ),
    Allowance(
        quantities=("reference_upper_99",),
        why="accepted to .0006: an extreme percentile of random draws",
        decimals=3,
        value=0.0001,
    ),
    Allowance(
        quantities=("jsd2_composite_geo", "mean_abs_cell_change"),
        why="ends accepted to .003: they rest on the mix within single cells, which is not printed",
        decimals=3,
        ends=0.0025,
    ),
    Allowance(
        quantities=(
            "jsd2_gender_us_roles",
            "jsd2_gender_us_roles_difference",
            "mean_abs_role_difference",
        ),
        why="accepted to .0006, ends to .0008: between seeds, 100,000 draws differ by so much",
        decimals=3,
        value=0.0001,
        ends=0.0003,
    ),
)
"""What is accepted beyond half a unit of the last printed digit.

All but the last were set before any panel was made. The last was added after the first ledger: the
study prints .324 and .325 for what are the same counts, which half a unit cannot hold together.
"""

EXACT_NOTES = ("printed as 0", "zero throughout")
"""How notes on a printed 0 start that stands for none at all: a little is printed as <.1."""


def tolerance(figure: Figure) -> Tolerance:
    """Say how far a recomputed value may lie from a figure: half a unit and what is allowed."""
    if figure.note.startswith(EXACT_NOTES):
        return Tolerance(0.0, 0.0)
    allowed = [
        a for a in ALLOWANCES if figure.quantity in a.quantities and figure.decimals == a.decimals
    ]
    return Tolerance(
        value=figure.half_unit + sum(a.value for a in allowed),
        ends=figure.half_unit + sum(a.ends for a in allowed),
        why="; ".join(a.why for a in allowed if a.value or figure.lower is not None),
    )
