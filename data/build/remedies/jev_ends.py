"""The printed intervals of Jev's holdout, by the study's own resamples.

D and its differences have no usable normal law (a negative variance counts as zero), so the search
keeps the sums of every resample, see `resampled`. The GPT models' D enter as draws.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.stats.components import effects_of, reduce_layout, resampled_components
from core.stats.disparity import two_way
from core.studies.remedies.choices import DECLARATION, sampling
from data.build.remedies import jev_features as f
from data.build.remedies import resampled
from data.build.remedies.pins import Targets
from data.build.remedies.reference import GUISES, HOLDOUT, PAIRS

COMPONENT_DRAWS = int(DECLARATION.planned.text("component_draws"))
DRAWS = sampling(DECLARATION.planned)[0]

BANK_NAMES = ("gpt4o_bank", "gpt5_bank")

# What is kept for every resample: the totals of 36 guises, then squares of values and of the row
# total, of each outcome that D is worked out for.
E_TIER, CHOSEN, LOOSE, AVERAGE, VOTE, VOTE_2 = 0, 2, 4, 6, 7, 8
OUTCOMES = 9
OUTCOME_SIZE = GUISES + 2
AVERAGE_2 = OUTCOMES * OUTCOME_SIZE
"""Squares for the mean of two banks, whose guises' totals are those of the two."""
MONEY = AVERAGE_2 + 2
DISTANCE = MONEY + 2 * GUISES
GAPS = DISTANCE + 2
DIFFER = GAPS + 3
"""Disagreeing pairs of four rules in both banks, and the difference of two rules."""
HELD_SIZE = DIFFER + 2 * 4 + 1

RULES = (f.ARGMAX, f.THRESHOLD, f.MEAN6, f.MAJORITY)
RULE_NAMES = ("jev_argmax", "jev_p2_threshold_matched", "jev_p2_mean6_matched", "jev_majority6")
CONTRASTS = ("old_minus_young", "college_minus_high_school", "high_minus_low_ses")

G_DISTANCE, G_MONEY, G_STEP, G_GPT, G_SIX, G_TWO, G_GAPS = 0, 1, 2, 4, 6, 7, 8
G_DIFFER = G_GAPS + 3
GROUPS = G_DIFFER + 9

# Constants of the draws behind those of `jev_features`.
REST, TOTAL, COPIES = f.FIXED, f.FIXED + 1, f.FIXED + 2
"""What is taken off the guises' covariance for their component, and all components: then the sum of
squared counts of every resample."""
GPT = COPIES + DRAWS
"""Draws of the GPT models' D, with the registered and the corrected noise."""
FIXED = GPT + 4 * DRAWS


def held() -> tuple[int, ...]:
    """Features that are kept for every resample, in the order of the places above."""
    out: list[int] = []
    for b in range(2):
        at = f.BY_BANK + b * f.BANK_SIZE
        cells = f.COLUMNS + f.EXPECTED * f.CELLS + b * f.ORDER_COUNT
        out += [cells + k * f.BANK_COUNT * f.ORDER_COUNT for k in range(GUISES)]
        out += [at, at + 1]
    for b in range(2):
        at = f.BY_BANK + b * f.BANK_SIZE + f.SCORE_SIZE
        out += [*range(f.CHOSEN + b * GUISES, f.CHOSEN + (b + 1) * GUISES), at, at + 1]
    for b in range(2):
        at = f.BY_BANK + b * f.BANK_SIZE + f.OF_RULE + f.UNTIED * f.RULE_SIZE
        out += [*range(f.LOOSE + b * GUISES, f.LOOSE + (b + 1) * GUISES), at, at + 2]
    for first, squares in ((f.AVERAGED, f.MEANED), (f.VOTES, f.VOTED), (f.VOTES_2, f.VOTED_2)):
        out += [*range(first, first + GUISES), squares, squares + 1]
    out += [f.MEANED_2, f.MEANED_2_ROW, *range(f.MONEY, f.MONEY + 2 * GUISES), f.SAME, f.OTHER]
    out += [f.BY_BANK + 2 + i for i in range(3)]
    for b in range(2):
        at = f.BY_BANK + b * f.BANK_SIZE + f.OF_RULE
        out += [at + rule * f.RULE_SIZE + 1 for rule in RULES]
    return (*out, f.STEP)


