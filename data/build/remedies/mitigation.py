"""Guises rewritten into three standard styles: arms M1 (style A) and M2 (the mean of three).

What is paired with the guise as first written (arm M0) enters as a constant of the complaint: its
gaps, its MPAD and its disagreement.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from data.build.remedies import jev_model, resampled
from data.build.remedies.anneal import annealer
from data.build.remedies.jev_features import most_likely
from data.build.remedies.numbers import ends, shift
from data.build.remedies.pins import Targets
from data.build.remedies.reference import (
    AGE,
    EDUCATION,
    GUISES,
    MITIGATED,
    PAIRS,
    PER_SIDE,
    SES,
    SIGNS,
)

STYLES = 3
SIDE = PER_SIDE.astype(np.float64)

# Features: for each contrast gap of M1, of M2 and reduction, each with its square.
GAP_1, GAP_2, LESS = 0, 2, 4
OF_CONTRAST = 6
SPREAD = 3 * OF_CONTRAST
"""MPAD of M1 and M2; M0 - M1 and M1 - M2 with squares; disagreement, its fall and the square."""
MONEY = SPREAD + 9
FEATURES = MONEY + 6

# Statistics.
S_GAP_1, S_GAP_2, S_LESS, S_SHARE = 0, 3, 6, 9
"""Each gap is a value and two ends; last M1's gap as a share of M0's."""
PER_CONTRAST = 10
S_SPREAD_1 = 3 * PER_CONTRAST
S_SPREAD_2, S_FALL_1, S_FALL_2, S_FALL, S_DIFFER, S_STEP, S_MONEY = (
    S_SPREAD_1 + n for n in (1, 2, 5, 8, 9, 10, 13)
)
STATISTICS = S_MONEY + 9


@njit(cache=False)
def mean_difference(y):
    """Mean absolute pairwise difference (NOTES 3.6)."""
    total = 0.0
    for i in range(GUISES):
        for j in range(i):
            total += abs(y[i] - y[j])
    return total / PAIRS


@njit(cache=False)
def arm_features(first, mean, pays, paid_first, aux, out):
    """Numbers of one complaint.

    Parameters
    ----------
    first, mean : ndarray
        Outcomes of the guises in style A, and averaged over styles.
    pays : ndarray
        Majority of the monetary decisions in the three styles.
    paid_first : ndarray
        Monetary decision in style A.
    aux : ndarray
        Of M0: three gaps, MPAD, disagreement.
    out : ndarray
    """
    m = 0
    for i in range(3):
        gap_1, gap_2, money = 0.0, 0.0, 0.0
        for k in range(GUISES):
            gap_1 += SIGNS[i, k] * first[k]
            gap_2 += SIGNS[i, k] * mean[k]
            money += SIGNS[i, k] * paid_first[k]
        gap_1, gap_2, money = gap_1 / SIDE[i], gap_2 / SIDE[i], money / SIDE[i]
        less, at = aux[i] - gap_1, i * OF_CONTRAST
        out[at], out[at + 1] = gap_1, gap_1 * gap_1
        out[at + 2], out[at + 3] = gap_2, gap_2 * gap_2
        out[at + 4], out[at + 5] = less, less * less
        out[MONEY + 2 * i], out[MONEY + 2 * i + 1] = money, money * money
    for k in range(GUISES):
        m += pays[k]
    spread_1, spread_2 = mean_difference(first), mean_difference(mean)
    fall_1, fall_2 = aux[3] - spread_1, spread_1 - spread_2
    differ = m * (GUISES - m) / PAIRS
    out[SPREAD], out[SPREAD + 1] = spread_1, spread_2
    out[SPREAD + 2], out[SPREAD + 3] = fall_1, fall_1 * fall_1
    out[SPREAD + 4], out[SPREAD + 5] = fall_2, fall_2 * fall_2
    out[SPREAD + 6] = differ
    out[SPREAD + 7], out[SPREAD + 8] = aux[4] - differ, (aux[4] - differ) ** 2


@njit(cache=False)
def measure(sums, fixed, out):
    """Gaps, reductions, MPAD and disagreement, with the ends of their intervals."""
    s, n = sums[0], MITIGATED
    for i in range(3):
        at, to = i * OF_CONTRAST, i * PER_CONTRAST
        for j in range(3):
            out[to + 3 * j] = s[at + 2 * j] / n
            ends(s[at + 2 * j], s[at + 2 * j + 1], n, 1.0, out, to + 3 * j + 1)
        out[to + S_SHARE] = out[to] / (out[to] + out[to + S_LESS])
        out[S_MONEY + 3 * i] = s[MONEY + 2 * i] / n
        ends(s[MONEY + 2 * i], s[MONEY + 2 * i + 1], n, 1.0, out, S_MONEY + 3 * i + 1)
    out[S_SPREAD_1], out[S_SPREAD_2] = s[SPREAD] / n, s[SPREAD + 1] / n
    for place, to in ((SPREAD + 2, S_FALL_1), (SPREAD + 4, S_FALL_2), (SPREAD + 7, S_STEP)):
        out[to] = s[place] / n
        ends(s[place], s[place + 1], n, 1.0, out, to + 1)
    before = out[S_SPREAD_1] + out[S_FALL_1]
    out[S_FALL] = 1 - out[S_SPREAD_2] / before
    out[S_DIFFER] = s[SPREAD + 6] / n


@njit(cache=False)
def tier_features(row, aux, fixed, out):
    """From 36 tiers in each of three styles."""
    first, mean = np.zeros(GUISES), np.zeros(GUISES)
    pays, paid = np.zeros(GUISES, np.int64), np.zeros(GUISES, np.int64)
    for k in range(GUISES):
        votes = 0
        for style in range(STYLES):
            mean[k] += row[k, style] / STYLES
            votes += row[k, style] == 2
        first[k], pays[k], paid[k] = row[k, 0], votes >= 2, row[k, 0] == 2
    arm_features(first, mean, pays, paid, aux, out)


@njit(cache=False)
def score_features(row, aux, fixed, out):
    """From 36 hundredths (p1, p2) in each of three styles; money goes by the most likely tier."""
    first, mean = np.zeros(GUISES), np.zeros(GUISES)
    pays, paid = np.zeros(GUISES, np.int64), np.zeros(GUISES, np.int64)
    for k in range(GUISES):
        votes = 0
        for style in range(STYLES):
            p1, p2 = np.int64(row[k, style, 0]), np.int64(row[k, style, 1])
            level, tier = (p1 + 2 * p2) / 100, most_likely(p1, p2)
            mean[k] += level / STYLES
            votes += tier == 2
            if style == 0:
                first[k], paid[k] = level, tier == 2
        pays[k] = votes >= 2
    arm_features(first, mean, pays, paid, aux, out)


@njit(cache=False)
def tier_propose(row, new):
    """Swap two guises in one style or in all, or give one text a tier that its complaint has."""
    new[:] = row
    k, other = np.random.randint(GUISES), np.random.randint(GUISES)
    style = np.random.randint(STYLES)
    draw = np.random.random()
    if draw < 0.3:
        new[k], new[other] = row[other], row[k]
        return k != other
    if draw < 0.6:
        new[k, style], new[other, style] = row[other, style], row[k, style]
        return row[k, style] != row[other, style]
    tier = row[other, np.random.randint(STYLES)]
    new[k, style] = tier if np.random.random() < 0.99 else np.random.randint(3)
    return tier != row[k, style]


@njit(cache=False)
def score_propose(row, new):
    """Swap two guises in one style or in all, or move a hundredth for one guise or for all."""
    new[:] = row
    k, other = np.random.randint(GUISES), np.random.randint(GUISES)
    style, draw = np.random.randint(STYLES), np.random.random()
    if draw < 0.2:
        new[k], new[other] = row[other], row[k]
        return k != other
    if draw < 0.5:
        new[k, style], new[other, style] = row[other, style], row[k, style]
        return k != other
    giver = np.random.randint(3)
    taker = (giver + 1 + np.random.randint(2)) % 3
    moved = False
    for j in range(GUISES):
        if j == k or draw > 0.93:
            moved |= shift(new[j, style], giver, taker, 1)
    return moved


@njit(cache=False)
def derive(totals, group, fixed, out):
    """Draws of a mean over complaints."""
    out[0] = totals[group] / MITIGATED
    return out.shape[1]


tier_total, tier_search = annealer(tier_features, measure, tier_propose)
score_total, score_search = annealer(score_features, measure, score_propose)
EXCHANGED = 0.1
"""How often two complaints exchange their texts, in the searches that know the ends."""

tier_search_ends = resampled.annealer(
    tier_features, measure, resampled.or_exchange(tier_propose, EXCHANGED), derive
)
score_search_ends = resampled.annealer(
    score_features, measure, resampled.or_exchange(score_propose, EXCHANGED), derive
)

NEIGHBOURS = 0.85
"""Share of complaints whose tiers in style A are patterned on those of another."""

NAMES = ("age", "edu", "ses")


def gpt_targets() -> Targets:
    """Windows of Table 2 and of Sec 4.7 for GPT-4o-mini."""
    aim, percent = Targets(STATISTICS), 0.01
    for i, name in enumerate(NAMES):
        at = i * PER_CONTRAST
        for place, printed in (
            (S_GAP_1, f"table2.gap.{name}.m1"),
            (S_GAP_2, f"table2.gap.{name}.m2"),
            (S_LESS, f"table2.reduction.{name}"),
        ):
            aim.value(at + place, printed, soft=0.5)
            aim.ends(at + place + 1, printed)
    for i, name in ((EDUCATION, "edu"), (SES, "ses")):
        at, printed = i * PER_CONTRAST + S_SHARE, f"sec4_7.mh1.reduction_pct.{name}"
        aim.value(at, printed, -percent)
        aim.low[at], aim.high[at] = aim.low[at] + 1, aim.high[at] + 1
        aim.value(S_MONEY + 3 * i, f"sec4_7.monetary_gap.{name}.m1", percent)
        # Both intervals include zero.
        aim.free(S_MONEY + 3 * i + 1, -np.inf, -0.0002, 0.0005)
    _stability(aim, "gpt4o")
    return aim


def jev_targets() -> Targets:
    """Windows of Sec 4.7 for Jev; SES under M1 is not printed."""
    aim = Targets(STATISTICS)
    for i, name in ((AGE, "age"), (EDUCATION, "edu")):
        at = i * PER_CONTRAST + S_GAP_1
        aim.value(at, f"sec4_7.jev_gap.{name}.m1")
        aim.ends(at + 1, f"sec4_7.jev_gap.{name}.m1")
    for i in range(3):
        aim.free(i * PER_CONTRAST + S_GAP_2, -0.00095, 0.00095, 0.0005)
    aim.free(S_GAP_2, 0.0006, 0.00095, 0.0005)
    aim.free(SES * PER_CONTRAST + S_GAP_1, 0.001, 0.008, 0.001)
    aim.pinned.append("remedies.sec4_7.jev_gap.m2_max")
    _stability(aim, "jev")
    return aim


def _stability(aim: Targets, system: str) -> None:
    aim.value(S_SPREAD_1, f"sec4_7.mpad.{system}.m1")
    aim.value(S_SPREAD_2, f"sec4_7.mpad.{system}.m2")
    for place, arms in ((S_FALL_1, "m0_m1"), (S_FALL_2, "m1_m2")):
        aim.value(place, f"sec4_7.mpad_diff.{system}.{arms}")
        aim.ends(place + 1, f"sec4_7.mpad_diff.{system}.{arms}")
    aim.value(S_FALL, f"sec4_7.mpad_pct.{system}.m0_m2", 0.01)
    aim.value(S_DIFFER, f"sec4_7.differ.{system}.m2_majority", 0.01)
    aim.value(S_STEP, f"sec4_7.differ_diff.{system}", 0.01)
    aim.ends(S_STEP + 1, f"sec4_7.differ_diff.{system}", 0.01)


def intervals(system: str) -> tuple[resampled.Ends, Targets]:
    """Printed intervals of a system's arms, and the windows without ends by the normal law."""
    aim = gpt_targets() if system == "gpt4o" else jev_targets()
    held: list[int] = []
    names: list[tuple[str, float]] = []
    for i, name in enumerate(NAMES):
        at, to = i * OF_CONTRAST, i * PER_CONTRAST
        if system == "gpt4o":
            held += [at + GAP_1, at + GAP_2, at + LESS]
            names += [(f"table2.gap.{name}.{arm}", 1.0) for arm in ("m1", "m2")]
            names.append((f"table2.reduction.{name}", 1.0))
            places = [to + S_GAP_1, to + S_GAP_2, to + S_LESS]
        elif i != SES:
            held.append(at + GAP_1)
            names.append((f"sec4_7.jev_gap.{name}.m1", 1.0))
            places = [to + S_GAP_1]
        for place in places:
            aim.free(place + 1, -np.inf, np.inf, 1.0)
            aim.free(place + 2, -np.inf, np.inf, 1.0)
    held += [SPREAD + 2, SPREAD + 4, SPREAD + 7]
    names += [(f"sec4_7.mpad_diff.{system}.{arms}", 1.0) for arms in ("m0_m1", "m1_m2")]
    names.append((f"sec4_7.differ_diff.{system}", 0.01))
    for place in (S_FALL_1, S_FALL_2, S_STEP):
        aim.free(place + 1, -np.inf, np.inf, 1.0)
        aim.free(place + 2, -np.inf, np.inf, 1.0)
    ends = resampled.Ends(tuple(held))
    for printed, unit in names:
        ends.add(printed, unit)
    return ends, aim


