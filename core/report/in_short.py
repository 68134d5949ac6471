"""A view in short, as it stands at the top of its report: claim, verdict, hinge, and trust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import claims
from core.basis import Basis, Ensemble
from core.choices import Choices
from core.claims import Claim, HeldAgainst, StudyClaims
from core.multiverse import words
from core.multiverse.hinges import look
from core.multiverse.outcomes import decode
from core.multiverse.specs import star
from core.panels.provenance import KIND_MEANINGS, Kind
from core.stories.judged import Judged
from core.studies.reduced import Reduced
from core.verdicts import MARKS, Verdict
from core.views.view import interval, marked, p_or_dash, value
from core.words import counted, listed, number, unmarked

Row = tuple[str, str]
"""What a line says, and the line."""

PLACES = {"pp": 2, "points": 2}
"""Digits by unit; other units have three."""


def told_claims(
    study: StudyClaims[Any, Any], statistics: Any, choices: Choices
) -> tuple[Claim, ...]:
    """List the claims of the part of a study that a specification shows."""
    known = study.claims(statistics)
    return tuple(c for c in known if all(choices[key] == value for key, value in c.part))


NOTHING_ASKED: Mapping[str, str] = MappingProxyType({})
"""A link without view settings."""


def main_claim(
    study: StudyClaims[Any, Any],
    statistics: Any,
    told: Sequence[Claim],
    looking: Mapping[str, str] = NOTHING_ASKED,
) -> Claim | None:
    """Return the claim that a report opens with: the study's, or the like of what is in focus.

    Parameters
    ----------
    study, statistics
        The study and the panel.
    told
        The claims of the part that is shown.
    looking
        View settings of the link, such as the model in focus.
    """
    if not told:
        return None
    main = study.main(statistics)
    # The hypothesis is the study's own; the model and the run are those that are looked at.
    wanted = dict(main.view) | {k: v for k, v in looking.items() if k != "hypothesis"}
    alike = [claim for claim in told if claim.group == main.group]
    if not alike:
        return main if main.rule == "order" else told[0]

    def fit(claim: Claim) -> tuple[int, bool]:
        return sum(wanted.get(key) == value for key, value in claim.view), claim == main

    return max(alike, key=fit)


def rows(
    found: Reduced,
    choices: Choices,
    singles: pl.DataFrame,
    looking: Mapping[str, str] = NOTHING_ASKED,
) -> tuple[Row, ...]:
    """Say a view in a few lines.

    Parameters
    ----------
    found
        The panel with those that stand for the same rows.
    choices
        The specification.
    singles
        Single changes from the planned setting, as `core.multiverse.hinges` gives them.
    looking
        View settings, such as the model in focus.
    """
    study = claims.of(choices.study)
    ensemble = found.ensemble(study.ensemble_type)
    told = told_claims(study, found.statistics[0], choices)
    main = main_claim(study, found.statistics[0], told, looking)
    if main is None:
        return ()
    settings = (choices, main.within(study.declaration.planned))
    sides = [study.standing(ensemble, own) for own in settings]
    now, before = (
        _of_order(study, ensemble, main, own) if main.rule == "order" else _of(side, main)
        for side, own in zip(sides, settings, strict=True)
    )
    departs = bool(study.declaration.departures(choices))
    tests = study.held_against(found.statistics[0], choices, main)
    # Where nobody asked for this claim, a reader asks why it is the one.
    is_asked = dict(main.view).get("focus") == looking.get("focus", "")
    is_opening = found.documented and main == study.main(found.statistics[0])
    why = study.because if is_opening and not is_asked else ""
    claim = f"{main.sentence} {study.decided(main, choices)} {why}"
    return (
        ("The claim", claim.strip()),
        ("The verdict", verdict(now, before, tests, departs=departs)),
        ("It hinges on", hinge(main, before, singles)),
        ("How far to trust it", trust(found.panel.provenance.kind, now)),
        ("All claims here", f"{_part(study, choices, told)}{tally(sides[0], sides[1], told)}"),
    )


def _part(study: StudyClaims[Any, Any], choices: Choices, told: Sequence[Claim]) -> str:
    """Name the part of the study that is told; empty where it is the whole."""
    keys = dict.fromkeys(key for claim in told for key, _ in claim.part)
    named = [
        f"{study.declaration[key].label} “{study.declaration[key].say(choices[key])}”"
        for key in keys
    ]
    return f"{', '.join(named)}: " if named else ""


def _of(judged: pl.DataFrame, claim: Claim) -> dict[str, Any]:
    return judged.filter(pl.col("claim") == claim.key).row(0, named=True)


def _of_order(
    study: StudyClaims[Any, Any], ensemble: Ensemble[Any, Any], claim: Claim, choices: Choices
) -> dict[str, Any]:
    """Judge an order of two models as `StudyClaims.standing` judges other claims."""
    looked = look(study, ensemble, [claim], star(choices, ()))
    codes, first = looked.verdicts(0)[:, 0], looked.outcomes[0]
    numbers = {"estimate": first.estimate, "low": first.low, "high": first.high}
    found = {name: float(values[0, 0]) for name, values in numbers.items()}
    word = str(decode(codes[:1])[0])
    alike = int((codes == codes[0]).sum())
    agrees = alike == len(codes) > 1
    return {
        **{name: None if number != number else number for name, number in found.items()},
        "verdict": word,
        "unit": claim.unit,
        "p": None,
        "p_adjusted": None,
        "reason": study.why(ensemble.statistics[0], choices, claim),
        "is_open": False,
        "basis": Basis.AGREES if agrees else Basis.VARIES,
        "count": alike,
        "size": len(codes),
    }


def verdict(
    now: Mapping[str, Any],
    before: Mapping[str, Any],
    tests: Sequence[HeldAgainst] = (),
    *,
    departs: bool,
) -> str:
    """Say a claim's verdict in words, with its number and each test that it rests on."""
    if not departs:
        text = f"{_capital(_word(now))}, in the planned setting."
    elif now["verdict"] == before["verdict"]:
        text = f"{_capital(_word(now))} in this view, as in the planned setting."
    else:
        text = f"In this view: {_word(now)}. In the planned setting: {_word(before)}."
    return f"{text} {_number(now, tests)}".strip()


