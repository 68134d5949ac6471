"""Findings as the remedies page shows them: frames of charts, and tables with headings in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from core.basis import SIGNS
from core.choices import Choices
from core.columns import distinct, or_nan, rows_with, table_of
from core.studies.remedies import design
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.formats import (
    OUTCOMES,
    SHORT,
    fixed,
    p_text,
    plus,
    with_ends,
)
from core.studies.remedies.reduce import Statistics, Texts
from core.studies.remedies.scales import Decider
from core.studies.remedies.tables import who
from core.words import number, percent, plain, signed

MEASURE_ROWS = {"differ": "pairs of guises", "mixed": "complaints", "": " "}
"""Names of the measures of instability in percent; the last keeps the rows of two charts level."""

FREE = {"verdict_now": "", "verdict_planned": "", "flip": False, "varies": False}
"""What a number without a verdict has in a chart."""


def is_moved(before: Choices, after: Choices) -> bool:
    """Say whether a choice that governs the whole page changed."""
    return any(
        before[c.key] != after[c.key] and not c.section and not c.is_part for c in DECLARATION
    )


def name(decider: Decider) -> str:
    """Name a decider."""
    return str(who(decider)["decider"])


def names(deciders: Sequence[Decider]) -> list[str]:
    """Name deciders, in their order."""
    return [name(decider) for decider in deciders]


def in_focus(deciders: Sequence[Decider], choices: Choices) -> Decider:
    """Find the decider in focus, else that system on other texts, else the first."""
    wanted = Decider(choices.text("system"), choices.text("bank"))
    same = [d for d in deciders if d.system == wanted.system]
    return wanted if wanted in deciders else (same or list(deciders))[0]


def graded_in_focus(
    statistics: Statistics, deciders: Sequence[Decider], choices: Choices
) -> Decider | None:
    """Find who answers with probabilities, on the texts in focus where it has them."""
    graded = [d for d in deciders if not statistics.gives_labels(d.system)]
    if not graded:
        return None
    focus = in_focus(deciders, choices)
    own = [d for d in graded if d == focus] or [d for d in graded if d.bank == focus.bank]
    return (own or graded)[0]


def graded_system(
    statistics: Statistics, deciders: Sequence[Decider], choices: Choices
) -> str | None:
    """Find the system that answers with probabilities, the one in focus where it does."""
    found = graded_in_focus(statistics, deciders, choices)
    return None if found is None else found.system


def matched_model(statistics: Statistics, panel: str, decider: Decider) -> str:
    """Name the system whose volume a rule matches on some texts; empty without one."""
    labels = [s for s in statistics.systems(Texts(panel, decider.bank))
              if statistics.gives_labels(s)]  # fmt: skip
    own = decider.bank if decider.bank in labels else labels[0] if labels else ""
    return design.system_name(own)


def to_step(at: float | None) -> float:
    """Return a threshold as the slider can take it."""
    planned = DECLARATION["threshold"]
    return float(str(planned.repaired(planned.planned if at is None else at)))


_ROWS = {
    "group": pl.String,
    "row": pl.String,
    **dict.fromkeys(("value", "low", "high", "planned"), pl.Float64),
    "verdict_now": pl.String,
    "verdict_planned": pl.String,
    "flip": pl.Boolean,
    "varies": pl.Boolean,
    "behind": pl.String,
}
"""Columns of the charts of the two scales."""


def gap_rows(material: pl.DataFrame, quantity: str) -> pl.DataFrame:
    """Rows of the chart of signed gaps, from a material table with what stands behind it."""
    rows = [
        row | {"group": row["decider"], "row": SHORT[row["contrast"]], "value": row["estimate"]}
        for row in rows_with(material, quantity_id=quantity)
    ]
    return table_of(rows, _ROWS)


def instability_rows(instability: pl.DataFrame) -> pl.DataFrame:
    """Rows of the chart of instability in percent, one place in each group kept free."""
    rows = [
        row | FREE | {"group": row["decider"], "row": MEASURE_ROWS[row["measure_id"]]}
        for row in instability.iter_rows(named=True)
        if row["measure_id"] in MEASURE_ROWS
    ]
    nothing = dict.fromkeys(("value", "low", "high", "planned"))
    kept_free = [
        nothing | FREE | {"group": group, "row": MEASURE_ROWS[""], "behind": ""}
        for group in distinct(row["group"] for row in rows)
    ]
    return table_of([*rows, *kept_free], _ROWS)


def both_scales(
    scales: pl.DataFrame, material: pl.DataFrame, instability: pl.DataFrame
) -> pl.DataFrame:
    """Show both scales of every decider, one row each; a word never without instability.

    Signs after numbers say what stands behind them.
    """
    gaps = {(r["decider"], r["contrast"]): r for r in rows_with(material, quantity_id="gap")}
    unstable = {(r["decider"], r["measure_id"]): r for r in instability.iter_rows(named=True)}
    return pl.DataFrame(
        [_both_scales(row, gaps, unstable) for row in scales.iter_rows(named=True)],
        schema={**dict.fromkeys(BOTH_SCALES, pl.String), "complaints": pl.Int64},
    )


BOTH_SCALES = (
    "who decides",
    "paid, %",
    "largest gap, pp",
    "by",
    "the gap is",
    "pairs of guises that differ, %",
    "complaints not unanimous, %",
    "mean difference, tiers",
)

Rows = Mapping[tuple[str, str], Mapping[str, Any]]


def _both_scales(row: Mapping[str, Any], gaps: Rows, unstable: Rows) -> dict[str, Any]:
    decider, contrast = row["decider"], row["contrast"]
    gap: Mapping[str, Any] = gaps.get((decider, contrast), {"number_basis": "", "varies": False})
    low, high = (signed(or_nan(row[end]), 2) for end in ("low", "high"))
    told = {
        measure: number(or_nan(row[measure]), digits)
        + _sign(unstable.get((decider, measure), {"number_basis": ""}))
        for measure, digits in (("differ", 1), ("mixed", 1), ("mpad", 3))
    }
    cells = (
        decider,
        number(or_nan(row["rate"]), 1),
        f"{signed(or_nan(row['largest_gap']), 2)}{_sign(gap)} [{low}, {high}]",
        SHORT.get(contrast, "–"),
        f"{row['word']} (varies)" if gap["varies"] else row["word"],
        *told.values(),
    )
    return dict(zip(BOTH_SCALES, cells, strict=True)) | {"complaints": row["complaints"]}


def _sign(row: Mapping[str, Any]) -> str:
    return SIGNS.get(row["number_basis"], "")


def tests(material: pl.DataFrame, quantity: str) -> pl.DataFrame:
    """Show three tests beside each other, with the decider's instability."""
    digits = {"gap": 2}.get(quantity, 3)
    rows = material.filter(pl.col("quantity_id") == quantity)
    return rows.select(
        pl.col("decider").alias("who decides"),
        pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String).alias("by"),
        with_ends(fixed, rows, ("estimate", "low", "high"), digits).alias("estimate"),
        p_text(rows, "p_zero").alias("p: not zero"),
        p_text(rows, "p_equivalent").alias("p: inside the bound"),
        p_text(rows, "p_beyond").alias("p: outside it"),
        pl.col("verdict_now").alias("the gap is"),
        pl.col("verdict_planned").alias("as planned"),
        fixed(rows, "differ", 1).alias("pairs that differ, %"),
        "behind",
    )


