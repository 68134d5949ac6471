"""What is sent to the browser with each chart: enough to draw it, nothing else, and no more often.

The second part is about speed. The browser keeps a drawing while specification, description and
names of the frames stay the same, and then exchanges only rows.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from core.charts.composition import CELL_FIELDS
from core.studies.composition.choices import DECLARATION
from pages.sections import DETAILS, SECTIONS
from tests.pages.apps import Chart, charts, move, open_composition, pick_cell

VIEWS = [{"section": section, "tau": "0.2"} for section in SECTIONS] + [
    {"comparator": option.value, "detail": detail}
    for option in DECLARATION["comparator"].options
    for detail in DETAILS
]
NAMES = re.compile(r"datum(?:\.(\w+)|\[['\"](.+?)['\"]\])")


def fields(part: Any) -> set[str]:
    """Names of the columns that a part of a specification reads."""
    found: set[str] = set()
    if isinstance(part, dict):
        if isinstance(part.get("field"), str):
            found.add(part["field"])
        for key, value in part.items():
            if key in ("filter", "calculate", "expr", "test") and isinstance(value, str):
                found |= {a or b for a, b in NAMES.findall(value)}
            if key == "fields" and isinstance(value, list):
                found |= set(value)
            found |= fields(value)
    elif isinstance(part, list):
        for each in part:
            found |= fields(each)
    return found


def frame_of(layer: dict[str, Any], chart: Chart) -> str:
    """Name the frame that a layer draws; where all layers draw one, it is named above them."""
    return str((layer.get("data") or chart.specification["data"])["name"])


def read_by(chart: Chart) -> dict[str, set[str]]:
    """Columns that each frame must have, by the layers that draw it."""
    found: dict[str, set[str]] = {name: set() for name in chart.data}
    for layer in chart.specification["layer"]:
        found[frame_of(layer, chart)] |= fields(layer)
    # Streamlit or Altair may put a selection above the layer that it belongs to.
    for parameter in chart.specification.get("params", []):
        for name in found:
            if set(fields(parameter)) <= set(chart.data[name].columns):
                found[name] |= fields(parameter)
    return found


def marks(chart: Chart) -> int:
    """Count the marks of a chart that have a text of their own."""
    return sum(
        chart.data[frame_of(layer, chart)].height
        for layer in chart.specification["layer"]
        if (layer["mark"] if isinstance(layer["mark"], str) else layer["mark"]["type"])
        not in ("line", "area", "trail")
    )


@pytest.mark.parametrize("query", VIEWS, ids=lambda query: "-".join(query.values()))
def test_a_chart_is_sent_the_columns_it_draws_and_no_others(query: dict[str, str]) -> None:
    drawn = charts(open_composition(**query))
    assert drawn
    for chart in drawn:
        for name, needed in read_by(chart).items():
            assert set(chart.data[name].columns) == needed, (chart.alt, name)
        # Above 2,000 marks Streamlit draws on a canvas, where they have no text to be read out.
        assert marks(chart) <= 2_000


SLIDERS = {
    "tau": {"comparator": "equal_category"},
    "gate": {"comparator": "equal_category"},
    "lambda": {"comparator": "mixture"},
    "alpha": {"comparator": "power"},
    "eta": {"section": "Missing labels"},
}


def test_every_slider_is_tried() -> None:
    # Another rate of wrong labels needs new draws, which a button offers.
    sliders = {choice.key for choice in DECLARATION if choice.range is not None}
    assert set(SLIDERS) == sliders - {"rate"}


@pytest.mark.parametrize("key", SLIDERS)
def test_a_slider_exchanges_rows_and_leaves_drawings_as_they_are(key: str) -> None:
    choice = DECLARATION[key]
    assert choice.range is not None
    at = open_composition(tau="0.2", **SLIDERS[key])
    before = charts(at)
    value = choice.opening
    assert isinstance(value, int | float)
    move(at, choice, choice.repaired(value + choice.range.step))
    after = charts(at)
    assert [chart.identity for chart in after] == [chart.identity for chart in before]
    changed = [
        chart.alt
        for chart, was in zip(after, before, strict=True)
        if any(not chart.data[name].equals(was.data[name]) for name in chart.data)
    ]
    assert changed


def test_the_picked_cell_is_framed_on_the_map() -> None:
    at = open_composition(detail="cells")
    for position in (0, -1):
        wanted = pick_cell(at, "place", position)
        cell_map = next(chart for chart in charts(at) if "selected" in chart.data)
        framed = cell_map.data["selected"].row(0, named=True)
        rows = cell_map.data["cells"].filter(**framed)
        assert ", ".join(rows.select(CELL_FIELDS).row(0)) == wanted
