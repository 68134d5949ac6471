"""Jev on the holdout: what of a complaint is summed, and the statistics that follow.

A row holds p1 and p2 in hundredths for 36 guises, two banks and six orders. Rules with a matched
volume become local to a text by their cut: a text is monetary if its score is above the cut, or at
it and early enough in the queue for ties. The cut is renewed between searches.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from data.build.remedies.numbers import (
    BANK,
    COMPLAINT,
    ORDER,
    PERSONA,
    TERMS,
    components,
    disparity,
    ends,
    shift,
)
from data.build.remedies.pins import NORMAL, figure
from data.build.remedies.reference import (
    GUISES,
    HOLDOUT,
    MITIGATED,
    PAIRS,
    PER_SIDE,
    POSITIONS,
    REVERSED,
    SIGNS,
)

BANK_COUNT, ORDER_COUNT = 2, 6
CELLS = GUISES * BANK_COUNT * ORDER_COUNT
P2, EXPECTED = 0, 1
"""The two outcomes of the crossed layout."""

ARGMAX, THRESHOLD, MEAN6, MAJORITY, UNTIED, MINUS, PLUS = range(7)
RULES = 7
MOST = 4
"""Votes of six that make a majority."""

SIDE = PER_SIDE.astype(np.float64)

# Features. Sums of squares of the totals that involve the complaint, by outcome and term.
SQUARES = 0
BY_BANK = SQUARES + 2 * TERMS
# In each bank, for expected tier and argmax tier: squares of values and of the total, gaps and
# their squares.
OF_SCORE, SCORE_SIZE = 0, 8
ALIKE, WIDE = 2 * SCORE_SIZE, 2 * SCORE_SIZE + 1
OF_RULE, RULE_SIZE = WIDE + 1, 7
BANK_SIZE = OF_RULE + RULES * RULE_SIZE
SAME = BY_BANK + BANK_COUNT * BANK_SIZE
OTHER, TURNED, AGREE, SPREAD, STEP, STEP_2 = range(SAME + 1, SAME + 7)
VOTED, VOTED_ROW, MEANED, MEANED_ROW = range(SAME + 7, SAME + 11)
VOTED_2, VOTED_2_ROW, MEANED_2, MEANED_2_ROW = range(SAME + 11, SAME + 15)
"""Squares of values and of the total for D: vote and mean of six orders, and of two banks."""
COLUMNS = SAME + 15
"""Totals of the 432 cells by outcome, then of argmax, untied decision and vote by guise."""
CHOSEN = COLUMNS + 2 * CELLS
LOOSE = CHOSEN + BANK_COUNT * GUISES
VOTES = LOOSE + BANK_COUNT * GUISES
VOTES_2 = VOTES + GUISES
AVERAGED = VOTES_2 + GUISES
"""Totals by guise over orders: expected tier of the first bank, p2 of both banks in turn."""
MONEY = AVERAGED + GUISES
PULLS = MONEY + BANK_COUNT * GUISES
"""Squared influence of the complaint on the shares `PULLED`."""
FEATURES = PULLS + 3

# Statistics.
SHARES, SHARE_SIZE = 0, 14
(
    S_K,
    S_CK,
    S_KB,
    S_KO,
    S_BANK,
    S_CKB,
    S_ORDER,
    S_CKBO,
    S_CO,
    S_SHARED,
    S_OTHER,
    S_ANY_ORDER,
    S_TOTAL,
    S_LEAST,
) = range(14)
KO_ITSELF = 2 * SHARE_SIZE
IN_BANK = KO_ITSELF + 1
GAPS, GAP_ENDS, Z = 0, 3, 9
"""Places within a bank: gaps of the expected tier, ends of their intervals, and gaps in standard
errors of expected tier and argmax."""
D_STEP, D_GPT, LEFT, LEFT_CHOSEN, ONE_TIER, WIDE_SHARE = 15, 16, 17, 18, 19, 20
RULE_AT, RULE_STATS = 21, 8
R_RATE, R_DIFFER, R_ENDS, R_SPLIT, R_GAPS = 0, 1, 2, 4, 5
BANK_STATS = RULE_AT + RULES * RULE_STATS
TV_SAME = IN_BANK + BANK_COUNT * BANK_STATS
TV_OTHER, TV_TURNED, EXCESS, AGREED, MEAN_TURNED, MEAN_LEAST, MEAN_MOST = range(
    TV_SAME + 1, TV_SAME + 8
)
STEP_MEAN, STEP_ENDS, FOUR, FOUR_2 = TV_SAME + 8, TV_SAME + 9, TV_SAME + 11, TV_SAME + 12
FIRST_GAPS, FIRST_SPREAD, FIRST_DIFFER = TV_SAME + 13, TV_SAME + 16, TV_SAME + 17
TIE_GAPS = TV_SAME + 18
"""Change of each gap when tied texts are all monetary, by bank."""

PART_ENDS = TIE_GAPS + 3 * BANK_COUNT
"""Ends of the intervals of the shares `PULLED`."""
MONEY_REST = PART_ENDS + 6
"""What is taken off the covariance of the guises' mean p2 in both banks for the component K."""
STATISTICS = MONEY_REST + 1