def claims(table: pl.DataFrame) -> pl.DataFrame:
    """Show directional claims with raw and adjusted p-values."""
    return table.select(
        pl.col("decider").alias("who decides"),
        pl.col("outcome").replace_strict(OUTCOMES, default=pl.col("outcome")),
        pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String).alias("by"),
        plus(table, "estimate", 3).alias("gap, tiers"),
        plus(table, "low", 3).alias("from"),
        plus(table, "high", 3).alias("to"),
        "p",
        "p_adjusted",
        pl.col("tests").alias("tests in family"),
        pl.col("verdict_now").alias("verdict now"),
        pl.col("verdict_planned").alias("planned"),
        "behind",
    )


GRID: Mapping[str, str | pl.Expr] = {
    "scope": pl.col("contrast").replace_strict(SHORT, return_dtype=pl.String),
    "planned": "planned",
    "chosen": "estimate",
    "verdict_planned": "verdict_planned",
    "verdict_now": "verdict_now",
    "flip": "flip",
    "varies": "varies",
    "behind": "behind",
}
"""What a verdict grid shows of a row, after the row's name."""


def claim_grid(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of the verdict grid of directional claims: one row a decider and outcome.

    The column system_id gives a row's colour.
    """
    short = {"e_tier": "expected", "argmax": "most probable"}
    outcome = pl.col("outcome").replace(short)
    writer = pl.col("bank_id").replace_strict(design.system_names(), default=pl.col("bank_id"))
    own = pl.when(pl.col("system_id") == pl.col("bank_id")).then(pl.lit("own"))
    return table.select(
        model=pl.format("{} ({}): {}", "system", own.otherwise(writer), outcome),
        **GRID,
        system_id="system_id",
    )


def coloured(grid: pl.DataFrame) -> tuple[list[str], list[str]]:
    """Return the rows of a verdict grid and the system of each, which gives its colour."""
    rows = grid.unique("model", maintain_order=True)
    return rows["model"].to_list(), rows["system_id"].to_list()


def gap_grid(material: pl.DataFrame) -> pl.DataFrame:
    """Rows of a verdict grid of gaps: one row a decider."""
    return material.select(model="decider", **GRID)


def rule_lines(curve: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lines of the two charts of rules: volume and fact span, then what they cost, in percent."""
    return _lines(curve, VOLUME), _lines(curve, COST)


VOLUME = {"rate": "paid", "span": "fact span"}
COST = {
    "differ": "pairs of guises that differ",
    "largest_gap": "largest gap, without its sign",
}


def _lines(curve: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
    rows = [
        {"threshold": at, "line": line, "value": 100 * value}
        for column, line in columns.items()
        for at, value in zip(curve["threshold"].to_list(), curve[column].to_list(), strict=True)
        if value is not None
    ]
    return table_of(rows, {"threshold": pl.Float64, "line": pl.String, "value": pl.Float64})


def rule_points(row: Mapping[str, Any], at: float | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Where the rule in use stands on the two charts; at the right edge without a threshold."""
    return _points(row, at, VOLUME), _points(row, at, COST)


def _points(row: Mapping[str, Any], at: float | None, columns: Mapping[str, str]) -> pl.DataFrame:
    there = {name: line for name, line in columns.items() if row[name] is not None}
    return pl.DataFrame(
        {
            "threshold": [1.0 if at is None else at] * len(there),
            "line": list(there.values()),
            "value": [100 * row[name] for name in there],
            "told": [number(100 * row[name], 2) for name in there],
        },
        schema={"threshold": pl.Float64, "line": pl.String, "value": pl.Float64, "told": pl.String},
    )


def threshold_in_use(curve: pl.DataFrame, rate: float | None, choices: Choices) -> float | None:
    """Find the threshold of the rule in use: the highest that pays as many texts at least.

    None for rules that have none.
    """
    match choices.text("rule"):
        case "argmax" | "majority6":
            return None
        case "threshold":
            return choices.number("threshold")
    if rate is None:
        return None
    pairs = zip(curve["threshold"].to_list(), curve["rate"].to_list(), strict=True)
    found = [at for at, paid in pairs if paid >= rate - 1e-9]
    return found[-1] if found else None


def rule_in_use(rules: pl.DataFrame, decider: Decider) -> Mapping[str, Any] | None:
    """Find a decider's row with the rule in use; None where it has no number."""
    found = [row for row in _chosen(rules, decider) if row["rate"] is not None]
    return found[0] if found else None


def _chosen(rules: pl.DataFrame, decider: Decider) -> list[dict[str, Any]]:
    return rows_with(rules, system_id=decider.system, bank=decider.bank, chosen=True)


def why_no_rule(rules: pl.DataFrame, decider: Decider) -> str:
    """Say why the rule in use has no number."""
    why = [row["reason"] for row in _chosen(rules, decider)]
    return f"Cannot compute the rule in use: {plain(why[0]) if why else 'it is not here.'}"


def rules(table: pl.DataFrame, decider: Decider) -> pl.DataFrame:
    """Show every rule on the texts of one bank."""
    rows = rows_with(table, bank=decider.bank)
    return pl.DataFrame([_rule(row) for row in rows])


def _rule(row: Mapping[str, Any]) -> dict[str, Any]:
    differ, low, high = (
        percent(or_nan(row[name]), 1) for name in ("differ", "differ_low", "differ_high")
    )
    return {
        "rule": f"{row['rule']}{' •' if row['chosen'] else ''}",
        "system": row["system"],
        "answers used": row["votes"],
        "paid": percent(or_nan(row["rate"]), 1),
        "pairs that differ": f"{differ} [{low}, {high}]",
        "not unanimous": percent(or_nan(row["mixed"]), 1),
        "largest gap, pp": number(100 * or_nan(row["largest_gap"]), 2),
        "fact span, pp": number(100 * or_nan(row["span"]), 1),
        "why there is no number": row["reason"],
    }
