"""Figures of other runs and audits, which no rows of a panel can give: shown as printed."""

from __future__ import annotations

import polars as pl

from core.figures import Figure
from core.published import Part, Published, printed
from core.reference import table

INTRO = (
    "These figures come from other prompts, other runs and a hand audit. No rows of a panel return "
    "them, so they are shown as the study prints them. They matter for the choice of prompt: "
    "**asking for all demographics at once shifts the composition itself**, so the joint and the "
    "implicit prompt answer different questions."
)


def parts() -> list[Part]:
    """List the groups of printed figures, each as a table."""
    return [_bundling(), _gender_regime(), _extractor(), _design_check()]


def _bundling() -> Part:
    rows = _numeric(table("composition", "bundling").drop("model_id"))
    return Part(
        "bundling",
        "Asking for one attribute or for all at once",
        "Divergence (bits; 0 = same shares) between answers to a prompt that asks for one "
        "attribute and to one that asks for all. Selection: values in the footer, with 95% "
        "intervals over context-role cells. Realization: values read from the prose. The last two "
        "columns compare footer and prose within one prompt. Table 23 of the study.",
        rows,
    )


def _gender_regime() -> Part:
    rows = _numeric(table("composition", "gender_regime").drop("model_id"))
    return Part(
        "gender-regime",
        "Share of women by prompt",
        "Female characters under three prompts, and the divergence between prompts (the study does "
        "not name its measure; it matches the Jensen-Shannon divergence in bits). Table 24.",
        rows,
    )


def _extractor() -> Part:
    return Part(
        "extractor",
        "How labels were read, and checked",
        "One author annotated the audit tasks once; there was no second annotator and no "
        "adjudication. Whether macro averages run over attributes or labels is not defined.",
        _printed("extractor_", "audit_"),
    )


def _design_check() -> Part:
    return Part(
        "design-check",
        "Language, wording and prompt, on one model",
        "Divergence between paired cells (bits) of a separate design check. The threshold above "
        "which cells were not pooled is not printed.",
        _printed("paired_cell_jsd2", "design_validation", subject="deepseek-v4-flash"),
    )


def _printed(*starts: str, subject: str = "") -> pl.DataFrame:
    """Collect printed figures whose quantity starts in one of several ways."""

    def keep(figure: Figure) -> bool:
        return figure.quantity.startswith(starts) and subject in ("", figure.subject)

    return printed("composition", keep)


def _numeric(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn the columns that hold numbers only into numbers, whole ones where all are whole."""
    columns = []
    for column in frame:
        for kind in (pl.Int64, pl.Float64):
            numbers = column.cast(kind, strict=False)
            if numbers.null_count() == column.null_count():
                column = numbers
                break
        columns.append(column)
    return pl.DataFrame(columns)


PUBLISHED = Published(INTRO, parts)
