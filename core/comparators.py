"""Distributions a composition can be compared with.

Each function maps resident-population shares to a comparator, for many cells at once: ``resident``
has shape (cells, categories), sums to one over a cell's declared support and is zero outside it.
A cell for which a comparator is not defined gets a row of NaN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def geography(resident: Array) -> Array:
    """Resident-population shares: equal weight for each person (the study's adopted target)."""
    return resident


def equal_category(resident: Array) -> Array:
    """Equal weight for each declared category, ``1 / |A|``, those printed as .0000 included."""
    support = resident > 0
    counts = support.sum(-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        equal = support / counts
    return np.where(np.isnan(resident), np.nan, equal)


def mixture(resident: Array, weight: float) -> Array:
    """Straight path from resident shares (weight 0) to equal categories (weight 1).

    ``P = (1 - weight) P_geo + weight P_eq`` (App. D.8 of the study).
    """
    return (1 - weight) * resident + weight * equal_category(resident)


def power(resident: Array, exponent: float) -> Array:
    """Curved path from resident shares (exponent 1) to equal categories (exponent 0).

    ``P(a) = P_geo(a)^exponent / sum_b P_geo(b)^exponent`` (App. D.8 of the study). It depends on
    the mass given to shares printed as .0000: at exponent .25 a share of 1e-6 becomes about .03.
    """
    support = resident > 0
    raised = np.where(support, np.where(support, resident, 1.0) ** exponent, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        normalised = raised / raised.sum(-1, keepdims=True)
    return np.where(np.isnan(resident), np.nan, normalised)


def occupational(
    resident: Array,
    *,
    attributes: Sequence[str],
    contexts: Sequence[str],
    roles: Sequence[str],
    women: Mapping[str, float],
) -> Array:
    """Shares of women and men among the people who hold the occupation.

    Parameters
    ----------
    resident
        Shape (cells, categories); only its shape and missing rows are used.
    attributes, contexts, roles
        What each cell is about; length cells.
    women
        Share of women in [0, 1] for each role that has one (United States, BLS).

    Returns
    -------
    array, shape (cells, categories)
        Female and male shares for gender cells in the United States whose role has a share; NaN
        for every other cell, since no occupational shares are declared there.
    """
    shares = np.full_like(resident, np.nan)
    for cell, (attribute, context, role) in enumerate(
        zip(attributes, contexts, roles, strict=True)
    ):
        if attribute == "gender_to_sex" and context == "USA" and role in women:
            shares[cell] = 0.0
            shares[cell, :2] = women[role], 1 - women[role]
    return shares


def corrective(resident: Array, weights: Array) -> Array:
    """Resident-population shares with each category weighted, for a declared remedial aim.

    ``P_corr(a) = psi_a P(a) / sum_b psi_b P(b)`` (App. E of the study).

    Parameters
    ----------
    resident
        Shape (cells, categories).
    weights
        Same shape: psi, not negative; 1 leaves a category's share as it is relative to the others.

    Returns
    -------
    array, shape (cells, categories)
        NaN for a cell whose weighted shares add up to nothing.
    """
    weighted = weights * resident
    total = weighted.sum(-1, keepdims=True)
    return np.divide(weighted, total, out=np.full_like(weighted, np.nan), where=total > 0)


def custom(resident: Array, shares: Array) -> Array:
    """Shares that a reader typed; cells left alone keep the resident population.

    Parameters
    ----------
    resident
        Shape (cells, categories).
    shares
        Same shape: shares that sum to one, or a row of NaN for a cell left alone.
    """
    return np.where(np.isnan(shares), resident, shares)
