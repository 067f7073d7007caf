"""The wheel of the program, installed into an empty environment, serves its pages from an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import venv
from pathlib import Path

import pytest
from django.conf import settings

from clubledger import __version__
from tests.client import try_founding
from tests.server import ask, environment, free_port, lay_tables, running


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, install it with the pins of requirements.txt, and return the folder of the environment's commands."""
    place = tmp_path_factory.mktemp("wheel")
    venv.create(place / "env", with_pip=True)
    pip = [str(place / "env" / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = ["wheel", "--no-deps", "--wheel-dir", str(place / "built"), str(settings.BASE_DIR)]
    done = subprocess.run([*pip, *wheel], capture_output=True, text=True, check=False)
    if done.returncode and not os.environ.get("CI"):
        pytest.skip(f"NOT RUN: pip cannot build a wheel here: {done.stderr[-500:]}")
    assert done.returncode == 0, done.stderr
    (built,) = (place / "built").iterdir()
    assert built.name == f"clubledger-{__version__}-py3-none-any.whl"
    pins = str(settings.BASE_DIR / "requirements.txt")
    subprocess.run([*pip, "install", "--no-compile", "--no-deps", "--require-hashes", "-r", pins], check=True)
    subprocess.run([*pip, "install", "--no-compile", "--no-deps", str(built)], check=True)
    subprocess.run([*pip, "check"], check=True)
    return place / "env" / "bin"


def test_it_serves_its_pages(installed: Path, tmp_path: Path, empty_database: Path) -> None:
    """A club is founded, and saves a game. Its data lies where this system keeps the data of programs, if VAR_DIR says nothing
    else."""
    empty, log, port = tmp_path / "empty", tmp_path / "log", free_port()
    empty.mkdir()
    home = {"HOME": str(tmp_path / "home"), "XDG_DATA_HOME": str(tmp_path / "home" / "data"), "VAR_DIR": ""}
    command = [str(installed / "clubledger"), "run"]
    root = f"http://127.0.0.1:{port}"
    lay_tables(tmp_path / "home" / "data" / "clubledger", empty_database)
    with running(tmp_path, port, log, command=command, folder=empty, DEMO="0", FOUNDING="open", **home):
        try_founding(root)
        status, _, page = ask(f"{root}/")
        assert status == 200
        files = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js|svg))"', page)
        assert {name.rpartition(".")[2] for name in files} == {"css", "js", "svg"}
        assert {ask(f"{root}{name}")[0] for name in files} == {200}
        data = [*tmp_path.rglob("db.sqlite3")]
    assert [*empty.iterdir()] == []
    assert len(data) == 1
    assert data[0].parent.name == "clubledger"


def test_its_one_command(installed: Path, tmp_path: Path, empty_database: Path) -> None:
    lay_tables(tmp_path / "var", empty_database)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [str(installed / "clubledger"), *words]
        return subprocess.run(
            command, cwd=tmp_path, env=environment(tmp_path / "var", 0), capture_output=True, text=True, check=False
        )

    assert run("version").stdout == f"Club Ledger {__version__}\n"
    assert run("manage", "check").returncode == 0
    assert run("manage", "migrate", "--verbosity=0").returncode == 0
    assert "/found/" in run("manage", "founding_link").stdout
    refused = run("something")
    assert (refused.returncode, "clubledger run" in refused.stderr) == (1, True)
    assert "clubledger manage" in run("--help").stdout


def test_it_is_the_program_of_the_checkout(installed: Path) -> None:
    """Everything that git has in the packages, the templates and the built files is in the wheel."""
    site = next(installed.parent.glob("lib/*/site-packages"))
    command = ["git", "ls-files", "clubledger", "scoring", "templates", "built"]
    listed = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True)
    moved = {"templates/": "scoring/templates/", "built/": "scoring/static/"}
    for name in listed.stdout.splitlines():
        for before, after in moved.items():
            name = after + name.removeprefix(before) if name.startswith(before) else name
        assert (site / name).exists(), name
