"""Every command tells what it is for, in the language of the terminal, and one that answers line by line stops where nobody reads
any further."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

import polib
import pytest
from django.conf import settings
from django.core.management import BaseCommand, get_commands
from django.utils.translation import override

from clubledger import language

OURS = {name: str(app) for name, app in sorted(get_commands().items()) if app in ("scoring", "clubledger")}


def sentences(parser: ArgumentParser) -> Iterator[str | None]:
    """What --help says of a command, of its ways and of their options."""
    yield parser.description
    for action in parser._actions:
        yield action.help
        if isinstance(action, _SubParsersAction):
            yield from (way.help for way in action._choices_actions)
            for way in action.choices.values():
                yield from sentences(way)


DJANGO = {*sentences(BaseCommand().create_parser("manage.py", "any")), None}


@pytest.mark.parametrize("name", sorted(OURS.keys() - {"runserver"}))  # Django's own words
def test_every_command_explains_itself_in_both_languages(name: str) -> None:
    """Its module is run anew for each: a process loads it once, in its own language."""
    said = []
    for code in ("de", "en"):
        with override(code):
            command = run_path(str(settings.BASE_DIR / OURS[name] / "management" / "commands" / f"{name}.py"))["Command"]()
            said.append(set(sentences(command.create_parser("manage.py", name))) - DJANGO)
    german, english = said
    assert len(german) == len(english) > 0
    assert german & english == set()


def test_the_terminal_says_how_to_call_the_program_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = []
    for code in ("de", "en"):
        monkeypatch.setenv("LANGUAGE", code)
        usage.append(run_path(str(settings.BASE_DIR / "clubledger" / "__main__.py"))["USAGE"].splitlines())
    assert [line for line in zip(*usage, strict=True) if line[0] == line[1]] == []


def test_what_the_terminal_shows_goes_through_the_catalog() -> None:
    """Two words beside each other in a literal are a sentence, but for the name of the program."""
    speak = {"print", "exit", "write", "CommandError", "ImproperlyConfigured", "Error", "ValueError", "BackupFailed", "NotMoved"}
    paths = [*(settings.BASE_DIR / "clubledger").rglob("*.py"), *(settings.BASE_DIR / "scoring" / "management").rglob("*.py")]
    calls = [
        (path.name, said)
        for path in paths
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and re.split(r"\W", ast.unparse(call.func))[-1] in speak
        for said in [*call.args[:1], *(more.value for more in call.keywords if more.arg == "hint")]
    ]
    assert len(calls) > 50
    literals = [(name, ast.unparse(said)) for name, said in calls if isinstance(said, (ast.Constant, ast.JoinedStr))]
    assert [pair for pair in literals if re.search(r"[a-z]{2,} [a-z]{2,}", pair[1])] == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:de:en"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({}, "en"),
    ],
)
def test_the_environment_says_which_language(said: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert language() == expected


@pytest.mark.parametrize(
    ("code", "words", "said"),
    [
        ("de", ["charges", "nothing.jsonl"], ["CommandError: Die Datei lässt sich nicht lesen"]),
        ("en", ["charges", "nothing.jsonl"], ["CommandError: The file cannot be read"]),
        ("de", ["founding_link", "--help"], ["Aufruf: ", "\nOptionen:\n", "diese Hilfe zeigen"]),
        ("en", ["founding_link", "--nothing"], ["usage: ", "error: unrecognized arguments: --nothing"]),
    ],
)
def test_a_command_and_argparse_speak_the_language_of_the_terminal(code: str, words: list[str], said: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clubledger", "manage", *words],
        cwd=settings.BASE_DIR,
        env={**os.environ, "LANGUAGE": code},
        capture_output=True,
        text=True,
        check=False,
    )
    assert [word for word in said if word not in done.stdout + done.stderr] == []


def test_the_german_catalog_of_argparse_is_compiled_and_whole() -> None:
    folder = settings.BASE_DIR / "scoring" / "locale" / "de" / "LC_MESSAGES"
    texts, compiled = (
        {entry.msgid: entry.msgstr for entry in read(str(folder / name))}
        for read, name in ((polib.pofile, "argparse.po"), (polib.mofile, "argparse.mo"))
    )
    assert compiled == texts
    for sentence, german in texts.items():
        filled = [sorted(re.findall(r"%(?:\(\w+\))?[sr]", text)) for text in (sentence, german)]
        assert filled[0] == filled[1], sentence


def test_our_commands_are_found() -> None:
    assert {"archive", "backup", "charges", "club", "demo", "move", "operator", "restore", "score", "tidy", "verify"} <= set(
        OURS
    )


@pytest.mark.parametrize(
    ("name", "line", "from_file"),
    [
        ("score", '{"kind": "normal", "re": [0, 1], "eyes": 130}\n', True),
        ("charges", '{"split": {"cents": 1, "weights": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}}\n', False),
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
