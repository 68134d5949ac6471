"""Rewriting every complaint into a standard style before it is decided (MH1 to MH5, Sec. 4.7).

M0: guises as written. M1: rewritten into style A. M2: the mean of the outcomes under styles A, B
and C; for monetary decisions the majority of the three. All over the complaints that were
rewritten, so M0 is a part of the whole panel and has gaps of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.clusters import resampled_sums, sampled
from core.stats.instability import mean_pairwise_difference
from core.studies.remedies.choices import DECIDING, RESAMPLING, only, sampling
from core.studies.remedies.contract import GUISE, STYLES, UNSTYLED
from core.studies.remedies.design import CONTRASTS, bank_name, system_name
from core.studies.remedies.edits import STRENGTHEN, WEAKEN, edited
from core.studies.remedies.reduce import Statistics, Texts
from core.studies.remedies.rules import Decisions, decide
from core.studies.remedies.scales import Decider, deciders, graded_kind, outcome, side_means, usable

Array = NDArray[np.float64]

ARMS = ("M0", "M1", "M2")
M1_STYLE = STYLES[1]
STANDARD = STYLES[1:]

NOT_STYLED = "The panel has no standardised texts that this system decided."
GAPS = len(CONTRASTS)

HALF = 0.5
"""MH1 is met where what is left of a gap is at most this share of it."""


@dataclass(frozen=True, eq=False)
class Arms:
    """Complaint-level numbers of one decider under all arms; C complaints."""

    decider: Decider
    rows: Array
    """(24, C): for each arm 3 gaps and MPAD of the graded outcome, then 3 gaps and pairwise
    disagreement of the monetary decision."""
    totals: Array
    """(24, B) means in resamples."""
    complaints: int
    has_third: bool
    """Whether all three styles are there, which M2 needs."""

    def place(self, arm: str, what: int, *, money: bool = False) -> int:
        """Row of a number: what 0 to 2 are gaps, 3 is MPAD or disagreement."""
        return 8 * ARMS.index(arm) + 4 * money + what


def mitigated(statistics: Statistics) -> tuple[Decider, ...]:
    """List who decided standardised guises."""
    panel = statistics.main_panel
    return tuple(
        d
        for d in deciders(statistics, panel)
        if d.system in statistics.systems(Texts(panel, d.bank, GUISE, M1_STYLE))
    )


def arms(statistics: Statistics, decider: Decider, choices: Choices, repeat: int = 0) -> Arms | str:
    """Work out all arms, or say why it cannot be done.

    Parameters
    ----------
    repeat
        Which decisions: 0 is the run of record, 2 the same-day baseline.
    """
    keys = ("outcome", "style_rule", *DECIDING, *RESAMPLING)
    return _arms(statistics, decider, only(choices, keys), repeat)


@lru_cache(maxsize=64)
def _arms(statistics: Statistics, decider: Decider, choices: Choices, repeat: int) -> Arms | str:
    graded = [_graded(statistics, decider, style, choices, repeat) for style in STYLES]
    paid = [_paid(statistics, decider, style, choices, repeat) for style in STYLES]
    if graded[0] is None or graded[1] is None:
        return NOT_STYLED
    has_third = all(values is not None for values in graded)
    kept = usable(~np.isnan(graded[0]) & ~np.isnan(graded[1]))
    if kept.sum() < 2:
        return "Fewer than two complaints were rewritten into a standard style."
    base, plain = graded[0][kept], graded[1][kept]
    absent = np.full_like(base, np.nan)
    mean = np.mean([g[kept] for g in graded[1:] if g is not None], axis=0) if has_third else absent
    flags = [_flags(made, kept) for made in paid]
    votes = np.sum(flags[1:], axis=0)
    voted = np.where(np.isnan(votes), np.nan, 2 * votes > len(STANDARD)) if has_third else absent
    rows = np.concatenate(
        [
            _four(values, money)
            for values, money in ((base, flags[0]), (plain, flags[1]), (mean, voted))
        ]
    )
    draws, seed = sampling(choices)
    totals = resampled_sums(np.nan_to_num(rows), draws, seed) / rows.shape[1]
    totals[np.isnan(rows).any(axis=1)] = np.nan
    return Arms(decider, rows, totals, int(kept.sum()), has_third)


def _graded(
    statistics: Statistics, decider: Decider, style: str, choices: Choices, repeat: int
) -> Array | None:
    texts = Texts(statistics.main_panel, decider.bank, GUISE, style, repeat)
    kind = graded_kind(statistics, decider.system, choices)
    return outcome(statistics, texts, decider.system, kind, choices)


def _paid(
    statistics: Statistics, decider: Decider, style: str, choices: Choices, repeat: int
) -> Decisions:
    texts = Texts(statistics.main_panel, decider.bank, GUISE, style, repeat)
    rule = "argmax" if choices.text("style_rule") == "argmax" else "matched"
    return decide(statistics, texts, decider.system, choices.replace(rule=rule))


def _flags(made: Decisions, kept: NDArray[np.bool_]) -> Array:
    return np.where(made.there[kept], made.paid[kept].astype(np.float64), np.nan)


def _four(values: Array, money: Array) -> Array:
    """Gaps and MPAD of both outcomes by complaint, (8, C)."""
    parts = []
    for own in (values, money.astype(np.float64)):
        there = ~np.isnan(own)
        means = side_means(np.where(there, own, 0.0), there)
        parts += [means[0] - means[1], mean_pairwise_difference(own)[None]]
    return np.concatenate(parts)


def arm_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """Gaps and instability under every arm: one row a decider, number and arm.

    Returns
    -------
    polars.DataFrame
        system, system_id, bank, arm; what (a contrast's name, or instability); key; outcome
        (graded, in tiers, or monetary, as shares); value, low, high; less (M0 less this arm, with
        less_low and less_high); reversed (the sign differs from that under M0 and the interval
        excludes zero); complaints; reason.
    """
    level = 1 - choices.number("alpha")
    tail = (1 - level) / 2
    rows: list[tuple[object, ...]] = []
    for decider in mitigated(statistics):
        found = arms(statistics, decider, choices)
        who = (system_name(decider.system), decider.system, bank_name(decider.bank))
        if isinstance(found, str):
            rows.append((*who, "M0", "", "", "graded", *[None] * 6, False, 0, found))
            continue
        for money in (False, True):
            for what in range(GAPS + 1):
                first = found.place("M0", what, money=money)
                for arm in ARMS:
                    at = found.place(arm, what, money=money)
                    own = _ends(found.rows[at], found.totals[at], tail)
                    less = _ends(
                        found.rows[first] - found.rows[at],
                        found.totals[first] - found.totals[at],
                        tail,
                    )
                    before = found.rows[first].mean()
                    turned = own[0] * before < 0 and (own[1] > 0 or own[2] < 0)
                    rows.append(
                        (
                            *who,
                            arm,
                            CONTRASTS[what].name if what < GAPS else "instability",
                            CONTRASTS[what].key if what < GAPS else "instability",
                            "monetary" if money else "graded",
                            *own,
                            *(less if arm != "M0" else (None,) * 3),
                            bool(turned) and what < GAPS,
                            found.complaints,
                            "" if found.has_third or arm != "M2" else "Not all styles are there.",
                        )
                    )
    return pl.DataFrame(rows, schema=_ARMS, orient="row").with_columns(
        pl.col(pl.Float64).fill_nan(None)
    )


_ARMS = {
    **dict.fromkeys(("system", "system_id", "bank", "arm", "what", "key", "outcome"), pl.String),
    **dict.fromkeys(("value", "low", "high", "less", "less_low", "less_high"), pl.Float64),
    "reversed": pl.Boolean,
    "complaints": pl.Int64,
    "reason": pl.String,
}


def _ends(row: Array, total: Array, tail: float) -> tuple[float, float, float]:
    low, high = np.quantile(total, [tail, 1 - tail])
    return float(row.mean()), float(low), float(high)


def retention_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """Compare fact spans of standardised and other texts (MH3): one row a decider and arm.

    Returns
    -------
    polars.DataFrame
        system, system_id, arm; span (tiers, under the arm), unstyled (span of texts as written),
        retention (their ratio), low, high; complaints; reason.
    """
    alpha = choices.number("alpha")
    rows = []
    for decider in mitigated(statistics):
        kind = graded_kind(statistics, decider.system, choices)
        plain = _span(statistics, decider, kind, (UNSTYLED,), choices)
        for arm, styles in (("M1", (M1_STYLE,)), ("M2", STANDARD)):
            styled = _span(statistics, decider, kind, styles, choices)
            both = ~np.isnan(plain) & ~np.isnan(styled)
            who = (system_name(decider.system), decider.system, arm)
            if both.sum() < 2:
                rows.append((*who, *[None] * 5, int(both.sum()), "No edited text was rewritten."))
                continue
            pair = np.stack([styled[both], plain[both]])
            totals = resampled_sums(pair, *sampling(choices))
            ratio = sampled(
                np.array([pair[0].sum() / pair[1].sum()]), (totals[0] / totals[1])[None]
            )
            low, high = ratio.interval(1 - alpha)[0]
            means = pair.mean(axis=1)
            rows.append((*who, *means, ratio.estimate[0], low, high, int(both.sum()), ""))
    return pl.DataFrame(rows, schema=_RETENTION, orient="row").with_columns(
        pl.col(pl.Float64).fill_nan(None)
    )


_RETENTION = {
    **dict.fromkeys(("system", "system_id", "arm"), pl.String),
    **dict.fromkeys(("span", "unstyled", "retention", "low", "high"), pl.Float64),
    "complaints": pl.Int64,
    "reason": pl.String,
}


def _span(
    statistics: Statistics,
    decider: Decider,
    kind: str,
    styles: tuple[str, ...],
    choices: Choices,
) -> Array:
    """Fact span of each complaint, averaged over styles, (C,)."""
    parts = [
        edited(statistics, decider, STRENGTHEN, kind, choices, style)
        - edited(statistics, decider, WEAKEN, kind, choices, style)
        for style in styles
    ]
    return np.asarray(np.mean(parts, axis=0))
