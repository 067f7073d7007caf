"""Bringing an old list along: keeping what was read from a file until somebody has looked at it, taking all of it in at once,
and taking it back as one step. Taking in twice takes in once. What came without games are results as facts; what came line
by line is lines like any other, and the replay derives what follows from them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import ProtectedError, Q, QuerySet
from django.utils import timezone

from scoring.accounts.models import JoinLink
from scoring.cash.evening.actions import preview_change
from scoring.cash.evening.posting import delete_or_drop_evening, drop_evening
from scoring.cash.evening.queries import CostChange
from scoring.cash.ledger.posting import NewLeg, Posting, lock_books, post_all, reverse_all
from scoring.cash.ledger.texts import KASSE_UNDONE
from scoring.cash.models import (
    Account,
    Attendance,
    BookYear,
    CashCount,
    Countersignature,
    DuesStatus,
    Entry,
    Fine,
    Heading,
    Kind,
    Leg,
    Period,
    Report,
    Settlement,
    SettlementLine,
    Tariff,
)
from scoring.club.actions import Actor, add_player, record
from scoring.club.models import HIDDEN_PREFIX, Change, Club, Membership, Player, Verb
from scoring.core.dates import require_not_in_future
from scoring.core.limits import process_lock, short_transaction
from scoring.evenings.actions import correct_evening
from scoring.league.actions import MonthChanges, collect_month_changes
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.play.actions import WrongLineUp
from scoring.play.models import POSITION_STEP, SEATS, Evening, Game, Round, Seat, Table, TableResult, YearCareer
from scoring.play.queries import Records
from scoring.play.replay import derive, insert_derived, update_years
from scoring.rules.parsing import normalize_facts
from scoring.rules.settings import RuleSettings, resolve
from scoring.rulesets.actions import add_rule_set
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding
from scoring.table.actions.tables import remove_tables
from scoring.table.models import LateEntry, TableLink

from .errors import (
    BooksBuiltOn,
    EveningBuiltOn,
    ImportBookedAlready,
    ImportGone,
    ImportMeanwhile,
    ImportNotTaken,
    ImportTooBig,
    OpeningThere,
    RulesHaveBock,
)
from .models import Import
from .queries import booked_by, is_built_on, not_booked, people_who_go, rule_sets_that_go, times_undone, why_it_stays
from .rules import KasseRow

# How long a file that nobody took in is kept.
KEPT: Final = datetime.timedelta(days=1)
# How many rows one file may write: 20,000 evenings of four people, or as many games at 400 evenings.
MAX_WRITTEN: Final = 150_000
# How many of them at once, while others wait to write: this many take a twentieth of a second.
WRITTEN_AT_ONCE: Final = 1000
# The rules of old games: those of tournaments, without what they do not say.
OLD_RULES: Final = "ddv"
OLD_SETTINGS: Final[Mapping[str, Any]] = {"duty_solo": None, "bock": None}


class Newcomer(NamedTuple):
    """Somebody who comes into the club with the file."""

    name: str
    guest: bool = False


class NewRules(NamedTuple):
    """Rules that come into the club with the file: those of tournaments, without what a result does not say."""

    name: str
    unit: str = RuleSet.Unit.POINTS

    @property
    def settings(self) -> dict[str, Any]:
        return {**OLD_SETTINGS, "unit": str(self.unit)}

    @property
    def rules(self) -> RuleSettings:
        return RuleSettings.from_data(resolve({"base": OLD_RULES, **self.settings}))


@dataclass(frozen=True)
class ListLine:
    """One row of a sheet as a line of ours, seats numbered as in its sitting."""

    form: str
    facts: dict[str, Any]
    dealer: int | None = None
    note: str = ""

    @property
    def is_game(self) -> bool:
        return self.form == Game.Form.SHORT


@dataclass(frozen=True)
class Sitting:
    """An evening: the points of everybody who was there, by column of the file in seating order. Without lines the points
    are all that is known of it."""

    held_on: datetime.date
    points: Mapping[int, int]
    lines: Sequence[ListLine] = field(default=())


def is_too_big(sittings: Iterable[Sitting]) -> bool:
    """Would these evenings write more rows than one file may?"""
    return sum(map(_rows, sittings)) > MAX_WRITTEN


def _rows(sitting: Sitting) -> int:
    """An evening, its table and its results; with lines a round, seats, and for each line itself, its worth and about four
    scores."""
    people, lines = len(sitting.points), len(sitting.lines)
    return 2 + people + (1 + people + 6 * lines if lines else 0)


@transaction.atomic
def keep_file(
    *, club: Club, actor: Actor, kind: str, file_name: str, digest: str, sheets: Sequence[Mapping[str, Any]]
) -> Import:
    """What was read from a file, to be looked at. Whoever uploads another one has done with the one before."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    waiting = Import.objects.filter(club=club, imported_at=None, tables=None)
    waiting.filter(imported_by=actor.login).delete()
    brought = Import(club=club, kind=kind, file_name=file_name, digest=digest, sheets=list(sheets), imported_by=actor.login)
    brought.full_clean()
    brought.save()
    return brought


def lock_file(brought: Import) -> tuple[Club, Import]:
    """The club and the file, which nobody else changes until the transaction ends. Raises ImportGone."""
    club = Club.objects.select_for_update(no_key=True).get(pk=brought.club_id)
    locked = Import.objects.select_for_update().filter(pk=brought.pk).first()
    if locked is None:
        raise ImportGone
    return club, locked


def people_of(
    club: Club, actor: Actor, people: Mapping[int, Player | Newcomer]
) -> tuple[dict[int, Player], dict[str, list[int]]]:
    """Who the columns or rows belong to, those who are new taken in, and what was made for it. Raises ImportMeanwhile."""
    known = {one.pk for one in people.values() if isinstance(one, Player)}
    if Player.objects.filter(pk__in=known, club=club, merged_into=None).count() < len(known):
        raise ImportMeanwhile
    players = {
        place: add_player(club=club, actor=actor, name=one.name) if isinstance(one, Newcomer) else one
        for place, one in people.items()
    }
    made = [players[place].pk for place, one in people.items() if isinstance(one, Newcomer)]
    return players, {"players": made, "rule_sets": []}


@transaction.atomic
def discard_file(*, brought: Import) -> None:
    """Throw away what was read from a file that was not taken in, and is not just being taken in."""
    Import.objects.filter(pk=brought.pk, imported_at=None, tables=None).delete()


# Seven parameters: what somebody confirmed on the page, each part judged by itself.
def take_in(
    *,
    brought: Import,
    actor: Actor,
    kind: str,
    sittings: Sequence[Sitting],
    people: Mapping[int, Player | Newcomer],
    rules: RuleSet | NewRules,
    report: Mapping[str, Any],
) -> Import:
    """Everything the file says, as closed evenings. `people` are who each column belongs to, somebody of the club or
    somebody new; `rules` are those of the club or new ones, without Bock where there are lines. The same file once more
    changes nothing. Nobody sees any of it before all of it is there. Raises ImportTooBig, ValidationError, WrongLineUp,
    RulesHaveBock, ImportGone, ImportMeanwhile."""
    if is_too_big(sittings):
        raise ImportTooBig
    if taken := Import.objects.filter(pk=brought.pk, imported_at__isnull=False).first():
        return taken
    with hidden() as slug:
        arrival = _begin(brought, actor, slug, sittings, people, rules)
        for part in _parts(sittings):
            with short_transaction():
                _write(arrival, part)
        return _finish(arrival, kind, sittings, report)


@dataclass(frozen=True)
class _Arrival:
    """What a file brings while it is being written: the waiting file, the hidden club that holds its evenings, people and
    rule sets until they are complete, and which of these are new."""

    brought: Import
    actor: Actor
    at: datetime.datetime
    club: Club
    players: Mapping[int, Player]
    rules: RuleSet
    newcomers: Sequence[Player]
    new_rules: Sequence[RuleSet]


@transaction.atomic
def _begin(
    brought: Import,
    actor: Actor,
    slug: str,
    sittings: Sequence[Sitting],
    people: Mapping[int, Player | Newcomer],
    rules: RuleSet | NewRules,
) -> _Arrival:
    """The club that nobody finds, with the people and rule sets that are new: judged in the club they will belong to."""
    club = Club.objects.get(pk=brought.club_id)
    arriving = Club.with_hidden.create(name=club.name, slug=slug)
    new_rules: list[RuleSet] = []
    if isinstance(rules, NewRules):
        rules = add_rule_set(club=arriving, actor=actor, preset=OLD_RULES, name=rules.name, settings=rules.settings)
        new_rules.append(rules)
    newcomers: list[Player] = []
    players: dict[int, Player] = {}
    for column, person in people.items():
        if isinstance(person, Newcomer):
            person = add_player(club=arriving, actor=actor, **person._asdict())
            newcomers.append(person)
        players[column] = person
    new: list[RuleSet | Player] = [*new_rules, *newcomers]
    for row in new:
        row.club = club
        row.full_clean()
    _judge(club, rules, players, sittings)
    return _Arrival(brought, actor, timezone.now(), arriving, players, rules, newcomers, new_rules)


@transaction.atomic
def _finish(arrival: _Arrival, kind: str, sittings: Sequence[Sitting], report: Mapping[str, Any]) -> Import:
    """All of it appears at once, where nothing has come between."""
    club, locked = lock_file(arrival.brought)
    if locked.is_taken:
        return locked
    new: list[RuleSet | Player] = [*arrival.new_rules, *arrival.newcomers]
    for row in new:
        row.full_clean()
        row.save(update_fields=["club"])
    if _are_gone(arrival, club):
        raise ImportMeanwhile
    Evening.objects.filter(club=arrival.club).update(club=club)
    Change.objects.filter(club=arrival.club).update(club=club)
    update_years(club.pk, {sitting.held_on.year for sitting in sittings})
    locked.kind, locked.sheets, locked.imported_at, locked.imported_by = kind, None, arrival.at, arrival.actor.login
    locked.report = dict(report)
    locked.made = {
        "players": [player.pk for player in arrival.newcomers],
        "rule_sets": [rule_set.pk for rule_set in arrival.new_rules],
    }
    locked.save()
    record(
        club=club,
        actor=arrival.actor,
        verb=Verb.IMPORT_TAKEN,
        subject=locked.pk,
        after={
            "rule_sets": [arrival.rules.pk],
            "evenings": len(sittings),
            "lines": sum(len(sitting.lines) for sitting in sittings),
        },
    )
    return locked


def _are_gone(arrival: _Arrival, club: Club) -> bool:
    """Was anybody of the list merged with somebody else meanwhile, or taken away with another list?"""
    people = {player.pk for player in arrival.players.values()}
    there = Player.objects.filter(pk__in=people, club=club, merged_into=None).count()
    return there < len(people) or not RuleSet.objects.filter(pk=arrival.rules.pk, club=club).exists()


def _parts(sittings: Sequence[Sitting]) -> Iterator[Sequence[Sitting]]:
    """Whole evenings, as many as may be written at once."""
    part: list[Sitting] = []
    for sitting in sittings:
        if sum(map(_rows, part)) >= WRITTEN_AT_ONCE:
            yield part
            part = []
        part.append(sitting)
    if part:
        yield part


def _judge(club: Club, rules: RuleSet, players: Mapping[int, Player], sittings: Sequence[Sitting]) -> None:
    theirs = {rules.club_id, *(player.club_id for player in players.values())}
    if theirs != {club.pk} or len(set(players.values())) < len(players):
        raise WrongLineUp
    for sitting in sittings:
        if sitting.lines and len(sitting.points) not in SEATS:
            raise WrongLineUp
        if sitting.lines and rules.rules.at(len(sitting.points)).has_bock:
            raise RulesHaveBock


def _write(arrival: _Arrival, sittings: Sequence[Sitting]) -> None:
    """All rows of a kind at once: an old list has hundreds of evenings."""
    evenings = Evening.objects.bulk_create(
        Evening(club=arrival.club, held_on=sitting.held_on, closed_at=arrival.at, closed_by=arrival.actor.login)
        for sitting in sittings
    )
    tables = Table.objects.bulk_create(
        Table(
            evening=evening,
            number=1,
            rule_set=arrival.rules,
            imported=arrival.brought,
            without_games=not sitting.lines,
        )
        for evening, sitting in zip(evenings, sittings, strict=True)
    )
    both = list(zip(tables, sittings, strict=True))
    _write_results([(table, sitting) for table, sitting in both if not sitting.lines], arrival.players)
    _write_lines(arrival, [(table, sitting) for table, sitting in both if sitting.lines])


def _write_results(tables: Sequence[tuple[Table, Sitting]], players: Mapping[int, Player]) -> None:
    """The one place that writes a result by hand: nothing could derive these."""
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
            rounds=[line_up],
            line_ups={line_up.pk: [arrival.players[column] for column in sitting.points]},
            games=_games(arrival, line_up, sitting),
            deleted=[],
            carried=[],
        )
        for line_up, (table, sitting) in zip(rounds, tables, strict=True)
    ]
    Seat.objects.bulk_create(
        Seat(round_id=line_up, place=place, player=player)
        for of_table in records
        for line_up, people in of_table.line_ups.items()
        for place, player in enumerate(people)
    )
    Game.objects.bulk_create(game for of_table in records for game in of_table.games)
    insert_derived(map(derive, records))


def _games(arrival: _Arrival, line_up: Round, sitting: Sitting) -> list[Game]:
    return [
        Game(
            round=line_up,
            position=number * POSITION_STEP,
            form=line.form,
            dealer=line.dealer,
            facts=normalize_facts(line.facts),
            note=line.note,
            entered_by=arrival.actor.login,
        )
        for number, line in enumerate(sitting.lines, 1)
    ]


# --- Taking back ------------------------------------------------------------------------------------------------------


def undo_import(*, brought: Import, actor: Actor) -> None:
    """Take back everything this file brought, with the people and rule sets that nothing else needs by now. Where something
    was built on it, or what it brought was changed since, nothing at all. Raises ImportNotTaken, ImportBuiltOn,
    ImportPeopleChanged."""
    with hidden() as slug:
        _leave(brought, actor, slug)


@transaction.atomic
def _leave(brought: Import, actor: Actor, slug: str) -> None:
    """Into a club that nobody finds, and that is removed."""
    club = Club.objects.select_for_update(no_key=True).get(pk=brought.club_id)
    locked = Import.objects.select_for_update().get(pk=brought.pk)
    if not locked.is_taken or locked.undone_at is not None:
        raise ImportNotTaken
    list(Table.objects.select_for_update().filter(imported=locked).order_by("pk").values_list("pk"))
    evenings = Evening.objects.filter(club=club, pk__in=Table.objects.filter(imported=locked).values("evening"))
    if refusal := why_it_stays(locked):
        raise refusal
    years = {day.year for day in evenings.values_list("held_on", flat=True)}
    leaving = Club.with_hidden.create(name=club.name, slug=slug)
    people_who_go(locked).update(club=leaving)
    openings = locked.openings.all().delete()[0]
    rule_sets_that_go(locked).update(club=leaving)
    TableLink.objects.filter(table__imported=locked).delete()
    # What was booked stays: its evening is one that was dropped, and nothing of it goes into another club.
    dropped = list(
        evenings.filter(Q(tariff__isnull=False) | Q(entries__isnull=False)).distinct().select_related("club")
    )
    count = evenings.exclude(pk__in=[evening.pk for evening in dropped]).update(club=leaving) + len(dropped)
    remove_tables(Table.objects.filter(evening__in=dropped))
    update_years(club.pk, years)
    for evening in dropped:
        drop_evening(evening, actor=actor)
    locked.undone_at = timezone.now()
    locked.save(update_fields=["undone_at"])
    went = {"opened": openings} if locked.kind == Import.Kind.SUMS else {"evenings": count}
    record(club=club, actor=actor, verb=Verb.IMPORT_UNDONE, subject=locked.pk, before=went)


