"""Test the sheet of a table: all forms of line, a changing size of table, the faulty line, and oddities of a solo."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.rules.parsing import OtherFacts, ShortFacts, parse_game
from scoring.rules.settings import RuleSettings, get_preset, resolve
from scoring.rules.sheet import Line, find_oddities, fold
from scoring.rules.validation import Refused

NORMAL: dict[str, Any] = {"kind": "normal", "re": [0, 1], "eyes": 130}


def game(table: int = 4, dealer: int | None = None, **facts: Any) -> Line:
    return Line("played", range(table), dealer, NORMAL | facts)


def test_a_sheet_can_have_all_forms_of_line() -> None:
    lines = [
        game(),
        Line("short", range(4), 1, {"winners": [2], "base": 2, "solo": True}),
        Line("penalty", range(4), 2, {"points": [-3, 1, 1, 1], "reason": "falsch bedient"}),
        Line("correction", range(4), None, {"points": [10, 0, 0, 0], "reason": "verschrieben"}),
        Line("redeal", range(4), 3, {"seat": 1, "reason": "fünf Könige"}),
    ]
    sheet = fold(lines, get_preset("ddv"))
    assert [line.outcome.points for line in sheet] == [
        (1, 1, -1, -1),
        (-2, -2, 6, -2),
        (-3, 1, 1, 1),
        (10, 0, 0, 0),
        (0, 0, 0, 0),
    ]
    assert [type(line.facts) for line in sheet[1:]] == [ShortFacts, OtherFacts, OtherFacts, OtherFacts]
    assert [(line.facts.points, line.facts.seat) for line in sheet[2:]] == [((-3, 1, 1, 1), None), ((10, 0, 0, 0), None), ((), 1)]
    assert [line.outcome.winner for line in sheet] == ["re", "re", None, None, None]


def test_the_table_can_grow() -> None:
    sheet = fold([game(), game(table=5, dealer=4), game(table=6, dealer=0, re=[1, 4])], get_preset("ddv"))
    assert [line.outcome.points for line in sheet] == [(1, 1, -1, -1), (1, 1, -1, -1, 0), (0, 1, -1, 0, 1, -1)]


def test_refused_has_the_number_of_the_first_faulty_line() -> None:
    with pytest.raises(Refused) as refused:
        fold([game(), game(eyes=300), game(eyes=301)], get_preset("ddv"))
    assert (refused.value.line, list(refused.value.fields)) == (1, ["eyes"])


def test_an_empty_sheet_is_worth_nothing() -> None:
    assert fold([], get_preset("ddv")) == []


# --- What is possible but odd -----------------------------------------------------------------------------------------


def settings(rules: Any) -> RuleSettings:
    return RuleSettings.from_data(resolve(rules))


SOLO = {"kind": "damensolo", "re": [2], "eyes": 130}


@pytest.mark.parametrize(
    ("rules", "facts", "owing", "codes"),
    [
        ("ddv", SOLO, [0, 2], ["free_solo"]),
        ("ddv", SOLO, [0, 1], []),
        ("ddv", SOLO, None, []),
        ("ddv", SOLO | {"duty": True}, [0, 2], []),
        ("ddv", SOLO | {"duty": True}, [0, 1], ["second_duty"]),
        ("ddv", SOLO | {"duty": True}, None, []),
        ("ddv", SOLO | {"kind": "stille_hochzeit"}, [0, 2], []),
        ("ddv", NORMAL, [0, 1, 2, 3], []),
        # No tournament: a Pflichtsolo passes the deal on as any other game does.
        ({"base": "ddv", "deal_stays": ["redeal"]}, SOLO, [0, 2], []),
        ({"base": "ddv", "deal_stays": ["redeal"]}, SOLO | {"duty": True}, [0, 1], ["second_duty"]),
        ("vln", SOLO, [], []),
    ],
)
def test_oddities_of_a_solo_by_who_owes_a_pflichtsolo(
    rules: Any, facts: dict[str, Any], owing: list[int] | None, codes: list[str]
) -> None:
    compiled = settings(rules)
    assert find_oddities(parse_game(facts, compiled), compiled, owing) == codes
