"""Estimates and verdicts, against statsmodels and scipy on the same rows; bad input."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

from core.panels.read import read_panel
from core.paths import PANELS
from core.reference import table
from core.studies.filenames.choices import DECLARATION, LABELS, is_planned, planned_for
from core.studies.filenames.estimate import Findings, analyse, analyse_typed, warnings
from core.studies.filenames.reduce import Statistics, reduce_scores
from core.verdicts import Verdict
from tests.core.score_rows import (
    JUDGES,
    SOL,
    STUDY_1,
    STUDY_2,
    frame,
    long,
    random_marks,
    reduced,
    study_2_texts,
)

PLANNED = DECLARATION.planned
SECOND = PLANNED.replace(study="2")
CANNOT = Verdict.CANNOT_COMPUTE.value

STUDY_1_WEIGHTS = {
    (row["judge"], row["hypothesis"]): np.array([float(row[f"w_{label}"]) for label in STUDY_1])
    for row in table("filenames", "hypotheses").to_dicts()
    if row["study"] == "1"
}


@cache
def rows() -> pl.DataFrame:
    return read_panel(PANELS / "filenames" / "scores-reconstructed-1.parquet").frame


@cache
def shipped() -> Statistics:
    return reduce_scores(rows())


def expected_sign(hypothesis: str, judge: str) -> int:
    """Significant Table 1 and 3 figures: the sign of the printed estimate, 0 when not at 5%."""
    figures = table("filenames", "figures")
    number = 1 if hypothesis in ("H1", "H2", "H3", "H4", "H4b") else 3
    start = f"filenames.table{number}.{hypothesis.lower()}.{judge}."
    value = {
        row["figure_id"].removeprefix(start): float(row["value"])
        for row in figures.to_dicts()
        if row["figure_id"].startswith(start)
    }
    return int(np.sign(value["estimate"])) if value["p_holm"] < 0.05 else 0


@pytest.mark.parametrize("errors", ["HC3", "HC0", "classical"])
def test_study_1_against_statsmodels(errors: str) -> None:
    found = analyse(shipped(), PLANNED.replace(errors=errors))
    p = np.zeros(found.p.shape)
    for j, judge in enumerate(found.part.judges):
        own = rows().filter((pl.col("study") == "1") & (pl.col("judge") == judge))
        text, label = own["text"].to_numpy(), own["label"].to_numpy()
        design = np.column_stack(
            [*(text == t for t in np.unique(text)), *(label == name for name in STUDY_1[1:])]
        ).astype(float)
        model = sm.OLS(own["score"].to_numpy(), design)
        done = model.fit() if errors == "classical" else model.fit(cov_type=errors)
        for h, hypothesis in enumerate(found.hypotheses):
            weights = STUDY_1_WEIGHTS[judge, hypothesis]
            # The file prints thirds to ten digits.
            weights = np.round(weights * 12) / 12
            tested = done.t_test(np.concatenate([np.zeros(4), weights[1:]]), use_t=False)
            assert found.estimate[j, h] == pytest.approx(tested.effect[0], rel=1e-10)
            assert found.estimates.error[j, h] == pytest.approx(tested.sd[0, 0], rel=1e-10)
            assert found.p[j, h] == pytest.approx(float(tested.pvalue), rel=1e-8, abs=1e-300)
            ends = tested.conf_int()[0]
            assert [found.low[j, h], found.high[j, h]] == pytest.approx(ends, rel=1e-9)
            p[j, h] = tested.pvalue
    for h in range(5):
        adjusted = multipletests(p[:, h], method="holm")[1]
        assert found.p_adjusted[:, h] == pytest.approx(adjusted, rel=1e-8, abs=1e-300)


@pytest.mark.parametrize("method", ["holm", "bonferroni", "bh"])
def test_families_against_statsmodels(method: str) -> None:
    name = "fdr_bh" if method == "bh" else method
    for choices in (PLANNED, SECOND):
        raw = analyse(shipped(), choices.replace(gate="none"))
        assert raw.tests == 1
        assert raw.p_adjusted == pytest.approx(raw.p)
        for family, axis, size in (("judges", 0, 3), ("hypotheses", 1, raw.p.shape[1])):
            found = analyse(shipped(), choices.replace(gate=method, family=family))
            assert found.tests == size
            expected = np.apply_along_axis(lambda p: multipletests(p, method=name)[1], axis, raw.p)
            assert found.p_adjusted == pytest.approx(expected, rel=1e-10)
        found = analyse(shipped(), choices.replace(gate=method, family="all"))
        expected = multipletests(raw.p.ravel(), method=name)[1].reshape(raw.p.shape)
        assert found.p_adjusted == pytest.approx(expected, rel=1e-10)


def test_verdicts_are_those_of_the_printed_tables() -> None:
    counts = {}
    for choices in (PLANNED, SECOND):
        found = analyse(shipped(), choices)
        for (j, h), verdict in np.ndenumerate(found.verdict):
            name = found.hypotheses[h]
            sign = expected_sign(name, found.part.judges[j])
            predicted = 1 if name in ("H2", "H5", "H6") else -1
            expected = {0: "not supported", predicted: "supported", -predicted: "opposite"}
            assert verdict == expected[sign], (found.part.judges[j], name)
        words, numbers = np.unique(found.verdict, return_counts=True)
        counts[choices["study"]] = dict(zip(words.tolist(), numbers.tolist(), strict=True))
    # Six of thirteen significant cells lie against the prediction, and Sonnet's H5.
    assert counts["1"] == {"supported": 7, "opposite": 6, "not supported": 2}
    assert counts["2"]["opposite"] == 1


def test_the_five_contrasts_are_tied() -> None:
    found = analyse(shipped(), PLANNED)
    h1, h2, h3, h4, h4b = found.estimate.T
    assert h4 - h4b == pytest.approx(h3 + h2 / 3 - h1)


def test_study_2_against_t_tests_of_scipy() -> None:
    found = analyse(shipped(), SECOND)
    texts = rows().filter(pl.col("study") == "2")
    mean = texts.group_by("judge", "brief", "author_family", "label").agg(pl.col("score").mean())
    lookup = {key: score for *key, score in mean.iter_rows() for key in [tuple(key)]}
    briefs = texts["brief"].unique().to_list()
    makers = list(JUDGES.values())
    models = {"openai": "chatgpt", "anthropic": "claude", "google": "gemini"}
    for j, (judge, own) in enumerate(JUDGES.items()):
        rivals = [models[m] for m in makers if m != own]
        h6 = [
            lookup[judge, b, own, models[own]] - np.mean([lookup[judge, b, own, r] for r in rivals])
            for b in briefs
        ]
        h7 = [
            np.mean([lookup[judge, b, m, x] for m in makers for x in models.values()])
            - np.mean(
                [lookup[judge, b, m, x] for m in makers for x in ("sergey", "chen", "catherine")]
            )
            for b in briefs
        ]
        for h, values in ((1, h6), (2, h7)):
            expected = ttest_1samp(values, 0)
            assert found.estimate[j, h] == pytest.approx(np.mean(values))
            assert found.p[j, h] == pytest.approx(expected.pvalue)
            ends = expected.confidence_interval(0.95)
            assert (found.low[j, h], found.high[j, h]) == pytest.approx((ends.low, ends.high))
            signs = (np.array(values) > 1e-9).sum(), (np.array(values) < -1e-9).sum()
            assert (found.estimates.ups[j, h], found.estimates.downs[j, h]) == signs


def test_detectable_effects_follow_gate_and_power() -> None:
    found = analyse(shipped(), PLANNED)
    factor = found.detectable / found.estimates.error
    assert factor == pytest.approx(np.full(factor.shape, 3.2356), abs=1e-4)
    alone = analyse(shipped(), PLANNED.replace(gate="none"))
    assert alone.detectable / alone.estimates.error == pytest.approx(
        np.full(factor.shape, 2.8016), abs=1e-4
    )


def test_errors_clustered_by_text_use_t_and_warn() -> None:
    marks = random_marks(4, texts=("Chess", "Book", "Cournot"))
    found = analyse(reduced(marks), PLANNED.replace(errors="cluster"))
    text, label, y = long(marks, SOL)
    design = np.column_stack(
        [*(text == t for t in np.unique(text)), *(label == name for name in STUDY_1[1:])]
    ).astype(float)
    groups = np.unique(text, return_inverse=True)[1]
    done = sm.OLS(y, design).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    h4b = np.concatenate([np.zeros(3), [0, 0, 0, -1, 1]])
    tested = done.t_test(h4b)
    assert found.estimates.error[0, 4] == pytest.approx(tested.sd[0, 0], rel=1e-10)
    assert found.p[0, 4] == pytest.approx(float(tested.pvalue), rel=1e-8)
    assert "3 texts" in warnings(found)[0]
    assert not warnings(analyse(reduced(marks), PLANNED))


def test_unequal_repetitions_and_missing_marks() -> None:
    marks = random_marks(5)
    marks[SOL, "Chess", "chen"] = [*marks[SOL, "Chess", "chen"], None, None]
    found = analyse(reduced(marks), PLANNED)
    whole = analyse(reduced(random_marks(5)), PLANNED)
    assert found.estimate == pytest.approx(whole.estimate)
    assert warnings(found) == ["2 calls gave no mark and count nowhere."]
    # A cell without any mark: the fit goes on without it.
    del marks[SOL, "Chess", "sergey"]
    text, label, y = long(marks, SOL)
    design = np.column_stack(
        [*(text == t for t in np.unique(text)), *(label == name for name in STUDY_1[1:])]
    ).astype(float)
    done = sm.OLS(y, design).fit(cov_type="HC3")
    tested = done.t_test(np.concatenate([np.zeros(3), [0, 0, 0, -1, 1]]))
    found = analyse(reduced(marks), PLANNED)
    assert found.estimate[0, 4] == pytest.approx(tested.effect[0])
    assert found.estimates.error[0, 4] == pytest.approx(tested.sd[0, 0])


def reasons(found: Findings) -> set[str]:
    """Reasons given; each belongs to a cell without verdict, and every such cell has one."""
    for cell, verdict in np.ndenumerate(found.verdict):
        assert bool(found.estimates.why[cell[0]][cell[1]]) == (verdict == CANNOT)
        assert np.isnan(found.p[cell]) == (verdict == CANNOT)
    return {why for row in found.estimates.why for why in row if why}


def test_one_text() -> None:
    marks = random_marks(6, texts=("Book",))
    found = analyse(reduced(marks), PLANNED)
    assert not reasons(found)
    assert reasons(analyse(reduced(marks), PLANNED.replace(errors="cluster"))) == {
        "One text only: nothing to cluster."
    }


def test_one_label() -> None:
    marks = random_marks(7, labels=("neutral",))
    found = analyse(reduced(marks), PLANNED)
    assert (found.verdict == CANNOT).all()
    assert "No file is labelled with a model." in reasons(found)
    assert "No file is labelled Chen." in reasons(found)


def test_constant_marks() -> None:
    marks = {cell: [5.0] * 4 for cell in random_marks(8)}
    found = analyse(reduced(marks), PLANNED)
    assert (found.verdict == CANNOT).all()
    assert all("no residual" in why for why in reasons(found))


def test_a_judge_without_the_neutral_label() -> None:
    marks = {c: s for c, s in random_marks(9).items() if (c[0], c[2]) != (SOL, "neutral")}
    found = analyse(reduced(marks), PLANNED)
    assert (found.verdict[0, [0, 2, 3]] == CANNOT).all()
    assert (found.verdict[0, [1, 4]] != CANNOT).all()
    assert (found.verdict[1:] != CANNOT).all()
    assert reasons(found) == {"This judge has no marks of files labelled no label."}
    # The tests that could not run stay in their families, as if their p-value were 1.
    p = analyse(reduced(marks), PLANNED.replace(gate="none")).p
    expected = multipletests(np.nan_to_num(p[:, 0], nan=1.0), method="holm")[1]
    assert found.p_adjusted[1:, 0] == pytest.approx(expected[1:])
    assert np.isnan(found.p_adjusted[0, 0])


def test_a_label_left_out_is_not_replaced() -> None:
    kept = tuple(name for name in PLANNED.many("labels") if name != "gemini")
    found = analyse(shipped(), PLANNED.replace(labels=kept))
    assert reasons(found) == {"It needs a label that is left out."}
    assert (found.verdict[:, 3:] != CANNOT).all()


def test_each_study_offers_its_own_labels() -> None:
    rows = table("filenames", "labels")
    for study, key in LABELS.items():
        offered = [option.value for option in DECLARATION[key].options]
        assert offered == rows.filter(pl.col(f"study_{study}") == "1")["label"].to_list()
        # What is left out of the other study's labels is no departure and changes nothing.
        here = PLANNED.replace(study=study)
        (other,) = (name for name in LABELS.values() if name != key)
        fewer = here.replace(**{other: ("neutral",)})
        assert not DECLARATION.departures(fewer)
        assert analyse(shipped(), fewer).part is analyse(shipped(), here).part


def test_texts_left_out() -> None:
    kept = tuple(name for name in PLANNED.many("documents") if name != "Chess")
    found = analyse(shipped(), PLANNED.replace(documents=kept))
    other = analyse(reduce_scores(rows().filter(pl.col("text") != "Chess")), PLANNED)
    assert found.estimate == pytest.approx(other.estimate)
    assert found.estimates.error == pytest.approx(other.estimates.error)


@cache
def second() -> dict[tuple[str, str, str], list[float | None]]:
    return random_marks(10, texts=study_2_texts(4), labels=STUDY_2, calls=(3, 3))


def test_study_2_without_some_texts() -> None:
    marks = dict(second())
    assert not reasons(analyse(reduced(marks, study="2"), SECOND))
    del marks[SOL, "b00-google", "neutral"]
    found = analyse(reduced(marks, study="2"), SECOND)
    # That brief is lost to H5 of all judges, and to nothing else.
    assert found.estimates.n[:, 0].tolist() == [3, 3, 3]
    assert (found.estimates.n[:, 1:] == 4).all()


def test_study_2_with_too_little() -> None:
    one = {c: s for c, s in second().items() if c[1].startswith("b00")}
    assert reasons(analyse(reduced(one, study="2"), SECOND)) == {
        "One brief only: nothing to say how much briefs differ."
    }
    two = {c: s for c, s in second().items() if c[0] != SOL}
    found = analyse(reduced(two, study="2"), SECOND)
    assert reasons(found) == {"H5 needs at least three judges with makers of their own."}
    no_own = {c: s for c, s in second().items() if not c[1].endswith("openai")}
    found = analyse(reduced(no_own, study="2"), SECOND)
    assert found.verdict[0, 1] == CANNOT
    assert (found.verdict[1:, 1:] != CANNOT).all()
    flat = {cell: [6.0, 6.0, 6.0] for cell in second()}
    assert reasons(analyse(reduced(flat, study="2"), SECOND)) == {
        "All 4 briefs have the same value: no uncertainty can be read off."
    }


def test_authors_that_are_left_out() -> None:
    found = analyse(shipped(), SECOND.replace(authors=("openai", "google")))
    assert reasons(found) == {
        "H5 needs the texts of every judge's maker; some are not there.",
        "No brief has every mark that it needs.",
    }


def test_a_study_that_the_panel_has_not_got() -> None:
    found = analyse(reduced(random_marks(11)), SECOND)
    assert found.verdict.shape == (0, 3)


def test_typed_contrasts() -> None:
    text = "chen:1,sergey:-1/2,neutral:-1/2"
    found = analyse_typed(shipped(), PLANNED.replace(contrast=text))
    planned = analyse(shipped(), PLANNED)
    assert found is not None
    assert found.estimate[:, 0] == pytest.approx(planned.estimate[:, 3])
    assert found.p_adjusted[:, 0] == pytest.approx(planned.p_adjusted[:, 3])
    # Typed contrasts are claimed to lie above zero; H4 predicts that it lies below.
    assert found.verdict[:, 0].tolist() == ["supported", "supported", "not supported"]
    assert analyse_typed(shipped(), PLANNED) is None
    second = analyse_typed(shipped(), SECOND.replace(contrast="catherine:1,chen:-1"))
    assert second is not None
    assert (second.estimates.n == 30).all()


def test_other_judges_labels_and_texts() -> None:
    marks = random_marks(12, judges=("a", "b"), texts=("x", "y"))
    rows = frame(marks).with_columns(
        judge_family=pl.col("judge").replace_strict({"a": "openai", "b": "none"})
    )
    found = analyse(reduce_scores(rows), PLANNED)
    assert found.part.judges == ("a", "b")
    assert (found.verdict[0] != CANNOT).all()
    assert reasons(found) == {"No file is labelled with the judge's own maker."}


def test_the_study_is_no_departure() -> None:
    assert is_planned(PLANNED)
    assert is_planned(SECOND)
    assert planned_for(SECOND.replace(alpha=0.1)) == SECOND
    assert not is_planned(PLANNED.replace(alpha=0.1))
