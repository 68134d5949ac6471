"""The cache: what names a reply, that repeats stay apart, and that planted rows do nothing."""

from __future__ import annotations

import itertools
import json
import pickle
import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from core.live.cache import Replies, TextDisk, UnfitRow, default_folder, reply_key
from core.live.faults import LiveError
from core.live.prompt import Prompt
from core.live.providers.chat import Chat
from core.live.run import Question, Runner
from core.paths import ROOT
from tests.core.live_server import RATED, Seen, completion, send, serving
from tests.core.test_live_faults import PROMPT


@pytest.fixture
def replies(tmp_path: Path) -> Iterator[Replies]:
    opened = Replies(tmp_path / "cache")
    yield opened
    opened.close()


class Marker:
    """Makes a file where somebody unpickles it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (open, (str(self.path), "w"))


def plant(folder: Path, **columns: Any) -> None:
    row = {
        **{"key": "k", "raw": 1, "store_time": 0.0, "expire_time": None, "access_time": 0.0},
        **{"access_count": 0, "tag": None, "size": 0, "mode": 1, "filename": None, "value": None},
    } | columns
    with sqlite3.connect(folder / "cache.db") as database:
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        database.execute(f"INSERT INTO Cache ({names}) VALUES ({marks})", tuple(row.values()))
    database.close()


def test_a_reply_comes_back_as_it_was(replies: Replies) -> None:
    raw = 'line\n"quoted" \u2028 \U0001f600 {"a": 1}'
    replies.put("k", raw, 1.5)
    stored = replies.get("k")
    assert stored is not None
    assert (stored.raw, stored.seconds) == (raw, 1.5)
    assert replies.get("other") is None


def test_only_text_goes_in_and_comes_out() -> None:
    disk = TextDisk("/nowhere")
    for value in (b"bytes", 1, 1.5, None, ("a",), ["a"]):
        with pytest.raises(OSError, match="not text"):
            disk.put(value)
        with pytest.raises(OSError, match="not text"):
            disk.store(value, read=False)
    with pytest.raises(TypeError):
        disk.store("text", read=True)
    with pytest.raises(UnfitRow):
        disk.get("key", raw=False)


@pytest.mark.parametrize("mode", [1, 2, 3, 4, 7])
def test_planted_values_are_misses_and_run_nothing(
    replies: Replies, tmp_path: Path, mode: int
) -> None:
    marker = tmp_path / "ran"
    plant(tmp_path / "cache", mode=mode, value=pickle.dumps(Marker(marker)))
    assert replies.get("k") is None
    assert not marker.exists()


@pytest.mark.parametrize("mode", [1, 2, 3, 4])
def test_planted_files_are_not_read(replies: Replies, tmp_path: Path, mode: int) -> None:
    marker = tmp_path / "ran"
    outside = tmp_path / "outside"
    outside.write_bytes(pickle.dumps(Marker(marker)))
    plant(tmp_path / "cache", mode=mode, filename="../outside")
    assert replies.get("k") is None
    assert not marker.exists()
    assert outside.exists()


def test_planted_keys_run_nothing(replies: Replies, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    plant(tmp_path / "cache", key=pickle.dumps(Marker(marker)), raw=0, value="v")
    with pytest.raises(OSError, match="no text"):
        list(replies._cache)
    replies.put("k", "raw", 0.0)
    stored = replies.get("k")
    assert stored is not None
    assert stored.raw == "raw"
    assert not marker.exists()


def test_a_planted_file_name_deletes_nothing(replies: Replies, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("keep")
    plant(tmp_path / "cache", mode=3, filename="../outside", expire_time=1.0)
    replies._cache.expire()
    plant(tmp_path / "cache", mode=3, filename="../outside")
    replies.put("k", "raw", 0.0)
    replies._cache.clear()
    assert outside.read_text() == "keep"


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "[]", "{}", "{", '{"raw": 1, "at": 1, "seconds": 1}'),
        *('{"raw": "r", "at": "x", "seconds": 1}', '{"raw": "r", "at": true, "seconds": 1}'),
        "[" * 100_000,
    ],
)
def test_rows_that_are_no_stored_reply_are_misses(replies: Replies, text: str) -> None:
    replies._cache.set("k", text)
    assert replies.get("k") is None


def test_the_folder_is_its_owner_s_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "cache"
    Replies(folder).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_folder_lies_outside_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="outside the project"):
        Replies(ROOT / "data" / "cache")
    monkeypatch.delenv("HINGE_CACHE", raising=False)
    assert not default_folder().expanduser().is_relative_to(ROOT)
    monkeypatch.setenv("HINGE_CACHE", "/somewhere")
    assert default_folder() == Path("/somewhere")


REQUEST = {"model": "m", "messages": [{"role": "user", "content": "c"}]}


def test_everything_that_makes_another_question_makes_another_key() -> None:
    def key(
        identity: str = "https://a/v1",
        model: str = "m",
        request: dict[str, Any] | None = None,
        repeat: int = 0,
        prompt: Prompt = PROMPT,
    ) -> str:
        return reply_key(identity, model, request or REQUEST, repeat, prompt)

    one, other = {"x": 1, "y": 2}, {"y": 2, "x": 1}
    keys = [
        key(),
        key(identity="https://b/v1"),
        key(model="n"),
        key(request=REQUEST | {"seed": 1}),
        key(repeat=1),
        key(prompt=replace(PROMPT, version="2")),
        key(prompt=replace(PROMPT, schema_version="2")),
        key(prompt=replace(PROMPT, step="other")),
        # Fields in another order are another question: which comes first is what is compared.
        key(request={"schema": one}),
        key(request={"schema": other}),
    ]
    assert len(set(keys)) == len(keys)
    assert key() == key()


def test_three_repeats_give_three_values_and_a_rerun_the_same_without_a_call(
    tmp_path: Path,
) -> None:
    marks = itertools.count(1)

    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        send(handler, completion(json.dumps(RATED | {"fairness": next(marks)})))

    questions = [Question(PROMPT, repeat) for repeat in range(3)]
    with serving(answer) as server:
        provider = Chat(server.address, "judge")
        replies = Replies(tmp_path)
        first = Runner(provider, replies=replies).ask(questions)
        again = Runner(provider, replies=replies).ask(questions)
        replies.close()
        assert len(server.requests) == 3
    values = [outcome.values["fairness"] for outcome in first]
    assert sorted(values) == [1, 2, 3]
    assert [outcome.values["fairness"] for outcome in again] == values
    assert all(outcome.from_cache for outcome in again)
    assert all(outcome.at > 0 for outcome in again)
    assert not any(outcome.from_cache for outcome in first)


def test_a_rerun_finds_replies_that_came_in_plain_text(tmp_path: Path) -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        if "response_format" in seen.body:
            send(handler, {}, status=400)
        else:
            send(handler, completion(json.dumps(RATED)))

    with serving(answer) as server:
        replies = Replies(tmp_path)
        for _ in range(2):
            Runner(Chat(server.address, "judge"), replies=replies).ask([Question(PROMPT)])
        replies.close()
        assert len(server.requests) == 3


def test_a_reply_is_stored_before_it_is_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*args: object) -> None:
        raise KeyboardInterrupt

    with serving(lambda s, h: send(h, completion("no JSON at all"))) as server:
        provider = Chat(server.address, "judge")
        replies = Replies(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr("core.live.run._read", killed)
            with pytest.raises(KeyboardInterrupt):
                Runner(provider, replies=replies).ask([Question(PROMPT)])
        (outcome,) = Runner(provider, replies=replies).ask([Question(PROMPT)])
        replies.close()
        assert len(server.requests) == 1
    assert outcome.from_cache


def test_a_folder_that_is_no_cache_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache.db").write_text("no database at all, but long enough to look at" * 50)
    with pytest.raises(LiveError, match="HINGE_CACHE"):
        Replies(tmp_path)


def test_a_reply_that_cannot_be_stored_is_used_and_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **more: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with serving(lambda s, h: send(h, completion(json.dumps(RATED)))) as server:
        replies = Replies(tmp_path)
        monkeypatch.setattr(replies._cache, "set", full)
        runner = Runner(Chat(server.address, "judge"), replies=replies, workers=1)
        outcomes = runner.ask([Question(PROMPT, repeat) for repeat in range(3)])
        replies.close()
        assert len(server.requests) == 1
    assert [outcome.state for outcome in outcomes] == ["answered", "not asked", "not asked"]
    assert runner.stopped is not None
    assert "disk is full" in runner.stopped.what
