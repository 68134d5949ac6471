"""Every control and section of the clauses page, and readers' own panels on it."""

from __future__ import annotations

from functools import cache
from itertools import product

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from core.choices import Choice, Choices, Value
from core.panels.catalogue import shipped
from core.reference import table as reference
from core.studies.clauses import history, reconstructions, sentences, stated, texts
from core.studies.clauses.choices import DECLARATION
from core.studies.clauses.design import CONDITIONS, Situation, model_names, short_names
from core.studies.clauses.reconstructions import Ensemble
from core.studies.clauses.reduce import reduce_determinations
from core.words import plain
from pages.sections.clauses import SECTIONS
from tests.core import clause_rows
from tests.pages import files
from tests.pages.apps import (
    ROOT,
    Chart,
    address,
    all_texts,
    captions,
    charts,
    nodes,
    open_app,
    run,
    switch,
    tables,
)
from tests.pages.test_text_is_text import AS_IT_IS

VIEWS = ("run", "focus", "hypothesis", "section")
PAGE = ROOT / "pages" / "clauses.py"
BACK = "Back to planned"


def opened(**query: str) -> AppTest:
    """Open the page by its address."""
    at = AppTest.from_file(PAGE, default_timeout=60)
    at.query_params.update(query)
    return run(at)


@cache
def ensemble() -> Ensemble:
    """Every shipped reconstruction, first the one that the page opens on."""
    panels = [found.read() for found in shipped("clauses", "determinations", "reconstructed")]
    tables = [found.read() for found in shipped("clauses", "archetypes", "reconstructed")]
    return Ensemble(
        tuple(
            reduce_determinations(one.frame, other.frame)
            for one, other in zip(panels, tables, strict=True)
        ),
        documented=True,
        pins=panels[0].provenance.pinned_ids,
    )


@cache
def document() -> pl.DataFrame:
    """The verdicts as the document prints them."""
    return reference("clauses", "verdicts")


def widget(at: AppTest, choice: Choice):  # type: ignore[no-untyped-def]
    key = f"clauses:{choice.key}"
    if choice.range is not None:
        return at.slider(key=key)
    if choice.check is not None:
        return at.text_input(key=key)
    return at.pills(key=key) if choice.many else at.selectbox(key=key)


def move(at: AppTest, choice: Choice, value: Value) -> AppTest:
    widget(at, choice).set_value(list(value) if isinstance(value, tuple) else value)
    return run(at)


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click()
    return run(at)


def said(at: AppTest) -> str:
    """Everything a reader is told in sentences."""
    kinds = (at.header, at.markdown, at.caption, at.info, at.warning, at.error, at.success)
    return "\n".join(element.value for kind in kinds for element in kind)


def matrices(at: AppTest) -> dict[str, pl.DataFrame]:
    """Rows of the verdict matrices, by run."""
    found = [chart for chart in charts(at) if is_matrix(chart)]
    return {chart.alt.split(":")[0].split()[0].lower(): rows_of(chart) for chart in found}


def is_matrix(chart: Chart) -> bool:
    return any({"scope", "verdict_now"} <= set(rows.columns) for rows in chart.data.values())


def rows_of(chart: Chart) -> pl.DataFrame:
    return next(rows for rows in chart.data.values() if "verdict_now" in rows.columns)


def check(at: AppTest, choices: Choices) -> None:
    """See that sentence, count, departures, matrices and address all tell the same choices."""
    assert address(at, DECLARATION) == choices
    assert at.header[0].value == sentences.opening(ensemble(), choices)
    counts = reconstructions.support_counts(ensemble(), choices)
    assert sentences.counts(counts, documented=True).capitalize() in said(at)
    departed = DECLARATION.departures(choices)
    for choice, value in departed:
        assert f"{plain(choice.label)}: {plain(choice.say(value))} (planned: " in captions(at)
    assert ("This is the planned setting." in captions(at)) == (not departed)
    assert [b.label for b in at.button].count(BACK) == bool(departed)
    drawn = [chart for chart in charts(at) if is_matrix(chart)]
    assert len(drawn) == len(choices.many("runs"))
    assert all(rows_of(chart).height == 20 for chart in drawn)


