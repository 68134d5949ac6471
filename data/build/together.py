"""Build panels beside each other."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from data.build.sums import write_sums


def built(module: str, numbers: Sequence[int], folder: Path) -> bool:
    """Build panels, a process for each core; whether all met their pins."""
    # Polars' threads do not live on in a forked process.
    fresh, workers = get_context("spawn"), min(len(numbers), os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, mp_context=fresh) as pool:
        # Every panel is built, also after one that missed its pins.
        results = list(pool.map(build, repeat(module), numbers, repeat(folder)))
    # Panels that are finished at the same time would each list the other half written.
    write_sums(folder)
    return all(results)


def build(module: str, number: int, folder: Path) -> bool:
    """Build one panel by a study's module."""
    return bool(import_module(module).build(number, folder))