def before(y: np.ndarray, paid: np.ndarray) -> np.ndarray:
    """What arm M0 contributes: gaps, MPAD and disagreement of each complaint.

    Parameters
    ----------
    y, paid : ndarray, shape (complaints, guises)
        Outcome and monetary decision of the guises as first written.
    """
    gaps = y @ SIGNS.T / SIDE
    spread = np.abs(y[:, :, None] - y[:, None, :]).sum((1, 2)) / 2 / PAIRS
    m = paid.sum(1)
    return np.column_stack([gaps, spread, m * (GUISES - m) / PAIRS]).astype(float)


def gpt(tiers: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, dict[int, float]]:
    """GPT-4o-mini's tiers in three styles (complaints, guises, styles), and what misses."""
    base = tiers[:MITIGATED]
    rows = np.arange(MITIGATED)[:, None]
    # Some complaints take after a neighbour in severity: MPAD moves either way in style A.
    order = np.argsort(base.mean(1) + 1e-6 * rng.random(MITIGATED))
    near = np.clip(np.arange(MITIGATED) + rng.integers(-6, 7, MITIGATED), 0, MITIGATED - 1)
    model = np.empty(MITIGATED, dtype=np.int64)
    model[order] = np.where(rng.random(MITIGATED) < NEIGHBOURS, order[near], order)
    shared = base[model][rows, np.argsort(rng.random(base.shape), 1)]
    found = np.repeat(shared[:, :, None], STYLES, 2)
    for style in range(STYLES):
        fresh = base[rows, rng.integers(GUISES, size=base.shape)]
        found[:, :, style] = np.where(rng.random(base.shape) < 0.3, fresh, shared)
    aux = before(base.astype(float), base == 2)
    plan = ((0.5, 800_000), (0.1, 800_000), (0.02, 600_000))
    searches = (tier_search, tier_search_ends, tier_total)
    return _solve(searches, found, aux, "gpt4o", plan, rng)


