"""Define the format of archives (docs/archive.md) and write the archive of a club. A row is named by its number within its kind,
so an archive is the same on every server. Logins and derived values are left out."""

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

from django.apps import apps
from django.conf import settings
from django.db.models import Field, ForeignKey, Model, Q

from scoring.club.models import VISIBILITY_FIELDS, Change, Club, Verb
from scoring.core.database import snapshot
from scoring.league.queries.books import parse_content, replace_ids

FORMAT: Final = "club-ledger-archive"
VERSION: Final = 8

ArchiveRow = dict[str, Any]
# The club, and the rows by the name of their kind. They are lazy, because there may be many.
Document = dict[str, Any]
# Translates the id of a row of a kind into its number, or the number into an id.
Translate = Callable[[str, Any], Any]

CLUB_FIELDS: Final = ("name", "slug", *VISIBILITY_FIELDS)
# The fields that are not in the archive, by kind. Most are derived from others. Of a fine, `waits` is always false (waiting fines
# are left out), and `by_link` is the id of a link on this server.
OMITTED_FIELDS: Final = {
    "players": ("name_key",),
    "tables": ("open_bocks",),
    # Only tables without games have results in the archive, and without games these have their defaults.
    "results": ("re", "sided", "bock_points", "wins_first", "wins_longest", "wins_last"),
    "entries": ("year",),
    "seasons": ("waits",),
    "fines": ("waits", "by_link"),
}
# The log entries that are not in the archive: about logins and links, about what strangers see, about taking in an archive, and
# about how long the history is kept.
_ABOUT_LOGINS: Final = Q(verb__startswith="member.") | Q(verb__startswith="link.")
OMITTED_CHANGES: Final = _ABOUT_LOGINS | Q(verb__in=[Verb.CLUB_SHOWN, Verb.ARCHIVE_TAKEN, Verb.HISTORY_KEPT])

EVERY: Final = Q()
# Rows that are fetched or written at once.
BATCH_SIZE: Final = 500


@dataclass(frozen=True)
class RowKind:
    """A kind of rows. `club` is the lookup from a row to its club. The rows that match `only` are numbered in `order`, and
    imported in this order."""

    name: str
    model_name: str
    club: str
    order: tuple[str, ...] = ("pk",)
    only: Q = EVERY

    @cached_property
    def model(self) -> type[Model]:
        return apps.get_model("scoring", self.model_name)

    @cached_property
    def fields(self) -> dict[str, Field[Any, Any]]:
        """The fields in the archive, in the order of the model; new fields are included automatically."""
        return {field.name: field for field in self.model._meta.concrete_fields if self._is_in_archive(field)}

    @cached_property
    def all_field_names(self) -> set[str]:
        """The names of all fields of the model, in the archive or not."""
        return {field.name for field in self.model._meta.concrete_fields}

    @cached_property
    def has_own_clean(self) -> bool:
        """True if the model overrides `clean` or `clean_fields`, which then may set fields that are not in the archive."""
        return any(getattr(self.model, name) is not getattr(Model, name) for name in ("clean", "clean_fields"))

    def _is_in_archive(self, field: Field[Any, Any]) -> bool:
        if field.name in ("id", "club") or field.name in OMITTED_FIELDS.get(self.name, ()):
            return False
        return not (isinstance(field, ForeignKey) and field.related_model._meta.label == settings.AUTH_USER_MODEL)

    @cached_property
    def targets(self) -> dict[str, str]:
        """The kinds of rows that foreign keys refer to, by the name of the field."""
        kinds = {kind.model: kind.name for kind in KINDS}
        return {name: kinds[field.related_model] for name, field in self.fields.items() if isinstance(field, ForeignKey)}

    def iterate(self, club: Club, *names: str) -> Iterator[tuple[Any, ...]]:
        rows = self.model._default_manager.filter(self.only, **{self.club: club}).order_by(*self.order)
        return rows.values_list(*names).iterator(chunk_size=BATCH_SIZE)


