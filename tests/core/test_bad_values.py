"""Uploads whose columns or values break the row contract: every problem is named, none raises."""

from __future__ import annotations

import io
import math
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from core.panels import registry
from core.panels.catalogue import shipped
from core.panels.contract import Column, TableContract
from core.panels.problems import PanelError
from core.panels.read import read_panel_bytes, read_upload
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse, reason
from core.studies.composition.reduce import reduce_cells
from tests.core.panel_files import (
    accepted,
    cells,
    columns,
    parquet,
    refused,
    rows_of,
    sentences,
)

USUAL = accepted(parquet(columns())).frame


def without(*names: str) -> dict[str, Any]:
    return {name: values for name, values in columns().items() if name not in names}


def test_missing_columns_are_all_named_in_one_line() -> None:
    assert sentences(parquet(without("role", "n"))) == [
        "column 'role, n': found no such columns; expected the 8 columns of composition / cells. "
        "Add them (the tab “Row shapes” says what they hold), or choose another row shape."
    ]


def test_a_missing_column_of_a_table_that_names_itself_is_named_too() -> None:
    metadata = {"hinge.study": "composition", "hinge.table": "cells"}
    assert sentences(parquet(without("role"), metadata)) == [
        "column 'role': found no such column; expected the 8 columns of composition / cells. "
        "Add it (the tab “Row shapes” says what it holds), or choose another row shape."
    ]


def test_columns_that_are_there_are_checked_while_another_is_missing() -> None:
    rows = without("role", "regime") | {"n": [-1, 2_000_000], "format": ["story", "poem"]}
    found = [(problem.column, problem.row) for problem in refused(parquet(rows))]
    assert found == [("regime, role", ""), ("format", "2"), ("n", "1"), ("n", "2")]


def test_columns_of_the_right_type_are_checked_beside_one_of_a_wrong_type() -> None:
    rows = columns(model=[1, 2], n=[-1, 30], regime=pa.array(["joint", None]))
    found = [(problem.column, problem.row) for problem in refused(parquet(rows))]
    assert found == [("model", ""), ("regime", "2"), ("n", "1")]


def test_ratings_are_checked_while_the_favoured_party_is_missing() -> None:
    frame = shipped("clauses", "determinations", "collected")[0].read().frame
    rows = frame.drop("favored").with_columns(fairness=pl.col("fairness") + 200)
    rated = frame["fairness"].drop_nulls()
    missing, high = refused(parquet(rows.to_arrow(compat_level=pl.CompatLevel.oldest())))
    assert (missing.column, missing.found) == ("favored", "no such column")
    assert (high.column, high.expected) == ("fairness", "at most 10")
    assert high.found == f"{len(rated):,} rows, first '{rated[0] + 200}'"


def test_repeated_rows_are_seen_while_a_column_beside_the_key_is_missing() -> None:
    rows = without("n") | {"category": ["female", "female"]}
    missing, repeated = refused(parquet(rows))
    assert missing.column == "n"
    assert (repeated.row, repeated.expected) == ("1, 2", "each combination once")


def test_other_columns_altogether_are_held_against_no_row_shape() -> None:
    with pytest.raises(PanelError) as caught:
        accepted(parquet({"a": [1], "text": ["x"]}))
    (problem,) = caught.value.problems
    assert problem.found == "the columns 'a', 'text'"
    assert "clauses / determinations" in problem.expected
    assert "“Row shapes”" in problem.todo
    assert caught.value.held_against.startswith("Held against no row shape")


def test_a_refusal_says_which_row_shape_was_assumed_and_why() -> None:
    def held(data: bytes, meant: TableContract | None = None) -> str:
        with pytest.raises(PanelError) as caught:
            read_upload(data, "mine", meant=meant)
        return caught.value.held_against

    named = {"hinge.study": "composition", "hinge.table": "cells"}
    start = "Held against the row shape composition / cells, because"
    data = parquet(without("n"))
    assert held(data).startswith(f"{start} its metadata name none and it has 7 of 8 columns")
    assert held(parquet(without("n"), named)) == f"{start} its metadata name this one."
    assert held(parquet(columns(n=[-1, 1]))) == f"{start} the file has all 8 columns of it."
    chosen = registry.contract_for("filenames", "scores")
    assert held(data, chosen) == (
        "Held against the row shape filenames / scores, because you chose this one."
    )


def test_a_row_shape_that_was_chosen_stands_above_the_metadata() -> None:
    named = {"hinge.study": "clauses", "hinge.table": "archetypes"}
    meant = registry.contract_for("composition", "cells")
    panel = read_upload(parquet(columns(), named), "mine", meant=meant)
    assert panel.contract is meant
    assert (panel.provenance.study, panel.provenance.table) == ("composition", "cells")


