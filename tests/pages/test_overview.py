"""The first page: four choices to swap, each told as its study's page tells it, and ways on."""

from __future__ import annotations

import re

import polars as pl
import pytest

from core import claims
from core.charts.theme import LIGHT
from core.choices import Value
from core.multiverse import hinges, words
from core.panels.provenance import KINDS
from core.stories import PATH
from core.studies.about import STUDIES, Study
from core.verdicts import MARKS
from core.views.every import STUDIES as TOLD
from core.views.every import view
from core.views.front import SWAPS, Swap
from core.words import lowered, unmarked
from tests.core.test_stories import shipped
from tests.declared import declared_pages
from tests.pages.apps import all_texts, charts, open_app, run

BOTH = [(swap, value) for swap in SWAPS for value in swap.values]
NAMES = {"composition": "models", "clauses": "matrix-v3", "filenames": "grid", "remedies": "gaps"}


def name_of(value: object) -> str:
    return value.study.name if isinstance(value, Swap) else str(value)


def card_chart(at: object, swap: Swap) -> dict[str, pl.DataFrame]:
    place = [own.study.name for own in SWAPS].index(swap.study.name)
    return charts(at)[place].data  # type: ignore[arg-type]


@pytest.mark.parametrize(("swap", "value"), BOTH, ids=name_of)
def test_a_card_says_and_draws_what_the_choice_gives(swap: Swap, value: Value) -> None:
    at = open_app()
    at.button_group(key=f"overview-{swap.study.name}-{swap.key}").set_value(value)
    run(at)
    choices = swap.choices(value)
    card = TOLD[swap.study.name].card(shipped(swap.study.name), choices)
    said = [unmarked(text.value) for text in at.markdown]
    assert unmarked(card.sentence) in said
    whole = view(shipped(swap.study.name), choices, {}).charts[NAMES[swap.study.name]]
    expected = whole.build(LIGHT).data
    drawn = card_chart(at, swap)
    assert set(drawn) == set(expected)
    for name, frame in expected.items():
        same = [c for c in frame.columns if c.startswith("verdict") or c in ("flip", "model")]
        assert drawn[name].select(same).rows() == frame.select(same).rows()


@pytest.mark.parametrize("swap", SWAPS, ids=name_of)
def test_the_swap_flips_a_verdict_and_the_other_value_is_planned(swap: Swap) -> None:
    declaration = TOLD[swap.study.name].declaration
    assert swap.values[0] == declaration[swap.key].planned
    found = shipped(swap.study.name)
    sides = [
        view(found, swap.choices(value), {}).listings[-1 if swap.key == "gate" else 0].rows
        for value in swap.values
    ]
    assert sides[0]["verdict now"].to_list() != sides[1]["verdict now"].to_list()


def test_four_composites_change_sides() -> None:
    said = TOLD["composition"].card(shipped("composition"), SWAPS[0].choices("equal_category"))
    assert unmarked(said.sentence) == (
        "At a tolerance of 0.50, the composite verdict goes from outside to within for GPT-5.6, "
        "Gemini 3.5 Flash, Kimi K3 and Llama 4 Maverick. At the planned tolerance of 0.20, no "
        "composite verdict flips. The comparator alone turns an order: Claude Sonnet 5, nearer "
        "than Qwen3.7-Max as planned, is farther."
    )
    # The claim that the page of hinges opens with, which a printed figure tells of as well.
    main = claims.of("composition").main(shipped("composition").statistics[0])
    assert main.title == "Claude Sonnet 5 nearer than Qwen3.7-Max"


@pytest.mark.parametrize("swap", SWAPS, ids=name_of)
def test_the_page_of_hinges_names_the_choice_of_the_card_first(swap: Swap) -> None:
    study, found = claims.of(swap.study.name), shipped(swap.study.name)
    main, ensemble = study.main(found.statistics[0]), found.ensemble(study.ensemble_type)
    singles = hinges.single_changes(study, ensemble, [main])
    assert study.hinge == swap.key
    assert words.hinges_on(singles, main.key).startswith(lowered(swap.choice.label))
    before = str(singles["before"][0])
    said = words.opening(main, before, singles, is_open=False)
    assert f"It hinges on {lowered(swap.choice.label)} (" in said
    assert hinges.single_sets(singles)["change"][0].startswith(f"{swap.choice.label}: ")


def test_the_card_of_clauses_says_what_the_correction_took_away() -> None:
    """Sonnet 5 H2 and Pro Preview H2 of v3, in words; the document states both sets of verdicts."""
    found, (holm, alone) = shipped("clauses"), SWAPS[1].values
    claim = "“Naming the roles adds to the tilt against the stronger party” (H2)"
    models = "Claude Sonnet 5 and Gemini 3.1 Pro Preview in the second run (v3)."
    for value, start, verdict in (
        (holm, "With Holm’s rule for several tests", "not supported"),
        (alone, "Each claim judged alone", "supported"),
    ):
        said = unmarked(TOLD["clauses"].card(found, SWAPS[1].choices(value)).sentence)
        assert said == f"{start}: {claim} is {verdict} for {models}"


@pytest.mark.parametrize("swap", SWAPS, ids=name_of)
def test_a_card_names_what_decides_and_explains_the_names_in_its_chart(swap: Swap) -> None:
    at = open_app()
    said = [unmarked(text.value) for text in at.markdown]
    (decides,) = [text for text in said if text.endswith(swap.choice.explained)]
    assert lowered(swap.choice.label) in decides.split(".")[0]
    drawn = card_chart(at, swap)
    scopes = set(drawn["verdicts"]["scope"]) if "verdicts" in drawn else set()
    card = TOLD[swap.study.name].card(shipped(swap.study.name), swap.choices(swap.values[1]))
    assert all(re.search(rf"\b{name}[:,]", card.key) for name in scopes)
    captions = [text.value for text in at.caption]
    assert f"{card.chart.reading} {card.key}".strip() in captions
    assert swap.study.asks in captions


def test_every_verdict_and_every_kind_is_explained() -> None:
    said = "\n".join(text.value for text in open_app().markdown)
    for verdict, mark in MARKS.items():
        assert verdict.value in said
        assert mark.symbol in said
        assert mark.meaning in said
    assert all(f"**{kind}**" in said for kind in KINDS)


def test_links_lead_to_every_other_page() -> None:
    links = [node.proto.page for node in open_app().get("page_link")]
    others = {page.url_path for page in declared_pages() if not page.is_first}
    assert set(links) == others
    assert links.count(PATH) == len(STUDIES) + 1


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_study_has_a_card_with_its_title_and_kind(study: Study) -> None:
    at = open_app()
    assert study.title in [heading.value for heading in at.subheader]
    kinds = [text for place, text in all_texts(at) if "-badge[" in text]
    assert len(kinds) == len(STUDIES)
