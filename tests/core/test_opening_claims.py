"""What the composition page opens on follows from printed figures, whatever the rows behind them.

Each claim is shown from the printed values and their rounding alone: no set of rows that returns
the printed figures can reverse it, so no search for such rows is needed.
"""

from __future__ import annotations

import itertools

import pytest

from core.figures import figures
from core.studies.composition.choices import DECLARATION
from core.studies.composition.sources import model_names

FIGURES = figures("composition")
HALF = 0.0005
MODELS = tuple(model_names())


def _printed(name: str, model: str) -> float:
    figure = FIGURES[f"composition.table2.{name}.{model}"]
    assert figure.half_unit == pytest.approx(HALF)
    return figure.value


@pytest.mark.parametrize("model", MODELS)
def test_every_composite_falls_by_more_than_rounding_can_hide(model):
    fall = _printed("geo_composite", model) - _printed("equal_composite", model)
    assert fall > 2 * HALF
    # ".04 to .07": to two digits, whatever rounding hides.
    assert fall - 2 * HALF > 0.035
    assert fall + 2 * HALF < 0.075


@pytest.mark.parametrize("model", MODELS)
def test_the_average_cell_moves_by_more_than_twice_any_fall(model):
    moves = _printed("mean_abs_cell_change", model)
    largest = max(_printed("geo_composite", m) - _printed("equal_composite", m) for m in MODELS)
    assert moves - HALF > 2 * (largest + 2 * HALF)
    assert moves - HALF > 0.275
    assert moves + HALF < 0.365


@pytest.mark.parametrize("model", MODELS)
def test_no_composite_verdict_flips_at_the_planned_tolerance(model):
    tau = DECLARATION.planned.number("tau")
    for name in ("geo_composite", "equal_composite"):
        assert _printed(name, model) - HALF > tau


def test_only_claude_and_qwen_change_places():
    def ranked(name: str) -> list[str]:
        return sorted(MODELS, key=lambda model: _printed(name, model))

    before, after = ranked("geo_composite"), ranked("equal_composite")
    assert before[-2:] == ["claude-sonnet-5", "qwen3.7-max"]
    assert after[-2:] == ["qwen3.7-max", "claude-sonnet-5"]
    assert before[:-2] == after[:-2]


@pytest.mark.parametrize("name", ["geo_composite", "equal_composite"])
def test_each_order_is_wider_than_rounding_except_between_kimi_and_llama(name):
    ranked = sorted(MODELS, key=lambda model: _printed(name, model))
    for lower, higher in itertools.pairwise(ranked):
        gap = _printed(name, higher) - _printed(name, lower)
        close = {lower, higher} == {"kimi-k3", "llama-4-maverick"}
        assert gap > 2 * HALF or (close and gap >= 2 * HALF - 1e-12)


def test_the_tolerance_is_a_hinge_of_the_first_composite_whatever_the_rows():
    # The multiverse page opens on it: outside up to a tolerance of .4, within at .6.
    composite = _printed("geo_composite", MODELS[0])
    assert composite - HALF > 0.4
    assert composite + HALF <= 0.6


def test_the_bound_is_a_hinge_of_the_printed_gap_of_rates_whatever_the_rows():
    # The multiverse page opens on it for remedies. At a bound of .25 pp the printed gap itself lies
    # outside, so no interval around it lies inside; and zero is excluded, as at the planned bound.
    gap = figures("remedies")["remedies.sec4_2.gap.edu.gpt4o"]
    assert gap.value - gap.half_unit > 0.25
    assert gap.lower is not None
    assert gap.upper is not None
    assert gap.lower - gap.half_unit > 0
    assert gap.upper + gap.half_unit < 1.0