def values_of(choice: Choice) -> list[Value]:
    """Every option, or both ends of a slider; of several options at once each alone and all."""
    if choice.range is not None:
        return [choice.range.low, choice.range.high]
    options = [option.value for option in choice.options]
    return [(option,) for option in options] + [tuple(options)] if choice.many else options


@pytest.mark.parametrize("key", [c.key for c in DECLARATION if c.check is None])
def test_every_value_of_every_choice(key: str) -> None:
    choice = DECLARATION[key]
    at = opened()
    for value in values_of(choice):
        move(at, choice, value)
        check(at, DECLARATION.planned.replace(**{key: value}))
        label = str(widget(at, choice).label)
        mark = label.removeprefix(f"{plain(choice.label)} :small[:gray[")
        assert f"planned: {plain(choice.say(choice.planned))} · {choice.mark}" in mark
        assert mark.startswith("**departs**") == (value != choice.planned)


@pytest.mark.parametrize("key", [c.key for c in DECLARATION if c.many])
def test_emptied_pills_mean_the_planned_ones(key: str) -> None:
    choice = DECLARATION[key]
    at = move(opened(), choice, ())
    check(at, DECLARATION.planned)


def test_clauses_are_left_out_by_name() -> None:
    choice = DECLARATION["leave_out"]
    known = ensemble().statistics[0].column("archetype")[0]
    at = move(opened(), choice, f" {known} ,{known}")
    assert not at.error
    check(at, DECLARATION.planned.replace(leave_out=f" {known} ,{known}"))


@pytest.mark.parametrize("text", ["a,,b", ",", "x" * 4_001])
def test_a_list_that_cannot_be_read_is_refused_and_says_why(text: str) -> None:
    at = move(opened(), DECLARATION["leave_out"], text)
    assert at.error[0].value.startswith("Not used: ")
    check(at, DECLARATION.planned)


def test_a_clause_that_is_not_there_is_named() -> None:
    name = "**no such clause**"
    at = move(opened(), DECLARATION["leave_out"], name)
    assert any(plain(name) in warning.value for warning in at.warning)
    assert name not in "\n".join(warning.value for warning in at.warning)


def test_back_to_planned() -> None:
    others = {
        c.key: next(v for v in values_of(c) if v != c.planned)
        for c in DECLARATION
        if c.check is None
    }
    at = opened(**{key: DECLARATION[key].to_text(value) for key, value in others.items()})
    check(at, DECLARATION.planned.replace(**others))
    press(at, BACK)
    check(at, DECLARATION.planned)
    assert "Last change" in said(at)


def test_a_link_restores_choices_and_view() -> None:
    names = list(model_names().values())
    view = {"run": "v2", "focus": names[2], "hypothesis": "H3", "section": "Equivalence"}
    at = opened(gate="bh", alpha="0.01", families="b2b", **view)
    check(at, DECLARATION.planned.replace(gate="bh", alpha=0.01, families=("b2b",)))
    assert {name: at.pills(key=f"clauses:{name}").value for name in VIEWS} == view
    assert not at.warning
    again = opened(**{k: v for k, v in at.query_params.items() if isinstance(v, str)})
    assert again.header[0].value == at.header[0].value
    drawn = [[(c.alt, c.identity) for c in charts(each)] for each in (at, again)]
    assert drawn[0] == drawn[1]


BAD = {
    "gate": "<b>off</b>",
    "alpha": "0.5",
    "margin": "nan",
    "families": "employment,shoes",
    "runs": "",
    "leave_out": "a,,b",
    "seed": "7",
    "link": "99",
}


def test_what_a_link_asks_in_vain_is_announced() -> None:
    choices, repairs = DECLARATION.from_link(BAD)
    assert len(repairs) == len(BAD)
    at = opened(**BAD)
    announced = "\n".join(warning.value for warning in at.warning)
    for repair in repairs:
        assert plain(repair.sentence()) in announced
    check(at, choices)


