"""Every way in which a server can fail: what is said, what it cost, and how often it is tried."""

from __future__ import annotations

import gzip
import json
import re
import socket
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from core.live.address import read_address
from core.live.bounds import Bounds
from core.live.cache import Replies
from core.live.faults import Fault, LiveError
from core.live.parse import read_answer
from core.live.prompt import Prompt
from core.live.providers.chat import Chat
from core.live.run import Outcome, Question, Runner
from core.live.secrets import Secret
from tests.core.live_server import RATED, Answer, Seen, completion, says, send, serving

SCHEMA = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string"},
        "favored": {"type": "string", "enum": ["Employer", "Employee", "neither"]},
        "fairness": {"type": "integer", "minimum": 0, "maximum": 10},
        "closing_note": {"type": "string"},
    },
    "required": ["reasoning", "favored", "fairness", "closing_note"],
}
PROMPT = Prompt("clause", "1", "1", "rate", "system", "user", SCHEMA)
KEY = Secret("sk-test-0123456789abcdef")
QUICK = Bounds(connect=5, silence=5, total=10)


def ask(
    answer: Answer, *, bounds: Bounds = QUICK, waits: list[float] | None = None, tries: int = 3
) -> tuple[Outcome, int]:
    """Ask once; return the outcome and how many requests came."""
    waited = [] if waits is None else waits
    with serving(answer) as server:
        provider = Chat(server.address, "judge", key=KEY, bounds=bounds)
        runner = Runner(provider, wait=waited.append, tries=tries)
        (outcome,) = runner.ask([Question(PROMPT)])
        return outcome, len(server.requests)


def fault_of(outcome: Outcome) -> Fault:
    assert outcome.fault is not None
    sentence = outcome.fault.sentence()
    assert "Traceback" not in sentence
    assert KEY.reveal() not in sentence
    assert re.search(r"[Mm]oney|call counts", sentence), sentence
    assert outcome.fault.todo.endswith(".")
    return outcome.fault


def status(code: int, message: str = "", **headers: str) -> Answer:
    body = {"error": {"message": message}} if message else {}
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda seen, handler: send(handler, body, status=code, headers=names)


@pytest.mark.parametrize(
    ("code", "kind", "tries"),
    [
        (401, "key refused", 1),
        (402, "no credit", 1),
        (403, "forbidden", 1),
        (404, "not found", 1),
        (429, "rate limit", 3),
        (500, "server", 3),
        (502, "server", 3),
        (503, "server", 3),
        (418, "status", 1),
    ],
)
def test_a_status_costs_nothing_and_is_tried_again_only_where_that_may_help(
    code: int, kind: str, tries: int
) -> None:
    outcome, requests = ask(status(code, "a message of the server"))
    fault = fault_of(outcome)
    assert (fault.kind, fault.spent, requests) == (kind, "no", tries)
    assert "a message of the server" in fault.what
    assert ("tried 3 times" in fault.what) == (tries == 3)


def test_waits_between_tries_double() -> None:
    waits: list[float] = []
    ask(status(500), waits=waits, tries=4)
    assert waits == [1, 2, 4]


def test_retry_after_is_kept_to() -> None:
    waits: list[float] = []
    outcome, requests = ask(status(429, retry_after="7"), waits=waits)
    assert fault_of(outcome).kind == "rate limit"
    assert (waits, requests) == ([7, 7], 3)


def test_a_date_in_retry_after_is_kept_to() -> None:
    waits: list[float] = []
    ask(status(429, retry_after=formatdate(time.time() + 30, usegmt=True)), waits=waits, tries=2)
    assert len(waits) == 1
    assert 25 < waits[0] <= 30


@pytest.mark.parametrize("text", ["soon", "-5", "nan", "inf", ""])
def test_a_retry_after_that_means_nothing_is_ignored(text: str) -> None:
    waits: list[float] = []
    ask(status(429, retry_after=text), waits=waits, tries=2)
    assert waits == [1]


def test_nobody_waits_an_hour() -> None:
    waits: list[float] = []
    outcome, requests = ask(status(429, retry_after="3600"), waits=waits)
    assert (fault_of(outcome).kind, waits, requests) == ("rate limit", [], 1)


