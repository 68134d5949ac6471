"""Hinges as the multiverse page shows them: tables with headings in words, captions, texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from core.claims import Claim, StudyClaims
from core.columns import texts
from core.export import about
from core.multiverse import words
from core.multiverse.components import Components
from core.multiverse.curve import Curve, sorted_rows, verdicts_in
from core.multiverse.hinges import Looked, in_order, least, shares, still_stands
from core.multiverse.null import Calibration
from core.multiverse.smallest import Searched
from core.panels.read import Panel
from core.verdicts import MARKS, Mark, Verdict
from core.words import counted, listed, percent

Part = tuple[float, float]

NAMES = {"estimand": "another question", "data": "which rows count", "inference": "how judged"}


def explained(
    claim: Claim, study: StudyClaims[Any, Any], *, is_main: bool, documented: bool
) -> str:
    """Explain a claim: what decides it, what the study calls it, and why the page opens with it."""
    text = f"{claim.decided} Status in the study: {claim.status}."
    return f"{text} {study.because}" if is_main and documented else text


def page_query(study: StudyClaims[Any, Any], claim: Claim, panel: str) -> dict[str, str]:
    """Return the parameters under which the study's page shows a claim as planned."""
    choices = claim.within(study.declaration.planned)
    return study.declaration.to_link(choices, panel=panel) | dict(claim.view)


def unit(claim: Claim, looked: Looked) -> str:
    """Title of the axis of estimates; says so where specifications have different units."""
    if any(axis.key == "measure" for axis in looked.specs.axes):
        _, apart, of = claim.unit.partition(", ")
        return f"Estimate, each in its own measure{apart}{of}"
    return f"Estimate, {claim.unit}"


def export_lines(looked: Looked, panel: Panel) -> list[str]:
    """Write the lines that every export of the page carries."""
    specs = looked.specs
    lines = about(panel, looked.study.declaration, specs.base)
    values = [
        f"Looked at: {axis.label}: {', '.join(level.label for level in axis.levels)}"
        for axis in specs.axes
    ]
    return [*lines, *values, words.sample_sentence(looked), words.NOT_REPLICATIONS]


def curve_reading(drawn: Curve, looked: Looked, claim: Claim) -> str:
    """Say how to read the curve, and what is put together in it."""
    there = drawn.points["low"].null_count() < drawn.points.height
    lines = f" {claim.ends}" if there else ""
    text = (
        "A mark is an estimate, its shape the verdict; coloured where it is the planned one."
        f"{lines}"
    )
    seen = drawn.points["verdict"].unique().sort().to_list()
    text += f" {', '.join(f'{MARKS[Verdict(word)].symbol} {word}' for word in seen)}."
    if drawn.together:
        text += (
            f" {drawn.drawn:,} specifications are too many to draw one by one: each of "
            f"{drawn.columns} columns puts about {drawn.drawn / drawn.columns:.0f} neighbours "
            "together, with the median for each verdict."
        )
    if drawn.missing:
        text += f" {counted(drawn.missing, 'specification')} without an estimate are not drawn."
    if looked.size > 1:
        text += (
            " Drawn is the reconstruction in use; the values beneath, what a part has in common, "
            "shares of variation and reasons are of it as well. Shares of verdicts and flips go "
            f"over all {looked.size} reconstructions."
        )
    return text


def curve_alt(drawn: Curve, claim: Claim) -> str:
    """Put the curve in words."""
    low, high = (float(f(drawn.points["estimate"].to_numpy())) for f in (np.min, np.max))
    counts = drawn.points.group_by("verdict").agg(pl.col("count").sum()).sort("verdict")
    said = [f"{row['count']:,} {row['verdict']}" for row in counts.iter_rows(named=True)]
    places = [f"{place:.0f}%" for place in drawn.planned["place"]]
    at = f" The planned one stands at {places[0]}." if places else ""
    return (
        f"Estimates of {claim.title} over {drawn.drawn:,} specifications rise from {low:.3f} to "
        f"{high:.3f}: {listed(said)}.{at}"
    )


def matrix_alt(drawn: Curve) -> str:
    """Put the values beneath the curve in words: where each lies on average."""
    weight = (pl.col("place") * pl.col("share")).sum() / pl.col("share").sum()
    middle = drawn.matrix.group_by("row", maintain_order=True).agg(weight.alias("middle"))
    said = [f"{row['row']} at {row['middle']:.0f}%" for row in middle.iter_rows(named=True)]
    return f"Mean place on the curve of the specifications with each value: {'; '.join(said)}."


def part_sentence(looked: Looked, column: int, part: Part) -> str:
    """Count the verdicts in a part of the curve."""
    found = verdicts_in(looked, column, part)
    said = [f"{row['count']:,} {row['verdict']}" for row in found.iter_rows(named=True)]
    total = int(found["count"].sum())
    of = len(sorted_rows(looked, column))
    return f"{total:,} of {of:,} specifications: {listed(said)}."