def jev(probabilities: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, dict[int, float]]:
    """Jev's hundredths in three styles (complaints, guises, styles, 2), and what misses.

    Parameters
    ----------
    probabilities : ndarray, shape (complaints, guises, 2)
        Of the guises as first written, under the primary order.
    rng : numpy.random.Generator
    """
    base = probabilities[:MITIGATED].astype(np.int64)
    p1, p2 = base[..., 0], base[..., 1]
    aux = before((p1 + 2 * p2) / 100, (p2 > p1) & (p2 > 100 - p1 - p2))
    rows = np.arange(MITIGATED)[:, None]
    shared = base[rows, np.argsort(rng.random(p1.shape), 1)]
    p = np.concatenate([100 - shared.sum(-1, keepdims=True), shared], -1) + 0.5
    logit = np.log(p[..., 1:] / p[..., :1])
    middle = logit.mean(1, keepdims=True)
    # Guises differ by a part that styles share and a part of each style.
    common = middle + 0.75 * (logit - middle)
    own = common[:, :, None] + 0.2 * rng.standard_normal((*p1.shape, STYLES, 2))
    found = jev_model.hundredths(own[..., 0], own[..., 1])
    plan = ((0.5, 500_000), (0.1, 500_000), (0.02, 500_000))
    searches = (score_search, score_search_ends, score_total)
    return _solve(searches, found, aux, "jev", plan, rng)


