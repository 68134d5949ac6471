"""Find a Chromium, and install one when run as a script and there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",  # root in a container can't have one; the only pages visited are our own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name resolves and no other address answers: the app must work without the internet.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


def on_the_system() -> str | None:
    """Path of the system's own Chromium; HINGE_CHROMIUM names another."""
    named = os.environ.get("HINGE_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def of_playwright() -> str | None:
    """Path of the Chromium that Playwright downloaded, if it did."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and Path(path).exists() else None


def install() -> None:
    """Install one: the distribution's where we may, otherwise Playwright's own."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        packages = ["chromium", "fonts-dejavu-core"]
        subprocess.run(["apt-get", "update", "-qq"], check=True, env=quiet)
        subprocess.run(["apt-get", "install", "-qq", "-y", *packages], check=True, env=quiet)
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__" and not (on_the_system() or of_playwright()):
    print("No Chromium found: installing one for the browser tests.", flush=True)
    install()
