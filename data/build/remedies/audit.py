"""The fact audit: which texts each of two auditors calls materially changed.

Totals of flags by stratum are whole numbers that follow from the printed rates; where the flags lie
is searched for, so that rates by persona, screened instability and screened gaps print as given.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from data.build.remedies import resampled
from data.build.remedies.anneal import sums_over
from data.build.remedies.choose import choose
from data.build.remedies.pins import Targets, figure
from data.build.remedies.reference import (
    AGE,
    EDUCATION,
    GUISES,
    HOLDOUT,
    PAIRS,
    PER_SIDE,
    SES,
    SIGNS,
)

UNANIMOUS, MIXED = 0, 1
STRATA = ("unanimous", "non_unanimous")
SAMPLED = 20
COMPLAINTS = 2 * SAMPLED

FLAGGED = ((15, 73), (78, 123), (12, 21))
"""Flagged guises of the two strata: by Claude, by GPT-5.2, by both. With weights .854 and .146 they
give 3.3, 11.7, 13.2 and 1.8 percent, 84.5% agreement and kappa .16."""

AMOUNTS, YEARS = (2, 3), (7, 8)
"""Guises of the two strata whose dollar amounts or years differ: .3% and 1.0% weighted."""

BY_LEVEL = {"old": 139, "young": 117, "college": 131, "high_school": 125}
BY_SES = (91, 88, 77)
"""Guises flagged by either auditor, by persona level; SES from low to high (Appendix D)."""


SIDE = PER_SIDE.astype(np.float64)


CHOICES = 12
"""How often a choice of complaints is begun anew until it meets its figures."""


# Choice of the 40 complaints.
def chosen(
    tiers: np.ndarray,
    jev_level: np.ndarray,
    jev_paid: np.ndarray,
    weights: tuple[float, float],
    rng: np.random.Generator,
) -> tuple[np.ndarray, float]:
    """Pick 20 complaints of each stratum, the unanimous ones first.

    Parameters
    ----------
    tiers, jev_level, jev_paid : ndarray, shape (complaints, guises)
    weights : tuple of float
        Population shares of the strata.
    rng : numpy.random.Generator
    """
    m = (tiers == 2).sum(1)
    mixed = (m > 0) & (m < GUISES)
    jev = jev_paid.sum(1)
    gap = tiers @ SIGNS[SES] / SIDE[SES]
    numbers = np.column_stack([m * (GUISES - m) / PAIRS, jev * (GUISES - jev) / PAIRS, gap])
    aim = Targets(3)
    aim.value(0, "sec4_8.fa3.all.gpt4o", 0.01)
    aim.value(1, "sec4_8.fa3.all.jev", 0.01)
    aim.value(2, "sec4_8.screened_gap.ses.all")
    share, counts = np.array(weights), draws()
    ends = resampled.Ends()
    ends.add("sec4_8.screened_gap.ses.all")

    def measure(sums: np.ndarray) -> np.ndarray:
        return np.asarray(share @ sums / SAMPLED)

    def extra(members: list[np.ndarray]) -> float:
        rows = np.repeat(share, SAMPLED) / SAMPLED * gap[np.concatenate(members)]
        return ends.loss((rows @ counts)[None])

    groups = [(np.flatnonzero(~mixed), SAMPLED), (np.flatnonzero(mixed), SAMPLED)]
    best, least = np.zeros(0, dtype=np.int64), np.inf
    for _ in range(CHOICES):
        members, loss = choose(numbers, groups, measure, aim, rng, tries=10_000, extra=extra)
        if loss < least:
            best, least = members, loss
        if loss == 0:
            break
    return best, float(least)


# Search for the flags, and further for the complaints. A row is both auditors' flags of 36 guises,
# then what is known of a complaint: tiers, Jev's expected tier in hundredths and decision of its
# guises, its stratum, and its place on the holdout.
TIER, LEVEL, PAID, STRATUM = (n * GUISES for n in range(2, 6))
PLACE, ROW = STRATUM + 1, STRATUM + 2
POOL = 2
"""What is known of every complaint of the holdout stands in ``fixed``, behind the two weights."""

COUNTS = 0
"""Guises flagged by either auditor, by age, education and SES."""
BY_AGE, BY_EDUCATION, BY_INCOME = 0, 2, 4
ALL, PASSING = 7, 11
"""Weighted, of all and of passing guises: disagreement of GPT-4o-mini and of Jev, MPAD of both."""
STEPS = 15
"""Weighted, all less passing: gaps of tier, expected tier and monetary decision."""
DEPARTING, OTHERS = 24, 26
"""Flagged and all guises that depart from their complaint's majority, and that do not."""
ROWS = 28
"""Weighted, for intervals: flags of Claude, GPT-5.2, either and both; the SES gap of all and of
passing guises; all less passing of both systems' graded gaps."""
WHOLE, REST = ROWS + 4, ROWS + 5
FEATURES = ROWS + 12

