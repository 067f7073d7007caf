"""Read the facts of an evening, its standing entry, what a change would do to its money, and what was paid for it.

A merged person counts as the person they were merged into; where two rows of one person meet on an evening, the row that was
present counts. A fine or a drink that the tariff does not know costs nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeVar
from uuid import UUID, uuid5

from django.db.models import Q, QuerySet

from scoring.cash.ledger.queries import get_owed
from scoring.cash.models import Attendance, Entry, Fine, Kind, Leg, Tariff
from scoring.cash.rules.money import DueLeg, build_member_account, merge_legs, parse_player, sum_by_key
from scoring.club.models import Change, Club, Player, Verb
from scoring.club.queries import MergedPlayers, get_merged_players
from scoring.play.models import Evening, Game, Score, Seat, Table, TableResult
from scoring.play.queries import Records
from scoring.play.replay import Effect, build_own_lines
from scoring.rulesets.models import RuleSet

from .rules import ChargedEvening, ChargedPerson, ChargedTable, FineRow, TableLine, compute_charges

# The score of one player in a line: id, points, whether they played, whether they won.
PlayerScore = tuple[int, int, bool, bool]
# The lines of each table, by its id.
Lines = Mapping[int, Sequence[Sequence[PlayerScore]]]


@dataclass(frozen=True)
class Facts:
    """The stored facts of an evening: `all_rows` of its list, and `rows`, one per person in the order of sharing odd cents."""

    evening: Evening
    all_rows: Sequence[Attendance]
    fines: Sequence[Fine]
    tables: Sequence[Table]
    lines: Lines
    merged: MergedPlayers

    @cached_property
    def rows(self) -> list[Attendance]:
        found: dict[int, Attendance] = {}
        for row in sorted(self.all_rows, key=lambda row: (bool(row.absence), row.place)):
            found.setdefault(self.merged.resolve(row.player_id), row)
        return sorted(found.values(), key=lambda row: row.place)

    @cached_property
    def row_by_player(self) -> dict[int, Attendance]:
        return {self.merged.resolve(row.player_id): row for row in self.rows}

    def get_id(self, player: int | None) -> str | None:
        """Return the id of a person in the charges: the player of their row of that evening, whose account it is."""
        row = None if player is None else self.row_by_player.get(self.merged.resolve(player))
        return None if row is None else str(row.player_id)

    @cached_property
    def players(self) -> dict[str, Player]:
        """Return the people of the evening by their ids in the charges."""
        return {str(row.player_id): row.player for row in self.rows}

    @cached_property
    def lost_games(self) -> dict[str, int]:
        """Count the lost games of each person: played and not won, in games that have a winner."""
        found: dict[str, int] = defaultdict(int)
        for line in [line for lines in self.lines.values() for line in lines]:
            if any(won for _who, _points, _played, won in line):
                for who, _points, played, won in line:
                    found[self.get_id(who) or ""] += played and not won
        return found

    def compute_cost(self, tariff: Tariff | None) -> list[DueLeg]:
        """Compute the legs of this evening by a tariff; none without a tariff, or if the evening was dropped."""
        return [] if tariff is None or self.evening.dropped else compute_charges(self.charged, tariff.rules)

    @cached_property
    def charged(self) -> ChargedEvening:
        """Return the evening as the rules read it."""
        evening, people = self.evening, tuple(map(self._build_person, self.rows))
        host = self.get_id(evening.host_id)
        fines = [(self.get_id(fine.player_id), fine) for fine in self.fines if not (fine.struck or fine.waits)]
        return ChargedEvening(
            people=people,
            tables=tuple(map(self._build_table, self.tables)),
            host=host if any(person.id == host and person.is_present_member for person in people) else None,
            bill=evening.bill_cents or 0,
            paid_by=self.get_id(evening.bill_paid_by_id),
            fines=tuple(FineRow(who, fine.code, fine.unit, fine.amount) for who, fine in fines if who is not None),
            turn=evening.turn,
        )

    def _build_person(self, row: Attendance) -> ChargedPerson:
        here = not row.absence
        bringer = self.row_by_player.get(self.merged.resolve(row.brought_by_id)) if row.brought_by_id else None
        return ChargedPerson(
            id=str(row.player_id),
            guest=row.guest,
            absence=row.absence or None,
            brought_by=str(bringer.player_id) if bringer and not bringer.guest else None,
            drinks=row.drinks if here else {},
            lost=self.lost_games.get(str(row.player_id), 0) if here else 0,
        )

    def _build_table(self, table: Table) -> ChargedTable:
        lines = [[(self.get_id(who), points) for who, points, _played, _won in line] for line in self.lines[table.pk]]
        known = [[(who, points) for who, points in line if who is not None] for line in lines]
        return ChargedTable(
            in_points=table.rule_set.unit == RuleSet.Unit.POINTS,
            rules=table.rule_set.name,
            lines=tuple(TableLine(tuple(who for who, _ in line), tuple(n for _, n in line)) for line in known if line),
        )


def is_charged(fine: Fine, tariff: Tariff) -> bool:
    """Return whether a fine costs anything by this tariff, in the form in which it was entered."""
    form = tariff.rules.fines.get(fine.code)
    stands = not (fine.struck or fine.waits)
    return stands and form is not None and not form.lost_games and form.amount[0] == fine.unit


def list_evenings_with_late_fines(club: Club) -> list[Evening]:
    evenings = Evening.objects.filter(club=club, fines__waits=True).distinct()
    return list(evenings.order_by("held_on", "pk"))


def list_late_fines(evening: Evening, spoken_as: int | None) -> list[Fine]:
    """List the waiting fines that a player sent too late by a link of an evening."""
    sent = Change.objects.filter(club=evening.club_id, verb=Verb.CASH_FINE_LATE, spoken_as=spoken_as or 0)
    fines = Fine.objects.filter(evening=evening, waits=True, key__in=list(sent.values_list("subject_id", flat=True)))
    return list(fines.select_related("player").order_by("entered_at", "key"))


def list_attendance(evening: Evening) -> list[Attendance]:
    return list(Attendance.objects.filter(evening=evening).select_related("player").order_by("place"))


def list_players_not_listed(evening: Evening) -> list[Player]:
    people = Player.objects.filter(club=evening.club_id, merged_into=None, erased_on=None)
    return list(people.exclude(attendance__evening=evening).order_by("name_key"))


def read_facts(evening: Evening, instead: Lines | None = None) -> Facts:
    """Return the stored facts of an evening; `instead` has lines of some tables in the place of the stored ones."""
    return read_facts_of_evenings([evening], get_merged_players(evening.club_id), instead)[evening.pk]


def collect_players(lines: Lines) -> set[int]:
    return {who for of_table in lines.values() for line in of_table for who, *_brought in line}


def _mark_players_present(rows: Sequence[Attendance], lines: Lines, merged: MergedPlayers) -> None:
    """Mark people with a line as present, also if they were entered as absent. It is stored when the evening is posted."""
    there = {merged.resolve(row.player_id) for row in rows if not row.absence}
    came = {merged.resolve(who) for who in collect_players(lines)} - there
    for row in rows:
        if merged.resolve(row.player_id) in came:
            came.remove(merged.resolve(row.player_id))
            row.absence = ""


def read_facts_of_evenings(
    evenings: Sequence[Evening], merged: MergedPlayers, instead: Lines | None = None
) -> dict[int, Facts]:
    """Return the stored facts of evenings, by id. For evenings with a tariff the number of queries is fixed; the list of any
    other is completed by `build_missing_rows`."""
    ids, instead = [evening.pk for evening in evenings], instead or {}
    attendance = Attendance.objects.filter(evening__in=ids).select_related("player").order_by("place")
    tables = list(Table.objects.filter(evening__in=ids).select_related("rule_set").order_by("number"))
    entered = Fine.objects.filter(evening__in=ids).select_related("player", "entered_by").order_by("entered_at", "key")
    lines = {**_read_lines([table for table in tables if table.pk not in instead]), **instead}
    rows, fines, of_evening = _group_by_evening(attendance), _group_by_evening(entered), _group_by_evening(tables)
    found = {}
    for evening in evenings:
        own, on_list = of_evening[evening.pk], rows[evening.pk]
        if evening.tariff_id is None:
            on_list += build_missing_rows(evening, on_list, merged)
        of_own = {table.pk: lines[table.pk] for table in own}
        _mark_players_present(on_list, of_own, merged)
        found[evening.pk] = Facts(evening, on_list, fines[evening.pk], own, of_own, merged)
    return found


_Row = TypeVar("_Row", Attendance, Fine, Table)


def _group_by_evening(rows: Iterable[_Row]) -> dict[int, list[_Row]]:
    found: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        found[row.evening_id].append(row)
    return found


def _read_lines(tables: Sequence[Table]) -> Lines:
    """Return the lines of each of these tables. The sums of a table without games that counts in points are one line."""
    games: dict[int, dict[object, list[PlayerScore]]] = {table.pk: defaultdict(list) for table in tables}
    place_of_game = "game__round__position", "game__position"
    scores = Score.objects.filter(game__round__table__in=tables).order_by(*place_of_game, "pk")
    columns = ("game__round__table", *place_of_game, "player", "points", "played", "won")
    for table, of_round, position, who, points, played, won in scores.values_list(*columns):
        games[table][of_round, position].append((who, points, played, won))
    _add_seated_players(tables, games)
    sums = [table for table in tables if table.without_games and table.rule_set.unit == RuleSet.Unit.POINTS]
    if sums:
        results = TableResult.objects.filter(table__in=sums).order_by("pk")
        for table, player, points in results.values_list("table", "player", "points"):
            games[table][None].append((player, points, False, False))
    return {table: list(lines.values()) for table, lines in games.items()}


# The forms of manual lines.
BY_HAND: Final = (Game.Form.PENALTY, Game.Form.CORRECTION)


def includes_all_seats(table: Table, form: str) -> bool:
    """Return whether a line belongs to all its seats, also to those with 0: a manual line changes the pot of all."""
    return table.rule_set.unit == RuleSet.Unit.CENTS and form in BY_HAND


def _add_seated_players(tables: Sequence[Table], games: dict[int, dict[object, list[PlayerScore]]]) -> None:
    """Add all seated players to such lines; no query without a table in cents."""
    in_cents = [table for table in tables if table.rule_set.unit == RuleSet.Unit.CENTS]
    if not in_cents:
        return
    seats = Seat.objects.filter(round__table__in=in_cents, round__games__form__in=BY_HAND, round__games__deleted=False)
    columns = ("round__table", "round__position", "round__games__position", "player")
    for table, *game, player in seats.order_by("place").values_list(*columns):
        line = games[table].get(tuple(game))
        if line and player not in {who for who, *_brought in line}:
            line.append((player, 0, False, False))


def build_missing_rows(evening: Evening, rows: Sequence[Attendance], merged: MergedPlayers) -> list[Attendance]:
    """Build the missing rows of the list, unsaved: of all who sat down or have a result; of a closed one the absent, too."""
    there = {merged.resolve(row.player_id) for row in rows}
    place = max((row.place for row in rows), default=-1)
    found = []
    seats = Seat.objects.filter(round__table__evening=evening).select_related("player")
    seats = seats.order_by("round__table__number", "round__position", "place")
    results = TableResult.objects.filter(table__evening=evening, table__without_games=True).select_related("player")
    present = [*(seat.player for seat in seats), *(result.player for result in results.order_by("pk"))]
    people = [(player, player.guest, "") for player in present]
    for player in [] if evening.is_open else list_members_on(evening):
        is_resting = player.is_resting_on(evening.held_on)
        people.append((player, False, Attendance.Absence.FREE if is_resting else Attendance.Absence.EXCUSED))
    for player, guest, absence in people:
        if merged.resolve(player.pk) not in there:
            there.add(merged.resolve(player.pk))
            place += 1
            found.append(Attendance(evening=evening, player=player, place=place, guest=guest, absence=absence))
    return found


def list_absent_members(evening: Evening) -> list[Player]:
    """List the members who would be entered as absent if a charged evening closed now."""
    merged = get_merged_players(evening.club_id)
    rows = Attendance.objects.filter(evening=evening).values_list("player", flat=True)
    there = {merged.resolve(player) for player in rows}
    return [player for player in list_members_on(evening) if player.pk not in there]


def list_members_on(evening: Evening) -> list[Player]:
    joined = Q(joined_on=None) | Q(joined_on__lte=evening.held_on)
    stayed = Q(left_on=None) | Q(left_on__gte=evening.held_on)
    members = Player.objects.filter(joined, stayed, club=evening.club_id, guest=False, merged_into=None, erased_on=None)
    return list(members.order_by("name_key", "pk"))


def get_last_evening(club: Club) -> Evening | None:
    """Return the last closed evening that was not dropped."""
    evenings = Evening.objects.filter(club=club, closed_at__isnull=False, dropped=False)
    return evenings.order_by("-held_on", "-pk").first()


def get_standing_entry(evening: Evening) -> Entry | None:
    """Return the entry of an evening that stands; there is at most one."""
    standing = {"number__isnull": False, "reversed_by": None, "tariff__isnull": False}
    entries = Entry.objects.filter(evening=evening, kind=Kind.EVENING, **standing)
    return entries.select_related("club", "evening", "tariff").order_by("-pk").first()


def get_standing_legs(evenings: Collection[Evening]) -> dict[int, list[Leg]]:
    """Return the legs of the standing entries of these evenings, by id, with one query."""
    legs = Leg.objects.filter(
        entry__evening__in=evenings, entry__kind=Kind.EVENING, entry__number__isnull=False, entry__reversed_by=None,
        entry__tariff__isnull=False,
    )  # fmt: skip
    found: dict[int, dict[int, list[Leg]]] = defaultdict(lambda: defaultdict(list))
    for evening, leg in ((leg.entry.evening_id, leg) for leg in legs.select_related("entry", "account").order_by("pk")):
        found[evening or 0][leg.entry_id].append(leg)
    return {evening: of_entry[max(of_entry)] for evening, of_entry in found.items()}


def list_booked_legs(entry: Entry | None, merged: MergedPlayers) -> list[DueLeg]:
    """Return the legs of an entry, on the present accounts of people."""
    return [] if entry is None else convert_legs(Leg.objects.filter(entry=entry).select_related("account"), merged)


def convert_legs(legs: Iterable[Leg], merged: MergedPlayers) -> list[DueLeg]:
    """Convert booked legs to legs on the present accounts of people."""
    due = (DueLeg(leg.kind, _name_account(leg.account.player_id, leg.account.code, merged), leg.cents) for leg in legs)
    return merge_legs(due)


def resolve_legs(legs: Iterable[DueLeg], merged: MergedPlayers) -> list[DueLeg]:
    """Move these legs to the present accounts of people, after rows of them were merged."""
    return merge_legs(leg._replace(account=_name_account(parse_player(leg.account), leg.account, merged)) for leg in legs)


def _name_account(player: int | None, code: str, merged: MergedPlayers) -> str:
    return code if player is None else build_member_account(merged.resolve(player))


class CostChange(NamedTuple):
    """The cost of an evening for a player before and now, in cents; for None the share of the Kasse. Above 0 is paid."""

    player: Player | None
    was: int
    is_now: int


def preview_money(effects: Iterable[Effect]) -> list[tuple[Evening, list[CostChange]]]:
    """Return what the effects of a change do to the booked cost of closed evenings, for those that differ."""
    tables: dict[int, dict[int, Records]] = defaultdict(dict)
    evenings: dict[int, Evening] = {}
    for effect in effects:
        evening = effect.records.row.evening
        if not evening.is_open and evening.tariff_id is not None:
            evenings[evening.pk] = evening
            tables[evening.pk][effect.records.table.pk] = effect.records
    found = []
    for pk, evening in sorted(evenings.items()):
        facts = read_facts(evening, {table: build_lines(records) for table, records in tables[pk].items()})
        if changed := compare_costs(facts, get_standing_entry(evening), facts.compute_cost(evening.tariff)):
            found.append((evening, changed))
    return found


def build_lines(records: Records) -> Sequence[Sequence[tuple[int, int, bool, bool]]]:
    """Return the scores of each line of a sheet, as its facts say."""
    found = []
    for game, result in zip(records.games, records.results, strict=True):
        own = build_own_lines(game, result, records.line_up(game))
        line = [(player, one.points, one.played, one.won) for player, one in own.items()]
        if line and includes_all_seats(records.table, game.form):
            line += [(player.pk, 0, False, False) for player in records.line_up(game) if player.pk not in own]
        if line:
            found.append(line)
    return found


def compare_costs(facts: Facts, was: Entry | None, legs: Sequence[DueLeg]) -> list[CostChange]:
    """List the people of an evening for whom an entry differs from these legs, in their order; last the Kasse."""
    before, after = sum_by_player(list_booked_legs(was, facts.merged)), sum_by_player(resolve_legs(legs, facts.merged))
    people: Mapping[int, Player] = {facts.merged.resolve(row.player_id): row.player for row in facts.all_rows}
    found = [CostChange(player, before.get(who, 0), after.get(who, 0)) for who, player in people.items()]
    found.append(CostChange(None, before.get(None, 0), after.get(None, 0)))
    return [one for one in found if one.was != one.is_now]


def sum_by_player(legs: Iterable[DueLeg]) -> dict[int | None, int]:
    """Add up legs per player; None is the Kasse and what it spends."""
    return sum_by_key((parse_player(leg.account), leg.cents) for leg in legs)


_PAYMENT_KINDS = (Kind.PAYMENT, Kind.PAYOUT, Kind.SETTLE)
# These kinds lower or raise a debt without money.
_RELIEF_KINDS = (Kind.OUTLAY, Kind.HANDOVER, Kind.WAIVE)


def _sum_by_person(legs: QuerySet[Leg], merged: MergedPlayers) -> dict[int, int]:
    """Add up what these legs pay of the debt of each player, by present id; below 0 they got money."""
    of_people = legs.filter(account__player__isnull=False).values_list("account__player", "cents")
    return sum_by_key((merged.resolve(player), -cents) for player, cents in of_people)


def compute_unpaid(evening: Evening, facts: Facts, standing: Entry | None) -> dict[int, int]:
    """Compute the cents that each player has still to pay of the booked cost, by present id; below 0 they have still to get them.
    If they paid since without naming an evening, or were relieved of debt, it is at most their whole debt."""
    left = _compute_unpaid_of_evening(evening, facts, standing)
    since = _sum_paid_since(evening, facts.merged) if left else {}
    if since.keys() & left.keys():
        open_now = get_owed(evening.club)
        for who in since.keys() & left.keys():
            left[who] = _subtract_paid(left[who], since[who], open_now.get(who, 0))
    return {who: cents for who, cents in left.items() if cents}


def _subtract_paid(left: int, paid: int, owes: int) -> int:
    """Return what is left to pay (above 0) or to get, for a player who `paid` so much since and `owes` so much in all."""
    if left < 0:
        return -_subtract_paid(-left, -paid, -owes)
    return left if paid <= 0 else max(left - paid, min(left, max(owes, 0)))


def _sum_paid_since(evening: Evening, merged: MergedPlayers) -> dict[int, int]:
    """Add up what each player paid since the evening without naming one; below 0 they got money back. A payment counts if
    its day is the day of the evening or later, or if it was booked after the evening. What else lowers a debt counts too
    (`_RELIEF_KINDS`)."""
    first = Entry.objects.filter(evening=evening, kind=Kind.EVENING, number__isnull=False).order_by("pk")
    booked = first.values_list("pk", flat=True).first()
    if booked is None:
        return {}
    kinds = (*_PAYMENT_KINDS, *_RELIEF_KINDS)
    since = Q(entry__pk__gt=booked) | Q(entry__date__gte=evening.held_on)
    legs = Leg.objects.filter(
        Q(entry__kind__in=kinds) | Q(entry__reverses__kind__in=kinds), since,
        entry__club=evening.club_id, entry__evening=None, entry__number__isnull=False,
    )  # fmt: skip
    return _sum_by_person(legs, merged)


def _compute_unpaid_of_evening(evening: Evening, facts: Facts, standing: Entry | None) -> dict[int, int]:
    """Compute the booked cost of each player less their payments for this evening."""
    of_money = Q(entry__kind__in=_PAYMENT_KINDS) | Q(entry__reverses__kind__in=_PAYMENT_KINDS)
    payments = Leg.objects.filter(of_money, entry__evening=evening, entry__number__isnull=False)
    left = {who: -cents for who, cents in _sum_by_person(payments, facts.merged).items()}
    for who, cents in sum_by_player(list_booked_legs(standing, facts.merged)).items():
        if who is not None:
            left[who] = left.get(who, 0) + cents
    return {who: cents for who, cents in left.items() if cents}


def build_collect_key(key: UUID, player: int | str) -> UUID:
    return uuid5(key, str(player))


def is_collected(club: Club, key: UUID, players: Collection[str]) -> bool:
    """Return whether the payments of all these players were booked already, by the same form."""
    keys = {build_collect_key(key, player) for player in players}
    return bool(keys) and Entry.objects.filter(club=club, key__in=keys).count() == len(keys)


def list_booked_entries(evening: Evening) -> list[Entry]:
    """List all entries for the cost of an evening, in the order of booking."""
    kinds = Q(kind=Kind.EVENING) | Q(reverses__kind=Kind.EVENING)
    entries = Entry.objects.filter(kinds, evening=evening, number__isnull=False)
    return list(entries.select_related("reverses", "evening").order_by("pk"))


def find_standing_entry(booked: list[Entry]) -> Entry | None:
    """Return the entry among these that is not reversed."""
    reversed_ones = {entry.reverses_id for entry in booked}
    return next((entry for entry in booked if entry.kind == Kind.EVENING and entry.pk not in reversed_ones), None)