def test_a_view_that_is_not_there_falls_back() -> None:
    at = opened(run="v9", focus="nobody", hypothesis="H6", section="**x**", panel="0123456789ab")
    assert at.pills(key="clauses:run").value == "v3"
    assert at.pills(key="clauses:hypothesis").value == "H2"
    assert at.pills(key="clauses:section").value is None
    assert any("0123456789ab" in warning.value for warning in at.warning)


def lost_to_holm() -> pl.DataFrame:
    """Cells that the document calls supported by the interval alone and not supported with Holm."""
    return document().filter(
        (pl.col("supported_ungated") == "yes") & (pl.col("supported_gated") == "no")
    )


def test_turning_holm_off_names_the_verdicts_that_the_document_names() -> None:
    at = move(opened(), DECLARATION["gate"], "interval")
    lost = lost_to_holm()
    assert lost.select("run", "hypothesis").rows() == [("v3", "H2")] * 2
    names = [f"{short_names()[model]} H2" for model in lost["model"]]
    assert set(names) == {"Sonnet 5 H2", "Pro Preview H2"}
    assert at.header[0].value == (
        f"Turning Holm off: {names[0]} and {names[1]} in v3 become supported."
    )
    for short in ("GPT-5.1 H3", "H5"):
        assert short not in at.header[0].value
    flipped = [
        (rows["model"], rows["scope"])
        for chart in charts(at)
        if is_matrix(chart)
        for rows in rows_of(chart).filter("flip").iter_rows(named=True)
        if rows["scope"] != "H5"
    ]
    expected = {(model_names()[model], "H2") for model in lost["model"]}
    assert set(flipped) - {(model_names()["gpt-5.1"], "H3")} == expected
    press(at, BACK)
    assert at.header[0].value.startswith("As planned, Holm is on. Turning Holm off: ")
    assert all(name in at.header[0].value for name in names)


@pytest.mark.parametrize("gate", ["holm", "interval"])
def test_counts_are_those_of_the_document(gate: str) -> None:
    column = {"holm": "supported_gated", "interval": "supported_ungated"}[gate]
    both = document().drop_nulls("supported_gated").drop_nulls(column)
    now, planned = ((both[name] == "yes").sum() for name in (column, "supported_gated"))
    at = opened(gate=gate)
    text = next(m.value for m in at.markdown if "in favour of the claim" in m.value)
    assert text.startswith(f"{now} of {both.height} verdicts that the document states")
    if gate == "interval":
        assert f"{planned} of the same ones in the planned setting (those " in text


UNSTATED = [
    {},
    {"gate": "interval"},
    {"alpha": "0.2"},
    {"h5": "role"},
    {"h5": "role_minus_opaque", "gate": "none"},
    {"margin": "0.05", "interval": "student"},
]


@pytest.mark.parametrize("query", UNSTATED, ids=lambda query: "-".join(query.values()) or "planned")
def test_verdicts_of_h5_are_shown_hatched_and_told_nowhere(query: dict[str, str]) -> None:
    at = opened(**query)
    open_ones = document().filter(pl.col("determination") == "undetermined")
    assert open_ones.height == 8
    drawn = pl.concat([rows_of(chart) for chart in charts(at) if is_matrix(chart)])
    unstated = drawn.filter(pl.col("scope") == "H5")
    assert unstated.height == 8
    assert unstated["varies"].all()
    # Apart from the definition, the only sentence about H5 says that nothing is stated.
    told = [at.header[0].value, *(m.value for m in at.markdown if "Last change" in m.value)]
    told += [m.value for m in at.markdown if "in favour of the claim" in m.value]
    told += [text for text in alt_texts(at) if "claims of" in text]
    for sentence in told:
        after = sentence.split(": ", 1)[-1]
        assert "H5" not in after, sentence
    asked, _ = DECLARATION.from_link(query)
    assert {total for _, _, total in reconstructions.support_counts(ensemble(), asked)} <= {31, 32}


