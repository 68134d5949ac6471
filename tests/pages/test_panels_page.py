"""The page of panels: which one is in use, bringing another, the ledger of printed figures."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from core.panels.catalogue import shipped
from core.panels.contract import TableContract
from core.panels.problems import PanelError
from core.panels.provenance import KIND_MEANINGS
from core.panels.read import read_upload
from core.panels.registry import CONTRACTS
from core.studies import about
from core.studies.about import STUDIES, Study
from core.studies.composition.choices import DECLARATION
from core.words import plain
from tests.pages import files
from tests.pages.apps import (
    address,
    move,
    nodes,
    open_app,
    open_panels,
    run,
    shipped_panel,
    switch,
)


def box(at: AppTest) -> Any:
    """The list of panels, of which one is in use."""
    return next(box for box in at.selectbox if box.label.startswith("Panel in use on the page"))


def in_use(at: AppTest) -> str:
    """Hash of the panel that the page says is in use."""
    return str(box(at).value)


def show(at: AppTest, study: Study) -> AppTest:
    """Turn to another study's panels."""
    at.pills(key="panels:study").set_value(study.name)
    return run(at)


def upload(at: AppTest, content: bytes, name: str = "mine.parquet") -> AppTest:
    at.file_uploader[0].set_value((name, content, "application/octet-stream"))
    return run(at)


def kind_badge(at: AppTest) -> str:
    """The kind beside the title of the page."""
    return next(
        node.proto.body for node in nodes(at) if "-badge[" in str(getattr(node, "proto", ""))
    )


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_the_first_shipped_panel_is_in_use_and_told(study: Study) -> None:
    at = show(open_panels(), study)
    panel = shipped(study.name, study.table)[0].read()
    assert in_use(at) == panel.hash
    assert study.title in box(at).label
    told = str([table.value.to_dict() for table in at.table])
    assert f"{panel.provenance.kind}: {KIND_MEANINGS[panel.provenance.kind]}"[:40] in told
    assert f"{panel.frame.height:,}" in told
    assert panel.sha256 in [code.value for code in at.code]


@pytest.mark.parametrize("hash_", [panel.hash for panel in shipped("composition", "cells")])
def test_every_shipped_panel_can_be_put_to_use(hash_: str) -> None:
    at = switch(open_app(), "panels")
    box(at).set_value(hash_)
    run(at)
    assert in_use(at) == hash_
    switch(at, "composition")
    move(at, DECLARATION["tau"], 0.3)
    assert at.query_params["panel"] == hash_


def test_a_good_file_is_used_as_imported_and_stays() -> None:
    at = switch(open_app(), "panels")
    content = files.one_model()
    upload(at, content)
    panel = read_upload(content, "mine")
    assert in_use(at) == panel.hash
    assert panel.hash in at.success[0].value
    assert "imported" in str(at.table[0].value.to_dict())
    switch(at, "composition")
    assert "imported" in kind_badge(at)
    assert len(at.pills(key="composition:focus").options) == 1
    move(at, DECLARATION["tau"], 0.3)
    assert at.query_params["panel"] == panel.hash
    switch(at, "panels")
    assert in_use(at) == panel.hash


def test_going_back_to_a_shipped_panel_keeps_the_upload_at_hand() -> None:
    at = switch(open_app(), "panels")
    content = files.one_model()
    upload(at, content)
    box(at).set_value(shipped_panel().hash)
    run(at)
    assert in_use(at) == shipped_panel().hash
    switch(at, "composition")
    assert "imported" not in kind_badge(at)
    switch(at, "panels")
    assert any(read_upload(content, "mine").hash in option for option in box(at).options)


def test_a_link_to_an_upload_of_this_session_finds_it() -> None:
    at = switch(open_app(), "panels")
    content = files.one_model()
    upload(at, content)
    box(at).set_value(shipped_panel().hash)
    run(at)
    at.query_params.clear()
    at.query_params.update({"panel": read_upload(content, "mine").hash, "tau": "0.3"})
    at.switch_page("../composition.py")
    run(at)
    assert "imported" in kind_badge(at)
    assert address(at)["tau"] == 0.3


@pytest.mark.parametrize("what", files.bad())
def test_a_bad_file_says_what_to_mend_and_changes_nothing(what: str) -> None:
    content = files.bad()[what]
    with pytest.raises(PanelError) as caught:
        read_upload(content, "mine")
    at = open_panels()
    upload(at, content)
    assert not at.success
    assert in_use(at) == shipped_panel().hash
    assert f"{len(caught.value.problems)} thing" in at.error[0].value
    shown = next(frame.value for frame in at.dataframe if "what to do" in frame.value.columns)
    assert shown["what to do"].to_list() == [p.todo for p in caught.value.problems]
    assert shown["found"].to_list() == [p.found for p in caught.value.problems]


def test_a_bad_file_after_a_good_one_leaves_the_good_one_in_use() -> None:
    at = switch(open_app(), "panels")
    content = files.one_model()
    upload(at, content)
    upload(at, files.bad()["truncated"], "worse.parquet")
    assert at.error
    assert in_use(at) == read_upload(content, "mine").hash


def test_a_file_with_a_strange_name_is_named_as_text() -> None:
    name = "**a** <b>b</b> [c](javascript:alert(1)).parquet"
    at = switch(open_app(), "panels")
    upload(at, files.bad()["text"], name)
    assert plain(name) in at.error[0].value
    upload(at, files.one_model(), name)
    assert plain(name.removesuffix(".parquet")) in at.success[0].value


