"""Findings as tables, and the sentences made of them."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

from core.choices import Value
from core.studies.composition import sentences, texts
from core.studies.composition import tables as tabulate
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.paths import curves
from core.studies.composition.reduce import CellStatistics, reduce_cells
from tests.core import by_hand


def statistics_of(rows: list[by_hand.Row]) -> CellStatistics:
    return reduce_cells(pl.DataFrame(rows, schema=list(by_hand.COLUMNS), orient="row"))


def comparison(rows: list[by_hand.Row], **changes: Value) -> tabulate.Comparison:
    statistics = statistics_of(rows)
    choices = DECLARATION.planned.replace(**changes)
    return tabulate.compare(statistics, analyse(statistics, choices))


FIRST = {name: list(by_hand.sources()[name, "USA"]) for name in by_hand.ATTRIBUTES}


def even_rows(model: str, position: int, n: int = 30) -> list[by_hand.Row]:
    """One USA cell for each attribute, with all outputs in one category of the source."""
    return [
        (model, "joint", name, "USA", "story", "ceo", FIRST[name][position], n)
        for name in by_hand.ATTRIBUTES
    ]


TWO = [*even_rows("a", 0), *even_rows("b", 1)]


def test_the_model_table_says_what_the_formulas_give() -> None:
    tau = 0.6
    found = tabulate.model_table(comparison(TWO, comparator="equal_category", tau=tau))
    for position, row in enumerate(found.iter_rows(named=True)):
        cells: dict[str, list[float]] = {"geography": [], "equal_category": []}
        for name in by_hand.ATTRIBUTES[1:]:
            key = ("joint", name, "USA", "story", "ceo")
            shares = {c: float(c == FIRST[name][position]) for c in FIRST[name]}
            for which, values in cells.items():
                values.append(by_hand.distance("jsd", shares, by_hand.comparator(which, key) or {}))
        resident, equal = (sum(values) / 3 for values in cells.values())
        assert row["planned"] == pytest.approx(resident)
        assert row["resident"] == pytest.approx(resident)
        assert row["chosen"] == pytest.approx(equal)
        assert row["change"] == pytest.approx(equal - resident)
        moved = [abs(e - g) for g, e in zip(*cells.values(), strict=True)]
        assert row["mean_change"] == pytest.approx(sum(moved) / 3)
        sides = [(g <= 0.6) != (e <= 0.6) for g, e in zip(*cells.values(), strict=True)]
        assert row["share_changed"] == pytest.approx(sum(sides) / 3)
        assert row["verdict_planned"] == ("within" if resident <= 0.2 else "outside")
        assert row["verdict_now"] == ("within" if equal <= 0.6 else "outside")
        assert row["flip"] == (row["verdict_planned"] != row["verdict_now"])
        assert row["cells"] == 3
    assert found["place_planned"].to_list() == found["planned"].rank("min").to_list()


def test_models_that_score_alike_share_a_place() -> None:
    found = tabulate.model_table(comparison([*TWO, *even_rows("c", 0)]))
    places = dict(found.select("model", "place_now").iter_rows())
    assert places["a"] == places["c"]
    assert set(places.values()) in ({1, 3}, {1, 2})


def test_every_level_has_a_row_for_every_model() -> None:
    rows = by_hand.random_rows(5)
    now = comparison(rows, comparator="equal_category")
    models, cells = len(now.names), now.current.statistics.cells.height
    contexts = now.current.weights.grouping.contexts.height
    assert tabulate.model_table(now).height == models
    assert tabulate.attribute_table(now).height == 4 * models
    assert tabulate.context_table(now).height == contexts * models
    assert tabulate.cell_table(now).height == cells * models


def test_no_table_holds_nan() -> None:
    now = comparison(by_hand.random_rows(5), comparator="occupational")
    for make in (
        tabulate.model_table,
        tabulate.attribute_table,
        tabulate.context_table,
        tabulate.cell_table,
    ):
        found = make(now).select(pl.selectors.float())
        assert not found.select(pl.all().is_nan().any()).row(0).count(True)
        assert found.null_count().sum_horizontal().item() > 0


def test_a_regime_is_set_against_the_same_cells_of_the_planned_one() -> None:
    joint = even_rows("m", 0)
    implicit = [(row[0], "implicit", *row[2:]) for row in even_rows("m", 1)]
    now = comparison([*joint, *implicit], regime="implicit", modules=("gender_to_sex",))
    planned = comparison([*joint, *implicit])
    gender = tabulate.cell_table(now).filter(attribute="Gender").row(0, named=True)
    before = tabulate.cell_table(planned).filter(attribute="Gender").row(0, named=True)
    assert gender["planned"] == before["chosen"]
    assert gender["resident"] != gender["planned"]


def own_rows_map(now: tabulate.Comparison, cells: pl.DataFrame) -> pl.DataFrame:
    """Map of the first model of a panel that is not reconstructed."""
    ones = np.ones(now.current.statistics.cells.height, dtype=np.int64)
    return tabulate.map_table(cells, now.current, 0, (ones, 1))


@pytest.mark.parametrize("regime", ["joint", "implicit"])
def test_a_panel_of_one_regime_has_tables_in_both(regime: str) -> None:
    now = comparison(even_rows("m", 0), regime=regime, comparator="equal_category")
    models = tabulate.model_table(now)
    assert models.height == 1
    grid = tabulate.grid_table(
        tabulate.with_basis(models, None, 1),
        tabulate.with_basis(tabulate.attribute_table(now), None, 1),
    )
    assert grid["scope"].to_list() == [
        "Composite",
        "Race/ethnicity",
        "Religion",
        "Sexual orientation",
        "Gender",
    ]
    cells = tabulate.cell_table(now)
    assert cells.height == (4 if regime == "joint" else 0)
    assert own_rows_map(now, cells).height == cells.height
    assert tabulate.context_table(now).height == cells.height
    assert sentences.opening(models, now)
    assert sentences.flips(
        models, now.current.choices, [tabulate.count_flips(cells, now.current.choices)]
    )


def test_models_keep_their_ids_where_a_printed_name_is_taken() -> None:
    names = {row["model_id"]: row["model"] for row in by_hand.read("models")}
    one, printed = next(iter(names.items()))
    usual = statistics_of([*even_rows(one, 0), *even_rows("other", 0)])
    assert tabulate.names_of(usual) == [printed, "other"]
    taken = statistics_of([*even_rows(one, 0), *even_rows(printed, 0)])
    assert sorted(tabulate.names_of(taken)) == sorted([one, printed])


def test_a_cells_composition_is_its_counts_and_both_comparators() -> None:
    religion = FIRST["religion"]
    rows = [
        ("m", "joint", "religion", "USA", "story", "ceo", name, n)
        for name, n in ((religion[0], 18), (religion[1], 6), ("unmapped", 4), ("failed", 2))
    ]
    now = comparison(rows, comparator="equal_category").current
    found = tabulate.composition_table(now, 0, 0)
    assert found["category"].to_list() == religion
    assert found["n"].to_list() == [18, 6] + [0] * (len(religion) - 2)
    assert found["share"].to_list()[:2] == [0.75, 0.25]
    resident = by_hand.resident(("joint", "religion", "USA", "story", "ceo")) or {}
    assert found["resident"].to_list() == pytest.approx(list(resident.values()))
    assert found["comparator"].to_list() == pytest.approx([1 / len(religion)] * len(religion))
    assert tabulate.state_counts(now, 0, 0) == {
        "unspecified": 0,
        "unmapped": 4,
        "ambiguous": 0,
        "failed": 2,
    }


def test_the_map_leaves_out_cells_without_a_source_and_keeps_positions() -> None:
    rows = [*even_rows("m", 0), ("m", "joint", "religion", "MARS", "story", "ceo", "x", 30)]
    now = comparison(rows)
    cells = tabulate.cell_table(now)
    found = own_rows_map(now, cells)
    assert not found["varies"].any()
    assert found.height == 4
    keys = now.current.statistics.cells
    for row in found.iter_rows(named=True):
        assert keys["context"][row["cell"]] == "USA"
    # Gender is not in the planned composite, so it comes last.
    assert found["attribute"].to_list()[-1] == "Gender"


HOSTILE = [
    "<script>alert(1)</script>",
    "[a](javascript:alert(1))",
    "![x](http://example.com/x.png)",
    "**bold** _it_ `code` $x$ :red[y]",
    "# title",
    "&lt;b&gt;",
]


def unescaped(text: str) -> list[str]:
    """Return the signs of markup that are not escaped."""
    return re.findall(r"(?<!\\)(?:\\\\)*[<>`\[\]$*_&]", text)


@pytest.mark.parametrize("position", range(len(HOSTILE)))
def test_names_from_a_panel_are_escaped_in_every_sentence(position: int) -> None:
    name = HOSTILE[position]
    rows = [*even_rows(name, 0), *even_rows("b", 1), *even_rows("gap", 1)[:2]]
    now = comparison(rows, comparator="equal_category", portfolio="model_specific")
    models = tabulate.model_table(now)
    cells = tabulate.cell_table(now)
    choices = now.current.choices
    path = curves(now.current, now.names)
    said = [
        sentences.opening(models, now),
        sentences.flips(models, choices, [tabulate.count_flips(cells, choices)]),
        sentences.order(models, [(name, "b", 0.6)]),
        *sentences.reasons(models),
        texts.swaps(path, [1] * path.crossings.height, 1, [(name, "b", 0.6)]),
        texts.share_changed([0.25], name, choices),
        texts.share_changed([float("nan")], name, choices),
    ]
    assert [unescaped(text) for text in said] == [[]] * len(said)
    assert "gap" in " ".join(sentences.reasons(models))


def test_the_sentences_say_which_way_composites_go() -> None:
    now = comparison(even_rows("m", 1), comparator="equal_category")
    models = tabulate.model_table(now)
    change = models["change"].item()
    word = "falls" if change < 0 else "rises"
    # As its two ends are told, to three digits.
    told = abs(round(models["chosen"].item(), 3) - round(models["resident"].item(), 3))
    assert f"the composite {word} by {told:.3f}" in sentences.opening(models, now)
    planned = comparison(even_rows("m", 1))
    found = sentences.opening(tabulate.model_table(planned), planned)
    assert found == (
        "Against resident-population shares, composite divergence runs from "
        f"{models['resident'].item():.3f}."
    )


def test_without_any_composite_the_sentences_say_so() -> None:
    now = comparison(even_rows("m", 0)[:1])
    models = tabulate.model_table(now)
    assert sentences.opening(models, now) == "No model has a composite under these choices."
    assert sentences.order(models, None) == ""
    assert sentences.reasons(models) == [
        "Cannot compute a composite for any model: No cell of race/ethnicity, religion, sexual "
        "orientation has 20 mapped outputs for every model; a composite needs every chosen "
        "attribute."
    ]
    assert np.isnan(now.current.chosen_composite).all()


def test_flips_are_counted_where_a_number_is_there_in_either_setting() -> None:
    full = even_rows("m", 0)
    now = comparison(full, gate=30, tau=0.2)
    choices = now.current.choices
    assert tabulate.count_flips(tabulate.cell_table(now), choices) == (0, 3)
    # Nobody passes a gate of 30 with 29 outputs, so every planned verdict is lost.
    lost = comparison(even_rows("m", 0, 29), gate=30)
    assert tabulate.count_flips(tabulate.cell_table(lost), lost.current.choices) == (3, 3)
    # With 19 outputs there is no number in either setting.
    none = comparison(even_rows("m", 0, 19), gate=30)
    assert tabulate.count_flips(tabulate.cell_table(none), none.current.choices) == (0, 0)
