"""Names, axis titles, captions and alternative texts of the composition page."""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

from core import legends
from core.choices import Choices
from core.columns import distinct, rows_with
from core.limits import Limits
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import Findings
from core.studies.composition.occupations import CANDIDATES, planned_rows
from core.studies.composition.paths import Curves
from core.studies.composition.sources import source_of
from core.verdicts import MARKS, Verdict
from core.words import counted, listed, number, percent, plain, span

RESIDENT = "resident population"

_COMPARATORS = {
    "geography": RESIDENT,
    "equal_category": "equal categories",
    "mixture": "a mixture of resident and equal shares",
    "power": "a power of resident shares",
    "occupational": "people in the occupation",
    "corrective": "resident shares with weights",
    "custom": "typed shares",
}

_UNITS = {
    "jsd": "divergence, bits",
    "root_jsd": "root divergence",
    "total_variation": "total variation",
    "largest_deviation": "largest category deviation",
}

PATH_AXES = {
    "mixture": "Weight of equal categories (0 = resident population)",
    "power": "Exponent of resident shares (1 = resident, 0 = equal)",
}

_STATE_WORDS = {
    "unspecified": "say nothing",
    "unmapped": "carry a label outside the source",
    "ambiguous": "have no single protagonist",
    "failed": "failed",
}

LIMITS = Limits(
    always=(
        "Whether a model is fair: a divergence is a distance from declared shares. It becomes a "
        "statement about fairness only under premises that the reader declares and defends.",
        "Why shares differ: prompt, model and extraction are not taken apart here.",
        "Anything about people: characters are coded by words in a text; they are not people, and"
        " a label is what an extractor read.",
        "That equal categories are a neutral target: they depend on how finely a source divides "
        "people, and change when a category is split.",
        "That occupational shares are what texts should show: they describe a workforce, for one "
        "country and one attribute.",
        "Which cells a regulator should look at: no threshold here is a legal standard.",
    ),
    of_document=(
        "How single cells or contexts come out: the study prints averages, and many sets of rows "
        "return them.",
    ),
)
"""What the page says it does not show."""


COMPOSITE = "Composite: a model’s distances, averaged over attributes, places and roles."


def comparator_name(choices: Choices) -> str:
    """Name the chosen comparator within a sentence."""
    return _COMPARATORS[choices.text("comparator")]


def measure_axis(choices: Choices) -> str:
    """Title of a value axis: quantity, unit, direction."""
    return f"{_UNITS[choices.text('measure')]}; 0 = same shares"


def threshold_names(choices: Choices) -> tuple[str, str]:
    """Name the two directions in which a cell can change sides."""
    return (
        f"within only under the {RESIDENT}",
        f"within only under {comparator_name(choices)}",
    )


def reading(choices: Choices, models: pl.DataFrame) -> str:
    """Say how to read the comparison of models: what is on it, and nothing else."""
    tau = DECLARATION["tau"].say(choices["tau"])
    moves = models["resident"].to_list() != models["chosen"].to_list()
    swapped = models["place_planned"].to_list() != models["place_now"].to_list()
    told = (
        f"Hollow: {RESIDENT} (planned). Filled: {comparator_name(choices)}."
        if moves
        else f"Marks: distance from the {RESIDENT}, the planned comparator.",
        f"Dashed: the tolerance, {tau}.",
        legends.marks(models),
        "Numbers: divergence now, and the place from planned to now where it changes (1 is the "
        "lowest)."
        if swapped
        else "Numbers: divergence now.",
        legends.signs(models["number_basis"]),
    )
    return " ".join(filter(None, told))


def grid_reading(choices: Choices, grid: pl.DataFrame) -> str:
    """Say how to read the verdict grid."""
    tau = DECLARATION["tau"].say(choices["tau"])
    return (
        f"Left, hollow: planned setting. Right, filled: now, at tolerance {tau}. "
        f"{legends.marks(grid)} Gender is reported apart and is not in the planned composite."
    )


def map_reading(choices: Choices) -> str:
    """Say how to read the cell map."""
    within, outside = MARKS[Verdict.WITHIN].symbol, MARKS[Verdict.OUTSIDE].symbol
    return (
        f"Darker: farther from {comparator_name(choices)}. {within} within, {outside} outside the "
        "tolerance, · does not count. A ring: the verdict differs from the planned setting."
    )


