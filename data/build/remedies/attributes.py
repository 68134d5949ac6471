"""Attributes of the guises of the first bank, of arm M1 and of the edits; inferred personas.

Within a complaint an attribute is a persona part, a noise part that a family shares, its own noise,
and small multiples of what the persona leaves of three outcomes: the GPT tier, Jev's expected tier
and Jev's p2. The persona parts are scaled to the printed shares of variance; the multiples are
found by Newton's method, so that Gelbach's decomposition and the explained variance print as given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.reference import table
from core.studies.remedies.contract import ATTRIBUTES
from data.build.remedies.pins import figure
from data.build.remedies.reference import (
    EDITED,
    EDUCATION,
    GUISES,
    HOLDOUT,
    MITIGATED,
    SES,
    SIGNS,
    STUDY,
)

FAMILIES = tuple(table(STUDY, "attributes")["family"])
DELIVERY, STRUCTURE, CONTENT = (
    np.flatnonzero(np.array(FAMILIES) == name) for name in ("delivery", "structure", "content")
)
SCORES = 19
"""Attributes on the scale from 0 to 1 in steps of .005; the last three are measured."""

UNIT = np.array([*np.ones(SCORES), 40.0, 20.0, 1.0])
"""Scale of an attribute over that of a score: words, grades, and a share again."""

STEP = np.array([*np.full(SCORES, 0.005), 0.01, 0.01, 0.0001])

HALVES = np.array([j % 2 for j in range(len(ATTRIBUTES))])
"""Attributes of a family are tied to the outcome in two halves, the one more by education, the
other more by SES."""

SHARE = {
    "confidence": 0.30,
    "rudeness": 0.08,
    "entitlement": 0.15,
    "coherence": 0.24,
    "request_clarity": 0.15,
    "mean_sentence_length": 0.55,
    "flesch_kincaid_grade": 0.62,
    "abs_vader_compound": 0.05,
    "emotion": 0.19,
    "concision": 0.13,
    "evidence": 0.012,
    "harm": 0.009,
    "bank_error": 0.015,
    "money_demand": 0.022,
    "legal_basis": 0.019,
    "prior_attempts": 0.007,
}
"""Persona shares of variance that are not printed for the whole holdout."""

STYLED_SHARE = 0.004
"""Persona share in style A where none is printed: below the printed bound of .007."""

LOADINGS = {
    "delivery": ((0.30, 0.64, 0.60), (0.25, 0.50, 0.78)),
    "structure": ((0.20, 0.85, 0.40), (0.20, 0.62, 0.68)),
    "content": ((0.15, 0.97, 0.25), (0.15, 0.80, 0.55)),
}
"""Weight of age, education and SES in the persona part of each half of a family: the larger, the
wider the interval of the family's contribution to that gap."""

COMMON = {"delivery": 0.35, "structure": 0.25, "content": 0.05}
"""Part of the noise that the attributes of a family share: one register behind the delivery."""

SPREAD = {"delivery": 0.11, "structure": 0.10, "content": 0.045}
"""Within-complaint standard deviation on the scale of scores."""

MEAN = {"formality": 0.36, "emotion": 0.50, "evidence": 0.38, "bank_error": 0.45}
"""Mean scores that leave room for a printed shift; the others are at .5."""


@dataclass(frozen=True)
class Outcomes:
    """What the attributes are to explain, shape (complaints, guises) each."""

    tier: np.ndarray
    expected: np.ndarray
    p2: np.ndarray


def within(y: np.ndarray) -> np.ndarray:
    """Take out complaint means."""
    return y - y.mean(1, keepdims=True)


def without_guises(y: np.ndarray) -> np.ndarray:
    """Take out guise means in either half, so that persona parts are all that guises share."""
    first, last = y[:MITIGATED], y[MITIGATED:]
    return np.concatenate([first - first.mean(0), last - last.mean(0)])


def left(y: np.ndarray) -> np.ndarray:
    """Take out complaint and guise means, and give it unit variance."""
    rest = without_guises(within(y))
    return rest / rest.std()


