"""Specifications a second, on the named grids and the first shipped panel of each study."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from core import claims
from core.multiverse import hinges
from core.multiverse.setup import from_json, opening
from core.studies.reduced import of_shipped
from tests.bench.test_composition_draws import machine
from tests.core import judged_panels

GRIDS = Path(__file__).resolve().parent / "grids"

AIMS = {"composition": 5_000, "clauses": 5_000, "filenames": 1_000, "remedies": 1_000}
"""Specifications a second."""

FIRST_ANSWER = 3.0
"""Seconds from nothing kept to what the page shows first."""

LEAST = {"composition": 5_000, "clauses": 5_000, "filenames": 1_000, "remedies": 1_000}
"""Specifications in the grid."""


@pytest.mark.parametrize("name", AIMS)
def test_specifications_a_second(name: str) -> None:
    study, statistics = claims.of(name), judged_panels.statistics(name)
    setup = from_json(study, (GRIDS / f"{name}.json").read_text(encoding="utf-8"))
    specs = setup.specs(study)
    wanted = [claim for claim in study.claims(statistics) if claim.key in setup.claims]
    assert len(wanted) == len(setup.claims)
    assert specs.is_full
    assert len(specs) >= LEAST[name]
    started = time.perf_counter()
    found = study.judge_many(statistics, specs, wanted)
    seconds = time.perf_counter() - started
    rate = len(specs) / seconds
    print(
        f"\n{machine()}\n{name}: {len(specs):,} specifications in {seconds:.2f} s, {rate:,.0f} a "
        f"second; resampling {found.seconds['resampling']:.2f} s, judging "
        f"{found.seconds['judging']:.2f} s"
    )
    assert found.is_known.all()
    assert rate >= AIMS[name]


def test_orders_and_intervals_a_second() -> None:
    """Orders need draws of two models, intervals on a curve those of one."""
    study, statistics = claims.of("composition"), judged_panels.statistics("composition")
    setup = from_json(study, (GRIDS / "composition.json").read_text(encoding="utf-8"))
    specs = setup.specs(study)
    started = time.perf_counter()
    found = study.judge_many(statistics, specs, [study.main(statistics)])
    orders = time.perf_counter() - started
    one = study.claims(statistics)[:1]
    scores = study.judge_many(statistics, specs, one)
    started = time.perf_counter()
    study.put_intervals(statistics, specs, one, scores)
    intervals = time.perf_counter() - started
    print(
        f"\n{machine()}\ncomposition, order of two models: {len(specs):,} specifications in "
        f"{orders:.2f} s, {len(specs) / orders:,.0f} a second; resampling "
        f"{found.seconds['resampling']:.2f} s, judging {found.seconds['judging']:.2f} s\n"
        f"intervals of one model's scores: {intervals:.2f} s, "
        f"{len(specs) / intervals:,.0f} a second"
    )
    assert found.is_known.all()
    assert not np.isnan(scores.low).any()
    assert len(specs) / orders >= AIMS["composition"]


@pytest.mark.parametrize("name", AIMS)
def test_first_answer(name: str) -> None:
    """What a first visit waits for: panels read, single changes of one claim, the opening grid."""
    study = claims.of(name)
    began, busy = time.perf_counter(), time.process_time()
    found = of_shipped(name)
    assert found is not None
    read = time.perf_counter()
    panels = found.ensemble(study.ensemble_type)
    main = study.main(found.statistics[0])
    singles = hinges.single_changes(study, panels, [main])
    hinges.look(study, panels, [main], opening(study, main).specs(study))
    seconds = time.perf_counter() - began
    print(
        f"\n{machine()}\n{name}: {seconds:.2f} s, {read - began:.2f} s of them to read "
        f"{panels.size} panels; {time.process_time() - busy:.2f} s of a processor"
    )
    assert singles.height
    assert seconds <= FIRST_ANSWER
