"""Times of the filenames study, on the first shipped panel."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import numpy as np

from core.panels.catalogue import shipped
from core.studies.filenames.choices import DECLARATION
from core.studies.filenames.estimate import analyse, analyse_typed
from core.studies.filenames.marks import cell_table, coarseness_table
from core.studies.filenames.planner import effect_curve
from core.studies.filenames.reconstructions import Ensemble, with_basis
from core.studies.filenames.reduce import Statistics, reduce_scores
from core.studies.filenames.scope import in_scope
from core.studies.filenames.sentences import departures, opening
from core.studies.filenames.shares import share_table
from core.studies.filenames.tables import compare, contrast_table, multiplicity_table
from core.studies.filenames.text_contrasts import leave_one_out, text_table
from tests.bench.test_composition_draws import machine

PLANNED = DECLARATION.planned
SECOND = PLANNED.replace(study="2")

Work = Callable[[int], object]


def times(work: Work, repeats: int) -> list[float]:
    """Milliseconds of each run."""
    work(0)
    found = []
    for i in range(repeats):
        start = time.perf_counter()
        work(i)
        found.append(1e3 * (time.perf_counter() - start))
    return found


def judgement(statistics: Statistics) -> list[tuple[str, float, int, Work]]:
    """Moves that leave estimates alone: 2 ms."""
    alphas, powers = np.arange(0.005, 0.2, 0.005), np.arange(0.5, 0.99, 0.01)
    gates, families = ("none", "bonferroni", "bh", "holm"), ("judges", "hypotheses", "all")

    def alpha(i: int) -> object:
        return analyse(statistics, PLANNED.replace(alpha=round(float(alphas[i % 39]), 3)))

    def gate(i: int) -> object:
        return analyse(statistics, PLANNED.replace(gate=gates[i % 4], family=families[i % 3]))

    def power(i: int) -> object:
        return analyse(statistics, SECOND.replace(power=round(float(powers[i % 49]), 2)))

    return [
        ("another alpha", 2, 50, alpha),
        ("another gate and family", 2, 50, gate),
        ("another power, study 2", 2, 50, power),
    ]


def estimates(statistics: Statistics) -> list[tuple[str, float, int, Work]]:
    """Moves that need new estimates, and everything that is drawn: 10 ms."""
    kept = PLANNED.many("labels")
    typed = PLANNED.replace(contrast="chen:1,sergey:-1")
    first, second = analyse(statistics, PLANNED), analyse(statistics, SECOND)
    comparison = compare(statistics, first)
    parts = in_scope(statistics, PLANNED), in_scope(statistics, SECOND)

    def labels(i: int) -> object:
        left = tuple(name for k, name in enumerate(kept) if k != i % 8)
        return contrast_table(
            compare(statistics, analyse(statistics, PLANNED.replace(labels=left)))
        )

    return [
        ("labels left out: estimates and table", 10, 24, labels),
        ("contrast table", 10, 20, lambda _: contrast_table(comparison)),
        ("every gate and family", 10, 20, lambda _: multiplicity_table(statistics, PLANNED)),
        ("a typed contrast", 10, 20, lambda _: analyse_typed(statistics, typed)),
        ("by text, study 1", 10, 20, lambda _: text_table(statistics, first)),
        ("by text, study 2", 10, 20, lambda _: text_table(statistics, second)),
        ("one text left out, study 1", 10, 20, lambda _: leave_one_out(statistics, first)),
        ("one brief left out, study 2", 10, 20, lambda _: leave_one_out(statistics, second)),
        (
            "variance shares, 2 x 2,000 resamples",
            10,
            20,
            lambda _: share_table(statistics, PLANNED),
        ),
        ("dots of study 2", 30, 10, lambda _: cell_table(parts[1])),
        ("marks of study 1", 30, 10, lambda _: coarseness_table(parts[0])),
        ("planner curve", 10, 20, lambda _: effect_curve(PLANNED)),
    ]


def test_speed_of_the_filenames_study() -> None:
    panels = [each.read() for each in shipped("filenames", "scores", "reconstructed")]
    reduced = tuple(reduce_scores(panel.frame) for panel in panels)
    found = Ensemble(reduced, True, panels[0].provenance.pinned_ids)
    table = contrast_table(compare(reduced[0], analyse(reduced[0], PLANNED)))
    strict = PLANNED.replace(alpha=0.005)
    work = [
        ("reduce 36,864 rows", 200.0, 5, lambda _: reduce_scores(panels[0].frame)),
        *judgement(reduced[0]),
        *estimates(reduced[0]),
        ("basis of the contrasts", 10.0, 20, lambda _: with_basis(table, found, PLANNED)),
        ("opening", 30.0, 10, lambda _: opening(found, PLANNED)),
        ("what a departure does", 10.0, 20, lambda _: departures(found, strict)),
    ]
    print(f"\n{machine()}; median, milliseconds")
    print(f"{'what':<44}{'aim':>8}{'median':>9}{'worst':>9}")
    slow = []
    for what, aim, repeats, call in work:
        taken = times(call, repeats)
        print(f"{what:<44}{aim:>8.1f}{median(taken):>9.2f}{max(taken):>9.2f}")
        if median(taken) > aim:
            slow.append(what)
    assert not slow
