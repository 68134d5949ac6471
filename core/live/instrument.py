"""The instruments: versioned data files with their wording and the fields of their answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from core.live.prompt import Option, Prompt

FOLDER = Path(__file__).with_name("instruments")

VERSIONS: Mapping[str, str] = {"clause": "1", "complaint": "1", "filename": "1", "character": "2"}
"""The version of each instrument that is in use. A change of wording is a new file."""

SLOT = re.compile(r"\{\{(\w+)\}\}")

SHORTEST_FENCE = 5


@cache
def _file(name: str, version: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FOLDER / f"{name}-{version}.json").read_text("utf-8"))
    return content


def words(name: str, kind: str) -> Mapping[str, str]:
    """Return an instrument's words for the levels of something, such as of age."""
    found: dict[str, str] = _file(name, VERSIONS[name])["words"][kind]
    return found


def generator(name: str, step: str) -> str:
    """Say which instrument made rows, for a panel's metadata."""
    return f"core.live {name} {VERSIONS[name]} {step}"


def fence(*texts: str) -> str:
    """Return a line of signs that none of the texts holds, to show where they begin and end.

    Texts that are to be compared get the same fence, so that nothing else tells them apart.
    """
    longest = max((len(run) for text in texts for run in re.findall("=+", text)), default=0)
    return "=" * max(SHORTEST_FENCE, longest + 1)


def prompt(
    name: str, step: str, values: Mapping[str, str], *, options: Sequence[str] = ()
) -> Prompt:
    """Word one question of an instrument.

    Parameters
    ----------
    name, step
        Which instrument and which of its questions.
    values
        What stands in the slots; ``text`` is the reader's text. Put in once: what looks like a
        slot inside a text stays as it is.
    options
        Keys of a typed question's options in the order in which to show them; as in the file when
        empty.
    """
    content = _file(name, VERSIONS[name])
    found = content["steps"][step]
    given = [Option(key, _fill(meaning, values)) for key, meaning in found.get("options", ())]
    if options:
        given = sorted(given, key=lambda option: options.index(option.key))
    schema = found.get("schema")
    return Prompt(
        instrument=name,
        version=content["version"],
        schema_version=content["schema_version"],
        step=step,
        system=_fill("\n".join(found["system"]), values),
        user=_fill("\n".join(found["user"]), values),
        schema=None if schema is None else _filled(schema, values),
        options=tuple(given),
        question=_fill(found.get("question", ""), values),
        text=values.get("text", ""),
        most_tokens=found.get("most_tokens", 1),
    )


def _fill(template: str, values: Mapping[str, str]) -> str:
    return SLOT.sub(lambda slot: values[slot[1]], template)


def _filled(schema: Any, values: Mapping[str, str]) -> Any:
    if isinstance(schema, dict):
        return {key: _filled(part, values) for key, part in schema.items()}
    if isinstance(schema, list):
        return [_filled(part, values) for part in schema]
    return _fill(schema, values) if isinstance(schema, str) else schema