FIXED = BANK_COUNT * RULES * 2 + BANK_COUNT
"""Cuts of the rules (score, last place in the queue), then D of the GPT models' decisions."""


SIZES = np.array([HOLDOUT, GUISES, BANK_COUNT, ORDER_COUNT], dtype=np.float64)


def pull_weights() -> np.ndarray:
    """Weights that turn a complaint's sums of squares into its influence on three shares.

    A share is a ratio of components, which are linear in the sums of squares, so a complaint pulls
    it by its own part less the printed share of its own total. Shape (3, terms).
    """
    each = np.array([components(unit, SIZES) for unit in np.eye(TERMS)]).T
    c = COMPLAINT
    parts = (
        (each[c + PERSONA], "cxk"),
        (each[BANK] + each[c + BANK] + each[PERSONA + BANK], "b_cxb_kxb"),
        (each[ORDER:].sum(0), "all_o"),
    )
    total = each[2:].sum(0)
    shares = [figure(f"appc.term.p2.{name}").value / 100 for _, name in parts]
    rows = [part - share * total for (part, _), share in zip(parts, shares, strict=True)]
    return np.array(rows)


PULLED = pull_weights()
"""Shares of p2 with printed intervals: complaint x persona, all of the bank, all of the order."""


@njit(cache=False)
def dot(x):
    """Sum of squares."""
    total = 0.0
    for i in range(x.size):
        total += x[i] * x[i]
    return total


@njit(cache=False)
def most_likely(p1, p2):
    """Tier of the largest probability in hundredths; ties go to the lowest tier."""
    p0 = 100 - p1 - p2
    if p0 >= p1 and p0 >= p2:
        return 0
    return 1 if p1 >= p2 else 2


