"""Texts decided a second time: 1,000 scored twice by Jev, and the same-day baseline."""

from __future__ import annotations

import numpy as np

from data.build.remedies import jev_model
from data.build.remedies.choose import choose
from data.build.remedies.pins import NORMAL, Targets, figure
from data.build.remedies.reference import (
    AGE,
    EDUCATION,
    GUISES,
    MITIGATED,
    PER_SIDE,
    SES,
    SIGNS,
)

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


def fresh_tiers(
    old: np.ndarray, share: float, change: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Tiers decided again: a share is the same, the mean is, and gaps change as asked.

    Parameters
    ----------
    old : ndarray, shape (complaints, guises)
    share : float
        Of texts with the same tier.
    change : ndarray, shape (3,)
        Wanted change of the three gaps.
    rng : numpy.random.Generator
    """
    count = round((1 - share) * old.size)
    count += count % 2
    step = np.zeros(old.size, dtype=np.int64)
    flat = old.ravel().astype(np.int64)
    # Up and down in pairs within a complaint: the mean difference of a complaint is nearly none.
    while np.count_nonzero(step) < count:
        own = int(rng.integers(len(old))) * GUISES + rng.permutation(GUISES)
        own = own[step[own] == 0]
        up, down = own[flat[own] < 2][:1], own[flat[own] > 0][:2]
        down = down[~np.isin(down, up)][:1]
        if len(up) and len(down):
            step[up], step[down] = 1, -1
    weight = np.tile(SIGNS / PER_SIDE[:, None], len(old)) / len(old)
    unit = 0.0004

    def loss(gaps: np.ndarray) -> float:
        return float((((gaps - change) / unit) ** 2).sum())

    gaps = weight @ step
    for _ in range(20_000):
        if np.abs(gaps - change).max() < unit:
            break
        one = int(rng.choice(np.flatnonzero(step)))
        other = one - one % GUISES + int(rng.integers(GUISES))
        if step[other] != 0 or not 0 <= flat[other] + step[one] <= 2:
            continue
        moved = gaps + step[one] * (weight[:, other] - weight[:, one])
        if loss(moved) < loss(gaps):
            step[other], step[one] = step[one], 0
            gaps = moved
    return (flat + step).reshape(old.shape).astype(np.int8)


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
        [
            *(gap_0[:, EDUCATION], less[:, EDUCATION], less[:, SES]),
            *(jev[:, EDUCATION], jev[:, AGE], tv),
            *(less[:, EDUCATION] ** 2, less[:, SES] ** 2),
        ]
    )
    aim = Targets(10)
    for place, name in ((6, "edu"), (8, "ses")):
        aim.ends(place, f"appd.db2.reduction.{name}.original")
    aim.value(GAP_0, "appd.db2.m0_gap.edu")
    aim.value(LESS_1, "appd.db2.reduction.edu.original", soft=0.3)
    aim.value(LESS_2, "appd.db2.reduction.ses.original", soft=0.3)
    aim.value(JEV_EDU, "sec4_8.db2.jev.edu")
    aim.value(JEV_AGE, "sec4_8.db2.jev.age")
    aim.value(TV, "sec4_8.db1.tv.jev")
    everyone = np.arange(MITIGATED)

    def measure(sums: np.ndarray) -> np.ndarray:
        mean = sums[0] / BASELINE
        half = NORMAL * np.sqrt((mean[6:] - mean[[LESS_1, LESS_2]] ** 2) / BASELINE)
        ends = [mean[at] + s * half[i] for i, at in enumerate((LESS_1, LESS_2)) for s in (-1, 1)]
        return np.concatenate([mean[:6], ends])

    return choose(numbers, [(everyone, BASELINE)], measure, aim, rng, tries=60_000)


FRESH_FIGURES = (
    "sec4_8.db1.match.m0",
    "sec4_8.db1.match.m1",
    "sec4_8.db1.mean_diff.m0",
    "sec4_8.db2.reduction.edu.fresh",
    "sec4_8.db2.reduction.ses.fresh",
)


def fresh_changes(rng: np.random.Generator, tiers: np.ndarray, styled: np.ndarray) -> tuple:
    """GPT-4o-mini's tiers of M0 and M1 decided again, shape (complaints, guises) each."""
    change = np.zeros(3)
    for i, name in ((EDUCATION, "edu"), (SES, "ses")):
        fresh = figure(f"sec4_8.db2.reduction.{name}.fresh").value
        now = ((tiers.astype(int) - styled) @ SIGNS[i] / PER_SIDE[i]).mean()
        change[i] = fresh - now
    out = []
    for y, arm, wanted in ((tiers, "m0", change), (styled, "m1", np.zeros(3))):
        share = figure(f"sec4_8.db1.match.{arm}").value / 100
        out.append(fresh_tiers(y, share, wanted, rng))
    return tuple(out)


NOISE = 0.128
"""Noise on Jev's logits in the baseline, which gives about the printed distance of .020."""
