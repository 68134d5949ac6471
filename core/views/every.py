"""All studies, by name: their choices, and how one specification is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from core.choices import Choices, Declaration
from core.studies.about import study
from core.studies.clauses.choices import DECLARATION as CLAUSES
from core.studies.composition.choices import DECLARATION as COMPOSITION
from core.studies.filenames.choices import DECLARATION as FILENAMES
from core.studies.reduced import Reduced
from core.studies.remedies.choices import DECLARATION as REMEDIES
from core.views import clauses, composition, filenames, remedies
from core.views.looking import Looking
from core.views.view import Card, View


class Told(NamedTuple):
    """A study's choices, and what tells it."""

    declaration: Declaration
    view: Callable[[Reduced, Choices, Looking], View]
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
        View settings of a link, such as the model in focus. Those that are not there to look at are
        left out, and the view says so among its repairs.
    """
    asked = Looking(looking)
    told = STUDIES[choices.study].view(found, choices, asked)
    asked.check_parts(study(choices.study))
    return replace(told, looking=asked.kept, repairs=asked.repairs)
