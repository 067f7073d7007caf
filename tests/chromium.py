"""Decides which browser the browser tests drive (the system's chromium, else the one Playwright has installed), and how long
they wait for it."""

from __future__ import annotations

import glob
import os
import shutil
from pathlib import Path

# So many milliseconds a busy machine may take for what a quick one does at once; nothing is measured by it.
PATIENCE = 45_000

# First the one without windows: a full one renders menus that nobody sees, for half of all the time the tests take.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_BROWSERS = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", os.path.expanduser("~/.cache/ms-playwright"))

# What fits in its letters fits in all others.
_WIDE = Path(__file__).parent / "browser" / "wide.conf"

# No sandbox inside a container where everybody is root; and no calls home: some networks refuse them one by one.
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # Neither localhost nor HTTPS: what a phone in a home network has.
    "--host-resolver-rules=MAP club.test 127.0.0.1",
)


def executable() -> str | None:
    """The path of a chromium that is there, or None."""
    for name in (os.environ.get("CHROMIUM", ""), *_NAMES):
        if name and (path := shutil.which(name)):
            return path
    installed = [
        *glob.glob(f"{_BROWSERS}/chromium-*/chrome-linux*/chrome"),
        *glob.glob(f"{_BROWSERS}/chromium-*/chrome-mac*/*.app/Contents/MacOS/*"),
    ]
    return max(installed, default=None)


def launch_options() -> dict[str, object]:
    """What Playwright's `launch` must be told: the executable and its flags."""
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    return {"executable_path": executable(), "args": [*_FLAGS, *sandbox]}


def with_wide_letters() -> dict[str, object]:
    """The same, with the widest letters that there are."""
    return {**launch_options(), "env": {**os.environ, "FONTCONFIG_FILE": str(_WIDE)}}
