"""Sending a live check: what it takes, who receives it, how far it is, and how to stop it."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import streamlit as st

from core.live import shown
from core.live.by_hand_run import carry
from core.live.cache import Replies
from core.live.faults import LiveError
from core.live.job import Job
from core.live.named import WHY_PARTY_A, question_name
from core.live.plan import plan
from core.live.run import Progress, Runner
from core.live.spending import Purse, price_of, refuse_blind_limit
from core.words import plain
from pages.parts.live_provider import Asked

WORKERS = 4
EVERY = 0.5
"""Seconds between looks at a run."""


def job_of(instrument: str) -> Job | None:
    """Return the run of an instrument in this session, whether it goes on or has ended."""
    found: Job | None = st.session_state.get(f"live:job:{instrument}")
    return found


def offer(instrument: str, check: Any, asked: Asked) -> None:
    """Say what would be sent and to whom, and offer to send it."""
    if asked.planned is None:
        return
    planned = plan(check.loads(), asked.planned, writer=asked.writer, prices=asked.prices)
    running = job_of(instrument)
    busy = running is not None and not running.is_done
    whom = " and ".join(who.model for who in (asked.planned, asked.writer) if who)
    lines = [f"Asked is {whom}.", *planned.sentences()]
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    try:
        for who in (asked.planned, asked.writer or asked.planned):
            refuse_blind_limit(asked.limit, price_of(who.address, who.model, asked.prices))
    except LiveError as error:
        st.info(plain(error.fault.sentence()))
        return
    if asked.limit is not None and planned.cost is not None:
        st.caption(
            f"The run stops before it would pass {asked.limit:g} {planned.currency}.".strip()
        )
    st.button(
        planned.button,
        type="primary",
        icon=":material/send:",
        disabled=busy,
        key=f"live:send:{instrument}",
        on_click=_begin,
        args=(instrument, check, asked),
    )


def _begin(instrument: str, check: Any, asked: Asked) -> None:
    # A second click may come before the button is drawn as pressed: it must not be paid for.
    running = job_of(instrument)
    if running is not None and not running.is_done:
        return

    def start(cancel: Event, tell: Callable[[Progress], None]) -> Runner:
        provider, writer = asked.make()
        return Runner(
            provider,
            replies=Replies(),
            writer=writer,
            purse=Purse(asked.limit),
            prices=asked.prices,
            workers=WORKERS,
            cancel=cancel,
            progress=tell,
        )

    job = Job(check, start)
    st.session_state[f"live:job:{instrument}"] = job
    job.begin()


@st.fragment(run_every=EVERY)
def follow(instrument: str) -> None:
    """Show how far a run is until it ends; then the page is drawn with what it found."""
    job = job_of(instrument)
    if job is None or job.is_done:
        st.rerun()
        return
    progress = job.progress
    text, share = "Starting", 0.0
    if progress is not None and progress.total:
        share = min(progress.done / progress.total, 1.0)
        left = (
            "" if progress.seconds_left is None else f", about {progress.seconds_left:.0f} s left"
        )
        text = f"{progress.done} of at most {progress.total} calls{left}"
        if progress.failed:
            text += f"; {progress.failed} without an answer that can be used"
        if progress.from_cache:
            text += f"; {progress.from_cache} from the cache"
    st.progress(share, text=text)
    if job.is_cancelled:
        st.caption("Stopping: waiting for the calls on their way. What arrives is kept.")
    else:
        st.button("Cancel", key=f"live:cancel:{instrument}", on_click=job.cancel)


def by_hand(instrument: str, check: Any) -> Any:
    """Show each prompt to copy and a box for its reply; return the result so far."""
    replies: dict[tuple[str, int], str] = st.session_state.setdefault("live:replies", {})
    carried = carry(check, replies)
    st.markdown(shown.standing([errand.outcome.state for errand in carried.errands]))
    if instrument == "clause":
        st.caption(WHY_PARTY_A)
    first: dict[str, int] = {}
    for number, errand in enumerate(carried.errands, start=1):
        same = first.setdefault(errand.prompt, number)
        again = f", same prompt as number {same}, asked again" if same != number else ""
        state = errand.outcome.state
        name = plain(question_name(check, errand.outcome.question))
        label = f"{number}. {name}{again} – {STATES.get(state, UNUSABLE)}"
        is_shown = STATES.get(state) is None or (errand.is_open and number <= FIRST_OPEN)
        with st.expander(label, expanded=is_shown):
            st.code(errand.prompt, language=None, wrap_lines=True)
            field = f"live:reply:{hash((errand.prompt, errand.nth))}"
            if field not in st.session_state:
                st.session_state[field] = replies.get((errand.prompt, errand.nth), "")
            st.text_area(
                "Reply",
                key=field,
                on_change=_paste,
                args=(field, errand.prompt, errand.nth),
                height=100,
            )
            if state not in STATES:
                st.warning(plain(shown.unusable(errand.outcome)))
    return carried.result


FIRST_OPEN = 3
"""Prompts that are shown open; more would make a long page."""

STATES = {"waiting": "no reply yet", "answered": "read"}
"""What is said of a prompt in order; any other state is that of a reply that cannot be used."""
UNUSABLE = "cannot be used"


def _paste(field: str, prompt: str, nth: int) -> None:
    st.session_state["live:replies"][prompt, nth] = st.session_state[field]
