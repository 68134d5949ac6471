"""Which panel is in use: shipped ones are read once for everybody, uploads belong to a session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from core.panels.catalogue import Shipped, shipped
from core.panels.read import Panel
from core.studies.about import STUDIES
from core.studies.clauses.reduce import ClauseStatistics
from core.studies.composition.reduce import CellStatistics
from core.studies.filenames.reduce import Statistics as ScoreStatistics
from core.studies.reduced import Reduced, name_beside, reduce_panel
from core.studies.remedies.reduce import Statistics as RemedyStatistics


@dataclass(frozen=True)
class InUse:
    """A panel and, when a link asked for another one, what it asked for."""

    panel: Panel
    asked_for: str = ""


@st.cache_resource(show_spinner=False)
def catalogue(study: str, table: str) -> tuple[Shipped, ...]:
    return shipped(study, table)


@st.cache_resource(show_spinner="Reading the panel")
def _read(study: str, table: str, panel_hash: str) -> Panel:
    return _read_quietly(study, table, panel_hash)


@st.cache_resource(show_spinner=False)
def _read_quietly(study: str, table: str, panel_hash: str) -> Panel:
    return next(p for p in catalogue(study, table) if p.hash == panel_hash).read()


def available(study: str, table: str) -> dict[str, str]:
    """Map hashes of all usable panels to their names, shipped ones first."""
    names = {p.hash: p.path.stem for p in catalogue(study, table)}
    wanted = (study, table)
    return names | {
        p.hash: p.name for p in uploads() if (p.contract.study, p.contract.table) == wanted
    }


def uploads() -> list[Panel]:
    return list(st.session_state.setdefault("uploads", {}).values())


def is_brought(panel: Panel) -> bool:
    """Say whether this file is in the session already, in the same row shape."""
    return any((p.hash, p.contract) == (panel.hash, panel.contract) for p in uploads())


def own_in_use() -> list[Panel]:
    """List the panels that a reader brought and that a study's page is drawn from now."""
    return [
        panel
        for panel in uploads()
        if is_shown(panel) and st.session_state.get(f"panel:{panel.contract.study}") == panel.hash
    ]


def add_upload(panel: Panel) -> None:
    st.session_state.setdefault("uploads", {})[panel.hash] = panel
    if is_shown(panel):
        use(panel.contract.study, panel.hash)


def is_shown(panel: Panel) -> bool:
    """Say whether a page is drawn from panels of this table."""
    return (panel.contract.study, panel.contract.table) in {(s.name, s.table) for s in STUDIES}


def use_of(panel: Panel) -> str:
    """Say what a panel that was brought is good for."""
    if is_shown(panel):
        return "It is in use now."
    if panel.contract.study == "remedies":
        return (
            f"It is used beside a panel of decisions of the same name, with “decisions” for "
            f"“{panel.contract.table}” in it."
        )
    return "No page is drawn from this table."


def use(study: str, panel_hash: str) -> None:
    st.session_state[f"panel:{study}"] = panel_hash


def get(study: str, table: str, panel_hash: str) -> Panel | None:
    """Find a panel by its hash, None when it is neither shipped nor uploaded here."""
    uploaded: Panel | None = st.session_state.setdefault("uploads", {}).get(panel_hash)
    if uploaded is not None:
        contract = uploaded.contract
        return uploaded if (contract.study, contract.table) == (study, table) else None
    if any(p.hash == panel_hash for p in catalogue(study, table)):
        return _read(study, table, panel_hash)
    return None


def in_use(study: str, table: str, *, link: str | None = None) -> InUse:
    """Return the panel in use: a link's first, else the chosen one, else the first shipped.

    ``link`` is the panel that the link names; by default the address says it.
    """
    asked = st.query_params.get("panel", "") if link is None else link
    if asked and asked != st.session_state.get(f"linked:{study}"):
        st.session_state[f"linked:{study}"] = asked
        if get(study, table, asked) is not None:
            use(study, asked)
    chosen = st.session_state.get(f"panel:{study}") or catalogue(study, table)[0].hash
    panel = get(study, table, chosen) or get(study, table, catalogue(study, table)[0].hash)
    assert panel is not None
    missing = asked if asked and get(study, table, asked) is None else ""
    return InUse(panel, missing)