ONE_POSSIBILITY = (
    "One possibility: the study prints averages over many cells. These rows return the printed "
    "averages, and so would many others; no single cell is the study’s own."
)


def sources_note(findings: Findings, cell: int) -> str:
    """Name the source of one cell's resident shares."""
    row = findings.statistics.cells.row(cell, named=True)
    source = source_of(row["attribute"], row["context"])
    return f"Resident shares: {source}." if source else "No source of resident shares is declared."


def swaps(
    found: Curves, counts: Sequence[int], size: int, ties: Sequence[tuple[str, str, float]] | None
) -> str:
    """Say where along the path models change places.

    Parameters
    ----------
    found
        The path.
    counts
        In how many reconstructions each change of places is there.
    size
        Number of reconstructions.
    ties
        Pairs whose order at the chosen comparator the bootstrap does not settle; None where it was
        not drawn.
    """
    rings = found.crossings
    if rings.is_empty():
        return "No two models change places along this path. Dots: the points the study reports."
    what = "exponent" if found.path == "power" else "weight"
    unsettled = {frozenset(pair[:2]) for pair in ties or ()}
    said = []
    for row, count in zip(rings.iter_rows(named=True), counts, strict=True):
        text = f"{plain(row['text'])} at {what} {number(row['position'], 2)}"
        notes = [f"in {count} of {size} reconstructions"] if size > 1 else []
        if frozenset(row["text"].split(" passes ")) in unsettled:
            notes.append("not separable")
        said.append(text + (f" ({', '.join(notes)})" if notes else ""))
    return f"Rings: {listed(said)}. Dots: the points that the study reports."


def share_changed(shares: Sequence[float], name: str, choices: Choices) -> str:
    """Say how much of one model's portfolio changes sides at the tolerance.

    Parameters
    ----------
    shares
        T(tau) in each reconstruction, the shown one first.
    name
        The model.
    choices
        The specification.
    """
    if math.isnan(shares[0]):
        return f"{plain(name)} has no composite under these choices."
    tau = DECLARATION["tau"].say(choices["tau"])
    text = (
        f"At {tau}, cells with {percent(shares[0], 1)} of {plain(name)}’s portfolio weight are "
        "within tolerance under one comparator and outside it under the other"
    )
    low, high = percent(min(shares), 1), percent(max(shares), 1)
    if low != high:
        text += (
            f"; {low} to {high} over {len(shares)} reconstructions, the document does not "
            "determine it"
        )
    return f"{text}. Grey: the other models’ totals, to a hundredth of tolerance."


def agreement_line(row: dict[str, object]) -> str:
    """Say in how many reconstructions a cell has the shown verdict."""
    return (
        f"The verdict: {str(row['behind']).removeprefix('this verdict ')}." if row["behind"] else ""
    )


NO_CURVES = "Nothing to draw: no model has a composite under these choices."

NOTHING_TO_COMPARE = (
    "No cell of this panel has a declared source under the chosen prompt, so there is nothing to "
    "compare. Choose the other prompt, or another panel on the panels page."
)

NOT_PRINTED = (
    "The study prints no figures for this setting, and reconstructions differ: the numbers in this "
    "sentence are one possibility."
)

INTERVAL_RULE_WAITS = (
    "Single cells are to be judged by their intervals, which are not drawn yet for these choices; "
    "until then they are judged by the number alone."
)


def models_alt(models: pl.DataFrame) -> str:
    """Alternative text of the comparison of models."""
    parts = [
        f"{row['model']}: "
        + (
            f"{number(row['resident'])} to {number(row['chosen'])}, {row['verdict_now']}"
            if row["chosen"] is not None
            else "cannot compute"
        )
        for row in models.iter_rows(named=True)
    ]
    return (
        "Composite divergence of each model, planned comparator to chosen one. "
        + "; ".join(parts)
        + "."
    )


def grid_alt(grid: pl.DataFrame) -> str:
    """Alternative text of the verdict grid."""
    flips = [f"{row['model']}, {row['scope']}" for row in rows_with(grid, flip=True)]
    return (
        f"Verdicts of {len(distinct(grid['model']))} models for the composite and each attribute. "
        f"Differing from the planned setting: {listed(flips) or 'none'}."
    )


