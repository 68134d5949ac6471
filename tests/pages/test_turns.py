"""One run at a time."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from pages.parts.turns import aside, turn

SOON = 5.0
"""Seconds that are long for what is asked here."""


def other(entered: Event) -> Thread:
    """Start a reader who enters as soon as nobody else has the turn."""

    def enter() -> None:
        with turn():
            entered.set()

    thread = Thread(target=enter, daemon=True)
    thread.start()
    return thread


def test_another_run_waits_for_its_turn() -> None:
    entered = Event()
    with turn():
        thread = other(entered)
        assert not entered.wait(0.2)
    thread.join(SOON)
    assert entered.is_set()


def test_a_run_that_steps_aside_lets_another_in() -> None:
    entered = Event()
    with turn():
        with aside():
            other(entered).join(SOON)
        assert entered.is_set()
        again = Event()
        thread = other(again)
        assert not again.wait(0.2)
    thread.join(SOON)
    assert again.is_set()


def test_a_turn_taken_while_aside_keeps_others_waiting() -> None:
    entered = Event()
    with turn(), aside(), turn():
        thread = other(entered)
        assert not entered.wait(0.2)
    thread.join(SOON)
    assert entered.is_set()


def test_a_turn_within_a_turn_is_the_same_one() -> None:
    with turn(), turn():
        pass
    entered = Event()
    other(entered).join(SOON)
    assert entered.is_set()


def test_an_error_ends_the_turn() -> None:
    with pytest.raises(ValueError, match="ends"), turn():
        raise ValueError("ends")
    entered = Event()
    other(entered).join(SOON)
    assert entered.is_set()


def test_stepping_aside_without_a_turn_does_nothing() -> None:
    with aside():
        pass
