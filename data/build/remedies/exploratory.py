"""Jev's probabilities on the exploratory panel, under the primary order and in both banks.

The document prints figures of this panel only pooled with the holdout, so the sums of the holdout
enter as constants. The threshold of the pooled panel is one score and place in the queue, see
`jev_features`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.studies.remedies.choices import DECLARATION, sampling
from core.studies.remedies.ties import precedence, take_highest
from data.build.remedies import gpt_ends, jev_ends, jev_model, resampled
from data.build.remedies.anneal import annealer
from data.build.remedies.jev_features import most_likely
from data.build.remedies.numbers import disparity, ends, shift
from data.build.remedies.pins import Targets
from data.build.remedies.reference import (
    EXPLORATORY,
    GUISES,
    HOLDOUT,
    PER_SIDE,
    SES,
    SIGNS,
)

B = 2
SCORES = 3
"""Expected tier, argmax tier and untied decision: each with squares of values and of the total."""
PAID = 2 * SCORES
GAP, STEP, STEP_2 = PAID + 1, PAID + 4, PAID + 7
BANK_SIZE = PAID + 10
COLUMNS = B * BANK_SIZE
FEATURES = COLUMNS + B * SCORES * GUISES

D_STEP, D_GPT, RATE = 0, 1, 2
STEPS, STEP_ENDS, GAPS = 3, 6, 12
BANK_STATS = 15
STATISTICS = B * BANK_STATS

CUTS = 2 * B
"""Score and last place in the queue of each bank's cut; then D of the GPT models; then the sums."""

OUTCOME_SIZE = GUISES + 2
STEPS_HELD = B * SCORES * OUTCOME_SIZE
HELD_SIZE = STEPS_HELD + B
"""Features kept for every resample: totals of the guises, squares of values and of the total of
each outcome, then the difference in the SES gap of each bank's GPT model and Jev."""
DRAWS = sampling(DECLARATION.planned)[0]
COPIES = CUTS + B + FEATURES
"""Behind the sums: the sum of squared counts of every resample, draws of the GPT models' D, and
what the holdout adds to the kept features."""
GPT = COPIES + DRAWS
HELD = GPT + 2 * B * DRAWS
FIXED = HELD + HELD_SIZE * DRAWS

RATE_STEPS = (("sec4_4.rate.ses.jev_vs_gpt4o", 0.01), ("sec4_4.rate.ses.jev_vs_gpt5", -0.01))
"""Difference in the SES gap of a bank's GPT model and Jev, which is printed the other way round for
the second."""

SIDE = PER_SIDE.astype(np.float64)
POOLED = EXPLORATORY + HOLDOUT


@njit(cache=False)
def features(row, aux, fixed, out):
    """Numbers of one complaint; ``aux`` holds its places in the queue and the GPT models' gaps."""
    out[:] = 0.0
    for b in range(B):
        at = b * BANK_SIZE
        totals, gaps = np.zeros(SCORES), np.zeros(3)
        for k in range(GUISES):
            p1, p2 = np.int64(row[k, b, 0]), np.int64(row[k, b, 1])
            cut = fixed[2 * b]
            pays = p2 > cut or (p2 == cut and aux[k] <= fixed[2 * b + 1])
            out[at + PAID] += pays
            for score in range(SCORES):
                value = p1 + 2 * p2
                if score == 1:
                    value = most_likely(p1, p2)
                elif score == 2:
                    # The frozen analyses: all tied texts are monetary.
                    value = np.int64(p2 >= cut)
                out[at + 2 * score] += value * value
                totals[score] += value
                out[COLUMNS + (b * SCORES + score) * GUISES + k] = value
            if p2 >= cut:
                for i in range(3):
                    gaps[i] += SIGNS[i, k]
        for score in range(SCORES):
            out[at + 2 * score + 1] = totals[score] ** 2
        for i in range(3):
            out[at + GAP + i] = gaps[i] / SIDE[i]
            step = aux[GUISES + 3 * b + i] - out[at + GAP + i]
            out[at + STEP + i], out[at + STEP_2 + i] = step, step * step


