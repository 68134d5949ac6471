"""Which verdicts and estimates the document states, and which it leaves open."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal, cast

from core.choices import Choices
from core.figures import Figure, figures
from core.reference import table
from core.studies.clauses.choices import DECLARATION, INTERVAL_ALONE
from core.studies.clauses.design import STUDY

Cell = tuple[str, str, str]
"""Run, model and hypothesis, by id."""

NOT_STATED = "not stated in the document"

_ESTIMATES = ("group_level_mean_asymmetry", "labeled_minus_opaque_contrast", "h3_estimate")


@dataclass(frozen=True, slots=True)
class Stated:
    """What the document says of one cell; None where it says nothing, or contradicts itself."""

    gated: bool | None
    """Whether it is supported with Holm's adjustment."""
    alone: bool | None
    """Whether it is supported by the interval alone."""
    source: str


@cache
def verdicts() -> Mapping[Cell, Stated]:
    """Read the document's verdicts, by run, model and hypothesis."""
    answers = {"yes": True, "no": False, None: None}
    return MappingProxyType(
        {
            (row["run"], row["model"], row["hypothesis"]): Stated(
                answers[row["supported_gated"]], answers[row["supported_ungated"]], row["source"]
            )
            for row in table(STUDY, "verdicts").iter_rows(named=True)
        }
    )


def is_open(cell: Cell, choices: Choices) -> bool:
    """Say whether the document leaves a verdict open under the chosen gate.

    Open are all eight verdicts of H5, and by the interval alone that of GPT-5.1 on H3 in v3. Such
    verdicts are shown hatched and enter no count, sentence or share. A cell that the document does
    not know is not open: its rows are its own.
    """
    if choices.text("gate") == INTERVAL_ALONE:
        return is_open_alone(cell)
    found = verdicts().get(cell)
    return found is not None and found.gated is None


def is_open_alone(cell: Cell) -> bool:
    """As `is_open`, for the verdict by the interval alone."""
    found = verdicts().get(cell)
    return found is not None and found.alone is None


def says(cell: Cell, choices: Choices) -> bool | None:
    """Return what the document says under these choices, as planned or with the gate off.

    Returns
    -------
    bool or None
        Whether the cell is supported; None where nothing is said of just these choices.
    """
    found, setting = verdicts().get(cell), _setting(choices)
    if found is None or setting is None:
        return None
    return found.gated if setting == "gated" else found.alone


def estimate(cell: Cell, choices: Choices, pins: Collection[str]) -> Figure | None:
    """Find the printed estimate of a cell, among those that the search was given.

    Parameters
    ----------
    cell
        Run, model and hypothesis.
    choices
        The specification; a figure stands for the planned clauses and definitions only.
    pins
        Ids of the figures that the search for the rows was given.
    """
    keys = ("families", "h3", "h5", "archetypes", "leave_out", "missing", "repairs")
    if any(choices[key] != DECLARATION[key].planned for key in keys):
        return None
    figure = _estimates().get(cell)
    return figure if figure is not None and figure.figure_id in pins else None


@cache
def _estimates() -> Mapping[Cell, Figure]:
    return {
        (figure.condition["run"], figure.subject, figure.condition["hypothesis"]): figure
        for figure in figures(STUDY).values()
        if figure.quantity in _ESTIMATES
        and {"run", "hypothesis"} <= set(figure.condition)
        and "bound" not in figure.condition
    }


@lru_cache(maxsize=64)
def _setting(choices: Choices) -> Literal["gated", "alone"] | None:
    """Say which of its verdicts the document states for these choices, whatever runs are shown."""
    for setting, gate in (("gated", DECLARATION["gate"].planned), ("alone", INTERVAL_ALONE)):
        if choices == DECLARATION.planned.replace(gate=gate, runs=choices["runs"]):
            return cast(Literal["gated", "alone"], setting)
    return None
