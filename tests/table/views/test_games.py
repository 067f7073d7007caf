"""A new line from a script: what it is answered, once and no more, and what is in the way."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, Table, TableResult
from scoring.play import queries
from scoring.play.queries import read_records
from scoring.rules.sheet import Line, LineResult, fold
from tests.factories import Cast, add_game, make_table
from tests.table.views.asking import (
    KEY,
    NORMAL,
    OTHER_KEY,
    SHORT,
    entry,
    game_at,
    games_of,
    lines,
    page_of,
    seen_by,
    send,
)

# --- How the table is asked -----------------------------------------------------------------------------------------


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


@pytest.fixture
def empty(cast: Cast) -> Table:
    """A table of the club with no line on its sheet."""
    return make_table(cast.club)


def test_a_game_is_found_at_its_own_table_only(cast: Cast) -> None:
    address = reverse("game", kwargs={"slug": "karo", "pk": cast.table.pk, "key": cast.other_game.key})
    assert seen_by(cast.admin).get(address).status_code == 404


# --- A new line, from a script --------------------------------------------------------------------------------------


def test_a_table_is_folded_once_in_a_save(scorer: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored, what is answered and what is said to a browser come of one and the same fold."""
    folds: list[int] = []

    def counted(lines: list[Line], *rules: Any) -> list[LineResult]:
        folds.append(len(lines))
        return fold(lines, *rules)

    monkeypatch.setattr(queries, "fold", counted)
    sent = entry(cast.game)
    assert send(scorer, games_of(cast.table), sent).status_code == 201
    assert folds == [2]
    address = game_at(Game.objects.get(key=KEY))
    assert send(scorer, address, {**sent, "version": 1, "eyes": 100, "confirm": True}).status_code == 200
    assert folds == [2, 2]


def test_a_new_line_is_answered_with_all_there_is_to_show(scorer: Client, cast: Cast) -> None:
    seats = list(cast.game.round.seats.order_by("place").values_list("player", flat=True))
    response = send(scorer, games_of(cast.table), entry(cast.game, re_said="said", note="  Regen  ", dealer=1))
    assert response.status_code == 201
    assert response["Content-Type"] == "application/json"
    answer = response.json()
    assert answer.keys() == {"key", "lines", "next", "change", "remarks"}
    assert (answer["key"], answer["change"], answer["remarks"]) == (KEY, Change.objects.latest("id").pk, [])
    assert answer["lines"] == [
        {
            "key": KEY,
            "version": 1,
            "form": "played",
            "number": 2,
            "cycle": 1,
            "ends_cycle": False,
            "table": 4,
            "seats": seats,
            "dealer": 1,
            "out": [],
            "soloist": None,
            "facts": {**NORMAL, "re_said": "said"},
            "note": "Regen",
            "winner": "re",
            "winners": [0, 1],
            "value": 3,
            "points": [3, 3, -3, -3],
            "bock": 0,
            "bock_started": 0,
            "label": "2",
        }
    ]
    assert answer["next"] == {
        "number": 3,
        "cycle": 1,
        "dealer": 2,
        "leader": 3,
        "out": [],
        "owing": [0, 1, 2, 3],
        "soloist": None,
        "bock": [],
        "bock_from": [],
        "bock_runs": [],
        "bock_origin": "",
        "after": KEY,
        "round": read_records(cast.table).rounds[-1].pk,
    }


def test_what_follows_from_a_line_comes_with_it(scorer: Client, cast: Cast) -> None:
    """A Pflichtsolo: the deal stays, one person owes nothing any more. A remark says what is odd."""
    solo = {"kind": "damensolo", "re": [2], "duty": True, "eyes": 130}
    answer = send(scorer, games_of(cast.table), entry(cast.game, **solo)).json()
    assert (answer["lines"][0]["soloist"], answer["lines"][0]["winners"]) == (2, [2])
    assert (answer["next"]["dealer"], answer["next"]["owing"]) == (1, [0, 1, 3])


def test_the_first_line_follows_nothing(scorer: Client, empty: Table) -> None:
    assert send(scorer, games_of(empty), entry()).status_code == 201
    assert send(scorer, games_of(make_table(empty.evening.club)), entry(None or "", key=OTHER_KEY)).status_code == 201
    assert lines(empty) == [KEY]


