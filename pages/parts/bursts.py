"""What a run draws goes to the browser in few bursts instead of many small ones.

A browser lays a page out anew, 20 to 60 ms each time, whenever a part of what a run draws has
arrived; Streamlit sends such parts every 5 ms. Sent together they are laid out once.
"""

from __future__ import annotations

import asyncio
from collections import deque

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

HOLD = 0.12
"""Seconds for which a part is held at most: a long run still shows what it has so far."""
PARTS = (
    "delta",
    "ref_hash",
    "navigation",
    "page_config_changed",
    "page_info_changed",
)
"""Kinds of messages that make up what a run draws; all others go at once, after what is held.

With the one that tells of a new run a browser lays the page out too: it does so while the run
still works.
"""
LONG = 8_192
"""Bytes above which a message is a part in any case and is not looked into."""


class Bursts:
    """Hold what is sent over websockets for a moment (ASGI middleware)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection; anything but a websocket as it is."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        held = _Held(send)
        try:
            await self._app(scope, receive, held.send)
        finally:
            held.drop()


class _Held:
    """Messages of one websocket on their way out, in their order."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._held: deque[Message] = deque()
        self._lock = asyncio.Lock()
        self._timer: asyncio.Task[None] | None = None

    async def send(self, message: Message) -> None:
        """Hold a message, or send it with all that are held."""
        self._held.append(message)
        # While a slow connection takes what it got, nothing more is taken on.
        if self._lock.locked() or not _is_part(message):
            await self._flush()
        elif self._timer is None or self._timer.done():
            self._timer = asyncio.create_task(self._flush_later())

    def drop(self) -> None:
        """Forget what is held: the connection has ended."""
        self._held.clear()
        if self._timer is not None:
            self._timer.cancel()

    async def _flush_later(self) -> None:
        await asyncio.sleep(HOLD)
        try:
            await self._flush()
        except (OSError, RuntimeError):
            # The browser is gone, or going; whoever sends next will be told.
            self._held.clear()

    async def _flush(self) -> None:
        async with self._lock:
            while self._held:
                await self._send(self._held.popleft())


def _is_part(message: Message) -> bool:
    data = message.get("bytes")
    if message["type"] != "websocket.send" or data is None:
        return False
    return len(data) > LONG or ForwardMsg.FromString(data).WhichOneof("type") in PARTS
