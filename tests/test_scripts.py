"""Check the scripts of the pages: their unit tests pass in node, and each that a page names is built."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.rules.settings import PRESETS, get_preset_data
from scoring.rules.settings_schema import FOR_SCRIPTS
from tests.bundle import bundle

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
BUILT = ROOT / "built" / "scoring"
TESTS = ROOT / "tests" / "scripts"
SCRIPTS = {script for script in ASSETS.rglob("*.ts") if not script.name.endswith(".d.ts")}
_IMPORT = re.compile(r'^(?:import|export)\b[^"]*"(\.[^"]+)";', re.MULTILINE)
_NAMED = re.compile(r"\{% static 'scoring/([^']+\.(?:js|css))' (?:as script )?%\}")


def imported(script: Path) -> Iterator[Path]:
    """All modules that a module needs, without itself."""
    for name in _IMPORT.findall(script.read_text(encoding="utf-8")):
        module = (script.parent / name).resolve()
        yield module
        yield from imported(module)


def named_by(templates: Path) -> set[str]:
    pages = templates.rglob("*.html") if templates.is_dir() else [templates]
    return {name for page in pages for name in _NAMED.findall(page.read_text(encoding="utf-8"))}


def sources(names: set[str]) -> set[Path]:
    """The modules that these built scripts begin with."""
    return {(ASSETS / name).with_suffix(".ts") for name in names if name.endswith(".js")}


def run_by_pages() -> set[Path]:
    return sources(named_by(ROOT / "templates"))


def test_the_unit_tests_pass(tmp_path: Path) -> None:
    files = sorted(TESTS.glob("*.test.js"))
    assert len(files) >= 4
    files = bundle(tmp_path, files, "node")
    presets = {name: get_preset_data(name) for name in PRESETS}
    environment = {**os.environ, "CODES": json.dumps(FOR_SCRIPTS), "PRESETS": json.dumps(presets)}
    done = subprocess.run(
        ["node", "--test", *files], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_script_is_needed() -> None:
    needed = {one for module in run_by_pages() for one in (module, *imported(module))}
    assert needed | {ASSETS / "site" / "worker.ts"} == SCRIPTS
    assert not [*(ROOT / "scoring" / "static").rglob("*.js"), *(ROOT / "scoring" / "static").rglob("*.css")]


def test_what_pages_name_is_built_and_nothing_else() -> None:
    """Whether it is up to date is checked by `make lint`: a checkout without node runs."""
    built = {str(path.relative_to(BUILT)) for path in BUILT.rglob("*") if path.is_file()}
    assert built == named_by(ROOT / "templates") | {"site/worker.js", "bootstrap.LICENSE.txt"}


def test_a_script_is_one_file_without_its_comments() -> None:
    for path in BUILT.rglob("*.js"):
        built = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(?:import|export)\b|/\*|^\s*//", built, re.MULTILINE), path


def test_what_templates_use_of_bootstrap_is_built() -> None:
    """assets/bootstrap.scss names the parts that are; node_modules has the whole."""
    whole = ROOT / "node_modules" / "bootstrap" / "dist" / "css" / "bootstrap.min.css"
    if not whole.exists():
        pytest.skip("no node_modules here")
    used = {name for page in (ROOT / "templates").rglob("*.html") for name in classes_in(page.read_text(encoding="utf-8"))}
    used |= {name for module in (ROOT / "scoring").rglob("*.py") for name in classes_in(module.read_text(encoding="utf-8"))}
    named = {sheet: set(re.findall(r"\.([A-Za-z][\w-]*)", sheet.read_text())) for sheet in (whole, *BUILT.glob("*.css"))}
    assert len(used & named[whole]) > 30
    assert used & named.pop(whole) - set().union(*named.values()) == set()


def classes_in(text: str) -> list[str]:
    """The words of each class attribute, and of each css_class of a form."""
    return " ".join(re.findall(r'\b(?:css_)?class="([^"]*)"', re.sub(r"\{%.*?%\}", " ", text))).split()


def test_the_notice_of_bootstrap_comes_with_it() -> None:
    assert "The Bootstrap Authors" in (BUILT / "style.css").read_text(encoding="utf-8")
    assert "Permission is hereby granted" in (BUILT / "bootstrap.LICENSE.txt").read_text(encoding="utf-8")


def test_what_runs_on_every_page_shares_no_state_with_the_page_itself() -> None:
    """Each of them has a copy of its own of what both import."""
    of_every_page = sources(named_by(ROOT / "templates" / "base.html"))
    assert len(of_every_page) == 3
    needed = {module for script in of_every_page for module in imported(script)}
    for script in run_by_pages() - of_every_page:
        # Each copy of outbox.ts has a connection of its own to what both read.
        for module in (needed & set(imported(script))) - {ASSETS / "table" / "outbox.ts"}:
            assert not re.search(r"^(?:export )?let ", module.read_text(encoding="utf-8"), re.MULTILINE), (script, module)


def test_the_table_loads_the_kasse_only_where_it_is_wanted() -> None:
    assert ASSETS / "table" / "cash.ts" not in imported(ASSETS / "table" / "entry.ts")


def test_the_lockfile_names_no_registry() -> None:
    lock = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock
    assert {*re.findall(r'"([^"]*)": "[^"]*://', lock)} <= {"url"}, "where to give money"
    assert all("integrity" in package for name, package in json.loads(lock)["packages"].items() if name)