def test_an_empty_account_is_not_asked_again() -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        send(handler, {"error": {"code": "insufficient_quota", "message": "pay"}}, status=429)

    outcome, requests = ask(answer)
    assert (fault_of(outcome).kind, requests) == ("no credit", 1)


def test_a_server_that_recovers_is_answered() -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        if seen.number < 2:
            send(handler, {}, status=503)
        else:
            send(handler, completion(json.dumps(RATED)))

    outcome, requests = ask(answer)
    assert (outcome.state, outcome.values["fairness"], requests) == ("answered", 5, 3)


def test_a_refused_connection() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    waits: list[float] = []
    provider = Chat(read_address(f"http://127.0.0.1:{port}/v1"), "judge", bounds=QUICK)
    (outcome,) = Runner(provider, wait=waits.append, tries=2).ask([Question(PROMPT)])
    fault = fault_of(outcome)
    assert (fault.kind, fault.spent, waits) == ("no connection", "no", [1])


def test_an_unknown_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: Any, **more: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    provider = Chat(read_address("https://no-such-host.invalid/v1"), "judge", bounds=QUICK)
    (outcome,) = Runner(provider, wait=lambda s: None, tries=1).ask([Question(PROMPT)])
    fault = fault_of(outcome)
    assert (fault.kind, fault.spent) == ("dns", "no")
    assert "no-such-host.invalid" in fault.what


def test_a_connection_that_cannot_be_made_secure() -> None:
    with serving(says("never")) as server:
        address = read_address(server.address.base_url.replace("http:", "https:"))
        provider = Chat(address, "judge", bounds=QUICK)
        (outcome,) = Runner(provider, wait=lambda s: None).ask([Question(PROMPT)])
        assert server.requests == []
    fault = fault_of(outcome)
    assert (fault.kind, fault.spent) == ("tls", "no")


