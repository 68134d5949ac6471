"""Labels with weak evidence: what a composite loses with them."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from core.panels.problems import PanelError
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.evidence import (
    composite_change,
    labels,
    reduce_evidence,
    scored_labels,
)
from core.studies.composition.reduce import reduce_cells

KEYS = ["model", "regime", "attribute", "context", "format", "role", "category"]


def rows(attribute: str, counts: dict[str, int], *, role: str = "ceo") -> pl.DataFrame:
    """One joint USA story cell of model m."""
    data = [
        ("m", "joint", attribute, "USA", "story", role, category, n)
        for category, n in counts.items()
    ]
    return pl.DataFrame(data, schema=[*KEYS, "n"], orient="row")


def weak(attribute: str, category: str, n: int, kind: str = "footer_only") -> pl.DataFrame:
    frame = rows(attribute, {category: n}).with_columns(evidence=pl.lit(kind))
    return frame.select(*KEYS, "evidence", "n")


CELLS = rows("gender_to_sex", {"female": 24, "male": 6})


def change(evidence: pl.DataFrame, kind: str = "footer_only", **changes: str | int) -> float:
    choices = DECLARATION.select(
        {"modules": ("gender_to_sex",), "comparator": "equal_category", **changes}
    )
    findings = analyse(reduce_cells(CELLS), choices)
    return float(composite_change(findings, reduce_evidence(evidence, CELLS)[kind])[0])


def half_and_half(p: float) -> float:
    """Divergence of (p, 1 - p) from halves, in bits."""
    middle = [(p + 0.5) / 2, (1.5 - p) / 2]
    own = sum(x * math.log2(x) for x in (p, 1 - p) if x)
    return (own - 1) / 2 - sum(x * math.log2(x) for x in middle)


def test_dropping_labels_changes_the_shares_of_the_others() -> None:
    # 24 of 30 female; without 12 of them 12 of 18.
    expected = half_and_half(12 / 18) - half_and_half(24 / 30)
    assert change(weak("gender_to_sex", "female", 12)) == pytest.approx(expected, abs=1e-12)
    assert expected < 0


def test_a_cell_stays_in_even_where_it_no_longer_passes_the_gate() -> None:
    expected = half_and_half(12 / 18) - half_and_half(24 / 30)
    assert change(weak("gender_to_sex", "female", 12), gate=20) == pytest.approx(expected)


def test_kinds_are_kept_apart() -> None:
    evidence = weak("gender_to_sex", "female", 12, "relational")
    assert change(evidence) == 0
    assert change(evidence, "relational") < 0


def test_a_cell_left_without_labels_gives_no_number() -> None:
    both = pl.concat([weak("gender_to_sex", "female", 24), weak("gender_to_sex", "male", 6)])
    assert math.isnan(change(both))


def test_counting_labels() -> None:
    cells = pl.concat(
        [
            rows("gender_to_sex", {"female": 30}),
            rows("religion", {"Christian": 20, "unmapped": 10}),
        ]
    )
    evidence = pl.concat(
        [
            weak("gender_to_sex", "female", 5),
            weak("religion", "Christian", 3),
            weak("religion", "unmapped", 2),
        ]
    )
    found = reduce_evidence(evidence, cells)["footer_only"]
    assert labels(found, "joint").tolist() == [10]
    assert labels(found, "implicit").tolist() == [0]
    # Gender is in no composite, and an unmapped label is not scored.
    assert scored_labels(found, "joint").tolist() == [3]


def test_the_arrays_line_up_with_those_of_the_panel() -> None:
    cells = pl.concat([CELLS, rows("gender_to_sex", {"female": 30}, role="doctor")])
    statistics = reduce_cells(cells)
    found = reduce_evidence(weak("gender_to_sex", "male", 2), cells)["footer_only"]
    assert found.cells.equals(statistics.cells)
    assert found.counts.sum() == 2
    m, g, k = np.argwhere(found.counts)[0]
    assert statistics.counts[m, g, k] == 6


@pytest.mark.parametrize("evidence", [("female", 25), ("intersex", 1)])
def test_evidence_of_other_cells_is_refused(evidence: tuple[str, int]) -> None:
    with pytest.raises(PanelError, match="Bring the evidence table"):
        reduce_evidence(weak("gender_to_sex", *evidence), CELLS)