def in_common(rows: pl.DataFrame, *, most: int = 10) -> pl.DataFrame:
    """Show values whose share differs most between a part and the whole."""
    top = rows.head(most)
    return top.select(
        "choice",
        "value",
        texts(top["share"], percent).alias("share of this part"),
        texts(top["share_all"], percent).alias("share of all"),
    )


def flip_tables(single: pl.DataFrame, size: int) -> list[tuple[str, pl.DataFrame]]:
    """Split one claim's flips into those that keep the question and those that ask another one."""
    flips = single.filter((pl.col("count") > 0) | pl.col("flips"))
    asks = pl.col("role") == "estimand"
    return [
        ("The same question: other rows, or another judgement", _flips(flips.filter(~asks), size)),
        ("Another question", _flips(flips.filter(asks), size)),
    ]


def _flips(rows: pl.DataFrame, size: int) -> pl.DataFrame:
    """Show flips: those that may be told first."""
    ordered = in_order(rows).sort(
        pl.col("told"), pl.col("count"), descending=True, maintain_order=True
    )
    verdicts = pl.col("before"), pl.col("after")
    symbols = {verdict.value: mark.symbol for verdict, mark in MARKS.items()}
    sign = pl.col("after").replace_strict(symbols, return_dtype=pl.String)
    shown = ordered.select(
        pl.col("label").alias("choice"),
        (pl.col("planned") + " → " + pl.col("value")).alias("change"),
        pl.when("flips")
        .then(pl.concat_str(sign, pl.lit(" "), "after", _remark(still_stands(*verdicts))))
        .otherwise(pl.lit("as planned in the one shown"))
        .alias("verdict"),
        pl.concat_str(
            pl.col("count").cast(pl.String),
            pl.lit(f" of {size}"),
            _why_not_told(),
        ).alias("reconstructions"),
    )
    return shown if size > 1 else shown.drop("reconstructions")


def _remark(stands: pl.Expr) -> pl.Expr:
    """Say after a verdict that the claim stands under it as well as it did before."""
    return pl.when(stands).then(pl.lit(f" ({words.STILL_STANDS})")).otherwise(pl.lit(""))


def _why_not_told() -> pl.Expr:
    """Say after a count of reconstructions why a flip is no hinge; nothing after one that is."""
    in_all = pl.col("count") == pl.col("size")
    return (
        pl.when("told")
        .then(pl.lit(""))
        .when(in_all & ~pl.col("alike"))
        .then(pl.lit(" flip, but not between the same two verdicts: not determined"))
        .when(in_all)
        .then(pl.lit(" flip, but the document leaves the verdict open"))
        .otherwise(pl.lit(", not determined"))
    )


def flips_reading(single: pl.DataFrame, size: int) -> str:
    """Say what was tried, and when a flip is called a hinge."""
    tried = counted(single.height, "single change")
    text = f"Tried from the planned setting: {tried}, of every choice that can move the claim."
    if size > 1:
        text += (
            " A change is called a hinge only where all reconstructions go from the same verdict "
            "to the same verdict; of others the document does not determine whether they flip it."
        )
    return text


def smallest_known(sets: pl.DataFrame) -> pl.DataFrame:
    """Keep the smallest sets, each once: those that may be told, where there are any.

    Those that make the claim stand or fall come first.
    """
    kept = least(sets).unique("change", maintain_order=True)
    return kept.sort("turns", descending=True, maintain_order=True)


def smallest_sentence(sets: pl.DataFrame, tried: int, searched: Searched | None) -> str:
    """Say how many changes it takes at least.

    Parameters
    ----------
    sets
        The smallest sets that are known, as `smallest_known` keeps them.
    tried
        Single changes that were tried.
    searched
        A search of two and three changes; None before it was asked for.
    """
    changes = min(sets["changes"].to_list(), default=0)
    sure = "" if sets["told"].any() else ", in some reconstructions only,"
    if changes == 1 and not sure:
        return _one_change(sets)
    alone = f"No single change surely flips it: all {counted(tried, 'single change')} were tried."
    if searched is None:
        if not changes or changes == 1:
            return alone
        such = counted(sets.height, "such set")
        return (
            f"{alone} In the set looked at {changes} changes at once{sure} do: {such}. Others may "
            "lie outside it."
        )
    how = " and ".join(
        f"{'all ' if done == of else 'a sample of '}{done:,}{'' if done == of else f' of {of:,}'} "
        f"sets of {size}"
        for size, done, of in zip((2, 3), searched.tried, searched.there, strict=False)
    )
    if not changes or changes == 1:
        return f"{alone} Nor does any set of up to three changes: {how} were tried."
    such = counted(sets.height, "such set")
    return f"{alone} It takes {changes} changes at once{sure or ':'} {such}. Tried: {how}."


def _one_change(sets: pl.DataFrame) -> str:
    """Name the first single change that flips a verdict, and count the others.

    Those after which the claim still stands are told apart from those that make it stand or fall.
    """
    alike, words_only = sets.filter(~pl.col("stands")), sets.filter("stands")
    parts = []
    if alike.height:
        first, others = alike.row(0, named=True), alike.height - 1
        more = f"; so {'is' if others == 1 else 'are'} {counted(others, 'other')}" if others else ""
        parts.append(f"One change is enough: “{first['change']}” gives {first['after']}{more}.")
    if words_only.height:
        first, others = words_only.row(0, named=True), words_only.height - 1
        more = (
            f"; so {'does' if others == 1 else 'do'} {counted(others, 'other')}" if others else ""
        )
        start = words.STILL_STANDS[0].upper() + words.STILL_STANDS[1:]
        parts.append(f"{start}: “{first['change']}” gives {first['after']}{more}.")
    return " ".join(parts)


SEARCH = "Search all sets of two and three changes"


def search_seconds(study: StudyClaims[Any, Any], sets: int, panels: int) -> int:
    """Guess how long a search takes at most; it shows its progress and can be cancelled."""
    return max(1, round(sets * panels / study.searched_a_second))


CALIBRATE = "See how much would flip if every effect were null"

CALIBRATE_INTRO = (
    "Some verdicts flip even where there is nothing to find. Here effects are taken out of the "
    "rows at random, and the same settings judge what is left, with intervals from formulas in "
    "place of resampling."
)


def calibration_sentence(found: Calibration) -> str:
    """Say how much flips without effects, beside how much flips in the data."""
    if np.isnan(found.observed) or not found.null.size:
        return "Without a planned verdict there is nothing to compare."
    middle, most = (percent(float(q)) for q in np.quantile(found.null, [0.5, 0.95]))
    of = counted(found.specifications, "specification")
    count = found.null.size
    return (
        f"In the data {percent(found.observed)} of {of} give another verdict than the planned one "
        f"(intervals from formulas). The effect was taken out of the rows {count} times, each time "
        f"at random (a permutation). In half of these permutations {_at_most(middle)} of the "
        f"specifications give another verdict, in 95 of 100 {_at_most(most)}. In "
        f"{found.at_least} of the {count} permutations the share is at least as large as in the "
        f"data{_meaning(found)}."
    )


def _at_most(share: str) -> str:
    return "none" if share == percent(0.0) else f"at most {share}"


def _meaning(found: Calibration) -> str:
    """Say what it means how often data without an effect flip as much."""
    if found.at_least > found.null.size / 20:
        return ": flips as frequent as these also come about where there is nothing to find"
    return ": flips as frequent as these seldom come about where there is nothing to find"


MOST_SHOWN = 8
"""Smallest sets that a table shows."""


def smallest_left(sets: pl.DataFrame) -> str:
    """Say that a table does not show every smallest set; empty where it does."""
    if sets.height <= MOST_SHOWN:
        return ""
    return f"Shown are the first {MOST_SHOWN} of {sets.height:,}."


def smallest(sets: pl.DataFrame) -> pl.DataFrame:
    """Show the smallest sets."""
    shown = sets.head(MOST_SHOWN).select(
        "change",
        (pl.col("after") + _remark(pl.col("stands"))).alias("verdict"),
        (pl.col("count").cast(pl.String) + " of " + pl.col("size").cast(pl.String)).alias(
            "reconstructions"
        ),
    )
    return shown if sets["size"].max() != 1 else shown.drop("reconstructions")


