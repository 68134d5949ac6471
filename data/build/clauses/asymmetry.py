"""Search for the group asymmetries behind the printed means and verdicts.

Four integers of every group carry the hypotheses. With Y the rating and A the
rating of the weak variant less that of the strong one:

- role, opaque: A under role labels and under opaque labels (H1, H4, their difference H2);
- lift: the sum of both variants' ratings, role labels less opaque ones (H3);
- pull: A representing the weaker party less A representing the stronger (twice H5).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from data.build.clauses import anneal, missing, pins, targets
from data.build.clauses.exact import law
from data.build.clauses.missing import FLASH, GPT, OPAQUE, PRO, ROLE, SONNET, V2, V3
from data.build.clauses.patterns import Pattern
from data.build.clauses.reference import (
    CONFIRMATORY,
    DESCRIPTIVE,
    FAMILIES,
    MODELS,
    RUNS,
    Archetypes,
)
from data.build.clauses.unchanged import Unchanged

MOVES = 12_000
TRIES = 4
ACCEPTED = 0.5
"""Penalty below which a model counts as settled: every margin within a fraction of its aim."""

ROLE_RANGE, OPAQUE_RANGE = (-3, 7), (-3, 3)
LIFT_RANGE, PULL_RANGE = (-5, 5), (-5, 7)
ROLE_SPREAD = {
    (V2, GPT): 1.7, (V2, SONNET): 1.2, (V2, PRO): 0.55, (V2, FLASH): 0.6,
    (V3, GPT): 1.4, (V3, SONNET): 1.0, (V3, PRO): 0.7, (V3, FLASH): 1.2,
}  # fmt: skip
"""Standard deviations the search starts from."""
OPAQUE_SPREAD = {V2: 0.3, V3: 0.45}
V3_ROLE = {GPT: (46, 52), SONNET: (24, 27)}
"""Range of the role-labeled sum where the document prints no mean."""
V3_OPAQUE = (-6, 1)
V2_OPAQUE = (1, 3)
"""The same under opaque labels, for GPT-5.1."""
INDIVIDUAL_SHARE = (0.52, 0.64)
"""Part of employment in the sum of the two confirmatory families."""
PULL_MEAN = {"supported": (1.1, 2.2), "interval": (0.4, 0.6), "no": (0.05, 0.3)}
PULL_SPREAD = 1.3
LIFT_MEAN = (-0.1, 0.08)


@dataclass
class Asymmetries:
    """The four integers of every group, shape (runs, models, families, archetypes)."""

    role: np.ndarray
    opaque: np.ndarray
    lift: np.ndarray
    pull: np.ndarray
    penalty: dict[tuple[int, int], float]
    """What was left of the penalty, by run and model."""

    @property
    def settled(self) -> bool:
        """Whether every model met its targets."""
        return max(self.penalty.values()) <= ACCEPTED


@dataclass(frozen=True)
class Panel:
    """What the search of one panel works from."""

    pattern: Pattern
    archetypes: Archetypes
    parse: np.ndarray
    unchanged: Unchanged
    rank: np.ndarray
    """How strongly an archetype tilts, shape (archetypes,)."""


@dataclass(frozen=True)
class _Sums:
    """Sums of one run and model by family, shape (families,)."""

    role: np.ndarray
    opaque: np.ndarray


def search(panel: Panel, rng: np.random.Generator) -> Asymmetries:
    """Asymmetries of all models in both runs."""
    shape = (len(RUNS), len(MODELS), len(FAMILIES), panel.archetypes.size)
    found = Asymmetries(*(np.zeros(shape, dtype=np.int64) for _ in range(4)), penalty={})
    for run in range(len(RUNS)):
        for m in range(len(MODELS)):
            left = _labels(panel, found, run, m, rng)
            left += _lift(panel, found, run, m, rng)
            left += _pull(panel, found, run, m, rng)
            found.penalty[run, m] = left
    return found


def _sums(panel: Panel, run: int, m: int, lost: int, rng) -> _Sums:
    """Draw the sums by family around the printed totals.

    Parameters
    ----------
    lost : int
        Role-labeled sum of the groups whose opaque pair is incomplete.
    """
    role, opaque = _totals(panel, run, m, lost, rng)
    shares = rng.uniform(*INDIVIDUAL_SHARE)
    family = np.zeros(len(FAMILIES), dtype=np.int64)
    if (run, m) == (V2, GPT):
        size = panel.archetypes.size
        family[:] = [pins.total(f"v2.family.{f}.gpt-5.1", size) for f in FAMILIES]
    else:
        first = round(role * shares)
        family[CONFIRMATORY] = first, role - first
        larger = MODELS[m] == panel.pattern.b2b_larger
        least, most = family[CONFIRMATORY].min(), family[CONFIRMATORY].max()
        family[DESCRIPTIVE] = most + 1 if larger else least // 2
    split = np.zeros(len(FAMILIES), dtype=np.int64)
    first = opaque // 2
    split[CONFIRMATORY] = rng.permutation([first, opaque - first])
    split[DESCRIPTIVE] = rng.integers(-1, 2)
    return _Sums(family, split)


def _totals(panel: Panel, run: int, m: int, lost: int, rng) -> tuple[int, int]:
    """Role-labeled sum over all pairs, opaque sum over complete ones."""
    name, stem = MODELS[m], RUNS[run]
    n = pins.count("v2.max_group_pairs" if run == V2 else "v3.group_pairs.full")
    if m in (PRO, FLASH):
        role = pins.total(f"{stem}.h1.{name}", n)
        return role, role - pins.total(f"{stem}.h2.{name}", n)
    if (run, m) == (V2, SONNET):
        role = pins.total(f"v2.h1.{name}", n)
        fewer = pins.count("v2.n_group_pairs.reduced_cells")
        return role, role - lost - pins.total(f"v2.h2.{name}", fewer)
    if (run, m) == (V3, SONNET):
        role = int(rng.integers(*V3_ROLE[m]))
        return role, role - pins.total(f"v3.h2.{name}", n)
    role = pins.total(f"v2.h1.{name}", n) if run == V2 else int(rng.integers(*V3_ROLE[m]))
    opaque = int(rng.integers(*(V3_OPAQUE if run == V3 else V2_OPAQUE)))
    # A sum and a difference of two integers are both odd or both even, so the
    # printed sum of H3 fixes whether that of H2 is odd.
    odd = (role - lost - opaque - _lift_total(panel, run, m)) % 2
    return role, opaque + odd


def _lift_total(panel: Panel, run: int, m: int) -> int:
    n = int(_complete(panel, run, m, ROLE, OPAQUE)[CONFIRMATORY].sum())
    return pins.total(f"{RUNS[run]}.h3.{MODELS[m]}", n)


def _complete(panel: Panel, run: int, m: int, *conditions: int) -> np.ndarray:
    return missing.complete(panel.parse, *conditions)[run, m]


def _lost_role(run: int, m: int, number: int, rng) -> np.ndarray:
    """Role-labeled asymmetry of groups without an opaque pair, before anything is searched."""
    if (run, m) != (V2, SONNET):
        return rng.integers(0, 3, number)
    # The largest opaque mean must be this model's: the others' are fixed by
    # printed means or by parity. It leaves one value for the lost group.
    n, fewer = pins.count("v2.max_group_pairs"), pins.count("v2.n_group_pairs.reduced_cells")
    most = pins.total("v2.h4.opaque_asymmetry.max", fewer)
    role, both = (pins.total(f"v2.{h}.{MODELS[m]}", k) for h, k in (("h1", n), ("h2", fewer)))
    return np.full(number, role - both - most)


def _labels(panel: Panel, found: Asymmetries, run: int, m: int, rng) -> float:
    """Search role-labeled and opaque asymmetries of one model together."""
    role, opaque = found.role[run, m], found.opaque[run, m]
    free, lost = _free(panel, run, m)
    fixed = _unchanged(panel)
    role[fixed] = panel.unchanged.role[run, m]
    opaque[fixed] = panel.unchanged.opaque[run, m]
    role[lost] = _lost_role(run, m, int(lost.sum()), rng)
    sums = _sums(panel, run, m, int(role[lost].sum()), rng)
    score = _label_penalty(panel, run, m)
    best = np.inf
    for _ in range(TRIES):
        _start(role, free, sums.role, ROLE_SPREAD[run, m], ROLE_RANGE, rng)
        _start(opaque, free, sums.opaque, OPAQUE_SPREAD[run], OPAQUE_RANGE, rng)
        rows = _rows(role, opaque, free)
        left = anneal.run(rows, score, rng, MOVES)
        if left < best:
            best, kept = left, rows.values.copy()
        if best <= ACCEPTED:
            break
    role[CONFIRMATORY], opaque[CONFIRMATORY] = kept.reshape(2, len(CONFIRMATORY), -1)
    _match_ranks(panel, role, opaque, free, rng)
    return best


def _unchanged(panel: Panel) -> np.ndarray:
    """Groups whose asymmetries are found beforehand, shape (families, archetypes)."""
    mask = np.tile(panel.archetypes.unchanged, (len(FAMILIES), 1))
    mask[DESCRIPTIVE] = False
    return mask


def _free(panel: Panel, run: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Groups to be searched, and confirmatory groups without an opaque pair."""
    here = np.tile(panel.archetypes.in_run(run), (len(FAMILIES), 1))
    lost = here & ~_complete(panel, run, m, OPAQUE)
    lost[DESCRIPTIVE] = False
    return here & ~lost & ~_unchanged(panel), lost


