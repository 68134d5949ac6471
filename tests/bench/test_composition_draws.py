"""Times of the composition study's random draws, on the first shipped panel."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

from core.panels.read import read_panel
from core.paths import PANELS
from core.studies.composition.choices import DECLARATION
from core.studies.composition.occupational_posterior import posterior
from core.studies.composition.reduce import reduce_cells
from core.studies.composition.surviving import survive
from core.studies.composition.uncertainty import (
    bootstrap,
    calibration,
    perturbation,
    resample,
    tolerance_floor,
)


def machine() -> str:
    """Name the processor, the cores this process may use, and how busy they are."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}"


def measure(work: Callable[[], object], repeats: int = 3) -> tuple[float, float]:
    """Best wall time, and the processor time of the same run, in seconds."""
    times = []
    for _ in range(repeats):
        wall, processor = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - wall, time.process_time() - processor))
    return min(times)


def test_draws_of_the_composition_study() -> None:
    panel = read_panel(PANELS / "composition" / "cells-reconstructed-1.parquet")
    statistics = reduce_cells(panel.frame)
    planned = DECLARATION.planned
    equal = planned.replace(comparator="equal_category")
    kept = resample(statistics, "joint")
    work: list[tuple[str, float, Callable[[], object]]] = [
        ("bootstrap, 2,000 draws", 3.0, lambda: bootstrap(statistics, equal)),
        (
            "bootstrap, draws kept, another comparator",
            1.0,
            lambda: bootstrap(statistics, equal, resampled=kept),
        ),
        ("calibration, 20,000 draws", 15.0, lambda: calibration(statistics, planned)),
        ("tolerance floor, 20,000 draws", 5.0, lambda: tolerance_floor(statistics, equal)),
        (
            "wrong labels, 100 draws",
            1.0,
            lambda: perturbation(statistics, equal, rate=0.1, mechanism="random"),
        ),
        ("occupational posterior, 100,000 draws", 5.0, lambda: posterior(statistics, planned)),
        (
            "verdicts under two comparators",
            0.1,
            lambda: survive(statistics, [planned, equal]),
        ),
    ]
    print(f"\n{machine()}; best of three, seconds")
    print(f"{'what':<44}{'aim':>8}{'wall':>8}{'cpu':>8}")
    slow = []
    for what, aim, call in work:
        wall, processor = measure(call)
        print(f"{what:<44}{aim:>8.2f}{wall:>8.2f}{processor:>8.2f}")
        if wall > aim:
            slow.append(what)
    assert not slow