@pytest.mark.parametrize(
    ("fields", "form", "number", "points"),
    [
        (SHORT, "short", 2, [-3, 3, 3, -3]),
        ({**SHORT, "form": "short", "solo": False}, "short", 2, [-3, 3, 3, -3]),
        ({"form": "redeal"}, "redeal", None, [0, 0, 0, 0]),
        ({"form": "redeal", "seat": 2, "reason": "fünf Könige"}, "redeal", None, [0, 0, 0, 0]),
        ({"form": "penalty", "points": [-3, 1, 1, 1], "reason": "falsch bedient"}, "penalty", None, [-3, 1, 1, 1]),
        ({"form": "correction", "points": [5, 0, 0, -5], "reason": "Übertrag"}, "correction", None, [5, 0, 0, -5]),
    ],
)
def test_every_form_of_line(
    scorer: Client, cast: Cast, fields: dict[str, Any], form: str, number: int | None, points: list[int]
) -> None:
    response = send(scorer, games_of(cast.table), entry(cast.game, **fields))
    assert response.status_code == 201
    line = response.json()["lines"][0]
    assert (line["form"], line["number"], line["points"]) == (form, number, points)
    assert scorer.get(page_of(cast.table)).status_code == 200
    assert scorer.get(f"{games_of(cast.table)}{line['key']}/").status_code == 200


# --- Once and no more -----------------------------------------------------------------------------------------------


