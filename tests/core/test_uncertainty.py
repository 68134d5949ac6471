from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import binom
from scipy.stats import bootstrap as scipy_bootstrap

from core.panels.read import read_panel
from core.paths import PANELS
from core.reference import table
from core.stats.resampling import Cancelled, order_kept, percentile_interval
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.reduce import CellStatistics, reduce_cells
from core.studies.composition.sources import resident_shares
from core.studies.composition.uncertainty import (
    bootstrap,
    calibration,
    perturbation,
    resample,
    tolerance_floor,
)
from tests.core.cell_rows import ROLES, cell, statistics_of

PLANNED = DECLARATION.planned
GENDER = PLANNED.replace(modules=("gender_to_sex",))
RELIGION = PLANNED.replace(modules=("religion",))
USA = cell("religion", "USA")
MIXED = {"Christian": 14, "Muslim": 5, "Jewish": 3, "Unaffiliated": 8}
FEMALE_SHARE = float(resident_shares()["gender_to_sex", "USA"][0])


def divergence(shares: list[float], target: np.ndarray) -> float:
    """Base-2 divergence by another library."""
    return float(np.nan_to_num(jensenshannon(shares, target, base=2))) ** 2


def gender_panel(*counts: tuple[int, int]) -> CellStatistics:
    """One model a pair of (female, male) counts, in one cell in the United States."""
    where = cell("gender_to_sex", "USA")
    return statistics_of(
        {f"model {i}": {where: {"female": f, "male": m}} for i, (f, m) in enumerate(counts)}
    )


# The bootstrap


