"""Agreement of two raters beyond chance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.integer[Any]]


def confusion(one: Counts, other: Counts, classes: int) -> Counts:
    """Cross-tabulate two raters' classes, numbered from 0: (classes, classes) counts."""
    flat = np.bincount(one * classes + other, minlength=classes * classes)
    return flat.reshape(classes, classes)


def observed_agreement(table: Counts) -> float:
    """Share of items in the same class; NaN without items."""
    total = table.sum()
    return float(np.trace(table) / total) if total else float("nan")


def cohens_kappa(table: Counts) -> float:
    """Agreement beyond what the margins alone would give (Cohen 1960).

    Parameters
    ----------
    table
        (k, k) counts: rows one rater's classes, columns the other's.

    Returns
    -------
    float
        ``(po - pe) / (1 - pe)``; NaN without items, or where both always give the same class, so
        that chance agreement is complete.
    """
    total = table.sum()
    if not total:
        return float("nan")
    expected = float(table.sum(axis=1) @ table.sum(axis=0)) / float(total) ** 2
    return (
        float("nan") if expected >= 1 else (observed_agreement(table) - expected) / (1 - expected)
    )
