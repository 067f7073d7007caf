"""Decides how `make lint` checks the types of the scripts: the TypeScript compiler that tests/scripts pins, in strict mode.
Where it cannot be had, that is said loudly, and fails where CI=true."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "scripts"
LOCK = FOLDER / "package-lock.json"
INSTALLED = FOLDER / "node_modules" / ".package-lock.json"
# The worker has another global scope than a page.
PROJECTS = ("tsconfig.json", "tsconfig.worker.json")


def compiler() -> Path | None:
    """The pinned compiler, installed where it is missing or older than the lockfile; None when it cannot be had."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return None
    if not INSTALLED.exists() or INSTALLED.stat().st_mtime < LOCK.stat().st_mtime:
        print("Installing the type checker of the scripts into tests/scripts/node_modules/ ...", flush=True)
        try:
            subprocess.run(["npm", "ci", "--ignore-scripts", "--silent"], cwd=FOLDER, check=True, timeout=300)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return None
        INSTALLED.touch()
    return FOLDER / "node_modules" / "typescript" / "bin" / "tsc"


def main() -> int:
    """Check every script; 0 when all are sound, or nobody could check them and nobody has to."""
    tsc = compiler()
    if tsc is None:
        print(
            "NOT RUN: the types of the scripts. Install node and npm (on Debian: apt install nodejs npm).", flush=True
        )
        return int(os.environ.get("CI") == "true")
    checks = [subprocess.run(["node", tsc, "--project", FOLDER / project], check=False) for project in PROJECTS]
    return int(any(check.returncode != 0 for check in checks))


if __name__ == "__main__":
    sys.exit(main())
