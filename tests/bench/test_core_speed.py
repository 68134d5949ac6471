"""What a move on the composition page costs before anything is sent: the core alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from statistics import median

from core.charts import composition as charts
from core.charts.marks import Look
from core.charts.theme import LIGHT
from core.choices import Choices
from core.panels.catalogue import shipped
from core.studies.composition import tables
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import Findings, analyse
from core.studies.composition.paths import curves
from core.studies.composition.reconstructions import ensemble
from core.studies.composition.reduce import reduce_cells
from core.studies.composition.thresholds import step_frame
from tests.bench.test_composition_draws import machine

MOVES = 60
SLIDER_AIM, JUDGEMENT_AIM = 10.0, 2.0
"""Milliseconds."""


def stops(key: str) -> Iterator[float]:
    """Every value of a slider, again and again."""
    span = DECLARATION[key].range
    assert span is not None
    count = round((span.high - span.low) / span.step) + 1
    values = [DECLARATION[key].repaired(span.low + i * span.step) for i in range(count)]
    return cycle(float(value) for value in values if isinstance(value, int | float))


def milliseconds(work: Callable[[Choices], object], moves: list[Choices]) -> tuple[float, float]:
    """Median and 95th percentile over moves, after one that is not counted."""
    work(moves[-1])
    found = []
    for choices in moves:
        start = time.perf_counter()
        work(choices)
        found.append(1e3 * (time.perf_counter() - start))
    return median(found), sorted(found)[int(0.95 * len(found))]


def moves_of(key: str, start: Choices) -> list[Choices]:
    whole = DECLARATION[key].is_whole
    return [
        start.replace(**{key: int(value) if whole else value})
        for value in islice(stops(key), MOVES)
    ]


def test_speed_of_the_composition_core() -> None:
    panels = [panel.read() for panel in shipped("composition", "cells", "reconstructed")]
    statistics, *others = [reduce_cells(panel.frame) for panel in panels]
    names = tables.names_of(statistics)
    look = Look(LIGHT, tuple(names), names[0])
    start = DECLARATION.opening
    mixture, power = start.replace(comparator="mixture"), start.replace(comparator="power")
    option_moves = [
        start.replace(**{choice.key: option.value})
        for choice in DECLARATION
        for option in choice.options
        if not choice.many and not choice.section and choice.only_with is None
    ]

    def estimates(choices: Choices) -> Findings:
        return analyse(statistics, choices)

    def all_tables(choices: Choices) -> object:
        comparison = tables.compare(statistics, kept[choices])
        return (
            tables.model_table(comparison),
            tables.attribute_table(comparison),
            tables.context_table(comparison),
            tables.cell_table(comparison),
        )

    def behind(choices: Choices) -> object:
        return ensemble(statistics, others, choices, panels[0].provenance.pinned_ids)

    def judged(choices: Choices) -> object:
        return tables.model_table(tables.compare(statistics, estimates(choices)))

    def drawings(choices: Choices) -> object:
        found = kept[choices]
        comparison = tables.compare(statistics, found)
        models = tables.with_basis(tables.model_table(comparison), None, 1)
        path = curves(found, names)
        return (
            charts.model_comparison(models, tau=0.2, unit="bits", look=look).for_page(),
            charts.path(
                path.lines,
                path.crossings,
                position=path.position,
                reversed_axis=False,
                x_title="weight",
                y_title="bits",
                look=look,
            ).for_page(),
            charts.threshold_curves(
                step_frame(found, names, look.focus),
                tau=0.2,
                unit="bits",
                names=("a", "b"),
                look=look,
            ).for_page(),
        )

    taus = moves_of("tau", start)
    weights = moves_of("lambda", mixture)
    kept = {choices: estimates(choices) for choices in [*taus, *weights]}
    work: list[tuple[str, float, Callable[[Choices], object], list[Choices]]] = [
        ("estimates, weight of a mixture", SLIDER_AIM, estimates, weights),
        ("estimates, exponent of a power", SLIDER_AIM, estimates, moves_of("alpha", power)),
        ("estimates, mapped outputs needed", SLIDER_AIM, estimates, moves_of("gate", start)),
        ("estimates, every option in turn", SLIDER_AIM, estimates, option_moves),
        ("estimates, tolerance only", JUDGEMENT_AIM, estimates, taus),
        ("estimates and verdicts of models, tolerance", SLIDER_AIM, judged, taus),
        ("the other reconstructions", SLIDER_AIM, behind, weights),
        ("tables of every level", SLIDER_AIM, all_tables, weights),
        ("rows of three charts", SLIDER_AIM, drawings, weights),
    ]
    print(f"\n{machine()}; milliseconds over {MOVES} moves, {1 + len(others)} panels")
    print(f"{'what':<46}{'aim':>8}{'median':>8}{'p95':>8}")
    slow = []
    for what, aim, call, moves in work:
        middle, high = milliseconds(call, moves)
        print(f"{what:<46}{aim:>8.0f}{middle:>8.1f}{high:>8.1f}")
        if middle > aim:
            slow.append(what)
    assert not slow
