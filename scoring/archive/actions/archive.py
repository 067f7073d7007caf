"""Import a club from its archive, completely or not at all. All rows were validated before; the replay derives the rest, and at
the end the archive of the new club must equal the imported one. The import can be undone in one step as long as the club has
not changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.archive.errors import ArchiveBuiltOn, ArchiveGone, ArchiveRefused
from scoring.archive.models import WaitingArchive
from scoring.archive.queries import (
    BATCH_SIZE,
    BY_NAME,
    CLUB_FIELDS,
    KINDS,
    PUBLISHED,
    Document,
    format_lines,
    has_changed_since,
    list_ids,
    read_club,
)
from scoring.cash.queries import list_broken_laws_of_club
from scoring.cash.texts import describe_broken_law
from scoring.club.actions import Actor, add_first_admin, record
from scoring.club.models import Change, Club, Verb
from scoring.club.queries import find_archive_change
from scoring.club.texts import check_description
from scoring.core.database import snapshot
from scoring.core.limits import short_transaction
from scoring.imports.actions.hidden import hidden, hide
from scoring.imports.actions.lists import KEPT
from scoring.league.queries.books import find_damaged_closings, parse_content
from scoring.play.actions import is_before, lock_club
from scoring.play.models import SEATS, Table
from scoring.play.queries import read_all_records
from scoring.play.replay import Derived, derive, insert_derived, update_years, write_derived
from scoring.play.verify import find_refused_facts
from scoring.standings.queries.selection import odd_openings
from scoring.standings.texts import odd_opening

from .books import insert_entries
from .rows import Ids, format_errors, insert_rows, link_rows, refuse, split_batches

# Tables that are replayed in one transaction.
TABLES_PER_BATCH: Final = 5


def take_archive(*, document: Document, admin: str) -> tuple[Club, str | None]:
    """Import the archive as a club with the login `admin` as in `found_club`. The club is hidden until it is complete. Raises
    ArchiveRefused with all faults, ValidationError for the login."""
    with hidden() as slug:
        club, digest = _insert_hidden(document, slug)
        return _publish(club, document, digest, admin, Actor())


def _insert_hidden(document: Document, slug: str) -> tuple[Club, str]:
    """Insert all rows in a hidden club with this `slug`. Return the club, with its own slug, and the hash of its archive, which
    equals that of the imported one."""
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
    refuse(_line_up_faults(club, document))
    refuse(_published_faults(club))
    refuse(fault.replace(slug, own) for fault in _replay(club))
    for year in sorted({row["held_on"][:4] for row in document["evenings"]}):
        with short_transaction():
            update_years(club.pk, [int(year)])
    refuse(describe_broken_law(fault._replace(club=own)) for fault in list_broken_laws_of_club(club))
    refuse(odd_opening(row).replace(slug, own) for row in odd_openings(club))
    _check_history(club)
    digest = _digest(read_club(club) | {"program": document["program"]})
    if digest != _digest(document):
        raise ArchiveRefused([_("Der Club gäbe nicht dasselbe Archiv wieder. Es ist verändert worden.")])
    return club, digest


def _digest(document: Document) -> str:
    found = sha256()
    for line in format_lines(document):
        found.update(line)
    return found.hexdigest()


@transaction.atomic
def _publish(club: Club, document: Document, digest: str, admin: str, actor: Actor) -> tuple[Club, str | None]:
    """Give the hidden club its slug and its admin. Raises ArchiveRefused if another club has the slug by now, ValidationError
    for the login."""
    try:
        with transaction.atomic():
            club.save(update_fields=["slug"])
    except IntegrityError:
        refuse(_address_faults(club.slug))
        raise
    password = add_first_admin(club=club, admin=admin)
    record(
        club=club,
        actor=actor,
        verb=Verb.ARCHIVE_TAKEN,
        subject=club.pk,
        after={
            "sha256": digest,
            "program": document["program"],
            "evenings": len(document["evenings"]),
            "lines": len(document["games"]),
        },
    )
    return club, password


def build_valid_club(document: Document) -> Club:
    """Return the unsaved club of an archive. Raises ArchiveRefused."""
    club = Club(**{name: document["club"][name] for name in CLUB_FIELDS})
    refuse(_address_faults(club.slug))
    try:
        club.full_clean()
    except ValidationError as error:
        raise ArchiveRefused(format_errors("club", error)) from error
    return club


def _address_faults(slug: str) -> Iterator[str]:
    if Club.objects.filter(slug=slug).exists():
        sentence = _("Unter /c/%(slug)s/ gibt es hier schon einen Club. Ein Archiv braucht eine freie Adresse.")
        yield "club.slug: " + sentence % {"slug": slug}


# --- Checks of several rows -------------------------------------------------------------------------------------------


def _line_up_faults(club: Club, document: Document) -> Iterator[str]:
    """Yield faults of tables, rounds and seats that could not be shown."""
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
    """Derive the results of all tables and yield refused facts. A table comes after the tables whose open Bock games it
    continues."""
    tables = Table.objects.filter(evening__club=club, without_games=False).select_related("evening", "rule_set")
    in_order = list(tables.order_by("evening__held_on", "evening", "number"))
    for carry, some in groupby(in_order, key=lambda table: table.rule_set.rules.carry):
        for batch in split_batches(some, 1 if carry else TABLES_PER_BATCH):
            records = read_all_records(batch)
            if faults := [fault for one in records for fault in find_refused_facts(one)]:
                yield from faults
                continue
            derived = [derive(one) for one in records]
            with short_transaction():
                if carry:
                    write_derived(records[0], Derived(records[0].table.pk, {}, {}, []), derived[0], careers={})
                else:
                    insert_derived(derived)


def _published_faults(club: Club) -> Iterator[str]:
    """Yield faults of published months: a wrong hash, month or list of ids."""
    if find_damaged_closings(club):
        yield "closings: " + _("Was veröffentlicht wurde, ist verändert worden.")
    for kind in (BY_NAME["closings"], BY_NAME["supplements"]):
        rows = kind.model._default_manager.filter(season__club=club).order_by("pk")
        for number, row in enumerate(rows.iterator(chunk_size=BATCH_SIZE), 1):
            if not _is_published(kind.name, row):
                yield f"{kind.name}[{number}].content: " + _("Das ist nicht, was von einem Monat veröffentlicht wird.")


def _is_published(kind: str, row: Any) -> bool:
    try:
        named, content = list_ids(row.content), parse_content(row.content)
        if kind == "supplements":
            sound = content["counted"]["month"] == row.about
        else:
            sound = (content["month"], content["version"]) == (row.month, row.version)
        return sound and all(named[of].keys() == row.ids[of].keys() for of in PUBLISHED)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _check_history(club: Club) -> None:
    """Raise ArchiveRefused if a log entry cannot be described, because it could not be removed later."""
    changes = Change.objects.filter(club=club).only("verb", "subject_id", "before", "after").order_by("pk")
    for part, some in enumerate(split_batches(changes.iterator(chunk_size=BATCH_SIZE))):
        try:
            # Without a language, because the texts are not used.
            with override(None):
                check_description(some)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            place = f"changes[{part * BATCH_SIZE + 1}–{part * BATCH_SIZE + len(some)}]"
            raise ArchiveRefused([f"{place}: " + _("Das ist kein Verlauf.")]) from error


# --- Uploads ----------------------------------------------------------------------------------------------------------


@transaction.atomic
def keep_archive(*, user: User, text: str) -> WaitingArchive:
    """Store the text of an uploaded archive; it replaces an earlier one of the same user."""
    WaitingArchive.objects.filter(uploaded_at__lt=timezone.now() - KEPT).delete()
    digest = sha256(text.encode()).hexdigest()
    values = {"text": text, "digest": digest, "uploaded_at": timezone.now()}
    return WaitingArchive.objects.update_or_create(user=user, defaults=values)[0]


@transaction.atomic
def discard_archive(*, user: User) -> None:
    """Delete the uploaded archive of a user."""
    WaitingArchive.objects.filter(user=user).delete()


def take_waiting(*, user: User, seen: str, document: Document) -> Club:
    """Import the uploaded archive with the digest `seen`, read as `document`; the user becomes the admin. Raises ArchiveGone,
    ArchiveRefused."""
    # Compared in Python: some databases refuse some characters in a query.
    if seen not in WaitingArchive.objects.filter(user=user).values_list("digest", flat=True):
        raise ArchiveGone
    waiting = WaitingArchive.objects.filter(user=user, digest=seen)
    with hidden() as slug:
        club, digest = _insert_hidden(document, slug)
        with transaction.atomic():
            # After a second tap or another upload there is no row to delete.
            if not waiting.delete()[0]:
                raise ArchiveGone
            return _publish(club, document, digest, user.get_username(), Actor(user))[0]


# --- Undo -------------------------------------------------------------------------------------------------------------


def take_archive_back(*, club: Club) -> None:
    """Delete a club that was imported from an archive, if it still gives the same archive. Raises ArchiveBuiltOn."""
    taken = find_archive_change(club)
    came = taken.after if taken else None
    if taken is None or came is None:
        raise ArchiveBuiltOn
    with snapshot():
        if came["sha256"] != _digest(read_club(club) | {"program": came.get("program", "")}):
            raise ArchiveBuiltOn
    with hidden() as slug, transaction.atomic():
        club = lock_club(club)
        # The club may have changed since the snapshot above; every change writes a log entry.
        if has_changed_since(taken):
            raise ArchiveBuiltOn
        hide(club, slug)
