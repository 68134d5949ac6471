"""Findings as tables, ready to draw: one row a cell, with values, verdicts and flips.

A cell is a run, a model and a hypothesis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.columns import distinct, row_texts, rows_with, table_of
from core.stats.equivalence import smallest_margin
from core.stats.multiplicity import holm_ladder
from core.studies.clauses import stated
from core.studies.clauses.choices import DECLARATION, method_of
from core.studies.clauses.design import EQUIVALENCE, HYPOTHESES, model_names
from core.studies.clauses.estimate import H4, Findings, analyse, reason
from core.studies.clauses.hypotheses import SHORT_CLAIMS
from core.studies.clauses.reduce import ClauseStatistics
from core.studies.forest import FOREST, by_hypothesis, forest, row_of
from core.verdicts import SUPPORT, is_flip, is_support, margin
from core.words import number, printed_names

Array = NDArray[np.float64]

CELL = ("run", "model_id", "hypothesis")


@dataclass(frozen=True, eq=False)
class Comparison:
    """The current findings beside those of the planned setting, from one panel."""

    current: Findings
    planned: Findings
    documented: bool
    """Whether the rows stand for the document's: reconstructed or published, not a reader's own."""

    @property
    def names(self) -> list[str]:
        """Names of the models, in the order of the arrays."""
        return names_of(self.current.statistics)


def names_of(statistics: ClauseStatistics) -> list[str]:
    """Name the models as the study prints them; others keep their own name."""
    return printed_names(statistics.models, model_names())


def compare(statistics: ClauseStatistics, current: Findings, *, documented: bool) -> Comparison:
    """Put findings beside those of the planned setting.

    Parameters
    ----------
    statistics
        A reduced panel.
    current
        Its findings under the chosen specification.
    documented
        Whether the rows stand for the document's, so that its open verdicts are hatched.
    """
    return Comparison(current, analyse(statistics, DECLARATION.planned), documented)


def lost_to_the_gate(comparison: Comparison, run: str) -> list[str]:
    """Name the models that lose a claim to the gate in the planned setting, if the run is there.

    Cells whose verdict the document leaves open are left out.
    """
    planned = comparison.planned
    cells = cell_table(Comparison(planned, planned, comparison.documented))
    lost = rows_with(cells, run=run, supported=False, is_open=False, alone_is_open=False)
    return distinct(row["model"] for row in lost if row["verdict_alone"] in SUPPORT)


def keys_of(statistics: ClauseStatistics) -> list[stated.Cell]:
    """Name every cell, in the order of the rows of `cell_table`."""
    return [
        (run, model, hypothesis)
        for run in statistics.runs
        for model in statistics.models
        for hypothesis in HYPOTHESES
    ]


def cell_table(comparison: Comparison) -> pl.DataFrame:
    """One row a cell, all runs: estimates, intervals, p-values, verdicts, flips.

    Returns
    -------
    polars.DataFrame
        run, model, model_id, hypothesis, claim; shown (whether the run is among those chosen);
        estimate, bound_low and bound_high (of missing ratings), n, spread; low and high (the
        interval that decides: for H4 the one that matches the test of equivalence), two_low and
        two_high (the two-sided one); p, p_adjusted (null when the interval alone decides);
        verdict_now, verdict_alone (by the interval alone), verdict_planned, supported and
        supported_planned (whether the claim stands), flip (whether the verdict differs from the
        planned one); planned (estimate), planned_low, planned_high; is_open (the document states
        no verdict under this gate), alone_is_open (none by the interval alone); reason.
    """
    now, planned = comparison.current, comparison.planned
    keys = keys_of(now.statistics)
    names = dict(zip(now.statistics.models, comparison.names, strict=True))
    decides, decided = _deciding(now), _deciding(planned)
    indices = np.ndindex(*now.estimate.shape)
    return pl.DataFrame(
        {
            "run": [run for run, _, _ in keys],
            "model": [names[model] for _, model, _ in keys],
            "model_id": [model for _, model, _ in keys],
            "hypothesis": [name for _, _, name in keys],
            "claim": [SHORT_CLAIMS[name] for _, _, name in keys],
            "shown": [run in now.runs for run, _, _ in keys],
            "estimate": missing(now.estimate),
            "bound_low": missing(now.bounds[..., 0]),
            "bound_high": missing(now.bounds[..., 1]),
            "n": now.n.ravel(),
            "spread": missing(now.spread),
            "low": missing(decides[..., 0]),
            "high": missing(decides[..., 1]),
            "two_low": missing(now.interval[..., 0]),
            "two_high": missing(now.interval[..., 1]),
            "p": missing(now.p),
            "p_adjusted": missing(now.p_adjusted),
            "verdict_now": now.verdict.ravel(),
            "verdict_alone": now.verdict_alone.ravel(),
            "verdict_planned": planned.verdict.ravel(),
            "supported": is_support(now.verdict).ravel(),
            "supported_planned": is_support(planned.verdict).ravel(),
            "flip": is_flip(planned.verdict, now.verdict).ravel(),
            "planned": missing(planned.estimate),
            "planned_low": missing(decided[..., 0]),
            "planned_high": missing(decided[..., 1]),
            "is_open": [comparison.documented and stated.is_open(k, now.choices) for k in keys],
            "alone_is_open": [comparison.documented and stated.is_open_alone(k) for k in keys],
            "reason": [reason(now, *index) for index in indices],
        }
    )


def _deciding(findings: Findings) -> Array:
    """(R, M, H, 2) the interval that each rule looks at first."""
    ends = findings.interval.copy()
    ends[..., H4, :] = findings.matching[..., H4, :]
    return ends


def ladder_table(comparison: Comparison, run: str, model: str, hypothesis: str) -> pl.DataFrame:
    """Holm's ladder of the family that one cell belongs to, smallest p-value first.

    Parameters
    ----------
    comparison
        The findings.
    run, model, hypothesis
        Ids of the cell; with families within a model the hypothesis does not matter.

    Returns
    -------
    polars.DataFrame
        step (1, 2, ...), run, model, model_id, hypothesis, test (its name within the family), p
        (null where the test could not run: it counts as 1), threshold, below (p under its own
        threshold), rejected (below, and so were all before it), stops (the step that ends it),
        supported_alone (by the interval alone), is_open, alone_is_open.
    """
    now = comparison.current
    members = _family(now, run, model, hypothesis)
    p = np.array([now.p[index] for index, _ in members])
    ladder = holm_ladder(p, now.choices.number("alpha"))
    names = dict(zip(now.statistics.models, comparison.names, strict=True))
    rows = []
    for step, at in enumerate(ladder.order):
        index, key = members[at]
        rows.append(
            {
                "step": step + 1,
                "run": key[0],
                "model": names[key[1]],
                "model_id": key[1],
                "hypothesis": key[2],
                "test": _test_name(now.choices.text("tests"), names[key[1]], key[2]),
                "p": None if np.isnan(p[at]) else float(p[at]),
                "threshold": float(ladder.threshold[step]),
                "below": bool(ladder.p[step] < ladder.threshold[step]),
                "rejected": bool(ladder.rejected[step]),
                "stops": step == ladder.stops_at,
                "supported_alone": bool(is_support(now.verdict_alone[index])),
                "is_open": comparison.documented and stated.is_open(key, now.choices),
                "alone_is_open": comparison.documented and stated.is_open_alone(key),
            }
        )
    return pl.DataFrame(rows)


def _family(
    findings: Findings, run: str, model: str, hypothesis: str
) -> list[tuple[tuple[int, int, int], stated.Cell]]:
    """Find the tests that are adjusted together with a cell."""
    statistics, tests = findings.statistics, findings.choices.text("tests")
    members = zip(np.ndindex(*findings.p.shape), keys_of(statistics), strict=True)
    return [
        ((r, m, h), key)
        for (r, m, h), key in members
        if key[0] == run
        and statistics.answered[r, m]
        and (tests != "model" or key[1] == model)
        and (tests != "hypothesis" or key[2] == hypothesis)
    ]


def family_title(choices: Choices, run: str, model: str, hypothesis: str) -> str:
    """Name the family of tests that a cell belongs to, for a title.

    Parameters
    ----------
    choices
        The specification.
    run, model, hypothesis
        The cell; the model by the name that is shown.
    """
    families = {"model": model, "hypothesis": f"{hypothesis} of all models"}
    return f"{families.get(choices.text('tests'), 'all tests')}, {run}"


def _test_name(tests: str, model: str, hypothesis: str) -> str:
    return {"model": hypothesis, "hypothesis": model}.get(tests, f"{model}, {hypothesis}")


def equivalence_table(comparison: Comparison) -> pl.DataFrame:
    """How every cell lies to zero and to the margin, without adjustment for several tests.

    Returns
    -------
    polars.DataFrame
        The keys of `cell_table`; estimate, low and high (the interval at level 1 - 2 alpha), p
        (of lying inside the margin), word (a verdict of the margin rule), smallest (margin that has
        to be exceeded for the interval to lie inside it; null without one), is_claim (whether the
        hypothesis claims equivalence), is_open.
    """
    now = comparison.current
    choices = now.choices
    words = margin(
        now.interval[..., 0],
        now.interval[..., 1],
        now.matching[..., 0],
        now.matching[..., 1],
        choices.number("margin"),
        None if method_of(choices) is None else now.p_equivalence,
        choices.number("alpha"),
    )
    cells = cell_table(comparison)
    return cells.select("run", "model", "model_id", "hypothesis", "claim", "shown").with_columns(
        estimate=missing(now.estimate),
        low=missing(now.matching[..., 0]),
        high=missing(now.matching[..., 1]),
        p=missing(now.p_equivalence),
        word=pl.Series(words.ravel()),
        smallest=missing(smallest_margin(now.matching)),
        is_claim=pl.col("hypothesis") == EQUIVALENCE,
        is_open=cells["is_open"],
    )


def group_table(comparison: Comparison, run: str, model: str, hypothesis: str) -> pl.DataFrame:
    """Each clause group's value in one cell.

    Returns
    -------
    polars.DataFrame
        archetype, family, value (null where a rating is missing); groups that the choices leave in.
    """
    now = comparison.current
    statistics = now.statistics
    r, m = statistics.runs.index(run), statistics.models.index(model)
    scope = now.contrasted.scope[r]
    values = now.contrasted.values[:, r, m, HYPOTHESES.index(hypothesis), :].mean(axis=0)
    return statistics.groups.filter(pl.Series(scope)).with_columns(value=missing(values[scope]))


def missing(values: Array) -> pl.Series:
    """Turn NaN into null, so that tables and exports never show it."""
    return pl.Series(np.ravel(values), dtype=pl.Float64, nan_to_null=True)


def grid_table(cells: pl.DataFrame, run: str) -> pl.DataFrame:
    """Cells of one run as rows of a verdict grid.

    Parameters
    ----------
    cells
        The cell table with what stands behind its numbers.
    run
        Which run.

    Returns
    -------
    polars.DataFrame
        model, scope (the hypothesis), planned and chosen (estimates), verdict_planned,
        verdict_now, flip, varies, behind.
    """
    rows = [
        row | {"scope": row["hypothesis"], "chosen": row["estimate"]}
        for row in rows_with(cells, run=run)
    ]
    return table_of(rows, _GRID)


_GRID = {
    "model": pl.String,
    "planned": pl.Float64,
    **dict.fromkeys(("verdict_planned", "verdict_now"), pl.String),
    **dict.fromkeys(("flip", "varies"), pl.Boolean),
    **dict.fromkeys(("behind", "scope"), pl.String),
    "chosen": pl.Float64,
}


def forest_table(cells: pl.DataFrame, run: str) -> pl.DataFrame:
    """Cells of one run as rows of a forest: planned and current estimates with their intervals.

    Returns
    -------
    polars.DataFrame
        row, series (planned, now), value, low, high, model; hypothesis by hypothesis.
    """
    return forest(rows_with(cells, run=run), "model")


def verdict_view(cells: pl.DataFrame) -> pl.DataFrame:
    """Show one model's verdicts with the numbers that give them, headings in words."""
    return cells.select(
        "hypothesis",
        pl.col("verdict_now").alias("verdict now"),
        row_texts(cells.select("estimate", "low", "high"), _with_interval).alias(
            "estimate (interval)"
        ),
        "p",
        "p_adjusted",
    )


