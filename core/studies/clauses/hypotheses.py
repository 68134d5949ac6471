"""The five hypotheses as contrasts of ratings, declared as a table.

``Y[v, s]`` is a clause group's rating of its variant v (favouring the strong or the weak party) in
situation s, and ``A[s] = Y[weak, s] - Y[strong, s]`` its asymmetry: positive where the same wording
is rated less fair when it favours the stronger party.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.studies.clauses.design import (
    HYPOTHESES,
    OPAQUE,
    PARTIES,
    REP_STRONG,
    REP_STRONG_OPAQUE,
    REP_WEAK,
    REP_WEAK_OPAQUE,
    ROLE,
    STRONG_ONLY,
    WEAK_ONLY,
    Situation,
)

Term = tuple[str, Situation]
"""A rating: of which variant, in which situation."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A weighted sum of a clause group's ratings."""

    formula: str
    """As the reader sees it."""
    weights: Mapping[Term, float]

    @property
    def situations(self) -> tuple[Situation, ...]:
        """Situations that it needs, each once."""
        return tuple(dict.fromkeys(situation for _, situation in self.weights))

    def missing(self, known: Iterable[Situation]) -> tuple[Situation, ...]:
        """Return the situations that a panel has not got."""
        present = set(known)
        return tuple(s for s in self.situations if s not in present)


def _tilt(situation: Situation, times: float = 1.0) -> dict[Term, float]:
    return {("weak", situation): times, ("strong", situation): -times}


def _contrast(formula: str, *parts: Mapping[Term, float]) -> Contrast:
    weights: dict[Term, float] = {}
    for part in parts:
        for term, weight in part.items():
            weights[term] = weights.get(term, 0.0) + weight
    return Contrast(formula, MappingProxyType(weights))


_REPRESENTED_OPAQUE = (_tilt(REP_WEAK_OPAQUE, 0.5), _tilt(REP_STRONG_OPAQUE, -0.5))
_REPRESENTED_ROLE = (_tilt(REP_WEAK, 0.5), _tilt(REP_STRONG, -0.5))
_LESS_OPAQUE = (_tilt(REP_WEAK_OPAQUE, -0.5), _tilt(REP_STRONG_OPAQUE, 0.5))

CONTRASTS: Mapping[str, Mapping[str, Contrast]] = MappingProxyType(
    {
        "H1": {"": _contrast("A[role]", _tilt(ROLE))},
        "H2": {"": _contrast("A[role] − A[opaque]", _tilt(ROLE), _tilt(OPAQUE, -1.0))},
        "H3": {
            "both_labels": _contrast(
                "(Y[weak, role] − Y[weak, opaque]) + (Y[strong, role] − Y[strong, opaque])",
                {(party, ROLE): 1.0 for party in PARTIES},
                {(party, OPAQUE): -1.0 for party in PARTIES},
            ),
            "one_label": _contrast(
                "A[weaker party’s label only] − A[stronger party’s label only]",
                _tilt(WEAK_ONLY),
                _tilt(STRONG_ONLY, -1.0),
            ),
            "weak_rise": _contrast(
                "Y[weak, role] − Y[weak, opaque]",
                {("weak", ROLE): 1.0, ("weak", OPAQUE): -1.0},
            ),
        },
        "H4": {"": _contrast("A[opaque]", _tilt(OPAQUE))},
        "H5": {
            "opaque": _contrast(
                "(A[represents weak, opaque] − A[represents strong, opaque]) / 2",
                *_REPRESENTED_OPAQUE,
            ),
            "role": _contrast(
                "(A[represents weak, role] − A[represents strong, role]) / 2", *_REPRESENTED_ROLE
            ),
            "role_minus_opaque": _contrast(
                "the same under role labels − under opaque labels",
                *_REPRESENTED_ROLE,
                *_LESS_OPAQUE,
            ),
        },
    }
)
"""Every reading of every hypothesis; the key is the option of the choice that picks it."""

CLAIMS: Mapping[str, str] = MappingProxyType(
    {
        "H1": "The same clause is rated less fair when it favours the stronger party, with roles "
        "named",
        "H2": "Naming the roles adds to the tilt against the stronger party",
        "H3": "The weaker party’s label carries the tilt (the document gives a name only)",
        "H4": "Without role names there is practically no tilt",
        "H5": "A model told to represent a party rates clauses for it fairer (not described)",
    }
)
"""What each hypothesis claims, in one line."""

SHORT_CLAIMS: Mapping[str, str] = MappingProxyType(
    {
        "H1": "tilt with role labels",
        "H2": "tilt due to the labels",
        "H3": "weaker party’s label",
        "H4": "no tilt without labels",
        "H5": "represented party",
    }
)


def chosen(choices: Choices) -> tuple[Contrast, ...]:
    """Return the contrasts in use, in the order of `HYPOTHESES`."""
    readings = {"H3": choices.text("h3"), "H5": choices.text("h5")}
    return tuple(CONTRASTS[name][readings.get(name, "")] for name in HYPOTHESES)


def values(
    ratings: NDArray[np.float64], situations: tuple[Situation, ...], contrast: Contrast
) -> NDArray[np.float64]:
    """Work a contrast out.

    Parameters
    ----------
    ratings
        (..., V, S) ratings of one-sided variants.
    situations
        What the last axis stands for.
    contrast
        The weighted sum.

    Returns
    -------
    array, shape (...)
        NaN where a rating that is needed is missing.
    """
    total = np.zeros(ratings.shape[:-2])
    if contrast.missing(situations):
        return np.full_like(total, np.nan)
    for (party, situation), weight in contrast.weights.items():
        total += weight * ratings[..., PARTIES.index(party), situations.index(situation)]
    return total
