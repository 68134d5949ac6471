"""Row reconstruction for the filenames study.

Study 1 is solved judge by judge, study 2 for all judges at once, since H5
couples them. The panels differ on purpose where the document determines
nothing: which rival label is the higher one, document levels, label profiles.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from data.build.filenames import claims, study1, study2, write
from data.build.filenames.reference import DOCUMENTS, JUDGES
from data.build.sums import write_sums

SEEDS = {1: 21, 2: 22, 3: 23}
"""Seed of each panel."""

SIGNS = {1: 1, 2: -1, 3: 1}
"""Which rival label is the higher one, by panel."""

LEVELS = {1: (8.1, 7.1, 8.5), 2: (8.0, 7.3, 8.6), 3: (8.2, 6.9, 8.4)}
"""Mean of each judge's neutral marks in study 2, by panel."""

TILTS = {1: (0.0, 0.0, 0.0), 2: (0.8, 0.6, 0.7), 3: (-0.6, -0.5, 0.5)}
"""Where the unnamed and the version label lie between LLM (-1) and human labels (1), by panel."""

ROOM = {"gpt-6.1-sol": (5.05, 6.1), "gemini-4-argon": (5.0, 6.15)}
"""Lowest and highest document mean of the judges whose levels are free."""


def build(number: int, folder: Path, demand: claims.Demand = claims.as_found) -> bool:
    """Build one panel and write its table.

    Parameters
    ----------
    number : int
        Panel number, which selects the seed and the plans.
    folder : Path
    demand : callable, optional
        Chooses among counts that meet the pins equally well, see `claims`.

    Returns
    -------
    bool
        Whether the search met every pin.
    """
    seed = SEEDS[number]
    plan = study1.Plan(_levels(np.random.default_rng([seed, 0])), SIGNS[number])
    counts, met = [], True
    for j, name in enumerate(JUDGES):
        found, judge, solved = study1.search(name, plan, seed * 10 + j)
        counts.append((judge.lowest, demand(name, found)))
        met = met and solved
    second, missed = study2.search(study2.Plan(LEVELS[number], TILTS[number]), seed)
    frame = write.rows(counts, second, np.random.default_rng([seed, 1]))
    write.write(folder / f"{write.TABLE}-reconstructed-{number}.parquet", frame, seed)
    write_sums(folder)
    return met and missed == 0


def reverse(claim: str, number: int, folder: Path) -> bool:
    """Whether rows exist that meet every pin and a claim; see `claims`."""
    return build(number, folder, claims.parse(claim))


def _levels(rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """Document means of each judge, drawn where the document leaves them free."""
    found = {"claude-sonnet-5.5": study1.SONNET_LEVELS}
    for name, (low, high) in ROOM.items():
        inner = np.sort(rng.uniform(low + 0.15, high - 0.15, len(DOCUMENTS) - 2))
        means = rng.permutation([low, *inner, high])
        found[name] = dict(zip(DOCUMENTS, means.tolist(), strict=True))
    return found
