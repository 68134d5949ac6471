"""The sidebar's choices, and their place in the address.

The address always carries every value with the link version and the panel's hash, so it can be
copied at any time and the browser's Back button undoes a move. Streamlit's own binding is not used:
it writes option labels into the address, leaves out defaults and drops bad values silently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.choices import ROLE_HEADINGS, Choice, Choices, Declaration, Repair, Value


@dataclass(frozen=True)
class Shown:
    """What the page shows: a specification, view settings such as the model in focus, repairs."""

    choices: Choices
    repairs: tuple[Repair, ...]


def _key(declaration: Declaration, name: str) -> str:
    return f"{declaration.study}:{name}"


def draw(declaration: Declaration, *, panel: str) -> Shown:
    """Draw every choice in the sidebar and return what the page shows."""
    _restore(declaration)
    values: dict[str, Value] = {}
    with st.sidebar:
        for role, heading in ROLE_HEADINGS.items():
            of_role = [choice for choice in declaration if choice.role == role]
            if of_role:
                st.subheader(heading, anchor=False)
            for choice in of_role:
                values[choice.key] = _draw_choice(declaration, choice, values)
    choices = declaration.select(values)
    st.session_state[_key(declaration, "shown")] = choices
    _write_address(declaration, choices, panel)
    return Shown(choices, st.session_state.get(_key(declaration, "repairs"), ()))


def set_all(declaration: Declaration, choices: Choices) -> None:
    """Set every choice; only before the widgets are drawn, so in a callback."""
    for choice in declaration:
        value = choices[choice.key]
        widget_value = list(value) if isinstance(value, tuple) else value
        st.session_state[_key(declaration, choice.key)] = widget_value
    st.session_state[_key(declaration, "repairs")] = ()


def back_to_planned(declaration: Declaration) -> None:
    set_all(declaration, declaration.planned)


def _restore(declaration: Declaration) -> None:
    """Set the widgets from the address when it changed by other means than this page's widgets."""
    shown: Choices | None = st.session_state.get(_key(declaration, "shown"))
    query = {name: st.query_params[name] for name in st.query_params}
    ours = {choice.key for choice in declaration} & set(query)
    if shown is not None and _widgets_moved(declaration, shown):
        # A run that a widget started may still carry the address of the run before it.
        return
    if not ours:
        if shown is None or _key(declaration, declaration.choices[0].key) not in st.session_state:
            set_all(declaration, shown or declaration.opening)
        return
    if query == st.session_state.get(_key(declaration, "address")):
        if _key(declaration, declaration.choices[0].key) not in st.session_state:
            set_all(declaration, shown or declaration.opening)
        return
    choices, repairs = declaration.from_link(query)
    set_all(declaration, choices)
    st.session_state[_key(declaration, "repairs")] = repairs


def _widgets_moved(declaration: Declaration, shown: Choices) -> bool:
    for choice in declaration:
        value = st.session_state.get(_key(declaration, choice.key))
        if value is not None and _value(choice, value) != shown[choice.key]:
            return True
    return False


def _write_address(declaration: Declaration, choices: Choices, panel: str) -> None:
    query = {name: st.query_params[name] for name in st.query_params}
    wanted = declaration.to_link(choices, panel=panel) | _view(declaration)
    untouched = choices == declaration.opening and not _view(declaration)
    if untouched and not query:
        return
    if wanted != query:
        st.query_params.from_dict(wanted)
    st.session_state[_key(declaration, "address")] = wanted


def _view(declaration: Declaration) -> dict[str, str]:
    """View settings, such as the model in focus: in the address, but no choices of the analysis."""
    settings: Mapping[str, str] = st.session_state.get(_key(declaration, "view"), {})
    return dict(settings)


def view_setting(declaration: Declaration, name: str) -> str:
    """Read a view setting, from this session or else from the address; empty when there is none."""
    return _view(declaration).get(name) or st.query_params.get(name, "")


def set_view(declaration: Declaration, **settings: str) -> None:
    """Keep view settings; the address follows in the same run when set before `draw`."""
    st.session_state[_key(declaration, "view")] = _view(declaration) | settings


def view_choice(declaration: Declaration, name: str, options: Sequence[str]) -> str:
    """Return a view setting that is one of some options; the first when it is none of them."""
    widget = st.session_state.get(_key(declaration, f"view-{name}"))
    wanted = widget or view_setting(declaration, name)
    value = wanted if wanted in options else options[0]
    if wanted and wanted != options[0]:
        set_view(declaration, **{name: value})
    return value


def view_pills(
    declaration: Declaration, name: str, label: str, options: Sequence[str], value: str
) -> None:
    """Draw a view setting as a row of buttons."""
    key = _key(declaration, f"view-{name}")
    if st.session_state.get(key) not in options:
        st.session_state[key] = value
    st.pills(label, options, required=True, key=key)


def _draw_choice(declaration: Declaration, choice: Choice, values: Mapping[str, Value]) -> Value:
    if choice.only_with is not None and values[choice.only_with[0]] != choice.only_with[1]:
        # Not drawn, so Streamlit would forget it: assigning it again keeps it.
        held = st.session_state.get(_key(declaration, choice.key), choice.opening)
        st.session_state[_key(declaration, choice.key)] = held
        return _value(choice, held)
    common: dict[str, Any] = {
        "label": choice.label,
        "key": _key(declaration, choice.key),
        "help": choice.help,
    }
    labels = {option.value: option.label for option in choice.options}
    value: Any
    if choice.range is not None:
        number = int if choice.is_whole else float
        low, high, step = (
            number(v) for v in (choice.range.low, choice.range.high, choice.range.step)
        )
        value = st.slider(min_value=low, max_value=high, step=step, **common)
    elif choice.many:
        value = st.pills(
            options=list(labels), format_func=labels.__getitem__, selection_mode="multi", **common
        )
    else:
        value = st.selectbox(options=list(labels), format_func=labels.__getitem__, **common)
    value = _value(choice, value)
    st.caption(_planned_line(choice, value))
    return value


def _value(choice: Choice, value: Any) -> Value:
    """Turn a widget's value into the choice's; an emptied list means the planned one."""
    return choice.repaired(tuple(value) if isinstance(value, list) else value)


def _planned_line(choice: Choice, value: Value) -> str:
    planned = f"planned: {choice.say(choice.planned)} · {choice.mark}"
    if value == choice.planned:
        return planned
    mark = choice.mark_of(value)
    return f"**departs** from {planned}" + (f"; this option: {mark}" if mark else "")
