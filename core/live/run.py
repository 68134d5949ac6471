"""Put an instrument's questions to a provider: cached, retried, bounded, and open to a stop."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Event, Lock
from typing import Any, Literal, Protocol, TypeVar

from core.live.cache import Replies, reply_key
from core.live.faults import Fault, LiveError, not_possible
from core.live.parse import Parsed, read_answer
from core.live.prompt import Prompt, Reply, Request
from core.live.providers.base import Provider
from core.live.spending import FREE, Price, Purse, price_of, refuse_blind_limit, tokens_of

R_co = TypeVar("R_co", covariant=True)

State = Literal["answered", "unreadable", "failed", "waiting", "not asked"]

TRIES = 4
FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
"""Tries of one call; seconds before the second try, doubled each time; the longest of them."""

BROKEN = frozenset({"no data", "web page"})
"""Faults of a reply that no model gave: one found in the cache does not count."""

ENDS_THE_RUN = frozenset(
    {
        *("key", "key refused", "no credit", "forbidden", "not found", "not installed", "moved"),
        *("tls", "dns", "no connection", "spending limit", "rate limit", "web page"),
    }
)
"""Faults that the next call would meet too."""


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt, asked once."""

    prompt: Prompt
    repeat: int = 0
    tag: tuple[str, ...] = ()
    """What the instrument needs to know to place the answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question."""

    question: Question
    state: State
    parsed: Parsed = field(default_factory=lambda: Parsed("failed"))
    """The fields of the answer; for plain text and distributions, empty."""
    reply: Reply | None = None
    fault: Fault | None = None
    request: Request | None = None
    raw: str = ""
    """The reply as it came."""
    at: float = 0.0
    """When it came, in seconds since 1970."""
    seconds: float = 0.0
    from_cache: bool = False

    @property
    def values(self) -> dict[str, Any]:
        """The fields of a clean answer; empty for any other."""
        return self.parsed.values if self.parsed.state == "clean" else {}

    def as_record(self) -> dict[str, Any]:
        """Return everything about the call, for a download."""
        reply = self.reply
        return {
            "step": self.question.prompt.step,
            "tag": list(self.question.tag),
            "repeat": self.question.repeat,
            "state": self.state,
            "why": self.fault.sentence() if self.fault else self.parsed.why,
            "request": self.request,
            "reply": self.raw,
            "model": reply.model if reply else "",
            "tokens_in": reply.tokens_in if reply else None,
            "tokens_out": reply.tokens_out if reply else None,
            "at": self.at or None,
            "seconds": round(self.seconds, 3),
            "from_cache": self.from_cache,
        }


@dataclass(frozen=True, slots=True)
class Load:
    """Calls of one kind that a check will make."""

    step: str
    calls: int
    tokens_in: int
    """Of one call, estimated."""
    tokens_out: int
    """Of one call, at most, besides what the model thinks first."""
    typed: bool = False


