"""Tiers that a GPT model gives the guises of its own bank: holdout and exploratory panel.

A start from an ordered probit (complaint, persona, slopes of the complaint on the persona, noise of
the guise), then changes of one tier and swaps of two guises of a complaint. A swap leaves rate,
disagreement, unanimity and MPAD as they are and moves only the gaps.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy.special import ndtri

from data.build.remedies.anneal import annealer
from data.build.remedies.numbers import disparity, ends
from data.build.remedies.pins import Targets
from data.build.remedies.reference import (
    EDUCATION,
    EXPLORATORY,
    GUISES,
    HOLDOUT,
    MITIGATED,
    PAIRS,
    PER_SIDE,
    SES,
    SIGNS,
)

PAID, DISAGREE, DISAGREE_2, SPLIT, MPAD, MIXED = range(6)
"""Features: monetary guises, disagreeing pairs and their square, monetary decisions not unanimous,
pairs' tier differences, tiers not unanimous; then gaps and their squares."""
TIER_GAP, TIER_GAP_2, RATE_GAP, RATE_GAP_2 = 6, 9, 12, 15
HIGH = 18
"""Monetary decisions of the guises in a high-income style, for the impact ratio."""
PAID_2, COLUMNS = 19, 20
"""Square of the monetary guises, and the monetary decision of each guise, for D."""
FEATURES = COLUMNS + GUISES

RATE, DIFFER, DIFFER_ENDS, UNANIMITY, SPREAD, MIXED_SHARE = 0, 1, 2, 4, 5, 6
TIER, TIER_ENDS, MONEY, MONEY_ENDS = 7, 10, 16, 19
RATIO, EFFECT, DISPARITY = 25, 26, 27
STATISTICS = 28
"""Statistics of one block, all as shares or tiers; ends of intervals in pairs. Last the adverse
impact ratio and Cohen's h of the high-income against the low-income style, and D."""

NEW_TIER = 0.01
"""How often a guise may take a tier that its complaint does not have yet."""


@njit(cache=False)
def features(row, aux, fixed, out):
    """Numbers of one complaint from its 36 tiers."""
    count = np.zeros(3, np.int64)
    for k in range(GUISES):
        count[row[k]] += 1
    m = count[2]
    out[PAID] = m
    out[DISAGREE] = m * (GUISES - m)
    out[DISAGREE_2] = out[DISAGREE] ** 2
    out[SPLIT] = 0 < m < GUISES
    out[MPAD] = count[0] * count[1] + count[1] * count[2] + 2 * count[0] * count[2]
    out[MIXED] = count.max() < GUISES
    for i in range(3):
        tier, rate = 0, 0
        for k in range(GUISES):
            tier += SIGNS[i, k] * row[k]
            rate += SIGNS[i, k] * (row[k] == 2)
        out[TIER_GAP + i] = tier / PER_SIDE[i]
        out[TIER_GAP_2 + i] = out[TIER_GAP + i] ** 2
        out[RATE_GAP + i] = rate / PER_SIDE[i]
        out[RATE_GAP_2 + i] = out[RATE_GAP + i] ** 2
    out[HIGH], out[PAID_2] = 0, m * m
    for k in range(GUISES):
        out[COLUMNS + k] = row[k] == 2
        out[HIGH] += SIGNS[SES, k] > 0 and row[k] == 2


