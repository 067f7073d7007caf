"""Take in old lists, opening standings and an old Kasse, each in one step that can be undone in one step.

A file is stored until the user has checked its preview. Importing the same upload again changes nothing; a list that was uploaded
again counts twice (its preview warns), and of the Kasse only entries that are not booked yet are booked. Evenings without games
become results as facts; games become lines like any other, and the replay derives the rest.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import ProtectedError, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.accounts.models import JoinLink
from scoring.cash.evening.actions import preview_change
from scoring.cash.evening.posting import delete_or_drop_evening, drop_evening
from scoring.cash.evening.queries import CostChange
from scoring.cash.ledger.posting import lock_books, post_all, reverse_all
from scoring.cash.ledger.texts import KASSE_UNDONE
from scoring.cash.models import (
    Attendance,
    BookYear,
    Countersignature,
    DuesStatus,
    Entry,
    Fine,
    Kind,
    Leg,
    SettlementLine,
)
from scoring.cash.rules.money import DueLeg, build_member_account
from scoring.club.actions import Actor, add_player, record
from scoring.club.models import HIDDEN_PREFIX, Change, Club, Membership, Player, Verb
from scoring.core.dates import require_not_in_future
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.limits import process_lock, short_transaction
from scoring.evenings.actions import correct_evening
from scoring.league.actions import MonthChanges, collect_month_changes
from scoring.league.models import MonthClosing, Supplement
from scoring.play.models import POSITION_STEP, SEATS, Evening, Game, Round, Seat, Table, TableResult
from scoring.play.queries import Records
from scoring.play.replay import WrongLineUp, derive, insert_derived, update_years
from scoring.rules.parsing import normalize_facts
from scoring.rules.settings import resolve
from scoring.rulesets.actions import add_rule_set
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding
from scoring.table.actions.tables import remove_tables
from scoring.table.models import LateEntry, TableLink

from .models import Import
from .queries import (
    count_undone,
    has_changed_evenings,
    has_changed_people_or_rules,
    has_dependents,
    list_booked_entries,
    list_removable_players,
    list_removable_rule_sets,
    list_unbooked,
)
from .rules import KasseRow

# How long a file waits to be taken in.
MAX_WAITING_TIME: Final = datetime.timedelta(days=1)
# How many rows one file may write: 25,000 evenings of four people, or 24,000 games at 400 evenings.
MAX_WRITTEN: Final = 150_000
# How many rows one transaction writes, in a twentieth of a second: other writers wait meanwhile.
WRITTEN_AT_ONCE: Final = 1000
# The rules of old games: the tournament rules without the settings that the file does not show.
OLD_RULES: Final = "ddv"
OLD_SETTINGS: Final[Mapping[str, Any]] = {"duty_solo": None, "bock": None}

TOO_BIG: Final = _("Das ist zu viel auf einmal. Bitte die Datei teilen, zum Beispiel nach Jahren.")
WITHOUT_BOCK: Final = _("Was ein Spiel brachte, steht in der Datei schon mit Bock. Bitte ein Regelwerk ohne Bock wählen.")
MEANWHILE: Final = _("Personen oder Regeln dieser Datei haben sich inzwischen geändert. Bitte noch einmal ansehen.")
BOOKED_ALREADY: Final = _("Diese Datei ist schon gebucht. Noch einmal gebucht wird nichts.")


def build_old_rules(name: str, unit: str = RuleSet.Unit.POINTS) -> RuleSet:
    """Build an unsaved rule set for an old list."""
    return RuleSet(name=name, unit=unit, settings=resolve({"base": OLD_RULES, **OLD_SETTINGS, "unit": str(unit)}))


# A row of a worksheet as a line of the score sheet: its form (SHORT for a game), and its facts with seats numbered as in its
# sitting.
ListLine = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Sitting:
    """An evening of a file: the points by column, in seating order, its lines if it has any, its place and a remark about it."""

    held_on: datetime.date
    points: Mapping[int, int]
    lines: Sequence[ListLine] = field(default=())
    place: str = ""
    note: str = ""


def is_too_big(sittings: Iterable[Sitting]) -> bool:
    return sum(map(_count_rows, sittings)) > MAX_WRITTEN


def _count_rows(sitting: Sitting) -> int:
    """Count the rows to write: evening, table and results; with lines also a round, seats, and per line about six rows."""
    people, lines = len(sitting.points), len(sitting.lines)
    return 2 + people + (1 + people + 6 * lines if lines else 0)


@transaction.atomic
def store_file(*, club: Club, actor: Actor, kind: str, file_name: str, digest: str, sheets: Sequence[Mapping[str, Any]]) -> Import:
    """Store what was read from a file for its preview. It replaces the waiting files of the same user."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    waiting = Import.objects.filter(club=club, imported_at=None, tables=None)
    waiting.filter(imported_by=actor.login).delete()
    file = Import(club=club, kind=kind, file_name=file_name, digest=digest, sheets=list(sheets), imported_by=actor.login)
    file.full_clean()
    file.save()
    return file


