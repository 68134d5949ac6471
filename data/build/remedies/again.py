"""Texts decided a second time: 1,000 scored twice by Jev, and the same-day baseline."""

from __future__ import annotations

import numpy as np
from numba import njit

from data.build.remedies import jev_model, resampled
from data.build.remedies.choose import choose
from data.build.remedies.pins import Targets, figure
from data.build.remedies.reference import (
    AGE,
    EDUCATION,
    GUISES,
    MITIGATED,
    PER_SIDE,
    SES,
    SIGNS,
)

SIDE = PER_SIDE.astype(np.float64)
RESCORED = 1000
BASELINE = 100


def most_likely(p: np.ndarray) -> np.ndarray:
    """Argmax tier of hundredths (.., 2); ties go to the lowest tier."""
    whole = np.concatenate([100 - p.sum(-1, keepdims=True), p], -1)
    return whole.argmax(-1)


def distance(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Total variation distance between hundredths (.., 2)."""
    step = one.astype(np.int64) - other
    return (np.abs(step).sum(-1) + np.abs(step.sum(-1))) / 200


def scored_again(p: np.ndarray, noise: float, rng: np.random.Generator) -> np.ndarray:
    """Hundredths of the same texts with noise on both logits."""
    whole = np.concatenate([100 - p.sum(-1, keepdims=True), p], -1) + 0.3
    logit = np.log(whole[..., 1:] / whole[..., :1])
    moved = logit + noise * rng.standard_normal(logit.shape)
    return jev_model.hundredths(moved[..., 0], moved[..., 1])


def rescored(p: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Which texts were scored twice, and their second hundredths.

    Parameters
    ----------
    p : ndarray, shape (texts, 2)
        All texts under the primary order.
    rng : numpy.random.Generator

    Returns
    -------
    texts : ndarray of int, shape (1000,)
    second : ndarray, shape (1000, 2)
    """
    wanted, half = figure("sec4_1.tv.rescore").value, figure("sec4_1.tv.rescore").half_unit
    flips = round(figure("sec4_1.tier_flip_rescore").value * RESCORED / 100)
    pool = rng.permutation(len(p))[: 6 * RESCORED]
    seed = int(rng.integers(2**31))
    low, high = 0.02, 0.6
    for _ in range(30):
        noise = (low + high) / 2
        second = scored_again(p[pool], noise, np.random.default_rng(seed))
        flipped = most_likely(second) != most_likely(p[pool])
        taken = np.concatenate(
            [np.flatnonzero(flipped)[:flips], np.flatnonzero(~flipped)[: RESCORED - flips]]
        )
        mean = distance(second[taken], p[pool[taken]]).mean()
        if abs(mean - wanted) < 0.3 * half and len(taken) == RESCORED:
            break
        low, high = (noise, high) if mean < wanted else (low, noise)
    order = np.argsort(pool[taken])
    return pool[taken][order], second[taken][order]


STARTS = 4
"""How often the choice of the baseline's complaints is begun anew until it meets its figures."""

GAP_0, LESS_1, LESS_2, JEV_EDU, JEV_AGE, TV = range(6)


def baseline(
    tiers: np.ndarray,
    styled: np.ndarray,
    fresh: np.ndarray,
    first: np.ndarray,
    again: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, float]:
    """Choose the complaints of the baseline, and give the loss that is left.

    Parameters
    ----------
    tiers, styled : ndarray, shape (complaints, guises)
        GPT-4o-mini's tiers under M0 and M1.
    fresh : ndarray, shape (complaints, guises, 2)
        Jev's hundredths of M1 decided again.
    first, again : ndarray, shape (complaints, guises, 2)
        Jev's hundredths of M0, of record and again.
    rng : numpy.random.Generator
    """
    side = PER_SIDE.astype(float)
    gap_0, gap_1 = (y[:MITIGATED] @ SIGNS.T / side for y in (tiers, styled))
    jev = fresh @ np.array([1, 2]) / 100 @ SIGNS.T / side
    tv = distance(first, again).mean(1)
    less = gap_0 - gap_1
    numbers = np.column_stack(
        [gap_0[:, EDUCATION], less[:, EDUCATION], less[:, SES], jev[:, EDUCATION], jev[:, AGE], tv]
    )
    aim, ends = Targets(6), resampled.Ends()
    aim.value(GAP_0, "appd.db2.m0_gap.edu")
    for place, name in ((LESS_1, "edu"), (LESS_2, "ses")):
        aim.value(place, f"appd.db2.reduction.{name}.original", soft=0.3)
        ends.add(f"appd.db2.reduction.{name}.original")
    aim.value(JEV_EDU, "sec4_8.db2.jev.edu")
    aim.value(JEV_AGE, "sec4_8.db2.jev.age")
    aim.value(TV, "sec4_8.db1.tv.jev")
    everyone, counts = np.arange(MITIGATED), resampled.weights(BASELINE) / BASELINE

    def measure(sums: np.ndarray) -> np.ndarray:
        return np.asarray(sums[0] / BASELINE)

    def extra(members: list[np.ndarray]) -> float:
        return ends.loss(less[members[0]][:, [EDUCATION, SES]].T @ counts)

    best, least = everyone[:BASELINE], np.inf
    for _ in range(STARTS):
        found, loss = choose(
            numbers, [(everyone, BASELINE)], measure, aim, rng, tries=30_000, extra=extra
        )
        if loss < least:
            best, least = found, loss
        if loss == 0:
            break
    print(f"  baseline: loss {least:.3f}", flush=True)
    return best, least


FRESH_FIGURES = (
    "sec4_8.db1.match.m0",
    "sec4_8.db1.match.m1",
    "sec4_8.db1.mean_diff.m0",
    "sec4_8.db2.reduction.edu.fresh",
    "sec4_8.db2.reduction.ses.fresh",
)


# Search for the answers of both arms. A row is 36 guises with the tiers of M0 and M1 decided again;
# what is known of a complaint is the tiers of record in the same places.
ARMS = 2
CHANGED, MOVED, REDUCED = 0, ARMS, ARMS + 1
"""Features: changed texts of each arm; mean step of M0; reductions of the gaps."""
FRESH_FEATURES = REDUCED + 3


@njit(cache=False)
def fresh_features(row, aux, fixed, out):
    """Numbers of one complaint."""
    out[:] = 0.0
    for k in range(GUISES):
        for arm in range(ARMS):
            out[CHANGED + arm] += row[k, arm] != aux[k, arm]
        out[MOVED] += (row[k, 0] - aux[k, 0]) / GUISES
        for i in range(3):
            out[REDUCED + i] += SIGNS[i, k] * (row[k, 0] - row[k, 1]) / SIDE[i]


@njit(cache=False)
def fresh_measure(sums, fixed, out):
    """Means over the complaints, and the shares of texts that are the same."""
    out[:] = sums[0] / BASELINE
    for arm in range(ARMS):
        out[CHANGED + arm] = 1 - out[CHANGED + arm] / GUISES


@njit(cache=False)
def fresh_propose(row, new):
    """Move one text to a neighbouring tier."""
    new[:] = row
    k, arm = np.random.randint(GUISES), np.random.randint(ARMS)
    tier = row[k, arm] + (1 if np.random.random() < 0.5 else -1)
    new[k, arm] = tier
    return 0 <= tier <= 2


@njit(cache=False)
def fresh_derive(totals, j, fixed, out):
    """Draws of the rows' means."""
    out[0] = totals[j] / BASELINE
    return out.shape[1]


fresh_search = resampled.annealer(
    fresh_features, fresh_measure, resampled.one_complaint(fresh_propose), fresh_derive
)

FRESH_PLAN = ((0.3, 120_000), (0.05, 120_000), (0.01, 80_000))
"""Starting heat and moves."""


def fresh_changes(rng: np.random.Generator, tiers: np.ndarray, styled: np.ndarray) -> tuple:
    """GPT-4o-mini's tiers of M0 and M1 decided again, shape (complaints, guises) each."""
    aim = Targets(FRESH_FEATURES)
    for arm in range(ARMS):
        aim.value(CHANGED + arm, f"sec4_8.db1.match.m{arm}", 0.01)
    aim.free(MOVED, -1e-9, 1e-9, 5 / GUISES / BASELINE)
    ends = resampled.Ends((MOVED, REDUCED + EDUCATION, REDUCED + SES))
    ends.add("sec4_8.db1.mean_diff.m0")
    for i, name in ((EDUCATION, "edu"), (SES, "ses")):
        aim.value(REDUCED + i, f"sec4_8.db2.reduction.{name}.fresh")
        ends.add(f"sec4_8.db2.reduction.{name}.fresh")
    old = np.ascontiguousarray(np.stack([tiers, styled], -1).astype(np.int64))
    found, fixed, blocks = old.copy(), np.zeros(1), np.ones(BASELINE, dtype=np.int64)
    uses, counts = np.eye(3, dtype=np.bool_), resampled.weights(BASELINE)
    for hot, moves in FRESH_PLAN:
        tail = (uses, counts, moves, hot, hot / 10, int(rng.integers(2**31)))
        arrays = (aim.low, aim.high, aim.unit, *ends.arrays())
        loss, _ = fresh_search(found, old, fixed, blocks, FRESH_FEATURES, *arrays, *tail)
    print(f"  baseline, decided again: loss {loss:.3f}", flush=True)
    return found[..., 0].astype(np.int8), found[..., 1].astype(np.int8)


NOISE = 0.128
"""Noise on Jev's logits in the baseline, which gives about the printed distance of .020."""
