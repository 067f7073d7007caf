"""Decides how tests run manage.py often and quickly, and take the plug out at a certain step: before the n-th time that it opens,
renames, links or removes a file of its installation, starts a program, or sends a statement to the database. A process that has
loaded everything forks a child for each command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line, load_command_class
from django.db import connection

FILES = {"open", "os.rename", "os.remove", "os.link", "os.mkdir", "sqlite3.connect"}
NEVER = 1_000_000


class Done(NamedTuple):
    """How a command ended (`code` is None where it was killed), what it said, and how many steps it had."""

    code: int | None
    said: str
    fault: str
    steps: int


class Commands:
    """manage.py of one installation."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(self, *words: str | Path, step: int = NEVER) -> Done:
        """Run it, killed before this step if it has so many."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([step, *map(str, words)]) + "\n")
        self.process.stdin.flush()
        return Done(*json.loads(self.process.stdout.readline()))


@contextmanager
def commands(place: Path, environment: dict[str, str]) -> Iterator[Commands]:
    """For the installation in the folder `place`."""
    command = [sys.executable, "-m", "tests.commands", str(place)]
    with subprocess.Popen(
        command, cwd=settings.BASE_DIR, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield Commands(process)
        assert process.stdin is not None
        process.stdin.close()
    assert process.returncode == 0


def die_before(last: int, place: str) -> list[int]:
    """From now on the steps of this process are counted, in the only number of the answer; it is gone before the last one."""
    taken = [0]

    def step() -> None:
        taken[0] += 1
        if taken[0] == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def of_files(event: str, words: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen" or (event in FILES and any(place in str(word) for word in words)):
            step()

    def of_statements(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        step()
        return execute(sql, params, many, context)

    sys.addaudithook(of_files)
    connection.execute_wrappers.append(of_statements)
    return taken


def child(step: int, place: str, words: list[str], steps: int) -> None:
    """One command, its steps written to the descriptor `steps` if it lives."""
    taken = die_before(step, place)
    code = 0
    try:
        execute_from_command_line(["manage.py", *words])
    except SystemExit as end:
        code = int(end.code or 0)
    os.write(steps, str(taken[0]).encode())
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main(place: str) -> None:
    """Each line of standard input is a command; what came of it is a line of standard output."""
    django.setup()
    call_command("check", stdout=sys.stderr)  # loads what every command would load again
    load_command_class("clubledger", "restore")
    with os.fdopen(os.dup(1), "w") as answers:
        for line in sys.stdin:
            step, *words = json.loads(line)
            with TemporaryFile() as said, TemporaryFile() as fault, TemporaryFile() as steps:
                pid = os.fork()
                if not pid:
                    os.dup2(said.fileno(), 1)
                    os.dup2(fault.fileno(), 2)
                    child(step, place, words, steps.fileno())
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                texts = []
                for file in (said, fault, steps):
                    file.seek(0)
                    texts.append(file.read().decode())
            killed = code == -signal.SIGKILL
            answers.write(json.dumps([None if killed else code, texts[0], texts[1], int(texts[2] or 0)]) + "\n")
            answers.flush()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
    main(sys.argv[1])
