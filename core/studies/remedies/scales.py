"""The two scales for one decider: signed gaps between guises, and unsigned instability.

A gap is a difference of means over complaints: guises of one level less guises of another. It can
be zero although every complaint's remedy changes with the guise, in both directions alike.
Instability looks inside each complaint and asks how often two guises come out differently. Neither
bounds the other. Both are means over complaints, and whole complaints are resampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.bootstrap_bca import product
from core.stats.clusters import Sampled, resampled_sums, sampled
from core.stats.instability import (
    mean_pairwise_difference,
    not_unanimous,
    pairwise_disagreement,
)
from core.stats.rate_gaps import cohens_h, impact_ratio
from core.studies.remedies import design
from core.studies.remedies.choices import DECIDING, RESAMPLING, only, sampling
from core.studies.remedies.reduce import NONE, Statistics, Texts
from core.studies.remedies.rules import NO_ANSWERS, Decisions, argmax_tier, decide, primary

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEW_COMPLAINTS = (
    "Fewer than two complaints have guises on both sides of every contrast: whole complaints are "
    "resampled, so there is nothing to resample."
)
NO_MONEY = "No decision is monetary, so there is no rate to compare."
ALL_MONEY = "Every decision is monetary, so there is no rate to compare."


class Decider(NamedTuple):
    """A system on the texts of one bank."""

    system: str
    bank: str


@lru_cache(maxsize=32)
def deciders(statistics: Statistics, panel: str) -> tuple[Decider, ...]:
    """List who decided the guises of a panel, by system and then bank, in the study's order."""
    found = [
        Decider(system, bank)
        for bank in statistics.banks(panel)
        for system in statistics.systems(Texts(panel, bank))
    ]
    systems = design.in_order([d.system for d in found], design.systems())
    return tuple(sorted(found, key=lambda d: systems.index(d.system)))


@dataclass(frozen=True, eq=False)
class Graded:
    """Tiers, or expected tiers, of one decider."""

    gaps: Sampled
    """(3,) contrasts, in tiers."""
    mpad: Sampled
    """(1,) mean pairwise absolute difference among guises, in tiers."""
    complaints: int
    dropped: int
    """Complaints left out because they lack guises."""
    why: str
    """Why there are no numbers; empty where there are."""


@dataclass(frozen=True, eq=False)
class Money:
    """Monetary decisions of one decider under one rule."""

    rate: Sampled
    """(1,) share of guises that are paid."""
    gaps: Sampled
    """(3,) contrasts, differences of rates."""
    ratios: Sampled
    """(3,) adverse impact ratios, reference over target."""
    sizes: Sampled
    """(3,) Cohen's h."""
    differ: Sampled
    """(1,) pairwise disagreement."""
    mixed: Sampled
    """(1,) share of complaints that are not unanimous."""
    complaints: int
    dropped: int
    why: str
    draws: Array
    """(2, B) draws of disagreement and of the non-unanimous share, not sorted, for differences
    between rules over the same resamples."""
    gap_draws: Array
    """(3, B) draws of the gaps, not sorted."""


def graded_kind(statistics: Statistics, system: str, choices: Choices) -> str:
    """Name the graded outcome of a system: its tier, or the chosen one of its probabilities."""
    return "tier" if statistics.gives_labels(system) else choices.text("outcome")


def outcome(
    statistics: Statistics, texts: Texts, system: str, kind: str, choices: Choices
) -> Array | None:
    """Return a graded outcome of a set of texts, (C, K) in tiers; kept.

    Parameters
    ----------
    kind
        e_tier, argmax or p2, which count for systems with probabilities only.

    Returns
    -------
    array or None
        NaN where there is no answer; None where the panel has none at all.
    """
    order = None if statistics.gives_labels(system) else primary(statistics, texts, system, choices)
    return _outcome(statistics, texts, system, kind, order)


@lru_cache(maxsize=128)
def _outcome(
    statistics: Statistics, texts: Texts, system: str, kind: str, order: str | None
) -> Array | None:
    tiers = statistics.tier(texts, system)
    if tiers is not None:
        return _numbers(tiers, tiers != NONE, 1.0)
    found = None if order is None else statistics.probability(texts, system, order)
    if found is None:
        return None
    there = found[..., 0] != NONE
    match kind:
        case "argmax":
            return _numbers(argmax_tier(found), there, 1.0)
        case "p2":
            return _numbers(found[..., design.MONETARY], there, 100.0)
        case _:
            return _numbers(found[..., 1] + 2 * found[..., 2], there, 100.0)


