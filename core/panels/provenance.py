"""Where a panel's rows come from, kept in the parquet file's own key-value metadata."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

Kind = Literal["published", "reconstructed", "collected", "imported"]
KINDS: tuple[Kind, ...] = get_args(Kind)

KIND_MEANINGS: dict[Kind, str] = {
    "published": "figures as a study prints them",
    "reconstructed": (
        "rows made so that the study's own analysis returns its printed figures; one of many "
        "possible sets of rows, not the study's data"
    ),
    "collected": "rows that Hinge's runner got from a model",
    "imported": "rows that a reader brought; this session only",
}

SCHEMA_VERSION = "1"

MAX_FIELD = 2_000
"""Longest text a field may hold, in characters."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A printed figure that the search for reconstructed rows was given."""

    figure_id: str
    tolerance: float
    """Largest difference from the printed value that the search accepted, in the figure's unit."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Study, table, kind and origin of a panel."""

    study: str
    table: str
    kind: Kind
    title: str = ""
    source: str = ""
    licence: str = ""
    generator: str = ""
    seed: str = ""
    schema: str = SCHEMA_VERSION
    pins: tuple[Pin, ...] = ()

    @property
    def pinned_ids(self) -> frozenset[str]:
        """Ids of the figures that the search was given."""
        return frozenset(pin.figure_id for pin in self.pins)

    def as_imported(self) -> Provenance:
        """Return the same provenance for rows that a reader brought.

        Pins are dropped: nothing vouches that an uploaded file still meets them.
        """
        return replace(self, kind="imported", pins=())

    def to_metadata(self) -> dict[str, str]:
        """Return parquet key-value metadata."""
        fields = ("study", "table", "kind", "title", "source", "licence", "generator", "seed")
        metadata = {f"hinge.{name}": str(getattr(self, name)) for name in (*fields, "schema")}
        pins = [{"figure_id": p.figure_id, "tolerance": p.tolerance} for p in self.pins]
        metadata["hinge.pins"] = json.dumps(pins, separators=(",", ":"))
        return metadata


def from_metadata(metadata: Mapping[str, str]) -> Provenance | None:
    """Read provenance back.

    Parameters
    ----------
    metadata
        Key-value metadata of a parquet file.

    Returns
    -------
    Provenance or None
        None when the file does not say which study and table it belongs to.

    Raises
    ------
    ValueError
        If a field is too long, the metadata names an unknown kind, or its pins are not the JSON
        list they should be.
    """
    fields = ("study", "table", "kind", "title", "source", "licence", "generator", "seed", "schema")
    for name in fields:
        if len(metadata.get(f"hinge.{name}", "")) > MAX_FIELD:
            raise ValueError(f"hinge.{name} is longer than {MAX_FIELD:,} characters")
    study, table = metadata.get("hinge.study", ""), metadata.get("hinge.table", "")
    if not study or not table:
        return None
    kind = metadata.get("hinge.kind", "imported")
    if kind not in KINDS:
        raise ValueError(f"hinge.kind is {kind[:60]!r}; expected one of {', '.join(KINDS)}")
    return Provenance(
        study=study,
        table=table,
        kind=kind,
        title=metadata.get("hinge.title", ""),
        source=metadata.get("hinge.source", ""),
        licence=metadata.get("hinge.licence", ""),
        generator=metadata.get("hinge.generator", ""),
        seed=metadata.get("hinge.seed", ""),
        schema=metadata.get("hinge.schema", SCHEMA_VERSION),
        pins=_pins(metadata.get("hinge.pins", "[]")),
    )


def _pins(text: str) -> tuple[Pin, ...]:
    try:
        pins = tuple(Pin(str(p["figure_id"]), float(p["tolerance"])) for p in json.loads(text))
    except (TypeError, KeyError, ValueError, OverflowError, RecursionError) as error:
        why = str(error)[:120]
        raise ValueError(
            f"hinge.pins is not a JSON list of figure_id and tolerance: {why}"
        ) from error
    if not all(0 <= pin.tolerance < math.inf for pin in pins):
        raise ValueError("hinge.pins holds a tolerance that is no finite number of at least 0")
    return pins