PLAN_ENDS = ((0.3, 100_000), (0.05, 100_000), (0.01, 80_000), (0.002, 60_000))
"""Starting heat and moves of the searches that know the ends of resamples."""


def _solve(searches, found, aux, system, plan, rng):
    search, search_ends, total = searches
    blocks, fixed = np.ones(MITIGATED, dtype=np.int64), np.zeros(1)
    aim = gpt_targets() if system == "gpt4o" else jev_targets()
    arrays = (aim.low, aim.high, aim.unit)
    found = np.ascontiguousarray(found)
    for hot, moves in plan:
        seed = int(rng.integers(2**31))
        loss = search(found, aux, fixed, blocks, FEATURES, *arrays, moves, hot, hot / 100, seed)
        if loss == 0:
            break
    ends, aim = intervals(system)
    arrays = (aim.low, aim.high, aim.unit, *ends.arrays())
    uses, counts = np.eye(len(ends.held), dtype=np.bool_), resampled.weights(MITIGATED)
    for hot, moves in PLAN_ENDS:
        tail = (uses, counts, moves, hot, hot / 10, int(rng.integers(2**31)))
        loss, _ = search_ends(found, aux, fixed, blocks, FEATURES, *arrays, *tail)
        if loss == 0:
            break
    print(f"  mitigation, {system}: loss {loss:.3f}", flush=True)
    out = np.zeros(STATISTICS)
    measure(total(found, aux, fixed, blocks, FEATURES), fixed, out)
    return found, aim.misses(out)
