"""Charts of a report: SVG that can stand inside a page, and PNG for Word."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from core.charts.export import bare_chart
from core.charts.theme import LIGHT
from core.views.view import Chart

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"

ElementTree.register_namespace("", SVG)

_REFERENCE = re.compile(r"url\(#([^)]+)\)")


PLOT = 500
"""Width of a chart's plot in pixels: with the names of its rows it fills a page, at its own size,
so that its texts are as large as those around it."""

PHONE = 230
"""Width of a chart's plot on a phone, in pixels, beside the names of its rows."""

INCH_CM, DOTS, SCALE = 2.54, 96, 2
"""Centimetres and pixels of an inch, and how many pixels of a PNG stand for one."""


def inline_svg(chart: Chart, number: int, *, width: int = PLOT) -> str:
    """Draw a chart as an SVG element with its words as alternative text.

    Parameters
    ----------
    chart
        The chart.
    number
        Its place in the report: several charts on a page must not share ids.
    width
        Of the plot, in pixels.
    """
    root = ElementTree.fromstring(bare_chart(chart.build(LIGHT), form="svg", width=width))
    for element in root.iter():
        _own_ids(element, f"chart{number}-")
    drawn = float(root.attrib.pop("width"))
    root.attrib.pop("height", None)
    root.set("style", f"max-width: {drawn:.0f}px")
    root.set("role", "img")
    root.set("aria-label", f"{chart.title}. {chart.alt}")
    return ElementTree.tostring(root, encoding="unicode")


def _own_ids(element: ElementTree.Element, prefix: str) -> None:
    """Give an element ids of its own, and take away what only a live chart needs."""
    for name, value in list(element.attrib.items()):
        if name.startswith("aria") or name == "role":
            del element.attrib[name]
        elif name == "id":
            element.set(name, prefix + value)
        elif "url(#" in value:
            element.set(name, _REFERENCE.sub(rf"url(#{prefix}\1)", value))
        elif name == f"{{{XLINK}}}href" and value.startswith("#"):
            element.set(name, f"#{prefix}{value[1:]}")


def png(chart: Chart) -> bytes:
    """Draw a chart as PNG, at twice its size for print."""
    return bare_chart(chart.build(LIGHT), form="png", width=PLOT)


def width_cm(drawn: bytes) -> float:
    """Return how wide a PNG of `png` stands on paper at its own size, in centimetres."""
    pixels = int.from_bytes(drawn[16:20], "big")
    return pixels / SCALE * INCH_CM / DOTS
