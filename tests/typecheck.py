"""Check assets/ for `make lint`, with the tools that package.json pins: the types of the scripts in strict mode, and that built/ is
what the sources make. Where the tools cannot be had, that is said loudly, and fails where CI=true."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "package-lock.json"
INSTALLED = ROOT / "node_modules" / ".package-lock.json"
TYPES = ("node", "node_modules/typescript/bin/tsc", "--project")
CHECKS = (
    (*TYPES, "assets/tsconfig.json"),
    (*TYPES, "assets/tsconfig.worker.json"),  # it has another global scope than a page
    ("node", "assets/build.js", "--check"),
)


def install() -> bool:
    """Install the pinned tools where they are missing or older than the lockfile; return False when they cannot be had."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    if not INSTALLED.exists() or INSTALLED.stat().st_mtime < LOCK.stat().st_mtime:
        print("Installing the tools for assets/ into node_modules/ ...", flush=True)
        try:
            subprocess.run(["npm", "ci", "--ignore-scripts", "--silent"], cwd=ROOT, check=True, timeout=300)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return False
        INSTALLED.touch()
    return True


def main() -> int:
    """Run every check; 0 when all passed, or when they cannot run here and need not."""
    if not install():
        print(
            "NOT RUN: the types of the scripts, and whether built/ is up to date. Install node and npm "
            "(on Debian: apt install nodejs npm).",
            flush=True,
        )
        return int(os.environ.get("CI") == "true")
    failed = [check for check in CHECKS if subprocess.run(check, cwd=ROOT, check=False).returncode != 0]
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