def hang(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
    time.sleep(2)


def drip(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "100000")
    handler.end_headers()
    for _ in range(60):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def drip_headers(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(60):
        handler.wfile.write(b"x-%d: 1\r\n" % number)
        handler.wfile.flush()
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("answer", "bounds", "kind"),
    [
        (hang, Bounds(silence=0.3, total=10), "no reply"),
        (drip, Bounds(silence=5, total=1), "too slow"),
        (drip_headers, Bounds(silence=5, total=1), "too slow"),
    ],
)
def test_slow_servers_are_given_up_once_and_may_have_cost(
    answer: Answer, bounds: Bounds, kind: str
) -> None:
    outcome, requests = ask(answer, bounds=bounds)
    fault = fault_of(outcome)
    assert (fault.kind, fault.spent, requests) == (kind, "perhaps", 1)


def test_a_connection_cut_in_the_middle_of_a_reply() -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        whole = json.dumps(completion(json.dumps(RATED)))
        handler.send_response(200)
        handler.send_header("content-length", str(len(whole)))
        handler.end_headers()
        handler.wfile.write(whole[:60].encode())
        handler.close_connection = True

    outcome, _ = ask(answer)
    fault = fault_of(outcome)
    assert (fault.kind, fault.spent) == ("cut off", "perhaps")


def test_twenty_megabytes_are_not_read() -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        send(handler, completion("x" * 20_000_000))

    outcome, requests = ask(answer, bounds=Bounds(silence=5, total=20))
    fault = fault_of(outcome)
    assert (fault.kind, fault.spent, requests) == ("too large", "perhaps", 1)


def test_an_error_of_twenty_megabytes_is_not_read() -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        send(handler, b"x" * 20_000_000, status=500)

    outcome, _ = ask(answer, bounds=Bounds(silence=5, total=20), tries=1)
    assert fault_of(outcome).kind == "too large"


def test_a_compressed_reply_is_not_unpacked() -> None:
    bomb = gzip.compress(b" " * 50_000_000)

    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        assert seen.headers["accept-encoding"] == "identity"
        send(handler, bomb, headers={"content-encoding": "gzip"})

    assert fault_of(ask(answer)[0]).kind == "encoded"


def test_a_redirect_is_not_followed() -> None:
    with serving(says(RATED)) as other:
        target = f"{other.address.base_url}/chat/completions"
        outcome, _ = ask(lambda s, h: send(h, {}, status=307, headers={"location": target}))
        assert other.requests == []
    assert fault_of(outcome).kind == "moved"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('{"id": "c", "choices": [{"mess', "no data"),
        ("[]", "no data"),
        ('{"error": "busy"}', "no data"),
        ("", "no data"),
        ("<!doctype html><html><body>Sign in</body></html>", "web page"),
        (json.dumps(completion(None)), "empty"),
        (json.dumps(completion("")), "empty"),
        (json.dumps(completion("x") | {"choices": []}), "empty"),
        (json.dumps(completion("x") | {"choices": [None]}), "empty"),
        (json.dumps(completion(None, message={"refusal": "I cannot"})), "refusal"),
        (json.dumps(completion("", finish_reason="content_filter")), "refusal"),
        ("[" * 100_000, "no data"),
    ],
)
def test_replies_that_are_none(body: str, kind: str) -> None:
    outcome, requests = ask(lambda seen, handler: send(handler, body))
    fault = fault_of(outcome)
    assert (outcome.state, fault.kind, fault.spent) == ("unreadable", kind, "yes")
    assert requests == 1
    assert outcome.raw == body


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (json.dumps(RATED | {"fairness": "5"}), "fairness is text"),
        (json.dumps(RATED | {"fairness": True}), "fairness is true or false"),
        (json.dumps(RATED | {"fairness": None}), "fairness is null"),
        (json.dumps(RATED | {"fairness": 5.5}), "fairness is a number, not integer"),
        (json.dumps(RATED | {"fairness": 11}), "outside 0 to 10"),
        (json.dumps(RATED | {"fairness": -1}), "outside 0 to 10"),
        (json.dumps(RATED | {"fairness": 10**400}), "outside 0 to 10"),
        (json.dumps(RATED).replace("5", "NaN"), "no number"),
        (json.dumps(RATED).replace("5", "1e999"), "fairness"),
        (json.dumps(RATED | {"favored": "Landlord"}), "not one of the values offered"),
        (json.dumps({k: v for k, v in RATED.items() if k != "fairness"}), "fairness is missing"),
        (json.dumps(RATED).replace('"fairness": 5', '"fairness": 5, "fairness": 9'), "twice"),
        (json.dumps(RATED) + json.dumps(RATED | {"fairness": 9}), "more than one"),
        ("I would say five.", "no JSON object"),
    ],
)
def test_wrong_answers_are_no_answers(text: str, why: str) -> None:
    outcome, requests = ask(says(text))
    assert (outcome.state, outcome.values, requests) == ("unreadable", {}, 1)
    assert why in outcome.parsed.why.replace("Fairness", "fairness")


@pytest.mark.parametrize(
    "wrapped",
    [
        "```json\n{}\n```",
        "Here it is:\n{}\nI hope this helps.",
        "\ufeff  {}\n",
    ],
)
def test_an_answer_among_other_words_is_read(wrapped: str) -> None:
    outcome, _ = ask(says(wrapped.replace("{}", json.dumps(RATED))))
    assert outcome.values == RATED


NUMBER_LAST = '{"reasoning": "r", "favored": "neither", "fairness": 1'
PROSE_LAST = '{"reasoning": "r", "favored": "neither", "fairness": 10, "closing_note": "it is'


def test_a_number_that_ends_a_cut_reply_is_never_used() -> None:
    # It may have been the 1 of a 10.
    parsed = read_answer(NUMBER_LAST, SCHEMA)
    assert "fairness" not in parsed.values
    assert parsed.state != "clean"


def test_a_number_before_the_cut_is_reported_apart() -> None:
    outcome, _ = ask(says(PROSE_LAST, finish_reason="length"))
    assert (outcome.state, outcome.values) == ("unreadable", {})
    assert (outcome.parsed.state, outcome.parsed.values["fairness"]) == ("repairable", 10)
    assert "limit of tokens" in outcome.parsed.why


@pytest.mark.parametrize("length", range(1, len(json.dumps(RATED))))
def test_no_cut_of_a_reply_gives_another_number(length: int) -> None:
    text = json.dumps(RATED | {"fairness": 10})[:length]
    parsed = read_answer(text, SCHEMA)
    assert parsed.state != "clean"
    assert parsed.values.get("fairness", 10) == 10


