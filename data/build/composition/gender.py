"""Gender-to-sex cells of both regimes.

The printed gender figures are one module mean per model (joint), the smallest
and largest module mean (implicit), and the occupational diagnostic, which
fixes six cells of each model. Female counts follow a simple lean by role and
are then nudged until the module mean is in its window.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logit
from scipy.stats import binom

from data.build.composition import diagnostic, pins
from data.build.composition.reference import (
    GATES,
    GENDER,
    OUTPUTS,
    REGIMES,
    ROLES,
    SLOTS,
    Layout,
)

ROLE_LEAN = 0.6
"""Weight of a role's occupational log odds in the lean of its cells."""
CONTEXT_SPREAD = 0.5


@dataclass(frozen=True)
class Gender:
    """Counts by regime, model, context and slot; outputs not failed are split."""

    female: np.ndarray
    male: np.ndarray
    unspecified: np.ndarray
    unmapped: np.ndarray


def build(layout: Layout, failed: np.ndarray, rng: np.random.Generator) -> Gender:
    """Gender counts that return the printed gender figures.

    Parameters
    ----------
    failed : ndarray of int, shape (regimes, models, contexts, slots)
    """
    fixed, stated = diagnostic.solve(layout, rng)
    mapped, unspecified, unmapped = _mapped(layout, failed, stated, rng)
    female = np.zeros_like(mapped)
    for r, regime in enumerate(REGIMES):
        common = mapped[r].min(axis=0) >= GATES[0]
        for m, model in enumerate(layout.models):
            held = _held(layout, model, fixed[m], mapped[r, m]) if regime == "implicit" else None
            window = _window(layout, regime, model)
            female[r, m] = _fit(layout, mapped[r, m], common, held, window, rng)
    return Gender(female, mapped - female, unspecified, unmapped)


def _mapped(layout, failed, stated, rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mapped counts with the printed minima, and where the others went.

    A joint cell far below its failures holds labels outside the source; an
    implicit story may simply not state a gender.
    """
    mapped = OUTPUTS - failed
    unspecified, unmapped = np.zeros_like(mapped), np.zeros_like(mapped)
    usa, slots = diagnostic.cells(layout)
    mapped[1][:, usa, slots] = stated
    unspecified[1][:, usa, slots] = OUTPUTS - stated
    for r, regime in enumerate(REGIMES):
        for m, model in enumerate(layout.models):
            lowest = round(OUTPUTS * _rate(regime, "min", model))
            free = mapped[r, m] == OUTPUTS
            free[usa] = False
            cells = rng.permutation(np.argwhere(free))
            if mapped[r, m].min() > lowest:
                c, s = cells[0]
                gone = OUTPUTS - lowest
                mapped[r, m, c, s] -= gone
                (unmapped if regime == "joint" else unspecified)[r, m, c, s] = gone
            if regime == "implicit" and lowest < OUTPUTS:
                for c, s in cells[1 : 1 + rng.integers(2, 6)]:
                    mapped[r, m, c, s] -= 1
                    unspecified[r, m, c, s] = 1
    return mapped, unspecified, unmapped


def _rate(regime: str, statistic: str, model: str) -> float:
    return pins.figure(
        pins.MAPPED_RATE,
        regime=regime,
        attribute=GENDER,
        statistic=statistic,
        model=model,
    ).value


def _window(layout: Layout, regime: str, model: str) -> tuple[float, float]:
    """Range of a model's module mean.

    In the implicit regime only the ends of the range over models are printed;
    the models in between follow their occupational-diagnostic medians.
    """
    if regime == "joint":
        return pins.figure(pins.GENDER_JOINT, model=model).window()
    median = {m: pins.figure(pins.OCCUPATIONAL, column="geo", model=m).value for m in layout.models}
    ends = [pins.figure(pins.GENDER_IMPLICIT, end=e) for e in ("min", "max")]
    lowest = min(median, key=median.get)
    highest = max(layout.models, key=lambda m: median[m])
    if model == lowest:
        return ends[0].window()
    if model == highest:
        return ends[1].window()
    place = (median[model] - median[lowest]) / (median[highest] - median[lowest])
    middle = ends[0].value + 0.95 * place * (ends[1].value - ends[0].value)
    return middle - 0.001, middle + 0.001


def _held(layout: Layout, model: str, fixed: np.ndarray, mapped: np.ndarray) -> np.ndarray:
    """Female counts that may not move, -1 where free; shape (contexts, slots).

    The printed range of the U.S. CEO share is carried by character outputs: the
    diagnostic leaves one story cell below it. Its ends fall to the models with
    the lowest and the highest diagnostic median.
    """
    held = np.full(mapped.shape, -1)
    usa, slots = diagnostic.cells(layout)
    held[usa, slots] = fixed
    median = {m: pins.figure(pins.OCCUPATIONAL, column="geo", model=m).value for m in layout.models}
    ends = [pins.figure(pins.CEO_SHARE, end=e).value / 100 for e in ("min", "max")]
    spread = max(median.values()) - min(median.values())
    place = (median[model] - min(median.values())) / spread
    ceo = SLOTS.index(("character", "ceo"))
    share = ends[0] + (ends[1] - ends[0]) * place
    held[usa, ceo] = round(share * mapped[usa, ceo])
    return held


def _module_mean(female, mapped, common, target) -> float:
    d = diagnostic.divergence(female / mapped, target[:, None])
    return float(np.mean([x[keep].mean() for x, keep in zip(d, common, strict=True)]))


def _fit(layout, mapped, common, held, window, rng) -> np.ndarray:
    """Female counts with the module mean in its window, shape (contexts, slots)."""
    target = diagnostic.female_targets(layout)
    shares = diagnostic.occupational_shares()
    lean = np.array([ROLE_LEAN * logit(shares[ROLES.index(r)]) for _, r in SLOTS])
    lean = lean - lean.mean() + rng.normal(0, CONTEXT_SPREAD, (len(mapped), 1))
    uniform = rng.uniform(size=mapped.shape)

    def counts(level: float) -> np.ndarray:
        share = 1 / (1 + np.exp(-(level + lean)))
        y = binom.ppf(uniform, mapped, share).astype(np.int64)
        return y if held is None else np.where(held >= 0, held, y)

    goal = sum(window) / 2
    low, high = 0.0, 12.0
    for _ in range(40):
        level = (low + high) / 2
        reached = _module_mean(counts(level), mapped, common, target)
        low, high = (level, high) if reached < goal else (low, level)
    return _nudge(counts(high), mapped, common, held, target, window, rng)


def _nudge(female, mapped, common, held, target, window, rng) -> np.ndarray:
    goal = sum(window) / 2
    reached = _module_mean(female, mapped, common, target)
    free = np.argwhere(common if held is None else common & (held < 0))
    while not window[0] <= reached <= window[1]:
        c, s = free[rng.integers(len(free))]
        trial = female.copy()
        trial[c, s] = np.clip(trial[c, s] + rng.choice([-1, 1]), 0, mapped[c, s])
        new = _module_mean(trial, mapped, common, target)
        if abs(new - goal) < abs(reached - goal):
            female, reached = trial, new
    return female