def printed_share(name: str, arm: str) -> float | None:
    """Printed persona share of an attribute: whole holdout, or arm M0 or M1 of its first half."""
    prefixes = {"": ("sec4_5.ha1.eta2.",), "m0": ("sec4_7.mh4.eta2.", "appd.mh4.eta2.")}
    for prefix in prefixes.get(arm, prefixes["m0"]):
        try:
            return figure(f"{prefix}{name}{'.' + arm if arm else ''}").value
        except KeyError:
            continue
    return None


def persona_part(name: str) -> np.ndarray:
    """Direction of an attribute's persona part, mean 0 and mean square 1 over guises."""
    j = ATTRIBUTES.index(name)
    weights = LOADINGS[FAMILIES[j]][HALVES[j]]
    part = np.array(weights) @ SIGNS
    return part / np.sqrt((part**2).mean())


def scales(name: str) -> tuple[float, float]:
    """Size of the persona part in the first and the last half, noise being 1.

    With shares a (first half) and t (whole) the first size is sqrt(a / (1 - a)). The guises' means
    over the whole holdout are those of the average size m, so t is m**2 over the average of
    1 + size**2; solved for the second size.
    """
    whole = printed_share(name, "") or SHARE[name]
    first = printed_share(name, "m0")
    if first is None:
        first = whole
    a = np.sqrt(first / (1 - first))
    # Beyond about twice the first size the share falls again: the halves would be too unlike.
    low, high = 0.0, 1.5 * float(a) + 0.2
    for _ in range(60):
        b = (low + high) / 2
        share = ((a + b) / 2) ** 2 / (1 + (a * a + b * b) / 2)
        low, high = (b, high) if share < whole else (low, b)
    return float(a), (low + high) / 2


def rounded(scores: np.ndarray) -> np.ndarray:
    """Put attributes on their grids and scales, last axis the attributes."""
    bounded = np.clip(scores, 0.0, 1.0)
    return np.round(np.round(bounded * UNIT / STEP) * STEP, 4)


def gelbach(y: np.ndarray, x: np.ndarray, contrast: int) -> tuple[float, np.ndarray]:
    """Gap and contribution of each attribute (NOTES 3.13).

    Complaint-demeaned outcome on the factor's own dummies, without and with all attributes; for
    SES the dummies are high and middle income, and the contribution is that of the high one.
    """
    z = within_dummies(contrast)
    flat = within(y).ravel()
    full = np.concatenate([z, x], 1)
    gap = np.linalg.lstsq(z, flat, rcond=None)[0]
    g = np.linalg.solve(full.T @ full, full.T @ flat)[z.shape[1] :]
    a = np.linalg.lstsq(z, x, rcond=None)[0]
    return float(gap[0]), a[0] * g


def within_dummies(contrast: int) -> np.ndarray:
    """Demeaned dummies of a factor for all texts, the target level first."""
    columns = [SIGNS[contrast] > 0]
    if contrast == SES:
        columns.append(SIGNS[contrast] == 0)
    z = np.array(columns, dtype=float).T
    return np.tile(z - z.mean(0), (HOLDOUT, 1))


def explained(y: np.ndarray, x: np.ndarray) -> float:
    """Within-complaint R2 of an outcome on some attributes (NOTES 3.12)."""
    flat = within(y).ravel()
    fit = x @ np.linalg.solve(x.T @ x, x.T @ flat)
    return float((fit**2).sum() / (flat**2).sum())


TARGETS = (
    *(
        (f"table4.{family}.{name}", contrast, members)
        for name, contrast in (("edu", EDUCATION), ("ses", SES))
        for family, members in (
            ("delivery", DELIVERY),
            ("structure", STRUCTURE),
            ("content", CONTENT),
        )
    ),
)

CONTENT_PARTS = (0.00195, 0.0028)
"""Contribution of content to the education and the SES gap: delivery is about 7 and 4 times it."""