@njit(cache=False)
def measure(sums, fixed, out):
    """Statistics of both panels together."""
    s = sums[0] + fixed[CUTS + B : COPIES]
    for b in range(B):
        at, to = b * BANK_SIZE, b * BANK_STATS
        d = np.zeros(SCORES)
        for score in range(SCORES):
            place = COLUMNS + (b * SCORES + score) * GUISES
            columns = s[place : place + GUISES].copy()
            d[score], _ = disparity(s[at + 2 * score], s[at + 2 * score + 1], columns, POOLED)
        out[to + D_STEP] = d[1] - d[0]
        out[to + D_GPT] = fixed[CUTS + b] - d[2]
        out[to + RATE] = s[at + PAID] / POOLED / GUISES
        for i in range(3):
            out[to + STEPS + i] = s[at + STEP + i] / POOLED
            ends(s[at + STEP + i], s[at + STEP_2 + i], POOLED, 1.0, out, to + STEP_ENDS + 2 * i)
            out[to + GAPS + i] = s[at + GAP + i] / POOLED


@njit(cache=False)
def propose(row, new):
    """Swap two guises in a bank, or move a hundredth between tiers for one guise or for all."""
    new[:] = row
    k, b, draw = np.random.randint(GUISES), np.random.randint(B), np.random.random()
    if draw < 0.5:
        other = np.random.randint(GUISES)
        new[k, b], new[other, b] = row[other, b], row[k, b]
        return k != other
    giver = np.random.randint(3)
    taker = (giver + 1 + np.random.randint(2)) % 3
    moved = False
    for j in range(GUISES):
        if j == k or draw > 0.9:
            moved |= shift(new[j, b], giver, taker, 1)
    return moved


@njit(cache=False)
def _disparities(totals, fixed, outcome, out):
    first, draws = outcome * OUTCOME_SIZE, totals.shape[1]
    both = totals[first : first + OUTCOME_SIZE].copy()
    for h in range(OUTCOME_SIZE):
        at = HELD + (first + h) * DRAWS
        both[h] += fixed[at : at + draws]
    copies = fixed[COPIES : COPIES + draws]
    jev_ends.disparities(both, 0, -1, GUISES, copies, POOLED, out)


@njit(cache=False)
def derive(totals, group, fixed, out):
    """Draws of differences: of D of two outcomes, then of a GPT model and Jev in D and in a gap."""
    draws, b = totals.shape[1], group % B
    if group >= 2 * B:
        at = HELD + (STEPS_HELD + b) * DRAWS
        out[0] = (totals[STEPS_HELD + b] + fixed[at : at + draws]) / POOLED
        return draws
    one, other = np.zeros((2, draws)), np.zeros((2, draws))
    if group < B:
        _disparities(totals, fixed, b * SCORES + 1, one)
        _disparities(totals, fixed, b * SCORES, other)
    else:
        _disparities(totals, fixed, b * SCORES + 2, other)
        for noise in range(2):
            at = GPT + (2 * b + noise) * DRAWS
            one[noise] = fixed[at : at + draws]
    for noise in range(2):
        out[noise] = one[noise] - other[noise]
    return draws


total, search = annealer(features, measure, propose)
search_ends = resampled.annealer(features, measure, resampled.one_complaint(propose), derive)


def intervals() -> resampled.Ends:
    """Printed intervals of differences of D over both panels, in the order of the groups."""
    held: list[int] = []
    for outcome in range(B * SCORES):
        first = COLUMNS + outcome * GUISES
        squares = outcome // SCORES * BANK_SIZE + 2 * (outcome % SCORES)
        held += [*range(first, first + GUISES), squares, squares + 1]
    ends = resampled.Ends(tuple(held))
    for name in ("argmax_minus_e_tier", "gpt_minus_jev"):
        for bank in jev_ends.BANK_NAMES:
            ends.add(f"appb.d.{name}.pooled.{bank}.preregistered")
            ends.add(f"appb.d.{name}.pooled.{bank}.corrected", together=True)
    for b, (name, unit) in enumerate(RATE_STEPS):
        ends.held = (*ends.held, b * BANK_SIZE + STEP + SES)
        ends.add(name, unit)
    return ends


def uses() -> np.ndarray:
    """Whether a group of intervals rests on a kept feature, shape (groups, kept features)."""
    out = np.zeros((3 * B, HELD_SIZE), dtype=np.bool_)
    for b in range(B):
        out[2 * B + b, STEPS_HELD + b] = True
        for group, outcomes in ((b, (0, 1)), (B + b, (2,))):
            for outcome in outcomes:
                first = (b * SCORES + outcome) * OUTCOME_SIZE
                out[group, first : first + OUTCOME_SIZE] = True
    return out


