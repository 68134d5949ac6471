"""The declared sources: which categories each attribute has in each context, with their shares."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.reference import table

PRIMARY_MODULES = ("race_ethnicity", "religion", "sexual_orientation")
ATTRIBUTES = ("gender_to_sex", *PRIMARY_MODULES)
STATES = ("unspecified", "unmapped", "ambiguous", "failed")
"""Why an output carries no category of the source."""

ZERO_MASS = 2e-5
"""Share given to a category printed as .0000.

The source says that none of its shares is exactly zero, so a printed .0000 stands for something
below .00005. Ours: the base value of the feasibility notes; a choice on the page.
"""


@cache
def declared_categories() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Map (attribute, context) to the categories of its source, in the source's order."""
    grouped = (
        table("composition", "targets")
        .group_by("attribute", "context", maintain_order=True)
        .agg("category")
    )
    return {(a, c): tuple(names) for a, c, names in grouped.iter_rows()}


@cache
def resident_shares(zero_mass: float = ZERO_MASS) -> Mapping[tuple[str, str], NDArray[np.float64]]:
    """Map (attribute, context) to the resident-population shares, in the order of the categories.

    Parameters
    ----------
    zero_mass
        Share put in place of a printed .0000, before the vector is rescaled to sum to one
        (displayed vectors sum to .9999 to 1.0001).

    Returns
    -------
    mapping of arrays of float, shape (categories,)
        Each sums to one; read-only.
    """
    grouped = (
        table("composition", "targets")
        .with_columns(pl.col("share").cast(pl.Float64))
        .group_by("attribute", "context", maintain_order=True)
        .agg("share")
    )
    shares = {}
    for attribute, context, printed in grouped.iter_rows():
        vector = np.asarray(printed, dtype=np.float64)
        vector = np.where(vector == 0, zero_mass, vector)
        vector /= vector.sum()
        vector.flags.writeable = False
        shares[attribute, context] = vector
    return shares


@cache
def source_of(attribute: str, context: str) -> str:
    """Name source and year of a target, or an empty text where none is declared."""
    rows = table("composition", "targets").filter(
        (pl.col("attribute") == attribute) & (pl.col("context") == context)
    )
    return "" if rows.is_empty() else f"{rows['source'][0]}, {rows['source_year'][0]}"


@cache
def context_names() -> Mapping[str, str]:
    """Map context codes to names."""
    mask = table("composition", "source_mask")
    return dict(mask.select("context", "context_name").iter_rows())


@cache
def model_names() -> Mapping[str, str]:
    """Map model ids to the names the study prints."""
    return dict(table("composition", "models").select("model_id", "model").iter_rows())


@cache
def short_names() -> Mapping[str, str]:
    """Map the printed names of models to the shortest label the study uses for them."""
    rows = table("composition", "models").select("model", "labels_in_document")
    return {model: labels.split("|")[-1] for model, labels in rows.iter_rows()}


ATTRIBUTE_NAMES: Mapping[str, str] = {
    "gender_to_sex": "Gender",
    "race_ethnicity": "Race/ethnicity",
    "religion": "Religion",
    "sexual_orientation": "Sexual orientation",
}

ROLE_NAMES: Mapping[str, str] = {"ceo": "CEO"}
"""Roles whose name is not their code in lower case."""


def role_name(role: str) -> str:
    """Name a role as a reader writes it."""
    return ROLE_NAMES.get(role, role)
