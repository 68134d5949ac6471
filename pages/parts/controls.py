"""The choices' widgets, and their place in the address.

The address always carries every value with the link version and the panel's hash, so it can be
copied at any time and the browser's Back button undoes a move. Streamlit's own binding is not used:
it writes option labels into the address, leaves out defaults and drops bad values silently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.choices import (
    RESERVED,
    ROLE_HEADINGS,
    Choice,
    Choices,
    Declaration,
    Repair,
    Value,
    view_repair,
)
from core.words import listed, plain


@dataclass(frozen=True)
class Shown:
    """What the page shows: a specification, and what a link asked for that had to be repaired."""

    declaration: Declaration
    choices: Choices

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Repairs of choices, and of the view settings that were looked at so far."""
        key = key_of(self.declaration, "_repairs")
        found: tuple[Repair, ...] = st.session_state.get(key, ())
        return found


def key_of(declaration: Declaration, name: str) -> str:
    """Name a choice's or view setting's place in the session; one study's never meet another's."""
    return f"{declaration.study}:{name}"


def restore(declaration: Declaration, views: Sequence[str]) -> None:
    """Set the widgets from the address when it changed by other means than this page's widgets.

    Call it first. ``views`` names the view settings, such as the model in focus, which are in the
    address but are no choices of the analysis.
    """
    st.session_state[key_of(declaration, "_views")] = tuple(views)
    query = {name: st.query_params[name] for name in st.query_params}
    moved = _widgets(declaration) != st.session_state.get(key_of(declaration, "_widgets"))
    # One choice alone would not tell: what a panel leaves no choice of is there, widget or not.
    returned = any(
        key_of(declaration, choice.key) not in st.session_state
        for choice in declaration
        if not (choice.section or choice.only_with or choice.is_table)
    )
    if not returned and moved:
        # A run that a widget started may still carry the address of the run before it.
        return
    if set(query) - set(RESERVED) and query != st.session_state.get(
        key_of(declaration, "_address")
    ):
        asked = {name: st.query_params.get_all(name) for name in st.query_params}
        choices, repairs = declaration.from_link(asked)
        repairs += declaration.unknown(asked, views)
        set_all(declaration, choices)
        _set_views(declaration, {name: query.get(name, "") for name in views})
        st.session_state[key_of(declaration, "_repairs")] = repairs
        st.session_state[key_of(declaration, "_linked")] = [v for v in views if query.get(v)]
    elif not returned and not query and st.session_state.get(key_of(declaration, "_address")):
        # The browser went back to before the first move.
        set_all(declaration, declaration.opening)
        _set_views(declaration, dict.fromkeys(views, ""))
    elif returned:
        shown: Choices | None = st.session_state.get(key_of(declaration, "_shown"))
        set_all(declaration, shown or declaration.opening)
        kept = _view(declaration)
        _set_views(declaration, {name: kept.get(name, "") for name in views})


def _set_views(declaration: Declaration, settings: Mapping[str, str]) -> None:
    """Set the view settings; those of a part that is not drawn stay in the address as they are."""
    for name, value in settings.items():
        st.session_state[key_of(declaration, name)] = value
    st.session_state[key_of(declaration, "_view")] = dict(settings)


def draw(declaration: Declaration, *, held: Mapping[str, Sequence[str]] | None = None) -> Shown:
    """Draw the page's choices in the sidebar and return what the page shows.

    ``held`` names, for choices of parts of a panel, the parts that the panel in use has.
    """
    values: dict[str, Value] = {}
    with st.sidebar:
        for role, heading in ROLE_HEADINGS.items():
            of_role = [c for c in declaration if c.role == role and not c.section]
            if of_role:
                st.subheader(heading, anchor=False)
            for choice in of_role:
                parts = (held or {}).get(choice.key)
                if parts is not None and not _leaves_a_choice(choice, parts):
                    values[choice.key] = _say_parts(declaration, choice, parts)
                    continue
                shown = (
                    choice.only_with is None or values[choice.only_with[0]] == choice.only_with[1]
                )
                draw_or_hold = _draw_choice if shown and not choice.is_table else _hold
                values[choice.key] = draw_or_hold(declaration, choice)
    for choice in declaration:
        if choice.section:
            values[choice.key] = _hold(declaration, choice)
    choices = declaration.select(values)
    st.session_state[key_of(declaration, "_shown")] = choices
    return Shown(declaration, choices)


def _leaves_a_choice(choice: Choice, parts: Sequence[str]) -> bool:
    return len({option.value for option in choice.options} & set(parts)) > 1


def _say_parts(declaration: Declaration, choice: Choice, parts: Sequence[str]) -> Value:
    """Say what a panel has of what cannot be chosen in it, and leave all of it in."""
    names = listed([plain(name) for name in parts])
    st.markdown(f"{plain(choice.label)}: {names} :small[:gray[all that this panel holds]]")
    set_one(declaration, choice.key, choice.planned)
    return choice.planned


def before_change(declaration: Declaration, choices: Choices) -> Choices:
    """Return what the page showed before the last change of a choice; the same before any.

    It stays until the next change, so that moving around the page does not take the sentence about
    the last one away.
    """
    key = key_of(declaration, "_changed")
    before, after = st.session_state.get(key, (choices, choices))
    if after != choices:
        before = after
    st.session_state[key] = (before, choices)
    return before


def finish(declaration: Declaration, shown: Shown, *, panel: str) -> None:
    """Write the address and remember what was shown; call it last."""
    st.session_state[key_of(declaration, "_widgets")] = _widgets(declaration)
    st.session_state[key_of(declaration, "_linked")] = []
    _write_address(declaration, shown.choices, panel)


