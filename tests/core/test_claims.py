"""Claims: one list and one way to have them judged, in every study."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from core import claims
from core.reference import table
from core.studies.about import STUDIES
from core.studies.clauses.choices import INTERVAL_ALONE
from core.studies.remedies.claims import NOT_THERE
from core.studies.remedies.reduce import reduce_remedies
from core.studies.remedies.rules import ONE_ORDER
from core.verdicts import Verdict
from tests.core import judged_panels
from tests.core.remedy_panels import FIVE, JEV, MINI, keys, labels, shares

NAMES = [study.name for study in STUDIES]


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_is_judged_once_and_in_order(name: str) -> None:
    own, statistics = claims.of(name), judged_panels.statistics(name)
    listed = own.claims(statistics)
    judged = own.judge(statistics, own.declaration.planned)
    assert judged["claim"].to_list() == [claim.key for claim in listed]
    assert judged.schema == claims.JUDGED
    assert len({claim.key for claim in listed}) == len(listed)
    assert own.main(statistics) in own.everything(statistics)
    assert set(judged["verdict"]) <= {verdict.value for verdict in Verdict}
    # A verdict has a number and no reason; without one there is a reason and no verdict.
    none = judged["verdict"] == Verdict.CANNOT_COMPUTE.value
    assert ((judged["reason"] != "") == none).all()
    assert (judged["estimate"].is_not_null() | none).all()
    units = pl.Series([claim.unit for claim in listed])
    assert ((judged["unit"] == units) | none).all()


@pytest.mark.parametrize("name", NAMES)
def test_titles_and_sentences_tell_claims_apart(name: str) -> None:
    listed = claims.of(name).everything(judged_panels.statistics(name))
    assert len({claim.key for claim in listed}) == len(listed)
    assert len({claim.title for claim in listed}) == len(listed)
    assert len({claim.sentence for claim in listed}) == len(listed)


def test_there_are_no_claims_of_an_unknown_study() -> None:
    with pytest.raises(KeyError, match="no study 'os'"):
        claims.of("os")


def test_clause_verdicts_are_those_that_the_document_states() -> None:
    own, found = claims.of("clauses"), judged_panels.ensemble("clauses")
    gated = own.standing(found, own.declaration.planned)
    alone = own.standing(found, own.declaration.planned.replace(gate=INTERVAL_ALONE))
    printed = table("clauses", "verdicts")
    key = pl.concat_str("run", "model", "hypothesis", separator=".").alias("claim")
    for column, judged in (("supported_gated", gated), ("supported_ungated", alone)):
        said = printed.select(key, pl.col(column).alias("said"))
        both = judged.join(said, on="claim", how="inner", validate="1:1")
        assert both.height == 40
        stated = both.filter(pl.col("said").is_not_null())
        assert (stated["holds"] == (stated["said"] == "yes")).all()
        assert stated["certain"].all()
        left_open = both.filter(pl.col("said").is_null())
        assert left_open["is_open"].all()
        assert not left_open["certain"].any()


def test_filenames_claims_belong_to_their_study() -> None:
    own, statistics = claims.of("filenames"), judged_panels.statistics("filenames")
    planned = own.declaration.planned
    for claim in own.claims(statistics):
        assert claim.within(planned)["study"] == claim.key[0]


def test_a_printed_score_settles_the_composition_verdict() -> None:
    own, found = claims.of("composition"), judged_panels.ensemble("composition")
    judged = own.standing(found, own.declaration.planned)
    whole = judged.filter(pl.col("claim").str.starts_with("composite"))
    assert (whole["verdict"] == "outside").all()
    assert (whole["basis"] == "pinned").all()
    assert (whole["count"] == 5).all()
    # At the printed value itself rounding could hide on which side the score lies.
    alone = own.ensemble(found.statistics[:1], documented=True, pins=found.pins)
    at_value = own.declaration.planned.replace(tau=0.561)
    assert own.standing(alone, own.declaration.planned)["certain"][0]
    assert not own.standing(alone, at_value)["certain"][0]


def test_a_sample_without_a_decider_says_so() -> None:
    rng = np.random.default_rng(5)
    texts = keys(12, MINI)
    more = keys(12, MINI, panel="exploratory", first=50)
    answers = rng.integers(0, 34, (12 * 36, 2))
    hundredths = np.column_stack([100 - answers.sum(axis=1), answers])
    rows = pl.concat(
        [
            labels(texts, MINI, rng.integers(0, 3, 12 * 36)),
            shares(texts, JEV, hundredths),
            labels(more, MINI, rng.integers(0, 3, 12 * 36)),
        ]
    )
    statistics = reduce_remedies(rows)
    own = claims.of("remedies")
    judged = own.judge(statistics, own.declaration.planned.replace(sample="exploratory"))
    jev = judged.filter(pl.col("claim").str.starts_with(JEV))
    assert jev.height == 2 * 3 + 3 * 3
    assert set(jev["reason"]) == {NOT_THERE}
    assert set(jev["verdict"]) == {Verdict.CANNOT_COMPUTE.value}
    assert not judged["claim"].str.starts_with(FIVE).any()


@pytest.mark.parametrize("rule", ["mean6", "majority6"])
def test_rules_over_six_orders_say_why_pooled_samples_have_none(rule: str) -> None:
    # The exploratory complaints were asked in one order only.
    own, statistics = claims.of("remedies"), judged_panels.statistics("remedies")
    pooled = own.declaration.planned.replace(sample="pooled", rule=rule)
    judged = own.judge(statistics, pooled).filter(pl.col("claim").str.ends_with("gap"))
    jev = judged.filter(pl.col("claim").str.starts_with(JEV))
    assert set(jev["verdict"]) == {Verdict.CANNOT_COMPUTE.value}
    assert set(jev["reason"]) == {ONE_ORDER}
    others = judged.filter(~pl.col("claim").str.starts_with(JEV))
    assert (others["verdict"] != Verdict.CANNOT_COMPUTE.value).all()


def test_own_rows_are_certain_of_themselves() -> None:
    own, statistics = claims.of("filenames"), judged_panels.statistics("filenames")
    found = own.ensemble([statistics], documented=False)
    assert own.standing(found, own.declaration.planned)["certain"].all()
    alone = own.ensemble([statistics], documented=True)
    judged = own.standing(alone, own.declaration.planned)
    assert not judged["certain"].any()


def test_a_gap_that_may_be_too_small_is_not_told_without_instability() -> None:
    study = claims.of("remedies")
    own = judged_panels.ensemble("remedies")
    planned = study.declaration.planned
    for claim in study.claims(own.statistics[0]):
        said = study.beside(own, planned, claim)
        assert ("individual instability" in said) == (claim.rule == "margin"), claim.key
    # Printed in Sec. 4.2: not all guises of a complaint get the same from GPT-4o-mini.
    gap = study.find(own.statistics[0], "gpt-4o-mini~gpt-4o-mini~college_minus_high_school~gap")
    assert gap is not None
    assert "in 14.6% of complaints" in study.beside(own, planned, gap)
