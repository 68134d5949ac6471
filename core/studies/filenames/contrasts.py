"""Which labels each hypothesis weighs against each other, for each judge.

Own: the label of the judge's maker. Rivals: the labels of the other makers. Weights follow kinds
and makers of labels, so that a panel of other judges has the same hypotheses.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from core.studies.filenames.design import label_name
from core.studies.filenames.reduce import StudyStatistics
from core.words import listed

Array = NDArray[np.float64]

NON_ASIAN, ASIAN = "sergey", "chen"
"""Labels that the study codes as a non-Asian and an Asian name."""

LONGEST = 2_000
"""Characters of a typed contrast."""
LARGEST = 1_000.0
"""Largest weight of a typed contrast."""
SUM_TOLERANCE = 1e-9


class Impossible(Exception):
    """A contrast that the panel's labels do not allow; the message says why."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Weights over the labels of one judge, or why there are none."""

    weights: Array
    """(L,); NaN where there are none."""
    why: str = ""

    @property
    def k(self) -> float:
        """Sum of squared weights: what the contrast's variance is in units of a label's."""
        return float((self.weights**2).sum())


def contrast(hypothesis: str, part: StudyStatistics, judge: int) -> Contrast:
    """Return the weights that a hypothesis gives to the labels.

    Parameters
    ----------
    hypothesis
        H1 to H4b, H6 or H7. H5 compares texts, not labels.
    part
        The labels at hand.
    judge
        Position of the judge.
    """
    try:
        sides = _SIDES[hypothesis](part, judge)
    except Impossible as error:
        return Contrast(np.full(part.labels.height, np.nan), str(error))
    weights = np.zeros(part.labels.height)
    for sign, places in zip((1, -1), sides, strict=True):
        weights[places] += sign / len(places)
    return Contrast(weights)


def _llm(part: StudyStatistics) -> list[int]:
    found = part.of_kind("llm")
    if not found:
        raise Impossible("No file is labelled with a model.")
    return found


def _neutral(part: StudyStatistics) -> int:
    if part.neutral is None:
        raise Impossible("No file is without a label.")
    return part.neutral


def _named(part: StudyStatistics, label: str) -> int:
    if label not in part.label_names:
        raise Impossible(f"No file is labelled {label_name(label)}.")
    return part.label_names.index(label)


def _own(part: StudyStatistics, judge: int) -> int:
    found = part.own_label(judge)
    if found is None:
        raise Impossible("No file is labelled with the judge's own maker.")
    return found


def _rivals(part: StudyStatistics, judge: int) -> list[int]:
    own = part.own_label(judge)
    found = [i for i in _llm(part) if i != own]
    if not found:
        raise Impossible("No file is labelled with a rival's model.")
    return found


def _people(part: StudyStatistics) -> list[int]:
    found = part.of_kind("human")
    if not found:
        raise Impossible("No file is labelled with a person's name.")
    return found


_SIDES = {
    "H1": lambda part, judge: (_llm(part), [_neutral(part), _named(part, NON_ASIAN)]),
    "H2": lambda part, judge: ([_own(part, judge)], _rivals(part, judge)),
    "H3": lambda part, judge: (_rivals(part, judge), [_neutral(part)]),
    "H4": lambda part, judge: ([_named(part, ASIAN)], [_named(part, NON_ASIAN), _neutral(part)]),
    "H4b": lambda part, judge: ([_named(part, ASIAN)], [_named(part, NON_ASIAN)]),
    "H6": lambda part, judge: ([_own(part, judge)], _rivals(part, judge)),
    "H7": lambda part, judge: (_llm(part), _people(part)),
}
"""Labels that count for and against, each side with weights of 1 in all."""


def read_contrast(text: str) -> Mapping[str, float]:
    """Read a typed contrast, such as ``chen:1,sergey:-1/2,neutral:-1/2``.

    Parameters
    ----------
    text
        Labels with weights, whole numbers, decimals or fractions; signs that a label holds are
        written as in a web address (``%2C``). Empty for none.

    Returns
    -------
    mapping
        Weights other than zero, by label.

    Raises
    ------
    ValueError
        If the text is no contrast: says what was found and what is allowed.
    """
    if len(text) > LONGEST:
        raise ValueError(f"the contrast has {len(text):,} characters; at most {LONGEST:,} fit")
    weights: dict[str, float] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        label, sign, number = entry.partition(":")
        name = unquote(label.strip())
        if not sign or not name:
            raise ValueError(f"{entry[:40]!r} is not a label and its weight, as in chen:1")
        if name in weights:
            raise ValueError(f"the label {name[:40]!r} is there twice")
        weights[name] = _weight(number.strip())
    kept = {name: weight for name, weight in weights.items() if weight}
    if weights and len(kept) < 2:
        raise ValueError("a contrast needs at least two labels with a weight")
    if abs(sum(kept.values())) > SUM_TOLERANCE * max(map(abs, kept.values()), default=0.0):
        raise ValueError(f"the weights sum to {sum(kept.values()):.6g}; they must sum to zero")
    return kept


def _weight(text: str) -> float:
    above, slash, below = text.partition("/")
    try:
        value = float(above) / (float(below) if slash else 1.0)
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if not abs(value) <= LARGEST:
        raise ValueError(
            f"the weight {text[:30]!r} is not a number between -{LARGEST:g} and {LARGEST:g}"
        )
    return value


def write_contrast(weights: Mapping[str, float]) -> str:
    """Write a contrast as text; reading it gives the same weights again."""
    escapes = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "%,:"})
    return ",".join(
        f"{label.translate(escapes)}:{weight!r}" for label, weight in weights.items() if weight
    )


def typed(weights: Mapping[str, float], part: StudyStatistics) -> Contrast:
    """Lay a typed contrast over the labels at hand."""
    missing = [label for label in weights if label not in part.label_names]
    if missing:
        named = listed([label_name(label) for label in missing])
        return Contrast(np.full(part.labels.height, np.nan), f"No file is labelled {named}.")
    return Contrast(np.array([weights.get(label, 0.0) for label in part.label_names]))


def over_part(found: Contrast, whole: StudyStatistics, part: StudyStatistics) -> Contrast:
    """Lay a contrast over the labels that count; refuse one that needs a label left out."""
    kept = [whole.label_names.index(name) for name in part.label_names]
    out = np.ones(whole.labels.height, dtype=np.bool_)
    out[kept] = False
    if found.why or not found.weights[out].any():
        return Contrast(found.weights[kept], found.why)
    return Contrast(np.full(len(kept), np.nan), "It needs a label that is left out.")
