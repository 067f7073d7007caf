"""Old log entries are deleted if the club has set a limit, except those that other data needs."""

from __future__ import annotations

import datetime
import json
from io import BytesIO
from uuid import uuid4

import pytest
from django.utils import timezone

from scoring.accounts.actions import join
from scoring.administration.actions import forget_old_history, keep_history
from scoring.administration.queries import get_oldest_kept
from scoring.archive.actions import take_archive
from scoring.archive.queries import build_archive
from scoring.archive.reading.archive import read_archive
from scoring.club.actions import Actor, change_member, invite_member
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.imports.actions import hidden_slug, hide_club, undo_import
from scoring.league.queries.books import find_damaged_closings, read_content
from scoring.league.queries.months import list_published_changes
from scoring.models import Change, Game, Membership, Table, Verb
from scoring.play.queries import get_last_change, read_records
from scoring.play.verify import verify
from scoring.standings.queries.standings import list_standings
from scoring.table.actions.games import Typed, correct_game, undo
from scoring.table.actions.games import add_game as enter
from tests.factories import Cast, add_game, make_import, make_join_link, take_import
from tests.months import add_supplement_to, close, make_season

LATER = datetime.timedelta(days=3 * 366)


@pytest.fixture
def now(cast: Cast) -> datetime.datetime:
    """Return a club that keeps its history for two years, and a time at which all of it is older."""
    keep_history(club=cast.club, actor=Actor(cast.admin), years=2)
    return timezone.now() + LATER


def correct(cast: Cast, eyes: int) -> None:
    game = Game.objects.get(pk=cast.game.pk)
    typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": eyes})
    known = {"key": game.key, "version": game.version, "typed": typed}
    correct_game(table=cast.table, actor=Actor(cast.admin, admin=True), **known)


def verbs(cast: Cast) -> list[str]:
    return list(Change.objects.filter(club=cast.club).order_by("pk").values_list("verb", flat=True))


def test_nothing_is_deleted_without_a_limit(cast: Cast) -> None:
    before = verbs(cast)

    assert forget_old_history(now=timezone.now() + LATER) == 0
    assert verbs(cast) == before


def test_old_entries_and_rights_go_and_the_figures_stay(cast: Cast, now: datetime.datetime) -> None:
    for _ in range(3):
        add_game(cast.table)
    correct(cast, 181)
    member = Membership.objects.get(user=cast.reader)
    change_member(membership=member, actor=Actor(cast.admin), roles=["scorer"])
    invite_member(club=cast.club, actor=Actor(cast.admin), login=cast.stranger.username, roles=[])
    join(link=make_join_link(cast.club, cast.admin), user=cast.stranger, player_id=None)
    lists, other = list_standings(cast.club), Change.objects.filter(club=cast.other_club).count()

    assert forget_old_history(now=timezone.now()) == 0
    assert forget_old_history(now=now) == 8
    assert verbs(cast) == [Verb.EVENING_OPENED, Verb.HISTORY_KEPT, Verb.GAME_CORRECTED]
    assert list_standings(cast.club) == lists
    assert Change.objects.filter(club=cast.other_club).count() == other
    assert [checked.findings for checked in verify(cast.club) if checked.findings] == []
    assert forget_old_history(now=now) == 0


def test_the_last_change_of_a_table_can_still_be_taken_back(cast: Cast, now: datetime.datetime) -> None:
    correct(cast, 181)
    forget_old_history(now=now)
    last = get_last_change(cast.table)
    assert last is not None
    undo(table=cast.table, actor=Actor(cast.admin, admin=True), change_id=last.pk)

    assert Game.objects.get(pk=cast.game.pk).facts["eyes"] == 130
    assert forget_old_history(now=now) == 0
    with pytest.raises(ActionRefused, match="nicht mehr rückgängig"):
        undo(table=cast.table, actor=Actor(cast.admin, admin=True), change_id=get_last_change(cast.table).pk)


def test_what_was_taken_back_goes_with_its_taking_back(cast: Cast, now: datetime.datetime) -> None:
    correct(cast, 181)
    undo(table=cast.table, actor=Actor(cast.admin, admin=True), change_id=get_last_change(cast.table).pk)
    assert forget_old_history(now=now) == 1
    add_game(cast.table)

    assert forget_old_history(now=now) == 2
    assert Change.objects.filter(club=cast.club, verb__startswith="game.").count() == 1


def test_what_a_published_month_names_stays(cast: Cast, now: datetime.datetime) -> None:
    season = make_season(cast.club)
    close(season, "2026-03")
    correct(cast, 181)
    second = close(season, "2026-03")
    correct(cast, 125)
    told = add_supplement_to(season, "2026-03")
    add_game(cast.table)
    named = [*read_content(second)["changes"], *read_content(told)["changes"]]
    assert forget_old_history(now=now) == 1

    assert Change.objects.filter(pk__in=named).count() == len(named) == 2
    assert list_published_changes(cast.club, read_content(second)).count() == 1
    assert find_damaged_closings(cast.club) == []


def test_the_archive_is_taken_in_all_the_same(cast: Cast, now: datetime.datetime) -> None:
    season = make_season(cast.club)
    close(season, "2026-03")
    correct(cast, 181)
    close(season, "2026-03")
    add_game(cast.table)
    assert forget_old_history(now=now) == 1
    data = build_archive(cast.club)
    with hidden_slug() as slug:
        hide_club(cast.club, slug)
    club, _password = take_archive(document=read_archive(BytesIO(data)), admin="neu")

    assert build_archive(club) == data
    assert (club.keep_history_years, "history." in json.dumps(data.decode())) == (None, False)


def test_a_late_retry_books_nothing_twice(cast: Cast, now: datetime.datetime) -> None:
    """A phone that returns after years gets the stored line, or the refusal of a used key."""
    typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": 130})
    again = {"table": cast.table, "actor": Actor(cast.scorer), "key": cast.game.key, "after": None}
    add_game(cast.table)
    forget_old_history(now=now)
    assert enter(**again, typed=typed).game == cast.game
    correct(cast, 181)
    with pytest.raises(InvalidInput, match="anderes Spiel gespeichert"):
        enter(**again, typed=typed)

    assert Game.objects.filter(round__table=cast.table).count() == 2


def test_an_import_that_was_built_on_is_still_not_taken_back(cast: Cast, now: datetime.datetime) -> None:
    rows = [["Datum", "Ärmel", "Bodo", "Çelik", "Özlem"], ["06.03.19", "3", "3", "-3", "-3"], ["", "-2", "2", "-2", "2"]]
    brought = take_import(make_import(cast.club, rows), cast.admin)
    table = Table.objects.get(imported=brought)
    assert not table.without_games
    last = read_records(table).last
    assert last is not None
    for facts in ({"reason": "Fünf Könige"}, {}):
        typed = Typed("redeal", facts)
        line = enter(table=table, actor=Actor(cast.admin, admin=True), key=uuid4(), after=last.key, typed=typed)
        last = line.game
    forget_old_history(now=now)

    with pytest.raises(ActionRefused, match="An den übernommenen Abenden"):
        undo_import(file=brought, actor=Actor(cast.admin))


def test_years_end_on_the_same_day() -> None:
    leap = datetime.datetime(2028, 2, 29, 12, tzinfo=datetime.UTC)

    assert get_oldest_kept(1, leap) == datetime.datetime(2027, 2, 28, 12, tzinfo=datetime.UTC)
    assert get_oldest_kept(3, leap.replace(month=12, day=31)) == datetime.datetime(2025, 12, 31, 12, tzinfo=datetime.UTC)
