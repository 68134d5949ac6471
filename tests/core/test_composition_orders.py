"""Orders of models: the same as the bootstrap one by one, and as the study reports them."""

from __future__ import annotations

import numpy as np
import pytest

from core import claims
from core.choices import Choices
from core.multiverse import hinges
from core.multiverse.axes import axes
from core.multiverse.outcomes import decode
from core.multiverse.specs import Specs
from core.reference import table
from core.stats.divergence import MEASURES
from core.stats.resampling import order_kept, percentile_interval
from core.studies.composition import claims as composition
from core.studies.composition import drawn
from core.studies.composition.claims import models_of, order_of
from core.studies.composition.estimate import analyse
from core.studies.composition.uncertainty import bootstrap, resample
from core.verdicts import Verdict
from tests.core import judged_panels

STUDY = claims.of("composition")
PLANNED = STUDY.declaration.planned.replace(draws="500")
KEYS = ("comparator", "lambda", "alpha", "measure", "weighting", "portfolio", "gate", "modules")


@pytest.fixture(scope="module")
def some() -> Specs:
    """A few specifications of every kind, drawn alike."""
    found = axes(STUDY.declaration, KEYS, STUDY.values)
    stream = np.random.default_rng(3)
    index = np.stack([stream.integers(0, len(axis.levels), 6) for axis in found], axis=1)
    return Specs(PLANNED, found, index, 0)


def test_many_at_once_is_the_bootstrap_one_by_one(some: Specs) -> None:
    statistics = judged_panels.statistics("composition")
    orders = STUDY.orders(statistics)
    scores = STUDY.claims(statistics)[: len(statistics.models)]
    asked = [orders[0], orders[7], *scores]
    found = STUDY.judge_many(statistics, some, asked)
    STUDY.put_intervals(statistics, some, asked, found)
    kept = resample(statistics, "joint", draws=500)
    for row in range(len(some)):
        choices = some.choices(row)
        draws = bootstrap(statistics, choices, resampled=kept).chosen
        own = analyse(statistics, choices).chosen_composite
        for column, claim in enumerate(asked[:2]):
            one, other = (statistics.models.index(name) for name in models_of(claim))
            shares = order_kept(draws)
            told = decode(found.verdict[row, column])
            assert told == by_hand(own[one], own[other], shares[one, other], shares[other, one])
            assert found.estimate[row, column] == pytest.approx(own[other] - own[one], nan_ok=True)
            # The line leaves zero out exactly where 95% of the draws keep an order.
            assert (found.low[row, column] > 0) == (shares[one, other] >= 0.95)
            assert (found.high[row, column] < 0) == (shares[other, one] >= 0.95)
        ends = percentile_interval(draws, 0.95)
        for name, side in (("low", 0), ("high", 1)):
            got = getattr(found, name)[row, 2:]
            assert got == pytest.approx(ends[:, side], abs=1e-12, nan_ok=True)


def by_hand(one: float, other: float, kept: float, turned: float) -> str:
    if np.isnan(one) or np.isnan(other):
        return "cannot compute"
    if one < other and kept >= 0.95:
        return "nearer"
    return "farther" if other < one and turned >= 0.95 else "not separable"


def test_intervals_of_attributes_are_those_of_their_cells(some: Specs) -> None:
    statistics = judged_panels.statistics("composition")
    claim = STUDY.find(statistics, "religion.gpt-5.6")
    assert claim is not None
    specs = Specs(PLANNED, some.axes, some.index[:1], 0)
    found = STUDY.judge_many(statistics, specs, [claim])
    STUDY.put_intervals(statistics, specs, [claim], found)
    findings = analyse(statistics, specs.choices(0))
    measure = MEASURES[specs.choices(0).text("measure")]
    model = statistics.models.index("gpt-5.6")
    total = np.zeros(500)
    weights = drawn.Score(model, "religion").weights(findings.weights)
    for cell in resample(statistics, "joint", draws=500, models=(model,)).cells:
        shares = np.zeros((500, findings.comparator.shape[1]))
        shares[:, cell.columns] = cell.counts / cell.n
        if weights[cell.cell] > 0:
            total += weights[cell.cell] * measure(shares, findings.comparator[cell.cell])
    ends = percentile_interval(total, 0.95)
    assert [found.low[0, 0], found.high[0, 0]] == pytest.approx(ends.tolist())
    assert weights.sum() == pytest.approx(1)