# Each kind refers to earlier kinds or to itself, except that log entries and published months refer to each other.
KINDS: Final = (
    RowKind("players", "Player", "club"),
    RowKind("rule_sets", "RuleSet", "club"),
    RowKind("imports", "Import", "club"),
    RowKind("tariffs", "Tariff", "club", ("version",)),
    RowKind("evenings", "Evening", "club"),
    RowKind("tables", "Table", "evening__club"),
    RowKind("rounds", "Round", "table__evening__club"),
    RowKind("seats", "Seat", "round__table__evening__club"),
    RowKind("games", "Game", "round__table__evening__club", ("round", "position")),
    RowKind("results", "TableResult", "table__evening__club", only=Q(table__without_games=True)),
    RowKind("attendance", "Attendance", "evening__club", ("evening", "place")),
    RowKind("fines", "Fine", "evening__club", ("entered_at", "key"), only=Q(waits=False)),
    RowKind("seasons", "Season", "club"),
    RowKind("accounts", "Account", "club"),
    RowKind("entries", "Entry", "club", ("year", "number"), only=Q(number__isnull=False)),
    RowKind("legs", "Leg", "entry__club", ("entry__year", "entry__number", "account", "kind"), only=Q(entry__number__isnull=False)),
    RowKind("periods", "Period", "club", ("month",)),
    RowKind("countersignatures", "Countersignature", "period__club"),
    RowKind("reports", "Report", "club"),
    RowKind("counts", "CashCount", "club"),
    RowKind("headings", "Heading", "club"),
    RowKind("book_years", "BookYear", "club"),
    RowKind("dues_statuses", "DuesStatus", "player__club"),
    RowKind("settlements", "Settlement", "club"),
    RowKind("settlement_lines", "SettlementLine", "settlement__club", ("settlement", "place")),
    RowKind("openings", "OpeningStanding", "player__club"),
    RowKind("changes", "Change", "club", only=~OMITTED_CHANGES),
    RowKind("closings", "MonthClosing", "season__club"),
    RowKind("supplements", "Supplement", "season__club"),
)
BY_NAME: Final = {kind.name: kind for kind in KINDS}


