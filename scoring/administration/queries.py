"""Read the size of the clubs and of the installation, where the name of a person stands, and which log entries can be deleted."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, Exists, F, IntegerField, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.cash.models.beside import Report
from scoring.cash.models.books import Entry
from scoring.club.models import OF_VISITOR, VISITOR_MARK, Change, Club, Membership, Player
from scoring.club.queries import collect_merged
from scoring.core.database import CodePoints
from scoring.core.names import name_key
from scoring.imports.models import Import
from scoring.league.models import MonthClosing, Supplement
from scoring.league.queries.books import read_content, replace_ids
from scoring.league.rules import Content
from scoring.play.models import Evening, Game, Table
from scoring.play.queries import list_sheet_changes
from scoring.table.models import LateEntry

from .models import FoundingLink

# --- Founding links and clubs -----------------------------------------------------------------------------------------


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


# --- The name of a person ---------------------------------------------------------------------------------------------


# What people type freely, wherever it stands: in a row, in the history of it, in what was published.
_TYPED: Final = ("note", "reason", "place", "file_name")
# What takes the place of a name in such a text: shorter than any name, so that every text still fits.
GONE: Final = "…"


# What has a text that somebody typed.
WithText = Entry | Evening | Game | Import | LateEntry | Report | Supplement


@dataclass(frozen=True)
class Words:
    """Finds names in texts: whole ones alone, in upper or lower case, and not where they are part of another person's."""

    pattern: re.Pattern[str]

    def are_in(self, text: str) -> bool:
        return self.without(text) != text

    def without(self, text: str) -> str:
        return self.pattern.sub(lambda found: found["other"] or GONE, text)


@dataclass(frozen=True)
class Mention:
    """A row in whose texts the name stands: its `table`, the `texts`, and its fields without the name."""

    row: WithText
    table: Table | None
    texts: list[str]
    fields: dict[str, Any]


@dataclass(frozen=True)
class Traces:
    """Where somebody's name stands: with these `people`, of whom it is not erased yet, and in these published rows.
    `names` are those they have now and those they were published under."""

    people: list[Player]
    names: list[str]
    words: Words
    closings: list[MonthClosing]
    supplements: list[Supplement]

    @property
    def logins(self) -> set[int]:
        return {player.user_id for player in self.people if player.user_id}


def traces_of(player: Player) -> Traces:
    """Three queries, which read all that the club has published, but for the files."""
    everybody = list(Player.objects.filter(club=player.club_id).select_related("user").order_by("pk"))
    family = collect_merged(everybody, player)
    ids = {one.pk for one in family}
    of_club = {"season__club": player.club_id}
    closings = list(MonthClosing.objects.filter(**of_club).defer("file").select_related("season").order_by("pk"))
    supplements = list(Supplement.objects.filter(**of_club).order_by("pk"))
    published = {row: read_content(row) for row in [*closings, *supplements]}
    told = {row: {name for pk, name in _named_in(content) if pk in ids} for row, content in published.items()}
    people = [one for one in family if one.erased_on is None]
    theirs = {one.name for one in people}.union(*told.values()) - {one.name for one in family if one.erased_on}
    others = {one.name for one in everybody if one.pk not in ids}
    words = words_for(theirs, others)
    return Traces(
        people,
        sorted(theirs),
        words,
        [row for row in closings if told[row] & theirs or _is_typed_in(published[row], words)],
        [row for row in supplements if told[row] & theirs or _is_typed_in(published[row], words)],
    )


def _named_in(content: Any) -> Iterator[tuple[int, str]]:
    """Everybody that something published names, by id."""
    if isinstance(content, dict) and "player" in content and "name" in content:
        yield content["player"], content["name"]
    if isinstance(content, dict):
        content = [value for key, value in content.items() if key != "settings"]
    if isinstance(content, list):
        for one in content:
            yield from _named_in(one)


def words_for(names: Collection[str], others: Collection[str]) -> Words:
    """Words that find these names. A name that is somebody else's by now is not looked for, and none within that of
    somebody else who has it as part of theirs."""
    taken = {name_key(other) for other in others}
    sought = [name for name in names if name_key(name) not in taken]
    longer = [other for other in others if any(name.casefold() in other.casefold() for name in sought)]
    pattern = rf"(?<![^\W_])(?:(?P<other>{_any_of(longer)})|{_any_of(sought)})(?![^\W_])"
    return Words(re.compile(pattern, re.IGNORECASE))


