"""The smallest sets of changes: searched from the planned setting, whatever is looked at."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import polars as pl
import pytest

from core import claims
from core.multiverse import hinges, shown, smallest
from core.multiverse.axes import level_choices
from core.multiverse.hinges import axes_of
from core.stats.resampling import Cancelled
from core.verdicts import Verdict
from tests.core import judged_panels

STUDY = claims.of("composition")
TAU = (0.5, 0.55)
"""At .50 alone nothing flips, and .55 is below each planned composite but one."""


def test_the_search_is_a_plain_search() -> None:
    # Two panels are enough to agree or not.
    two = judged_panels.ensemble("composition").statistics[:2]
    found = STUDY.ensemble(two, documented=True)
    claim = STUDY.find(found.statistics[0], "composite.gpt-5.6")
    assert claim is not None
    values = {"tau": TAU}
    own = smallest.search(STUDY, found, claim, values=values)
    everything = axes_of(STUDY, claim, values=values)
    base = STUDY.declaration.planned
    by_hand: list[set[str]] = []
    tried = []
    for size in (1, 2, 3):
        sets = [
            [(axis, level) for axis, level in zip(some, levels, strict=True)]
            for some in combinations(everything, size)
            for levels in product(
                *([lv for i, lv in enumerate(a.levels) if i != a.planned] for a in some)
            )
        ]
        tried.append(len(sets))
        for one in sets:
            choices = level_choices(base, [level for _, level in one])
            judged = {
                STUDY.judge(panel, choices).filter(claim=claim.key)["verdict"][0]
                for panel in found.statistics
            }
            if judged == {Verdict.WITHIN.value}:
                by_hand.append({f"{axis.label}: {level.label}" for axis, level in one})
        if by_hand:
            break
    assert own.tried == own.there == tuple(tried)
    assert own.is_complete
    assert own.sets["told"].all()
    assert set(own.sets["changes"]) == {len(tried)}
    assert sorted(map(sorted, by_hand)) == sorted(sorted(c.split("; ")) for c in own.sets["change"])


def test_many_sets_are_sampled_and_that_is_said() -> None:
    found = judged_panels.ensemble("filenames")
    claim = STUDY_OF_LABELS.claims(found.statistics[0])[0]
    told = smallest.search(STUDY_OF_LABELS, found, claim, sizes=(2,), most=50)
    assert told.tried == (50,)
    assert told.there[0] > 50
    assert not told.is_complete
    again = smallest.search(STUDY_OF_LABELS, found, claim, sizes=(2,), most=50)
    assert again.sets.equals(told.sets)
    said = shown.smallest_sentence(NOTHING, 24, told)
    assert f"a sample of 50 of {told.there[0]:,} sets of 2" in said
    assert "all 24 single changes were tried" in said


STUDY_OF_LABELS = claims.of("filenames")
NOTHING = pl.DataFrame(
    schema={"changes": pl.Int64, "change": pl.String, "after": pl.String, "told": pl.Boolean}
)


def test_progress_counts_up_and_can_end_the_search() -> None:
    found = judged_panels.ensemble("filenames")
    claim = STUDY_OF_LABELS.claims(found.statistics[0])[0]
    seen: list[tuple[int, int]] = []

    def report(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        smallest.search(STUDY_OF_LABELS, found, claim, sizes=(3,), progress=report, most=900)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert len({total for _, total in seen}) == 1
    assert all(done <= total for done, total in seen)


def known(*rows: tuple[int, str, str, int, bool]) -> pl.DataFrame:
    columns = ["changes", "change", "after", "count", "told"]
    return pl.DataFrame(rows, schema=columns, orient="row").with_columns(
        size=pl.lit(5), turns=pl.lit(True), stands=pl.lit(False)
    )


def test_the_smallest_set_in_words() -> None:
    one = known((1, "Alpha: 0.1", "supported", 5, True), (2, "a; b", "supported", 5, True))
    assert shown.smallest_sentence(shown.smallest_known(one), 30, None) == (
        "One change is enough: “Alpha: 0.1” gives supported."
    )
    # A change that flips some reconstructions only is no answer.
    unsure = known((1, "Seed: 2", "supported", 2, False), (2, "a; b", "supported", 5, True))
    kept = shown.smallest_known(unsure)
    assert kept["change"].to_list() == ["a; b"]
    assert shown.smallest_sentence(kept, 30, None) == (
        "No single change surely flips it: all 30 single changes were tried. In the set looked at "
        "2 changes at once do: 1 such set. Others may lie outside it."
    )
    assert shown.smallest_left(kept) == ""
    many = known(*((2, f"a; {i}", "supported", 5, True) for i in range(11)))
    assert shown.smallest(many).height == shown.MOST_SHOWN
    assert shown.smallest_left(many) == "Shown are the first 8 of 11."
    assert np.isin(hinges.MOST_CHANGES, smallest.BEYOND_ONE)
