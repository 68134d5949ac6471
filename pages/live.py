"""Check one clause, complaint, text or character of the reader's own against a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.live import doors, shown
from core.live.providers.local import WORDS
from core.words import plain
from pages.parts import live_inputs, live_provider, live_results, live_run

INSTRUMENTS = {
    "clause": "Clause",
    "complaint": "Complaint",
    "filename": "File name",
    "character": "Character",
}
QUESTIONS = {
    "clause": "Is a contract clause rated otherwise when its parties swap places?",
    "complaint": "Does a complaint end otherwise when it is written in another style?",
    "filename": "Does a label in a file’s name move the mark of the same text?",
    "character": "Who is written for a role in a place, by the text’s own words?",
}
INPUTS: dict[str, Callable[[live_provider.Asked], Any]] = {
    "clause": live_inputs.clause,
    "complaint": live_inputs.complaint,
    "filename": live_inputs.filename,
    "character": live_inputs.character,
}
WRITES = frozenset({"complaint", "character"})
"""Instruments that have texts written, for which some providers need a writer."""

st.title("Check one text", anchor=False)
instrument = str(
    st.segmented_control(
        "Instrument",
        list(INSTRUMENTS),
        format_func=INSTRUMENTS.__getitem__,
        default="clause",
        required=True,
        key="live:instrument",
        label_visibility="collapsed",
        wrap=True,
        persist_state="session",
    )
)
st.markdown(f"{QUESTIONS[instrument]} {shown.ANECDOTE}")

asked = live_provider.draw(needs_writer=instrument in WRITES)
if asked.door.key.startswith(doors.LOCAL):
    st.caption(WORDS)
check: Any = INPUTS[instrument](asked)

job = live_run.job_of(instrument)
if check is not None and asked.door.key == doors.BY_HAND:
    result = live_run.by_hand(instrument, check)
    live_results.draw(result)
    st.stop()
if check is not None:
    live_run.offer(instrument, check, asked)
if job is not None and not job.is_done:
    live_run.follow(instrument)
elif job is not None:
    if job.fault is not None:
        st.error(plain(job.fault.sentence()))
    if job.result is not None:
        if check is not None and job.check != check:
            st.caption("Shown is the last run; what stands above has changed since.")
        live_results.draw(job.result)
