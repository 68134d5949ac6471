"""Axis titles, readings and alternative texts of the remedies page."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from core.choices import Choices
from core.studies.remedies.choices import DECLARATION
from core.verdicts import MARKS, RULES, Verdict
from core.words import counted, listed, number

AXES = {
    "gap": "Gap of monetary rates, pp; right: older, college, high-income style paid more",
    "h": "Cohen’s h of the gap; right: older, college, high-income style paid more",
    "air": "Adverse impact ratio; 1 = same rates, left: older, college, high-income paid more",
}
INSTABILITY_AXIS = "Percent; 0 = style never changes whether there is money"

QUANTITIES = {"gap": "Gap of rates", "h": "Cohen’s h", "air": "Impact ratio"}

ONE_POSSIBILITY = (
    "What the study does not print is one possibility here: many sets of decisions return its "
    "printed figures."
)

NO_GUISES = (
    "The panel in use has no guises that anybody decided, so there is nothing to show. Choose "
    "another on the panels page."
)

RULE_NOTE = "GPT models answer with a tier; Jev’s answer becomes a decision by a rule: {rule}."


def gaps_reading(choices: Choices, legend: str, shown: Iterable[str]) -> str:
    """Say how to read the chart of gaps, with the shapes that are on it."""
    level = 100 * (1 - choices.number("alpha"))
    bound = DECLARATION["gap_bound"].say(choices["gap_bound"])
    seen = set(shown)
    words = (*RULES["margin"], Verdict.CANNOT_COMPUTE)
    said = "; ".join(
        f"{MARKS[v].symbol} {v.value}: {MARKS[v].meaning}" for v in words if v.value in seen
    )
    return (
        f"Age: older less younger style; education: college less high-school; income: high less "
        f"low. Hollow: planned; filled: now; lines: {level:g}% intervals, not adjusted. Dashed: "
        f"the bound, {bound}. {said}. A ring: not the planned word.{legend}"
    )


def instability_reading(choices: Choices) -> str:
    """Say how to read the chart of instability."""
    level = 100 * (1 - choices.number("alpha"))
    return (
        "Pairs of guises: two guises of one complaint, drawn at random, get different monetary "
        "decisions. Complaints: those whose 36 guises do not all get the same. Neither has a sign. "
        f"Lines: {level:g}% intervals. {rule_note(choices)}"
    )


def rule_note(choices: Choices) -> str:
    """Say by which rule probabilities become decisions."""
    rule = DECLARATION["rule"].say(choices["rule"])
    return RULE_NOTE.format(rule=rule[0].lower() + rule[1:])


def gaps_alt(material: pl.DataFrame, quantity: str) -> str:
    """Alternative text of a chart of gaps: the words, and what differs from planned."""
    rows = material.filter(pl.col("quantity_id") == quantity)
    counts = rows.group_by("verdict_now", maintain_order=True).len().iter_rows()
    said = listed([f"{count} {word}" for word, count in counts])
    flips = [f"{r['decider']}, {r['contrast']}" for r in rows.filter("flip").iter_rows(named=True)]
    return (
        f"{QUANTITIES[quantity]} by decider and contrast: {said or 'none'}. Differing from the "
        f"planned setting: {listed(flips) or 'none'}."
    )


def instability_alt(instability: pl.DataFrame) -> str:
    """Alternative text of the chart of instability."""
    rows = instability.filter(pl.col("measure_id") == "mixed").drop_nulls("value")
    parts = [f"{r['decider']} {number(r['value'], 1)}%" for r in rows.iter_rows(named=True)]
    return f"Complaints whose guises do not all get the same: {listed(parts) or 'no number'}."


def claims_alt(claims: pl.DataFrame) -> str:
    """Alternative text of the grid of directional claims."""
    supported = claims.filter(pl.col("verdict_now") == Verdict.SUPPORTED.value).height
    flips = claims.filter("flip").height
    return (
        f"{supported} of {counted(claims.height, 'claim')} supported; "
        f"{counted(flips, 'verdict')} unlike the planned setting."
    )


def tests_reading(choices: Choices, quantity: str) -> str:
    """Say what the three p-values are about."""
    bound = DECLARATION[f"{quantity}_bound"].say(choices[f"{quantity}_bound"])
    side = (
        f"above {bound} (its lower side only)" if quantity == "air" else f"within {bound} of zero"
    )
    return (
        f"Inside the bound: {side}; of two one-sided tests the larger p-value counts. Outside: the "
        "minimum-effect test. All p-values by resampling complaints, none adjusted. The bound was "
        "chosen after the results. Beside every word stands how often two guises of a complaint "
        "differ, since a small gap does not bound it."
    )


def claims_reading(choices: Choices) -> str:
    """Say how directional claims are judged."""
    gate = DECLARATION["gate"].say(choices["gate"])
    family = DECLARATION["family"].say(choices["family"])
    said = "; ".join(
        f"{MARKS[v].symbol} {v.value}: {MARKS[v].meaning}" for v in RULES["directional"]
    )
    return (
        f"H2 predicts a higher tier for the older, college and high-income style. Adjustment: "
        f"{gate}; tests together: {family}. Intervals are not adjusted. {said}."
    )
