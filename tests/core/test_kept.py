"""Draws that are kept: found by what they depend on, and equal to fresh ones."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from core.panels.catalogue import shipped
from core.studies.composition import kept
from core.studies.composition.choices import DECLARATION
from core.studies.composition.reduce import reduce_cells

PANELS = shipped("composition", "cells", "reconstructed")


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.path.stem)
def test_every_shipped_panel_has_its_draws(panel):
    results = kept.read(panel.sha256)
    wanted = {kept.setting(kind, choices) for kind, choices in kept.shipped_settings()}
    assert set(results) == wanted


@pytest.mark.parametrize("kind", [kept.Uncertainty, kept.Perturbation])
def test_kept_draws_are_those_that_a_fresh_run_gives(kind):
    panel = PANELS[0]
    statistics = reduce_cells(panel.read().frame)
    choices = DECLARATION.opening.replace(mechanism="adversarial", rate=0.2)
    fresh = kept.WORK[kind](statistics, choices, None)
    stored = kept.read(panel.sha256)[kept.setting(kind, choices)]
    for field in fields(fresh):
        np.testing.assert_allclose(
            getattr(stored, field.name), getattr(fresh, field.name), atol=1e-9, equal_nan=True
        )


def test_a_panel_without_draws_has_none():
    assert kept.read("0" * 64) == {}


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"tau": 0.3}, True),
        ({"rule": "interval"}, True),
        ({"eta": 1.0}, True),
        ({"lambda": 0.7}, True),
        ({"gate": 24}, False),
        ({"comparator": "geography"}, False),
        ({"draws": "500"}, False),
        ({"seed": "20260723"}, False),
    ],
)
def test_only_choices_that_move_the_draws_ask_for_new_ones(change, same):
    before = kept.setting(kept.Uncertainty, DECLARATION.opening)
    after = kept.setting(kept.Uncertainty, DECLARATION.opening.replace(**change))
    assert (before == after) is same


def test_progress_runs_to_the_end_and_a_cancellation_passes_through():
    statistics = reduce_cells(PANELS[0].read().frame)
    choices = DECLARATION.opening.replace(draws="500")
    seen: list[int] = []
    kept.draw_uncertainty(statistics, choices, lambda done, total: seen.append(done))
    assert seen == sorted(seen)
    assert seen[-1] == 100

    def stop(done: int, total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        kept.draw_uncertainty(statistics, choices, stop)