S_GPT_ALL, S_JEV_ALL, S_GPT, S_JEV, S_RATIO_GPT, S_RATIO_JEV, S_SPREAD_GPT, S_SPREAD_JEV = range(
    7, 15
)
S_STEPS, S_WHOLE, S_SCREENED, S_DEPART, S_OTHER = 15, 24, 25, 26, 27
STATISTICS = 28


@njit(cache=False)
def _mean_difference(y, kept):
    total, count = 0.0, 0
    for i in range(GUISES):
        for j in range(i):
            if kept[i] and kept[j]:
                total += abs(y[i] - y[j])
                count += 1
    return total / max(count, 1)


@njit(cache=False)
def features(row, aux, fixed, out):
    """Numbers of one complaint; ``fixed`` begins with the strata's weights."""
    out[:] = 0.0
    weight = fixed[row[STRATUM]] / SAMPLED
    kept, all_of = np.zeros(GUISES, np.bool_), np.ones(GUISES, np.bool_)
    paid = np.zeros(GUISES)
    hits = 0
    for k in range(GUISES):
        one, other = row[k], row[GUISES + k]
        either = one or other
        for who, flag in enumerate((one, other, either, one and other)):
            out[ROWS + who] += weight * flag / GUISES
        kept[k] = not either
        if either:
            out[BY_AGE + (SIGNS[AGE, k] > 0)] += 1
            out[BY_EDUCATION + (SIGNS[EDUCATION, k] > 0)] += 1
            out[BY_INCOME + 1 - SIGNS[SES, k]] += 1
        paid[k] = row[TIER + k] == 2
        hits += row[TIER + k] == 2
    majority = 1.0 if 2 * hits > GUISES else 0.0
    if 2 * hits != GUISES:
        for k in range(GUISES):
            at = DEPARTING if paid[k] != majority else OTHERS
            out[at] += not kept[k]
            out[at + 1] += 1
    values = (row[TIER : TIER + GUISES] * 1.0, row[LEVEL : LEVEL + GUISES] / 100, paid)
    decided = (paid, row[PAID : PAID + GUISES] * 1.0)
    for i in range(2):
        out[ALL + i] = weight * _mean_difference(decided[i], all_of)
        out[PASSING + i] = weight * _mean_difference(decided[i], kept)
        out[ALL + 2 + i] = weight * _mean_difference(values[i], all_of)
        out[PASSING + 2 + i] = weight * _mean_difference(values[i], kept)
    for v in range(3):
        for i in range(3):
            total, passing = np.zeros(2), np.zeros(2)
            count = np.zeros(2)
            for k in range(GUISES):
                sign = SIGNS[i, k]
                if sign != 0:
                    side = 0 if sign > 0 else 1
                    total[side] += values[v][k]
                    if kept[k]:
                        passing[side] += values[v][k]
                        count[side] += 1
            gap = (total[0] - total[1]) / SIDE[i]
            rest = passing[0] / count[0] - passing[1] / count[1]
            out[STEPS + 3 * v + i] = weight * (gap - rest)
            if v < 2:
                out[REST + 1 + 3 * v + i] = weight * (gap - rest)
            if v == 0 and i == SES:
                out[WHOLE], out[REST] = weight * gap, weight * rest


