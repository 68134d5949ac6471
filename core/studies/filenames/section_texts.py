"""Introductions and alternative texts of the filenames page."""

from __future__ import annotations

import polars as pl

from core.columns import rows_with
from core.words import listed, number

BY_TEXT = (
    "The same contrasts for each text by itself: value, its standard error, and a star where it "
    "would be significant alone. A tilt that holds in every text looks different from one that a "
    "single text carries."
)

SHARES = (
    "How much of a label’s effect is the same in every text (persistent), and how much depends on "
    "the text. A negative share is no mistake: texts disagree more than chance alone would have it."
)

DOTS = "Every text under every label. Hover a mark for the text’s brief and the label."

MARKS = "How coarse the scale really is: which marks a judge gives, and how often."

TYPED = (
    "Type one weight for each label; weights must sum to zero. The contrast is judged by the same "
    "errors, gate and level as the others; k is the sum of squared weights."
)

PLANNER = "How many calls a design needs, or what it could find."

MULTIPLICITY = (
    "Significant results of all tests under each adjustment, by the tests adjusted together. "
    "“Differ”: verdicts unlike those of the chosen setting."
)

DETECTABLE = (
    "The detectable effect is what the test would have found with the chosen power; it stands "
    "beside estimates that are not significant."
)

SIGNS = "Texts on each side of zero; in brackets those with a star (at 1%, not adjusted)."

LEFT_OUT = "One text, in study 2 one brief, left out at a time."


def forest_alt(contrasts: pl.DataFrame) -> str:
    """Alternative text of the forest."""
    parts = [
        f"{r['judge']} {r['hypothesis']}: {number(r['estimate'], 3)}"
        for r in contrasts.iter_rows(named=True)
        if r["estimate"] is not None
    ]
    return "Label contrasts in points of 10. " + "; ".join(parts) + "."


def contrast_alt(contrasts: pl.DataFrame) -> str:
    """Alternative text of the verdict grid."""
    told = [f"{r['judge']} {r['hypothesis']}" for r in rows_with(contrasts, flip=True)]
    return (
        f"Verdicts of {contrasts['judge'].n_unique()} judges. Differing from the planned setting: "
        f"{listed(told) or 'none'}."
    )
