"""Claims and measures of one view in every panel that stands for the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import claims as claim_lists
from core.choices import Choices
from core.studies.composition import estimate as composition
from core.studies.reduced import Reduced
from core.studies.remedies import estimate as remedies
from core.studies.remedies.tables import who
from core.verdicts import Verdict

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Judged:
    """K claims in R panels, the shown one first, now and in the planned setting."""

    choices: Choices
    keys: tuple[str, ...]
    titles: Mapping[str, str]
    now: NDArray[np.str_]
    """(R, K) verdicts."""
    planned: NDArray[np.str_]
    """(R, K)"""
    estimate: Array
    """(R, K); NaN where there is none."""
    planned_estimate: Array
    """(R, K)"""
    certain: NDArray[np.bool_]
    """(K,) whether both verdicts may be told as facts."""
    is_open: NDArray[np.bool_]
    """(K,) whether the document leaves one of them open."""
    rows: pl.DataFrame
    """The claims of the shown panel, now, with the columns of `core.claims.JUDGED`."""
    measures: Mapping[str, Array]
    """(R,) each: numbers of the study that are no claims."""
    planned_measures: Mapping[str, Array]

    def matching(self, pattern: str) -> NDArray[np.int64]:
        """Find claims by a pattern of keys; those that the document leaves open are left out."""
        found = [
            at
            for at, key in enumerate(self.keys)
            if fnmatchcase(key, pattern) and not self.is_open[at]
        ]
        return np.array(found, dtype=np.int64)


def judge(found: Reduced, choices: Choices) -> Judged:
    """Judge every claim of a study under one specification, in every panel.

    Parameters
    ----------
    found
        The panel with those that stand for the same rows.
    choices
        The specification.
    """
    own = claim_lists.of(choices.study)
    listed = own.claims(found.statistics[0])
    ensemble = found.ensemble(own.ensemble_type)
    planned = _planned(own.declaration.planned, choices)
    sides = [own.standing(ensemble, setting) for setting in (choices, planned)]
    frames = [
        [own.judge(statistics, setting) for statistics in found.statistics]
        for setting in (choices, planned)
    ]
    now, before = (np.stack([_verdicts(frame) for frame in side]) for side in frames)
    estimate, earlier = (np.stack([_estimates(frame) for frame in side]) for side in frames)
    return Judged(
        choices=choices,
        keys=tuple(claim.key for claim in listed),
        titles={claim.key: claim.title for claim in listed},
        now=now,
        planned=before,
        estimate=estimate,
        planned_estimate=earlier,
        certain=np.all([side["certain"].to_numpy() for side in sides], axis=0),
        is_open=np.any([side["is_open"].to_numpy() for side in sides], axis=0),
        rows=frames[0][0],
        measures=_measures(found, choices),
        planned_measures=_measures(found, planned),
    )


def _planned(planned: Choices, choices: Choices) -> Choices:
    """Keep what picks a part of the study, such as which of two experiments."""
    parts = {
        choice.key: choices[choice.key]
        for choice in claim_lists.of(choices.study).declaration
        if choice.is_part
    }
    return planned.replace(**parts)


def _verdicts(frame: pl.DataFrame) -> NDArray[np.str_]:
    words = frame["verdict"].fill_null(Verdict.CANNOT_COMPUTE.value)
    return np.asarray(words.to_numpy().astype(np.str_))


def _estimates(frame: pl.DataFrame) -> Array:
    return frame["estimate"].fill_null(float("nan")).to_numpy()


def _measures(found: Reduced, choices: Choices) -> dict[str, Array]:
    match choices.study:
        case "composition":
            moves = np.stack(
                [
                    composition.analyse(statistics, choices).mean_absolute_change
                    for statistics in found.statistics
                ]
            )
            return {
                "smallest average move of a cell": moves.min(axis=1),
                "largest average move of a cell": moves.max(axis=1),
            }
        case "remedies":
            each = [
                _instability(remedies.analyse(statistics, choices))
                for statistics in found.statistics
            ]
            return {name: np.array([own.get(name, np.nan) for own in each]) for name in each[0]}
        case _:
            return {}


def _instability(findings: remedies.Findings) -> dict[str, float]:
    """Name the measures of instability by who decides, as charts do."""
    measures = {}
    for decider, money in zip(findings.deciders, findings.money, strict=True):
        name = who(decider)["decider"]
        measures[f"{name}: pairs that differ, %"] = 100 * float(money.differ.estimate[0])
        measures[f"{name}: complaints not unanimous, %"] = 100 * float(money.mixed.estimate[0])
    return measures
