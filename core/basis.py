"""What stands behind a number or verdict that is shown from reconstructed rows."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray


class Basis(StrEnum):
    """Why a reader may take a value from reconstructed rows for the study's, or may not."""

    PINNED = "pinned"
    AGREES = "agrees"
    VARIES = "varies"


MEANINGS = {
    Basis.PINNED: "a printed figure that the search for the rows was given",
    Basis.AGREES: "the same in every shipped reconstruction, to the shown precision",
    Basis.VARIES: "not determined by the document: reconstructions differ",
}


def of_numbers(
    values: NDArray[np.float64], pinned: NDArray[np.bool_], decimals: int
) -> NDArray[np.str_]:
    """Say what stands behind numbers.

    Parameters
    ----------
    values
        (R, ...) the same number from each of R reconstructions; NaN where there is none.
    pinned
        (...) whether the number is a printed figure that the search was given.
    decimals
        Digits that are shown after the point.

    Returns
    -------
    array of text, shape (...)
        Values of `Basis`. With a single reconstruction nothing can agree, so what is not pinned
        varies.
    """
    rounded = np.round(values, decimals)
    same = (rounded == rounded[0]) | (np.isnan(rounded) & np.isnan(rounded[0]))
    return _basis(same.all(axis=0) & (len(values) > 1), pinned)


def of_verdicts(verdicts: NDArray[np.str_], pinned: NDArray[np.bool_]) -> NDArray[np.str_]:
    """Say what stands behind verdicts, (R, ...), as `of_numbers`."""
    return _basis((verdicts == verdicts[0]).all(axis=0) & (len(verdicts) > 1), pinned)


def _basis(agrees: NDArray[np.bool_], pinned: NDArray[np.bool_]) -> NDArray[np.str_]:
    return np.where(
        pinned, Basis.PINNED.value, np.where(agrees, Basis.AGREES.value, Basis.VARIES.value)
    )
