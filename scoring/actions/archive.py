"""Taking a club in from its archive: all of it or nothing. Every row is judged as if it had been typed, what is derived is
computed anew by the replay, and in the end the club must give the very same archive again. What was uploaded waits for
somebody to look at it; and a club that came so goes again as one step, as long as it would still give that archive."""

from __future__ import annotations

import base64
import datetime
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors.archive import ArchiveBuiltOn, ArchiveGone, ArchiveRefused
from scoring.models import (
    Club,
    Game,
    RuleSet,
    Seat,
    Table,
    Verb,
    WaitingArchive,
)
from scoring.models.play import SEATS
from scoring.queries.archive import (
    CLUB_FIELDS,
    KINDS,
    PUBLISHED,
    Document,
    Kind,
    Row,
    as_text,
    changed_since,
    ids_in,
    plain,
    read_club,
    subject_of,
    turned,
)
from scoring.queries.league import content_of_text, damaged
from scoring.queries.people import came_from_archive
from scoring.queries.records import read_records
from scoring.queries.snapshot import snapshot
from scoring.rules.refused import Refused
from scoring.words.history import entries

from .carry import comes_before
from .hidden import hidden, hide
from .history import record
from .imports import KEPT
from .judge import judge
from .people import give_admin
from .pieces import piece
from .replay import Derived, derive, store
from .verify import verify

T = TypeVar("T")

# How many rows go into the database at once, and how many changes are told at once to see whether they can be.
_AT_ONCE: Final = 500

# The rows of each kind, in the order of their numbers.
Made = dict[str, list[Any]]


def take_archive(*, document: Document, admin: str, actor: User | None = None) -> tuple[Club, str | None]:
    """The club of an archive that was read, run by the login `admin` as in `found_club`. Nobody sees any of it before all of
    it is there. Raises ArchiveRefused with everything that is wrong with it, ValidationError for the login."""
    with hidden() as slug:
        club = _arrive(document, slug)
        return _open(club, document, admin, actor)


def _arrive(document: Document, slug: str) -> Club:
    """Every row, in a club that nobody finds: `slug` is what it is called in the database, while the row that is answered
    has its own."""
    club = judged_club(document)
    own, club.slug = club.slug, slug
    club.save()
    club.slug = own
    made: Made = {}
    for kind in KINDS:
        made[kind.name] = _insert(kind, club, document[kind.name], made)
    _refer_among_themselves(document, made)
    _refuse(_line_up_faults(document, made))
    sheets = _sheets(made)
    _refuse(_line_faults(sheets))
    _refuse(_published_faults(made))
    for sheet in sheets:
        sheet.replay()
    _refuse(finding.replace(slug, own) for checked in verify(club) for finding in checked.findings)
    _refuse_what_cannot_be_shown(made["changes"])
    if as_text(read_club(club)) != as_text(document):
        raise ArchiveRefused([_("Der Club gäbe nicht dasselbe Archiv wieder. Es ist verändert worden.")])
    return club


@transaction.atomic
def _open(club: Club, document: Document, admin: str, actor: User | None) -> tuple[Club, str | None]:
    """From now on it is found. Raises ArchiveRefused where another club came to its address meanwhile, ValidationError for
    the login."""
    try:
        with transaction.atomic():
            club.save(update_fields=["slug"])
    except IntegrityError:
        _refuse(_address_faults(club.slug))
        raise
    password = give_admin(club=club, admin=admin)
    record(
        club=club,
        actor=actor,
        verb=Verb.ARCHIVE_TAKEN,
        subject=club.pk,
        after={
            "sha256": sha256(as_text(document).encode()).hexdigest(),
            "evenings": len(document["evenings"]),
            "lines": len(document["games"]),
        },
    )
    return club, password


def _refuse(faults: Iterator[str]) -> None:
    if found := list(faults):
        raise ArchiveRefused(found)


def judged_club(document: Document) -> Club:
    """The club itself, as it would be new here. Raises ArchiveRefused."""
    club = Club(**{name: document["club"][name] for name in CLUB_FIELDS})
    _refuse(_address_faults(club.slug))
    try:
        club.full_clean()
    except ValidationError as error:
        raise ArchiveRefused(_sentences("club", error)) from error
    return club


