"""Parts of the composition page of which one at a time is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pages.parts.basis import Behind
from pages.parts.view import View
from pages.sections import (
    beside,
    curves,
    every_cell,
    missing,
    occupations,
    premises,
    published,
    surviving,
    uncertainty,
)


class Detail(NamedTuple):
    """What can be shown for the model in focus."""

    title: str
    draw: Callable[[View, Behind], None]


# A browser repaints whatever is drawn on every move, seen or not: so one of them at a time.
DETAILS: Mapping[str, Detail] = {
    "curves": Detail("Path and tolerance", curves.draw),
    "cells": Detail("Every cell", every_cell.draw),
}

SECTIONS: Mapping[str, Callable[[View], None]] = {
    "Uncertainty": uncertainty.draw,
    "Missing labels": missing.draw,
    "Occupations": occupations.draw,
    "Several comparators": surviving.draw,
    "Premises": premises.draw,
    "Published only": published.draw,
    "Another panel": beside.draw,
}

SCORELESS = ("Occupations", "Premises", "Published only", "Another panel")
"""Sections that say something of a panel without any score."""
