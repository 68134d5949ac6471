"""The command line of live checks and collections."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from core.live.cache import Replies
from core.live.categories import context_of
from core.live.character import CharacterCheck
from core.live.clause import ClauseCheck, Order
from core.live.clause_texts import own_clause, propose_roles
from core.live.collect import REPEATS, Collection, Settings, checks_for, collect, write
from core.live.complaint import FOUR, ORDERS, PERSONAS, PRIMARY_ORDER, ComplaintCheck
from core.live.faults import LiveError, not_possible
from core.live.filename import DEFAULT, FilenameCheck, Marked, label_of
from core.live.instrument import words
from core.live.plan import plan
from core.live.providers.base import Provider
from core.live.providers.choose import NAMES, Wanted, choose
from core.live.run import Load, Progress, Runner
from core.live.spending import SHIPPED, Price, Purse, read_prices
from core.live.told import lines_of
from core.panels.problems import PanelError

KINDS = ("clause", "complaint", "filename", "character")
STUDIES = tuple(REPEATS)
STYLES = tuple(words("complaint", "style"))

DONE, INCOMPLETE, REFUSED = 0, 1, 2
"""Exit codes: all answered; something is missing; nothing was sent."""

WORKERS = 4
END_OF_PASTE = "."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    given = _parser().parse_args(arguments)
    cancel = Event()
    try:
        with _stop_on_signal(cancel):
            return _check(given, cancel) if given.command == "check" else _collect(given, cancel)
    except (LiveError, PanelError) as error:
        print(error, file=sys.stderr)
        return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m core.live", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="check one text")
    check.add_argument("kind", choices=KINDS)
    text = check.add_mutually_exclusive_group()
    text.add_argument("--text", help="the clause, complaint or text")
    text.add_argument("--file", type=Path, help="a file that holds it")
    check.add_argument(
        "--roles", nargs=2, metavar=("A", "B"), help="the party that the clause favours, the other"
    )
    check.add_argument("--role", help="occupation of the character")
    check.add_argument("--place", help="where the character lives")
    check.add_argument("--regime", choices=("joint", "implicit"), default="joint")
    check.add_argument("--form", choices=("character", "story"), default="character")
    check.add_argument("--guises", nargs="*", choices=tuple(PERSONAS), help="four if left out")
    check.add_argument("--style", choices=STYLES, default="", help="decide in this style as well")
    check.add_argument("--audit", action="store_true", help="a model compares the facts too")
    check.add_argument(
        "--orders", nargs="+", choices=tuple(ORDERS), help="orders of a complaint’s options"
    )
    check.add_argument("--writer-base-url", default="", help="who writes, if --provider does not")
    check.add_argument("--writer-model", default="")
    check.add_argument("--json", action="store_true", help="everything, as JSON")
    many = commands.add_parser(
        "collect",
        help="run an instrument over many items",
        description="Item files are CSV. clauses: item, family, template, strong, weak, mutual "
        "(may be missing). filenames: text, content, genre, author_family. remedies: complaint, "
        "text. composition: place, role, format, regime.",
    )
    many.add_argument("study", choices=STUDIES)
    many.add_argument("--items", type=Path, required=True, help="the item file")
    many.add_argument("--out", type=Path, required=True, help="the panel to write")
    for command in (check, many):
        command.add_argument("--labels", nargs="+", help="labels of a file’s name")
        command.add_argument(
            "--number-first", action="store_true", help="a clause’s number before the reasoning"
        )
        command.add_argument("--provider", choices=NAMES, default="")
        command.add_argument("--base-url", default="")
        command.add_argument("--model", default="")
        command.add_argument("--repeats", type=_positive, default=0)
        command.add_argument(
            "--workers", type=_positive, default=WORKERS, help="calls at a time at most"
        )
        command.add_argument("--limit", type=float, help="most money to spend")
        command.add_argument("--prices", type=Path, default=SHIPPED, help="price table, CSV")
        command.add_argument("--yes", action="store_true", help="send without asking")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 1_000:
        raise argparse.ArgumentTypeError("expected 1 to 1000")
    return number


@contextmanager
def _stop_on_signal(cancel: Event) -> Iterator[None]:
    """Let the first interrupt stop sending; calls on their way are awaited and kept."""

    def stop(number: int, frame: object) -> None:
        del number, frame
        print("Stopping: waiting for the calls on their way.", file=sys.stderr)
        cancel.set()

    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, stop) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _check(given: argparse.Namespace, cancel: Event) -> int:
    provider = _provider(given)
    writer = _writer(given)
    check: Any = _check_of(given, provider, writer)
    prices = _prices(given.prices)
    if not _agreed(given, check.loads(), provider, prices, writer):
        return REFUSED
    result = _runner(given, provider, prices, cancel, writer).run(check)
    if given.json:
        print(json.dumps(result.as_record(), indent=2, ensure_ascii=False))
    else:
        print("\n".join(lines_of(result)))
    complete = all(outcome.state == "answered" for outcome in result.outcomes)
    return DONE if complete and result.outcomes else INCOMPLETE


def _writer(given: argparse.Namespace) -> Provider | None:
    if not given.writer_model:
        return None
    return choose(Wanted("chat", given.writer_base_url, given.writer_model))


def _check_of(given: argparse.Namespace, provider: Provider, writer: Provider | None) -> Any:
    repeats, typed, model = given.repeats or 3, provider.decides, provider.model
    if given.kind == "character":
        if not given.role or not given.place:
            raise not_possible("options", "A character needs a role and a place.", "Give both.")
        by_hand = provider.address is None
        return CharacterCheck(
            given.role,
            context_of(given.place),
            given.repeats or 10,
            given.regime,
            given.form,
            writer.model if writer else model,
            by_hand,
            typed,
        )
    text = _text(given)
    if given.kind == "clause":
        if not given.roles:
            proposed = ", ".join(propose_roles(text)) or "none found"
            raise not_possible(
                "options",
                "A clause needs its two roles.",
                f"Give --roles A B; names in the text: {proposed}.",
            )
        return ClauseCheck(
            own_clause(text, tuple(given.roles)), repeats, _order(given), typed, model
        )
    if given.kind == "complaint":
        return ComplaintCheck(
            text,
            FOUR if given.guises is None else tuple(given.guises),
            given.style,
            tuple(given.orders or (PRIMARY_ORDER,)),
            given.repeats or 1,
            given.audit,
            typed,
            model,
            writer.model if writer else "",
        )
    labels = tuple(label_of(name) for name in given.labels or DEFAULT)
    return FilenameCheck(Marked(text), labels, repeats, typed, model)


def _order(given: argparse.Namespace) -> Order:
    return "number_first" if given.number_first else "reasoning_first"


def _text(given: argparse.Namespace) -> str:
    try:
        text = given.file.read_text("utf-8") if given.file else given.text or ""
    except (OSError, UnicodeError) as error:
        what = f"The file cannot be read: {error}."
        raise not_possible("file", what, "Name a text file in UTF-8.") from None
    if not text.strip():
        raise not_possible("text", "There is no text.", "Give --text or --file.")
    return str(text)


def _provider(given: argparse.Namespace) -> Provider:
    return choose(Wanted(given.provider, given.base_url, given.model), pasted=_ask_for_reply)


def _ask_for_reply(prompt: str, nth: int) -> str | None:
    again = f" (answer {nth + 1} to the same prompt)" if nth else ""
    print(f"\n--- Copy this prompt{again} ---\n{prompt}\n--- Paste the reply, then a line with ")
    print(f"only “{END_OF_PASTE}” ---", flush=True)
    lines: list[str] = []
    for line in sys.stdin:
        if line.strip() == END_OF_PASTE:
            return "".join(lines)
        lines.append(line)
    return "".join(lines) or None


def _prices(path: Path) -> dict[tuple[str, str], Price]:
    try:
        return read_prices(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        what = f"The price table cannot be used: {error}."
        raise not_possible("prices", what, "Mend it, or leave --prices out.") from None


def _agreed(
    given: argparse.Namespace,
    loads: Sequence[Load],
    provider: Provider,
    prices: dict[tuple[str, str], Price],
    writer: Provider | None = None,
) -> bool:
    """Show what will be sent and to whom, and ask, unless the answer was given already."""
    planned = plan(loads, provider, writer=writer, prices=prices)
    print("\n".join(planned.sentences()), file=sys.stderr)
    if given.yes or provider.address is None:
        return True
    if not sys.stdin.isatty():
        print("Nothing was sent: add --yes.", file=sys.stderr)
        return False
    print(f"{planned.button}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _runner(
    given: argparse.Namespace,
    provider: Provider,
    prices: dict[tuple[str, str], Price],
    cancel: Event,
    writer: Provider | None = None,
) -> Runner:
    return Runner(
        provider,
        writer=writer,
        replies=Replies(),
        purse=Purse(given.limit),
        prices=prices,
        # A person pastes one reply at a time.
        workers=given.workers if provider.address else 1,
        cancel=cancel,
        progress=_show if sys.stderr.isatty() else None,
    )


def _show(progress: Progress) -> None:
    left = "" if progress.seconds_left is None else f", about {progress.seconds_left:.0f} s left"
    print(f"\r{progress.done} of {progress.total}{left}   ", end="", file=sys.stderr, flush=True)


def _collect(given: argparse.Namespace, cancel: Event) -> int:
    provider = _provider(given)
    if provider.address is None:
        what = "A collection by hand would take thousands of pastes."
        raise not_possible("options", what, "Use a model that can be called.")
    labels = tuple(given.labels or DEFAULT)
    settings = Settings(provider.model, given.repeats, provider.decides, labels, _order(given))
    checks = checks_for(given.study, _items(given.items), settings)
    prices = _prices(given.prices)
    loads = [load for check in checks for load in check.loads()]
    if not _agreed(given, loads, provider, prices):
        return REFUSED
    runner = _runner(given, provider, prices, cancel)
    found = collect(checks, runner, tell=_teller(len(checks)))
    if found.missing:
        why = found.fault.sentence() if found.fault else ""
        print(f"{found.missing:,} answers are missing, no panel yet. {why}", file=sys.stderr)
        print("Run the same command again to go on.", file=sys.stderr)
        return INCOMPLETE
    for path in write(given.study, found, checks[0], settings, given.out):
        print(path)
    return DONE


def _items(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        what = f"The item file cannot be read: {error}."
        raise not_possible("file", what, "Name a CSV file in UTF-8.") from None


def _teller(items: int) -> Callable[[int, Collection], None]:
    """Return what writes a line after each item of a collection."""
    began = time.monotonic()

    def tell(number: int, found: Collection) -> None:
        seconds = time.monotonic() - began
        states = ", ".join(f"{n:,} {state}" for state, n in sorted(found.states.items()))
        left = seconds / number * (items - number)
        print(
            f"item {number} of {items}: {states}, {found.from_cache:,} from the cache, "
            f"{seconds:.0f} s, about {left:.0f} s left",
            file=sys.stderr,
            flush=True,
        )

    return tell
