"""Which story and step are looked at, from which panels; they stand in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import streamlit as st

from core.export import about
from core.panels.read import Panel
from core.report.document import Document
from core.report.link import LinkError
from core.report.make import of_panels
from core.report.of_story import behind as told_behind
from core.stories import link
from core.stories.data import Story, stories, unfilled
from core.stories.link import Asked
from core.stories.tell import Told, tell
from core.studies.about import study
from core.words import plain
from pages.parts import frame, reports
from pages.parts import panels as panel_store

PAGES = Path(__file__).resolve().parent.parent
NOTES = "stories-notes"
CHOSEN = "stories-chosen"
LAST = "stories-last"
"""Where the session keeps the last address, for a reader who comes back."""


@dataclass(frozen=True)
class Tour:
    """A story at one of its steps."""

    story: Story
    step: int
    used: Mapping[str, panel_store.InUse]
    """Panels in use by study."""

    @cached_property
    def told(self) -> Told:
        return self.tell(self.step)

    def tell(self, at: int) -> Told:
        """Tell one step; the others wait until somebody asks."""
        step = self.story.steps[at]
        return _tell(self.story.key, at, self.used[step.view.study.name].panel)

    @property
    def hashes(self) -> dict[str, str]:
        return {name: used.panel.hash for name, used in self.used.items()}

    @property
    def missing(self) -> list[str]:
        """Say which panels the link asked for that are not here."""
        return [
            f"The link was made with the panel whose hash begins {plain(used.asked_for)}, which is "
            f"not here. Told from {plain(used.panel.name)}. To see it as linked, upload that file "
            "on the panels page and open the link again."
            for used in self.used.values()
            if used.asked_for
        ]

    @property
    def address(self) -> str:
        return link.address(home(), self.story, self.step, self.hashes)


def _tell(key: str, at: int, panel: Panel) -> Told:
    """Tell a step once for everybody; from a reader's own panel for this session only."""
    if panel.provenance.kind == "imported":
        return tell(stories()[key].steps[at], panel_store.reduced(panel))
    return _told_once(key, at, panel.sha256, panel)


@st.cache_resource(show_spinner="Reading the panels", max_entries=64)
def _told_once(key: str, at: int, sha256: str, _panel: Panel) -> Told:
    del sha256
    return tell(stories()[key].steps[at], panel_store.reduced(_panel))


def home() -> str:
    """Return the machine that the page is open on."""
    url = (st.context.url or "").split("?")[0]
    return url.rsplit("/", 1)[0] if url.count("/") > 2 else url


def asked() -> Asked:
    """Read the address; without one, where this session was last."""
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    query = query or st.session_state.get(LAST, {})
    try:
        return link.read(query)
    except LinkError as error:
        st.warning(plain(str(error)))
        return link.read({})


def panels(asked: Asked) -> dict[str, panel_store.InUse]:
    """Find the panel of every study of the story: the link's, else the one in use."""
    used = {}
    for name in asked.story.studies:
        table, wanted = study(name).table, asked.panels.get(name, "")
        found = panel_store.get(name, table, wanted) if wanted else None
        own = panel_store.in_use(name, table)
        missing = wanted if wanted and found is None else ""
        used[name] = panel_store.InUse(found or own.panel, missing)
    return used


def choose(asked: Asked) -> None:
    """Offer all stories."""
    known = stories()
    st.session_state[CHOSEN] = asked.story.key
    st.pills(
        "Story",
        list(known),
        format_func=lambda key: known[key].title,
        key=CHOSEN,
        required=True,
        on_change=_start,
        wrap=True,
    )


def _start() -> None:
    """Begin the story that was chosen."""
    key = st.session_state[CHOSEN]
    st.session_state[LAST] = {"story": [key]}
    st.query_params.from_dict({"story": key})


def move(shown: Tour, by: int, label: str, key: str) -> None:
    """Draw a button to another step; the key of the keyboard does the same."""
    there = shown.step + by
    st.button(
        label,
        shortcut=key,
        disabled=not 0 <= there < len(shown.story.steps),
        on_click=_go,
        args=(shown, by),
        key=f"stories-{label}",
    )


def _go(shown: Tour, by: int) -> None:
    """Move on from where the last press led: several may come before a page is drawn again."""
    before = link.read(st.session_state.get(LAST, {}))
    start = before.step if before.story == shown.story else shown.step
    step = min(max(start + by, 0), len(shown.story.steps) - 1)
    query = link.query(shown.story, step, shown.hashes)
    _remember(query)
    st.query_params.from_dict(query)


def open_view(told: Told) -> None:
    """Lead to the study's page, with this view."""
    cited = told.step.view
    query = told.view.declaration.to_link(cited.choices, panel=told.panel.hash)
    st.page_link(
        PAGES / f"{cited.study.name}.py",
        label="Open this view",
        icon=":material/tune:",
        query_params={**query, **cited.looking},
        width="content",
    )


def cite(shown: Tour) -> None:
    """Show the story's link to copy."""
    frame.cite(
        shown.address,
        "This link opens the story at this step, told from the same panels:",
        label="Cite this step",
    )


def report(shown: Tour) -> None:
    """Offer the whole story as a file."""

    def prepare() -> Callable[[], Document]:
        found = {name: panel_store.reduced(used.panel) for name, used in shown.used.items()}
        machine = home()
        return lambda: of_panels(shown.story, found, machine)

    reports.offer(
        prepare,
        f"story-{shown.story.key}",
        "The whole story as a file that stands alone, with a link for every step.",
    )


def why_not(told: Told) -> str:
    """Say what of a step is not so."""
    said = plain(unfilled(told.step.headline))
    problems = "\n".join(f"- {plain(problem)}" for problem in told.problems)
    panel = plain(told.panel.name)
    return f"The story says here: “{said}”. {panel} does not support it:\n\n{problems}"


def behind(told: Told) -> str:
    """Say from which study and panel a step is told, and on what ground."""
    return plain(told_behind(told))


def lines(told: Told) -> list[str]:
    """Write what an export of the step's chart carries."""
    return about(told.panel, told.view.declaration, told.view.choices)


def _remember(query: Mapping[str, str]) -> None:
    st.session_state[LAST] = {name: [value] for name, value in query.items()}


def finish(shown: Tour) -> None:
    """Write the address and remember it; call it last."""
    wanted = link.query(shown.story, shown.step, shown.hashes)
    _remember(wanted)
    if dict(st.query_params) != wanted:
        st.query_params.from_dict(wanted)
