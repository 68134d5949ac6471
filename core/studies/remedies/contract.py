"""Row contracts of the remedies study's three tables.

A panel is three files with the same number: ``decisions-<kind>-<n>.parquet``,
``attributes-<kind>-<n>.parquet`` and ``audit-<kind>-<n>.parquet``. The tables share their keys; a
row is about one text. What the study did with a text is read off the keys, and nothing is stored
twice:

==================================  ==============================================================
what                                rows of decisions
==================================  ==============================================================
holdout, run of record              panel holdout, edit guise, style none, repeat 0
exploratory panel                   panel exploratory, edit guise, style none, repeat 0
fact edits and their originals      edit original, strengthen, weaken, harm_x10; style none
arm M0                              the run of record of the complaints that have rows of style A
arms M1 and M2                      edit guise, style A; edit guise, styles A, B and C
fact edits once standardised        edit original, strengthen, weaken; styles A, B and C
texts scored a second time          repeat 1
same-day baseline                   repeat 2, style none (M0) and A (M1)
==================================  ==============================================================

A complaint has the same id in every row and table, so the complaints that were edited, mitigated or
audited are those that have such rows. Edits and originals stand in the bank of the model that wrote
the edits. A system that answers with a label fills ``tier``; one that answers with probabilities
fills ``p0``, ``p1`` and ``p2``, and its tier is left to the reader's rule. A text without an answer
has neither.
"""

from __future__ import annotations

import polars as pl

from core.panels.contract import Column, TableContract
from core.panels.problems import Problem
from core.reference import table

STUDY = "remedies"

HOLDOUT, EXPLORATORY = "holdout", "exploratory"

PERSONA_LEVELS = {
    "age": ("young", "old"),
    "geography": ("urban", "suburban", "rural"),
    "education": ("high_school", "college"),
    "ses": ("low", "middle", "high"),
}
PERSONA = tuple(PERSONA_LEVELS)

GUISE, ORIGINAL = "guise", "original"
EDITS = (GUISE, ORIGINAL, "strengthen", "weaken", "harm_x10")
UNSTYLED = "none"
STYLES = (UNSTYLED, "A", "B", "C")
ORDERS = tuple(table(STUDY, "option_orders")["order_id"])

OF_RECORD, RESCORED, BASELINE = 0, 1, 2
"""Meanings of ``repeat`` in the study's own panel."""

PROBABILITIES = ("p0", "p1", "p2")
HUNDREDTHS = 100
ROUNDING = 1
"""How far three probabilities rounded to hundredths may miss a sum of 100."""

TEXT_KINDS = ("guise", "standardised", "edit")
VERDICTS = ("preserved", "minor", "material")

KEYS = ("panel", "bank", "complaint", *PERSONA, "edit", "style", "repeat")

MAX_COMPLAINTS = 20_000
MAX_SYSTEMS = 12
"""Most complaints and systems: the analysis keeps sums for each complaint, system and rule."""

SHOWN = 5
"""How many rows of one problem are named."""

_ATTRIBUTES = table(STUDY, "attributes")
ATTRIBUTES = tuple(_ATTRIBUTES["attribute"])
"""The 19 scored attributes and the three measured ones, in the study's order."""

SCORED = tuple(_ATTRIBUTES.filter(_ATTRIBUTES["measurement"] != "objective")["attribute"])

LEVEL_COLUMNS = {
    factor: tuple(f"{factor}_{level}" for level in levels)
    for factor, levels in PERSONA_LEVELS.items()
}
"""Names of the columns with the inferred probability of each persona level, by factor."""


def _check_decisions(frame: pl.DataFrame) -> list[Problem]:
    given = pl.sum_horizontal(pl.col(name).is_not_null() for name in PROBABILITIES)
    total = pl.sum_horizontal(PROBABILITIES)
    return [
        *_too_many(frame, "complaint", ("panel", "complaint"), MAX_COMPLAINTS),
        *_too_many(frame, "system", ("system",), MAX_SYSTEMS),
        *_key_problems(frame),
        *_rows(
            frame,
            "p0",
            given.is_between(1, len(PROBABILITIES) - 1),
            "some of p0, p1 and p2",
            "all three or none",
        ),
        *_rows(
            frame,
            "p0",
            (given == len(PROBABILITIES)) & ((total - HUNDREDTHS).abs() > ROUNDING),
            "probabilities that do not add up",
            f"p0 + p1 + p2 = {HUNDREDTHS} hundredths, give or take {ROUNDING} for rounding",
        ),
        *_rows(
            frame,
            "tier",
            pl.col("tier").is_not_null() & (given > 0),
            "both a tier and probabilities",
            "a tier from a system that gives labels, probabilities from one that gives those",
        ),
    ]


def _check_attributes(frame: pl.DataFrame) -> list[Problem]:
    problems = _key_problems(frame)
    for factor, columns in LEVEL_COLUMNS.items():
        given = pl.sum_horizontal(pl.col(name).is_not_null() for name in columns)
        total = pl.sum_horizontal(columns)
        complete = given == len(columns)
        problems += _rows(
            frame,
            columns[0],
            (given > 0) & ~complete | complete & ((total - HUNDREDTHS).abs() > ROUNDING),
            f"inferred {factor} that does not add up",
            f"{HUNDREDTHS} hundredths over its levels, or none",
        )
    return problems