def alt_texts(at: AppTest) -> list[str]:
    return [m.value for m in at.markdown if m.value.startswith("Verdicts of ")]


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_opens_and_closes(section: str) -> None:
    at = opened()
    before = len(nodes(at))
    at.pills(key="clauses:section").set_value(section)
    run(at)
    assert at.query_params["section"] == section
    assert len(nodes(at)) > before
    move(at, DECLARATION["missing"], "worst_case")
    move(at, DECLARATION["runs"], ("v2",))
    at.pills(key="clauses:section").set_value(None)
    run(at)
    assert "section" not in at.query_params


def test_a_clause_that_decides_can_be_left_out() -> None:
    at = opened(section="One clause left out")
    chosen = next(box for box in at.selectbox if box.label == "Leave out a clause")
    name = chosen.options[-1]
    chosen.set_value(name)
    run(at)
    press(at, f"Leave out {plain(name)} everywhere")
    assert address(at, DECLARATION)["leave_out"] == name
    check(at, DECLARATION.planned.replace(leave_out=name))


def test_a_clause_with_a_comma_in_its_name_can_be_left_out() -> None:
    frame = clause_rows.panel_rows(clause_rows.random_rate(9), runs={"v2": 5})
    at = with_panel(frame.with_columns(archetype=pl.lit("fees, and ") + pl.col("archetype")))
    at.pills(key="clauses:section").set_value("One clause left out")
    run(at)
    chosen = next(box for box in at.selectbox if box.label == "Leave out a clause")
    name = str(chosen.value)
    assert ", " in name
    press(at, f"Leave out {plain(name)} everywhere")
    assert not any("is not left out" in warning.value for warning in at.warning)
    assert address(at, DECLARATION)["leave_out"] == name.replace(",", "%2C")


def test_the_deciding_clauses_are_drawn() -> None:
    at = opened(section="One clause left out", run="v3")
    (drawn,) = (chart for chart in charts(at) if "tiles" in chart.data)
    tiles = drawn.data["tiles"]
    assert (tiles["verdict_now"] != tiles["verdict_without"]).all()
    assert drawn.alt == "Verdicts of v3 without one clause"


def test_the_ladder_names_the_family_that_is_on_it() -> None:
    at = opened(tests="hypothesis", hypothesis="H2", run="v3")
    titles = [h.value for h in at.subheader]
    assert "Holm’s ladder, H2 of all models, v3" in titles
    move(at, DECLARATION["tests"], "all")
    assert "Holm’s ladder, all tests, v3" in [h.value for h in at.subheader]


def test_clause_groups_and_kinds_of_contract_have_a_view() -> None:
    at = opened(section="Clause groups", run="v2", focus="GPT-5.1", hypothesis="H1")
    assert {"counts", "dots"} <= {name for chart in charts(at) for name in chart.data}
    kinds = next(table for table in tables(at) if list(table.columns)[:2] == KINDS)
    assert "Software service between businesses" in set(kinds["kind of contract"])
    assert "**descriptive**" in said(at)
    # The three printed means of kinds of contract.
    assert sum("pinned" in text for text in kinds["behind"]) == 3


KINDS = ["model", "kind of contract"]


def test_directions_are_told_under_both_kinds_of_labels() -> None:
    at = opened(section="Direction and missing answers")
    assert "p = 0.002 (0.001953)" in said(at)
    headings = [h.value for h in at.subheader]
    for labels in ("role", "opaque"):
        assert f"Who is said to be favoured, under {labels} labels" in headings


def test_another_panel_leaves_open_verdicts_uncounted() -> None:
    at = opened(section="Another panel", run="v3")
    text = next(m.value for m in at.markdown if "differ in" in m.value)
    assert text.endswith(" of 32 verdicts.")
    # Whether a claim stands is stated, and so the same; how H4 stands is not.
    rows = next(table for table in tables(at) if "verdict differs" in table)
    differ = rows[rows["verdict differs"] & (rows["hypothesis"] != "H5")]
    assert f"differ in {len(differ)} of" in text
    assert set(differ["hypothesis"]) <= {"H4"}
    assert set(differ["verdict now"]) | set(differ["verdict now beside"]) <= {"both", "equivalent"}