def _start(values, free, sums, spread, bounds, rng) -> None:
    """Fill the free entries with skewed noise that has the wanted sum in each family."""
    for f, total in enumerate(sums):
        places = np.flatnonzero(free[f])
        left = total - values[f, ~free[f]].sum()
        shape = 1.5 if spread > 0.5 else 1e6
        noise = (rng.gamma(shape, size=len(places)) - shape) / np.sqrt(shape) * spread
        values[f, places] = np.clip(np.round(noise + left / len(places)), *bounds)
        while (gap := total - values[f].sum()) != 0:
            i = rng.choice(places)
            values[f, i] = np.clip(values[f, i] + np.sign(gap), *bounds)


def _rows(role, opaque, free) -> anneal.Rows:
    """Confirmatory groups of both label states as rows to anneal."""
    values = np.stack([role[CONFIRMATORY].ravel(), opaque[CONFIRMATORY].ravel()])
    family = np.repeat(np.arange(len(CONFIRMATORY)), role.shape[1])
    low, high = np.array([ROLE_RANGE, OPAQUE_RANGE]).T
    may = np.stack([free[CONFIRMATORY].ravel()] * 2)
    return anneal.Rows(values, may, np.stack([family] * 2), low, high, np.array([1, 1]))


def _label_penalty(panel: Panel, run: int, m: int) -> Callable[[np.ndarray], float]:
    """Penalty of H1, H2 and H4 as a function of the two rows."""
    wanted = panel.pattern.wanted()
    ahead = {h: panel.pattern.ahead(run, m, h) for h in ("H1", "H2")}
    first, last = (_complete(panel, run, m, c)[CONFIRMATORY].ravel() for c in (ROLE, OPAQUE))
    both = first & last
    printed = run == V2 and m == GPT
    ends = pins.ends(f"v2.h1.{MODELS[m]}", int(first.sum())) if printed else None

    def penalty(values: np.ndarray) -> float:
        role = law(values[0, first])
        result = targets.verdict(role, wanted[run, m, "H1"], ahead["H1"])
        difference = law((values[0] - values[1])[both])
        result += targets.verdict(difference, wanted[run, m, "H2"], ahead["H2"])
        opaque = law(values[1, last])
        result += targets.equivalence(opaque)
        result += targets.envelope(opaque) if run == V2 else 0.0
        return result + (targets.interval(role, ends) if ends else 0.0)

    return penalty


