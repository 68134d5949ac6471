"""Who answers a live check: the kind of provider, its address, model and key, and what it costs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl
import streamlit as st

from core.live import doors
from core.live.address import Address, read_address
from core.live.faults import LiveError
from core.live.providers.base import Provider
from core.live.providers.choose import BASE_URLS, MODELS, OPENAI, Wanted, choose
from core.live.providers.local import is_installed
from core.live.secrets import NO_KEY, OTHER_HOSTS, VARIABLES, Secret, key_from, variable_for
from core.live.spending import COLUMNS, SHIPPED, Price, read_prices
from core.words import plain

KEYS = "live:keys"
"""Keys that were entered, by host. Each hides itself, and goes to its own host only."""


@dataclass(frozen=True)
class Asked:
    """Who is to answer. ``make`` is called where the calls are made."""

    door: doors.Door
    planned: Provider | None
    """None where something is missing, which the page then says."""
    writer: Provider | None
    make: Callable[[], tuple[Provider, Provider | None]]
    prices: Mapping[tuple[str, str], Price]
    limit: float | None

    @property
    def model(self) -> str:
        """The model that is asked."""
        return self.planned.model if self.planned else ""


def draw(*, needs_writer: bool) -> Asked:
    """Draw the widgets, and say what is missing."""
    with st.sidebar:
        st.subheader("Who answers", anchor=False)
        door = doors.door(_kind())
        st.caption(plain(door.help))
        wanted, key = _endpoint(door) if door.is_remote else (Wanted(door.key), NO_KEY)
        other, other_key = None, NO_KEY
        if needs_writer and not door.writes:
            st.subheader("Who writes", anchor=False)
            other, other_key = _endpoint(doors.door("chat"), place="writer")
        prices, limit = _money() if door.is_remote else ({}, None)

    def make(*, start: bool) -> tuple[Provider, Provider | None]:
        provider = choose(wanted, key=key, start=start)
        if other is None:
            return provider, None
        return provider, choose(other, key=other_key, start=start)

    planned, writer = None, None
    if door.key.startswith(doors.LOCAL) and not is_installed():
        st.info(doors.INSTALL)
    else:
        try:
            planned, writer = make(start=False)
        except LiveError as error:
            st.info(plain(error.fault.sentence()))
    if door.key == doors.BY_HAND and not is_installed():
        st.caption(doors.WITHOUT_KEY)
    return Asked(door, planned, writer, lambda: make(start=True), prices, limit)


def _kind() -> str:
    shown = [each.key for each in doors.DOORS]
    opening = doors.first(has_key=bool(_key_of(read_address(OPENAI))), has_local=is_installed())
    st.session_state.setdefault("live:door", opening)
    picked: str = st.selectbox(
        "Provider",
        shown,
        format_func=lambda key: doors.door(key).label,
        key="live:door",
        persist_state="session",
    )
    return picked


def _endpoint(door: doors.Door, place: str = "answers") -> tuple[Wanted, Secret]:
    """Ask for address, model and key."""
    kind = f"{place}:{door.key}"
    base_url = st.text_input(
        "Base address",
        placeholder=BASE_URLS[door.key],
        key=f"live:url:{kind}",
        persist_state="session",
        help="Where the server’s API begins, such as https://host/v1. Empty: the one shown.",
    )
    model = st.text_input(
        "Model",
        placeholder=MODELS.get(door.key, "the model’s name at this server"),
        key=f"live:model:{kind}",
        persist_state="session",
    )
    wanted = Wanted(door.key, base_url.strip(), model.strip())
    try:
        address = read_address(wanted.base_url or BASE_URLS[door.key])
    except LiveError as error:
        st.error(plain(error.fault.sentence()))
        return wanted, NO_KEY
    return wanted, _ask_for_key(address, kind)


def _ask_for_key(address: Address, kind: str) -> Secret:
    """Ask for a host's key; what is entered leaves the field at once."""
    field = f"live:key:{kind}"
    st.text_input(
        f"Key for {plain(address.host)}",
        type="password",
        key=field,
        autocomplete="off",
        on_change=_take_key,
        args=(field, address.name),
        help=f"Kept in this session’s memory only, for this host only. Instead, set "
        f"{variable_for(address)} in the environment or in Streamlit’s secrets.",
    )
    refused = st.session_state.pop("live:key-refused", "")
    if refused:
        st.error(plain(refused))
    key = _key_of(address)
    if key:
        entered = address.name in _entered()
        st.caption("A key is set." if entered else f"The key in {variable_for(address)} is used.")
        if entered:
            st.button(
                "Forget the key", on_click=_forget, args=(address.name,), key=f"{field}:forget"
            )
    return key


def _take_key(field: str, host: str) -> None:
    """Move a key from its field to where nothing shows it."""
    try:
        key = Secret(st.session_state[field])
    except LiveError as error:
        st.session_state["live:key-refused"] = error.fault.sentence()
        key = NO_KEY
    st.session_state[field] = ""
    if key:
        _entered()[host] = key


def _forget(host: str) -> None:
    _entered().pop(host, None)


def _entered() -> dict[str, Secret]:
    keys: dict[str, Secret] = st.session_state.setdefault(KEYS, {})
    return keys


def _key_of(address: Address) -> Secret:
    """Return the key entered for a host, else that of the environment or of Streamlit's secrets."""
    return _entered().get(address.name) or key_from(address, {**_secrets(), **os.environ})


def _secrets() -> dict[str, str]:
    """Read the variables that hold keys from Streamlit's secrets; none without such a file."""
    if not st.secrets.load_if_toml_exists():
        return {}
    names = (*VARIABLES.values(), OTHER_HOSTS)
    return {name: str(st.secrets[name]) for name in names if name in st.secrets}


def _money() -> tuple[dict[tuple[str, str], Price], float | None]:
    """Ask for prices and a limit; only where something is sent."""
    st.subheader("Money", anchor=False)
    limit = st.number_input(
        "Spending limit of one run",
        min_value=0.0,
        value=None,
        step=0.5,
        placeholder="none",
        key="live:limit",
        persist_state="session",
        help="In the currency of the prices. A call that could pass it is not sent.",
    )
    with st.popover("Prices", icon=":material/payments:"):
        st.caption(
            "Per million tokens, as your provider states them. Without a row for a host and model "
            "the price is unknown."
        )
        given = st.session_state.setdefault("live:price-rows", pl.read_csv(SHIPPED, schema=_TEXT))
        edited = st.data_editor(
            given, num_rows="dynamic", hide_index=True, key="live:prices", alt="Prices of models"
        )
    rows = edited.filter(pl.any_horizontal(pl.all().is_not_null())).fill_null("")
    try:
        return read_prices(rows.write_csv()), limit
    except ValueError as error:
        st.error(f"The price table is not used: {plain(str(error))}.")
        return {}, limit


_TEXT = dict.fromkeys(COLUMNS, pl.String)
