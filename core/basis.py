"""What stands behind a number or verdict that is shown from reconstructed rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.words import number

Statistics = TypeVar("Statistics")
Findings = TypeVar("Findings")


class Basis(StrEnum):
    """Why a reader may take a value from reconstructed rows for the study's, or may not."""

    PINNED = "pinned"
    AGREES = "agrees"
    VARIES = "varies"


SIGNS = {Basis.PINNED.value: " •", Basis.VARIES.value: " ≈"}
"""Written after a number: pinned to a printed figure; one possibility among reconstructions."""


@dataclass(frozen=True, eq=False)
class Ensemble(ABC, Generic[Statistics, Findings]):
    """R reduced panels that stand for the same study; the first is the one on the page."""

    statistics: tuple[Statistics, ...]
    documented: bool
    """Whether they stand for the document's rows; a reader's own panel stands alone."""
    pins: Collection[str] = ()
    """Ids of the printed figures that the search was given."""

    @property
    def size(self) -> int:
        """Number of panels, R."""
        return len(self.statistics)

    @staticmethod
    @abstractmethod
    def analyse(statistics: Statistics, choices: Choices) -> Findings:
        """Give the study's estimates and verdicts under one specification."""

    def findings(self, choices: Choices) -> tuple[Findings, ...]:
        """Analyse every panel under one specification."""
        return tuple(self.analyse(statistics, choices) for statistics in self.statistics)


@dataclass(frozen=True, kw_only=True)
class Move:
    """What becomes of a verdict from one specification to another, over all panels."""

    before: str
    after: str
    """Verdicts in the first panel."""
    count: int
    """Panels in which the verdict changes."""
    certain: bool
    """Whether the document determines the change, or that there is none."""

    @property
    def changed(self) -> bool:
        """Whether it changes in the first panel."""
        return self.before != self.after


def of_numbers(
    values: NDArray[np.float64], pinned: NDArray[np.bool_], decimals: int | Sequence[int]
) -> NDArray[np.str_]:
    """Say what stands behind numbers.

    Parameters
    ----------
    values
        (R, ...) the same number from each of R reconstructions; NaN where there is none.
    pinned
        (...) whether the number is a printed figure that the search was given.
    decimals
        Digits that are shown after the point; one for all, or, of numbers in a row, one for each.

    Returns
    -------
    array of text, shape (...)
        Values of `Basis`. With a single reconstruction nothing can agree, so what is not pinned
        varies.
    """
    digits = np.broadcast_to(decimals, values.shape[1:])
    rounded = np.empty_like(values)
    for own in np.unique(digits):
        rounded[:, digits == own] = np.round(values[:, digits == own], own)
    same = (rounded == rounded[0]) | (np.isnan(rounded) & np.isnan(rounded[0]))
    return _basis(same.all(axis=0) & (len(values) > 1), pinned)


def of_verdicts(verdicts: NDArray[np.str_], pinned: NDArray[np.bool_]) -> NDArray[np.str_]:
    """Say what stands behind verdicts, (R, ...), as `of_numbers`."""
    return _basis((verdicts == verdicts[0]).all(axis=0) & (len(verdicts) > 1), pinned)


def table(
    values: NDArray[np.float64],
    verdicts: NDArray[np.str_],
    printed: Sequence[float | None],
    *,
    settled: Sequence[bool],
    decimals: int | Sequence[int],
) -> pl.DataFrame:
    """Say what stands behind K numbers and their verdicts.

    Parameters
    ----------
    values, verdicts
        (R, K) from each of R reconstructions, the shown one first; NaN where there is no number.
    printed
        The pinned figure that each number is; None without one.
    settled
        Whether the document settles each verdict.
    decimals
        Digits that are shown after the point; one for all, or one for each number.

    Returns
    -------
    polars.DataFrame
        printed; basis; low and high (over the reconstructions, null without any number);
        verdict_basis; verdict_count (reconstructions with the shown verdict).
    """
    missing = np.isnan(values)
    low = np.where(missing, np.inf, values).min(axis=0)
    high = np.where(missing, -np.inf, values).max(axis=0)
    none = missing.all(axis=0)
    return pl.DataFrame(
        {
            "printed": list(printed),
            "basis": of_numbers(values, np.array([v is not None for v in printed]), decimals),
            "low": pl.Series(np.where(none, np.nan, low), nan_to_null=True),
            "high": pl.Series(np.where(none, np.nan, high), nan_to_null=True),
            "verdict_basis": of_verdicts(verdicts, np.array(settled)),
            "verdict_count": (verdicts == verdicts[0]).sum(axis=0),
        },
        schema_overrides={"printed": pl.Float64},
    )


def with_basis(
    frame: pl.DataFrame,
    basis: pl.DataFrame | None,
    size: int,
    *,
    decimals: int | Sequence[int] = 3,
) -> pl.DataFrame:
    """Add what stands behind each row's number and verdict.

    Parameters
    ----------
    frame
        A table with verdicts.
    basis
        One row for each of its rows, as `table` gives them; None for rows that are not
        reconstructed, whose numbers are their own.
    size
        Number of reconstructions.
    decimals
        Digits that are shown after the point; one for all, or one for each row.

    Returns
    -------
    polars.DataFrame
        The table with number_basis and verdict_basis (values of `Basis`, empty without one),
        varies (whether the document does not determine the verdict) and behind (all in words).
    """
    if basis is None:
        return frame.with_columns(
            number_basis=pl.lit(""),
            verdict_basis=pl.lit(""),
            varies=pl.lit(value=False),
            behind=pl.lit("the panel's own rows"),
        )
    digits = np.broadcast_to(decimals, basis.height).tolist()
    rows = zip(basis.iter_rows(named=True), digits, strict=True)
    return frame.hstack(
        [
            basis["basis"].alias("number_basis"),
            basis["verdict_basis"],
            (basis["verdict_basis"] == Basis.VARIES.value).alias("varies"),
            pl.Series("behind", [_behind(row, size, n) for row, n in rows], dtype=pl.String),
        ]
    )


def _behind(row: dict[str, Any], size: int, decimals: int) -> str:
    if row["low"] is None:
        return "no number in any reconstruction"
    match row["basis"]:
        case Basis.PINNED:
            said = f"pinned: the study prints {row['printed']:.{decimals}f}"
        case Basis.AGREES:
            said = f"not printed; the same in all {size} reconstructions"
        case _ if size == 1:
            said = "one possibility; not printed"
        case _:
            low, high = number(row["low"], decimals), number(row["high"], decimals)
            said = f"one possibility: {low} to {high} over {size} reconstructions"
    if row["verdict_basis"] == Basis.VARIES and size > 1:
        said += f"; this verdict in {row['verdict_count']} of them"
    return said


def _basis(agrees: NDArray[np.bool_], pinned: NDArray[np.bool_]) -> NDArray[np.str_]:
    return np.where(
        pinned, Basis.PINNED.value, np.where(agrees, Basis.AGREES.value, Basis.VARIES.value)
    )
