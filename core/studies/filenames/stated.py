"""Which estimates and verdicts the document states, and figures that are shown as published."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.figures import Figure, figures
from core.stats.multiplicity import Method
from core.studies.filenames.choices import LABELS, SCOPE, departs
from core.studies.filenames.design import HYPOTHESES, PREDICTED, STUDY, judge_names
from core.studies.filenames.estimate import adjusted_p
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
    if departs(choices, SCOPE):
        return None
    found = _figures(choices.text("study"), "contrast_estimate").get(cell)
    return found if found is not None and found.figure_id in pins else None


def says(cell: Cell, choices: Choices, pins: Collection[str]) -> Verdict | None:
    """Return the verdict that printed figures settle; None where they do not.

    The printed p-values are Holm's. They hold the raw ones within limits, and so settle verdicts
    under another adjustment, family or alpha too, unless rounding hides on which side one lies.
    """
    if departs(choices, (*SCOPE, "errors")):
        return None
    size = estimate(cell, choices, pins)
    if size is None:
        return None
    low, high = _adjusted_limits(choices, frozenset(pins))[cell]
    alpha = choices.number("alpha")
    if high < alpha:
        along = size.value * PREDICTED[cell[1]] > 0
        return Verdict.SUPPORTED if along else Verdict.OPPOSITE
    return Verdict.NOT_SUPPORTED if low >= alpha else None


@lru_cache(maxsize=64)
def _adjusted_limits(choices: Choices, pins: frozenset[str]) -> Mapping[Cell, tuple[float, float]]:
    """Limits of every p-value of a study after the chosen adjustment.

    Every method's adjusted p-values rise with every raw one, so adjusting the lower limits gives
    lower limits, and adjusting the upper ones upper limits.
    """
    study = choices.text("study")
    judges, hypotheses = tuple(judge_names()), HYPOTHESES[study]
    raw = np.full((2, len(judges), len(hypotheses)), np.nan)
    for h, hypothesis in enumerate(hypotheses):
        raw[..., h] = raw_limits([_printed_p(study, (j, hypothesis), pins) for j in judges])
    method = cast(Method, choices.text("gate"))
    low, high = adjusted_p(raw, method, choices.text("family"))[0]
    return {
        (judge, hypothesis): (float(low[j, h]), float(high[j, h]))
        for j, judge in enumerate(judges)
        for h, hypothesis in enumerate(hypotheses)
    }


def _printed_p(study: str, cell: Cell, pins: Collection[str]) -> tuple[float, float]:
    """Limits that a printed Holm p-value sets; 0 and 1 where none was given to the search."""
    found = _figures(study, "holm_p").get(cell)
    if found is None or found.figure_id not in pins:
        return 0.0, 1.0
    if found.note == "lt":
        return 0.0, float(np.nextafter(found.value, 0.0))
    return max(found.value - found.half_unit, 0.0), min(found.value + found.half_unit, 1.0)


def raw_limits(adjusted: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    """Work out limits of raw p-values from limits of Holm's within one family.

    Parameters
    ----------
    adjusted
        Lower and upper limit of each adjusted p-value of the family.

    Returns
    -------
    array, shape (2, m)
        Lower and upper limits. With s tests surely below and g surely above, the adjusted p-value
        is at least g + 1 times and at most m - s times the raw one, until it is cut at 1.
    """
    low, high = np.array(adjusted, dtype=np.float64).T
    below = (high[None, :] < low[:, None]).sum(axis=1)
    above = (low[None, :] > high[:, None]).sum(axis=1)
    return np.stack([low / (len(low) - below), np.where(high < 1, high / (above + 1), 1.0)])


def text_estimate(
    judge: str, hypothesis: str, text: str, choices: Choices, pins: Collection[str]
) -> Figure | None:
    """Find the printed estimate on one text of study 1 (Table 2); as `estimate`.

    Other texts that count make no difference to it.
    """
    if choices.text("study") != "1" or departs(choices, LABELS.values()):
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
