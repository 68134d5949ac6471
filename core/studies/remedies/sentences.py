"""What the remedies page says, made from findings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from core.choices import Choices
from core.columns import distinct
from core.studies.remedies.choices import DECLARATION, is_planned, planned_for
from core.studies.remedies.design import CONTRASTS
from core.studies.remedies.estimate import Findings
from core.studies.remedies.formats import SHORT
from core.studies.remedies.reconstructions import Ensemble, Move, moves
from core.studies.remedies.stated import instability, material
from core.studies.remedies.tables import who
from core.verdicts import Verdict
from core.words import as_planned, counted, listed, number, plain, signed

NOTHING = "No guise in this panel was decided."

UNDECIDED = "No decision gives a rate to compare."


def opening(found: Ensemble, choices: Choices) -> str:
    """Say the largest gap and, beside it, how unstable the same decisions are.

    Under other choices than planned only where the document settles what is said: where it prints
    both numbers and all reconstructions agree on the word. Elsewhere the planned setting is told,
    and named. A panel of the reader's own is told under its choices.
    """
    if is_planned(choices) or not found.documented or _is_settled(found, choices):
        return largest_gap(found, choices)
    return as_planned(largest_gap(found, planned_for(choices)))


def _is_settled(found: Ensemble, choices: Choices) -> bool:
    """Whether the document settles what `largest_gap` says."""
    first = found.findings(choices)[0]
    place = _largest(first)
    if place is None:
        return False
    decider = first.deciders[place[0]]
    words = {str(own.material.verdict[(*place, 0)]) for own in found.findings(choices)}
    return (
        len(words) == 1
        and material(decider, place[1], "gap", choices, found.pins) is not None
        and instability(decider, "mixed", choices, found.pins) is not None
    )


def _largest(findings: Findings) -> tuple[int, int] | None:
    """Find the decider and contrast with the largest gap of monetary rates."""
    sizes = np.abs(findings.material.estimate[:, :, 0])
    if np.isnan(sizes).all():
        return None
    # Labels first: their rule is not in doubt, and their figures are printed.
    labels = [findings.statistics.gives_labels(d.system) for d in findings.deciders]
    if any(labels) and not np.isnan(sizes[labels]).all():
        sizes[~np.array(labels)] = np.nan
    d, k = np.unravel_index(int(np.nanargmax(sizes)), sizes.shape)
    return int(d), int(k)


def largest_gap(found: Ensemble, choices: Choices) -> str:
    """As `opening`, under the given choices whether or not the document settles it."""
    findings = found.findings(choices)[0]
    if not findings.deciders:
        return NOTHING
    place = _largest(findings)
    if place is None:
        return UNDECIDED
    d, k = place
    decider, contrast = findings.deciders[d], CONTRASTS[k]
    gap = material(decider, k, "gap", choices, found.pins)
    mixed = instability(decider, "mixed", choices, found.pins)
    value = 100 * findings.material.estimate[d, k, 0] if gap is None else gap.value
    share = 100 * findings.money[d].mixed.estimate[0] if mixed is None else mixed.value
    word = findings.material.verdict[d, k, 0]
    one, other = contrast.styles
    return (
        f"{plain(who(decider)['system'])} pays texts in {one} {number(abs(value), 2)} pp "
        f"{'more' if value >= 0 else 'less'} often than texts in {other} "
        f"({_word(word, choices)}), and in {number(share, 1)}% of complaints it depends on the "
        "style whether there is money at all."
    )


def _word(word: str, choices: Choices) -> str:
    bound = DECLARATION["gap_bound"].say(choices["gap_bound"])
    return {
        Verdict.EQUIVALENT.value: f"practically zero within {bound}",
        Verdict.BOTH.value: f"real, but inside {bound}",
        Verdict.DIFFERENCE.value: f"real, and not shown to be inside {bound}",
        Verdict.BEYOND_MARGIN.value: f"beyond {bound}",
    }.get(word, "undecided")


def standing(findings: Findings) -> str:
    """Count the words of materiality, and never `equivalent` without instability."""
    words = findings.material.verdict[:, :, 0].ravel()
    made = int((words != Verdict.CANNOT_COMPUTE).sum())
    if not made:
        return ""
    small = int(np.isin(words, [Verdict.EQUIVALENT.value, Verdict.BOTH.value]).sum())
    bound = DECLARATION["gap_bound"].say(findings.choices["gap_bound"])
    shares = [100 * m.mixed.estimate[0] for m in findings.money if not m.why]
    return (
        f"{small} of {counted(made, 'gap')} of monetary rates lie inside {bound}; guises of one "
        f"complaint do not all get the same in {number(min(shares), 1)}% to "
        f"{number(max(shares), 1)}% of complaints."
    )


def last_change(found: Ensemble, before: Choices, after: Choices) -> str:
    """Say what a change of choices did to verdicts, and which changes the document determines."""
    every = moves(found, before, after)
    certain = [move for move in every if move.changed and move.certain]
    open_ones = [move for move in every if move.count and not move.certain]
    told = [_listed_moves(certain), _undetermined(len(open_ones), found.size)]
    said = "; ".join(filter(None, told)) or "no verdict changes"
    question = any(
        before[c.key] != after[c.key] and c.role == "estimand" and not c.is_part and not c.section
        for c in DECLARATION
    )
    return f"{describe(before, after)}: {said}." + (
        " This is another question, not another answer to the same one." if question else ""
    )


def departures(found: Ensemble, choices: Choices) -> str:
    """Say what the departure from the planned setting does; empty where there is none."""
    return "" if is_planned(choices) else last_change(found, planned_for(choices), choices)


def describe(before: Choices, after: Choices) -> str:
    """Say in a few words which choices changed."""
    said = [
        f"{c.label} from {plain(c.say_within(before[c.key]))} to "
        f"{plain(c.say_within(after[c.key]))}"
        for c in DECLARATION
        if before[c.key] != after[c.key] and not c.section and not c.is_part
    ]
    if not said:
        return "Nothing changed"
    return listed([said[0], *(text[0].lower() + text[1:] for text in said[1:])])


MANY = 4
"""Verdicts of a kind that are named when a change of choices moves them; more are counted."""

_MOVED = {"gap": ("gap", "gaps"), "h": ("Cohen’s h", "Cohen’s h"), "air": ("ratio", "ratios")}


def _listed_moves(moved: Sequence[Move]) -> str:
    """List verdicts by what they become, such as “2 gaps become both (A: age; B: income)”."""
    parts = []
    for after in distinct(move.after for move in moved):
        own = [move for move in moved if move.after == after]
        if len(own) > MANY:
            parts.append(f"{len(own)} verdicts become {after}")
            continue
        for about in distinct(move.about for move in own):
            alike = [move for move in own if move.about == about]
            one, several = _MOVED.get(about, (f"gap in {about}", f"gaps in {about}"))
            become = "becomes" if len(alike) == 1 else "become"
            said = f"{counted(len(alike), one, several)} {become} {after}"
            parts.append(f"{said} ({_by_decider(alike)})")
    return "; ".join(parts)


def _by_decider(moved: Sequence[Move]) -> str:
    """Name contrasts in a word each, by who decides."""
    contrasts: dict[str, list[str]] = {}
    for move in moved:
        contrasts.setdefault(move.decider, []).append(SHORT[move.contrast])
    return "; ".join(f"{plain(decider)}: {listed(own)}" for decider, own in contrasts.items())


def _undetermined(count: int, size: int) -> str:
    if not count:
        return ""
    return (
        f"{counted(count, 'verdict')} may change: in some of {size} reconstructions, which "
        "the document does not determine"
        if size > 1
        else f"{counted(count, 'verdict')} change in this reconstruction; the document does "
        "not determine them"
    )


def reversals(arms: pl.DataFrame) -> str:
    """Say which gaps turn around under a standard style; empty when none does."""
    turned = arms.filter("reversed")
    if turned.is_empty():
        return ""
    parts = [
        f"{plain(r['system'])}, {r['what']}, {r['outcome']} ({r['arm']}: "
        f"{signed(r['value'] if r['outcome'] == 'graded' else 100 * r['value'])})"
        for r in turned.iter_rows(named=True)
    ]
    return f"Gaps that reverse their sign: {listed(parts)}."


def reasons(rows: pl.DataFrame) -> list[str]:
    """Say why rows have no number: one sentence a reason."""
    missing: dict[str, set[str]] = {}
    for row in rows.iter_rows(named=True):
        if row["reason"]:
            missing.setdefault(row["reason"], set()).add(row["decider"])
    return [
        f"Cannot compute for {listed([plain(d) for d in sorted(names)])}: {plain(why)}"
        for why, names in missing.items()
    ]