@njit(cache=False)
def measure(sums, fixed, out):
    """Counts, screened instability and what screening takes off the gaps."""
    s = sums[0]
    out[:7] = s[:7]
    out[S_GPT_ALL], out[S_JEV_ALL] = s[ALL], s[ALL + 1]
    out[S_GPT], out[S_JEV] = s[PASSING], s[PASSING + 1]
    out[S_RATIO_GPT], out[S_RATIO_JEV] = s[PASSING] / s[ALL], s[PASSING + 1] / s[ALL + 1]
    out[S_SPREAD_GPT] = s[PASSING + 2] / s[ALL + 2]
    out[S_SPREAD_JEV] = s[PASSING + 3] / s[ALL + 3]
    for i in range(9):
        out[S_STEPS + i] = s[STEPS + i]
    out[S_WHOLE], out[S_SCREENED] = s[WHOLE], s[REST]
    out[S_DEPART] = s[DEPARTING] / s[DEPARTING + 1]
    out[S_OTHER] = s[OTHERS] / s[OTHERS + 1]


@njit(cache=False)
def _levels_pass(row):
    """Whether every level of age, education and SES keeps a guise that nobody flags."""
    for i in range(3):
        left = np.zeros(3, np.int64)
        for k in range(GUISES):
            left[SIGNS[i, k] + 1] += not (row[k] or row[GUISES + k])
        if left[0] == 0 or left[2] == 0 or (i == SES and left[1] == 0):
            return False
    return True


@njit(cache=False)
def _exchange(row, low, high, fixed, new):
    """Put the next complaint of the stratum, from a place on, in that of one; False without one."""
    for place in range(np.random.randint(low, high), high):
        at = POOL + place * (ROW - TIER)
        if fixed[at + STRATUM - TIER] == row[STRATUM]:
            new[:] = row
            for i in range(ROW - TIER):
                new[TIER + i] = np.int64(fixed[at + i])
            return place != row[PLACE]
    return False


EXCHANGED, WITHIN = 0.2, 0.5
"""How often a complaint is exchanged, and how often flags stay in their complaint."""


@njit(cache=False)
def move(state, fixed, picked, new):
    """Exchange a complaint, or swap what is said of two guises of a stratum.

    A swap leaves every total of a stratum as it is. An exchange keeps the complaints in order,
    since that is what resamples go by.
    """
    c = np.random.randint(COMPLAINTS)
    first = c - c % SAMPLED
    picked[0] = c
    draw = np.random.random()
    if draw < EXCHANGED:
        low = state[c - 1, PLACE] + 1 if c > first else 0
        high = state[c + 1, PLACE] if c + 1 < first + SAMPLED else HOLDOUT
        return 1 if _exchange(state[c], low, high, fixed, new[0]) else 0
    k, m = np.random.randint(GUISES), np.random.randint(GUISES)
    d = c if draw < EXCHANGED + WITHIN else first + np.random.randint(SAMPLED)
    if state[c, k] == state[d, m] and state[c, GUISES + k] == state[d, GUISES + m]:
        return 0
    picked[1] = d
    last = 0 if c == d else 1
    new[0], new[last] = state[c], state[d]
    for flag in range(0, 2 * GUISES, GUISES):
        new[0, flag + k], new[last, flag + m] = state[d, flag + m], state[c, flag + k]
    if not (_levels_pass(new[0]) and _levels_pass(new[last])):
        return 0
    return last + 1


@njit(cache=False)
def derive(totals, j, fixed, out):
    """Draws of the rows: they are averages with fixed weights."""
    out[0] = totals[j]
    return out.shape[1]


total = sums_over(features)
search = resampled.annealer(features, measure, move, derive)


def intervals() -> resampled.Ends:
    """Printed intervals that flags have a part in."""
    ends = resampled.Ends(tuple(range(ROWS, FEATURES)))
    for who in ("claude", "gpt52", "either", "both"):
        ends.add(f"sec4_8.fa2.{who}", 0.01)
    for guises in ("all", "screened"):
        ends.add(f"sec4_8.screened_gap.ses.{guises}")
    for system in ("gpt4o", "jev"):
        for name in ("age", "edu", "ses"):
            ends.add(f"appd.screened_diff.{system}.{name}")
    return ends


