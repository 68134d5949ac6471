"""Negations in a text: plain ones, and words that may say the same."""

from __future__ import annotations

import re

PLAIN = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|nowhere|without|cannot)\b|\b\w+n['’]t\b",
    re.IGNORECASE,
)
NOT_ONE = re.compile(r"\b(?:not only|no longer than|no\.? ?(?=\d)|whether or not)\b", re.IGNORECASE)
"""Where those words deny nothing."""

HIDDEN = re.compile(
    r"\b(?:fail(?:s|ed|ing|ure)?|refus(?:e|es|ed|al|ing)|den(?:y|ies|ied|ial)|unable|unwilling"
    r"|unauthori[sz]ed|unaware|unknown|unpaid|unsigned|unresolved|unanswered|ignor(?:e|es|ed|ing)"
    r"|lack(?:s|ed|ing)?|miss(?:ing|ed)|neglect(?:s|ed|ing)?|declin(?:e|es|ed|ing)|absent|absence"
    r"|hardly|barely|avoid(?:s|ed|ing)?|stop(?:s|ped)?)\b",
    re.IGNORECASE,
)


CONTENT = re.compile(r"[a-z]{3,}", re.IGNORECASE)
_EMPTY = (
    "the and any all did does had has have was were been being that this they them their there "
    "would could should ever yet"
)
EMPTY = frozenset(_EMPTY.split())
NEAR = 3
"""Words after a negation that are taken for what it denies."""


def denied(text: str) -> list[frozenset[str]]:
    """List the beginnings of the words that follow each plain negation."""
    text = NOT_ONE.sub(" ", text)
    found = []
    for match in PLAIN.finditer(text):
        words = (word.casefold() for word in CONTENT.findall(text[match.end() :][:80]))
        full = [word[:4] for word in words if word not in EMPTY]
        found.append(frozenset(full[:NEAR]))
    return found


def count_negations(text: str) -> tuple[int, int]:
    """Return how many plain negations a text holds, and how many words that may be one."""
    text = NOT_ONE.sub(" ", text)
    return len(PLAIN.findall(text)), len(HIDDEN.findall(text))
