"""The texts of a clause check: both variants, under role names and under labels that tell nothing.

The strong variant favours the stronger party, the weak variant the weaker one; apart from that the
two are the same text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core import mirror_words
from core.live.faults import not_possible
from core.mirror import Mirrored, mentions, mirror
from core.mirror_items import OPAQUE_LABELS, Item, render
from core.studies.clauses.design import CONDITIONS, Situation

OWN = "own clause"
"""What a reader's clause is called in rows, as a clause and as a family."""

ARTICLE = re.compile(r"(?<!\w)(?:the|an|a) \Z", re.IGNORECASE)

COLLECTED: dict[str, Situation] = {
    condition: situation or Situation(label)
    for (condition, situation), label in zip(
        CONDITIONS.items(), ("",) * 6 + ("weak_only", "strong_only"), strict=True
    )
}
"""Every condition with what it stands for in a collection; the two that the study leaves open are
taken as one role label only."""


@dataclass(frozen=True, slots=True)
class Presented:
    """A clause in one of the ways in which it is put to a model."""

    archetype: str
    family: str
    variant: str
    condition: str
    situation: Situation
    party_a: str | None
    """Which party is called Party A: ``strong``, ``weak``, or None under role names."""
    text: str
    strong: str
    """What the stronger party is called in the text."""
    weak: str

    @property
    def parties(self) -> tuple[str, str]:
        """Both names in an order that does not tell which is which."""
        return (self.weak, self.strong) if self.party_a == "weak" else (self.strong, self.weak)

    @property
    def framing(self) -> str:
        """The sentence that says whom the model represents, if anybody."""
        name = {"rep_strong": self.strong, "rep_weak": self.weak}.get(self.situation.framing)
        return f" You act for {name}." if name else ""


def check_mirror(text: str, roles: tuple[str, str]) -> Mirrored:
    """Swap the roles of a clause.

    Raises
    ------
    LiveError
        If something stands in the way; it names the words.
    """
    swapped = mirror(text, roles)
    if not swapped.is_lossless:
        reasons = " ".join(f"{obstacle.sentence()}." for obstacle in swapped.obstacles)
        raise not_possible(
            "mirror",
            f"The roles cannot be swapped without a trace. {reasons}",
            "Change these words or name other roles; nothing was sent.",
        )
    return swapped


def own_clause(text: str, roles: tuple[str, str]) -> tuple[Presented, ...]:
    """Present a reader's clause under role names and under Party A and B, each way round.

    Parameters
    ----------
    text
        The clause as it favours the first role.
    roles
        The stronger party and the weaker one, as the clause names them.

    Raises
    ------
    LiveError
        If the swap is not lossless.
    """
    swapped = check_mirror(text, roles).swapped
    variants = (("strong", text), ("weak", swapped))
    return tuple(_own(text, roles, variant) for variant, text in variants) + tuple(
        _own_opaque(text, roles, variant, party_a)
        for party_a in ("strong", "weak")
        for variant, text in variants
    )


def _own(text: str, roles: tuple[str, str], variant: str) -> Presented:
    situation = COLLECTED["neutral_role"]
    return Presented(OWN, OWN, variant, "neutral_role", situation, None, text, *roles)


def _own_opaque(text: str, roles: tuple[str, str], variant: str, party_a: str) -> Presented:
    labels = OPAQUE_LABELS if party_a == "strong" else OPAQUE_LABELS[::-1]
    text = relabel(text, roles, labels)
    situation = COLLECTED["neutral_opaque"]
    return Presented(OWN, OWN, variant, "neutral_opaque", situation, party_a, text, *labels)


def relabel(text: str, roles: tuple[str, str], labels: tuple[str, str]) -> str:
    """Write labels for the roles of a clause; an article before a role goes with it."""
    parts, at = [], 0
    for mention in mentions(text, roles):
        before = text[at : mention.start]
        label = labels[mention.role]
        shouted = mention.text.isupper() and len(mention.text) > 1
        parts += [ARTICLE.sub("", before), label.upper() if shouted else label]
        at = mention.end
    return "".join([*parts, text[at:]])


def from_item(
    item: Item, party_a: str, *, mutual: str = "", conditions: Sequence[str] = tuple(COLLECTED)
) -> Iterator[Presented]:
    """Present an item of a collection in every variant and condition.

    Parameters
    ----------
    item
        A template with both parties' names.
    party_a
        Which party is called Party A where a label tells nothing: ``strong`` or ``weak``.
    mutual
        A template that binds both parties alike; no such variant when empty.
    conditions
        Keys of `COLLECTED`.
    """
    a, b = OPAQUE_LABELS if party_a == "strong" else OPAQUE_LABELS[::-1]
    for condition in conditions:
        situation = COLLECTED[condition]
        strong, weak = {
            "role": (item.strong, item.weak),
            "opaque": (a, b),
            "weak_only": (OPAQUE_LABELS[0], item.weak),
            "strong_only": (item.strong, OPAQUE_LABELS[0]),
        }[situation.labels]
        called_a = {"role": None, "weak_only": "strong", "strong_only": "weak"}.get(
            situation.labels, party_a
        )
        named = Item(item.item, item.family, item.template, strong, weak)
        both = render(named)
        texts = {"strong": both.strong, "weak": both.weak}
        if mutual:
            texts["mutual"] = render(Item("", "", mutual, strong, weak)).strong
        for variant, text in texts.items():
            yield Presented(
                *(item.item, item.family, variant, condition, situation, called_a, text),
                *(strong, weak),
            )


NAMED = re.compile(
    r"(?<![\w’'-])(?P<article>(?:[Tt]he|[Aa]n?|[Ee]ach|[Ee]very|[Ee]ither|[Nn]either) )?"
    r"(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?![\w-])"
)
MOST_PROPOSED = 6


def propose_roles(text: str) -> tuple[str, ...]:
    """Propose names of parties: capitalised words after an article, the most frequent first."""
    known = {name for kin in mirror_words.KINS for name in kin.names}
    counts = Counter(
        found["name"]
        for found in NAMED.finditer(text)
        if found["article"] or found["name"].casefold() in known
    )
    return tuple(name for name, _ in counts.most_common(MOST_PROPOSED))
