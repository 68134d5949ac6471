"""What the filenames page says, made from findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.studies.filenames.choices import (
    DECLARATION,
    SCOPE,
    adjustments,
    departs,
    is_planned,
    planned_for,
)
from core.studies.filenames.design import judge_names, short_names
from core.studies.filenames.reconstructions import Ensemble, moves
from core.studies.filenames.reduce import Statistics
from core.studies.filenames.stated import estimate
from core.verdicts import Verdict
from core.words import as_planned, counted, listed, plain, signed, visible

_TILTS = {
    "1": (("H1", "model labels", "no label and Sergey"), ("H3", "rival labels", "no label")),
    "2": (("H7", "model labels", "human names"), ("H5", "own texts", "prediction")),
}
"""Contrasts that say where a judge tilts, with what they compare."""

NO_TESTS = "No test can be made of the rows of this study."


def opening(found: Ensemble, choices: Choices) -> str:
    """Say which label lifts which judge, from printed figures that the rows were fitted to.

    Where other choices than planned leave no printed figures, the planned setting is told, and
    named. A panel of the reader's own has none; its estimates under its choices are told.
    """
    hypothesis, one, other = _TILTS[choices.text("study")][0]
    if found.documented and departs(choices, SCOPE):
        return as_planned(opening(found, planned_for(choices)))
    values = _tilts(found, choices, hypothesis)
    if not values:
        return f"No judge has an estimate of {hypothesis}."
    parts = [
        f"{visible(abs(value), 2)} {'more' if value > 0 else 'less'} from {plain(_short(judge))}"
        for judge, value in values.items()
    ]
    return (
        f"Same text, other file name: compared with {other}, {one} get {listed(parts)} (points of "
        "10)."
    )


def standing(found: Ensemble, choices: Choices) -> str:
    """Say how many results lie against their prediction, and whether multiplicity matters.

    Of the planned setting, and where the choices are others it says so.
    """
    said = _standing(
        found.statistics, found.documented, frozenset(found.pins), planned_for(choices)
    )
    return said if is_planned(choices) else as_planned(said)


@lru_cache(maxsize=32)
def _standing(
    statistics: tuple[Statistics, ...], documented: bool, pins: frozenset[str], planned: Choices
) -> str:
    found = Ensemble(statistics, documented, pins)
    return " ".join(filter(None, (_against(found, planned), _multiplicity(found, planned))))


def hinge(found: Ensemble, choices: Choices) -> str:
    """Say which kind of standard error takes most significance away; empty where none does.

    Nothing is said where the panels do not agree on every verdict.
    """
    taken, meaning = _taken(found, choices)
    if not taken:
        return ""
    said = f"**The verdicts hinge on the standard error.** {taken}{meaning}"
    return said if is_planned(choices) else as_planned(said)


def taken_away(found: Ensemble, choices: Choices) -> str:
    """As `hinge`, the one sentence that counts the results which another error takes away."""
    return _taken(found, choices)[0]


def _taken(found: Ensemble, choices: Choices) -> tuple[str, str]:
    return _hinge(found.statistics, found.documented, frozenset(found.pins), planned_for(choices))


@lru_cache(maxsize=32)
def _hinge(
    statistics: tuple[Statistics, ...], documented: bool, pins: frozenset[str], planned: Choices
) -> tuple[str, str]:
    found = Ensemble(statistics, documented, pins)
    errors = DECLARATION["errors"]
    if not DECLARATION.has_effect(errors, planned):
        return "", ""
    best, taken, of = "", 0, 0
    for option in errors.options:
        table = moves(found, planned, planned.replace(errors=option.value))
        if table.filter(~pl.col("certain") & (pl.col("count") > 0)).height:
            continue
        was, still = (pl.col(name).is_in(_SIGNIFICANT) for name in ("before", "after"))
        of = table.filter(was).height
        lost = table.filter(was & ~still & (pl.col("after") != Verdict.CANNOT_COMPUTE)).height
        if lost > taken:
            best, taken = option.value, lost
    if not taken:
        return "", ""
    kind = errors.say(best)
    text = (
        f"{kind} instead of {errors.say('HC3')}, {taken} of {counted(of, 'significant result')} "
        "would be “not supported”."
    )
    if best != "cluster":
        return text, ""
    texts = found.findings(planned)[0].part.texts.height
    return text, (
        f" HC3 is about more calls on the same {counted(texts, 'text')}, clustering about "
        f"other texts; with {counted(texts, 'text')} it is a rough guide."
    )


_SIGNIFICANT = (Verdict.SUPPORTED.value, Verdict.OPPOSITE.value)


def _tilts(found: Ensemble, choices: Choices, hypothesis: str) -> dict[str, float]:
    """Estimates of one hypothesis by judge: the printed ones where the document has them."""
    findings = found.findings(choices)[0]
    if hypothesis not in findings.hypotheses:
        return {}
    column = findings.estimate[:, findings.hypotheses.index(hypothesis)]
    values = {}
    for judge, value in zip(findings.part.judges, column.tolist(), strict=True):
        printed = estimate((judge, hypothesis), choices, found.pins)
        if found.documented and printed is not None:
            values[judge] = printed.value
        elif value == value:
            values[judge] = value
    return values


def _against(found: Ensemble, choices: Choices) -> str:
    """Count the significant verdicts that lie against their prediction."""
    findings = found.findings(choices)[0]
    verdicts = findings.verdict.ravel()
    against = int((verdicts == Verdict.OPPOSITE).sum())
    significant = against + int((verdicts == Verdict.SUPPORTED).sum())
    if not significant:
        tests = _made(verdicts)
        return f"None of {counted(tests, 'test')} is significant." if tests else NO_TESTS
    verb = "lies" if against == 1 else "lie"
    results = counted(significant, "significant result")
    return f"{against} of {results} {verb} against the prediction."


def _made(verdicts: NDArray[np.str_]) -> int:
    """Count the tests that could be made."""
    return int((verdicts != Verdict.CANNOT_COMPUTE).sum())


def _multiplicity(found: Ensemble, choices: Choices) -> str:
    """Say whether any adjustment changes a verdict of the planned setting."""
    tests = _made(found.findings(choices)[0].verdict)
    if not tests:
        return ""
    changed = [
        moves(found, choices, other).filter("changed").height for other in adjustments(choices)
    ]
    if not any(changed):
        return "No choice of adjustment changes a verdict: multiplicity does not matter here."
    return (
        f"The choice of adjustment changes at most {counted(max(changed), 'verdict')} of {tests}."
    )


def last_change(found: Ensemble, before: Choices, after: Choices) -> str:
    """Say what a change of choices did to verdicts, and which changes the document determines."""
    if before["study"] != after["study"]:
        return f"Another study: {DECLARATION['study'].say(after['study'])}."
    every = list(moves(found, before, after).iter_rows(named=True))
    certain = [row for row in every if row["changed"] and row["certain"]]
    open_ones = [row for row in every if row["count"] and not row["certain"]]
    told = [_listed_moves(certain), *_undetermined(open_ones, found.size)]
    said = "; ".join(filter(None, told)) or "no verdict changes"
    return f"{describe(before, after)}: {said}."


def departures(found: Ensemble, choices: Choices) -> str:
    """Say what the departure from the planned setting does; empty where there is none."""
    if is_planned(choices):
        return ""
    return last_change(found, planned_for(choices), choices)


def departed(before: Choices, after: Choices) -> list[str]:
    """List the keys of choices that differ and have an effect on verdicts."""
    return [
        choice.key
        for choice in DECLARATION
        if before[choice.key] != after[choice.key]
        and not choice.section
        and DECLARATION.has_effect(choice, after)
    ]


def describe(before: Choices, after: Choices) -> str:
    """Say in a few words which choices changed."""
    changed = [DECLARATION[key] for key in departed(before, after)]
    if not changed:
        return "Nothing changed"
    said = [
        f"{c.label} from {plain(c.say_within(before[c.key]))} to "
        f"{plain(c.say_within(after[c.key]))}"
        for c in changed
    ]
    return listed([said[0], *(text[0].lower() + text[1:] for text in said[1:])])


def _listed_moves(moved: Sequence[Mapping[str, Any]]) -> str:
    """List cells by what they become, such as “Sonnet H4b becomes not supported”."""
    grouped: dict[str, list[str]] = {}
    for row in moved:
        grouped.setdefault(row["after"], []).append(_cell(row))
    return "; ".join(
        f"{listed(names)} {'become' if len(names) > 1 else 'becomes'} {after}"
        for after, names in grouped.items()
    )


def _cell(row: Mapping[str, Any]) -> str:
    return f"{plain(_short(row['judge_id']))} {row['hypothesis']}"


def _undetermined(moved: Sequence[Mapping[str, Any]], size: int) -> list[str]:
    """Tell the changes that the document does not print: those of all panels, then the others."""
    everywhere = listed([_cell(row) for row in moved if row["count"] == size])
    elsewhere = listed(
        [f"{_cell(row)} ({row['count']} of {size})" for row in moved if row["count"] < size]
    )
    where = "this reconstruction" if size == 1 else f"all {size} reconstructions"
    return [
        f"{text}, which the document does not print"
        for text in (
            everywhere and f"in {where} {everywhere} change",
            elsewhere and f"in some reconstructions {elsewhere} change",
        )
        if text
    ]


def tilt(contrasts: pl.DataFrame, judge_id: str) -> str:
    """Say one judge's significant contrasts in one line, for cards and hovers."""
    rows = contrasts.filter((pl.col("judge_id") == judge_id) & pl.col("significant"))
    if rows.is_empty():
        return "no significant contrast"
    return listed(
        [
            f"{row['hypothesis']} {signed(row['estimate'])}"
            f"{' (against the prediction)' if _is_against(row) else ''}"
            for row in rows.iter_rows(named=True)
        ]
    )


def _is_against(row: dict[str, object]) -> bool:
    return row["verdict_now"] == Verdict.OPPOSITE


def reasons(contrasts: pl.DataFrame) -> list[str]:
    """Say why cells have no verdict: one sentence a reason and judge."""
    missing: dict[tuple[str, str], list[str]] = {}
    for row in contrasts.iter_rows(named=True):
        if row["reason"]:
            missing.setdefault((row["reason"], row["judge"]), []).append(row["hypothesis"])
    return [
        f"Cannot compute {listed(hypotheses)} of {plain(judge)}: {plain(why)}"
        for (why, judge), hypotheses in missing.items()
    ]


def _short(judge: str) -> str:
    return short_names().get(judge, judge_names().get(judge, judge))
