"""Two panels of one study beside each other: where their verdicts differ."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from core.verdicts import Verdict

VERDICT = "verdict_now"


def differences(
    one: pl.DataFrame, other: pl.DataFrame, *, keys: Sequence[str], number: str
) -> pl.DataFrame:
    """Set the tables of two panels under the same choices beside each other.

    Parameters
    ----------
    one, other
        Tables with the keys, a number and the column verdict_now.
    keys
        Columns that name a row; rows of either table are kept.
    number
        The column that is compared.

    Returns
    -------
    polars.DataFrame
        The keys; the number and verdict_now of both (those of the second end in ``_beside``),
        difference (second minus first), verdict_differs (a row that only one panel has differs).
    """
    columns = (*keys, number, VERDICT)
    joined = one.select(columns).join(
        other.select(columns),
        on=list(keys),
        how="full",
        suffix="_beside",
        coalesce=True,
        maintain_order="left_right",
    )
    return joined.with_columns(
        difference=pl.col(f"{number}_beside") - pl.col(number),
        verdict_differs=pl.col(VERDICT).ne_missing(pl.col(f"{VERDICT}_beside")),
    )


def counts(table: pl.DataFrame) -> tuple[int, int]:
    """Count verdicts that differ, and all, without the rows that neither panel can judge."""
    judged = table.filter(
        pl.any_horizontal(
            pl.col(name).is_not_null() & (pl.col(name) != Verdict.CANNOT_COMPUTE.value)
            for name in (VERDICT, f"{VERDICT}_beside")
        )
    )
    return judged.filter("verdict_differs").height, judged.height
