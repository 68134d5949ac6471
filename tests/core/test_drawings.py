"""Charts: valid specifications that a slider leaves alone, over frames with nothing to spare."""

from __future__ import annotations

import itertools
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import polars as pl
import pytest

from core.charts import composition as charts
from core.charts.drawing import Drawing
from core.charts.grid import verdict_grid
from core.charts.marks import Look
from core.charts.theme import DARK, LIGHT, Palette, contrast, mixed
from core.choices import Value
from core.studies.composition import tables as tabulate
from core.studies.composition import texts
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.paths import curves
from core.studies.composition.reduce import CellStatistics, reduce_cells
from core.studies.composition.thresholds import step_frame
from tests.core import by_hand

HOSTILE = "</text><script>alert(1)</script> & 'x' \"y\""


@cache
def statistics(name: str = "zebra") -> CellStatistics:
    """A panel whose models all have composites under the settings used here."""
    rows = [row for seed in (0, 4) for row in by_hand.random_rows(seed)]
    unique = {row[:-1]: row for row in rows}
    renamed = [(row[0].replace("zebra", name), *row[1:]) for row in unique.values()]
    return reduce_cells(pl.DataFrame(renamed, schema=list(by_hand.COLUMNS), orient="row"))


@cache
def comparison(name: str, changes: tuple[tuple[str, Value], ...]) -> tabulate.Comparison:
    settings = {"comparator": "mixture", "lambda": 0.5, "portfolio": "source_scoreable"}
    choices = DECLARATION.planned.replace(**settings | dict(changes))
    return tabulate.compare(statistics(name), analyse(statistics(name), choices))


def models_of(found: tabulate.Comparison) -> pl.DataFrame:
    return tabulate.with_basis(tabulate.model_table(found), None, 1)


def draw_models(found: tabulate.Comparison, look: Look) -> Drawing:
    choices = found.current.choices
    unit, tau = texts.measure_axis(choices), choices.number("tau")
    return charts.model_comparison(models_of(found), tau=tau, unit=unit, look=look)


def draw_verdicts(found: tabulate.Comparison, look: Look) -> Drawing:
    attributes = tabulate.with_basis(tabulate.attribute_table(found), None, 1)
    return verdict_grid(tabulate.grid_table(models_of(found), attributes), look=look)


def draw_path(found: tabulate.Comparison, look: Look) -> Drawing:
    path = curves(found.current, found.names)
    return charts.path(
        path.lines,
        path.crossings,
        position=path.position,
        reversed_axis=path.path == "power",
        x_title=texts.PATH_AXES[path.path],
        y_title=texts.measure_axis(found.current.choices),
        look=look,
    )


def draw_tolerance(found: tabulate.Comparison, look: Look) -> Drawing:
    choices = found.current.choices
    return charts.threshold_curves(
        step_frame(found.current, found.names, look.focus),
        tau=choices.number("tau"),
        unit=texts.measure_axis(choices),
        names=texts.threshold_names(choices),
        look=look,
    )


def tiles_of(found: tabulate.Comparison, look: Look) -> pl.DataFrame:
    ones = np.ones(found.current.statistics.cells.height, dtype=np.int64)
    cells = tabulate.cell_table(found)
    return tabulate.map_table(cells, found.current, look.names.index(look.focus), (ones, 1))


def draw_cells(found: tabulate.Comparison, look: Look) -> Drawing:
    tiles = tiles_of(found, look)
    first = tiles.row(0, named=True)
    return charts.cell_map(
        tiles,
        unit=texts.measure_axis(found.current.choices),
        selected=(first["place"], first["role"], first["format"]),
        look=look,
    )


def draw_composition(found: tabulate.Comparison, look: Look) -> Drawing:
    model = look.names.index(look.focus)
    cell = tiles_of(found, look).row(0, named=True)["cell"]
    return charts.composition_bars(
        tabulate.composition_table(found.current, model, cell),
        names=(texts.RESIDENT, texts.comparator_name(found.current.choices)),
        look=look,
    )


CHARTS: dict[str, Callable[[tabulate.Comparison, Look], Drawing]] = {
    "models": draw_models,
    "verdicts": draw_verdicts,
    "path": draw_path,
    "tolerance": draw_tolerance,
    "cells": draw_cells,
    "composition": draw_composition,
}


