from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import comparators
from core.stats.divergence import jensen_shannon
from core.studies.composition.corrective import (
    LARGEST_NUMBER,
    LONGEST_TEXT,
    read_shares,
    read_weights,
    share_rows,
    weight_rows,
    write_table,
)
from core.studies.composition.sources import declared_categories, resident_shares
from tests.core.cell_rows import cell, statistics_of

USA = ("religion", "USA")
STATISTICS = statistics_of(
    {
        "a": {
            cell("religion", "USA"): {"Muslim": 30},
            cell("religion", "BRA"): {"Muslim": 30},
            cell("religion", "CHN"): {"Muslim": 30},
            cell("religion", "USA", "nurse"): {"Muslim": 30},
        }
    }
)
WHERE = list(STATISTICS.cells.select("context", "role").iter_rows())


def test_a_group_of_a_tenth_reaches_three_tenths_with_the_derived_weight() -> None:
    # (.3 / .7) / (.1 / .9) = 27 / 7 = 3.857, whatever the other categories are.
    resident = np.array([[0.1, 0.6, 0.3]])
    corrected = comparators.corrective(resident, np.array([[27 / 7, 1, 1]]))
    assert corrected[0] == pytest.approx([0.3, 0.7 * 2 / 3, 0.7 / 3])


def test_equal_weights_leave_the_residents_whatever_their_size() -> None:
    resident = np.array([[0.1, 0.6, 0.3], [np.nan] * 3])
    corrected = comparators.corrective(resident, np.full((2, 3), 8.0))
    np.testing.assert_allclose(corrected, resident)


def test_weights_that_leave_nothing_give_no_comparator() -> None:
    corrected = comparators.corrective(np.array([[0.5, 0.5]]), np.zeros((1, 2)))
    assert np.isnan(corrected).all()


def test_custom_shares_replace_the_residents_where_they_are_typed() -> None:
    resident = np.array([[0.1, 0.9], [0.2, 0.8]])
    shares = np.array([[1.0, 0.0], [np.nan, np.nan]])
    assert comparators.custom(resident, shares).tolist() == [[1, 0], [0.2, 0.8]]


def test_a_zero_share_is_a_share_like_others() -> None:
    rows = share_rows(STATISTICS, read_shares("USA~religion~Christian:100"))
    assert rows[0].tolist() == [1, 0, 0, 0, 0, 0, 0, *[0] * (rows.shape[1] - 7)]
    muslim = np.eye(rows.shape[1])[1]
    assert jensen_shannon(muslim, rows[0]) == 1
    assert jensen_shannon(rows[0], rows[0]) == 0


def test_rows_of_weights() -> None:
    table = read_weights("USA~religion~Muslim:3.5,Jewish:0")
    assert table == {USA: {"Muslim": 3.5, "Jewish": 0.0}}
    rows = dict(zip(WHERE, weight_rows(STATISTICS, table), strict=True))
    assert rows["USA", "ceo"][:7].tolist() == [1, 3.5, 1, 1, 0, 1, 1]
    assert rows["USA", "nurse"].tolist() == rows["USA", "ceo"].tolist()
    assert (rows["BRA", "ceo"] == 1).all()
    # Weighted residents, by hand.
    resident = resident_shares()[USA]
    weighted = resident * rows["USA", "ceo"][:7]
    corrected = comparators.corrective(STATISTICS.resident(2e-5), weight_rows(STATISTICS, table))
    corrected_rows = dict(zip(WHERE, corrected, strict=True))
    assert corrected_rows["USA", "ceo"][:7] == pytest.approx(weighted / weighted.sum())
    assert np.isnan(corrected_rows["CHN", "ceo"]).all()


def test_rows_of_shares() -> None:
    rows = share_rows(STATISTICS, read_shares("USA~religion~Christian:62.5,Unaffiliated:37.5"))
    by_cell = dict(zip(WHERE, rows, strict=True))
    assert by_cell["USA", "ceo"][:7].tolist() == [0.625, 0, 0, 0, 0, 0, 0.375]
    assert by_cell["USA", "ceo"].sum() == 1
    assert np.isnan(by_cell["BRA", "ceo"]).all()


