from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import beta

from core.panels.read import read_panel
from core.paths import PANELS
from core.reference import table
from core.studies.composition.choices import DECLARATION
from core.studies.composition.occupational_posterior import QUANTITIES, Posterior, posterior
from core.studies.composition.reduce import CellStatistics, reduce_cells
from tests.core.cell_rows import ROLES, cell, statistics_of

PLANNED = DECLARATION.planned
GEO, OCCUPATION, EQUAL, DIFFERENCE, ABSOLUTE = range(len(QUANTITIES))
P_GEO = 0.4975
"""Women among residents (Table 8a)."""
P_CEO = 0.33
"""Women among chief executives (Sec. 1)."""

DETAILS = table("composition", "occupational_diagnostic")


def panel(women: dict[str, int], n: int = 30) -> CellStatistics:
    cells = {
        cell("gender_to_sex", "USA", role, regime="implicit"): {"female": y, "male": n - y}
        for role, y in women.items()
    }
    return statistics_of({"a": cells})


@pytest.fixture(scope="module")
def all_women() -> Posterior:
    return posterior(panel(dict.fromkeys(ROLES, 30)), PLANNED)


def distance(theta: float | np.ndarray, p: float) -> np.ndarray:
    shares = np.stack([np.asarray(theta), 1 - np.asarray(theta)])
    target = np.broadcast_to(
        np.array([p, 1 - p]).reshape(2, *[1] * (shares.ndim - 1)), shares.shape
    )
    return np.asarray(jensenshannon(shares, target, base=2, axis=0)) ** 2


def printed_rows(model: str) -> np.ndarray:
    """Table 27: geography, occupation, difference and mean absolute difference of a model."""
    (row,) = DETAILS.filter(model_id=model).iter_rows(named=True)
    names = ("geo", "occupation", "difference", "mean_abs_role")
    ends = ("median", "lower_95", "upper_95")
    return np.array([[float(row[f"{name}_{end}"]) for end in ends] for name in names])


PRINTED = [GEO, OCCUPATION, DIFFERENCE, ABSOLUTE]
# Half a printed unit and as much again for the draws: the study made its own.
CLOSE = 0.001


@pytest.mark.parametrize("model", ["llama-4-maverick", "qwen3.7-max"])
def test_thirty_women_in_every_role_give_the_rows_of_table_27(
    all_women: Posterior, model: str
) -> None:
    assert all_women.overall[0, PRINTED] == pytest.approx(printed_rows(model), abs=CLOSE)


def test_table_27_from_the_shipped_panel() -> None:
    panel = read_panel(PANELS / "composition" / "cells-reconstructed-1.parquet")
    found = posterior(reduce_cells(panel.frame), PLANNED)
    for model, overall in zip(found.models, found.overall, strict=True):
        assert overall[PRINTED] == pytest.approx(printed_rows(model), abs=CLOSE)


def test_by_role_quantiles_are_exact_where_the_map_is_monotone() -> None:
    found = posterior(panel({"ceo": 21}), PLANNED)
    law = beta(21.5, 9.5)
    # theta's own quantiles, mapped; above both targets all three grow with theta.
    at = law.ppf([0.5, 0.025, 0.975])
    assert law.cdf(P_GEO) < 0.025, "else the distances would fold over"
    geo, occupation = distance(at, P_GEO), distance(at, P_CEO)
    # With 100,000 draws an end of these spreads is known to about .0005.
    assert found.by_role[0, 0, GEO] == pytest.approx(geo, abs=0.002)
    assert found.by_role[0, 0, OCCUPATION] == pytest.approx(occupation, abs=0.002)
    assert found.by_role[0, 0, EQUAL] == pytest.approx(distance(at, 0.5), abs=0.002)
    assert found.by_role[0, 0, DIFFERENCE] == pytest.approx(occupation - geo, abs=0.002)


def test_the_absolute_difference_is_taken_by_role_before_the_mean() -> None:
    # Women in every output: further off for chief executives, nearer for nurses.
    found = posterior(panel({"ceo": 30, "nurse": 30}), PLANNED)
    ceo, nurse = found.by_role[0, :, DIFFERENCE, 0]
    assert ceo > 0 > nurse
    assert found.overall[0, DIFFERENCE, 0] == pytest.approx((ceo + nurse) / 2, abs=0.003)
    assert found.overall[0, ABSOLUTE, 0] == pytest.approx((ceo - nurse) / 2, abs=0.003)


def test_a_role_without_a_gender_gives_no_number_and_no_mean() -> None:
    cells = {
        cell("gender_to_sex", "USA", "ceo", regime="implicit"): {"unspecified": 30},
        cell("gender_to_sex", "USA", "doctor", regime="implicit"): {"female": 30},
    }
    found = posterior(statistics_of({"a": cells}), PLANNED, draws=100)
    assert np.isnan(found.by_role[0, 0]).all()
    assert not np.isnan(found.by_role[0, 1]).any()
    assert np.isnan(found.overall).all()
    assert found.mapped.tolist() == [[0, 30]]


def test_only_implicit_us_stories_about_gender_count() -> None:
    cells = {
        cell("gender_to_sex", "USA", "ceo", regime="implicit"): {"female": 3, "male": 27},
        cell("gender_to_sex", "USA", "ceo", regime="joint"): {"female": 1},
        cell("gender_to_sex", "BRA", "ceo", regime="implicit"): {"female": 1},
        cell("gender_to_sex", "USA", "ceo", regime="implicit", format="character"): {"female": 1},
        cell("gender_to_sex", "USA", "pilot", regime="implicit"): {"female": 1},
        cell("religion", "USA", "ceo", regime="implicit"): {"Muslim": 1},
    }
    found = posterior(statistics_of({"a": cells}), PLANNED, draws=100)
    assert found.roles == ("ceo",)
    assert found.women.tolist() == [[3]]
    assert found.mapped.tolist() == [[30]]


def test_a_panel_without_such_cells_has_no_posterior() -> None:
    found = posterior(statistics_of({"a": {cell("religion", "USA"): {"Muslim": 1}}}), PLANNED)
    assert found.roles == ()
    assert np.isnan(found.overall).all()


def test_the_occupation_that_stands_for_a_role_is_a_choice() -> None:
    women = panel({"doctor": 30})
    # BLS 2025: other physicians 41.7% women, surgeons fewer: further from all women.
    other, surgeons = (
        posterior(women, PLANNED.replace(occ_doctor=name), draws=2000).by_role[0, 0, OCCUPATION, 0]
        for name in ("Other physicians", "Surgeons")
    )
    assert surgeons > other


def test_the_seed_decides_the_draws() -> None:
    women = panel({"ceo": 20})
    first, second, third = (
        posterior(women, PLANNED, draws=200, seed=seed).by_role for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, second)
    assert (first != third).any()