def test_a_column_twice_is_refused() -> None:
    table = pa.table(columns())
    twice = pa.table([*table.columns, table["n"]], names=[*table.column_names, "n"])
    assert sentences(parquet(twice)) == [
        "column 'n': found the column 2 times; expected each column once. Keep one."
    ]


def test_further_columns_are_left_out_whatever_they_hold() -> None:
    further = {"note": [{"a": [1]}, {"a": []}], "more": [b"\xff", None], "": [1, 2]}
    assert accepted(parquet(columns(**further))).frame.equals(USUAL)
    table = pa.table(columns())
    twice = pa.table(
        [*table.columns, table["n"], table["n"]], names=[*table.column_names, "x", "x"]
    )
    assert accepted(parquet(twice)).frame.equals(USUAL)


def test_the_order_of_the_columns_does_not_matter() -> None:
    backwards = dict(reversed(columns().items()))
    assert accepted(parquet(backwards)).frame.equals(USUAL)


def test_a_column_named_as_part_of_another_is_refused() -> None:
    # Such a column would be read along with the other, whatever it unpacks to.
    assert sentences(parquet(columns(**{"model.x": ["a", "b"]}))) == [
        "column 'model.x': found a dot in the name; expected plain column names. Rename or drop it."
    ]


WRONG_TYPES: dict[str, tuple[str, Any, str]] = {
    "text for a count": ("n", ["20", "10"], "string"),
    "yes or no for a count": ("n", [True, False], "bool"),
    "nothing for a count": ("n", pa.nulls(2), "null"),
    "date for a count": ("n", pa.array([20, 10], pa.date32()), "date32[day]"),
    "list for a count": ("n", [[20], [10]], "list<element: int64>"),
    "struct for a count": ("n", [{"a": 20}, {"a": 10}], "struct<a: int64>"),
    "map for a count": (
        "n",
        pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int64())),
        "map<string, int64",
    ),
    "number for a name": ("model", [1, 2], "int64"),
    "bytes for a name": ("model", [b"m", b"m"], "binary"),
    "list for a name": ("model", [["m"], ["m"]], "list<element: string>"),
    "numbered names": ("model", pa.array([1, 1]).dictionary_encode(), "int64"),
    "text numbers": ("n", pa.array(["20", "10"]).dictionary_encode(), "dictionary<"),
}


@pytest.mark.parametrize(("name", "values", "found"), WRONG_TYPES.values(), ids=WRONG_TYPES)
def test_a_column_of_the_wrong_type_is_refused(name: str, values: Any, found: str) -> None:
    (problem,) = refused(parquet(columns(**{name: values})))
    assert problem.column == name
    assert problem.found.startswith(found)
    assert problem.expected == {"n": "integer", "model": "text"}[name]
    assert problem.todo == "Convert the column."


def test_a_type_with_a_long_name_is_cut() -> None:
    wide = [{f"a field with a long name {number}": 1 for number in range(300)}] * 2
    (problem,) = refused(parquet(columns(n=wide)))
    assert problem.found.startswith("struct<a field with a long name 0: int64, ")
    assert len(problem.found) == 60


TEXT_TYPES = {
    "large text": pa.large_string(),
    "text views": pa.string_view(),
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
    "dictionary of large text": pa.dictionary(pa.int8(), pa.large_string()),
}
COUNT_TYPES = {
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "uint8": pa.uint8(),
    "uint64": pa.uint64(),
    "dictionary": pa.dictionary(pa.int32(), pa.int64()),
    "dictionary of doubles": pa.dictionary(pa.int32(), pa.float64()),
    "double": pa.float64(),
    "single precision": pa.float32(),
    "half precision": pa.float16(),
    "exact decimal": pa.decimal128(30, 2),
}


@pytest.mark.parametrize("kind", TEXT_TYPES.values(), ids=TEXT_TYPES)
def test_text_may_be_stored_in_any_way(kind: pa.DataType) -> None:
    names = [name for name in columns() if name != "n"]
    stored = {}
    for name in names:
        values = pa.array(columns()[name])
        of_text = kind.value_type if pa.types.is_dictionary(kind) else kind
        values = values.cast(of_text)
        stored[name] = values.dictionary_encode() if pa.types.is_dictionary(kind) else values
    assert accepted(parquet(columns(**stored))).frame.equals(USUAL)


