"""Templates with two role slots, and opaque labels balanced within families."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from core.mirror_items import (
    COLUMNS,
    Item,
    check,
    outside,
    party_a,
    read_items,
    render,
    render_opaque,
    slot_faults,
)
from core.panels.problems import PanelError

TEMPLATE = "The {A} may end this at any time; the {B} must give sixty days’ notice to the {A}."
ITEM = Item("termination", "employment", TEMPLATE, "Employer", "Employee")


def test_both_variants() -> None:
    both = render(ITEM)
    assert both.strong == (
        "The Employer may end this at any time; the Employee must give sixty days’ notice to the "
        "Employer."
    )
    assert both.weak == (
        "The Employee may end this at any time; the Employer must give sixty days’ notice to the "
        "Employee."
    )
    # The curly apostrophe has three bytes: slots are counted in bytes.
    slots = [both.strong.encode()[start:end].decode() for start, end in both.strong_slots]
    assert slots == ["Employer", "Employee", "Employer"]
    assert outside(both.strong, both.strong_slots) == outside(both.weak, both.weak_slots)
    assert check(ITEM) == []


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("The {A} may go.", "{B}"),
        ("The {A} pays the {B} and the {C}.", "{C}"),
        ("The {A} pays the {B}}.", "brace"),
        ("The {A} pays the {B} { }.", "{ }"),
    ],
)
def test_faulty_slots(template: str, found: str) -> None:
    assert any(found in fault for fault in slot_faults(template))
    assert check(Item("x", "f", template, "Employer", "Employee"))
    with pytest.raises(ValueError, match="template of 'x'"):
        render(Item("x", "f", template, "Employer", "Employee"))


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("An {A} pays the {B}.", "article"),
        ("The {A} pays the {B} during the employment.", "employment"),
        ("The {A} pays the {B}; she may object.", "she"),
    ],
)
def test_wording_that_gives_the_roles_away(template: str, found: str) -> None:
    item = Item("x", "f", template, "Employer", "Worker")
    assert any(found in reason for reason in check(item))


def test_a_role_written_out_beside_the_slots() -> None:
    item = Item("x", "f", "The {A} pays the {B}, says the Tenant.", "Landlord", "Tenant")
    assert any("outside the slots" in reason for reason in check(item))


def test_given_texts_must_be_the_rendered_ones() -> None:
    both = render(ITEM)
    good = Item(*(getattr(ITEM, name) for name in COLUMNS), (both.strong, both.weak))
    assert check(good) == []
    edited = both.weak.replace("sixty", "ninety")
    bad = Item(*(getattr(ITEM, name) for name in COLUMNS), (both.strong, edited))
    (reason,) = check(bad)
    assert "weak variant" in reason
    assert f"at byte {both.weak.index('sixty')}" in reason


def test_a_file_of_items() -> None:
    text = "item,family,template,strong,weak\nt,lease,The {A} pays the {B}.,Landlord,Tenant\n"
    (item,) = read_items("\ufeff" + text)
    assert item == Item("t", "lease", "The {A} pays the {B}.", "Landlord", "Tenant")
    with_texts = (
        "item,family,template,strong,weak,text_strong,text_weak\n"
        "t,lease,The {A} pays the {B}.,Landlord,Tenant,The Landlord pays the Tenant.,x\n"
    )
    (item,) = read_items(with_texts)
    assert any("weak variant" in reason for reason in check(item))


def test_every_problem_of_a_file_is_reported() -> None:
    text = (
        "item,family,template,strong,weak\n"
        "t,lease,The {A} pays.,Landlord,Tenant\n"
        ",lease,The {A} pays the {B}.,Landlord,Tenant\n"
        "u,lease,The {A} pays the {B}.,Landlord,Tenant\n"
        "u,lease,The {A} pays the {B}.,Landlord,Tenant\n"
        "short\n"
    )
    with pytest.raises(PanelError) as caught:
        read_items(text)
    problems = caught.value.problems
    assert [(p.column, p.row) for p in problems][:2] == [("template", "1"), ("item", "2")]
    assert any("twice" in p.found for p in problems)
    assert {p.row for p in problems} >= {"5"}
    with pytest.raises(PanelError, match="no such column"):
        read_items("item,template\n")
    with pytest.raises(PanelError, match="cannot be read"):
        read_items("item,family,template,strong,weak\n" + "x" * 200_000 + ",a,b,c,d\n")


def study_items() -> list[Item]:
    return [
        Item(f"clause-{i}", family, TEMPLATE, "Landlord", "Tenant")
        for family in ("employment", "lease", "b2b")
        for i in range(35)
    ]


def test_opaque_labels_are_balanced_within_families() -> None:
    items = study_items()
    labels = party_a(items, seed=1)
    for family in ("employment", "lease", "b2b"):
        counts = Counter(labels[item.item, family] for item in items if item.family == family)
        assert sorted(counts.values()) == [17, 18]
    shuffled = random.Random(0).sample(items, len(items))
    assert party_a(shuffled, seed=1) == labels
    assert party_a(items, seed=2) != labels
    larger = {
        seed: Counter(party_a(items, seed=seed)[i.item, "lease"] for i in items).most_common(1)[0][
            0
        ]
        for seed in range(12)
    }
    assert set(larger.values()) == {"strong", "weak"}


def test_opaque_variants_name_no_role() -> None:
    strong_first = render_opaque(ITEM, "strong")
    assert strong_first.strong.startswith("The Party A may end this")
    assert strong_first.weak.startswith("The Party B may end this")
    # The same wording with the other party called Party A is the other variant.
    assert render_opaque(ITEM, "weak").strong == strong_first.weak
