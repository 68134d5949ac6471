"""The part of JSON Schema that the instruments use: checking an answer, field by field."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from core.words import listed

Schema = Mapping[str, Any]

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "number": (int, float),
    "integer": (int, float),
    "null": (type(None),),
}


def problems(value: Any, schema: Schema, name: str = "the answer") -> list[str]:
    """List what is wrong with a value.

    Parameters
    ----------
    value
        As JSON gives it.
    schema
        Keywords type, enum, properties, required, items, minimum, maximum and maxLength; others
        are ignored.
    name
        What the value is called in the problems.

    Returns
    -------
    list of str
        Empty when it fits. Fields that the schema does not name are left alone: they are not read.
    """
    wanted = schema.get("type", list(TYPES))
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if not any(_is(value, each) for each in wanted):
        return [f"{name} is {_kind(value)}, not {' or '.join(wanted)}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{name} is {_short(value)}, not one of the values offered"]
    if isinstance(value, dict):
        return _fields(value, schema, name)
    if isinstance(value, list):
        each = schema.get("items", {})
        return [p for i, v in enumerate(value, 1) for p in problems(v, each, f"{name} {i}")]
    return _limits(value, schema, name)


def expected(schema: Schema) -> str:
    """Say which answer a schema asks for, as the end of a sentence."""
    fields = (f"{name} ({_wanted(part)})" for name, part in schema.get("properties", {}).items())
    return f"one JSON object with {listed(list(fields))}"


def _wanted(schema: Schema) -> str:
    if "enum" in schema:
        return " or ".join(str(value) for value in schema["enum"])
    kinds = schema.get("type", "anything")
    kind = kinds if isinstance(kinds, str) else " or ".join(kinds)
    kind = {"string": "text", "array": "a list", "object": "an object"}.get(kind, kind)
    if "minimum" in schema and "maximum" in schema:
        return f"{kind} from {schema['minimum']} to {schema['maximum']}"
    return kind


def _fields(value: dict[str, Any], schema: Schema, name: str) -> list[str]:
    prefix = "" if name == "the answer" else f"{name}."
    found = [f"{prefix}{key} is missing" for key in schema.get("required", ()) if key not in value]
    for key, part in schema.get("properties", {}).items():
        if key in value:
            found += problems(value[key], part, f"{prefix}{key}")
    return found


def _limits(value: Any, schema: Schema, name: str) -> list[str]:
    if isinstance(value, str):
        most = schema.get("maxLength", math.inf)
        return [f"{name} is longer than {most:,} characters"] if len(value) > most else []
    if isinstance(value, bool) or value is None:
        return []
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    return [] if low <= value <= high else [f"{name} is {_short(value)}, outside {low} to {high}"]


def _is(value: Any, wanted: str) -> bool:
    # True and false are integers to Python, and 7.0 is one to JSON.
    if isinstance(value, bool):
        return wanted == "boolean"
    if wanted == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[wanted])


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", dict: "an object", list: "a list", str: "text"}
    return names.get(type(value), "a number")


def _short(value: Any) -> str:
    text = str(value)
    return repr(text[:40] + "…") if len(text) > 40 else repr(value)
