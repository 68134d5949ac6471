"""A check that runs beside the page, and one whose prompts a reader carries."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Event

import pytest

from core.live import doors
from core.live.by_hand_run import carry
from core.live.complaint import ComplaintCheck
from core.live.faults import not_possible
from core.live.filename import FilenameCheck, Marked, label_of
from core.live.job import Job
from core.live.providers.by_hand import ByHand
from core.live.providers.choose import NAMES, Wanted, choose
from core.live.providers.local import MODEL
from core.live.run import Progress, Runner
from core.live.shown import age

CHECK = FilenameCheck(Marked("An essay."), (label_of("neutral"), label_of("chen")), 1)
Tell = Callable[[Progress], None]


def marked(prompt: str, nth: int) -> str:
    return json.dumps({"mark": 7 if "Chen" in prompt else 6, "closing_note": ""})


def test_a_job_ends_with_its_result_and_progress() -> None:
    def start(cancel: Event, tell: Tell) -> Runner:
        return Runner(ByHand(marked), cancel=cancel, progress=tell, workers=1)

    job = Job(CHECK, start)
    assert (job.is_done, job.progress, job.result) == (False, None, None)
    job.begin()
    job.begin()
    assert job.wait(10)
    assert job.result.marks()["chen"].values == (7.0,)
    assert job.progress is not None
    assert (job.progress.done, job.progress.total) == (2, 2)
    assert job.fault is None


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        (not_possible("not installed", "It is not there.", "Install it."), "not installed", "not"),
        (ZeroDivisionError("secret text"), "unexpected", "ZeroDivisionError"),
    ],
)
def test_a_job_that_cannot_go_on_says_why(error: Exception, kind: str, told: str) -> None:
    def start(cancel: Event, tell: Tell) -> Runner:
        raise error

    job = Job(CHECK, start)
    job.begin()
    assert job.wait(10)
    assert job.result is None
    assert job.fault is not None
    assert job.fault.kind == kind
    assert told in job.fault.sentence()
    assert "secret text" not in job.fault.sentence()


def test_prompts_are_carried_step_by_step() -> None:
    check = ComplaintCheck("They took $35.", ("p01",))
    first = carry(check, {})
    # The rewrite and the original; the decision on the rewrite waits for it.
    assert (len(first.errands), first.open) == (2, 2)
    rewrite = {"rewritten_complaint": "they took $35!", "style_changes_made": []}
    replies = {(first.errands[0].prompt, 0): json.dumps(rewrite)}
    second = carry(check, replies)
    assert (len(second.errands), second.open) == (3, 2)
    assert "they took $35!" in second.errands[2].prompt
    decision = {
        "tier": 2,
        "confidence": "need_more_info",
        "reasoning": "",
        "information_needed": None,
    }
    replies |= {(e.prompt, e.nth): json.dumps(decision) for e in second.errands[1:]}
    done = carry(check, replies)
    assert done.open == 0
    assert [d.tier for d in done.result.decisions()] == [2, 2]


def test_the_same_prompt_twice_takes_two_replies() -> None:
    check = FilenameCheck(Marked("An essay."), (label_of("neutral"),), 2)
    (one, other) = carry(check, {}).errands
    assert (one.prompt, one.nth, other.nth) == (other.prompt, 0, 1)
    replies = {(one.prompt, i): marked("Chen" * i, 0) for i in (0, 1)}
    assert carry(check, replies).result.marks()["neutral"].values == (6.0, 7.0)


def test_every_kind_of_provider_has_a_door() -> None:
    assert {door.key for door in doors.DOORS} == set(NAMES)
    assert doors.first(has_key=True, has_local=True) == "chat"
    assert doors.first(has_key=False, has_local=True) == "local"
    assert doors.first(has_key=False, has_local=False) == "by-hand"


def test_a_plan_starts_no_server() -> None:
    planned = choose(Wanted("local-distribution"), start=False)
    assert (planned.model, planned.decides) == (MODEL, True)
    assert planned.address is not None
    assert planned.address.here


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 seconds"), (61, "1 minute"), (7_300, "2 hours"), (200_000, "2 days")],
)
def test_ages(seconds: float, words: str) -> None:
    assert age(seconds) == words
