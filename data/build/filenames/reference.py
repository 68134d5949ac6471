"""The study's design as arrays: judges, texts, labels and contrasts, in a fixed order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from core.reference import table

STUDY = "filenames"

_JUDGES = table(STUDY, "judges").filter(table(STUDY, "judges")["role"] == "judge")
JUDGES = tuple(_JUDGES["judge"])
FAMILIES = tuple(_JUDGES["family"])

_LABELS = table(STUDY, "labels").to_dicts()
LABELS = {
    study: tuple(row["label"] for row in _LABELS if row[f"study_{study}"] == "1")
    for study in ("1", "2")
}
LABEL_KIND = {row["label"]: row["kind"] for row in _LABELS}
LABEL_FAMILY = {row["label"]: row["llm_family"] for row in _LABELS}
OWN_LABEL = dict(_JUDGES.select("judge", "own_label").iter_rows())

DOCUMENTS = tuple(table(STUDY, "documents")["document"])
BRIEFS = tuple(table(STUDY, "briefs").select("brief_id", "genre").iter_rows())
"""(brief, genre) in the order of the study's table."""

HYPOTHESES = {"1": ("H1", "H2", "H3", "H4", "H4b"), "2": ("H5", "H6", "H7")}


def weights(hypothesis: str, judge: str) -> np.ndarray:
    """Weights of a contrast over the labels of its study.

    Returns
    -------
    ndarray of float, shape (labels,)
    """
    rows = table(STUDY, "hypotheses").to_dicts()
    row = next(r for r in rows if (r["hypothesis"], r["judge"]) == (hypothesis, judge))
    return np.array([_exact(row[f"w_{label}"]) for label in LABELS[row["study"]]])


def _exact(text: str) -> float:
    """Read a weight; thirds are printed to ten digits."""
    return float(Fraction(text).limit_denominator(12))


def rivals(judge: str) -> list[int]:
    """Positions of the labels of the other families, the same in both studies' order of families.

    Returns
    -------
    list of int
        In the labels of study 1.
    """
    labels = LABELS["1"]
    return [
        i
        for i, label in enumerate(labels)
        if LABEL_KIND[label] == "llm" and label != OWN_LABEL[judge]
    ]
