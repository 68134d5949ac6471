"""Study 2: one value for each brief, and its mean over briefs.

H5 compares a judge's mark of its maker's text, without a label, with what judges and authors as
such would lead one to expect: the additive prediction from the marks of all texts by other makers.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.studies.filenames.reduce import StudyStatistics

Array = NDArray[np.float64]

EVEN = 1e-9
"""How far a value may lie from zero, in points, and still count as zero."""

FIT_TOLERANCE = 1e-9
"""How far a prediction may lie outside what the cells determine."""


@lru_cache(maxsize=64)
def own_text_excess(part: StudyStatistics) -> tuple[Array, str]:
    """Compute H5 for each judge and brief.

    Returns
    -------
    values, why
        (J, B) own text less its additive prediction; NaN where a mark that it needs is missing;
        and why there are none at all, empty where there are.
    """
    names, place = part.clusters
    nothing = np.full((len(part.judges), len(names)), np.nan)
    if part.neutral is None:
        return nothing, "No file is without a label."
    if len(set(part.families)) < len(part.families):
        return nothing, "Two judges have the same maker, so own texts cannot be told apart."
    authors = part.texts["author_family"].to_list()
    absent = [family for family in part.families if family not in authors]
    if absent:
        return nothing, "H5 needs the texts of every judge's maker; some are not there."
    weights = excess_weights(len(part.judges))
    if weights is None:
        return nothing, "H5 needs at least three judges with makers of their own."
    marks = np.full((len(part.judges), len(part.families), len(names)), np.nan)
    for text, author in enumerate(authors):
        if author in part.families:
            marks[:, part.families.index(author), place[text]] = part.mean[:, text, part.neutral]
    return np.einsum("jab,abn->jn", weights, marks), ""


def excess_weights(size: int) -> Array | None:
    """Weights of judge x author cells in H5, (J, J, J): target judge, judge, author.

    The prediction for a judge's own text is fitted by least squares, ``judge + author``, to all
    cells in which judge and author differ. None where it is not determined.
    """
    judge, author = (axis.ravel() for axis in np.indices((size, size)))
    rows = np.concatenate([np.eye(size)[judge], np.eye(size)[author]], axis=1)
    apart = judge != author
    solution = np.linalg.pinv(rows[apart])
    own = rows[judge == author]
    fitted = own @ solution
    if np.abs(fitted @ rows[apart] - own).max() > FIT_TOLERANCE:
        return None
    weights = np.zeros((size, size * size))
    weights[:, apart] = -fitted
    weights[np.arange(size), np.flatnonzero(judge == author)] = 1.0
    return weights.reshape(size, size, size)


def by_brief(part: StudyStatistics, weights: Array, *, own_texts: bool) -> Array:
    """Average a contrast of labels over the texts of each brief, (J, B).

    Parameters
    ----------
    part
        Texts and labels.
    weights
        (J, L); NaN rows give NaN.
    own_texts
        Whether a judge's own maker's text is the only one that counts.

    Returns
    -------
    array
        NaN where a text of the brief lacks a mark that the contrast needs, or there is no text.
    """
    names, place = part.clusters
    values = by_text(part, weights)
    if own_texts:
        authors = part.texts["author_family"].to_list()
        mine = np.array([[a == f for a in authors] for f in part.families], dtype=np.bool_)
    else:
        mine = np.ones(values.shape, dtype=np.bool_)
    found = np.full((len(part.judges), len(names)), np.nan)
    for judge, (row, counts) in enumerate(zip(values, mine, strict=True)):
        texts = np.bincount(place[counts], minlength=len(names))
        # A missing value makes its brief's sum missing too.
        total = np.bincount(place[counts], weights=row[counts], minlength=len(names))
        found[judge] = np.divide(total, texts, where=texts > 0, out=found[judge].copy())
    return found


def by_text(part: StudyStatistics, weights: Array) -> Array:
    """Contrast of labels on each text, (J, T); NaN where a mark that it needs is missing."""
    known = np.nan_to_num(weights)[:, None, :]
    values = (np.where(known != 0, part.mean, 0.0) * known).sum(axis=2)
    unknown = np.isnan(weights).any(axis=1, keepdims=True)
    return np.where(unknown, np.nan, values)
