"""A real HTTP server on loopback whose answers a test writes, well behaved or not."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from core.live.address import Address, read_address

Answer = Callable[["Seen", BaseHTTPRequestHandler], None]


@dataclass
class Seen:
    """One request as it came."""

    number: int
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Server:
    address: Address
    requests: list[Seen] = field(default_factory=list)
    answered: int = 0


@contextmanager
def serving(answer: Answer, path: str = "/v1") -> Iterator[Server]:
    """Run a server that answers every POST as told."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            with lock:
                seen = Seen(
                    len(server.requests),
                    self.path,
                    {k.lower(): v for k, v in self.headers.items()},
                    json.loads(body or b"null"),
                )
                server.requests.append(seen)
            try:
                answer(seen, self)
            except OSError:
                self.close_connection = True
                return
            with lock:
                server.answered += 1

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    http = Quiet(("127.0.0.1", 0), Handler)
    server = Server(read_address(f"http://127.0.0.1:{http.server_address[1]}{path}"))
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


def send(
    handler: BaseHTTPRequestHandler,
    body: str | bytes | dict[str, Any],
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    kind: str = "application/json",
) -> None:
    """Send a whole response."""
    if isinstance(body, dict):
        body = json.dumps(body)
    raw = body.encode() if isinstance(body, str) else body
    handler.send_response(status)
    handler.send_header("content-type", kind)
    handler.send_header("content-length", str(len(raw)))
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(raw)


def completion(text: str | None, **changes: Any) -> dict[str, Any]:
    """Return a chat completion that says something."""
    choice: dict[str, Any] = {
        "index": 0,
        "finish_reason": changes.pop("finish_reason", "stop"),
        "message": {"role": "assistant", "content": text} | changes.pop("message", {}),
    }
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "judge-1",
        "choices": [choice],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    } | changes


def one_token(tokens: dict[str, float]) -> dict[str, Any]:
    """Return a chat completion of one token with the log-probabilities of alternatives."""
    listed = [{"token": token, "logprob": value, "bytes": None} for token, value in tokens.items()]
    whole = completion("A", finish_reason="length")
    whole["choices"][0]["logprobs"] = {"content": [{**listed[0], "top_logprobs": listed}]}
    return whole


RATED = {"reasoning": "r", "favored": "neither", "fairness": 5, "closing_note": "n"}


def says(text: str | dict[str, Any], **changes: Any) -> Answer:
    """Answer every request with the same words."""
    words = text if isinstance(text, str) else json.dumps(text)
    return lambda seen, handler: send(handler, completion(words, **changes))
