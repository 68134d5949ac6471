"""Row reconstruction for the clauses study.

`build` writes one panel: asymmetries of every clause group are searched first,
ratings, missing answers and direction calls are set around them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from data.build.clauses import (
    asymmetry,
    direction,
    missing,
    patterns,
    pins,
    ratings,
    stability,
    unchanged,
    write,
)
from data.build.clauses.reference import CONDITIONS, HYPOTHESES, MODELS, RUNS, draw_archetypes

SEEDS = {number: pattern.seed for number, pattern in patterns.PATTERNS.items()}
"""Seed of each panel."""

ATTEMPTS = 3
LEADERS_FIRST = 4.0
"""Lifts the archetypes of the withdrawn claim above all others."""


def build(number: int, folder: Path) -> bool:
    """Build one panel and write its two tables.

    Parameters
    ----------
    number : int
        Panel number, which selects the pattern and the seed.
    folder : Path

    Returns
    -------
    bool
        Whether the search met every target.
    """
    return _build(patterns.PATTERNS[number], number, folder)


def reverse(claim: str, number: int, folder: Path) -> bool:
    """Whether rows exist that meet every pin and give one cell another verdict.

    A claim is written ``RUN:MODEL:HYPOTHESIS=VERDICT`` with the verdict
    ``supported``, ``interval`` (lost through Holm) or ``no``.
    """
    cell, _, verdict = claim.partition("=")
    run, model, hypothesis = cell.split(":")
    if hypothesis not in HYPOTHESES or verdict not in ("supported", "interval", "no"):
        raise ValueError(f"claim {claim!r} is not RUN:MODEL:HYPOTHESIS=VERDICT")
    pattern = patterns.PATTERNS[number]
    asked = pattern.asking(RUNS.index(run), MODELS.index(model), hypothesis, verdict)
    return _build(asked, number, folder)


def _build(pattern: patterns.Pattern, number: int, folder: Path) -> bool:
    for attempt in range(ATTEMPTS):
        rng = np.random.default_rng([pattern.seed, attempt])
        panel = _panel(pattern, rng)
        found = asymmetry.search(panel, rng)
        if found.settled:
            break
    rows = _rows(panel, found, rng)
    kept = stability.count(rows.ratings, rows.parse, pattern.wanted())
    note = f"; verdicts as planned under {kept} of {len(stability.SEEDS)} resampling seeds"
    three = pattern.third_flip
    write.write(rows, number, pattern.seed, note, three_before=three, folder=folder)
    return found.settled


def _panel(pattern: patterns.Pattern, rng: np.random.Generator) -> asymmetry.Panel:
    """Draw what the search of asymmetries starts from."""
    archetypes = draw_archetypes(
        rng,
        size=pins.count("v2.n_archetypes"),
        dropped=pins.count("v3.archetypes_dropped"),
        giveaway=pins.count("v2.defects.giveaway"),
        unchanged=pins.count("unchanged.n_archetypes"),
    )
    parse = missing.draw(archetypes, rng)
    rank = rng.normal(size=archetypes.size) + LEADERS_FIRST * archetypes.named_dropped
    return asymmetry.Panel(pattern, archetypes, parse, unchanged.search(rng), rank)


def _rows(
    panel: asymmetry.Panel, found: asymmetry.Asymmetries, rng: np.random.Generator
) -> write.Rows:
    """Set ratings, direction calls and labels around the asymmetries."""
    parse = panel.parse
    usable = (parse == missing.CLEAN) | (parse == missing.REPAIRED)
    return write.Rows(
        archetypes=panel.archetypes,
        parse=parse,
        ratings=ratings.build(found, len(CONDITIONS), rng),
        calls=direction.build(panel.archetypes, usable, rng),
        party_a=write.draw_party_a(panel.archetypes, rng),
    )
