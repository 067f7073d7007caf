"""Check the scripts of the pages: their unit tests pass in node, what is joined for a page is whole,
and no name stands twice in it."""

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

from clubledger.static import joined
from scoring.rules.codes import FOR_SCRIPTS
from scoring.rules.settings import PRESETS, preset_data

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "scoring" / "static" / "scoring"
TESTS = ROOT / "tests" / "scripts"
SCRIPTS = sorted(STATIC.rglob("*.js"))
# Types alone, which no page loads.
SHAPES = {script for script in SCRIPTS if script.name == "shapes.js"}
_IMPORT = re.compile(r'^(?:import|export)\b[^"]*"(\.[^"]+)";', re.MULTILINE)
_NAMED = re.compile(r"\{% static 'scoring/([^']+\.js)' (?:as script )?%\}")
# What a module calls something for all others that are joined with it: one name, or several at once.
_CALLED = re.compile(r"^(?:export )?(?:async )?(?:const|let|function|class) (?:(\w+)|[{[](.+?)[}\]] =)", re.MULTILINE)
# Functions and values of browsers that nobody may take for one of ours, nor the other way round.
_OF_BROWSERS = {"close", "event", "focus", "name", "origin", "parent", "print", "screen", "scroll", "self", "status", "stop", "top"}


def imported(script: Path) -> Iterator[Path]:
    """All that a module needs, itself left out."""
    for name in _IMPORT.findall(script.read_text(encoding="utf-8")):
        module = (script.parent / name).resolve()
        yield module
        yield from imported(module)


def run_by_pages() -> set[Path]:
    templates = (ROOT / "templates").rglob("*.html")
    return {STATIC / name for template in templates for name in _NAMED.findall(template.read_text(encoding="utf-8"))}


def as_served(script: Path) -> Path:
    return Path(settings.STATIC_ROOT) / staticfiles_storage.stored_name(f"scoring/{script.relative_to(STATIC)}")


def names_of(module: Path) -> set[str]:
    """What a module calls by a name for all that is joined with it; one that exports nothing keeps its names to itself."""
    script = module.read_text(encoding="utf-8")
    if not re.search(r"^export (?!\{)", script, re.MULTILINE):
        return set()
    called = (one or several for one, several in _CALLED.findall(script))
    return {name.split("=")[0].split(":")[-1].strip() for names in called for name in names.split(",")}


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_the_unit_tests_pass() -> None:
    files = sorted(TESTS.glob("*.test.js"))
    assert len(files) >= 4
    presets = {name: preset_data(name) for name in PRESETS}
    environment = {**os.environ, "CODES": json.dumps(FOR_SCRIPTS), "PRESETS": json.dumps(presets)}
    done = subprocess.run(
        ["node", "--test", *files], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_script_is_somebodys() -> None:
    needed = {one for module in run_by_pages() for one in (module, *imported(module))}
    assert needed | SHAPES | {STATIC / "home" / "worker.js"} == set(SCRIPTS)


def test_nothing_is_renamed_on_the_way_from_module_to_module() -> None:
    for script in SCRIPTS:
        taken = [line for line in script.read_text(encoding="utf-8").splitlines() if line.startswith(("import", "export"))]
        assert not [line for line in taken if re.search(r" as |^export default|^export \*|import\(", line)], script
        listed = [line for line in taken if line.startswith("export {") and line != "export {};"]
        assert all('" from "' in line or ' from "./' in line for line in listed), script


@pytest.mark.parametrize("run", sorted(run_by_pages()), ids=lambda script: script.stem)
def test_modules_that_are_joined_call_nothing_by_one_name(run: Path) -> None:
    found: dict[str, Path] = {}
    for module in dict.fromkeys([*imported(run), run]):
        for name in names_of(module):
            assert found.setdefault(name, module) == module, f"{name} of {module} and {found[name]}"
    assert not found.keys() & _OF_BROWSERS


def test_a_page_needs_one_file_for_each_of_its_scripts() -> None:
    for script in run_by_pages():
        served = as_served(script).read_text(encoding="utf-8")
        assert not re.search(r"\b(?:import|export)\b", served), script
        words = {*re.findall(r"\w+", joined(f"scoring/{script.relative_to(STATIC)}"))}
        for module in imported(script):
            assert {*names_of(module)} - words == set(), module


def test_what_runs_on_every_page_shares_no_state_with_the_page_itself() -> None:
    """Each of them has a copy of its own of what both import."""
    of_every_page = {STATIC / name for name in _NAMED.findall((ROOT / "templates" / "base.html").read_text(encoding="utf-8"))}
    assert len(of_every_page) == 3
    needed = {module for script in of_every_page for module in imported(script)}
    for script in run_by_pages() - of_every_page:
        # Each copy of stored.js has a connection of its own to what both read.
        for module in (needed & set(imported(script))) - {STATIC / "table" / "stored.js"}:
            assert not re.search(r"^(?:export )?let ", module.read_text(encoding="utf-8"), re.MULTILINE), (script, module)


def test_scripts_travel_without_what_they_say_to_readers() -> None:
    for script in {*run_by_pages(), STATIC / "home" / "worker.js"}:
        served = as_served(script).read_text(encoding="utf-8")
        assert "/*" not in served and not re.search(r"^\s*//", served, re.MULTILINE), script
        assert len(served) < sum(len(module.read_text(encoding="utf-8")) for module in {script, *imported(script)}), script


def test_the_table_loads_the_kasse_only_where_it_is_wanted() -> None:
    assert STATIC / "table" / "cash.js" not in imported(STATIC / "table" / "page.js")


def test_the_lockfile_names_no_registry() -> None:
    lock = (TESTS / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock and "://" not in lock
    assert all("integrity" in package for name, package in json.loads(lock)["packages"].items() if name)
