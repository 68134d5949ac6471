"""What the remedies study says of gaps and instability: a function of (statistics, choices).

Axes: D deciders (a system on the texts of one bank), 3 contrasts, N directional claims. Rates are
shares in [0, 1]; tables turn them into percent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.clusters import Sampled, stacked
from core.stats.equivalence import matching_level, minimum_effect_draws, tost_draws
from core.stats.multiplicity import Method, adjust
from core.studies.remedies.design import CONTRASTS
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.scales import Decider, Graded, Money, deciders, graded, money
from core.verdicts import directional, lower_margin, margin

Array = NDArray[np.float64]
Words = NDArray[np.str_]

QUANTITIES = ("gap", "h", "air")
"""What materiality is judged by: difference of rates, Cohen's h, adverse impact ratio."""


class Claim(NamedTuple):
    """A directional claim: an outcome is higher for the target level of a contrast."""

    decider: Decider
    outcome: str
    """tier for systems with labels, else e_tier or argmax."""
    contrast: int
    """Position among the contrasts."""


@dataclass(frozen=True, eq=False)
class Claims:
    """Directional claims; arrays are (N,), NaN where there is no number."""

    claims: tuple[Claim, ...]
    estimate: Array
    """In tiers."""
    low: Array
    high: Array
    p: Array
    """Two-sided, not adjusted."""
    p_adjusted: Array
    tests: NDArray[np.int64]
    """Size of each claim's family."""
    verdict: Words
    why: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Material:
    """Three tests of every gap beside each other; arrays are (D, 3 contrasts, 3 `QUANTITIES`)."""

    estimate: Array
    low: Array
    """Lower end of the interval at level 1 - alpha."""
    high: Array
    matching_low: Array
    """Lower end at level 1 - 2 alpha, which matches a one-sided test."""
    matching_high: Array
    p_zero: Array
    """Two-sided, that there is no gap."""
    p_equivalent: Array
    """That the gap lies inside the bound; of AIR on its lower side only."""
    p_beyond: Array
    """That the gap lies outside the bound; of AIR below it."""
    verdict: Words


@dataclass(frozen=True, eq=False)
class Findings:
    """Every estimate and verdict under one specification."""

    statistics: Statistics
    choices: Choices
    panel: str
    """The panel that is analysed: the chosen one, or the first where the rows have no such."""
    deciders: tuple[Decider, ...]
    graded: tuple[Graded, ...]
    money: tuple[Money, ...]
    claims: Claims
    material: Material


def panel_of(statistics: Statistics, choices: Choices) -> str:
    """Return the chosen panel, or the first there is."""
    wanted = choices.text("sample")
    return wanted if wanted in statistics.panels else statistics.main_panel


@lru_cache(maxsize=64)
def analyse(statistics: Statistics, choices: Choices) -> Findings:
    """Compute every estimate and verdict of gaps and instability; kept.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        One value for each choice of the study.
    """
    panel = panel_of(statistics, choices)
    who = deciders(statistics, panel)
    kinds = [_kind(statistics, d, choices.text("outcome")) for d in who]
    paid = tuple(money(statistics, panel, d, choices) for d in who)
    return Findings(
        statistics,
        choices,
        panel,
        who,
        tuple(graded(statistics, panel, d, k, choices) for d, k in zip(who, kinds, strict=True)),
        paid,
        _claims(statistics, panel, who, choices),
        _material(paid, choices),
    )


def _kind(statistics: Statistics, decider: Decider, kind: str) -> str:
    return "tier" if statistics.gives_labels(decider.system) else kind


def _claims(
    statistics: Statistics, panel: str, who: tuple[Decider, ...], choices: Choices
) -> Claims:
    alpha = choices.number("alpha")
    claims, found = graded_claims(statistics, panel, who, choices)
    gaps, p = gaps_of(found)
    low, high = gaps.interval(1 - alpha).T
    families = families_of(statistics, claims, choices)
    adjusted, tests = adjusted_p(p, families, cast(Method, choices.text("gate")))
    why = [own.why or _constant(own.gaps, k) for own in found for k in range(len(CONTRASTS))]
    return Claims(
        claims,
        gaps.estimate,
        low,
        high,
        p,
        adjusted,
        tests,
        directional(low, high, adjusted, alpha),
        tuple(why),
    )


def graded_claims(
    statistics: Statistics, panel: str, who: tuple[Decider, ...], choices: Choices
) -> tuple[tuple[Claim, ...], tuple[Graded, ...]]:
    """List the directional claims, with the outcomes that each three of them are about."""
    claims: list[Claim] = []
    found: list[Graded] = []
    for decider in who:
        for kind in dict.fromkeys(_kind(statistics, decider, k) for k in ("e_tier", "argmax")):
            claims += [Claim(decider, kind, k) for k in range(len(CONTRASTS))]
            found.append(graded(statistics, panel, decider, kind, choices))
    return tuple(claims), tuple(found)


