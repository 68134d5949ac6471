"""Occupational shares: which row stands for which role, and that it has a share."""

from __future__ import annotations

import pytest

from core.studies.composition.choices import DECLARATION, occupation_shares
from core.studies.composition.occupations import CANDIDATES, planned_rows, women_shares
from tests.core import by_hand


def test_every_candidate_has_a_share_of_the_year() -> None:
    rows = {
        row["occupation"]: row for row in by_hand.read("occupational_bls") if row["year"] == "2025"
    }
    for names in CANDIDATES.values():
        assert len(set(names)) == len(names)
        for name in names:
            assert women_shares()[name] == pytest.approx(float(rows[name]["percent_women"]) / 100)
            assert 0 <= women_shares()[name] <= 1


def test_the_planned_row_comes_first_and_is_the_studys() -> None:
    reference = {row["role"]: row for row in by_hand.read("occupational_planned")}
    assert reference.keys() == CANDIDATES.keys() == planned_rows().keys()
    for role, names in CANDIDATES.items():
        assert names[0] == reference[role]["occupation"]
        assert planned_rows()[role] == (reference[role]["occupation"], reference[role]["basis"])
    printed = [role for role, (_, basis) in planned_rows().items() if basis == "printed"]
    assert printed == ["ceo"]
    # Sec. 1 prints 33.0% women among chief executives.
    assert women_shares()[CANDIDATES["ceo"][0]] == pytest.approx(0.33)


def test_shares_follow_the_chosen_rows() -> None:
    assert occupation_shares(DECLARATION.planned) == pytest.approx(by_hand.women())
    other = CANDIDATES["cleaner"][1]
    shares = occupation_shares(DECLARATION.planned.replace(occ_cleaner=other))
    changed = {role for role, share in shares.items() if share != by_hand.women()[role]}
    assert changed == {"cleaner"}
    assert shares["cleaner"] == women_shares()[other]