# --- Opening standings ------------------------------------------------------------------------------------------------


class Figures(NamedTuple):
    """What somebody had, None for what is not known."""

    points: int
    evenings: int | None = None
    games: int | None = None
    wins: int | None = None
    solos: int | None = None
    solos_won: int | None = None


# Seven parameters: what somebody confirmed on the page, each part judged by itself.
@transaction.atomic
def take_opening(
    *,
    club: Club,
    actor: Actor,
    file_name: str,
    unit: str,
    until: datetime.date,
    people: Mapping[int, Player | Newcomer],
    figures: Mapping[int, Figures],
) -> Import:
    """What these people had up to this day, by row of the list. Raises ImportMeanwhile, OpeningThere, ValidationError."""
    require_not_in_future("until", until)
    club = Club.objects.select_for_update().get(pk=club.pk)
    players, made = people_of(club, actor, people)
    if OpeningStanding.objects.filter(player__in=players.values(), unit=unit).exists():
        raise OpeningThere
    report = {
        "until": until.isoformat(),
        "people": len(players),
        "points": sum(figures[row].points for row in players),
    }
    brought = Import(
        club=club,
        kind=Import.Kind.SUMS,
        file_name=file_name,
        imported_at=timezone.now(),
        imported_by=actor.login,
        made=made,
        report=report,
    )
    brought.full_clean()
    brought.save()
    openings = [
        OpeningStanding(imported=brought, player=player, unit=unit, until=until, **figures[row]._asdict())
        for row, player in players.items()
    ]
    for opening in openings:
        opening.full_clean()
    OpeningStanding.objects.bulk_create(openings)
    record(club=club, actor=actor, verb=Verb.IMPORT_TAKEN, subject=brought.pk, after={"opened": len(openings)})
    return brought


# --- The Kasse --------------------------------------------------------------------------------------------------------


# Evenings of every week for twenty years; each books twice.
MAX_ROWS: Final = 1_000


# Seven parameters: what somebody confirmed on the page, each part judged by itself.
@transaction.atomic
def take_in_kasse(
    *,
    brought: Import,
    actor: Actor,
    kind: str,
    sheet: int,
    rows: Sequence[KasseRow],
    people: Mapping[int, Player | Newcomer],
    report: Mapping[str, Any],
) -> Import:
    """Book what these rows of a sheet say, as far as it is in no book yet. `people` are who each column belongs to, somebody of the
    club or somebody new. What was taken in already changes nothing. Raises ImportTooBig, ImportGone, ImportMeanwhile,
    ImportBookedAlready, ValidationError, and what `post_all` raises."""
    if len(rows) > MAX_ROWS:
        raise ImportTooBig
    club, locked = lock_file(brought)
    if locked.is_taken:
        return locked
    players, locked.made = people_of(club, actor, people)
    lock_books(club)
    missing = not_booked(locked, sheet, rows)
    if not missing:
        raise ImportBookedAlready
    entries = post_all(club=club, actor=actor, postings=list(_postings(missing, players)))
    again = times_undone(locked, sheet)
    numbers = dict.fromkeys(row.number for row, _part, _key in missing)
    locked.kind, locked.sheets, locked.imported_at, locked.imported_by = kind, None, timezone.now(), actor.login
    locked.report = {**report, "sheet": sheet, "rows": [[number, again[number]] for number in numbers]}
    locked.save()
    record(club=club, actor=actor, verb=Verb.IMPORT_TAKEN, subject=locked.pk, after={"entries": len(entries)})
    return locked


def _postings(missing: Iterable[tuple[KasseRow, str, UUID]], players: Mapping[int, Player]) -> Iterator[Posting]:
    for row, part, key in missing:
        moves = row.entries[part]
        lines = [
            NewLeg(players[move.account] if isinstance(move.account, int) else move.account, move.cents, move.kind)
            for move in moves
        ]
        yield Posting(key, Kind(part), row.date, lines)