def _address_faults(slug: str) -> Iterator[str]:
    if Club.objects.filter(slug=slug).exists():
        sentence = _("Unter /c/%(slug)s/ gibt es hier schon einen Club. Ein Archiv braucht eine freie Adresse.")
        yield "club.slug: " + sentence % {"slug": slug}


def _sentences(place: str, error: ValidationError) -> list[str]:
    return [f"{place}.{name}: {text}" for name, texts in error.message_dict.items() for text in texts]


# --- Rows -------------------------------------------------------------------------------------------------------------


def value_in(field: models.Field[Any, Any], value: Any) -> Any:
    """What a field holds, from how an archive writes it down. Raises ValueError, ValidationError."""
    match field:
        case models.JSONField():
            return value
        case models.BooleanField():
            wanted: type = bool
        case models.IntegerField():
            wanted = int
        case _:
            wanted = str
    if type(value) is not wanted or (wanted is int and not _fits(field, value)):
        raise ValueError(_("Hier steht etwas anderes, als hierher gehört."))
    match field:
        case models.DateTimeField():
            return datetime.datetime.fromisoformat(value)
        case models.DateField():
            return datetime.date.fromisoformat(value)
        case models.UUIDField():
            return UUID(value)
        case models.BinaryField():
            return base64.b64decode(value, validate=True)
    return value


def _fits(field: models.Field[Any, Any], value: int) -> bool:
    """Is it a number that every database holds? Some hold larger ones."""
    name = field.get_internal_type()
    bits = 15 if "Small" in name else 63 if "Big" in name else 31
    return -(2**bits) <= value < 2**bits


def _insert(kind: Kind, club: Club, rows: list[Row], made: Made) -> list[Any]:
    """The rows of one kind, each judged by its model. What refers to its own kind does so later."""
    instances, faults = [], []
    for row in rows:
        instance = _instance(kind, club, row, made)
        try:
            clean_row(kind, instance, row)
        except ValidationError as error:
            faults += _sentences(f"{kind.name}[{row['row']}]", error)
        instances.append(instance)
    _refuse(iter(faults))
    for some in _in_turn(list(zip(rows, instances, strict=True))):
        try:
            with piece():
                kind.model._default_manager.bulk_create([instance for _row, instance in some])
        except (IntegrityError, DataError) as error:
            raise _refused_by_database(f"{kind.name}[{_first_refused(kind, club, some, made)}]") from error
    return instances


def _in_turn(rows: list[T]) -> Iterator[list[T]]:
    """As many of them as are written at once."""
    for start in range(0, len(rows), _AT_ONCE):
        yield rows[start : start + _AT_ONCE]


def _refused_by_database(place: str) -> ArchiveRefused:
    return ArchiveRefused([f"{place}: " + _("Das passt zu keiner anderen Zeile oder steht doppelt da.")])


def _instance(kind: Kind, club: Club, row: Row, made: Made) -> Any:
    values = turned(kind.name, row, _ids(made))
    instance = kind.model()
    if kind.club == "club":
        instance.club = club  # type: ignore[attr-defined]
    for name, field in kind.fields.items():
        value, target = values[name], kind.target(field)
        if target is not None:
            setattr(instance, name, made[target.name][value - 1] if value and target.name in made else None)
        else:
            setattr(instance, name, None if value is None else value_in(field, value))
    return instance


def _ids(made: Made) -> Any:
    """Turns a number into an id; of a kind that is not made yet into none, and what is no more stays so."""

    def turn(kind: str, number: int) -> int:
        if number < 0:
            return number
        return made[kind][number - 1].pk if kind in made else 0

    return turn


def clean_row(kind: Kind, instance: Any, row: Row) -> None:
    """What one row of an archive says as a row of its model. Raises ValidationError by field; also where a value would be
    put in order, and be another one then."""
    instance.clean_fields(exclude=[name for name, field in kind.fields.items() if kind.target(field)] + ["club"])
    instance.clean()
    for name, field in kind.fields.items():
        is_itself = not isinstance(field, (models.JSONField, models.ForeignKey)) and name != "subject_id"
        if is_itself and plain(getattr(instance, name)) != row[name]:
            raise ValidationError({name: _("So schreibt das Programm es nicht.")})


def _first_refused(kind: Kind, club: Club, rows: list[tuple[Row, Any]], made: Made) -> int:
    """The number of the first of these rows that the database does not take, one after the other."""
    for row, _instance_of_it in rows:
        try:
            with transaction.atomic():
                _instance(kind, club, row, made).save(force_insert=True)
        except (IntegrityError, DataError):
            return int(row["row"])
    return int(rows[-1][0]["row"])


