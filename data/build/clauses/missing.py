"""Which answers could not be read.

The document counts unusable answers by run, model and some conditions, and how
many complete groups they leave; where they fall otherwise is drawn.
"""

from __future__ import annotations

import numpy as np

from data.build.clauses import pins
from data.build.clauses.reference import (
    CONDITIONS,
    CONFIRMATORY,
    DESCRIPTIVE,
    FAMILIES,
    MODELS,
    ONE_SIDED,
    RUNS,
    VARIANTS,
    Archetypes,
    condition,
    model,
)

ABSENT, CLEAN, REPAIRED, REPAIRABLE, FAILED = range(-1, 4)
PARSES = ("clean", "repaired", "repairable", "failed")

V2, V3 = RUNS.index("v2"), RUNS.index("v3")
GPT, SONNET = model("gpt-5.1"), model("claude-sonnet-5")
PRO, FLASH = model("gemini-3.1-pro-preview"), model("gemini-3.1-flash-lite")
ROLE, OPAQUE = condition("neutral_role"), condition("neutral_opaque")
REP_WEAK_ANON, REP_STRONG_ANON = condition("rep_weak_anon"), condition("rep_strong_anon")
REPRESENTED = [c for c, name in enumerate(CONDITIONS) if name.startswith("rep_")]
PAIRED = [ROLE, OPAQUE, REP_WEAK_ANON, REP_STRONG_ANON]
"""Conditions that the five hypotheses rest on."""

TWICE = 3
"""Groups of Gemini 3.1 Pro that lose two answers, and so only one pair."""


def draw(archetypes: Archetypes, rng: np.random.Generator) -> np.ndarray:
    """Parse state of every answer.

    Returns
    -------
    ndarray of int, shape (runs, models, families, archetypes, variants, conditions)
        An index into `PARSES`, or `ABSENT` outside a run.
    """
    shape = (len(RUNS), len(MODELS), len(FAMILIES), archetypes.size, len(VARIANTS), len(CONDITIONS))
    parse = np.full(shape, ABSENT)
    for run in range(len(RUNS)):
        parse[run][:, :, archetypes.in_run(run)] = CLEAN
    _first_run(parse, archetypes, rng)
    _role_labelled(parse, rng)
    _pro(parse, rng)
    _gpt(parse, archetypes, rng)
    sonnet = pins.count("v3.missing.claude-sonnet-5") - (parse[V3, SONNET] == FAILED).sum()
    _place(parse, _elsewhere(parse, V3, SONNET), FAILED, sonnet, rng)
    unparseable = pins.share_count("v3.unparseable.share", int((parse[V3] >= CLEAN).sum()))
    recovered = unparseable - pins.count("v3.missing.count")
    repaired = rng.choice([GPT, SONNET, FLASH])
    _place(parse, _elsewhere(parse, V3, repaired), REPAIRED, recovered, rng)
    return parse


def complete(parse: np.ndarray, *conditions: int) -> np.ndarray:
    """Groups whose one-sided answers are usable under all conditions.

    Returns
    -------
    ndarray of bool, shape (runs, models, families, archetypes)
    """
    pairs = parse[..., ONE_SIDED, :][..., list(conditions)]
    return ((pairs == CLEAN) | (pairs == REPAIRED)).all(axis=(-2, -1))


def _place(parse, allowed, state, number, rng) -> None:
    """Give a state to ``number`` of the clean answers that are allowed."""
    places = np.argwhere(allowed & (parse == CLEAN))
    for place in rng.permutation(places)[:number]:
        parse[tuple(place)] = state


def _cells(parse, run, m, families, archetypes, variants, conditions) -> np.ndarray:
    """Mask of a block of answers, given by positions on each axis."""
    mask = np.zeros(parse.shape, dtype=bool)
    mask[np.ix_([run], [m], families, archetypes, variants, conditions)] = True
    return mask


def _block(parse, run, m, conditions, families=None, variants=None) -> np.ndarray:
    everywhere = [range(size) for size in parse.shape]
    families = everywhere[2] if families is None else families
    variants = everywhere[4] if variants is None else variants
    return _cells(parse, run, m, families, everywhere[3], variants, conditions)


def _elsewhere(parse, run, m) -> np.ndarray:
    """Answers that no hypothesis and no count of direction calls rests on."""
    mask = _block(parse, run, m, range(len(CONDITIONS)))
    mask &= ~_block(parse, run, m, PAIRED, CONFIRMATORY, ONE_SIDED)
    return mask & ~_block(parse, run, m, [ROLE, OPAQUE], None, ONE_SIDED)


