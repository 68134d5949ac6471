"""Which estimates and verdicts the document states, and figures that are shown as published."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

import polars as pl

from core.choices import Choices
from core.figures import Figure, figures
from core.studies.filenames.choices import SCOPE, planned_for
from core.studies.filenames.design import PREDICTED, STUDY
from core.verdicts import Verdict

Cell = tuple[str, str]
"""Judge and hypothesis, by id."""

_TABLE_OF = {"1": "Table 1", "2": "Table 3"}


def estimate(cell: Cell, choices: Choices, pins: Collection[str]) -> Figure | None:
    """Find the printed estimate of a judge and hypothesis, among those the search was given.

    Parameters
    ----------
    cell
        Judge and hypothesis.
    choices
        The specification; a figure stands for all texts and labels only.
    pins
        Ids of the figures that the search for the rows was given.
    """
    planned = planned_for(choices)
    if any(choices[key] != planned[key] for key in SCOPE):
        return None
    found = _figures(choices.text("study"), "contrast_estimate").get(cell)
    return found if found is not None and found.figure_id in pins else None


def adjusted_p(cell: Cell, choices: Choices, pins: Collection[str]) -> Figure | None:
    """Find the printed Holm p-value, as `estimate`; only in the planned setting of the study.

    Alpha and power leave a p-value alone.
    """
    planned = planned_for(choices)
    moving = (*SCOPE, "errors", "gate", "family")
    if any(choices[key] != planned[key] for key in moving):
        return None
    found = _figures(choices.text("study"), "holm_p").get(cell)
    return found if found is not None and found.figure_id in pins else None


def says(cell: Cell, choices: Choices, pins: Collection[str]) -> Verdict | None:
    """Return the verdict that the printed estimate and p-value settle; None where they do not.

    A p-value that rounding could put on either side of alpha settles nothing.
    """
    size, p = estimate(cell, choices, pins), adjusted_p(cell, choices, pins)
    alpha = choices.number("alpha")
    if size is None or p is None:
        return None
    is_bound = p.note == "lt"
    if p.value <= alpha if is_bound else p.value + p.half_unit < alpha:
        along = size.value * PREDICTED[cell[1]] > 0
        return Verdict.SUPPORTED if along else Verdict.OPPOSITE
    if not is_bound and p.value - p.half_unit >= alpha:
        return Verdict.NOT_SUPPORTED
    return None


def text_estimate(
    judge: str, hypothesis: str, text: str, choices: Choices, pins: Collection[str]
) -> Figure | None:
    """Find the printed estimate on one text of study 1 (Table 2); as `estimate`.

    Other texts that count make no difference to it.
    """
    planned = planned_for(choices)
    if choices.text("study") != "1" or choices["labels"] != planned["labels"]:
        return None
    found = _text_figures().get((judge, hypothesis, text))
    return found if found is not None and found.figure_id in pins else None


def share(judge: str, study: str, estimator: str, pins: Collection[str]) -> Figure | None:
    """Find the printed share of Table 4, for all texts and labels."""
    kinds = {"corrected": "corrected", "between_units": "between_unit_products"}
    texts = {"1": "human", "2": "llm"}
    for figure in figures(STUDY).values():
        if (
            figure.locator == "Table 4"
            and figure.subject == judge
            and figure.condition.get("texts") == texts[study]
            and figure.condition.get("estimator") == kinds[estimator]
        ):
            return figure if figure.figure_id in pins else None
    return None


@cache
def _figures(study: str, quantity: str) -> Mapping[Cell, Figure]:
    return {
        (figure.subject, figure.condition["hypothesis"]): figure
        for figure in figures(STUDY).values()
        if figure.locator == _TABLE_OF[study] and figure.quantity == quantity
    }


@cache
def _text_figures() -> Mapping[tuple[str, str, str], Figure]:
    return {
        (figure.subject, figure.condition["hypothesis"], figure.condition["document"]): figure
        for figure in figures(STUDY).values()
        if figure.locator == "Table 2" and figure.quantity == "contrast_estimate"
    }


def deliveries() -> pl.DataFrame:
    """List the published means by how a file was handed over; the panel has no rows of them.

    Returns
    -------
    polars.DataFrame
        delivery, label, mean, sd, figure_id, note. One document (Cournot), judges that the
        document calls Sonnet; the number of calls is not stated.
    """
    rows: dict[tuple[str, str], dict[str, object]] = {}
    for figure in figures(STUDY).values():
        delivery = figure.condition.get("delivery")
        if delivery is None:
            continue
        key = delivery, figure.condition["label"]
        row = rows.setdefault(key, {"delivery": delivery, "label": key[1]})
        if figure.quantity == "mean_score":
            row |= {"mean": figure.value, "figure_id": figure.figure_id, "note": figure.note}
        else:
            row["sd"] = figure.value
    return pl.DataFrame(list(rows.values())).select(
        "delivery", "label", "mean", "sd", "figure_id", "note"
    )


def sign_tests() -> Mapping[str, int]:
    """Return the published counts of the sign test, whose definition the document leaves open."""
    prefix = f"{STUDY}.text.signtest."
    return {
        figure_id.removeprefix(prefix): int(figure.value)
        for figure_id, figure in figures(STUDY).items()
        if figure_id.startswith(prefix)
    }
