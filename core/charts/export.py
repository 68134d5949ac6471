"""Charts as files that stand alone: SVG and PNG with title, choices, panel and kind on them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Literal

import altair as alt

from core.charts.theme import LIGHT

CAPTION_WIDTH = 110


def chart_file(
    chart: alt.LayerChart | alt.VConcatChart | alt.HConcatChart | alt.Chart,
    *,
    title: str,
    caption: Sequence[str],
    form: Literal["svg", "png"],
) -> bytes:
    """Draw a chart as a file.

    Parameters
    ----------
    chart
        A chart built with the light palette.
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
    import vl_convert

    lines = [part for line in caption for part in textwrap.wrap(line, CAPTION_WIDTH) or [""]]
    heading = alt.TitleParams(
        text=textwrap.wrap(title, 90),
        subtitle=lines,
        anchor="start",
        fontSize=15,
        subtitleFontSize=10,
        subtitleColor=LIGHT.quiet_text,
        offset=14,
    )
    spec = chart.properties(title=heading, background=LIGHT.background)
    if not isinstance(spec, alt.VConcatChart | alt.HConcatChart):
        spec = spec.properties(width=720)
    text = spec.to_json(validate=False)
    if form == "svg":
        return vl_convert.vegalite_to_svg(text).encode("utf-8")
    return bytes(vl_convert.vegalite_to_png(text, scale=2))