@njit(cache=False)
def features(row, aux, fixed, out):
    """Numbers of one complaint."""
    out[:COLUMNS] = 0.0
    tier = np.empty((GUISES, BANK_COUNT, ORDER_COUNT), np.int64)
    for outcome in range(2):
        ck, cb, co = np.zeros(GUISES), np.zeros(BANK_COUNT), np.zeros(ORDER_COUNT)
        ckb, cko, cbo = (
            np.zeros((GUISES, BANK_COUNT)),
            np.zeros((GUISES, ORDER_COUNT)),
            np.zeros((BANK_COUNT, ORDER_COUNT)),
        )
        total, squares, place = 0.0, 0.0, COLUMNS + outcome * CELLS
        co_first = 0.0
        for k in range(GUISES):
            for b in range(BANK_COUNT):
                for o in range(ORDER_COUNT):
                    p1, p2 = np.int64(row[k, b, o, 0]), np.int64(row[k, b, o, 1])
                    value = float(p2 if outcome == P2 else p1 + 2 * p2)
                    if outcome == P2:
                        tier[k, b, o] = most_likely(p1, p2)
                    out[place] = value
                    place += 1
                    squares += value * value
                    ckb[k, b] += value
                    cko[k, o] += value
                    cbo[b, o] += value
                ck[k] += ckb[k, b]
        for b in range(BANK_COUNT):
            for o in range(ORDER_COUNT):
                cb[b] += cbo[b, o]
                co[o] += cbo[b, o]
            total += cb[b]
            co_first += cbo[b, 0]
        at = SQUARES + outcome * TERMS
        out[at + COMPLAINT] = total * total
        out[at + COMPLAINT + PERSONA] = dot(ck)
        out[at + COMPLAINT + BANK] = dot(cb)
        out[at + COMPLAINT + ORDER] = dot(co)
        out[at + COMPLAINT + PERSONA + BANK] = dot(ckb.ravel())
        out[at + COMPLAINT + PERSONA + ORDER] = dot(cko.ravel())
        out[at + COMPLAINT + BANK + ORDER] = dot(cbo.ravel())
        out[at + COMPLAINT + PERSONA + BANK + ORDER] = squares
        if outcome == P2:
            for k in range(GUISES):
                for b in range(BANK_COUNT):
                    out[MONEY + b * GUISES + k] = ckb[k, b]
            for part in range(3):
                pull = 0.0
                for term in range(COMPLAINT, TERMS, 2):
                    pull += PULLED[part, term] * out[at + term]
                out[PULLS + part] = pull * pull
        if outcome == EXPECTED:
            for k in range(GUISES):
                out[AVERAGED + k] = ckb[k, 0]
                out[MEANED] += ckb[k, 0] ** 2
                place = COLUMNS + EXPECTED * CELLS + k * BANK_COUNT * ORDER_COUNT
                two = out[place] + out[place + ORDER_COUNT]
                out[MEANED_2] += two * two
            out[MEANED_ROW] = cb[0] ** 2
            out[MEANED_2_ROW] = co_first * co_first
    for b in range(BANK_COUNT):
        _of_bank(row, tier, aux, fixed, b, out)
    _of_step(row, aux, fixed, out)
    _of_pairs(row, out)
    _of_votes(tier, out)


@njit(cache=False)
def _of_bank(row, tier, aux, fixed, b, out):
    at = BY_BANK + b * BANK_SIZE
    low, high, first, alike = 101, -1, tier[0, b, 0], True
    gaps = np.zeros((2, 3))
    totals = np.zeros(2)
    for k in range(GUISES):
        p2 = np.int64(row[k, b, 0, 1])
        low, high = min(low, p2), max(high, p2)
        alike &= tier[k, b, 0] == first
        out[CHOSEN + b * GUISES + k] = tier[k, b, 0]
        for score in range(2):
            value = tier[k, b, 0] if score else row[k, b, 0, 0] + 2 * p2
            out[at + score * SCORE_SIZE] += value * value
            totals[score] += value
            for i in range(3):
                gaps[score, i] += SIGNS[i, k] * value
    for score in range(2):
        place = at + score * SCORE_SIZE
        out[place + 1] = totals[score] ** 2
        for i in range(3):
            out[place + 2 + i] = gaps[score, i] / SIDE[i]
            out[place + 5 + i] = out[place + 2 + i] ** 2
    out[at + ALIKE] = alike
    out[at + WIDE] = alike and high - low > 10
    one, six, votes = np.empty(GUISES), np.empty(GUISES), np.empty(GUISES)
    for k in range(GUISES):
        sum6, count = 0, 0
        for o in range(ORDER_COUNT):
            sum6 += row[k, b, o, 1]
            count += tier[k, b, o] == 2
        one[k], six[k], votes[k] = row[k, b, 0, 1], sum6, count
    for rule in range(RULES):
        place, cut = at + OF_RULE + rule * RULE_SIZE, (b * RULES + rule) * 2
        m, gap = 0, np.zeros(3, np.int64)
        for k in range(GUISES):
            if rule == ARGMAX:
                pays = tier[k, b, 0] == 2
            elif rule == MAJORITY:
                pays = votes[k] >= MOST
            else:
                score = six[k] if rule == MEAN6 else one[k]
                pays = score > fixed[cut] or (score == fixed[cut] and aux[k] <= fixed[cut + 1])
            if rule == UNTIED:
                out[LOOSE + b * GUISES + k] = pays
            if pays:
                m += 1
                for i in range(3):
                    gap[i] += SIGNS[i, k]
        out[place] = m
        out[place + 1] = m * (GUISES - m)
        out[place + 2] = m * m if rule == UNTIED else out[place + 1] ** 2
        out[place + 3] = 0 < m < GUISES
        for i in range(3):
            out[place + 4 + i] = gap[i] / SIDE[i]


