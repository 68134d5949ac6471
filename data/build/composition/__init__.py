"""Row reconstruction for the composition study.

`build` writes one panel: the joint primary cells come from `panel.search`,
gender cells, implicit cells and evidence labels are added around them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from data.build.composition import (
    claims,
    evidence,
    gender,
    implicit,
    panel,
    pins,
    write,
)
from data.build.composition.reference import Layout
from data.build.sums import write_sums

SEEDS = {1: 12, 2: 13, 3: 14, 4: 15, 5: 16}
"""Seed of each panel."""

ATTEMPTS = 6
"""Streams of a seed tried until a search meets every window."""


def build(number: int, folder: Path, demand: panel.Demand | None = None) -> bool:
    """Build one panel and write its two tables.

    Parameters
    ----------
    number : int
        Panel number, which selects the seed.
    folder : Path
    demand : callable, optional
        Further pins, see `panel.search`.

    Returns
    -------
    bool
        Whether a search met every window; nothing is written if none did.
    """
    layout = Layout()
    seed = SEEDS[number]
    for attempt in range(ATTEMPTS):
        rng = np.random.default_rng([seed, 2 * attempt])
        joint = panel.search(layout, rng, demand)
        if panel.settled(layout, joint):
            finish(layout, joint, seed, number, folder)
            return True
    return False


def reverse(claim: str, number: int, folder: Path) -> bool:
    """Whether rows exist that meet every pin and a claim; see `claims`."""
    return build(number, folder, claims.parse(claim))


def finish(layout: Layout, joint: panel.Joint, seed: int, number: int, folder: Path) -> None:
    """Add the cells around the joint primary ones and write the tables."""
    rng = np.random.default_rng([seed, 1])
    sexes = gender.build(layout, joint.failed, rng)
    silent = implicit.build(layout, joint.failed[1], rng)
    pair = np.stack([sexes.female[0], sexes.male[0]], axis=-1)
    labels = evidence.build(layout, joint, pair, silent, rng)
    cells = write.cell_rows(layout, joint, sexes, silent, labels.implicit_unmapped, rng)
    ids = pins.pinned()
    for table, rows in (
        ("cells", cells),
        ("evidence", write.evidence_rows(layout, labels)),
    ):
        path = folder / f"{table}-reconstructed-{number}.parquet"
        write.write(path, table, rows, seed, ids[table])
    write_sums(folder)