def place(declaration: Declaration, *keys: str) -> None:
    """Draw some of a section's choices where the page stands."""
    for key in keys:
        _draw_choice(declaration, declaration[key])


def set_all(declaration: Declaration, choices: Choices) -> None:
    """Set every choice; only before its widget is drawn, so first or in a callback."""
    for choice in declaration:
        set_one(declaration, choice.key, choices[choice.key])
    st.session_state[key_of(declaration, "_repairs")] = ()


def set_one(declaration: Declaration, key: str, value: Value) -> None:
    """Set one choice; as `set_all`."""
    widget_value = list(value) if isinstance(value, tuple) else value
    st.session_state[key_of(declaration, key)] = widget_value


def back_to_planned(declaration: Declaration) -> None:
    """Set every choice of the page to its planned value; those of sections stay."""
    for choice in declaration:
        if not choice.section and not choice.is_part:
            set_one(declaration, choice.key, choice.planned)
    st.session_state[key_of(declaration, "_repairs")] = ()


def view(declaration: Declaration, name: str, options: Sequence[str], *, default: str) -> str:
    """Return a view setting that is one of some options, else the default, and keep it."""
    value = st.session_state.get(key_of(declaration, name)) or default
    if value not in options:
        if name in st.session_state.get(key_of(declaration, "_linked"), ()):
            _report(declaration, view_repair(name, value, default))
        value = default
    st.session_state[key_of(declaration, name)] = value
    settings: dict[str, str] = dict(st.session_state.get(key_of(declaration, "_view"), {}))
    settings[name] = "" if value == default else value
    st.session_state[key_of(declaration, "_view")] = settings
    return value


def _report(declaration: Declaration, repair: Repair) -> None:
    """Add a repair to those that the page tells."""
    told: tuple[Repair, ...] = st.session_state.get(key_of(declaration, "_repairs"), ())
    if repair not in told:
        st.session_state[key_of(declaration, "_repairs")] = (*told, repair)


def _widgets(declaration: Declaration) -> dict[str, Any]:
    """Values of all widgets as the browser sent them."""
    names = [c.key for c in declaration] + list(
        st.session_state.get(key_of(declaration, "_views"), ())
    )
    return {name: st.session_state.get(key_of(declaration, name)) for name in names}


def _write_address(declaration: Declaration, choices: Choices, panel: str) -> None:
    query = {name: st.query_params[name] for name in st.query_params}
    settings = _view(declaration)
    wanted = declaration.to_link(choices, panel=panel) | settings
    if choices == declaration.opening and not settings and not query:
        wanted = query
    if wanted != query:
        st.query_params.from_dict(wanted)
    st.session_state[key_of(declaration, "_address")] = wanted


def _view(declaration: Declaration) -> dict[str, str]:
    settings: Mapping[str, str] = st.session_state.get(key_of(declaration, "_view"), {})
    return {name: value for name, value in settings.items() if value}


def link_query(declaration: Declaration, shown: Shown, panel: str) -> dict[str, str]:
    """Return the query of a link that restores the view."""
    return declaration.to_link(shown.choices, panel=panel) | _view(declaration)


def _hold(declaration: Declaration, choice: Choice) -> Value:
    """Keep a choice whose widget is not drawn, or not yet: Streamlit would forget it."""
    held = st.session_state.get(key_of(declaration, choice.key), choice.opening)
    st.session_state[key_of(declaration, choice.key)] = held
    return _value(choice, held)


def _draw_choice(declaration: Declaration, choice: Choice) -> Value:
    key = key_of(declaration, choice.key)
    # Not a caption of its own: what a browser does on every move grows with the parts of a page.
    note = _planned_line(choice, _value(choice, st.session_state.get(key, choice.opening)))
    common: dict[str, Any] = {
        "label": f"{plain(choice.label)} :small[:gray[{note}]]",
        "key": key,
        "help": choice.help,
    }
    labels = {option.value: option.label for option in choice.options}
    value: Any
    if choice.range is not None:
        number = int if choice.is_whole else float
        bounds = (choice.range.low, choice.range.high, choice.range.step)
        low, high, step = (number(value) for value in bounds)
        value = st.slider(min_value=low, max_value=high, step=step, **common)
    elif choice.check is not None:
        value = st.text_input(**common)
        _, problem = choice.from_text(value)
        if problem:
            st.error(f"Not used: {plain(problem.removeprefix('where '))}.")
    elif choice.many:
        value = st.pills(
            options=list(labels), format_func=labels.__getitem__, selection_mode="multi", **common
        )
    else:
        value = st.selectbox(options=list(labels), format_func=labels.__getitem__, **common)
    if choice.explained:
        st.caption(choice.explained)
    return _value(choice, value)


def _value(choice: Choice, value: Any) -> Value:
    """Turn a widget's value into the choice's; an emptied list means the planned one."""
    return choice.repaired(tuple(value) if isinstance(value, list) else value)


def _planned_line(choice: Choice, value: Value) -> str:
    if choice.is_part:
        return "each has a planned setting of its own"
    planned = f"planned: {plain(choice.say(choice.planned))} · {choice.mark}"
    if value == choice.planned:
        return planned
    if choice.section and value == choice.opening:
        return f"the page opens on this; {planned}"
    mark = choice.mark_of(value)
    return f"**departs** from {planned}" + (f"; this option: {mark}" if mark else "")
