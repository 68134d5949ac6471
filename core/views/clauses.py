"""The clauses study under one specification."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from core.charts.clauses import ladder
from core.charts.dots import forest_dots
from core.charts.drawing import Drawing
from core.charts.grid import verdict_grid
from core.charts.marks import Look
from core.charts.theme import Palette
from core.choices import Choices
from core.studies.about import study
from core.studies.clauses import reconstructions, sentences, texts
from core.studies.clauses import tables as tabulate
from core.studies.clauses.choices import DECLARATION, method_of
from core.studies.clauses.design import HYPOTHESES
from core.studies.clauses.estimate import analyse
from core.studies.clauses.hypotheses import CLAIMS
from core.studies.clauses.reconstructions import Ensemble
from core.studies.clauses.tables import Comparison
from core.studies.reduced import Reduced
from core.views.looking import Looking
from core.views.view import Card, Chart, Listing, View, interval, marked, p_or_dash, value

DECIMALS = reconstructions.DECIMALS


def view(found: Reduced, choices: Choices, looking: Looking) -> View:
    """Tell the study under one specification; ``looking`` may name the model in ``focus``."""
    own, statistics = found.ensemble(Ensemble), found.statistics[0]
    comparison = tabulate.compare(
        statistics, analyse(statistics, choices), documented=found.documented
    )
    cells = reconstructions.with_basis(tabulate.cell_table(comparison), own, choices)
    visible = cells.filter("shown")
    names = comparison.names
    runs = _runs(visible)
    run = looking.one_of("run", runs, runs[-1]) if runs else ""
    lost = tabulate.lost_to_the_gate(comparison, run)
    focus = looking.one_of("focus", names, [*lost, names[0]][0])
    hypothesis = looking.one_of("hypothesis", HYPOTHESES, "H2")
    ladder_shown = ladder_chart(comparison, run, focus, hypothesis) if run else None
    counts = reconstructions.support_counts(own, choices)
    stands = sentences.counts(counts, documented=found.documented)
    return View(
        study=study("clauses"),
        panel=found.panel,
        declaration=DECLARATION,
        choices=choices,
        size=own.size,
        answer=sentences.opening(own, choices),
        further=(stands[:1].upper() + stands[1:], *sentences.reasons(visible)),
        claims=tuple(f"{name}: {claim}" for name, claim in CLAIMS.items()),
        charts=_charts(visible, choices, names, focus)
        | ({"ladder": ladder_shown} if ladder_shown else {}),
        listings=tuple(_listing(visible, own) for own in runs),
        judgement=_judgement(choices),
        limits=texts.LIMITS,
    )


def card(found: Reduced, choices: Choices) -> Card:
    """Tell what the gate does to the verdicts of the last run."""
    own, statistics = found.ensemble(Ensemble), found.statistics[0]
    comparison = tabulate.compare(
        statistics, analyse(statistics, choices), documented=found.documented
    )
    cells = reconstructions.with_basis(tabulate.cell_table(comparison), own, choices)
    names, run = comparison.names, statistics.runs[-1]
    chart = matrix_chart(cells.filter(pl.col("run") == run), run, choices, names, names[0])
    return Card(sentences.in_full(own, choices), chart, texts.hypotheses_key())


def ladder_chart(comparison: Comparison, run: str, focus: str, hypothesis: str) -> Chart | None:
    """Draw Holm's ladder of a model in a run; None where it was not asked."""
    choices, names = comparison.current.choices, comparison.names
    model = comparison.current.statistics.models[names.index(focus)]
    steps = tabulate.ladder_table(comparison, run, model, hypothesis)
    if steps.is_empty():
        return None
    title = texts.ladder_title(tabulate.family_title(choices, run, focus, hypothesis))
    draw = partial(_ladder, steps, names, focus)
    reading = texts.ladder_reading(steps, choices)
    return Chart("ladder", title, draw, texts.ladder_alt(steps), reading)


def _ladder(steps: pl.DataFrame, names: list[str], focus: str, colours: Palette) -> Drawing:
    return ladder(steps, look=Look(colours, tuple(names), focus))


