"""A forest has every cell twice, planned and now, hypothesis by hypothesis."""

from __future__ import annotations

from core.studies.forest import FOREST, forest


def cell(hypothesis: str, judge: str, estimate: float | None) -> dict[str, object]:
    return {
        "hypothesis": hypothesis,
        "judge": judge,
        "estimate": estimate,
        "low": -1.0,
        "high": 1.0,
        "planned": 0.5,
        "planned_low": 0.25,
        "planned_high": 0.75,
    }


def test_cells_stand_hypothesis_by_hypothesis_planned_and_now() -> None:
    found = forest([cell("H2", "B", 0.1), cell("H1", "B", None), cell("H1", "A", 0.3)], "judge")
    assert list(found.schema.items()) == list(FOREST.items())
    assert found.rows() == [
        ("H1  B", "planned setting", 0.5, 0.25, 0.75, "B"),
        ("H1  A", "planned setting", 0.5, 0.25, 0.75, "A"),
        ("H2  B", "planned setting", 0.5, 0.25, 0.75, "B"),
        ("H1  B", "now", None, -1.0, 1.0, "B"),
        ("H1  A", "now", 0.3, -1.0, 1.0, "A"),
        ("H2  B", "now", 0.1, -1.0, 1.0, "B"),
    ]


def test_a_forest_without_cells_is_empty() -> None:
    assert forest([], "judge").rows() == []
