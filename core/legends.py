"""What the marks of a chart mean: only those that are on it are explained."""

from __future__ import annotations

import polars as pl

from core.basis import SIGNS, Basis
from core.verdicts import MARKS, PLANNED_OPPOSITE, Verdict

RING = "A ring: the verdict differs from the planned one."
HATCHED = "Hatched: the document does not determine this verdict."

_SIGNS = {
    Basis.PINNED.value: "the study prints this number, and the rows were fitted to it",
    Basis.VARIES.value: "one possibility, since the document does not determine this number",
}


def verdicts(frame: pl.DataFrame) -> str:
    """Explain the shapes of the verdicts in a table, planned and now.

    Parameters
    ----------
    frame
        Columns verdict_planned and verdict_now, with values of `Verdict` or empty.
    """
    seen = {*frame["verdict_planned"], *frame["verdict_now"]}
    said = [
        f"{MARKS[verdict].symbol} {verdict.value} ({MARKS[verdict].meaning})"
        for verdict in Verdict
        if verdict.value in seen
    ]
    return f"{', '.join(said)}." if said else ""


def marks(frame: pl.DataFrame, *, hatched: str = HATCHED) -> str:
    """Explain everything that a chart of verdicts may show beside its shapes.

    Parameters
    ----------
    frame
        Columns verdict_planned, verdict_now, flip and varies.
    hatched
        What hatching says of a verdict.
    """
    barred = Verdict.OPPOSITE.value in set(frame["verdict_planned"])
    told = (
        verdicts(frame),
        PLANNED_OPPOSITE if barred else "",
        RING if frame["flip"].any() else "",
        hatched if frame["varies"].any() else "",
    )
    return " ".join(filter(None, told))


def signs(bases: pl.Series) -> str:
    """Explain the signs behind numbers: values of `Basis` that stand beside them."""
    seen = set(bases)
    said = [f"{SIGNS[own].strip()} {text}" for own, text in _SIGNS.items() if own in seen]
    return f"{'; '.join(said)}." if said else ""