def test_the_two_runs_are_compared_with_all_single_switches() -> None:
    at = opened(section="First run against second")
    assert "never pooled" in said(at)
    switched = next(f.value for f in at.dataframe if "share_of_the_change" in f.value)
    assert {"v2_with_it", "v3_with_it"} <= set(switched.columns)
    stated_twice = document().pivot("run", index=["model", "hypothesis"], values="supported_gated")
    changes = stated_twice.filter(pl.col("v2") != pl.col("v3"))
    of_document = switched.set_index(["model", "hypothesis"]).index
    for model, name in changes.select("model", "hypothesis").iter_rows():
        assert (of_document == (model_names()[model], name)).sum() == 4
    assert "approximation" in said(at)
    assert "control" in said(at)


def test_contradictions_are_on_the_page() -> None:
    at = opened(section="What was corrected")
    for contradiction in history.CONTRADICTIONS:
        assert plain(contradiction.text) in said(at)


CLAUSES = {
    "The Landlord may enter. The Tenant must wait.": True,
    "The Landlord may enter. The Tenants must wait.": False,
}


def test_the_mirror_says_what_a_swap_loses() -> None:
    at = opened(section="Mirror check")
    for text, lossless in CLAUSES.items():
        at.text_area(key="mirror:text").set_value(text)
        run(at)
        assert any("lossless: only" in s.value for s in at.success) == lossless
        assert any("not lossless" in e.value for e in at.error) == (not lossless)
        assert ("“Tenants”" in said(at)) == (not lossless)
    at.text_area(key="mirror:text").set_value("")
    run(at)
    assert "no text to mirror" in said(at)


HEADER = "item,family,template,strong,weak\n"
ITEMS = {
    "good": HEADER + "a,lease,The {A} pays the {B}.,Landlord,Tenant\n",
    "lossy": HEADER + "a,lease,The {A} pays the {B} and all Tenants.,Landlord,Tenant\n",
    "no slot": HEADER + "a,lease,The {A} pays.,Landlord,Tenant\n",
    "no column": "item\n",
    "empty": "",
}


def test_a_file_of_items_is_checked() -> None:
    at = opened(section="Mirror check")
    for name, text in ITEMS.items():
        at.file_uploader[0].set_value(("items.csv", text.encode(), "text/csv"))
        run(at)
        mended = any("to mend" in error.value for error in at.error)
        faulty = any("cannot be mirrored" in error.value for error in at.error)
        good = any("outside the slots" in success.value for success in at.success)
        assert (good, faulty, mended) == (name == "good", name == "lossy", name not in ITEMS_READ)
        rendered = [table for table in tables(at) if "strong opaque" in table]
        assert len(rendered) == (name in ITEMS_READ)
        if name == "good":
            row = rendered[0].iloc[0]
            assert (row["strong"], row["weak"]) == (
                "The Landlord pays the Tenant.",
                "The Tenant pays the Landlord.",
            )
            parties = (
                ["Party A", "Party B"] if row["party a"] == "strong" else ["Party B", "Party A"]
            )
            assert row["strong opaque"] == "The {} pays the {}.".format(*parties)
            assert row["weak opaque"] == "The {} pays the {}.".format(*parties[::-1])
    at.file_uploader[0].set_value(("items.csv", b"\xff\xfe", "text/csv"))
    run(at)
    assert any("UTF-8" in error.value for error in at.error)


ITEMS_READ = ("good", "lossy")


def test_the_page_opens_on_a_ladder_that_takes_a_verdict_away() -> None:
    at = opened()
    assert at.pills(key="clauses:focus").value == model_names()["claude-sonnet-5"]
    assert "By its interval alone H2 would be supported." in captions(at)


