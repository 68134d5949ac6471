"""The remedies study's printed figures, recomputed from a panel: what the ledger asks for.

A figure says what it is in three fields: its quantity, its subject (a system, an auditor, or all)
and the condition it holds under. One function a quantity returns the figure's value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from scipy.special import ndtri

from core.figures import Figure, Panels, Recompute, Tolerance, by_quantity
from core.studies.remedies import printed_decisions, printed_experiments
from core.studies.remedies.printed_rows import Rows

TABLES = ("decisions", "attributes", "audit")

QUANTITIES = MappingProxyType({**printed_decisions.QUANTITIES, **printed_experiments.QUANTITIES})

DRAWS, COMPONENT_DRAWS = 2000, 300
"""Resamples behind printed intervals; where the document states none, those it states elsewhere."""

IN_WORDS: Mapping[str, float] = MappingProxyType(
    {
        "remedies.sec4_1.p2_range_over_010": 5.0,
        "remedies.sec4_1.var.p2.rewrite_model_half": 5.0,
        "remedies.sec1.mpad_fifth": 2.5,
    }
)
"""Figures printed in words (“about a quarter”, “half”, “a fifth”), and how far off they may be."""


def recompute(panels: Panels, *, draws: bool) -> Recompute:
    """Prepare to recompute the study's figures from a panel's rows.

    Parameters
    ----------
    panels
        The decisions table and, for figures about properties of texts and audits, the other two.
    draws
        Not needed: the study's resampling takes milliseconds.
    """
    del draws
    return by_quantity(QUANTITIES, Rows(panels))


def tolerance(figure: Figure) -> Tolerance:
    """Say how far a recomputed value may lie from a figure.

    Values: half a unit of the last digit. Ends: also two standard errors of the difference between
    ends of two sets of resamples, since the study's seeds are not known. The standard error of a
    resampled quantile is ``sqrt(q (1 - q) / B)`` over the density at it, here that of a normal
    distribution as wide as the printed interval.
    """
    value = IN_WORDS.get(figure.figure_id, figure.half_unit)
    if figure.lower is None or figure.upper is None:
        return Tolerance(value, figure.half_unit, "printed in words" if value > 1 else "")
    is_share = figure.quantity == "variance_share"
    draws = COMPONENT_DRAWS if is_share else DRAWS
    level = 0.90 if "budget" in figure.condition else 0.95
    tail = (1 - level) / 2
    z = float(ndtri(1 - tail))
    error = (figure.upper - figure.lower) / (2 * z)
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    drawn = 2 * math.sqrt(2) * error * math.sqrt(tail * (1 - tail) / draws) / density
    return Tolerance(
        value,
        figure.half_unit + drawn,
        f"ends accepted to {figure.half_unit + drawn:.2g}: two sets of {draws:,} resamples differ",
    )
