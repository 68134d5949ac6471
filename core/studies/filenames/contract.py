"""Row contract of the filenames study's table."""

from __future__ import annotations

import polars as pl

from core.panels.contract import Column, TableContract
from core.panels.problems import Problem

STUDIES = ("1", "2")
NEUTRAL = "neutral"
LABEL_KINDS = (NEUTRAL, "version", "llm", "human")
HUMAN_AUTHOR = "human"

KEY = ("study", "judge", "text", "label", "repetition")

MAX_CELLS = 400_000
"""Most judges x texts x labels: the analysis keeps three numbers for each."""

SHOWN = 5
"""How many problems of one kind are named; one more says how many there are."""

_OF_THE_TEXT = ("brief", "genre", "author_family")
_OF_THE_LABEL = ("label_kind", "label_family")


def _check_scores(frame: pl.DataFrame) -> list[Problem]:
    return [
        *_too_many_cells(frame),
        *_unsettled(frame, ("judge",), ("judge_family",)),
        *_unsettled(frame, ("study", "text"), _OF_THE_TEXT),
        *_unsettled(frame, ("label",), _OF_THE_LABEL),
        *_wrong_families(frame),
        *_several_neutral_labels(frame),
        *_repeated_authors(frame),
    ]


def _too_many_cells(frame: pl.DataFrame) -> list[Problem]:
    cells = 1
    for names in (("judge",), ("study", "text"), ("label",)):
        cells *= frame.select(names).n_unique()
    if cells <= MAX_CELLS:
        return []
    found = f"{cells:,} judges x texts x labels"
    return [Problem("", "", found, f"at most {MAX_CELLS:,}", "Split the panel.")]


def _unsettled(
    frame: pl.DataFrame, keys: tuple[str, ...], columns: tuple[str, ...]
) -> list[Problem]:
    """Report names that come with several values of what a name fixes."""
    problems = []
    for column in columns:
        mixed = (
            frame.select(*keys, column)
            .unique(maintain_order=True)
            .group_by(keys, maintain_order=True)
            .len()
            .filter(pl.col("len") > 1)
        )
        name = keys[-1]
        problems += [
            Problem(
                column,
                "",
                f"{count} values for the {name} {str(value)[:60]!r}",
                f"one for each {name}",
                "Give each its own name, or correct the value.",
            )
            for value, count in mixed.select(name, "len").iter_rows()
        ]
    return _first(problems)


def _wrong_families(frame: pl.DataFrame) -> list[Problem]:
    """Report labels of a model without its family, and others with one."""
    labels = frame.select("label", *_OF_THE_LABEL).unique(maintain_order=True)
    return _first(
        [
            Problem(
                "label_family",
                "",
                f"the {kind} label {str(label)[:60]!r} {'with a' if family else 'without its'} "
                "family",
                "a family for labels of kind llm, and for no others",
                "Fill in or remove the family.",
            )
            for label, kind, family in labels.iter_rows()
            if (kind == "llm") != (family is not None)
        ]
    )


def _several_neutral_labels(frame: pl.DataFrame) -> list[Problem]:
    names = frame.filter(pl.col("label_kind") == NEUTRAL)["label"].unique(maintain_order=True)
    if len(names) < 2:
        return []
    found = f"{len(names):,} labels of kind {NEUTRAL}"
    return [Problem("label_kind", "", found, "at most one", "Name the file without a label once.")]


def _repeated_authors(frame: pl.DataFrame) -> list[Problem]:
    """Report briefs for which an author family wrote several texts."""
    texts = frame.filter(pl.col("brief").is_not_null()).select(
        "study", "brief", "author_family", "text"
    )
    several = (
        texts.unique(maintain_order=True)
        .group_by("study", "brief", "author_family", maintain_order=True)
        .len()
        .filter(pl.col("len") > 1)
    )
    return _first(
        [
            Problem(
                "brief",
                "",
                f"{count} texts by {author[:60]!r} for the brief {brief[:60]!r}",
                "one text for each brief and author family",
                "Give repeated texts a brief of their own.",
            )
            for brief, author, count in several.select("brief", "author_family", "len").iter_rows()
        ]
    )


def _first(problems: list[Problem]) -> list[Problem]:
    """Keep the first few problems of a kind, and say how many more there are."""
    if len(problems) <= SHOWN:
        return problems
    last = problems[0]
    more = f"{len(problems) - SHOWN:,} more like these"
    return [*problems[:SHOWN], Problem(last.column, "", more, last.expected, last.todo)]


SCORES = TableContract(
    study="filenames",
    table="scores",
    meaning="The marks that judges gave to texts whose file names carry a label",
    columns=(
        Column(
            "study",
            "text",
            "1: texts with labels; 2: several families write to the same brief",
            allowed=STUDIES,
        ),
        Column("judge", "text", "the model that gave the mark"),
        Column("judge_family", "text", "its maker, as in author_family and label_family"),
        Column("text", "text", "the text that was marked"),
        Column("brief", "text", "the task that the text was written to", nullable=True),
        Column("genre", "text", "the kind of text", nullable=True),
        Column("author_family", "text", f"who wrote it: {HUMAN_AUTHOR}, or a model's maker"),
        Column("label", "text", "what the file's name says, such as neutral or chatgpt"),
        Column(
            "label_kind",
            "text",
            "what the label names: nothing, a version, a model or a person",
            allowed=LABEL_KINDS,
        ),
        Column("label_family", "text", "the maker that a model's label names", nullable=True),
        Column(
            "repetition", "integer", "which call of the same kind", minimum=0, maximum=1_000_000
        ),
        Column(
            "score",
            "number",
            "the mark; empty where the judge gave none",
            nullable=True,
            minimum=-1_000_000,
            maximum=1_000_000,
        ),
    ),
    key=KEY,
    check=_check_scores,
)