def intervals() -> resampled.Ends:
    """Printed intervals, in the order of the groups."""
    ends = resampled.Ends(held())
    ends.add("sec4_1.h1.excess")
    ends.add("appc.term.p2.k")
    for name in ("argmax_minus_e_tier", "gpt_minus_jev"):
        for bank in BANK_NAMES:
            ends.add(f"appb.d.{name}.holdout.{bank}.preregistered")
            ends.add(f"appb.d.{name}.holdout.{bank}.corrected", together=True)
    ends.add("sec4_3.h4.six_orders", level=0.9)
    ends.add("sec4_3.h4.two_paraphrases", level=0.9)
    for contrast in CONTRASTS:
        ends.add(f"sec4_2.h2.gap.{contrast}")
    for bank in BANK_NAMES:
        for name in RULE_NAMES:
            ends.add(f"table1.differ.{name}.{bank}", 0.01)
    ends.add("sec4_3.diff.threshold_minus_mean6", 0.01)
    return ends


def uses() -> np.ndarray:
    """Whether a group of intervals rests on a kept feature, shape (groups, kept features)."""
    out = np.zeros((GROUPS, HELD_SIZE), dtype=np.bool_)

    def mark(group: int, first: int, size: int = OUTCOME_SIZE) -> None:
        out[group, first : first + size] = True

    mark(G_DISTANCE, DISTANCE, 2)
    mark(G_MONEY, MONEY, 2 * GUISES)
    for b in range(2):
        mark(G_STEP + b, (CHOSEN + b) * OUTCOME_SIZE)
        mark(G_STEP + b, (E_TIER + b) * OUTCOME_SIZE)
        mark(G_GPT + b, (LOOSE + b) * OUTCOME_SIZE)
        mark(G_TWO, (E_TIER + b) * OUTCOME_SIZE)
    mark(G_SIX, AVERAGE * OUTCOME_SIZE)
    mark(G_SIX, VOTE * OUTCOME_SIZE)
    mark(G_TWO, VOTE_2 * OUTCOME_SIZE)
    mark(G_TWO, AVERAGE_2, 2)
    for i in range(3):
        mark(G_GAPS + i, GAPS + i, 1)
    for i in range(9):
        mark(G_DIFFER + i, DIFFER + i, 1)
    return out


@njit(cache=False)
def disparities(totals, first, second, squares, copies, size, out):
    """D in resamples, with the registered and the corrected noise (NOTES 3.7).

    Parameters
    ----------
    totals : ndarray, shape (kept features, draws)
    first, second : int
        First of the guises' totals; of further ones that are added, or -1.
    squares : int
        Place of the squares of values; those of the row totals follow.
    copies : ndarray, shape (draws,)
    size : int
        Number of complaints.
    out : ndarray, shape (2, draws)
    """
    draws = totals.shape[1]
    total, between = np.zeros(draws), np.zeros(draws)
    for k in range(GUISES):
        for d in range(draws):
            x = totals[first + k, d]
            if second >= 0:
                x += totals[second + k, d]
            total[d] += x
            between[d] += x * x
    for d in range(draws):
        mean = total[d] * total[d] / (size * GUISES)
        guises = between[d] / size - mean
        rows = totals[squares + 1, d] / GUISES
        residual = (totals[squares, d] - rows - guises) / ((size - 1) * (GUISES - 1))
        units = (rows - mean) / GUISES / (size - 1) - residual / GUISES
        persona = guises / size / (GUISES - 1)
        registered = persona - residual / size
        corrected = persona - residual * copies[d] / (size * size)
        out[0, d] = np.sqrt(max(registered, 0.0) / units)
        out[1, d] = np.sqrt(max(corrected, 0.0) / units)