@pytest.mark.parametrize("kind", COUNT_TYPES.values(), ids=COUNT_TYPES)
def test_counts_may_be_stored_in_any_way(kind: pa.DataType) -> None:
    is_dictionary = pa.types.is_dictionary(kind)
    values = pa.array([20, 10]).cast(kind.value_type if is_dictionary else kind)
    values = values.dictionary_encode() if is_dictionary else values
    found = accepted(parquet(columns(n=values))).frame
    assert found.schema == USUAL.schema
    assert found.equals(USUAL)


def test_whole_numbers_stored_as_double_are_read_and_noted() -> None:
    assert accepted(parquet(columns())).notes == ()
    (note,) = accepted(parquet(columns(n=[20.0, 10.0]))).notes
    assert note.startswith("The column n is stored with room for fractions")


@pytest.mark.parametrize("value", [10.5, math.nan, math.inf, -math.inf, 2.0**54])
def test_a_count_that_is_no_whole_number_is_refused_by_row(value: float) -> None:
    assert sentences(parquet(columns(n=[20.0, value]))) == [
        f"column 'n', row 2: found 1 row, first '{value}'; expected whole numbers. "
        "Correct the value."
    ]


def test_gaps_in_a_column_of_doubles_are_gaps() -> None:
    frame = shipped("remedies", "decisions")[0].read().frame.head(4)
    tiers = frame.with_columns(pl.col("tier").cast(pl.Float64))
    with_gap = tiers.with_columns(
        pl.when(pl.int_range(pl.len()) > 0).then(pl.col(name)).alias(name)
        for name in ("tier", "p0", "p1", "p2")
    )
    panel = accepted(parquet(with_gap.to_arrow(compat_level=pl.CompatLevel.oldest())))
    assert panel.frame["tier"].to_list() == [None, *frame["tier"].to_list()[1:]]


def test_a_column_of_nothing_but_gaps_is_read_where_gaps_are_allowed() -> None:
    frame = shipped("clauses", "determinations", "collected")[0].read().frame
    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    for name in ("favored", "fairness_if_repaired"):
        place = table.column_names.index(name)
        table = table.set_column(place, name, pa.nulls(table.num_rows))
    found = accepted(parquet(table)).frame
    assert found["favored"].is_null().all()
    assert found.schema == frame.schema


def test_files_of_polars_are_read() -> None:
    buffer = io.BytesIO()
    pl.DataFrame(columns()).write_parquet(buffer)
    assert accepted(buffer.getvalue()).frame.equals(USUAL)
    buffer = io.BytesIO()
    frame = pl.DataFrame(columns()).with_columns(pl.col("category").cast(pl.Categorical))
    frame.write_parquet(buffer)
    assert accepted(buffer.getvalue()).frame.equals(USUAL)


@pytest.mark.parametrize("size", [2**63, 2**64 - 1])
def test_a_count_beyond_any_integer_is_refused(size: int) -> None:
    values = pa.array([size, 10], pa.uint64())
    assert sentences(parquet(columns(n=values))) == [
        "column 'n': found values that do not fit int64; expected integer, at least 0, at most "
        "1,000,000. Correct the values."
    ]


def test_counts_whose_sum_would_overflow_are_refused() -> None:
    # Twice 2**62 is -2**63 in 64 bits: totals would look equal and wrong.
    assert sentences(parquet(columns(n=[2**62, 2**62]))) == [
        "column 'n', row 1, 2: found 2 rows, first '4611686018427387904'; expected at most "
        "1,000,000. Correct the value."
    ]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"n": [-1, 31]},
            "column 'n', row 1: found 1 row, first '-1'; expected at least 0. Correct the value.",
        ),
        (
            {"n": [None, 30]},
            "column 'n', row 1: found 1 row, first 'None'; expected integer, at least 0, at most "
            "1,000,000. Fill it in or remove the row.",
        ),
        (
            {"model": ["m", None]},
            "column 'model', row 2: found 1 row, first 'None'; expected text. Fill it in or "
            "remove the row.",
        ),
        (
            {"regime": ["joint", "Joint"]},
            "column 'regime', row 2: found 1 row, first 'Joint'; expected one of joint, implicit. "
            "Correct or map the value.",
        ),
        (
            {"format": ["poem", "poem"]},
            "column 'format', row 1, 2: found 2 rows, first 'poem'; expected one of story, "
            "character. Correct or map the value.",
        ),
        (
            {"attribute": ["gender_to_sex", "age"]},
            "column 'attribute', row 2: found 1 row, first 'age'; expected one of gender_to_sex, "
            "race_ethnicity, religion, sexual_orientation. Correct or map the value.",
        ),
        (
            {"category": ["female", "robot"]},
            "column 'category': found 'robot' for gender_to_sex in USA; expected one of female, "
            "male, unspecified, unmapped, ambiguous, failed. Map the label to a category of the "
            "source, or count it as 'unmapped'.",
        ),
        (
            {"category": ["female", "female"]},
            "column 'model + regime + attribute + context + format + role + category', row 1, 2: "
            "found 2 rows; expected each combination once. Add up or remove the repeated rows.",
        ),
        (
            {"n": [0, 0]},
            "column 'n', row m, joint, USA, story, ceo: found totals from 0 to 0 over its "
            "attributes; expected the same positive number of outputs for every attribute. Count "
            "every output once in each attribute; use the non-mapped states for the rest.",
        ),
    ],
    ids=[
        "negative",
        "no count",
        "no name",
        "regime",
        "format",
        "attribute",
        "category",
        "repeated",
        "no outputs",
    ],
)
def test_a_value_that_breaks_a_rule_is_named(changes: dict[str, Any], sentence: str) -> None:
    assert sentences(parquet(columns(**changes))) == [sentence]