def _with_interval(row: dict[str, float | None]) -> str:
    if row["estimate"] is None:
        return "–"
    if row["low"] is None or row["high"] is None:
        return number(row["estimate"])
    ends = f"{number(row['low'], 2)} to {number(row['high'], 2)}"
    return f"{number(row['estimate'])} ({ends})"


def basis_view(cells: pl.DataFrame, *, bounded: bool) -> pl.DataFrame:
    """Show on what one model's numbers rest: bounds of missing ratings, groups, what is printed."""
    bounds = ("bound_low", "bound_high") if bounded else ()
    return cells.select("hypothesis", *bounds, pl.col("n").alias("clause groups"), "behind")


def equivalence_view(table: pl.DataFrame) -> pl.DataFrame:
    """Show the equivalence table: its verdict first, headings in words."""
    return table.select(
        "model",
        "hypothesis",
        pl.col("word").alias("lies"),
        pl.col("smallest").alias("smallest margin"),
        "p",
    )


def equivalence_rows(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the equivalence table as dots: row, series, value, low, high, model.

    Hypothesis by hypothesis, models in the study's order.
    """
    rows = [
        {
            **row,
            "row": row_of(row, "model"),
            "series": "estimate, with the interval of its equivalence test",
            "value": row["estimate"],
        }
        for row in by_hypothesis(table.iter_rows(named=True))
    ]
    return table_of(rows, FOREST)
