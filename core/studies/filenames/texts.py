"""Names, axis titles, captions and what the study cannot say."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from core import legends
from core.choices import Choices
from core.limits import Limits
from core.studies.filenames.choices import DECLARATION
from core.studies.filenames.design import SHORT_CLAIMS

CONTRAST_AXIS = "Difference, points of 10; 0 = label has no effect"
MEAN_AXIS = "Mean mark, points of 10"
SHARE_AXIS = "Share that persists; negative: texts disagree"
BIAS_AXIS = "Points of 10; above 0 = above the judge’s mean over labels"
MARK_AXIS = "Mark, points of 10"

LIMITS = Limits(
    always=(
        "Whether any mark is right: the texts have no true mark, so a difference between labels "
        "is not an error of one of them.",
        "Anything about people called Chen, Sergey or Catherine: labels are words in a file’s "
        "name. One name stands for each group, so name and group cannot be told apart.",
        "That a judge prefers its own maker: H2 and H6 compare labels, H5 texts. H5 is an "
        "interaction and cannot tell liking its own texts from disliking both rivals’.",
    ),
    of_document=(
        "That label effects carry over to other texts: as published, study 1 has four texts by "
        "one author, and its standard errors are about more calls on these four, not about new "
        "texts.",
        "Which of two rival labels a judge scores higher in study 1: the document prints their "
        "mean only, and rows with either order return every printed figure.",
        "How a file is handed over matters here: means for uploads and for prompts are published "
        "for one text without the number of calls, so no test can be made of them.",
        "Whether the marks are lower for some genre or author: levels are not printed.",
    ),
)
"""What the page says it does not show."""

UNDEFINED = (
    "The document names a corrected share and between-unit products and defines neither. The forms "
    "used here return its printed numbers; other forms might too."
)
"""Stands beside the variance shares."""

KIND_NAMES = {"neutral": "no label", "version": "version", "llm": "model", "human": "person"}
"""Kinds of labels in words."""

DELIVERY_NAMES = {
    "openrouter_prompt": "in the prompt, through OpenRouter",
    "claude_prompt": "in the prompt, inside Claude",
    "claude_upload": "uploaded as a file, inside Claude",
}
"""How the published means by delivery were obtained."""

CONTRADICTIONS = (
    (
        "About .05 lower for Chen than Sergey",
        "The text says so of all judges; Table 1 has it for two and prints −.001 for GPT-6.1 Sol.",
    ),
    (
        "No overall effect of an Asian-coded name (H4)",
        "True of Gemini 4 Argon only; for the two others H4 is significant against the prediction.",
    ),
    (
        "Claude Sonnet 5.5 likes LLM labels better than human ones (H1)",
        "H1 also compares with the file without a label. From Table 1, model labels and Sergey lie "
        "level; both lie above no label.",
    ),
    (
        "No informative label is often worse than any label",
        "In study 1 this is so for Claude Sonnet 5.5 only; study 2 prints no contrast with it.",
    ),
    (
        "152 repetitions for H4b",
        "The printed formula with the printed spread gives 151; a spread of .5363 would give 152.",
    ),
    (
        "Detectable effects (MDE80)",
        "The printed columns are 3.24 standard errors, not 2.80: they use Holm’s first step.",
    ),
)
"""Where the document contradicts itself or reads differently from its tables: claim, finding."""


def no_rows(study: str, others: Sequence[str]) -> str:
    """Say that the panel has no rows of the chosen study, and of which it has."""
    return (
        f"The panel in use has no marks of study {study}, only of study {' and '.join(others)}, so "
        "there is nothing to show. Choose the other under Study, or another panel on the panels "
        "page."
    )


def forest_reading(choices: Choices, *, alone: bool) -> str:
    """Say how to read the contrast forest; ``alone``: it shows the planned setting only."""
    level = 100 * (1 - choices.number("alpha"))
    hollow = "" if alone else "Hollow: planned. Filled: now. "
    return f"{hollow}Lines: {level:g}% intervals, not adjusted."


def grid_reading(choices: Choices, contrasts: pl.DataFrame) -> str:
    """Say how to read the verdict grid; marks that are not there are left out."""
    gate = DECLARATION["gate"].say(choices["gate"])
    adjusted = (
        "Verdicts use p-values as they are, without adjustment for several tests."
        if choices["gate"] == "none"
        else f"Verdicts use p-values after adjustment for several tests ({gate})."
    )
    return (
        f"Left, hollow: planned setting. Right, filled: now. {legends.marks(contrasts)} {adjusted}"
    )


def claims_reading(hypotheses: Sequence[str]) -> str:
    """Say what each hypothesis predicts."""
    return "What is predicted: " + "; ".join(f"{h}, {SHORT_CLAIMS[h]}" for h in hypotheses) + "."


ONE_POSSIBILITY = (
    "What the study does not print is one possibility here: many sets of marks return its printed "
    "figures."
)
