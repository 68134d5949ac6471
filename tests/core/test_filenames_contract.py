"""Row contract of the scores table: what several rows must agree on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from core.panels.problems import Problem
from core.panels.provenance import Provenance
from core.panels.read import write_panel
from core.panels.registry import contract_for, shape_with_columns
from core.panels.values import value_problems
from core.studies.filenames.contract import SCORES, SHOWN
from tests.core.score_rows import STUDY_2, frame, random_marks, study_2_texts

Change = Callable[[pl.DataFrame], pl.DataFrame]


def problems(rows: pl.DataFrame) -> list[Problem]:
    return value_problems(rows, SCORES)


def good(study: str = "1") -> pl.DataFrame:
    if study == "1":
        return frame(random_marks(1))
    return frame(random_marks(1, texts=study_2_texts(2), labels=STUDY_2, calls=(2, 2)), study="2")


def test_the_contract_is_registered() -> None:
    assert contract_for("filenames", "scores") is SCORES
    assert shape_with_columns(SCORES.names).contract is SCORES


@pytest.mark.parametrize("study", ["1", "2"])
def test_good_rows(study: str) -> None:
    assert not problems(good(study))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_is_told_once(value: float) -> None:
    found = problems(good().with_columns(score=pl.lit(value)))
    assert [problem.expected for problem in found] == ["a finite number"]


def test_both_studies_in_one_table() -> None:
    assert not problems(pl.concat([good("1"), good("2")]))


def first(column: str, value: object) -> Change:
    """Change one row."""
    is_first = pl.int_range(pl.len()) == 0
    return lambda rows: rows.with_columns(
        pl.when(is_first).then(pl.lit(value)).otherwise(pl.col(column)).alias(column)
    )


def of_label(label: str, column: str, value: object) -> Change:
    chosen = pl.col("label") == label
    return lambda rows: rows.with_columns(
        pl.when(chosen).then(pl.lit(value)).otherwise(pl.col(column)).alias(column)
    )


@pytest.mark.parametrize(
    ("change", "column"),
    [
        (first("study", "3"), "study"),
        (first("label_kind", "machine"), "label_kind"),
        (first("score", float("inf")), "score"),
        (first("repetition", -1), "repetition"),
        (first("judge_family", "other"), "judge_family"),
        (first("author_family", "other"), "author_family"),
        (first("genre", "report"), "genre"),
        (first("label_kind", "human"), "label_kind"),
        (of_label("chatgpt", "label_family", None), "label_family"),
        (of_label("chen", "label_family", "openai"), "label_family"),
        (of_label("chen", "label_kind", "neutral"), "label_kind"),
    ],
    ids=[
        "a third study",
        "an unknown kind",
        "an endless mark",
        "a negative call",
        "two makers of a judge",
        "two authors of a text",
        "two genres of a text",
        "two kinds of a label",
        "a model label without its maker",
        "a person with a maker",
        "two neutral labels",
    ],
)
def test_what_is_wrong_is_named(change: Change, column: str) -> None:
    found = problems(change(good()))
    assert column in {problem.column for problem in found}


def test_repeated_calls() -> None:
    rows = good()
    found = problems(pl.concat([rows, rows.head(1)]))
    assert "repetition" in found[0].column


def test_two_texts_of_one_author_for_a_brief() -> None:
    rows = good("2").with_columns(
        author_family=pl.when(pl.col("text") == "b00-google")
        .then(pl.lit("openai"))
        .otherwise("author_family")
    )
    assert [p.column for p in problems(rows)] == ["brief"]


def test_the_same_text_name_in_two_studies_is_no_problem() -> None:
    other = good("2").with_columns(text=pl.col("text").replace("b00-openai", "Chess"))
    assert not problems(pl.concat([good("1"), other]))


def test_many_problems_of_a_kind_are_counted() -> None:
    marks = random_marks(2, texts=[f"t{i}" for i in range(9)])
    rows = frame(marks).with_columns(
        genre=pl.col("label").replace_strict({"neutral": "a"}, default="b")
    )
    found = [p for p in problems(rows) if p.column == "genre"]
    assert len(found) == SHOWN + 1
    assert "4 more" in found[-1].found


def test_missing_marks_may_be_empty() -> None:
    assert not problems(first("score", None)(good()))


def test_a_panel_is_written_the_same_twice(tmp_path: Path) -> None:
    provenance = Provenance("filenames", "scores", "imported")
    for name, rows in (("a", good()), ("b", good().reverse())):
        write_panel(rows, tmp_path / name, provenance)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
