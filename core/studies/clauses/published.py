"""Figures of other runs and projects, which no rows of a panel can give: shown as printed."""

from __future__ import annotations

from core.published import Part, Published, printed
from core.studies.clauses.design import STUDY, model_names

INTRO = (
    "These figures are about other runs, or about answers that no row keeps: they are shown as the "
    "study prints them. Every other printed figure stands in the ledger on the panels page, beside "
    "what the rows give."
)


def parts() -> list[Part]:
    """List the groups of printed figures, each as a table."""
    return [_field_order(), _truncated()]


def _field_order() -> Part:
    return Part(
        "field-order",
        "Score before the reasoning, or after it",
        "The first run asked for the score before the reasoning, the second after it, so the order "
        "changed together with the clauses. This is another project’s result on one criterion with "
        "one judge model: it shows that the order can decide, not what it did here.",
        printed(
            STUDY,
            lambda figure: figure.figure_id.startswith("clauses.external."),
            {
                "external_judge": "another project’s judge",
                "n_runs_same_outcome": "runs with the same outcome",
                "n_runs_per_arm": "runs of each order",
                "n_criteria": "criteria",
                "n_judges": "judge models",
                "n_verdicts_claimed_before_correction": "verdicts in an earlier description",
            },
        ),
    )


def _truncated() -> Part:
    return Part(
        "truncated",
        "Answers that were cut off",
        "Counts of answers that ended before they were complete, for the models that the text "
        "names. The rows say only which answers could be read.",
        printed(
            STUDY,
            lambda figure: figure.condition.get("kind") == "truncated",
            {"n_responses": "answers", **model_names()},
        ),
    )


PUBLISHED = Published(INTRO, parts)
