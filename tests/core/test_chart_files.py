"""Charts as files: title, choices, hash and kind are on them, and nothing in them runs."""

from __future__ import annotations

import re
import struct
import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import pairwise

import polars as pl
import pytest

from core.charts.drawing import Drawing, named, specification
from core.charts.export import bare_chart, chart_file
from core.charts.marks import planned_shape
from core.charts.theme import DARK, LIGHT, Palette
from core.export import about
from core.panels.read import Panel, read_upload
from core.studies.composition.choices import DECLARATION
from tests.core.panel_files import columns, parquet
from tests.core.test_drawings import CHARTS, HOSTILE, draw

TITLE = "Each model against equal categories"
SVG = "{http://www.w3.org/2000/svg}"


@cache
def panel() -> Panel:
    return read_upload(parquet(columns()), "my panel")


def caption() -> list[str]:
    return about(panel(), DECLARATION, DECLARATION.planned.replace(tau=0.3))


def svg(chart: str, *, colours: Palette = LIGHT, name: str = "zebra", title: str = TITLE) -> str:
    drawing = draw(chart, colours=colours, name=name)
    return chart_file(drawing, title=title, caption=caption(), form="svg").decode("utf-8")


def words(image: str) -> str:
    """Everything written on an image."""
    root = ElementTree.fromstring(image)
    return " ".join(part for text in root.iter(f"{SVG}text") for part in text.itertext())


@pytest.mark.parametrize("chart", CHARTS)
def test_an_svg_file_says_what_it_shows(chart: str) -> None:
    written = words(svg(chart))
    assert TITLE in written
    assert panel().sha256 in written
    assert "Kind: imported" in written
    assert "Tolerance: 0.30 (planned: 0.20)" in written
    assert "Departs from the planned setting in: Tolerance" in written


def test_a_drawing_of_the_dark_page_makes_a_file_too() -> None:
    assert TITLE in words(svg("models", colours=DARK))


def test_long_lines_are_wrapped_and_none_is_lost() -> None:
    title = " ".join(f"word{number}" for number in range(60))
    written = words(svg("models", title=title)).split()
    assert [word for word in written if word.startswith("word")] == title.split()


@pytest.mark.parametrize("chart", CHARTS)
def test_names_from_a_panel_are_written_and_never_run(chart: str) -> None:
    image = svg(chart, name=HOSTILE, title=f"About {HOSTILE}")
    root = ElementTree.fromstring(image)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert not tags & {"script", "foreignObject", "image", "a", "iframe"}
    assert "<script" not in image
    handlers = [
        name for element in root.iter() for name in element.attrib if name.lower().startswith("on")
    ]
    assert handlers == []
    assert "alert(1)" in words(image)


def test_an_svg_file_needs_nothing_from_elsewhere() -> None:
    root = ElementTree.fromstring(svg("cells"))
    values = [value for element in root.iter() for value in element.attrib.values()]
    assert not [value for value in values if "://" in value or value.startswith("//")]


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_a_png_file_is_one_at_twice_the_size(colours: Palette) -> None:
    drawing = draw("composition", colours=colours)
    image = chart_file(drawing, title=TITLE, caption=caption(), form="png")
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert image.rstrip().endswith(b"IEND\xaeB`\x82")
    width, height = struct.unpack(">II", image[16:24])
    assert width > 2 * 720
    assert height > 100


def test_the_same_drawing_gives_the_same_file() -> None:
    assert svg("verdicts") == svg("verdicts")


def test_a_file_draws_an_opposite_planned_verdict_whole() -> None:
    """A triangle that points down, and a bar over it: no side gets lost on the way to a file."""
    frame = pl.DataFrame({"verdict": ["opposite"]})
    mark = named("verdicts").mark_point(size=400).encode(shape=planned_shape("verdict"))
    drawing = Drawing(specification(LIGHT, [mark], height=40), {"verdicts": frame})
    root = ElementTree.fromstring(bare_chart(drawing, form="svg"))
    (outline,) = [
        e.attrib["d"] for e in root.iter(f"{SVG}path") if e.attrib.get("stroke-width") == "2"
    ]
    sides = set()
    for part in outline.split("M")[1:]:
        corners = [tuple(map(float, point.split(","))) for point in re.split("[LZ]", part) if point]
        sides |= {frozenset(side) for side in pairwise(corners)}
    # The library draws an outline at half the root of the mark's size: here 10 times as large.
    left, right, tip = (-10.0, -4.5), (10.0, -4.5), (0.0, 10.0)
    bar = frozenset({(-10.0, -10.0), (10.0, -10.0)})
    triangle = {frozenset(side) for side in ((left, right), (right, tip), (tip, left))}
    assert sides == {*triangle, bar}
