"""What an archive of a club consists of: which rows, in which order, with which fields, and how each value is written down
(docs/archive.md). A row is named by its number among those of its kind, never by its id, so that an archive says the same
wherever it is taken in. Logins are left out, and so is what is derived: it follows again from the facts."""

from __future__ import annotations

import base64
import datetime
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Field, ForeignKey, Model, Q, QuerySet

from scoring.cash.models.beside import BookYear, CashCount, Countersignature, Heading, Report
from scoring.cash.models.books import Account, Entry, Leg, Period
from scoring.cash.models.dues import DuesStatus
from scoring.cash.models.facts import Attendance, Fine
from scoring.cash.models.settling import Settlement, SettlementLine
from scoring.cash.models.tariffs import Tariff
from scoring.club.models import VISIBILITY_FIELDS, Change, Club, Player, Verb
from scoring.core.database import snapshot
from scoring.imports.models import Import
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.league.queries.books import parse_content, replace_ids
from scoring.play.models import Evening, Game, Round, Seat, Table, TableResult
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding

from .models import WaitingArchive

FORMAT: Final = "club-ledger-archive"
VERSION: Final = 7

# One row of an archive, and all of it: the club, and by the name of each kind its rows. These may be many, so nothing holds
# them: each is made or read when it is asked for.
ArchiveRow = dict[str, Any]
Document = dict[str, Any]
# Makes another name of the same row: of a kind and an id its number, or of a kind and a number its id.
Turn = Callable[[str, Any], Any]

CLUB_FIELDS: Final = ("name", "slug", *VISIBILITY_FIELDS)
# What follows from other values; a fine that waits does not go along.
DERIVED: Final = {
    "players": ("name_key",),
    "tables": ("open_bocks",),
    # Of sums that came without their games there are no lines to tell them from.
    "results": ("re", "sided", "bock_points", "wins_first", "wins_longest", "wins_last"),
    "entries": ("year",),
    "seasons": ("waits",),
    "fines": ("waits", "by_link"),
}
# What is about logins, and what is about one installation.
_OF_LOGINS: Final = Q(verb__startswith="member.") | Q(verb__startswith="link.")
LEFT_OUT: Final = _OF_LOGINS | Q(verb__in=[Verb.CLUB_SHOWN, Verb.ARCHIVE_TAKEN, Verb.HISTORY_KEPT])


EVERY: Final = Q()
# How many rows are fetched, and written, at once.
AT_ONCE: Final = 500


@dataclass(frozen=True)
class RowKind:
    """One kind of rows. `club` leads from a row to its club; the rows are numbered in `order`, which the rows that an
    archive makes keep. `at_once`: how many of them are written in one go, while nobody else can write."""

    name: str
    model: type[Model]
    club: str
    order: tuple[str, ...] = ("pk",)
    only: Q = EVERY
    at_once: int = AT_ONCE

    @cached_property
    def fields(self) -> dict[str, Field[Any, Any]]:
        """Every field that is written down, as the model has them: a new one comes along by itself."""
        return {field.name: field for field in self.model._meta.concrete_fields if self._is_kept(field)}

    @cached_property
    def every_name(self) -> set[str]:
        """The names of all fields, those too that are not written down."""
        return {field.name for field in self.model._meta.concrete_fields}

    @cached_property
    def derives(self) -> bool:
        """Does a row of it say anything that follows from the rest of it?"""
        return any(getattr(self.model, name) is not getattr(Model, name) for name in ("clean", "clean_fields"))

    def _is_kept(self, field: Field[Any, Any]) -> bool:
        if field.name in ("id", "club") or field.name in DERIVED.get(self.name, ()):
            return False
        return not (isinstance(field, ForeignKey) and field.related_model._meta.label == settings.AUTH_USER_MODEL)

    def target(self, field: Field[Any, Any]) -> RowKind | None:
        """The kind of the rows that this field refers to."""
        if not isinstance(field, ForeignKey):
            return None
        return next(kind for kind in KINDS if kind.model is field.related_model)

    @cached_property
    def targets(self) -> dict[str, str]:
        """The fields that refer to rows, each with their kind."""
        found = {name: self.target(field) for name, field in self.fields.items()}
        return {name: target.name for name, target in found.items() if target is not None}

    def ids_of(self, club: Club) -> Iterator[Any]:
        """The id of every row, in one query."""
        return self._in_order(club).values_list("pk", flat=True).iterator(chunk_size=AT_ONCE)

    def rows_of(self, club: Club) -> Iterator[tuple[Any, ...]]:
        """The fields of every row, in one query."""
        names = [field.attname for field in self.fields.values()]
        return self._in_order(club).values_list(*names).iterator(chunk_size=AT_ONCE)

    def _in_order(self, club: Club) -> QuerySet[Any]:
        return self.model._default_manager.filter(self.only, **{self.club: club}).order_by(*self.order)


