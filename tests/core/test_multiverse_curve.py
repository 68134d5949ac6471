"""The curve's frames and words: few marks for many specifications, and nothing lost on the way."""

from __future__ import annotations

from dataclasses import replace

import altair as alt
import numpy as np
import polars as pl
import pytest

from core import claims
from core.charts import multiverse as charts
from core.charts.marks import Look
from core.charts.theme import DARK, LIGHT, Palette
from core.multiverse import curve as curves
from core.multiverse import hinges, shown, words
from core.multiverse.components import components, table
from core.multiverse.hinges import Looked
from core.multiverse.outcomes import decode
from core.multiverse.setup import Setup, opening, with_choices
from core.multiverse.specs import LIMIT
from tests.core import judged_panels


def looked_at(name: str, setup: Setup, *, panels: int = 1) -> Looked:
    study, found = claims.of(name), judged_panels.ensemble(name)
    first = found.statistics[:panels]
    ensemble = study.ensemble(first, documented=True, pins=found.pins)
    wanted = [study.find(first[0], key) for key in setup.claims]
    return hinges.look(study, ensemble, [c for c in wanted if c], setup.specs(study))


@pytest.fixture(scope="module")
def opened() -> Looked:
    study = claims.of("composition")
    main = study.claims(judged_panels.statistics("composition"))[0]
    return looked_at("composition", opening(study, main))


@pytest.fixture(scope="module")
def largest() -> Looked:
    """As many specifications as the page takes: a sample of a far larger grid."""
    study = claims.of("composition")
    main = study.claims(judged_panels.statistics("composition"))[0]
    grid = tuple(round(0.02 * step, 2) for step in range(51))
    keys = [*study.opening, "zeros", "modules"]
    setup = with_choices(study, (main.key,), keys, {"tau": grid})
    return looked_at("composition", setup)


def test_fifty_thousand_specifications_are_few_marks(largest: Looked) -> None:
    assert 40_000 < len(largest.specs) <= LIMIT
    drawn = curves.curve(largest, 0)
    assert drawn.points.height * 2 + drawn.matrix.height <= curves.MARKS
    assert drawn.drawn + drawn.missing == len(range(*largest.specs.described.indices(LIMIT * 2)))
    assert drawn.points["count"].sum() == drawn.drawn
    assert "too many to draw one by one" in shown.curve_reading(drawn, largest, largest.claims[0])
    said = words.sample_sentence(largest)
    assert said.startswith("A sample: ")
    drawn = {tuple(row) for row in largest.specs.index[largest.specs.described].tolist()}
    assert f"{len(drawn):,} of {largest.specs.size:,} combinations" in said


def test_the_curve_rises_and_counts_every_verdict(opened: Looked) -> None:
    drawn = curves.curve(opened, 0)
    middle = drawn.points.group_by("place").agg(pl.col("estimate").median()).sort("place")
    assert middle["estimate"].is_sorted()
    own = opened.outcomes[0]
    there = ~np.isnan(own.estimate[:, 0])
    said = dict(drawn.points.group_by("verdict").agg(pl.col("count").sum()).iter_rows())
    names, count = np.unique(decode(own.verdict[there, 0]), return_counts=True)
    assert said == dict(zip(names.tolist(), count.tolist(), strict=True))
    # Each specification has one value of each choice, so shares of a column add up to one.
    sums = drawn.matrix.group_by("place", "choice").agg(pl.col("share").sum())
    assert sums["share"].to_numpy() == pytest.approx(np.ones(sums.height))
    planned = own.estimate[opened.specs.planned_row, 0]
    assert drawn.planned["estimate"][0] == planned
    below = (own.estimate[there, 0] < planned).mean() * 100
    assert drawn.planned["place"][0] >= below - 1e-9


def test_a_part_of_the_curve_against_a_plain_count(opened: Looked) -> None:
    order = curves.sorted_rows(opened, 0)
    part = curves.in_common(opened, 0, (0.0, 25.0))
    inside = order[: round(len(order) / 4)]
    at = [axis.key for axis in opened.specs.axes].index("measure")
    levels = opened.specs.axes[at].levels
    for i, level in enumerate(levels):
        row = part.filter(pl.col("value") == level.label).row(0, named=True)
        assert row["share"] == pytest.approx((opened.specs.index[inside, at] == i).mean())
        assert row["share_all"] == pytest.approx((opened.specs.index[order, at] == i).mean())
    counted = curves.verdicts_in(opened, 0, (0.0, 25.0))
    assert counted["count"].sum() == len(inside)
    whole = curves.specification_table(opened, 0)
    assert whole.height == len(opened.specs)
    assert whole["Tolerance"].n_unique() == 5


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_charts_are_valid(opened: Looked, colours: Palette) -> None:
    drawn = curves.curve(opened, 0)
    look = Look(colours, ("a claim",), "a claim")
    panels = [
        table(opened.specs, components(opened.specs, values))
        for values in opened.numbers(0, "verdict")
    ]
    parts = shown.bars(panels)
    totals = np.array([own["total"].to_list() for own in panels])
    assert sorted(parts["low"].to_list()) == sorted(totals.min(axis=0))
    assert sorted(parts["high"].to_list()) == sorted(totals.max(axis=0))
    order = curves.rows_of(opened)
    for drawing in (
        charts.curve(
            drawn.points, drawn.planned, unit="bits", line=0.0, part=(5.0, 15.0), look=look
        ),
        charts.choices_beneath(drawn.matrix, order, part=None, look=look),
        charts.hinge_bars(parts, what="verdict", look=look),
    ):
        alt.LayerChart.from_dict(drawing.for_file())


