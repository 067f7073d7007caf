"""Closing a month: what is refused, and that what was published stays byte for byte whatever happens to its games."""

from __future__ import annotations

import datetime
import json
import random
import re
import threading
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused
from scoring.evenings.actions import close_evening
from scoring.league.actions import (
    ConfirmationNeeded,
    EarlierMonthOpen,
    MonthChanged,
    MonthIsEmpty,
    NothingToPublish,
    NothingToSupplement,
)
from scoring.league.queries.books import as_text, damaged, hash_of, read_books
from scoring.league.queries.months import pending
from scoring.models import Change, Club, Game, MonthClosing, Player, Season, Table, Verb
from scoring.play.queries import read_records
from scoring.table.actions.games import Typed, delete_game
from scoring.table.actions.games import add_game as add_game_action
from tests.factories import add_game, make_club, make_rule_set, make_table, make_user
from tests.league.actions.march import correct, first_game, points
from tests.months import close, make_season, seen, supplement

pytestmark = pytest.mark.django_db

MARCH, APRIL = "2026-03", "2026-04"


# --- Closing ----------------------------------------------------------------------------------------------------------


def test_a_closed_month_is_text_and_file_with_their_hashes(season: Season, admin: User) -> None:
    closing = close(season, MARCH, admin)
    content = json.loads(closing.content)
    # Each evening: Re wins 1; a solo with 180 eyes wins 1, keine 90 1, three times.
    assert points(content) == {"Çelik": 1000, "Ärmel": -200, "Bodo": -200, "Özlem": -600}
    assert (content["version"], content["closed_by"], content["club"]) == (1, "anna", "Karo Eins")
    assert closing.content_sha256 == hash_of(closing.content)
    assert closing.file_sha256 == hash_of(bytes(closing.file))
    assert bytes(closing.file).startswith(b"PK")
    change = Change.objects.latest("pk")
    assert (change.verb, change.subject_id, change.after["version"]) == (Verb.MONTH_CLOSED, str(closing.pk), 1)
    assert damaged() == []


def test_who_closes_is_named_as_in_the_club(season: Season, admin: User) -> None:
    Player.objects.filter(name="Bodo").update(user=admin)
    assert json.loads(close(season, MARCH, admin).content)["closed_by"] == "Bodo"


def test_an_open_evening_wants_to_be_confirmed(season: Season, club: Club) -> None:
    add_game(make_table(club, held_on=datetime.date(2026, 3, 27)))
    with pytest.raises(ConfirmationNeeded):
        close(season, MARCH, confirmed=False)
    assert json.loads(close(season, MARCH).content)["evenings"][-1]["open"] is True


def test_a_month_that_is_not_over_wants_to_be_confirmed(club: Club) -> None:
    today = datetime.date.today()
    season = make_season(club, first_day=today - datetime.timedelta(9), last_day=today + datetime.timedelta(9))
    table = make_table(club, held_on=today)
    add_game(table)
    close_evening(evening=table.evening, actor=Actor())
    with pytest.raises(ConfirmationNeeded):
        close(season, f"{today:%Y-%m}", confirmed=False)


def test_what_was_seen_is_what_is_published(season: Season) -> None:
    preview = seen(season, MARCH)
    correct(first_game(season), eyes=200)
    with pytest.raises(MonthChanged):
        close(season, MARCH, seen=preview)
    assert not MonthClosing.objects.exists()


def test_months_are_closed_in_their_order(season: Season, club: Club) -> None:
    add_game(make_table(club, held_on=datetime.date(2026, 4, 3)))
    with pytest.raises(EarlierMonthOpen) as refused:
        close(season, APRIL)
    assert refused.value.month == MARCH
    with pytest.raises(MonthIsEmpty):
        close(season, "2026-02")
    close(season, MARCH)
    close(season, APRIL)


def test_closed_is_closed(season: Season) -> None:
    close(season, MARCH)
    with pytest.raises(NothingToPublish):
        close(season, MARCH)
    with pytest.raises(NothingToSupplement):
        supplement(season, MARCH)
    with pytest.raises(NothingToSupplement):
        supplement(season, APRIL)


