"""Stories: told from findings, and not told where findings do not support them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from core import claims
from core.figures import figures
from core.multiverse.hinges import single_changes
from core.panels.read import Panel, read_upload
from core.report import link as view_link
from core.report import of_story
from core.report.__main__ import main
from core.report.html import write_html
from core.report.link import LinkError
from core.report.make import of_link
from core.report.word import write_word
from core.stories import PATH, link
from core.stories.data import Number, Story, StoryError, read, stories, unfilled
from core.stories.judged import judge
from core.stories.tell import Told, says, tell
from core.stories.tell import _say as say_number
from core.studies.about import study
from core.studies.clauses.design import model_names as clause_models
from core.studies.composition.sources import model_names
from core.studies.filenames.design import judge_names
from core.studies.reduced import Reduced, of_own, of_shipped
from core.studies.remedies.design import system_names
from core.words import number
from tests.core.reports import Element, read_html, read_word, table, word_text
from tests.pages import files

SHIPPED: dict[str, Reduced] = {}
STEPS = [(story, at) for story in stories().values() for at in range(len(story.steps))]
NAMED = [f"{story.key}-{at + 1}" for story, at in STEPS]

PROVEN = {("label", 5), ("two-scales", 3), ("two-scales", 4)}
"""Steps whose ground test_story_grounds.py shows; the studies' own rules settle the others."""


def shipped(name: str) -> Reduced:
    """Read a study's panels once for all tests."""
    if name not in SHIPPED:
        found = of_shipped(name)
        assert found is not None
        SHIPPED[name] = found
    return SHIPPED[name]


def told(story: Story, at: int) -> Told:
    step = story.steps[at]
    return tell(step, shipped(step.view.study.name))


@cache
def page_of(key: str) -> Element:
    """The report of a story, made once for all tests."""
    return read_html(write_html(of_link(f"/{PATH}?story={key}")))


def test_one_story_a_study_and_one_across_studies() -> None:
    alone = [story.studies[0] for story in stories().values() if len(story.studies) == 1]
    assert sorted(alone) == ["clauses", "composition", "filenames", "remedies"]
    across = [story for story in stories().values() if len(story.studies) > 1]
    assert [len(story.studies) for story in across] == [4]
    assert all(5 <= len(story.steps) <= 7 for story in stories().values())


@pytest.mark.parametrize(("story", "at"), STEPS, ids=NAMED)
def test_every_step_holds_for_the_shipped_panels_and_has_its_chart(story: Story, at: int) -> None:
    found = told(story, at)
    assert found.problems == ()
    assert found.chart is not None
    assert found.step.notes
    assert "{" not in found.headline + found.text


def names() -> list[str]:
    """Names of models and hypotheses, longest first: the digits in them are no numbers."""
    known = {*model_names().values(), *clause_models().values(), *judge_names().values()}
    known |= {*system_names().values(), "GPT-5-mini"}
    return sorted(known, key=len, reverse=True)


@pytest.mark.parametrize(("story", "at"), STEPS, ids=NAMED)
def test_no_number_is_typed_into_a_sentence(story: Story, at: int) -> None:
    step = story.steps[at]
    for sentence in (step.headline, step.text, step.notes, step.because, story.says):
        bare = re.sub(r"\{[^}]*\}", "", sentence)
        for name in names():
            bare = bare.replace(name, "")
        bare = re.sub(r"\bH\db?\b", "", bare)
        assert not re.search(r"\d", bare), bare


@pytest.mark.parametrize(("story", "at"), STEPS, ids=NAMED)
def test_printed_figures_settle_what_a_step_rests_on(story: Story, at: int) -> None:
    step = story.steps[at]
    assert step.ground == "printed figures"
    found, own = shipped(step.view.study.name), claims.of(step.view.study.name)
    pins = sorted(found.panel.provenance.pinned_ids)
    ensemble = own.ensemble(found.statistics, documented=True, pins=pins)
    judged = judge(found, step.view.choices)
    now = own.standing(ensemble, step.view.choices)["basis"]
    planned = own.standing(ensemble, own.declaration.planned)["basis"]
    rests = [(c.claims, planned if c.is_planned else now) for c in step.conditions]
    for counted in step.numbers.values():
        rests += [(counted.claims, now)] if counted.of in ("count", "changed") else []
        rests += [(counted.claims, planned)] if counted.of == "changed" else []
    loose = {
        judged.keys[k]
        for pattern, basis in rests
        for k in judged.matching(pattern)
        if basis[int(k)] != "pinned"
    }
    assert not loose or (story.key, at + 1) in PROVEN


