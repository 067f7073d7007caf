"""Test `manage.py score`: the answers to valid, invalid and unreadable lines."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from scoring.rules import score_lines
from scoring.rules.score_lines import LineScorer

GAME = {"rules": "ddv", "kind": "normal", "re": [0, 1], "eyes": 130}
LOST = {"rules": "anleitung", "kind": "normal", "re": [0, 1], "eyes": 170, "re_said": "no60"}


def answers(*lines: Any) -> list[dict[str, Any]]:
    """Return the parsed answers."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    found = list(LineScorer().answers(texts))
    assert found == [json.dumps(json.loads(answer)) for answer in found]  # written as JSON is, by whatever shortcut
    return [json.loads(answer) for answer in found]


def test_keys_of_an_answer() -> None:
    assert answers(GAME) == [
        {
            "winner": "re",
            "winners": [0, 1],
            "value": 1,
            "points": [1, 1, -1, -1],
            "steps": [{"code": "won", "party": "re", "add": 1}],
            "bock": 0,
            "bock_started": 0,
        }
    ]


def test_the_games_are_one_evening_until_a_new_one_starts() -> None:
    game = {**GAME, "rules": "anleitung"}
    found = answers(LOST, game, {"evening": "new"}, game, "", "   \n")
    assert [answer["bock"] for answer in found] == [0, 1, 0]
    assert found[0]["bock_started"] == 4


def test_expect_and_note_are_ignored() -> None:
    assert answers({**GAME, "expect": {"value": 9}, "note": 3}) == answers(GAME)
    assert answers({"evening": "new", "note": "Montag"}) == []


def test_a_refused_line_answers_in_its_place_and_changes_no_chain() -> None:
    game = {**GAME, "rules": "anleitung"}
    found = answers(LOST, {**LOST, "eyes": 300}, game)
    assert list(found[1]) == ["error"]
    assert list(found[1]["error"]) == ["eyes"]
    assert [answer.get("bock") for answer in found] == [0, None, 1]


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "3", "null", '"x"', '{"a": 1} x', "{'kind': 1}", '{"kind": NaN', "[" * 100_000, "\ufeff{}", "\ufffd"],
    ids=lambda line: line[:12],
)
def test_a_line_that_is_no_object_is_refused_as_such(line: str) -> None:
    found = answers(line, GAME)
    assert list(found[0]["error"]) == ["line"]
    assert found[1]["value"] == 1


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"rules": "wüst", "table": 9}, ["rules", "table"]),
        ({"rules": "wüst", "table": 9, "kind": "quatsch"}, ["kind", "rules", "table"]),
        ({"rules": None}, ["rules"]),
        ({"rules": ["ddv"]}, ["rules"]),
        ({"rules": {"base": "ddv", "won": -1}, "eyes": 300}, ["rules"]),
        ({"rules": {"won": 1}}, ["rules"]),
        ({"rules": "{'base': 'ddv'}"}, ["rules"]),
        ({"rules": {"base": "ddv", "bock": [[[]]]}}, ["rules"]),
        ({"table": None}, ["table"]),
        ({"table": 4.0}, ["table"]),
        ({"evening": "new"}, ["evening"]),
        ({"eyes": 1e400}, ["eyes"]),
        ({"eyes": 10**30}, ["eyes"]),
        ({"": 1}, [""]),
        ({"\ud800": 1}, ["\ud800"]),
    ],
)
def test_faulty_rules_table_and_kind_are_refused(change: dict[str, Any], fields: list[str]) -> None:
    assert sorted(answers({**GAME, **change})[0]["error"]) == fields


def test_other_fields_are_not_checked_if_rules_table_or_kind_are_faulty() -> None:
    short = {"rules": "wüst", "winners": [0, 1], "base": 3}
    assert list(answers(short)[0]["error"]) == ["rules"]


def test_the_cache_of_rule_sets_is_bounded() -> None:
    lines = [{**GAME, "rules": {"base": "ddv", "won": number}} for number in range(2 * score_lines.MAX_CACHED)]
    evening = LineScorer()
    found = [*map(json.loads, evening.answers(map(json.dumps, lines)))]
    assert [answer["value"] for answer in found] == list(range(2 * score_lines.MAX_CACHED))
    assert len(evening._own) == score_lines.MAX_CACHED


# --- The command itself -----------------------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[list[dict[str, Any]], int]:
    """Return the answers of the command and its exit status."""
    out = io.StringIO()
    try:
        call_command("score", *arguments, stdout=out)
    except SystemExit as end:
        return [json.loads(line) for line in out.getvalue().splitlines()], int(str(end.code))
    return [json.loads(line) for line in out.getvalue().splitlines()], 0


def test_a_file_is_answered_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "spiele.jsonl"
    file.write_text("\n".join([json.dumps(GAME)] * 1200) + "\n\n", encoding="utf-8")
    found, status = run(str(file))
    assert (len(found), status) == (1200, 0)
    assert found[0] == found[-1] == answers(GAME)[0]


def test_one_refused_line_is_enough_for_exit_status_one(tmp_path: Path) -> None:
    file = tmp_path / "spiele.jsonl"
    file.write_bytes(b'{"rules": "ddv\xff"}\n' + json.dumps(GAME).encode())
    found, status = run(str(file))
    assert (list(found[0]["error"]), found[1]["value"], status) == (["rules", "kind"], 1, 1)


def test_without_a_file_it_reads_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(GAME) + "\n"))
    assert run() == (answers(GAME), 0)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="lässt sich nicht lesen"):
        call_command("score", str(tmp_path / "fehlt.jsonl"))


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ({"redeal": True, "table": 5, "dealer": 2}, []),
        ({"redeal": 1}, ["redeal"]),
        ({"redeal": True, "kind": "normal", "eyes": 3}, ["eyes", "kind"]),
        ({"redeal": True, "dealer": 4}, ["dealer"]),
        ({"redeal": True, "rules": "skat"}, ["rules"]),
    ],
)
def test_a_redeal_on_the_command_line(line: dict[str, Any], fields: list[str]) -> None:
    rules = {"base": "anleitung", "bock": {"triggers": ["redeal"]}}
    (answer,) = map(json.loads, LineScorer().answers([json.dumps({"rules": rules, **line})]))
    assert sorted(answer.get("error", {})) == fields
    if not fields:
        assert (answer["value"], answer["points"], answer["bock"], answer["bock_started"]) == (0, [0] * 5, 0, 5)