def _any_of(names: Collection[str]) -> str:
    """A pattern for any of these names, the longest first. Without names it fits nothing."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or "(?!)"


# --- Texts ------------------------------------------------------------------------------------------------------------


def reworded(value: Any, words: Words) -> Any:
    """This value, with the names taken out of every text that somebody typed."""
    if isinstance(value, list):
        return [reworded(one, words) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _reworded(key, one, words) for key, one in value.items()}


def _reworded(key: str, value: Any, words: Words) -> Any:
    if key == "settings":
        return value
    return words.without(value) if key in _TYPED and isinstance(value, str) else reworded(value, words)


def _is_typed_in(content: Content, words: Words) -> bool:
    return bool(reworded(content, words) != content)


def mentions_in(club: Club, words: Words) -> Iterator[Mention]:
    """Every row of the club in whose texts a name stands, in seven queries."""
    typed = ~Q(note="") | Q(facts__has_key="reason")
    of_club = Game.objects.filter(round__table__evening__club=club)
    for game in of_club.filter(typed).select_related("round__table__evening").order_by("pk"):
        yield from _mention(game, ("note", "facts"), words, game.round.table)
    late = LateEntry.objects.filter(table__evening__club=club)
    for entry in late.filter(typed).select_related("table__evening").order_by("pk"):
        yield from _mention(entry, ("note", "facts"), words, entry.table)
    for evening in Evening.objects.filter(club=club).exclude(place="").order_by("pk"):
        yield from _mention(evening, ("place",), words)
    for brought in Import.objects.filter(club=club).defer("sheets").order_by("pk"):
        yield from _mention(brought, ("file_name",), words)
    for supplement in Supplement.objects.filter(season__club=club).order_by("pk"):
        yield from _mention(supplement, ("reason",), words)
    # The one text in the books, and all that may ever change in them.
    for booked in Entry.objects.filter(club=club).exclude(reason="").order_by("pk"):
        yield from _mention(booked, ("reason",), words)
    for report in Report.objects.filter(club=club).exclude(note="", reason="").order_by("pk"):
        yield from _mention(report, ("note", "reason"), words)


def reports_in(club: Club, words: Words) -> Iterator[Mention]:
    """The reports of lists in which a name stands: beside what a row that was left out would have brought, or in what a sheet is
    called."""
    for brought in Import.objects.filter(club=club, imported_at__isnull=False).defer("sheets").order_by("pk"):
        report = {name: _in_lists(value, words) for name, value in brought.report.items()}
        if report != brought.report:
            yield Mention(brought, None, [], {"report": report})


def _in_lists(value: Any, words: Words) -> Any:
    if isinstance(value, list):
        return [_in_lists(one, words) for one in value]
    if isinstance(value, dict):
        return {name: _in_lists(one, words) for name, one in value.items()}
    return words.without(value) if isinstance(value, str) else value


def _mention(row: WithText, fields: Collection[str], words: Words, table: Table | None = None) -> Iterator[Mention]:
    before = {name: getattr(row, name) for name in fields}
    after = reworded(before, words)
    if after != before:
        texts = [text for text in _texts(before) if words.are_in(text)]
        yield Mention(row, table, texts, {name: after[name] for name in fields if after[name] != before[name]})


def _texts(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _texts(value)
        elif key in _TYPED and isinstance(value, str):
            yield value


# --- Old log entries --------------------------------------------------------------------------------------------------


# What says that a login was invited or let in, or a line was typed: nothing follows from it any more.
_LOGINS: Final = Q(verb__startswith="member.") | Q(verb__startswith="link.")
_ENTRIES: Final = Q(verb__startswith="game.")


def oldest_kept(years: int, now: datetime.datetime) -> datetime.datetime:
    """What was done before this moment is older than so many years."""
    day = min(now.day, 28) if now.month == 2 else now.day
    return now.replace(year=max(now.year - years, 1), day=day)


def forgettable(club: Club, years: int, now: datetime.datetime) -> list[int]:
    """The ids of the changes that may be deleted, the latest first; four queries. Kept are: the last change of each table,
    because phones and the taking back of an import ask for it; what a published month or a supplement names; and what a
    kept change has taken back."""
    later = list_sheet_changes(OuterRef("table")).filter(pk__gt=OuterRef("pk"))
    old = Change.objects.filter(_LOGINS | _ENTRIES, club=club, at__lt=oldest_kept(years, now))
    rows = old.filter(Q(table=None) | Exists(later)).order_by("-pk").values_list("pk", "undone_by")
    named = _named_by_months(club)
    going: dict[int, None] = {}
    for pk, undone_by in rows.iterator(chunk_size=2000):
        if pk not in named and (undone_by is None or undone_by in going):
            going[pk] = None
    return list(going)


def _named_by_months(club: Club) -> set[int]:
    """The changes that led to what was published."""
    found: set[int] = set()

    def note(kind: str, pk: int) -> int:
        if kind == "changes":
            found.add(pk)
        return pk

    for model in (MonthClosing, Supplement):
        for row in model.objects.filter(season__club=club).only("content", "ids"):
            replace_ids(read_content(row), note)
    return found
