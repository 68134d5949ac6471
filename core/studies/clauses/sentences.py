"""What the clauses page says, made from findings."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from core.choices import Choices
from core.studies.clauses.choices import DECLARATION, INTERVAL_ALONE
from core.studies.clauses.design import short_names
from core.studies.clauses.hypotheses import CLAIMS
from core.studies.clauses.reconstructions import Ensemble, Move, moves
from core.verdicts import SUPPORT, Verdict
from core.words import counted, listed, plain

FIRST_PUBLISHED = DECLARATION.planned.replace(gate=INTERVAL_ALONE)
"""The rule of the first publication: the interval alone."""


def opening(found: Ensemble, choices: Choices) -> str:
    """Say what the departure from the planned setting does to the verdicts.

    In the planned setting itself: what its gate holds back, which the first publication claimed.
    """
    if not departed(DECLARATION.planned, choices):
        gate = DECLARATION["gate"].say(choices["gate"])
        off = last_change(found, choices, _with_runs(FIRST_PUBLISHED, choices))
        return f"As planned, {gate} is on. {off}"
    return last_change(found, _with_runs(DECLARATION.planned, choices), choices)


def last_change(found: Ensemble, before: Choices, after: Choices) -> str:
    """Say what a change of choices did, such as “Turning Holm off: ... become supported”.

    Parameters
    ----------
    found
        The panels.
    before, after
        Two specifications. Only changes that the document determines are told as facts; the
        others follow with the number of reconstructions that have them.
    """
    every = moves(found, before, after)
    certain = [move for move in every if move.changed and move.certain]
    told = listed_moves(certain) or "no verdict changes"
    text = f"{describe(before, after)}: {told}."
    open_ones = [move for move in every if move.count and not move.certain]
    return f"{text} {_undetermined(open_ones, found.size)}".strip()


_RUNS = {"v2": "the first run (v2)", "v3": "the second run (v3)"}


def in_full(found: Ensemble, choices: Choices) -> str:
    """Say what the gate does, with claims in words, for readers who know no names of hypotheses.

    Parameters
    ----------
    found
        The panels.
    choices
        Compared with the planned setting, or if this is it, with the first publication. Only
        changes that the document determines are told.
    """
    departs = departed(DECLARATION.planned, choices)
    other = _with_runs(DECLARATION.planned if departs else FIRST_PUBLISHED, choices)
    certain: dict[tuple[str, str, str], list[str]] = {}
    for move in moves(found, other, choices):
        if move.changed and move.certain:
            key = (move.hypothesis, move.after, move.run)
            certain.setdefault(key, []).append(plain(move.model))
    gate = DECLARATION["gate"].say(choices["gate"])
    start = (
        "Each claim judged alone"
        if choices["gate"] == INTERVAL_ALONE
        else f"With {gate}’s rule for several tests"
    )
    said = [
        f"“{CLAIMS[hypothesis]}” ({hypothesis}) is {after} for {listed(models)} "
        f"in {_RUNS.get(run, plain(run))}"
        for (hypothesis, after, run), models in certain.items()
    ]
    return f"{start}: {'; '.join(said) or 'no verdict is another one'}."


def departed(before: Choices, after: Choices) -> list[str]:
    """List the keys of choices that differ and have an effect on verdicts."""
    return [c.key for c in DECLARATION if c.key != "runs" and before[c.key] != after[c.key]]


def describe(before: Choices, after: Choices) -> str:
    """Say in a few words which choices changed."""
    keys = departed(before, after)
    if not keys:
        return "Nothing changed"
    said = [_describe_one(key, before, after) for key in keys]
    return listed([said[0], *(text[0].lower() + text[1:] for text in said[1:])])


def _describe_one(key: str, before: Choices, after: Choices) -> str:
    choice = DECLARATION[key]
    if key == "gate":
        one, two = before.text("gate"), after.text("gate")
        if two == INTERVAL_ALONE:
            return f"Turning {choice.say(one)} off" if one != "none" else "Turning the gate off"
        if one == INTERVAL_ALONE and two != "none":
            return f"Turning {choice.say(two)} on"
    old, new = (plain(choice.say_within(own[key])) for own in (before, after))
    return f"{choice.label} from {old} to {new}"


def listed_moves(moved: Sequence[Move]) -> str:
    """List cells by what they become, such as “A H2 and B H2 in v3 become supported”."""
    grouped: dict[tuple[bool, str, str], list[str]] = {}
    for move in moved:
        lost = move.before in SUPPORT and move.after == Verdict.NOT_SUPPORTED
        grouped.setdefault((lost, move.after, move.run), []).append(_cell(move))
    parts = []
    for (is_lost, after, run), names in grouped.items():
        plural = len(names) > 1
        verb = ("are" if plural else "is") if is_lost else ("become" if plural else "becomes")
        what = "no longer supported" if is_lost else after
        parts.append(f"{listed(names)} in {plain(run)} {verb} {what}")
    return "; ".join(parts)


def _cell(move: Move) -> str:
    return f"{plain(short_names().get(move.model_id, move.model))} {move.hypothesis}"


def _undetermined(moved: Sequence[Move], size: int) -> str:
    """Name changes that only some of ``size`` reconstructions have."""
    if not moved:
        return ""
    parts = [f"{_cell(move)} in {plain(move.run)} ({move.count} of {size})" for move in moved]
    verb = "changes" if len(parts) == 1 else "change"
    where = "some reconstructions" if size > 1 else "this reconstruction"
    return f"{listed(parts)} {verb} in {where}; the document does not determine it."


def counts(found: Sequence[tuple[int, int, int]], *, documented: bool) -> str:
    """Say how many claims stand.

    Parameters
    ----------
    found
        As `reconstructions.support_counts` gives them.
    documented
        Whether the rows stand for the document's.
    """
    now = sorted({supported for supported, _, _ in found})
    planned = sorted({supported for _, supported, _ in found})
    what = "verdict that the document states" if documented else "verdict"
    things = "verdicts that the document states" if documented else "verdicts"
    sizes = sorted({size for _, _, size in found})
    if sizes == [0]:
        return "no claim has a verdict under these choices."
    total = counted(sizes[0], what, things) if len(sizes) == 1 else f"{_span(sizes)} {things}"
    if now == planned and len(now) == 1:
        return f"{_span(now)} of {total} are in favour of the claim, as in the planned setting."
    left_open = ", or that it leaves open," if documented else ""
    return (
        f"{_span(now)} of {total} are in favour of the claim; {_span(planned)} of the same ones in "
        f"the planned setting (those that cannot be computed{left_open} now or as planned are not "
        "counted)."
    )


def _span(values: Sequence[int]) -> str:
    return str(values[0]) if len(values) == 1 else f"between {values[0]} and {values[-1]}"


def reasons(cells: pl.DataFrame) -> list[str]:
    """Say why cells have no verdict: one sentence a reason, naming the cells."""
    missing: dict[tuple[str, str, str], list[str]] = {}
    for row in cells.iter_rows(named=True):
        if row["shown"] and row["reason"]:
            key = (row["reason"], row["run"], row["model"])
            missing.setdefault(key, []).append(row["hypothesis"])
    return [
        f"Cannot compute {listed(hypotheses)} of {plain(model)} in {plain(run)}: {plain(why)}"
        for (why, run, model), hypotheses in missing.items()
    ]


def _with_runs(choices: Choices, shown: Choices) -> Choices:
    return choices.replace(runs=shown["runs"])