def lock_file(file: Import) -> tuple[Club, Import]:
    """Lock the club and the file until the transaction ends. Raise ActionRefused if the file was discarded."""
    club = Club.objects.select_for_update(no_key=True).get(pk=file.club_id)
    locked = Import.objects.select_for_update().filter(pk=file.pk).first()
    if locked is None:
        raise ActionRefused(_("Diese Datei wurde inzwischen verworfen. Bitte noch einmal hochladen."))
    return club, locked


def _lock_taken(file: Import) -> tuple[Club, Import]:
    """Lock a club and a file that was taken in. Raise ActionRefused."""
    club = Club.objects.select_for_update(no_key=True).get(pk=file.club_id)
    locked = Import.objects.select_for_update().get(pk=file.pk)
    if not locked.is_taken or locked.undone_at is not None:
        raise ActionRefused(_("Diese Datei ist nicht übernommen, oder sie ist schon zurückgenommen."))
    return club, locked


def add_people(club: Club, actor: Actor, people: Mapping[int, Player]) -> tuple[dict[int, Player], dict[str, list[int]]]:
    """Add the new players, which are unsaved; return all players by column or row, and the ids for `Import.made`. Raise
    ActionRefused."""
    _refuse_missing(club, {one.pk for one in people.values() if one.pk})
    players = {
        place: one if one.pk else add_player(club=club, actor=actor, name=one.name) for place, one in people.items()
    }
    made = [players[place].pk for place, one in people.items() if not one.pk]
    return players, {"players": made, "rule_sets": []}


def _refuse_missing(club: Club, people: Collection[int]) -> None:
    """Raise ActionRefused if one of these players was merged or removed meanwhile."""
    if Player.objects.filter(pk__in=people, club=club, merged_into=None).count() < len(people):
        raise ActionRefused(MEANWHILE)


@transaction.atomic
def discard_file(*, file: Import) -> None:
    """Delete a waiting file, unless it is being taken in."""
    Import.objects.filter(pk=file.pk, imported_at=None, tables=None).delete()


def take_list(
    *,
    file: Import,
    actor: Actor,
    kind: str,
    sittings: Sequence[Sitting],
    people: Mapping[int, Player],
    rules: RuleSet,
    report: Mapping[str, Any],
) -> Import:
    """Write the evenings of a list, closed, for the people of its columns. Unsaved people and rules are added. A file that is
    already taken in changes nothing.

    Rules must be without Bock if there are lines. The rows are written in short transactions to a hidden club and appear in the
    club in the last one. Raise ValidationError, WrongLineUp, InvalidInput if it is too much or the rules have Bock, and
    ActionRefused if the file was discarded, or players or rules have changed.
    """
    if is_too_big(sittings):
        raise InvalidInput(TOO_BIG)
    if taken := Import.objects.filter(pk=file.pk, imported_at__isnull=False).first():
        return taken
    with hidden_slug() as slug:
        arrival = _begin(file, actor, slug, sittings, people, rules)
        for part in _split(sittings):
            with short_transaction():
                _write(arrival, part)
        return _finish(arrival, kind, sittings, report)


@dataclass(frozen=True)
class _Arrival:
    """A list that is being written: its file, the hidden club with its rows, all players by column, and the `new` rows among the
    players and rule sets."""

    file: Import
    actor: Actor
    at: datetime.datetime
    hidden_club: Club
    players: Mapping[int, Player]
    rules: RuleSet
    new: Sequence[RuleSet | Player]


