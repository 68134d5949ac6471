"""Long work: started by a button, shown with the time left, cancelled by another, then kept."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from core.panels.read import Panel
from core.stats.resampling import Progress
from core.studies.composition.kept import Result as Draws
from core.studies.composition.kept import read as read_draws

Result = TypeVar("Result")

LARGEST = 200
"""Results kept; they are small arrays."""

REPORT_EVERY = 0.2
"""Seconds between reports; each one is also where a cancellation takes effect."""


class Kept:
    """Results by key, the least recently used ones dropped; shared by all sessions."""

    def __init__(self) -> None:
        self._results: OrderedDict[str, object] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> object | None:
        """Return a result, None when there is none."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
            return self._results.get(key)

    def put(self, key: str, result: object) -> None:
        """Keep a result."""
        with self._lock:
            self._results[key] = result
            while len(self._results) > LARGEST:
                self._results.popitem(last=False)


@st.cache_resource(show_spinner=False)
def _shared() -> Kept:
    return Kept()


def kept(panel: Panel) -> Kept:
    """Where results drawn from a panel are kept: a reader's own panel's in this session only."""
    if panel.provenance.kind != "imported":
        return _shared()
    own: Kept = st.session_state.setdefault("drawn", Kept())
    return own


def find_or_offer(
    store: Kept, key: str, work: Callable[[Progress], Result], *, label: str, seconds: int
) -> Result | None:
    """Return a kept result, or run the work when the reader has asked for it, or offer to.

    A click anywhere while it runs ends the run at its next report; only the button's own request
    starts it again, so Cancel leaves nothing behind.
    """
    found = store.get(key)
    if found is not None:
        return found  # type: ignore[return-value]
    if st.session_state.get("job") == key:
        st.button("Cancel", on_click=_ask, args=("",), key=f"cancel-{key}")
        bar = st.progress(0.0, text=f"{label}: starting")
        result = work(_report(bar, label))
        store.put(key, result)
        _ask("")
        st.rerun()
    st.button(
        f"{label} (about {seconds} s)",
        on_click=_ask,
        args=(key,),
        key=f"run-{key}",
        icon=":material/play_arrow:",
    )
    return None


def _ask(key: str) -> None:
    st.session_state["job"] = key


def _report(bar: st.delta_generator.DeltaGenerator, label: str) -> Progress:
    started = time.monotonic()
    last = started

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < REPORT_EVERY or not done:
            return
        last = now
        left = (now - started) * (total - done) / done
        bar.progress(min(done / total, 1.0), text=f"{label}: about {left:.0f} s left")

    return report


@st.cache_resource(show_spinner=False, max_entries=16)
def shipped(panel_sha256: str) -> dict[str, Draws]:
    """Read the draws that ship with a panel."""
    return read_draws(panel_sha256)