@njit(cache=False)
def derive(totals, group, fixed, out):
    """Draws of a group of intervals."""
    draws = totals.shape[1]
    copies = fixed[COPIES : COPIES + DRAWS]
    if group == G_DISTANCE:
        for d in range(draws):
            ratio = totals[DISTANCE + 1, d] / totals[DISTANCE, d] / (GUISES - 1)
            out[0, d] = 100 * (ratio - 1)
        return draws
    if group == G_MONEY:
        scale = 1.0 / (HOLDOUT * f.ORDER_COUNT)
        for d in range(COMPONENT_DRAWS):
            first, second, both = 0.0, 0.0, 0.0
            for k in range(GUISES):
                x, y = totals[MONEY + k, d] * scale, totals[MONEY + GUISES + k, d] * scale
                first, second, both = first + x, second + y, both + x * y
            own = (both - first * second / GUISES) / (GUISES - 1) - fixed[REST]
            out[0, d] = 100 * max(own, 0.0) / fixed[TOTAL]
        return COMPONENT_DRAWS
    if group >= G_GAPS:
        at, scale = GAPS + group - G_GAPS, 0.01 / HOLDOUT
        if group >= G_DIFFER:
            at, scale = DIFFER + group - G_DIFFER, 1.0 / HOLDOUT / PAIRS
        for d in range(draws):
            out[0, d] = totals[at, d] * scale
        return draws
    one, other = np.zeros((2, draws)), np.zeros((2, draws))
    if group < G_GPT:
        b = group - G_STEP
        place = (CHOSEN + b) * OUTCOME_SIZE
        disparities(totals, place, -1, place + GUISES, copies, HOLDOUT, one)
        place = (E_TIER + b) * OUTCOME_SIZE
        disparities(totals, place, -1, place + GUISES, copies, HOLDOUT, other)
    elif group < G_SIX:
        b = group - G_GPT
        place = (LOOSE + b) * OUTCOME_SIZE
        disparities(totals, place, -1, place + GUISES, copies, HOLDOUT, other)
        for noise in range(2):
            at = GPT + (2 * b + noise) * DRAWS
            one[noise] = fixed[at : at + DRAWS]
    elif group == G_SIX:
        place = AVERAGE * OUTCOME_SIZE
        disparities(totals, place, -1, place + GUISES, copies, HOLDOUT, one)
        place = VOTE * OUTCOME_SIZE
        disparities(totals, place, -1, place + GUISES, copies, HOLDOUT, other)
    else:
        disparities(totals, 0, OUTCOME_SIZE, AVERAGE_2, copies, HOLDOUT, one)
        place = VOTE_2 * OUTCOME_SIZE
        disparities(totals, place, -1, place + GUISES, copies, HOLDOUT, other)
    for d in range(draws):
        if group < G_SIX:
            out[0, d] = one[0, d] - other[0, d]
            out[1, d] = one[1, d] - other[1, d]
        else:
            out[0, d] = one[1, d] - other[1, d]
    return draws


search = resampled.annealer(f.features, f.measure, resampled.one_complaint(f.propose), derive)


def disparity(paid: np.ndarray) -> float:
    """D of monetary decisions (complaints, guises)."""
    return float(two_way(paid.astype(float)).parts.disparity[0])


def disparity_draws(paid: np.ndarray) -> np.ndarray:
    """D of monetary decisions in resamples, shape (2, draws): registered and corrected noise."""
    layout = two_way(paid.astype(float))
    drawn = sampling(DECLARATION.planned)
    return np.stack(
        [layout.resampled(*drawn, corrected=noise).disparity for noise in (False, True)]
    )


def constants(
    fixed: np.ndarray, statistics: np.ndarray, tiers: list[np.ndarray], counts: np.ndarray
) -> np.ndarray:
    """Put what the draws need behind the constants of the kernels.

    Parameters
    ----------
    fixed : ndarray
        Of `jev.fixed`.
    statistics : ndarray
        Of the panel.
    tiers : list of ndarray
        Of both GPT models.
    counts : ndarray, shape (complaints, draws)
    """
    out = np.zeros(FIXED)
    out[: f.FIXED] = fixed
    out[REST], out[TOTAL] = statistics[f.MONEY_REST], statistics[f.S_TOTAL] * 1e4
    out[COPIES : COPIES + DRAWS] = (counts**2).sum(0)
    for b, labels in enumerate(tiers):
        at = GPT + 2 * b * DRAWS
        out[at : at + 2 * DRAWS] = disparity_draws(labels == 2).ravel()
    return out


NAMES = ("cxk", "b_cxb_kxb", "all_o")


def with_parts(aim: Targets, found: np.ndarray, probabilities: np.ndarray) -> None:
    """Ask for the intervals of three shares, corrected for how far the normal law is off now."""
    layout = reduce_layout(probabilities[..., 1] / 100)
    _, seed = sampling(DECLARATION.planned)
    drawn = resampled_components(layout, COMPONENT_DRAWS, seed).components
    terms = ["".join("CKBO"[i] for i in e) for e in effects_of(4)]
    share = np.maximum(drawn, 0)
    share = 100 * share / share[[t != "C" for t in terms]].sum(0)
    members = (("CK",), ("B", "CB", "KB"), tuple(t for t in terms if "O" in t))
    wanted = resampled.Ends()
    for name in NAMES:
        wanted.add(f"appc.term.p2.{name}")
    _, _, _, low, high, unit = wanted.arrays()
    for i, own in enumerate(members):
        now = np.quantile(share[[t in own for t in terms]].sum(0), [0.025, 0.975])
        for end in range(2):
            at = f.PART_ENDS + 2 * i + end
            off = found[at] - now[end]
            aim.free(at, low[i, end] + off, high[i, end] + off, unit[i, end])
