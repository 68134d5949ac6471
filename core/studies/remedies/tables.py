"""Findings as tables, ready to draw: gaps, instability, claims and materiality, with flips.

Rates, gaps of rates and disagreements are in percent or percentage points here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.columns import table_of
from core.stats.clusters import Sampled
from core.studies.remedies.choices import planned_for
from core.studies.remedies.design import CONTRASTS, bank_name, system_name
from core.studies.remedies.estimate import QUANTITIES, Findings, Material, analyse
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.scales import Decider
from core.verdicts import is_flip

Array = NDArray[np.float64]

QUANTITY_NAMES = {
    "gap": "Gap of monetary rates, pp",
    "h": "Cohen’s h",
    "air": "Adverse impact ratio",
}
QUANTITY_SCALE = {"gap": 100.0, "h": 1.0, "air": 1.0}

MEASURES = {
    "differ": "Two guises of a complaint get different monetary decisions, %",
    "mixed": "Complaints whose guises do not all get the same, %",
    "mpad": "Mean absolute difference of two guises, tiers",
}
"""Measures of instability."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The current findings beside those of the planned setting."""

    current: Findings
    planned: Findings


def compare(statistics: Statistics, current: Findings) -> Comparison:
    """Put findings beside those of the planned setting with the same system in focus."""
    return Comparison(current, analyse(statistics, planned_for(current.choices)))


def who(decider: Decider) -> dict[str, str]:
    """Name a decider: system, system_id, bank, bank_id, and decider for axes."""
    name = system_name(decider.system)
    own = "own texts" if decider.system == decider.bank else bank_name(decider.bank)
    return {
        "system": name,
        "system_id": decider.system,
        "bank": bank_name(decider.bank),
        "bank_id": decider.bank,
        "decider": f"{name}, {own}",
    }


_WHO = dict.fromkeys(("system", "system_id", "bank", "bank_id", "decider"), pl.String)


def scale_table(findings: Findings) -> pl.DataFrame:
    """Put the two scales side by side: one row a decider.

    Returns
    -------
    polars.DataFrame
        system, system_id, bank, bank_id, decider; rate (percent paid); largest_gap (of monetary
        rates, pp, signed), with low and high, contrast and word (its verdict by the bound on the
        gap); differ, differ_low, differ_high, mixed (percent); mpad (tiers); complaints, dropped;
        reason.
    """
    rows = []
    for d, (decider, paid, graded) in enumerate(
        zip(findings.deciders, findings.money, findings.graded, strict=True)
    ):
        gaps = 100 * findings.material.estimate[d, :, 0]
        known = not np.isnan(gaps).all()
        k = int(np.nanargmax(np.abs(gaps))) if known else 0
        low, high = paid.differ.interval(1 - findings.choices.number("alpha"))[0]
        rows.append(
            who(decider)
            | {
                "rate": 100 * paid.rate.estimate[0],
                "largest_gap": gaps[k],
                "low": 100 * findings.material.low[d, k, 0],
                "high": 100 * findings.material.high[d, k, 0],
                "contrast": CONTRASTS[k].name if known else "",
                "word": findings.material.verdict[d, k, 0],
                "differ": 100 * paid.differ.estimate[0],
                "differ_low": 100 * low,
                "differ_high": 100 * high,
                "mixed": 100 * paid.mixed.estimate[0],
                "mpad": graded.mpad.estimate[0],
                "complaints": paid.complaints,
                "dropped": paid.dropped,
                "reason": paid.why or graded.why,
            }
        )
    schema = {
        **_WHO,
        **dict.fromkeys(("rate", "largest_gap", "low", "high"), pl.Float64),
        "contrast": pl.String,
        "word": pl.String,
        **dict.fromkeys(("differ", "differ_low", "differ_high", "mixed", "mpad"), pl.Float64),
        "complaints": pl.Int64,
        "dropped": pl.Int64,
        "reason": pl.String,
    }
    return table_of(rows, schema)


def material_table(comparison: Comparison) -> pl.DataFrame:
    """Three tests of every gap beside each other: one row a decider, contrast and quantity.

    Returns
    -------
    polars.DataFrame
        system, system_id, bank, bank_id, decider; contrast, key; quantity, quantity_id (gap in pp,
        h, air); estimate, low, high (level 1 - alpha), matching_low, matching_high (level 1 - 2
        alpha); bound; p_zero (two-sided), p_equivalent, p_beyond; verdict_now, verdict_planned,
        flip; planned (estimate); differ, mixed (the decider's instability, percent: never shown
        `equivalent` without it); reason.
    """
    now, planned = comparison.current, comparison.planned
    numbers = now.material
    before = _planned_places(comparison)
    rows = []
    for d, decider in enumerate(now.deciders):
        paid = now.money[d]
        for k, contrast in enumerate(CONTRASTS):
            for q, quantity in enumerate(QUANTITIES):
                scale, at = QUANTITY_SCALE[quantity], (d, k, q)
                then = (before[decider], k, q) if decider in before else None
                rows.append(
                    who(decider)
                    | {
                        "contrast": contrast.name,
                        "key": contrast.key,
                        "quantity": QUANTITY_NAMES[quantity],
                        "quantity_id": quantity,
                        "estimate": scale * numbers.estimate[at],
                        "low": scale * numbers.low[at],
                        "high": scale * numbers.high[at],
                        "matching_low": scale * numbers.matching_low[at],
                        "matching_high": scale * numbers.matching_high[at],
                        "bound": now.choices.number(f"{quantity}_bound"),
                        "p_zero": numbers.p_zero[at],
                        "p_equivalent": numbers.p_equivalent[at],
                        "p_beyond": numbers.p_beyond[at],
                        "verdict_now": str(numbers.verdict[at]),
                        "verdict_planned": str(planned.material.verdict[then]) if then else "",
                        "planned": scale * planned.material.estimate[then] if then else None,
                        "differ": 100 * paid.differ.estimate[0],
                        "mixed": 100 * paid.mixed.estimate[0],
                        "reason": paid.why or _why_no_interval(numbers, at),
                    }
                )
    schema = {
        **_WHO,
        **dict.fromkeys(("contrast", "key", "quantity", "quantity_id"), pl.String),
        **dict.fromkeys(
            (
                "estimate",
                "low",
                "high",
                "matching_low",
                "matching_high",
                "bound",
                "p_zero",
                "p_equivalent",
                "p_beyond",
            ),
            pl.Float64,
        ),
        "verdict_now": pl.String,
        "verdict_planned": pl.String,
        **dict.fromkeys(("planned", "differ", "mixed"), pl.Float64),
        "reason": pl.String,
    }
    return _flipped(table_of(rows, schema))


