"""What a reader gives a live check: a text, what belongs to it, and the instrument's switches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st

from core.live import doors
from core.live.categories import context_of
from core.live.character import CharacterCheck
from core.live.clause import ClauseCheck
from core.live.clause_texts import own_clause, propose_roles
from core.live.complaint import FOUR, ORDERS, PERSONAS, PRIMARY_ORDER, ComplaintCheck
from core.live.examples import example
from core.live.faults import LiveError
from core.live.filename import DEFAULT, FilenameCheck, Marked, label_of
from core.live.instrument import words
from core.live.shown import LONGEST, guise_names, too_long
from core.mirror import Mirrored, mirror
from core.reference import table
from core.studies.composition.sources import context_names, role_name
from core.words import plain
from pages.parts.live_provider import Asked

KEPT: dict[str, Any] = {"persist_state": "session"}
"""What a reader entered stays when another page is visited."""


def _text(what: str, **options: Any) -> str:
    """Ask for a text, and say so where it is too long to be checked.

    A box with a limit of its own takes nothing of a longer text that is pasted, without a word.
    """
    return str(st.text_area(what, **options, **KEPT))


def _fits(what: str, text: str) -> bool:
    """Say what to do about a text that is too long; it stays in its box."""
    if len(text) <= LONGEST:
        return True
    st.error(too_long(what, len(text)))
    return False


def clause(asked: Asked) -> ClauseCheck | None:
    """Ask for a clause and its roles; nothing is sent of one that does not mirror."""
    text = _text(
        "Clause",
        height=140,
        key="live:clause",
        placeholder="The Employer may end this Agreement at any time. The Employee’s notice takes "
        "sixty days.",
    )
    if not _fits("clause", text):
        return None
    if not text.strip():
        _opening("clause", asked, "the swap of its parties is checked")
    proposed = propose_roles(text)
    if len(proposed) > 1:
        st.caption(
            f"Names found in the text: {plain(', '.join(proposed))}. Who is favoured, Hinge does "
            "not read."
        )
    one, other = st.columns(2)
    strong = one.text_input(
        "Party that the clause favours",
        key="live:strong",
        placeholder=f"is it {proposed[0]}?" if proposed else "for example Employer",
        help="It is taken for the stronger one. Nothing is sent before it is named.",
        **KEPT,
    )
    weak = other.text_input(
        "The other party",
        key="live:weak",
        placeholder=f"is it {proposed[1]}?" if len(proposed) > 1 else "for example Employee",
        help="Empty: another name found in the text.",
        **KEPT,
    )
    with st.sidebar:
        st.subheader("Instrument", anchor=False)
        number_first = st.toggle(
            "Number before the reasoning",
            key="live:number-first",
            disabled=asked.door.decides,
            help="The study’s first run asked for the number first, its replication for the "
            "reasoning first.",
            **KEPT,
        )
        repeats = _repeats("clause", asked.door, usual=3)
    if not text.strip():
        return None
    found = [name for name in proposed if name not in (strong.strip(), weak.strip())]
    roles = (strong.strip() or next(iter(found), ""), weak.strip() or next(iter(found[1:]), ""))
    if strong.strip() and not weak.strip():
        roles = (strong.strip(), next(iter(found), ""))
    if not all(roles):
        st.info("Name the two parties as the clause names them. Nothing was sent.")
        return None
    is_said = bool(strong.strip())
    if not is_said:
        _ask_who_is_favoured(roles)
    swapped = mirror(text, roles)
    _show_mirror(swapped, roles)
    if not swapped.is_lossless or not is_said:
        return None
    order = "number_first" if number_first and not asked.door.decides else "reasoning_first"
    return ClauseCheck(
        own_clause(text, roles),
        repeats,
        order,  # type: ignore[arg-type]
        asked.door.decides,
        asked.model,
    )


def _ask_who_is_favoured(roles: tuple[str, str]) -> None:
    """Let the reader say who is favoured; Hinge only finds the names."""
    st.info("Say which party the clause favours. Nothing is sent before.")
    with st.container(horizontal=True, gap="small"):
        for at, pair in enumerate((roles, roles[::-1])):
            st.button(
                f"It favours {plain(pair[0])}",
                key=f"live:favours:{at}",
                on_click=_fill,
                args=({"strong": pair[0], "weak": pair[1]},),
            )


def _fill(given: Mapping[str, str]) -> None:
    for name, value in given.items():
        st.session_state[f"live:{name}"] = value


def _opening(instrument: str, asked: Asked, first: str = "") -> None:
    """Offer an example, and say what happens next."""
    st.button(
        "Use an example",
        key=f"live:example:{instrument}",
        icon=":material/lightbulb:",
        on_click=_fill,
        args=(example(instrument),),
    )
    if asked.door.key == doors.BY_HAND:
        then = "the prompts to copy are shown. Hinge sends nothing."
    else:
        then = "the number of calls, price and host are shown. Nothing is sent before you send it."
    st.caption(f"What happens next: {first + ', then ' if first else ''}{then}")


def _show_mirror(swapped: Mirrored, roles: tuple[str, str]) -> None:
    """Say whether the swap is lossless, and which words prevent it."""
    names = f"{plain(roles[0])} and {plain(roles[1])}"
    if swapped.is_lossless:
        st.success(
            f"The swap of {names} is lossless: only the names differ.", icon=":material/check:"
        )
    else:
        lines = "\n".join(f"- {plain(found.sentence())}" for found in swapped.obstacles)
        st.warning(
            f"{names} cannot be swapped without a trace, so nothing is sent. In the way:\n\n"
            f"{lines}\n\nChange these words, or name other roles."
        )
    for note in swapped.notes:
        st.caption(f"Worth a look: {plain(note.sentence())}")
    with st.expander("The swapped clause"):
        st.text(swapped.swapped)


def complaint(asked: Asked) -> Any:
    """Ask for a complaint and for the versions in which it is to be decided."""
    text = _text(
        "Complaint",
        height=160,
        key="live:complaint",
        placeholder="On 3 March 2025 the bank took $35 from my account twice. Please refund $70.",
    )
    if not text.strip():
        _opening("complaint", asked)
    with st.sidebar:
        st.subheader("Instrument", anchor=False)
        guises = st.multiselect(
            "Guises",
            list(PERSONAS),
            default=list(FOUR),
            format_func=lambda guise: guise_names([guise])[0],
            key="live:guises",
            help="Written guises are a model’s stereotypes. The four proposed weigh every level of "
            "age, place, education and income alike, as far as four can.",
            **KEPT,
        )
        style = st.selectbox(
            "Standard style, decided again",
            ["", *words("complaint", "style")],
            format_func=lambda key: f"{key}: {words('complaint', 'style')[key]}" if key else "none",
            key="live:style",
            **KEPT,
        )
        orders = [PRIMARY_ORDER]
        if asked.door.decides:
            orders = st.multiselect(
                "Orders of the options",
                list(ORDERS),
                default=orders,
                format_func=lambda key: " · ".join(ORDERS[key]).replace("_", " "),
                key="live:orders",
                **KEPT,
            )
        audit = st.toggle(
            "A model compares the facts too",
            key="live:audit",
            help="One more call for each guise. The local comparison of amounts, counts, dates and "
            "negations is always made.",
            **KEPT,
        )
        repeats = _repeats("complaint", asked.door, usual=1)
    if not text.strip() or not _fits("complaint", text):
        return None
    return ComplaintCheck(
        text,
        tuple(guises),
        style,
        tuple(orders) or (PRIMARY_ORDER,),
        repeats,
        audit,
        asked.door.decides,
        asked.model,
        asked.writer.model if asked.writer else "",
    )


def filename(asked: Asked) -> FilenameCheck | None:
    """Ask for a text and for the labels that its file's name is to carry."""
    text = _text("Text to be marked", height=200, key="live:text")
    if not text.strip():
        _opening("filename", asked)
    with st.sidebar:
        st.subheader("Instrument", anchor=False)
        names = st.multiselect(
            "Labels",
            list(table("filenames", "labels")["label"]),
            default=list(DEFAULT),
            accept_new_options=True,
            key="live:labels",
            help="Those of the study, and any of your own: letters, digits, dots, hyphens and "
            "underscores. The label neutral is the reference.",
            **KEPT,
        )
        repeats = _repeats("filename", asked.door, usual=3)
    try:
        labels = tuple(dict.fromkeys(label_of(name) for name in names))
    except LiveError as error:
        st.error(plain(error.fault.sentence()))
        return None
    if not text.strip() or not _fits("text", text):
        return None
    if not labels:
        st.info("Choose a label; neutral is the reference.")
        return None
    return FilenameCheck(Marked(text), labels, repeats, asked.door.decides, asked.model)


