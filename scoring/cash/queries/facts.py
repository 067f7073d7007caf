"""Reads the facts of an evening as `charges` takes them: who was there and as what, the lines of its tables, fines, host, the
bill. A merged person counts as who they are now; where two rows of one person meet on an evening, the one that was there
counts. A fine or a drink that the tariff does not know costs nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from django.db.models import Q

from scoring.cash.models.facts import Attendance, Fine
from scoring.cash.models.tariffs import Tariff
from scoring.cash.rules.charges import charges
from scoring.cash.rules.evening import Bill, ChargedEvening, ChargedPerson, FineRow
from scoring.cash.rules.money import DueLeg
from scoring.cash.rules.tables import ChargedTable, TableLine
from scoring.club.models import Change, Club, Player, Verb
from scoring.club.queries import MergedPlayers, get_merged_players
from scoring.play.models import Evening, Game, Score, Seat, Table, TableResult
from scoring.rulesets.models import RuleSet

# What a line brought one person: their id, points, whether they played, whether they won.
Brought = tuple[int, int, bool, bool]
# The lines of each table, by its id.
Lines = Mapping[int, Sequence[Sequence[Brought]]]


@dataclass(frozen=True)
class Facts:
    """What was written down of an evening, from which its costs follow. `every` are all rows of its list. `rows` are those that
    count: one for each person, in the order of the list, in which odd cents are shared out."""

    evening: Evening
    every: Sequence[Attendance]
    fines: Sequence[Fine]
    tables: Sequence[Table]
    lines: Lines
    merged: MergedPlayers

    @cached_property
    def rows(self) -> list[Attendance]:
        found: dict[int, Attendance] = {}
        for row in sorted(self.every, key=lambda row: (bool(row.absence), row.place)):
            found.setdefault(self.merged.resolve(row.player_id), row)
        return sorted(found.values(), key=lambda row: row.place)

    @cached_property
    def row_of(self) -> dict[int, Attendance]:
        """The row of each person, by who they are now."""
        return {self.merged.resolve(row.player_id): row for row in self.rows}

    def id_of(self, player: int | None) -> str | None:
        """What somebody is called in the charges: by whose account it is, the one that they had that evening."""
        row = None if player is None else self.row_of.get(self.merged.resolve(player))
        return None if row is None else str(row.player_id)

    @cached_property
    def who(self) -> dict[str, Player]:
        """Everybody of the evening, by what they are called in the charges."""
        return {str(row.player_id): row.player for row in self.rows}

    @cached_property
    def lost(self) -> dict[str, int]:
        """How many games each lost: played and not won, where somebody won."""
        found: dict[str, int] = defaultdict(int)
        for line in [line for lines in self.lines.values() for line in lines]:
            if any(won for _who, _points, _played, won in line):
                for who, _points, played, won in line:
                    found[self.id_of(who) or ""] += played and not won
        return found

    def charges(self, tariff: Tariff) -> list[DueLeg]:
        """What this evening costs by a tariff; an evening that was taken back costs nothing."""
        return [] if self.evening.dropped else charges(self.under(tariff), tariff.rules)

    def under(self, tariff: Tariff) -> ChargedEvening:
        """The evening as the rules of this tariff read it."""
        rules, evening = tariff.rules, self.evening
        people = tuple(self._person(row, rules.drinks.prices) for row in self.rows)
        members = {person.id for person in people if person.is_member_there}
        host = self.id_of(evening.host_id)
        bill = Bill(evening.bill_cents, self.id_of(evening.bill_paid_by_id)) if evening.bill_cents else None
        return ChargedEvening(
            people=people,
            tables=tuple(map(self._table, self.tables)),
            host=host if host in members else None,
            bill=bill if rules.drinks.shared else None,
            fines=tuple(self._fines(tariff)),
            turn=evening.turn,
        )

    def _person(self, row: Attendance, prices: Mapping[str, int]) -> ChargedPerson:
        here = not row.absence
        bringer = self.row_of.get(self.merged.resolve(row.brought_by_id)) if row.brought_by_id else None
        return ChargedPerson(
            id=str(row.player_id),
            guest=row.guest,
            absence=row.absence or None,
            brought_by=str(bringer.player_id) if bringer and not bringer.guest else None,
            drinks={code: count for code, count in row.drinks.items() if here and code in prices},
            lost=self.lost.get(str(row.player_id), 0) if here else 0,
        )

    def _table(self, table: Table) -> ChargedTable:
        lines = [[(self.id_of(who), points) for who, points, _played, _won in line] for line in self.lines[table.pk]]
        known = [[(who, points) for who, points in line if who is not None] for line in lines]
        return ChargedTable(
            in_points=table.rule_set.unit == RuleSet.Unit.POINTS,
            rules=table.rule_set.name,
            lines=tuple(TableLine(tuple(who for who, _ in line), tuple(n for _, n in line)) for line in known if line),
        )

    def _fines(self, tariff: Tariff) -> Iterable[FineRow]:
        for fine in self.fines:
            who = self.id_of(fine.player_id)
            if who is not None and counts(fine, tariff):
                yield FineRow(who, fine.code, fine.amount)


def counts(fine: Fine, tariff: Tariff) -> bool:
    """Does a fine cost anything by this tariff, in the form in which it was entered?"""
    form = tariff.rules.fines.get(fine.code)
    stands = not (fine.struck or fine.waits)
    return stands and form is not None and not form.lost_games and form.amount[0] == fine.unit


def fines_waiting(club: Club) -> list[Evening]:
    """The evenings at which fines came too late that nobody has decided about."""
    evenings = Evening.objects.filter(club=club, fines__waits=True).distinct()
    return list(evenings.order_by("held_on", "pk"))


def handed_in(evening: Evening, spoken_as: int | None) -> list[Fine]:
    """What somebody who came by a link of an evening sent too late, and what waits."""
    sent = Change.objects.filter(club=evening.club_id, verb=Verb.CASH_FINE_LATE, spoken_as=spoken_as or 0)
    fines = Fine.objects.filter(evening=evening, waits=True, key__in=list(sent.values_list("subject_id", flat=True)))
    return list(fines.select_related("player").order_by("entered_at", "key"))


def attendance_of(evening: Evening) -> list[Attendance]:
    return list(Attendance.objects.filter(evening=evening).select_related("player").order_by("place"))


def not_on_the_list(evening: Evening) -> list[Player]:
    """Who else of the club could have been there, by name."""
    people = Player.objects.filter(club=evening.club_id, merged_into=None, erased_on=None)
    return list(people.exclude(attendance__evening=evening).order_by("name_key"))


def read_facts(evening: Evening, instead: Lines | None = None) -> Facts:
    """Return the stored facts of an evening, completed by `missing` where it has no tariff. `instead`: the lines of some tables,
    in the place of the stored ones."""
    merged = get_merged_players(evening.club_id)
    rows = attendance_of(evening)
    if evening.tariff_id is None:
        rows += missing(evening, rows, merged)
    tables = list(Table.objects.filter(evening=evening).select_related("rule_set").order_by("number"))
    lines = {**_lines([table for table in tables if table.pk not in (instead or {})]), **(instead or {})}
    _who_played_was_there(rows, lines, merged)
    fines = Fine.objects.filter(evening=evening).select_related("player", "entered_by").order_by("entered_at", "key")
    return Facts(evening, rows, list(fines), tables, lines, merged)


def who_played(lines: Lines) -> set[int]:
    """Everybody for whom there is a line, by their ids of then."""
    return {who for of_table in lines.values() for line in of_table for who, *_brought in line}


def _who_played_was_there(rows: Sequence[Attendance], lines: Lines, merged: MergedPlayers) -> None:
    """Whatever was said of them before: a game that came late brings people who were thought absent. It is stored when the evening
    is posted."""
    there = {merged.resolve(row.player_id) for row in rows if not row.absence}
    came = {merged.resolve(who) for who in who_played(lines)} - there
    for row in rows:
        if merged.resolve(row.player_id) in came:
            came.remove(merged.resolve(row.player_id))
            row.absence = ""


def facts_of(evenings: Sequence[Evening], merged: MergedPlayers) -> dict[int, Facts]:
    """The stored facts of evenings that have a tariff, by their ids: as many queries for one as for all."""
    ids = [evening.pk for evening in evenings]
    attendance = Attendance.objects.filter(evening__in=ids).select_related("player").order_by("place")
    rows = _by_evening(attendance)
    tables = list(Table.objects.filter(evening__in=ids).select_related("rule_set").order_by("number"))
    entered = Fine.objects.filter(evening__in=ids).select_related("player").order_by("entered_at", "key")
    lines = _lines(tables)
    fines, of_evening = _by_evening(entered), _by_evening(tables)
    found = {}
    for evening in evenings:
        own = of_evening[evening.pk]
        of_own = {table.pk: lines[table.pk] for table in own}
        _who_played_was_there(rows[evening.pk], of_own, merged)
        found[evening.pk] = Facts(evening, rows[evening.pk], fines[evening.pk], own, of_own, merged)
    return found


_Row = TypeVar("_Row", Attendance, Fine, Table)


def _by_evening(rows: Iterable[_Row]) -> dict[int, list[_Row]]:
    found: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        found[row.evening_id].append(row)
    return found


def _lines(tables: Sequence[Table]) -> Lines:
    """Return the lines of each of these tables. The sums of a table without games that counts in points are one line."""
    games: dict[int, dict[object, list[Brought]]] = {table.pk: defaultdict(list) for table in tables}
    place_of_game = "game__round__position", "game__position"
    scores = Score.objects.filter(game__round__table__in=tables).order_by(*place_of_game, "pk")
    columns = ("game__round__table", *place_of_game, "player", "points", "played", "won")
    for table, of_round, position, who, points, played, won in scores.values_list(*columns):
        games[table][of_round, position].append((who, points, played, won))
    _sit_there(tables, games)
    sums = [table for table in tables if table.without_games and table.rule_set.unit == RuleSet.Unit.POINTS]
    if sums:
        results = TableResult.objects.filter(table__in=sums).order_by("pk")
        for table, player, points in results.values_list("table", "player", "points"):
            games[table][None].append((player, points, False, False))
    return {table: list(lines.values()) for table, lines in games.items()}


# Lines that are written by hand.
BY_HAND: Final = (Game.Form.PENALTY, Game.Form.CORRECTION)


def in_cents_by_hand(table: Table, form: str) -> bool:
    """At a table in cents a line by hand belongs to everybody who sits there, also to those to whom it brings nothing: the
    pot is theirs."""
    return table.rule_set.unit == RuleSet.Unit.CENTS and form in BY_HAND


def _sit_there(tables: Sequence[Table], games: dict[int, dict[object, list[Brought]]]) -> None:
    """Put everybody who sat there into these lines; no question where there is no table in cents."""
    in_cents = [table for table in tables if table.rule_set.unit == RuleSet.Unit.CENTS]
    if not in_cents:
        return
    seats = Seat.objects.filter(
        round__table__in=in_cents, round__games__form__in=BY_HAND, round__games__deleted=False
    )
    columns = ("round__table", "round__position", "round__games__position", "player")
    for table, *game, player in seats.order_by("place").values_list(*columns):
        line = games[table].get(tuple(game))
        if line and player not in {who for who, *_brought in line}:
            line.append((player, 0, False, False))


def missing(evening: Evening, rows: Sequence[Attendance], merged: MergedPlayers) -> list[Attendance]:
    """Return the rows that the list of an evening lacks, not saved: of the players who sat down or have a result, and of the absent
    members if it is closed."""
    there = {merged.resolve(row.player_id) for row in rows}
    place = max((row.place for row in rows), default=-1)
    found = []
    seats = Seat.objects.filter(round__table__evening=evening).select_related("player")
    seats = seats.order_by("round__table__number", "round__position", "place")
    results = TableResult.objects.filter(table__evening=evening, table__without_games=True).select_related("player")
    present = [*(seat.player for seat in seats), *(result.player for result in results.order_by("pk"))]
    came = [(player, player.guest, "") for player in present]
    stayed = [] if evening.is_open else [(player, False, _absence(player, evening)) for player in members_on(evening)]
    for player, guest, absence in [*came, *stayed]:
        if merged.resolve(player.pk) not in there:
            there.add(merged.resolve(player.pk))
            place += 1
            found.append(Attendance(evening=evening, player=player, place=place, guest=guest, absence=absence))
    return found


def _absence(player: Player, evening: Evening) -> str:
    """The attendance of a member who was not there and about whom nobody entered anything."""
    return Attendance.Absence.FREE if player.is_resting_on(evening.held_on) else Attendance.Absence.EXCUSED


def absent_so_far(evening: Evening) -> list[Player]:
    """Who would be put on the list as absent if an evening that is charged closed now."""
    merged = get_merged_players(evening.club_id)
    rows = Attendance.objects.filter(evening=evening).values_list("player", flat=True)
    there = {merged.resolve(player) for player in rows}
    return [player for player in members_on(evening) if player.pk not in there]


def members_on(evening: Evening) -> list[Player]:
    """Return the members of the club on the day of an evening, by name."""
    joined = Q(joined_on=None) | Q(joined_on__lte=evening.held_on)
    stayed = Q(left_on=None) | Q(left_on__gte=evening.held_on)
    members = Player.objects.filter(
        joined, stayed, club=evening.club_id, guest=False, merged_into=None, erased_on=None
    )
    return list(members.order_by("name_key", "pk"))


def last_evening(club: Club) -> Evening | None:
    """The last evening that was played to its end."""
    evenings = Evening.objects.filter(club=club, closed_at__isnull=False, dropped=False)
    return evenings.order_by("-held_on", "-pk").first()