# In an order in which each refers to those before it, or to its own; only the history is referred to by what was
# published, and refers to that.
KINDS: Final = (
    RowKind("players", Player, "club"),
    RowKind("rule_sets", RuleSet, "club"),
    RowKind("imports", Import, "club"),
    RowKind("tariffs", Tariff, "club", ("version",)),
    RowKind("evenings", Evening, "club"),
    RowKind("tables", Table, "evening__club"),
    RowKind("rounds", Round, "table__evening__club"),
    RowKind("seats", Seat, "round__table__evening__club"),
    RowKind("games", Game, "round__table__evening__club", ("round", "position")),
    RowKind("results", TableResult, "table__evening__club", only=Q(table__without_games=True)),
    RowKind("attendance", Attendance, "evening__club", ("evening", "place")),
    RowKind("fines", Fine, "evening__club", ("entered_at", "key"), only=Q(waits=False)),
    RowKind("seasons", Season, "club"),
    RowKind("accounts", Account, "club"),
    RowKind("entries", Entry, "club", ("year", "number"), only=Q(number__isnull=False)),
    RowKind("legs", Leg, "entry__club", ("entry__year", "entry__number", "account", "kind"), only=Q(entry__number__isnull=False)),
    # To close a month its whole books are added up.
    RowKind("periods", Period, "club", ("month",), at_once=20),
    RowKind("countersignatures", Countersignature, "period__club"),
    RowKind("reports", Report, "club"),
    RowKind("counts", CashCount, "club"),
    RowKind("headings", Heading, "club"),
    RowKind("book_years", BookYear, "club"),
    RowKind("dues_statuses", DuesStatus, "player__club"),
    RowKind("settlements", Settlement, "club"),
    RowKind("settlement_lines", SettlementLine, "settlement__club", ("settlement", "place")),
    RowKind("openings", OpeningStanding, "player__club"),
    RowKind("changes", Change, "club", only=~LEFT_OUT),
    RowKind("closings", MonthClosing, "season__club"),
    RowKind("supplements", Supplement, "season__club"),
)
BY_NAME: Final = {kind.name: kind for kind in KINDS}


# --- Reading a club ---------------------------------------------------------------------------------------------------


class _Numbers:
    """The numbers of the rows, from 1. What is named somewhere and is no more has numbers below 0, in the order in which
    it is met, so that it stays the same thing without being any row. Only kinds that something names are numbered."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._numbers: dict[str, dict[int, int]] = {}
        self._gone: dict[str, dict[int, int]] = defaultdict(dict)

    def of(self, kind: str, pk: int) -> int:
        if kind not in self._numbers:
            self._numbers[kind] = {row: number for number, row in enumerate(BY_NAME[kind].ids_of(self._club), 1)}
        gone = self._gone[kind]
        return self._numbers[kind].get(pk) or gone.setdefault(pk, -1 - len(gone))


def read_club(club: Club) -> Document:
    """The archive of a club, to be gone through once from its beginning to its end: two queries at most for each kind of rows,
    however many there are. Ask, and go through it, within a snapshot."""
    numbers = _Numbers(club)
    document: Document = {"format": FORMAT, "version": VERSION, "program": str(settings.PROGRAM)}
    document["club"] = {name: getattr(club, name) for name in CLUB_FIELDS}
    for kind in KINDS:
        document[kind.name] = _written_rows(kind, club, numbers.of)
    return document


def archive_lines(club: Club) -> Iterator[bytes]:
    """The archive of a club as a file, line by line. The same club gives the same bytes. Go through it within a snapshot."""
    return lines_of(read_club(Club.objects.get(pk=club.pk)))


def club_archive(club: Club) -> bytes:
    """The archive of a club in one piece, read at one moment."""
    with snapshot():
        return b"".join(archive_lines(club))


def _written_rows(kind: RowKind, club: Club, turn: Turn) -> Iterator[ArchiveRow]:
    for number, values in enumerate(kind.rows_of(club), 1):
        yield _written(kind, number, values, turn)


def _written(kind: RowKind, number: int, values: tuple[Any, ...], turn: Turn) -> ArchiveRow:
    row: ArchiveRow = {"row": number}
    for name, value in zip(kind.fields, values, strict=True):
        target = kind.targets.get(name)
        row[name] = plain(value) if target is None or value is None else turn(target, value)
    if kind.name in ("closings", "supplements") and row["ids"] is None:
        row["ids"] = ids_in(row["content"])
    return turned(kind.name, row, turn)


def plain(value: Any) -> Any:
    """A value of a row as it is written down. Moments are of UTC."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, (bytes, memoryview)):
        return base64.b64encode(value).decode()
    return value


# --- Ids inside of values -------------------------------------------------------------------------------------------