def test_the_control_of_h2_stands_beside_it() -> None:
    at = opened()
    assert "the control moved by −0.100" in captions(at)
    at.pills(key="clauses:hypothesis").set_value("H1")
    run(at)
    assert "the control moved" not in captions(at)


def test_worst_case_bounds_are_shown() -> None:
    at = opened(missing="worst_case")
    assert any({"bound low", "bound high"} <= set(table.columns) for table in tables(at))


def test_every_mark_on_the_matrices_is_explained() -> None:
    at = opened(margin="0.05", alpha="0.2")
    drawn = pl.concat([rows_of(chart) for chart in charts(at) if is_matrix(chart)])
    for verdict in drawn["verdict_now"].unique():
        assert verdict in captions(at)


# A reader's own panels.


def with_panel(frame: pl.DataFrame) -> AppTest:
    """The page with a panel in use that was brought on the panels page."""
    return import_panel(open_app(), frame)


def import_panel(at: AppTest, frame: pl.DataFrame) -> AppTest:
    switch(at, "panels")
    metadata = files.cells("clauses", "determinations")
    at.file_uploader[0].set_value(("mine.parquet", files.parquet(frame, metadata), ""))
    run(at)
    assert at.success, [e.value for e in at.error]
    return switch(at, "clauses")


def through_everything(at: AppTest) -> None:
    """Look at every section, every model in every run, and the tables."""
    at.session_state["clauses-tables"] = True
    for section in SECTIONS:
        at.pills(key="clauses:section").set_value(section)
        run(at)
    at.pills(key="clauses:section").set_value(None)
    runs, names = (list(at.session_state[f"own:{key}"]) for key in ("runs", "names"))
    for name, model in product(runs, names):
        at.pills(key="clauses:run").set_value(name)
        at.pills(key="clauses:focus").set_value(model)
        run(at)


def toured(frame: pl.DataFrame) -> AppTest:
    at = with_panel(frame)
    at.session_state["own:runs"] = frame["run"].unique().sort().to_list()
    models = frame["model"].unique().sort().to_list()
    at.session_state["own:names"] = [model_names().get(model, model) for model in models]
    through_everything(at)
    return at


def test_one_clause_group() -> None:
    frame = clause_rows.panel_rows(
        clause_rows.random_rate(1), runs={"mine": 1}, models=("one",), families=("employment",)
    )
    at = toured(frame)
    assert "Cannot compute H1, H2, H3, H4 and H5 of one in mine" in said(at)
    assert plain("One clause group only: nothing to resample.") in said(at)
    assert "imported" in said(at)
    assert "No claim has a verdict under these choices." in said(at)
    assert "document states" not in said(at)


def test_constant_asymmetry() -> None:
    def rate(*key: object) -> float:
        return 6.0 if key[4] == "weak" and key[5] == Situation("role") else 5.0

    at = toured(clause_rows.panel_rows(rate, runs={"v3": 4}, models=("gpt-5.1",)))
    assert plain("All 8 clause groups have the same value") in said(at)
    assert "Cannot compute H1, H2, H3, H4 and H5 of GPT" in said(at)


def test_a_model_in_one_run_only() -> None:
    frame = clause_rows.panel_rows(clause_rows.random_rate(2))
    gone = (pl.col("run") == "v3") & (pl.col("model") == "gpt-5.1")
    at = toured(frame.filter(~gone))
    assert plain("The panel has no answers of this model in this run.") in said(at)
    check_own_count(at)


def check_own_count(at: AppTest) -> None:
    drawn = pl.concat([rows_of(chart) for chart in charts(at) if is_matrix(chart)])
    assert drawn["scope"].n_unique() == 5


def test_all_missing_in_a_condition() -> None:
    opaque = CONDITIONS["neutral_opaque"]
    stream = clause_rows.random_rate(3)

    def rate(*key: object) -> float | None:
        return None if key[5] == opaque else stream(*key)  # type: ignore[arg-type]

    frame = clause_rows.panel_rows(rate, runs={"v2": 3, "v3": 3})
    at = toured(frame)
    assert "Cannot compute H2, H3 and H4 of" in said(at)
    assert plain("None of 6 clause groups has every rating") in said(at)
    move(at, DECLARATION["missing"], "worst_case")
    through_everything(at)


