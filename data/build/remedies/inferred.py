"""Whom a reader takes a writer for: inferred probabilities of the persona levels.

The probability of a level is a linear index of the delivery attributes that points to the intended
level, an index of the content attributes without what delivery knows, and noise that neither knows;
the weights give the wanted R2 on either family (H-A4). For education, probabilities are then
exchanged between guises of a complaint with the same education, until the gap among recognised
guises and the gap among the others print as given (H-A3).
"""

from __future__ import annotations

import numpy as np

from data.build.remedies.attributes import CONTENT, DELIVERY, UNIT, within
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


CLUSTER = 0.12
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


def _recognised(
    college: np.ndarray, tiers: np.ndarray, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Exchange probabilities of education until both printed gaps are met."""
    p, y = college.copy(), within(tiers.astype(float))
    sign = SIGNS[EDUCATION]
    gap = _gap(p, y)
    for step in range(200_000):
        if step % 50 == 0:
            gap = _gap(p, y)
            if abs(gap - KNOWN_GAP) < 1e-4:
                break
        c = int(rng.integers(HOLDOUT))
        one, other = rng.integers(GUISES, size=2)
        if sign[one] != sign[other]:
            continue
        own = p[c, [one, other]] if sign[one] > 0 else 100 - p[c, [one, other]]
        known = own >= RECOGNISED
        if known[0] == known[1]:
            continue
        more = (y[c, other] - y[c, one]) * sign[one] * (1 if known[0] else -1)
        if more != 0 and (more > 0) == (gap < KNOWN_GAP):
            p[c, [one, other]] = p[c, [other, one]]
    return {"education_college": p, "education_high_school": 100 - p}


def _gap(college: np.ndarray, y: np.ndarray) -> float:
    """Gap among recognised guises (NOTES 3.14)."""
    sign = SIGNS[EDUCATION]
    up = (sign > 0) & (college >= RECOGNISED)
    down = (sign < 0) & (100 - college >= RECOGNISED)
    return float(y[up].mean() - y[down].mean())