@transaction.atomic
def undo_kasse(*, brought: Import, actor: Actor) -> None:
    """Reverse everything that this file booked, each on its own day. People whom it brought stay: the books know them. Raises
    ImportNotTaken, BooksBuiltOn."""
    club = Club.objects.select_for_update(no_key=True).get(pk=brought.club_id)
    locked = Import.objects.select_for_update().get(pk=brought.pk)
    if not locked.is_taken or locked.undone_at is not None:
        raise ImportNotTaken
    lock_books(club)
    if is_built_on(locked):
        raise BooksBuiltOn
    reversals = reverse_all(club=club, actor=actor, entries=list(booked_by(locked)), reason=KASSE_UNDONE)
    locked.undone_at = timezone.now()
    locked.save(update_fields=["undone_at"])
    record(club=club, actor=actor, verb=Verb.IMPORT_UNDONE, subject=locked.pk, before={"entries": len(reversals)})


# --- Correcting evenings ----------------------------------------------------------------------------------------------


@transaction.atomic
def remove_evening(*, evening: Evening, actor: Actor) -> None:
    """Take one evening of a list away. One that was booked stays as dropped. Raises EveningBuiltOn where anything hangs on it."""
    locked, table = _lock(evening)
    corrected = Change.objects.filter(table=table).exclude(verb=Verb.EVENING_MENDED)
    others = Table.objects.filter(evening=locked).exclude(pk=table.pk)
    late = LateEntry.objects.filter(table=table)
    carried = Table.objects.filter(carries_on__evening=locked)
    if any(rows.exists() for rows in (carried, corrected, others, late)):
        raise EveningBuiltOn
    record(club=locked.club, actor=actor, verb=Verb.EVENING_REMOVED, subject=locked.pk, before=_told(locked, table))
    # What was corrected before stays in the history; the table itself is no more.
    Change.objects.filter(table=table).update(table=None)
    remove_tables(Table.objects.filter(pk=table.pk))
    update_years(locked.club_id, [locked.held_on.year])
    booked = bool(locked.tariff_id) or Entry.objects.filter(evening=locked).exists()
    delete_or_drop_evening(locked, actor=actor, booked=booked)


def _lock(evening: Evening) -> tuple[Evening, Table]:
    """Club and evening so that whoever holds the table can still name both when they commit."""
    Club.objects.select_for_update(no_key=True).get(pk=evening.club_id)
    locked = Evening.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=evening.pk)
    return locked, Table.objects.select_for_update().get(evening=locked, imported__isnull=False)


def _told(evening: Evening, table: Table) -> dict[str, object]:
    """What the history says of an evening: its day, who was there, and what each brought."""
    results = list(TableResult.objects.filter(table=table).order_by("player_id").values_list("player_id", "points"))
    return {
        "held_on": evening.held_on.isoformat(),
        "players": [player for player, _points in results],
        "points": [points for _player, points in results],
    }


# --- What a correction would do ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Consequences:
    """What a correction of an evening would do: which published months it concerns, what is booked for it, and for whom a closed
    evening costs something else."""

    heard: MonthChanges
    booked: list[Entry]
    money: list[CostChange]


def preview_correction(*, evening: Evening, **correction: Any) -> Consequences:
    """Make the correction, look at what follows, and roll it back. Raises what `correct_evening` raises."""
    booked: list[Entry] = []

    def change() -> None:
        last = Entry.objects.filter(evening=evening).order_by("-pk").values_list("pk", flat=True).first() or 0
        correct_evening(evening=evening, **correction)
        booked.extend(Entry.objects.filter(evening=evening, pk__gt=last).select_related("reverses").order_by("pk"))

    with collect_month_changes() as heard:
        money = preview_change(evening, change)
    return Consequences(heard, booked, [] if evening.is_open else money)


# --- Hidden clubs -----------------------------------------------------------------------------------------------------


# How many rows go at once; of tables with games, each with all its lines, fewer.
DELETED_AT_ONCE: Final = 500
TABLES_AT_ONCE: Final = 10


