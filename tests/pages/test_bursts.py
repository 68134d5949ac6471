"""What a run draws leaves together, in its order, and nothing waits for ever or is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts import bursts
from pages.parts.bursts import HOLD, LONG, Bursts

Event = dict[str, Any]
Serve = Callable[[Callable[[Event], Awaitable[None]]], Awaitable[None]]


def part(text: str = "a") -> Event:
    """An element that a run draws."""
    message = ForwardMsg()
    message.delta.new_element.markdown.body = text
    return {"type": "websocket.send", "bytes": message.SerializeToString()}


def at_once(kind: str) -> Event:
    message = ForwardMsg()
    getattr(message, kind).SetInParent()
    return {"type": "websocket.send", "bytes": message.SerializeToString()}


FINISHED = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
END = {"type": "websocket.send", "bytes": FINISHED.SerializeToString()}


def served(serve: Serve, send: Callable[[Event], Awaitable[None]], kind: str = "websocket") -> None:
    """Serve one connection by an application behind the middleware."""

    async def application(scope: Event, receive: Any, send: Any) -> None:
        await serve(send)

    async def receive() -> Event:
        return {}

    asyncio.run(Bursts(application)({"type": kind}, receive, send))


def sent_by(serve: Serve, kind: str = "websocket") -> list[Event]:
    gone: list[Event] = []

    async def send(event: Event) -> None:
        gone.append(event)

    async def watched(send_on: Callable[[Event], Awaitable[None]]) -> None:
        await serve(send_on)
        seen.append(len(gone))

    seen: list[int] = []
    served(watched, send, kind)
    return gone[: seen[0]]


def test_parts_leave_with_what_follows_them_in_order() -> None:
    events = [at_once("new_session"), part("1"), part("2"), at_once("navigation"), END, part("3")]

    async def serve(send: Callable[[Event], Awaitable[None]]) -> None:
        for event in events:
            await send(event)

    # The last part is still held when the run has ended; all before it are gone, in order.
    assert sent_by(serve) == events[:-1]


def test_a_part_waits_a_moment_and_no_longer() -> None:
    counts: list[int] = []

    async def scenario() -> None:
        gone: list[Event] = []

        async def send(event: Event) -> None:
            gone.append(event)

        async def application(scope: Event, receive: Any, send: Any) -> None:
            for event in (part("1"), part("2")):
                await send(event)
            counts.append(len(gone))
            await asyncio.sleep(3 * HOLD)
            counts.append(len(gone))
            await send(part("3"))
            await asyncio.sleep(3 * HOLD)
            counts.append(len(gone))

        await Bursts(application)({"type": "websocket"}, send, send)

    asyncio.run(scenario())
    assert counts == [0, 2, 3]


def test_a_long_part_is_held_and_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(send: Callable[[Event], Awaitable[None]]) -> None:
        await send({"type": "websocket.send", "bytes": b"x" * (LONG + 1)})

    assert sent_by(serve) == []
    monkeypatch.setattr(bursts, "LONG", 0)
    assert sent_by(lambda send: send(part("x" * 9))) == []


@pytest.mark.parametrize(
    "event",
    [
        {"type": "websocket.accept"},
        {"type": "websocket.close", "code": 1000},
        {"type": "websocket.send", "text": "hello"},
        END,
        at_once("session_event"),
    ],
    ids=["accept", "close", "text", "end", "event"],
)
def test_everything_else_leaves_at_once_with_what_was_held(event: Event) -> None:
    async def serve(send: Callable[[Event], Awaitable[None]]) -> None:
        await send(part())
        await send(event)

    assert sent_by(serve) == [part(), event]


def test_what_is_no_websocket_is_left_alone() -> None:
    body = {"type": "http.response.body", "body": b"x"}
    assert sent_by(lambda send: send(body), kind="http") == [body]


@pytest.mark.parametrize("kind", [OSError, RuntimeError])
def test_a_browser_that_is_gone_is_told_to_whoever_sends_next(kind: type[Exception]) -> None:
    told: list[str] = []

    async def gone(event: Event) -> None:
        raise kind("gone")

    async def serve(send: Callable[[Event], Awaitable[None]]) -> None:
        await send(part())
        # The wait ends without anybody to tell.
        await asyncio.sleep(3 * HOLD)
        try:
            await send(END)
        except kind as problem:
            told.append(str(problem))

    served(serve, gone)
    assert told == ["gone"]


def test_nothing_is_sent_when_the_connection_has_ended() -> None:
    gone: list[Event] = []

    async def scenario() -> None:
        async def send(event: Event) -> None:
            gone.append(event)

        async def application(scope: Event, receive: Any, send: Any) -> None:
            await send(part())

        await Bursts(application)({"type": "websocket"}, send, send)
        await asyncio.sleep(3 * HOLD)

    asyncio.run(scenario())
    assert gone == []


def test_a_slow_connection_holds_up_who_sends_and_keeps_the_order() -> None:
    gone: list[Event] = []
    events = [part(str(n)) for n in range(6)]

    async def slow(event: Event) -> None:
        await asyncio.sleep(HOLD / 2)
        gone.append(event)

    async def serve(send: Callable[[Event], Awaitable[None]]) -> None:
        for event in events[:3]:
            await send(event)
        # The moment is over, and the first parts are on their slow way.
        await asyncio.sleep(1.3 * HOLD)
        await send(events[3])
        returned.append(len(gone))
        for event in (*events[4:], END):
            await send(event)

    returned: list[int] = []
    served(serve, slow)
    # Who sent meanwhile got on only when the connection had taken all of it.
    assert returned == [4]
    assert gone == [*events, END]