def test_nothing_changes_or_deletes_what_was_published(season: Season) -> None:
    closing = close(season, MARCH)
    correct(first_game(season), eyes=200)
    told_later = supplement(season, MARCH)
    for row in (closing, told_later):
        with pytest.raises(TypeError):
            row.save()
        with pytest.raises(TypeError):
            row.delete()
        with pytest.raises(TypeError):
            type(row).objects.filter(pk=row.pk).update(content="{}")
        with pytest.raises(TypeError):
            type(row).objects.all().delete()


def test_a_login_that_is_deleted_leaves_the_month_as_it_was(season: Season, admin: User) -> None:
    closing = close(season, MARCH, admin)
    admin.delete()
    kept = MonthClosing.objects.get()
    assert (kept.content, bytes(kept.file), kept.closed_by) == (closing.content, bytes(closing.file), None)


def test_damage_is_found(season: Season) -> None:
    close(season, MARCH)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_monthclosing SET content = content || ' '")
    assert [closing.month for closing in damaged(season.club)] == [MARCH]
    assert damaged(make_club("Pik")) == []


@pytest.mark.parametrize(
    "changes", [pytest.param(12, id="short"), pytest.param(500, id="long", marks=pytest.mark.soak)]
)
def test_a_closed_month_survives_whatever_happens_to_its_games(
    season: Season, admin: User, changes: int, client: Any
) -> None:
    """Random corrections, deletions and new games, with people renamed and the season changed in between: text, file and
    page stay as they were, byte for byte."""
    close(season, MARCH, admin)
    client.force_login(make_user("rita", season.club))
    base = f"/c/karo/seasons/{season.pk}/{MARCH}/"

    def published() -> list[Any]:
        row = MonthClosing.objects.values_list("content", "content_sha256", "file", "file_sha256").get()
        pages = [client.get(base + end).content for end in ("", "excel/", "1/", "1/excel/", "1/data/")]
        # Above what is published it is said that something is to be decided.
        pages[0] = b" ".join(re.sub(rb'<div class="panel conflict.*?</div>', b"", pages[0], flags=re.DOTALL).split())
        return [bytes(part) if not isinstance(part, str) else part for part in row] + pages

    before, dice = published(), random.Random(7)
    tables = list(Table.objects.filter(evening__club=season.club))
    for number in range(changes):
        table = dice.choice(tables)
        games = list(Game.objects.filter(round__table=table, deleted=False).select_related("round__table"))
        match dice.choice(["correct", "correct", "delete", "add", "rename"]):
            case "correct" if games:
                correct(dice.choice(games), re=dice.sample(range(4), 2), eyes=dice.randint(1, 239))
            case "delete" if len(games) > 1:
                game = dice.choice(games)
                delete_game(table=table, actor=Actor(admin=True), key=game.key, version=game.version)
            case "rename":
                player = dice.choice(list(Player.objects.filter(club=season.club)))
                player.name, player.guest = f"Neu {number}", dice.random() < 0.3
                player.save()
            case _:
                last = read_records(table).last
                typed = Typed("played", {"kind": "normal", "re": [0, 2], "eyes": dice.randint(1, 239)}, None)
                after = last.key if last else None
                key = uuid4()
                add_game_action(table=table, actor=Actor(admin=True), key=key, after=after, typed=typed)
        if number % 50 == 0:
            assert published() == before
    assert pending(read_books(season), MARCH)[1], "the changes would change the month"
    assert published() == before


# --- At the same time -------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_admins_close_a_month_once() -> None:
    club = make_club()
    add_game(make_table(club, rule_set=make_rule_set(club)))
    season = make_season(club)
    preview, start = seen(season, MARCH), threading.Barrier(2)
    refused: list[ActionRefused] = []

    def press() -> None:
        start.wait()
        try:
            close(season, MARCH, seen=preview)
        except ActionRefused as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert MonthClosing.objects.count() == 1
    assert [type(error) for error in refused] == [NothingToPublish]
    assert as_text(json.loads(MonthClosing.objects.get().content)) == MonthClosing.objects.get().content
