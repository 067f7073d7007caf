"""Test the state that other phones request: nothing if nothing changed, else exactly the changed lines."""

from __future__ import annotations

import random
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor, record
from scoring.evenings.actions import close_evening, seat_players
from scoring.models import Change, Game, Outcome, Score, Seat, Table, Verb
from scoring.play.queries import get_last_change, read_sheet
from scoring.table.actions.games import Typed, correct_game, delete_game, undo
from scoring.table.views.data import USUAL, build_row
from tests.effort import LONG
from tests.factories import Cast, add_game, make_club, make_player, make_table, make_user

pytestmark = pytest.mark.django_db


class Watcher:
    """A phone that only watches: it keeps the lines it knows and requests what is new."""

    def __init__(self, table: Table, user: User) -> None:
        self.table, self.client = table, Client()
        self.client.force_login(user)
        self.tag, self.lines, self.received = "", [], 0
        self.news: dict[str, Any] = {}

    def ask(self, **headers: str) -> int:
        headers = {"If-None-Match": self.tag, **headers}
        response = self.client.get(reverse("state", args=[self.table.evening.club.slug, self.table.pk]), headers=headers)
        self.tag = response.headers["ETag"]
        if response.status_code == 304:
            assert response.content == b""
        else:
            self.news = response.json()
            self.lines = self.lines[: self.news["keep"]] + self.news["lines"]
            self.received = len(self.news["lines"])
        return response.status_code


def sheet(table: Table, user: User) -> list[dict[str, Any]]:
    """Return the lines as a new client sees them."""
    fresh = Watcher(table, user)
    assert fresh.ask() == 200
    return fresh.lines


def lines(table: Table) -> list[Game]:
    return list(Game.objects.filter(round__table=table, deleted=False).order_by("round__position", "position"))


def correct(game: Game, **facts: Any) -> None:
    typed = Typed(form="played", facts={"kind": "normal", "re": [0, 1], **facts}, dealer=game.dealer)
    correct_game(table=game.round.table, actor=Actor(), key=game.key, version=game.version, typed=typed)


def strike_out(game: Game) -> None:
    delete_game(table=game.round.table, actor=Actor(), key=game.key, version=game.version)


def take_back(table: Table) -> None:
    undo(table=table, actor=Actor(), change_id=get_last_change(table).pk)


@pytest.fixture
def watcher(cast: Cast) -> Watcher:
    watcher = Watcher(cast.table, cast.reader)
    assert watcher.ask() == 200
    return watcher


def test_an_unchanged_state_takes_two_queries_and_no_body(watcher: Watcher, django_assert_num_queries: Any) -> None:
    """Besides session and login: the table with the rights, and its last change."""
    with django_assert_num_queries(4):
        assert watcher.ask() == 304


def test_only_the_new_game_is_sent(cast: Cast, watcher: Watcher) -> None:
    key = add_game(cast.table).game.key
    assert watcher.ask() == 200
    assert watcher.received == 1
    assert [line["key"] for line in watcher.lines] == [str(cast.game.key), str(key)]
    assert watcher.news["next"]["after"] == str(key)
    assert watcher.news["undo"] == {"change": get_last_change(cast.table).pk, "what": "Spiel 2", "key": str(key)}
    assert watcher.ask() == 304
    third = add_game(cast.table).game
    watcher.ask()
    correct(Game.objects.get(key=key), eyes=200)
    watcher.ask()
    assert [line["key"] for line in watcher.news["lines"]] == [str(key), str(third.key)], "a correction and all behind it"
    assert watcher.lines == sheet(cast.table, cast.reader)


def test_a_penalty_is_taken_back_under_its_own_name(cast: Cast, watcher: Watcher, client: Client) -> None:
    key = add_game(cast.table, form="penalty", points=[-3, 1, 1, 1], reason="falsch bedient").game.key
    watcher.ask()
    assert watcher.news["undo"]["what"] == "Strafpunkte eingetragen"
    delete_game(table=cast.table, actor=Actor(cast.scorer), key=key, version=1)
    watcher.ask()
    assert watcher.news["undo"]["what"] == "Strafpunkte gestrichen"
    client.force_login(cast.scorer)
    assert ">Strafpunkte gestrichen<" in client.get(f"/c/karo/tables/{cast.table.pk}/").content.decode()


def test_a_deleted_line_is_removed_and_restored(cast: Cast, watcher: Watcher) -> None:
    first, second, third = cast.game, add_game(cast.table).game, add_game(cast.table).game
    watcher.ask()
    strike_out(second)
    watcher.ask()
    assert [line["key"] for line in watcher.lines] == [str(first.key), str(third.key)]
    take_back(cast.table)
    watcher.ask()
    assert [line["key"] for line in watcher.lines] == [str(first.key), str(second.key), str(third.key)]
    assert watcher.news["undo"] is None


