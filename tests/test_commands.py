"""Every command tells what it is for, and one that answers line by line stops where nobody reads any further."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

OURS = {name: str(app) for name, app in sorted(get_commands().items()) if app in ("scoring", "clubledger")}


@pytest.mark.parametrize("name", OURS)
def test_every_command_explains_itself(name: str) -> None:
    text = load_command_class(OURS[name], name).create_parser("manage.py", name).format_help()

    assert len(text.splitlines()) > 5


def test_our_commands_are_found() -> None:
    assert {"archive", "backup", "charges", "club", "demo", "move", "operator", "restore", "score", "tidy", "verify"} <= set(
        OURS
    )


@pytest.mark.parametrize("from_file", [True, False])
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("score", '{"kind": "normal", "re": [0, 1], "eyes": 130}\n'),
        ("charges", '{"split": {"cents": 1, "weights": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}}\n'),
    ],
)
def test_whoever_has_enough_of_the_answers_ends_them_quietly(
    tmp_path: Path, name: str, line: str, from_file: bool
) -> None:
    """More lines than a pipe holds, and a reader who is content with the first."""
    file = tmp_path / "lines.jsonl"
    file.write_text(line * 4000)
    command = [sys.executable, "manage.py", name, *([str(file)] if from_file else [])]
    with (
        file.open() as lines,
        subprocess.Popen(
            command, cwd=settings.BASE_DIR, stdin=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as answering,
    ):
        assert answering.stdout is not None
        assert answering.stderr is not None
        assert answering.stdout.readline().startswith(b"{")
        answering.stdout.close()
        said = answering.stderr.read()
    assert (answering.returncode, said) == (0, b"")
