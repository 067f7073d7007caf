"""How much there is: of one club, for whoever deletes it, and of all of them, for whoever runs the installation. Numbers and
days only: nobody learns here what was played. Which link founds a club, and which clubs were founded without one and are empty."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, Exists, F, IntegerField, Model, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.cash.models.books import Entry
from scoring.club.models import OF_VISITOR, VISITOR_MARK, Change, Club, Membership, Player
from scoring.core.database import CodePoints
from scoring.imports.models import Import
from scoring.installation.models import FoundingLink
from scoring.league.models import MonthClosing
from scoring.play.models import Evening, Game
from scoring.table.models import LateEntry

LINK_GOOD_FOR: Final = datetime.timedelta(days=7)
# So long a club that was founded without a link may stay empty: two evenings of a round that plays each week.
EMPTY_FOR: Final = datetime.timedelta(days=14)


def open_links() -> QuerySet[FoundingLink]:
    """The link that founds a club, as long as it is good."""
    return FoundingLink.objects.filter(made_at__gt=timezone.now() - LINK_GOOD_FOR)


def digest_of(secret: str) -> str:
    """What is stored of the secret of a link, which is random and long enough for a plain hash."""
    return sha256(secret.encode()).hexdigest()


def unused_clubs() -> QuerySet[Club]:
    """The clubs that were founded without a link and in which nothing was entered: no evening, no file, no booking, no second
    login, nor anything else that the history knows since they were founded."""
    second = Membership.objects.filter(club=OuterRef("pk"), club__memberships__pk__lt=F("pk"))
    later = Change.objects.filter(club=OuterRef("pk"), at__gt=OuterRef("founded_openly_at"))
    clubs = Club.objects.filter(~Exists(second), ~Exists(later), founded_openly_at__isnull=False)
    for entered in (Evening, Import, Entry):
        clubs = clubs.exclude(Exists(entered._default_manager.filter(club=OuterRef("pk"))))
    return clubs


def deletion_day(club: Club) -> datetime.date | None:
    """Return the day on which the club is deleted if nothing is entered until then; None if it stays, or if that day is past: then
    it stays until it is announced once more. One query, in the weeks after the club was founded."""
    if club.founded_openly_at is None:
        return None
    day = club.goes_on or timezone.localdate(club.founded_openly_at) + EMPTY_FOR
    return day if day >= timezone.localdate() and unused_clubs().filter(pk=club.pk).exists() else None


def sized_clubs() -> QuerySet[Club]:
    """Every club by name, without those of visitors of the demo, with `people`, `evenings_held`, `games`, `months` published,
    `logins` and those of them that belong to no `other` club, `waiting` late entries, the day of the `last_evening`, when somebody
    wrote something (`last_entry`) and logged in last (`last_login`). One query."""
    elsewhere = Membership.objects.filter(user=OuterRef("user")).exclude(club=OuterRef("club"))
    members = Membership.objects.filter(club=OuterRef("pk"))
    evenings, changes = Evening.objects.filter(club=OuterRef("pk")), Change.objects.filter(club=OuterRef("pk"))
    return (
        Club.objects.exclude(OF_VISITOR)
        .annotate(
            people=_count(Player.objects.filter(club=OuterRef("pk"), merged_into=None)),
            evenings_held=_count(evenings),
            games=_count(Game.objects.filter(round__table__evening__club=OuterRef("pk"), deleted=False)),
            months=_count(MonthClosing.objects.filter(season__club=OuterRef("pk"), version=1)),
            waiting=_count(LateEntry.objects.filter(table__evening__club=OuterRef("pk"), discarded=False)),
            logins=_count(members),
            alone=_count(members.filter(~Exists(elsewhere))),
            last_evening=Subquery(evenings.order_by("-held_on").values("held_on")[:1]),
            last_entry=Subquery(changes.order_by("-id").values("at")[:1]),
            last_login=Subquery(
                members.filter(user__last_login__isnull=False)
                .order_by("-user__last_login")
                .values("user__last_login")[:1]
            ),
        )
        .order_by(CodePoints("name"), "pk")
    )


def _count(rows: QuerySet[Model]) -> Coalesce:
    """How many rows of another table belong to a club, without multiplying those of the others."""
    counted = rows.order_by().annotate(one=Value(1)).values("one").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


@dataclass(frozen=True)
class Installation:
    """All logins but those of visitors of the demo, those `without_club`, and bytes on the disk: of the database, and of all other
    files in VAR_DIR."""

    logins: int
    without_club: int
    database: int
    files: int


def read_installation() -> Installation:
    """How large the installation is. Two queries at most."""
    belongs = Exists(Membership.objects.filter(user=OuterRef("pk")))
    logins = User.objects.exclude(username__contains=VISITOR_MARK).aggregate(
        all=Count("pk"), without=Count("pk", filter=~belongs)
    )
    database = _database_files()
    files = sum(_size(path) for path in Path(settings.VAR).rglob("*") if path not in database)
    return Installation(logins["all"], logins["without"], _database_size(database), files)


def _database_files() -> list[Path]:
    """The files of SQLite; of PostgreSQL none that are ours to look at."""
    if connection.vendor != "sqlite":
        return []
    name = str(connection.settings_dict["NAME"])
    return [Path(name + ending) for ending in ("", "-wal", "-shm", "-journal")]


def _database_size(files: list[Path]) -> int:
    if connection.vendor == "sqlite":
        return sum(map(_size, files))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def _size(path: Path) -> int:
    """The bytes of a file; none where it is no file, or has gone meanwhile."""
    try:
        return path.stat().st_size if path.is_file() and not path.is_symlink() else 0
    except OSError:
        return 0
