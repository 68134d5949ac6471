"""A view as a report."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import date
from urllib.parse import urlsplit

from core import limits
from core.choices import ROLE_HEADINGS, Choice, Choices, Declaration, Repair
from core.panels.provenance import KIND_MEANINGS
from core.panels.read import Panel
from core.report import versions
from core.report.document import (
    Block,
    Document,
    Facts,
    Grid,
    Link,
    Picture,
    Points,
    Section,
    Shell,
    Text,
)
from core.report.glossary import glossary
from core.report.in_short import Row
from core.report.link import is_loopback
from core.views.view import Listing, View
from core.words import counted, lowered, unmarked

BASIS = (
    "Pinned: a printed figure that the search for the rows was given.",
    "Agrees: not printed, but the same in every shipped reconstruction.",
    "Varies: not determined by the document; reconstructions differ, and the number shown is one "
    "possibility.",
    "The reconstructions share one search and one sense of what is plausible, so their spread is "
    "no interval and understates what is possible.",
)
"""What stands behind numbers from reconstructed rows."""

ANOTHER = "another question"
"""What the departure from a choice of this role means."""

NO_VERDICT = (
    "A verdict is a rule’s answer under the stated choices. It is not “fair” or “unfair” by "
    "itself, and nothing here is legal advice."
)


def compose(
    view: View,
    *,
    link: str,
    made: date,
    short: Sequence[Row] = (),
    hinges: Sequence[Block] = (),
    repairs: Sequence[Repair] = (),
) -> Document:
    """Put a report of a view together.

    Parameters
    ----------
    view
        The view.
    link
        Its cite link.
    made
        The day it is made.
    short
        The view in a few lines, as `core.report.in_short` says it.
    hinges
        What planned verdicts hinge on; empty: nothing is said of it.
    repairs
        What of the link could not be restored.
    """
    return Document(
        title=view.study.title,
        answer=unmarked(view.answer),
        kinds=(view.panel.provenance.kind,),
        setting=setting(view.declaration, view.choices),
        lead=tuple(unmarked(text) for text in view.further),
        short=Facts(
            (("The question", view.study.asks), *short, ("The setting", _setting_in_short(view)))
        ),
        warnings=tuple(repair.sentence() for repair in repairs),
        sections=(
            Section("Planned and chosen settings", tuple(settings(view))),
            *_told("What is claimed, and the verdicts", verdicts(view)),
            *_told("Adjustment and intervals", [Points(view.judgement)] if view.judgement else []),
            *_told("What the planned verdicts hinge on", hinges),
            Section("Where the numbers come from", tuple(origin(view.panel, view.size))),
            Section(limits.heading(view.panel), (Points(view.cannot_say),)),
            Section("Words used here", tuple(words_used([view.study.name]))),
            Section("How to make it again", tuple(again(view, link))),
            Section("Annex: every choice", (every_choice(view),)),
        ),
        foot=foot(made),
    )


def _told(title: str, blocks: Sequence[Block]) -> list[Section]:
    """Make a section, or none where there is nothing to tell."""
    return [Section(title, tuple(blocks))] if blocks else []


def foot(made: date) -> str:
    """Say when and with what a report was made."""
    return f"Hinge {versions.own()}, {made.day} {made:%B %Y}. {NO_VERDICT}"


def setting(declaration: Declaration, choices: Choices) -> str:
    """Say in a few words whether this is the planned setting."""
    departed = declaration.departures(choices)
    return _count(departed) if departed else "planned setting"


def _count(departed: Sequence[object]) -> str:
    return counted(len(departed), "departure from the planned setting",
                   "departures from the planned setting")  # fmt: skip


def _setting_in_short(view: View) -> str:
    """Name the departures, each with its planned value."""
    departed = view.declaration.departures(view.choices)
    if not departed:
        return "The planned setting: every choice has the value that the study planned."
    said = "; ".join(
        f"{choice.label}: {choice.say(value)} (planned: {choice.say(choice.planned)})"
        for choice, value in departed
    )
    return f"{_count(departed)}. {said}."


def verdicts(view: View) -> list[Block]:
    """Set out what is claimed, the charts, and every verdict with its estimate."""
    blocks: list[Block] = [Points(view.claims)] if view.claims else []
    blocks += [Picture(chart) for chart in view.charts.values()]
    departs = bool(view.declaration.departures(view.choices))
    return [*blocks, *(grid(listing, departs=departs) for listing in view.listings)]


SAME_AS_PLANNED = {"verdict now": "verdict", "now": "value"}
"""Names of columns where there is no other setting to tell apart."""


def grid(listing: Listing, *, departs: bool) -> Grid:
    """Write a table; rows stand out where a verdict is not the planned one.

    In the planned setting its columns are not repeated.
    """
    rows = listing.rows
    if not departs:
        rows = rows.drop("verdict as planned", "planned", strict=False)
        rows = rows.rename(SAME_AS_PLANNED, strict=False)
    marked = frozenset[int]()
    if {"verdict as planned", "verdict now"} <= set(rows.columns):
        flips = rows["verdict as planned"] != rows["verdict now"]
        marked = frozenset(i for i, flip in enumerate(flips) if flip)
    return Grid(listing.title, tuple(rows.columns), tuple(rows.rows()), listing.note, marked)


def settings(view: View) -> list[Block]:
    """List every departure."""
    declaration, choices = view.declaration, view.choices
    departed = declaration.departures(choices)
    if not departed:
        same = "Every choice has its planned value; the annex lists all of them."
        return [Text(same), *_of_parts(declaration, choices)]
    told = tuple(_departure(choice, choices) for choice, _ in departed)
    same = "Every other choice has its planned value; the annex lists all of them."
    return [Points(told), Text(same), *_of_parts(declaration, choices)]


def every_choice(view: View) -> Grid:
    """List every choice with its planned and its chosen value."""
    declaration, choices = view.declaration, view.choices
    shown = [c for c in declaration if not c.section and declaration.has_effect(c, choices)]
    rows = tuple(
        (
            ROLE_HEADINGS[choice.role],
            choice.label,
            choice.say(choice.planned),
            choice.say(choices[choice.key]),
            choice.mark,
            choice.where,
        )
        for role in ROLE_HEADINGS
        for choice in shown
        if choice.role == role
    )
    keys = [choice.key for role in ROLE_HEADINGS for choice in shown if choice.role == role]
    marked = {choice.key for choice, _ in declaration.departures(choices)}
    return Grid(
        "Every choice",
        ("part", "choice", "planned", "chosen", "kind of planned value", "stated in"),
        rows,
        "Choices under “The question” ask another question; the others answer the same one "
        "another way.",
        frozenset(i for i, key in enumerate(keys) if key in marked),
    )


def _departure(choice: Choice, choices: Choices) -> str:
    chosen = choices[choice.key]
    mark = choice.mark_of(chosen)
    told = f"{choice.label}: {choice.say(chosen)}"
    told += f" ({mark})" if mark else ""
    told += f" instead of {choice.say(choice.planned)} ({choice.mark})."
    return f"{told} This is {ANOTHER}." if choice.role == "estimand" else told


def _of_parts(declaration: Declaration, choices: Choices) -> list[Block]:
    """Name choices of single parts of the page that were moved; they move no verdict here."""
    moved = [
        f"{choice.label}: {choice.say(choices[choice.key])}"
        for choice in declaration
        if choice.section and choices[choice.key] != choice.opening
    ]
    return (
        [Text(f"Moved in parts of the page: {'; '.join(moved)}.", is_quiet=True)] if moved else []
    )


def origin(panel: Panel, size: int) -> list[Block]:
    """Say what kind of rows these are, which file they are, and what stands behind numbers."""
    own = panel.provenance
    rows: tuple[tuple[str, str], ...] = (
        ("panel", panel.name),
        ("title", own.title or "not stated"),
        ("kind", own.kind),
        ("source", own.source or "not stated"),
        ("licence", own.licence or "not stated"),
        ("made by", own.generator or "not stated"),
        ("seed of the rows", own.seed or "none"),
        ("sha256", panel.sha256),
        ("row shape", f"{panel.contract.study} {panel.contract.table}, version {own.schema}"),
    )
    blocks: list[Block] = [Text(f"Kind of panel: {own.kind}. These are {KIND_MEANINGS[own.kind]}.")]
    if own.kind == "reconstructed":
        blocks += [
            Text(
                f"{counted(size, 'such set', 'such sets')} of rows are compared here. What stands "
                "behind a number or a verdict:"
            ),
            Points(BASIS),
        ]
    return [*blocks, Grid("The panel", ("what", "value"), rows)]


def again(view: View, link: str) -> list[Block]:
    """Say how to open the view again and how to make this file from a shell."""
    return [
        Text("This link restores the view exactly, in a copy of Hinge that is running:"),
        *opens(link),
        *shell(link, [view.panel], "report.html"),
        Text(f"Seeds: {_seeds(view)}."),
        Text(f"Made with Hinge {versions.own()}, {versions.packages()}.", is_quiet=True),
    ]


def opens(link: str) -> list[Block]:
    """Give a link, and say where it works if that is not everywhere."""
    if not is_loopback(link):
        return [Link(link)]
    home = "://".join(urlsplit(link)[:2])
    note = (
        f"{home} works only on the machine where the app runs. Elsewhere replace it by the address "
        "of your own copy of Hinge; what follows it stays."
    )
    return [Link(link), Text(note, is_quiet=True)]


def shell(link: str, panels: Sequence[Panel], name: str) -> list[Block]:
    """Say how to make a file from a shell; files of a reader's own panels are named."""
    files = [shlex.quote(f"{p.name}.parquet") for p in panels if p.provenance.kind == "imported"]
    brought = f" --panel {' '.join(files)}" if files else ""
    return [
        Text("From a shell, in a copy of Hinge:"),
        Shell(
            (
                "make app",
                f".venv/bin/python -m core.report --cite {shlex.quote(link)}{brought} --out {name}",
            )
        ),
    ]


def words_used(studies: Sequence[str]) -> list[Block]:
    """Explain the terms that the reports of some studies use."""
    told = tuple(f"{word}: {meaning}" for word, meaning in glossary(studies).items())
    return [Points(told)]


def _seeds(view: View) -> str:
    """List the seeds that a view rests on."""
    chosen = [
        f"{lowered(choice.label)} {choice.say(view.choices[choice.key])}"
        for choice in view.declaration
        if choice.key.endswith("seed") and not choice.section
    ]
    return "; ".join([*chosen, f"rows {view.panel.provenance.seed or 'none'}"])