@transaction.atomic
def _begin(
    file: Import,
    actor: Actor,
    slug: str,
    sittings: Sequence[Sitting],
    people: Mapping[int, Player],
    rules: RuleSet,
) -> _Arrival:
    """Create the hidden club with the new players and rule sets, which are validated for the club they will belong to."""
    club = Club.objects.get(pk=file.club_id)
    arriving = Club.with_hidden.create(name=club.name, slug=slug)
    new: list[RuleSet | Player] = []
    if not rules.pk:
        rules = add_rule_set(club=arriving, actor=actor, preset=OLD_RULES, name=rules.name, settings=rules.settings)
        new.append(rules)
    players: dict[int, Player] = {}
    for column, person in people.items():
        if not person.pk:
            person = add_player(club=arriving, actor=actor, name=person.name, guest=person.guest)
            new.append(person)
        players[column] = person
    for row in new:
        row.club = club
        row.full_clean()
    _check(club, rules, players, sittings)
    return _Arrival(file, actor, timezone.now(), arriving, players, rules, new)


@transaction.atomic
def _finish(arrival: _Arrival, kind: str, sittings: Sequence[Sitting], report: Mapping[str, Any]) -> Import:
    """Move everything to its club, unless players or rules have changed meanwhile. Raise ActionRefused."""
    club, locked = lock_file(arrival.file)
    if locked.is_taken:
        return locked
    for row in arrival.new:
        row.full_clean()
        row.save(update_fields=["club"])
    _refuse_missing(club, {player.pk for player in arrival.players.values()})
    if not RuleSet.objects.filter(pk=arrival.rules.pk, club=club).exists():
        raise ActionRefused(MEANWHILE)
    Evening.objects.filter(club=arrival.hidden_club).update(club=club)
    Change.objects.filter(club=arrival.hidden_club).update(club=club)
    update_years(club.pk, {sitting.held_on.year for sitting in sittings})
    locked.kind, locked.sheets, locked.imported_at, locked.imported_by = kind, None, arrival.at, arrival.actor.login
    locked.report = dict(report)
    locked.made = {
        "players": [row.pk for row in arrival.new if isinstance(row, Player)],
        "rule_sets": [row.pk for row in arrival.new if isinstance(row, RuleSet)],
    }
    locked.save()
    lines = sum(len(sitting.lines) for sitting in sittings)
    after = {"rule_sets": [arrival.rules.pk], "evenings": len(sittings), "lines": lines}
    record(club=club, actor=arrival.actor, verb=Verb.IMPORT_TAKEN, subject=locked.pk, after=after)
    return locked


def _split(sittings: Sequence[Sitting]) -> Iterator[Sequence[Sitting]]:
    part: list[Sitting] = []
    rows = 0
    for sitting in sittings:
        if rows >= WRITTEN_AT_ONCE:
            yield part
            part, rows = [], 0
        part.append(sitting)
        rows += _count_rows(sitting)
    if part:
        yield part


def _check(club: Club, rules: RuleSet, players: Mapping[int, Player], sittings: Sequence[Sitting]) -> None:
    theirs = {rules.club_id, *(player.club_id for player in players.values())}
    if theirs != {club.pk} or len(set(players.values())) < len(players):
        raise WrongLineUp
    for sitting in sittings:
        if sitting.lines and len(sitting.points) not in SEATS:
            raise WrongLineUp
        if sitting.lines and rules.rules.at(len(sitting.points)).has_bock:
            raise InvalidInput(WITHOUT_BOCK)


def _write(arrival: _Arrival, sittings: Sequence[Sitting]) -> None:
    """Write evenings with one statement for each table: an old list has hundreds of evenings."""
    evenings = Evening.objects.bulk_create(
        Evening(
            club=arrival.hidden_club,
            held_on=sitting.held_on,
            place=sitting.place,
            note=sitting.note,
            closed_at=arrival.at,
            closed_by=arrival.actor.login,
        )
        for sitting in sittings
    )
    tables = Table.objects.bulk_create(
        Table(evening=evening, number=1, rule_set=arrival.rules, imported=arrival.file, without_games=not sitting.lines)
        for evening, sitting in zip(evenings, sittings, strict=True)
    )
    both = list(zip(tables, sittings, strict=True))
    _write_results([(table, sitting) for table, sitting in both if not sitting.lines], arrival.players)
    _write_lines(arrival, [(table, sitting) for table, sitting in both if sitting.lines])