def _refer_among_themselves(document: Document, made: Made) -> None:
    """References to rows of the same kind, and of the history to what was published."""
    for kind in KINDS:
        own = [name for name, field in kind.fields.items() if kind.target(field) is kind]
        rows = list(zip(document[kind.name], made[kind.name], strict=True))
        for name in own:
            later = {row["row"]: instance for row, instance in rows if row[name] is not None}
            for number, instance in later.items():
                setattr(instance, name, made[kind.name][document[kind.name][number - 1][name] - 1])
            _update(kind, later, name)
        if kind.name == "changes":
            months = [(row, change) for row, change in rows if row["verb"].startswith("month.")]
            for row, change in months:
                change.subject_id = subject_of(row["verb"], row["subject_id"], _ids(made))
            _update(kind, {row["row"]: change for row, change in months}, "subject_id")


def _update(kind: Kind, instances: dict[int, Any], name: str) -> None:
    """Write one field of these rows, by number."""
    for some in _in_turn(list(instances.items())):
        try:
            with piece():
                kind.model._default_manager.bulk_update([instance for _number, instance in some], [name])
        except IntegrityError as error:
            raise _refused_by_database(f"{kind.name}[{_first_not_updated(some, name)}].{name}") from error


def _first_not_updated(instances: list[tuple[int, Any]], name: str) -> int:
    for number, instance in instances:
        try:
            with transaction.atomic():
                instance.save(update_fields=[name])
        except IntegrityError:
            return number
    return instances[-1][0]


# --- What no single row says ------------------------------------------------------------------------------------------


def _line_up_faults(document: Document, made: Made) -> Iterator[str]:
    """Tables, rounds and seats as the program makes them: others could not be shown."""
    rounds, seats = _by(made["rounds"], "table_id"), _by(made["seats"], "round_id")
    for number, table in enumerate(made["tables"], 1):
        positions = sorted(one.position for one in rounds[table.pk])
        if positions != list(range(1, len(positions) + 1)) or bool(positions) is table.without_games:
            yield f"tables[{number}]: " + _("Die Runden des Tisches zählen nicht von 1 an.")
        if (earlier := table.carries_on) and not (
            comes_before(earlier.evening, table.evening) and earlier.rule_set.rules.carry and table.rule_set.rules.carry
        ):
            yield f"tables[{number}].carries_on: " + _("An jenem Tisch kann dieser nicht weiterspielen.")
    for number, line_up in enumerate(made["rounds"], 1):
        places = sorted(seat.place for seat in seats[line_up.pk])
        if len(places) not in SEATS or places != list(range(len(places))):
            yield f"rounds[{number}]: " + _("Die Plätze der Runde zählen nicht von 0 an, oder es sind zu wenige.")
    for number, result in enumerate(made["results"], 1):
        if not result.table.without_games:
            yield f"results[{number}].table: " + _("Was dieser Tisch brachte, folgt aus seinen Spielen.")


def _by(rows: list[Any], key: str) -> dict[int, list[Any]]:
    found = defaultdict(list)
    for row in rows:
        found[getattr(row, key)].append(row)
    return found


@dataclass(frozen=True)
class _Sheet:
    """One table with its rows; the lines with their numbers in the archive."""

    table: Table
    seats: list[Seat]
    lines: list[tuple[int, Game]]

    def faults(self) -> Iterator[str]:
        """The lines that stand and that the rules of the table refuse. Those struck out may be of earlier rules: `verify`
        judges them."""
        people: dict[int, int] = defaultdict(int)
        for seat in self.seats:
            people[seat.round_id] += 1
        rules: RuleSet = self.table.rule_set
        for number, game in self.lines:
            if game.deleted:
                continue
            try:
                judge(game.form, game.facts, rules.rules.at(people[game.round_id]), game.dealer)
            except Refused as refused:
                yield from (f"games[{number}].{name}: {said}" for name, said in refused.fields.items())

    def replay(self) -> None:
        """Derive what follows; what the table leaves open goes on at a later one."""
        records = read_records(self.table)
        derived = derive(records)
        with piece():
            store(records, Derived({}, {}, []), derived)