def test_told_estimates_are_the_printed_ones() -> None:
    printed = figures("composition")

    def of(name: str) -> list[float]:
        return [printed[f"composition.table2.{name}.{model}"].value for model in model_names()]

    story = stories()["comparator"]
    resident, equal, moves = (
        of("geo_composite"),
        of("equal_composite"),
        of("mean_abs_cell_change"),
    )
    falls = [one - other for one, other in zip(resident, equal, strict=True)]
    assert told(story, 0).values["lowest"] == number(min(resident))
    assert told(story, 0).values["highest"] == number(max(resident))
    assert told(story, 1).values["least"] == number(min(falls))
    assert told(story, 1).values["most"] == number(max(falls))
    assert told(story, 2).values["least"] == number(min(moves))
    assert told(story, 2).values["most"] == number(max(moves))
    assert told(story, 4).values["within"] == "four"
    assert sum(one > 0.5 >= other for one, other in zip(resident, equal, strict=True)) == 4


def test_told_shares_of_complaints_are_the_printed_ones() -> None:
    printed = figures("remedies")
    scales = stories()["two-scales"]
    values = told(scales, 1).values
    assert values["mixed"] == f"{printed['remedies.sec4_2.nonunan.gpt4o'].value}"
    assert values["mixed_five"] == f"{printed['remedies.sec4_2.nonunan.gpt5'].value}"
    rule = told(scales, 4).values
    for name, own in (("differ", "jev_argmax"), ("planned", "jev_p2_threshold_matched")):
        assert rule[name] == f"{printed[f'remedies.table1.differ.{own}.gpt4o_bank'].value}"


def swapped(model: str) -> Panel:
    """The shipped ratings, with one model's two variants exchanged: its tilt turns around."""
    panel = shipped("clauses").panel
    other = pl.col("variant").replace({"strong": "weak", "weak": "strong"})
    own = pl.when(pl.col("model") == model).then(other).otherwise("variant")
    content = files.parquet(
        panel.frame.with_columns(variant=own), files.cells("clauses", "determinations")
    )
    return read_upload(content, "turned")


@pytest.mark.parametrize(("story", "at"), STEPS, ids=NAMED)
def test_no_problem_of_a_step_shows_a_pattern_of_keys(story: Story, at: int) -> None:
    """Neither where a panel has no such claims nor where they have no number."""
    step = story.steps[at]
    found = shipped(step.view.study.name)
    patterns = {own.claims for own in step.numbers.values() if "*" in own.claims}
    judged = judge(found, step.view.choices)
    missing = judged.estimate * np.nan
    nothing = replace(judged, estimate=missing, planned_estimate=missing)
    elsewhere = replace(judged, keys=tuple(f"no~{key}" for key in judged.keys))
    for own in step.numbers.values():
        if own.claims not in patterns or own.of in ("claims", "count", "changed"):
            continue
        for panel in (nothing, elsewhere):
            text, problem = say_number(own, panel, in_digits=False)
            assert text == ""
            assert problem
            assert "*" not in problem


def test_a_step_says_so_when_the_panel_no_longer_supports_it() -> None:
    story = stories()["gate"]
    found = tell(story.steps[1], of_own(swapped("gpt-5.1")))
    assert not found.holds
    assert (found.headline, found.text) == ("", "")
    assert found.problems == ("GPT-5.1 H2, v3 is “opposite”, not “supported”.",)


def test_numbers_follow_the_panel_where_its_conditions_still_hold() -> None:
    step = stories()["gate"].steps[0]
    less = tell(step, of_own(swapped("claude-sonnet-5")))
    assert less.holds
    assert less.values["stand"] != told(stories()["gate"], 0).values["stand"]