def _write_results(tables: Sequence[tuple[Table, Sitting]], players: Mapping[int, Player]) -> None:
    """Write results without games. Only here results are not derived."""
    nothing = dict.fromkeys(("games", "wins", "solos", "solos_won", "solo_points"), 0)
    TableResult.objects.bulk_create(
        TableResult(table=table, player=players[column], points=points, **nothing)
        for table, sitting in tables
        for column, points in sitting.points.items()
    )


def _write_lines(arrival: _Arrival, tables: Sequence[tuple[Table, Sitting]]) -> None:
    rounds = Round.objects.bulk_create(Round(table=table, position=1) for table, _sitting in tables)
    records = [
        Records(
            table=table,
            rounds=[round_],
            line_ups={round_.pk: [arrival.players[column] for column in sitting.points]},
            games=_build_games(arrival, round_, sitting),
            deleted=[],
            carried=[],
        )
        for round_, (table, sitting) in zip(rounds, tables, strict=True)
    ]
    Seat.objects.bulk_create(
        Seat(round_id=round_id, place=place, player=player)
        for of_table in records
        for round_id, people in of_table.line_ups.items()
        for place, player in enumerate(people)
    )
    Game.objects.bulk_create(game for of_table in records for game in of_table.games)
    insert_derived(map(derive, records))


def _build_games(arrival: _Arrival, round_: Round, sitting: Sitting) -> list[Game]:
    return [
        Game(
            round=round_,
            position=number * POSITION_STEP,
            form=form,
            facts=normalize_facts(facts),
            entered_by=arrival.actor.login,
        )
        for number, (form, facts) in enumerate(sitting.lines, 1)
    ]


# --- Taking back ------------------------------------------------------------------------------------------------------


def undo_import(*, file: Import, actor: Actor) -> None:
    """Remove everything that was taken in from this file, with the players and rule sets that nothing else needs.

    Everything moves to a hidden club, which is then removed. Raise ActionRefused if the file is not taken in, other data depends
    on it, or it was changed.
    """
    with hidden_slug() as slug, transaction.atomic():
        _move_to_hidden_club(file, actor, slug)


def find_obstacle(file: Import) -> str:
    """Return why this file cannot be undone, or an empty string."""
    if has_changed_evenings(file):
        return str(
            _(
                "An den übernommenen Abenden hat sich seither etwas geändert, oder etwas anderes hängt an ihnen: "
                "Sie lassen sich nicht mehr zurücknehmen."
            )
        )
    if has_changed_people_or_rules(file):
        return str(
            _(
                "Personen oder Regeln dieser Datei wurden seit der Übernahme geändert oder zusammengeführt: "
                "Sie lässt sich nicht mehr zurücknehmen."
            )
        )
    return ""


def _move_to_hidden_club(file: Import, actor: Actor, slug: str) -> None:
    club, locked = _lock_taken(file)
    list(Table.objects.select_for_update().filter(imported=locked).order_by("pk").values_list("pk"))
    evenings = Evening.objects.filter(club=club, pk__in=Table.objects.filter(imported=locked).values("evening"))
    if obstacle := find_obstacle(locked):
        raise ActionRefused(obstacle)
    years = {day.year for day in evenings.values_list("held_on", flat=True)}
    leaving = Club.with_hidden.create(name=club.name, slug=slug)
    list_removable_players(locked).update(club=leaving)
    openings = locked.openings.all().delete()[0]
    list_removable_rule_sets(locked).update(club=leaving)
    TableLink.objects.filter(table__imported=locked).delete()
    # Bookings stay in the club: their evenings are dropped instead of moved.
    dropped = list(evenings.filter(Q(tariff__isnull=False) | Q(entries__isnull=False)).distinct().select_related("club"))
    count = evenings.exclude(pk__in=[evening.pk for evening in dropped]).update(club=leaving) + len(dropped)
    remove_tables(Table.objects.filter(evening__in=dropped))
    update_years(club.pk, years)
    for evening in dropped:
        drop_evening(evening, actor=actor)
    locked.undone_at = timezone.now()
    locked.save(update_fields=["undone_at"])
    before = {"opened": openings} if locked.kind == Import.Kind.SUMS else {"evenings": count}
    record(club=club, actor=actor, verb=Verb.IMPORT_UNDONE, subject=locked.pk, before=before)