@njit(cache=False)
def _of_step(row, aux, fixed, out):
    """Difference in disagreement between the threshold rule and that of the mean over orders."""
    place = BY_BANK + OF_RULE
    step = out[place + THRESHOLD * RULE_SIZE + 1] - out[place + MEAN6 * RULE_SIZE + 1]
    out[STEP], out[STEP_2] = step, step * step


@njit(cache=False, fastmath=True)
def _of_pairs(row, out):
    """Distances between texts: same and other persona across banks, reversed order."""
    # Whole numbers below 2**24 are exact in 32 bits, in whatever order they are added.
    a, b = np.empty((3, GUISES), np.float32), np.empty((3, GUISES), np.float32)
    mine = np.empty(GUISES, np.float32)
    turned = 0
    for k in range(GUISES):
        a[1, k], a[2, k] = row[k, 0, 0, 0], row[k, 0, 0, 1]
        b[1, k], b[2, k] = row[k, 1, 0, 0], row[k, 1, 0, 1]
        a[0, k], b[0, k] = 100 - a[1, k] - a[2, k], 100 - b[1, k] - b[2, k]
        mine[k] = a[1, k] + 2 * a[2, k]
        for bank in range(BANK_COUNT):
            d1 = np.int64(row[k, bank, 0, 0]) - row[k, bank, REVERSED, 0]
            d2 = np.int64(row[k, bank, 0, 1]) - row[k, bank, REVERSED, 1]
            turned += abs(d1) + abs(d2) + abs(d1 + d2)
    same, every, spread = np.float32(0), np.float32(0), np.float32(0)
    for k in range(GUISES):
        for t in range(3):
            x = a[t, k]
            near = np.float32(0)
            for j in range(GUISES):
                near += abs(x - b[t, j])
            every += near
            same += abs(x - b[t, k])
        x = mine[k]
        for j in range(GUISES):
            spread += abs(x - mine[j])
    out[SAME], out[OTHER], out[TURNED] = same, every - same, turned
    out[SPREAD] = spread / 2


@njit(cache=False)
def _of_votes(tier, out):
    """Texts whose tier is the same in all orders; most frequent of six tiers in the first bank."""
    agree, squares, total = 0, 0, 0
    squares_2, total_2 = 0, 0
    for k in range(GUISES):
        # Of two votes that differ the lower tier counts, as for ties of probabilities.
        lower = min(tier[k, 0, 0], tier[k, 1, 0])
        out[VOTES_2 + k] = lower
        squares_2 += lower * lower
        total_2 += lower
        for b in range(BANK_COUNT):
            count = np.zeros(3, np.int64)
            for o in range(ORDER_COUNT):
                count[tier[k, b, o]] += 1
            agree += count.max() == ORDER_COUNT
            if b == 0:
                vote = np.argmax(count)
                out[VOTES + k] = vote
                squares += vote * vote
                total += vote
    out[AGREE] = agree
    out[VOTED], out[VOTED_ROW] = squares, total * total
    out[VOTED_2], out[VOTED_2_ROW] = squares_2, total_2 * total_2


