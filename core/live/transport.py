"""The HTTP client that the official clients are given: bounded in time and size, no redirects.

Imported only where a call is made: it loads the HTTP library.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

import httpx2

from core.live.bounds import Bounds


class TooLarge(Exception):
    """A reply went over the size limit."""


class TooSlow(Exception):
    """A reply kept coming, but not within the time limit."""


class Encoded(Exception):
    """A reply is compressed although that was not asked for: its real size cannot be told."""


class Moved(Exception):
    """A server sends the caller to another address."""


class _Bounded(httpx2.SyncByteStream):
    """The bytes of a reply, up to the limits."""

    def __init__(
        self, inner: httpx2.SyncByteStream, size: int, is_late: Callable[[], bool]
    ) -> None:
        self._inner = inner
        self._size = size
        self._is_late = is_late

    def __iter__(self) -> Iterator[bytes]:
        seen = 0
        for chunk in self._inner:
            seen += len(chunk)
            if seen > self._size:
                raise TooLarge
            if self._is_late():
                raise TooSlow
            yield chunk

    def close(self) -> None:
        self._inner.close()


@contextmanager
def bounded_client(bounds: Bounds) -> Iterator[httpx2.Client]:
    """Open a client for one call.

    Parameters
    ----------
    bounds
        Limits of the call; whatever is still open when they are reached is closed.

    Yields
    ------
    httpx2.Client
        It follows no redirect: the text goes to the host that was shown, or nowhere.
    """
    deadline = time.monotonic() + bounds.total

    def is_late() -> bool:
        return time.monotonic() > deadline

    def check(response: httpx2.Response) -> None:
        if response.is_redirect:
            raise Moved
        if response.headers.get("content-encoding", "identity") != "identity":
            raise Encoded
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Bounded(response.stream, bounds.size, is_late)

    client = httpx2.Client(
        timeout=httpx2.Timeout(bounds.silence, connect=bounds.connect),
        follow_redirects=False,
        event_hooks={"request": [_ask_plain], "response": [check]},
    )
    # Headers that drip are beyond the stream's reach: the line is cut instead.
    watchdog = Timer(bounds.total, client.close)
    watchdog.daemon = True
    watchdog.start()
    try:
        yield client
    except Exception as error:
        # Whatever a cut line looks like to the client, this is what happened.
        if is_late():
            raise TooSlow from error
        raise
    finally:
        watchdog.cancel()
        client.close()


def _ask_plain(request: httpx2.Request) -> None:
    request.headers["accept-encoding"] = "identity"