def _word(row: Mapping[str, Any]) -> str:
    if row["is_open"]:
        return words.OPEN
    if row["verdict"] == Verdict.CANNOT_COMPUTE:
        return f"cannot compute ({row['reason'].rstrip('.')})"
    return f"{row['verdict']} ({MARKS[Verdict(row['verdict'])].meaning})"


def _number(row: Mapping[str, Any], tests: Sequence[HeldAgainst]) -> str:
    if row["estimate"] is None:
        return ""
    places = PLACES.get(row["unit"], 3)
    parts = [f"Estimate: {number(row['estimate'], places)} {row['unit']}"]
    if tests:
        held = "; ".join(_held(test, places) for test in tests)
        return f"{parts[0]}. {_capital(held)}. These p-values are not adjusted."
    if row["low"] is not None and row["high"] is not None:
        parts.append(f"interval {interval(row['low'], row['high'], places)}")
    if row["p_adjusted"] is not None:
        parts.append(f"adjusted p-value {p_or_dash(row['p_adjusted'])}")
    elif row["p"] is not None:
        parts.append(f"p-value {p_or_dash(row['p'])}, not adjusted")
    return f"{', '.join(parts)}."


def _held(test: HeldAgainst, places: int) -> str:
    return (
        f"against {test.what}: {100 * test.level:g}% interval "
        f"{interval(test.low, test.high, places)}, p-value {p_or_dash(test.p)} {test.shows}"
    )


def hinge(claim: Claim, before: Mapping[str, Any], singles: pl.DataFrame) -> str:
    """Name the choices whose change alone flips the planned verdict."""
    if before["is_open"] or before["verdict"] == Verdict.CANNOT_COMPUTE:
        return "Nothing: in the planned setting there is no verdict to flip."
    return f"{_capital(unmarked(words.hinges_on(singles, claim.key)))}."


def trust(kind: Kind, row: Mapping[str, Any]) -> str:
    """Say where the rows come from, and what stands behind a verdict."""
    said = f"{_capital(kind)} rows: {KIND_MEANINGS[kind]}."
    return f"{said} {_behind(row)}".strip() if kind == "reconstructed" else said


def _behind(row: Mapping[str, Any]) -> str:
    count, size = row["count"], row["size"]
    if row["is_open"]:
        return "The document states no verdict, so none is told."
    if row["basis"] == Basis.PINNED:
        return "This verdict is settled by printed figures."
    if row["basis"] == Basis.AGREES:
        return f"This verdict is not printed, but all {size} reconstructions give it."
    if size == 1:
        return "The document does not determine this verdict."
    return (
        f"The document does not determine this verdict: {count} of {size} reconstructions give it."
    )


def tally(now: pl.DataFrame, before: pl.DataFrame, told: Sequence[Claim]) -> str:
    """Count the verdicts of a view, those that differ from planned, and those left open."""
    keys = [claim.key for claim in told]
    both = now.filter(pl.col("claim").is_in(keys)).join(
        before.select("claim", planned="verdict"), on="claim", maintain_order="left"
    )
    stated = both.filter(~pl.col("is_open"))
    counts = dict(stated.group_by("verdict", maintain_order=True).len().iter_rows())
    said = [f"{counts[v.value]} {v.value}" for v in Verdict if v.value in counts]
    text = f"{counted(stated.height, 'verdict')}: {listed(said)}." if said else ""
    flips = stated.filter(pl.col("verdict") != pl.col("planned")).height
    loose = stated.filter(~pl.col("certain")).height
    left_open = both.height - stated.height
    more = (
        f"{flips} {'differs' if flips == 1 else 'differ'} from the planned setting."
        if flips
        else "",
        f"{loose} of them the document does not determine." if loose else "",
        f"On {counted(left_open, 'further claim')} the document states no verdict."
        if left_open
        else "",
    )
    return " ".join(filter(None, (text, *more)))


def written(judged: Judged, at: NDArray[np.int64]) -> list[tuple[str, ...]]:
    """Write some claims of a step as rows of a table.

    Returns
    -------
    list of tuple
        Claim, verdict as planned, verdict in the step, estimate, interval, p, adjusted p.
    """
    rows: list[tuple[str, ...]] = []
    for k in at.tolist():
        row = judged.rows.row(k, named=True)
        places = PLACES.get(row["unit"], 3)
        rows.append(
            (
                judged.titles[judged.keys[k]],
                marked(str(judged.planned[0, k])),
                marked(str(judged.now[0, k])),
                value(row["estimate"], places),
                interval(row["low"], row["high"], places),
                p_or_dash(row["p"]),
                p_or_dash(row["p_adjusted"]),
            )
        )
    return rows


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
