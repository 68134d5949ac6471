"""Start the real app on a free port and stop it again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OPTIONS = (
    "--server.headless=true",
    "--server.address=127.0.0.1",
    "--server.fileWatcherType=none",
    "--browser.gatherUsageStats=false",
)


@dataclass(frozen=True)
class Server:
    """A running app."""

    url: str
    port: int
    process: subprocess.Popen[bytes]
    log_path: Path

    @property
    def log(self) -> str:
        """What the app has printed so far."""
        return self.log_path.read_text(encoding="utf-8", errors="replace")


def free_port() -> int:
    """Ask the system for a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def healthy(port: int) -> bool:
    """Tell whether the app answers."""
    connection = HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def wait_until_healthy(server: Server, seconds: float) -> None:
    """Wait for the app to answer; if it ends or takes too long, raise with its log."""
    deadline = time.monotonic() + seconds
    while not healthy(server.port):
        if server.process.poll() is not None:
            raise RuntimeError(f"the app ended at once:\n{server.log}")
        if time.monotonic() > deadline:
            raise TimeoutError(f"the app did not answer in {seconds} s:\n{server.log}")
        time.sleep(0.05)


@contextmanager
def serve(
    app: Path = ROOT / "app.py", *, env: Mapping[str, str] | None = None, seconds: float = 60
) -> Iterator[Server]:
    """Run an app until the block ends.

    ``env`` adds to the environment, for instance the address of a stand-in for a model.
    """
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(app), f"--server.port={port}"]
    with tempfile.TemporaryDirectory(prefix="hinge-server-") as folder:
        log_path = Path(folder) / "log"
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                [*command, *OPTIONS],
                cwd=ROOT,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        server = Server(f"http://127.0.0.1:{port}", port, process, log_path)
        try:
            wait_until_healthy(server, seconds)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
