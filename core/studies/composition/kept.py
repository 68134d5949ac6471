"""What random draws say of a panel under one specification, small enough to keep and to ship."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.paths import DRAWS
from core.stats.resampling import Progress, order_kept
from core.studies.composition.choices import DECLARATION
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.uncertainty import (
    Mechanism,
    bootstrap,
    calibration,
    perturbation,
    resample,
    tolerance_floor,
)

Array = NDArray[np.float64]

LEVEL = 0.95
REFERENCE_QUANTILES = (0.005, 0.5, 0.995)
"""Of the exact-alignment reference: the study prints the median and the central 99%."""

PERTURBATION_RATES = (0.05, 0.1, 0.2)
MECHANISMS = ("random", "adversarial")
"""Table 11 of the study."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Bootstrap results of one specification. M models, G cells of its regime."""

    resident: Array
    """(M, 2) interval of the composite against the planned comparator."""
    chosen: Array
    """(M, 2) interval of the composite against the chosen comparator."""
    change: Array
    """(M, 2) interval of the mean absolute cell change."""
    kept_resident: Array
    """(M, M) share of draws in which row lies below column, against the planned comparator."""
    kept_chosen: Array
    """(M, M) the same against the chosen comparator."""
    cells: Array
    """(M, G, 2) interval of each cell's divergence from the chosen comparator."""
    floor: Array
    """(M, G) what an exactly aligned model with the cell's outputs would stay at or below."""


@dataclass(frozen=True, eq=False)
class Reference:
    """Composite of a model whose outputs follow the chosen comparator exactly."""

    quantiles: Array
    """(3, M) lower end, median, upper end of the central 99%."""


@dataclass(frozen=True, eq=False)
class Perturbation:
    """Scores with wrong labels, averaged over draws."""

    resident: Array
    """(M,) composite against the planned comparator."""
    change: Array
    """(M,) mean absolute cell change."""


def draw_uncertainty(
    statistics: CellStatistics, choices: Choices, progress: Progress | None = None
) -> Uncertainty:
    """Run the bootstrap and the cells' floors of one specification.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        The specification; ``draws`` and ``seed`` are taken from it.
    progress
        Called with (done, total), in hundredths of the whole; may raise `Cancelled`.
    """
    draws, seed = int(choices.text("draws")), int(choices.text("seed"))
    first, second = _parts(progress, 0.6)
    resampled = resample(statistics, choices.text("regime"), draws=draws, seed=seed, progress=first)
    found = bootstrap(statistics, choices, level=LEVEL, resampled=resampled)
    return Uncertainty(
        resident=found.interval(LEVEL),
        chosen=found.interval(LEVEL, score="chosen"),
        change=found.interval(LEVEL, score="mean_absolute_change"),
        kept_resident=order_kept(found.composite),
        kept_chosen=order_kept(found.chosen),
        cells=found.cell_interval,
        floor=tolerance_floor(statistics, choices, progress=second),
    )


def draw_reference(
    statistics: CellStatistics, choices: Choices, progress: Progress | None = None
) -> Reference:
    """Draw the exact-alignment reference of one specification (App. D.4; Table 16)."""
    drawn = calibration(statistics, choices, progress=progress)
    return Reference(np.quantile(drawn, REFERENCE_QUANTILES, axis=0))


def draw_perturbation(
    statistics: CellStatistics, choices: Choices, progress: Progress | None = None
) -> Perturbation:
    """Draw scores with wrong labels (App. D.3; Table 11); rate and mechanism from the choices."""
    mechanism: Mechanism = "random" if choices.text("mechanism") == "random" else "adversarial"
    found = perturbation(
        statistics, choices, rate=choices.number("rate"), mechanism=mechanism, progress=progress
    )
    return Perturbation(found.composite, found.mean_absolute_change)


def _parts(progress: Progress | None, share: float) -> tuple[Progress | None, Progress | None]:
    """Split one report of progress over two pieces of work."""
    if progress is None:
        return None, None

    def part(start: float, size: float) -> Progress:
        def report(done: int, total: int) -> None:
            progress(round(100 * (start + size * done / max(total, 1))), 100)

        return report

    return part(0.0, share), part(share, 1 - share)


Result = Uncertainty | Reference | Perturbation
Kind = TypeVar("Kind", Uncertainty, Reference, Perturbation)

WORK: Mapping[type[Result], Callable[[CellStatistics, Choices, Progress | None], Result]] = (
    MappingProxyType(
        {
            Uncertainty: draw_uncertainty,
            Reference: draw_reference,
            Perturbation: draw_perturbation,
        }
    )
)
"""How each kind of result is drawn."""

_OWN_CHOICES: Mapping[type[Result], tuple[str, ...]] = MappingProxyType(
    {Uncertainty: ("draws", "seed"), Reference: (), Perturbation: ("mechanism", "rate")}
)
"""Choices of the section that a result depends on; of the page's, all but tolerance and rule."""


def setting(kind: type[Result], choices: Choices) -> str:
    """Write what a result depends on: equal texts, equal results."""
    values = {
        choice.key: choices[choice.key]
        for choice in DECLARATION
        if (not choice.section and choice.key not in ("tau", "rule"))
        or choice.key in _OWN_CHOICES[kind]
        if DECLARATION.has_effect(choice, choices)
    }
    return json.dumps([kind.__name__, values], sort_keys=True)


def shipped_settings() -> Iterator[tuple[type[Result], Choices]]:
    """Go through the results that ship with a panel: planned, and as the page opens."""
    for choices in (DECLARATION.planned, DECLARATION.opening):
        yield Uncertainty, choices
        yield Reference, choices
        for mechanism in MECHANISMS:
            for rate in PERTURBATION_RATES:
                yield Perturbation, choices.replace(mechanism=mechanism, rate=rate)


def draw_shipped(statistics: CellStatistics) -> dict[str, Result]:
    """Draw every result that ships with a panel, by its setting."""
    return {
        setting(kind, choices): WORK[kind](statistics, choices, None)
        for kind, choices in shipped_settings()
    }


def write(results: Mapping[str, Result], panel_sha256: str) -> Path:
    """Keep results beside the panel they were drawn from; rounded to nine digits."""
    rows = [
        pl.DataFrame(
            {
                "setting": name,
                "field": field.name,
                "shape": ",".join(map(str, getattr(result, field.name).shape)),
                "position": np.arange(getattr(result, field.name).size),
                "value": getattr(result, field.name).ravel().round(9),
            }
        )
        for name, result in results.items()
        for field in fields(result)
    ]
    path = path_of(panel_sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    pl.concat(rows).write_parquet(path, compression="zstd")
    return path


def path_of(panel_sha256: str) -> Path:
    """Where a panel's kept draws are."""
    return DRAWS / DECLARATION.study / f"{panel_sha256[:12]}.parquet"


def read(panel_sha256: str) -> dict[str, Result]:
    """Read the kept results of a panel; empty where there are none."""
    path = path_of(panel_sha256)
    if not path.is_file():
        return {}
    kinds: dict[str, type[Result]] = {kind.__name__: kind for kind in WORK}
    results: dict[str, Result] = {}
    for (name,), rows in pl.read_parquet(path).group_by("setting", maintain_order=True):
        arrays = {}
        for (field, shape), part in rows.group_by("field", "shape", maintain_order=True):
            size = [int(length) for length in str(shape).split(",")]
            arrays[str(field)] = part.sort("position")["value"].to_numpy().reshape(size)
        results[str(name)] = kinds[json.loads(str(name))[0]](**arrays)
    return results