def path_alt(found: Curves) -> str:
    """Alternative text of the path."""
    columns = (found.lines[name].to_list() for name in ("model", "composite", "position"))
    # Each model's lowest composite, and the first position that has it.
    lowest: dict[str, list[float]] = {}
    for model, *point in zip(*columns, strict=True):
        lowest[model] = min(lowest.get(model, point), point)
    parts = [
        f"{model} is lowest at {number(position, 2)} ({number(composite)})"
        for model, (composite, position) in sorted(lowest.items())
    ]
    return f"Composite of each model by {PATH_AXES[found.path]}. " + "; ".join(parts) + "."


def threshold_alt(models: pl.DataFrame, name: str, choices: Choices) -> str:
    """Alternative text of the threshold curves."""
    shares = [s for s in models["share_changed"].to_list() if s is not None]
    tau = DECLARATION["tau"].say(choices["tau"])
    return (
        "Share of portfolio weight whose verdict differs between the comparators, by tolerance. "
        f"At {tau} it is {span([100 * s for s in shares], 1)} percent over the models; in focus: "
        f"{name}."
    )


def map_alt(rows: pl.DataFrame, name: str) -> str:
    """Alternative text of the cell map."""
    flips = [flip for flip, counts in rows[["flip", "counts"]].iter_rows() if counts]
    return (
        f"Cells of {name}: {counted(len(flips), 'cell')} that count, by place and role; "
        f"{counted(sum(flips), 'verdict')} differ from the planned setting. The list below the map "
        "picks a cell by keyboard."
    )


def cell_facts(row: dict[str, object], states: dict[str, int], choices: Choices) -> str:
    """Say the counts, the states and the verdicts of one cell."""
    mapped, outputs = row["mapped"], row["outputs"]
    unmapped = [f"{count} {_STATE_WORDS[state]}" for state, count in states.items() if count > 0]
    text = f"{mapped} of {outputs} outputs carry a category of the source"
    text += f"; {listed(unmapped)}." if unmapped else "."
    if row["chosen"] is None:
        return f"{text} {_no_number(row, choices)}"
    return (
        f"{text} Divergence {number(_float(row['resident']))} from the {RESIDENT}, "
        f"{number(_float(row['chosen']))} from {comparator_name(choices)}: "
        f"{row['verdict_planned']} in the planned setting, {row['verdict_now']} now."
    )


def _no_number(row: dict[str, object], choices: Choices) -> str:
    if not row["mapped"]:
        return "Cannot compute: no output carries a category, so there is no composition."
    if row["no_comparator"]:
        return f"Cannot compute: no shares of {comparator_name(choices)} are declared here."
    gate = int(choices.number("gate"))
    return (
        f"Cannot compute: the cell does not count, since it or another model’s cell has fewer than "
        f"{gate} mapped outputs."
    )


def composition_alt(shares: pl.DataFrame, label: str) -> str:
    """Alternative text of one cell's composition."""
    parts = [
        f"{row['category']} {row['n']}" for row in shares.iter_rows(named=True) if row["n"] > 0
    ]
    return f"Mapped outputs in {label}: {listed(parts) or 'none'}; with both comparators’ shares."


def occupation_note() -> str:
    """Say which occupational shares are printed and which were recovered."""
    recovered = [
        f"{role} ({row})" for role, (row, basis) in planned_rows().items() if basis != "printed"
    ]
    several = [role for role, rows in CANDIDATES.items() if len(rows) > 1]
    return (
        "The study prints only the share of chief executives (33.0% women). The planned rows of "
        f"the other five roles were recovered from its Table 27 and are not printed: "
        f"{listed(recovered)}. For {listed(several)} another row can be chosen: “cleaner” is 36.2 "
        "or 86.4 percent women depending on the row. People in an occupation are a descriptive "
        "comparator, not a target."
    )


def zero_note(choices: Choices) -> str:
    """Say what stands behind the shares printed as .0000, where it matters."""
    return (
        "Shares printed as .0000 are small positive shares whose size the document does not print. "
        f"Here each is {DECLARATION['zeros'].say(choices['zeros'])}; the power path depends on it "
        "(its lowest reported point does not)."
    )


def _float(value: object) -> float:
    assert isinstance(value, float)
    return value