# --- Opening standings ------------------------------------------------------------------------------------------------


@transaction.atomic
def take_opening(
    *,
    club: Club,
    actor: Actor,
    file_name: str,
    unit: str,
    until: datetime.date,
    people: Mapping[int, Player],
    figures: Mapping[int, Mapping[str, int | None]],
) -> Import:
    """Write what these people had up to this day, by row of the list; the figures by field, None for an unknown one.

    Raise ValidationError, and ActionRefused if players have changed or one already has an opening standing: a second one would
    count everything twice.
    """
    require_not_in_future("until", until)
    club = Club.objects.select_for_update().get(pk=club.pk)
    players, made = add_people(club, actor, people)
    if OpeningStanding.objects.filter(player__in=players.values(), unit=unit).exists():
        raise ActionRefused(_(
            "Für jemanden auf dieser Liste gibt es schon einen Anfangsstand. Bitte den anderen zuerst zurücknehmen, oder die "
            "Person auslassen."
        ))
    report = {"until": until.isoformat(), "people": len(players), "points": sum(figures[row]["points"] or 0 for row in players)}
    file = Import(club=club, kind=Import.Kind.SUMS, file_name=file_name, made=made, report=report)
    file.imported_at, file.imported_by = timezone.now(), actor.login
    file.full_clean()
    file.save()
    openings = [
        OpeningStanding(imported=file, player=player, unit=unit, until=until, **figures[row])
        for row, player in players.items()
    ]
    for opening in openings:
        opening.full_clean()
    OpeningStanding.objects.bulk_create(openings)
    record(club=club, actor=actor, verb=Verb.IMPORT_TAKEN, subject=file.pk, after={"opened": len(openings)})
    return file


# --- The Kasse --------------------------------------------------------------------------------------------------------


# Nineteen years of weekly evenings; the row of an evening becomes two entries.
MAX_ROWS: Final = 1_000


@transaction.atomic
def book_kasse(
    *,
    file: Import,
    actor: Actor,
    kind: str,
    sheet: int,
    rows: Sequence[KasseRow],
    people: Mapping[int, Player],
    report: Mapping[str, Any],
) -> Import:
    """Book these rows of a sheet (`sheet` counts from 0), except those that are booked already. A file that is already taken in
    changes nothing. The report stores each row with the number of times it was undone before, which its keys contain.

    Raise ValidationError, InvalidInput if it is too much, ActionRefused if the file was discarded or is booked already, or
    players have changed, and what `post_all` raises.
    """
    if len(rows) > MAX_ROWS:
        raise InvalidInput(TOO_BIG)
    club, locked = lock_file(file)
    if locked.is_taken:
        return locked
    players, locked.made = add_people(club, actor, people)
    lock_books(club)
    missing = list_unbooked(locked, sheet, rows)
    if not missing:
        raise ActionRefused(BOOKED_ALREADY)
    entries = post_all(club=club, actor=actor, entries=[_build_entry(club, players, *one) for one in missing])
    times_undone = count_undone(locked, sheet)
    numbers = dict.fromkeys(row.number for row, _part, _key in missing)
    locked.kind, locked.sheets, locked.imported_at, locked.imported_by = kind, None, timezone.now(), actor.login
    locked.report = {**report, "sheet": sheet, "rows": [[number, times_undone[number]] for number in numbers]}
    locked.save()
    record(club=club, actor=actor, verb=Verb.IMPORT_TAKEN, subject=locked.pk, after={"entries": len(entries)})
    return locked


