"""Figures of other calls and tests, which no rows of a panel can give: shown as printed."""

from __future__ import annotations

from core.published import Part, Published, printed
from core.studies.filenames import shown, stated, texts
from core.studies.filenames.design import STUDY

INTRO = (
    "Figures that no rows here give, as the study prints them: other ways of handing a text over, "
    "the pilot, a test that is not described, and where the document contradicts itself or reads "
    "differently from its tables. Every other printed figure stands in the ledger on the panels "
    "page, beside what the rows give."
)

WORDS = {
    "contrast_estimate": "contrast",
    "label_penalty": "size of the penalty",
    "label_shift_cited": "shift",
    "residual_sd": "spread of single calls",
    "saraf_2025": "another study",
    "llm_vs_human_label": "model against human labels",
    "n_tests_significant_in_sign_test": "tests significant in the sign test",
    "n_tests": "tests",
    "significant_in_ols": "significant in the regression",
    "not_significant_in_ols": "not significant in the regression",
    "run_time": "running time",
    "n_calls": "calls",
    "p_value": "p-value",
}


def parts() -> list[Part]:
    """List the groups of printed figures."""
    return [_deliveries(), _sign_test(), _pilot(), _runs(), _contradictions()]


def _deliveries() -> Part:
    return Part(
        "deliveries",
        "How the text was handed over",
        "Mean marks of one text (Cournot), in points of 10, without and with Claude’s label. The "
        "number of calls is not stated, so no test can be made.",
        shown.deliveries(stated.deliveries()),
    )


def _sign_test() -> Part:
    return Part(
        "sign-test",
        "A sign test of study 1",
        "The study says how many results a sign test keeps. What is signed (calls, texts or "
        "pairs), the level and the adjustment are not described, so it cannot be repeated. Signs "
        "over the four texts are counted in “Text by text”.",
        printed(STUDY, lambda figure: ".signtest." in figure.figure_id, WORDS),
    )


def _pilot() -> Part:
    return Part(
        "pilot",
        "The pilot",
        "One other judge. Its spread of single calls and the effect of 0.1 points set the number "
        "of repetitions.",
        printed(STUDY, lambda figure: figure.figure_id.startswith("filenames.pilot."), WORDS),
    )


def _runs() -> Part:
    return Part(
        "runs",
        "What the runs cost",
        "As printed, in dollars and hours.",
        printed(STUDY, lambda figure: figure.quantity in ("cost", "run_time"), WORDS),
    )


def _contradictions() -> Part:
    told = [f"- **{claim}.** {found}" for claim, found in texts.CONTRADICTIONS]
    return Part("contradictions", "Where the document contradicts itself", "\n".join(told))


PUBLISHED = Published(INTRO, parts)