@njit(cache=False)
def _measure_shares(sums, outcome, out):
    squares = np.zeros(TERMS)
    squares[:] = sums[SQUARES + outcome * TERMS : SQUARES + (outcome + 1) * TERMS]
    k, b, o = np.zeros(GUISES), np.zeros(BANK_COUNT), np.zeros(ORDER_COUNT)
    kb, ko, bo = (
        np.zeros((GUISES, BANK_COUNT)),
        np.zeros((GUISES, ORDER_COUNT)),
        np.zeros((BANK_COUNT, ORDER_COUNT)),
    )
    place = COLUMNS + outcome * CELLS
    for i in range(GUISES):
        for j in range(BANK_COUNT):
            for h in range(ORDER_COUNT):
                value = sums[place]
                place += 1
                squares[PERSONA + BANK + ORDER] += value * value
                kb[i, j] += value
                ko[i, h] += value
                bo[j, h] += value
            k[i] += kb[i, j]
    for j in range(BANK_COUNT):
        for h in range(ORDER_COUNT):
            b[j] += bo[j, h]
            o[h] += bo[j, h]
    squares[0] = b.sum() ** 2
    squares[PERSONA], squares[BANK], squares[ORDER] = dot(k), dot(b), dot(o)
    squares[PERSONA + BANK] = dot(kb.ravel())
    squares[PERSONA + ORDER] = dot(ko.ravel())
    squares[BANK + ORDER] = dot(bo.ravel())
    v = components(squares, SIZES)
    if outcome == P2:
        out[KO_ITSELF] = v[PERSONA + ORDER] / 1e4
        # With two banks their covariance is what K less KxB comes to.
        together = (kb[:, 0] * kb[:, 1]).sum() - kb[:, 0].sum() * kb[:, 1].sum() / GUISES
        together /= (HOLDOUT * ORDER_COUNT) ** 2 * (GUISES - 1)
        out[MONEY_REST] = together - v[PERSONA]
        shares = (
            v[COMPLAINT + PERSONA],
            v[BANK] + v[COMPLAINT + BANK] + v[PERSONA + BANK],
            v[ORDER:].sum(),
        )
        for part in range(3):
            half = NORMAL * np.sqrt(sums[PULLS + part])
            out[PART_ENDS + 2 * part] = 100 * (shares[part] - half) / v[2:].sum()
            out[PART_ENDS + 2 * part + 1] = 100 * (shares[part] + half) / v[2:].sum()
    total = v[2:].sum()
    least = np.inf
    for term in range(1, TERMS):
        if outcome == EXPECTED or term != PERSONA + ORDER:
            least = min(least, v[term])
    at = SHARES + outcome * SHARE_SIZE
    c = COMPLAINT
    out[at + S_K] = v[PERSONA]
    out[at + S_CK] = v[c + PERSONA]
    out[at + S_KB] = v[PERSONA + BANK]
    out[at + S_KO] = v[PERSONA + ORDER] + v[c + PERSONA + ORDER] + v[PERSONA + BANK + ORDER]
    out[at + S_BANK] = v[BANK] + v[c + BANK]
    out[at + S_CKB] = v[c + PERSONA + BANK]
    out[at + S_CKBO] = v[TERMS - 1]
    out[at + S_CO] = v[c + ORDER]
    out[at + S_ORDER] = v[ORDER] + v[c + ORDER] + v[BANK + ORDER] + v[c + BANK + ORDER]
    out[at + S_ORDER] += v[TERMS - 1]
    out[at + S_SHARED] = out[at + S_K] + out[at + S_CK]
    out[at + S_OTHER] = out[at + S_KB] + out[at + S_KO]
    out[at + S_ANY_ORDER] = out[at + S_ORDER] + out[at + S_KO]
    for i in range(S_TOTAL):
        out[at + i] *= 100 / total
    out[at + S_TOTAL] = total / 1e4
    out[at + S_LEAST] = 100 * least / total
    if outcome == EXPECTED:
        level = 100.0 * HOLDOUT * GUISES * BANK_COUNT
        out[MEAN_TURNED] = o[REVERSED] / level
        out[MEAN_LEAST], out[MEAN_MOST] = o[:REVERSED].min() / level, o[:REVERSED].max() / level


