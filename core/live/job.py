"""A check that runs beside the page: how far it is, a way to stop it, and what it found."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Any

from core.live.faults import Fault, LiveError
from core.live.run import Check, Progress, Runner

Start = Callable[[Event, Callable[[Progress], None]], Runner]
"""Makes the runner, given what stops it and whom it tells; may raise `LiveError`."""

UNEXPECTED = "Hinge failed while it ran this check ({name})."


class Job:
    """One run of a check in a thread of its own."""

    def __init__(self, check: Check[Any], start: Start) -> None:
        """Prepare a run; `begin` starts it.

        Parameters
        ----------
        check
            An instrument with a reader's text.
        start
            Makes the runner inside the thread, where a local server may take its time.
        """
        self.check = check
        self._start = start
        self._cancel = Event()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._progress: Progress | None = None
        self._result: Any = None
        self._fault: Fault | None = None
        self._is_done = False

    def begin(self) -> None:
        """Start, once."""
        if self._thread is None:
            self._thread = Thread(target=self._work, name="live check", daemon=True)
            self._thread.start()

    def cancel(self) -> None:
        """Send nothing more; calls on their way are awaited and kept."""
        self._cancel.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end; returns whether it came."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self.is_done

    @property
    def is_done(self) -> bool:
        """Whether it has ended, one way or the other."""
        with self._lock:
            return self._is_done

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody asked it to stop."""
        return self._cancel.is_set()

    @property
    def progress(self) -> Progress | None:
        """How far it is; None before the first call came back."""
        with self._lock:
            return self._progress

    @property
    def result(self) -> Any:
        """What it found; None while it runs, or where nothing could be asked."""
        with self._lock:
            return self._result

    @property
    def fault(self) -> Fault | None:
        """Why it stopped before its end, if it did."""
        with self._lock:
            return self._fault

    def _work(self) -> None:
        result, fault = None, None
        try:
            runner = self._start(self._cancel, self._tell)
            result = runner.run(self.check)
            fault = runner.stopped
        except LiveError as error:
            fault = error.fault
        except Exception as error:  # A thread that dies silently would leave the page waiting.
            fault = Fault(
                "unexpected",
                UNEXPECTED.format(name=type(error).__name__),
                "perhaps",
                "Run it again: replies that arrived are kept and not paid for twice.",
            )
        with self._lock:
            self._result, self._fault, self._is_done = result, fault, True

    def _tell(self, progress: Progress) -> None:
        with self._lock:
            self._progress = progress