def targets() -> Targets:
    """Windows of Sec 4.8 and Appendix D that the flags of guises give."""
    aim, percent = Targets(STATISTICS), 0.01
    counts = [BY_LEVEL[level] for level in ("young", "old", "high_school", "college")]
    counts += list(BY_SES[::-1])
    for place, count in enumerate(counts):
        aim.free(COUNTS + place, count, count, 1.0)
    aim.value(S_GPT_ALL, "sec4_8.fa3.all.gpt4o", percent)
    aim.value(S_JEV_ALL, "sec4_8.fa3.all.jev", percent)
    aim.value(S_GPT, "sec4_8.fa3.screened.gpt4o", percent)
    aim.value(S_JEV, "sec4_8.fa3.screened.jev", percent)
    aim.value(S_RATIO_GPT, "sec4_8.fa3.ratio.gpt4o", percent, soft=0.5)
    aim.value(S_RATIO_JEV, "sec4_8.fa3.ratio.jev", percent)
    aim.value(S_SPREAD_GPT, "sec4_8.fa3.mpad_ratio.gpt4o")
    aim.value(S_SPREAD_JEV, "sec4_8.fa3.mpad_ratio.jev")
    for v, system in enumerate(("gpt4o", "jev")):
        for i, name in enumerate(("age", "edu", "ses")):
            aim.value(S_STEPS + 3 * v + i, f"appd.screened_diff.{system}.{name}")
    low = figure("appd.screened_diff.monetary.min")
    high = figure("appd.screened_diff.monetary.max")
    # Contrasts are not named: all three lie in the printed range, at either end one of them.
    aim.value(S_STEPS + 6, "appd.screened_diff.monetary.min", percent, soft=4)
    aim.value(S_STEPS + 7, "appd.screened_diff.monetary.max", percent, soft=4)
    between = (low.value * percent, high.value * percent)
    aim.free(S_STEPS + 8, *between, 4 * low.half_unit * percent)
    aim.value(S_WHOLE, "sec4_8.screened_gap.ses.all")
    aim.value(S_SCREENED, "sec4_8.screened_gap.ses.screened")
    aim.value(S_DEPART, "sec4_8.fa4.departing", percent)
    aim.value(S_OTHER, "sec4_8.fa4.other", percent)
    return aim


COUNT_FIGURES = (
    *(f"sec4_8.fa2.{who}" for who in ("claude", "gpt52", "either", "both", "dollar", "year")),
    "sec4_8.fa6.agreement",
    "sec4_8.fa6.kappa_guises",
    "sec4_8.fa6.kappa_all",
    "sec4_8.fa3.pass_mean",
    "sec4_8.fa1.claude",
    "sec4_8.fa1.gpt52",
    "sec4_8.fa5.either",
    "sec4_8.fa5.both",
    *(f"appd.flags.age.{level}" for level in ("old", "young")),
    *(f"appd.flags.education.{level}" for level in ("college", "high_school")),
    *(f"appd.flags.ses.{level}" for level in ("low", "middle", "high")),
    "appd.kappa.edits",
    "appd.kappa.three_category",
)
"""Figures that follow from whole numbers alone."""


STARTS, ENOUGH = 10, 0.05
"""How many choices of complaints and ways to spread the flags over them are tried until the loss is
this small."""

MOST = 24
"""Most flagged guises of a complaint, so that every level keeps some that pass."""

COUNT_TRIES = 12_000

PLAN = ((0.6, 600_000, 2.0), (0.1, 500_000, 0.5), (0.01, 300_000, 0.5))
"""Starting heat, moves, and how much softer a whole number is asked for."""


def counts_of(weights: tuple[float, float], rng: np.random.Generator) -> np.ndarray:
    """How many guises of each complaint Claude flags, GPT-5.2 flags, and both: (complaints, 3).

    Totals of a stratum are fixed; flags move between its complaints until the printed intervals of
    the four rates come out.
    """
    out = np.zeros((COMPLAINTS, 3), dtype=np.int64)
    for s in range(2):
        rows = slice(s * SAMPLED, (s + 1) * SAMPLED)
        # A few complaints have most of the flags.
        own = rng.exponential(1.0, SAMPLED) ** 1.2
        one, other, both = (flagged[s] for flagged in FLAGGED)
        for place, size in ((0, one - both), (1, other - both), (2, both)):
            out[rows, place] = rng.multinomial(size, own / own.sum())
    # One auditor's flags alone so far, which move freely.
    ends, share = resampled.Ends(), np.repeat(weights, SAMPLED) / SAMPLED / GUISES
    for who in ("claude", "gpt52", "either", "both"):
        ends.add(f"sec4_8.fa2.{who}", 0.01)
    drawn = draws() * share[:, None]

    def loss(alone: np.ndarray) -> float:
        a, b, both = alone.T
        rows = np.stack([a + both, b + both, a + b + both, both])
        over = np.maximum(rows[2] - MOST, 0).sum()
        return ends.loss(rows @ drawn) + float(over)

    least = loss(out)
    for step in range(COUNT_TRIES):
        if least == 0:
            break
        first = SAMPLED * int(rng.integers(2))
        c, other = first + rng.integers(SAMPLED, size=2)
        kind = int(rng.integers(3))
        bar = least - 0.5 * (1 - step / COUNT_TRIES) ** 2 * np.log(1 - rng.random())
        if c == other or out[c, kind] == 0:
            continue
        out[c, kind] -= 1
        out[other, kind] += 1
        tried = loss(out)
        if tried <= bar:
            least = tried
        else:
            out[c, kind] += 1
            out[other, kind] -= 1
    out[:, :2] += out[:, 2:]
    return out


