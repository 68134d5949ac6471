"""Figures that no rows of a panel can give: shown as the study prints them."""

from __future__ import annotations

from core.published import Part, Published, printed
from core.studies.remedies import texts
from core.studies.remedies.contract import STUDY
from core.studies.remedies.design import system_names

INTRO = (
    "Figures that no rows here give, as the study prints them, and where the document contradicts "
    "itself. Every other printed figure stands in the ledger on the panels page, beside what the "
    "rows give."
)

UNKNOWN = (
    "own_persona_label_share",
    "auditor_validity_rate",
    "mean_tokens_per_rewrite",
    "referral_disparity_p",
    "attribute_shift",
    "inference_cost_factor",
)

SETTINGS = (
    "n_decisions",
    "n_unique_texts",
    "n_standardising_rewrites",
    "n_audit_pairs",
    "n_preregistrations",
    "n_amendments",
    "n_code_fixes",
    "temperature",
)

WORDS = {
    **system_names(),
    "own_persona_label_share": "guises whose own writer names their level",
    "auditor_validity_rate": "audit answers that could be read",
    "mean_tokens_per_rewrite": "tokens of a rewrite, mean",
    "referral_disparity_p": "p-value of a referral that depends on style",
    "inference_cost_factor": "cost of an answer, as a multiple",
    "attribute_shift": "shift of a property by standardising",
    "n_decisions": "decisions",
    "n_unique_texts": "different texts",
    "n_standardising_rewrites": "standardising rewrites",
    "n_audit_pairs": "pairs of audits",
    "n_preregistrations": "registrations",
    "n_amendments": "amendments",
    "n_code_fixes": "corrections of code",
    "auditor_pair": "both auditors",
}


def parts() -> list[Part]:
    """List the groups of printed figures."""
    return [_unknown(), _samples(), _contradictions()]


def _unknown() -> Part:
    return Part(
        "unknown",
        "Results without rows",
        "About answers that no row keeps, or tests that are not described.",
        printed(STUDY, lambda f: f.quantity in UNKNOWN and f.basis != "repeat", WORDS),
    )


def _samples() -> Part:
    return Part(
        "settings",
        "Settings of the runs",
        "As printed: how many decisions, texts, models and rewrites the study counts.",
        printed(
            STUDY,
            lambda f: f.quantity in SETTINGS and f.basis != "repeat",
            WORDS,
        ),
    )


def _contradictions() -> Part:
    told = [f"- **{c.says}** {c.reading}" for c in texts.CAVEATS]
    return Part("caveats", "Where the document contradicts itself", "\n".join(told))


PUBLISHED = Published(INTRO, parts)
