"""A chart as an unchanging specification and the small frames it draws.

Building a chart with Altair costs tens of milliseconds, mostly schema checks. So every chart is
built once for each appearance, and a slider only exchanges its frames; a browser that holds the
same specification then redraws the marks and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl

from core.charts.theme import Palette
from core.columns import arrow


@dataclass(frozen=True, eq=False)
class Drawing:
    """What a page places and an export draws."""

    specification: str
    """Vega-Lite as JSON; its data are names."""
    data: Mapping[str, pl.DataFrame]
    """The named frames, with only the columns that are drawn or told."""

    def fingerprint(self) -> tuple[str, ...]:
        """Return texts that are the same for drawings that look the same."""
        frames = (f"{name}{frame.to_dicts()}" for name, frame in sorted(self.data.items()))
        return (self.specification, *frames)

    def for_page(self) -> dict[str, Any]:
        """Return the specification with its frames, as Streamlit takes it."""
        tables = {name: arrow(frame) for name, frame in self.data.items()}
        return {**json.loads(self.specification), "datasets": tables}

    def for_file(self) -> dict[str, Any]:
        """Return the specification with its rows written out."""
        rows = {name: frame.to_dicts() for name, frame in self.data.items()}
        return {**json.loads(self.specification), "datasets": rows}


def specification(colours: Palette, layers: list[alt.Chart], **properties: Any) -> str:
    """Layer charts over named data and write them as JSON, with texts that are easy to read."""
    quiet = {"labelColor": colours.quiet_text, "titleColor": colours.quiet_text}
    config = {"axis": quiet | {"gridColor": colours.grid}, "legend": quiet}
    # Put together by hand, and checked against the schema by the tests: Altair's own layering
    # copies and checks every layer several times, which the first reader of a page would wait for.
    within = {"top_level": False}
    drawn = [layer.to_dict(validate=False, context=dict(within)) for layer in layers]
    written = {
        name: value.to_dict() if isinstance(value, alt.SchemaBase) else value
        for name, value in properties.items()
    }
    return json.dumps({"$schema": alt.SCHEMA_URL, "layer": drawn, **written, "config": config})


def named(name: str) -> alt.Chart:
    """Start a chart over a named frame, whose columns have their types already."""
    return alt.Chart(alt.NamedData(name=name, format=alt.DataFormat(parse=None)))
