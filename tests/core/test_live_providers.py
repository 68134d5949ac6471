"""Distributions from one token, typed questions, replies by hand, and the local model."""

from __future__ import annotations

import json
import math
from http.server import BaseHTTPRequestHandler

import pytest

from core.live.faults import LiveError
from core.live.prompt import Option, Prompt
from core.live.providers.by_hand import ByHand
from core.live.providers.chat import Chat
from core.live.providers.choose import Wanted, choose
from core.live.providers.decisions import Decisions
from core.live.providers.distribution import OneToken, listed, over_options
from core.live.providers.local import is_installed, stop_server
from core.live.providers.system_one import SystemOne
from core.live.run import Question, Runner
from core.live.secrets import Secret
from tests.core.live_server import RATED, Seen, completion, one_token, says, send, serving
from tests.core.test_live_faults import PROMPT, QUICK

OPTIONS = (Option("none", "no action"), Option("fix", "a correction"), Option("pay", "money"))
TYPED = Prompt("complaint", "1", "1", "decide_typed", "s", "u", None, OPTIONS, "What?", "text")

L = math.log


def test_spellings_of_a_letter_add_up() -> None:
    # A .2 + .1 + .1, B .3, C .1; .2 elsewhere: shares .5, .375, .125.
    tokens = [("A", L(0.2)), (" a", L(0.1)), ("(A", L(0.1)), ("▁B", L(0.3)), ("C.", L(0.1))]
    found = over_options([*tokens, ("The", L(0.2))], OPTIONS)
    assert found.shares == pytest.approx({"none": 0.5, "fix": 0.375, "pay": 0.125})
    assert found.outside == pytest.approx(0.2)
    assert found.at_most == {}
    assert found.expected({"none": 0, "fix": 1, "pay": 2}) == pytest.approx(0.625)


def test_an_option_that_is_not_listed_is_bounded_by_the_smallest_that_is() -> None:
    found = over_options([("A", L(0.6)), ("B", L(0.3)), ("x", L(0.05))], OPTIONS)
    assert found.shares == pytest.approx({"none": 2 / 3, "fix": 1 / 3, "pay": 0.0})
    # At most .05 beside the .9 that the others have.
    assert found.at_most == pytest.approx({"pay": 0.05 / 0.95})


@pytest.mark.parametrize(("outside", "computes"), [(0.5, True), (0.51, False), (0.9, False)])
def test_more_than_half_outside_the_options_cannot_be_computed(
    outside: float, computes: bool
) -> None:
    tokens = [("A", L(1 - outside)), ("The", L(outside))]
    if computes:
        assert over_options(tokens, OPTIONS).shares["none"] == 1
    else:
        with pytest.raises(LiveError, match="Cannot compute"):
            over_options(tokens, OPTIONS)


def test_words_that_begin_with_a_letter_are_not_that_letter() -> None:
    with pytest.raises(LiveError):
        over_options([("An", L(0.9)), ("A", L(0.1))], OPTIONS)


def test_a_distribution_by_a_server() -> None:
    def answer(seen: Seen, handler: BaseHTTPRequestHandler) -> None:
        # Twenty are too many for this server.
        if seen.body["top_logprobs"] > 5:
            send(handler, {"error": {"message": "at most 5"}}, status=400)
        else:
            send(handler, one_token({"B": L(0.75), "A": L(0.25)}))

    with serving(answer) as server:
        (outcome,) = Runner(OneToken(server.address, "judge")).ask([Question(TYPED)])
        first, second = server.requests
    assert outcome.reply is not None
    assert outcome.reply.distribution is not None
    assert outcome.reply.distribution.shares == pytest.approx({"none": 0.25, "fix": 0.75, "pay": 0})
    assert [seen.body["top_logprobs"] for seen in (first, second)] == [20, 5]
    assert second.body["max_completion_tokens"] == 1
    assert "A: no action\nB: a correction\nC: money" in second.body["messages"][1]["content"]


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        {},
        {"content": []},
        {"content": [{"top_logprobs": []}]},
        {"content": [{"top_logprobs": [{"token": "A"}]}]},
        {"content": [{"top_logprobs": [{"token": "A", "logprob": "0"}]}]},
        {"content": [{"top_logprobs": [{"token": "A", "logprob": 3.0}]}]},
        {"content": [{"top_logprobs": [{"token": "A", "logprob": -0.1}] * 2}]},
    ],
)
def test_log_probabilities_that_are_none(logprobs: object) -> None:
    whole = completion("A")
    whole["choices"][0]["logprobs"] = logprobs
    with serving(lambda s, h: send(h, whole)) as server:
        (outcome,) = Runner(OneToken(server.address, "judge")).ask([Question(TYPED)])
    assert outcome.fault is not None
    assert (outcome.state, outcome.fault.kind) == ("unreadable", "no log-probabilities")


