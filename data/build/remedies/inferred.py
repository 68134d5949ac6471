"""Whom a reader takes a writer for: inferred probabilities of the persona levels.

The probability of a level is a linear index of the delivery attributes that points to the intended
level, an index of the content attributes without what delivery knows, and noise that neither knows;
the weights give the wanted R2 on either family (H-A4). For education, probabilities are then
exchanged between guises of a complaint with the same education, until the gap among recognised
guises and the gap among the others print as given (H-A3).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from data.build.remedies import resampled
from data.build.remedies.attributes import CONTENT, DELIVERY, UNIT, within
from data.build.remedies.pins import Targets
from data.build.remedies.reference import EDUCATION, GUISES, HOLDOUT, PERSONAS, SIGNS

LEVELS = {
    "age": ("young", "old"),
    "geography": ("suburban", "urban", "rural"),
    "education": ("high_school", "college"),
    "ses": ("middle", "high", "low"),
}
"""Levels of each factor; the first gets what the others leave."""

ALIKE = {"age": 0.79, "geography": 0.24, "education": 0.62, "ses": 0.45}
TOLD = {"age": 0.05, "geography": 0.01, "education": 0.03, "ses": 0.02}
"""R2 of the inferred levels on delivery and on content; the document prints the two ends."""

SPREAD = {2: 0.17, 3: 0.085}
"""Standard deviation of a probability, by number of levels."""

RECOGNISED = 60
"""Hundredths from which a level counts as recognised (Sec 3.5)."""

CUES = ("recognised", "ambiguous", "difference")
COLLEGE = SIGNS[EDUCATION] > 0

KNOWN_GAP, OTHER_GAP = 0.0533, 0.0086
"""Gaps among recognised and other guises that print as given, and so does their difference."""


def _unit(y: np.ndarray) -> np.ndarray:
    return y / np.sqrt((y**2).mean())


def _rest(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    return y - x @ np.linalg.lstsq(x, y, rcond=None)[0]


def _content_weight(wanted: float, base: np.ndarray, extra: np.ndarray, x: np.ndarray) -> float:
    """Weight of the content index at which R2 on the content attributes is as asked for."""
    low, high = 0.0, 0.6
    for _ in range(40):
        middle = (low + high) / 2
        both = base + middle * extra
        # The whole has unit variance once noise is added.
        known = (both**2).mean() - (_rest(both, x) ** 2).mean()
        low, high = (middle, high) if known < wanted else (low, middle)
    return (low + high) / 2


def probabilities(
    attributes: np.ndarray, tiers: np.ndarray, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Hundredths of each level (complaints, guises), by factor and level.

    Parameters
    ----------
    attributes : ndarray, shape (complaints, guises, attributes)
    tiers : ndarray, shape (complaints, guises)
        Of the system whose gaps are split by recognition.
    rng : numpy.random.Generator
    """
    x = within_rows(attributes)
    delivery, content = x[:, DELIVERY], x[:, CONTENT]
    both = np.concatenate([delivery, content], 1)
    out: dict[str, np.ndarray] = {}
    for factor, levels in LEVELS.items():
        place = list(LEVELS).index(factor)
        found = []
        for level in levels[1:]:
            truth = np.tile([float(p[place] == level) for p in PERSONAS], HOLDOUT)
            truth -= truth.mean()
            if factor == "geography":
                # Styles of places are hardly written: any direction of the delivery will do.
                truth += delivery @ rng.standard_normal(delivery.shape[1])
            noise = within(rng.standard_normal((HOLDOUT, GUISES))).ravel()
            told = np.sqrt(ALIKE[factor]) * _unit(truth - _rest(truth, delivery))
            extra = content @ rng.standard_normal(content.shape[1])
            extra = _unit(_rest(extra, delivery))
            b = _content_weight(TOLD[factor], told, extra, content)
            left = np.sqrt(1 - ALIKE[factor] - b * b)
            found.append(told + b * extra + left * _unit(_rest(noise, both)))
        rows = np.array(found) * SPREAD[len(levels)] + 1 / len(levels)
        if factor == "education":
            rows = _with_share(rows, tiers, rng)
        out |= _hundredths(rows, factor, levels)
    out |= _recognised(out["education_college"], tiers, rng)
    return out


def within_rows(attributes: np.ndarray) -> np.ndarray:
    """Attributes about their complaint's mean, a row for each text."""
    x = attributes / UNIT
    return (x - x.mean(1, keepdims=True)).reshape(-1, x.shape[-1])


CLUSTER = 0.14
"""How much easier one complaint's guises are told apart than another's: printed intervals of the
gaps among recognised and other guises are too wide for complaints that are all alike."""


