from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from core.choices import Choices
from core.studies.composition.choices import DECLARATION
from core.studies.composition.sources import declared_categories, resident_shares
from core.studies.composition.surviving import survive
from tests.core.cell_rows import cell, statistics_of

GENDER = DECLARATION.planned.replace(modules=("gender_to_sex",))
RELIGION = DECLARATION.planned.replace(modules=("religion",))
NAMES = declared_categories()["religion", "USA"]


def root(p: object, q: object) -> float:
    return float(np.nan_to_num(jensenshannon(p, q, base=2)))


def under(choices: Choices, *names: str) -> list[Choices]:
    return [choices.replace(comparator=name) for name in names]


def test_scores_diameter_and_bound_of_one_cell() -> None:
    statistics = statistics_of({"a": {cell("religion", "USA"): {"Christian": 15, "Muslim": 15}}})
    resident, equal = resident_shares()["religion", "USA"], np.full(7, 1 / 7)
    shares = [0.5, 0.5, 0, 0, 0, 0, 0]
    found = survive(statistics, under(RELIGION, "geography", "equal_category"))
    distances = [root(shares, resident), root(shares, equal)]
    assert found.root_scores[:, 0] == pytest.approx(distances)
    assert found.interval[0] == pytest.approx(sorted(d**2 for d in distances))
    assert found.root_spread == pytest.approx([abs(distances[0] - distances[1])])
    assert found.diameter == pytest.approx([root(resident, equal)])
    assert found.bound == pytest.approx([root(resident, equal)])


def test_the_diameter_is_that_of_the_pair_furthest_apart() -> None:
    statistics = statistics_of({"a": {cell("gender_to_sex", "USA", "nurse"): {"female": 30}}})
    found = survive(statistics, under(GENDER, "geography", "equal_category", "occupational"))
    geo = resident_shares()["gender_to_sex", "USA"][0]
    shares = [geo, 0.5, 0.873]  # Registered nurses, BLS 2025.
    pairs = [root([p, 1 - p], [q, 1 - q]) for p in shares for q in shares]
    assert found.diameter == pytest.approx([max(pairs)])


def test_diameters_are_averaged_like_the_scores() -> None:
    counts = {"Christian": 30}
    cells = {
        cell("religion", "USA"): counts,
        cell("religion", "USA", "nurse"): counts,
        cell("religion", "BRA"): counts,
    }
    found = survive(statistics_of({"a": cells}), under(RELIGION, "geography", "equal_category"))
    usa, bra = (root(resident_shares()["religion", c], np.full(7, 1 / 7)) for c in ("USA", "BRA"))
    assert found.bound == pytest.approx([(usa + bra) / 2])


@given(
    counts=st.lists(
        st.lists(st.integers(0, 9), min_size=7, max_size=7).filter(any), min_size=2, max_size=4
    ),
    weight=st.sampled_from([0.1, 0.5, 0.9]),
    exponent=st.sampled_from([0.25, 0.75]),
)
def test_root_scores_never_differ_by_more_than_the_bound(
    counts: list[list[int]], weight: float, exponent: float
) -> None:
    places = [("USA", "ceo"), ("USA", "nurse"), ("BRA", "ceo"), ("IND", "ceo")]
    cells = {
        cell("religion", context, role): dict(zip(NAMES, row, strict=True))
        for (context, role), row in zip(places, counts, strict=False)
    }
    choices = RELIGION.replace(**{"gate": 1, "lambda": weight, "alpha": exponent})
    names = ("geography", "equal_category", "mixture", "power")
    found = survive(statistics_of({"a": cells}), under(choices, *names))
    assert found.root_spread[0] <= found.bound[0] + 1e-12
    assert found.interval[0, 0] <= found.scores[:, 0].min()
    assert found.interval[0, 1] >= found.scores[:, 0].max()


def test_a_verdict_is_determinate_only_if_all_comparators_agree() -> None:
    # All women: .31 bits from residents, .31 from halves; .06 from 87.3% women among nurses.
    cells = {"a": {cell("gender_to_sex", "USA", "nurse"): {"female": 30}}}
    statistics = statistics_of(cells)
    for tau, alike in ((0.05, True), (0.2, False), (0.4, True)):
        choices = GENDER.replace(tau=tau)
        found = survive(statistics, under(choices, "geography", "equal_category", "occupational"))
        assert found.determinate.tolist() == [alike]
        assert found.determinate_cells.tolist() == [[alike]]
        assert found.determinate_share == pytest.approx([float(alike)])
    assert found.verdicts.tolist() == [["within"]] * 3


def test_the_share_of_determinate_cells_is_by_weight() -> None:
    cells = {
        cell("gender_to_sex", "USA", "ceo"): {"female": 30},
        cell("gender_to_sex", "USA", "nurse"): {"female": 30},
    }
    specifications = under(GENDER, "geography", "occupational")
    found = survive(statistics_of({"a": cells}), specifications)
    # Chief executives: .31 and .48, both outside .2; nurses: .31 and .06.
    assert found.determinate_cells.tolist() == [[True, False]]
    assert found.determinate_share == pytest.approx([0.5])


def test_cells_count_only_where_every_comparator_is_defined() -> None:
    cells = {
        cell("gender_to_sex", "USA"): {"female": 30},
        cell("gender_to_sex", "BRA"): {"female": 30},
    }
    found = survive(statistics_of({"a": cells}), under(GENDER, "geography", "occupational"))
    usa = resident_shares()["gender_to_sex", "USA"]
    assert found.scores[:, 0] == pytest.approx(
        [root([1, 0], usa) ** 2, root([1, 0], [0.33, 0.67]) ** 2]
    )


def test_without_a_composite_nothing_is_determinate() -> None:
    statistics = statistics_of({"a": {cell("religion", "USA"): {"Christian": 30}}})
    found = survive(statistics, under(RELIGION, "geography", "occupational"))
    assert np.isnan(found.interval).all()
    assert not found.determinate.any()
    assert np.isnan(found.determinate_share).all()


def test_one_comparator_has_no_diameter() -> None:
    statistics = statistics_of({"a": {cell("religion", "USA"): {"Christian": 30}}})
    found = survive(statistics, under(RELIGION, "geography"))
    assert found.bound == pytest.approx([0])
    assert found.determinate.tolist() == [True]


def test_only_the_comparator_may_differ() -> None:
    statistics = statistics_of({"a": {cell("religion", "USA"): {"Christian": 30}}})
    with pytest.raises(ValueError, match="share one gate"):
        survive(statistics, [RELIGION, RELIGION.replace(gate=10)])
    with pytest.raises(ValueError, match="at least one"):
        survive(statistics, [])