def _sheets(made: Made) -> list[_Sheet]:
    """Every table with games, in the order in which open Bock games go on."""
    seats: dict[int, list[Seat]] = defaultdict(list)
    lines: dict[int, list[tuple[int, Game]]] = defaultdict(list)
    for seat in made["seats"]:
        seats[seat.round.table_id].append(seat)
    for number, game in enumerate(made["games"], 1):
        lines[game.round.table_id].append((number, game))
    tables = [table for table in made["tables"] if not table.without_games]
    tables.sort(key=lambda table: (table.evening.held_on, table.evening.pk, table.number))
    return [_Sheet(table, seats[table.pk], lines[table.pk]) for table in tables]


def _line_faults(sheets: list[_Sheet]) -> Iterator[str]:
    for sheet in sheets:
        yield from sheet.faults()


def _published_faults(made: Made) -> Iterator[str]:
    """What was published must be what its hash says, of its month, and name the rows that it says it names."""
    if made["closings"] and damaged(made["closings"][0].season.club):
        yield "closings: " + _("Was veröffentlicht wurde, ist verändert worden.")
    for kind in ("closings", "supplements"):
        for number, row in enumerate(made[kind], 1):
            if not _is_published(kind, row):
                yield f"{kind}[{number}].content: " + _("Das ist nicht, was von einem Monat veröffentlicht wird.")


def _is_published(kind: str, row: Any) -> bool:
    try:
        named, content = ids_in(row.content), content_of_text(row.content)
        if kind == "supplements":
            sound = content["counted"]["month"] == row.about
        else:
            sound = (content["month"], content["version"]) == (row.month, row.version)
        return sound and all(named[of].keys() == row.ids[of].keys() for of in PUBLISHED)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _refuse_what_cannot_be_shown(changes: list[Any]) -> None:
    """Every row of the history can be told: nothing could take a faulty one away again."""
    for start in range(0, len(changes), _AT_ONCE):
        try:
            entries(changes[start : start + _AT_ONCE])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            place = f"changes[{start + 1}–{min(start + _AT_ONCE, len(changes))}]"
            raise ArchiveRefused([f"{place}: " + _("Das ist kein Verlauf.")]) from error


# --- What was uploaded ------------------------------------------------------------------------------------------------


@transaction.atomic
def keep_archive(*, user: User, text: str) -> WaitingArchive:
    """The text of an archive, to be looked at. Whoever uploads another one has done with the one before."""
    WaitingArchive.objects.filter(uploaded_at__lt=timezone.now() - KEPT).delete()
    digest = sha256(text.encode()).hexdigest()
    values = {"text": text, "digest": digest, "uploaded_at": timezone.now()}
    return WaitingArchive.objects.update_or_create(user=user, defaults=values)[0]


@transaction.atomic
def discard_archive(*, user: User) -> None:
    """Throw away what was uploaded and is no club yet."""
    WaitingArchive.objects.filter(user=user).delete()


def take_waiting(*, user: User, seen: str, document: Document) -> Club:
    """The club of the archive that waits and was `seen`, read as `document`; whoever uploaded it runs the club. Raises
    ArchiveGone, ArchiveRefused."""
    # Compared here: what somebody sent is no text that every database can look for.
    if seen not in WaitingArchive.objects.filter(user=user).values_list("digest", flat=True):
        raise ArchiveGone
    waiting = WaitingArchive.objects.filter(user=user, digest=seen)
    with hidden() as slug:
        club = _arrive(document, slug)
        with transaction.atomic():
            # Whoever tapped twice, or uploaded another one meanwhile, gets nothing twice.
            if not waiting.delete()[0]:
                raise ArchiveGone
            return _open(club, document, user.get_username(), user)[0]


# --- Taking back ------------------------------------------------------------------------------------------------------


def take_archive_back(*, club: Club) -> None:
    """Remove a club that came from an archive, with everything in it: nothing is lost, since it would still give that
    very archive. Raises ArchiveBuiltOn."""
    taken = came_from_archive(club)
    with snapshot():
        digest = sha256(as_text(read_club(Club.objects.get(pk=club.pk))).encode()).hexdigest()
    if taken is None or (taken.after or {})["sha256"] != digest:
        raise ArchiveBuiltOn
    with hidden() as slug, transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        list(Table.objects.select_for_update().filter(evening__club=club).order_by("pk").values_list("pk"))
        # Whatever is done stands in the history; what was read above was read before.
        if changed_since(taken):
            raise ArchiveBuiltOn
        hide(club, slug)