def _with_share(rows: np.ndarray, tiers: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Move both levels of education apart until so many guises are recognised as both gaps ask for.

    The gap of all guises is the average of the two, weighted by the share of recognised ones.
    """
    each = SIGNS[EDUCATION]
    whole = tiers[:, each > 0].mean() - tiers[:, each < 0].mean()
    share = (whole - OTHER_GAP) / (KNOWN_GAP - OTHER_GAP)
    sign = np.tile(each, HOLDOUT)
    own = 0.5 + sign * (rows[0] - 0.5)
    own = own + CLUSTER * np.repeat(rng.standard_normal(HOLDOUT), GUISES)
    bar = (RECOGNISED - 0.5) / 100
    shift = bar - np.array([np.quantile(own[sign == s], 1 - share) for s in (1, -1)])
    own = own + np.where(sign > 0, shift[0], shift[1])
    return (0.5 + sign * (own - 0.5))[None]


def _hundredths(rows: np.ndarray, factor: str, levels: tuple[str, ...]) -> dict[str, np.ndarray]:
    most = 98 if len(levels) == 2 else 48
    whole = np.clip(np.round(100 * rows), 2, most).astype(np.int64)
    parts = np.concatenate([100 - whole.sum(0, keepdims=True), whole])
    return {
        f"{factor}_{level}": part.reshape(HOLDOUT, GUISES)
        for level, part in zip(levels, parts, strict=True)
    }


# Search for who is recognised. A row is 36 guises with the hundredths for college and the tier;
# what is known of a complaint is its mean tier.
SUMS, COUNTS = 0, 4
"""Of tiers and of guises: college known, college not, high school known, not."""
FEATURES = 8
KNOWN, OTHER, STEP = range(3)
STATISTICS = 3


@njit(cache=False)
def features(row, aux, fixed, out):
    """Numbers of one complaint."""
    out[:] = 0.0
    for k in range(GUISES):
        college = COLLEGE[k]
        own = row[k, 0] if college else 100 - row[k, 0]
        place = (0 if college else 2) + (0 if own >= RECOGNISED else 1)
        out[SUMS + place] += row[k, 1] - aux[0]
        out[COUNTS + place] += 1


@njit(cache=False)
def measure(sums, fixed, out):
    """Gaps among recognised guises and among the others, and their difference (NOTES 3.14)."""
    s = sums[0]
    for i in range(2):
        out[i] = s[SUMS + i] / s[COUNTS + i] - s[SUMS + 2 + i] / s[COUNTS + 2 + i]
    out[STEP] = out[KNOWN] - out[OTHER]


@njit(cache=False)
def derive(totals, group, fixed, out):
    """Draws of both gaps and of the difference."""
    for d in range(out.shape[1]):
        for i in range(2):
            out[i, d] = totals[i, d] / totals[4 + i, d] - totals[2 + i, d] / totals[6 + i, d]
        out[STEP, d] = out[KNOWN, d] - out[OTHER, d]
    return out.shape[1]


@njit(cache=False)
def propose(row, new):
    """Exchange two guises with the same education and other tiers, one of them recognised."""
    new[:] = row
    one, other = np.random.randint(GUISES), np.random.randint(GUISES)
    if COLLEGE[one] != COLLEGE[other] or row[one, 1] == row[other, 1]:
        return False
    new[one, 0], new[other, 0] = row[other, 0], row[one, 0]
    if COLLEGE[one]:
        return (row[one, 0] >= RECOGNISED) != (row[other, 0] >= RECOGNISED)
    return (100 - row[one, 0] >= RECOGNISED) != (100 - row[other, 0] >= RECOGNISED)


search = resampled.annealer(features, measure, resampled.one_complaint(propose), derive)

PLAN = (
    (0.1, 1_000_000, 10.0),
    (0.03, 1_000_000, 10.0),
    (0.01, 600_000, 3.0),
    (0.003, 600_000, 1.0),
)
"""Starting heat, moves, and how much softer a value is asked for: its window is two exchanges wide,
so that most would otherwise be refused before their ends are known."""


def _recognised(
    college: np.ndarray, tiers: np.ndarray, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Exchange probabilities of education until the printed gaps and their intervals are met."""
    rows = np.stack([college, tiers], -1).astype(np.int64)
    aux = tiers.mean(1, keepdims=True)
    aim, ends = Targets(STATISTICS), resampled.Ends(tuple(range(FEATURES)))
    for place, cue in enumerate(CUES):
        aim.value(place, f"sec4_5.ha3.{cue}")
        ends.add(f"sec4_5.ha3.{cue}", together=place > 0)
    blocks, uses = np.ones(HOLDOUT, dtype=np.int64), np.ones((1, FEATURES), dtype=np.bool_)
    for hot, moves, soft in PLAN:
        arrays = (aim.low, aim.high, aim.unit * soft, *ends.arrays())
        tail = (uses, resampled.weights(HOLDOUT), moves, hot, hot / 10, int(rng.integers(2**31)))
        loss, _ = search(rows, aux, np.zeros(1), blocks, FEATURES, *arrays, *tail)
    print(f"  recognised: loss {loss:.3f}", flush=True)
    found = rows[..., 0]
    return {"education_college": found, "education_high_school": 100 - found}