def _check_audit(frame: pl.DataFrame) -> list[Problem]:
    edited, styled = pl.col("edit") != GUISE, pl.col("style") != UNSTYLED
    kind = (
        pl.when(styled)
        .then(pl.lit("standardised"))
        .when(edited)
        .then(pl.lit("edit"))
        .otherwise(pl.lit("guise"))
    )
    judged = pl.col("verdict").is_not_null()
    return [
        *_key_problems(frame),
        *_rows(
            frame,
            "text_kind",
            pl.col("text_kind") != kind,
            "a text kind that is not that of its edit and style",
            "standardised with a style, else edit or guise",
        ),
        *_rows(
            frame,
            "verdict",
            pl.col("valid") != judged,
            "a verdict without a valid answer, or no verdict in one",
            "a verdict in every valid answer and in no other",
        ),
    ]


def _too_many(frame: pl.DataFrame, column: str, names: tuple[str, ...], most: int) -> list[Problem]:
    count = frame.select(names).n_unique()
    if count <= most:
        return []
    return [Problem(column, "", f"{count:,} {column}s", f"at most {most:,}", "Split the panel.")]


def _key_problems(frame: pl.DataFrame) -> list[Problem]:
    """Report guises without a full persona, and other texts with a part of one."""
    given = pl.sum_horizontal(pl.col(name).is_not_null() for name in PERSONA)
    wanted = pl.when(pl.col("edit") == GUISE).then(len(PERSONA)).otherwise(0)
    return _rows(
        frame,
        "edit",
        given != wanted,
        "a persona that does not fit the edit",
        "age, geography, education and ses for a guise, none of them for any other text",
    )


def _rows(
    frame: pl.DataFrame, column: str, broken: pl.Expr, found: str, expected: str
) -> list[Problem]:
    rows = frame.select(broken.fill_null(value=False)).to_series().arg_true()
    if rows.is_empty():
        return []
    shown = ", ".join(f"{int(i) + 1:,}" for i in rows[:SHOWN])
    more = f" and others, {len(rows):,} in all" if len(rows) > SHOWN else ""
    return [Problem(column, shown + more, found, expected, "Correct the rows.")]


def _keys() -> tuple[Column, ...]:
    return (
        Column("panel", "text", "the sample, such as exploratory or holdout"),
        Column("bank", "text", "the model that wrote the text"),
        Column("complaint", "text", "the complaint that the text tells"),
        *(
            Column(
                factor,
                "text",
                f"{factor} that a guise imitates; empty for other texts",
                allowed=levels,
                nullable=True,
            )
            for factor, levels in PERSONA_LEVELS.items()
        ),
        Column("edit", "text", "guise, original, or how the facts were changed", allowed=EDITS),
        Column("style", "text", "standard style it was rewritten into, if any", allowed=STYLES),
        Column(
            "repeat", "integer", "0 is the run of record, others repeat it", minimum=0, maximum=1000
        ),
    )


DECISIONS = TableContract(
    study=STUDY,
    table="decisions",
    meaning="The remedy that a system gives a complaint: a tier, or the probability of each",
    columns=(
        *_keys(),
        Column("system", "text", "the system that decides"),
        Column(
            "order",
            "text",
            "order in which the tiers were offered; empty where it is not known or not varied",
            allowed=ORDERS,
            nullable=True,
        ),
        Column(
            "tier",
            "integer",
            "0 no action, 1 non-monetary action, 2 monetary remedy; empty if none was given",
            nullable=True,
            minimum=0,
            maximum=2,
        ),
        *(
            Column(
                name,
                "integer",
                f"probability of tier {name[1]} in hundredths; empty for systems with labels",
                nullable=True,
                minimum=0,
                maximum=HUNDREDTHS,
            )
            for name in PROBABILITIES
        ),
    ),
    key=(*KEYS, "system", "order"),
    check=_check_decisions,
)

ATTRIBUTES_TABLE = TableContract(
    study=STUDY,
    table="attributes",
    meaning="How a complaint is written, and whom a reader takes its writer for",
    columns=(
        *_keys(),
        *(
            Column(
                row["attribute"],
                "number",
                row["name"],
                nullable=True,
                minimum=float(row["scale_min"]) if row["scale_min"] else -1_000,
                maximum=float(row["scale_max"]) if row["scale_max"] else 10_000,
            )
            for row in _ATTRIBUTES.iter_rows(named=True)
        ),
        *(
            Column(
                name,
                "integer",
                f"inferred probability of {factor} {name.removeprefix(factor + '_')}, hundredths",
                nullable=True,
                minimum=0,
                maximum=HUNDREDTHS,
            )
            for factor, columns in LEVEL_COLUMNS.items()
            for name in columns
        ),
    ),
    key=KEYS,
    check=_check_attributes,
)

AUDIT = TableContract(
    study=STUDY,
    table="audit",
    meaning="Whether a rewritten complaint kept the facts, as an auditor sees it",
    columns=(
        *_keys(),
        Column(
            "text_kind", "text", "what was audited: a guise, a style or an edit", allowed=TEXT_KINDS
        ),
        Column("auditor", "text", "the model that compared the text with its source"),
        Column("valid", "flag", "whether the auditor's answer could be read"),
        Column(
            "verdict",
            "text",
            "whether the differences could change the remedy; empty without a valid answer",
            allowed=VERDICTS,
            nullable=True,
        ),
        Column("categories", "text", "kinds of difference, parted by semicolons", nullable=True),
        Column("amounts_match", "flag", "whether dollar amounts are the same", nullable=True),
        Column("years_match", "flag", "whether years are the same", nullable=True),
        Column("stratum", "text", "group of complaints that it was sampled from", nullable=True),
        Column(
            "weight",
            "number",
            "share of the population's complaints that are in the stratum",
            nullable=True,
            minimum=0,
            maximum=1,
        ),
    ),
    key=(*KEYS, "auditor"),
    check=_check_audit,
)
