"""Persistent and context-specific label variance: definitions by brute force, and known truth."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from core.stats.bootstrap_bca import resampling_weights
from core.studies.filenames.choices import DECLARATION
from core.studies.filenames.marks import cell_table
from core.studies.filenames.reduce import StudyStatistics
from core.studies.filenames.scope import in_scope
from core.studies.filenames.shares import (
    NO_LABEL,
    NO_TEXT,
    ONE_LABEL,
    ONE_TEXT,
    Sums,
    bias_table,
    share_table,
    unit_sums,
    warnings,
)
from tests.core.score_rows import SOL, STUDY_2, random_marks, reduced, study_2_texts

Array = NDArray[np.float64]
PLANNED = DECLARATION.planned


def parts(part: StudyStatistics, judge: int) -> tuple[Array, Array]:
    """Biases and noise of every text, written out."""
    bias, noise = [], []
    labels = part.labels.height
    for text in range(part.texts.height):
        mean = part.mean[judge, text]
        bias.append([m - sum(mean) / labels for m in mean])
        squared_errors = [
            s / (n - 1) / n
            for s, n in zip(part.squares[judge, text], part.n[judge, text], strict=True)
        ]
        noise.append((1 - 1 / labels) * sum(squared_errors) / labels)
    return np.array(bias), np.array(noise)


def by_brute_force(bias: Array, noise: Array, unit: list[int]) -> tuple[float, float]:
    """Corrected and between-unit share of some texts, which may repeat, each a unit of its own."""
    texts, labels = bias.shape
    total = sum((row**2).sum() / labels for row in bias) / texts - noise.mean()
    persistent = ((bias.sum(axis=0) / texts) ** 2).sum() / labels - noise.mean() / texts
    products = [
        (bias[a] * bias[b]).sum() / labels
        for a, b in itertools.permutations(range(texts), 2)
        if unit[a] != unit[b]
    ]
    return persistent / total, sum(products) / len(products) / total


def sums_of(part: StudyStatistics, judge: int = 0, *, by_brief: bool = False) -> Sums:
    found = unit_sums(part, judge, by_brief=by_brief)
    assert isinstance(found, Sums)
    return found


def shares(sums: Sums, weights: Array | None = None) -> tuple[float, float]:
    weights = np.ones((1, sums.texts.size)) if weights is None else weights[None]
    _, _, corrected, products = sums.shares(weights)
    return float(corrected[0]), float(products[0])


@pytest.mark.parametrize("seed", range(5))
def test_study_1_over_all_pairs_of_texts(seed: int) -> None:
    marks = random_marks(seed, texts=("Chess", "Book", "Cournot", "x"), spread=0.2)
    part = reduced(marks).in_study("1")
    for judge in range(3):
        bias, noise = parts(part, judge)
        expected = by_brute_force(bias, noise, [0, 1, 2, 3])
        assert shares(sums_of(part, judge)) == pytest.approx(expected)
        corrected, products = expected
        assert corrected == pytest.approx(1 / 4 + 3 / 4 * products)


@pytest.mark.parametrize("by_brief", [False, True])
def test_study_2_over_all_pairs_of_texts(by_brief: bool) -> None:
    marks = random_marks(6, texts=study_2_texts(5), labels=STUDY_2, calls=(4, 4))
    part = reduced(marks, study="2").in_study("2")
    for judge in range(3):
        bias, noise = parts(part, judge)
        unit = [t // 3 if by_brief else t for t in range(15)]
        expected = by_brute_force(bias, noise, unit)
        assert shares(sums_of(part, judge, by_brief=by_brief)) == pytest.approx(expected)


def test_a_resample_is_the_same_texts_written_out() -> None:
    part = reduced(random_marks(7, texts=("Chess", "Book", "Cournot", "x"))).in_study("1")
    bias, noise = parts(part, 0)
    sums = sums_of(part)
    for weights in resampling_weights(4, 20, 1):
        if weights.max() == 4:
            continue
        drawn = np.repeat(np.arange(4), weights)
        # A text drawn twice counts as two units.
        expected = by_brute_force(bias[drawn], noise[drawn], [0, 1, 2, 3])
        assert shares(sums, weights.astype(float)) == pytest.approx(expected)


def test_a_resample_of_briefs_takes_their_texts_along() -> None:
    marks = random_marks(8, texts=study_2_texts(4), labels=STUDY_2, calls=(4, 4))
    part = reduced(marks, study="2").in_study("2")
    bias, noise = parts(part, 0)
    drawn = [0, 1, 2, 0, 1, 2, 6, 7, 8, 9, 10, 11]
    weights = np.array([2.0, 0.0, 1.0, 1.0])
    for by_brief in (False, True):
        unit = [i // 3 if by_brief else i for i in range(12)]
        expected = by_brute_force(bias[drawn], noise[drawn], unit)
        assert shares(sums_of(part, by_brief=by_brief), weights) == pytest.approx(expected)


def simulated(rng: np.random.Generator, texts: int, calls: int) -> tuple[StudyStatistics, float]:
    """A judge with a label profile, label biases of each text, and noisy calls."""
    labels = ("neutral", "chatgpt", "claude", "gemini", "sergey", "chen")
    profile = np.array([0.0, -0.1, -0.05, -0.15, 0.1, 0.2])
    profile -= profile.mean()
    context = rng.normal(0, 0.1, (texts, 6))
    context -= context.mean(axis=1, keepdims=True)
    marks = {
        (SOL, f"t{t:02d}", label): rng.normal(5 + profile[k] + context[t, k], 0.3, calls).tolist()
        for t in range(texts)
        for k, label in enumerate(labels)
    }
    # Centred on 6 labels, context variance loses a sixth.
    truth = (profile**2).mean()
    return reduced(marks).in_study("1"), truth / (truth + 0.1**2 * 5 / 6)


def test_known_truth() -> None:
    rng = np.random.default_rng(11)
    runs = [simulated(rng, texts=6, calls=4) for _ in range(120)]
    truth = runs[0][1]
    parts_of = [sums_of(part).shares(np.ones((1, 6))) for part, _ in runs]
    total, _, corrected, products = (np.array([float(p[i][0]) for p in parts_of]) for i in range(4))
    # The estimators of Q and T are unbiased; their ratio is nearly so.
    q = products * total
    profile = np.array([0.0, -0.1, -0.05, -0.15, 0.1, 0.2])
    persistent = ((profile - profile.mean()) ** 2).mean()
    for values, expected in ((q, persistent), (total, persistent + 0.01 * 5 / 6)):
        error = values.std(ddof=1) / np.sqrt(values.size)
        assert abs(values.mean() - expected) < 3 * error
    assert abs(products.mean() - truth) < 0.05
    # The corrected share is about these six texts and lies above it by construction.
    assert corrected.mean() == pytest.approx(1 / 6 + 5 / 6 * products.mean())
    assert corrected.mean() > truth + 0.03


def table_of(marks: dict[tuple[str, str, str], list[float | None]]) -> pl.DataFrame:
    return share_table(reduced(marks), PLANNED)


def test_negative_shares_stay_negative() -> None:
    # Labels pull in opposite directions on two texts: nothing persists.
    marks: dict[tuple[str, str, str], list[float | None]] = {
        (SOL, text, label): [5 + sign * step - 0.05, 5 + sign * step + 0.05]
        for text, sign in (("Chess", 1), ("Book", -1))
        for label, step in (("neutral", -0.3), ("chatgpt", 0.0), ("chen", 0.3))
    }
    table = table_of(marks)
    assert table.filter(pl.col("estimator") == "between_units")["share"][0] < -0.9
    assert table.filter(pl.col("estimator") == "corrected")["share"][0] == pytest.approx(0, abs=0.1)
    assert table["floor"][0] == 0.5
    assert "Study 1 has 2 texts in this panel:" in warnings(table)[0]


def test_a_share_above_one_is_explained() -> None:
    table = table_of(random_marks(1, judges=(SOL,)))
    above = table.with_columns(share=pl.lit(7.9))
    assert "A share above 1" in warnings(above)[-1]
    below = table.with_columns(share=pl.lit(0.9))
    assert not any("above 1" in said for said in warnings(below))


def reason(marks: dict[tuple[str, str, str], list[float | None]]) -> str:
    table = table_of(marks)
    assert table["share"].is_null().all()
    (why,) = table["reason"].unique().to_list()
    return str(why)


def test_what_cannot_be_computed_says_why() -> None:
    only = (SOL,)
    assert reason(random_marks(1, judges=only, texts=("Book",))) == ONE_TEXT
    assert reason(random_marks(1, judges=only, labels=("chen",))) == ONE_LABEL
    single = random_marks(1, judges=only, calls=(1, 1))
    assert reason(single) == NO_TEXT
    constant: dict[tuple[str, str, str], list[float | None]] = {
        cell: [5.0, 5.0] for cell in random_marks(1, judges=only)
    }
    assert "no share" in reason(constant)


def test_a_text_without_a_label_is_left_out() -> None:
    marks = random_marks(1, judges=(SOL,), texts=("Chess", "Book", "Cournot"))
    without = {cell: s for cell, s in marks.items() if cell[1:] != ("Book", "chen")}
    fewer = {cell: s for cell, s in marks.items() if cell[1] != "Book"}
    columns = ("share", "low", "high", "texts")
    assert table_of(without).select(columns).equals(table_of(fewer).select(columns))
    # What is said counts the texts that there are, too.
    assert warnings(table_of(without))[0].startswith(
        "Of the 3 texts of study 1 in this panel, 2 have two marks or more under every label"
    )


def test_both_studies_are_told_apart() -> None:
    first = random_marks(3, judges=(SOL,))
    table = share_table(reduced(first), PLANNED)
    assert table["study"].unique().to_list() == ["1"]
    assert len(warnings(table)) == 1


def test_intervals_name_seed_and_draws() -> None:
    statistics = reduced(random_marks(4, texts=("a", "b", "c", "d", "e")))
    one = share_table(statistics, PLANNED)
    assert one.equals(share_table(statistics, PLANNED))
    other = share_table(statistics, PLANNED.replace(seed="20261027"))
    assert one["share"].equals(other["share"])
    assert not one["low"].equals(other["low"])


def test_biases_sum_to_zero() -> None:
    table = bias_table(reduced(random_marks(5)), PLANNED)
    for _, rows in table.group_by("judge_id"):
        assert rows["bias"].sum() == pytest.approx(0)
        assert (rows["low"] <= rows["bias"]).all()
        assert (rows["bias"] <= rows["high"]).all()


def test_no_label_that_counts_leaves_nothing_to_share() -> None:
    # Warnings are errors here, so an average of nothing would fail.
    statistics = reduced(random_marks(6, labels=("chen", "sergey")))
    choices = PLANNED.replace(labels=("claude",))
    assert bias_table(statistics, choices).is_empty()
    table = share_table(statistics, choices)
    assert table["reason"].unique().to_list() == [NO_LABEL]
    assert table["share"].null_count() == table.height
    assert cell_table(in_scope(statistics, choices)).is_empty()


def test_a_text_without_a_label_has_no_bias() -> None:
    marks = random_marks(7)
    whole = bias_table(reduced({k: v for k, v in marks.items() if k[1] != "Book"}), PLANNED)
    del marks[SOL, "Book", "chen"]
    rows = bias_table(reduced(marks), PLANNED)
    of_sol = rows.filter(pl.col("judge_id") == SOL)
    assert of_sol.equals(whole.filter(pl.col("judge_id") == SOL))
    assert rows.filter(pl.col("judge_id") != SOL)["texts"].unique().to_list() == [3]
    for each in (k for k in list(marks) if k[0] == SOL and k[2] == "sergey"):
        del marks[each]
    gone = bias_table(reduced(marks), PLANNED).filter(pl.col("judge_id") == SOL)
    assert gone["bias"].null_count() == gone.height
    assert gone["texts"].unique().to_list() == [0]
