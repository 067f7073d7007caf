"""Taking a club in from its archive: all of it or nothing. Every row is judged as if it had been typed, what is derived is
computed anew by the replay, and in the end the club must give the very same archive again. What was uploaded waits for
somebody to look at it; and a club that came so goes again as one step, as long as it would still give that archive."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.archive.errors import ArchiveBuiltOn, ArchiveGone, ArchiveRefused
from scoring.archive.models import WaitingArchive
from scoring.archive.queries import (
    CLUB_FIELDS,
    KINDS,
    PUBLISHED,
    Document,
    as_text,
    changed_since,
    club_archive,
    ids_in,
    read_club,
)
from scoring.cash.queries.verify import faults_of
from scoring.club.actions.history import Actor, record
from scoring.club.actions.people import give_admin
from scoring.club.models.history import Verb
from scoring.club.models.people import Club
from scoring.club.queries import came_from_archive
from scoring.core.pieces import piece
from scoring.history.words import tell
from scoring.imports.actions.hidden import hidden, hide
from scoring.imports.actions.lists import KEPT
from scoring.league.queries.books import content_of_text, damaged
from scoring.play.actions.carry import comes_before
from scoring.play.actions.judge import judge
from scoring.play.actions.replay import Derived, derive, store
from scoring.play.actions.verify import verify
from scoring.play.actions.years import recount
from scoring.play.models import SEATS, Game, Seat, Table
from scoring.play.queries.records import read_records
from scoring.rules.refused import Refused
from scoring.rulesets.models import RuleSet
from scoring.standings.queries.openings import odd_openings

from .books import insert_entries
from .rows import AT_ONCE, Made, insert, refer_among_themselves, refuse, sentences


def take_archive(*, document: Document, admin: str) -> tuple[Club, str | None]:
    """The club of an archive that was read, run by the login `admin` as in `found_club`. Nobody sees any of it before all of
    it is there. Raises ArchiveRefused with everything that is wrong with it, ValidationError for the login."""
    with hidden() as slug:
        club = _arrive(document, slug)
        return _open(club, document, admin, Actor())


def _arrive(document: Document, slug: str) -> Club:
    """Every row, in a club that nobody finds: `slug` is what it is called in the database, while the row that is answered
    has its own."""
    club = judged_club(document)
    own, club.slug = club.slug, slug
    club.save()
    club.slug = own
    made: Made = {}
    for kind in KINDS:
        if kind.name == "entries":
            insert_entries(club, document, made)
        elif kind.name != "legs":
            made[kind.name] = insert(kind, club, document[kind.name], made)
    refer_among_themselves(document, made)
    refuse(_line_up_faults(made))
    sheets = _sheets(made)
    refuse(_line_faults(sheets))
    refuse(_published_faults(made))
    for sheet in sheets:
        sheet.replay()
    with piece():
        recount(club.pk)
    refuse(finding.replace(slug, own) for checked in verify(club) for finding in checked.findings)
    refuse(f"{own}, {fault}" for fault in faults_of(club))
    refuse(fault.replace(slug, own) for fault in odd_openings(club))
    _refuse_what_cannot_be_shown(made["changes"])
    if as_text(read_club(club)) != as_text(document):
        raise ArchiveRefused([_("Der Club gäbe nicht dasselbe Archiv wieder. Es ist verändert worden.")])
    return club


@transaction.atomic
def _open(club: Club, document: Document, admin: str, actor: Actor) -> tuple[Club, str | None]:
    """From now on it is found. Raises ArchiveRefused where another club came to its address meanwhile, ValidationError for
    the login."""
    try:
        with transaction.atomic():
            club.save(update_fields=["slug"])
    except IntegrityError:
        refuse(_address_faults(club.slug))
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


def _line_up_faults(made: Made) -> Iterator[str]:
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
            store(records, Derived(self.table.pk, {}, {}, []), derived)


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
    for start in range(0, len(changes), AT_ONCE):
        try:
            tell(changes[start : start + AT_ONCE])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            place = f"changes[{start + 1}–{min(start + AT_ONCE, len(changes))}]"
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
            return _open(club, document, user.get_username(), Actor(user))[0]


# --- Taking back ------------------------------------------------------------------------------------------------------


def take_archive_back(*, club: Club) -> None:
    """Remove a club that came from an archive, with everything in it: nothing is lost, since it would still give that
    very archive. Raises ArchiveBuiltOn."""
    taken = came_from_archive(club)
    if taken is None or (taken.after or {})["sha256"] != sha256(club_archive(club)).hexdigest():
        raise ArchiveBuiltOn
    with hidden() as slug, transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        list(Table.objects.select_for_update().filter(evening__club=club).order_by("pk").values_list("pk"))
        # Whatever is done stands in the history; what was read above was read before.
        if changed_since(taken):
            raise ArchiveBuiltOn
        hide(club, slug)
