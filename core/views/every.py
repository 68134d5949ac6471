"""All studies, by name: their choices, and how one specification is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from core.choices import Choices, Declaration
from core.studies.clauses.choices import DECLARATION as CLAUSES
from core.studies.composition.choices import DECLARATION as COMPOSITION
from core.studies.filenames.choices import DECLARATION as FILENAMES
from core.studies.reduced import Reduced
from core.studies.remedies.choices import DECLARATION as REMEDIES
from core.views import clauses, composition, filenames, remedies
from core.views.view import Card, View


class Told(NamedTuple):
    """A study's choices, and what tells it."""

    declaration: Declaration
    view: Callable[[Reduced, Choices, Mapping[str, str]], View]
    card: Callable[[Reduced, Choices], Card]


STUDIES: Mapping[str, Told] = MappingProxyType(
    {
        "composition": Told(COMPOSITION, composition.view, composition.card),
        "clauses": Told(CLAUSES, clauses.view, clauses.card),
        "filenames": Told(FILENAMES, filenames.view, filenames.card),
        "remedies": Told(REMEDIES, remedies.view, remedies.card),
    }
)


def view(found: Reduced, choices: Choices, looking: Mapping[str, str]) -> View:
    """Tell a panel's study under one specification.

    Parameters
    ----------
    found
        The panel with those that stand for the same rows.
    choices
        The specification.
    looking
        View settings of a link, such as the model in focus; unknown ones are passed over.
    """
    return STUDIES[choices.study].view(found, choices, looking)
