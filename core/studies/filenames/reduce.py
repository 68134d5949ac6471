"""From a panel's rows to small arrays: counts, means and squares of cells. Done once a panel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.filenames import design
from core.studies.filenames.contract import NEUTRAL, STUDIES

Array = NDArray[np.float64]
Counts = NDArray[np.int64]

TEXT = ("text", "brief", "genre", "author_family")
LABEL = ("label", "label_kind", "label_family")
_CELL = ("judge", "text", "label")


@dataclass(frozen=True, eq=False)
class StudyStatistics:
    """What the analysis needs of one study. J judges, T texts, L labels, K distinct marks of cells.

    Compared and hashed by identity, so that work on it can be kept; the arrays are read-only.
    """

    study: str
    judges: tuple[str, ...]
    families: tuple[str, ...]
    """Maker of each judge."""
    texts: pl.DataFrame
    """The columns of `TEXT`; T rows."""
    labels: pl.DataFrame
    """The columns of `LABEL`; L rows."""
    n: Counts
    """(J, T, L) marks given."""
    mean: Array
    """(J, T, L) their mean; NaN where there is none."""
    squares: Array
    """(J, T, L) sum of squared deviations from the mean."""
    missing: Counts
    """(J, T, L) calls without a mark."""
    mark_cells: Counts
    """(K, 3) judge, text and label of each distinct mark of a cell."""
    mark_values: Array
    """(K,) the mark."""
    mark_counts: Counts
    """(K,) how often it was given."""

    @property
    def is_empty(self) -> bool:
        """Whether the panel has no rows of this study."""
        return self.texts.is_empty()

    @cached_property
    def bias(self) -> Array:
        """(J, T, L) each mean less the text's mean over labels; NaN where a label has none."""
        return self.mean - self.level[..., None]

    @cached_property
    def level(self) -> Array:
        """(J, T) mean over labels; NaN where a label has none, and without any label."""
        judges, texts, labels = self.mean.shape
        return self.mean.mean(axis=2) if labels else np.full((judges, texts), np.nan)

    @property
    def label_names(self) -> list[str]:
        """Ids of the labels."""
        return self.labels["label"].to_list()

    @cached_property
    def neutral(self) -> int | None:
        """Position of the label that says nothing; None without one."""
        found = np.flatnonzero(self.labels["label_kind"].to_numpy() == NEUTRAL)
        return int(found[0]) if found.size else None

    def of_kind(self, kind: str) -> list[int]:
        """Positions of the labels of a kind."""
        return [i for i, k in enumerate(self.labels["label_kind"]) if k == kind]

    def own_label(self, judge: int) -> int | None:
        """Position of the label of a judge's maker; None without one."""
        families = self.labels["label_family"].to_list()
        family = self.families[judge]
        return families.index(family) if family in families else None

    @cached_property
    def clusters(self) -> tuple[list[str], NDArray[np.int64]]:
        """Units that are resampled, and each text's unit: its brief, or the text by itself."""
        brief = self.texts["brief"].fill_null(self.texts["text"]).to_list()
        names = list(dict.fromkeys(brief))
        position = {name: i for i, name in enumerate(names)}
        return names, np.array([position[b] for b in brief], dtype=np.int64)

    def part(self, texts: NDArray[np.bool_], labels: NDArray[np.bool_]) -> StudyStatistics:
        """Return the statistics of some texts and labels."""
        if texts.all() and labels.all():
            return self
        at = np.ix_(np.arange(len(self.judges)), texts, labels)
        kept = texts[self.mark_cells[:, 1]] & labels[self.mark_cells[:, 2]]
        cells = self.mark_cells[kept].copy()
        cells[:, 1] = (np.cumsum(texts) - 1)[cells[:, 1]]
        cells[:, 2] = (np.cumsum(labels) - 1)[cells[:, 2]]
        return StudyStatistics(
            self.study,
            self.judges,
            self.families,
            self.texts.filter(pl.Series(texts)),
            self.labels.filter(pl.Series(labels)),
            _frozen(self.n[at]),
            _frozen(self.mean[at]),
            _frozen(self.squares[at]),
            _frozen(self.missing[at]),
            _frozen(cells),
            _frozen(self.mark_values[kept]),
            _frozen(self.mark_counts[kept]),
        )