def _match_ranks(panel: Panel, role, opaque, free, rng) -> None:
    """Give the larger tilts to the archetypes that tilt more in every model.

    No printed figure depends on which group holds which values, except where
    groups are fixed. The archetypes that led the withdrawn claim come first, and
    the first of them takes the largest opaque tilt too, as the document says.
    """
    for f in range(len(FAMILIES)):
        places = np.flatnonzero(free[f])
        noise = np.where(panel.archetypes.named_dropped, 0.0, rng.normal(0, 0.7, len(free[f])))
        order = places[np.argsort(-(panel.rank + noise)[places])]
        values = np.stack([role[f, places], opaque[f, places]])
        values = values[:, np.argsort(-values[0] - rng.uniform(0, 0.5, len(places)))]
        if panel.archetypes.named_dropped[order[0]]:
            first = int(np.argmax(values[0] + 3 * values[1]))
            values = np.concatenate([values[:, [first]], np.delete(values, first, axis=1)], axis=1)
        role[f, order], opaque[f, order] = values


def _lift(panel: Panel, found: Asymmetries, run: int, m: int, rng) -> float:
    """Search the lifts: each is odd where the difference of the asymmetries is."""
    odd = (found.role[run, m] - found.opaque[run, m]) % 2
    lift = found.lift[run, m]
    lift[:] = odd * rng.choice([-1, 1], size=odd.shape)
    complete = _complete(panel, run, m, ROLE, OPAQUE)
    n = int(complete[CONFIRMATORY].sum())
    if m == GPT:
        total = _lift_total(panel, run, m)
    else:
        total = round(n * rng.uniform(*LIFT_MEAN))
        total += (total - odd[CONFIRMATORY][complete[CONFIRMATORY]].sum()) % 2
    return _one_row(panel, lift, complete, total, LIFT_RANGE, 2, (run, m, "H3"), rng)