def draw(
    chart: str,
    *,
    colours: Palette = LIGHT,
    name: str = "zebra",
    focus: int = 0,
    **changes: Value,
) -> Drawing:
    """Draw a chart of the page under one specification."""
    found = comparison(name, tuple(changes.items()))
    return CHARTS[chart](found, Look(colours, tuple(found.names), found.names[focus]))


EACH = pytest.mark.parametrize("chart", CHARTS)


def units(specification: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Go through the layers of a chart, each with the name of its data."""
    for layer in specification.get("layer", []):
        yield from units({"data": specification.get("data"), **layer})
    if "mark" in specification:
        yield specification


def fields_of(specification: Any) -> set[str]:
    """Find every field that is encoded, told on hover, selected or asked for in an expression."""
    text = json.dumps(specification)
    found = set(re.findall(r'"field": "([^"]+)"', text))
    found |= set(re.findall(r"datum\.(\w+)", text)) - {"label", "value", "index"}
    return found | {"value"} if re.search(r'"field": "value"', text) else found


@EACH
@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_a_specification_is_valid(chart: str, colours: Palette) -> None:
    drawing = draw(chart, colours=colours)
    found = alt.LayerChart.from_dict(drawing.for_file(), validate=True)
    assert found.to_dict(validate=True)["layer"]


@EACH
def test_frames_hold_what_is_drawn_or_told_and_nothing_else(chart: str) -> None:
    drawing = draw(chart)
    specification = json.loads(drawing.specification)
    used: dict[str, set[str]] = defaultdict(set)
    for unit in units(specification):
        used[unit["data"]["name"]] |= fields_of(unit)
        for parameter in unit.get("params", []):
            used[unit["data"]["name"]] |= set(parameter["select"]["fields"])
    held = {name: set(frame.columns) for name, frame in drawing.data.items()}
    assert held == dict(used)


@EACH
def test_frames_hold_no_missing_numbers_that_are_not_null(chart: str) -> None:
    for frame in draw(chart, comparator="equal_category", gate=27).data.values():
        numbers = frame.select(pl.selectors.float())
        assert not any(series.is_nan().any() for series in numbers)
    # Strict JSON has no NaN.
    json.dumps(draw(chart).for_file(), allow_nan=False)


@EACH
def test_moving_the_tolerance_exchanges_rows_only(chart: str) -> None:
    before = draw(chart, tau=0.2)
    for tau in (0.0, 0.07, 0.5, 1.0):
        assert draw(chart, tau=tau).specification == before.specification


@pytest.mark.parametrize("chart", ["models", "verdicts", "path", "tolerance", "cells"])
def test_moving_the_weight_of_a_mixture_exchanges_rows_only(chart: str) -> None:
    before = draw(chart, **{"lambda": 0.4})
    after = draw(chart, **{"lambda": 0.45})
    assert after.specification == before.specification
    assert any(not after.data[name].equals(frame) for name, frame in before.data.items())


@EACH
def test_the_same_choices_draw_the_same(chart: str) -> None:
    one, other = draw(chart), draw(chart)
    assert one.specification == other.specification
    assert all(other.data[name].equals(frame) for name, frame in one.data.items())


@EACH
def test_another_model_in_focus_takes_its_own_colour(chart: str) -> None:
    first, second = draw(chart, focus=0), draw(chart, focus=1)
    if chart in ("models", "verdicts"):
        assert first.specification == second.specification
    else:
        assert first.specification != second.specification


def test_a_comparator_that_lies_on_no_path_has_no_place_on_it() -> None:
    off = draw("path", comparator="custom")
    on = draw("path", comparator="equal_category")
    assert off.data["slider"].is_empty()
    assert off.data["now"].is_empty()
    assert on.data["slider"]["value"].to_list() == [1.0]
    assert on.data["now"].height == on.data["curves"]["model"].n_unique()
    assert off.specification != draw("path", comparator="power", alpha=0.5).specification


def test_labels_at_the_end_of_a_path_do_not_touch() -> None:
    for path in ("mixture", "power"):
        drawing = draw("path", comparator=path)
        curves = drawing.data["curves"]["composite"]
        gap = (curves.max() - curves.min()) / 14
        places = drawing.data["ends"]["label_at"].sort().to_list()
        apart = [high - low for low, high in itertools.pairwise(places)]
        assert len(places) == drawing.data["curves"]["model"].n_unique() > 1
        assert min(apart) >= gap - 1e-9


def test_the_slider_stands_where_the_tolerance_is() -> None:
    for chart in ("models", "tolerance"):
        assert draw(chart, tau=0.35).data["slider"]["value"].to_list() == [0.35]


def test_the_models_stand_in_the_order_of_their_planned_places() -> None:
    drawing = draw("models")
    panel = statistics()
    planned = analyse(panel, DECLARATION.planned)
    frame = drawing.data["models"]
    scores = dict(zip(tabulate.names_of(panel), planned.chosen_composite, strict=True))
    given = [scores[name] for name in frame["model"] if not np.isnan(scores[name])]
    assert given == sorted(given)
    order = json.loads(drawing.specification)["layer"][0]["encoding"]["y"]["sort"]
    assert order == frame["model"].to_list()


def test_cells_that_do_not_count_have_no_verdict_and_no_ring() -> None:
    frame = draw("cells", portfolio="model_specific", gate=27).data["cells"]
    idle = frame.filter(pl.col("symbol") == "·")
    assert 0 < idle.height < frame.height
    assert not idle["flip"].any()
    silent = frame["told"].str.contains("does not count (too few", literal=True)
    assert silent.to_list() == (frame["symbol"] == "·").to_list()


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_signs_on_a_map_have_the_ink_that_can_be_seen(colours: Palette) -> None:
    drawing = draw("cells", colours=colours, measure="root_jsd")
    tiles = next(units(json.loads(drawing.specification)))
    scale = tiles["encoding"]["color"]["scale"]
    # Shades are mixed linearly, as the choice of ink assumes.
    assert (scale["domain"], scale["interpolate"]) == ([0, 1], "rgb")
    counting = drawing.data["cells"].filter(pl.col("chosen").is_not_null())
    assert counting["chosen"].max() > 0.6
    for chosen, dark in counting.select("chosen", "dark").iter_rows():
        shade = mixed(*scale["range"], chosen)
        assert contrast(colours.background if dark else colours.text, shade) >= 3


def test_bars_name_their_counts_and_shares() -> None:
    drawing = draw("composition")
    shares = drawing.data["bars"]
    assert shares["share"].sum() == pytest.approx(1)
    counts = [int(label.split(" ")[0]) for label in shares["label"]]
    assert [count / sum(counts) for count in counts] == pytest.approx(shares["share"].to_list())
    marks = drawing.data["marks"]
    totals = marks.group_by("comparator_name").agg(pl.col("value").sum())
    assert totals["value"].to_list() == pytest.approx([1, 1])


@EACH
def test_names_are_data_and_never_code(chart: str) -> None:
    drawing = draw(chart, name=HOSTILE)
    specification = json.loads(drawing.specification)
    alt.LayerChart.from_dict(drawing.for_file(), validate=True)

    def expressions(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for key, value in part.items():
                if key in ("labelExpr", "filter", "expr", "calculate", "test"):
                    yield json.dumps(value)
                yield from expressions(value)
        elif isinstance(part, list):
            for value in part:
                yield from expressions(value)

    assert not any("script" in text for text in expressions(specification))


def test_a_page_gets_frames_and_a_file_gets_rows() -> None:
    drawing = draw("models")
    page, file = drawing.for_page(), drawing.for_file()
    assert pl.DataFrame(page["datasets"]["models"]).equals(drawing.data["models"])
    assert file["datasets"]["models"] == drawing.data["models"].to_dicts()
    assert {k: v for k, v in page.items() if k != "datasets"} == json.loads(drawing.specification)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_no_mark_fades_below_its_contrast(colours: Palette) -> None:
    for chart in CHARTS:
        specification = json.loads(draw(chart, colours=colours).specification)
        for mark in (unit["mark"] for unit in units(specification)):
            assert mark.get("opacity", 1) == 1
            assert mark.get("strokeOpacity", 1) == 1
            # A pale fill needs an outline that is not.
            assert mark.get("fillOpacity", 1) == 1 or mark["stroke"] in colours.hues


def test_a_look_needs_its_model() -> None:
    look = Look(LIGHT, ("a", "b"), "b")
    assert look.hue == LIGHT.hues[1]
    with pytest.raises(ValueError, match="not in"):
        _ = replace(look, focus="c").hue