NO_RATIO = "In some resamples nobody of the favoured side is paid, so there is no ratio."
SAME_GAP = "All complaints have the same gap: no uncertainty can be read off."


def _why_no_interval(found: Material, at: tuple[int, int, int]) -> str:
    if not np.isnan(found.low[at]):
        return ""
    return NO_RATIO if QUANTITIES[at[2]] == "air" else SAME_GAP


def claim_table(comparison: Comparison) -> pl.DataFrame:
    """One row a directional claim (H2 and the same contrasts of the GPT models).

    Returns
    -------
    polars.DataFrame
        system, system_id, bank, bank_id, decider; outcome; contrast, key; estimate, low, high
        (tiers, level 1 - alpha, not adjusted); p, p_adjusted, tests (size of the family);
        verdict_now, verdict_planned, flip; planned (estimate); in_h2; reason.
    """
    now, planned = comparison.current.claims, comparison.planned.claims
    before = {claim: i for i, claim in enumerate(planned.claims)}
    statistics = comparison.current.statistics
    rows = []
    for i, claim in enumerate(now.claims):
        then = before.get(claim)
        rows.append(
            who(claim.decider)
            | {
                "outcome": claim.outcome,
                "contrast": CONTRASTS[claim.contrast].name,
                "key": CONTRASTS[claim.contrast].key,
                "estimate": now.estimate[i],
                "low": now.low[i],
                "high": now.high[i],
                "p": now.p[i],
                "p_adjusted": now.p_adjusted[i],
                "tests": int(now.tests[i]),
                "verdict_now": str(now.verdict[i]),
                "verdict_planned": "" if then is None else str(planned.verdict[then]),
                "planned": None if then is None else planned.estimate[then],
                "in_h2": not statistics.gives_labels(claim.decider.system),
                "reason": now.why[i],
            }
        )
    schema = {
        **_WHO,
        **dict.fromkeys(("outcome", "contrast", "key"), pl.String),
        **dict.fromkeys(("estimate", "low", "high", "p", "p_adjusted"), pl.Float64),
        "tests": pl.Int64,
        "verdict_now": pl.String,
        "verdict_planned": pl.String,
        "planned": pl.Float64,
        "in_h2": pl.Boolean,
        "reason": pl.String,
    }
    return _flipped(table_of(rows, schema))


def instability_table(comparison: Comparison) -> pl.DataFrame:
    """One row a decider and measure of instability.

    Returns
    -------
    polars.DataFrame
        system, system_id, bank, bank_id, decider; measure, measure_id (of `MEASURES`); value, low,
        high (level 1 - alpha); planned; reason.
    """
    rows = []
    before = _planned_places(comparison)
    level = 1 - comparison.current.choices.number("alpha")
    for d, decider in enumerate(comparison.current.deciders):
        now = _measures(comparison.current, d)
        then = _measures(comparison.planned, before[decider]) if decider in before else {}
        for measure, (found, scale) in now.items():
            low, high = found.interval(level)[0]
            planned = then[measure][0].estimate[0] if then else np.nan
            rows.append(
                who(decider)
                | {
                    "measure": MEASURES[measure],
                    "measure_id": measure,
                    "value": scale * found.estimate[0],
                    "low": scale * low,
                    "high": scale * high,
                    "planned": scale * planned,
                    "reason": comparison.current.money[d].why
                    if measure != "mpad"
                    else comparison.current.graded[d].why,
                }
            )
    schema = {
        **_WHO,
        "measure": pl.String,
        "measure_id": pl.String,
        **dict.fromkeys(("value", "low", "high", "planned"), pl.Float64),
        "reason": pl.String,
    }
    return table_of(rows, schema)


def _measures(findings: Findings, d: int) -> dict[str, tuple[Sampled, float]]:
    paid, graded = findings.money[d], findings.graded[d]
    return {
        "differ": (paid.differ, 100.0),
        "mixed": (paid.mixed, 100.0),
        "mpad": (graded.mpad, 1.0),
    }


def _planned_places(comparison: Comparison) -> dict[Decider, int]:
    return {decider: d for d, decider in enumerate(comparison.planned.deciders)}


def _flipped(frame: pl.DataFrame) -> pl.DataFrame:
    flip = is_flip(frame["verdict_planned"].to_numpy(), frame["verdict_now"].to_numpy())
    return frame.hstack([pl.Series("flip", flip, dtype=pl.Boolean)])