def _placed(counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Flags of so many guises of each complaint, shape (complaints, guises, auditors)."""
    out = np.zeros((COMPLAINTS, GUISES, 2), dtype=np.int8)
    for c, (one, other, both) in enumerate(counts):
        out[c, :one, 0] = 1
        out[c, one - both : one - both + other, 1] = 1
        out[c] = out[c, rng.permutation(GUISES)]
    return out


def flags(
    tiers: np.ndarray,
    jev_level: np.ndarray,
    jev_paid: np.ndarray,
    weights: tuple[float, float],
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, dict[int, float]]:
    """Search for the audited complaints and their flags.

    Parameters
    ----------
    tiers, jev_level, jev_paid : ndarray of int, shape (complaints, guises)
        Of the holdout; the expected tier in hundredths.
    weights : tuple of float
    rng : numpy.random.Generator

    Returns
    -------
    complaints : ndarray of int, shape (40,)
        The unanimous stratum first.
    flags : ndarray, shape (40, guises, auditors)
    missed : dict
        What misses its window.
    """
    m = (tiers == 2).sum(1)
    mixed = (m > 0) & (m < GUISES)
    pool = np.column_stack([tiers, jev_level, jev_paid, mixed, np.arange(HOLDOUT)]).astype(int)
    fixed = np.concatenate([weights, pool.ravel()])
    aim, blocks, aux = targets(), np.ones(COMPLAINTS, dtype=np.int64), np.zeros((COMPLAINTS, 1))
    uses, counts, ends = np.eye(FEATURES - ROWS, dtype=np.bool_), draws(), intervals().arrays()
    found, least = np.zeros((COMPLAINTS, ROW), dtype=np.int64), np.inf
    for _ in range(STARTS):
        members, _ = chosen(tiers, jev_level / 100, jev_paid, weights, rng)
        placed = _placed(counts_of(weights, rng), rng)
        rows = np.concatenate([placed[..., 0], placed[..., 1], pool[members]], axis=1)
        loss = np.inf
        for hot, moves, exact in PLAN:
            unit = np.where(aim.low == aim.high, aim.unit * exact, aim.unit)
            arrays = (aim.low, aim.high, unit, *ends)
            tail = (uses, counts, moves, hot, hot / 10, int(rng.integers(2**31)))
            loss, _ = search(rows, aux, fixed, blocks, FEATURES, *arrays, *tail)
        if loss < least:
            found, least = rows, loss
        if loss < ENOUGH:
            break
    print(f"  audit: loss {least:.3f}", flush=True)
    out = np.zeros(STATISTICS)
    measure(total(found, aux, fixed, blocks, FEATURES), fixed, out)
    placed = np.stack([found[:, :GUISES], found[:, GUISES:TIER]], axis=-1).astype(np.int8)
    return found[:, PLACE], placed, aim.misses(out)


def draws() -> np.ndarray:
    """How often each audited complaint is drawn; strata have streams of their own, by name."""
    place = [sorted(STRATA).index(name) for name in STRATA]
    return np.concatenate([resampled.weights(SAMPLED, at) for at in place])


def exact_checks(found: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Guises whose dollar amounts and whose years differ, among those that somebody flags."""
    out = []
    for counts in (AMOUNTS, YEARS):
        differs = np.zeros(found.shape[:2], dtype=bool)
        for s in range(2):
            rows = slice(s * SAMPLED, (s + 1) * SAMPLED)
            where = np.argwhere(found[rows].any(-1))
            for c, k in where[rng.permutation(len(where))[: counts[s]]]:
                differs[s * SAMPLED + c, k] = True
        out.append(differs)
    return out[0], out[1]


STYLED_COMPLAINTS, STYLES = 25, 3
"""Standardised texts audited in each stratum: one complaint in each style."""

STYLED_FLAGS = ((1, 4, 0), (0, 3, 1))
"""In each stratum: flagged by Claude alone, by GPT-5.2 alone, by both. 6.5% by either and .2% by
both when weighted."""

STYLED_TRIES = 500


def styled(
    mixed: np.ndarray, weights: tuple[float, float], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Complaints of both strata whose standardised texts were audited, and the texts' flags.

    Drawn again until the printed intervals come out.

    Parameters
    ----------
    mixed : ndarray of bool
        Whether a complaint is in the second stratum.
    weights : tuple of float
        Population shares of the strata.
    rng : numpy.random.Generator

    Returns
    -------
    complaints : ndarray, shape (2, 25)
    flags : ndarray, shape (2, 25, 3, 2)
    """
    size = STYLED_COMPLAINTS * STYLES
    share = np.repeat(weights, STYLED_COMPLAINTS) / size
    counts = resampled.weights(2 * STYLED_COMPLAINTS)
    ends = resampled.Ends()
    for who in ("either", "both"):
        ends.add(f"sec4_8.fa5.{who}", 0.01)
    best, least = (np.zeros(0), np.zeros(0)), np.inf
    for _ in range(STYLED_TRIES):
        places = np.stack(
            [
                np.sort(rng.permutation(np.flatnonzero(mixed == bool(s)))[:STYLED_COMPLAINTS])
                for s in range(2)
            ]
        )
        found = np.stack([pattern(size, kinds, rng) for kinds in STYLED_FLAGS])
        found = found.reshape(2, STYLED_COMPLAINTS, STYLES, 2)
        rows = np.stack([found.any(-1).sum(2).ravel(), found.all(-1).sum(2).ravel()]) * share
        order = np.argsort(places.ravel())
        draws = rows[:, order] @ counts / (STYLES * share[order] @ counts)
        loss = ends.loss(draws)
        if loss < least:
            best, least = (places, found), loss
        if loss == 0:
            break
    return best


EDITED_TEXTS = 100
EDIT_FLAGS = (1, 0, 98)
"""By Claude alone, by GPT-5.2 alone, by both: 99%, 98% and kappa .66."""


def pattern(size: int, counts: tuple[int, int, int], rng: np.random.Generator) -> np.ndarray:
    """Flags of both auditors for so many texts, shape (texts, 2), in random order."""
    kinds = np.repeat([[1, 0], [0, 1], [1, 1]], counts, axis=0)
    return rng.permutation(np.concatenate([kinds, np.zeros((size - len(kinds), 2), int)]))


def verdicts(material: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Three-way verdicts (texts, 2) of all audited texts: 2 where material, else 0 or 1.

    The share of texts that only one of the two calls changed at all is set so that kappa over
    three categories prints as given.
    """
    wanted = figure("appd.kappa.three_category").value
    draw = rng.random(len(material))
    out = material * 2
    neither = np.flatnonzero(~material.any(1).astype(bool))
    order = neither[np.argsort(draw[neither])]
    alone = material.any(1) & ~material.all(1)
    best, least = out, np.inf
    for apart in range(0, len(order), 4):
        trial = out.copy()
        shared = len(order) // 5
        trial[order[:shared]] = 1
        trial[order[shared : shared + apart // 2], 0] = 1
        trial[order[shared + apart // 2 : shared + apart], 1] = 1
        # Where one auditor sees a material change, the other mostly sees a minor one.
        side = np.flatnonzero(alone & (draw < 0.7))
        trial[side] = np.where(material[side] == 1, 2, 1)
        miss = abs(kappa(trial, 3) - wanted)
        if miss < least:
            best, least = trial, miss
        if least < 0.001 or shared + apart >= len(order):
            break
    return best


def kappa(pairs: np.ndarray, classes: int) -> float:
    """Cohen's kappa of two raters."""
    table = np.zeros((classes, classes))
    np.add.at(table, (pairs[:, 0], pairs[:, 1]), 1)
    table /= table.sum()
    agree, chance = np.trace(table), table.sum(1) @ table.sum(0)
    return float((agree - chance) / (1 - chance))
