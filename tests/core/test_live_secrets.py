"""A key reaches the host that it belongs to and nothing else: no log, file, error or download."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import traceback
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from core.live.address import read_address
from core.live.cache import Replies
from core.live.clause import ClauseCheck
from core.live.clause_texts import own_clause
from core.live.command import main
from core.live.faults import LiveError
from core.live.providers.chat import Chat
from core.live.providers.choose import Wanted, choose, default_name
from core.live.run import Question, Runner
from core.live.secrets import HIDDEN, Secret, key_from
from tests.core.live_server import RATED, Seen, completion, says, send, serving
from tests.core.test_live_faults import PROMPT, QUICK

KEY = 'sk-SECRET/42+"quoted"=='
CLAUSE = "The Employer may end this Agreement at any time; the Employee must give notice."


def forms() -> list[str]:
    return [KEY, json.dumps(KEY)[1:-1], "SECRET/42", "SECRET%2F42"]


def assert_without_key(*texts: str) -> None:
    for text in texts:
        for form in forms():
            assert form not in text


def tell_back(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
    """Repeat the key in the answer, as a careless server may."""
    key = seen.headers["authorization"].removeprefix("Bearer ")
    send(handler, completion(json.dumps(RATED | {"reasoning": f"your key is {key}"}), model=key))


def refuse(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
    key = seen.headers["authorization"]
    send(handler, {"error": {"message": f"wrong key {key}"}}, status=401)


def test_the_key_is_nowhere_after_a_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    with serving(tell_back) as server:
        provider = Chat(server.address, "judge", key=Secret(KEY))
        replies = Replies(tmp_path / "cache")
        check = ClauseCheck(own_clause(CLAUSE, ("Employer", "Employee")), 1, model="judge")
        result = Runner(provider, replies=replies).run(check)
        replies.close()
        assert all(KEY in seen.headers["authorization"] for seen in server.requests)
        assert all(KEY not in seen.path for seen in server.requests)
    record = json.dumps(result.as_record())
    rows = result.tables()["determinations"].write_csv()
    files = [path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert HIDDEN in record
    written = capfd.readouterr()
    assert_without_key(
        *(record, rows, caplog.text, written.out, written.err, repr(provider), repr(result)),
        *files,
    )
    assert_without_key(repr(vars(provider)), str(vars(provider)["_key"]))


def test_the_key_is_in_no_error() -> None:
    with serving(refuse) as server:
        provider = Chat(server.address, "judge", key=Secret(KEY), bounds=QUICK)
        with pytest.raises(LiveError) as caught:
            provider.send(provider.ways(PROMPT)[0])
        (outcome,) = Runner(provider).ask([Question(PROMPT)])
    error = caught.value
    told = "".join(traceback.format_exception(error))
    assert error.__cause__ is None
    assert error.__context__ is None
    assert outcome.fault is not None
    assert_without_key(told, repr(error), outcome.fault.sentence(), json.dumps(outcome.as_record()))


def test_the_command_line_shows_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HINGE_CACHE", str(tmp_path))
    monkeypatch.setenv("HINGE_API_KEY", KEY)
    for answer in (tell_back, refuse):
        with serving(answer) as server:
            arguments = ["--base-url", server.address.base_url, "--model", "judge", "--yes"]
            main(
                ["check", "clause", "--text", CLAUSE, "--roles", "Employer", "Employee", *arguments]
            )
            assert server.requests
        written = capsys.readouterr()
        assert_without_key(written.out, written.err)


def test_a_key_shows_itself_to_nobody() -> None:
    secret = Secret(KEY)
    assert_without_key(repr(secret), str(secret), f"{secret}", repr([secret]), repr({"k": secret}))
    for write in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="never written"):
            write(secret)
    with pytest.raises(TypeError):
        json.dumps(secret)
    assert secret.reveal() == KEY


@pytest.mark.parametrize("text", ["two words", "new\nline", "schlüssel", "nul\0", "x" * 5_000])
def test_a_key_that_no_header_can_hold_is_refused_without_being_told(text: str) -> None:
    with pytest.raises(LiveError) as caught:
        Secret(text)
    assert text not in str(caught.value)


ENVIRONMENT = {"OPENAI_API_KEY": "openai-key", "TYPESAFE_API_KEY": "ts", "HINGE_API_KEY": "other"}


@pytest.mark.parametrize(
    ("base_url", "key"),
    [
        ("https://api.openai.com/v1", "openai-key"),
        ("https://api.typesafe.ai", "ts"),
        ("https://openrouter.ai/api/v1", ""),
        ("https://example.org/v1", "other"),
        # Looks like OpenAI's and is not.
        ("https://api.openai.com.example.org/v1", "other"),
        ("http://127.0.0.1:8080/v1", "other"),
    ],
)
def test_a_key_goes_to_its_own_host_only(base_url: str, key: str) -> None:
    assert key_from(read_address(base_url), ENVIRONMENT).reveal() == key


def test_openai_s_key_and_names_are_not_sent_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, f"mine-{name}")
    with serving(says(RATED)) as server:
        provider = choose(Wanted("chat", server.address.base_url, "judge"))
        Runner(provider).ask([Question(PROMPT)])
        (seen,) = server.requests
    assert "mine-" not in json.dumps(seen.headers)


def test_without_a_key_the_local_model_is_the_default() -> None:
    assert default_name(Wanted(), {}) == "local"
    assert default_name(Wanted(), ENVIRONMENT) == "chat"
    assert default_name(Wanted(base_url="http://127.0.0.1:1/v1"), {}) == "chat"
    assert default_name(Wanted(provider="by-hand"), ENVIRONMENT) == "by-hand"


def test_without_a_key_nothing_goes_to_a_host_that_wants_one() -> None:
    with pytest.raises(LiveError, match="OPENAI_API_KEY"):
        choose(Wanted("chat", "", "judge"), environment={})
