"""Bundle scripts of `assets/` for tests that run them outside of a page."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.typecheck import LOCK, ROOT, install


def bundle(folder: Path, sources: Iterable[Path], platform: str = "browser") -> list[Path]:
    """Bundle each of these modules, with its exports, into `folder`, and return the files. Skip the test without node and npm,
    except in CI."""
    with LOCK.open() as lock:
        # Each worker of a run comes here.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not install():
            assert not os.environ.get("CI"), "CI has node and npm"
            pytest.skip("no node and npm here")
    sources = list(sources)
    options = ["--bundle", "--format=esm", "--out-extension:.js=.mjs", "--log-level=error", f"--platform={platform}"]
    places = [f"--outdir={folder}", f"--outbase={ROOT}", *map(str, sources)]
    subprocess.run(["node", "node_modules/esbuild/bin/esbuild", *options, *places], cwd=ROOT, check=True)
    return [folder / source.relative_to(ROOT).with_suffix(".mjs") for source in sources]
