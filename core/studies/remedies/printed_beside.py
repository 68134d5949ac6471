"""What the study prints about each part of the remedies page."""

from __future__ import annotations

import polars as pl

from core.published import printed
from core.studies.remedies import design
from core.studies.remedies.contract import STUDY

PRINTED = {
    "rules": (
        "monetary_rate",
        "pairwise_monetary_disagreement",
        "non_unanimous_monetary",
        "fact_span_monetary",
        "disagreement_difference",
    ),
    "variation": ("variance_share",),
    "disparity": ("d_difference",),
    "apart": ("mean_tv_distance", "h1_relative_excess", "residual_share", "argmax_unanimity"),
    "referral": ("referral_share", "referral_disparity_p"),
    "edits": ("edit_effect", "fact_span", "fact_span_to_persona_gap", "share_moved_up"),
    "mitigation": (
        "gap_reduction",
        "gap_reduction_percent",
        "fact_span_retention",
        "mpad",
        "mpad_difference",
    ),
    "channels": ("gelbach_contribution", "gelbach_explained_share", "within_complaint_r2"),
    "audit": ("material_flag_rate", "flag_agreement", "cohens_kappa", "screened_instability_ratio"),
}
"""Quantities that the study prints about each part of the page."""


def printed_beside(place: str) -> pl.DataFrame:
    """List what the study prints about a part of the page."""
    found = printed(
        STUDY,
        lambda f: f.quantity in PRINTED[place] and f.basis != "repeat",
        dict(design.system_names()),
    )
    return found.drop("note")
