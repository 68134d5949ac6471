"""Find a Chromium, or, run as a script, install one where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from ctypes.util import find_library
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


def missing_packages() -> list[str]:
    """Debian packages that the browser tests need and the system lacks."""
    browser = [] if on_the_system() else ["chromium", "fonts-dejavu-core"]
    # Playwright's driver is linked against it, and a slim image is without.
    return browser if find_library("atomic") else [*browser, "libatomic1"]


def make_ready() -> None:
    """Install what is missing: from the distribution where we may, otherwise by Playwright."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        if packages := missing_packages():
            print(f"Installing {' '.join(packages)} for the browser tests.", flush=True)
            quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            subprocess.run(["apt-get", "update", "-qq"], check=True, env=quiet)
            subprocess.run(
                ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages],
                check=True,
                env=quiet,
            )
    elif not (on_the_system() or of_playwright()):
        print("Installing a Chromium for the browser tests.", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    try:
        make_ready()
    except subprocess.CalledProcessError as error:
        sys.exit(f"The browser tests need Chromium, and this failed: {' '.join(error.cmd)}")