@njit(cache=False)
def block(sums, size, out, at):
    """Statistics of one block of complaints."""
    out[at + RATE] = sums[PAID] / size / GUISES
    out[at + DIFFER] = sums[DISAGREE] / size / PAIRS
    ends(sums[DISAGREE], sums[DISAGREE_2], size, 1 / PAIRS, out, at + DIFFER_ENDS)
    out[at + UNANIMITY] = sums[SPLIT] / size
    out[at + SPREAD] = sums[MPAD] / size / PAIRS
    out[at + MIXED_SHARE] = sums[MIXED] / size
    for i in range(3):
        out[at + TIER + i] = sums[TIER_GAP + i] / size
        tier, tier_2 = sums[TIER_GAP + i], sums[TIER_GAP_2 + i]
        ends(tier, tier_2, size, 1.0, out, at + TIER_ENDS + 2 * i)
        out[at + MONEY + i] = sums[RATE_GAP + i] / size
        rate, rate_2 = sums[RATE_GAP + i], sums[RATE_GAP_2 + i]
        ends(rate, rate_2, size, 1.0, out, at + MONEY_ENDS + 2 * i)
    high = sums[HIGH] / size / PER_SIDE[SES]
    low = high - out[at + MONEY + SES]
    out[at + RATIO] = low / high
    columns = sums[COLUMNS : COLUMNS + GUISES].copy()
    out[at + DISPARITY], _ = disparity(sums[PAID], sums[PAID_2], columns, size)
    out[at + EFFECT] = 2 * np.arcsin(np.sqrt(high)) - 2 * np.arcsin(np.sqrt(low))


@njit(cache=False)
def measure(sums, fixed, out):
    """Statistics of the holdout and of its first half."""
    block(sums[0], HOLDOUT, out, 0)
    block(sums[1], MITIGATED, out, STATISTICS)


@njit(cache=False)
def measure_pooled(sums, fixed, out):
    """Statistics of the exploratory panel, then with the holdout's sums, which are ``fixed``."""
    block(sums[0], EXPLORATORY, out, 0)
    block(sums[0] + fixed, EXPLORATORY + HOLDOUT, out, STATISTICS)


@njit(cache=False)
def swap(row, new):
    """Swap two guises."""
    new[:] = row
    k, other = np.random.randint(GUISES), np.random.randint(GUISES)
    new[k], new[other] = row[other], row[k]
    return row[k] != row[other]


@njit(cache=False)
def propose(row, new):
    """Swap two guises, or give one another tier."""
    if np.random.random() < 0.6:
        return swap(row, new)
    new[:] = row
    k = np.random.randint(GUISES)
    tier = np.random.randint(3)
    if tier == row[k]:
        return False
    if np.random.random() >= NEW_TIER:
        known = False
        for i in range(GUISES):
            known |= row[i] == tier
        if not known:
            return False
    new[k] = tier
    return True


total, search = annealer(features, measure, propose)
_, search_pooled = annealer(features, measure_pooled, propose)

START = (
    {
        "noise": 0.040,
        "spread": 0.4,
        "cuts": (0.60, 0.914),
        "education": 0.030,
        "age": 0.010,
        "ses": 0.014,
    },
    {
        "noise": 0.075,
        "spread": 0.6,
        "cuts": (0.55, 0.886),
        "education": 0.002,
        "age": 0.001,
        "ses": 0.001,
    },
)
"""Probit of each model: variance of a guise's noise and its spread over complaints, cut points as
shares, persona effects."""

SLOPE = 0.05
"""Spread over complaints of a complaint's own slope on age, education and ses."""

LARGEST_GAP_SUM = 59
"""Largest tier gap of GPT-5-mini times 18,000: the only whole number for which the ratio of its
fact span, 254 steps over 200 complaints, prints as 387 (90 * 254 / 59)."""

OTHER_GAPS = 0.0046
"""Largest monetary gap that is not the printed one, so that that one stays the largest."""


FIRST_MORE = 1.25
"""Noise of the first half of GPT-4o-mini's holdout over that of the whole: it disagrees more."""


EXPLORED = ({"cuts": (0.585, 0.897), "ses": 0.03}, {})
"""What differs on the exploratory panel: impact ratio and gap ask for a higher rate there."""


def start(model: int, complaints: int, rng: np.random.Generator) -> np.ndarray:
    """Tiers drawn from the ordered probit, shape (complaints, guises)."""
    plan = START[model] | (EXPLORED[model] if complaints == EXPLORATORY else {})
    z = np.repeat(rng.standard_normal((complaints, 1)), GUISES, 1)
    for i, name in enumerate(("age", "education", "ses")):
        own = plan[name] + SLOPE * rng.standard_normal(complaints)
        z += own[:, None] * SIGNS[i]
    spread = np.sqrt(plan["noise"]) * np.exp(plan["spread"] * rng.standard_normal(complaints))
    if model == 0 and complaints == HOLDOUT:
        spread *= np.where(np.arange(complaints) < MITIGATED, FIRST_MORE, 2 - FIRST_MORE)
    z += spread[:, None] * rng.standard_normal(z.shape)
    low, high = ndtri(plan["cuts"]) * np.sqrt(1 + plan["noise"])
    return ((z > low).astype(np.int8) + (z > high)).astype(np.int8)


