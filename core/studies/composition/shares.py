"""From counts to shares, and from a specification to the comparator's shares."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core import comparators
from core.choices import Choices
from core.studies.composition.choices import occupation_shares
from core.studies.composition.corrective import (
    read_shares,
    read_weights,
    share_rows,
    weight_rows,
)
from core.studies.composition.reduce import CellStatistics

Array = NDArray[np.float64]


@lru_cache(maxsize=32)
def conditional_shares(statistics: CellStatistics) -> Array:
    """Shares among mapped outputs, ``q(a) = n_a / sum_b n_b``: (M, G, K), NaN where none is."""
    mapped = statistics.mapped[..., None]
    shares = np.full(statistics.counts.shape, np.nan)
    np.divide(statistics.counts, mapped, out=shares, where=mapped > 0)
    shares.flags.writeable = False
    return shares


@lru_cache(maxsize=32)
def resident_targets(statistics: CellStatistics, zero_mass: float) -> Array:
    """Resident-population shares of every cell, (G, K); NaN where no source is declared."""
    shares = statistics.resident(zero_mass)
    shares.flags.writeable = False
    return shares


def comparator_shares(statistics: CellStatistics, choices: Choices) -> Array:
    """Shares of the chosen comparator, (G, K); NaN for cells where it is not defined."""
    resident = resident_targets(statistics, float(choices.text("zeros")))
    match choices.text("comparator"):
        case "geography":
            return comparators.geography(resident)
        case "equal_category":
            return comparators.equal_category(resident)
        case "mixture":
            return comparators.mixture(resident, choices.number("lambda"))
        case "power":
            return comparators.power(resident, choices.number("alpha"))
        case "occupational":
            return comparators.occupational(
                resident,
                attributes=statistics.column("attribute"),
                contexts=statistics.column("context"),
                roles=statistics.column("role"),
                women=occupation_shares(choices),
            )
        case "corrective":
            table = read_weights(choices.text("weights"))
            return comparators.corrective(resident, weight_rows(statistics, table))
        case "custom":
            table = read_shares(choices.text("shares"))
            return comparators.custom(resident, share_rows(statistics, table))
        case unknown:
            raise ValueError(f"comparator {unknown!r} is not one this study declares")
