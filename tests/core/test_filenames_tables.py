"""Tables, sentences and what stands behind them."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.choices import Choices
from core.figures import figures
from core.panels.catalogue import shipped
from core.stats.multiplicity import adjust
from core.studies.filenames import sentences, shown, stated
from core.studies.filenames.choices import DECLARATION, for_page
from core.studies.filenames.estimate import analyse, analyse_typed
from core.studies.filenames.marks import cell_table, coarseness_table, deviation_range, mark_table
from core.studies.filenames.planner import effect_curve, plan
from core.studies.filenames.published import PUBLISHED
from core.studies.filenames.reconstructions import (
    Ensemble,
    moves,
    shares_with_basis,
    texts_with_basis,
    with_basis,
)
from core.studies.filenames.reduce import reduce_scores
from core.studies.filenames.scope import in_scope
from core.studies.filenames.shares import share_table
from core.studies.filenames.tables import compare, contrast_table, multiplicity_table, typed_table
from core.studies.filenames.text_contrasts import (
    leave_one_out,
    leave_out_summary,
    sign_table,
    text_table,
)
from core.verdicts import Verdict
from tests.core.score_rows import SOL, STUDY_2, frame, random_marks, reduced, study_2_texts

PLANNED = DECLARATION.planned
SECOND = PLANNED.replace(study="2")
SONNET, ARGON = "claude-sonnet-5.5", "gemini-4-argon"


@cache
def ensemble() -> Ensemble:
    panels = [each.read() for each in shipped("filenames", "scores", "reconstructed")]
    statistics = tuple(reduce_scores(panel.frame) for panel in panels)
    return Ensemble(statistics, True, panels[0].provenance.pinned_ids)


def contrasts(choices: Choices = PLANNED) -> pl.DataFrame:
    statistics = ensemble().statistics[0]
    return contrast_table(compare(statistics, analyse(statistics, choices)))


def test_the_contrast_table_marks_flips_against_the_planned_setting() -> None:
    table = contrasts()
    assert table.height == 15
    assert not table["flip"].any()
    # Holm p-values of .007 and .008 do not survive an alpha of .005.
    strict = contrasts(PLANNED.replace(alpha=0.005))
    flipped = strict.filter("flip").select("judge_id", "hypothesis").rows()
    assert flipped == [(SOL, "H3"), (SONNET, "H4b")]
    assert strict.filter("flip")["verdict_now"].unique().to_list() == ["not supported"]
    # Study 2 is held against its own planned setting.
    assert not contrasts(SECOND)["flip"].any()


def test_what_is_not_significant_has_its_detectable_effect() -> None:
    table = contrasts().filter(~pl.col("significant"))
    assert table.select("judge_id", "hypothesis").rows() == [(SOL, "H4b"), (ARGON, "H4")]
    assert (table["detectable"] > table["estimate"].abs()).all()


def test_multiplicity_in_every_family() -> None:
    table = multiplicity_table(ensemble().statistics[0], PLANNED)
    assert table.height == 10
    assert (table["supported"] + table["opposite"] + table["not_supported"] == 15).all()
    planned = table.filter(
        (pl.col("adjustment") == "Holm")
        & (pl.col("tests_adjusted_together") == "All judges, one hypothesis")
    )
    assert planned["changed"].to_list() == [0]
    # Only Sol's H3 and Sonnet's H4b are near the threshold.
    assert table["changed"].max() == 2


def test_one_text_after_another_is_a_fit_without_it() -> None:
    marks = random_marks(1, texts=("Chess", "Book", "Cournot"))
    statistics = reduced(marks)
    for errors in ("HC3", "cluster"):
        choices = PLANNED.replace(errors=errors)
        table = leave_one_out(statistics, analyse(statistics, choices))
        for name in ("Chess", "Book", "Cournot"):
            rest = reduced({cell: s for cell, s in marks.items() if cell[1] != name})
            expected = analyse(rest, choices)
            rows = table.filter(pl.col("left_out") == name)
            assert rows["estimate"].to_numpy() == pytest.approx(expected.estimate.ravel())
            assert rows["p_adjusted"].to_numpy() == pytest.approx(expected.p_adjusted.ravel())
            assert rows["verdict"].to_list() == expected.verdict.ravel().tolist()


def test_one_brief_after_another_is_a_mean_without_it() -> None:
    marks = random_marks(2, texts=study_2_texts(4), labels=STUDY_2, calls=(3, 3))
    del marks[SOL, "b01-google", "neutral"]
    statistics = reduced(marks, study="2")
    table = leave_one_out(statistics, analyse(statistics, SECOND))
    assert table["left_out"].n_unique() == 4
    for name in ("b00", "b01", "b02", "b03"):
        rest = {cell: s for cell, s in marks.items() if not cell[1].startswith(name)}
        expected = analyse(reduced(rest, study="2"), SECOND)
        rows = table.filter(pl.col("left_out") == name)
        assert rows["estimate"].to_numpy() == pytest.approx(expected.estimate.ravel())
        assert rows["p_adjusted"].to_numpy() == pytest.approx(expected.p_adjusted.ravel())


def test_the_summary_names_texts_whose_absence_flips() -> None:
    statistics = ensemble().statistics[0]
    summary = leave_out_summary(leave_one_out(statistics, analyse(statistics, PLANNED)))
    assert summary.height == 15
    assert (summary["flips"] == summary["names"].list.len()).all()
    assert (summary["lowest"] <= summary["highest"]).all()
    # Sonnet's H2 rests on texts that pull in both directions.
    row = summary.filter((pl.col("judge_id") == SONNET) & (pl.col("hypothesis") == "H2"))
    assert row["flips"][0] > 0


def test_one_text_cannot_be_left_out() -> None:
    statistics = reduced(random_marks(3, texts=("Book",)))
    assert leave_one_out(statistics, analyse(statistics, PLANNED)).is_empty()


def test_each_text_is_a_fit_of_its_own() -> None:
    marks = random_marks(4)
    statistics = reduced(marks)
    for errors in ("HC3", "HC1", "classical"):
        choices = PLANNED.replace(errors=errors)
        table = text_table(statistics, analyse(statistics, choices))
        for text in ("Chess", "Book", "Cournot"):
            alone = reduced({cell: s for cell, s in marks.items() if cell[1] == text})
            expected = analyse(alone, choices)
            for h, hypothesis in enumerate(expected.hypotheses):
                rows = table.filter((pl.col("text") == text) & (pl.col("hypothesis") == hypothesis))
                assert rows["estimate"].to_numpy() == pytest.approx(expected.estimate[:, h])
                assert rows["error"].to_numpy() == pytest.approx(expected.estimates.error[:, h])
                assert rows["star"].to_list() == (expected.p[:, h] < 0.01).tolist()


def test_signs_are_counted() -> None:
    statistics = ensemble().statistics[0]
    texts = text_table(statistics, analyse(statistics, PLANNED))
    signs = sign_table(texts)
    assert (signs["up"] + signs["down"] + signs["even"] == signs["texts"]).all()
    # Table 2: Argon's H1 is negative on all four texts, with stars.
    row = signs.filter((pl.col("judge_id") == ARGON) & (pl.col("hypothesis") == "H1"))
    assert row.select("texts", "up", "down", "starred_down").row(0) == (4, 0, 4, 4)


def test_own_texts_only_for_h6() -> None:
    statistics = ensemble().statistics[0]
    table = text_table(statistics, analyse(statistics, SECOND))
    own = table.filter((pl.col("hypothesis") == "H6") & pl.col("estimate").is_not_null())
    assert own.select("judge_id", "author_family").unique().height == 3
    assert "H5" not in table["hypothesis"].to_list()


def test_marks_add_up() -> None:
    part = in_scope(ensemble().statistics[0], PLANNED)
    table = mark_table(part)
    sums = table.group_by("judge_id").agg(pl.col("count").sum(), pl.col("share").sum())
    assert sums["count"].to_list() == [3648] * 3
    assert sums["share"].to_list() == pytest.approx([1.0] * 3)
    coarse = coarseness_table(part)
    assert coarse.filter(pl.col("judge_id") == SONNET)["top"].to_list() == [[3.5, 4.5, 5.8]]


def test_the_range_of_deviations_is_a_plain_quantile() -> None:
    marks = random_marks(5, judges=(SOL,))
    part = reduced(marks).in_study("1")
    deviations = np.concatenate([np.array(s) - np.mean(s) for s in marks.values()])
    expected = np.quantile(deviations, [0.025, 0.975])
    assert deviation_range(part, 0) == pytest.approx(tuple(expected))


def test_dots_hold_every_cell() -> None:
    part = in_scope(ensemble().statistics[0], SECOND)
    table = cell_table(part)
    assert table.height == 3 * 90 * 8
    for _, rows in table.group_by("judge_id"):
        assert sorted(rows["place"].unique().to_list()) == list(range(90))
        levels = rows.group_by("place").agg(pl.col("mean").mean()).sort("place")["mean"]
        assert np.diff(levels.to_numpy()).min() > -1e-9


def test_the_planner_follows_the_study() -> None:
    found = plan(PLANNED)
    assert not isinstance(found, str)
    assert found.repetitions == 151
    assert found.calls == 151 * 6 * 4 * 3
    assert found.detectable <= 0.1
    assert "151 × 6 labels × 4 texts × 3 judges" in found.sentence(PLANNED)
    assert plan(PLANNED.replace(plan_contrast="typed")) == "Type a contrast first."
    typed = PLANNED.replace(plan_contrast="typed", contrast="chen:1,sergey:-1")
    assert plan(typed) == found
    curve = effect_curve(PLANNED)
    assert curve["repetitions"].is_sorted(descending=True)
    assert curve["chosen"].sum() == 1


def test_printed_figures_stand_behind_the_planned_setting() -> None:
    for choices in (PLANNED, SECOND):
        table = with_basis(contrasts(choices), ensemble(), choices)
        assert set(table["number_basis"]) == {"pinned"}
        assert set(table["verdict_basis"]) == {"pinned"}


def test_a_departure_is_not_pinned() -> None:
    choices = PLANNED.replace(documents=("Chess", "Book"))
    table = with_basis(contrasts(choices), ensemble(), choices)
    assert "pinned" not in table["number_basis"].to_list()
    # Printed p-values say what another alpha does, unless rounding hides it.
    alpha = PLANNED.replace(alpha=0.1)
    assert set(with_basis(contrasts(alpha), ensemble(), alpha)["verdict_basis"]) == {"pinned"}
    errors = PLANNED.replace(errors="HC0")
    table = with_basis(contrasts(errors), ensemble(), errors)
    assert set(table["number_basis"]) == {"pinned"}
    assert "pinned" not in table["verdict_basis"].to_list()


def test_stated_verdicts() -> None:
    pins = ensemble().pins
    assert stated.says((SOL, "H2"), PLANNED, pins) == Verdict.OPPOSITE
    assert stated.says((SOL, "H4b"), PLANNED, pins) == Verdict.NOT_SUPPORTED
    # Below .001 says nothing at an alpha of .0005.
    assert stated.says((SOL, "H1"), PLANNED.replace(alpha=0.005), pins) == Verdict.SUPPORTED
    assert stated.says((SOL, "H1"), PLANNED, frozenset()) is None
    assert stated.says((SOL, "H1"), PLANNED.replace(errors="HC0"), pins) is None
    assert stated.says((SOL, "H1"), PLANNED.replace(documents=("Book",)), pins) is None


def test_printed_p_values_settle_other_adjustments() -> None:
    # Of its three judges Sol's H3 is last, printed .007, so that is its raw p: 15 x .0065 > .05.
    # Sonnet's H4b is second, printed .008, so its raw p is half of that: 15 x .00375 > .05.
    strictest = PLANNED.replace(gate="bonferroni", family="all")
    for cell in ((SOL, "H3"), (SONNET, "H4b")):
        assert stated.says(cell, strictest, ensemble().pins) == Verdict.NOT_SUPPORTED
    # A reconstruction alone settles nothing, so what is certain here is so by print.
    alone = Ensemble(ensemble().statistics[:1], True, ensemble().pins)
    table = moves(alone, PLANNED, strictest)
    assert table.filter("changed").select("judge_id", "hypothesis", "certain").rows() == [
        (SOL, "H3", True),
        (SONNET, "H4b", True),
    ]
    told = sentences.last_change(alone, PLANNED, strictest)
    assert told.endswith(": Sol H3 and Sonnet H4b become not supported.")
    assert not moves(alone, PLANNED, PLANNED.replace(errors="cluster"))["certain"].any()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.integers(1, 4))
def test_limits_of_raw_p_values_hold_the_raw_ones(p: list[float], decimals: int) -> None:
    raw = np.array(p)
    rounded = adjust(raw, "holm").round(decimals)
    half = 0.5 * 10.0**-decimals + 1e-12
    printed = [(max(0.0, a - half), min(1.0, a + half)) for a in rounded.tolist()]
    low, high = stated.raw_limits(printed)
    assert (low <= raw + 1e-9).all()
    assert (raw <= high + 1e-9).all()


def test_texts_and_shares_have_their_basis() -> None:
    statistics = ensemble().statistics
    texts = text_table(statistics[0], analyse(statistics[0], PLANNED))
    assert set(texts_with_basis(texts, ensemble(), PLANNED)["number_basis"]) == {"pinned"}
    second = text_table(statistics[0], analyse(statistics[0], SECOND))
    assert "pinned" not in texts_with_basis(second, ensemble(), SECOND)["number_basis"].to_list()
    tables = [share_table(each, PLANNED) for each in statistics]
    found = shares_with_basis(tables[0], ensemble(), tables, PLANNED)
    assert set(found["number_basis"]) == {"pinned"}


def test_own_panels_have_no_printed_figures() -> None:
    own = Ensemble((ensemble().statistics[0],), False, frozenset())
    table = with_basis(contrasts(), own, PLANNED)
    assert set(table["number_basis"]) == {""}
    assert "rows" in table["behind"][0]
    assert "0.09 less from Sol" in sentences.opening(own, PLANNED)


def test_sentences_about_the_planned_setting_say_so_elsewhere() -> None:
    few, clustered = PLANNED.replace(documents=("Chess",)), PLANNED.replace(errors="cluster")
    said = (sentences.opening, sentences.standing, sentences.hinge)
    assert all(say(ensemble(), few).startswith("In the planned setting: ") for say in said)
    # Standard errors do not move estimates, and their printed figures stand.
    assert sentences.opening(ensemble(), clustered) == sentences.opening(ensemble(), PLANNED)
    assert sentences.standing(ensemble(), clustered).startswith("In the planned setting: ")


def test_the_opening_says_which_judge_has_which_tilt() -> None:
    text = sentences.opening(ensemble(), PLANNED)
    assert "compared with no label and Sergey, model labels get 0.09 less from Sol" in text
    assert "0.12 more from Sonnet and 0.20 less from Argon" in text
    standing = sentences.standing(ensemble(), PLANNED)
    assert "6 of 13 significant results lie against the prediction." in standing
    assert "1 of 8 significant" in sentences.standing(ensemble(), SECOND)


def test_changes_are_told() -> None:
    assert sentences.departures(ensemble(), PLANNED) == ""
    assert sentences.departures(ensemble(), SECOND) == ""
    told = sentences.departures(ensemble(), PLANNED.replace(alpha=0.005))
    assert told.endswith("Sol H3 and Sonnet H4b become not supported.")
    # Each contrast's p-value under the family of all fifteen.
    wide = sentences.departures(ensemble(), PLANNED.replace(family="all", gate="bonferroni"))
    assert "Sol H3" in wide
    assert "no verdict changes" not in wide
    other = sentences.last_change(ensemble(), PLANNED, SECOND)
    assert other.startswith("Another study")


def test_moves_in_every_panel() -> None:
    table = moves(ensemble(), PLANNED, PLANNED.replace(alpha=0.005))
    assert table.filter("changed").height == 2
    assert table["certain"].all()


def test_reasons_name_judges_and_hypotheses() -> None:
    kept = tuple(name for name in PLANNED.many("labels") if name != "chen")
    said = sentences.reasons(contrasts(PLANNED.replace(labels=kept)))
    assert len(said) == 3
    assert all("H4 and H4b" in text for text in said)


def test_typed_contrasts_have_a_table() -> None:
    found = analyse_typed(
        ensemble().statistics[0], PLANNED.replace(contrast="chen:1,sergey:-1")
    )  # fmt: skip
    assert found is not None
    table = typed_table(found)
    assert table["hypothesis"].to_list() == ["custom"] * 3
    assert table["k"].to_list() == [2.0] * 3
    assert "planned" not in table.columns


def test_published_means_by_delivery() -> None:
    table = stated.deliveries()
    assert table.height == 6
    assert table.filter((pl.col("delivery") == "claude_upload") & (pl.col("label") == "claude"))[
        "mean"
    ].to_list() == [4.49]


def test_a_tilt_in_one_line() -> None:
    text = sentences.tilt(contrasts(), SONNET)
    assert text.startswith("H1 +0.123 (against the prediction)")
    assert sentences.tilt(contrasts(PLANNED.replace(documents=("Book",))), "nobody").startswith(
        "no"
    )


def test_rows_in_any_order_give_the_same() -> None:
    rows = frame(random_marks(6))
    one = reduce_scores(rows).in_study("1")
    other = reduce_scores(rows.reverse().lazy()).in_study("1")
    assert np.array_equal(one.mean, other.mean, equal_nan=True)
    assert np.array_equal(one.squares, other.squares)
    assert one.texts.equals(other.texts)


def test_what_the_verdicts_hinge_on() -> None:
    text = sentences.hinge(ensemble(), PLANNED)
    assert "Clustered by text instead of HC3, 12 of 13 significant results" in text
    # Every panel for itself, by the findings alone.
    for statistics in ensemble().statistics:
        was, now = (
            analyse(statistics, PLANNED.replace(errors=errors)).verdict
            for errors in ("HC3", "cluster")
        )
        significant = np.isin(was, ["supported", "opposite"])
        assert significant.sum() == 13
        assert (now[significant] == "not supported").sum() == 12
    # One reconstruction cannot agree with others, and study 2 has one kind of standard error.
    assert (
        sentences.hinge(Ensemble(ensemble().statistics[:1], True, ensemble().pins), PLANNED) == ""
    )
    assert sentences.hinge(ensemble(), SECOND) == ""
    assert "hinge" in sentences.hinge(Ensemble(ensemble().statistics[:1], False), PLANNED)
    constant = reduced({cell: [5.0, 5.0] for cell in random_marks(1)})
    assert sentences.hinge(Ensemble((constant,), False), PLANNED) == ""


def test_choices_of_a_section_are_no_change() -> None:
    assert sentences.departed(PLANNED, PLANNED.replace(draws="500", contrast="chen:1,v2:-1")) == []
    assert for_page(PLANNED.replace(draws="500", alpha=0.01)) == PLANNED.replace(alpha=0.01)
    # Study 1 has no genres, so that choice is held and does nothing.
    assert sentences.departed(PLANNED, PLANNED.replace(genres=("report",))) == []
    assert sentences.departed(PLANNED, PLANNED.replace(gate="bh")) == ["gate"]


def test_multiplicity_as_shown_counts_significant_results() -> None:
    statistics = ensemble().statistics[0]
    table = shown.multiplicity(multiplicity_table(statistics, PLANNED))
    assert table.columns == ["adjustment", "within a hypothesis", "within a judge", "all tests"]
    entries = {row[0]: row[1:] for row in table.rows()}
    assert entries["None"] == ("13 of 15",) * 3
    # Table 1 prints Holm p-values of .007 and .008; times fifteen they pass .05.
    assert entries["Bonferroni"][2] == "11 of 15, 2 differ"
    assert entries["Holm"][0] == "13 of 15"


def test_shown_tables_have_headings_in_words() -> None:
    statistics = ensemble().statistics[0]
    found = analyse(statistics, PLANNED)
    table = with_basis(contrasts(), ensemble(), PLANNED)
    texts = sign_table(text_table(statistics, found))
    out = leave_out_summary(leave_one_out(statistics, found))
    name = table["judge"][5]
    views = (
        shown.contrasts(table),
        shown.signs(texts, name),
        shown.left_out(out, name),
        shown.coarseness(coarseness_table(found.part)),
        shown.deliveries(stated.deliveries()),
    )
    for view in views:
        assert view.height
        assert not {"starred_up", "verdict_all", "tried", "top", "estimator_name"} & set(
            view.columns
        )
    printed = [
        figure.value
        for figure in figures("filenames").values()
        if (figure.locator, figure.quantity) == ("Table 2", "contrast_estimate")
        and (figure.subject, figure.condition["hypothesis"]) == (SONNET, "H1")
    ]
    row = shown.signs(texts, name).row(0, named=True)
    assert row["hypothesis"] == "H1"
    # Table 2 stars all four.
    above, below = (sum(sign * value > 0 for value in printed) for sign in (1, -1))
    assert row["above zero"] == f"{above} ({above})"
    assert row["below zero"] == f"{below} ({below})"


def test_published_parts_hold_printed_figures() -> None:
    parts = {part.key: part for part in PUBLISHED.parts()}
    rows = parts["sign-test"].rows
    assert rows is not None
    printed = figures("filenames")
    assert rows["printed"].to_list() == [
        str(int(printed[f"filenames.text.signtest.{name}"].value))
        for name in (
            "remain_significant",
            "significant_base",
            "become_significant",
            "insignificant_base",
        )
    ]
    assert parts["contradictions"].rows is None
    assert all(part.text for part in parts.values())
