"""Gender-to-sex cells of both regimes.

The printed gender figures are one module mean per model (joint), the smallest
and largest module mean (implicit), and the occupational diagnostic, which
fixes six cells of each model. Female counts follow a simple lean by role and
are then nudged until the module mean is in its window.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, logit
from scipy.stats import binom

from data.build.composition import pins
from data.build.composition.reference import (
    FORMATS,
    GATES,
    GENDER,
    OUTPUTS,
    REGIMES,
    ROLES,
    SLOTS,
    Layout,
    read_rows,
)

ROLE_LEAN = 0.6
"""Weight of a role's occupational log odds in the lean of its cells."""
CONTEXT_SPREAD = 0.5
DRAWS = 6_000
CHECK_DRAWS = 100_000
STARTS = 60
DIAGNOSED = ("USA", "story", "implicit")


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
    mapped, unspecified, unmapped = _mapped(layout, failed, rng)
    female = np.zeros_like(mapped)
    fixed = diagnosed(layout, rng)
    for r, regime in enumerate(REGIMES):
        common = mapped[r].min(axis=0) >= GATES[0]
        for m, model in enumerate(layout.models):
            held = _held(layout, fixed[m], mapped[r, m]) if regime == "implicit" else None
            window = _window(layout, regime, model)
            female[r, m] = _fit(layout, mapped[r, m], common, held, window, rng)
    return Gender(female, mapped - female, unspecified, unmapped)


def diagnosed_cells(layout: Layout) -> tuple[int, list[int]]:
    """Context and slots of the occupational diagnostic, in the order of ROLES."""
    context, fmt, _ = DIAGNOSED
    slots = [SLOTS.index((fmt, role)) for role in ROLES]
    return layout.contexts.index(context), slots


def _mapped(layout, failed, rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mapped counts with the printed minima, and where the others went.

    A joint cell far below its failures holds labels outside the source; an
    implicit story may simply not state a gender.
    """
    mapped = OUTPUTS - failed
    unspecified, unmapped = np.zeros_like(mapped), np.zeros_like(mapped)
    usa, _ = diagnosed_cells(layout)
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
    median = {
        m: pins.figure(pins.OCCUPATIONAL, column="geo", model=m).value
        for m in layout.models
    }
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


def _held(layout: Layout, fixed: np.ndarray, mapped: np.ndarray) -> np.ndarray:
    """Female counts that may not move, -1 where free; shape (contexts, slots).

    The character-format CEO cell follows the story cell, so the printed range
    of the U.S. CEO share holds in either format.
    """
    held = np.full(mapped.shape, -1)
    usa, slots = diagnosed_cells(layout)
    held[usa, slots] = fixed
    held[usa, SLOTS.index(("character", "ceo"))] = fixed[ROLES.index("ceo")]
    return held


def _divergence(share: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Base-2 Jensen-Shannon divergence of two two-way shares (bits)."""
    total = 0.0
    for q, p in ((share, target), (1 - share, 1 - target)):
        middle = (q + p) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            part = np.where(q > 0, q * np.log2(q / middle), 0.0)
        total = total + 0.5 * (part + p * np.log2(p / middle))
    return total


def _targets(layout: Layout) -> np.ndarray:
    return np.array([p.target[p.categories.index("female")] for p in layout.gender_pairs])


def _module_mean(female, mapped, common, target) -> float:
    d = _divergence(female / mapped, target[:, None])
    return float(np.mean([x[keep].mean() for x, keep in zip(d, common, strict=True)]))


def _fit(layout, mapped, common, held, window, rng) -> np.ndarray:
    """Female counts with the module mean in its window, shape (contexts, slots)."""
    target = _targets(layout)
    shares = {r["role"]: float(r["percent_women"]) / 100 for r in read_rows("occupational_planned")}
    lean = np.array([ROLE_LEAN * logit(shares[role]) for _, role in SLOTS])
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


def diagnosed(layout: Layout, rng: np.random.Generator) -> np.ndarray:
    """Female counts of the occupational diagnostic, shape (models, roles).

    Equal printed rows get equal counts. The model whose median is lowest
    carries the lowest U.S. CEO share.
    """
    table = _posteriors(layout, DRAWS, rng)
    check = _posteriors(layout, CHECK_DRAWS, rng, counts=None)
    floor = round(pins.figure(pins.CEO_SHARE, end="min").value / 100 * OUTPUTS)
    medians = [
        pins.figure(pins.OCCUPATIONAL, column="geo", model=m).value for m in layout.models
    ]
    found = []
    for model, median in zip(layout.models, medians, strict=True):
        ceo = (floor, floor) if median == min(medians) else (floor, OUTPUTS)
        found.append(_diagnose(table, check, _printed(model), ceo, rng))
    return np.array(found)


def _printed(model: str) -> np.ndarray:
    """Median and ends of the four printed columns, shape (4, 3)."""
    rows = [
        pins.figure(pins.OCCUPATIONAL, column=c, model=model)
        for c in pins.OCCUPATIONAL_COLUMNS
    ]
    return np.array([[f.value, f.lower, f.upper] for f in rows])


class _Posteriors:
    """Divergences of posterior draws by role and female count, computed once."""

    def __init__(self, uniform: np.ndarray, geo: float, occupation: np.ndarray) -> None:
        self.uniform, self.geo, self.occupation = uniform, geo, occupation
        self.known: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}

    def of(self, role: int, female: int) -> tuple[np.ndarray, np.ndarray]:
        """Divergences from geography and occupation, shape (draws,) each."""
        if (role, female) not in self.known:
            theta = betaincinv(female + 0.5, OUTPUTS - female + 0.5, self.uniform[role])
            self.known[role, female] = (
                _divergence(theta, np.array(self.geo)),
                _divergence(theta, self.occupation[role]),
            )
        return self.known[role, female]

    def summary(self, female: np.ndarray) -> np.ndarray:
        """Median, 2.5 and 97.5 percentiles of the four columns, shape (4, 3)."""
        pairs = [self.of(r, int(y)) for r, y in enumerate(female)]
        geo = sum(p[0] for p in pairs) / len(pairs)
        occ = sum(p[1] for p in pairs) / len(pairs)
        gap = sum(np.abs(p[1] - p[0]) for p in pairs) / len(pairs)
        return np.array(
            [np.percentile(x, [50, 2.5, 97.5]) for x in (geo, occ, occ - geo, gap)]
        )


