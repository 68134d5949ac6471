"""What the multiverse page looks at: study, claims, choices and values, and their place in a link.

As on a study's page the address always carries the whole set-up, so it can be copied at any time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.charts.multiverse import PICK, PLACE_FIELD
from core.choices import (
    ROLE_HEADINGS,
    SHOWN_CHARACTERS,
    Choice,
    Repair,
    Value,
    repeated,
    shortened,
    unknown_names,
    unknown_version,
)
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

MOST_PILLS = 8
"""Claims that are offered beside each other at a glance; more go into a list."""

MOST_VALUES = 60
"""Values that are read from one line."""


def restore_study() -> str:
    """Take the study from the address when that changed; call it first."""
    asked = st.query_params.get("study", "")
    is_new = _address() != st.session_state.get(f"{KEY}:address")
    if is_new and asked in {known.name for known in STUDIES}:
        st.session_state[STUDY] = asked
    st.session_state.setdefault(STUDY, FIRST)
    return str(st.session_state[STUDY])


def panel_in_link(study: str) -> str:
    """Return the panel that the address names for a study; after a move it names another's."""
    is_own = st.query_params.get("study", FIRST) == study
    return st.query_params.get("panel", "") if is_own else ""


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
    names_it = query.get("study", [""])[-1] == study.study
    if is_new:
        st.session_state[_name(study, "repairs")] = _told_of_link(study, query)
    if is_new and names_it and (CLAIM in query or any(k.startswith(PREFIX) for k in query)):
        setup, repairs = from_query(study, known, main, query)
        _set(study, setup)
        st.session_state[_name(study, "repairs")] += repairs
    elif _name(study, "claim") not in st.session_state:
        kept: Setup | None = st.session_state.get(_name(study, "setup"))
        _set(study, kept or opening(study, main))
    else:
        _follow(study, known)
    found: tuple[Repair, ...] = st.session_state.get(_name(study, "repairs"), ())
    return found


def _told_of_link(
    study: StudyClaims[Any, Any], query: Mapping[str, Sequence[str]]
) -> tuple[Repair, ...]:
    """Tell what in a link is not about claims and what varies, and cannot be as it says."""
    studies, shown = query.get("study", ()), about.study(study.study).title
    told: tuple[Repair, ...] = ()
    if studies and studies[-1] not in {known.name for known in STUDIES}:
        told += (Repair("Study", shortened(studies[-1]), shown, "which is no study"),)
    else:
        told += repeated("Study", studies, shown)
    varied = [name for name in query if name.startswith(PREFIX)]
    told += unknown_names(query, ("study", "panel", "link", CLAIM, *varied), "this page")
    return told + unknown_version(query)


def _follow(study: StudyClaims[Any, Any], known: Sequence[Claim]) -> None:
    """Start anew with what varies when the claim in focus is moved by other choices."""
    picked = st.session_state[_name(study, "claim")]
    before: Setup | None = st.session_state.get(_name(study, "setup"))
    there = {claim.key: claim for claim in known}
    if before is None or picked not in there or before.claims[0] not in there:
        return
    now, then = there[picked], there[before.claims[0]]
    if now.group != then.group:
        st.session_state[_name(study, "beside")] = []
    if _moving(study, now) != _moving(study, then):
        _set(study, opening(study, now))


def _moving(study: StudyClaims[Any, Any], claim: Claim) -> list[str]:
    return [key for key in study.moving if can_vary(study, claim, key)]


def _set(study: StudyClaims[Any, Any], setup: Setup) -> None:
    st.session_state[_name(study, "claim")] = setup.claims[0]
    st.session_state[_name(study, "beside")] = list(setup.claims[1:])
    values = setup.by_choice
    for choice in study.declaration:
        is_own = is_axis(study.declaration, choice)
        if choice.key in values:
            st.session_state[_name(study, f"values:{choice.key}")] = _held(
                choice, values[choice.key]
            )
        if is_own and choice.key in study.moving:
            st.session_state[_name(study, f"vary:{choice.key}")] = choice.key in values


