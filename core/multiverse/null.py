"""How much would flip if every effect were null: the same specifications over permuted data.

Choices move verdicts even where there is nothing to find. Effects are taken out by permutation
(signs of units, or marks among the labels of a text), then all specifications judge what is left.
Intervals are analytic here, Student's t or the normal one, since a bootstrap of every permutation
would take hours; what they say of the observed data stands beside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

from core.multiverse.outcomes import CANNOT, Codes
from core.multiverse.specs import Specs
from core.stats.resampling import Progress

if TYPE_CHECKING:
    from core.claims import Claim, StudyClaims

Array = NDArray[np.float64]

PERMUTATIONS = 200
SPECIFICATIONS = 500
SEED = 20261130


@dataclass(frozen=True, eq=False)
class Calibration:
    """Shares of specifications whose verdict is not that of the planned one."""

    observed: float
    """In the observed data, with analytic intervals; NaN where nothing can be computed."""
    null: Array
    """(P,) in data without effects."""
    specifications: int

    @property
    def at_least(self) -> int:
        """Count the permutations in which at least as large a share flips as in the data."""
        return int((self.null >= self.observed - 1e-12).sum())


def calibrate(
    study: StudyClaims[Any, Any],
    statistics: Any,
    claim: Claim,
    specs: Specs,
    *,
    permutations: int = PERMUTATIONS,
    most: int = SPECIFICATIONS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Calibration:
    """Compare how much flips in the data with how much flips in data without effects.

    Parameters
    ----------
    study, statistics, claim
        Whose claim; one that `StudyClaims.can_calibrate` allows.
    specs
        The specifications; of more than ``most`` a sample is taken.
    permutations, most
        How many permutations and specifications.
    seed
        Names the permutations and the sample.
    progress
        Called with steps done and all steps; may raise `Cancelled`.
    """
    chosen = _chosen(specs, most, seed)
    codes = study.null_verdicts(
        statistics, chosen, claim, permutations=permutations, seed=seed, progress=progress
    )
    shares = np.array([_flipped(own) for own in codes])
    return Calibration(float(shares[0]), shares[1:][~np.isnan(shares[1:])], len(chosen) - 1)


def _chosen(specs: Specs, most: int, seed: int) -> Specs:
    """Take the planned specification, which comes first, and a sample of the others."""
    others = specs.index[specs.described]
    if len(others) > most:
        stream = Generator(PCG64(seed))
        others = others[np.sort(stream.choice(len(others), most, replace=False))]
    index = np.concatenate([specs.planned[None], others])
    return Specs(specs.base, specs.axes, index, specs.size)


def _flipped(codes: Codes) -> float:
    """Share of the specifications with another verdict than the first, the planned one."""
    known = codes[1:] != CANNOT
    if codes[0] == CANNOT or not known.any():
        return float("nan")
    return float((codes[1:][known] != codes[0]).mean())


def signs(permutations: int, shape: tuple[int, ...], seed: int) -> Array:
    """Draw random signs, (P + 1, *shape); the first are all plus: the data as observed."""
    stream = Generator(PCG64(seed))
    drawn = 1.0 - 2.0 * stream.integers(0, 2, (permutations, *shape))
    return np.concatenate([np.ones((1, *shape)), drawn])


def flipped_moments(flips: Array, values: Array) -> tuple[Array, Array, NDArray[np.int64]]:
    """Mean and standard deviation of values with flipped signs, and their number.

    Parameters
    ----------
    flips
        (P, N) signs.
    values
        (K, N); NaN where there is none.

    Returns
    -------
    mean, spread, n
        (P, K), (P, K) and (K,).
    """
    there = ~np.isnan(values)
    filled = np.where(there, values, 0.0)
    n = there.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = flips @ filled.T / n
        # Squares do not change with their sign.
        variance = ((filled**2).sum(axis=1) - n * mean**2) / (n - 1)
    return mean, np.sqrt(np.maximum(variance, 0.0)), n
