"""A character check beside any comparator of the composition study."""

from __future__ import annotations

import numpy as np
import polars as pl

from core.choices import Choices
from core.live.character import CharacterResult
from core.stats.divergence import jensen_shannon
from core.studies.composition.reduce import reduce_cells
from core.studies.composition.shares import comparator_shares, conditional_shares
from core.studies.composition.sources import ATTRIBUTE_NAMES

NO_SOURCE = "no source is declared for this place"
NONE_MAPPED = "no text says it in words that fit a category"
NOT_DEFINED = "the comparator is not defined here"


def against(result: CharacterResult, choices: Choices) -> pl.DataFrame:
    """Compare what was written with the comparator of a specification.

    Parameters
    ----------
    result
        Of a character check with at least one text.
    choices
        Of the composition study; the comparator and what belongs to it count.

    Returns
    -------
    polars.DataFrame
        attribute, texts (those that say it in words that fit a category), divergence (Jensen-
        Shannon, bits; null where there is none) and why.
    """
    statistics = reduce_cells(result.tables()["cells"])
    shares = conditional_shares(statistics)[0]
    targets = comparator_shares(statistics, choices)
    declared = statistics.resident(float(choices.text("zeros")))
    rows = []
    for cell, attribute in enumerate(statistics.column("attribute")):
        texts = int(statistics.mapped[0, cell])
        why, bits = "", None
        if np.isnan(declared[cell]).any():
            why = NO_SOURCE
        elif not texts:
            why = NONE_MAPPED
        elif np.isnan(targets[cell]).any():
            why = NOT_DEFINED
        else:
            bits = float(jensen_shannon(shares[cell], targets[cell]))
        rows.append((ATTRIBUTE_NAMES[attribute], texts, bits, why))
    schema = {"attribute": pl.String, "texts": pl.Int64, "divergence": pl.Float64, "why": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")