def _first_run(parse, archetypes, rng) -> None:
    """v2: one model's truncations, most of them repaired, and one failure of another."""
    sonnet = pins.count("v2.truncated.claude-sonnet-5")
    recovered = pins.count("v2.parse.recovered")
    changed = np.flatnonzero(~archetypes.unchanged)
    # One group without its opaque pair and one without a represented pair
    # leave all cells but H1 with one pair fewer.
    opaque = _cells(parse, V2, SONNET, CONFIRMATORY, changed, ONE_SIDED, [OPAQUE])
    _place(parse, opaque, FAILED, 1, rng)
    represented = [REP_WEAK_ANON, REP_STRONG_ANON]
    _place(parse, _block(parse, V2, SONNET, represented, CONFIRMATORY, ONE_SIDED), FAILED, 1, rng)
    left = sonnet - recovered - (parse[V2, SONNET] == FAILED).sum()
    _place(parse, _elsewhere(parse, V2, SONNET), FAILED, left, rng)
    _place(parse, _block(parse, V2, SONNET, range(len(CONDITIONS))), REPAIRED, recovered, rng)
    other = rng.choice([GPT, FLASH])
    unnamed = pins.count("v2.parse.unparseable") - sonnet
    _place(parse, _elsewhere(parse, V2, other), FAILED, unnamed, rng)


def _role_labelled(parse, rng) -> None:
    """v3: the role-labeled answers that are missing from the count of direction calls."""
    asked = int((parse[V3][..., ONE_SIDED, ROLE] >= CLEAN).sum())
    for _ in range(asked - pins.count("direction.v3.parsed")):
        m = rng.choice([GPT, SONNET])
        _place(parse, _block(parse, V3, m, [ROLE], DESCRIPTIVE, ONE_SIDED), FAILED, 1, rng)


def _pro(parse, rng) -> None:
    """v3: truncations under represented conditions, clustered in few groups."""
    stem = "v3.missing.gemini-3.1-pro-preview"
    number = {
        REP_WEAK_ANON: pins.count(f"{stem}.rep_weak_anon"),
        REP_STRONG_ANON: pins.count(f"{stem}.rep_strong_anon"),
    }
    full = pins.count("v3.group_pairs.full")
    lost = full - pins.count("v3.group_pairs.gemini-3.1-pro-preview.h5")
    groups = np.argwhere(parse[V3, PRO][CONFIRMATORY][..., 0, 0] == CLEAN)
    for k, (f, a) in enumerate(rng.permutation(groups)[:lost]):
        first = REP_STRONG_ANON if k == 0 else REP_WEAK_ANON
        group = [V3, PRO, [CONFIRMATORY[f]], [a], ONE_SIDED]
        _place(parse, _cells(parse, *group, [first]), FAILED, 1, rng)
        if k < TWICE:
            both = [REP_WEAK_ANON, REP_STRONG_ANON]
            _place(parse, _cells(parse, *group, [both[k % 2]]), FAILED, 1, rng)
    for c, wanted in number.items():
        mask = _elsewhere(parse, V3, PRO) & _block(parse, V3, PRO, [c])
        _place(parse, mask, FAILED, wanted - (parse[V3, PRO][..., c] == FAILED).sum(), rng)
    others = [c for c in REPRESENTED if c not in number]
    left = pins.count(stem) - sum(number.values())
    _place(parse, _block(parse, V3, PRO, others), FAILED, left, rng)


def _gpt(parse, archetypes, rng) -> None:
    """v3: failures of which some lack a closing brace only, two of these in H4."""
    repairable = pins.count("v3.missing.gpt-5.1.brace_repairable")
    in_h4 = pins.count("v3.missing.gpt-5.1.brace_repairable_h4")
    changed = np.flatnonzero(~archetypes.unchanged & ~archetypes.dropped)
    # In two families, so that they are two groups: the printed mean of H3 needs
    # both of them gone.
    for f in CONFIRMATORY[:in_h4]:
        _place(parse, _cells(parse, V3, GPT, [f], changed, ONE_SIDED, [OPAQUE]), REPAIRABLE, 1, rng)
    _place(parse, _elsewhere(parse, V3, GPT), REPAIRABLE, repairable - in_h4, rng)
    left = pins.count("v3.missing.gpt-5.1") - (parse[V3, GPT] >= REPAIRABLE).sum()
    _place(parse, _elsewhere(parse, V3, GPT), FAILED, left, rng)
