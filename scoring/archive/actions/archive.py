"""Takes a club in from its archive: all of it or nothing. Every row was judged as if it had been typed, the replay derives
everything else, and at the end the club must give the very same archive again. An uploaded archive first waits until somebody
has looked at it. A club that came as an archive can be removed again in one step, as long as nothing in it has changed
since."""

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
    AT_ONCE,
    BY_NAME,
    CLUB_FIELDS,
    KINDS,
    PUBLISHED,
    Document,
    changed_since,
    ids_in,
    lines_of,
    read_club,
)
from scoring.cash.queries.verify import faults_of
from scoring.cash.words.verify import broken
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
from scoring.standings.queries.openings import odd_openings
from scoring.standings.words import odd_opening

from .books import insert_entries
from .rows import Made, in_turn, insert, refer_among_themselves, refuse, sentences

# Of how many tables is derived at once what follows from them.
TABLES_AT_ONCE: Final = 5


def take_archive(*, document: Document, admin: str) -> tuple[Club, str | None]:
    """The club of an archive that was read, run by the login `admin` as in `found_club`. Nobody sees any of it before all of
    it is there. Raises ArchiveRefused with everything that is wrong with it, ValidationError for the login."""
    with hidden() as slug:
        club, digest = _arrive(document, slug)
        return _open(club, document, digest, admin, Actor())


def _arrive(document: Document, slug: str) -> tuple[Club, str]:
    """Every row, in a club that nobody finds: `slug` is what it is called in the database, while the row that is answered
    has its own. And the hash of the archive that it gives, which is the one of what came."""
    club = judged_club(document)
    own, club.slug = club.slug, slug
    club.save()
    club.slug = own
    made: Made = {}
    for kind in KINDS:
        if kind.name == "entries":
            insert_entries(club, document, made)
        elif kind.name != "legs":
            insert(kind, club, document[kind.name], made)
    refer_among_themselves(document, made)
    refuse(_line_up_faults(club, document))
    refuse(_published_faults(club))
    refuse(fault.replace(slug, own) for fault in _replay(club))
    for year in sorted({row["held_on"][:4] for row in document["evenings"]}):
        with short_transaction():
            update_years(club.pk, [int(year)])
    refuse(broken(fault._replace(club=own)) for fault in faults_of(club))
    refuse(odd_opening(row).replace(slug, own) for row in odd_openings(club))
    _refuse_what_cannot_be_shown(club)
    digest = _digest(read_club(club) | {"program": document["program"]})
    if digest != _digest(document):
        raise ArchiveRefused([_("Der Club gäbe nicht dasselbe Archiv wieder. Es ist verändert worden.")])
    return club, digest


def _digest(document: Document) -> str:
    found = sha256()
    for line in lines_of(document):
        found.update(line)
    return found.hexdigest()


@transaction.atomic
def _open(club: Club, document: Document, digest: str, admin: str, actor: Actor) -> tuple[Club, str | None]:
    """From now on it is found. Raises ArchiveRefused where another club came to its address meanwhile, ValidationError for
    the login."""
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


def judged_club(document: Document) -> Club:
    """The club itself, as it would be new here. Raises ArchiveRefused."""
    club = Club(**{name: document["club"][name] for name in CLUB_FIELDS})
    refuse(_address_faults(club.slug))
    try:
        club.full_clean()
    except ValidationError as error:
        raise ArchiveRefused(sentences("club", error)) from error
    return club


def _address_faults(slug: str) -> Iterator[str]:
    if Club.objects.filter(slug=slug).exists():
        sentence = _("Unter /c/%(slug)s/ gibt es hier schon einen Club. Ein Archiv braucht eine freie Adresse.")
        yield "club.slug: " + sentence % {"slug": slug}


# --- What no single row says ------------------------------------------------------------------------------------------


def _line_up_faults(club: Club, document: Document) -> Iterator[str]:
    """Tables, rounds and seats as the program makes them: others could not be shown."""
    positions: dict[int, list[int]] = defaultdict(list)
    for row in document["rounds"]:
        positions[row["table"]].append(row["position"])
    without_games = set()
    tables = Table.objects.filter(evening__club=club).order_by("pk")
    tables = tables.select_related("evening", "rule_set", "carries_on__evening", "carries_on__rule_set")
    for number, table in enumerate(tables.iterator(chunk_size=AT_ONCE), 1):
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
    """What is refused of the facts; of the others derive what follows, in the order in which open Bock games go on: what a table
    leaves open must be there for the next."""
    tables = Table.objects.filter(evening__club=club, without_games=False).select_related("evening", "rule_set")
    in_order = list(tables.order_by("evening__held_on", "evening", "number"))
    for carry, some in groupby(in_order, key=lambda table: table.rule_set.rules.carry):
        for at_once in in_turn(some, 1 if carry else TABLES_AT_ONCE):
            records = read_all_records(at_once)
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
    """What was published must be what its hash says, of its month, and name the rows that it says it names."""
    if find_damaged_closings(club):
        yield "closings: " + _("Was veröffentlicht wurde, ist verändert worden.")
    for kind in (BY_NAME["closings"], BY_NAME["supplements"]):
        rows = kind.model._default_manager.filter(season__club=club).order_by("pk")
        for number, row in enumerate(rows.iterator(chunk_size=AT_ONCE), 1):
            if not _is_published(kind.name, row):
                yield f"{kind.name}[{number}].content: " + _("Das ist nicht, was von einem Monat veröffentlicht wird.")


def _is_published(kind: str, row: Any) -> bool:
    try:
        named, content = ids_in(row.content), parse_content(row.content)
        if kind == "supplements":
            sound = content["counted"]["month"] == row.about
        else:
            sound = (content["month"], content["version"]) == (row.month, row.version)
        return sound and all(named[of].keys() == row.ids[of].keys() for of in PUBLISHED)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _refuse_what_cannot_be_shown(club: Club) -> None:
    """Every row of the history can be told: nothing could take a faulty one away again."""
    changes = Change.objects.filter(club=club).only("verb", "subject_id", "before", "after").order_by("pk")
    for part, some in enumerate(in_turn(changes.iterator(chunk_size=AT_ONCE))):
        try:
            # In no language: nobody reads it.
            with override(None):
                check_description(some)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            place = f"changes[{part * AT_ONCE + 1}–{part * AT_ONCE + len(some)}]"
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
        club, digest = _arrive(document, slug)
        with transaction.atomic():
            # Whoever tapped twice, or uploaded another one meanwhile, gets nothing twice.
            if not waiting.delete()[0]:
                raise ArchiveGone
            return _open(club, document, digest, user.get_username(), Actor(user))[0]


# --- Taking back ------------------------------------------------------------------------------------------------------


def take_archive_back(*, club: Club) -> None:
    """Remove a club that came from an archive, with everything in it: nothing is lost, since it would still give that
    very archive. Raises ArchiveBuiltOn."""
    taken = find_archive_change(club)
    came = taken.after if taken else None
    if taken is None or came is None:
        raise ArchiveBuiltOn
    with snapshot():
        if came["sha256"] != _digest(read_club(club) | {"program": came.get("program", "")}):
            raise ArchiveBuiltOn
    with hidden() as slug, transaction.atomic():
        club = lock_club(club)
        # Whatever is done stands in the history; what was read above was read before.
        if changed_since(taken):
            raise ArchiveBuiltOn
        hide(club, slug)
