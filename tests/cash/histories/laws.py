"""The laws that hold after every step, asked past `verify` as well: the rows themselves, plain sums, and each closed evening
written down by hand as `manage.py charges` reads it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from django.db import connection

from scoring.cash.ledger.queries import get_balances, get_owed
from scoring.cash.months.queries import build_report, list_years
from scoring.cash.queries import list_broken_laws_of_club
from scoring.cash.rules.stream import answer
from scoring.club.queries import MergedPlayers, get_merged_players
from scoring.models import Account, Attendance, Entry, Evening, Fine, Game, Leg, Score, Table, TableResult
from tests.cash.books import in_the_kasse, money_check

from .world import Row, World, books

# Where a row of an account, an entry, a leg has what.
_ACCOUNT, _ENTRY, _LEG = (
    {field.name: place for place, field in enumerate(model._meta.concrete_fields)} for model in (Account, Entry, Leg)
)


class Laws(World):
    """`known` is which entry of each evening stood when the laws were last asked."""

    known: dict[int, int]

    def everything_holds(self) -> None:
        found = list(list_broken_laws_of_club(self.club))
        assert found == [], found
        self.what_was_sealed_stands()
        self.sums_are_nothing()
        self.numbers_have_no_gaps()
        self.one_entry_of_an_evening_stands()
        self.reports_are_booked_once()

    def what_was_sealed_stands(self) -> None:
        """Rows are only added; only a reason may have lost a name."""
        now = books(self.club)
        for before, after in zip(self.stood, now, strict=True):
            assert [_but_reason(row) for row in after[: len(before)]] == [_but_reason(row) for row in before]
        self.stood = now
        assert books(self.cast.other_club) == self.theirs

    def sums_are_nothing(self) -> None:
        codes = {row[0]: row[_ACCOUNT["code"]] for row in self.stood.accounts}
        sums: Counter[str] = Counter()
        of_entries: Counter[int] = Counter()
        for leg in self.stood.legs:
            sums[codes[leg[_LEG["account"]]]] += leg[_LEG["cents"]]
            of_entries[leg[_LEG["entry"]]] += leg[_LEG["cents"]]
        assert set(of_entries.values()) <= {0}
        assert get_balances(self.club) == {code: cents for code, cents in sums.items() if cents}
        assert sum(get_owed(self.club).values()) == sum(n for code, n in sums.items() if code.startswith("member:"))

    def numbers_have_no_gaps(self) -> None:
        numbers: dict[int, list[int]] = defaultdict(list)
        for row in self.stood.entries:
            numbers[row[_ENTRY["year"]]].append(row[_ENTRY["number"]])
        assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())

    def one_entry_of_an_evening_stands(self) -> None:
        standing: dict[int, int] = {}
        reversed_ones = {row[_ENTRY["reverses"]] for row in self.stood.entries}
        for row in self.stood.entries:
            evening = row[_ENTRY["evening"]]
            if row[_ENTRY["kind"]] == "evening" and row[0] not in reversed_ones:
                assert evening not in standing
                standing[evening] = row[0]
        for pk in standing.keys() | self.known.keys():
            if standing.get(pk) != self.known.get(pk):
                evening = Evening.objects.select_related("tariff").get(pk=pk)
                assert evening.is_open or booked(standing.get(pk), get_merged_players(self.club.pk)) == by_hand(evening)
        self.known = standing

    def reports_are_booked_once(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT key, state = 'confirmed' FROM scoring_report WHERE club_id = %s", [self.club.pk])
            reports = dict(cursor.fetchall())
        keys = {row[_ENTRY["key"]] for row in self.stood.entries}
        assert {key for key in reports if key in keys} == {key for key, confirmed in reports.items() if confirmed}

    def all_of_it_adds_up(self) -> None:
        """What is asked once, when a history is over: what is in the Kasse, every closed evening, and every year from each
        month on."""
        there = get_balances(self.club)
        assert in_the_kasse(self.club) == there.get("cash", 0) + there.get("bank", 0)
        merged = get_merged_players(self.club.pk)
        for evening in Evening.objects.filter(club=self.club, closed_at__isnull=False).select_related("tariff"):
            assert booked(self.known.get(evening.pk), merged) == by_hand(evening)
        for begins in (1, 4):
            years = [build_report(self.club, year) for year in list_years(self.club, begins)]
            assert [(money_check(one), one.check) for one in years] == [(0, 0)] * len(years)
            assert [one.start for one in years] == [*(one.end for one in years[1:]), *([0] if years else [])]


def _but_reason(row: Row) -> Row:
    """An entry has its reason last."""
    return row[:-1] if len(row) == len(_ENTRY) else row


def booked(entry: int | None, merged: MergedPlayers) -> dict[tuple[str, str], int]:
    """What an entry says, by kind and account, people as who they are now."""
    found: Counter[tuple[str, str]] = Counter()
    for leg in Leg.objects.filter(entry=entry).select_related("account"):
        who = leg.account.player_id
        found[leg.kind, leg.account.code if who is None else f"member:{merged.resolve(who)}"] += leg.cents
    return {what: cents for what, cents in found.items() if cents}


def by_hand(evening: Evening) -> dict[tuple[str, str], int]:
    """What `manage.py charges` answers to this evening."""
    if evening.tariff is None or evening.dropped:
        return {}
    legs = answer({"tariff": evening.tariff.content, "evening": written(evening, evening.tariff.content)})["legs"]
    return {(leg["kind"], leg["account"]): leg["cents"] for leg in legs}


def written(evening: Evening, tariff: dict[str, Any]) -> dict[str, Any]:
    """The evening as a line of the command; ids are those of who everybody is now."""
    now, rows = get_merged_players(evening.club_id).resolve, {}
    for row in Attendance.objects.filter(evening=evening).order_by("place"):
        twin = rows.get(now(row.player_id))
        if twin is None or (twin.absence and not row.absence):
            rows[now(row.player_id)] = row
    rows = dict(sorted(rows.items(), key=lambda one: one[1].place))
    guests = {who for who, row in rows.items() if row.guest}
    prices = tariff.get("drinks", {}).get("list", {})
    tables, lost = told(evening, now)
    people: list[dict[str, Any]] = []
    for who, row in rows.items():
        person: dict[str, Any] = {"id": str(who), "guest": row.guest}
        if row.absence:
            person["absence"] = row.absence
        else:
            person["lost"] = lost[who]
            person["drinks"] = {code: count for code, count in row.drinks.items() if code in prices}
        bringer = row.brought_by_id and now(row.brought_by_id)
        if bringer in rows and bringer not in guests:
            person["brought_by"] = str(bringer)
        people.append(person)
    line: dict[str, Any] = {
        "people": people,
        "tables": tables,
        "turn": evening.turn,
        "fines": fines(evening, tariff, now),
    }
    host = evening.host_id and now(evening.host_id)
    if host in rows and host not in guests and not rows[host].absence:
        line["host"] = str(host)
    if evening.bill_cents and tariff.get("drinks", {}).get("shared"):
        line["drinks"] = {"cents": evening.bill_cents}
        if evening.bill_paid_by_id:
            line["drinks"]["paid_by"] = str(now(evening.bill_paid_by_id))
    return line


def told(evening: Evening, now: Any) -> tuple[list[dict[str, Any]], Counter[int]]:
    """Its tables line by line, and how many games each lost that somebody won."""
    tables: list[dict[str, Any]] = []
    lost: Counter[int] = Counter()
    for table in Table.objects.filter(evening=evening).select_related("rule_set").order_by("number"):
        unit, name = table.rule_set.unit, table.rule_set.name
        if table.without_games:
            points = {str(now(one.player_id)): int(one.points or 0) for one in TableResult.objects.filter(table=table)}
            tables.append({"unit": unit, "rules": name, "points": points})
            continue
        lines: dict[Any, list[Score]] = defaultdict(list)
        scores = Score.objects.filter(game__round__table=table)
        for score in scores.order_by("game__round__position", "game__position", "pk"):
            lines[score.game_id].append(score)
        for line in lines.values():
            if any(score.won for score in line):
                lost.update(now(score.player_id) for score in line if score.played and not score.won)
        by_hand = Game.objects.filter(round__table=table, form__in=("penalty", "correction"), deleted=False)
        for game in by_hand if unit == "cents" else ():
            there = [one.player_id for one in lines.get(game.pk, ())]
            absent = [seat.player_id for seat in game.round.seats.order_by("place") if seat.player_id not in there]
            if there:
                lines[game.pk] += [Score(game=game, player_id=who, points=0) for who in absent]
        seats = [
            {"seats": [str(now(one.player_id)) for one in line], "points": [one.points for one in line]}
            for line in lines.values()
        ]
        tables.append({"unit": unit, "rules": name, "lines": seats})
    return tables, lost


def fines(evening: Evening, tariff: dict[str, Any], now: Any) -> list[dict[str, Any]]:
    """Those that the tariff charges in the form in which they were entered."""
    found = []
    for fine in Fine.objects.filter(evening=evening, struck=False).order_by("entered_at", "key"):
        form = tariff.get("fines", {}).get(fine.code)
        asked = form and ("minutes" if "minutes" in form else "cents" if "open" in form else "count")
        if form and asked == fine.unit and form.get("counts") != "lost_games":
            found.append({"who": str(now(fine.player_id)), "code": fine.code, fine.unit: fine.amount})
    return found
