"""Erase a person, then search the whole database for the name, in texts, JSON and files, and compare all figures."""

from __future__ import annotations

import datetime
import io
import json
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.models import QuerySet

from scoring.administration.actions import erase_player
from scoring.administration.queries import build_words
from scoring.archive.actions import keep_archive, take_archive
from scoring.archive.queries import build_archive
from scoring.archive.reading.archive import read_archive
from scoring.club.actions import Actor, change_player
from scoring.club.queries import list_changes
from scoring.club.texts import describe_changes
from scoring.core.errors import ActionRefused
from scoring.imports.actions import hidden_slug, hide_club
from scoring.league.exports import build_month_file
from scoring.league.queries.books import compute_hash, find_damaged_closings, read_content
from scoring.models import Change, Entry, Game, LateEntry, MonthClosing, Player, Supplement, Verb
from scoring.play.verify import verify
from scoring.players.actions import merge_players
from scoring.table.actions.games import Typed
from scoring.table.actions.late import enter_late_entry, keep_late_entry
from tests.administration.actions.world import (
    DOUBLE,
    EVERY_NAME,
    LONGER,
    NAME,
    ONCE,
    World,
    everything_stored,
    found_in,
    numbers,
)
from tests.database import made_once
from tests.factories import add_game, make_club, make_player, make_table, make_user
from tests.months import close


@pytest.fixture
def world(db: None) -> World:
    return made_once(World)


def test_nothing_stored_has_the_name_and_every_figure_stays(world: World) -> None:
    before = world.figures
    for found in (everything_stored(), build_archive(world.club).decode()):
        assert found_in(found) == list(EVERY_NAME), "the search finds every name"
    erased = world.erase()

    assert erased.name == "Gelöschte Person 1"
    assert (erased.user, erased.joined_on, erased.erased_on is None) == (None, None, False)
    assert found_in(everything_stored()) == []
    assert found_in(build_archive(world.club).decode()) == []
    assert world.figures == before
    assert [checked.findings for checked in verify(world.club) if checked.findings] == []
    assert find_damaged_closings(world.club) == []
    call_command("verify", stdout=io.StringIO())


def test_who_has_the_name_as_part_of_theirs_is_not_touched(world: World) -> None:
    world.erase()

    assert Player.objects.filter(club=world.club, name=LONGER, erased_on=None).exists()
    assert "…" in Game.objects.get(pk=world.game.pk).note
    first = Change.objects.filter(verb=Verb.GAME_ADDED, subject_id=str(world.game.key)).get()
    assert first.after["note"] == f"… hat sich vertippt, {LONGER} nicht"
    assert Entry.objects.get().reason == f"… hat geschrieben, {LONGER} nicht"
    assert {row["name"] for row in read_content(MonthClosing.objects.first())["rows"]} == {
        "Gelöschte Person 1", LONGER, "Bodo", "Çelik",
    }  # fmt: skip


def test_a_published_month_says_what_its_hashes_were(world: World) -> None:
    before = list(MonthClosing.objects.order_by("pk").values_list("content_sha256", "file_sha256"))
    world.erase()

    for closing, (content, file) in zip(MonthClosing.objects.order_by("pk"), before, strict=True):
        assert [(was["content_sha256"], was["file_sha256"]) for was in closing.former] == [(content, file)]
        assert closing.content_sha256 == compute_hash(closing.content) != content
        assert closing.file_sha256 == compute_hash(bytes(closing.file)) != file
    assert read_content(MonthClosing.objects.earliest("pk"))["closed_by"] == "Gelöschte Person 1"
    assert read_content(MonthClosing.objects.latest("pk"))["closed_by"] == "schriftführung"


def test_any_other_alteration_is_still_found(world: World) -> None:
    world.erase()
    closing = MonthClosing.objects.earliest("pk")
    changed = closing.content.replace("Gelöschte Person 1", NAME)
    QuerySet(MonthClosing).filter(pk=closing.pk).update(content=changed)

    assert find_damaged_closings(world.club) == [closing]
    with pytest.raises(SystemExit):
        call_command("verify", stdout=io.StringIO())


def test_the_history_says_who_and_when_without_the_name(world: World) -> None:
    world.erase()
    told = [(entry.done, entry.about) for entry in describe_changes(list_changes(world.club)[:3])]

    assert told == [("Name einer Person entfernt", f"Gelöschte Person {number}") for number in (3, 2, 1)]
    assert Change.objects.filter(verb=Verb.PLAYER_ERASED).first().actor == world.admin
    of_person = Change.objects.filter(verb__startswith="player.", subject_id=str(world.player.pk))
    sides = [side for change in of_person for side in (change.before, change.after) if side]
    assert {(side["user"], side.get("joined_on")) for side in sides} == {(None, None)}


def test_typed_texts_stay_without_the_option(world: World) -> None:
    world.erase(texts=False)

    assert NAME in Game.objects.get(pk=world.game.pk).note
    assert NAME in Supplement.objects.get().reason
    assert Entry.objects.get().reason == f"{NAME} hat geschrieben, {LONGER} nicht"
    stored = everything_stored()
    assert NAME.casefold() in stored
    assert (
        found_in(json.dumps([row["name"] for one in MonthClosing.objects.all() for row in read_content(one)["rows"]]))
        == []
    )


