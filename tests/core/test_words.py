"""Numbers and names as a reader sees them."""

from __future__ import annotations

import math
import re
import string

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.words import (
    JOINER,
    counted,
    listed,
    lowered,
    number,
    percent,
    plain,
    signed,
    span,
    visible,
    with_p_values,
)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.1234, 3, "0.123"),
        (0.1236, 3, "0.124"),
        (1.0, 3, "1.000"),
        (-0.5, 2, "−0.50"),
        (-0.0004, 3, "0.000"),
        (-0.0, 3, "0.000"),
        (0.0, 0, "0"),
        (-0.4, 0, "0"),
        (1234.5, 1, "1234.5"),
        (math.nan, 3, "–"),
        (math.inf, 1, "inf"),
        (-math.inf, 1, "−inf"),
    ],
)
def test_numbers(value: float, decimals: int, text: str) -> None:
    assert number(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (-0.0012, 2, "−0.001"),
        (0.006, 2, "0.01"),
        (0.00004, 2, "+0.00"),
        (-0.00004, 2, "−0.00"),
        (-1e-15, 2, "0.00"),
        (0.0, 2, "0.00"),
        (math.nan, 2, "–"),
    ],
)
def test_numbers_other_than_zero_are_visible(value: float, decimals: int, text: str) -> None:
    assert visible(value, decimals) == text


@given(st.floats(-2, 2), st.integers(0, 4))
def test_only_zero_looks_like_plain_zero(value: float, decimals: int) -> None:
    assert (visible(value, decimals).strip("0.") == "") == (abs(value) < 1e-12)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.25, "+0.250"),
        (-0.25, "−0.250"),
        (0.0, "0.000"),
        (0.0004, "0.000"),
        (-0.0004, "0.000"),
        (0.0006, "+0.001"),
        (10.0, "+10.000"),
        (100.0, "+100.000"),
        (math.nan, "–"),
    ],
)
def test_changes_carry_their_sign_unless_they_print_as_nothing(value: float, text: str) -> None:
    assert signed(value) == text


@given(value=st.floats(-1e6, 1e6), decimals=st.integers(0, 6))
def test_no_number_has_a_hyphen_or_a_negative_zero(value: float, decimals: int) -> None:
    for text in (number(value, decimals), signed(value, decimals), percent(value, decimals)):
        assert "-" not in text
        assert not (text.startswith("−") and text.strip("−0.%") == "")
    back = float(number(value, decimals).replace("−", "-"))
    assert back == pytest.approx(value, abs=0.5000001 * 10**-decimals)


@pytest.mark.parametrize(
    ("share", "decimals", "text"),
    [
        (0.4975, 1, "49.8%"),
        (0.5, 0, "50%"),
        (-0.001, 0, "0%"),
        (1.0, 0, "100%"),
        (math.nan, 0, "–"),
    ],
)
def test_percentages(share: float, decimals: int, text: str) -> None:
    assert percent(share, decimals) == text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([0.5], "0.50"),
        ([0.501, 0.499], "0.50"),
        ([0.2, 0.1, 0.3], "0.10 to 0.30"),
        ([-0.2, 0.1], "−0.20 to 0.10"),
        ([-0.001, 0.001], "0.00"),
    ],
)
def test_spans_are_one_number_where_both_ends_print_alike(values: list[float], text: str) -> None:
    assert span(values) == text


@pytest.mark.parametrize(
    ("names", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_names_are_listed_as_in_a_sentence(names: list[str], text: str) -> None:
    assert listed(names) == text


def test_counts_come_with_their_noun() -> None:
    assert counted(1, "cell") == "1 cell"
    assert counted(0, "cell") == "0 cells"
    assert counted(1_234_567, "cell") == "1,234,567 cells"
    assert counted(2, "category", "categories") == "2 categories"


MARKUP = r"\`*_{}[]<>()#+-.!|$~:&"


def test_every_sign_of_markup_is_escaped() -> None:
    for sign in MARKUP:
        assert plain(f"a{sign}b") == f"a\\{sign}b", sign
    # Only punctuation can be escaped this way; anything else would keep the backslash.
    assert set(MARKUP) <= set(string.punctuation)


@given(text=st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs"))))
def test_escaping_loses_nothing(text: str) -> None:
    escaped = plain(text)
    back, at = [], 0
    while at < len(escaped):
        at += escaped[at] == "\\"
        back.append(escaped[at])
        at += 1
    assert "".join(back).replace(JOINER, "") == text.replace(JOINER, "")


def test_words_stay_as_they_are() -> None:
    assert plain("Größe 12 und 日本語") == "Größe 12 und 日本語"


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("https://example.com", "https:|//example.com"),
        ("HTTP://example.com", "HTTP:|//example.com"),
        ("see www.example.com", "see www|.example.com"),
        ("someone@example.com", "someone|@example.com"),
        (":material/home:", ":|material/home:"),
        (":streamlit:", ":|streamlit:"),
        ("a -> b", "a -|> b"),
        ("-- a <= b", "-|- a <|= b"),
    ],
)
def test_what_is_looked_for_after_escapes_are_gone_is_kept_apart(text: str, broken: str) -> None:
    # Links, icons and arrows are made from the finished text, so a backslash does not stop them.
    assert re.sub(r"\\(.)", r"\1", plain(text)) == broken.replace("|", JOINER)


@pytest.mark.parametrize("text", ["gpt-5.6", "12:30", "a->b", "a@", "wwwx", "http:x", "é — ü"])
def test_other_names_get_no_joiner(text: str) -> None:
    assert (JOINER in plain(text)) == ("@" in text)


@pytest.mark.parametrize(
    "hostile",
    ["<img src=x onerror=alert(1)>", "[a](javascript:x)", "$\\href{x}{y}$", ":red[x]", "&lt;"],
)
def test_hostile_text_has_no_bare_sign_left(hostile: str) -> None:
    escaped = plain(hostile)
    for at, sign in enumerate(escaped):
        if sign in MARKUP and sign != "\\":
            assert escaped[at - 1] == "\\"


def test_p_values_never_print_as_zero() -> None:
    table = pl.DataFrame({"p": [0.0, 0.0009, 0.001, 0.9112, None], "judge": list("abcde")})
    told = with_p_values(table)
    assert told["p"].to_list() == ["<0.001", "<0.001", "0.001", "0.911", None]
    assert told["judge"].to_list() == table["judge"].to_list()
    assert with_p_values(table.drop("p")).equals(table.drop("p"))


@pytest.mark.parametrize(
    ("label", "within"),
    [
        ("Adjustment for several tests", "adjustment for several tests"),
        ("What H3 means", "what H3 means"),
        ("H5", "H5"),
        ("Largest Cohen’s h that does not matter", "largest Cohen’s h that does not matter"),
        ("Jev’s twelve; GPT models apart", "Jev’s twelve; GPT models apart"),
        ("Race/ethnicity", "race/ethnicity"),
        ("", ""),
    ],
)
def test_a_label_within_a_sentence_keeps_its_names(label: str, within: str) -> None:
    assert lowered(label) == within
