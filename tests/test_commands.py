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
    assert {"archive", "backup", "club", "demo", "operator", "restore", "score", "tidy", "verify"} <= set(OURS)


@pytest.mark.parametrize("from_file", [True, False])
def test_whoever_has_enough_of_the_scores_ends_them_quietly(tmp_path: Path, from_file: bool) -> None:
    """More lines than a pipe holds, and a reader who is content with the first."""
    games = tmp_path / "games.jsonl"
    games.write_text('{"kind": "normal", "re": [0, 1], "eyes": 130}\n' * 4000)
    command = [sys.executable, "manage.py", "score", *([str(games)] if from_file else [])]
    with (
        games.open() as lines,
        subprocess.Popen(
            command, cwd=settings.BASE_DIR, stdin=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as score,
    ):
        assert score.stdout is not None
        assert score.stderr is not None
        assert score.stdout.readline().startswith(b"{")
        score.stdout.close()
        said = score.stderr.read()
    assert (score.returncode, said) == (0, b"")
