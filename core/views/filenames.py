"""The filenames study under one specification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from core.charts.dots import forest_dots
from core.charts.drawing import Drawing
from core.charts.grid import verdict_grid
from core.charts.marks import Look
from core.charts.theme import Palette
from core.choices import Choices
from core.studies.about import study
from core.studies.filenames import reconstructions, section_texts, sentences, texts
from core.studies.filenames import tables as tabulate
from core.studies.filenames.choices import DECLARATION
from core.studies.filenames.design import SHORT_CLAIMS
from core.studies.filenames.estimate import Findings, analyse, warnings
from core.studies.filenames.reconstructions import Ensemble
from core.studies.reduced import Reduced
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

DECIMALS = reconstructions.DECIMALS


def view(found: Reduced, choices: Choices, looking: Looking) -> View:
    """Tell the study under one specification; ``looking`` may name the judge in ``focus``."""
    own, statistics = found.ensemble(Ensemble), found.statistics[0]
    if statistics.in_study(choices.text("study")).is_empty:
        return _empty(found, own, choices, looking)
    findings = analyse(statistics, choices)
    comparison = tabulate.compare(statistics, findings)
    contrasts = reconstructions.with_basis(tabulate.contrast_table(comparison), own, choices)
    names = comparison.names
    focus = looking.one_of("focus", names, names[0])
    changed, opening = sentences.departures(own, choices), sentences.opening(own, choices)
    further = (
        opening if changed else "",
        sentences.hinge(own, choices),
        sentences.standing(own, choices),
        *sentences.reasons(contrasts),
        *warnings(findings),
    )
    return View(
        study=study("filenames"),
        panel=found.panel,
        declaration=DECLARATION,
        choices=choices,
        size=own.size,
        answer=changed or opening,
        further=tuple(filter(None, further)),
        claims=tuple(f"{name}: {SHORT_CLAIMS[name]}" for name in findings.hypotheses),
        charts=_charts(contrasts, findings, names, focus),
        listings=(_listing(contrasts),),
        judgement=_judgement(contrasts, choices),
        limits=texts.LIMITS,
    )


def card(found: Reduced, choices: Choices) -> Card:
    """Tell which label lifts which judge; with other errors, what they take away."""
    own, statistics = found.ensemble(Ensemble), found.statistics[0]
    comparison = tabulate.compare(statistics, analyse(statistics, choices))
    contrasts = reconstructions.with_basis(tabulate.contrast_table(comparison), own, choices)
    names = comparison.names
    told = sentences.opening(own, choices)
    if choices["errors"] != DECLARATION.planned["errors"]:
        told = sentences.taken_away(own, choices) or told
    key = texts.claims_reading(list(dict.fromkeys(contrasts["hypothesis"])))
    return Card(told, grid_chart(contrasts, choices, names, names[0]), key)


def _empty(found: Reduced, own: Ensemble, choices: Choices, looking: Looking) -> View:
    """Tell a panel that has no rows of the chosen study."""
    return View(
        study=study("filenames"),
        panel=found.panel,
        declaration=DECLARATION,
        choices=choices,
        size=own.size,
        answer=texts.no_rows(choices.text("study"), found.statistics[0].studies),
        further=(),
        claims=(),
        charts={},
        listings=(),
        judgement=(),
        limits=texts.LIMITS,
    )


def _charts(
    contrasts: pl.DataFrame,
    findings: Findings,
    names: Sequence[str],
    focus: str,
) -> dict[str, Chart]:
    choices = findings.choices
    alone = not DECLARATION.departures(choices)
    return {
        "grid": grid_chart(contrasts, choices, names, focus),
        "forest": forest_chart(contrasts, findings, names, focus, alone=alone),
    }


def grid_chart(
    contrasts: pl.DataFrame, choices: Choices, names: Sequence[str], focus: str
) -> Chart:
    """Draw the verdict on each judge and hypothesis, planned and now."""
    return Chart(
        "grid",
        "Verdicts, planned → now",
        partial(_grid, tabulate.grid_table(contrasts), names, focus),
        section_texts.contrast_alt(contrasts),
        texts.grid_reading(choices, contrasts),
    )


def _grid(grid: pl.DataFrame, names: Sequence[str], focus: str, colours: Palette) -> Drawing:
    return verdict_grid(grid, look=Look(colours, tuple(names), focus))


def forest_chart(
    contrasts: pl.DataFrame,
    findings: Findings,
    names: Sequence[str],
    focus: str,
    *,
    alone: bool = False,
) -> Chart:
    """Draw the contrasts of each judge with their intervals, planned and now.

    Or ``alone``, where both are the same and nothing moves.
    """
    claims = texts.claims_reading(findings.hypotheses)
    return Chart(
        "forest",
        f"Label contrasts of each judge{'' if alone else ', planned and now'}",
        partial(_forest, tabulate.forest_table(contrasts), names, focus, alone),
        section_texts.forest_alt(contrasts),
        f"{claims} {texts.forest_reading(findings.choices, alone=alone)}",
    )


def _forest(
    forest: pl.DataFrame, names: Sequence[str], focus: str, alone: bool, colours: Palette
) -> Drawing:
    look = Look(colours, tuple(names), focus)
    return forest_dots(forest, unit=texts.CONTRAST_AXIS, look=look, alone=alone)


def _listing(contrasts: pl.DataFrame) -> Listing:
    rows = contrasts.sort("hypothesis", maintain_order=True)
    return Listing(
        "Verdicts and estimates",
        pl.DataFrame([_row(row) for row in rows.iter_rows(named=True)]),
        f"{texts.CONTRAST_AXIS}. H4b is secondary, the others are confirmatory. Intervals are not "
        "adjusted for several tests.",
    )


def _row(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "claim": f"{row['hypothesis']}: {row['claim']}",
        "judge": row["judge"],
        "verdict as planned": marked(row["verdict_planned"]),
        "verdict now": marked(row["verdict_now"]),
        "estimate": value(row["estimate"], DECIMALS),
        "interval": interval(row["low"], row["high"], DECIMALS),
        "p": p_or_dash(row["p"]),
        "p adjusted": p_or_dash(row["p_adjusted"]),
        "what stands behind it": row["reason"] or row["behind"],
    }


def _judgement(contrasts: pl.DataFrame, choices: Choices) -> tuple[str, ...]:
    say = {choice.key: choice.say(choices[choice.key]) for choice in DECLARATION}
    tests = sorted(set(contrasts["tests"].to_list()))
    adjusted = (
        "No adjustment for several tests. A verdict needs a two-sided p-value"
        if choices["gate"] == "none"
        else f"Adjustment for several tests: {say['gate']}; tests in a family: "
        f"{' or '.join(map(str, tests))} ({lowered(say['family'])}). A verdict needs a two-sided "
        "p-value, after adjustment,"
    )
    return (
        f"{adjusted} below {say['alpha']}; its sign says whether the result is as predicted or "
        "against it.",
        f"Standard errors: {say['errors']}. Intervals at level {1 - choices.number('alpha'):.0%}, "
        "not adjusted.",
    )