def draw_claims(study: StudyClaims[Any, Any], known: Sequence[Claim]) -> tuple[str, ...]:
    """Draw the list of claims, and those that say the same of others, to be set beside it."""
    titles = {claim.key: claim.title for claim in known}
    groups = {claim.key: claim.group for claim in known}
    focus = str(
        st.selectbox(
            "Claim", list(titles), format_func=titles.__getitem__, key=_name(study, "claim")
        )
    )
    key = _name(study, "beside")
    held = [own for own in st.session_state.get(key, ()) if own in titles and own != focus]
    alike = [own for own in titles if groups[own] == groups[focus] and own != focus]
    options = list(dict.fromkeys([*alike, *held]))
    st.session_state[key] = held
    if not options:
        return (focus,)
    if len(options) > MOST_PILLS:
        beside = st.multiselect(
            "Set beside it", options, format_func=titles.__getitem__, key=key, placeholder="none"
        )
        return (focus, *beside)
    beside = st.pills(
        "Set beside it",
        options,
        format_func=lambda own: plain(titles[own]),
        selection_mode="multi",
        key=key,
        wrap=True,
    )
    return (focus, *beside)


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


def _held(choice: Choice, values: Sequence[Value]) -> list[str] | str:
    """Write values as their widget holds them: a list of options, or numbers in one line."""
    texts = [choice.to_text(value) for value in values]
    return " ".join(texts) if choice.range is not None else texts


def _draw_values(study: StudyClaims[Any, Any], choice: Choice) -> tuple[Value, ...]:
    key = _name(study, f"values:{choice.key}")
    held = st.session_state.setdefault(key, _held(choice, usual_values(study, choice)))
    if choice.range is not None:
        typed = st.text_input(
            f"Values of “{plain(choice.label)}”, with blanks between",
            key=key,
            help=f"From {choice.say(choice.range.low)} to {choice.say(choice.range.high)}; planned "
            f"is {choice.say(choice.planned)}.",
        )
        texts = typed.split()
        if len(texts) > MOST_VALUES:
            st.error(f"{len(texts):,} values; at most {MOST_VALUES} are looked at, the first.")
            texts = texts[:MOST_VALUES]
    else:
        offered = [choice.to_text(value) for value in usual(study.declaration, choice)]
        texts = st.pills(
            f"Values of “{plain(choice.label)}”",
            list(dict.fromkeys([*offered, *held])),
            format_func=lambda text: plain(_said(choice, text)),
            selection_mode="multi",
            key=key,
            label_visibility="collapsed",
            wrap=True,
        )
    found = []
    for text in texts:
        value, problem = choice.from_text(text)
        if problem:
            said = plain(choice.say(value))
            shown = plain(text[:SHOWN_CHARACTERS])
            st.error(f"{shown}, {plain(problem)}, is not used; nearest is {said}.")
        else:
            found.append(value)
    return tuple(dict.fromkeys(found)) or (choice.planned,)


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


AROUND = 5
"""Percent of the specifications on either side of a mark that is clicked."""


PARTS = ("Whole curve", "Lowest tenth", "Around the planned one", "Highest tenth")
"""Parts of the curve that a button picks; the slider picks any."""


def draw_part(key: str, whole: tuple[int, int], planned: Sequence[float]) -> None:
    """Draw the slider of the part that is looked at, and buttons for parts often asked for.

    Parameters
    ----------
    key
        Name of the slider.
    whole
        Its ends.
    planned
        Where the planned specification stands, in percent; empty where it has no estimate.
    """
    low, high = whole
    tenth = (high - low) // 10
    places = [whole, (low, low + tenth), *_around(planned, whole), (high - tenth, high)]
    names = [name for name in PARTS if planned or name != PARTS[2]]
    st.slider(
        "Part of the curve to look at, in percent of its specifications",
        *whole,
        key=key,
        help="Drag its ends or move them with the arrow keys; or click a mark of the curve.",
    )
    with st.container(horizontal=True, gap="small"):
        for name, place in zip(names, places, strict=True):
            st.button(name, on_click=_pick, args=(key, place), key=f"{key}:{name}")


def _pick(key: str, place: tuple[int, int]) -> None:
    st.session_state[key] = place


def _around(places: Sequence[float], whole: tuple[int, int]) -> list[tuple[int, int]]:
    low, high = whole
    return [(max(round(p) - AROUND, low), min(round(p) + AROUND, high)) for p in places]


def take_click(key: str, whole: tuple[int, int]) -> tuple[int, int]:
    """Adopt a new click on the curve as the part to look at; before the slider is drawn."""
    selection = st.session_state.get("chart-curve", {}).get("selection", {}).get(PICK, [])
    clicked = float(selection[0][PLACE_FIELD]) if selection else None
    if clicked is not None and clicked != st.session_state.get(f"{key}:clicked"):
        st.session_state[key] = _around([clicked], whole)[0]
    st.session_state[f"{key}:clicked"] = clicked
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
