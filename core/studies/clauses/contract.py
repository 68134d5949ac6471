"""Row contracts of the clauses study's two tables."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from core.panels.contract import Column, TableContract
from core.panels.problems import Problem
from core.studies.clauses.design import (
    CONDITIONS,
    FAVOURED,
    FIELD_ORDERS,
    FRAMINGS,
    LABELS,
    PARSES,
    PARTIES,
    SCALE,
    VARIANTS,
)

GROUP = ("archetype", "family")
"""A clause group: one clause in one family of contracts. The unit that is resampled."""

KEY = (
    *("run", "model", *GROUP, "variant", "condition"),
    *("labels", "framing", "party_a", "field_order", "sample"),
)

MAX_GROUPS = 2_000
MAX_MODEL_RUNS = 60
"""Most clause groups, and most models times runs: the analysis keeps a number for every cell."""

SHOWN = 5
"""How many problems of one kind are named; one more says how many there are."""


def _check_determinations(frame: pl.DataFrame) -> list[Problem]:
    return [
        *_too_many(frame),
        *_wrong_situations(frame),
        *_unsettled_situations(frame),
        *_mixed_field_orders(frame),
        *_parse_contradictions(frame),
    ]


def _too_many(frame: pl.DataFrame) -> list[Problem]:
    asked = (
        (frame.select(GROUP).n_unique(), MAX_GROUPS, "clause groups", "archetype"),
        (frame.select("run", "model").n_unique(), MAX_MODEL_RUNS, "models times runs", "model"),
    )
    return [
        Problem(column, "", f"{count:,} {things}", f"at most {most:,}", "Split the panel.")
        for count, most, things, column in asked
        if count > most
    ]


def _wrong_situations(frame: pl.DataFrame) -> list[Problem]:
    """Report rows whose labels or framing are not those of their condition."""
    used = frame.select("condition", "labels", "framing").unique(maintain_order=True)
    problems = []
    for condition, *found in used.iter_rows():
        meant = CONDITIONS[condition]
        if meant is not None and tuple(found) != tuple(meant):
            problems.append(
                Problem(
                    "condition",
                    "",
                    f"{condition} with labels {found[0]!r} and framing {found[1]!r}",
                    f"labels {meant.labels!r} and framing {meant.framing!r}",
                    "Give the rows the condition that they were asked under.",
                )
            )
    return _first(problems, "condition")


def _unsettled_situations(frame: pl.DataFrame) -> list[Problem]:
    """Report conditions that stand for two ways of asking, and ways that have two conditions."""
    used = frame.select("condition", "labels", "framing").unique(maintain_order=True)
    problems = []
    for keys, other in ((["condition"], "labels and framing"), (["labels", "framing"], "name")):
        repeated = used.group_by(keys, maintain_order=True).len().filter(pl.col("len") > 1)
        problems += [
            Problem(
                keys[0],
                "",
                f"{' and '.join(map(repr, row[:-1]))} with {row[-1]} kinds of {other}",
                "one condition for one way of asking",
                "Name each combination of labels and framing once.",
            )
            for row in repeated.iter_rows()
        ]
    return _first(problems, "condition")


def _mixed_field_orders(frame: pl.DataFrame) -> list[Problem]:
    mixed = (
        frame.group_by("run", maintain_order=True)
        .agg(pl.col("field_order").n_unique())
        .filter(pl.col("field_order") > 1)
    )
    problems = [
        Problem(
            "field_order",
            "",
            f"two field orders in run {run[:60]!r}",
            "one field order in a run",
            "Give the rows of each order a run of their own: they are never pooled.",
        )
        for run in mixed["run"]
    ]
    return _first(problems, "field_order")


def _parse_contradictions(frame: pl.DataFrame) -> list[Problem]:
    """Report rows whose rating does not fit how the answer was read."""
    usable = pl.col("parse").is_in(["clean", "repaired"])
    rated, would_be = pl.col("fairness").is_not_null(), pl.col("fairness_if_repaired").is_not_null()
    rules = (
        ("fairness", usable & ~rated, "no rating in an answer that was read", "a rating"),
        ("fairness", ~usable & rated, "a rating in an answer that was not read", "no rating"),
        (
            "fairness_if_repaired",
            (pl.col("parse") == "repairable") & ~would_be,
            "a repairable answer without its rating",
            "the rating that the repair would give",
        ),
        (
            "fairness_if_repaired",
            ~pl.col("parse").is_in(["repairable", "repaired"]) & would_be,
            "a repaired rating where nothing is to be repaired",
            "a rating after repair in repaired and repairable answers only",
        ),
        (
            "favored",
            ~usable & pl.col("favored").is_not_null(),
            "a favoured party in an answer that was not read",
            "no favoured party",
        ),
    )
    return [
        problem
        for column, broken, found, expected in rules
        for problem in _row_problem(frame, column, broken, found, expected)
    ]


def _row_problem(
    frame: pl.DataFrame, column: str, broken: pl.Expr, found: str, expected: str
) -> list[Problem]:
    rows = frame.select(broken).to_series().arg_true()
    if rows.is_empty():
        return []
    shown = ", ".join(f"{int(i) + 1:,}" for i in rows[:SHOWN])
    more = f" and others, {len(rows):,} in all" if len(rows) > SHOWN else ""
    return [Problem(column, shown + more, found, expected, "Correct the value or parse.")]


def _check_archetypes(frame: pl.DataFrame) -> list[Problem]:
    pairs = (("dropped", "unchanged"), ("dropped", "edited"), ("edited", "unchanged"))
    return [
        problem
        for one, other in pairs
        for problem in _row_problem(
            frame,
            one,
            pl.col(one) & pl.col(other),
            f"both {one} and {other}",
            "at most one of dropped, edited and unchanged",
        )
    ]


def _first(problems: Sequence[Problem], column: str) -> list[Problem]:
    """Keep the first few problems of a kind, and say how many more there are."""
    if len(problems) <= SHOWN:
        return list(problems)
    more = f"{len(problems) - SHOWN:,} more like these"
    return [*problems[:SHOWN], Problem(column, "", more, problems[0].expected, problems[0].todo)]


_FLAG_MEANINGS = {
    "giveaway": "its text held a sentence that gives away which party is meant",
    "unrealistic": "its text was unrealistic or confounded",
    "dropped": "left out of v3",
    "edited": "its text was edited before v3",
    "unchanged": "its text is the same, byte for byte, in both runs",
}

FLAGS = tuple(_FLAG_MEANINGS)

DETERMINATIONS = TableContract(
    study="clauses",
    table="determinations",
    meaning="What a model answered: how fair a clause is, and whom it favours",
    columns=(
        Column("run", "text", "the elicitation, such as v2 or v3; runs are never pooled"),
        Column("model", "text", "the model that was asked"),
        Column("archetype", "text", "the clause, such as termination without notice"),
        Column("family", "text", "the kind of contract that it is put in"),
        Column("variant", "text", "the party that the wording favours", allowed=VARIANTS),
        Column("condition", "text", "how it was asked, by id", allowed=tuple(CONDITIONS)),
        Column(
            "labels",
            "text",
            "role: both parties by role; opaque: Party A and Party B; weak_only, strong_only: one "
            "party by role",
            allowed=LABELS,
        ),
        Column("framing", "text", "whom the model is told to represent", allowed=FRAMINGS),
        Column(
            "party_a", "text", "the party called Party A, if any", allowed=PARTIES, nullable=True
        ),
        Column("field_order", "text", "what the answer gives first", allowed=FIELD_ORDERS),
        Column("sample", "integer", "which answer to the same prompt", minimum=0, maximum=10_000),
        Column(
            "fairness",
            "number",
            "rated fairness; empty where the answer was not read",
            nullable=True,
            minimum=SCALE[0],
            maximum=SCALE[1],
        ),
        Column(
            "favored",
            "text",
            "the party that the answer says is favoured",
            allowed=FAVOURED,
            nullable=True,
        ),
        Column(
            "parse",
            "text",
            "clean; repaired before reading; repairable, but not repaired; failed",
            allowed=PARSES,
        ),
        Column(
            "fairness_if_repaired",
            "number",
            "rated fairness that a repair gives or would give",
            nullable=True,
            minimum=SCALE[0],
            maximum=SCALE[1],
        ),
    ),
    key=KEY,
    check=_check_determinations,
)

ARCHETYPES = TableContract(
    study="clauses",
    table="archetypes",
    meaning="What is known of each clause: its topic, its defects, its fate between runs",
    columns=(
        Column("archetype", "text", "the clause"),
        Column("topic", "text", "what it is about", nullable=True),
        *(
            Column(name, "flag", f"{meaning}; empty where it is not known", nullable=True)
            for name, meaning in _FLAG_MEANINGS.items()
        ),
    ),
    key=("archetype",),
    check=_check_archetypes,
)
