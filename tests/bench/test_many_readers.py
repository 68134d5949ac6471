"""Fifty readers at once: each moves a slider every five seconds and gets an answer of their own.

Readers speak the app's own protocol without a browser, so that what is measured is the server. A
move lasts from sending it to the message that says that the page is complete.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from core.choices import Choice, Declaration
from core.studies.about import STUDIES
from core.studies.clauses.choices import DECLARATION as CLAUSES
from core.studies.composition.choices import DECLARATION as COMPOSITION
from core.studies.filenames.choices import DECLARATION as FILENAMES
from core.studies.remedies.choices import DECLARATION as REMEDIES
from tests.bench.test_browser_speed import late
from tests.bench.test_composition_draws import machine
from tests.browser.server import Server, serve

READERS, EVERY, MOVES = 50, 5.0, 8
ARRIVAL = 0.5
"""Seconds from one reader's arrival to the next."""

AIM = 1.0
"""Seconds at the 95th percentile."""

LONGEST = 120.0
"""Seconds to wait for a page."""

SLIDERS: tuple[tuple[Declaration, str], ...] = (
    (COMPOSITION, "tau"),
    (CLAUSES, "alpha"),
    (FILENAMES, "alpha"),
    (REMEDIES, "gap_bound"),
)


def page_of(declaration: Declaration) -> str:
    """Return the address of a study's page."""
    return next(study.path for study in STUDIES if study.name == declaration.study)


class Reader:
    """One open page and the slider its reader moves."""

    def __init__(self, connection: ClientConnection, page: str, choice: Choice) -> None:
        self.connection = connection
        self.page = page
        self.choice = choice
        self.script = ""
        self.widget = ""
        self.query = ""

    async def open(self) -> None:
        """Ask for the page and wait until it is complete."""
        asked = BackMsg()
        asked.rerun_script.page_name = self.page
        await self.connection.send(asked.SerializeToString())
        await self._complete()
        assert self.widget, f"no slider named {self.choice.label!r} on {self.page}"

    async def move(self, value: float) -> float:
        """Move the slider; return how many seconds the answer took."""
        asked = BackMsg()
        asked.rerun_script.page_script_hash = self.script
        asked.rerun_script.query_string = self.query
        state = asked.rerun_script.widget_states.widgets.add()
        state.id = self.widget
        state.double_array_value.data.append(value)
        start, before = time.perf_counter(), self.told()
        await self.connection.send(asked.SerializeToString())
        # A page that was still being completed answers with where this reader's slider stood.
        while self.told() != value:
            await self._complete()
            assert self.told() in (before, value), "the answer is not this reader's own"
        return time.perf_counter() - start

    def told(self) -> float:
        """Return where the address that came back says that the slider stands.

        The address of an untouched page is empty.
        """
        return float(parse_qs(self.query).get(self.choice.key, [self.choice.opening])[0])

    async def _complete(self) -> None:
        done = ForwardMsg.FINISHED_EARLY_FOR_RERUN
        async with asyncio.timeout(LONGEST):
            while done == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                message = ForwardMsg()
                message.ParseFromString(await self.connection.recv(decode=False))
                self._note(message)
                if message.WhichOneof("type") == "script_finished":
                    done = message.script_finished
        assert done == ForwardMsg.FINISHED_SUCCESSFULLY

    def _note(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self.script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        slider = message.delta.new_element.slider
        if slider.label.startswith(self.choice.label):
            self.widget = slider.id


def connected(server: Server) -> connect:
    """Connect as a browser does, without giving up on a busy server."""
    address = server.url.replace("http", "ws") + "/_stcore/stream"
    return connect(address, max_size=None, ping_interval=None)


async def reading(server: Server, number: int, ready: asyncio.Barrier) -> list[float]:
    """Open a page, then move its slider at regular times; return the seconds of every move."""
    chance = random.Random(number)
    declaration, key = SLIDERS[number % len(SLIDERS)]
    choice = declaration[key]
    page = page_of(declaration)
    assert choice.range is not None
    places = round((choice.range.high - choice.range.low) / choice.range.step) + 1
    await asyncio.sleep(number * ARRIVAL)
    async with connected(server) as connection:
        reader = Reader(connection, page, choice)
        await reader.open()
        await ready.wait()
        await asyncio.sleep(chance.uniform(0, EVERY))
        times = []
        for step in range(1, MOVES + 1):
            # At that step nobody else moves the same slider to that place.
            place = (number // len(SLIDERS) + step) % places
            value = round(choice.range.low + place * choice.range.step, choice.range.decimals)
            times.append(await reader.move(value))
            await asyncio.sleep(max(0.0, EVERY - times[-1]))
        return times


async def all_readers(server: Server) -> list[float]:
    """Let everybody read at the same time."""
    ready = asyncio.Barrier(READERS)
    found = await asyncio.gather(*(reading(server, number, ready) for number in range(READERS)))
    return [seconds for times in found for seconds in times]


@contextmanager
def warmed() -> Iterator[Server]:
    """Run the app, each page opened once."""
    with serve() as server:

        async def visit() -> None:
            for number in range(len(SLIDERS)):
                declaration, key = SLIDERS[number]
                page = page_of(declaration)
                async with connected(server) as connection:
                    await Reader(connection, page, declaration[key]).open()

        asyncio.run(visit())
        yield server


def test_fifty_readers() -> None:
    """Report the answers' times; fail where one reader is shown another's setting."""
    with warmed() as server:
        times = asyncio.run(all_readers(server))
    milliseconds = sorted(1000 * seconds for seconds in times)
    middle, slow = milliseconds[len(milliseconds) // 2], late(milliseconds)
    print(f"\n{machine()}; {len(times)} moves of {READERS} readers, each every {EVERY:.0f} s")
    print(f"median {middle:.0f} ms, 95th percentile {slow:.0f} ms (aim {1000 * AIM:.0f})")