def twins(panel: Panel) -> list[Panel]:
    """Return the other shipped panels of the same table and kind; none beside a reader's own."""
    study, table, kind = panel.contract.study, panel.contract.table, panel.provenance.kind
    if kind != "reconstructed":
        return []
    found = [get(study, table, p.hash) for p in catalogue(study, table) if p.hash != panel.hash]
    return [p for p in found if p is not None and p.provenance.kind == kind]


def reduced(panel: Panel) -> Reduced:
    """Return the statistics of a panel and of the others that stand for the same rows."""
    return Reduced(panel, tuple(statistics_of(p) for p in (panel, *twins(panel))))


def cell_statistics(panel: Panel) -> CellStatistics:
    """Reduce a composition panel, once."""
    found: CellStatistics = statistics_of(panel)
    return found


def clause_statistics(panel: Panel) -> ClauseStatistics:
    """Reduce a panel of ratings, once, with the archetypes that ship beside it."""
    found: ClauseStatistics = statistics_of(panel)
    return found


def score_statistics(panel: Panel) -> ScoreStatistics:
    """Reduce a panel of marks, once."""
    found: ScoreStatistics = statistics_of(panel)
    return found


def remedy_statistics(panel: Panel) -> RemedyStatistics:
    """Reduce a panel of decisions, once, with the attributes and audit of the same name."""
    found: RemedyStatistics = statistics_of(panel)
    return found


_BESIDE = {"clauses": ("archetypes",), "remedies": ("attributes", "audit")}
"""Tables that are reduced with a study's own."""


def statistics_of(panel: Panel) -> Any:
    """Reduce a panel of any study, once, with the tables that stand beside it."""
    beside = {t: _beside(panel, t) for t in _BESIDE.get(panel.contract.study, ())}
    more = [own.sha256 for own in beside.values() if own is not None]
    return _once(panel, lambda: reduce_panel(panel, beside.__getitem__), *more)


def prepare() -> None:
    """Read and reduce what takes longest, so that it is there when somebody asks for it."""
    for first in catalogue("remedies", "decisions")[:1]:
        remedy_statistics(_read_quietly("remedies", "decisions", first.hash))


def prepare_twins() -> None:
    """Read and reduce the others that stand for the same rows as the panel of `prepare`."""
    for known in shipped("remedies", "decisions", "reconstructed"):
        remedy_statistics(_read_quietly("remedies", "decisions", known.hash))


def _beside(panel: Panel, other: str) -> Panel | None:
    """Find the other table of a panel: its file has the same name but for the table's."""
    name, study = name_beside(panel, other), panel.contract.study
    if panel.provenance.kind == "imported":
        # Marks of clauses are known for the shipped ratings only.
        own = [p for p in uploads() if (p.contract.study, p.contract.table) == (study, other)]
        return next((p for p in own if p.name == name and other != "archetypes"), None)
    found = next((p for p in catalogue(study, other) if p.path.stem == name), None)
    return None if found is None else _read_quietly(study, other, found.hash)


Statistics = TypeVar("Statistics")


def _once(panel: Panel, reduce: Callable[[], Statistics], *more: str) -> Statistics:
    """Reduce a panel once: a shipped one for everybody, a reader's own in this session only.

    ``more`` are checksums of other files that are reduced with it.
    """
    key = "-".join((panel.contract.study, panel.contract.table, panel.sha256, *more))
    if panel.provenance.kind != "imported":
        return _reduced(key, reduce)
    kept: dict[str, Any] = st.session_state.setdefault("reduced", {})
    if key not in kept:
        kept[key] = reduce()
    result: Statistics = kept[key]
    return result


@st.cache_resource(show_spinner=False, max_entries=32)
def _reduced(key: str, _reduce: Callable[[], Any]) -> Any:
    del key
    return _reduce()
