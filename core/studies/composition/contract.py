"""Row contracts of the composition study's two tables."""

from __future__ import annotations

import polars as pl

from core.panels.contract import Column, TableContract
from core.panels.problems import Problem
from core.studies.composition.sources import ATTRIBUTES, STATES, declared_categories

REGIMES = ("joint", "implicit")
FORMATS = ("story", "character")

OUTPUT_KEY = ("model", "regime", "context", "format", "role")
CELL_KEY = ("model", "regime", "attribute", "context", "format", "role")

MAX_OUTPUTS = 1_000_000
"""Most outputs a row may count: sums over the rows of any panel then stay exact."""

MAX_MODEL_CELLS = 100_000
"""Most models times cells: the analysis keeps a number for every pair, there or not."""

SHOWN = 5
"""How many problems of one kind are named; one more says how many there are."""

_KEYS = (
    Column("model", "text", "the model that wrote the texts"),
    Column(
        "regime",
        "text",
        "joint: the prompt asks for all demographics; implicit: it names role and context only",
        allowed=REGIMES,
    ),
    Column("attribute", "text", "what is counted", allowed=ATTRIBUTES),
    Column("context", "text", "the place named in the prompt, such as USA"),
    Column("format", "text", "a short story or a character sketch", allowed=FORMATS),
    Column("role", "text", "the occupation named in the prompt"),
    Column(
        "category",
        "text",
        "a category of the context's source, or why there is none: " + ", ".join(STATES),
    ),
)


def _check_cells(frame: pl.DataFrame) -> list[Problem]:
    too_many = _too_many_cells(frame)
    return too_many or [
        *_unknown_categories(frame),
        *_uneven_totals(frame),
        *_partial_failures(frame),
    ]


def _too_many_cells(frame: pl.DataFrame) -> list[Problem]:
    models = frame["model"].n_unique()
    cells = frame.select(CELL_KEY[1:]).n_unique()
    if models * cells <= MAX_MODEL_CELLS:
        return []
    return [
        Problem(
            "model",
            "",
            f"{models:,} models and {cells:,} cells",
            f"at most {MAX_MODEL_CELLS:,} pairs of a model and a cell",
            "Split the panel by model, or drop roles and contexts.",
        )
    ]


def _unknown_categories(frame: pl.DataFrame) -> list[Problem]:
    """Report categories that a declared source does not have; contexts without one may hold any."""
    declared = declared_categories()
    pairs = frame.select("attribute", "context", "category").unique(maintain_order=True)
    unknown = [
        (attribute, context, category)
        for attribute, context, category in pairs.iter_rows()
        if (attribute, context) in declared
        and category not in declared[attribute, context]
        and category not in STATES
    ]
    todo = "Map the label to a category of the source, or count it as 'unmapped'."
    problems = [
        Problem(
            "category",
            "",
            f"{category[:60]!r} for {attribute} in {context}",
            f"one of {', '.join((*declared[attribute, context], *STATES))}",
            todo,
        )
        for attribute, context, category in unknown[:SHOWN]
    ]
    if len(unknown) > SHOWN:
        found = f"{len(unknown) - SHOWN:,} more such categories"
        problems.append(Problem("category", "", found, "categories of the sources", todo))
    return problems


def _uneven_totals(frame: pl.DataFrame) -> list[Problem]:
    """Report outputs whose attributes add up to different numbers of outputs."""
    totals = frame.group_by(CELL_KEY).agg(pl.col("n").sum())
    spread = (
        totals.group_by(OUTPUT_KEY)
        .agg(low=pl.col("n").min(), high=pl.col("n").max())
        .filter((pl.col("low") != pl.col("high")) | (pl.col("high") == 0))
        .sort(OUTPUT_KEY)
    )
    return _cell_problems(
        spread,
        "n",
        "totals from {low} to {high} over its attributes",
        "the same positive number of outputs for every attribute",
        "Count every output once in each attribute; use the non-mapped states for the rest.",
    )


def _partial_failures(frame: pl.DataFrame) -> list[Problem]:
    """Report failed records that fail in some attributes only."""
    failed = pl.col("n").filter(pl.col("category") == "failed").sum()
    spread = (
        frame.group_by(CELL_KEY)
        .agg(failed=failed)
        .group_by(OUTPUT_KEY)
        .agg(low=pl.col("failed").min(), high=pl.col("failed").max())
        .filter(pl.col("low") != pl.col("high"))
        .sort(OUTPUT_KEY)
    )
    return _cell_problems(
        spread,
        "n",
        "from {low} to {high} failed outputs over its attributes",
        "the same number of failed outputs in every attribute",
        "A failed record has no label at all: count it as 'failed' in each attribute.",
    )


def _cell_problems(
    cells: pl.DataFrame, column: str, found: str, expected: str, todo: str
) -> list[Problem]:
    problems = [
        Problem(
            column,
            ", ".join(str(row[key])[:60] for key in OUTPUT_KEY),
            found.format(low=row["low"], high=row["high"]),
            expected,
            todo,
        )
        for row in cells.head(SHOWN).iter_rows(named=True)
    ]
    if cells.height > SHOWN:
        more = cells.height - SHOWN
        problems.append(Problem(column, "", f"{more:,} more cells like these", expected, todo))
    return problems


CELLS = TableContract(
    study="composition",
    table="cells",
    meaning="How many outputs of a model show each category, cell by cell",
    columns=(
        *_KEYS,
        Column("n", "integer", "outputs in this category", minimum=0, maximum=MAX_OUTPUTS),
    ),
    key=(*CELL_KEY, "category"),
    check=_check_cells,
)

EVIDENCE = TableContract(
    study="composition",
    table="evidence",
    meaning="How many of those labels rest on weak evidence",
    columns=(
        *_KEYS,
        Column(
            "evidence",
            "text",
            "footer_only: found in the footer, not the prose; relational: inferred from a partner",
            allowed=("footer_only", "relational"),
        ),
        Column("n", "integer", "labels that rest on this evidence", minimum=0, maximum=MAX_OUTPUTS),
    ),
    key=(*CELL_KEY, "category", "evidence"),
)