def bars(panels: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Rows of the hinge bars: choices of the same question first.

    Parameters
    ----------
    panels
        For each panel its parts, as `core.multiverse.components.table` gives them; the one in use
        first.

    Returns
    -------
    polars.DataFrame
        name, kind, main and total (shares, of the first panel), low and high (total, over all).
    """
    asks = pl.col("role") == "estimand"
    said = pl.when(asks).then(pl.lit("; another question")).otherwise(pl.lit(""))
    totals = pl.DataFrame({str(at): parts["total"] for at, parts in enumerate(panels)})
    spanned = panels[0].with_columns(
        low=totals.min_horizontal(),
        high=totals.max_horizontal(),
    )
    return spanned.sort(asks, pl.col("total"), descending=[False, True], nulls_last=True).select(
        (pl.col("label") + said).alias("name"),
        pl.col("role").alias("kind"),
        *("main", "total", "low", "high"),
    )


def bars_alt(parts: pl.DataFrame) -> str:
    """Put the bars in words."""
    said = [
        f"{row['name']}: {percent(row['main'] or 0.0)} alone, {percent(row['total'] or 0.0)} with "
        f"others{_spanned(row['low'], row['high'])}"
        for row in parts.iter_rows(named=True)
    ]
    return "; ".join(said)


def _spanned(low: float | None, high: float | None) -> str:
    """Say the range of a share over reconstructions; nothing where there is none."""
    if low is None or high is None or low == high:
        return ""
    return f" ({words.share_of(low, high)} over the reconstructions)"


def bars_reading(found: Components, looked: Looked, what: str) -> str:
    """Say what the shares are of, and whether they are exact."""
    of = (
        "1 where the verdict is the planned one, 0 where it is another"
        if what == "verdict"
        else "the estimate"
    )
    text = (
        f"Shares of the variance of a number over the set: {of}. Strong: the choice alone; pale: "
        "alone and together with others, so pale bars may add up to more than all."
    )
    text += " Exact for this set." if not found.how else f" {found.how[0].upper()}{found.how[1:]}."
    if not found.how and found.variance > 0:
        pairs = float(sum(found.pairs[i, j] for i in range(len(found.main)) for j in range(i)))
        text += (
            f" Choices alone: {percent(float(found.main.sum()))}, two together: {percent(pairs)}, "
            f"three or more: {percent(max(found.rest, 0.0))}."
        )
    if looked.size > 1:
        text += (
            f" Bars are of the reconstruction in use; lines run from the lowest to the highest "
            f"pale bar over {looked.size} reconstructions."
        )
    if what == "estimate" and any(axis.key == "measure" for axis in looked.specs.axes):
        text += " Measures have different units, so part of this variation is theirs."
    return text


def verdicts(counts: pl.DataFrame, size: int) -> pl.DataFrame:
    """Show how often each verdict comes out.

    Parameters
    ----------
    counts
        As `core.multiverse.hinges.verdict_counts` gives them.
    size
        Number of panels; of more than one the shares are ranges.
    """
    symbols = {verdict.value: mark.symbol for verdict, mark in MARKS.items()}
    sign = pl.col("verdict").replace_strict(symbols, return_dtype=pl.String)
    ends = zip(counts["low"], counts["high"], strict=True)
    shares_told = ["–" if low is None else words.share_of(low, high) for low, high in ends]
    several = size > 1
    return counts.select(
        (sign + " " + pl.col("verdict")).alias("verdict"),
        pl.Series(f"share, over {size} reconstructions" if several else "share", shares_told),
        pl.col("count").alias(
            "specifications, in the reconstruction in use" if several else "specifications"
        ),
    )


def verdicts_reading(size: int) -> str:
    """Say what the shares of verdicts are of."""
    span = ", from the lowest to the highest reconstruction" if size > 1 else ""
    return f"Shares are of the specifications with a verdict{span}."


def why(reasons: pl.DataFrame, *, most: int = 5) -> pl.DataFrame:
    """Show the most frequent reasons why specifications have no verdict, and how many have others.

    Parameters
    ----------
    reasons
        As `core.multiverse.hinges.reasons` gives them.
    most
        Reasons that are shown.
    """
    rest = reasons[most:]
    if rest.height < 2:
        return reasons
    name = f"{rest.height} other reasons"
    others = pl.DataFrame({"reason": [name], "count": [int(rest["count"].sum())]})
    return pl.concat([reasons.head(most), others])


def claims_table(looked: Looked, singles: pl.DataFrame) -> pl.DataFrame:
    """Show every claim that is looked at with its share and its hinge."""
    rows = []
    for column, claim in enumerate(looked.claims):
        found = [share for share in shares(looked, column) if share.known]
        spread = (
            "–"
            if not found
            else listed(
                list(dict.fromkeys(percent(f(s.share for s in found)) for f in (min, max)))
            ).replace(" and ", " to ")
        )
        rows.append((claim.title, spread, words.hinges_on(singles, claim.key)))
    columns = ["claim", "keep the planned verdict", "hinges on"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def reading(marks: Sequence[Mark]) -> list[str]:
    """Explain the page."""
    said = [f"{mark.symbol}: {mark.meaning}" for mark in marks]
    return [
        "A specification is one value for every choice. The planned one is what the study "
        "registered, or else corrected or published.",
        "A verdict hinges on a choice when changing that choice alone gives another verdict.",
        words.NOT_REPLICATIONS,
        words.ANOTHER_QUESTION,
        f"Shapes seen here: {'; '.join(said)}.",
        f"{Verdict.CANNOT_COMPUTE.value.capitalize()} is no verdict: such specifications count "
        "neither for nor against, and their reasons are listed.",
        "How far a multiverse reaches is itself a choice: values that nobody would defend make a "
        "verdict look shakier, values too close to the plan make it look firmer.",
    ]
