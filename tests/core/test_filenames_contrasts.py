"""Contrasts of labels, H5's weights over cells, and the contrast that a reader types."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.reference import table
from core.studies.filenames.briefs import excess_weights, own_text_excess
from core.studies.filenames.contrasts import (
    contrast,
    read_contrast,
    typed,
    write_contrast,
)
from core.studies.filenames.design import PREDICTED, families, label_name, labels
from tests.core.score_rows import JUDGES, STUDY_2, random_marks, reduced, study_2_texts

PART = {
    "1": reduced(random_marks(1)).in_study("1"),
    "2": reduced(
        random_marks(2, texts=study_2_texts(2), labels=STUDY_2), study="2"
    ).in_study("2"),
}  # fmt: skip


@pytest.mark.parametrize(
    "row",
    table("filenames", "hypotheses").to_dicts(),
    ids=lambda row: f"{row['hypothesis']} {row['judge']}",
)
def test_weights_are_the_study_s(row: dict[str, str]) -> None:
    assert np.sign(PREDICTED[row["hypothesis"]]) == (
        1 if row["predicted_sign"] == "positive" else -1
    )
    if row["hypothesis"] == "H5":
        return
    part = PART[row["study"]]
    found = contrast(row["hypothesis"], part, part.judges.index(row["judge"]))
    expected = [float(row[f"w_{label}"]) for label in part.label_names]
    assert found.weights == pytest.approx(expected, abs=1e-9)
    assert found.k == pytest.approx(float(row["k_sum_squared_weights"]))


def test_h5_weighs_cells_as_the_study_does() -> None:
    weights = excess_weights(3)
    assert weights is not None
    judges = list(JUDGES)
    expected = np.zeros((3, 3, 3))
    for row in table("filenames", "h5_cell_weights").to_dicts():
        place = (
            judges.index(row["target_judge"]),
            judges.index(row["judge"]),
            families().index(row["generator_family"]),
        )
        expected[place] = float(row["weight"])
    assert weights == pytest.approx(expected)
    assert (weights**2).sum(axis=(1, 2)) == pytest.approx(5 / 2)


def test_h5_is_least_squares_on_the_other_cells() -> None:
    part = PART["2"]
    values, why = own_text_excess(part)
    assert not why
    neutral = part.label_names.index("neutral")
    for brief in range(2):
        y = part.mean[:, 3 * brief : 3 * brief + 3, neutral]
        rows, marks = [], []
        for j, g in np.ndindex(3, 3):
            if j != g:
                rows.append(np.concatenate([np.eye(3)[j], np.eye(3)[g]]))
                marks.append(y[j, g])
        fitted = np.linalg.lstsq(np.array(rows), np.array(marks), rcond=None)[0]
        for j in range(3):
            predicted = fitted[j] + fitted[3 + j]
            assert values[j, brief] == pytest.approx(y[j, j] - predicted)
            p, q = (i for i in range(3) if i != j)
            closed = (y[j, p] + y[j, q] + y[p, j] + y[q, j] - y[p, q] - y[q, p]) / 2
            assert predicted == pytest.approx(closed)


def test_two_judges_do_not_determine_a_prediction() -> None:
    assert excess_weights(2) is None
    assert excess_weights(4) is not None


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("", {}),
        (" chen:1 , sergey:-1 ", {"chen": 1.0, "sergey": -1.0}),
        ("chen:1,sergey:-1/2,neutral:-0.5", {"chen": 1.0, "sergey": -0.5, "neutral": -0.5}),
        ("a:1/3,b:1/3,c:1/3,d:-1", {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3, "d": -1.0}),
        ("a:1,b:-1,c:0", {"a": 1.0, "b": -1.0}),
        ("odd%2C%3Aname:2,b:-2", {"odd,:name": 2.0, "b": -2.0}),
        ("a:1e2,b:-100", {"a": 100.0, "b": -100.0}),
    ],
)
def test_typed_contrasts(text: str, weights: dict[str, float]) -> None:
    assert read_contrast(text) == pytest.approx(weights)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("chen", "not a label and its weight"),
        (":1,a:-1", "not a label and its weight"),
        ("chen:1", "at least two"),
        ("chen:0,sergey:0", "at least two"),
        ("chen:1,sergey:-2", "sum to -1; they must sum to zero"),
        ("chen:1e-12,sergey:1e-12", "they must sum to zero"),
        ("chen:1,chen:-1", "twice"),
        ("chen:one,sergey:-1", "not a number"),
        ("chen:1/0,sergey:-1", "not a number"),
        ("chen:nan,sergey:-1", "not a number"),
        ("chen:inf,sergey:-1", "not a number"),
        ("chen:2000,sergey:-2000", "between -1000 and 1000"),
        ("a:1," * 900, "characters"),
        ("chen:1e-999999999,sergey:0", "at least two"),
        ("chen:1/2/3,sergey:-1", "not a number"),
    ],
)
def test_what_is_no_contrast(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_contrast(text)


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=12).filter(lambda name: name == name.strip()),
        st.integers(-100, 100).filter(bool),
        min_size=1,
        max_size=6,
    )
)
def test_writing_and_reading_give_the_same(weights: dict[str, int]) -> None:
    balanced = {name: float(w) for name, w in weights.items()}
    rest = -sum(balanced.values())
    if not rest or "rest" in balanced:
        return
    balanced["rest"] = rest
    assert read_contrast(write_contrast(balanced)) == balanced


def test_a_typed_contrast_is_laid_over_labels() -> None:
    part = PART["1"]
    found = typed({"chen": 1.0, "sergey": -1.0}, part)
    assert found.weights.tolist() == [0, 0, 0, 0, -1, 1]
    assert typed({"catherine": 1.0, "chen": -1.0}, part).why == "No file is labelled Catherine."


def test_every_label_has_a_name() -> None:
    assert len({label_name(label) for label in labels()}) == len(labels())
