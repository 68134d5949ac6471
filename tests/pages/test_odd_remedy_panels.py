"""The remedies page with readers' own panels that lack something, or are full of markup."""

from __future__ import annotations

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from core.words import plain
from pages.sections.remedies import SECTIONS
from tests.core import remedy_panels as panels
from tests.pages import files
from tests.pages.apps import all_texts, charts, open_app, run, switch
from tests.pages.test_text_is_text import marked_up

SIZE = 12
ROWS = panels.drawn(3, SIZE)
FULL = panels.with_experiments(3, SIZE)
NAMES = {panels.MINI: files.NASTY[0], panels.FIVE: files.NASTY[2], panels.JEV: files.NASTY[4]}


def certain(tier: int, p2: int) -> pl.DataFrame:
    """The same answer everywhere."""
    given = pl.col("p0").is_not_null()
    return ROWS.with_columns(
        tier=pl.when(pl.col("tier").is_not_null()).then(pl.lit(tier, dtype=pl.Int64)),
        p0=pl.when(given).then(pl.lit(0, dtype=pl.Int64)),
        p1=pl.when(given).then(pl.lit(100 - p2, dtype=pl.Int64)),
        p2=pl.when(given).then(pl.lit(p2, dtype=pl.Int64)),
    )


ODD = {
    "missing guises": ROWS.gather_every(3),
    "one bank": ROWS.filter(pl.col("bank") == panels.MINI),
    "one order": ROWS.filter(pl.col("order").is_null() | (pl.col("order") == "o012")),
    "labels only": ROWS.filter(pl.col("tier").is_not_null()),
    "probabilities only": ROWS.filter(pl.col("tier").is_null()),
    "no money": certain(1, 0),
    "all money": certain(2, 100),
    "one complaint": ROWS.filter(pl.col("complaint") == "c0001"),
    "edits only": FULL.filter(pl.col("edit") != "guise"),
    "another sample": ROWS.with_columns(panel=pl.lit("<b>mine</b>")),
    "without a second scoring": FULL.filter(pl.col("repeat") == 0),
}

SAYS = {
    "no money": "No decision is monetary",
    "all money": "Every decision is monetary",
    "one complaint": "Fewer than two complaints",
    "edits only": "no guises that anybody decided",
    "probabilities only": "no volume to match",
}
"""What the page says at once; the others have a reason in their sections."""

SAYS_IN = {
    ("one bank", "Same complaint apart"): "the panel has one bank",
    ("one bank", "Sources of variation"): "One bank of texts only",
    ("one order", "Sources of variation"): "One option order only",
    ("labels only", "Rules"): "its label is the only rule",
    ("labels only", "Referral"): "Every system of this panel answers with a tier",
    ("one order", "Channels"): "no scores of how texts are written",
    ("one order", "Audit"): "no audited guises",
    ("one order", "Mitigation"): "no standardised texts",
    ("one order", "Fact edits"): "no edited texts",
}


def with_panel(frame: pl.DataFrame, *more: tuple[str, pl.DataFrame]) -> AppTest:
    """Bring a panel of decisions, and other tables of the same name."""
    at = switch(open_app(), "panels")
    for table, rows in (("decisions", frame), *more):
        content = files.parquet(rows, files.cells("remedies", table))
        at.file_uploader[0].set_value((f"{table}-mine.parquet", content, ""))
        run(at)
        assert at.success, [error.value for error in at.error]
    return switch(at, "remedies")


def look_at(at: AppTest, section: str) -> AppTest:
    at.pills(key="remedies:section").set_value(section)
    return run(at)


def said(at: AppTest) -> str:
    elements = (*at.info, *at.warning, *at.header, *at.markdown, *at.caption)
    return "\n".join(e.value for e in elements).replace("\\", "")


@pytest.mark.parametrize("name", ODD)
def test_the_page_says_why_and_shows_the_rest(name: str) -> None:
    at = with_panel(ODD[name])
    assert SAYS.get(name, "") in said(at)
    if name == "edits only":
        return
    for section in SECTIONS:
        look_at(at, section)
        assert SAYS_IN.get((name, section), "") in said(at), section


@pytest.mark.parametrize("rule", ["mean6", "majority6"])
def test_a_rule_over_orders_needs_them(rule: str) -> None:
    at = look_at(with_panel(ODD["one order"]), "Rules")
    at.selectbox(key="remedies:rule").set_value(rule)
    run(at)
    assert "needs several option orders" in said(at)


def test_other_tables_of_the_same_name_are_used() -> None:
    at = with_panel(
        FULL,
        ("attributes", panels.attributes_of(3, SIZE)),
        ("audit", panels.audit_of(3, SIZE)),
    )
    for section in ("Channels", "Audit"):
        look_at(at, section)
        assert charts(at)
        assert "The panel has no" not in said(at)
    assert "published" not in {e.label for e in at.expander}


@pytest.mark.parametrize("section", SECTIONS)
def test_names_are_text(section: str) -> None:
    renamed = ROWS.with_columns(pl.col("system", "bank").replace(NAMES))
    at = with_panel(renamed)
    look_at(at, section)
    assert marked_up(at) == []
    assert any(plain(name) in text for _, text in all_texts(at) for name in NAMES.values())
