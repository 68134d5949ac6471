"""Axis titles, readings and alternative texts of the remedies page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import polars as pl

from core import legends
from core.choices import Choices
from core.columns import rows_with
from core.figures import figures
from core.stats.clusters import Sampled
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.contract import STUDY
from core.studies.remedies.design import system_names
from core.verdicts import MARKS, RULES, Verdict
from core.words import counted, listed, number, plain, span

AXES = {
    "gap": "Gap of monetary rates, pp; right: older, college, high-income; style paid more often",
    "h": "Cohen’s h of the gap; right: older, college, high-income; style paid more often",
    "air": "Adverse impact ratio; 1 = same rates; left: older, college, high-income; style paid "
    "more often",
}
INSTABILITY_AXIS = "Percent; 0 = style never changes; whether there is money"

QUANTITIES = {"gap": "Gap of rates", "h": "Cohen’s h", "air": "Impact ratio"}

BASIS_SIGNS = (
    "•: the study prints this number, and the rows were fitted to it; ≈: one possibility among "
    "reconstructions; no sign: not printed, but the same in all of them."
)

ONE_POSSIBILITY = (
    "What the study does not print is one possibility here: many sets of decisions return its "
    "printed figures."
)

NO_GUISES = (
    "The panel in use has no guises that anybody decided, so there is nothing to show. Choose "
    "another on the panels page."
)

RULE_NOTE = "GPT models answer with a tier; Jev’s answer becomes a decision by a rule: {rule}."


def gaps_reading(choices: Choices, gaps: pl.DataFrame, hatched: str) -> str:
    """Say how to read the chart of gaps, with the marks that are on it."""
    level = 100 * (1 - choices.number("alpha"))
    bound = DECLARATION["gap_bound"].say(choices["gap_bound"])
    moved = gaps["planned"].to_list() != gaps["value"].to_list()
    words = gaps["flip"].any() or moved
    return (
        f"Age: older less younger style; education: college less high-school; income: high less "
        f"low.{' Hollow: planned; filled: now.' if words else ''} Lines: {level:g}% intervals, not "
        f"adjusted. Dashed: the bound, {bound}. {legends.marks(gaps, hatched=hatched)}"
    )


def instability_reading(choices: Choices, instability: pl.DataFrame) -> str:
    """Say how to read the chart of instability."""
    level = 100 * (1 - choices.number("alpha"))
    moved = instability["planned"].to_list() != instability["value"].to_list()
    hollow = "Hollow: planned; filled: now. " if moved else ""
    return (
        "Pairs of guises: two guises of one complaint, drawn at random, get different monetary "
        "decisions. Complaints: those whose 36 guises do not all get the same. Neither has a sign. "
        f"{hollow}Lines: {level:g}% intervals. {rule_note(choices)}"
    )


def rule_note(choices: Choices) -> str:
    """Say by which rule probabilities become decisions."""
    rule = DECLARATION["rule"].say(choices["rule"])
    return RULE_NOTE.format(rule=rule[0].lower() + rule[1:])


def gaps_alt(material: pl.DataFrame, quantity: str) -> str:
    """Alternative text of a chart of gaps: the words, and what differs from planned."""
    rows = rows_with(material, quantity_id=quantity)
    counts = Counter(row["verdict_now"] for row in rows)
    said = listed([f"{count} {word}" for word, count in counts.items()])
    flips = [f"{row['decider']}, {row['contrast']}" for row in rows if row["flip"]]
    unstable = [row["mixed"] for row in rows if row["mixed"] is not None]
    beside = (
        f" Beside it, guises of one complaint do not all get the same in {span(unstable, 1)}% of "
        "complaints."
        if unstable
        else ""
    )
    return (
        f"{QUANTITIES[quantity]} by decider and contrast: {said or 'none'}. Differing from the "
        f"planned setting: {listed(flips) or 'none'}.{beside}"
    )


def instability_alt(instability: pl.DataFrame) -> str:
    """Alternative text of the chart of instability."""
    rows = rows_with(instability, measure_id="mixed")
    parts = [
        f"{row['decider']} {number(row['value'], 1)}%" for row in rows if row["value"] is not None
    ]
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


THRESHOLD_AXIS = "Threshold on p2; texts at or above it are paid"
VOLUME_AXIS = "Percent of texts; span in pp"
COST_AXIS = "Percent of pairs; gaps in pp"
PART_AXIS = "Share of variation, %; between complaints left out"
D_AXIS = "Difference of two D; 0 = equal; right: first is larger"
DISTANCE_AXIS = "Total variation between two answers; 0 = the same"
RESIDUAL_AXIS = "Share of complaint x persona variation"
REFERRAL_AXIS = (
    "Difference of shares referred, pp; right: older, college, high-income; style referred more"
)
EFFECT_AXIS = "Change of the outcome, tiers; right: a better remedy"
TIER_GAP_AXIS = (
    "Tiers; gaps, right: older, college, high-income; style fares better; instability: no sign"
)
MONEY_GAP_AXIS = "Gaps in pp, right: as on the left; instability: % of pairs that differ"
PART_OF_GAP_AXIS = "Part of the gap, tiers; right: older, college, high-income; style fares better"
CUE_AXIS = "Gap, tiers; right: older, college, high-income; style fares better"
SCREEN_AXIS = "Instability of passing; guises over that of all; 1 = the same"

NO_GRADED = (
    "Every system of this panel answers with a tier, so there is no probability to set a threshold "
    "on, and its label is the only rule."
)
NO_MITIGATION = "The panel has no standardised texts that anybody decided."
NO_EDITS = "The panel has no edited texts that anybody decided."
NO_ATTRIBUTES = (
    "The panel has no scores of how texts are written. Bring the attributes table under the same "
    "name as the decisions."
)
NO_AUDIT = (
    "The panel has no audited guises. Bring the audit table under the same name as the decisions."
)

RULES_READING = (
    "Lines: every threshold. Marks: the rule in use, which for rules over six orders or the most "
    "probable tier lies beside the lines. Dashed: its threshold. Fact span: share of strengthened "
    "less share of weakened texts that are paid."
)
RANGE_OF_PAIRS = "•: the rule in use. Reconstructions are compared by the pairs that differ, in %."
PARTS_READING = (
    "Hollow: with the study’s terms; filled: with yours. Lines: intervals over resampled "
    "complaints, all terms estimated again in each."
)
TERMS_READING = (
    "Components before truncation: one below zero is an estimate of something small, and counts "
    "as zero in the shares. Complaints are no part of the total."
)
D_READING = (
    "● corrected for copies of complaints in a resample, ■ as registered. For H4 the interval "
    "matches a one-sided test."
)
DISTANCES_READING = (
    "H1 compares the last two rows, both across the two banks: another persona against the same "
    "persona in other words. It is a relative excess of distances and no share of variation."
)
RESIDUAL_READING = (
    "What is left of the variation once complaints and shared persona effects are taken out (H3a). "
    "The document does not define the denominator; complaint, persona and residual are ours."
)
RETENTION_READING = (
    "Fact span under a standard style over that of texts as written; MH3 asks for a lower end "
    "above one half."
)
SCREEN_READING = (
    "Monetary disagreement among guises that pass, over that among all, by which auditors count. "
    "Below 1: part of the instability goes with changed facts."
)
DISTANCES = (
    "Total variation is half the sum of the differences of three probabilities. How far apart are "
    "two answers that should be the same, and how much does it add to write for another persona?"
)
WIDE = 0.10
"""Range of p2 from which a unanimous label hides something (Sec. 4.1)."""
R2_READING = (
    "How well each family predicts, within complaints: whom a reader takes the writer for, and the "
    "remedy (R2). Style tells much about the persona and little about the remedy, or it does not: "
    "compare the rows."
)
REGISTRATION_READING = (
    "“From the rows now”: what the rows give under the choices of this page, and whether the "
    "registered criterion is met by it, where one is printed or plainly inferred; else which part "
    "of this page has the numbers, or the ledger of printed figures on the panels page. H2 counts "
    "as supported where all its contrasts are."
)
DRIFT_READING = "The same texts decided again on one day: did the systems themselves change?"


def excess_line(found: Sampled, choices: Choices) -> str:
    """Say how much farther apart answers for different personas lie than for the same one."""
    low, high = found.interval(1 - choices.number("alpha"))[0]
    return (
        f"H1: answers for different personas lie {number(100 * found.estimate[0], 1)}% farther "
        f"apart than for the same persona in other words [{number(100 * low, 1)}, "
        f"{number(100 * high, 1)}]."
    )


def fact_line(spans: pl.DataFrame, *, documented: bool) -> str:
    """Say how many times the largest gap the fact span is: the printed ratios where there are."""
    if documented:
        names = {figure.subject: figure for figure in figures(STUDY).values()
                 if figure.quantity == "fact_span_to_persona_gap" and figure.basis != "repeat"
                 and figure.subject in system_names()}  # fmt: skip
        told = [(system_names()[s], f.value) for s, f in names.items()]
    else:
        rows = spans.drop_nulls(["span", "ratio"])
        told = [(plain(r["system"]), r["ratio"]) for r in rows.iter_rows(named=True)]
    said = [f"{number(ratio, 0)} times for {system}" for system, ratio in told]
    if not said:
        return ""
    prints = ", as the study prints it" if documented else ""
    return f"One changed fact moves the remedy more than any style: {listed(said)}{prints}."


def hidden_line(unanimous: float, hidden: float, orders: float) -> str:
    """Say what a single label hides."""
    if math.isnan(unanimous):
        parts = ["No complaint has an answer under every guise, so none can be told apart here."]
    else:
        among = (
            ""
            if math.isnan(hidden)
            else f"; among them p2 ranges over more than .10 in {number(100 * hidden, 1)}%"
        )
        share = number(100 * unanimous, 1)
        parts = [f"{share}% of complaints have one most probable tier over all guises{among}."]
    if not math.isnan(orders):
        parts.append(f"{number(100 * orders, 1)}% of texts have it under all option orders.")
    return " ".join(parts)


def rule_line(row: Mapping[str, Any], unit: str) -> str:
    """Say what the rule in use does, in one line."""
    span = "" if row["span"] is None else f", fact span {number(100 * row['span'], 1)} pp"
    return (
        f"{unit}: {number(100 * row['rate'], 1)}% paid, pairs of guises differ in "
        f"{number(100 * row['differ'], 1)}%, {number(100 * row['mixed'], 1)}% of complaints not "
        f"unanimous, largest gap {number(100 * row['largest_gap'], 2)} pp{span}."
    )
