"""Reading what a reader typed: variance terms and attributes counted elsewhere than planned."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from core.studies.remedies import design

SEPARATOR, ASSIGNS = ";", ":"


def read_term_moves(text: str) -> Mapping[str, str]:
    """Read moves of variance terms, such as ``KxB:rewrite_model;O:rewrite_model``.

    Returns
    -------
    mapping
        Part of each term that was moved.

    Raises
    ------
    ValueError
        If a term or a part is not known, or a term is moved twice; says which.
    """
    return _read(text, tuple(design.term_parts()), tuple(design.part_names()), "variance term")


def read_attribute_moves(text: str) -> Mapping[str, str]:
    """Read moves of attributes between families, such as ``grammar:structure``; as above."""
    return _read(text, tuple(design.families()), design.FAMILIES, "attribute")


@lru_cache(maxsize=256)
def _read(
    text: str, things: tuple[str, ...], places: tuple[str, ...], what: str
) -> Mapping[str, str]:
    moved: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(SEPARATOR))):
        thing, sign, place = (part.strip() for part in pair.partition(ASSIGNS))
        if not sign:
            raise ValueError(f"{pair[:40]!r} is not of the form {what}{ASSIGNS}place")
        if thing not in things:
            raise ValueError(f"{thing[:40]!r} is no {what}: {', '.join(things)}")
        if place not in places:
            raise ValueError(f"{place[:40]!r} is none of {', '.join(places)}")
        if thing in moved:
            raise ValueError(f"{thing!r} is moved twice")
        moved[thing] = place
    return MappingProxyType(moved)


def term_parts(text: str) -> Mapping[str, str]:
    """Part of every variance term once those that the reader moved are moved."""
    return {**design.term_parts(), **read_term_moves(text)}


def attribute_families(text: str) -> Mapping[str, str]:
    """Family of every attribute once those that the reader moved are moved."""
    return {**design.families(), **read_attribute_moves(text)}
