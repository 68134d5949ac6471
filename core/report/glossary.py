"""Plain definitions of the terms that reports use, read from data."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache

from core.paths import GLOSSARY

EVERY = "every"
"""The part whose terms all studies use."""


@cache
def _parts() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = tomllib.loads(GLOSSARY.read_text(encoding="utf-8"))
    return found


def glossary(studies: Sequence[str]) -> dict[str, str]:
    """Return the terms of some studies with what they mean, those of every study first.

    Parameters
    ----------
    studies
        Names of studies, each with a part of its own in the file.

    Raises
    ------
    KeyError
        If a study has no part.
    """
    parts = _parts()
    return {word: text for name in (EVERY, *studies) for word, text in parts[name].items()}
