"""What stories tell follows from printed figures, where the studies' own rules do not show it.

Each claim is shown from printed values and their rounding alone: no set of rows that returns the
printed figures can reverse it, so no search for such rows is needed.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm
from scipy.stats import t as student

from core.figures import Figure, figures

BY_TEXT: dict[tuple[str, str], list[Figure]] = {}
for _figure in figures("filenames").values():
    if _figure.locator == "Table 2" and _figure.quantity == "contrast_estimate":
        BY_TEXT.setdefault((_figure.subject, _figure.condition["hypothesis"]), []).append(_figure)

TOLD = [cell for cell in BY_TEXT if cell != ("gemini-4-argon", "H2")]
"""The story tells nothing of the one cell that may stay significant."""


def smallest_p(cell: tuple[str, str]) -> float:
    """Smallest p-value, clustered by text, over all values that print as they do.

    With a mark's label effects estimated text by text, the error clustered by text is the spread
    of the texts' estimates over the root of their number, times a factor above one.
    """
    values = np.array([figure.value for figure in BY_TEXT[cell]])
    half = np.array([figure.half_unit for figure in BY_TEXT[cell]])
    count, sign = len(values), np.sign(values.mean())

    def minus_t(at: np.ndarray) -> float:
        return float(-sign * at.mean() / (at.std(ddof=1) / np.sqrt(count)))

    bounds = list(zip(values - half, values + half, strict=True))
    starts = np.random.default_rng(1).uniform(-1, 1, (8, count)) * half + values
    largest = max(-minimize(minus_t, start, bounds=bounds).fun for start in starts)
    return float(2 * student.sf(largest, count - 1))


def test_there_are_four_texts_for_every_judge_and_hypothesis() -> None:
    assert {len(own) for own in BY_TEXT.values()} == {4}
    assert len(BY_TEXT) == 15


@pytest.mark.parametrize("hypothesis", ["H1", "H2", "H3", "H4", "H4b"])
def test_clustered_by_text_no_told_result_is_significant(hypothesis: str) -> None:
    p = {cell: smallest_p(cell) for cell in BY_TEXT if cell[1] == hypothesis}
    # Holm's rule within the hypothesis: the smallest is multiplied by the number of judges.
    ordered = sorted(p, key=p.__getitem__)
    adjusted = np.maximum.accumulate([p[cell] * (len(p) - at) for at, cell in enumerate(ordered)])
    for cell, value in zip(ordered, adjusted, strict=True):
        assert value > 0.05 or cell not in TOLD


def printed(name: str) -> Figure:
    return figures("remedies")[f"remedies.sec4_2.{name}"]


def test_half_the_bound_does_not_hold_the_gap_in_education() -> None:
    gap = printed("gap.edu.gpt4o")
    assert gap.lower is not None
    assert gap.upper is not None
    assert gap.upper > 0.5
    # By the printed interval, the test against this bound is nowhere near the level.
    error = (gap.upper - gap.lower) / (2 * norm.ppf(0.975))
    assert norm.cdf((gap.value + gap.half_unit - 0.5) / error) > 0.4


def test_the_document_states_that_pooled_income_is_not_inside_the_bound() -> None:
    gap, bound = printed("pooled.gap.ses.gpt4o"), printed("pooled.gap_bound")
    assert gap.upper is not None
    assert gap.upper > bound.value == 1.0
    assert bound.note == "interval does not exclude a gap above this"


def test_the_document_states_that_every_held_out_gap_is_inside_the_bound() -> None:
    bound = printed("upper_bound_max")
    assert (bound.value, bound.note) == (1.0, "lt")
    assert printed("abs_gap_max").value < bound.value
