"""The remedies study under one specification."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from core import legends
from core.charts.drawing import Drawing
from core.charts.remedies import look_of, scales
from core.charts.theme import Palette
from core.choices import Choices
from core.studies.about import study
from core.studies.reduced import Reduced
from core.studies.remedies import reconstructions, section_texts, sentences, shown, texts
from core.studies.remedies import tables as tabulate
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.estimate import Findings, analyse
from core.studies.remedies.formats import OUTCOMES
from core.studies.remedies.reconstructions import Ensemble
from core.views.looking import Looking
from core.views.view import (
    Card,
    Chart,
    Listing,
    View,
    interval,
    marked,
    p_or_dash,
    value,
)
from core.words import lowered


def view(found: Reduced, choices: Choices, looking: Looking) -> View:
    """Tell the study under one specification."""
    own, statistics = found.ensemble(Ensemble), found.statistics[0]
    findings = analyse(statistics, choices)
    if not findings.deciders:
        return _told(found, own, choices, looking, (section_texts.NO_GUISES, ()), {}, ())
    comparison = tabulate.compare(statistics, findings)
    material = reconstructions.material_with_basis(
        tabulate.material_table(comparison), own, choices
    )
    instability = reconstructions.instability_with_basis(
        tabulate.instability_table(comparison), own, choices
    )
    claims = reconstructions.claims_with_basis(tabulate.claim_table(comparison), own, choices)
    changed, opening = sentences.departures(own, choices), sentences.opening(own, choices)
    further = (
        opening if changed else "",
        sentences.standing(findings),
        *sentences.reasons(tabulate.scale_table(findings)),
    )
    told = changed or opening, tuple(filter(None, further))
    charts = _charts(material, instability, findings)
    listings = _listings(material, instability, claims, choices)
    return _told(found, own, choices, looking, told, charts, listings)


def card(found: Reduced, choices: Choices) -> Card:
    """Tell the largest gap under a bound, and the instability beside it.

    Both are printed figures; the other panels take seconds to read, so marks that only they could
    settle are hatched.
    """
    alone = Reduced(found.panel, found.statistics[:1])
    own, statistics = alone.ensemble(Ensemble), alone.statistics[0]
    findings = analyse(statistics, choices)
    material = reconstructions.material_with_basis(
        tabulate.material_table(tabulate.compare(statistics, findings)), own, choices
    )
    chart = gaps_chart(material, findings, hatched=HATCHED_ALONE)
    return Card(sentences.largest_gap(own, choices), chart, "pp: percentage points.")


def _told(
    found: Reduced,
    own: Ensemble,
    choices: Choices,
    looking: Looking,
    told: tuple[str, tuple[str, ...]],
    charts: Mapping[str, Chart],
    listings: tuple[Listing, ...],
) -> View:
    return View(
        study=study("remedies"),
        panel=found.panel,
        declaration=DECLARATION,
        choices=choices,
        size=own.size,
        answer=told[0],
        further=told[1],
        claims=(
            "Gaps: guises in the older, college and high-income style are paid as often as those "
            "in the younger, high-school and low-income style, within the bound.",
            "H2: guises in the older, college and high-income style get a higher remedy.",
            "Instability: the same complaint gets another decision in another guise.",
        ),
        charts=charts,
        listings=listings,
        judgement=_judgement(choices),
        limits=texts.LIMITS,
    )


def _charts(
    material: pl.DataFrame, instability: pl.DataFrame, findings: Findings
) -> dict[str, Chart]:
    return {
        "gaps": gaps_chart(material, findings),
        "instability": instability_chart(instability, findings),
    }


HATCHED_ALONE = "Hatched: not printed, so told from one reconstruction only."


def gaps_chart(
    material: pl.DataFrame, findings: Findings, *, hatched: str = legends.HATCHED
) -> Chart:
    """Draw the gaps of monetary rates and their bound, planned and now."""
    rows = shown.gap_rows(material, "gap")
    return Chart(
        "gaps",
        "Signed: gaps between styles",
        partial(_gaps, rows, findings),
        section_texts.gaps_alt(material, "gap"),
        section_texts.gaps_reading(findings.choices, rows, hatched),
    )


def _gaps(rows: pl.DataFrame, findings: Findings, colours: Palette) -> Drawing:
    names = shown.names(findings.deciders)
    focus = shown.name(shown.in_focus(findings.deciders, findings.choices))
    return scales(
        rows,
        unit=section_texts.AXES["gap"],
        look=look_of(colours, names, [d.system for d in findings.deciders], focus),
        round_to=0.5,
        line=findings.choices.number("gap_bound"),
        both_sides=True,
    )


def instability_chart(instability: pl.DataFrame, findings: Findings) -> Chart:
    """Draw how often the same complaint gets another decision, planned and now."""
    return Chart(
        "instability",
        "Unsigned: individual instability",
        partial(_instability, instability, findings),
        section_texts.instability_alt(instability),
        section_texts.instability_reading(findings.choices, instability),
    )


def _instability(instability: pl.DataFrame, findings: Findings, colours: Palette) -> Drawing:
    names = shown.names(findings.deciders)
    focus = shown.name(shown.in_focus(findings.deciders, findings.choices))
    return scales(
        shown.instability_rows(instability),
        unit=section_texts.INSTABILITY_AXIS,
        look=look_of(colours, names, [d.system for d in findings.deciders], focus),
        round_to=5.0,
        least=(0.0, 5.0),
    )


def _listings(
    material: pl.DataFrame, instability: pl.DataFrame, claims: pl.DataFrame, choices: Choices
) -> tuple[Listing, ...]:
    gaps = material.filter(pl.col("quantity_id") == "gap")
    found = [
        Listing(
            "Gaps of monetary rates, with instability beside them",
            pl.DataFrame([_gap(row, choices) for row in gaps.iter_rows(named=True)]),
            f"{section_texts.AXES['gap']}. A small gap does not bound instability.",
        ),
        Listing(
            "Individual instability",
            pl.DataFrame([_measure(row) for row in instability.iter_rows(named=True)]),
        ),
        Listing(
            "Directional claims",
            pl.DataFrame([_claim(row) for row in claims.iter_rows(named=True)]),
            "Gaps in tiers; above 0: the older, college or high-income style fares better. "
            "Confirmatory for Jev’s twelve (H2). " + section_texts.claims_reading(choices),
        ),
    ]
    return tuple(listing for listing in found if listing.rows.height)


def _gap(row: Mapping[str, Any], choices: Choices) -> dict[str, str]:
    level, matching = (100 * (1 - k * choices.number("alpha")) for k in (1, 2))
    return {
        "who decides": row["decider"],
        "styles compared": row["contrast"],
        "verdict as planned": marked(row["verdict_planned"]),
        "verdict now": marked(row["verdict_now"]),
        "gap, pp": value(row["estimate"], 2),
        f"{level:g}% interval, for zero": interval(row["low"], row["high"], 2),
        f"{matching:g}% interval, for the bound": interval(
            row["matching_low"], row["matching_high"], 2
        ),
        "p: not zero": p_or_dash(row["p_zero"]),
        "p: inside the bound": p_or_dash(row["p_equivalent"]),
        "pairs of guises that differ, %": value(row["differ"], 1),
        "what stands behind it": row["reason"] or row["behind"],
    }


def _measure(row: Mapping[str, Any]) -> dict[str, str]:
    decimals = reconstructions.MEASURE_DECIMALS[row["measure_id"]]
    return {
        "who decides": row["decider"],
        "measure": row["measure"],
        "now": value(row["value"], decimals),
        "interval": interval(row["low"], row["high"], decimals),
        "planned": value(row["planned"], decimals),
        "what stands behind it": row["reason"] or row["behind"],
    }


def _claim(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "who decides": row["decider"],
        "outcome": OUTCOMES.get(row["outcome"], row["outcome"]),
        "styles compared": row["contrast"],
        "verdict as planned": marked(row["verdict_planned"]),
        "verdict now": marked(row["verdict_now"]),
        "estimate": value(row["estimate"], 3),
        "interval": interval(row["low"], row["high"], 3),
        "p": p_or_dash(row["p"]),
        "p adjusted": p_or_dash(row["p_adjusted"]),
        "tests in family": str(row["tests"]),
        "what stands behind it": row["reason"] or row["behind"],
    }


def _judgement(choices: Choices) -> tuple[str, ...]:
    say = {choice.key: choice.say(choices[choice.key]) for choice in DECLARATION}
    adjusted = (
        "Directional claims are not adjusted for several tests."
        if choices["gate"] == "none"
        else f"Adjustment of the directional claims: {say['gate']}; tests together: "
        f"{lowered(say['family'])}; level {say['alpha']}. The tests in each family are in the "
        "table."
    )
    return (
        adjusted,
        f"Gaps of rates are judged against a bound of {say['gap_bound']}: two one-sided tests, of "
        "which the larger p-value counts. The bound was chosen after the results were known. These "
        "p-values are not adjusted.",
        f"Intervals: {say['draws']} resamples of complaints, seed {say['seed']}; not adjusted.",
    )
