"""Pages run without a browser, and what a reader would see on them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from core.charts.composition import CELL_FIELDS
from core.choices import Choice, Choices, Declaration
from core.panels.catalogue import shipped
from core.panels.read import Panel
from core.studies.composition.choices import DECLARATION
from core.studies.composition.reduce import CellStatistics, reduce_cells

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 60


def open_composition(**query: str) -> AppTest:
    """Open the composition page by its address."""
    return _opened(ROOT / "pages" / "composition.py", query)


def open_study(name: str, **query: str) -> AppTest:
    """Open a study's page by its address."""
    return _opened(ROOT / "pages" / f"{name}.py", query)


def open_panels() -> AppTest:
    return _opened(ROOT / "pages" / "panels.py", {})


def open_live() -> AppTest:
    return _opened(ROOT / "pages" / "live.py", {})


def open_app() -> AppTest:
    """Open the app on its first page; `switch` goes on from there."""
    return _opened(ROOT / "pages" / "parts" / "navigation.py", {})


def _opened(path: Path, query: Mapping[str, str]) -> AppTest:
    at = AppTest.from_file(path, default_timeout=SECONDS)
    at.query_params.update(query)
    return run(at)


def press(at: AppTest, key: str) -> AppTest:
    """Press a button."""
    at.button(key=key).click()
    return run(at)


def run(at: AppTest) -> AppTest:
    """Run the page as a browser would after a move, and see that nothing failed."""
    at.run()
    failures = [f"{e.message}\n{''.join(e.stack_trace)}" for e in at.exception]
    assert not failures, failures[0]
    return at


def switch(at: AppTest, page: str) -> AppTest:
    """Go to another page; a link in the navigation carries no query."""
    at.query_params.clear()
    at.switch_page(f"../{page}.py")
    return run(at)


def shipped_panel() -> Panel:
    """The panel that the composition page opens on."""
    return shipped(DECLARATION.study, "cells")[0].read()


def statistics_of(panel: Panel) -> CellStatistics:
    return reduce_cells(panel.frame)


def widget(at: AppTest, choice: Choice) -> Any:
    """Find the widget of a choice."""
    key = f"{DECLARATION.study}:{choice.key}"
    if choice.range is not None:
        return at.slider(key=key)
    return at.pills(key=key) if choice.many else at.selectbox(key=key)


def move(at: AppTest, choice: Choice, value: Any) -> AppTest:
    """Set a choice's widget and run the page."""
    if choice.range is not None:
        value = int(value) if choice.is_whole else float(value)
    widget(at, choice).set_value(list(value) if isinstance(value, tuple) else value)
    return run(at)


def address(at: AppTest, declaration: Declaration = DECLARATION) -> Choices:
    """Read the choices that the address carries; it must need no repair."""
    query = {name: value for name, value in at.query_params.items() if isinstance(value, str)}
    choices, repairs = declaration.from_link(query)
    assert not repairs
    return choices


def captions(at: AppTest) -> str:
    return "\n".join(caption.value for caption in at.caption)


@dataclass(frozen=True)
class Chart:
    """A chart as it is sent to the browser."""

    alt: str
    specification: dict[str, Any]
    data: dict[str, pl.DataFrame]
    identity: str
    """The text that decides whether a browser draws the chart from scratch."""


def charts(at: AppTest) -> list[Chart]:
    return [_chart(node.proto) for node in at.get("vega_lite_chart")]


def _chart(proto: Any) -> Chart:
    data = {each.name: _frame(each.data.data) for each in proto.datasets}
    names = [each.name for each in proto.datasets]
    identity = json.dumps([proto.id, proto.alt, proto.spec, names])
    return Chart(proto.alt, json.loads(proto.spec), data, identity)


def _frame(arrow: bytes) -> pl.DataFrame:
    frame = pl.from_arrow(pa.ipc.open_stream(io.BytesIO(arrow)).read_all())
    assert isinstance(frame, pl.DataFrame)
    return frame


def tables(at: AppTest) -> list[Any]:
    """List the tables on the page with headings and texts as a reader sees them."""

    def read(value: Any) -> Any:
        return value.replace("\\", "") if isinstance(value, str) else value

    return [
        element.value.rename(columns=lambda name: read(str(name)).replace("_", " ")).map(read)
        for element in (*at.dataframe, *at.table)
    ]


def texts(message: Message, path: str = "") -> Iterator[tuple[str, str]]:
    """List every text in a message to the browser, with the name of its field."""
    for descriptor, value in message.ListFields():
        here = f"{path}.{descriptor.name}"
        for each in value if descriptor.is_repeated else [value]:
            if isinstance(each, str):
                yield here, each
            elif isinstance(each, Message) and not descriptor.message_type.GetOptions().map_entry:
                yield from texts(each, here)


def nodes(at: AppTest) -> list[Any]:
    """List blocks and elements as they follow each other on the page."""

    def visit(node: Any) -> Iterator[Any]:
        yield node
        for child in getattr(node, "children", {}).values():
            yield from visit(child)

    return [*visit(at.main), *visit(at.sidebar)]


def all_texts(at: AppTest) -> list[tuple[str, str]]:
    """List every text on the page, with the kind of element and the name of its field."""
    return [
        (f"{node.type}{path}", text)
        for node in nodes(at)
        if isinstance(getattr(node, "proto", None), Message)
        for path, text in texts(node.proto)
    ]


def picked_cell(at: AppTest) -> str:
    """Name of the cell shown in detail: where its three lists stand."""
    return ", ".join(str(at.selectbox(key=f"composition:cell-{n}").value) for n in CELL_FIELDS)


def pick_cell(at: AppTest, part: str, position: int) -> str:
    """Choose the option of one list at a position, and return the cell that is shown then."""
    box = at.selectbox(key=f"composition:cell-{part}")
    box.set_value(box.options[position])
    run(at)
    return picked_cell(at)
