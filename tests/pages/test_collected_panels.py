"""Every study page opens on the panel that was collected with the local model."""

from __future__ import annotations

import hashlib

import pytest

from core.panels.catalogue import shipped
from core.studies.about import Study, study
from tests.pages.apps import all_texts, charts, open_study

STANDING = {
    "composition": "No text says who its character is",
    "clauses": "0 of 5 verdicts are in favour",
    "filenames": "None of 4 tests is significant",
    "remedies": "No decision gives a rate to compare",
}
"""What a page says where nothing passes."""


def page_words(name: str) -> str:
    (panel,) = shipped(name, study(name).table, "collected")
    at = open_study(name, panel=panel.hash)
    return "\n".join(text for _, text in all_texts(at)).replace("\\", "")


@pytest.mark.parametrize("known", [study(name) for name in STANDING], ids=lambda known: known.name)
def test_a_study_ships_one_collected_panel_and_its_checksum(known: Study) -> None:
    (panel,) = shipped(known.name, known.table, "collected")
    sums = (panel.path.parent / "SHA256SUMS").read_text("utf-8").splitlines()
    assert f"{hashlib.sha256(panel.path.read_bytes()).hexdigest()}  {panel.path.name}" in sums
    provenance = panel.read().provenance
    assert provenance.kind == "collected"
    assert not provenance.pins
    # A page opens on a reconstruction.
    assert shipped(known.name, known.table)[0].read().provenance.kind == "reconstructed"


@pytest.mark.parametrize("name", list(STANDING))
def test_a_page_opens_on_the_collected_panel_and_says_that_nothing_passes(name: str) -> None:
    said = page_words(name)
    assert ":blue-badge[collected]" in said
    assert STANDING[name] in said
    assert "What this panel cannot say" in said
    assert "reconstructions" not in said


def test_a_panel_in_which_every_text_is_unspecified_says_what_that_means() -> None:
    (panel,) = shipped("composition", "cells", "collected")
    frame = panel.read().frame
    # Each text was asked for four attributes.
    asked = int(frame["n"].sum())
    assert frame["category"].unique().to_list() == ["unspecified"]
    at = open_study("composition", panel=panel.hash)
    said = at.info[0].value.replace("\\", "")
    assert f"{asked:,} answers “unspecified”" in said
    assert "the first option of the question" in said
    assert "tells nothing about the texts" in said
    # No empty chart stands there, and no section that would draw one.
    assert not charts(at)
    offered = next(pills for pills in at.pills if pills.label == "Look further").options
    assert "Uncertainty" not in offered
    for section in offered:
        open_study("composition", panel=panel.hash, section=section)
    linked = open_study("composition", panel=panel.hash, section="Uncertainty")
    assert any("needs scores" in caption.value for caption in linked.caption)
    implicit = open_study("composition", panel=panel.hash, regime="implicit")
    assert not charts(implicit)


def test_occupations_say_that_nothing_is_mapped() -> None:
    (panel,) = shipped("composition", "cells", "collected")
    at = open_study("composition", panel=panel.hash, section="Occupations")
    assert any("no text of these roles" in info.value for info in at.info)
