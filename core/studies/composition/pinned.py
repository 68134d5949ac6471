"""Which printed figure, if any, is a model's score under a specification."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Literal

from core.choices import Choices
from core.figures import Figure, figures
from core.studies.composition.choices import DECLARATION
from core.studies.composition.printed_values import specification

Score = Literal["composite", "module", "mean_change", "mean_change_module"]

_QUANTITIES: Mapping[str, tuple[Score, str]] = {
    "jsd2_composite_geo": ("composite", "jsd"),
    "jsd2_composite_equal": ("composite", "jsd"),
    "total_variation_composite": ("composite", "total_variation"),
    "mean_max_abs_category_deviation": ("composite", "largest_deviation"),
    "jsd2_module_geo": ("module", "jsd"),
    "mean_abs_cell_change": ("mean_change", "jsd"),
}
"""Quantities that are one model's score, with the measure they are in."""

_OTHER_RUNS = frozenset({"removed", "error_rate", "bound", "contrast", "context"})
"""Conditions under which the figure is no plain score of the panel."""

Key = tuple[Score, str, str, frozenset[tuple[str, object]]]


def printed(
    score: Score, model: str, choices: Choices, *, attribute: str = "", pins: Collection[str]
) -> Figure | None:
    """Find the printed figure that a score is, among those the search was given.

    Parameters
    ----------
    score
        Which score.
    model
        Name of the model as the study prints it.
    choices
        The specification it was computed under.
    attribute
        For a module's score, which one.
    pins
        Ids of the figures that the search for the rows was given.

    Returns
    -------
    Figure or None
        None where the study prints no figure for just this setting, or the search was not given it.
    """
    found = _figures().get((score, model, attribute, _setting(score, choices)), ())
    return next((figure for figure in found if figure.figure_id in pins), None)


@cache
def _figures() -> Mapping[Key, tuple[Figure, ...]]:
    table: dict[Key, tuple[Figure, ...]] = {}
    for figure in figures(DECLARATION.study).values():
        if figure.quantity not in _QUANTITIES or _OTHER_RUNS & set(figure.condition):
            continue
        score, measure = _QUANTITIES[figure.quantity]
        attribute = figure.condition.get("attribute", "")
        if score == "mean_change" and attribute:
            score = "mean_change_module"
        choices = specification(figure.condition).replace(measure=measure)
        key = (score, figure.subject, attribute, _setting(score, choices))
        table[key] = (*table.get(key, ()), figure)
    return table


def _setting(score: Score, choices: Choices) -> frozenset[tuple[str, object]]:
    """Take the choices that move a score, and only where they have an effect."""
    still = {"tau", "rule"} | ({"modules"} if score in ("module", "mean_change_module") else set())
    if choices["portfolio"] == "source_scoreable":
        still.add("gate")
    return frozenset(
        (choice.key, choices[choice.key])
        for choice in DECLARATION
        if not choice.section
        and choice.key not in still
        and DECLARATION.has_effect(choice, choices)
    )
