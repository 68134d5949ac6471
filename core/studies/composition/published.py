"""Figures of other runs and audits, which no rows of a panel can give: shown as printed."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from core.figures import Figure, figures
from core.reference import table
from core.words import number

INTRO = (
    "These figures come from other prompts, other runs and a hand audit. No rows of a panel return "
    "them, so they are shown as the study prints them. They matter for the choice of prompt: "
    "**asking for all demographics at once shifts the composition itself**, so the joint and the "
    "implicit prompt answer different questions."
)


@dataclass(frozen=True, eq=False)
class Part:
    """One group of printed figures."""

    key: str
    title: str
    text: str
    rows: pl.DataFrame


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
    found = [
        figure
        for figure in figures("composition").values()
        if figure.quantity.startswith(starts) and subject in ("", figure.subject)
    ]
    return pl.DataFrame(
        {
            "figure": [figure.quantity.replace("_", " ") for figure in found],
            "setting": [", ".join(f"{k}: {v}" for k, v in f.condition.items()) for f in found],
            "printed": [_value(figure) for figure in found],
            "place": [figure.locator for figure in found],
            "note": [figure.note for figure in found],
        }
    )


def _value(figure: Figure) -> str:
    return number(figure.value, figure.decimals)


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
