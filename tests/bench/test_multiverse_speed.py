"""Specifications a second, on the named grids and the first shipped panel of each study."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core import claims
from core.multiverse.setup import from_json
from tests.bench.test_composition_draws import machine
from tests.core import judged_panels

GRIDS = Path(__file__).resolve().parent / "grids"

AIMS = {"composition": 5_000, "clauses": 5_000, "filenames": 1_000, "remedies": 1_000}
"""Specifications a second."""

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
