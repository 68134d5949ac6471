"""The studies' printed figures and structured inputs, as committed under ``data/reference``."""

from __future__ import annotations

from functools import cache

import polars as pl

from core.paths import REFERENCE


@cache
def table(study: str, name: str) -> pl.DataFrame:
    """Read one reference table.

    Parameters
    ----------
    study
        Folder under ``data/reference``.
    name
        File name without its ending.

    Returns
    -------
    polars.DataFrame
        Every column as text, empty fields as null; treat it as read-only, it is shared.

    Raises
    ------
    FileNotFoundError
        If the study has no such table.
    """
    return pl.read_csv(REFERENCE / study / f"{name}.csv", infer_schema=False)