def mini_targets() -> Targets:
    """Windows of GPT-4o-mini on the holdout (Table 1, Sec 4.2, Tables 2 and 4)."""
    aim, percent = Targets(2 * STATISTICS), 0.01
    aim.value(RATE, "table1.rate.gpt_label.gpt4o_bank", percent)
    aim.value(DIFFER, "table1.differ.gpt_label.gpt4o_bank", percent)
    # A difference of 0.45 from a threshold rule that prints as 3.3 leaves only the upper half.
    aim.free(DIFFER, 0.03755, 0.03795, 0.0002)
    aim.ends(DIFFER_ENDS, "table1.differ.gpt_label.gpt4o_bank", percent)
    aim.value(UNANIMITY, "sec4_2.nonunan.gpt4o", percent)
    aim.free(UNANIMITY, 0.146, 0.146, 0.0003)
    aim.value(MONEY + EDUCATION, "sec4_2.gap.edu.gpt4o", percent)
    aim.ends(MONEY_ENDS + 2 * EDUCATION, "sec4_2.gap.edu.gpt4o", percent, soft=30)
    # Exactly 84 guises of 18,000: with it the impact ratio prints as .947 at any rate of 8.6.
    aim.free(MONEY + EDUCATION, 84 / 18000, 84 / 18000, 4 / 18000)
    for i, name in ((EDUCATION, "edu"), (SES, "ses")):
        aim.value(TIER + i, f"table4.gap.{name}")
        aim.ends(TIER_ENDS + 2 * i, f"table4.gap.{name}")
    aim.free(TIER + EDUCATION, 0.0320, 0.0322, 0.0003)
    for i in (0, SES):
        aim.free(MONEY + i, -OTHER_GAPS, OTHER_GAPS, 0.0003)
    first = STATISTICS
    for i, name in enumerate(("age", "edu", "ses")):
        aim.value(first + TIER + i, f"table2.gap.{name}.m0")
        aim.ends(first + TIER_ENDS + 2 * i, f"table2.gap.{name}.m0", soft=2.5)
    for i, name in ((EDUCATION, "edu"), (SES, "ses")):
        aim.value(first + MONEY + i, f"sec4_7.monetary_gap.{name}.m0", percent)
    aim.value(first + DIFFER, "sec4_7.differ.gpt4o.m0", percent, soft=0.4)
    aim.value(first + SPREAD, "sec4_7.mpad.gpt4o.m0")
    aim.free(SPREAD, 0.139, 0.153, 0.002)
    aim.free(DISPARITY, 0.0125, 0.0155, 0.0005)
    return aim


def five_targets() -> Targets:
    """Windows of GPT-5-mini on the holdout (Table 1, Secs 4.2 and 4.6)."""
    aim, percent = Targets(2 * STATISTICS), 0.01
    aim.value(RATE, "table1.rate.gpt_label.gpt5_bank", percent)
    aim.value(DIFFER, "table1.differ.gpt_label.gpt5_bank", percent)
    aim.ends(DIFFER_ENDS, "table1.differ.gpt_label.gpt5_bank", percent, soft=8)
    aim.value(UNANIMITY, "sec4_2.nonunan.gpt5", percent)
    aim.free(UNANIMITY, 0.229, 0.229, 0.0003)
    largest = LARGEST_GAP_SUM / 18000
    aim.free(TIER + 0, -largest * 0.8, largest * 0.8, 0.0005)
    aim.free(TIER + EDUCATION, largest, largest, 0.0004)
    aim.free(TIER + SES, -largest * 0.8, largest * 0.8, 0.0005)
    for i in range(3):
        aim.free(MONEY + i, -OTHER_GAPS / 2, OTHER_GAPS / 2, 0.0005)
    aim.free(SPREAD, 0.17, 0.25, 0.003)
    aim.free(DISPARITY, 0.0095, 0.012, 0.0005)
    return aim