def test_the_same_again_is_answered_and_not_booked_twice(scorer: Client, cast: Cast) -> None:
    body = entry(cast.game, note="Regen")
    first = send(scorer, games_of(cast.table), body)
    again = send(scorer, games_of(cast.table), body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == {**first.json(), "change": None}
    assert lines(cast.table) == [str(cast.game.key), KEY]
    assert Change.objects.filter(subject_id=KEY).count() == 1
    assert TableResult.objects.get(table=cast.table, player=first.json()["lines"][0]["seats"][0]).games == 2


def test_a_reply_that_was_lost_long_ago(scorer: Client, cast: Cast) -> None:
    """The game was corrected, another one came, the evening was closed: the phone still learns that it was saved."""
    body = entry(cast.game)
    send(scorer, games_of(cast.table), body)
    send(scorer, f"{games_of(cast.table)}{KEY}/", {**NORMAL, "eyes": 30, "version": 1, "confirm": True})
    add_game(cast.table)
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    again = send(scorer, games_of(cast.table), body)
    assert again.status_code == 200
    assert again.json()["lines"][0]["facts"]["eyes"] == 30
    assert len(lines(cast.table)) == 3


def test_a_line_that_was_struck_out_does_not_come_back_by_a_retry(scorer: Client, cast: Cast) -> None:
    body = entry(cast.game)
    send(scorer, games_of(cast.table), body)
    scorer.post(f"{games_of(cast.table)}{KEY}/delete/", {"version": "1"})
    again = send(scorer, games_of(cast.table), body)
    assert (again.status_code, again.json()["lines"]) == (200, [])
    assert lines(cast.table) == [str(cast.game.key)]


@pytest.mark.parametrize(
    "fields", [{"eyes": 131}, {"note": "anders"}, {"dealer": 3}, {"re": [0, 2]}, {"eyes": "viele"}]
)
def test_a_key_is_for_one_content(scorer: Client, cast: Cast, fields: dict[str, Any]) -> None:
    send(scorer, games_of(cast.table), entry(cast.game))
    response = send(scorer, games_of(cast.table), {**entry(cast.game), **fields})
    assert response.status_code == 422
    assert response.json() == {"error": "Hier ist schon ein anderes Spiel gespeichert. Bitte die Seite neu laden."}
    assert len(lines(cast.table)) == 2


def test_a_key_is_for_one_table(scorer: Client, cast: Cast, empty: Table) -> None:
    for key in (cast.game.key, cast.other_game.key):
        response = send(scorer, games_of(empty), entry(key=str(key)))
        assert (response.status_code, response.json().keys()) == (422, {"error"})
    assert lines(empty) == []


# --- What is in the way ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", ["", OTHER_KEY, None])
def test_another_line_stands_there_already(scorer: Client, cast: Cast, after: str | None) -> None:
    response = send(scorer, games_of(cast.table), {**entry(), "after": after})
    assert response.status_code == 409
    answer = response.json()
    assert answer["error"].endswith("Ist das dasselbe Spiel?")
    assert answer["standing"]["key"] == str(cast.game.key)
    assert answer["standing"]["points"] == [1, 1, -1, -1]
    assert [line["key"] for line in answer["lines"]] == [str(cast.game.key)]
    assert answer["next"]["after"] == str(cast.game.key)
    assert send(scorer, games_of(cast.table), entry(answer["next"]["after"])).status_code == 201


def test_of_several_lines_the_one_that_took_the_place_is_named(scorer: Client, cast: Cast) -> None:
    second = add_game(cast.table, eyes=30).game
    add_game(cast.table)
    answer = send(scorer, games_of(cast.table), entry(cast.game)).json()
    assert answer["standing"]["key"] == str(second.key)
    assert len(answer["lines"]) == 3


def test_a_line_that_is_gone_is_nothing_to_follow(scorer: Client, cast: Cast) -> None:
    scorer.post(game_at(cast.game, "game_delete"), {"version": "1"})
    response = send(scorer, games_of(cast.table), entry(cast.game))
    assert (response.status_code, response.json()["standing"]) == (409, None)
    assert send(scorer, games_of(cast.table), entry(response.json()["next"]["after"])).status_code == 201


def test_a_closed_evening_is_the_admins(scorer: Client, cast: Cast) -> None:
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    assert send(scorer, games_of(cast.table), entry(cast.game)).status_code == 202, "kept, and not on the sheet"
    correction = {**NORMAL, "eyes": 30, "version": 1, "confirm": True}
    response = send(scorer, game_at(cast.game), correction)
    assert response.status_code == 409
    assert response.json() == {"error": "Der Abend ist abgeschlossen. Ein Verwalter kann ihn wieder öffnen."}
    page = scorer.post(games_of(cast.table), {"form": "redeal", "key": KEY, "after": str(cast.game.key)})
    assert (page.status_code, "abgeschlossen" in page.content.decode()) == (409, True)
    assert lines(cast.table) == [str(cast.game.key)]
    assert send(seen_by(cast.admin), game_at(cast.game), correction).status_code == 200
    assert send(seen_by(cast.admin), games_of(cast.table), entry(cast.game)).status_code == 201
    assert "Der Abend ist abgeschlossen." in seen_by(cast.admin).get(page_of(cast.table)).content.decode()


def test_the_page_of_a_game_says_what_was_announced(scorer: Client, cast: Cast) -> None:
    game = add_game(cast.table, re=[0, 1], eyes=160, re_said="no90", kontra_said="said").game
    facts = re.search(r'<dl class="facts.*?</dl>', scorer.get(game_at(game)).content.decode(), re.S)[0]
    said = re.findall(r"<dt>(\w+ hat gesagt)</dt><dd>(.*?)</dd>", facts)
    assert said == [("Re hat gesagt", "keine 90"), ("Kontra hat gesagt", "Kontra")]


@pytest.mark.parametrize(
    ("typed", "headline", "eyes"),
    [
        ({"re": [0, 1], "eyes": 155}, "Re gewinnt 2", "Re 155 Augen Kontra 85"),
        ({"re": [0, 1], "band": "90-119"}, "Kontra gewinnt 2", "Re 90–119 Augen Kontra 121–150"),
        ({"kind": "damensolo", "re": [0], "eyes": 130}, "Solo gewinnt ", "Solo 130 Augen Gegner 110"),
        ({"kind": "damensolo", "re": [0], "band": "0"}, "Gegner gewinnen je 5, Solo −15", "Solo 0 Augen Gegner 240"),
        ({"form": "short", "winners": [0, 1], "base": 2}, "Was es jedem bringt", None),
        ({"form": "penalty", "points": [-3, 1, 1, 1], "reason": "Verworfen"}, "Was es jedem bringt", None),
    ],
)
def test_the_page_of_a_line_says_who_won_and_how_far_the_eyes_reached(
    scorer: Client, empty: Table, typed: dict[str, Any], headline: str, eyes: str | None
) -> None:
    page = scorer.get(game_at(add_game(empty, **typed).game)).content.decode()
    said = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert headline in said
    assert (eyes in said) if eyes else (" Augen " not in said)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            {"re": [0, 1], "eyes": 120, "kontra_said": "said"},
            ["Kontra hat angesagt und braucht 121. Bei 120 zu 120 gewinnt Re.", "Re je +3, Kontra je −3."],
        ),
        ({"kind": "damensolo", "re": [0], "eyes": 155}, ["Solo: dreifach, also +6. Gegner je −2."]),
    ],
)
def test_the_page_of_a_line_says_why_it_is_won_and_how_the_value_becomes_points(
    scorer: Client, empty: Table, typed: dict[str, Any], said: list[str]
) -> None:
    page = scorer.get(game_at(add_game(empty, **typed).game)).content.decode()
    assert [why.strip() for why in re.findall(r'<p class="why">(.*?)</p>', page, re.DOTALL)] == said


def test_the_page_of_a_line_leads_to_those_beside_it(scorer: Client, empty: Table) -> None:
    first, penalty, last = (
        add_game(empty, **typed).game
        for typed in ({"re": [0, 1]}, {"form": "penalty", "points": [-3, 1, 1, 1], "reason": "x"}, {"re": [1, 2]})
    )
    for game, beside in ((first, [penalty]), (penalty, [first, last]), (last, [penalty])):
        page = scorer.get(game_at(game)).content.decode()
        nav = re.search(r'<nav class="beside-line.*?</nav>', page, re.S)
        assert nav and re.findall(r'href="([^"]+)"', nav[0]) == [game_at(one) for one in beside]
