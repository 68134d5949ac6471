"""Charts as files that stand alone: SVG and PNG with title, choices, panel and kind on them."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Sequence
from typing import Any, Literal

from core.charts.drawing import Drawing
from core.charts.theme import LIGHT

WIDTH = 720
CAPTION_CHARACTERS = 110
TITLE_CHARACTERS = 80

_BEYOND = re.compile("[\U00010000-\U0010ffff]")
"""Signs, such as most emoji, that take two places in the drawing program; drawn as their number."""


def chart_file(
    drawing: Drawing, *, title: str, caption: Sequence[str], form: Literal["svg", "png"]
) -> bytes:
    """Draw a chart as a file.

    Parameters
    ----------
    drawing
        A chart made with the light palette.
    title
        What the chart shows.
    caption
        Lines under the title: the choices, the panel's hash and kind. They are wrapped.
    form
        ``svg`` or ``png`` (at twice the size, for print).

    Returns
    -------
    bytes
        The file's content. Drawn without a browser and without anything from the network.
    """
    specification = drawing.for_file()
    key = specification.get("title", {}).get("text", [])
    lines = [part for line in (*key, *caption) for part in textwrap.wrap(line, CAPTION_CHARACTERS)]
    specification |= {
        "width": WIDTH,
        "background": LIGHT.background,
        "padding": 16,
        "title": {
            "text": textwrap.wrap(title, TITLE_CHARACTERS),
            "subtitle": lines,
            "anchor": "start",
            "fontSize": 15,
            "subtitleFontSize": 10,
            "subtitleColor": LIGHT.quiet_text,
            "offset": 24,
        },
    }
    return _drawn(specification, form)


def bare_chart(drawing: Drawing, *, form: Literal["svg", "png"], width: int = WIDTH) -> bytes:
    """Draw a chart for a page that has its title and settings beside it; as `chart_file`."""
    specification = drawing.for_file()
    specification |= {"width": width, "background": LIGHT.background, "padding": 8}
    return _drawn(specification, form)


def _drawn(specification: dict[str, Any], form: Literal["svg", "png"]) -> bytes:
    import vl_convert

    # Where it shortens a text, the drawing program cuts such signs in half, and then gives up.
    whole = json.dumps(specification, ensure_ascii=False)
    text = _BEYOND.sub(lambda sign: f"[{ord(sign[0]):X}]", whole)
    if form == "svg":
        return str(vl_convert.vegalite_to_svg(text)).encode("utf-8")
    return bytes(vl_convert.vegalite_to_png(text, scale=2))
