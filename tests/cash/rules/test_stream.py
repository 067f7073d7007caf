"""`manage.py charges`: lines in, answers out, whatever stands in a line, and the exit status."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.cash.lines import answers, evening

SPLIT = {"split": {"cents": 10, "weights": [1, 1, 1]}}
SHARES = {"shares": [4, 3, 3]}


def test_every_line_answers_in_its_place_and_blank_ones_not_at_all() -> None:
    wrong = {"tariff": {"tip": 1}, "evening": evening()}
    found = answers(SPLIT, "", "   \n", wrong, SPLIT)
    assert found == [SHARES, {"error": {"tariff.tip": "Die Angabe „tip“ gibt es hier nicht. Bitte weglassen."}}, SHARES]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "3",
        "null",
        '"x"',
        '{"settle": []} x',
        "{'settle': []}",
        "[" * 100_000,
        "\ufeff{}",
        "\ufffd",
        "9" * 5000,
    ],
    ids=lambda line: line[:12],
)
def test_a_line_that_is_no_object_is_refused_as_such(line: str) -> None:
    assert answers(line, SPLIT) == [{"error": {"line": "Bitte je Zeile genau ein JSON-Objekt angeben."}}, SHARES]


@pytest.mark.parametrize("text", ['{"settle": NaN}', '{"settle": [["A", Infinity]]}', '{"settle": [["A", 1e3]]}'])
def test_no_float_is_a_number_of_cents(text: str) -> None:
    (found,) = answers(text)
    assert list(found["error"]) in (["settle"], ["settle.0"])


def test_any_name_is_only_a_name() -> None:
    """Also one with a dot, a percent sign or half a character: it stands in accounts and paths as it is."""
    names = ["a.b", "%(key)s", "\ud800", "member:A", "ß" * 40]
    points = {**dict.fromkeys(names, -1), "A": 5}
    facts = evening(points)
    (found,) = answers({"tariff": {"points": {"scheme": "minus", "rate": 1}}, "evening": facts})
    assert [leg["account"] for leg in found["legs"]] == sorted(["income:points", *(f"member:{name}" for name in names)])
    (found,) = answers({"settle": [["A", 1]], "%(x)s": 1, "": 2, "\ud800": 3})
    assert list(found["error"]) == ["%(x)s", "", "\ud800"]
    assert found["error"]["%(x)s"] == "Die Angabe „%(x)s“ gibt es hier nicht. Bitte weglassen."


# --- The command itself -----------------------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[list[Any], int]:
    """The answers of the command and its exit status."""
    out, status = io.StringIO(), 0
    try:
        call_command("charges", *arguments, stdout=out)
    except SystemExit as end:
        status = int(str(end.code))
    return [json.loads(line) for line in out.getvalue().splitlines()], status


def test_a_file_is_answered_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "kasse.jsonl"
    file.write_text("\n".join([json.dumps(SPLIT)] * 1200) + "\n\n", encoding="utf-8")
    assert run(str(file)) == ([SHARES] * 1200, 0)


def test_one_refused_line_is_enough_for_exit_status_one(tmp_path: Path) -> None:
    file = tmp_path / "kasse.jsonl"
    file.write_bytes(b'{"settle": [["\xff", 1.5]]}\n' + json.dumps(SPLIT).encode())
    found, status = run(str(file))
    assert (list(found[0]["error"]), found[1], status) == (["settle.0"], SHARES, 1)


def test_without_a_file_it_reads_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(SPLIT) + "\n"))
    assert run() == ([SHARES], 0)


def test_a_file_that_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="lässt sich nicht lesen"):
        call_command("charges", str(tmp_path / "fehlt.jsonl"))


def test_the_examples_of_the_page_are_answered_as_it_says() -> None:
    text = (Path(__file__).parents[3] / "docs" / "commands.md").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("    {")]
    assert len(lines) == 10
    assert answers(*lines[:5]) == lines[5:]
