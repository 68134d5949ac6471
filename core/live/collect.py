"""Run an instrument over many items, and write the answers as a panel.

Every reply is in the cache before it is looked at, so a collection that is stopped, even killed,
goes on where it was when it is started again, and writes the panel when nothing is missing.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from core.live.categories import context_of
from core.live.character import CharacterCheck
from core.live.clause import ClauseCheck, Order
from core.live.clause_texts import from_item
from core.live.complaint import PERSONAS, ComplaintCheck
from core.live.faults import Fault, not_possible
from core.live.filename import DEFAULT, FilenameCheck, Marked, label_of
from core.live.instrument import generator
from core.live.rows import collected, panel_bytes
from core.live.run import Load, Outcome, Runner
from core.mirror_items import check as item_faults
from core.mirror_items import party_a, read_items

PARTY_SEED = 1
"""Decides which party of an item is called Party A."""

REPEATS = {"clauses": 1, "filenames": 3, "remedies": 1, "composition": 30}
"""Answers to each prompt, or generated texts, where nothing else is asked."""

FINAL = frozenset({"request refused"})
"""Faults of one text: asking again changes nothing, so that they do not keep a panel open."""


class Collectable(Protocol):
    """A check whose result can be written as rows."""

    @property
    def instrument(self) -> str:
        """Its name."""

    def loads(self) -> list[Load]:
        """Say how many calls it will make."""

    def steps(self) -> Any:
        """Run it, as `core.live.run.Check` says."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a collection is made."""

    model: str
    repeats: int = 0
    """As in `REPEATS` when 0."""
    typed: bool = False
    labels: tuple[str, ...] = DEFAULT
    order: Order = "reasoning_first"


@dataclass(slots=True)
class Collection:
    """What a collection has got."""

    tables: dict[str, list[pl.DataFrame]] = field(default_factory=dict)
    states: Counter[str] = field(default_factory=Counter)
    from_cache: int = 0
    fault: Fault | None = None
    """The first fault that left something out."""

    @property
    def calls(self) -> int:
        """How many questions were put."""
        return self.states.total()

    @property
    def missing(self) -> int:
        """How many of them have no answer yet."""
        return self.calls - sum(self.states[s] for s in ("answered", "unreadable", "refused"))

    def add(self, tables: dict[str, pl.DataFrame], outcomes: Sequence[Outcome]) -> None:
        """Add the result of one item."""
        for name, frame in tables.items():
            self.tables.setdefault(name, []).append(frame)
        for outcome in outcomes:
            refused = outcome.fault is not None and outcome.fault.kind in FINAL
            self.states["refused" if refused else outcome.state] += 1
            self.from_cache += outcome.from_cache
            if outcome.state in ("failed", "not asked") and not refused:
                self.fault = self.fault or outcome.fault


def checks_for(study: str, text: str, settings: Settings) -> list[Collectable]:
    """Read an item file.

    Parameters
    ----------
    study
        ``clauses``, ``filenames``, ``remedies`` or ``composition``.
    text
        CSV. Clauses: item, family, template, strong, weak, and a template ``mutual`` if there is
        one. Filenames: text, content, and genre and author_family if known. Remedies: complaint,
        text. Composition: place, role, and format and regime if not character and joint.
    settings
        How it is made.

    Raises
    ------
    LiveError
        If a column is missing, an item is empty, or a clause is no fair mirror.
    PanelError
        If a clause file breaks its own rules.
    """
    makers: dict[str, Callable[[str, Settings], Iterator[Collectable]]] = {
        "clauses": _clauses,
        "filenames": _filenames,
        "remedies": _remedies,
        "composition": _characters,
    }
    checks = list(makers[study](text, settings))
    if not checks:
        raise not_possible("items", "The item file holds no items.", "Add a line for each.")
    return checks


def collect(
    checks: Sequence[Collectable], runner: Runner, *, tell: Callable[[int, Collection], None]
) -> Collection:
    """Run checks one after the other, each with the runner's concurrency.

    Parameters
    ----------
    checks
        From `checks_for`.
    runner
        Puts the questions; stopping it ends the collection after the calls on their way.
    tell
        Called after each item with its number and what there is so far.
    """
    found = Collection()
    for number, check in enumerate(checks, start=1):
        result = runner.run(check)
        found.add(result.tables(), result.outcomes)
        tell(number, found)
    return found


