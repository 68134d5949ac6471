"""A report as one HTML file: no network, no script, prints on A4."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from core.report.document import LONG, LONGEST, Document
from core.report.pictures import PHONE, PLOT, inline_svg
from core.views.view import Chart
from core.words import unmarked

FEW = 3
"""Columns up to which a table fits a narrow screen; wider ones scroll in their own box."""

TEMPLATE = Path(__file__).with_name("template.html")


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8"))


def write_html(report: Document) -> bytes:
    """Write a report; every text in it is escaped, charts are drawn into it as SVG."""
    numbers = count(1)
    tools = {
        "draw": _drawing(PLOT, numbers),
        "draw_narrow": _drawing(PHONE, numbers),
        "unmarked": unmarked,
        "long": LONG,
        "longest": LONGEST,
        "few": FEW,
    }
    text = _template().render(report=report, **tools)
    return text.encode("utf-8")


def _drawing(width: int, numbers: Iterator[int]) -> Callable[[Chart], Markup]:
    def draw(chart: Chart) -> Markup:
        # The only text that is not escaped: written anew from parsed XML.
        return Markup(inline_svg(chart, next(numbers), width=width))

    return draw