def _runs(visible: pl.DataFrame) -> list[str]:
    return visible["run"].unique(maintain_order=True).to_list()


def _charts(
    visible: pl.DataFrame, choices: Choices, names: list[str], focus: str
) -> dict[str, Chart]:
    found = {}
    alone = not DECLARATION.departures(choices)
    for run in _runs(visible):
        own = visible.filter(pl.col("run") == run)
        found[f"matrix-{run}"] = matrix_chart(own, run, choices, names, focus)
    for run in _runs(visible):
        found[f"forest-{run}"] = forest_chart(visible, run, choices, names, focus, alone=alone)
    return found


def matrix_chart(
    cells: pl.DataFrame, run: str, choices: Choices, names: list[str], focus: str
) -> Chart:
    """Draw the verdicts of one run, planned and now; marks of all given cells are explained."""
    return Chart(
        f"matrix-{run}",
        texts.run_title(run),
        partial(_matrix, tabulate.grid_table(cells, run), names, focus),
        texts.matrix_alt(cells, run),
        texts.matrix_reading(choices, cells),
    )


def _matrix(grid: pl.DataFrame, names: list[str], focus: str, colours: Palette) -> Drawing:
    return verdict_grid(grid, look=Look(colours, tuple(names), focus))


def forest_chart(
    visible: pl.DataFrame,
    run: str,
    choices: Choices,
    names: list[str],
    focus: str,
    *,
    alone: bool = False,
) -> Chart:
    """Draw the estimates of one run with the intervals that decide, planned and now.

    Or ``alone``, where both are the same and nothing moves.
    """
    return Chart(
        "forest",
        f"Estimates of {run}" if alone else f"Estimates of {run}, planned and now",
        partial(_forest, tabulate.forest_table(visible, run), names, focus, alone),
        texts.forest_alt(visible, run),
        texts.forest_reading(choices),
    )


def _forest(
    forest: pl.DataFrame, names: list[str], focus: str, alone: bool, colours: Palette
) -> Drawing:
    look = Look(colours, tuple(names), focus)
    return forest_dots(forest, unit=texts.UNIT, look=look, alone=alone)


def _listing(visible: pl.DataFrame, run: str) -> Listing:
    rows = visible.filter(pl.col("run") == run).sort("hypothesis", maintain_order=True)
    return Listing(
        f"Verdicts and estimates, {texts.run_title(run)}",
        pl.DataFrame([_row(row) for row in rows.iter_rows(named=True)]),
        f"{texts.UNIT}. Confirmatory hypotheses; intervals are not adjusted for several tests.",
    )


def _row(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "claim": f"{row['hypothesis']}: {row['claim']}",
        "model": row["model"],
        "verdict as planned": marked(row["verdict_planned"]),
        "verdict now": marked(row["verdict_now"]),
        "estimate": value(row["estimate"], DECIMALS),
        "interval": interval(row["low"], row["high"], DECIMALS),
        "p": p_or_dash(row["p"]),
        "p adjusted": p_or_dash(row["p_adjusted"]),
        "what stands behind it": row["reason"] or row["behind"],
    }


def _judgement(choices: Choices) -> tuple[str, ...]:
    say = {choice.key: choice.say(choices[choice.key]) for choice in DECLARATION}
    sizes = {
        "model": f"{len(HYPOTHESES)} tests in a family (the hypotheses of a model)",
        "hypothesis": "one test of each model in a family",
        "all": f"{len(HYPOTHESES)} tests of each model in one family",
    }
    if method_of(choices) is None:
        gate = "No adjustment for several tests: the interval alone decides."
    else:
        gate = (
            f"Adjustment for several tests: {say['gate']}; {sizes[choices.text('tests')]}. A "
            "verdict needs an adjusted p-value below "
            f"{say['alpha']} and an interval that excludes zero on the predicted side."
        )
    return (
        gate,
        f"H4 claims equivalence: two one-sided tests against a margin of {say['margin']}; the "
        "larger p-value counts, and the interval shown is the one that matches them.",
        f"Intervals: {say['interval']} over clauses, {say['draws']} resamples, seed {say['seed']}; "
        f"p-values: {say['p']}. Intervals are not adjusted.",
    )