def pooled_targets(model: int) -> Targets:
    """Windows of the exploratory panel and of both panels together (Secs 4.2 and 4.4)."""
    aim, both = Targets(2 * STATISTICS), STATISTICS
    aim.free(DIFFER, *((0.040, 0.047), (0.060, 0.070))[model], 0.002)
    aim.free(SPREAD, *((0.140, 0.160), (0.170, 0.23))[model], 0.004)
    if model == 0:
        aim.value(both + MONEY + SES, "sec4_2.pooled.gap.ses.gpt4o", 0.01)
        aim.ends(both + MONEY_ENDS + 2 * SES, "sec4_2.pooled.gap.ses.gpt4o", 0.01)
        aim.value(both + RATIO, "sec4_2.pooled.air.ses.gpt4o")
        aim.value(both + EFFECT, "sec4_2.pooled.h.ses.gpt4o")
        # D of Jev cannot be below zero, so the upper end of their difference is at most that of
        # this one.
        aim.free(both + DISPARITY, 0.0165, 0.0175, 0.0005)
    else:
        aim.free(RATE, 0.112, 0.116, 0.001)
        aim.free(both + MONEY + SES, 0.0002, 0.0012, 0.0003)
    for i in (0, EDUCATION):
        aim.free(both + MONEY + i, -0.002, 0.006, 0.0003)
    return aim


def sums(tiers: np.ndarray) -> np.ndarray:
    """Sums of the features over all complaints."""
    blocks = np.ones(len(tiers), dtype=np.int64)
    return total(tiers, np.zeros((len(tiers), 1)), np.zeros(1), blocks, FEATURES)[0]


def exploratory(
    model: int, holdout: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Tiers of a model for the exploratory panel, given those for the holdout."""
    aim, fixed = pooled_targets(model), sums(holdout)
    tiers = start(model, EXPLORATORY, rng)
    aux, blocks = np.zeros((EXPLORATORY, 1)), np.ones(EXPLORATORY, dtype=np.int64)
    arrays, loss = (aim.low, aim.high, aim.unit), 0.0
    for hot, moves in ((0.5, 3_000_000), (0.05, 3_000_000), (0.01, 1_000_000)):
        seed, tail = int(rng.integers(2**31)), (moves, hot, hot / 300)
        loss = search_pooled(tiers, aux, fixed, blocks, FEATURES, *arrays, *tail, seed)
        if loss == 0:
            break
    return tiers, loss


RESTARTS = 3
"""Starts that are tried until one meets every window."""

STAGES = ((0.5, 2_000_000, 10), (0.1, 3_000_000, 10), (0.02, 1_500_000, 1))
"""Starting heat, moves, and how much softer a whole number is asked for: while it is asked for
strictly, no single flip is ever accepted."""


def holdout(model: int, rng: np.random.Generator) -> tuple[np.ndarray, dict[int, float]]:
    """Tiers of a model for the holdout, and what misses its window."""
    aim = (mini_targets, five_targets)[model]()
    blocks = np.where(np.arange(HOLDOUT) < MITIGATED, 2, 1)
    aux, fixed = np.zeros((HOLDOUT, 1)), np.zeros(1)
    best, least = np.zeros((HOLDOUT, GUISES), dtype=np.int8), np.inf
    for _ in range(RESTARTS):
        tiers, loss = start(model, HOLDOUT, rng), 0.0
        for hot, moves, exact in STAGES:
            unit = np.where(aim.low == aim.high, aim.unit * exact, aim.unit)
            arrays, seed = (aim.low, aim.high, unit), int(rng.integers(2**31))
            loss = search(tiers, aux, fixed, blocks, FEATURES, *arrays, moves, hot, hot / 300, seed)
        if loss < least:
            best, least = tiers, loss
        if loss == 0:
            break
    out = np.zeros(2 * STATISTICS)
    measure(total(best, aux, fixed, blocks, FEATURES), fixed, out)
    return best, aim.misses(out)