def _gaps(tiers: list[np.ndarray]) -> np.ndarray:
    """Monetary gaps of the GPT models in each complaint, shape (complaints, banks x contrasts)."""
    return np.concatenate([(y == 2) @ SIGNS.T / SIDE for y in tiers], axis=1)


def _aux(tiers: list[np.ndarray], queue: np.ndarray) -> np.ndarray:
    return np.concatenate([queue, _gaps(tiers)], axis=1)


def _disparity(tiers: np.ndarray) -> float:
    y = (tiers == 2).astype(float)
    return max(float(disparity(y.sum(), (y.sum(1) ** 2).sum(), y.sum(0), len(y))[0]), 0.0)


def targets(tiers: list[np.ndarray]) -> Targets:
    """Windows of the pooled figures that involve Jev (Sec 4.4, Appendix B)."""
    aim = Targets(STATISTICS)
    for b, (bank, (name, unit)) in enumerate(zip(jev_ends.BANK_NAMES, RATE_STEPS, strict=True)):
        at = b * BANK_STATS
        aim.value(at + D_STEP, f"appb.d.argmax_minus_e_tier.pooled.{bank}.corrected")
        aim.value(at + D_GPT, f"appb.d.gpt_minus_jev.pooled.{bank}.corrected")
        rate = float((tiers[b] == 2).mean())
        aim.free(at + RATE, rate - 1e-9, rate + 1e-9, 20 / tiers[b].size)
        for i in range(3):
            aim.free(at + STEPS + i, -0.005, 0.005, 0.0005)
            aim.free(at + GAPS + i, -0.0078, 0.0078, 0.0005)
        aim.value(at + STEPS + SES, name, unit)
        aim.ends(at + STEP_ENDS + 2 * SES, name, unit)
    return aim


def constants(jev: list[np.ndarray], tiers: list[np.ndarray]) -> np.ndarray:
    """Cuts of the pooled panel, D of the GPT models, and the holdout's sums.

    Parameters
    ----------
    jev, tiers : list of ndarray
        Exploratory panel and holdout: Jev's hundredths (complaints, guises, banks, 2), and for each
        bank the GPT model's tiers of both panels, one below the other.
    """
    fixed = np.zeros(FIXED)
    queue = precedence(POOLED, GUISES)
    both = np.concatenate(jev)
    for b in range(B):
        score = both[:, :, b, 1].astype(np.int64)
        taken = take_highest(score, int((tiers[b] == 2).sum()), queue)
        fixed[2 * b] = score[taken].min()
        fixed[2 * b + 1] = queue[taken & (score == fixed[2 * b])].max()
        fixed[CUTS + b] = _disparity(tiers[b])
    aux = _aux([y[EXPLORATORY:] for y in tiers], queue[EXPLORATORY:])
    blocks = np.ones(HOLDOUT, dtype=np.int64)
    rest = np.ascontiguousarray(jev[1])
    fixed[CUTS + B : COPIES] = total(rest, aux, fixed, blocks, FEATURES)[0]
    return fixed


def with_draws(
    fixed: np.ndarray, rest: np.ndarray, tiers: list[np.ndarray], counts: np.ndarray
) -> None:
    """Put what the draws need behind the constants of the kernels.

    Parameters
    ----------
    fixed : ndarray
        Of `constants`; filled in.
    rest : ndarray, shape (complaints, guises, banks, 2)
        Jev's hundredths on the holdout.
    tiers : list of ndarray
        For each bank the GPT model's tiers, exploratory panel before holdout.
    counts : ndarray, shape (complaints, draws)
        How often each complaint of both panels is drawn.
    """
    fixed[COPIES:GPT] = (counts**2).sum(0)
    for b, labels in enumerate(tiers):
        at = GPT + 2 * b * DRAWS
        fixed[at : at + 2 * DRAWS] = jev_ends.disparity_draws(labels == 2).ravel()
    queue = precedence(POOLED, GUISES)[EXPLORATORY:]
    aux = _aux([y[EXPLORATORY:] for y in tiers], queue)
    rows, out = np.zeros((HOLDOUT, HELD_SIZE)), np.zeros(FEATURES)
    held = list(intervals().held)
    for c in range(HOLDOUT):
        features(rest[c], aux[c], fixed, out)
        rows[c] = out[held]
    fixed[HELD:] = (rows.T @ counts[EXPLORATORY:]).ravel()