@dataclass(frozen=True, eq=False)
class Statistics:
    """A reduced panel: the statistics of each study, empty where the panel has no rows of it."""

    by_study: Mapping[str, StudyStatistics]

    def in_study(self, study: str) -> StudyStatistics:
        """Return one study, always the same object."""
        return self.by_study[study]

    @property
    def studies(self) -> tuple[str, ...]:
        """Studies that the panel has rows of."""
        return tuple(s for s, part in self.by_study.items() if not part.is_empty)


def reduce_scores(rows: pl.DataFrame | pl.LazyFrame) -> Statistics:
    """Count marks by judge, text and label.

    Parameters
    ----------
    rows
        Rows of a filenames scores table; lazy frames are streamed.

    Returns
    -------
    Statistics
        Judges, texts and labels in the study's order, others after them by name.
    """
    keys = ("study", "judge", "judge_family", *TEXT, *LABEL, "score")
    counted = rows.lazy().group_by(keys).agg(pl.len().alias("n")).collect(engine="streaming")
    return Statistics(
        MappingProxyType(
            {study: _reduce(study, counted.filter(pl.col("study") == study)) for study in STUDIES}
        )
    )


def _reduce(study: str, counted: pl.DataFrame) -> StudyStatistics:
    judges = design.in_order(counted["judge"].unique().to_list(), list(design.judge_names()))
    makers = dict(counted.select("judge", "judge_family").unique().iter_rows())
    texts = _ordered_texts(counted.select(TEXT).unique())
    labels = _ordered(counted.select(LABEL).unique(), "label", design.labels())
    places: dict[str, list[str]] = {
        "judge": judges,
        "text": texts["text"].to_list(),
        "label": labels["label"].to_list(),
    }
    indexed = counted.with_columns(
        pl.col(name)
        .replace_strict(values, list(range(len(values))), return_dtype=pl.Int64)
        .alias(name)
        for name, values in places.items()
    ).sort(*_CELL, "score")
    given = indexed.filter(pl.col("score").is_not_null())
    cells, score = _places(given), given["score"].to_numpy()
    n = given["n"].cast(pl.Int64).to_numpy()
    shape = (len(judges), texts.height, labels.height)
    count = _total(cells, n, shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = _total(cells, n * score, shape) / count
    squares = _total(cells, n * (score - mean[tuple(cells.T)]) ** 2, shape)
    silent = indexed.filter(pl.col("score").is_null())
    missing = _total(_places(silent), silent["n"].to_numpy(), shape)
    return StudyStatistics(
        study,
        tuple(judges),
        tuple(makers[judge] for judge in judges),
        texts,
        labels,
        _frozen(count.astype(np.int64)),
        _frozen(mean),
        _frozen(squares),
        _frozen(missing.astype(np.int64)),
        _frozen(cells),
        _frozen(np.array(score, dtype=np.float64)),
        _frozen(np.array(n)),
    )


def _ordered_texts(texts: pl.DataFrame) -> pl.DataFrame:
    """Sort texts: documents first, then briefs with their authors, in the study's order."""
    known = [*design.documents(), *design.briefs()]
    first = texts["brief"].fill_null(texts["text"])
    names = design.in_order(first.to_list(), known)
    authors = design.in_order(texts["author_family"].to_list(), design.families())
    return (
        texts.with_columns(
            first.replace_strict(names, list(range(len(names))), return_dtype=pl.Int64).alias("a"),
            pl.col("author_family")
            .replace_strict(authors, list(range(len(authors))), return_dtype=pl.Int64)
            .alias("b"),
        )
        .sort("a", "b", "text")
        .drop("a", "b")
    )


def _ordered(frame: pl.DataFrame, column: str, known: tuple[str, ...]) -> pl.DataFrame:
    names = design.in_order(frame[column].to_list(), known)
    places = {name: i for i, name in enumerate(names)}
    order = frame[column].replace_strict(list(places), list(places.values()), return_dtype=pl.Int64)
    return frame[order.arg_sort()]


def _places(rows: pl.DataFrame) -> Counts:
    """Judge, text and label of rows, (K, 3)."""
    return np.array(rows.select(_CELL).to_numpy(), dtype=np.int64).reshape(-1, len(_CELL))


def _total(cells: NDArray[Any], values: NDArray[Any], shape: tuple[int, ...]) -> Array:
    """Add values up by cell, in the order in which they come."""
    flat = np.ravel_multi_index(tuple(cells.T), shape) if len(cells) else np.empty(0, np.int64)
    total = np.bincount(flat, weights=values, minlength=int(np.prod(shape)))
    return total.astype(np.float64).reshape(shape)


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array