REMEDY_R2 = (0.2045, 0.210, 0.040)
"""R2 of expected tier and p2 on content, and of expected tier on delivery (H-A5)."""


def aims(outcomes: Outcomes) -> np.ndarray:
    """Contributions of the three families to both gaps, then `REMEDY_R2`.

    The printed share of each gap that all attributes explain fixes the sum; delivery and structure
    divide what content leaves as their printed values do.
    """
    out: list[float] = []
    for (name, contrast), content in zip((("edu", 1), ("ses", 2)), CONTENT_PARTS, strict=True):
        sign = SIGNS[contrast]
        gap = outcomes.tier[:, sign > 0].mean() - outcomes.tier[:, sign < 0].mean()
        both = figure(f"table4.explained.{name}").value / 100 * gap - content
        delivery, structure = (
            figure(f"table4.{family}.{name}").value for family in ("delivery", "structure")
        )
        out += [both * part / (delivery + structure) for part in (delivery, structure)]
        out.append(content)
    return np.array([*out, *REMEDY_R2])


@dataclass
class Draft:
    """Attributes before they are rounded, as a function of the nine multiples."""

    noise: np.ndarray
    outcomes: Outcomes

    def __post_init__(self) -> None:
        """Standardise what the persona leaves of the outcomes, and size the persona parts."""
        o = self.outcomes
        self.sizes = np.array([scales(name) for name in ATTRIBUTES]).T
        self.directions = np.array([persona_part(name) for name in ATTRIBUTES]).T
        self.rests = [left(o.tier), left(o.expected), left(o.p2)]

    def at(self, multiples: np.ndarray) -> np.ndarray:
        """Within-complaint attributes, shape (complaints, guises, attributes)."""
        x = self.noise.copy()
        tier, expected, p2 = self.rests
        for f, members in enumerate((DELIVERY, STRUCTURE, CONTENT)):
            for j in members:
                x[:, :, j] += multiples[2 * f + HALVES[j]] * SPREAD[FAMILIES[j]] * tier
        for n, j in enumerate(CONTENT):
            rest = expected if n % 2 else p2
            x[:, :, j] += multiples[6 + n % 2] * SPREAD["content"] * rest
        for j in DELIVERY:
            x[:, :, j] += multiples[8] * SPREAD["delivery"] * expected
        # Persona parts in units of the rest, so that their shares are as printed.
        for half, sizes in zip(
            (slice(0, MITIGATED), slice(MITIGATED, None)), self.sizes, strict=True
        ):
            x[half] += x[half].std((0, 1)) * sizes * self.directions
        return x

    def results(self, multiples: np.ndarray) -> np.ndarray:
        """What is aimed at, for given multiples."""
        return summary(self.at(multiples), self.outcomes)


def summary(x: np.ndarray, o: Outcomes) -> np.ndarray:
    """The nine numbers of `AIMS` for within-complaint attributes."""
    flat = x.reshape(-1, x.shape[-1])
    out = []
    for contrast in (EDUCATION, SES):
        _, parts = gelbach(o.tier, flat, contrast)
        out += [parts[members].sum() for members in (DELIVERY, STRUCTURE, CONTENT)]
    out += [explained(y, flat[:, CONTENT]) for y in (o.expected, o.p2)]
    out.append(explained(o.expected, flat[:, DELIVERY]))
    return np.array(out)


def _noise(rng: np.random.Generator) -> np.ndarray:
    """Noise of unit variance without guise means, shared in part within a family."""
    own = rng.standard_normal((HOLDOUT, GUISES, len(ATTRIBUTES)))
    for family, members in (
        ("delivery", DELIVERY),
        ("structure", STRUCTURE),
        ("content", CONTENT),
    ):
        shared = rng.standard_normal((HOLDOUT, GUISES, 1))
        c = COMMON[family]
        own[:, :, members] = np.sqrt(1 - c) * own[:, :, members] + np.sqrt(c) * shared
    own = without_guises(within(own))
    return own / own.std((0, 1))