REGIMES: dict[Literal["joint", "implicit"], str] = {
    "joint": "all demographics",
    "implicit": "role and place only",
}
FORMS: dict[Literal["character", "story"], str] = {
    "character": "a character sketch",
    "story": "a short story",
}
ROLES = ("doctor", "nurse", "engineer", "teacher", "ceo", "cleaner")


def character(asked: Asked) -> Any:
    """Ask for a role and a place, and for how many characters."""
    by_hand = asked.door.key == doors.BY_HAND
    one, other = st.columns(2)
    role = one.selectbox(
        "Role",
        ROLES,
        index=None,
        format_func=role_name,
        accept_new_options=True,
        key="live:role",
        placeholder="for example doctor",
        help="Type any other occupation.",
        **KEPT,
    )
    place = other.selectbox(
        "Place",
        list(context_names()),
        index=None,
        format_func=lambda code: context_names().get(code, code),
        accept_new_options=True,
        key="live:place",
        placeholder="for example Canada",
        help="Type any other place; comparators are there for those listed only.",
        **KEPT,
    )
    with st.sidebar:
        st.subheader("Instrument", anchor=False)
        texts = st.number_input(
            "Characters to write",
            1,
            100,
            3 if by_hand else 10,
            key=f"live:texts:{by_hand}",
            **KEPT,
        )
        regime = st.selectbox(
            "The prompt asks for",
            list(REGIMES),
            format_func=REGIMES.__getitem__,
            key="live:regime",
            **KEPT,
        )
        form = st.selectbox(
            "Form",
            list(FORMS),
            format_func=FORMS.__getitem__,
            key="live:form",
            **KEPT,
        )
    if not role or not place:
        _opening("character", asked)
        return None
    if not _fits("role", role) or not _fits("place", place):
        return None
    return CharacterCheck(
        role.strip(),
        context_of(place),
        int(texts),
        regime,
        form,
        asked.writer.model if asked.writer else asked.model,
        asked.door.key == doors.BY_HAND,
        asked.door.decides,
    )


def _repeats(instrument: str, door: doors.Door, *, usual: int) -> int:
    by_hand = door.key == doors.BY_HAND
    return int(
        st.number_input(
            "Answers to each prompt",
            1,
            50,
            1 if by_hand else usual,
            key=f"live:repeats:{instrument}:{by_hand}",
            help="Their spread is the model’s own.",
            **KEPT,
        )
    )