def test_a_late_entry_that_names_the_person_still_comes_in(world: World) -> None:
    world.erase()
    entry = LateEntry.objects.get()
    saved = enter_late_entry(table=world.table, actor=Actor(world.admin, admin=True), key=entry.key)

    assert saved.game.note == "… war dabei"
    typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": 150})
    assert keep_late_entry(table=world.table, actor=Actor(spoken_as=world.player), key=uuid4(), after=None, typed=typed)


def test_the_next_months_go_on_under_the_new_name(world: World) -> None:
    world.erase()
    table = make_table(world.club, world.people, held_on=datetime.date(2026, 5, 8), actor=world.admin)
    add_game(table, actor=world.admin)
    closing = close(world.season, "2026-05", world.admin)

    assert "Gelöschte Person 1" in {row["name"] for row in read_content(closing)["rows"]}
    assert closing.former == []


def test_it_comes_back_from_an_archive(world: World) -> None:
    """Erase a person here, import the archive elsewhere, and erase another one there: published texts keep the ids of here."""
    world.erase()
    data = build_archive(world.club)
    LateEntry.objects.all().delete()
    with hidden_slug() as slug:
        hide_club(world.club, slug)
    there, _password = take_archive(document=read_archive(BytesIO(data)), admin="neu")
    assert build_archive(there) == data
    before = [numbers(json.loads(row.content)) for row in MonthClosing.objects.filter(season__club=there).order_by("pk")]
    bodo = Player.objects.get(club=there, name="Bodo")
    erase_player(player=bodo, actor=Actor(), texts=True, as_file=build_month_file)

    assert "Bodo" not in build_archive(there).decode()
    after = [numbers(json.loads(row.content)) for row in MonthClosing.objects.filter(season__club=there).order_by("pk")]
    assert after == before
    assert find_damaged_closings(there) == []
    assert [len(row.former) for row in MonthClosing.objects.filter(season__club=there)] == [2, 2, 2]


def test_archives_of_the_club_that_wait_are_thrown_away(world: World) -> None:
    other = make_club("Pik Dame", slug="pik")
    keep_archive(user=world.admin, text=build_archive(world.club).decode())
    keep_archive(user=make_user("fred", other, ["admin"]), text=build_archive(other).decode())
    world.erase()
    waiting = apps.get_model("scoring", "WaitingArchive").objects.values_list("user__username", flat=True)
    assert list(waiting) == ["fred"]


def test_a_person_is_erased_once(world: World) -> None:
    erased = world.erase()
    with pytest.raises(ActionRefused, match="entfernt worden"):
        world.erase()
    with pytest.raises(ActionRefused, match="entfernt worden"):
        change_player(player=erased, actor=Actor(world.admin), name=NAME, guest=False, joined_on=None, left_on=None, user=None)
    with pytest.raises(ActionRefused):
        merge_players(player=Player.objects.get(name="Wer noch"), into=erased, actor=Actor(world.admin))
    assert Change.objects.filter(verb=Verb.PLAYER_ERASED).count() == 3


def test_the_names_that_take_its_place_are_distinct(db: None) -> None:
    club = make_club()
    make_player(club, "gelöschte person 1")
    people = [make_player(club, name) for name in ("Anna", "Bodo")]
    erased = [erase_player(player=one, actor=Actor(), texts=True, as_file=build_month_file).name for one in people]

    assert erased == ["Gelöschte Person 2", "Gelöschte Person 3"]


def test_what_happens_meanwhile_is_not_lost(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is entered while the files are built: all is built again."""
    made = []

    def slowly(content: Any, content_hash: str) -> bytes:
        if not made:
            world.correct(133)
        made.append(content["month"])
        return build_month_file(content, content_hash)

    erase_player(player=world.player, actor=Actor(world.admin), texts=True, as_file=slowly)

    assert len(made) > 3
    assert found_in(everything_stored()) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Anna gibt", "… gibt"),
        ("ANNA, anna", "…, …"),
        ("Annalena und Annas", "Annalena und Annas"),
        ("Anna Müller sagt Re, Anna nicht", "Anna Müller sagt Re, … nicht"),
        ("liste_Anna_2019.csv", "liste_…_2019.csv"),
        ("Hanna", "Hanna"),
        ("(Anna)", "(…)"),
        ("Karl", "Karl"),
    ],
)
def test_only_whole_names_are_found_in_texts(text: str, left: str) -> None:
    """Karl was published under a name that another person has now."""
    assert build_words({"Anna", "Karl"}, {"Anna Müller", "karl"}).without(text) == left


@pytest.mark.skipif(connection.vendor != "sqlite", reason="What PostgreSQL overwrites, it decides itself")
@pytest.mark.django_db(transaction=True)
def test_no_free_page_of_the_file_has_the_name() -> None:
    world = World()
    before = stored_file()
    world.erase()

    assert DOUBLE.encode() in before
    assert [name for name in (ONCE, DOUBLE) if name.encode() in stored_file()] == []


def stored_file() -> bytes:
    """Return the bytes of the database after a checkpoint."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.fetchall()
    return Path(str(connection.settings_dict["NAME"])).read_bytes()