@njit(cache=False)
def measure(sums, fixed, out):
    """All statistics, from sums over the holdout and over its first half."""
    for outcome in range(2):
        _measure_shares(sums[0], outcome, out)
    for b in range(BANK_COUNT):
        _measure_bank(sums[0], fixed, b, out)
    s = sums[0]
    scale = 200.0 * HOLDOUT * GUISES
    out[TV_SAME] = s[SAME] / scale
    out[TV_OTHER] = s[OTHER] / scale / (GUISES - 1)
    out[TV_TURNED] = s[TURNED] / scale / BANK_COUNT
    out[EXCESS] = 100 * (out[TV_OTHER] / out[TV_SAME] - 1)
    out[AGREED] = s[AGREE] / HOLDOUT / GUISES / BANK_COUNT
    out[STEP_MEAN] = s[STEP] / HOLDOUT / PAIRS
    ends(s[STEP], s[STEP_2], HOLDOUT, 1 / PAIRS, out, STEP_ENDS)
    _measure_four(s, out)
    first = sums[1]
    for i in range(3):
        out[FIRST_GAPS + i] = first[BY_BANK + 2 + i] / 100 / MITIGATED
    out[FIRST_SPREAD] = first[SPREAD] / 100 / MITIGATED / PAIRS
    chosen = BY_BANK + OF_RULE + ARGMAX * RULE_SIZE + 1
    out[FIRST_DIFFER] = first[chosen] / MITIGATED / PAIRS


@njit(cache=False)
def _measure_four(s, out):
    """D of an averaged expected tier less D of a vote of tiers: six orders, two banks (H4)."""
    place = COLUMNS + EXPECTED * CELLS
    mean = np.zeros(GUISES)
    for k in range(GUISES):
        for o in range(ORDER_COUNT):
            mean[k] += s[place + k * BANK_COUNT * ORDER_COUNT + o]
    averaged, _ = disparity(s[MEANED], s[MEANED_ROW], mean, HOLDOUT)
    voted, _ = disparity(s[VOTED], s[VOTED_ROW], s[VOTES : VOTES + GUISES].copy(), HOLDOUT)
    out[FOUR] = averaged - voted
    two = np.zeros(GUISES)
    for k in range(GUISES):
        two[k] = (
            s[place + k * BANK_COUNT * ORDER_COUNT]
            + s[place + k * BANK_COUNT * ORDER_COUNT + ORDER_COUNT]
        )
    averaged, _ = disparity(s[MEANED_2], s[MEANED_2_ROW], two, HOLDOUT)
    votes = s[VOTES_2 : VOTES_2 + GUISES].copy()
    voted, _ = disparity(s[VOTED_2], s[VOTED_2_ROW], votes, HOLDOUT)
    out[FOUR_2] = averaged - voted


