"""The local fact check: the kinds that a rewrite changes, keeps, or leaves undecided."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.live.facts.check import check_facts

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "rewrites.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_given_cases(case: dict[str, object]) -> None:
    found = check_facts(str(case["original"]), str(case["rewrite"]))
    assert list(found.changed) == case["facts_changed"]
    assert found.undecided == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("They took 3 fees of $35.", "They took three $35 fees."),
        ("I paid $1.5 million.", "I paid 1,500,000 dollars."),
        ("I lost $2k.", "I lost two thousand dollars."),
        ("I lost two hundred and five dollars.", "I lost $205.00."),
        ("A fee of fifty cents.", "A $0.50 fee."),
        ("I waited 30 days.", "I waited thirty days."),
        ("They called a dozen times.", "They called twelve times."),
        ("They called twice.", "They called two times."),
        ("£20 was taken.", "They took 20 pounds."),
        ("A rate of five percent.", "A rate of 5%."),
        ("A rate of 4.90%.", "A rate of 4.9 per cent."),
        ("On 13/05/2024 I called.", "On 13 May 2024 I called."),
        ("On 2024-05-13 I called.", "On May 13th, 2024 I called."),
        ("On Monday at 3 pm.", "At 15:00 on Monday."),
        ("It isn’t right.", "It is not right."),
        ("I could not reach them.", "I couldn't reach anyone there."),
        ("My card ending XXXX was blocked.", "My card was blocked."),
        ("One of them called.", "Somebody there called."),
        ("", ""),
    ],
)
def test_the_same_fact_in_another_form(one: str, other: str) -> None:
    for original, rewrite in ((one, other), (other, one)):
        found = check_facts(original, rewrite)
        assert (found.changed, found.undecided) == ((), ())
        assert "No change" in found.sentence()


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("I paid $20.", "I paid £20.", ("amount",)),
        ("I paid $20.", "I paid $20.50.", ("amount",)),
        ("A rate of 5%.", "A rate of 6%.", ("amount",)),
        ("They called once.", "They called twice.", ("amount",)),
        ("I paid $20 on Monday.", "I paid $20 on Tuesday.", ("date_time",)),
        ("At 3 pm.", "At 3 am.", ("date_time",)),
        ("In March 2024.", "In April 2024.", ("date_time",)),
        ("On March 3.", "On March 4.", ("date_time",)),
        ("On 3 March 2024.", "On 3 March.", ("date_time",)),
        ("They sent it.", "They never sent it.", ("negation",)),
        ("I paid $5 in 2019.", "I did not pay $6 in 2018.", ("amount", "date_time", "negation")),
    ],
)
def test_changed_facts(one: str, other: str, kinds: tuple[str, ...]) -> None:
    for original, rewrite in ((one, other), (other, one)):
        assert check_facts(original, rewrite).changed == kinds


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        # The fifth of April to some, the fourth of May to others.
        ("On 04/05/2024 I called.", "On April 5, 2024 I called.", "date_time"),
        ("I did not authorize it.", "It was unauthorized.", "negation"),
        ("I did not sign, and they sent it.", "I signed, and they did not send it.", "negation"),
        ("They took $35, and later $35.", "They took $35.", "amount"),
        ("He paid 20.", "He paid $20.", "amount"),
    ],
)
def test_what_cannot_be_decided_is_said(one: str, other: str, kind: str) -> None:
    found = check_facts(one, other)
    assert (found.changed, found.undecided) == ((), (kind,))
    assert "Cannot decide" in found.sentence()
    if kind == "amount":
        assert found.amounts_match is None
    if kind == "date_time":
        assert found.dates_match is None


def test_a_hostile_text_takes_no_time() -> None:
    for text in ("one " * 20_000, "1," * 20_000, "not " * 10_000, "March " * 10_000, "$" * 50_000):
        check_facts(text, text)