def links(at: AppTest) -> dict[str, str]:
    """Labels and addresses of the links on the page."""
    return {node.proto.label: node.proto.page for node in at.get("page_link")}


def test_after_an_import_the_page_turns_to_its_study_and_leads_there() -> None:
    at = switch(open_app(), "panels")
    frame = shipped("clauses", "determinations")[0].read().frame
    upload(at, files.parquet(frame.head(500)))
    assert at.success
    assert at.pills(key="panels:study").value == "clauses"
    known = about.study("clauses")
    assert links(at) == {f"Go to “{known.title}” with this panel": known.path}
    assert "imported" in str(at.table[0].value.to_dict())


def test_the_overview_says_that_its_cards_stay_on_the_shipped_panels() -> None:
    at = open_app()
    before = links(at)
    assert not [text for text in at.caption if "Your own panel" in text.value]
    upload(switch(at, "panels"), files.one_model())
    switch(at, "overview")
    (line,) = [text.value for text in at.caption if "Your own panel" in text.value]
    assert "The cards below stay on the panels that ship with Hinge." in line
    known = about.study("composition")
    assert set(links(at).items()) - set(before.items()) == {(known.title, known.path)}


@pytest.mark.parametrize(
    ("name", "todo"),
    [
        ("x.jsonl", "pl.read_ndjson('x.jsonl').write_parquet("),
        ("x.CSV", "pl.read_csv('x.CSV').write_parquet("),
        ("x.docx", "frame.write_parquet("),
    ],
)
def test_a_file_of_another_kind_is_answered_by_its_name(name: str, todo: str) -> None:
    at = open_panels()
    upload(at, files.one_model(), name)
    assert plain(name) in at.error[0].value
    shown = next(frame.value for frame in at.dataframe if "what to do" in frame.value.columns)
    assert name in shown["found"][0]
    assert shown["expected"][0].startswith("a parquet file with the columns")
    assert todo in shown["what to do"][0]
    assert in_use(at) == shipped_panel().hash


def test_the_row_shape_of_a_file_can_be_chosen() -> None:
    at = switch(open_app(), "panels")
    frame = shipped("clauses", "determinations")[0].read().frame
    content = files.parquet(frame.head(500).select("fairness", "sample"))
    upload(at, content)
    assert "Held against no row shape" in at.error[0].value
    at.selectbox(key="panels:shape").set_value("Clauses: determinations")
    run(at)
    assert "clauses / determinations, because you chose this one" in at.error[0].value


def test_whole_numbers_stored_as_double_are_noted() -> None:
    at = switch(open_app(), "panels")
    frame = shipped_panel().frame
    upload(at, files.parquet(frame.with_columns(pl.col("n").cast(pl.Float64))))
    assert any(text.value.startswith("The column n is stored") for text in at.caption)


def test_a_panel_of_another_table_does_not_take_the_place_of_cells() -> None:
    at = switch(open_app(), "panels")
    upload(at, files.evidence())
    assert not at.error
    assert in_use(at) == shipped_panel().hash
    switch(at, "composition")
    assert "imported" not in kind_badge(at)
    switch(at, "panels")


WITH_A_PAGE = {study.name for study in about.STUDIES}


@pytest.mark.parametrize(
    "contract",
    [contract for contract in CONTRACTS if contract.study in WITH_A_PAGE],
    ids=lambda contract: contract.table,
)
def test_row_shapes_are_those_of_the_contracts(contract: TableContract) -> None:
    at = show(open_panels(), about.study(contract.study))
    shown = [frame.value for frame in at.dataframe if "meaning" in frame.value.columns]
    assert [tuple(frame["column"]) for frame in shown].count(contract.names) == 1


def ledger(at: AppTest) -> Any:
    """The ledger as shown, in pandas."""
    return next(frame.value for frame in at.dataframe if "figure_id" in frame.value.columns)


def shown_line(at: AppTest) -> str:
    return next(caption.value for caption in at.caption if caption.value.endswith(" shown."))


@pytest.mark.parametrize("label", ["Status", "Basis"])
def test_ledger_filters_show_exactly_what_they_name(label: str) -> None:
    at = open_panels()
    whole = ledger(at)
    column = label.lower()
    options = next(b for b in at.multiselect if b.label == label).options
    assert set(options) == set(whole[column])
    for option in options:
        next(b for b in at.multiselect if b.label == label).set_value([option])
        run(at)
        rows = ledger(at)
        assert set(rows[column]) == {option}
        assert len(rows) == (whole[column] == option).sum()
        assert shown_line(at).startswith(f"{len(rows):,} ")


def test_pinned_and_other_figures_make_up_the_ledger() -> None:
    at = open_panels()
    whole = ledger(at)
    heights = {}
    for option in ("pinned", "not pinned", "all"):
        next(b for b in at.selectbox if b.label == "Pinned").set_value(option)
        run(at)
        heights[option] = len(ledger(at))
    assert heights["pinned"] + heights["not pinned"] == heights["all"] == len(whole)
    assert heights["pinned"] == whole["pinned"].sum()


@pytest.mark.parametrize("text", ["table 21", "(", "no such figure", "%", "*"])
def test_the_ledger_is_searched_for_text_as_it_stands(text: str) -> None:
    at = open_panels()
    whole = ledger(at)
    at.text_input[0].set_value(text)
    run(at)
    joined = (whole["figure_id"] + " " + whole["locator"]).str.lower()
    assert len(ledger(at)) == joined.str.contains(text.lower(), regex=False).sum()


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_study_with_a_reconstruction_has_a_ledger(study: Study) -> None:
    at = show(open_panels(), study)
    assert not at.warning
    assert len(ledger(at)) > 0