def test_shares_that_miss_one_hundred_by_rounding_are_rescaled() -> None:
    rows = share_rows(STATISTICS, read_shares("USA~religion~Christian:33.33333,Muslim:66.66665"))
    assert rows[0].sum() == pytest.approx(1, abs=1e-15)


def test_the_text_leaves_out_what_changes_nothing_and_keeps_the_sources_order() -> None:
    weights = read_weights("USA~religion~Muslim:2.50,Christian:1;BRA~religion~Muslim:1")
    assert write_table(weights) == "USA~religion~Muslim:2.5"
    shares = read_shares("USA~religion~Muslim:40,Hindu:0,Christian:60.0")
    assert write_table(shares) == "USA~religion~Christian:60,Muslim:40"
    assert read_weights("") == {}
    assert write_table({}) == ""


def test_signs_of_the_format_inside_a_name_are_escaped() -> None:
    name = "White alone, not Hispanic or Latino"
    text = write_table({("race_ethnicity", "USA"): {name: 2.0}})
    assert text == "USA~race_ethnicity~White alone%2C not Hispanic or Latino:2"
    assert read_weights(text) == {("race_ethnicity", "USA"): {name: 2.0}}


PAIRS = sorted(declared_categories())
NUMBERS = st.floats(0, LARGEST_NUMBER, allow_nan=False).filter(lambda number: number != 1)


@st.composite
def tables(draw: st.DrawFn) -> dict[tuple[str, str], dict[str, float]]:
    chosen = draw(st.sets(st.sampled_from(PAIRS), max_size=4))
    table = {}
    for pair in chosen:
        names = draw(st.sets(st.sampled_from(declared_categories()[pair]), min_size=1))
        table[pair] = {name: draw(NUMBERS) for name in names}
        if not any(table[pair].values()):
            table[pair][min(names)] = 2.0
    return table


@given(table=tables())
def test_weights_survive_a_link(table: dict[tuple[str, str], dict[str, float]]) -> None:
    text = write_table(table)
    assert read_weights(text) == table
    assert write_table(read_weights(text)) == text


def test_a_table_of_everything_fits_in_a_text() -> None:
    everything = {
        pair: dict.fromkeys(names, 1 / 3) for pair, names in declared_categories().items()
    }
    text = write_table(everything)
    assert len(text) < LONGEST_TEXT
    assert read_weights(text) == everything


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("USA~religion", "must read context~attribute~category:number"),
        ("USA~religion~Muslim:2~3", "must read context~attribute~category:number"),
        ("USA~religion~Jedi:2", "'Jedi' is no category of religion in USA; it must be one of"),
        ("USA~religion~", "'' is no category"),
        ("CHN~religion~Muslim:2", "no source is declared for religion in CHN"),
        ("USA~religion~Muslim:2;USA~religion~Hindu:2", "religion in USA must be there once"),
        ("USA~religion~Muslim:2,Muslim:3", "'Muslim' of religion in USA must be there once"),
        ("USA~religion~Muslim", "must be a number from 0 to 1,000,000, not ''"),
        ("USA~religion~Muslim:many", "must be a number from 0 to 1,000,000, not 'many'"),
        ("USA~religion~Muslim:-1", "weight of 'Muslim', religion in USA, must be a number"),
        ("USA~religion~Muslim:nan", "not 'nan'"),
        ("USA~religion~Muslim:inf", "not 'inf'"),
        ("USA~gender_to_sex~female:0,male:0", "weights of gender_to_sex in USA must not all be 0"),
        ("x" * (LONGEST_TEXT + 1), "20,000 characters long, not 20,001"),
    ],
)
def test_texts_that_are_no_weights(text: str, said: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the message is compared below
        read_weights(text)
    assert said in str(raised.value)
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize("total", ["99.9", "100.0002", "0"])
def test_shares_must_sum_to_one_hundred(total: str) -> None:
    with pytest.raises(ValueError, match=f"must sum to 100 percent, not {total}"):
        read_shares(f"USA~religion~Muslim:{total}")