def test_draws_of_one_model_are_those_of_all() -> None:
    statistics = judged_panels.statistics("composition")
    everyone = resample(statistics, "joint", draws=20)
    alone = resample(statistics, "joint", draws=20, models=(2,))
    theirs = [cell for cell in everyone.cells if cell.model == 2]
    assert [cell.cell for cell in alone.cells] == [cell.cell for cell in theirs]
    for one, other in zip(alone.cells, theirs, strict=True):
        assert (one.counts == other.counts).all()


def test_the_page_opens_with_the_order_that_the_study_reports_to_turn() -> None:
    reported = table("composition", "figures").filter(
        figure_id="composition.app_d8.order_change_lambda"
    )
    assert "Qwen passes Claude" in reported["note"][0]
    found = judged_panels.ensemble("composition")
    main = STUDY.main(found.statistics[0])
    assert main.sentence.startswith("Claude Sonnet 5 lies nearer the comparator than Qwen3.7-Max")
    # Every reconstruction asks the same of the same models in the same order.
    listed = [[claim.key for claim in STUDY.orders(own)] for own in found.statistics]
    assert all(keys == listed[0] for keys in listed)
    assert len(listed[0]) == 15
    singles = hinges.single_changes(STUDY, found, [main])
    equal = singles.filter(choice="comparator", value="Equal categories").row(0, named=True)
    assert (equal["before"], equal["after"]) == ("nearer", "farther")
    assert equal["told"]


def test_orders_of_many_models_are_those_of_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    statistics = judged_panels.statistics("composition")
    every = STUDY.orders(statistics)
    monkeypatch.setattr(composition, "ORDERED", 3)
    few = STUDY.orders(statistics)
    assert len(few) == 3
    assert [claim.key for claim in every if claim in few] == [claim.key for claim in few]
    nearest = {name for claim in few for name in models_of(claim)}
    beaten = {models_of(claim)[1] for claim in every if models_of(claim)[0] not in nearest}
    assert not nearest & beaten


def test_the_tolerance_moves_no_order() -> None:
    statistics = judged_panels.statistics("composition")
    main = STUDY.main(statistics)
    assert not STUDY.moves(STUDY.declaration["tau"], main)
    assert "tau" not in {axis.key for axis in hinges.axes_of(STUDY, main)}


def test_an_order_without_scores_says_why() -> None:
    statistics = judged_panels.statistics("composition")
    main = STUDY.main(statistics)
    occupational = PLANNED.replace(comparator="occupational")
    assert STUDY.why(statistics, occupational, main).startswith("Occupational shares are declared")
    assert STUDY.why(statistics, PLANNED, main) == ""
    specs = Specs(occupational, (), np.zeros((1, 0), dtype=np.int64), 1)
    found = STUDY.judge_many(statistics, specs, [main])
    assert decode(found.verdict[0, 0]) == Verdict.CANNOT_COMPUTE


def test_names_of_models_survive_in_keys() -> None:
    names = ("a:b", "50%3A")
    assert models_of(order_of(*names, "A", "B")) == names


@pytest.mark.parametrize("base", [PLANNED, PLANNED.replace(seed="20260723")])
def test_another_seed_draws_anew(base: Choices) -> None:
    statistics = judged_panels.statistics("composition")
    own = drawn.outputs(statistics, "joint", 1, 500, int(base.text("seed")))
    again = drawn.outputs(statistics, "joint", 1, 500, 20260722)
    assert (base is PLANNED) == (own is again)
