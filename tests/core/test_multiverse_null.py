"""Data without effects: what a permutation keeps, and what it takes out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core import claims
from core.multiverse import hinges
from core.multiverse.null import calibrate, flipped_moments, signs
from core.multiverse.outcomes import decode
from core.multiverse.specs import full
from core.studies.clauses.estimate import contrasts
from core.studies.filenames.null import permuted_marks
from tests.core import judged_panels


def test_moments_of_flipped_values_against_numpy() -> None:
    stream = np.random.default_rng(3)
    values = stream.normal(0.4, 1.0, (3, 11))
    values[1, 4] = np.nan
    flips = signs(5, (11,), seed=1)
    assert (flips[0] == 1).all()
    mean, spread, n = flipped_moments(flips, values)
    for p in range(6):
        for k in range(3):
            own = (flips[p] * values[k])[~np.isnan(values[k])]
            assert mean[p, k] == pytest.approx(own.mean())
            assert spread[p, k] == pytest.approx(own.std(ddof=1))
            assert n[k] == own.size


CASES = {
    "clauses": ("v3.gpt-5.1.H2", ("gate", "alpha")),
    "filenames": ("2.gpt-6.1-sol.H6", ("genres", "gate", "alpha")),
    "remedies": ("jev-1.13.0~gpt-4o-mini~old_minus_young~argmax", ("order", "gate", "alpha")),
}


@pytest.mark.parametrize("name", CASES)
def test_without_effects_claims_are_seldom_supported(name: str) -> None:
    key, axes = CASES[name]
    study, statistics = claims.of(name), judged_panels.statistics(name)
    claim = study.find(statistics, key)
    assert claim is not None
    found = hinges.axes_of(study, claim, keys=axes)
    specs = full(study.declaration.planned, found)
    codes = study.null_verdicts(statistics, specs, claim, permutations=100, seed=4)
    assert codes.shape == (101, len(specs))
    words = decode(codes)
    planned = specs.planned_row
    # A two-sided test at five percent, adjusted: a hundred permutations reject a handful at most.
    false = np.isin(words[1:, planned], ["supported", "opposite"]).sum()
    assert false <= 12
    again = study.null_verdicts(statistics, specs, claim, permutations=100, seed=4)
    assert (codes == again).all()


def test_the_first_row_is_the_data_under_a_plain_t_test() -> None:
    study, statistics = claims.of("clauses"), judged_panels.statistics("clauses")
    claim = study.find(statistics, "v3.gpt-5.1.H1")
    assert claim is not None
    axes = hinges.axes_of(study, claim, keys=("gate",))
    specs = full(study.declaration.planned.replace(gate="interval"), axes[:0])
    words = decode(study.null_verdicts(statistics, specs, claim, permutations=3, seed=1))
    values = contrasts(statistics, study.declaration.planned).values[0, 1, 0, 0]
    own = values[~np.isnan(values)]
    low, high = stats.t.interval(0.95, own.size - 1, own.mean(), stats.sem(own))
    expected = "supported" if low > 0 else "opposite" if high < 0 else "not supported"
    assert words[0, 0] == expected


def test_marks_are_dealt_out_anew_within_a_text() -> None:
    study, statistics = claims.of("filenames"), judged_panels.statistics("filenames")
    whole = statistics.in_study("1")
    mean, squares = permuted_marks(whole, 4, 9)
    assert mean[0] == pytest.approx(whole.mean)
    assert squares[0] == pytest.approx(whole.squares)
    # A text keeps all of its marks: their sum and the sum of their squares stay.
    total = (whole.n * whole.mean).sum(axis=-1)
    power = (whole.squares + whole.n * whole.mean**2).sum(axis=-1)
    for p in range(1, 5):
        assert (whole.n * mean[p]).sum(axis=-1) == pytest.approx(total)
        assert (squares[p] + whole.n * mean[p] ** 2).sum(axis=-1) == pytest.approx(power)
        assert not np.allclose(mean[p], whole.mean)
    claim = study.find(statistics, "1.claude-sonnet-5.5.H3")
    assert claim is not None
    specs = full(study.declaration.planned, hinges.axes_of(study, claim, keys=("gate",)))
    words = decode(study.null_verdicts(statistics, specs, claim, permutations=80, seed=2))
    judged = study.judge(statistics, study.declaration.planned)
    # Errors are analytic in the study too, so the first row is the study's own verdict.
    first = judged.filter(judged["claim"] == claim.key)["verdict"][0]
    assert words[0, specs.planned_row] == first
    assert (words[1:, specs.planned_row] != "not supported").sum() <= 10


def test_a_calibration_counts_flips_and_may_be_sampled() -> None:
    study, statistics = claims.of("clauses"), judged_panels.statistics("clauses")
    claim = study.find(statistics, "v3.gemini-3.1-pro-preview.H2")
    assert claim is not None
    specs = full(
        study.declaration.planned, hinges.axes_of(study, claim, keys=("gate", "tests", "alpha"))
    )
    found = calibrate(study, statistics, claim, specs, permutations=20, most=30)
    assert found.specifications == 30
    assert found.null.shape == (20,)
    assert ((found.null >= 0) & (found.null <= 1)).all()
    assert found.at_least == (found.null >= found.observed).sum()
    whole = calibrate(study, statistics, claim, specs, permutations=1)
    codes = study.null_verdicts(statistics, specs, claim, permutations=1, seed=20261130)
    own = codes[0]
    assert whole.specifications == len(specs)
    assert whole.observed == pytest.approx((own != own[specs.planned_row]).mean())


def test_claims_of_equivalence_are_not_calibrated() -> None:
    study, statistics = claims.of("clauses"), judged_panels.statistics("clauses")
    for claim in study.claims(statistics):
        assert study.can_calibrate(claim) == (not claim.key.endswith("H4"))
    composition = claims.of("composition")
    listed = composition.claims(judged_panels.statistics("composition"))
    assert not any(composition.can_calibrate(claim) for claim in listed)