def _pull(panel: Panel, found: Asymmetries, run: int, m: int, rng) -> float:
    """Search the pulls of the represented conditions."""
    pull = found.pull[run, m]
    complete = _complete(panel, run, m, missing.REP_WEAK_ANON, missing.REP_STRONG_ANON)
    mean = rng.uniform(*PULL_MEAN[panel.pattern.wanted()[run, m, "H5"]])
    pull[:] = np.clip(np.round(rng.normal(mean, PULL_SPREAD, pull.shape)), *PULL_RANGE)
    total = round(mean * complete[CONFIRMATORY].sum())
    return _one_row(panel, pull, complete, total, PULL_RANGE, 1, (run, m, "H5"), rng)


def _one_row(panel, values, complete, total, bounds, step, cell, rng) -> float:
    """Anneal one vector of a single hypothesis in place."""
    may = complete[CONFIRMATORY].ravel()
    row = values[CONFIRMATORY].ravel()
    while (gap := total - row[may].sum()) != 0:
        i = rng.choice(np.flatnonzero(may))
        moved = row[i] + step * np.sign(gap)
        if bounds[0] <= moved <= bounds[1]:
            row[i] = moved
    low, high, size = (np.array([x]) for x in (*bounds, step))
    rows = anneal.Rows(row[None], may[None], np.zeros((1, len(row)), dtype=int), low, high, size)
    wanted, ahead = panel.pattern.wanted()[cell], panel.pattern.ahead(*cell)
    left = anneal.run(rows, lambda v: targets.verdict(law(v[0, may]), wanted, ahead), rng, MOVES)
    values[CONFIRMATORY] = rows.values.reshape(len(CONFIRMATORY), -1)
    return left