def solve(outcomes: Outcomes, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Attributes of the guises (complaints, guises, attributes), and the numbers of `aims`."""
    noise = _noise(rng)
    for j, name in enumerate(ATTRIBUTES):
        whole = printed_share(name, "") or SHARE[name]
        noise[:, :, j] *= SPREAD[FAMILIES[j]] * np.sqrt(1 - whole)
    draft = Draft(noise, outcomes)
    level = np.array([MEAN.get(name, 0.5) for name in ATTRIBUTES])
    room = np.array([0.10 if f == "content" else 0.04 for f in FAMILIES])
    middle = level + room * rng.uniform(-1, 1, (HOLDOUT, 1, len(ATTRIBUTES)))
    multiples = np.array([0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.2, 0.2, 0.05])
    wanted = aims(outcomes)
    goal = wanted.copy()
    for _ in range(3):
        multiples = _newton(draft, multiples, goal)
        final = rounded(middle + draft.at(multiples))
        reached = final / UNIT
        got = summary(reached - reached.mean(1, keepdims=True), outcomes)
        # Rounding and bounds shift the result a little: aim as much to the other side.
        goal += wanted - got
    return final, got


def _newton(draft: Draft, multiples: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Multiples at which the draft gives what is aimed at."""
    for _ in range(12):
        now = draft.results(multiples)
        if np.abs(now / goal - 1).max() < 0.001:
            break
        slope = np.empty((len(goal), len(goal)))
        for i in range(len(goal)):
            step = np.zeros(len(goal))
            step[i] = 1e-3
            slope[:, i] = (draft.results(multiples + step) - now) / 1e-3
        change = np.linalg.solve(slope, goal - now)
        multiples = multiples + change * min(1.0, 0.2 / np.abs(change).max())
    return multiples


def styled(attributes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Attributes in style A of the first half, (complaints, guises, attributes)."""
    before = attributes[:MITIGATED] / UNIT
    middle = before.mean(1, keepdims=True)
    out = np.zeros_like(before)
    for j, name in enumerate(ATTRIBUTES):
        noise = rng.standard_normal(before.shape[:2])
        noise -= noise.mean(1, keepdims=True)
        noise -= noise.mean(0)
        noise /= noise.std()
        share = printed_share(name, "m1") or STYLED_SHARE
        size = np.sqrt(share / (1 - share))
        spread = 0.6 * SPREAD[FAMILIES[j]]
        shift = SHIFTS.get(name, 0.0)
        own = middle[:, :, j] + LOOSE.get(name, 0.0) * rng.standard_normal((MITIGATED, 1))
        out[:, :, j] = spread * (noise + size * persona_part(name)) + own + shift
    return rounded(out)


LOOSE = {"harm": 0.0082, "legal_basis": 0.005}
"""How far a complaint's mean moves under style A where the correlation with M0 prints as .99."""

SHIFTS = {name: figure(f"sec4_7.mh4.shift.{name}").value for name in ("formality", "emotion")}
"""Printed change of the mean score from M0 to M1."""


def edited(attributes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Attributes of originals, strengthened and weakened texts, (complaints, texts, attributes).

    Shifts are in units of the pooled within-complaint standard deviation of these complaints'
    guises, with 35 degrees of freedom each (PC5).
    """
    guises = attributes[:EDITED] / UNIT
    variance = ((guises - guises.mean(1, keepdims=True)) ** 2).sum((0, 1)) / EDITED / (GUISES - 1)
    deviation = np.sqrt(variance)
    own = deviation * 0.5 * rng.standard_normal((EDITED, 3, len(ATTRIBUTES)))
    out = guises.mean(1)[:, None] + own - own.mean(0)
    for text, edit in ((1, "strengthen"), (2, "weaken")):
        for name in ("evidence", "bank_error"):
            try:
                shift = figure(f"appd.pc5.{edit}.{name}").value
            except KeyError:
                continue
            j = ATTRIBUTES.index(name)
            out[:, text, j] += shift * deviation[j]
    return rounded(out)
