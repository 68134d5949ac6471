"""Hinges of the panel in use: worked out once and kept, beside verdicts and on their own page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from threading import Thread
from typing import Any, TypeVar

import polars as pl
import streamlit as st

from core import claims
from core.basis import Ensemble
from core.claims import Claim, StudyClaims
from core.multiverse import hinges
from core.multiverse.hinges import Looked
from core.multiverse.setup import Setup
from core.panels.read import Panel
from pages.parts.panels import reduced

Result = TypeVar("Result")


def ensemble_of(panel: Panel) -> Ensemble[Any, Any]:
    """Put a panel and the other reconstructions of the same study together."""
    return reduced(panel).ensemble(claims.of(panel.contract.study).ensemble_type)


def single_changes(panel: Panel) -> pl.DataFrame:
    """Say what every single change from the planned setting does to every claim but orders."""
    study = claims.of(panel.contract.study)
    under_way = _under_way.get(_key(panel, "single"))
    if under_way is not None:
        under_way.join()
    return _once(panel, "single", lambda: hinges.single_changes(study, ensemble_of(panel)))


def single_changes_of(panel: Panel, asked: Sequence[Claim]) -> pl.DataFrame:
    """Say what every single change does to a few claims: quicker than to all, unless known.

    Orders are worked out one by one, where they are asked for.
    """
    study = claims.of(panel.contract.study)

    def work(own: Sequence[Claim]) -> pl.DataFrame:
        return hinges.single_changes(study, ensemble_of(panel), own)

    orders = [claim for claim in asked if claim.rule == "order"]
    found = [_once(panel, f"{claim.key}:single", partial(work, [claim])) for claim in orders]
    others = [claim for claim in asked if claim.rule != "order"]
    keys, known = [claim.key for claim in others], known_single_changes(panel)
    if known is not None:
        found.append(known.filter(pl.col("claim").is_in(keys)))
    elif others:
        found.append(_once(panel, " ".join(("changes of", *keys)), partial(work, others)))
    return pl.concat(found)


def known_single_changes(panel: Panel) -> pl.DataFrame | None:
    """Return the single changes if they were worked out already; None before that."""
    key = _key(panel, "single")
    return _store(panel).get(key)


Write = Callable[[pl.DataFrame], dict[str, str]]
"""Says of each claim what single changes do to it, by the claim's key."""


def work_out(panel: Panel, write: Write) -> None:
    """Work the single changes out in a thread of its own, unless that is under way already.

    What is said of them is written there too: of all claims that takes as long as several moves.
    """
    study, store, key = claims.of(panel.contract.study), _store(panel), _key(panel, "single")
    if key in store or key in _under_way:
        return
    found = ensemble_of(panel)

    def work() -> None:
        try:
            singles = hinges.single_changes(study, found)
            store[_key(panel, "notes")] = write(singles)
            store[key] = singles
        finally:
            _under_way.pop(key, None)

    thread = Thread(target=work, daemon=True)
    _under_way[key] = thread
    thread.start()


_under_way: dict[str, Thread] = {}
"""Threads that are working single changes out."""


def notes(panel: Panel, write: Write) -> dict[str, str]:
    """Return what is said of each claim of a panel, written once."""
    return _once(panel, "notes", lambda: write(single_changes(panel)))


def look(panel: Panel, setup: Setup, known: dict[str, Claim]) -> Looked:
    """Judge what a set-up looks at, in every reconstruction."""
    study: StudyClaims[Any, Any] = claims.of(setup.study)

    def work() -> Looked:
        wanted = [known[key] for key in setup.claims]
        specs = setup.specs(study)
        return hinges.look(study, ensemble_of(panel), wanted, specs, intervals=True)

    return _once(panel, setup.to_json(), work)


KEPT = 8
"""Results kept for each panel; the first ones go first, single changes and notes never."""


@st.cache_resource(show_spinner=False)
def _shared() -> dict[str, dict[str, Any]]:
    return {}


def _store(panel: Panel) -> dict[str, Any]:
    """Where results of a panel are kept: of a reader's own panel in this session only."""
    if panel.provenance.kind == "imported":
        own: dict[str, Any] = st.session_state.setdefault("hinges", {})
        return own
    return _shared().setdefault(panel.sha256, {})


def _key(panel: Panel, what: str) -> str:
    return f"{panel.sha256}:{what}"


def _once(panel: Panel, what: str, work: Callable[[], Result]) -> Result:
    """Work something out once."""
    store, key = _store(panel), _key(panel, what)
    found: Result | None = store.get(key)
    if found is None:
        # Another reader may take it out again at once, so that it is not read back.
        found = store[key] = work()
        others = [name for name in list(store) if not name.endswith((":single", ":notes"))]
        for name in others[: max(0, len(others) - KEPT)]:
            store.pop(name, None)
    return found
