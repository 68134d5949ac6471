"""A story as a report: its steps, what they are told from, and what the studies cannot say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType

from core import limits
from core.charts.theme import LIGHT
from core.panels.provenance import KIND_MEANINGS, Kind
from core.panels.read import Panel
from core.report import in_short, of_view, versions
from core.report.document import (
    Block,
    Document,
    Facts,
    Grid,
    Heading,
    Link,
    Picture,
    Points,
    Section,
    Text,
)
from core.stories.data import Story, unfilled
from core.stories.tell import Told, of_whole, says
from core.views.view import View
from core.words import listed, lowered, unmarked


def compose(
    story: Story,
    told: Sequence[Told],
    *,
    link: str,
    home: str,
    made: date,
    hinges: Mapping[str, Sequence[Block]] = MappingProxyType({}),
) -> Document:
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
    hinges
        What the planned verdicts of each study hinge on, by study; empty: nothing is said of it.
    """
    views = {own.view.study.name: own.view for own in told}
    kinds: tuple[Kind, ...] = tuple(
        dict.fromkeys(view.panel.provenance.kind for view in views.values())
    )
    several = len(views) > 1
    return Document(
        title=story.title,
        answer=says(story, told) or NOT_ALL,
        kinds=kinds,
        setting=f"story in {len(told)} steps",
        lead=(story.summary,),
        short=Facts(_in_short(story, told, kinds)),
        warnings=tuple(
            f"Step {at} is not supported by the panel in use, and says so."
            for at, own in enumerate(told, start=1)
            if not own.holds
        ),
        sections=(
            Section("The steps and their settings", (_contents(told, several=several),)),
            *_steps(told, home, several=several),
            Section("What is claimed", (*_claims(told, several=several),)),
            Section("The estimates behind the steps", (*_estimates(told),)),
            Section(
                "Adjustment and intervals",
                tuple(block for view in views.values() for block in _judgement(view, told)),
            ),
            *_hinges(views, hinges),
            Section(
                "Where the numbers come from",
                (*_basis(kinds), *(_origin(view) for view in views.values())),
            ),
            Section(
                limits.heading(*(view.panel for view in views.values())),
                tuple(block for view in views.values() for block in _cannot_say(view, several)),
            ),
            Section("Words used here", tuple(of_view.words_used(list(views)))),
            Section("How to make it again", (*_again(link, views),)),
        ),
        foot=of_view.foot(made),
    )


NOT_ALL = "Not all of this story holds for the panel in use."


def _in_short(
    story: Story, told: Sequence[Told], kinds: Sequence[Kind]
) -> tuple[tuple[str, str], ...]:
    """Say the story in a few lines."""
    trusted = " ".join(f"{kind.capitalize()} rows: {KIND_MEANINGS[kind]}." for kind in kinds)
    if kinds == ("reconstructed",):
        settled = sum(own.holds and own.step.ground == "printed figures" for own in told)
        trusted += f" Printed figures settle what is said in {settled} of {len(told)} steps."
    claim = of_whole(story.claim, story, told)
    return (
        ("The question", story.question),
        *([("The claim", claim)] if claim else []),
        ("The verdict", of_whole(story.verdict, story, told) or NOT_ALL),
        ("It hinges on", _hinges_on(told)),
        ("How far to trust it", trusted),
    )


def _hinges_on(told: Sequence[Told]) -> str:
    """Name the settings of steps in which a verdict is another one than planned."""
    said = [
        f"{_setting(own)} (step {at}: {len(own.flips)} of {_flip(len(own.tells))})"
        for at, own in enumerate(told, start=1)
        if own.holds and own.flips.size
    ]
    return f"{'; '.join(said)}." if said else "No step changes a verdict: what moves are numbers."


def _flip(count: int) -> str:
    return "1 verdict flips" if count == 1 else f"{count} verdicts flip"


def _setting(told: Told) -> str:
    """Name a step's departures from the planned setting; empty where there is none."""
    view = told.view
    return ", ".join(
        f"{choice.label}: {choice.say(value)} instead of {choice.say(choice.planned)}"
        for choice, value in view.declaration.departures(view.choices)
    )


def _contents(told: Sequence[Told], *, several: bool) -> Grid:
    """List the steps, each with its setting and the verdicts that it flips."""
    rows = []
    for at, own in enumerate(told, start=1):
        said = own.headline if own.holds else "This step does not hold here"
        flips = str(len(own.flips)) if own.holds and _setting(own) else "–"
        setting = _setting(own) or "as planned"
        study = (own.view.study.title,) if several else ()
        rows.append((str(at), said, *study, setting, flips))
    any_documented = any(own.panel.provenance.kind == "reconstructed" for own in told)
    return Grid(
        "What each step says",
        (
            *("step", "what it says", *(("study",) if several else ())),
            *("departs from the planned setting in", "verdicts that flip"),
        ),
        tuple(rows),
        "Every other choice has its planned value; the links of the steps carry all of them. "
        "Counted are the verdicts that a step tells of"
        f"{' and that the documents determine' if any_documented else ''}.",
    )


def _steps(told: Sequence[Told], home: str, *, several: bool) -> list[Section]:
    """Tell every step; a chart that an earlier step has shown is named, not drawn again."""
    shown: dict[tuple[object, ...], int] = {}
    sections = []
    for at, own in enumerate(told, start=1):
        before = at
        if own.chart is not None:
            drawn = own.chart.build(LIGHT)
            before = shown.setdefault((own.chart.reading, *drawn.fingerprint()), at)
        picture: list[Block] = [Picture(own.chart)] if own.chart else []
        if before < at:
            picture = [Text(f"The chart is that of step {before}.", is_quiet=True)]
        sections.append(_step(at, own, picture, home, several=several))
    return sections


