"""Bringing an old list along: keeping what was read from a file until somebody has looked at it, taking all of it in at once,
and taking it back as one step. Taking in twice takes in once. What came without games are results as facts; what came line
by line is lines like any other, and the replay derives what follows from them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone

from scoring.models import (
    Change,
    Club,
    Evening,
    Game,
    Import,
    Player,
    Round,
    RuleSet,
    Seat,
    Table,
    TableResult,
    Verb,
)
from scoring.models.play import POSITION_STEP, SEATS
from scoring.queries.imports import people_or_rules_changed
from scoring.queries.records import Records
from scoring.rules.settings import resolve
from scoring.rules.stored import canonical

from .errors import ImportBuiltOn, ImportNotTaken, ImportPeopleChanged, ImportTooBig, RulesHaveBock, WrongLineUp
from .history import record
from .people import add_player
from .removal import remove_tables
from .replay import store_new
from .rules import add_rule_set

# How long a file that nobody took in is kept.
KEPT: Final = datetime.timedelta(days=1)
# How many rows one file may write. On SQLite all others wait as long as that takes, and give up after 20 seconds; this
# many take about four, and are 20,000 evenings of four people, or as many games at 400 evenings.
MOST_WRITTEN: Final = 150_000
# The rules of old games: those of tournaments, without what they do not say.
OLD_RULES: Final = "ddv"
OLD_SETTINGS: Final[Mapping[str, Any]] = {"duty_solo": None, "bock": None}


class Newcomer(NamedTuple):
    """Somebody who comes into the club with the file."""

    name: str


class NewRules(NamedTuple):
    """Rules that come into the club with the file: those of tournaments, without what a result does not say."""

    name: str

    @property
    def settings(self) -> dict[str, Any]:
        return resolve({"base": OLD_RULES, **OLD_SETTINGS})


@dataclass(frozen=True)
class Line:
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
    lines: Sequence[Line] = field(default=())


def is_too_big(sittings: Iterable[Sitting]) -> bool:
    """Would these evenings write more rows than one file may? An evening, its table and its results; with lines a round,
    seats, and for each line itself, its worth and about four scores."""
    rows = 0
    for sitting in sittings:
        people, lines = len(sitting.points), len(sitting.lines)
        rows += 2 + people + (1 + people + 6 * lines if lines else 0)
    return rows > MOST_WRITTEN


@transaction.atomic
def keep_file(
    *, club: Club, actor: User | None, kind: str, file_name: str, digest: str, sheets: Sequence[Mapping[str, Any]]
) -> Import:
    """What was read from a file, to be looked at. Whoever uploads another one has done with the one before."""
    waiting = Import.objects.filter(club=club, imported_at=None)
    waiting.filter(imported_by=actor).delete()
    waiting.filter(uploaded_at__lt=timezone.now() - KEPT).delete()
    brought = Import(club=club, kind=kind, file_name=file_name, digest=digest, sheets=list(sheets), imported_by=actor)
    brought.full_clean()
    brought.save()
    return brought


@transaction.atomic
def discard_file(*, brought: Import) -> None:
    """Throw away what was read from a file that was not taken in."""
    Import.objects.filter(pk=brought.pk, imported_at=None).delete()


@transaction.atomic
def take_in(
    *,
    brought: Import,
    actor: User | None,
    kind: str,
    sittings: Sequence[Sitting],
    people: Mapping[int, Player | Newcomer],
    rules: RuleSet | NewRules,
    report: Mapping[str, Any],
) -> Import:
    """Everything the file says, as closed evenings. `people` are who each column belongs to, somebody of the club or
    somebody new; `rules` are those of the club or new ones, without Bock where there are lines. The same file once more
    changes nothing. Raises ImportTooBig, ValidationError, WrongLineUp, RulesHaveBock."""
    if is_too_big(sittings):
        raise ImportTooBig
    club = Club.objects.select_for_update().get(pk=brought.club_id)
    locked = Import.objects.select_for_update().get(pk=brought.pk)
    if locked.is_taken:
        return locked
    made: dict[str, list[int]] = {"players": [], "rule_sets": []}
    if isinstance(rules, NewRules):
        rules = add_rule_set(club=club, actor=actor, preset=OLD_RULES, name=rules.name, settings=OLD_SETTINGS)
        made["rule_sets"].append(rules.pk)
    players = {}
    for column, person in people.items():
        if isinstance(person, Newcomer):
            person = add_player(club=club, actor=actor, name=person.name)
            made["players"].append(person.pk)
        players[column] = person
    _judge(club, rules, players, sittings)
    locked.kind, locked.sheets, locked.imported_at, locked.imported_by = kind, None, timezone.now(), actor
    locked.report, locked.made = dict(report), made
    locked.save()
    _write(locked, sittings, players, rules)
    record(
        club=club,
        actor=actor,
        verb=Verb.IMPORT_TAKEN,
        subject=locked.pk,
        after={
            "rule_sets": [rules.pk],
            "evenings": len(sittings),
            "lines": sum(len(sitting.lines) for sitting in sittings),
        },
    )
    return locked


def _judge(club: Club, rules: RuleSet, players: Mapping[int, Player], sittings: Sequence[Sitting]) -> None:
    theirs = [row.club_id for row in (*players.values(), rules)]
    if any(pk != club.pk for pk in theirs) or len(set(players.values())) < len(players):
        raise WrongLineUp
    for sitting in sittings:
        if sitting.lines and len(sitting.points) not in SEATS:
            raise WrongLineUp
        if sitting.lines and rules.rules.at(len(sitting.points)).has_bock:
            raise RulesHaveBock


def _write(brought: Import, sittings: Sequence[Sitting], players: Mapping[int, Player], rules: RuleSet) -> None:
    """All rows of a kind at once: an old list has hundreds of evenings."""
    evenings = Evening.objects.bulk_create(
        Evening(
            club_id=brought.club_id,
            held_on=sitting.held_on,
            closed_at=brought.imported_at,
            closed_by=brought.imported_by,
        )
        for sitting in sittings
    )
    tables = Table.objects.bulk_create(
        Table(evening=evening, number=1, rule_set=rules, imported=brought, without_games=not sitting.lines)
        for evening, sitting in zip(evenings, sittings, strict=True)
    )
    both = list(zip(tables, sittings, strict=True))
    _write_results([(table, sitting) for table, sitting in both if not sitting.lines], players)
    _write_lines(brought, [(table, sitting) for table, sitting in both if sitting.lines], players)


def _write_results(tables: Sequence[tuple[Table, Sitting]], players: Mapping[int, Player]) -> None:
    """The one place that writes a result by hand: nothing could derive these."""
    TableResult.objects.bulk_create(
        TableResult(
            table=table,
            player=players[column],
            points=points,
            games=0,
            wins=0,
            solos=0,
            solos_won=0,
            solo_points=0,
        )
        for table, sitting in tables
        for column, points in sitting.points.items()
    )


def _write_lines(brought: Import, tables: Sequence[tuple[Table, Sitting]], players: Mapping[int, Player]) -> None:
    rounds = Round.objects.bulk_create(Round(table=table, position=1) for table, _sitting in tables)
    records = [
        Records(
            table=table,
            rounds=[line_up],
            line_ups={line_up.pk: [players[column] for column in sitting.points]},
            games=_games(brought, line_up, sitting),
            deleted=[],
            outcomes={},
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
    store_new(records)


def _games(brought: Import, line_up: Round, sitting: Sitting) -> list[Game]:
    return [
        Game(
            round=line_up,
            position=number * POSITION_STEP,
            form=line.form,
            dealer=line.dealer,
            facts=canonical(line.facts),
            note=line.note,
            entered_by=brought.imported_by,
        )
        for number, line in enumerate(sitting.lines, 1)
    ]


# --- Taking back ------------------------------------------------------------------------------------------------------


@transaction.atomic
def undo_import(*, brought: Import, actor: User | None) -> None:
    """Take back everything this file brought, with the people and rule sets that nothing else needs by now. Where something
    was built on it, or what it brought was changed since, nothing at all. Raises ImportNotTaken, ImportBuiltOn,
    ImportPeopleChanged."""
    club = Club.objects.select_for_update().get(pk=brought.club_id)
    locked = Import.objects.select_for_update().get(pk=brought.pk)
    if not locked.is_taken or locked.undone_at is not None:
        raise ImportNotTaken
    list(Table.objects.select_for_update().filter(imported=locked).order_by("pk").values_list("pk"))
    evenings = Evening.objects.filter(tables__imported=locked).distinct()
    others = Table.objects.filter(evening__in=evenings).exclude(imported=locked)
    if others.exists() or Change.objects.filter(table__imported=locked).exists():
        raise ImportBuiltOn
    if people_or_rules_changed(locked):
        raise ImportPeopleChanged
    try:
        with transaction.atomic():
            count = _remove(locked, evenings)
    except ProtectedError as error:
        raise ImportBuiltOn from error
    _remove_unused(Player.objects.filter(club=club, pk__in=locked.made["players"], user=None))
    _remove_unused(RuleSet.objects.filter(club=club, pk__in=locked.made["rule_sets"]))
    locked.undone_at = timezone.now()
    locked.save(update_fields=["undone_at"])
    record(club=club, actor=actor, verb=Verb.IMPORT_UNDONE, subject=locked.pk, before={"evenings": count})


def _remove(brought: Import, evenings: Any) -> int:
    """How many evenings went."""
    gone = list(evenings.values_list("pk", flat=True))
    remove_tables(Table.objects.filter(imported=brought))
    for start in range(0, len(gone), 500):
        Evening.objects.filter(pk__in=gone[start : start + 500]).delete()
    return len(gone)


def _remove_unused(rows: Any) -> None:
    """What other rows still refer to stays."""
    for row in rows:
        try:
            with transaction.atomic():
                row.delete()
        except ProtectedError:
            continue