def test_a_distribution_provider_also_writes() -> None:
    with serving(says(RATED)) as server:
        (outcome,) = Runner(OneToken(server.address, "judge")).ask([Question(PROMPT)])
    assert outcome.values == RATED


def test_a_model_s_name_steers_no_terminal() -> None:
    with serving(says(RATED, model="judge\x1b[2J\u202e1")) as server:
        (outcome,) = Runner(Chat(server.address, "judge")).ask([Question(PROMPT)])
    assert outcome.reply is not None
    assert outcome.reply.model == "judge[2J1"


def test_options_are_lettered_in_their_order() -> None:
    assert listed(OPTIONS[::-1]).splitlines()[0] == "A: money"


def decided(pairs: dict[str, float]) -> dict[str, object]:
    listed_pairs = [{"value": key, "probability": p} for key, p in pairs.items()]
    answer = {"type": "choice", "choice": "fix", "confidence": 0.5, "probabilities": listed_pairs}
    usage = {"input_tokens": 9, "output_tokens": 1, "total_tokens": 10}
    return {"model": "decider-1", "answers": [answer], "usage": usage}


def test_the_decisions_endpoint() -> None:
    body = decided({"none": 0.2, "fix": 0.7, "pay": 0.1})
    with serving(lambda s, h: send(h, body)) as server:
        provider = Decisions(server.address, "decider", key=Secret("sk-decider"))
        (outcome,) = Runner(provider).ask([Question(TYPED)])
        (seen,) = server.requests
    assert seen.path == "/v1/decisions"
    (question,) = seen.body["questions"]
    assert [choice["value"] for choice in question["choices"]] == ["none", "fix", "pay"]
    assert (seen.body["input"], question["type"]) == ("text", "choice")
    assert outcome.reply is not None
    assert (outcome.reply.model, outcome.reply.tokens_in) == ("decider-1", 9)
    assert outcome.reply.distribution is not None
    assert outcome.reply.distribution.shares == pytest.approx({"none": 0.2, "fix": 0.7, "pay": 0.1})


@pytest.mark.parametrize(
    "pairs",
    [
        {"none": 0.5, "fix": 0.5},
        {"none": 0.5, "fix": 0.5, "other": 0.0},
        {"none": 0.5, "fix": 0.9, "pay": 0.1},
        {"none": 1.5, "fix": -0.5, "pay": 0.0},
        {},
    ],
)
def test_decisions_that_are_no_distribution(pairs: dict[str, float]) -> None:
    with serving(lambda s, h: send(h, decided(pairs))) as server:
        (outcome,) = Runner(Decisions(server.address, "decider")).ask([Question(TYPED)])
    assert outcome.fault is not None
    assert (outcome.state, outcome.fault.kind) == ("unreadable", "no distribution")


def test_a_refused_decision() -> None:
    body = {"model": "d", "answers": [{"type": "refusal", "name": None}]}
    with serving(lambda s, h: send(h, body)) as server:
        (outcome,) = Runner(Decisions(server.address, "decider")).ask([Question(TYPED)])
    assert outcome.fault is not None
    assert outcome.fault.kind == "refusal"


