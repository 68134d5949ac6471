"""What the multiverse page looks at: study, claims, choices and values, and their place in a link.

As on a study's page the address always carries the whole set-up, so it can be copied at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.charts.multiverse import BRUSH
from core.choices import ROLE_HEADINGS, Choice, Repair, Value
from core.claims import Claim, StudyClaims
from core.multiverse.axes import is_axis, name_of, usual
from core.multiverse.setup import (
    CLAIM,
    PREFIX,
    Setup,
    can_vary,
    from_query,
    opening,
    usual_values,
    with_choices,
)
from core.studies import about
from core.studies.about import STUDIES
from core.words import plain

KEY = "multiverse"
STUDY = f"{KEY}:study"
FIRST = "clauses"
"""The study that the page opens with: its main verdict has a hinge that the document states."""

MOST_CLAIMS = 12
"""Claims looked at together."""


def restore_study() -> str:
    """Take the study from the address when that changed; call it first."""
    asked = st.query_params.get("study", "")
    names = [known.name for known in STUDIES]
    if _address() != st.session_state.get(f"{KEY}:address"):
        if asked in names:
            st.session_state[STUDY] = asked
        elif asked:
            st.session_state[f"{KEY}:unknown"] = asked
    st.session_state.setdefault(STUDY, FIRST)
    return str(st.session_state[STUDY])


def draw_study() -> str:
    """Draw the list of studies; another one starts with what it opens with."""
    picked = st.pills(
        "Study",
        [known.name for known in STUDIES],
        format_func=lambda name: about.study(name).title,
        required=True,
        key=STUDY,
        persist_state="session",
        wrap=True,
    )
    return str(picked)


def restore(
    study: StudyClaims[Any, Any], known: Sequence[Claim], main: Claim
) -> tuple[Repair, ...]:
    """Set the widgets from the address when it changed by other means than this page's widgets."""
    query = _address()
    is_new = query != st.session_state.get(f"{KEY}:address")
    names_it = query.get("study") == [study.study]
    if is_new and names_it and (CLAIM in query or any(k.startswith(PREFIX) for k in query)):
        setup, repairs = from_query(study, known, main, query)
        _set(study, setup)
        st.session_state[_name(study, "repairs")] = repairs
    elif _name(study, "claims") not in st.session_state:
        kept: Setup | None = st.session_state.get(_name(study, "setup"))
        _set(study, kept or opening(study, main))
    else:
        _follow(study, known)
    found: tuple[Repair, ...] = st.session_state.get(_name(study, "repairs"), ())
    return found


def _follow(study: StudyClaims[Any, Any], known: Sequence[Claim]) -> None:
    """Start anew with what varies when the claim in focus is moved by other choices."""
    picked = st.session_state[_name(study, "claims")]
    before: Setup | None = st.session_state.get(_name(study, "setup"))
    there = {claim.key: claim for claim in known}
    if not picked or before is None or picked[0] not in there or before.claims[0] not in there:
        return
    now, then = there[picked[0]], there[before.claims[0]]
    if _moving(study, now) != _moving(study, then):
        _set(study, replace(opening(study, now), claims=tuple(picked)))


def _moving(study: StudyClaims[Any, Any], claim: Claim) -> list[str]:
    return [key for key in study.moving if can_vary(study, claim, key)]


def _set(study: StudyClaims[Any, Any], setup: Setup) -> None:
    st.session_state[_name(study, "claims")] = list(setup.claims)
    values = setup.by_choice
    for choice in study.declaration:
        is_own = is_axis(study.declaration, choice)
        if choice.key in values:
            texts = [choice.to_text(value) for value in values[choice.key]]
            st.session_state[_name(study, f"values:{choice.key}")] = texts
        if is_own and choice.key in study.moving:
            st.session_state[_name(study, f"vary:{choice.key}")] = choice.key in values


def draw_claims(study: StudyClaims[Any, Any], known: Sequence[Claim]) -> tuple[str, ...]:
    """Draw the list of claims; the first one picked is in focus."""
    titles = {claim.key: claim.title for claim in known}
    picked = st.multiselect(
        "Claims; the first is drawn, the others are set beside it",
        list(titles),
        format_func=titles.__getitem__,
        key=_name(study, "claims"),
        max_selections=MOST_CLAIMS,
        placeholder="Pick a claim",
    )
    return tuple(picked)


