"""Replies that were paid for, kept on disk as text.

The one module that uses diskcache. Its own disk classes unpickle what they find, so that whoever
can write the folder could run code here (CVE-2025-69872, unfixed in 5.6.3), and delete files that
a row names. `TextDisk` keeps plain text in the database and takes nothing else out of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diskcache import UNKNOWN, Cache, Disk, Timeout
from diskcache.core import MODE_RAW

from core.live.faults import Fault, LiveError, not_possible
from core.live.prompt import Prompt, Request
from core.paths import ROOT

FOLDER_VARIABLE = "HINGE_CACHE"

MOST_BYTES = 2 * 2**30
MOST_DAYS = 180
"""How much is kept, and for how long."""


class UnfitRow(OSError):
    """A row that this cache did not write. Of this kind because diskcache takes it for a miss."""


class TextDisk(Disk):
    """Text keys and text values, in the database, and nothing else."""

    def put(self, key: Any) -> tuple[str, bool]:
        """Take a text key."""
        return _text(key), True

    def get(self, key: Any, raw: bool) -> str:
        """Return a key of the table, if it is plain text."""
        if not raw:
            raise UnfitRow("a key that is no text")
        return _text(key)

    def store(self, value: Any, read: bool, key: Any = UNKNOWN) -> tuple[int, int, None, str]:
        """Take a text value."""
        del key
        if read:
            raise TypeError("the cache takes no files")
        return len(_text(value)), MODE_RAW, None, value

    def fetch(self, mode: int, filename: Any, value: Any, read: bool) -> str:
        """Return a value of the table, if it is plain text."""
        if mode != MODE_RAW or filename is not None or read:
            raise UnfitRow("a value that is no text")
        return _text(value)

    def remove(self, file_path: Any) -> None:
        """Remove no file: this cache has none, so a row that names one is not its own."""


def _text(value: Any) -> str:
    if type(value) is not str:
        raise UnfitRow("not text")
    return value


@dataclass(frozen=True, slots=True)
class Stored:
    """A reply as it came."""

    raw: str
    at: float
    """When it came, in seconds since 1970."""
    seconds: float
    """How long the call took."""


class Replies:
    """Replies by what was asked, for one person on one machine."""

    def __init__(self, folder: Path | None = None, *, clock: Callable[[], float] = time.time):
        """Open the cache, and make its folder where there is none.

        Parameters
        ----------
        folder
            Outside the project; `default_folder` when None. Made for its owner only.
        clock
            Gives the time in seconds since 1970.

        Raises
        ------
        ValueError
            If the folder lies inside the project, which is shared and served.
        LiveError
            If it cannot be made, or what is in it is no cache.
        """
        folder = (folder or default_folder()).expanduser().resolve()
        if folder.is_relative_to(ROOT):
            raise ValueError(f"folder is {str(folder)!r}; expected one outside the project")
        self._clock = clock
        try:
            self._cache = _open(folder)
        except (OSError, sqlite3.Error, ValueError, TypeError) as error:
            raise not_possible(
                "cache",
                f"Replies cannot be kept in {folder}: {error}.",
                f"Move that folder away, or name another in {FOLDER_VARIABLE}.",
            ) from None

    def get(self, key: str) -> Stored | None:
        """Return a stored reply; None where there is none that can be read."""
        try:
            text = self._cache.get(key)
            return None if text is None else _stored(json.loads(text))
        except (ValueError, TypeError, KeyError, RecursionError, OSError, sqlite3.Error):
            return None

    def put(self, key: str, raw: str, seconds: float) -> None:
        """Store a reply; it is on disk when this returns.

        Raises
        ------
        LiveError
            If it could not be stored.
        """
        record = {"raw": raw, "at": self._clock(), "seconds": seconds}
        text = json.dumps(record, sort_keys=True)
        try:
            self._cache.set(key, text, expire=MOST_DAYS * 86_400)
        except (OSError, sqlite3.Error, Timeout) as error:
            what = f"A reply came and could not be stored ({error})."
            todo = "Free some space; nothing more was sent."
            raise LiveError(Fault("disk", what, "yes", todo)) from None

    def close(self) -> None:
        """Close the calling thread's connection; it opens again when it is used again."""
        self._cache.close()


def _open(folder: Path) -> Cache:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    return Cache(
        str(folder),
        disk=TextDisk,
        size_limit=MOST_BYTES,
        eviction_policy="least-recently-stored",
    )


def _stored(record: Any) -> Stored:
    stored = Stored(record["raw"], record["at"], record["seconds"])
    numbers = (stored.at, stored.seconds)
    if type(stored.raw) is not str or not all(type(n) in (int, float) for n in numbers):
        raise ValueError("not a stored reply")
    return stored


def default_folder() -> Path:
    """Return where replies are kept: $HINGE_CACHE, or a folder among the user's caches."""
    named = os.environ.get(FOLDER_VARIABLE, "")
    if named:
        return Path(named)
    caches = os.environ.get("XDG_CACHE_HOME", "") or "~/.cache"
    return Path(caches) / "hinge" / "live"


def reply_key(identity: str, model: str, request: Request, repeat: int, prompt: Prompt) -> str:
    """Name a call: the same name only for the same question, asked as the same repeat.

    Parameters
    ----------
    identity
        The server's base address, or what stands for it.
    model, request
        What is sent, without the key.
    repeat
        Without it, repeats would all be one stored reply and show no spread.
    prompt
        Whose wording and fields it is.

    Returns
    -------
    str
        SHA-256, in hexadecimal digits.
    """
    told = {
        "base_url": identity,
        "model": model,
        # In its own order, as text: the order of the fields in a schema is part of the question.
        "request": json.dumps(request, ensure_ascii=False),
        "repeat": repeat,
        "prompt": f"{prompt.instrument} {prompt.version} {prompt.step}",
        "schema": prompt.schema_version,
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