def single(*rows: tuple[str, str, str, str, bool, int, bool]) -> pl.DataFrame:
    """Single changes: label, role, value, after, flips, count, told."""
    columns = ["label", "role", "value", "after", "flips", "count", "told"]
    return pl.DataFrame(rows, schema=columns, orient="row").with_columns(
        claim=pl.lit("c"),
        size=pl.lit(5),
        before=pl.lit("supported"),
        planned=pl.lit("p"),
        alike=pl.col("told"),
        first=pl.lit(False),
    )


def test_hinges_in_words() -> None:
    changes = single(
        ("Comparator", "estimand", "Equal", "not supported", True, 5, True),
        ("Alpha", "inference", "0.01", "not supported", True, 5, True),
        ("Alpha", "inference", "0.02", "not supported", True, 5, True),
        ("Alpha", "inference", "0.03", "not supported", True, 5, True),
        ("Seed", "inference", "2", "not supported", True, 3, False),
        ("Gate", "inference", "Off", "supported", False, 0, False),
    )
    # The same question first; a flip of some reconstructions is never named.
    assert words.hinges_on(changes, "c") == (
        "alpha (“0.01” or “0.02” and 1 more give not supported); "
        "comparator (“Equal” gives not supported; another question)"
    )
    assert words.hinges_on(changes.filter(pl.col("count") == 0), "c") == words.NONE
    some = words.hinges_on(changes.filter(pl.col("label") == "Seed"), "c")
    assert some == "nothing that the document determines; in some of 5 reconstructions: seed"


def test_another_word_is_told_after_what_makes_the_claim_fall() -> None:
    changes = single(
        ("Alpha", "inference", "0.01", "equivalent", True, 5, True),
        ("Bound", "inference", "0.25", "difference", True, 5, True),
    ).with_columns(before=pl.lit("both"))
    assert words.hinges_on(changes, "c") == (
        "bound (“0.25” gives difference); "
        "alpha (“0.01” gives equivalent: another word, the claim still stands)"
    )
    sets = shown.smallest_known(hinges.single_sets(changes))
    assert shown.smallest_sentence(sets, 2, None) == (
        "One change is enough: “Bound: 0.25” gives difference. Another word, the claim still "
        "stands: “Alpha: 0.01” gives equivalent."
    )


def test_what_the_page_tells_of_comes_first_even_as_another_question() -> None:
    changes = single(
        ("Cells", "data", "each", "not supported", True, 5, True),
        ("Comparator", "estimand", "Equal", "not supported", True, 5, True),
    ).with_columns(first=pl.col("label") == "Comparator")
    assert words.hinges_on(changes, "c").startswith("comparator (“Equal”")
    claim = claims.of("composition").claims(judged_panels.statistics("composition"))[0]
    said = words.opening(replace(claim, key="c"), "supported", changes, is_open=False)
    assert said.endswith(
        "It hinges on comparator (“Equal” gives not supported; another question); cells (“each” "
        "gives not supported)."
    )


def test_a_flip_in_all_that_is_no_hinge_says_why() -> None:
    changes = single(
        ("Power", "inference", "0.5", "not supported", True, 5, False),
        ("Gate", "inference", "Off", "not supported", True, 5, False),
        ("Seed", "inference", "2", "not supported", True, 3, False),
    ).with_columns(alike=pl.col("label") == "Gate")
    ((_, rows), _) = shown.flip_tables(changes, 5)
    assert rows["reconstructions"].to_list() == [
        "5 of 5 flip, but not between the same two verdicts: not determined",
        "5 of 5 flip, but the document leaves the verdict open",
        "3 of 5, not determined",
    ]


def test_shares_of_verdicts_go_over_all_reconstructions(opened: Looked) -> None:
    counts = hinges.verdict_counts(opened, 0)
    planned = words.planned_verdict(opened, 0)
    row = counts.row(by_predicate=pl.col("verdict") == planned, named=True)
    found = [share.share for share in hinges.shares(opened, 0)]
    assert (row["low"], row["high"]) == pytest.approx((min(found), max(found)))
    table = shown.verdicts(counts, 5)
    column = "share, over 5 reconstructions"
    told = table.filter(pl.col("verdict").str.ends_with(f" {planned}"))[column][0]
    assert told in words.kept_sentence(opened, 0)


def test_shares_near_all_are_not_called_all() -> None:
    study = claims.of("composition")
    main = study.claims(judged_panels.statistics("composition"))[0]
    setup = with_choices(
        study, (main.key,), ["tau", "gate"], {"tau": (0.2, 0.58), "gate": tuple(range(1, 31))}
    )
    found = looked_at("composition", setup)
    share = hinges.shares(found, 0)[0]
    text = words.kept_sentence(found, 0)
    assert 0 < share.kept < share.known
    assert f"of {share.known} specifications" in text
    assert not text.startswith(("100%", "0%"))