def test_a_claim_that_is_not_there_is_named() -> None:
    panel = read_upload(files.renamed(files.NASTY), "mine")
    found = tell(stories()["comparator"].steps[4], of_own(panel))
    assert "This panel has no claim 'composite.gpt-5.6'." in found.problems


def test_what_reconstructions_disagree_about_is_not_told() -> None:
    own = shipped("clauses")
    turned = of_own(swapped("gpt-5.1")).statistics[0]
    ours = replace(own, statistics=(own.statistics[0], turned))
    story = stories()["gate"]
    # With a gate that the document does not state, only the panels can tell.
    choices = story.steps[1].view.choices.replace(gate="none")
    step = replace(story.steps[1], view=replace(story.steps[1].view, choices=choices))
    found = tell(step, ours)
    assert not found.holds
    assert any("does not determine GPT-5.1 H2, v3" in problem for problem in found.problems)


def test_a_number_that_reconstructions_disagree_about_is_not_told() -> None:
    own = shipped("composition")
    one, other = "gpt-5.6", "gemini-3.5-flash"
    named = pl.col("model").replace({one: other, other: one})
    content = files.parquet(own.panel.frame.with_columns(named), files.cells())
    turned = of_own(read_upload(content, "turned")).statistics[0]
    ours = replace(own, statistics=(own.statistics[0], turned))
    whole = stories()["comparator"].steps[0]
    step = replace(whole, numbers={"n": Number("estimate", f"composite.{one}")}, headline="{n}")
    found = tell(replace(step, text=""), ours)
    assert len(found.problems) == 1
    assert (
        "does not determine the estimate of GPT-5.6, composite: 0.51 to 0.56" in found.problems[0]
    )
    assert found.headline == ""


GOOD = """
title = "t"
summary = "s"
question = "q"
claim = "c"
verdict = "v {n}"
says = "a {n} b"

[[step]]
view = "/contract-clauses?gate=holm"
chart = "matrix-v3"
headline = "h"
text = "x {n}"
notes = "n"
ground = "printed figures"
because = "b"
is_answer = true
numbers.n = { of = "claims", claims = "v3.*" }
holds = [{ claims = "v3.*.H2", verdicts = ["supported"] }]
"""


@pytest.mark.parametrize(
    ("old", "new", "says_what"),
    [
        ("title", "titel", "the field 'title' is missing"),
        ("x {n}", "x {m}", "['m'], which is not among its numbers"),
        ("a {n} b", "a {m} b", "['m'], which is not among its numbers"),
        ("v {n}", "v {m}", "['m'], which is not among its numbers"),
        ('question = "q"', "", "the field 'question' is missing"),
        ("contract-clauses", "elsewhere", "which has no report"),
        ("gate=holm", "gate=hulm", "'hulm', which is not one of its options"),
        ("gate=holm", "gait=holm", "which is no choice of the study"),
        ('of = "claims"', 'of = "clams"', "a number is of 'clams'"),
        ('["supported"]', '["suported"]', "'suported' is not a valid Verdict"),
        ("printed figures", "hearsay", "ground 'hearsay'"),
        ("is_answer = true", "is_answer = false", "one step must be its answer"),
        ("[[step]]", "[[step", "Expected"),
    ],
)
def test_a_story_that_is_not_what_it_should_be_is_refused(
    old: str, new: str, says_what: str, tmp_path: Path
) -> None:
    path = tmp_path / "9-broken.toml"
    path.write_text(GOOD)
    assert read(path).key == "broken"
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(StoryError) as caught:
        read(path)
    assert "9-broken.toml" in str(caught.value)
    assert says_what in str(caught.value)


@pytest.mark.parametrize("key", stories())
def test_a_link_leads_back_to_the_same_step_and_panels(key: str) -> None:
    story = stories()[key]
    panels = {name: shipped(name).panel.hash for name in story.studies}
    address = link.address("http://here", story, 2, panels)
    home, page, query = view_link.parts(address)
    assert (home, page) == ("http://here", PATH)
    asked = link.read(query)
    assert (asked.story, asked.step, asked.panels) == (story, 2, panels)