def test_a_change_that_is_no_line_sends_the_whole_sheet(cast: Cast, watcher: Watcher) -> None:
    people = [*read_sheet(cast.table).records.current, make_player(cast.club, "Spät")]
    seat_players(table=cast.table, players=people)
    record(club=cast.club, actor=Actor(), verb=Verb.EVENING_OPENED, subject=cast.table.pk, table=cast.table)
    assert watcher.ask() == 200
    assert watcher.news["keep"] == 0
    assert watcher.news["seats"] == [player.pk for player in people]


def test_a_deleted_line_up_sends_the_whole_sheet(cast: Cast, watcher: Watcher) -> None:
    """The position of a line in a deleted round is unknown; only its log entry is left."""
    people = read_sheet(cast.table).records.current
    gone = seat_players(table=cast.table, players=people[::-1])
    game = add_game(cast.table).game
    assert watcher.ask() == 200 and len(watcher.lines) == 2
    strike_out(game)
    for model in (Score, Outcome, Game, Seat):
        field = "round" if model in (Game, Seat) else "game__round"
        model.objects.filter(**{field: gone}).delete()
    gone.delete()
    assert watcher.ask() == 200
    assert (watcher.news["keep"], watcher.lines) == (0, sheet(cast.table, cast.reader))


def test_an_unknown_tag_sends_the_whole_sheet(cast: Cast, watcher: Watcher) -> None:
    watcher.tag = f"W/{watcher.tag}"
    assert watcher.ask() == 304, "a compressed answer has a weak tag"
    for tag in ("", "x", '"x-open"', '"999999999-open"', '"99999999999999999999-open"', "*"):
        watcher.lines, watcher.tag = [], tag
        assert watcher.ask() == 200
        assert (watcher.news["keep"], watcher.received) == (0, 1)
    close_evening(evening=cast.table.evening, actor=Actor())
    assert watcher.ask() == 200, "the closing is news"
    assert (watcher.news["open"], watcher.news["lines"], watcher.ask()) == (False, [], 304)


def test_the_changes_of_another_table_are_not_known_here(cast: Cast, watcher: Watcher) -> None:
    add_game(cast.other_table)
    assert watcher.ask() == 304
    watcher.tag = f'"{get_last_change(cast.other_table).pk}-open"'
    assert watcher.ask() == 200
    assert watcher.news["keep"] == 0


@pytest.mark.parametrize("preset", ["ddv", "anleitung"] if LONG else ["anleitung"])
def test_all_phones_end_with_the_same_sheet(preset: str) -> None:
    """Phones that ask at different times end with the same lines as a new client."""
    club = make_club()
    reader, table, dice = make_user("rita", club), make_table(club, 5, preset), random.Random(7)
    phones = [Watcher(table, reader) for _ in range(3)]
    assert [phones[0].ask(), phones[0].lines, phones[0].ask()] == [200, [], 304], "a table without a game has a state"
    for _ in range(60 if LONG else 20):
        standing, deed = lines(table), dice.random()
        dealer = len(standing) % 5
        re = dice.sample([seat for seat in range(5) if seat != dealer], 2)
        if deed < 0.5 or not standing:
            add_game(table, key=uuid4(), dealer=dealer, re=re, eyes=dice.choice([90, 120, 130, 200]))
        elif deed < 0.7:
            game = dice.choice(standing)
            correct(game, re=game.facts["re"], eyes=dice.choice([89, 120, 151]))
        elif deed < 0.85:
            strike_out(dice.choice(standing))
        elif Change.objects.filter(table=table).latest("id").undoes_id is None:
            take_back(table)
        for phone in phones:
            if dice.random() < 0.4:
                phone.ask()
    for phone in phones:
        phone.ask()
        assert phone.lines == sheet(table, reader)
        assert phone.ask() == 304


def test_the_lines_are_those_of_the_page(cast: Cast, watcher: Watcher) -> None:
    client = Client()
    client.force_login(cast.scorer)
    page = client.get(reverse("table", args=["karo", cast.table.pk]))
    # The keys of the lines are in the rows of the page only, and numbers are counted.
    rows = page.content.decode().split('id="rows"')[1].split("</tbody>")[0]
    games = reverse("games", args=["karo", cast.table.pk])
    assert re.findall('href="([^"]+)"', rows) == [f"{games}{line['key']}/" for line in reversed(watcher.lines)]
    counted = (str(number) for number in range(1, len(watcher.lines) + 1))
    told = zip(page.context["page_data"]["lines"], watcher.lines, strict=True)
    lines = [{**USUAL, "key": row["key"], **line} for line, row in told]
    for line in lines:
        line.setdefault("label", next(counted) if "number" not in line else None)
        line.setdefault("number", int(line["label"]))
    assert lines == watcher.lines
    assert page.context["state"] == watcher.tag
    assert build_row(page.context["sheet"], page.context["sheet"].rows[0]) == watcher.lines[0]


def test_a_stream_needs_a_right_and_asgi(client: Client, cast: Cast) -> None:
    address = reverse("live", args=[cast.table.evening.club.slug, cast.table.pk])
    assert client.get(address).status_code == 302
    client.force_login(cast.scorer)
    answer = client.get(address)
    # The test client uses WSGI, which cannot stream.
    assert (answer.status_code, answer.content) == (204, b"")
