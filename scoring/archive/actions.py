"""Import a club from its archive, completely or not at all, and undo that. The replay derives the rest of the validated rows."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import groupby, islice
from typing import Any, Final, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.archive.models import WaitingArchive
from scoring.archive.queries import (
    BATCH_SIZE,
    BY_NAME,
    CLUB_FIELDS,
    KINDS,
    ArchiveRow,
    Document,
    RowKind,
    format_lines,
    format_value,
    has_changed_since,
    read_club,
    translate_ids,
    translate_subject,
)
from scoring.cash.ledger.posting import seal
from scoring.cash.models import Entry, Leg
from scoring.cash.queries import list_broken_laws_of_club
from scoring.cash.texts import describe_broken_law
from scoring.club.actions import Actor, add_first_admin, record
from scoring.club.models import Change, Club, Verb
from scoring.club.queries import find_archive_change
from scoring.club.texts import are_describable
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.limits import short_transaction
from scoring.imports.actions import MAX_WAITING_TIME, hidden_slug, hide_club
from scoring.play.models import SEATS, Table
from scoring.play.queries import read_all_records
from scoring.play.replay import Derived, derive, insert_derived, is_before, lock_club, update_years, write_derived
from scoring.play.verify import find_refused_facts
from scoring.standings.queries.selection import list_stray_openings
from scoring.standings.texts import describe_stray_opening

T = TypeVar("T")

# The ids of the inserted rows by kind, in the order of their numbers.
Ids = dict[str, Sequence[int]]
# Entries that are written in one transaction; each has several rows.
ENTRIES_PER_BATCH: Final = 100
# Tables that are replayed in one transaction.
TABLES_PER_BATCH: Final = 5


class ArchiveRefused(InvalidInput):
    """The archive cannot be imported; `faults` are sentences, each with its place in the file."""

    sentence = gettext_lazy("Dieses Archiv lässt sich nicht einlesen.")

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__()
        self.faults = list(faults)


def parse_value(field: models.Field[Any, Any], value: Any) -> Any:
    """Return the value of a field from its JSON value. Raise ValueError unless `format_value` gives the same JSON value."""
    if isinstance(field, models.JSONField):
        return value
    wanted = bool if isinstance(field, models.BooleanField) else int if isinstance(field, models.IntegerField) else str
    if type(value) is wanted and _fits(field, value):
        with suppress(ValidationError, ValueError):
            parsed = field.to_python(value)
            if format_value(parsed) == value:
                return parsed
    raise ValueError(_("Hier steht etwas anderes, als hierher gehört."))


def _fits(field: models.Field[Any, Any], value: Any) -> bool:
    """Return whether a number fits its column in every database; SQLite would take larger ones."""
    low, high = BaseDatabaseOperations.integer_field_ranges.get(field.get_internal_type(), (value, value))
    return bool(low <= value <= high)


def insert_rows(kind: RowKind, club: Club, rows: Iterable[ArchiveRow], made: Ids) -> None:
    """Insert the rows of a kind and put their ids into `made`. `link_rows` sets references to the same kind later.
    Raise ArchiveRefused."""
    ids = array("q")
    for part in split_batches(rows):
        instances = [build_instance(kind, club, row, made) for row in part]
        try:
            with short_transaction():
                kind.model._default_manager.bulk_create(instances)
        except (IntegrityError, DataError) as error:
            first = find_refused_row(part, lambda row: build_instance(kind, club, row, made).save(force_insert=True))
            raise build_refusal(f"{kind.name}[{first['row']}]") from error
        ids.extend(instance.pk for instance in instances if isinstance(instance.pk, int))
    made[kind.name] = ids


def split_batches(rows: Iterable[T], size: int = BATCH_SIZE) -> Iterator[list[T]]:
    left = iter(rows)
    while part := list(islice(left, size)):
        yield part


def find_refused_row(rows: Sequence[T], save: Callable[[T], object]) -> T:
    """Save the rows one by one and return the first that the database refuses, else the last."""
    for row in rows:
        try:
            with transaction.atomic():
                save(row)
        except (IntegrityError, DataError):
            return row
    return rows[-1]


def build_refusal(place: str) -> ArchiveRefused:
    return ArchiveRefused([f"{place}: " + _("Das passt zu keiner anderen Zeile oder steht doppelt da.")])


def build_instance(kind: RowKind, club: Club, row: ArchiveRow, made: Ids) -> Any:
    """Return the unsaved instance of a row; references to kinds that are not inserted yet are None, or 0 inside of values."""
    values = translate_ids(kind.name, row, partial(_get_id, made))
    given: dict[str, Any] = {"club": club} if kind.club == "club" else {}
    for name, field in kind.fields.items():
        value, target = values[name], kind.targets.get(name)
        if target is not None:
            given[field.attname] = made[target][value - 1] if value and target in made else None
        else:
            given[name] = None if value is None else parse_value(field, value)
    instance = kind.model(**given)
    if kind.has_own_clean:
        # This only sets the fields that are not in the archive; the others were validated before.
        instance.clean_fields(exclude=kind.all_field_names)
        instance.clean()
    return instance


def _get_id(made: Ids, kind: str, number: int) -> int:
    """Return the id for a number: 0 for a kind that is not inserted yet; a negative number (a deleted row) stays."""
    if number < 0:
        return number
    return made[kind][number - 1] if kind in made else 0


def link_rows(document: Document, made: Ids) -> None:
    """Set the references that `insert_rows` could not: to rows of the same kind, and of log entries to months."""
    for kind in KINDS:
        if kind.name == "entries":
            continue  # inserted with their references, because entries never change
        for name in [name for name, target in kind.targets.items() if target == kind.name]:
            _update(kind, name, made, {row["row"]: made[kind.name][row[name] - 1] for row in document[kind.name] if row[name]})
        if kind.name == "changes":
            months = (row for row in document["changes"] if row["verb"].startswith("month."))
            get_id = partial(_get_id, made)
            subjects = {row["row"]: translate_subject(row["verb"], row["subject_id"], get_id) for row in months}
            _update(kind, "subject_id", made, subjects)


def _update(kind: RowKind, name: str, made: Ids, values: Mapping[int, Any]) -> None:
    """Set the field `name` of rows to `values` by the number of the row. Raise ArchiveRefused."""
    attname = "subject_id" if name == "subject_id" else kind.fields[name].attname
    for part in split_batches(values.items()):
        instances = [(number, kind.model(pk=made[kind.name][number - 1], **{attname: value})) for number, value in part]
        try:
            with short_transaction():
                kind.model._default_manager.bulk_update([instance for _number, instance in instances], [name])
        except IntegrityError as error:
            first, _instance = find_refused_row(instances, lambda one: one[1].save(update_fields=[name]))
            raise build_refusal(f"{kind.name}[{first}].{name}") from error


def refuse_faults(faults: Iterator[str]) -> None:
    if found := list(faults):
        raise ArchiveRefused(found)


def format_errors(place: str, error: ValidationError) -> list[str]:
    return [f"{place}.{name}: {text}" for name, texts in error.message_dict.items() for text in texts]


def insert_entries(club: Club, document: Document, made: Ids) -> None:
    ids = made["entries"] = array("q")
    # The indexes of the legs of each entry.
    legs_of: dict[int, list[int]] = defaultdict(list)
    for index, leg in enumerate(document["legs"]):
        legs_of[leg["entry"]].append(index)

    def insert(rows: list[ArchiveRow]) -> None:
        entries = [build_instance(BY_NAME["entries"], club, row, made) for row in rows]
        for entry in entries:
            entry.number = None
        Entry.objects.bulk_create(entries)
        ids.extend(entry.pk for entry in entries)
        legs = (document["legs"][index] for row in rows for index in legs_of[row["row"]])
        Leg.objects.bulk_create(build_instance(BY_NAME["legs"], club, leg, made) for leg in legs)
        for row, entry in zip(rows, entries, strict=True):
            entry.number = row["number"]
        seal(entries)

    for part in _batch_entries(document["entries"]):
        try:
            with short_transaction():
                insert(part)
        except (IntegrityError, DataError) as error:
            # The batch was rolled back.
            del ids[part[0]["row"] - 1 :]
            first = find_refused_row(part, lambda row: insert([row]))
            raise build_refusal(f"entries[{first['row']}]") from error


def _batch_entries(rows: Iterable[ArchiveRow]) -> Iterator[list[ArchiveRow]]:
    """Yield batches of entries. An entry is never in the same batch as the one that it reverses."""
    part: list[ArchiveRow] = []
    for row in rows:
        if row["number"] is None or (row["reverses"] or 0) >= row["row"]:
            raise ArchiveRefused([f"entries[{row['row']}]: " + _("Das ist keine Buchung, wie sie in den Büchern steht.")])
        if part and (len(part) == ENTRIES_PER_BATCH or (row["reverses"] or 0) >= part[0]["row"]):
            yield part
            part = []
        part.append(row)
    if part:
        yield part


def take_archive(*, document: Document, admin: str) -> tuple[Club, str | None]:
    """Import the archive as a club with the login `admin`; return the club, and the first password of a new login. Raise
    ArchiveRefused with faults, ValidationError for the login."""
    with hidden_slug() as slug:
        club, digest = _insert_hidden(document, slug)
        return _publish(club, document, digest, admin, Actor())


def _insert_hidden(document: Document, slug: str) -> tuple[Club, str]:
    """Insert all rows in a club that is hidden by this `slug`. Return the club, with its own slug, and the hash of its archive."""
    club = build_valid_club(document)
    own, club.slug = club.slug, slug
    club.save()
    club.slug = own
    made: Ids = {}
    for kind in KINDS:
        if kind.name == "entries":
            insert_entries(club, document, made)
        elif kind.name != "legs":
            insert_rows(kind, club, document[kind.name], made)
    link_rows(document, made)
    refuse_faults(_list_line_up_faults(club, document))
    refuse_faults(fault.replace(slug, own) for fault in _replay(club))
    for year in sorted({row["held_on"][:4] for row in document["evenings"]}):
        with short_transaction():
            update_years(club.pk, [int(year)])
    refuse_faults(describe_broken_law(fault._replace(club=own)) for fault in list_broken_laws_of_club(club))
    refuse_faults(describe_stray_opening(row).replace(slug, own) for row in list_stray_openings(club))
    _check_history(club)
    digest = _compute_digest(read_club(club) | {"program": document["program"]})
    if digest != _compute_digest(document):
        raise ArchiveRefused([_("Der Club gäbe nicht dasselbe Archiv wieder. Es ist verändert worden.")])
    return club, digest


def _compute_digest(document: Document) -> str:
    found = sha256()
    for line in format_lines(document):
        found.update(line)
    return found.hexdigest()


@transaction.atomic
def _publish(club: Club, document: Document, digest: str, admin: str, actor: Actor) -> tuple[Club, str | None]:
    """Give the hidden club its slug and its admin. Raise ArchiveRefused if the slug is taken, ValidationError for the login."""
    try:
        with transaction.atomic():
            club.save(update_fields=["slug"])
    except IntegrityError:
        refuse_faults(_list_address_faults(club.slug))
        raise
    password = add_first_admin(club=club, admin=admin)
    after = {"sha256": digest, "program": document["program"]}
    after |= {"evenings": len(document["evenings"]), "lines": len(document["games"])}
    record(club=club, actor=actor, verb=Verb.ARCHIVE_TAKEN, subject=club.pk, after=after)
    return club, password


def build_valid_club(document: Document) -> Club:
    """Return the unsaved club of an archive. Raise ArchiveRefused."""
    club = Club(**{name: document["club"][name] for name in CLUB_FIELDS})
    refuse_faults(_list_address_faults(club.slug))
    try:
        club.full_clean()
    except ValidationError as error:
        raise ArchiveRefused(format_errors("club", error)) from error
    return club


def _list_address_faults(slug: str) -> Iterator[str]:
    if Club.objects.filter(slug=slug).exists():
        sentence = _("Unter /c/%(slug)s/ gibt es hier schon einen Club. Ein Archiv braucht eine freie Adresse.")
        yield "club.slug: " + sentence % {"slug": slug}


def _list_line_up_faults(club: Club, document: Document) -> Iterator[str]:
    """Yield the faults of tables, rounds, seats and results that no page could show."""
    positions: dict[int, list[int]] = defaultdict(list)
    for row in document["rounds"]:
        positions[row["table"]].append(row["position"])
    without_games = set()
    tables = Table.objects.filter(evening__club=club).order_by("pk")
    tables = tables.select_related("evening", "rule_set", "carries_on__evening", "carries_on__rule_set")
    for number, table in enumerate(tables.iterator(chunk_size=BATCH_SIZE), 1):
        counted = sorted(positions[number])
        if counted != list(range(1, len(counted) + 1)) or bool(counted) is table.without_games:
            yield f"tables[{number}]: " + _("Die Sitzordnungen des Tisches zählen nicht von 1 an.")
        if (earlier := table.carries_on) and not (
            is_before(earlier.evening, table.evening) and earlier.rule_set.rules.carry and table.rule_set.rules.carry
        ):
            yield f"tables[{number}].carries_on: " + _("An jenem Tisch kann dieser nicht weiterspielen.")
        if table.without_games:
            without_games.add(number)
    places: dict[int, list[int]] = defaultdict(list)
    for row in document["seats"]:
        places[row["round"]].append(row["place"])
    for number in range(1, len(document["rounds"]) + 1):
        taken = sorted(places[number])
        if len(taken) not in SEATS or taken != list(range(len(taken))):
            yield f"rounds[{number}]: " + _("Die Sitze der Sitzordnung zählen nicht von 0 an, oder es sind zu wenige.")
    for row in document["results"]:
        if row["table"] not in without_games:
            yield f"results[{row['row']}].table: " + _("Was dieser Tisch brachte, folgt aus seinen Spielen.")


def _replay(club: Club) -> Iterator[str]:
    """Derive the results of all tables in order, so that open Bock games are carried on, and yield refused facts."""
    tables = Table.objects.filter(evening__club=club, without_games=False).select_related("evening", "rule_set")
    in_order = list(tables.order_by("evening__held_on", "evening", "number"))
    for carry, part in groupby(in_order, key=lambda table: table.rule_set.rules.carry):
        for batch in split_batches(part, 1 if carry else TABLES_PER_BATCH):
            records = read_all_records(batch)
            if faults := [fault for one in records for fault in find_refused_facts(one)]:
                yield from faults
                continue
            derived = [derive(one) for one in records]
            with short_transaction():
                if carry:
                    # This stores the open Bock games too. No rows are stored yet.
                    write_derived(records[0], Derived(records[0].table.pk, {}, {}, []), derived[0], careers={})
                else:
                    insert_derived(derived)


def _check_history(club: Club) -> None:
    """Raise ArchiveRefused if a log entry cannot be described, because it could not be removed later."""
    changes = Change.objects.filter(club=club).only("verb", "subject_id", "before", "after").order_by("pk")
    numbered = enumerate(changes.iterator(chunk_size=BATCH_SIZE), 1)
    for part in split_batches(numbered):
        if not are_describable([change for _number, change in part]):
            refuse_faults(
                f"changes[{number}]: " + _("Das ist kein Verlauf.") for number, change in part if not are_describable([change])
            )


@transaction.atomic
def keep_archive(*, user: User, text: str) -> WaitingArchive:
    """Store the text of an uploaded archive; it replaces an earlier one of the same user."""
    WaitingArchive.objects.filter(uploaded_at__lt=timezone.now() - MAX_WAITING_TIME).delete()
    digest = sha256(text.encode()).hexdigest()
    values = {"text": text, "digest": digest, "uploaded_at": timezone.now()}
    return WaitingArchive.objects.update_or_create(user=user, defaults=values)[0]


@transaction.atomic
def discard_archive(*, user: User) -> None:
    WaitingArchive.objects.filter(user=user).delete()


def take_waiting(*, user: User, seen: str, document: Document) -> Club:
    """Import the uploaded archive with the digest `seen`, read as `document`; the user becomes the admin. Raise
    ActionRefused and ArchiveRefused."""
    gone = ActionRefused(_("Hier wartet kein Archiv mehr, oder es ist inzwischen ein anderes. Bitte noch einmal ansehen."))
    # Compared in Python: some databases refuse some characters in a query.
    if seen not in WaitingArchive.objects.filter(user=user).values_list("digest", flat=True):
        raise gone
    waiting = WaitingArchive.objects.filter(user=user, digest=seen)
    with hidden_slug() as slug:
        club, digest = _insert_hidden(document, slug)
        with transaction.atomic():
            # After a second tap or another upload there is no row to delete.
            if not waiting.delete()[0]:
                raise gone
            return _publish(club, document, digest, user.get_username(), Actor(user))[0]


def take_archive_back(*, club: Club) -> None:
    """Delete a club that was imported from an archive, if it still gives the same archive. Raise ActionRefused."""
    built_on = ActionRefused(_("In diesem Club hat sich seither etwas geändert: Er lässt sich nicht mehr zurücknehmen."))
    taken = find_archive_change(club)
    log = taken.after if taken else None
    if taken is None or log is None:
        raise built_on
    with snapshot():
        if log["sha256"] != _compute_digest(read_club(club) | {"program": log.get("program", "")}):
            raise built_on
    with hidden_slug() as slug, transaction.atomic():
        club = lock_club(club)
        # The club may have changed since the snapshot above; every change writes a log entry.
        if has_changed_since(taken):
            raise built_on
        hide_club(club, slug)