@pytest.mark.parametrize(("text", "step"), [("99", 5), ("-1", 0), ("x", 0), ("0", 0), ("²", 0)])
def test_a_step_that_is_not_there_is_the_nearest_and_that_is_told(text: str, step: int) -> None:
    asked = link.read({"step": [text]})
    assert asked.story == next(iter(stories().values()))
    assert asked.step == step
    (said,) = asked.repairs
    assert said.sentence() == (
        f"Step: the link says {text!r}, which is no step from 1 to 6; shown is step {step + 1}."
    )


def test_a_link_without_a_step_or_with_one_that_is_there_needs_no_repair() -> None:
    for query, step in (({}, 0), ({"step": ["6"]}, 5)):
        asked = link.read(query)
        assert (asked.step, asked.repairs) == (step, ())


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"step": ["2", "5"]}, "Step: the link says '2, 5', of which the last counts"),
        ({"story": ["gate", "label"]}, "Story: the link says 'gate, label'"),
        ({"link": ["9"]}, "Link version"),
        ({"foo": ["1"]}, "foo: the link says '1', which is no choice of this page"),
    ],
)
def test_what_a_link_says_in_vain_is_told(query: dict[str, list[str]], told: str) -> None:
    (said,) = link.read(query).repairs
    assert said.sentence().startswith(told)


def test_a_link_to_no_story_is_refused() -> None:
    with pytest.raises(LinkError, match="expected one of comparator"):
        link.read({"story": ["nope"]})
    with pytest.raises(LinkError, match="first 12 digits"):
        link.read({"panels": ["<b>"]})


def test_the_shell_writes_a_storys_report_in_both_forms(tmp_path: Path) -> None:
    page, word = tmp_path / "story.html", tmp_path / "story.docx"
    for out in (page, word):
        assert main(["--cite", f"/{PATH}?story=gate", "--out", str(out)]) == 0
    assert read_html(page.read_bytes()).said() == page_of("gate").said()
    said = word_text(read_word(word.read_bytes()))
    for at in range(len(stories()["gate"].steps)):
        assert told(stories()["gate"], at).text in said


@pytest.mark.parametrize("key", stories())
def test_a_storys_report_tells_every_step(key: str) -> None:
    story, root = stories()[key], page_of(key)
    steps = [told(story, at) for at in range(len(story.steps))]
    headings = [e.said() for e in root.all("h2")]
    for at, step in enumerate(steps, start=1):
        assert f"{at}. {step.headline}" in headings
        assert step.text in root.said()
    answer = next(e for e in root.all("p") if "answer" in e.attributes.get("class", ""))
    assert answer.said() == says(story, steps)
    links = [e.attributes["href"] for e in root.all("a")]
    cited = [view_link.read(address) for address in links[: len(steps)]]
    assert [own.choices for own in cited] == [step.view.choices for step in story.steps]
    assert link.read(view_link.parts(links[-1])[2]).story == story


def test_a_report_says_which_steps_do_not_hold() -> None:
    story, found = stories()["gate"], of_own(swapped("gpt-5.1"))
    steps = [tell(step, found) for step in story.steps]
    report = of_story.compose(story, steps, link="", home="", made=date(2026, 11, 30))
    root = read_html(write_html(report))
    headings = [e.said() for e in root.all("h2")]
    broken = [at for at, step in enumerate(steps, start=1) if not step.holds]
    assert broken
    for at in broken:
        assert f"{at}. This step does not hold here" in headings
    assert steps[1].problems[0] in root.said()
    assert unfilled(story.steps[1].headline) in root.said()
    assert says(story, steps) == ""
    assert "Not all of this story holds" in root.said()
    assert "Not all of this story holds" in word_text(read_word(write_word(report)))


def test_every_step_leads_to_its_studys_page() -> None:
    for story, at in STEPS:
        step = story.steps[at]
        address = told(story, at).link("http://here")
        cited = view_link.read(address)
        assert cited.study == study(step.view.study.name)
        assert cited.choices == step.view.choices
        assert cited.repairs == ()