def test_every_broken_column_is_named_at_once() -> None:
    broken = columns(regime=["j", "j"], format=["f", "f"], n=[-1, 2_000_000], model=["m", ""])
    found = [(problem.column, problem.row) for problem in refused(parquet(broken))]
    assert found == [("model", "2"), ("regime", "1, 2"), ("format", "1, 2"), ("n", "1"), ("n", "2")]


def test_many_broken_rows_are_counted_and_three_named() -> None:
    rows = {name: values * 50 for name, values in columns().items()}
    rows["n"] = [-1] * 100
    (problem,) = refused(parquet(rows))
    assert problem.row == "1, 2, 3 and others"
    assert problem.found == "100 rows, first '-1'"


def test_attributes_of_one_output_must_add_up_alike() -> None:
    rows = cells(
        ("m", "gender_to_sex", "ceo", "female"),
        ("m", "religion", "ceo", "Christian"),
        n=[30, 29],
    )
    assert sentences(parquet(rows)) == [
        "column 'n', row m, joint, USA, story, ceo: found totals from 29 to 30 over its "
        "attributes; expected the same positive number of outputs for every attribute. Count "
        "every output once in each attribute; use the non-mapped states for the rest."
    ]


def test_a_failed_record_fails_in_every_attribute() -> None:
    rows = cells(
        ("m", "gender_to_sex", "ceo", "female"),
        ("m", "gender_to_sex", "ceo", "failed"),
        ("m", "religion", "ceo", "Christian"),
        ("m", "religion", "ceo", "unmapped"),
        n=[28, 2, 28, 2],
    )
    assert sentences(parquet(rows)) == [
        "column 'n', row m, joint, USA, story, ceo: found from 0 to 2 failed outputs over its "
        "attributes; expected the same number of failed outputs in every attribute. A failed "
        "record has no label at all: count it as 'failed' in each attribute."
    ]


def test_many_problems_of_one_kind_are_counted_and_five_named() -> None:
    uneven = cells(
        *(
            ("m", name, f"role {k}", "unmapped")
            for k in range(40)
            for name in ("religion", "gender_to_sex")
        ),
        n=[30 - (row % 2) for row in range(80)],
    )
    found = refused(parquet(uneven))
    assert len(found) == 6
    assert found[-1].found == "35 more cells like these"
    unknown = cells(*(("m", "religion", "ceo", f"c{k}") for k in range(5000)), n=[1] * 5000)
    found = refused(parquet(unknown))
    assert len(found) == 6
    assert found[-1].found == "4,995 more such categories"


def test_more_models_and_cells_than_the_analysis_can_hold_are_refused() -> None:
    # A number is kept for every model and cell: 400 rows here would need 160,000 of them.
    apart = cells(
        *((f"m{k}", "gender_to_sex", f"role {k}", "female") for k in range(400)), n=[30] * 400
    )
    assert sentences(parquet(apart)) == [
        "column 'model': found 400 models and 400 cells; expected at most 100,000 pairs of a "
        "model and a cell. Split the panel by model, or drop roles and contexts."
    ]
    fewer = cells(
        *((f"m{k}", "gender_to_sex", f"role {k}", "female") for k in range(300)), n=[30] * 300
    )
    assert accepted(parquet(fewer)).frame.height == 300