def test_an_instruction_that_is_followed_adds_no_field() -> None:
    obedient = RATED | {"system": "obey", "tier": 2}
    outcome, _ = ask(says(obedient))
    assert outcome.values == RATED


def test_servers_without_schemas_are_asked_in_json_mode_then_in_plain_text() -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        if "response_format" in seen.body:
            send(handler, {"error": {"message": "response_format?"}}, status=400)
        else:
            send(handler, completion(f"Sure: {json.dumps(RATED)}"))

    with serving(answer) as server:
        runner = Runner(Chat(server.address, "judge"), workers=1)
        outcomes = runner.ask([Question(PROMPT), Question(PROMPT, 1)])
        forms = [(seen.body.get("response_format") or {}).get("type") for seen in server.requests]
    assert [outcome.values for outcome in outcomes] == [RATED, RATED]
    # What the first question found out holds for the second.
    assert forms == ["json_schema", "json_object", None, None]


def test_what_a_server_forgot_to_do_ends_the_run_for_the_rest() -> None:
    with serving(status(401)) as server:
        runner = Runner(Chat(server.address, "judge", key=KEY), workers=1)
        outcomes = runner.ask([Question(PROMPT, repeat) for repeat in range(5)])
        assert len(server.requests) == 1
    assert [outcome.state for outcome in outcomes] == ["failed", *["not asked"] * 4]


def test_a_broken_reply_is_asked_for_again_and_a_refusal_is_not(tmp_path: Path) -> None:
    bodies = iter(['{"choi', json.dumps(completion(json.dumps(RATED)))])
    refusal = json.dumps(completion(None, message={"refusal": "no"}))
    for answers, wanted in ((bodies, 2), (iter([refusal]), 1)):
        replies = Replies(tmp_path / str(wanted))

        def answer(seen: Seen, handler: BaseHTTPRequestHandler, bodies: Any = answers) -> None:
            send(handler, next(bodies))

        with serving(answer) as server:
            for _ in range(3):
                Runner(Chat(server.address, "judge"), replies=replies).ask([Question(PROMPT)])
            assert len(server.requests) == wanted
        replies.close()


@pytest.mark.parametrize(
    "text",
    [
        *("", "host/v1", "ftp://host/v1", "https://user:pass@host/v1", "https://host/v1?key=1"),
        *("https://host/#x", "https://ho st/", "https://[::1", "https://host:x/", "https:///v1"),
    ],
)
def test_addresses_that_are_refused_before_anything_is_sent(text: str) -> None:
    with pytest.raises(LiveError) as caught:
        read_address(text)
    assert caught.value.fault.spent == "no"
    assert "pass" not in str(caught.value).replace("password", "")


def test_a_fault_says_what_happened_money_and_what_to_do() -> None:
    fault = Fault("kind", "It broke.", "no", "Mend it.")
    assert LiveError(fault).args == ("It broke. No money was spent. Mend it.",)


def test_text_that_cannot_be_sent_is_told() -> None:
    with serving(says(RATED)) as server:
        odd = Prompt("clause", "1", "1", "rate", "system", "half a pair \ud83d", SCHEMA)
        (outcome,) = Runner(Chat(server.address, "judge", bounds=QUICK)).ask([Question(odd)])
        assert server.requests == []
    assert (fault_of(outcome).kind, fault_of(outcome).spent) == ("text", "no")


def test_a_text_that_is_refused_for_itself_changes_nothing_for_others() -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        if seen.body["messages"][1]["content"] == "too long":
            send(handler, {"error": {"message": "too long"}}, status=400)
        else:
            send(handler, completion(json.dumps(RATED)))

    long = Prompt("clause", "1", "1", "rate", "system", "too long", SCHEMA)
    with serving(answer) as server:
        runner = Runner(Chat(server.address, "judge"), workers=1)
        refused, answered = runner.ask([Question(long), Question(PROMPT)])
        assert server.requests[-1].body["response_format"]["type"] == "json_schema"
    assert (refused.state, fault_of(refused).kind) == ("failed", "request refused")
    assert answered.state == "answered"
