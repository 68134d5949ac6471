"""Rows of a panel and the parquet file that holds them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from core.panels.provenance import Provenance
from core.panels.read import write_panel
from data.build.filenames import marks, pins
from data.build.filenames.reference import (
    BRIEFS,
    DOCUMENTS,
    FAMILIES,
    JUDGES,
    LABEL_FAMILY,
    LABEL_KIND,
    LABELS,
    STUDY,
)

TABLE = "scores"
HUMAN = "human"


def rows(
    counts: list[tuple[int, np.ndarray]], second: np.ndarray, rng: np.random.Generator
) -> pl.DataFrame:
    """Every call of both studies.

    Parameters
    ----------
    counts : list of (int, ndarray of int)
        For each judge its lowest mark in tenths and its counts (documents,
        labels, marks) in study 1.
    second : ndarray of int, shape (judges, texts, labels, calls)
        Marks of study 2 in tenths.
    rng : numpy.random.Generator
        Puts the marks of a cell in an order.
    """
    parts = []
    for j, (lowest, table) in enumerate(counts):
        for d, document in enumerate(DOCUMENTS):
            for k in range(marks.LABELS):
                tenths = np.repeat(lowest + np.arange(table.shape[-1]), table[d, k])
                keys = {"text": document, "brief": None, "genre": None, "author_family": HUMAN}
                parts.append(_cell("1", j, k, tenths, keys, rng))
    for j, t, k in np.ndindex(*second.shape[:3]):
        brief, genre = BRIEFS[t // len(FAMILIES)]
        author = FAMILIES[t % len(FAMILIES)]
        keys = {
            "text": f"{brief}-{author}",
            "brief": brief,
            "genre": genre,
            "author_family": author,
        }
        parts.append(_cell("2", j, k, second[j, t, k], keys, rng))
    return pl.concat(parts)


def _cell(
    study: str,
    j: int,
    k: int,
    tenths: np.ndarray,
    keys: dict[str, str | None],
    rng: np.random.Generator,
) -> pl.DataFrame:
    label = LABELS[study][k]
    texts = {
        "study": study,
        "judge": JUDGES[j],
        "judge_family": FAMILIES[j],
        **keys,
        "label": label,
        "label_kind": LABEL_KIND[label],
        "label_family": LABEL_FAMILY[label],
    }
    scores = rng.permutation(tenths) / marks.TENTHS
    return pl.DataFrame(
        {
            "repetition": np.arange(1, scores.size + 1, dtype=np.int64),
            "score": scores,
        }
    ).with_columns(pl.lit(value, dtype=pl.String).alias(name) for name, value in texts.items())


def write(path: Path, frame: pl.DataFrame, seed: int) -> None:
    """Write the table; the same rows always give the same bytes."""
    provenance = Provenance(
        study=STUDY,
        table=TABLE,
        kind="reconstructed",
        title="Marks by judge, text, label and call, reconstructed from printed summaries",
        source='"Same Text, Different Filename: Are LLM Judges Biased?"',
        licence="CC0-1.0 for the reconstructed rows; figures are the study's",
        generator="data.build.filenames",
        seed=str(seed),
        pins=pins.declared(),
    )
    write_panel(frame, path, provenance)
