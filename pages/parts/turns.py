"""Readers' runs take turns.

Polars runs Python code inside an expression on threads of its own, which wait for the interpreter.
Another run may at that moment hold the interpreter and wait for one of those threads, and then both
stand still for ever: with fifty readers at once that happened within a minute. One run at a time
costs little, since the interpreter is never in two of them at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local

_TURN = Lock()
_HERE = local()


@contextmanager
def turn() -> Iterator[None]:
    """Wait until nobody else's run is under way, and keep others waiting until the block ends.

    Inside a block that has the turn it does nothing.
    """
    if getattr(_HERE, "has_turn", False):
        yield
        return
    with _TURN:
        _HERE.has_turn = True
        try:
            yield
        finally:
            _HERE.has_turn = False


@contextmanager
def aside() -> Iterator[None]:
    """Let others run while this run waits, or calculates for long without drawing anything."""
    if not getattr(_HERE, "has_turn", False):
        yield
        return
    _HERE.has_turn = False
    _TURN.release()
    try:
        yield
    finally:
        _TURN.acquire()
        _HERE.has_turn = True
