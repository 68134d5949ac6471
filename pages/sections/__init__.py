"""Sections of the composition page below its charts; only the open one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pages.parts.view import View
from pages.sections import beside, missing, occupations, premises, published, surviving, uncertainty

SECTIONS: Mapping[str, Callable[[View], None]] = {
    "Uncertainty": uncertainty.draw,
    "Missing labels": missing.draw,
    "Occupations": occupations.draw,
    "Several comparators": surviving.draw,
    "Premises": premises.draw,
    "Published only": published.draw,
    "Another panel": beside.draw,
}