class Check(Protocol[R_co]):
    """An instrument with a reader's text."""

    @property
    def instrument(self) -> str:
        """Its name."""

    def loads(self) -> list[Load]:
        """Say how many calls it will make."""

    def steps(self) -> Generator[list[Question], list[Outcome], R_co]:
        """Yield questions, in batches that need the answers to those before; return the result."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    done: int
    total: int
    failed: int
    from_cache: int
    spent: float
    seconds_left: float | None
    """None before the first call came back."""


class Runner:
    """Puts questions to a provider. One runner is one run: its limits and counts are the run's."""

    def __init__(
        self,
        provider: Provider,
        *,
        replies: Replies | None = None,
        writer: Provider | None = None,
        purse: Purse | None = None,
        prices: Mapping[tuple[str, str], Price] | None = None,
        workers: int = 4,
        cancel: Event | None = None,
        progress: Callable[[Progress], None] | None = None,
        wait: Callable[[float], None] | None = None,
        tries: int = TRIES,
    ) -> None:
        """Set a run up.

        Parameters
        ----------
        provider
            Who answers.
        replies
            The cache; without one every question is sent.
        writer
            Who writes texts, where the provider only answers typed questions.
        purse
            Holds the spending limit; none when None.
        prices
            What models cost, by host and model.
        workers
            Most calls at a time.
        cancel
            Once set, nothing more is sent, and what is on its way is awaited and kept.
        progress
            Called after every call, from any thread.
        wait
            Waits some seconds; ends early when the run is cancelled, by default.
        tries
            Most tries of a call that may succeed later.

        Raises
        ------
        LiveError
            If there is a limit and a price is unknown.
        """
        self.provider = provider
        self.writer = writer or provider
        self.purse = purse or Purse()
        self._prices = prices or {}
        for who in (self.provider, self.writer):
            refuse_blind_limit(self.purse.limit, self._price(who))
        self.cancel = cancel or Event()
        self.stopped: Fault | None = None
        """Why nothing more is sent, if so."""
        self._replies = replies
        self._workers = workers
        self._progress = progress
        self._wait = wait or (lambda seconds: self.cancel.wait(seconds) and None)
        self._tries = tries
        self._way: Counter[tuple[bool, bool]] = Counter()
        self._count: Counter[str] = Counter()
        self._total = 0
        self._started = time.monotonic()
        self._lock = Lock()

    def run(self, check: Check[R_co]) -> R_co:
        """Run a check to its result; after a stop or a cancel, with what arrived."""
        self._total += sum(load.calls for load in check.loads())
        steps = check.steps()
        try:
            questions = next(steps)
            while True:
                questions = steps.send(self.ask(questions))
        except StopIteration as end:
            result: R_co = end.value
            return result

    def ask(self, questions: Sequence[Question]) -> list[Outcome]:
        """Put questions, each to whoever answers its kind, and return the outcomes in order."""
        found = {i: kept for i, q in enumerate(questions) if (kept := self._from_cache(q))}
        for outcome in found.values():
            self._tell(outcome)
        alike: dict[str, list[int]] = {}
        for i, question in enumerate(questions):
            if i not in found:
                alike.setdefault(self._key(question) or str(i), []).append(i)
        asked = self._ask_all([questions[group[0]] for group in alike.values()])
        for group, outcome in zip(alike.values(), asked, strict=True):
            found |= {i: replace(outcome, question=questions[i]) for i in group}
            for i in group[1:]:
                self._tell(found[i])
        return [found[i] for i in range(len(questions))]

    def _ask_all(self, questions: Sequence[Question]) -> list[Outcome]:
        with ThreadPoolExecutor(self._workers) as pool:
            try:
                return list(pool.map(self._ask_one, questions))
            except BaseException:
                # The pool is left only when it is idle: no further call may start.
                self.cancel.set()
                raise

    def _key(self, question: Question) -> str | None:
        """Name what is asked: the same question twice, as of two equal rewrites, is asked once.

        A rerun would find one reply for both, and must give what the run gave.
        """
        who, prompt = self._who(question.prompt), question.prompt
        if who.address is None:
            return None
        return reply_key(who.identity, who.model, who.ways(prompt)[0], question.repeat, prompt)

    def _who(self, prompt: Prompt) -> Provider:
        return self.provider if prompt.is_typed else self.writer

    def _from_cache(self, question: Question) -> Outcome | None:
        who = self._who(question.prompt)
        if self._replies is None or who.address is None:
            return None
        for request in who.ways(question.prompt):
            key = reply_key(who.identity, who.model, request, question.repeat, question.prompt)
            kept = self._replies.get(key)
            if kept is None:
                continue
            outcome = _read(who, question, request, kept.raw)
            if outcome.fault is None or outcome.fault.kind not in BROKEN:
                return replace(outcome, at=kept.at, seconds=kept.seconds, from_cache=True)
        return None

    def _ask_one(self, question: Question) -> Outcome:
        """Ask in a worker's thread; never raises for what a server or a reply does."""
        try:
            outcome = self._sent(question)
        except LiveError as error:
            outcome = self._failed(question, error.fault)
        finally:
            if self._replies is not None:
                self._replies.close()
        if outcome.fault is not None and outcome.fault.kind in ENDS_THE_RUN:
            self.stopped = self.stopped or outcome.fault
        self._tell(outcome)
        return outcome

    def _sent(self, question: Question) -> Outcome:
        prompt = question.prompt
        who = self._who(prompt)
        if not (who.decides if prompt.is_typed else who.writes):
            raise not_possible(
                "not installed",
                f"The provider “{who.name}” writes no text.",
                "Name a chat model for the texts beside it.",
            )
        ways = who.ways(prompt)
        kind = prompt.is_typed, prompt.schema is None
        at = min(self._way[kind], len(ways) - 1)
        while True:
            try:
                outcome = self._stored(who, question, ways[at])
            except LiveError as error:
                # Refused for its form, perhaps: the next way asks for less. It costs nothing.
                if error.fault.kind != "request refused" or at + 1 >= len(ways):
                    raise
                at += 1
            else:
                # Kept once it works: a text may be refused for itself, and others not.
                self._way[kind] = at
                return outcome

    def _stored(self, who: Provider, question: Question, request: Request) -> Outcome:
        """Send a request, store the reply, and only then look into it."""
        began = time.monotonic()
        aside = self._set_aside(who, question.prompt, request)
        cost = 0.0
        try:
            raw = self._with_retries(who, request)
            cost = aside
            seconds = time.monotonic() - began
            self._keep(who, question, request, raw, seconds)
            outcome = _read(who, question, request, raw)
            cost = self._cost(who, outcome.reply, aside)
        except LiveError as error:
            cost = 0.0 if error.fault.spent == "no" else aside
            raise
        finally:
            self.purse.settle(aside, cost)
        return replace(outcome, at=time.time(), seconds=seconds)

    def _keep(
        self, who: Provider, question: Question, request: Request, raw: str, seconds: float
    ) -> None:
        """Store a reply; where that fails it is still used, and no other is paid for."""
        if self._replies is None or who.address is None:
            return
        key = reply_key(who.identity, who.model, request, question.repeat, question.prompt)
        try:
            self._replies.put(key, raw, seconds)
        except LiveError as error:
            self.stopped = self.stopped or error.fault

    def _price(self, who: Provider) -> Price | None:
        return price_of(who.address, who.model, self._prices)

    def _set_aside(self, who: Provider, prompt: Prompt, request: Request) -> float:
        tokens_in = tokens_of([json.dumps(request, ensure_ascii=False)])
        tokens_out = 1 if prompt.is_typed else prompt.most_tokens + who.headroom
        most = (self._price(who) or FREE).of(tokens_in, tokens_out)
        self.purse.set_aside(most)
        return most

    def _cost(self, who: Provider, reply: Reply | None, aside: float) -> float:
        """Return what a call cost by its usage; what was set aside where that is not reported."""
        if reply is None or reply.tokens_in is None or reply.tokens_out is None:
            return aside
        return (self._price(who) or FREE).of(reply.tokens_in, reply.tokens_out)

    def _with_retries(self, who: Provider, request: Request) -> str:
        for tried in range(1, self._tries + 1):
            self._check_stop()
            try:
                return who.send(request)
            except LiveError as error:
                fault = error.fault
            wait = min(FIRST_WAIT * 2 ** (tried - 1), LONGEST_WAIT)
            if fault.wait is not None:
                wait = max(wait, fault.wait)
            if not fault.again or tried == self._tries or wait > LONGEST_WAIT:
                break
            self._wait(wait)
        raise LiveError(fault.after(tried))

    def _check_stop(self) -> None:
        if self.stopped is not None:
            raise LiveError(self.stopped)
        if self.cancel.is_set():
            raise not_possible("cancelled", "The run was cancelled.", "Run it again to go on.")

    def _failed(self, question: Question, fault: Fault) -> Outcome:
        state: State = "failed"
        if fault.kind == "waiting":
            state = "waiting"
        elif fault.kind == "cancelled" or fault == self.stopped:
            state = "not asked"
        return Outcome(question, state, fault=fault)

    def _tell(self, outcome: Outcome) -> None:
        with self._lock:
            self._count["done"] += 1
            self._count["failed"] += outcome.state not in ("answered", "waiting")
            self._count["kept"] += outcome.from_cache
            progress = self._now()
        if self._progress is not None:
            self._progress(progress)

    def _now(self) -> Progress:
        done, kept = self._count["done"], self._count["kept"]
        left = max(self._total - done, 0)
        elapsed = time.monotonic() - self._started
        pace = elapsed / (done - kept) * left if done > kept else None
        return Progress(done, self._total, self._count["failed"], kept, self.purse.spent, pace)


def _read(who: Provider, question: Question, request: Request, raw: str) -> Outcome:
    """Read a reply as far as the question needs it."""
    try:
        reply = who.read(raw, question.prompt)
    except LiveError as error:
        state: State = "unreadable" if error.fault.spent == "yes" else "failed"
        return Outcome(question, state, fault=error.fault, request=request, raw=raw)
    outcome = Outcome(question, "answered", reply=reply, request=request, raw=raw)
    if question.prompt.schema is None or question.prompt.is_typed:
        return outcome
    parsed = read_answer(reply.text, question.prompt.schema)
    if parsed.state == "clean":
        return replace(outcome, parsed=parsed)
    if reply.stopped_at_limit:
        parsed = replace(parsed, why="The reply stopped at the limit of tokens before its end.")
    return replace(outcome, state="unreadable", parsed=parsed)