def draw_choices(study: StudyClaims[Any, Any], claim: Claim) -> Setup:
    """Draw what varies in the sidebar, by the roles of the choices."""
    values: dict[str, tuple[Value, ...]] = {}
    keys: list[str] = []
    with st.sidebar:
        st.caption("Tick what varies and pick its values; the planned value is always looked at.")
        for role, heading in ROLE_HEADINGS.items():
            own = [c for c in study.declaration if c.role == role and can_vary(study, claim, c.key)]
            if own:
                st.subheader(heading, anchor=False)
            for choice in own:
                key = _name(study, f"vary:{choice.key}")
                st.session_state.setdefault(key, False)
                if st.checkbox(plain(choice.label), key=key, help=choice.help):
                    keys.append(choice.key)
                    for part in (choice, *_parts(study, choice)):
                        values[part.key] = _draw_values(study, part)
    return with_choices(study, (claim.key,), keys, values)


def _parts(study: StudyClaims[Any, Any], choice: Choice) -> list[Choice]:
    """List the ranges that go with a choice, such as a place between two comparators."""
    return [
        own
        for own in study.declaration
        if own.only_with is not None and own.only_with[0] == choice.key and own.range is not None
    ]


def _draw_values(study: StudyClaims[Any, Any], choice: Choice) -> tuple[Value, ...]:
    key = _name(study, f"values:{choice.key}")
    starting = [choice.to_text(value) for value in usual_values(study, choice)]
    held = st.session_state.setdefault(key, starting)
    offered = [choice.to_text(value) for value in usual(study.declaration, choice)]
    options = list(dict.fromkeys([*offered, *starting, *held]))
    picked = st.multiselect(
        f"Values of “{plain(choice.label)}”",
        options,
        format_func=lambda text: _said(choice, text),
        key=key,
        accept_new_options=choice.range is not None,
        label_visibility="collapsed",
        placeholder="The planned value alone",
    )
    found = []
    for text in picked:
        value, problem = choice.from_text(text)
        if problem:
            st.error(f"{plain(text)}: {plain(problem)}. Nearest is {plain(choice.say(value))}.")
        else:
            found.append(value)
    return tuple(found) or (choice.planned,)


def _said(choice: Choice, text: str) -> str:
    value, problem = choice.from_text(text)
    if problem:
        return text
    named = name_of(choice, value)
    is_named = value == choice.planned and named != "as planned"
    return f"{named} (planned)" if is_named else named


def with_claims(setup: Setup, picked: Sequence[str]) -> Setup:
    """Return a set-up with other claims."""
    return replace(setup, claims=tuple(picked))


def take_brush(key: str, whole: tuple[int, int]) -> tuple[int, int]:
    """Adopt a new drag over the curve as the part to look at; before the slider is drawn."""
    selection = st.session_state.get("chart-curve", {}).get("selection", {}).get(BRUSH, {})
    ends = selection.get("place") if selection else None
    dragged = (round(ends[0]), round(ends[1])) if ends else None
    if dragged and dragged != st.session_state.get(f"{key}:dragged"):
        low, high = (min(max(end, whole[0]), whole[1]) for end in sorted(dragged))
        st.session_state[key] = (low, high)
    st.session_state[f"{key}:dragged"] = dragged
    part: tuple[int, int] = st.session_state.setdefault(key, whole)
    return part


def finish(study: StudyClaims[Any, Any], setup: Setup, panel: str, start: Setup) -> None:
    """Write the address and remember what was shown; call it last."""
    st.session_state[_name(study, "setup")] = setup
    wanted = setup.to_query(study, panel=panel)
    query = _address()
    if setup == start and study.study == FIRST and not query:
        wanted = {}
    if wanted != query:
        st.query_params.from_dict(wanted)
    st.session_state[f"{KEY}:address"] = wanted


def _address() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _name(study: StudyClaims[Any, Any], what: str) -> str:
    return f"{KEY}:{study.study}:{what}"