def test_a_provider_of_decisions_writes_nothing_and_says_so() -> None:
    with serving(says(RATED)) as server:
        decider = Decisions(server.address, "decider")
        (alone,) = Runner(decider).ask([Question(PROMPT)])
        (beside,) = Runner(decider, writer=Chat(server.address, "w")).ask([Question(PROMPT)])
    assert alone.fault is not None
    assert "writes no text" in alone.fault.what
    assert beside.values == RATED


def test_a_system_one_endpoint() -> None:
    pytest.importorskip("typesafe_sdk")
    answer = {
        "type": "choice",
        "choice": "fix",
        "confidence": 0.7,
        "probabilities": {"none": 0.2, "fix": 0.7, "pay": 0.1},
    }
    body = {"model": "jev-1", "usage": {"input_tokens": 5}, "answers": {"decision": answer}}
    with serving(lambda s, h: send(h, body), path="") as server:
        provider = SystemOne(server.address, "jev", key=Secret("ts-key-123"), bounds=QUICK)
        (outcome,) = Runner(provider).ask([Question(TYPED)])
        (seen,) = server.requests
    assert list(seen.body["questions"]["decision"]["criteria"]) == ["none", "fix", "pay"]
    assert outcome.reply is not None
    assert outcome.reply.distribution is not None
    assert outcome.reply.distribution.shares["fix"] == pytest.approx(0.7)


def test_a_system_one_server_that_fails() -> None:
    pytest.importorskip("typesafe_sdk")
    for answer, kind in (
        (lambda s, h: send(h, {"error": "bad key"}, status=401), "key refused"),
        (lambda s, h: send(h, "<html>"), "web page"),
        (lambda s, h: send(h, {"model": "m", "answers": {}}), "empty"),
    ):
        with serving(answer, path="") as server:
            provider = SystemOne(server.address, "jev", key=Secret("ts-key-123"), bounds=QUICK)
            (outcome,) = Runner(provider).ask([Question(TYPED)])
        assert outcome.fault is not None
        assert outcome.fault.kind == kind


def test_without_its_package_system_one_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "typesafe_sdk", None)
    provider = choose(Wanted("system_one", "http://127.0.0.1:9", "jev"), environment={})
    (outcome,) = Runner(provider).ask([Question(TYPED)])
    assert outcome.fault is not None
    assert (outcome.fault.kind, outcome.fault.spent) == ("not installed", "no")


def test_replies_by_hand_are_read_like_any_other() -> None:
    pasted = {0: json.dumps(RATED), 1: "no JSON", 2: None}
    shown: list[str] = []

    def paste(prompt: str, nth: int) -> str | None:
        shown.append(prompt)
        return pasted[nth]

    runner = Runner(ByHand(paste), workers=1)
    outcomes = runner.ask([Question(PROMPT, repeat) for repeat in range(3)])
    assert [outcome.state for outcome in outcomes] == ["answered", "unreadable", "waiting"]
    assert outcomes[0].values == RATED
    assert shown == ["system\n\nuser"] * 3


@pytest.mark.skipif(not is_installed(), reason="make local was not run")
def test_the_local_model_answers() -> None:
    try:
        (written,) = Runner(choose(Wanted("local"))).ask([Question(PROMPT)])
        assert written.reply is not None
        assert written.reply.model == "smollm2-135m-instruct"
        assert set(written.values) == set(RATED) or written.state == "unreadable"
        (decided_by,) = Runner(choose(Wanted("local-distribution"))).ask([Question(TYPED)])
        assert decided_by.state in ("answered", "unreadable")
        kinds = ("local", "local-distribution")
        assert len({choose(Wanted(kind)).address for kind in kinds}) == 1
    finally:
        stop_server()


@pytest.mark.skipif(is_installed(), reason="make local was run")
def test_without_the_local_model_the_reader_is_told_how_to_get_it() -> None:
    with pytest.raises(LiveError, match="make local"):
        choose(Wanted("local"))
