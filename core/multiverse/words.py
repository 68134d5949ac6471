"""What is said of hinges, made from single changes and shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from core.claims import Claim, Rule
from core.multiverse.hinges import Looked, Share, in_order, shares
from core.multiverse.outcomes import STANDS, decode
from core.multiverse.specs import LIMIT
from core.verdicts import MARKS, Verdict
from core.words import counted, listed, lowered, number, percent

NOT_REPLICATIONS = (
    "Specifications are not independent replications: they judge the same rows in different ways. "
    "A share describes the set that is looked at, and another set has another share."
)

ANOTHER_QUESTION = (
    "Choices marked “another question” change what is asked. That the answer differs then is no "
    "contradiction: another question is not another answer."
)

CLAIM_LINE: dict[Rule, float | None] = {
    "superiority": 0.0,
    "margin": None,
    "tolerance": None,
    "order": 0.0,
}
"""Where an estimate is compared with a number that no choice moves."""

STILL_STANDS = "another word, the claim still stands"
NONE = "no single change that was looked at"
OPEN = "the document states no verdict"

SHOWN_VALUES = 2
"""Values of one choice that a short sentence names."""

SHOWN_CHOICES = 3


def hinges_on(table: pl.DataFrame, claim: str, *, short: bool = True) -> str:
    """Name the choices whose single change flips a verdict, as the end of “hinges on ...”.

    Parameters
    ----------
    table
        Single changes, as `core.multiverse.hinges.one_at_a_time` gives them.
    claim
        Key of the claim.
    short
        Name the first few only.

    Returns
    -------
    str
        Choices that may be told, in the order of `core.multiverse.hinges.in_order`; where there is
        none, that there is none, or what some reconstructions say.
    """
    own = table.filter(pl.col("claim") == claim)
    told = own.filter("told")
    if told.is_empty():
        some = own.filter(pl.col("count") > 0)
        if some.is_empty():
            return NONE
        labels = _labels(some)
        size = some["size"][0]
        where = "this reconstruction" if size == 1 else f"some of {size} reconstructions"
        return f"nothing that the document determines; in {where}: {_listed(labels, short)}"
    kinds = ("label", "role", "before")
    grouped = in_order(told).group_by(*kinds, maintain_order=True).agg("value", "after")
    return _listed([_one(row, short) for row in grouped.iter_rows(named=True)], short)


def alone(table: pl.DataFrame) -> str:
    """Say how single changes were made and which are named.

    Parameters
    ----------
    table
        Single changes, as `core.multiverse.hinges` gives them.
    """
    several = not table.is_empty() and table["size"][0] > 1
    return (
        "Each choice was changed alone, from the planned setting; named are the changes that give "
        f"another verdict{' in every reconstruction' if several else ''}."
    )


def note(claim: Claim, table: pl.DataFrame, *, is_open: bool) -> str:
    """Say beside a verdict what it hinges on: what follows the claim's title."""
    own = table.filter(pl.col("claim") == claim.key)
    if own.is_empty() or own["before"][0] == Verdict.CANNOT_COMPUTE:
        return ": no verdict as planned"
    if is_open:
        return f": {OPEN}"
    return f", planned {own['before'][0]}, hinges on: {hinges_on(table, claim.key)}"


def _labels(rows: pl.DataFrame) -> list[str]:
    return [lowered(label) for label in rows["label"].unique(maintain_order=True)]


def _listed(parts: Sequence[str], short: bool) -> str:
    if short and len(parts) > SHOWN_CHOICES:
        return f"{'; '.join(parts[:SHOWN_CHOICES])}; and {len(parts) - SHOWN_CHOICES} more"
    return "; ".join(parts)


def _one(row: dict[str, Any], short: bool) -> str:
    """Name a choice with the values that flip the verdict: “alpha (“0.1” gives supported)”."""
    label = lowered(row["label"])
    words: dict[str, list[str]] = {}
    for value, after in zip(row["value"], row["after"], strict=True):
        words.setdefault(_after(row["before"], after), []).append(value)
    said = []
    for after, values in words.items():
        kept = values[:SHOWN_VALUES] if short else values
        more = f" and {len(values) - len(kept)} more" if len(kept) < len(values) else ""
        named = " or ".join(f"“{value}”" for value in kept)
        said.append(f"{named}{more} {'gives' if len(values) == 1 else 'give'} {after}")
    if row["role"] == "estimand":
        said.append("another question")
    return f"{label} ({'; '.join(said)})"


def _after(before: str, after: str) -> str:
    """Name a verdict; of two under which a claim stands, such as equivalent and both, say so."""
    stands = before in STANDS and after in STANDS
    return f"{after}: {STILL_STANDS}" if stands else after


def opening(claim: Claim, verdict: str, table: pl.DataFrame, *, is_open: bool) -> str:
    """Say in one sentence what the verdict on a claim hinges on."""
    if verdict == Verdict.CANNOT_COMPUTE:
        return f"“{claim.sentence}” As planned there is no verdict, so nothing can flip it."
    if is_open:
        return f"“{claim.sentence}” {OPEN[0].upper()}{OPEN[1:]} here, so no hinge is named."
    own = table.filter(pl.col("claim") == claim.key)
    told = own.filter("told")
    meaning = f" ({MARKS[Verdict(verdict)].meaning})" if claim.rule == "margin" else ""
    said = f"“{claim.sentence}” As planned: {verdict}{meaning}"
    if told.is_empty():
        tried = counted(own.height, "single change")
        some = _labels(own.filter(pl.col("count") > 0))
        if not some:
            return f"{said}, and none of {tried} flips it."
        tail = f"{listed(some[:SHOWN_CHOICES])} may, which the document does not determine"
        return f"{said}; no single change surely flips it, but {tail}."
    asks = told.filter(pl.col("role") == "estimand")
    if asks.height == told.height:
        text = "no other rows and no other judgement surely flip it"
        return f"{said}; {text}. Only another question does: {_firsts(asks)}."
    # What the study's page tells of comes first, even where it asks another question.
    asks = asks.filter(~pl.col("first"))
    named = told.filter(pl.col("first") | (pl.col("role") != "estimand"))
    text = f"{said}. It hinges on {_firsts(named)}"
    if asks.is_empty():
        return f"{text}."
    return f"{text}; where another question is asked, also on {listed(_labels(asks))}."