def _build_entry(
    club: Club, players: Mapping[int, Player], row: KasseRow, part: str, key: UUID
) -> tuple[Entry, list[DueLeg]]:
    legs = [
        DueLeg(
            move.kind,
            build_member_account(players[move.account].pk) if isinstance(move.account, int) else move.account,
            move.cents,
        )
        for move in row.entries[part]
    ]
    return Entry(club=club, key=key, kind=Kind(part), date=row.date, reason=row.reason), legs


@transaction.atomic
def undo_kasse(*, file: Import, actor: Actor) -> None:
    """Reverse everything that this file booked, each entry on its own day. Its new players stay: the books refer to them.

    Raise ActionRefused if it is not taken in, or other entries depend on it.
    """
    club, locked = _lock_taken(file)
    lock_books(club)
    if has_dependents(locked):
        raise ActionRefused(_(
            "Auf diesen Buchungen steht inzwischen anderes: Ein Monat ist über ihnen abgeschlossen, oder eine von ihnen ist "
            "storniert. Zusammen lassen sie sich nicht mehr zurücknehmen; bitte einzeln stornieren."
        ))
    reversals = reverse_all(club=club, actor=actor, entries=list(list_booked_entries(locked)), reason=KASSE_UNDONE)
    locked.undone_at = timezone.now()
    locked.save(update_fields=["undone_at"])
    record(club=club, actor=actor, verb=Verb.IMPORT_UNDONE, subject=locked.pk, before={"entries": len(reversals)})


# --- Correcting evenings ----------------------------------------------------------------------------------------------


@transaction.atomic
def remove_evening(*, evening: Evening, actor: Actor) -> None:
    """Remove one evening of a list; with bookings it is dropped instead. Raise ActionRefused if other data depends on it."""
    # `no_key` leaves their keys free: a writer that holds the table can still refer to the club and the evening.
    Club.objects.select_for_update(no_key=True).get(pk=evening.club_id)
    locked = Evening.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=evening.pk)
    table = Table.objects.select_for_update().get(evening=locked, imported__isnull=False)
    changed = Change.objects.filter(table=table).exclude(verb=Verb.EVENING_MENDED)
    others = Table.objects.filter(evening=locked).exclude(pk=table.pk)
    late = LateEntry.objects.filter(table=table)
    carried = Table.objects.filter(carries_on__evening=locked)
    if any(rows.exists() for rows in (carried, changed, others, late)):
        raise ActionRefused(
            _("An diesem Abend hat sich seither etwas geändert, oder etwas anderes hängt an ihm: Das geht nicht mehr.")
        )
    results = list(TableResult.objects.filter(table=table).order_by("player_id").values_list("player_id", "points"))
    before = {
        "held_on": locked.held_on.isoformat(),
        "players": [player for player, _points in results],
        "points": [points for _player, points in results],
    }
    record(club=locked.club, actor=actor, verb=Verb.EVENING_REMOVED, subject=locked.pk, before=before)
    # Earlier corrections stay in the history without their table.
    Change.objects.filter(table=table).update(table=None)
    remove_tables(Table.objects.filter(pk=table.pk))
    update_years(locked.club_id, [locked.held_on.year])
    booked = bool(locked.tariff_id) or Entry.objects.filter(evening=locked).exists()
    delete_or_drop_evening(locked, actor=actor, booked=booked)


def preview_correction(*, evening: Evening, **correction: Any) -> tuple[MonthChanges, list[Entry], list[CostChange]]:
    """Make a correction and roll it back; return the changed published months, the bookings, and changed costs if it is closed."""
    booked: list[Entry] = []

    def change() -> None:
        last = Entry.objects.filter(evening=evening).order_by("-pk").values_list("pk", flat=True).first() or 0
        correct_evening(evening=evening, **correction)
        booked.extend(Entry.objects.filter(evening=evening, pk__gt=last).select_related("reverses").order_by("pk"))

    with collect_month_changes() as months:
        money = preview_change(evening, change)
    return months, booked, [] if evening.is_open else money


# --- Hidden clubs -----------------------------------------------------------------------------------------------------


# How many rows one transaction deletes; fewer tables, which have many lines each.
DELETED_AT_ONCE: Final = 500
TABLES_AT_ONCE: Final = 10


