"""Many specifications of the filenames study at once: one fit for all that share their rows."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.multiverse.outcomes import Outcomes, beside, empty
from core.multiverse.specs import Specs
from core.stats.multiplicity import Method
from core.studies.filenames.choices import SCOPE
from core.studies.filenames.estimate import (
    Estimates,
    adjusted_p,
    estimates,
    interval,
    p_values,
    verdicts,
)
from core.studies.filenames.reduce import Statistics

Index = NDArray[np.int64]

EXPENSIVE = (*SCOPE, "errors")
"""Choices that change the rows or the fit."""


def judge_many(
    statistics: Statistics, specs: Specs, studies: list[str], cells: list[Index]
) -> Outcomes:
    """Judge many specifications.

    Parameters
    ----------
    statistics
        A reduced panel.
    specs
        The specifications; which study they are of does not matter.
    studies
        Studies that the claims are of.
    cells
        For each of them, positions of its claims among its judges and hypotheses.

    Returns
    -------
    Outcomes
        The claims study by study.
    """
    parts = []
    for study, own in zip(studies, cells, strict=True):
        found = empty(len(specs), len(own))
        for choices, rows in specs.groups(EXPENSIVE):
            with found.timed("resampling"):
                fitted = estimates(statistics, choices.replace(study=study))
            with found.timed("judging"):
                _judge(fitted, specs, rows, found, own)
        parts.append(found)
    return beside(parts)


def _judge(fitted: Estimates, specs: Specs, rows: Index, found: Outcomes, cells: Index) -> None:
    """Judge all specifications that share their fit."""
    p = p_values(fitted)
    ways = list(specs.groups(("gate", "family"), rows))
    which = np.zeros(len(specs), dtype=np.int64)
    adjusted = []
    for place, (own, at) in enumerate(ways):
        which[at] = place
        adjusted.append(adjusted_p(p, cast(Method, own.text("gate")), own.text("family"))[0])
    stacked = np.stack(adjusted)
    estimate = fitted.estimate.ravel()[cells]
    for own, at in specs.groups(("alpha",), rows):
        alpha = own.number("alpha")
        low, high = interval(fitted, alpha)
        judged = verdicts(low, high, stacked, fitted.hypotheses, alpha)
        words = judged.reshape(len(stacked), -1)[:, cells]
        found.fill(at, words[which[at]], estimate, low.ravel()[cells], high.ravel()[cells])
