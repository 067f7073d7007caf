"""The container image, where one is built (`make image`) and buildah can run it: a club is founded in it, and its first game is
there again after a restart; then a stranger sees the front page, opens a demo and founds a club, and saves a game in each."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.client import try_founding, try_the_demo
from tests.server import PATIENCE, answers, free_port

IMAGE = "localhost/clubledger"


def buildah(*words: str) -> str:
    return subprocess.run(["buildah", *words], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def container() -> Iterator[str]:
    if not (
        shutil.which("buildah") and os.geteuid() == 0 and buildah("images", "--quiet", "--filter", f"reference={IMAGE}")
    ):
        pytest.skip("NOT RUN: there is no image (make image), or no buildah to run it as root")
    name = buildah("from", IMAGE)
    yield name
    buildah("rm", name)


@contextmanager
def started(container: str, data: Path, port: int, log: Path, **more: str) -> Iterator[None]:
    """Run the container's command until the block ends; SIGTERM has to stop it then, with exit status 0. `more` goes into its
    environment."""
    command = ["sh", "-c", "echo $$ > /data/pid; exec clubledger run"]
    options = ["--isolation", "chroot", "--volume", f"{data}:/data", "--env", f"PORT={port}"]
    options += [word for name, value in more.items() for word in ("--env", f"{name}={value}")]
    with log.open("wb") as out:
        running = subprocess.Popen(["buildah", "run", *options, container, "--", *command], stdout=out, stderr=out)
    try:
        give_up = time.monotonic() + PATIENCE
        while not answers(port):
            assert running.poll() is None, log.read_text()
            assert time.monotonic() < give_up, log.read_text()
            time.sleep(0.2)
        yield
    finally:
        os.kill(int((data / "pid").read_text()), signal.SIGTERM)
        assert running.wait(PATIENCE) == 0, log.read_text()


def test_a_club_in_a_container(container: str, page: Page, tmp_path: Path) -> None:
    config = json.loads(buildah("inspect", container))["Docker"]["config"]
    assert (config["Entrypoint"], config["Cmd"], config["User"]) == (["clubledger"], ["run"], "clubledger")
    assert (config["StopSignal"], "/data" in config["Volumes"]) == ("SIGTERM", True)
    buildah("config", "--volume", "/data-", container)  # buildah would put a folder of its own there
    data, log, port = tmp_path / "data", tmp_path / "log", free_port()
    data.mkdir(mode=0o700)
    os.chown(data, 10001, 10001)
    with started(container, data, port, log, DEMO="0"):
        page.goto(f"http://localhost:{port}{re.findall(r'/found/[^/]+/', log.read_text())[0]}")
        for label, text in (
            ("Name des Clubs", "Karo"),
            ("Wer spielt mit? Je Zeile ein Name, zuerst der eigene.", "Zora\nAnton\nBerta\nÇelik"),
            ("Anmeldename", "zora"),
            ("Passwort", "grüner kaktus tanzt nachts"),
            ("Passwort noch einmal", "grüner kaktus tanzt nachts"),
        ):
            page.get_by_label(label, exact=True).fill(text)
        page.get_by_role("button", name="Gründen und zum ersten Abend").click()
        page.get_by_role("button", name="Mit diesen anfangen").click()
        page.locator(".tile input").nth(0).check()
        page.locator(".tile input").nth(2).check()
        page.locator(".bands input[value='121-150']").check()
        page.locator("#save").click()
        expect(page.locator("#rows tr")).to_have_count(1)
        expect(page.locator("#rows td").filter(has_text="−1")).to_have_count(2)
    with started(container, data, port, log, FOUNDING="open"):
        page.reload()
        expect(page.locator("#rows tr")).to_have_count(1)
        try_the_demo(f"http://localhost:{port}")
        try_founding(f"http://localhost:{port}")
