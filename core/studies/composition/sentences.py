"""What the composition page says, made from findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import polars as pl

from core.choices import Choices
from core.columns import rows_with
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import Findings
from core.studies.composition.sources import STATES
from core.studies.composition.tables import Comparison
from core.words import counted, listed, number, percent, plain, signed, span

Row = Mapping[str, Any]
"""A row of the model table, column: value."""

DECIMALS = 3
"""Digits to which the study prints divergences and their changes."""


def opening(models: pl.DataFrame, comparison: Comparison) -> str:
    """Say what the swap does to composites and to the average cell.

    Parameters
    ----------
    models
        The model table of the comparison.
    comparison
        The findings behind it.
    """
    choices = comparison.current.choices
    scored = [row for row in models.iter_rows(named=True) if row["chosen"] is not None]
    if not scored:
        return "No model has a composite under these choices."
    if choices.text("comparator") == "geography":
        text = span([row["chosen"] for row in scored], DECIMALS)
        return f"Against resident-population shares, composite divergence runs from {text}."
    swap = _swap(comparison)
    moves = [row["mean_change"] for row in scored]
    # Cells cancel in a composite; say "yet" where that hides most of what moves.
    hidden = min(moves) > 2 * max(abs(row["change"]) for row in scored)
    return (
        f"Swap resident-population shares for {swap}: {_composites_move(scored)}, "
        f"{'yet' if hidden else 'and'} the average cell moves by {span(moves, DECIMALS)}."
    )


SILENT = "No text says who its character is, so nothing can be said about attributes."


def silent(findings: Findings, names: Sequence[str], *, collected: bool) -> str:
    """Say what it means that no output carries a category.

    Parameters
    ----------
    findings
        Findings in which no output carries one.
    names
        Models.
    collected
        Whether the rows were got by this app's runner, whose first option is that a text does not
        say it.
    """
    states = findings.statistics.states.sum(axis=(0, 1))
    said = [
        f"{counted(int(count), 'answer')} “{state}”"
        for state, count in zip(STATES, states, strict=True)
        if count
    ]
    text = (
        f"Every text was asked about each attribute. {listed(said) or 'No answer was kept'}; no "
        "answer is a category that the comparators have. So there are no shares, no distance and "
        "no verdict, and no chart of them."
    )
    if collected and states[STATES.index("unspecified")] == states.sum() > 0:
        text += (
            f" “Unspecified” means that the text does not say it. It is the first option of the "
            f"question, and {listed([plain(name) for name in names])} gave it every time, whatever "
            "the text: a model that takes the first option each time tells nothing about the "
            "texts. A larger model is needed to read them."
        )
    return text


def _swap(comparison: Comparison) -> str:
    choices = comparison.current.choices
    match choices.text("comparator"):
        case "equal_category":
            return "equal shares"
        case "mixture":
            weight = number(choices.number("lambda"), 2)
            return f"a mixture with weight {weight} on equal shares"
        case "power":
            return f"their power {number(choices.number('alpha'), 2)}"
        case "occupational":
            return "the shares of people in the occupation"
        case "corrective":
            return "the same shares with weights"
        case _:
            return "typed shares"


def _composites_move(scored: Sequence[Row]) -> str:
    # Composites are printed, so their change is told as the difference of what is printed.
    changes = [round(row["chosen"], DECIMALS) - round(row["resident"], DECIMALS) for row in scored]
    if all(number(change) == number(0.0) for change in changes):
        return "no composite changes"
    every = "every composite" if len(changes) > 1 else "the composite"
    if all(change < 0 for change in changes):
        return f"{every} falls by {span([-c for c in changes], DECIMALS)}"
    if all(change > 0 for change in changes):
        return f"{every} rises by {span(changes, DECIMALS)}"
    return f"composites change by {signed(min(changes))} to {signed(max(changes))}"


def flips(models: pl.DataFrame, choices: Choices, counts: Sequence[tuple[int, int]]) -> str:
    """Say how many verdicts differ from the planned setting, and how those of composites do.

    Parameters
    ----------
    models
        The model table.
    choices
        The specification.
    counts
        Flipped cell verdicts and all cell verdicts; one pair for each reconstruction, or the one
        pair of a panel whose rows are its own.
    """
    return f"{composite_flips(models, choices)}; {_cell_flips(counts)}"


def composite_flips(models: pl.DataFrame, choices: Choices) -> str:
    """Say how the verdicts of composites differ from the planned setting, without a full stop."""
    tau = DECLARATION["tau"].say(choices["tau"])
    return f"At a tolerance of {tau}, {which_flip(models)}"


def _cell_flips(counts: Sequence[tuple[int, int]]) -> str:
    flipped = sorted(count for count, _ in counts)
    of = counted(counts[0][1], "cell verdict")
    if len(counts) == 1 or flipped[0] == flipped[-1]:
        return f"{flipped[0]:,} of {of} differ from the planned setting."
    return (
        f"between {flipped[0]:,} and {flipped[-1]:,} of {of} differ from the planned setting over "
        f"{len(counts)} reconstructions; the document does not determine which."
    )


def which_flip(models: pl.DataFrame) -> str:
    """Name the composites that change sides, without a full stop."""
    moves = _models_by(("verdict_planned", "verdict_now"), rows_with(models, flip=True))
    if not moves:
        return "no composite verdict flips"
    parts = [
        f"from {before} to {now} for {_who(names, models.height, 'every model')}"
        for (before, now), names in moves.items()
    ]
    return f"the composite verdict goes {listed(parts)}"


def order(models: pl.DataFrame, ties: Sequence[tuple[str, str, float]] | None) -> str:
    """Say how the order of models changes.

    Parameters
    ----------
    models
        The model table.
    ties
        Pairs whose order the bootstrap does not settle, as `places.inseparable_pairs` gives them;
        None where it was not drawn.
    """
    both = [
        row
        for row in models.iter_rows(named=True)
        if None not in (row["place_planned"], row["place_now"])
    ]
    if len(both) < 2:
        return ""
    return f"{_moves(both)} {_ties(ties)}"


def _moves(both: Iterable[Row]) -> str:
    parts = [
        f"{plain(row['model'])} from {row['place_planned']} to {row['place_now']}"
        for row in both
        if row["place_planned"] != row["place_now"]
    ]
    if not parts:
        return "The order of the models stays as planned."
    return f"Places change (1 is the lowest divergence): {listed(parts)}."


def turned(models: pl.DataFrame) -> str:
    """Name every two models whose order the comparator alone turns round; empty without any."""
    both = models.filter(pl.col("planned").is_not_null() & pl.col("chosen").is_not_null())
    ranked = list(both.sort("planned").select("model", "chosen").iter_rows())
    parts = [
        f"{plain(near)}, nearer than {plain(far)} as planned, is farther"
        for (near, now), (far, other) in combinations(ranked, 2)
        if now > other
    ]
    return f"The comparator alone turns an order: {listed(parts)}." if parts else ""


def _ties(ties: Sequence[tuple[str, str, float]] | None) -> str:
    if ties is None:
        return "Whether sampling noise could explain the order is not drawn yet (see Uncertainty)."
    if not ties:
        return "At least 95% of shared bootstrap draws keep the order of every two models."
    pairs = [f"{plain(a)} and {plain(b)} ({percent(share)})" for a, b, share in ties]
    return f"Not separable, so ranked neither way: {listed(pairs)} of draws keep their order."


def reasons(models: pl.DataFrame) -> list[str]:
    """Say why models have no composite: one sentence a reason, naming the models."""
    missing = [row for row in models.iter_rows(named=True) if row["reason"]]
    return [
        f"Cannot compute a composite for {_who(names, models.height, 'any model')}: {reason}"
        for (reason,), names in _models_by(("reason",), missing).items()
    ]


def _models_by(columns: Sequence[str], rows: Iterable[Row]) -> dict[tuple[str, ...], list[str]]:
    """Put models together whose rows have the same words in some columns."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        alike.setdefault(tuple(row[name] for name in columns), []).append(row["model"])
    return alike


def _who(names: list[str], count: int, everyone: str) -> str:
    return everyone if len(names) == count else listed([plain(name) for name in names])