_OF_ONE: Final = {
    "round": "rounds",
    "rule_set": "rule_sets",
    "carries_on": "tables",
    "season": "seasons",
    "evening": "evenings",
    "player": "players",
    "host": "players",
}
_PEOPLE: Final = ("players", "guests", "excused", "unexcused", "free", "brought", "bringers")
_OF_SEVERAL: Final = {
    "rule_sets": "rule_sets",
    "seats": "seats",
    "results": "results",
    "openings": "openings",
    **dict.fromkeys(_PEOPLE, "players"),
}
_SUBJECTS: Final = {
    "evening": "evenings",
    "table": "tables",
    "player": "players",
    "rules": "rule_sets",
    "season": "seasons",
    "import": "imports",
    "cash": "entries",
    Verb.CASH_TARIFF: "tariffs",
    Verb.CASH_PINNED: "evenings",
    Verb.CASH_EVENING: "evenings",
    Verb.CASH_DUES_SET: "dues_statuses",
    Verb.CASH_SETTLED: "settlements",
    Verb.CASH_COUNTED: "counts",
    Verb.CASH_CLOSED: "periods",
    Verb.CASH_COUNTERSIGNED: "periods",
    Verb.CASH_HEADING_ADDED: "headings",
    Verb.CASH_YEAR_SET: "book_years",
    Verb.MONTH_CLOSED: "closings",
    Verb.MONTH_SUPPLEMENTED: "supplements",
}


def turned(kind: str, row: ArchiveRow, turn: Turn) -> ArchiveRow:
    """The row with the ids in its texts and JSON replaced: those that the history and an imported file name, and those by
    which published months name people, evenings and changes."""
    match kind:
        case "imports":
            return row | {"made": _named(row["made"], turn)}
        case "changes":
            sides = {side: row[side] and _named(row[side], turn) for side in ("before", "after")}
            return row | sides | {"subject_id": subject_of(row["verb"], row["subject_id"], turn)}
        case "closings" | "supplements":
            ids = {of: {text: turn(of, row["ids"][of][text]) for text in sorted(row["ids"][of])} for of in PUBLISHED}
            return row | {"ids": ids}
    return row


_OF_FINES: Final = (Verb.CASH_FINED, Verb.CASH_UNFINED, Verb.CASH_FINE_LATE, Verb.CASH_FINE_NOT_TAKEN)


def subject_of(verb: str, subject: str, turn: Turn) -> str:
    """What a change is about. A line of a sheet has its key everywhere, and so has a fine."""
    if verb.startswith("game.") or verb in _OF_FINES:
        return subject
    return str(turn(_SUBJECTS.get(verb) or _SUBJECTS[verb.partition(".")[0]], int(subject)))


def _named(values: Mapping[str, Any], turn: Turn) -> ArchiveRow:
    """The values of a row as the archive has them: rows that it refers to are named by `turn`, and logins are left out."""
    found = dict(values)
    for key, kind in _OF_ONE.items():
        if found.get(key) is not None:
            found[key] = turn(kind, found[key])
    for key, kind in _OF_SEVERAL.items():
        if key in found:
            found[key] = [turn(kind, one) for one in found[key]]
    return found | {"user": None} if "user" in found else found


PUBLISHED: Final = ("players", "evenings", "changes")


def ids_in(content: str) -> dict[str, dict[str, int]]:
    """The ids that the text of a published month names, each as itself."""
    found: dict[str, dict[str, int]] = {kind: {} for kind in PUBLISHED}

    def noted(kind: str, pk: int) -> int:
        found[kind][str(pk)] = pk
        return pk

    replace_ids(parse_content(content), noted)
    return found


# --- The text -------------------------------------------------------------------------------------------------------


def as_text(document: Document) -> str:
    """The one way in which an archive is written down: a line for each row, the keys of what is inside in order of the
    alphabet."""
    return b"".join(lines_of(document)).decode()


def lines_of(document: Document) -> Iterator[bytes]:
    """The text of an archive, line by line."""
    yield b"{\n"
    last = next(reversed(document))
    for name, value in document.items():
        comma = "" if name == last else ","
        if isinstance(value, (str, int)):
            yield f"{_json(name)}: {_json(value)}{comma}\n".encode()
        elif isinstance(value, dict):
            yield f"{_json(name)}: {_row_as_text(value)}{comma}\n".encode()
        else:
            yield from _lines_of_rows(f"{_json(name)}: [", value, f"]{comma}\n")
    yield b"}\n"


def _lines_of_rows(opened: str, rows: Iterable[ArchiveRow], end: str) -> Iterator[bytes]:
    before = ""
    for row in rows:
        yield (f"{before},\n" if before else f"{opened}\n").encode()
        before = _row_as_text(row)
    if before:
        yield f"{before}\n".encode()
        yield end.encode()
    else:
        yield (opened + end).encode()


def _row_as_text(row: ArchiveRow) -> str:
    """The names of fields are plain."""
    return "{" + ", ".join([f'"{name}": {_json(value)}' for name, value in row.items()]) + "}"


def _json(value: Any) -> str:
    """A value as JSON. Most are numbers or nothing, which need nobody who knows how to write everything."""
    if type(value) is int:
        return str(value)
    return "null" if value is None else _encode(value)


_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


# --- What waits, and what came ----------------------------------------------------------------------------------------


def waiting_archive(user: User) -> WaitingArchive | None:
    """The archive that somebody uploaded and has not decided about."""
    return WaitingArchive.objects.filter(user=user).first()


def changed_since(taken: Change) -> bool:
    """Did anything happen in the club since it came?"""
    return Change.objects.filter(club=taken.club_id, pk__gt=taken.pk).exists()