def test_the_comparator_flips_no_composite_alone_and_four_at_the_wider_tolerance() -> None:
    """The story says so in as many words; by the single changes of the planned setting it is so."""
    own, found = claims.of("composition"), shipped("composition")
    pins = sorted(found.panel.provenance.pinned_ids)
    ensemble = own.ensemble(found.statistics, documented=True, pins=pins)
    singles = single_changes(own, ensemble).filter(
        pl.col("claim").str.starts_with("composite."), pl.col("choice") == "comparator"
    )
    assert singles["claim"].n_unique() == len(model_names())
    assert set(singles["before"]) == {"outside"}
    # A comparator for one attribute gives no composite; all others leave it outside.
    assert set(singles["after"]) == {"outside", "cannot compute"}
    story = stories()["comparator"]
    told_all = [told(story, at) for at in range(len(story.steps))]
    assert says(story, told_all) == (
        "At the planned tolerance of 0.20, equal shares instead of residents as the comparator "
        "flip no verdict; at a tolerance of 0.50 they flip four of six."
    )


def test_a_report_names_the_tolerance_of_each_step() -> None:
    root = page_of("comparator")
    (section,) = [e for e in root.all("section") if "Adjustment and" in e.all("h2")[0].said()]
    rules = dict(
        zip(
            (e.said() for e in section.all("h3")),
            (e.said() for e in section.all("ul")),
            strict=True,
        )
    )
    assert "at most 0.20" in rules["Steps 1, 2, 3 and 6: Who gets generated?"]
    assert "at most 0.50" in rules["Steps 4 and 5: Who gets generated?"]
    # A chart that is there already is named.
    drawn = [e.said() for e in root.all("p") if e.said().startswith("The chart is that of")]
    assert drawn == ["The chart is that of step 1."]


def test_the_estimates_behind_a_story_are_the_printed_ones() -> None:
    printed = figures("composition")
    root = page_of("comparator")
    head, *rows = table(root, "Who gets generated?")
    told = {(row[0], row[1]): dict(zip(head, row, strict=True)) for row in rows}
    for model, name in model_names().items():
        for steps, column in (("1", "geo"), ("2 and 3", "equal"), ("5", "equal")):
            value = printed[f"composition.table2.{column}_composite.{model}"].value
            row = told[steps, f"{name}, composite"]
            assert row["estimate"] == number(value)
            assert row["verdict as planned"] == "▲ outside"
            assert row["verdict in the step"] == (
                "■ within" if steps == "5" and value <= 0.5 else "▲ outside"
            )


@pytest.mark.parametrize(("key", "step", "flips"), [("comparator", 5, "4"), ("gate", 2, "2")])
def test_a_storys_report_counts_the_verdicts_that_flip(key: str, step: int, flips: str) -> None:
    root = page_of(key)
    rows = table(root, "What each step says")
    assert rows[step][-1] == flips
    (told,) = [e.said() for e in root.all("dd") if f"(step {step}:" in e.said()]
    assert f"(step {step}: {flips} of" in told


def test_counts_of_a_step_are_all_words_or_all_digits() -> None:
    words = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    for story, at in STEPS:
        own = told(story, at)
        counts = [
            own.values[name]
            for name, counted in own.step.numbers.items()
            if counted.of in ("claims", "count", "changed")
        ]
        assert len({text in words[1:] for text in counts if text != "none"}) <= 1, counts
    assert "11 of 16 claims" in told(stories()["gate"], 0).text


@pytest.mark.parametrize("key", stories())
def test_a_storys_report_says_what_every_named_hypothesis_claims(key: str) -> None:
    root = page_of(key)
    claimed = [e.said() for e in root.all("li")]
    told = " ".join(e.said() for e in root.all("p"))
    for name in set(re.findall(r"\bH\db?\b", told)):
        assert [text for text in claimed if text.startswith(f"{name}: ")]


@pytest.mark.parametrize("key", stories())
def test_a_storys_report_says_what_verdicts_hinge_on(key: str) -> None:
    root = page_of(key)
    headings = [e.said() for e in root.all("h2")]
    parts = [h for h in headings if h.startswith("What the planned verdicts hinge on")]
    assert len(parts) == len(stories()[key].studies)
    assert "Words used here" in headings
