"""Times of the clauses study, on the first shipped panel."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import numpy as np
from scipy import stats

from core.fidelity import shipped_panels
from core.stats.bootstrap_bca import resample_means, resampling_weights
from core.studies.clauses.choices import DECLARATION
from core.studies.clauses.estimate import analyse, contrasts
from core.studies.clauses.influence import influence
from core.studies.clauses.reduce import reduce_determinations
from core.studies.clauses.runs_compared import compare_runs
from core.studies.clauses.tables import cell_table, compare
from tests.bench.test_composition_draws import machine

DRAWS = 10_000


def times(work: Callable[[int], object], repeats: int) -> list[float]:
    found = []
    for i in range(repeats):
        start = time.perf_counter()
        work(i)
        found.append(1e3 * (time.perf_counter() - start))
    return found


def test_speed_of_the_clauses_study() -> None:
    panels = shipped_panels("clauses", 1)
    rows, flags = panels["determinations"].frame, panels["archetypes"].frame
    statistics = reduce_determinations(rows, flags)
    planned = DECLARATION.planned
    # One run: 5 hypotheses x 4 models.
    values = contrasts(statistics, planned).values[0, 1].reshape(20, -1)
    for n in np.unique((~np.isnan(values)).sum(axis=1)):
        resampling_weights(int(n), DRAWS, 1)
    alphas, margins = np.arange(0.01, 0.2, 0.005), np.arange(0.05, 1.5, 0.05)
    analyse(statistics, planned)

    def bca(_: int) -> object:
        return resample_means(values, draws=DRAWS, seed=1).bca(0.95)

    def scipys(_: int) -> object:
        return [
            stats.bootstrap(
                (row[~np.isnan(row)],), np.mean, n_resamples=DRAWS, method="BCa", rng=1
            ).confidence_interval
            for row in values
        ]

    def alpha(i: int) -> object:
        return analyse(statistics, planned.replace(alpha=round(float(alphas[i]), 3)))

    def margin(i: int) -> object:
        return analyse(statistics, planned.replace(margin=round(float(margins[i]), 2)))

    def gate(i: int) -> object:
        gates = ("interval", "none", "hochberg", "bonferroni", "bh", "holm")
        return analyse(statistics, planned.replace(gate=gates[i % 6]))

    def clause(i: int) -> object:
        return analyse(statistics, planned.replace(leave_out=f"bench-{i}"))

    found = analyse(statistics, planned)
    comparison = compare(statistics, found, documented=True)
    work: list[tuple[str, float, int, Callable[[int], object]]] = [
        ("BCa, 5 hypotheses x 4 models x 10,000, weights drawn", 15, 20, bca),
        ("the same by scipy.stats.bootstrap", float("inf"), 3, scipys),
        ("another alpha, both runs", 2, 30, alpha),
        ("another margin, both runs", 2, 25, margin),
        ("another gate, both runs", 2, 30, gate),
        ("another scope: both runs resampled, weights drawn", 30, 15, clause),
        ("cell table", 10, 20, lambda _: cell_table(comparison)),
        ("v2 against v3, 16 switches, 24 orders", 30, 10, lambda _: compare_runs(comparison)),
        (
            "leave-one-archetype-out, all verdicts",
            3_000,
            2,
            lambda i: influence(statistics, planned.replace(seed=("20260728", "20260729")[i])),
        ),
        ("rows to statistics", 500, 5, lambda _: reduce_determinations(rows, flags)),
    ]
    print(f"\n{machine()}; milliseconds")
    print(f"{'what':<56}{'aim':>8}{'median':>9}{'best':>9}")
    measured, slow = {}, []
    for what, aim, repeats, call in work:
        spent = times(call, repeats)
        measured[what] = median(spent)
        print(f"{what:<56}{aim:>8.0f}{median(spent):>9.2f}{min(spent):>9.2f}")
        if median(spent) > aim:
            slow.append(what)
    ours, oracle = (measured[what] for what, *_ in work[:2])
    print(f"scipy.stats.bootstrap takes {oracle / ours:.0f} times as long")
    assert not slow
    assert oracle >= 5 * ours
