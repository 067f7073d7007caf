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

from scoring.accounts.models import FoundingLink
from scoring.cash.models import Entry, Report
from scoring.club.models import OF_VISITOR, VISITOR_MARK, Change, Club, Membership, Player
from scoring.club.queries import collect_merged
from scoring.core.database import CodePoints
from scoring.core.names import name_key
from scoring.imports.models import Import
from scoring.league.models import MonthClosing, Supplement
from scoring.league.queries.books import read_content, replace_ids
from scoring.league.rules import Content
from scoring.play.models import Evening, Game
from scoring.play.queries import list_sheet_changes
from scoring.table.models import LateEntry

# --- Founding links and clubs -----------------------------------------------------------------------------------------

LINK_GOOD_FOR: Final = datetime.timedelta(days=7)
# A club that was founded without a link may stay empty for this time: two evenings of a weekly round.
EMPTY_FOR: Final = datetime.timedelta(days=14)


def list_valid_links() -> QuerySet[FoundingLink]:
    return FoundingLink.objects.filter(made_at__gt=timezone.now() - LINK_GOOD_FOR)


def hash_secret(secret: str) -> str:
    """Return the stored hash of a secret, which is long and random: a plain hash is enough."""
    return sha256(secret.encode()).hexdigest()


def list_unused_clubs() -> QuerySet[Club]:
    """Return the clubs that were founded without a link and are empty: no evening, import, booking or second login, and no log
    entry since the founding."""
    second = Membership.objects.filter(club=OuterRef("pk"), club__memberships__pk__lt=F("pk"))
    later = Change.objects.filter(club=OuterRef("pk"), at__gt=OuterRef("founded_openly_at"))
    clubs = Club.objects.filter(~Exists(second), ~Exists(later), founded_openly_at__isnull=False)
    for entered in (Evening, Import, Entry):
        clubs = clubs.exclude(Exists(entered._default_manager.filter(club=OuterRef("pk"))))
    return clubs


def get_deletion_day(club: Club) -> datetime.date | None:
    """Return the day on which an empty club is deleted; None if it is not empty, or if the day is past. One query."""
    if club.founded_openly_at is None:
        return None
    day = club.goes_on or timezone.localdate(club.founded_openly_at) + EMPTY_FOR
    return day if day >= timezone.localdate() and list_unused_clubs().filter(pk=club.pk).exists() else None


def list_club_sizes() -> QuerySet[Club]:
    """Return all clubs but those of demo visitors, by name, with their numbers. One query."""
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
    """Count rows in a subquery, so that joins do not multiply the counts."""
    counted = rows.order_by().annotate(one=Value(1)).values("one").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def read_installation() -> dict[str, int]:
    """Return the numbers of logins but those of demo visitors, and bytes in the database and VAR_DIR. Two queries at most."""
    belongs = Exists(Membership.objects.filter(user=OuterRef("pk")))
    logins = User.objects.exclude(username__contains=VISITOR_MARK).aggregate(all=Count("pk"), without=Count("pk", filter=~belongs))
    database: list[Path] = []
    if connection.vendor == "sqlite":
        name = str(connection.settings_dict["NAME"])
        database = [Path(name + ending) for ending in ("", "-wal", "-shm", "-journal")]
        size = sum(map(_get_file_size, database))
    else:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            size = int(cursor.fetchone()[0])
    return {
        "logins": logins["all"],
        "without_club": logins["without"],
        "database": size,
        "files": sum(_get_file_size(path) for path in Path(settings.VAR).rglob("*") if path not in database),
    }


def _get_file_size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() and not path.is_symlink() else 0
    except OSError:
        return 0


# --- The name of a person ---------------------------------------------------------------------------------------------

_TYPED: Final = ("note", "reason", "place", "file_name")  # the keys of typed texts, in rows, log entries and published months
GONE: Final = "…"  # replaces a name in a typed text; it is shorter than any name, so that the text still fits its field


Update = tuple[Model, dict[str, Any]]  # a row with the name of a person, and its changed fields without it


@dataclass(frozen=True)
class Words:
    """A pattern for names in texts: as whole words in any case, but not inside the name of another person."""

    pattern: re.Pattern[str]

    def are_in(self, text: str) -> bool:
        return self.without(text) != text

    def without(self, text: str) -> str:
        return self.pattern.sub(lambda found: found["other"] or GONE, text)


@dataclass(frozen=True)
class Traces:
    """The rows with the name of a person: `people` not erased yet, present and published `names`, and published rows."""

    people: list[Player]
    names: list[str]
    words: Words
    closings: list[MonthClosing]
    supplements: list[Supplement]


def find_traces(player: Player) -> Traces:
    """Find the name of a person and of those merged into them. Three queries, which read all published months."""
    players = list(Player.objects.filter(club=player.club_id).select_related("user").order_by("pk"))
    family = collect_merged(players, player)
    ids = {one.pk for one in family}
    of_club = {"season__club": player.club_id}
    closings = list(MonthClosing.objects.filter(**of_club).defer("file").select_related("season").order_by("pk"))
    supplements = list(Supplement.objects.filter(**of_club).order_by("pk"))
    published = {row: read_content(row) for row in [*closings, *supplements]}
    published_names = {row: {name for pk, name in _list_named(content) if pk in ids} for row, content in published.items()}
    people = [one for one in family if one.erased_on is None]
    names = {one.name for one in people}.union(*published_names.values()) - {one.name for one in family if one.erased_on}
    others = {one.name for one in players if one.pk not in ids}
    words = build_words(names, others)
    return Traces(
        people,
        sorted(names),
        words,
        [row for row in closings if published_names[row] & names or _has_typed_name(published[row], words)],
        [row for row in supplements if published_names[row] & names or _has_typed_name(published[row], words)],
    )


