"""Compare a text and its rewrite: amounts, counts, dates and negations.

Who did what, in which order and how surely cannot be read this way; a rewrite that passes may
still differ there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from core.live.facts.amounts import Amount, read_amounts, written
from core.live.facts.dates import day_differences, other_differences, read_dates
from core.live.facts.negations import count_negations, denied

KINDS = ("amount", "date_time", "negation")
"""Kinds of fact, named as the auditor of the remedies study names them."""

NOT_CHECKED = "who did what, the order of events, certainty, names and what is asked for"


@dataclass(frozen=True, slots=True)
class FactCheck:
    """What a rewrite did to the facts."""

    changed: tuple[str, ...]
    """Kinds of fact that certainly changed."""
    undecided: tuple[str, ...]
    """Kinds that may have changed and may be said in other words."""
    notes: tuple[str, ...]
    """What was found, in plain text."""

    @property
    def amounts_match(self) -> bool | None:
        """Whether amounts and counts are the same; None where that cannot be decided."""
        return self._kept("amount")

    @property
    def dates_match(self) -> bool | None:
        """Whether dates and years are the same; None where that cannot be decided."""
        return self._kept("date_time")

    def _kept(self, kind: str) -> bool | None:
        return None if kind in self.undecided else kind not in self.changed

    def sentence(self) -> str:
        """Say the result in one line."""
        if self.changed:
            return f"Changed: {', '.join(self.changed)}."
        if self.undecided:
            return f"Cannot decide: {', '.join(self.undecided)}."
        return "No change in amounts, counts, dates or negations."


def check_facts(original: str, rewrite: str) -> FactCheck:
    """Compare the facts of a text and its rewrite.

    Parameters
    ----------
    original, rewrite
        Texts in English; they are read and never followed.
    """
    one, other = read_dates(original), read_dates(rewrite)
    changed: dict[str, list[str]] = {}
    undecided: dict[str, list[str]] = {}
    days, open_days = day_differences(one, other)
    _add(changed, "date_time", [*days, *other_differences(one, other)])
    _add(undecided, "date_time", open_days)
    certain, unsure = _amounts(read_amounts(one.rest), read_amounts(other.rest))
    _add(changed, "amount", certain)
    _add(undecided, "amount", unsure)
    _negations(original, rewrite, changed, undecided)
    notes = [f"{kind}: {note}" for kind, found in changed.items() for note in found]
    notes += [f"{kind}, perhaps: {note}" for kind, found in undecided.items() for note in found]
    return FactCheck(
        tuple(kind for kind in KINDS if kind in changed),
        tuple(kind for kind in KINDS if kind in undecided and kind not in changed),
        tuple(notes),
    )


def _add(into: dict[str, list[str]], kind: str, found: list[str]) -> None:
    if found:
        into.setdefault(kind, []).extend(found)


def _amounts(one: Counter[Amount], other: Counter[Amount]) -> tuple[list[str], list[str]]:
    """Compare amounts: those in one text only, and those that cannot be told apart."""
    left, right = set(one) - set(other), set(other) - set(one)
    certain: list[str] = []
    unsure: list[str] = []
    for amount in sorted(left | right):
        fellows = right if amount in left else left
        # The same value, once with a unit and once bare, may be the same fact.
        same = any(v == amount[1] and "number" in (u, amount[0]) for u, v in fellows)
        where = "only in the original" if amount in left else "only in the rewrite"
        (unsure if same else certain).append(f"{written(amount)} {where}")
    for amount in sorted(set(one) & set(other)):
        # A sum named twice may be one sum told again, or two of them.
        if one[amount] != other[amount] and amount[0] not in ("percent", "number"):
            unsure.append(f"{written(amount)} named {one[amount]} and {other[amount]} times")
    return certain, unsure


def _deny_other_things(one: list[frozenset[str]], other: list[frozenset[str]]) -> bool:
    """Say whether a negation of either text shares no word with any of the other's."""
    pairs = ((one, other), (other, one))
    return any(a and not any(a & b for b in theirs) for ours, theirs in pairs for a in ours)


def _negations(
    original: str, rewrite: str, changed: dict[str, list[str]], undecided: dict[str, list[str]]
) -> None:
    (plain, hidden), (plain_after, hidden_after) = (
        count_negations(original),
        count_negations(rewrite),
    )
    if plain == plain_after:
        if _deny_other_things(denied(original), denied(rewrite)):
            _add(undecided, "negation", ["what is denied may be something else"])
        return
    note = f"{plain} in the original, {plain_after} in the rewrite"
    # As many fewer plain ones as there are more words like refused: said differently, perhaps.
    moved = (plain - plain_after) * (hidden_after - hidden) > 0
    _add(undecided if moved else changed, "negation", [note])
