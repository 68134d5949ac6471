"""What the composition page says about cases that are easily worded wrongly."""

from __future__ import annotations

import numpy as np

from core.studies.composition import sentences, tables
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.missing_mass import MissingMass
from core.studies.composition.section_texts import envelope_line
from tests.pages.apps import shipped_panel, statistics_of


def masses(conditional: list[float]) -> MissingMass:
    """Three models whose envelope goes from .4 to .6."""
    same = np.array(conditional)
    return MissingMass(same, same, same, same, np.full(3, 0.4), np.full(3, 0.6))


def test_scores_outside_their_envelope_are_told_with_the_side() -> None:
    names = ["A", "B", "C"]
    assert envelope_line(masses([0.5, 0.4, 0.6]), names).startswith("Every score lies inside")
    one = envelope_line(masses([0.7, 0.5, 0.5]), names)
    assert one.startswith("The score of A lies above its own completion envelope.")
    two = envelope_line(masses([0.7, 0.3, 0.8]), names)
    assert two.startswith(
        "The scores of A and C lie above their own completion envelope. "
        "The score of B lies below its own completion envelope."
    )


def test_weights_that_change_nothing_are_told_as_no_change() -> None:
    statistics = statistics_of(shipped_panel())
    same = DECLARATION.planned.replace(comparator="mixture", **{"lambda": 0.0})
    comparison = tables.compare(statistics, analyse(statistics, same))
    said = sentences.opening(tables.model_table(comparison), comparison)
    assert "no composite changes, and the average cell moves by 0.000" in said
