"""Deletions at the same time as other writes: the deletion waits or is refused, never the other write."""

from __future__ import annotations

import datetime
import threading
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256

import pytest
from django.db import connection, transaction
from django.utils import timezone

from scoring.administration.actions import delete_club, delete_unused_club
from scoring.archive.actions import take_archive_back
from scoring.archive.queries import build_archive
from scoring.club.actions import Actor, add_new_login, add_player, record
from scoring.core.errors import ActionRefused
from scoring.imports.actions import remove_evening, undo_import, undo_kasse
from scoring.models import Change, Club, Entry, Player, Table, Verb
from scoring.play.queries import lock_table
from tests.archive.actions.taking import FIXTURE, taken
from tests.cash.books import book, owes
from tests.cash.tariffs import give_tariff
from tests.factories import Cast, make_club, make_import, make_player, make_table, make_user, take_import
from tests.imports.examples import EVENINGS, take_kasse, waiting_kasse

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


def beside(write: Callable[[], object], other_work: Callable[[], object], then: Callable[[], object] = lambda: None) -> int:
    """Run `write` and, before it commits, the other work in a thread until that waits. Return the number of refusals of the
    other."""
    refused: list[Exception] = []

    def work() -> None:
        try:
            other_work()
        except ActionRefused as error:
            refused.append(error)
        finally:
            connection.close()

    other = threading.Thread(target=work)
    with transaction.atomic():
        write()
        other.start()
        while other.is_alive() and not is_lock_awaited():
            time.sleep(0.01)
        assert other.is_alive(), "it did not wait"
        then()
    other.join(timeout=60)
    return len(refused)


def is_lock_awaited() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))")
        return cursor.rowcount > 0


def write_at(table: Table) -> None:
    """Lock the table and write a log entry, like every change of a table."""
    club = lock_table(table).table.evening.club
    record(club=club, actor=Actor(), verb=Verb.GAME_ADDED, subject="", table=table)


@pytest.mark.parametrize("what", ["club", "archive", "list", "evening"])
def test_a_game_is_saved_while_its_evening_or_club_is_deleted(cast: Cast, what: str) -> None:
    club = taken(FIXTURE.read_bytes().replace(b'"karo"', b'"herz"', 1)) if what == "archive" else cast.club
    brought = take_import(make_import(cast.club))
    archive = sha256(build_archive(club)).hexdigest()
    at = Table.objects.filter(evening__club=club, imported=brought if what in ("list", "evening") else None)
    table = at.select_related("evening__club").order_by("pk")[0]
    take_away = {
        "club": lambda: delete_club(club=club, digest=archive),
        "archive": lambda: take_archive_back(club=club),
        "list": lambda: undo_import(file=brought, actor=Actor()),
        "evening": lambda: remove_evening(evening=table.evening, actor=Actor()),
    }[what]
    assert beside(lambda: write_at(table), take_away) == 1
    assert Change.objects.filter(table=table, verb=Verb.GAME_ADDED, subject_id="").exists()


def test_a_guest_is_added_while_the_club_is_deleted(cast: Cast) -> None:
    archive = sha256(build_archive(cast.club)).hexdigest()
    take_in = partial(add_player, club=cast.club, actor=Actor(), name="Jemand")
    assert beside(lambda: lock_table(cast.table), lambda: delete_club(club=cast.club, digest=archive), take_in) == 1
    assert Player.objects.filter(club=cast.club, name="Jemand").exists()


@pytest.mark.parametrize("what", ["take", "undo", "open"])
def test_a_booking_stays_while_a_deletion_waits_for_the_books(cast: Cast, what: str) -> None:
    give_tariff(cast.club)
    brought = waiting_kasse(cast.club, cast.admin, EVENINGS)
    if what == "undo":
        take_kasse(brought)
    person = make_player(cast.club, "Jemand")
    work = {
        "take": lambda: take_kasse(brought),
        "undo": lambda: undo_kasse(file=brought, actor=Actor()),
        "open": lambda: make_table(cast.club),
    }[what]
    assert beside(lambda: book(cast.club, owes(person, 77)), work) == 0
    assert Entry.objects.filter(legs__account__player=person).count() == 1


@pytest.mark.parametrize("what", ["evening", "file", "booking", "login"])
def test_an_empty_club_stays_while_the_first_thing_is_entered(transactional_db: None, what: str) -> None:
    long_ago = timezone.now() - datetime.timedelta(days=20)
    club = make_club("Leer", founded_openly_at=long_ago, goes_on=long_ago.date())
    person = make_player(club, "Jemand")
    make_user("zora", club, ["admin"])
    enter = {
        "evening": lambda: make_table(club),
        "file": lambda: make_import(club),
        "booking": lambda: book(club, owes(person, 77)),
        "login": lambda: add_new_login(club=club, actor=Actor(), login="bodo", roles=[]),
    }[what]
    assert beside(enter, lambda: delete_unused_club(club=club)) == 0
    assert Club.objects.filter(pk=club.pk).exists()
