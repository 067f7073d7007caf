"""Decides that the scripts of the pages hold what they promise: their unit tests pass in node, no module is long, each page
asks for all its modules at once, no version meets another, and the table's scripts travel light."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

from scoring.rules.codes import FOR_SCRIPTS

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "scoring" / "static" / "scoring"
TESTS = ROOT / "tests" / "scripts"
SCRIPTS = sorted(STATIC.rglob("*.js"))
SHAPES = STATIC / "shapes.js"
MOST_LINES = 300
# What the scripts of the table's page weighed as seven files without modules, compressed; and what rows of special points,
# settings by kind of game, doublings and the further words of Bock add; then what the entry asks by them, and what is odd;
# then the drawers over the form, the tiles of the people, and a chip for each special point; then the
# word at the finger that there is no net; then what is half typed; then the connection on which a phone is told when to ask.
MOST_BYTES = 27_560 + 2_540 + 1_500 + 1_450 + 600 + 1_550 + 400

_IMPORT = re.compile(r'^(?:import|export)\b[^"]*"(\.[^"]+)";', re.MULTILINE)
_TAG = re.compile(r"""(<script type="module" src|rel="modulepreload" href)="\{% static 'scoring/([^']+)' %\}\"""")


def imported(script: Path) -> Iterator[Path]:
    """All that a module needs, itself left out."""
    for name in _IMPORT.findall(script.read_text(encoding="utf-8")):
        module = (script.parent / name).resolve()
        yield module
        yield from imported(module)


def tags(template: Path) -> tuple[set[Path], set[Path]]:
    """The modules that a template runs, and those that it names beforehand."""
    found = _TAG.findall(template.read_text(encoding="utf-8"))
    return tuple({STATIC / name for tag, name in found if tag.startswith("<script") is runs} for runs in (True, False))  # type: ignore[return-value]


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_the_unit_tests_pass() -> None:
    files = sorted(TESTS.glob("*.test.js"))
    assert len(files) >= 4
    environment = {**os.environ, "CODES": json.dumps(FOR_SCRIPTS)}
    done = subprocess.run(
        ["node", "--test", *files], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: str(script.relative_to(STATIC)))
def test_no_script_is_long(script: Path) -> None:
    if script != SHAPES:
        assert len(script.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_every_page_asks_for_all_its_modules_at_once() -> None:
    run = set()
    for template in (ROOT / "templates").rglob("*.html"):
        modules, ahead = tags(template)
        assert ahead == {needed for module in modules for needed in imported(module)}, template
        run |= modules
    needed = run | {one for module in run for one in imported(module)}
    assert needed | {SHAPES, STATIC / "home" / "worker.js"} == set(SCRIPTS), "each script is somebody's"


def test_no_version_meets_another() -> None:
    """What a served module imports has the names of today's files, so that another file gives another name to all above it."""
    served = [
        Path(settings.STATIC_ROOT) / staticfiles_storage.stored_name(f"scoring/{path.relative_to(STATIC)}")
        for path in SCRIPTS
        if path != SHAPES
    ]
    names = {path.resolve() for path in served}
    count = 0
    for path in served:
        for name in _IMPORT.findall(path.read_text(encoding="utf-8")):
            assert (path.parent / name).resolve() in names, f"{path}: {name}"
            count += 1
    assert count > 30


def test_scripts_travel_without_what_they_say_to_readers() -> None:
    kept = 0
    for script in SCRIPTS:
        if script == SHAPES:
            continue
        stored = staticfiles_storage.stored_name(f"scoring/{script.relative_to(STATIC)}")
        served = (Path(settings.STATIC_ROOT) / stored).read_text(encoding="utf-8")
        written = script.read_text(encoding="utf-8")
        assert "/*" not in served and len(served.splitlines()) == len(written.splitlines()), (
            "faults are told at their lines"
        )
        assert not re.search(r"^[ \t]", served, re.MULTILINE)
        assert all(line.count("`") % 2 == 0 for line in written.splitlines()), "a text of several lines would lose its spaces"
        code = [line for line in written.splitlines() if not re.match(r"\s*(//|/\*|\*)", line)]
        assert len(code) - sum(bool(line.strip()) for line in served.splitlines()) <= sum(
            not line.strip() for line in code
        )
        kept += len(code)
    assert kept > 1500


def test_the_table_travels_light() -> None:
    page = ROOT / "templates" / "scoring" / "table" / "table.html"
    modules, _ = tags(page)
    every = {one for module in modules - {STATIC / "table" / "late.js"} for one in (module, *imported(module))} | {
        STATIC / "home" / "phone.js"
    }
    stored = [staticfiles_storage.stored_name(f"scoring/{path.relative_to(STATIC)}") for path in every]
    weight = sum((Path(settings.STATIC_ROOT) / f"{name}.br").stat().st_size for name in stored)
    print(f"{len(stored)} scripts, {weight} bytes")
    assert weight <= MOST_BYTES


def test_the_lockfile_names_no_registry() -> None:
    lock = (TESTS / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock and "://" not in lock
    assert all("integrity" in package for name, package in json.loads(lock)["packages"].items() if name)