@lru_cache(maxsize=32)
def gaps_of(found: tuple[Graded, ...]) -> tuple[Sampled, Array]:
    """Gaps of all claims, and their p-values against zero."""
    gaps = stacked([own.gaps for own in found])
    return gaps, gaps.two_sided()


def _constant(found: Sampled, k: int) -> str:
    if np.isnan(found.ordered[k, 0]):
        return "All complaints have the same gap: no uncertainty can be read off."
    return ""


def families_of(statistics: Statistics, claims: tuple[Claim, ...], choices: Choices) -> list[str]:
    """Name the family of each claim."""
    match choices.text("family"):
        case "h2":
            return [
                "labels" if statistics.gives_labels(c.decider.system) else "probabilities"
                for c in claims
            ]
        case "decider":
            return ["/".join((*c.decider, c.outcome)) for c in claims]
        case _:
            return ["all"] * len(claims)


def adjusted_p(p: Array, families: list[str], method: Method) -> tuple[Array, NDArray[np.int64]]:
    """Adjust p-values, (..., N), within families; also the size of each claim's family, (N,)."""
    adjusted, tests = p.copy(), np.ones(p.shape[-1], dtype=np.int64)
    if method == "none":
        return adjusted, tests
    names = np.array(families, dtype=np.str_)
    for name in np.unique(names):
        own = names == name
        adjusted[..., own] = adjust(p[..., own], method)
        tests[own] = own.sum()
    return adjusted, tests


def _material(paid: tuple[Money, ...], choices: Choices) -> Material:
    alpha = choices.number("alpha")
    columns, words = [], []
    for quantity in QUANTITIES:
        numbers = _judged(paid, quantity, bound_of(quantity, choices), alpha)
        columns.append(numbers)
        words.append(words_of(quantity, numbers[1:5], bound_of(quantity, choices)))
    shape = (len(paid), len(CONTRASTS))
    # (quantities, numbers, D x contrasts) to (numbers, D, contrasts, quantities).
    numbers = np.stack(columns, axis=-1).reshape(len(columns[0]), *shape, len(QUANTITIES))
    verdict = np.stack(words, axis=-1).reshape(*shape, len(QUANTITIES))
    intervals = numbers[1], numbers[2], numbers[3], numbers[4]
    return Material(numbers[0], *intervals, numbers[5], numbers[6], numbers[7], verdict)


def bound_of(quantity: str, choices: Choices) -> float:
    """Return the bound of a quantity in its own unit; that on the gap as a share."""
    bound = choices.number(f"{quantity}_bound")
    return bound / 100 if quantity == "gap" else bound


def words_of(quantity: str, ends: Array, bound: float | Array) -> Words:
    """Judge a quantity by its bound, an adverse impact ratio on its lower side only.

    Parameters
    ----------
    quantity
        One of `QUANTITIES`.
    ends
        (4, ...) lower and upper end at level 1 - alpha, then at level 1 - 2 alpha.
    bound
        As `bound_of` gives it; several broadcast against the ends.
    """
    rule = lower_margin if quantity == "air" else margin
    return rule(ends[0], ends[1], ends[2], ends[3], bound)


def ends_of(found: Sampled, alpha: float) -> Array:
    """Interval ends of a quantity, (4, K), as `words_of` takes them."""
    return np.concatenate([found.interval(1 - alpha).T, found.interval(matching_level(alpha)).T])


def _judged(paid: tuple[Money, ...], quantity: str, bound: float, alpha: float) -> Array:
    """Numbers of all deciders and contrasts, (8, D x 3): estimate, intervals, three p-values."""
    found, p_zero = sampled_quantity(paid, quantity)
    if quantity == "air":
        tests = [found.greater(bound), found.less(bound)]
    else:
        tests = [tost_draws(found, bound), minimum_effect_draws(found, bound)]
    return np.stack([found.estimate, *ends_of(found, alpha), p_zero, *tests])


@lru_cache(maxsize=64)
def sampled_quantity(paid: tuple[Money, ...], quantity: str) -> tuple[Sampled, Array]:
    """One quantity of all deciders, and its p-values against equal rates."""
    of = {"gap": "gaps", "h": "sizes", "air": "ratios"}[quantity]
    found = stacked([getattr(m, of) for m in paid])
    return found, found.two_sided(1.0 if quantity == "air" else 0.0)