def test_conditions_that_were_never_asked() -> None:
    situations = (Situation("role"),)
    frame = clause_rows.panel_rows(
        clause_rows.random_rate(4), runs={"v2": 3}, situations=situations
    )
    at = toured(frame)
    assert "The panel has no answers under opaque labels" in said(at).replace("\\", "")


@pytest.mark.parametrize("only", ["v2", "v3"])
def test_only_runs_that_the_panel_has_are_offered(only: str) -> None:
    other = {"v2": "v3", "v3": "v2"}[only]
    rows = clause_rows.panel_rows(clause_rows.random_rate(5), runs={only: 3})
    at = switch(open_app(), "clauses")
    move(at, DECLARATION["runs"], (other,))
    at = import_panel(at, rows)
    assert "runs" not in [pill.label.split(" ")[0].lower() for pill in at.pills]
    assert f"Runs shown: {only} :small" in said(at)
    assert len([chart for chart in charts(at) if is_matrix(chart)]) == 1
    move(at, DECLARATION["alpha"], 0.1)
    switch(switch(at, "panels"), "clauses")
    assert at.slider(key="clauses:alpha").value == 0.1


def test_the_history_of_the_study_is_told_of_its_own_panels_only() -> None:
    at = opened()
    history = (texts.HOLM_HISTORY, texts.LIMITS.of_document[-1])
    assert all(text in said(at) for text in history)
    at = with_panel(clause_rows.panel_rows(clause_rows.random_rate(5), runs={"mine": 3}))
    assert texts.HOLM_IN_WORDS in said(at)
    assert not [text for text in history if text in said(at)]
    for section, text in (
        ("First run against second", texts.RUNS_HISTORY),
        ("Clause groups", texts.GROUPS_HISTORY),
    ):
        at.pills(key="clauses:section").set_value(section)
        run(at)
        assert text not in said(at)
    at.pills(key="clauses:section").set_value("What was corrected")
    run(at)
    assert texts.OF_THE_STUDY in said(at)


def test_names_with_markup_are_text() -> None:
    names = files.NASTY[:-1]
    frame = clause_rows.panel_rows(clause_rows.random_rate(6), models=names[:3], runs={"v2": 3})
    frame = frame.with_columns(run=pl.lit(names[3]), archetype=names[4] + pl.col("archetype"))
    at = with_panel(frame)
    at.session_state["own:runs"], at.session_state["own:names"] = [names[3]], list(names[:3])
    at.session_state["clauses-tables"] = True
    for section in SECTIONS:
        at.pills(key="clauses:section").set_value(section)
        run(at)
        assert marked_up(at, names) == []
    through_everything(at)
    assert marked_up(at, names) == []
    assert any(plain(names[0]) in text for _, text in all_texts(at))


def marked_up(at: AppTest, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Places where a name stands unescaped although markup would be read there."""
    return [
        (place, text)
        for place, text in all_texts(at)
        if not place.endswith(AS_IT_IS)
        for name in names
        if name in text
    ]


def test_a_readers_own_verdicts_are_never_taken_for_the_documents() -> None:
    frame = clause_rows.panel_rows(clause_rows.random_rate(7))
    at = with_panel(frame)
    drawn = pl.concat([rows_of(chart) for chart in charts(at) if is_matrix(chart)])
    assert not drawn["varies"].any()
    assert stated.NOT_STATED not in said(at)
    assert "of 20 verdicts are in favour" in said(at)


def test_a_panel_of_one_answer_has_a_reason_in_every_section() -> None:
    at = with_panel(shipped("clauses", "determinations")[0].read().frame.head(1))
    for section in SECTIONS:
        at.pills(key="clauses:section").set_value(section)
        run(at)
        if section == "Clause groups":
            assert any("told apart by kind of contract" in info.value for info in at.info)
