"""A story as a report: its steps, what they are told from, and what the studies cannot say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.panels.provenance import KIND_MEANINGS, Kind
from core.report import of_view, versions
from core.report.document import (
    Block,
    Document,
    Grid,
    Heading,
    Link,
    Picture,
    Points,
    Section,
    Text,
)
from core.stories.data import Story, unfilled
from core.stories.tell import Told, says
from core.views.view import View
from core.words import listed, unmarked


def compose(story: Story, told: Sequence[Told], *, link: str, home: str, made: date) -> Document:
    """Put a report of a story together.

    Parameters
    ----------
    story
        The story.
    told
        Its steps, told from the panels in use.
    link
        Its link.
    home
        The machine on which the links of single steps open.
    made
        The day it is made.
    """
    answer = told[story.answer]
    views = {own.view.study.name: own.view for own in told}
    kinds: tuple[Kind, ...] = tuple(
        dict.fromkeys(view.panel.provenance.kind for view in views.values())
    )
    return Document(
        title=story.title,
        answer=says(story, told) or "Not all of this story holds for the panel in use.",
        kinds=kinds,
        setting=f"story in {len(told)} steps",
        lead=(story.summary, *((answer.text,) if answer.text else ())),
        warnings=tuple(
            f"Step {at} is not supported by the panel in use, and says so."
            for at, own in enumerate(told, start=1)
            if not own.holds
        ),
        sections=(
            *(_step(at, own, home) for at, own in enumerate(told, start=1)),
            Section("The settings of each step", (_settings(told),)),
            Section(
                "Where the numbers come from",
                (*_basis(kinds), *(_origin(view, told) for view in views.values())),
            ),
            Section(
                "What these studies cannot say",
                tuple(block for view in views.values() for block in _cannot_say(view)),
            ),
            Section("See it again", (*_again(link, views),)),
        ),
        foot=of_view.foot(made),
    )


def _step(at: int, told: Told, home: str) -> Section:
    picture: list[Block] = [Picture(told.chart)] if told.chart else []
    cite = (
        Text(behind(told), is_quiet=True),
        Link(told.link(home), "Open this view in Hinge"),
    )
    if told.holds:
        return Section(f"{at}. {told.headline}", (Text(told.text), *picture, *cite))
    said = unfilled(told.step.headline)
    why = (
        Text(f"The story says here: “{said}”. The panel in use does not support it:"),
        Points(told.problems),
    )
    return Section(f"{at}. This step does not hold here", (*why, *picture, *cite))


def behind(told: Told) -> str:
    """Say from which study and panel a step is told, and what grounds it has."""
    view = told.view
    kind = view.panel.provenance.kind
    setting = of_view.setting(view.declaration, view.choices)
    text = f"Study: {view.study.title} Panel {view.panel.name} ({kind}); {setting}."
    if kind != "reconstructed" or not told.holds:
        return text
    return f"{text} Ground: {told.step.ground}. {told.step.because}"


def _settings(told: Sequence[Told]) -> Grid:
    rows = []
    for at, own in enumerate(told, start=1):
        view = own.view
        departed = view.declaration.departures(view.choices)
        lines = [
            f"{choice.label}: {choice.say(value)} (planned: {choice.say(choice.planned)})"
            for choice, value in departed
        ]
        rows.append((str(at), view.study.title, "; ".join(lines) or "as planned"))
    return Grid(
        "Departures from the planned setting",
        ("step", "study", "departs from the planned setting in"),
        tuple(rows),
        "Every other choice has its planned value; the links of the steps carry all of them.",
    )


def _basis(kinds: Sequence[Kind]) -> list[Block]:
    told: list[Block] = [
        Text(f"Kind of panel: {kind}. These are {KIND_MEANINGS[kind]}.") for kind in kinds
    ]
    return [*told, Points(of_view.BASIS)] if "reconstructed" in kinds else told


def _origin(view: View, told: Sequence[Told]) -> Grid:
    own = view.panel.provenance
    return Grid(
        f"The panel of “{view.study.title}”",
        ("what", "value"),
        (
            ("panel", view.panel.name),
            ("kind", own.kind),
            ("source", own.source or "not stated"),
            ("seed of the rows", own.seed or "none"),
            ("sha256", view.panel.sha256),
            *_judgement(view, told),
        ),
    )


def _judgement(view: View, told: Sequence[Told]) -> list[tuple[str, str]]:
    """Say how verdicts are given, by step where the steps of a study differ in it."""
    steps: dict[str, list[str]] = {}
    for at, own in enumerate(told, start=1):
        if own.view.study.name == view.study.name:
            rule = " ".join(map(unmarked, own.view.judgement))
            steps.setdefault(rule, []).append(str(at))
    if len(steps) == 1:
        return [("how verdicts are given", rule) for rule in steps]
    return [
        (f"how verdicts are given in {'step' if len(at) == 1 else 'steps'} {listed(at)}", rule)
        for rule, at in steps.items()
    ]


def _cannot_say(view: View) -> list[Block]:
    return [Heading(view.study.title), Points(view.cannot_say)]


def _again(link: str, views: dict[str, View]) -> list[Block]:
    panels = [view.panel for view in views.values()]
    return [
        Text("This link opens the story, in a copy of Hinge that is running:"),
        Link(link),
        *of_view.shell(link, panels, "story.html"),
        Text(f"Made with Hinge {versions.own()}, {versions.packages()}.", is_quiet=True),
    ]