@njit(cache=False)
def _measure_bank(s, fixed, b, out):
    at, to = BY_BANK + b * BANK_SIZE, IN_BANK + b * BANK_STATS
    for i in range(3):
        for score in range(2):
            place = at + score * SCORE_SIZE
            mean = s[place + 2 + i] / HOLDOUT
            error = np.sqrt(max(s[place + 5 + i] / HOLDOUT - mean * mean, 1e-12) / HOLDOUT)
            out[to + Z + score * 3 + i] = mean / error
        out[to + GAPS + i] = s[at + 2 + i] / 100 / HOLDOUT
        ends(s[at + 2 + i], s[at + 5 + i], HOLDOUT, 0.01, out, to + GAP_ENDS + 2 * i)
    place = COLUMNS + EXPECTED * CELLS
    columns = s[place + b * ORDER_COUNT : place + CELLS : BANK_COUNT * ORDER_COUNT].copy()
    expected, out[to + LEFT] = disparity(s[at], s[at + 1], columns, HOLDOUT)
    columns = s[CHOSEN + b * GUISES : CHOSEN + (b + 1) * GUISES].copy()
    second = at + SCORE_SIZE
    chosen, out[to + LEFT_CHOSEN] = disparity(s[second], s[second + 1], columns, HOLDOUT)
    columns = s[LOOSE + b * GUISES : LOOSE + (b + 1) * GUISES].copy()
    loose = at + OF_RULE + UNTIED * RULE_SIZE
    decided, _ = disparity(s[loose], s[loose + 2], columns, HOLDOUT)
    out[to + D_STEP] = chosen - expected
    out[to + D_GPT] = fixed[BANK_COUNT * RULES * 2 + b] - decided
    out[to + ONE_TIER] = s[at + ALIKE] / HOLDOUT
    out[to + WIDE_SHARE] = s[at + WIDE] / s[at + ALIKE]
    for rule in range(RULES):
        place, here = at + OF_RULE + rule * RULE_SIZE, to + RULE_AT + rule * RULE_STATS
        out[here + R_RATE] = s[place] / HOLDOUT / GUISES
        out[here + R_DIFFER] = s[place + 1] / HOLDOUT / PAIRS
        ends(s[place + 1], s[place + 2], HOLDOUT, 1 / PAIRS, out, here + R_ENDS)
        out[here + R_SPLIT] = s[place + 3] / HOLDOUT
        for i in range(3):
            out[here + R_GAPS + i] = s[place + 4 + i] / HOLDOUT
    one, all_tied = at + OF_RULE + THRESHOLD * RULE_SIZE, at + OF_RULE + UNTIED * RULE_SIZE
    for i in range(3):
        out[TIE_GAPS + 3 * b + i] = (s[all_tied + 4 + i] - s[one + 4 + i]) / HOLDOUT


SMOOTH = 0.15
"""How often a single cell is moved towards its neighbours."""

LAST = POSITIONS[:, 2] == 2
"""Whether the monetary tier stands last: orders that are alike in that are also moved together."""


@njit(cache=False)
def smooth(row, new):
    """Move a cell's p2 towards what its guise and its order would give; False if it is there."""
    k, b, o = (
        np.random.randint(GUISES),
        np.random.randint(BANK_COUNT),
        np.random.randint(ORDER_COUNT),
    )
    new[:] = row
    guise, order, both = 0, 0, 0
    for oo in range(ORDER_COUNT):
        guise += row[k, b, oo, 1]
    for kk in range(GUISES):
        order += row[kk, b, o, 1]
        for oo in range(ORDER_COUNT):
            both += row[kk, b, oo, 1]
    aim = guise / ORDER_COUNT + order / GUISES - both / (GUISES * ORDER_COUNT)
    step = round(aim - row[k, b, o, 1])
    if step == 0:
        return False
    other = np.random.randint(2)
    if step > 0:
        return shift(new[k, b, o], other, 2, 1)
    return shift(new[k, b, o], 2, other, 1)


@njit(cache=False)
def propose(row, new):
    """Swap guises, or move a hundredth between tiers in one of seven sets of cells."""
    if np.random.random() < SMOOTH:
        return smooth(row, new)
    new[:] = row
    draw = np.random.random()
    k, b, o = (
        np.random.randint(GUISES),
        np.random.randint(BANK_COUNT),
        np.random.randint(ORDER_COUNT),
    )
    if draw < 0.40:
        other = np.random.randint(GUISES)
        both = draw < 0.06
        for bank in range(BANK_COUNT):
            if both or bank == b:
                new[k, bank], new[other, bank] = row[other, bank], row[k, bank]
        return k != other
    giver = np.random.randint(3)
    taker = (giver + 1 + np.random.randint(2)) % 3
    guise = draw < 0.76
    bank = draw < 0.69 or (0.76 <= draw < 0.88)
    order = draw < 0.54 or (0.82 <= draw < 0.94)
    size = 1 + np.random.randint(3) if guise else 1
    alike = np.random.random() < 0.5
    moved = False
    for kk in range(GUISES):
        for bb in range(BANK_COUNT):
            for oo in range(ORDER_COUNT):
                there = oo == o or not order or (alike and LAST[oo] == LAST[o])
                if (kk == k or not guise) and (bb == b or not bank) and there:
                    moved |= shift(new[kk, bb, oo], giver, taker, size)
    return moved
