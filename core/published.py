"""Figures that no rows of a panel can give, in groups, as a study prints them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from core.figures import Figure, figures
from core.words import number


@dataclass(frozen=True, eq=False)
class Part:
    """One group of printed figures."""

    key: str
    title: str
    text: str
    rows: pl.DataFrame | None = None
    """None where the text says all."""


@dataclass(frozen=True)
class Published:
    """What one study publishes beyond its panels."""

    intro: str
    parts: Callable[[], list[Part]]


def printed(
    study: str, keep: Callable[[Figure], bool], words: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Collect printed figures of a study.

    Parameters
    ----------
    study
        Name of the study.
    keep
        Which of its figures.
    words
        Names for quantities, subjects and conditions that the files write as identifiers.

    Returns
    -------
    polars.DataFrame
        figure (what is counted or measured), subject, setting (its conditions), printed (to the
        printed digits), place, note; in the order of the study's file. The subject is left out
        where all have the same.
    """
    said = words or {}

    def plainly(name: str) -> str:
        return said.get(name, name.replace("_", " "))

    found = [figure for figure in figures(study).values() if keep(figure)]
    table = pl.DataFrame(
        {
            "figure": [plainly(figure.quantity) for figure in found],
            "subject": [said.get(figure.subject, figure.subject) for figure in found],
            "setting": [
                ", ".join(f"{plainly(k)}: {plainly(v)}" for k, v in f.condition.items())
                for f in found
            ],
            "printed": [number(figure.value, figure.decimals) for figure in found],
            "place": [figure.locator for figure in found],
            "note": [figure.note for figure in found],
        },
        schema=dict.fromkeys(
            ("figure", "subject", "setting", "printed", "place", "note"), pl.String
        ),
    )
    return table if table["subject"].n_unique() > 1 else table.drop("subject")
