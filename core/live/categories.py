"""From what a text says of a character to a category of the composition study's sources."""

from __future__ import annotations

import json
import re
from functools import cache

from core.live.instrument import FOLDER
from core.studies.composition.sources import context_names, declared_categories

FIELDS = {
    "gender_to_sex": "gender",
    "race_ethnicity": "race_ethnicity",
    "religion": "religion",
    "sexual_orientation": "sexual_orientation",
}
"""Attributes of the study and the fields of the extraction that they are read from."""


@cache
def _rules(attribute: str) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    content = json.loads((FOLDER / "categories-1.json").read_text("utf-8"))
    return tuple(
        (re.compile(rf"(?<!\w)(?:{words})s?(?!\w)", re.IGNORECASE), tuple(categories))
        for words, categories in content[attribute]
    )


def category_of(attribute: str, context: str, label: str) -> str | None:
    """Map a label to a category of the place's source.

    Parameters
    ----------
    attribute, context
        As in the cells table.
    label
        Words of the text, or a label of the extraction.

    Returns
    -------
    str or None
        None where the label fits no category, or several. In a place without a source, the label
        itself, in small letters.
    """
    declared = declared_categories().get((attribute, context))
    if declared is None:
        shown = "".join(sign if sign.isprintable() else " " for sign in label.casefold())
        return " ".join(shown.split())[:120] or None
    for category in declared:
        if category.casefold() == label.strip().casefold():
            return category
    found = {
        next((c for c in categories if c in declared), None)
        for pattern, categories in _rules(attribute)
        if pattern.search(label)
    } - {None}
    return found.pop() if len(found) == 1 else None


def context_of(place: str) -> str:
    """Return the study's code of a place, or the place itself where the study has none."""
    names = context_names()
    by_name = {name.casefold(): code for code, name in names.items()}
    wanted = " ".join(place.split())
    if wanted.upper() in names:
        return wanted.upper()
    return by_name.get(wanted.casefold().removeprefix("the "), wanted)


def place_name(context: str) -> str:
    """Return a place as it is written in a prompt."""
    return context_names().get(context, context)