@contextmanager
def hidden_slug() -> Iterator[str]:
    """Yield the slug of a hidden club, which no address can contain, for a club that arrives or leaves.

    Clubs that still have it after the block are removed with everything in them; if the process was killed, `clear_away` does it.
    """
    slug = HIDDEN_PREFIX + uuid4().hex
    with process_lock(slug):
        try:
            yield slug
        finally:
            _remove_clubs(slug)


@transaction.atomic
def hide_club(club: Club, slug: str) -> None:
    """Hide a club from addresses, logins and links in one short transaction, so that it can be deleted in many."""
    Membership.objects.filter(club=club).delete()
    Player.objects.filter(club=club, user__isnull=False).update(user=None)
    TableLink.objects.filter(table__evening__club=club).delete()
    JoinLink.objects.filter(club=club).delete()
    Club.objects.filter(pk=club.pk).update(slug=slug)


def clear_away() -> int:
    """Remove hidden clubs that killed processes have left behind, and return their number. A running process keeps its club."""
    count = 0
    for slug in Club.with_hidden.filter(slug__startswith=HIDDEN_PREFIX).values_list("slug", flat=True):
        with suppress(BlockingIOError), process_lock(slug):
            _remove_clubs(slug)
            count += 1
    return count


def _remove_clubs(slug: str) -> None:
    for club in Club.with_hidden.filter(slug=slug):
        # Another import may refer to one of these players meanwhile. It will be refused, and the next start removes both.
        with suppress(ProtectedError):
            _remove_rows(club)


def _remove_rows(club: Club) -> None:
    """Delete every row, first those that no row refers to. The triggers of the books allow it for a leaving club."""
    Club.with_hidden.filter(pk=club.pk).update(leaving=True)
    _delete_in_batches(Countersignature.objects.filter(period__club=club))
    _delete_in_batches(SettlementLine.objects.filter(settlement__club=club))
    _delete_in_batches(DuesStatus.objects.filter(player__club=club))
    for manager in (club.settlements, club.reports, club.counts, club.headings):
        _delete_in_batches(manager.all())
    _delete_in_batches(BookYear.objects.filter(club=club))
    _delete_in_batches(club.periods.all())
    _delete_in_batches(Leg.objects.filter(entry__club=club))
    # Reversals first: they refer to other entries.
    _delete_in_batches(club.entries.filter(reverses__isnull=False))
    _delete_in_batches(club.entries.all())
    _delete_in_batches(club.accounts.all())
    # The managers of published months refuse to delete; a plain QuerySet does not.
    for published in (Supplement, MonthClosing):
        _delete_in_batches(QuerySet(published).filter(season__club=club))
    _delete_in_batches(club.seasons.all())
    with short_transaction():
        Change.objects.filter(club=club, undoes__isnull=False).update(undoes=None)
    _delete_in_batches(Change.objects.filter(club=club))
    with short_transaction():
        Table.objects.filter(evening__club=club, carries_on__isnull=False).update(carries_on=None)
    _delete_in_batches(Table.objects.filter(evening__club=club, without_games=True))
    _delete_in_batches(Table.objects.filter(evening__club=club), TABLES_AT_ONCE)
    for model in (Attendance, Fine):
        _delete_in_batches(model.objects.filter(evening__club=club))
    _delete_in_batches(OpeningStanding.objects.filter(player__club=club))
    for rows in (club.years, club.evenings, club.tariffs, club.imports, club.rule_sets):
        _delete_in_batches(rows.all())
    with short_transaction():
        Player.objects.filter(club=club, merged_into__isnull=False).update(merged_into=None)
    _delete_in_batches(Player.objects.filter(club=club))
    with short_transaction():
        club.invitations.all().delete()
        Membership.objects.filter(club=club).delete()
        Club.with_hidden.filter(pk=club.pk).delete()


def _delete_in_batches(rows: QuerySet[Any], at_once: int = DELETED_AT_ONCE) -> None:
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:at_once]):
        with short_transaction():
            batch: QuerySet[Any] = QuerySet(rows.model).filter(pk__in=keys)
            if rows.model is Table:
                remove_tables(batch)
            else:
                batch.delete()