def test_interval_of_one_cell_is_that_of_scipy() -> None:
    target = resident_shares()["religion", "USA"]
    labels = np.repeat([0, 1, 4, 6], list(MIXED.values()))

    def plug_in(sample: np.ndarray, axis: int = -1) -> np.ndarray:
        shares = np.stack([(sample == k).mean(axis=axis) for k in range(target.size)], axis=axis)
        return jensenshannon(shares, target, base=2, axis=axis) ** 2

    oracle = scipy_bootstrap(
        (labels,),
        plug_in,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    found = bootstrap(statistics_of({"a": {USA: MIXED}}), RELIGION, draws=20_000)
    # Each end is a percentile of 20,000 draws with spread .03: a standard error of .0006.
    assert found.interval()[0] == pytest.approx([oracle.low, oracle.high], abs=0.003)
    np.testing.assert_array_equal(found.cell_interval[0, 0], found.interval()[0])


def test_scores_are_averaged_in_the_hierarchy_within_each_draw() -> None:
    cells = {
        USA: MIXED,
        cell("religion", "USA", "nurse"): {"Christian": 20, "Hindu": 10},
        cell("religion", "BRA"): {"Christian": 28, "Unaffiliated": 2},
    }
    statistics = statistics_of({"a": cells})
    choices = RELIGION.replace(comparator="equal_category")
    resampled = resample(statistics, "joint", draws=5)
    found = bootstrap(statistics, choices, resampled=resampled)
    sources = [resident_shares()["religion", context] for context in ("USA", "USA", "BRA")]
    weights = {"USA": 1 / 4, "BRA": 1 / 2}
    composite, change = np.zeros(5), np.zeros(5)
    for drawn in resampled.cells:
        context = statistics.column("context")[drawn.cell]
        counts = np.zeros((5, 7))
        counts[:, drawn.columns] = drawn.counts
        for draw, row in enumerate(counts):
            planned = divergence(row / row.sum(), sources[0] if context == "USA" else sources[2])
            chosen = divergence(row / row.sum(), np.full(7, 1 / 7))
            composite[draw] += weights[context] * planned
            change[draw] += weights[context] * abs(chosen - planned)
    assert found.composite[:, 0] == pytest.approx(composite)
    assert found.mean_absolute_change[:, 0] == pytest.approx(change)
    assert composite.std() > 0


def test_resampling_keeps_the_total_and_the_categories_of_each_cell() -> None:
    statistics = statistics_of({"a": {USA: MIXED}, "b": {USA: {"Muslim": 21, "unspecified": 9}}})
    mixed, single = resample(statistics, "joint", draws=50).cells
    assert mixed.columns.tolist() == [0, 1, 4, 6]
    assert (mixed.counts.sum(axis=1) == 30).all()
    assert single.counts.tolist() == [[21]]


def test_a_cell_with_one_category_has_an_interval_of_no_width() -> None:
    target = resident_shares()["religion", "USA"]
    found = bootstrap(statistics_of({"a": {USA: {"Muslim": 30}}}), RELIGION, draws=20)
    expected = divergence([0, 1, 0, 0, 0, 0, 0], target)
    assert found.cell_interval[0, 0] == pytest.approx([expected, expected])
    assert found.composite[:, 0] == pytest.approx(np.full(20, expected))


def test_a_model_without_a_composite_has_no_draws() -> None:
    found = bootstrap(statistics_of({"a": {USA: MIXED}}), PLANNED, draws=10)
    assert np.isnan(found.composite).all()
    assert np.isnan(found.interval()).all()
    assert not np.isnan(found.cell_interval).any()


def test_kept_draws_give_what_new_ones_give_whatever_the_gate() -> None:
    few = {"Christian": 12, "Muslim": 10}
    cells = {USA: MIXED, cell("religion", "BRA"): {**few, "unspecified": 8}}
    statistics = statistics_of({"a": cells})
    kept = resample(statistics, "joint", draws=30, seed=4)
    for gate in (20, 25):
        choices = RELIGION.replace(gate=gate)
        new = bootstrap(statistics, choices, draws=30, seed=4)
        again = bootstrap(statistics, choices, resampled=kept)
        np.testing.assert_array_equal(again.composite, new.composite)
        np.testing.assert_array_equal(again.cell_interval, new.cell_interval)
    assert again.drawing.seed == 4
    with pytest.raises(ValueError, match="same panel and prompt regime"):
        bootstrap(statistics, RELIGION.replace(regime="implicit"), resampled=kept)


def test_models_with_other_names_get_other_streams() -> None:
    cells = {USA: MIXED}
    found = bootstrap(statistics_of({"a": cells, "b": cells}), RELIGION, draws=400)
    # The same counts, so either order comes up in about half of the draws that are no tie.
    kept = order_kept(found.composite)
    assert 0.4 < kept[0, 1] < 0.55
    assert 0.4 < kept[1, 0] < 0.55


def test_progress_is_told_and_can_end_the_work() -> None:
    statistics = statistics_of({"a": {USA: MIXED}, "b": {USA: MIXED}})
    told: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        told.append((done, total))

    def stop(done: int, total: int) -> None:
        raise Cancelled

    calls = {
        "bootstrap": lambda p: bootstrap(statistics, RELIGION, draws=5, progress=p),
        "calibration": lambda p: calibration(statistics, RELIGION, draws=5, progress=p),
        "perturbation": lambda p: perturbation(
            statistics, RELIGION, rate=0.1, mechanism="random", draws=5, progress=p
        ),
    }
    for call in calls.values():
        told.clear()
        call(note)
        assert told == [(1, 2), (2, 2)]
        with pytest.raises(Cancelled):
            call(stop)
    told.clear()
    tolerance_floor(statistics, RELIGION, draws=5, progress=note)
    assert told == [(1, 1)], "both cells have the same target and number of outputs"


# Exact alignment


@cache
def study_shaped_panel(race_outputs: int = 30) -> CellStatistics:
    """One model with 30 outputs in each of the 228 cells that the study kept (Table 13)."""
    cells = {}
    kept = table("composition", "portfolio").select("attribute", "context", "retained")
    for attribute, context, retained in kept.iter_rows():
        category = table("composition", "targets").filter(
            (pl.col("attribute") == attribute) & (pl.col("context") == context)
        )["category"][0]
        places = [(role, form) for form in ("story", "character") for role in ROLES]
        n = race_outputs if attribute == "race_ethnicity" else 30
        for role, form in places[: int(retained)]:
            cells[cell(attribute, context, role, format=form)] = {category: n}
    return statistics_of({"a": cells})


def test_exact_alignment_with_thirty_outputs_gives_the_row_of_qwen() -> None:
    drawn = calibration(study_shaped_panel(), PLANNED)
    printed = printed_row("composition.table16.reference_median.qwen3.7-max")
    assert drawn.shape == (20_000, 1)
    assert np.median(drawn) == pytest.approx(printed["value"], abs=0.0005)
    assert percentile_interval(drawn, 0.99)[0] == pytest.approx(
        [printed["lower"], printed["upper"]], abs=0.0006
    )


def test_fewer_outputs_leave_an_aligned_model_further_off() -> None:
    # Feasibility notes of the reconstruction: 26 outputs in each race cell give .0286.
    drawn = calibration(study_shaped_panel(26), PLANNED, draws=4000)
    assert np.median(drawn) == pytest.approx(0.0286, abs=0.0002)
    assert percentile_interval(drawn, 0.99)[0] == pytest.approx([0.0249, 0.0330], abs=0.0004)


def test_alignment_is_with_the_comparator_asked_for() -> None:
    equal = PLANNED.replace(comparator="equal_category")
    planned = calibration(study_shaped_panel(), PLANNED, draws=50)
    against = calibration(study_shaped_panel(), equal, against="planned", draws=50)
    chosen = calibration(study_shaped_panel(), equal, draws=50)
    np.testing.assert_array_equal(against, planned)
    # With equal categories there are no rare ones, which an aligned sample misses at little cost.
    assert np.median(chosen) > planned.max()


def exact_binomial_quantile(n: int, level: float) -> float:
    """Quantile of the divergence of a sample of n from the gender target, by enumeration."""
    target = np.array([FEMALE_SHARE, 1 - FEMALE_SHARE])
    values = np.array([divergence([k / n, 1 - k / n], target) for k in range(n + 1)])
    order = np.argsort(values)
    reached = np.cumsum(binom.pmf(np.arange(n + 1), n, FEMALE_SHARE)[order])
    return float(values[order][np.searchsorted(reached, level)])


@pytest.mark.parametrize("level", [0.9, 0.995])
def test_the_floor_of_a_gender_cell_is_the_exact_quantile(level: float) -> None:
    statistics = gender_panel((30, 0), (15, 15), (20, 4))
    floor = tolerance_floor(statistics, GENDER, level=level)
    exact = [exact_binomial_quantile(n, level) for n in (30, 30, 24)]
    # The divergence is discrete and the level lies between two of its values.
    assert floor[:, 0] == pytest.approx(exact, rel=1e-9)


def test_no_floor_where_there_is_no_composition_or_no_comparator() -> None:
    cells = {
        USA: {"Christian": 30},
        cell("religion", "CHN"): {"Christian": 30},
        cell("religion", "BRA"): {"unspecified": 30},
    }
    statistics = statistics_of({"a": cells})
    floor = tolerance_floor(statistics, RELIGION, draws=50)
    there = dict(zip(statistics.column("context"), ~np.isnan(floor[0]), strict=True))
    assert there == {"USA": True, "CHN": False, "BRA": False}


def test_occupational_floors_differ_between_roles() -> None:
    cells = {cell("gender_to_sex", "USA", role): {"female": 30} for role in ("ceo", "nurse")}
    choices = GENDER.replace(comparator="occupational")
    floor = tolerance_floor(statistics_of({"a": cells}), choices, draws=2000)
    assert floor[0, 0] != floor[0, 1]


# Wrong labels


def test_no_wrong_labels_change_nothing() -> None:
    statistics = study_shaped_panel()
    choices = PLANNED.replace(comparator="equal_category")
    findings = analyse(statistics, choices)
    for mechanism in ("random", "adversarial"):
        found = perturbation(statistics, choices, rate=0, mechanism=mechanism, draws=2)
        assert found.composite == pytest.approx(findings.planned_composite)
        assert found.chosen == pytest.approx(findings.chosen_composite)
        assert found.mean_absolute_change == pytest.approx(findings.mean_absolute_change)


def test_with_two_categories_a_wrong_label_is_the_other_one() -> None:
    found = perturbation(gender_panel((24, 6)), GENDER, rate=1, mechanism="random", draws=3)
    expected = divergence([0.2, 0.8], np.array([FEMALE_SHARE, 1 - FEMALE_SHARE]))
    assert found.composite == pytest.approx([expected])


def test_an_adversary_moves_every_wrong_label_to_the_rarest_category() -> None:
    target = resident_shares()["religion", "USA"]
    rarest = np.eye(7)[target.argmin()].tolist()
    statistics = statistics_of({"a": {USA: MIXED}})
    found = perturbation(statistics, RELIGION, rate=1, mechanism="adversarial", draws=3)
    assert found.composite == pytest.approx([divergence(rarest, target)])


def test_random_errors_move_labels_evenly() -> None:
    # All 30 labels of one category wrong: the other six get 30/6 each on average, and a large
    # sample comes near the divergence of exactly even shares.
    target = resident_shares()["religion", "USA"]
    statistics = statistics_of({"a": {USA: {"Christian": 60_000}}})
    found = perturbation(statistics, RELIGION, rate=1, mechanism="random", draws=3)
    assert found.composite == pytest.approx([divergence([0, *[1 / 6] * 6], target)], abs=0.001)


def test_impossible_perturbations_are_refused() -> None:
    statistics = gender_panel((24, 6))
    with pytest.raises(ValueError, match="rate must lie between 0 and 1"):
        perturbation(statistics, GENDER, rate=5, mechanism="random")
    with pytest.raises(ValueError, match="mechanism must be one of"):
        perturbation(statistics, GENDER, rate=0.05, mechanism="evil")  # type: ignore[arg-type]


# A printed table, from the shipped panel


def printed_row(figure_id: str) -> dict[str, float]:
    rows = table("composition", "figures").filter(pl.col("figure_id") == figure_id)
    return {name: float(rows[name][0]) for name in ("value", "lower", "upper")}


def test_table_16_from_the_shipped_panel() -> None:
    panel = read_panel(PANELS / "composition" / "cells-reconstructed-1.parquet")
    statistics = reduce_cells(panel.frame)
    drawn = calibration(statistics, PLANNED, draws=5000)
    for model, draws in zip(statistics.models, drawn.T, strict=True):
        printed = printed_row(f"composition.table16.reference_median.{model}")
        # Half a printed unit, and what the rebuilt numbers of outputs may add.
        assert np.median(draws) == pytest.approx(printed["value"], abs=0.0005 + 0.0005)
        ends = [printed["lower"], printed["upper"]]
        assert percentile_interval(draws, 0.99) == pytest.approx(ends, abs=0.0005 + 0.0006)
