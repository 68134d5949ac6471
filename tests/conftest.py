"""What holds for every test: markers by folder, no paid calls, nothing beyond this machine."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Before NumPy is loaded: it says among how many threads products are split.
import core  # noqa: F401

TESTS = Path(__file__).resolve().parent
FOLDER_MARKS = {"browser": pytest.mark.browser, "bench": pytest.mark.bench}

# The same examples every time: a red run can be repeated.
settings.register_profile("hinge", deadline=None, derandomize=True, database=None)
settings.load_profile("hinge")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of a folder, before marks are used to select."""
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in FOLDER_MARKS:
            item.add_marker(FOLDER_MARKS[folder])


@pytest.fixture(scope="session", autouse=True)
def no_keys() -> Iterator[None]:
    """Take keys out of the environment, so that no test can spend money."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.upper().endswith("_API_KEY")]:
            patch.delenv(name)
        yield


def is_here(host: str) -> bool:
    """Tell whether a host name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


@pytest.fixture(scope="session", autouse=True)
def only_this_machine() -> Iterator[None]:
    """Refuse connections to other machines."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = str(address[0])
            if not is_here(host):
                raise RuntimeError(f"a test tried to reach {host}")
        return connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield
