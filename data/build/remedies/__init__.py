"""Row reconstruction for the remedies study.

Each panel is searched for in the order in which figures depend on each other: the GPT models'
holdout (its volumes are Jev's targets), Jev's holdout, the coupling of both, then what is paired
with the holdout: the exploratory panel, edits, standard styles, repeats, attributes and the audit.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from core.studies.remedies.ties import take_highest
from data.build.remedies import (
    again,
    attributes,
    audit,
    edits,
    exploratory,
    gpt,
    holdout,
    inferred,
    jev,
    jev_model,
    mitigation,
    parts,
    tables,
    write,
)
from data.build.remedies.pinned import pins
from data.build.remedies.reference import BANKS, GUISES
from data.build.sums import write_sums

SEEDS = {1: 31, 2: 32, 3: 33}
"""Seed of each panel."""

LEVEL = np.array([1, 2])


def reverse(claim: str, number: int, folder: Path) -> bool:
    """Whether rows were found on which a claim holds beside what is printed.

    The claim ``mixed:BANK`` is that more complaints have mixed decisions in that bank, at Jev's
    matched threshold: the document prints both shares without the banks.
    """
    banks = {f"mixed:{bank}": b for b, bank in enumerate(BANKS)}
    if claim not in banks:
        raise ValueError(f"{claim!r} is not one of {', '.join(banks)}")
    return build(number, folder, mixed=jev.MORE_MIXED[:: -1 if banks[claim] else 1])


def build(number: int, folder: Path, *, mixed: tuple[str, ...] = jev.MORE_MIXED) -> bool:
    """Build one panel and write its tables.

    Parameters
    ----------
    number : int
        Panel number, which selects the seed.
    folder : Path
    mixed : tuple of str, optional
        See `holdout.solve`.

    Returns
    -------
    bool
        Whether what a claim may exchange prints as asked for. What else a search misses is printed;
        `check` says which figures that costs.
    """
    seed, began = SEEDS[number], time.monotonic()
    name = f"holdout-{mixed[0]}-{number}"
    kept = parts.kept(folder, name, holdout.MODULES, lambda: holdout.solve(seed, mixed))
    found = _rest(kept, seed)
    tiers = [kept["gpt4o"], kept["gpt5"]]
    missed = len(jev.misses(kept["jev"], tiers, mixed))
    write.write("decisions", tables.decisions(found), number, seed, pins("decisions"), folder)
    _attributes(found, number, seed, folder)
    _audit(found, number, seed, folder)
    write_sums(folder)
    parts.drop(folder, number)
    took = time.monotonic() - began
    print(f"panel {number}: {missed} windows of Jev missed, {took:.0f} s", flush=True)
    return jev.mixed_as_asked(kept["jev"], tiers, mixed)


def _rest(kept: dict[str, np.ndarray], seed: int) -> tables.Found:
    """Search for everything that is paired with the holdout."""
    tiers, p = (kept["gpt4o"], kept["gpt5"]), kept["jev"]

    def stream(stage: int) -> np.random.Generator:
        return np.random.default_rng([seed, 3, stage])

    explored = tuple(gpt.exploratory(b, tiers[b], stream(b))[0] for b in range(2))
    pooled = [np.concatenate([explored[b], tiers[b]]) for b in range(2)]
    primary = np.ascontiguousarray(p[:, :, :, 0])
    jev_explored = exploratory.solve(primary, pooled, jev_model.CONSTANTS, stream(2))
    jev_explored, explored = exploratory.refined(jev_explored, primary, pooled, stream(12))
    edited = tuple(edits.gpt_tiers(b, tiers[b][: edits.EDITED], stream(3 + b)) for b in range(2))
    cuts = jev.fixed(p, list(tiers))
    jev_edited, _ = edits.jev(np.ascontiguousarray(p[:, :, 0]), cuts, stream(5))
    edited_styles, _ = edits.styled_tiers(edited[0], stream(6))
    jev_edited_styles, _ = edits.styled_scores(jev_edited, stream(7))
    first = np.ascontiguousarray(primary[:, :, 0])
    styles, _ = mitigation.gpt(tiers[0], stream(8))
    jev_styles, _ = mitigation.jev(first, stream(9))
    rescored, second = again.rescored(primary.reshape(-1, 2), stream(10))
    baseline, fresh, jev_fresh = _baseline(tiers[0], first, styles, jev_styles, stream(11))
    return tables.Found(
        tiers,
        p,
        explored,
        jev_explored,
        edited,
        jev_edited,
        edited_styles,
        jev_edited_styles,
        styles,
        jev_styles,
        rescored,
        second,
        baseline,
        fresh,
        jev_fresh,
    )


def _baseline(tiers, first, styles, jev_styles, rng):
    """Complaints of the same-day baseline, and both systems' fresh answers under M0 and M1."""
    old = (first[: mitigation.MITIGATED], jev_styles[:, :, 0])
    new = [again.scored_again(p, again.NOISE, rng) for p in old]
    styled = styles[:, :, 0]
    chosen, _ = again.baseline(tiers, styled, new[1], old[0], new[0], rng)
    fresh = again.fresh_changes(rng, tiers[chosen], styled[chosen])
    return chosen, fresh, (new[0][chosen], new[1][chosen])


def _attributes(f: tables.Found, number: int, seed: int, folder: Path) -> None:
    rng = np.random.default_rng([seed, 4])
    p = f.jev[:, :, 0, 0]
    outcomes = attributes.Outcomes(f.gpt[0].astype(float), p @ LEVEL / 100, p[..., 1] / 100)
    guises, reached = attributes.solve(outcomes, rng)
    styled, edited = attributes.styled(guises, rng), attributes.edited(guises, rng)
    levels = inferred.probabilities(guises, f.gpt[0], rng)
    frame = tables.attributes(guises, styled, edited, levels)
    write.write("attributes", frame, number, seed, pins("attributes"), folder)
    away = np.abs(reached / attributes.aims(outcomes) - 1).max()
    print(f"  attributes: at most {100 * away:.1f}% from what is aimed at", flush=True)


def _audit(f: tables.Found, number: int, seed: int, folder: Path) -> None:
    rng = np.random.default_rng([seed, 5])
    m = (f.gpt[0] == 2).sum(1)
    mixed = (m > 0) & (m < GUISES)
    weights = (float(1 - mixed.mean()), float(mixed.mean()))
    p = f.jev[:, :, 0, 0]
    level = p @ LEVEL
    paid = take_highest(p[..., 1].astype(np.int64), int(m.sum()), jev.places())
    chosen, flags, missed = audit.flags(f.gpt[0], level, paid, weights, rng)
    frame = tables.audits(chosen, flags, weights, mixed, rng)
    write.write("audit", frame, number, seed, pins("audit"), folder)
    print(f"  audit: {len(missed)} windows missed", flush=True)
