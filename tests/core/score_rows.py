"""Small filenames panels for tests, written as marks of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.filenames.contract import SCORES
from core.studies.filenames.reduce import Statistics, reduce_scores

JUDGES = {"gpt-6.1-sol": "openai", "claude-sonnet-5.5": "anthropic", "gemini-4-argon": "google"}
KINDS = {
    "neutral": "neutral",
    "v2": "version",
    "chatgpt": "llm",
    "claude": "llm",
    "gemini": "llm",
    "sergey": "human",
    "chen": "human",
    "catherine": "human",
}
MAKERS = {"chatgpt": "openai", "claude": "anthropic", "gemini": "google"}
STUDY_1 = ("neutral", "chatgpt", "claude", "gemini", "sergey", "chen")
STUDY_2 = tuple(KINDS)
SOL = "gpt-6.1-sol"

Cell = tuple[str, str, str]
"""Judge, text, label."""
Marks = Mapping[Cell, Sequence[float | None]]


def frame(marks: Marks, *, study: str = "1", **changes: Any) -> pl.DataFrame:
    """Rows of cells. Texts of study 2 are called ``brief-author``."""
    rows = [
        _row(study, cell, repetition, score) | changes
        for cell, scores in marks.items()
        for repetition, score in enumerate(scores, start=1)
    ]
    schema = {c.name: c.polars_type() for c in SCORES.columns}
    return pl.DataFrame(rows, schema=schema)


def _row(study: str, cell: Cell, repetition: int, score: float | None) -> dict[str, Any]:
    judge, text, label = cell
    brief, _, author = text.partition("-") if study == "2" else (None, "", "human")
    return {
        "study": study,
        "judge": judge,
        "judge_family": JUDGES.get(judge, judge),
        "text": text,
        "brief": brief,
        "genre": "academic" if study == "2" else None,
        "author_family": author,
        "label": label,
        "label_kind": KINDS[label],
        "label_family": MAKERS.get(label),
        "repetition": repetition,
        "score": score,
    }


def reduced(marks: Marks, *, study: str = "1") -> Statistics:
    return reduce_scores(frame(marks, study=study))


def random_marks(
    seed: int,
    *,
    judges: Sequence[str] = tuple(JUDGES),
    texts: Sequence[str] = ("Chess", "Book", "Cournot"),
    labels: Sequence[str] = STUDY_1,
    calls: tuple[int, int] = (3, 9),
    spread: float = 0.4,
) -> dict[Cell, list[float | None]]:
    """Marks with unequal numbers, levels and spreads, so that no error can hide in symmetry."""
    rng = np.random.default_rng(seed)
    found: dict[Cell, list[float | None]] = {}
    for judge in judges:
        for text in texts:
            level = rng.uniform(4, 7)
            for label in labels:
                n = int(rng.integers(calls[0], calls[1] + 1))
                drawn = rng.normal(level + rng.normal(0, 0.3), spread * rng.uniform(0.3, 2), n)
                found[judge, text, label] = np.round(drawn, 1).tolist()
    return found


def study_2_texts(briefs: int) -> list[str]:
    return [f"b{i:02d}-{family}" for i in range(briefs) for family in JUDGES.values()]


def long(marks: Marks, judge: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
    """Text, label and mark of every call of a judge."""
    rows = [
        (text, label, score)
        for (who, text, label), scores in marks.items()
        if who == judge
        for score in scores
        if score is not None
    ]
    text, label, score = zip(*rows, strict=True)
    return np.array(text), np.array(label), np.array(score, dtype=np.float64)
