"""The link of a story: which one, at which step, told from which panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from core.choices import LINK_VERSION
from core.report.link import PANEL_DIGITS, LinkError
from core.stories import PATH
from core.stories.data import Story, stories

BETWEEN = "."
"""Stands between the panels, which are in the order of the story's studies."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a story's link asks for."""

    story: Story
    step: int
    """Counted from 0; within the story."""
    panels: Mapping[str, str]
    """First digits of a panel's checksum by study; studies without one are left out."""


def query(story: Story, step: int, panels: Mapping[str, str]) -> dict[str, str]:
    """Write the query of a story's link."""
    named = BETWEEN.join(panels.get(study, "") for study in story.studies)
    return {"link": LINK_VERSION, "story": story.key, "step": str(step + 1), "panels": named}


def address(home: str, story: Story, step: int, panels: Mapping[str, str]) -> str:
    """Write a story's link."""
    return f"{home}/{PATH}?{urlencode(query(story, step, panels))}"


def read(parameters: Mapping[str, Sequence[str]]) -> Asked:
    """Read the query of a story's link.

    Parameters
    ----------
    parameters
        Values of each parameter; the last of several counts. A step that is not there is the
        nearest one; a link without a story means the first.

    Raises
    ------
    LinkError
        If there is no such story, or a panel is no checksum.
    """
    known = stories()
    key = _last(parameters, "story") or next(iter(known))
    if key not in known:
        raise LinkError(
            f"The link names the story {key[:40]!r}; expected one of {', '.join(known)}. Choose a "
            "story on the stories page."
        )
    story, step = known[key], _last(parameters, "step")
    at = int(step) - 1 if step.isascii() and step.isdigit() and len(step) < 4 else 0
    hashes = _last(parameters, "panels").split(BETWEEN)
    for part in hashes:
        if part and (len(part) != PANEL_DIGITS or not set(part) <= set("0123456789abcdef")):
            raise LinkError(
                f"The link names the panel {part[:40]!r}; expected the first {PANEL_DIGITS} digits "
                "of its checksum (0-9, a-f). Copy the whole link again."
            )
    panels = {study: part for study, part in zip(story.studies, hashes, strict=False) if part}
    return Asked(story, min(max(at, 0), len(story.steps) - 1), panels)


def _last(parameters: Mapping[str, Sequence[str]], name: str) -> str:
    values = parameters.get(name, ())
    return values[-1] if values else ""