def _posteriors(layout, draws, rng, counts=None) -> _Posteriors:
    usa, _ = diagnosed_cells(layout)
    shares = {r["role"]: float(r["percent_women"]) / 100 for r in read_rows("occupational_planned")}
    occupation = np.array([shares[role] for role in ROLES])
    return _Posteriors(rng.uniform(size=(len(ROLES), draws)), _targets(layout)[usa], occupation)


def _misfit(summary: np.ndarray, printed: np.ndarray) -> float:
    return float((np.maximum(np.abs(summary - printed) / 0.0005 - 0.5, 0) ** 2).sum())


def _diagnose(table, check, printed, ceo, rng) -> np.ndarray:
    """Counts whose posterior summaries print as the diagnostic's row."""
    best, least = None, np.inf
    limits = [(0, OUTPUTS)] * len(ROLES)
    limits[ROLES.index("ceo")] = ceo
    for start in range(STARTS):
        y = np.array([rng.integers(max(lo, 15), hi + 1) for lo, hi in limits])
        if start == 0:
            y = np.array([hi for _, hi in limits])
        y, loss = _descend(table, printed, y, limits)
        if loss < least:
            best, least = y, loss
        if least == 0 or _misfit(check.summary(best), printed) < 1e-9:
            break
    return best


def _descend(table, printed, y, limits) -> tuple[np.ndarray, float]:
    loss = _misfit(table.summary(y), printed)
    improved = True
    while improved and loss > 0:
        improved = False
        for move in _moves(len(y)):
            trial = y + move
            if any(not lo <= t <= hi for t, (lo, hi) in zip(trial, limits, strict=True)):
                continue
            new = _misfit(table.summary(trial), printed)
            if new < loss - 1e-12:
                y, loss, improved = trial, new, True
    return y, loss


def _moves(roles: int) -> list[np.ndarray]:
    unit = np.eye(roles, dtype=np.int64)
    single = [s * k * unit[i] for i in range(roles) for k in (1, 2, 4) for s in (1, -1)]
    double = [
        k * (unit[i] - unit[j]) for i in range(roles) for j in range(roles) if i != j for k in (1, 2)
    ]
    return single + double