class _Numbers:
    """The numbers of the rows by kind and id, from 1. A deleted row to which another row still refers gets a negative number: the
    first one that is looked up gets -1, the next -2."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._numbers: dict[str, dict[int, int]] = {}
        self._deleted: dict[str, dict[int, int]] = defaultdict(dict)

    def get(self, kind: str, pk: int) -> int:
        if kind not in self._numbers:
            self._numbers[kind] = {row: number for number, (row,) in enumerate(BY_NAME[kind].iterate(self._club, "pk"), 1)}
        deleted = self._deleted[kind]
        return self._numbers[kind].get(pk) or deleted.setdefault(pk, -1 - len(deleted))


def read_club(club: Club) -> Document:
    """Return the archive of a club. Its rows are lazy: iterate them once, in the order of the kinds, within a snapshot. Each kind
    takes at most two queries."""
    numbers = _Numbers(club)
    document: Document = {"format": FORMAT, "version": VERSION, "program": str(settings.PROGRAM)}
    document["club"] = {name: getattr(club, name) for name in CLUB_FIELDS}
    for kind in KINDS:
        document[kind.name] = _build_rows(kind, club, numbers.get)
    return document


def write_archive(club: Club) -> Iterator[bytes]:
    """Yield the lines of the archive of a club, within a snapshot. The same club always gives the same bytes."""
    return format_lines(read_club(Club.objects.get(pk=club.pk)))


def build_archive(club: Club) -> bytes:
    with snapshot():
        return b"".join(write_archive(club))


def _build_rows(kind: RowKind, club: Club, translate: Translate) -> Iterator[ArchiveRow]:
    columns = [field.attname for field in kind.fields.values()]
    for number, values in enumerate(kind.iterate(club, *columns), 1):
        row: ArchiveRow = {"row": number}
        for name, value in zip(kind.fields, values, strict=True):
            target = kind.targets.get(name)
            row[name] = format_value(value) if target is None or value is None else translate(target, value)
        if kind.name in ("closings", "supplements") and row["ids"] is None:
            row["ids"] = list_ids(row["content"])
        yield translate_ids(kind.name, row, translate)


def format_value(value: Any) -> Any:
    """Return the JSON value of a field. Times are in UTC."""
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

# The kinds of rows to which the values of log entries and imports refer, by key: with one id, or with a list of ids.
_KIND_OF_ID: Final = {
    "round": "rounds",
    "rule_set": "rule_sets",
    "carries_on": "tables",
    "season": "seasons",
    "evening": "evenings",
    "player": "players",
    "host": "players",
}
_PEOPLE: Final = ("players", "guests", "excused", "unexcused", "free", "brought", "bringers")
_KIND_OF_IDS: Final = {
    "rule_sets": "rule_sets",
    "seats": "seats",
    "results": "results",
    "openings": "openings",
    **dict.fromkeys(_PEOPLE, "players"),
}
# The kind of the subject of a log entry, by its verb, else by the verb's part before the dot.
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


def translate_ids(kind: str, row: ArchiveRow, translate: Translate) -> ArchiveRow:
    """Return the row with the ids inside its text and JSON translated: those in log entries, imports and published months."""
    match kind:
        case "imports":
            return row | {"made": _translate_values(row["made"], translate)}
        case "changes":
            sides = {side: row[side] and _translate_values(row[side], translate) for side in ("before", "after")}
            return row | sides | {"subject_id": translate_subject(row["verb"], row["subject_id"], translate)}
        case "closings" | "supplements":
            ids = {of: {text: translate(of, row["ids"][of][text]) for text in sorted(row["ids"][of])} for of in PUBLISHED}
            return row | {"ids": ids}
    return row


_FINE_VERBS: Final = (Verb.CASH_FINED, Verb.CASH_UNFINED, Verb.CASH_FINE_LATE, Verb.CASH_FINE_NOT_TAKEN)


def translate_subject(verb: str, subject: str, translate: Translate) -> str:
    """Return the subject of a log entry. Lines and fines are named by their keys, which are the same everywhere."""
    if verb.startswith("game.") or verb in _FINE_VERBS:
        return subject
    return str(translate(_SUBJECTS.get(verb) or _SUBJECTS[verb.partition(".")[0]], int(subject)))


def _translate_values(values: Mapping[str, Any], translate: Translate) -> ArchiveRow:
    found = dict(values)
    for key, kind in _KIND_OF_ID.items():
        if found.get(key) is not None:
            found[key] = translate(kind, found[key])
    for key, kind in _KIND_OF_IDS.items():
        if key in found:
            found[key] = [translate(kind, one) for one in found[key]]
    return found | {"user": None} if "user" in found else found


# The kinds whose ids are in the text of a published month.
PUBLISHED: Final = ("players", "evenings", "changes")


def list_ids(content: str) -> dict[str, dict[str, int]]:
    """Return the ids in the text of a published month: for each kind a dict from the id as text to the same id as number."""
    found: dict[str, dict[str, int]] = {kind: {} for kind in PUBLISHED}

    def note(kind: str, pk: int) -> int:
        found[kind][str(pk)] = pk
        return pk

    replace_ids(parse_content(content), note)
    return found


def format_archive(document: Document) -> str:
    return b"".join(format_lines(document)).decode()


def format_lines(document: Document) -> Iterator[bytes]:
    """Yield the lines of an archive: one for each row, with sorted keys inside of values."""
    yield b"{\n"
    last = next(reversed(document))
    for name, value in document.items():
        comma = "" if name == last else ","
        if isinstance(value, (str, int)):
            yield f"{_format_json(name)}: {_format_json(value)}{comma}\n".encode()
        elif isinstance(value, dict):
            yield f"{_format_json(name)}: {_format_row(value)}{comma}\n".encode()
        else:
            yield from _format_rows(f"{_format_json(name)}: [", value, f"]{comma}\n")
    yield b"}\n"


def _format_rows(opened: str, rows: Iterable[ArchiveRow], end: str) -> Iterator[bytes]:
    pending = ""
    for row in rows:
        yield (f"{pending},\n" if pending else f"{opened}\n").encode()
        pending = _format_row(row)
    if pending:
        yield f"{pending}\n".encode()
        yield end.encode()
    else:
        yield (opened + end).encode()


def _format_row(row: ArchiveRow) -> str:
    """Return a row as JSON. The names of fields need no escapes."""
    return "{" + ", ".join([f'"{name}": {_format_json(value)}' for name, value in row.items()]) + "}"


def _format_json(value: Any) -> str:
    """Return a value as JSON; fast for numbers and null, which are most."""
    if type(value) is int:
        return str(value)
    return "null" if value is None else _encode(value)


_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


def has_changed_since(change: Change) -> bool:
    """Return whether the club has log entries after this one."""
    return Change.objects.filter(club=change.club_id, pk__gt=change.pk).exists()