def _numbers(values: NDArray[np.integer], there: Flags, unit: float) -> Array:
    numbers = np.where(there, values / unit, np.nan)
    numbers.flags.writeable = False
    return numbers


def side_means(values: Array | Flags, there: Flags) -> Array:
    """Average over the guises on each side of each contrast.

    Parameters
    ----------
    values
        (C, K), zero where there is nothing.
    there
        (C, K).

    Returns
    -------
    array, shape (2, 3, C)
        NaN where a complaint has no guise on a side.
    """
    sides = design.sides().reshape(-1, there.shape[1]).T.astype(np.float64)
    total, count = (np.ascontiguousarray(product(own, sides).T) for own in (values, there))
    with np.errstate(invalid="ignore", divide="ignore"):
        return (total / count).reshape(2, len(design.CONTRASTS), -1)


def usable(there: Flags) -> Flags:
    """Say which complaints have guises on both sides of every contrast, (C,)."""
    if there.all():
        return np.ones(len(there), dtype=np.bool_)
    sides = design.sides().reshape(-1, there.shape[1]).T.astype(np.float64)
    return np.asarray((product(there, sides) > 0).all(axis=1))


def graded(
    statistics: Statistics, panel: str, decider: Decider, kind: str, choices: Choices
) -> Graded:
    """Estimate gaps and MPAD of a graded outcome over the guises of record; kept.

    Parameters
    ----------
    kind
        As for `outcome`.
    """
    # No order touches a label, so that work on labels is kept when the order changes.
    order = () if statistics.gives_labels(decider.system) else ("order",)
    return _graded(statistics, panel, decider, kind, only(choices, (*order, *RESAMPLING)))


@lru_cache(maxsize=128)
def _graded(
    statistics: Statistics, panel: str, decider: Decider, kind: str, choices: Choices
) -> Graded:
    rows = _graded_rows(statistics, panel, decider, kind, choices.without(RESAMPLING))
    return _resampled_graded(rows, choices)


@lru_cache(maxsize=128)
def _graded_rows(
    statistics: Statistics, panel: str, decider: Decider, kind: str, choices: Choices
) -> Rows:
    texts = Texts(panel, decider.bank)
    values = outcome(statistics, texts, decider.system, kind, choices)
    if values is None:
        return _rows_of_grades(np.full((0, len(design.personas())), np.nan), NO_ANSWERS)
    return _rows_of_grades(values)


def gap_rows(values: Array) -> Array:
    """Return the gaps of every complaint, (3, C), of outcomes (C, K) that are all `usable`."""
    there = ~np.isnan(values)
    means = side_means(np.where(there, values, 0.0), there)
    return means[0] - means[1]


def graded_of(values: Array, choices: Choices, why: str = "") -> Graded:
    """Estimate gaps and MPAD of outcomes, (C, K) with NaN where there is none.

    Complaints without any outcome count as not there; those that lack a side of a contrast are
    dropped and counted.
    """
    return _resampled_graded(_rows_of_grades(values, why), choices)


@dataclass(frozen=True, eq=False)
class Rows:
    """What is resampled: M numbers of each complaint that counts."""

    values: Array
    """(M, C); without complaints where there are no numbers."""
    complaints: int
    dropped: int
    why: str = ""
    """Why there are no numbers; empty where there are."""

    def totals(self, choices: Choices) -> Array:
        """Means over resampled complaints, (M, B)."""
        return resampled_sums(self.values, *sampling(choices)) / self.values.shape[1]


_NO_ROWS: Array = np.empty((0, 0))


def _rows_of_grades(values: Array, why: str = "") -> Rows:
    """Gaps of every complaint, then its MPAD: (4, C)."""
    there = ~np.isnan(values)
    kept = usable(there)
    counts = int(kept.sum()), int(there.any(axis=1).sum() - kept.sum())
    if why or kept.sum() < 2:
        return Rows(_NO_ROWS, *counts, why or FEW_COMPLAINTS)
    own = values[kept]
    return Rows(np.concatenate([gap_rows(own), mean_pairwise_difference(own)[None]]), *counts)


