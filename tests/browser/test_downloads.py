"""Files that a reader takes away say what they are."""

from __future__ import annotations

import io
import json
import re
import struct
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
from playwright.sync_api import Locator, Page, expect

from core.panels.catalogue import shipped
from core.studies.composition import tables
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.reduce import reduce_cells
from tests.browser.helpers import no_exception, open_page, settled

PATH = "/who-is-generated?comparator=mixture&lambda=0.3&tau=0.35"
CHOICES = DECLARATION.opening.replace(comparator="mixture", tau=0.35, **{"lambda": 0.3})


def taken(page: Page, button: Locator) -> tuple[str, bytes]:
    """Click a download button and return the file's name and content."""
    with page.expect_download() as event:
        button.click()
    name = event.value.suggested_filename
    content = Path(event.value.path()).read_bytes()
    no_exception(page)
    return name, content


def says_what_it_is(text: str) -> None:
    """See that a file carries study, panel, kind and every choice."""
    panel = shipped("composition", "cells")[0].read()
    assert "study composition" in text
    assert panel.sha256 in text
    assert f"Kind: {panel.provenance.kind}" in text
    for line in DECLARATION.export_lines(CHOICES):
        assert line in text


def test_tables_as_csv_and_parquet(page: Page) -> None:
    open_page(page, PATH)
    page.get_by_text("Tables and downloads").click()
    settled(page)
    statistics = reduce_cells(shipped("composition", "cells")[0].read().frame)
    comparison = tables.compare(statistics, analyse(statistics, CHOICES))
    table = page.get_by_role("radiogroup", name="Table")
    for level, expected in (
        ("Models", tables.model_table(comparison)),
        ("Cells", tables.cell_table(comparison)),
    ):
        table.get_by_role("radio", name=level, exact=True).click()
        settled(page)
        page.get_by_role("button", name="Table as file").last.click()
        settled(page)
        name, content = taken(page, page.get_by_role("button", name="Table as CSV"))
        assert name == f"hinge-composition-{level.lower()}.csv"
        head = "".join(ln for ln in content.decode().splitlines(True) if ln.startswith("# "))
        says_what_it_is(head)
        rows = pl.read_csv(content, comment_prefix="# ")
        assert rows["chosen"].to_list() == expected["chosen"].to_list()
        assert rows["verdict_now"].to_list() == expected["verdict_now"].to_list()
        name, content = taken(page, page.get_by_role("button", name="Table as parquet"))
        assert name.endswith(".parquet")
        kept = pq.read_table(io.BytesIO(content))
        says_what_it_is("\n".join(json.loads(kept.schema.metadata[b"hinge.about"])))
        assert kept["chosen"].to_pylist() == expected["chosen"].to_list()
        page.get_by_role("dialog").get_by_role("button", name="Close").click()


def test_a_chart_as_svg_and_png(page: Page) -> None:
    open_page(page, PATH)
    heading = page.get_by_role("main").get_by_role("heading", level=3).first
    title = heading.inner_text()
    reading = page.get_by_test_id("stCaptionContainer").filter(has_text="Hollow").first.inner_text()
    menu = page.get_by_role("button", name="As text or file").first
    menu.click()
    words = page.get_by_role("dialog")
    expect(words).to_contain_text("Composite divergence of each model")
    name, content = taken(page, page.get_by_role("button", name="Chart as SVG"))
    assert name == "hinge-models.svg"
    svg = content.decode()
    assert svg.startswith("<svg")
    text = " ".join(re.sub(r"<[^>]+>", " ", svg).split())
    assert title in text
    # Long lines are broken in the picture.
    joined = text.replace(" ", "")
    panel = shipped("composition", "cells")[0].read()
    wanted = [panel.sha256, f"Kind: {panel.provenance.kind}", *DECLARATION.export_lines(CHOICES)]
    for line in (reading, *wanted):
        assert "".join(line.split()) in joined
    assert not re.search(r"(href|src)=\"(?!#)", svg), "a picture must stand alone"
    name, content = taken(page, page.get_by_role("button", name="Chart as PNG"))
    assert name == "hinge-models.png"
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert width > 1000
    assert height > 400


def test_rows_of_the_panel_as_csv(page: Page) -> None:
    open_page(page, "/data-and-provenance")
    panel = shipped("composition", "cells")[0].read()
    _, content = taken(page, page.get_by_role("button", name="Rows as CSV").first)
    assert panel.sha256 in content.decode().splitlines()[0]
    rows = pl.read_csv(content, comment_prefix="# ")
    assert rows.height == panel.frame.height
    assert rows["n"].sum() == panel.frame["n"].sum()