def _firsts(told: pl.DataFrame) -> str:
    """Name each choice with the first value that flips the verdict, and how many more do.

    Another question is marked where it stands beside choices that keep the question.
    """
    parts, is_mixed = [], told["role"].n_unique() > 1
    for (label,), rows in in_order(told).group_by("label", maintain_order=True):
        first = rows.row(0, named=True)
        others = rows.height - 1
        more = f"; {others} more {'flips' if others == 1 else 'flip'} it too" if others else ""
        after = _after(first["before"], first["after"])
        asks = "; another question" if is_mixed and first["role"] == "estimand" else ""
        parts.append(f"{lowered(str(label))} (“{first['value']}” gives {after}{more}{asks})")
    return _listed(parts, short=True)


def planned_verdict(looked: Looked, column: int) -> str:
    """Return the planned verdict of the first panel."""
    planned = looked.specs.planned_row
    if planned is None:
        return Verdict.CANNOT_COMPUTE.value
    return str(decode(looked.verdicts(column)[0, planned]))


def kept_sentence(looked: Looked, column: int) -> str:
    """Say in how many specifications the planned verdict stays, over all reconstructions."""
    whole, same = shares(looked, column), shares(looked, column, question="planned")
    if not any(share.known for share in whole):
        return "No specification gives a verdict."
    first = planned_verdict(looked, column)
    named = "" if first == Verdict.CANNOT_COMPUTE else f", “{first}”"
    text = f"{_kept(whole)} keep the planned verdict{named}{_of_panels(looked, whole)}."
    text += _stands(looked, column, whole)
    asks = any(axis.role == "estimand" for axis in looked.specs.axes)
    if asks and any(share.known for share in same):
        text += f" With the question as planned: {_kept(same)}{_of_panels(looked, same)}."
    missing = whole[0].size - whole[0].known
    if missing:
        text += (
            f" {counted(missing, 'specification')} cannot be computed; they count neither for nor "
            "against."
        )
    return text


def _stands(looked: Looked, column: int, whole: Sequence[Share]) -> str:
    """Say in how many the claim stands, where that is not the same as keeping the verdict."""
    if all(share.stands == share.kept for share in whole) or not any(s.stands for s in whole):
        return ""
    share = _standing(whole)
    rule = looked.claims[column].rule
    if rule == "margin":
        return (
            f" “{Verdict.EQUIVALENT.capitalize()}” and “{Verdict.BOTH}” both mean inside the "
            f"margin: counted together, they make the claim stand in {share}."
        )
    return f" In {share} the claim stands: the verdict is “{STANDING[rule]}”."


STANDING: dict[Rule, Verdict] = {
    "superiority": Verdict.SUPPORTED,
    "tolerance": Verdict.WITHIN,
    "order": Verdict.NEARER,
}
"""The one verdict under which a claim of a rule stands; a margin has two."""


def _kept(found: Sequence[Share]) -> str:
    known = [share for share in found if share.known]
    first = known[0]
    low, high = (pick(share.share for share in known) for pick in (min, max))
    return f"{share_of(low, high)} of {counted(first.known, 'specification')}"


def _standing(found: Sequence[Share]) -> str:
    known = [share.stands / share.known for share in found if share.known]
    return share_of(min(known), max(known))


def share_of(low: float, high: float | None = None) -> str:
    """Write a share or a range of them.

    One short of all is never written as all, nor one above none as none.
    """
    if high is not None:
        ends = share_of(low), share_of(high)
        return ends[0] if ends[0] == ends[1] else " to ".join(ends)
    for decimals in (0, 1, 2):
        text = percent(low, decimals)
        if 0 < low < 1 and text.rstrip("%") in (number(0, decimals), number(100, decimals)):
            continue
        return text
    return "more than 99.99%" if low > 0.5 else "less than 0.01%"


def _of_panels(looked: Looked, found: Sequence[Share]) -> str:
    if looked.size == 1:
        return ""
    return f", over {looked.size} reconstructions" if len(found) > 1 else ""


def judging(size: int, panels: int) -> str:
    """Say what is being worked out."""
    return f"Judging {min(size, LIMIT):,} specifications in {counted(panels, 'panel')}"


def sample_sentence(looked: Looked) -> str:
    """Say whether every combination was looked at, or a sample."""
    specs = looked.specs
    if specs.is_full:
        return (
            f"All {counted(specs.size, 'combination')} of the values below; each of them is a "
            "specification."
        )
    drawn = specs.index[specs.described]
    kinds = len(np.unique(drawn, axis=0))
    return (
        f"A sample: {len(drawn):,} specifications drawn with a fixed seed, some more than once: "
        f"{kinds:,} of {specs.size:,} combinations; no more than {LIMIT:,} are judged. Shares of "
        "variation are estimated from it; beside it stand the planned setting and every single "
        "change."
    )