def _step(at: int, told: Told, picture: Sequence[Block], home: str, *, several: bool) -> Section:
    cite = (
        Text(_ground(told, several=several), is_quiet=True),
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


def _ground(told: Told, *, several: bool) -> str:
    """Say from which study a step is told, in which setting, and why it may be said."""
    view = told.view
    study = f"{view.study.title} " if several else ""
    text = f"{study}Setting: {_setting(told) or 'as planned'}."
    if view.panel.provenance.kind != "reconstructed" or not told.holds:
        return text
    return f"{text} Ground: {told.step.ground}. {told.step.because}"


def _claims(told: Sequence[Told], *, several: bool) -> list[Block]:
    """List the claims of every study, so that names such as H1 can be looked up."""
    found: dict[str, dict[str, None]] = {}
    for own in told:
        found.setdefault(own.view.study.title, {}).update(dict.fromkeys(own.view.claims))
    blocks: list[Block] = []
    for study, claimed in found.items():
        blocks += [Heading(study)] if several else []
        blocks.append(Points(tuple(claimed)))
    return blocks


def _estimates(told: Sequence[Told]) -> list[Block]:
    """Set out the claims that the steps tell of; steps in the same setting share their rows."""
    tables: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for at, own in enumerate(told, start=1):
        steps = tables.setdefault(own.view.study.title, {})
        for row in in_short.written(own.judged, own.tells):
            steps.setdefault((_setting(own), *row), []).append(str(at))
    head = (
        *("step", "claim", "verdict as planned", "verdict in the step"),
        *("estimate", "interval", "p", "p adjusted"),
    )
    return [
        _without_empty(
            Grid(
                study,
                head,
                tuple((listed(at), *row) for (_, *row), at in steps.items()),
                ESTIMATES,
                frozenset(i for i, (_, _, before, now, *_) in enumerate(steps) if before != now),
            )
        )
        for study, steps in tables.items()
    ]


ESTIMATES = (
    "The claims that the steps tell of. Intervals and p-values stand where the study’s "
    "rule looks at them; intervals are not adjusted for several tests."
)


def _without_empty(table: Grid) -> Grid:
    """Leave out the columns that say nothing in any row."""
    kept = [i for i, name in enumerate(table.head) if {row[i] for row in table.rows} != {"–"}]
    rows = tuple(tuple(row[i] for i in kept) for row in table.rows)
    return replace(table, head=tuple(table.head[i] for i in kept), rows=rows)


def _hinges(views: Mapping[str, View], hinges: Mapping[str, Sequence[Block]]) -> list[Section]:
    """Set out what planned verdicts hinge on: one part for each study."""
    title = "What the planned verdicts hinge on"
    if len(hinges) == 1:
        return [Section(title, tuple(own)) for own in hinges.values()]
    return [
        Section(f"{title}: {lowered(views[name].study.label)}", tuple(own))
        for name, own in hinges.items()
    ]


def behind(told: Told) -> str:
    """Say from which study and panel a step is told, and what grounds it has."""
    view = told.view
    kind = view.panel.provenance.kind
    setting = of_view.setting(view.declaration, view.choices)
    text = f"Study: {view.study.title} Panel {view.panel.name} ({kind}); {setting}."
    if kind != "reconstructed" or not told.holds:
        return text
    return f"{text} Ground: {told.step.ground}. {told.step.because}"


def _basis(kinds: Sequence[Kind]) -> list[Block]:
    told: list[Block] = [
        Text(f"Kind of panel: {kind}. These are {KIND_MEANINGS[kind]}.") for kind in kinds
    ]
    return [*told, Points(of_view.BASIS)] if "reconstructed" in kinds else told


def _origin(view: View) -> Grid:
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
        ),
    )


def _judgement(view: View, told: Sequence[Told]) -> list[Block]:
    """Say how verdicts are given, by step where the steps of a study differ in it."""
    steps: dict[tuple[str, ...], list[str]] = {}
    for place, own in enumerate(told, start=1):
        if own.view.study.name == view.study.name:
            rule = tuple(map(unmarked, own.view.judgement))
            steps.setdefault(rule, []).append(str(place))
    blocks: list[Block] = []
    for rule, at in steps.items():
        every = f"{'Step' if len(at) == 1 else 'Steps'} {listed(at)}"
        blocks += [Heading(f"{every}: {view.study.title}"), Points(rule)]
    return blocks


def _cannot_say(view: View, several: bool) -> list[Block]:
    told = Points(view.cannot_say)
    return [Heading(view.study.title), told] if several else [told]


def _again(link: str, views: dict[str, View]) -> list[Block]:
    panels = [view.panel for view in views.values()]
    return [
        Text("This link opens the story, in a copy of Hinge that is running:"),
        *of_view.opens(link),
        *of_view.shell(link, panels, "story.html"),
        Text(f"Seeds: {_seeds(panels)}."),
        Text(f"Made with Hinge {versions.own()}, {versions.packages()}.", is_quiet=True),
    ]


def _seeds(panels: Sequence[Panel]) -> str:
    return "; ".join(f"rows of {p.name} {p.provenance.seed or 'none'}" for p in panels)