PASSES = ((0.5, 400_000), (0.2, 600_000), (0.05, 600_000), (0.01, 400_000))
"""Starting heat and moves of each search; cuts are renewed in between."""

PASSES_ENDS = ((0.1, 120_000), (0.03, 120_000), (0.01, 100_000), (0.003, 80_000))
"""The same of the searches that know the ends of resamples; before the last, windows of ends that
were not reached are widened."""


def solve(
    holdout: np.ndarray,
    tiers: list[np.ndarray],
    constants_of: dict[str, float],
    rng: np.random.Generator,
) -> np.ndarray:
    """Jev's hundredths for the exploratory panel, without regard to ends of resamples.

    Parameters
    ----------
    holdout : ndarray, shape (complaints, guises, banks, 2)
        Under the primary order.
    tiers : list of ndarray
        For each bank the GPT model's tiers, exploratory panel before holdout.
    constants_of : dict
        Of the model that the holdout started from.
    rng : numpy.random.Generator
    """
    normals = jev_model.draw(rng, EXPLORATORY, 1)
    found = jev_model.hundredths(*jev_model.logits(constants_of, normals))[:, :, :, 0]
    found = np.ascontiguousarray(found)
    aim, aux, blocks = targets(tiers), _explored(tiers), np.ones(EXPLORATORY, dtype=np.int64)
    for hot, moves in PASSES:
        fixed = constants([found, holdout], tiers)
        seed = int(rng.integers(2**31))
        arrays = (aim.low, aim.high, aim.unit)
        search(found, aux, fixed, blocks, FEATURES, *arrays, moves, hot, hot / 100, seed)
    return found


def refined(
    found: np.ndarray, holdout: np.ndarray, tiers: list[np.ndarray], rng: np.random.Generator
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Bring the ends of resamples closer, by Jev's probabilities and by swaps of GPT's guises.

    Parameters
    ----------
    found : ndarray, shape (complaints, guises, banks, 2)
        Of `solve`.
    holdout, tiers
        As there.
    rng : numpy.random.Generator

    Returns
    -------
    found : ndarray
        Jev's hundredths.
    explored : tuple of ndarray
        For each bank the GPT model's tiers for the exploratory panel.
    """
    found, tiers = found.copy(), list(tiers)
    aim, blocks = targets(tiers), np.ones(EXPLORATORY, dtype=np.int64)
    for b in range(B):
        at = b * BANK_STATS + STEP_ENDS + 2 * SES
        for end in range(2):
            aim.free(at + end, -np.inf, np.inf, 1.0)
    counts, ends = resampled.weights(POOLED), intervals().arrays()
    for turn, (hot, moves) in enumerate(PASSES_ENDS):
        fixed = constants([found, holdout], tiers)
        for b in range(B):
            paid = np.concatenate([found, holdout])[:, :, b, 1] >= fixed[2 * b]
            own, rest = tiers[b][:EXPLORATORY], tiers[b][EXPLORATORY:]
            swapped = gpt_ends.exploratory(b, own, rest, paid, rng)
            tiers[b] = np.concatenate([swapped, rest])
        fixed = constants([found, holdout], tiers)
        with_draws(fixed, holdout, tiers, counts)
        arrays, seed = (aim.low, aim.high, aim.unit, *ends), int(rng.integers(2**31))
        tail = (uses(), counts[:EXPLORATORY].copy(), moves, hot, hot / 10, seed)
        aux = _explored(tiers)
        loss, reached = search_ends(found, aux, fixed, blocks, FEATURES, *arrays, *tail)
        if turn == len(PASSES_ENDS) - 2:
            ends = resampled.settled(ends, reached)
        print(f"  Jev, exploratory, with ends: heat {hot}, loss {loss:.3f}", flush=True)
    return found, (tiers[0][:EXPLORATORY], tiers[1][:EXPLORATORY])


def _explored(tiers: list[np.ndarray]) -> np.ndarray:
    """What is known of the exploratory complaints."""
    return _aux([y[:EXPLORATORY] for y in tiers], precedence(POOLED, GUISES)[:EXPLORATORY])