def _resampled_graded(rows: Rows, choices: Choices) -> Graded:
    if rows.why:
        return Graded(_none(3), _none(1), rows.complaints, rows.dropped, rows.why)
    totals, estimates = rows.totals(choices), rows.values.mean(axis=1)
    return Graded(
        sampled(estimates[:3], totals[:3]),
        sampled(estimates[3:], totals[3:]),
        rows.complaints,
        rows.dropped,
        "",
    )


def money(statistics: Statistics, panel: str, decider: Decider, choices: Choices) -> Money:
    """Estimate rates, gaps and instability of monetary decisions on the guises of record; kept."""
    # No rule touches a label, so that work on labels is kept when the rule changes.
    rule = () if statistics.gives_labels(decider.system) else DECIDING
    return _money(statistics, panel, decider, only(choices, (*rule, *RESAMPLING)))


@lru_cache(maxsize=128)
def _money(statistics: Statistics, panel: str, decider: Decider, choices: Choices) -> Money:
    rows = _money_rows(statistics, panel, decider, choices.without(RESAMPLING))
    return _resampled_money(rows, choices)


@lru_cache(maxsize=128)
def _money_rows(statistics: Statistics, panel: str, decider: Decider, choices: Choices) -> Rows:
    return _rows_of_money(decide(statistics, Texts(panel, decider.bank), decider.system, choices))


def complaint_rows(made: Decisions) -> Array:
    """Sum decisions up by complaint.

    Parameters
    ----------
    made
        Decisions of C complaints, all of them `usable`.

    Returns
    -------
    array, shape (9, C)
        Rates of the three targets, then of the three references; rate; pairwise disagreement;
        whether the complaint is not unanimous.
    """
    hits, count = made.paid.sum(axis=1), made.there.sum(axis=1)
    return np.concatenate(
        [
            side_means(made.paid, made.there).reshape(-1, len(hits)),
            [
                hits / count,
                pairwise_disagreement(hits, count),
                not_unanimous(hits, count),
            ],
        ]
    )


def money_of(made: Decisions, choices: Choices) -> Money:
    """Estimate rates, gaps and instability of decisions; complaints as in `graded_of`."""
    return _resampled_money(_rows_of_money(made), choices)


def _rows_of_money(made: Decisions) -> Rows:
    """As `complaint_rows`, of the complaints that count."""
    kept = usable(made.there)
    counts = int(kept.sum()), int(made.there.any(axis=1).sum() - kept.sum())
    if made.why or kept.sum() < 2:
        return Rows(_NO_ROWS, *counts, made.why or FEW_COMPLAINTS)
    own = Decisions(made.paid[kept], made.there[kept])
    if not own.paid.any() or not (own.there & ~own.paid).any():
        return Rows(_NO_ROWS, *counts, ALL_MONEY if own.paid.any() else NO_MONEY)
    return Rows(complaint_rows(own), *counts)


def _resampled_money(rows: Rows, choices: Choices) -> Money:
    if rows.why:
        return _no_money(rows.why, rows.complaints, rows.dropped)
    means = rows.values.mean(axis=1, keepdims=True)
    totals = rows.totals(choices)
    both = [(m[:3], m[3:6]) for m in (means, totals)]
    # Rounding may leave a rate a hair outside of [0, 1], where the arcsine has no value.
    both = [(np.clip(a, 0.0, 1.0), np.clip(r, 0.0, 1.0)) for a, r in both]
    return Money(
        rate=sampled(means[6:7, 0], totals[6:7]),
        gaps=sampled((both[0][0] - both[0][1])[:, 0], both[1][0] - both[1][1]),
        ratios=sampled(impact_ratio(*both[0])[:, 0], impact_ratio(*both[1])),
        sizes=sampled(cohens_h(*both[0])[:, 0], cohens_h(*both[1])),
        differ=sampled(means[7:8, 0], totals[7:8]),
        mixed=sampled(means[8:9, 0], totals[8:9]),
        complaints=rows.complaints,
        dropped=rows.dropped,
        why="",
        draws=totals[7:9],
        gap_draws=both[1][0] - both[1][1],
    )


def _no_money(why: str, complaints: int, dropped: int) -> Money:
    empty = np.full((2, 1), np.nan)
    three, one = _none(3), _none(1)
    gaps = np.full((3, 1), np.nan)
    return Money(one, three, three, three, one, one, complaints, dropped, why, empty, gaps)


def _none(size: int) -> Sampled:
    return Sampled(np.full(size, np.nan), np.full((size, 1), np.nan))