@contextmanager
def hidden() -> Iterator[str]:
    """A slug for a club that arrives or leaves. Behind the block every club that still has it is removed, with everything
    in it; where the process was killed, `clear_away` does that."""
    slug = HIDDEN_PREFIX + uuid4().hex
    with process_lock(slug):
        try:
            yield slug
        finally:
            _remove(slug)


@transaction.atomic
def hide(club: Club, slug: str) -> None:
    """From now on nobody finds this club: no address, no login, no link."""
    Membership.objects.filter(club=club).delete()
    Player.objects.filter(club=club, user__isnull=False).update(user=None)
    TableLink.objects.filter(table__evening__club=club).delete()
    JoinLink.objects.filter(club=club).delete()
    Club.objects.filter(pk=club.pk).update(slug=slug)


def clear_away() -> int:
    """Remove what somebody left who was killed while something arrived or left, and answer how many clubs these were; what
    still arrives or leaves is let be."""
    cleared = 0
    for slug in Club.with_hidden.filter(slug__startswith=HIDDEN_PREFIX).values_list("slug", flat=True):
        with suppress(BlockingIOError), process_lock(slug):
            _remove(slug)
            cleared += 1
    return cleared


def _remove(slug: str) -> None:
    for club in Club.with_hidden.filter(slug=slug):
        # Somebody else's arrival may name one of these people meanwhile. It will be refused, and the next start removes both.
        with suppress(ProtectedError):
            _remove_rows(club)


def _remove_rows(club: Club) -> None:
    """Every row, those first that others do not refer to. The books let theirs go because the club is leaving."""
    Club.with_hidden.filter(pk=club.pk).update(leaving=True)
    _in_pieces(Countersignature.objects.filter(period__club=club))
    _in_pieces(SettlementLine.objects.filter(settlement__club=club))
    _in_pieces(DuesStatus.objects.filter(player__club=club))
    for beside in (Settlement, Report, CashCount, Heading, BookYear):
        _in_pieces(beside.objects.filter(club=club))
    _in_pieces(Period.objects.filter(club=club))
    _in_pieces(Leg.objects.filter(entry__club=club))
    # A reversal is not reversed.
    _in_pieces(Entry.objects.filter(club=club, reverses__isnull=False))
    for books in (Entry, Account):
        _in_pieces(books.objects.filter(club=club))
    # What was published is written once, and goes only with its club: a plain set of rows knows nothing of that.
    for published in (Supplement, MonthClosing):
        _in_pieces(QuerySet(published).filter(season__club=club))
    _in_pieces(Season.objects.filter(club=club))
    with short_transaction():
        Change.objects.filter(club=club, undoes__isnull=False).update(undoes=None)
    _in_pieces(Change.objects.filter(club=club))
    with short_transaction():
        Table.objects.filter(evening__club=club, carries_on__isnull=False).update(carries_on=None)
    _in_pieces(Table.objects.filter(evening__club=club, without_games=True))
    _in_pieces(Table.objects.filter(evening__club=club), TABLES_AT_ONCE)
    for facts in (Attendance, Fine):
        _in_pieces(facts.objects.filter(evening__club=club))
    _in_pieces(OpeningStanding.objects.filter(player__club=club))
    _in_pieces(YearCareer.objects.filter(club=club))
    for model in (Evening, Tariff, Import, RuleSet):
        _in_pieces(model.objects.filter(club=club))
    with short_transaction():
        Player.objects.filter(club=club, merged_into__isnull=False).update(merged_into=None)
    _in_pieces(Player.objects.filter(club=club))
    with short_transaction():
        Membership.objects.filter(club=club).delete()
        Club.with_hidden.filter(pk=club.pk).delete()


def _in_pieces(rows: QuerySet[Any], at_once: int = DELETED_AT_ONCE) -> None:
    while some := list(rows.order_by("pk").values_list("pk", flat=True)[:at_once]):
        with short_transaction():
            going: QuerySet[Any] = QuerySet(rows.model).filter(pk__in=some)
            if rows.model is Table:
                remove_tables(going)
            else:
                going.delete()