STRANGE_NAMES = {
    "markup": "<script>alert(1)</script>",
    "a link": "[a](javascript:x) ![b](http://example.com)",
    "an emoji of several parts": "👩🏽‍🚀 model",
    "accents": "Modèle à l’essai",
    "right-to-left letters": "نموذج",
    "a formula": "=1+1",
    "the longest": "x" * 200,
    "the longest in wide letters": "🙂" * 200,
    "spaces around": "  m  ",
}


@pytest.mark.parametrize("name", STRANGE_NAMES.values(), ids=STRANGE_NAMES)
def test_a_strange_name_is_kept_as_it_is(name: str) -> None:
    found = accepted(parquet(columns(model=[name, name])))
    assert {row[0] for row in rows_of(found)} == {name}


UNSHOWABLE = {
    "a line break": "a\nb",
    "a tab": "a\tb",
    "nothing to see": "a\x00b",
    "an escape": "a\x1b[31mb",
    "a later control": "a\x85b",
    "a line separator": "a\u2028b",
    "text turned around": "a\u202egpj.exe",
    "text isolated": "a\u2066b\u2069",
    "too long": "x" * 201,
}


@pytest.mark.parametrize("name", UNSHOWABLE.values(), ids=UNSHOWABLE)
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    (problem,) = refused(parquet(columns(role=["ceo", name])))
    assert (problem.column, problem.row) == ("role", "2")
    assert problem.expected == "at most 200 characters, none of them control characters"


@pytest.mark.parametrize("name", ["", "   ", "\u3000"])
def test_a_name_of_nothing_is_refused(name: str) -> None:
    (problem,) = refused(parquet(columns(context=["USA", name])))
    assert (problem.column, problem.expected) == ("context", "a name")


NUMBERS = TableContract(
    study="tiny",
    table="numbers",
    meaning="a table with a number and a flag",
    columns=(
        Column("name", "text", "a name"),
        Column("score", "number", "a score", minimum=0, maximum=1, nullable=True),
        Column("valid", "flag", "whether it counts"),
    ),
    key=("name",),
)


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "CONTRACTS", (*registry.CONTRACTS, NUMBERS))


@pytest.mark.usefixtures("numbers")
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_none_is_refused(value: float) -> None:
    data = parquet({"name": ["a", "b"], "score": [0.5, value], "valid": [True, False]})
    found = refused(data)
    assert (found[0].column, found[0].row) == ("score", "2")
    assert found[0].expected == "a finite number"
    assert found[0].todo == "Use an empty value where there is none."


@pytest.mark.usefixtures("numbers")
@pytest.mark.parametrize(("value", "expected"), [(-0.01, "at least 0"), (1.01, "at most 1")])
def test_a_number_beyond_its_ends_is_refused(value: float, expected: str) -> None:
    data = parquet({"name": ["a", "b"], "score": [0.5, value], "valid": [True, False]})
    assert [problem.expected for problem in refused(data)] == [expected]


@pytest.mark.usefixtures("numbers")
@pytest.mark.parametrize(
    "kind", [pa.float16(), pa.float32(), pa.float64(), pa.int8(), pa.uint64()], ids=str
)
def test_numbers_may_be_stored_in_any_way_and_be_missing(kind: pa.DataType) -> None:
    score = pa.array([1, None, 0], pa.int64()).cast(kind)
    data = parquet({"name": ["a", "b", "c"], "score": score, "valid": [True, False, True]})
    frame = read_panel_bytes(data, "x").frame
    assert frame["score"].to_list() == [1.0, None, 0.0]
    assert frame.schema == {"name": pl.String, "score": pl.Float64, "valid": pl.Boolean}


@pytest.mark.usefixtures("numbers")
def test_a_flag_cannot_be_missing_unless_declared() -> None:
    data = parquet({"name": ["a"], "score": [0.5], "valid": pa.array([None], pa.bool_())})
    (problem,) = refused(data)
    assert (problem.column, problem.expected) == ("valid", "flag")


def test_a_context_without_a_source_is_accepted_and_cannot_be_computed() -> None:
    rows = columns(context=["MARS", "MARS"], category=["green", "unmapped"])
    found = accepted(parquet(rows))
    findings = analyse(reduce_cells(found.frame), DECLARATION.planned)
    assert math.isnan(findings.chosen_composite[0])
    assert not findings.included.any()
    assert reason(findings, 0).startswith("No cell of race/ethnicity")


def test_a_model_with_one_cell_is_accepted_and_has_no_composite() -> None:
    findings = analyse(reduce_cells(USUAL), DECLARATION.planned)
    assert findings.chosen_cells.size == 1
    assert math.isnan(findings.chosen_composite[0])
    assert reason(findings, 0)