def _list_named(content: Any) -> Iterator[tuple[int, str]]:
    if isinstance(content, dict) and "player" in content and "name" in content:
        yield content["player"], content["name"]
    if isinstance(content, dict):
        content = [value for key, value in content.items() if key != "settings"]
    if isinstance(content, list):
        for one in content:
            yield from _list_named(one)


def build_words(names: Collection[str], others: Collection[str]) -> Words:
    """Return the pattern for these names, but not for one that another person has now or inside a longer one."""
    taken = {name_key(other) for other in others}
    sought = [name for name in names if name_key(name) not in taken]
    longer = [other for other in others if any(name.casefold() in other.casefold() for name in sought)]
    pattern = rf"(?<![^\W_])(?:(?P<other>{_build_pattern(longer)})|{_build_pattern(sought)})(?![^\W_])"
    return Words(re.compile(pattern, re.IGNORECASE))


def _build_pattern(names: Collection[str]) -> str:
    """Return a pattern for any of these names, the longest first; without names it matches nothing."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or "(?!)"


# --- Texts ------------------------------------------------------------------------------------------------------------

def remove_names(value: Any, words: Words) -> Any:
    if isinstance(value, list):
        return [remove_names(one, words) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _remove_names_at(key, one, words) for key, one in value.items()}


def _remove_names_at(key: str, value: Any, words: Words) -> Any:
    if key == "settings":
        return value
    return words.without(value) if key in _TYPED and isinstance(value, str) else remove_names(value, words)


def _has_typed_name(content: Content, words: Words) -> bool:
    return bool(remove_names(content, words) != content)


def list_mentions(club: Club, words: Words) -> Iterator[Update]:
    """Yield the rows of the club with a name in a typed text. Seven queries."""
    typed = ~Q(note="") | Q(facts__has_key="reason")
    games = Game.objects.filter(typed, round__table__evening__club=club).select_related("round__table__evening")
    late = LateEntry.objects.filter(typed, table__evening__club=club).select_related("table__evening")
    with_texts: tuple[tuple[QuerySet[Any], tuple[str, ...]], ...] = (
        (games, ("note", "facts")),
        (late, ("note", "facts")),
        (Evening.objects.filter(club=club).exclude(place="", note=""), ("place", "note")),
        (Import.objects.filter(club=club).defer("sheets"), ("file_name",)),
        (Supplement.objects.filter(season__club=club), ("reason",)),
        # The reason is the only text of the books, and the only field of them that may change.
        (Entry.objects.filter(club=club).exclude(reason=""), ("reason",)),
        (Report.objects.filter(club=club).exclude(note="", reason=""), ("note", "reason")),
    )
    for rows, fields in with_texts:
        for row in rows.order_by("pk"):
            before = {name: getattr(row, name) for name in fields}
            after = remove_names(before, words)
            if after != before:
                yield row, {name: after[name] for name in fields if after[name] != before[name]}


def list_reports(club: Club, words: Words) -> Iterator[Update]:
    """Yield the reports of imported lists with a name: in a row that was left out, or in the name of a sheet."""
    for brought in Import.objects.filter(club=club, imported_at__isnull=False).defer("sheets").order_by("pk"):
        report = {name: _remove_names_everywhere(value, words) for name, value in brought.report.items()}
        if report != brought.report:
            yield brought, {"report": report}


def _remove_names_everywhere(value: Any, words: Words) -> Any:
    if isinstance(value, list):
        return [_remove_names_everywhere(one, words) for one in value]
    if isinstance(value, dict):
        return {name: _remove_names_everywhere(one, words) for name, one in value.items()}
    return words.without(value) if isinstance(value, str) else value


def list_texts(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the typed texts among the values of a row."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from list_texts(value)
        elif key in _TYPED and isinstance(value, str):
            yield value


# --- Old log entries --------------------------------------------------------------------------------------------------

# Log entries of logins and of games, which nothing else depends on.
_LOGINS: Final = Q(verb__startswith="member.") | Q(verb__startswith="link.")
_ENTRIES: Final = Q(verb__startswith="game.")


def get_oldest_kept(years: int, now: datetime.datetime) -> datetime.datetime:
    day = min(now.day, 28) if now.month == 2 else now.day
    return now.replace(year=max(now.year - years, 1), day=day)


def list_deletable_changes(club: Club, years: int, now: datetime.datetime) -> list[int]:
    """Return the ids of deletable log entries of logins and games, the latest first. Three queries.
    Kept are the last change of each table (phones and undoing need it), and those that a month or a kept change names."""
    later = list_sheet_changes(OuterRef("table")).filter(pk__gt=OuterRef("pk"))
    old = Change.objects.filter(_LOGINS | _ENTRIES, club=club, at__lt=get_oldest_kept(years, now))
    rows = old.filter(Q(table=None) | Exists(later)).order_by("-pk").values_list("pk", "undone_by")
    named = _list_published_changes(club)
    deletable: dict[int, None] = {}
    for pk, undone_by in rows.iterator(chunk_size=2000):
        if pk not in named and (undone_by is None or undone_by in deletable):
            deletable[pk] = None
    return list(deletable)


def _list_published_changes(club: Club) -> set[int]:
    found: set[int] = set()

    def note(kind: str, pk: int) -> int:
        if kind == "changes":
            found.add(pk)
        return pk

    for model in (MonthClosing, Supplement):
        for row in model.objects.filter(season__club=club).only("content", "ids"):
            replace_ids(read_content(row), note)
    return found