def write(
    study: str, found: Collection, check: Collectable, settings: Settings, out: Path
) -> list[Path]:
    """Write the panel, and the study's other tables beside it where they have rows.

    Returns
    -------
    list of Path
        The files, the one that was asked for first. Each replaces an older one in one step.
    """
    written = []
    main = next(iter(found.tables))
    for name, frames in found.tables.items():
        frame = pl.concat(frames)
        if frame.is_empty() and name != main:
            continue
        about = collected(
            study,
            name,
            model=settings.model,
            generator=generator(check.instrument, _manner(check, settings)),
            title=f"{study} collected from {settings.model}",
        )
        path = out if name == main else _beside(out, main, name)
        part = path.with_name(path.name + ".part")
        part.write_bytes(panel_bytes(frame, about))
        part.replace(path)
        written.append(path)
    return written


def _manner(check: Collectable, settings: Settings) -> str:
    if settings.typed:
        return "typed"
    return settings.order if check.instrument == "clause" else "written"


def _beside(out: Path, main: str, name: str) -> Path:
    if out.name.startswith(main):
        return out.with_name(name + out.name.removeprefix(main))
    return out.with_name(f"{out.stem}-{name}{out.suffix}")


def _clauses(text: str, settings: Settings) -> Iterator[Collectable]:
    items = read_items(text)
    mutual = {(r["item"], r["family"]): r.get("mutual", "") for r in _lines(text, ("item",))}
    assigned = party_a(items, seed=PARTY_SEED)
    for item in items:
        faults = item_faults(item)
        if faults:
            what = f"The clause {item.item[:60]!r} in {item.family[:60]!r} is no fair mirror."
            raise not_possible("mirror", f"{what} {' '.join(faults[:3])}", "Change its template.")
        key = item.item, item.family
        yield ClauseCheck(
            tuple(from_item(item, assigned[key], mutual=mutual[key])),
            settings.repeats or REPEATS["clauses"],
            settings.order,
            settings.typed,
            settings.model,
        )


def _filenames(text: str, settings: Settings) -> Iterator[Collectable]:
    labels = tuple(label_of(name) for name in settings.labels)
    for line in _lines(text, ("text", "content")):
        marked = Marked(
            line["content"],
            line["text"],
            line.get("genre") or None,
            line.get("author_family") or "human",
        )
        repeats = settings.repeats or REPEATS["filenames"]
        yield FilenameCheck(marked, labels, repeats, settings.typed, settings.model)


def _remedies(text: str, settings: Settings) -> Iterator[Collectable]:
    for line in _lines(text, ("complaint", "text")):
        yield ComplaintCheck(
            line["text"],
            tuple(PERSONAS),
            repeats=settings.repeats or REPEATS["remedies"],
            typed=settings.typed,
            model=settings.model,
            complaint=line["complaint"],
            panel="collected",
        )


def _characters(text: str, settings: Settings) -> Iterator[Collectable]:
    for line in _lines(text, ("place", "role")):
        yield CharacterCheck(
            line["role"],
            context_of(line["place"]),
            settings.repeats or REPEATS["composition"],
            "implicit" if line.get("regime") == "implicit" else "joint",
            "story" if line.get("format") == "story" else "character",
            settings.model,
            typed=settings.typed,
        )


def _lines(text: str, needed: Sequence[str]) -> Iterator[dict[str, str]]:
    """Read the lines of an item file as text, without spaces around it."""
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    missing = [name for name in needed if name not in (reader.fieldnames or ())]
    if missing:
        what = f"The item file has no column {', '.join(missing)}."
        raise not_possible("items", what, "See python -m core.live collect --help.")
    for number, row in enumerate(reader, start=1):
        line = {k: (v or "").strip() for k, v in row.items() if isinstance(k, str)}
        empty = [name for name in needed if not line[name]]
        if empty:
            what = f"Item {number} has no {', '.join(empty)}."
            raise not_possible("items", what, "Fill it in or remove the line.")
        yield line
