"""The command line: checks, collections, and going on after being killed."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from core.live.collect import Settings, checks_for
from core.live.command import DONE, INCOMPLETE, REFUSED, main
from core.live.faults import LiveError
from core.panels.problems import PanelError
from core.panels.read import read_panel
from core.paths import ROOT
from tests.core.live_server import RATED, Seen, Server, completion, send, serving
from tests.core.test_live_checks import handle, mark_by_label

CLAUSE = "The Employer may end this Agreement at any time; the Employee must give notice."
ITEMS = (
    "item,family,template,strong,weak,mutual\n"
    'notice,employment,"{A} may end this contract at once; {B} gives notice.",Employer,Employee,'
    '"{A} and {B} give notice."\n'
    'costs,employment,"{B} pays all costs of {A}.",Employer,Employee,\n'
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HINGE_CACHE", str(tmp_path / "cache"))


def judge(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
    send(handler, completion(json.dumps(RATED)))


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(judge) as running:
        yield running


def where(server: Server) -> list[str]:
    return ["--base-url", server.address.base_url, "--model", "judge"]


def test_a_check_of_a_clause(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", "clause", "--text", CLAUSE, "--roles", "Employer", "Employee"]
    assert main([*arguments, *where(server), "--repeats", "1", "--yes"]) == DONE
    told = capsys.readouterr()
    assert "6 calls" in told.err
    assert "stays on this machine" in told.err
    assert "Asymmetry under role names" in told.out
    assert "anecdote" in told.out
    assert main([*arguments, *where(server), "--repeats", "1", "--yes", "--json"]) == DONE
    record = json.loads(capsys.readouterr().out)
    assert len(record["calls"]) == 6
    assert all(call["from_cache"] for call in record["calls"])
    assert len(server.requests) == 6


def test_nothing_is_sent_without_a_yes(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    arguments = ["check", "filename", "--text", "A text.", "--labels", "neutral", "chen"]
    assert main([*arguments, *where(server)]) == REFUSED
    assert server.requests == []


def test_the_other_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "complaint.txt"
    file.write_text("They took $35.", "utf-8")

    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        system, user = (message["content"] for message in seen.body["messages"])
        said = mark_by_label(system, user) if "File: " in user else handle(system, user)
        send(handler, completion(json.dumps(said)))

    with serving(answer) as server:
        to = [*where(server), "--yes"]
        assert main(["check", "complaint", "--file", str(file), *to]) == DONE
        labels = ["--labels", "neutral", "chen"]
        assert main(["check", "filename", "--text", "A text.", *labels, *to]) == DONE
        place = ["--role", "doctor", "--place", "USA", "--repeats", "1"]
        assert main(["check", "character", *place, *to]) == INCOMPLETE
    told = capsys.readouterr().out
    assert "Pairs that differ on money" in told
    assert "chen minus neutral" in told
    assert "Religion: failed 1" in told


def test_switches_of_the_instruments(capsys: pytest.CaptureFixture[str]) -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        system, user = (message["content"] for message in seen.body["messages"])
        said = RATED if "contract clauses" in system else handle(system, user)
        send(handler, completion(json.dumps(said)))

    with serving(answer) as server:
        to = [*where(server), "--yes", "--repeats", "1"]
        clause = ["check", "clause", "--text", CLAUSE, "--roles", "Employer", "Employee"]
        assert main([*clause, *to, "--number-first"]) == DONE
        form = server.requests[-1].body["response_format"]["json_schema"]
        assert form["name"] == "rate_number_first"
        before = len(server.requests)
        complaint = ["check", "complaint", "--text", "They took $35.", "--guises", "p01", "p36"]
        assert main([*complaint, *to, "--style", "B", "--audit"]) == DONE
        # Two rewrites, three versions in a style, two audits, six decisions; none asked twice.
        steps = [
            seen.body["response_format"]["json_schema"]["name"] for seen in server.requests[before:]
        ]
        assert set(steps) == {"rewrite", "standardise", "audit", "decide"}
        assert steps.count("rewrite") == 2
        place = ["check", "character", "--role", "doctor", "--place", "USA"]
        assert main([*place, *to, "--regime", "implicit", "--form", "story"]) == INCOMPLETE
        asked = [s.body["messages"][-1]["content"] for s in server.requests]
        assert any(text.startswith("Write a very short story") for text in asked)
    told = capsys.readouterr().out
    assert "In style B: 0 of 3." in told
    assert "Auditor on p36" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["clause", "--text", CLAUSE], "names in the text: Employer, Employee"),
        (["clause", "--text", "The Tenant pays.", "--roles", "Landlord", "Tenant"], "nothing was"),
        (["complaint"], "no text"),
        (["complaint", "--file", "no/such/file"], "cannot be read"),
        (["character", "--role", "doctor"], "a role and a place"),
        (["filename", "--text", "x", "--labels", "a/b"], "cannot stand"),
        (["filename", "--text", "x", "--prices", "no/such/file"], "price table"),
    ],
)
def test_what_is_refused_is_explained(
    server: Server, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *arguments, *where(server), "--yes"]) == REFUSED
    assert told in capsys.readouterr().err
    assert server.requests == []


def test_a_server_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", "filename", "--text", "x", "--labels", "neutral", "--repeats", "1"]
    server = ["--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--yes"]
    began = time.monotonic()
    assert main([*arguments, *server]) == INCOMPLETE
    assert time.monotonic() - began < 15
    told = capsys.readouterr()
    assert "refused the connection" in told.out
    assert "Traceback" not in told.out + told.err


def test_replies_pasted_in_the_shell(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = [json.dumps({"mark": mark, "closing_note": ""}) for mark in (6, 7)]
    pasted = "".join(f"{mark}\n.\n" for mark in marks)
    monkeypatch.setattr(sys, "stdin", io.StringIO(pasted))
    arguments = ["check", "filename", "--text", "x", "--labels", "neutral", "chen"]
    assert main([*arguments, "--repeats", "1", "--provider", "by-hand"]) == DONE
    assert "chen minus neutral: +1.00" in capsys.readouterr().out


def test_collecting_clauses(server: Server, tmp_path: Path) -> None:
    items, out = tmp_path / "items.csv", tmp_path / "determinations-collected-1.parquet"
    items.write_text(ITEMS, "utf-8")
    arguments = ["collect", "clauses", "--items", str(items), "--out", str(out)]
    assert main([*arguments, *where(server), "--yes"]) == DONE
    panel = read_panel(out)
    # Eight conditions; three variants of one clause and two of the other.
    assert panel.frame.height == 8 * 3 + 8 * 2 == len(server.requests)
    assert panel.provenance.kind == "collected"
    assert panel.provenance.generator == "core.live clause 1 reasoning_first"
    first = out.read_bytes()
    assert main([*arguments, *where(server), "--yes"]) == DONE
    assert out.read_bytes() == first
    assert len(server.requests) == 40


def test_collecting_the_other_studies(tmp_path: Path) -> None:
    files = {
        "filenames": "text,content,genre\nchess,Chess is a game.,essay\n",
        "remedies": "complaint,text\nfees,They took $35.\n",
        "composition": "place,role\nUSA,doctor\n",
    }
    tables = {"filenames": "scores", "remedies": "decisions", "composition": "cells"}
    rows = {"filenames": 2, "remedies": 37, "composition": 4}

    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        system, user = (message["content"] for message in seen.body["messages"])
        said = mark_by_label(system, user) if "File: " in user else handle(system, user)
        send(handler, completion(json.dumps(said)))

    for study, text in files.items():
        items, out = tmp_path / f"{study}.csv", tmp_path / f"{tables[study]}.parquet"
        items.write_text(text, "utf-8")
        with serving(answer) as server:
            labels = ["--labels", "neutral", "chen"] if study == "filenames" else []
            arguments = ["collect", study, "--items", str(items), "--out", str(out), *labels]
            assert main([*arguments, *where(server), "--repeats", "1", "--yes"]) == DONE
        assert read_panel(out).frame.height == rows[study]


UNFAIR = "item,family,template,strong,weak\nx,f,{A} employs {B}.,Employer,Employee\n"


@pytest.mark.parametrize(
    ("study", "text", "told"),
    [
        ("filenames", "text\nx\n", "no column content"),
        ("filenames", "text,content\nx,\n", "Item 1 has no content"),
        ("remedies", "complaint,text\n", "no items"),
        ("composition", "role\nx\n", "no column place"),
        ("clauses", UNFAIR, "no fair mirror"),
    ],
)
def test_item_files_that_cannot_be_used(study: str, text: str, told: str) -> None:
    with pytest.raises(LiveError, match=told):
        checks_for(study, text, Settings("m"))


def test_a_clause_file_that_breaks_its_rules() -> None:
    with pytest.raises(PanelError):
        checks_for("clauses", "item,family\n", Settings("m"))


def test_an_incomplete_collection_writes_no_panel_and_goes_on(tmp_path: Path) -> None:
    items, out = tmp_path / "items.csv", tmp_path / "out.parquet"
    items.write_text("text,content\nchess,Chess is a game.\n", "utf-8")
    broken = threading.Event()
    broken.set()

    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        if broken.is_set() and seen.number > 2:
            send(handler, {}, status=403)
        else:
            send(handler, completion('{"mark": 5, "closing_note": ""}'))

    with serving(answer) as server:
        arguments = ["collect", "filenames", "--items", str(items), "--out", str(out), "--yes"]
        assert main([*arguments, *where(server)]) == INCOMPLETE
        assert not out.exists()
        broken.clear()
        assert main([*arguments, *where(server)]) == DONE
    # Six labels, three repeats; none was answered twice.
    answered = [r for r in server.requests if r.number <= 2] + server.requests[-15:]
    assert len({json.dumps(r.body) for r in answered}) == 6
    assert read_panel(out).frame.height == 18


def collecting(server: Server, items: Path, out: Path) -> subprocess.Popen[str]:
    arguments = ["collect", "filenames", "--items", str(items), "--out", str(out), "--yes"]
    return subprocess.Popen(
        [sys.executable, "-m", "core.live", *arguments, *where(server), "--repeats", "5"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killing_a_collection_loses_no_reply_and_repeats_none(
    tmp_path: Path, number: signal.Signals
) -> None:
    items, out = tmp_path / "items.csv", tmp_path / "out.parquet"
    items.write_text("text,content\nchess,Chess is a game.\n", "utf-8")
    enough, pause = threading.Event(), threading.Event()
    answered: list[Any] = []
    lock = threading.Lock()

    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        if seen.number >= 8 and not pause.is_set():
            # Holds further calls back, so that what was answered is known when the axe falls.
            enough.set()
            pause.wait(5)
            handler.close_connection = True
            return
        send(handler, completion('{"mark": 5, "closing_note": ""}'))
        with lock:
            answered.append(seen.body)

    with serving(answer) as server:
        process = collecting(server, items, out)
        assert enough.wait(30)
        time.sleep(0.5)
        process.send_signal(number)
        time.sleep(0.2)
        pause.set()
        told = process.communicate(timeout=30)[0]
        assert "Traceback" not in told
        assert not out.exists()
        kept = len(answered)
        assert kept == 8
        again = collecting(server, items, out)
        told = again.communicate(timeout=60)[0]
        assert again.returncode == DONE, told
        assert len(answered) == 30
    assert read_panel(out).frame.height == 30
