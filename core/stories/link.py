"""The link of a story: which one, at which step, told from which panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from core.choices import LINK_VERSION, Repair, repeated, shortened, unknown_names, unknown_version
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
    repairs: tuple[Repair, ...] = ()
    """What the link asks for that is not there."""


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
    story = known[key]
    at, repairs = _step(story, _last(parameters, "step"))
    for name, used in (("story", story.title), ("step", f"step {at + 1}")):
        repairs += repeated(name.capitalize(), parameters.get(name, ()), used)
    repairs += unknown_names(parameters, ("link", "story", "step", "panels"), "this page")
    repairs += unknown_version(parameters)
    hashes = _last(parameters, "panels").split(BETWEEN)
    for part in hashes:
        if part and (len(part) != PANEL_DIGITS or not set(part) <= set("0123456789abcdef")):
            raise LinkError(
                f"The link names the panel {part[:40]!r}; expected the first {PANEL_DIGITS} digits "
                "of its checksum (0-9, a-f). Copy the whole link again."
            )
    panels = {study: part for study, part in zip(story.studies, hashes, strict=False) if part}
    return Asked(story, at, panels, repairs)


def _step(story: Story, asked: str) -> tuple[int, tuple[Repair, ...]]:
    """Return the step that is asked for, counted from 0, or the nearest with what was wrong."""
    last = len(story.steps)
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else 1
    used = min(max(number, 1), last)
    if asked in ("", str(used)):
        return used - 1, ()
    why = f"which is no step from 1 to {last}"
    return used - 1, (Repair("Step", shortened(asked), f"step {used}", why),)


def _last(parameters: Mapping[str, Sequence[str]], name: str) -> str:
    values = parameters.get(name, ())
    return values[-1] if values else ""
