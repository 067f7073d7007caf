"""The cost of an evening, specified by docs/kasse.md: how its facts are read and refused by path, and their legs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import Any, Final, NamedTuple, TypeVar

from scoring.cash.rules.fields import (
    MOST_PEOPLE,
    SOME_CENTS,
    TURN,
    Fields,
    a_day,
    a_list,
    a_text,
    anything,
    entries,
    read_id,
)
from scoring.cash.rules.money import DueLeg, build_leg_pair, build_member_account, merge_legs, split
from scoring.cash.tariff.rules import FINE, Part, Points, TariffRules
from scoring.rules.validation import Check, Sentence, _, number, one_of, or_null

MOST_POINTS: Final = 100_000

_NO_POINTS: Final = Sentence(_("Punkte hat nur, wer an diesem Abend da ist. Bitte jemanden angeben, der da ist."))
_NO_SEATS: Final = Sentence(_("Bitte in einer Liste angeben, wer da ist und mitspielt, jeden nur einmal."))
_ONLY_LINES: Final = Sentence(_("Ein Tisch in Cent braucht seine Zeilen. Bitte „lines“ statt der Summen angeben."))
_LINES_ENOUGH: Final = Sentence(_("Neben den Zeilen braucht es keine Summen. Bitte weglassen."))
_ONLY_CENTS: Final = Sentence(_("Nachgelegt wird nur an einem Tisch in Cent. Bitte weglassen."))
_FOR_EACH_SEAT: Final = Sentence(_("Bitte für jeden Sitz der Zeile eine Zahl angeben."))
_A_NUMBER: Final = number(-MOST_POINTS, MOST_POINTS)


class TableLine(NamedTuple):
    """The points or cents of each seat of a line, and what each seat put into the pot before."""

    seats: tuple[str, ...]
    points: tuple[int, ...]
    top_up: int = 0


class ChargedTable(NamedTuple):
    """One table. Sums without lines are one line."""

    in_points: bool
    rules: str | None
    lines: tuple[TableLine, ...]


def read_table(fields: Fields, is_there: Callable[[Any], bool]) -> ChargedTable:
    fields.allow_only("unit", "rules", "points", "lines")
    unit = fields.require("unit", one_of("points", "cents"))
    rules = fields.get("rules", a_text)
    if "lines" in fields or "points" not in fields:
        fields.forbid("points", _LINES_ENOUGH)
        fields.require("lines", a_list)
        lines = [_read_line(line, unit, is_there) for line in fields.list_objects("lines")]
    elif unit == "cents":
        fields.forbid("points", _ONLY_LINES)
        lines = []
    else:
        sums = fields.get_inner("points")
        for who in sums.data:
            if not is_there(who):
                sums.refuse(who, _NO_POINTS)
        lines = [TableLine(tuple(sums.data), tuple(sums.get(who, _A_NUMBER, 0) for who in sums.data))]
    return ChargedTable(unit == "points", rules, tuple(lines))


def _read_line(fields: Fields, unit: str | None, is_there: Callable[[Any], bool]) -> TableLine:
    def may_sit(value: Any) -> Sentence | None:
        is_list = isinstance(value, list) and value and all(map(is_there, value)) and len(set(value)) == len(value)
        return None if is_list else _NO_SEATS

    seats = fields.require("seats", may_sit)
    if "top_up" in fields and "points" not in fields:
        fields.allow_only("seats", "top_up")
        if unit == "points":
            fields.forbid("top_up", _ONLY_CENTS)
        return TableLine(tuple(seats or ()), (0,) * len(seats or ()), fields.get("top_up", SOME_CENTS, 0))
    fields.allow_only("seats", "points")
    points = fields.require("points", a_list, [])
    if seats is not None and "points" in fields and len(points) != len(seats):
        fields.refuse("points", _FOR_EACH_SEAT)
    for entry, at in fields.list_entries("points"):
        if (fault := _A_NUMBER(entry)) is not None:
            fields.faults[at] = fault
    return TableLine(tuple(seats or ()), tuple(points))


ABSENCES: Final = ("excused", "unexcused", "free")
MOST_DRINKS: Final = 999
MOST_LOST: Final = 999

_SOME_PEOPLE: Final = entries(anything, 1, MOST_PEOPLE, Sentence(_("Bitte 1 bis 60 Personen in einer Liste angeben.")))
_UNKNOWN: Final = Sentence(_("Diese Person gibt es an diesem Abend nicht. Bitte jemanden aus der Liste der Personen angeben."))
_NO_HOST: Final = Sentence(_("Gastgeber kann nur ein Mitglied sein, das da ist. Bitte jemand anderen angeben."))
_NO_BRINGER: Final = Sentence(
    _("Mitgebracht werden nur Gäste, und nur von Mitgliedern. Bitte ein Mitglied angeben oder weglassen.")
)
_NOT_THERE: Final = Sentence(
    _("Eine Person, die fehlt, trinkt und verliert nichts. Bitte weglassen oder die Person als anwesend eintragen.")
)
_NO_DRINK: Final = Sentence(_("Dieses Getränk steht nicht im Tarif. Bitte eines aus der Liste angeben."))
_NO_FINE: Final = Sentence(_("Dieses Strafgeld kann man nicht eintragen. Bitte eines aus dem Tarif angeben."))
_NOT_SHARED: Final = Sentence(_("In diesem Tarif wird keine Rechnung geteilt. Bitte weglassen."))


class ChargedPerson(NamedTuple):
    """A person in the attendance of the evening; `lost` counts the games that they lost."""

    id: str
    guest: bool
    absence: str | None
    brought_by: str | None = None
    drinks: Mapping[str, int] = {}
    lost: int = 0

    @property
    def is_present_member(self) -> bool:
        return not self.guest and self.absence is None


class FineRow(NamedTuple):
    """One fine of one person; `unit` says what `amount` counts: "count", "minutes" or "cents"."""

    who: str
    code: str
    unit: str
    amount: int


class ChargedEvening(NamedTuple):
    """One evening, to be charged by any tariff: what that does not know of its drinks, fines and bill costs nothing. `people` stand
    in the order in which odd cents are shared; `turn` says where it begins. The Kasse paid the bill if `paid_by` is None."""

    people: tuple[ChargedPerson, ...]
    tables: tuple[ChargedTable, ...]
    host: str | None
    bill: int
    paid_by: str | None
    fines: tuple[FineRow, ...]
    turn: int

    @property
    def present_people(self) -> list[ChargedPerson]:
        return [person for person in self.people if person.absence is None]

    @property
    def present_members(self) -> list[ChargedPerson]:
        return [person for person in self.people if person.is_present_member]


class KnownPeople:
    """The people who can be named. Unless it `is_whole`, no name is unknown: it may be one whose id was refused."""

    def __init__(self, people: Mapping[str, ChargedPerson], is_whole: bool) -> None:
        self.people = people
        self.is_whole = is_whole

    def check_person(self, value: Any) -> Sentence | None:
        is_known = isinstance(value, str) and (value in self.people or not self.is_whole)
        return None if is_known else _UNKNOWN

    def check_host(self, value: Any) -> Sentence | None:
        person = self.people.get(value) if isinstance(value, str) else None
        return _NO_HOST if person and not person.is_present_member else self.check_person(value)

    def check_bringer(self, value: Any) -> Sentence | None:
        person = self.people.get(value) if isinstance(value, str) else None
        return _NO_BRINGER if person and person.guest else self.check_person(value)

    def can_be_present(self, value: Any) -> bool:
        if not isinstance(value, str):
            return False
        person = self.people.get(value)
        return person.absence is None if person else not self.is_whole


def read_evening(fields: Fields, tariff: TariffRules) -> ChargedEvening:
    """Read the evening from a typed object. The result is valid only if no fault was noted."""
    fields.allow_only("people", "tables", "host", "drinks", "fines", "turn", "date")
    known, people = _read_people(fields, tariff)
    fields.get("tables", a_list)
    fields.get("fines", a_list)
    fields.get("date", a_day)
    bill, paid_by = _read_bill(fields, tariff, known) if "drinks" in fields else (0, None)
    return ChargedEvening(
        people=people,
        tables=tuple(read_table(table, known.can_be_present) for table in fields.list_objects("tables")),
        host=fields.get("host", known.check_host),
        bill=bill,
        paid_by=paid_by,
        fines=tuple(_read_fine(row, tariff, known) for row in fields.list_objects("fines")),
        turn=fields.get("turn", TURN, 0),
    )


def _read_people(fields: Fields, tariff: TariffRules) -> tuple[KnownPeople, tuple[ChargedPerson, ...]]:
    """Read the people: first who is present, then what depends on the others."""
    if fields.require("people", _SOME_PEOPLE) is None:
        return KnownPeople({}, is_whole=False), ()
    seen: set[str] = set()
    rows = list(fields.list_objects("people"))
    first = [(row, _read_person(row, read_id(row, seen))) for row in rows]
    known = KnownPeople({person.id: person for _row, person in first if person.id}, all(person.id for _row, person in first))
    return known, tuple(_read_rest(row, person, tariff, known) for row, person in first)


def _read_person(fields: Fields, found: str | None) -> ChargedPerson:
    fields.allow_only("id", "guest", "absence", "brought_by", "drinks", "lost")
    return ChargedPerson(
        id=found or "",
        guest=fields.get("guest", one_of(True, False), False),
        absence=fields.get("absence", or_null(one_of(*ABSENCES))),
    )


def _read_rest(fields: Fields, person: ChargedPerson, tariff: TariffRules, known: KnownPeople) -> ChargedPerson:
    bringer: Check = known.check_bringer if person.guest else lambda _value: _NO_BRINGER
    typed, count, prices = fields.get_inner("drinks"), number(0, MOST_DRINKS), tariff.drinks["list"]
    drinks = {code: typed.get(code, count if code in prices else lambda _value: _NO_DRINK, 0) for code in typed.data}
    lost = fields.get("lost", number(0, MOST_LOST), 0)
    if person.absence is not None:
        if drinks:
            fields.refuse("drinks", _NOT_THERE)
        if lost:
            fields.refuse("lost", _NOT_THERE)
    return person._replace(brought_by=fields.get("brought_by", or_null(bringer)), drinks=drinks, lost=lost)


def _read_bill(fields: Fields, tariff: TariffRules, known: KnownPeople) -> tuple[int, str | None]:
    if not tariff.drinks["shared"]:
        fields.refuse("drinks", _NOT_SHARED)
        return 0, None
    bill = fields.get_inner("drinks")
    bill.allow_only("cents", "paid_by")
    return bill.require("cents", SOME_CENTS, 0), bill.get("paid_by", known.check_person)


def _read_fine(fields: Fields, tariff: TariffRules, known: KnownPeople) -> FineRow:
    """Read a row of fines. Which key has the amount depends on the fine; if the fine is refused, the amount is not checked."""

    def in_catalogue(value: Any) -> Sentence | None:
        fine = tariff.fines.get(value) if isinstance(value, str) else None
        return _NO_FINE if fine is None or fine.lost_games else None

    who, code = fields.require("who", known.check_person), fields.require("code", in_catalogue)
    if code is None:
        fields.allow_only("who", "code", "count", "minutes", "cents")
        return FineRow(who, "", "", 0)
    key, check, default = tariff.fines[code].amount
    fields.allow_only("who", "code", key)
    amount = fields.get(key, check, default) if default is not None else fields.require(key, check)
    return FineRow(who, code, key, amount)


POINTS_INCOME = "income:points"
# Exact points, or exact cents, by person.
Exact = dict[str, Fraction]
N = TypeVar("N", int, Fraction)


def build_point_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    """Build the legs of points: debtors pay into the Kasse, rounded and capped; the others get their part of that."""
    if tariff.points is None:
        return
    nets = _add_up(compute_owed(group, tariff.points) for group in build_groups(evening, tariff.points))
    paid = {who: tariff.points.round.apply(net) for who, net in nets.items() if net > 0}
    if tariff.points.cap is not None:
        paid = {who: min(cents, tariff.points.cap) for who, cents in paid.items()}
    getting = [(person.id, -nets[person.id]) for person in evening.people if nets.get(person.id, 0) < 0]
    for who, cents in paid.items():
        yield from build_leg_pair("points", build_member_account(who), cents, POINTS_INCOME)
    if not getting:
        return
    exactly_paid = sum(net for net in nets.values() if net > 0)
    given = floor(sum(paid.values()) * sum(part for _who, part in getting) / exactly_paid)
    shares = split(given, [part for _who, part in getting], evening.turn)
    for (who, _part), cents in zip(getting, shares, strict=True):
        yield from build_leg_pair("points", POINTS_INCOME, cents, build_member_account(who))


def build_groups(evening: ChargedEvening, points: Points) -> list[Exact]:
    """Group the points that are compared with each other: by evening, by table, or by line."""
    left_out = {person.id for person in evening.people if person.guest and not points.guests}
    groups: list[Exact] = []
    for table in evening.tables:
        if table.in_points:
            factor = Fraction(1) if table.rules is None else points.factors.get(table.rules, Fraction(1))
            lines = [dict(zip(line.seats, line.points, strict=True)) for line in table.lines]
            # A sum is multiplied, not each of its lines: fractions are slow.
            parts = lines if points.scope == "game" else [_add_up(lines)]
            groups += [{who: factor * n for who, n in part.items() if who not in left_out} for part in parts]
    return [_add_up(groups)] if points.scope == "evening" else groups


def _add_up(parts: Iterable[Mapping[str, N]]) -> dict[str, N]:
    sums: dict[str, N] = {}
    for part in parts:
        for who, amount in part.items():
            sums[who] = sums[who] + amount if who in sums else amount
    return sums


def compute_owed(group: Exact, points: Points) -> Exact:
    """Compute the debt of each person of a group, in exact cents; below 0 they get it."""
    if points.scheme == "rank":
        return _owe_by_place(group, points.amounts)
    is_dearer = points.beyond is not None and any(abs(p) > points.beyond for p in group.values())
    rate = points.dearer if is_dearer else points.rate
    if points.scheme == "minus":
        return _owe_by_minus(group, rate, points.winners)
    all_points = list(group.values())
    return {who: rate * _measure_distance(points.scheme, own, all_points) for who, own in group.items()}


def _owe_by_minus(group: Exact, rate: Fraction, winners: Fraction) -> Exact:
    """Charge minus points; a part of the sum goes to people with plus points, in proportion to them."""
    plus = sum((p for p in group.values() if p > 0), Fraction(0))
    to_winners = winners * rate * sum((-p for p in group.values() if p < 0), Fraction(0))
    return {who: -p * rate if p < 0 else -to_winners * p / plus if p > 0 else Fraction(0) for who, p in group.items()}


def _measure_distance(scheme: str, own: Fraction, all_points: list[Fraction]) -> Fraction:
    """Return the distance of points to all others (`each`), to the best, or to all that are better."""
    if scheme == "each":
        return sum(all_points, Fraction(0)) - len(all_points) * own
    if scheme == "best":
        return max(all_points) - own
    return sum((p - own for p in all_points if p > own), Fraction(0))


def _owe_by_place(group: Exact, amounts: tuple[int, ...]) -> Exact:
    """Charge by rank, the last amount for all further ranks. People with equal points pay the mean of their ranks."""
    all_points = list(group.values())

    def mean(own: Fraction) -> Fraction:
        better, level = sum(p > own for p in all_points), all_points.count(own)
        return Fraction(sum(amounts[min(place, len(amounts) - 1)] for place in range(better, better + level)), level)

    return {who: mean(p) for who, p in group.items()}


POT_INCOME = "income:pot"


def build_pot_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    """Build the legs of the pots: what each person put in, less what they got. Each table in cents has a pot of its own."""
    if tariff.pot is None:
        return
    order = [person.id for person in evening.people]
    for table in evening.tables:
        if not table.in_points:
            for who, cents in _play_table(table, tariff.pot, order, evening.turn).items():
                yield from build_leg_pair("pot", build_member_account(who), cents, POT_INCOME)


def compute_pot(table: ChargedTable, pot: Part) -> tuple[int, int]:
    """Compute the content of the pot before its rest is shared (below 0: missing), and what was paid in besides the buy-in."""
    put: dict[str, int] = {}
    topped_up = sum(_play_line(line, pot, put) * len(line.seats) for line in table.lines)
    return sum(put.values()), topped_up


def compute_pot_parts(evening: ChargedEvening, pot: Part) -> dict[str, tuple[int, int]]:
    """Compute what each person put into the pots, and what their games took out (below 0: put in), without the rests."""
    found: dict[str, tuple[int, int]] = {}
    for table in evening.tables:
        there: dict[str, int] = {}
        for line in [] if table.in_points else table.lines:
            new = set(line.seats) - there.keys()
            each = _play_line(line, pot, there)
            for who, cents in zip(line.seats, line.points, strict=True):
                put, won = found.get(who, (0, 0))
                found[who] = put + each + (pot["buy_in"] if who in new else 0), won + cents
    return found


def _play_table(table: ChargedTable, pot: Part, order: list[str], turn: int) -> dict[str, int]:
    """Play the lines of a table. Return what each person put in and did not get back; the sum is the content of the pot."""
    put: dict[str, int] = {}
    for line in table.lines:
        _play_line(line, pot, put)
    rest = sum(put.values())
    sharers = [who for who in order if who in put]
    if sharers and (rest < 0 or pot["rest"] == "split"):
        for who, cents in zip(sharers, split(rest, [1] * len(sharers), turn), strict=True):
            put[who] -= cents
    return put


def _play_line(line: TableLine, pot: Part, put: dict[str, int]) -> int:
    """Play one line: new people buy in, the seats put in the top-up of the line, or what is missing for its sum; then each
    seat gets its points. Return what each seat puts in besides the buy-in."""
    for who in line.seats:
        put.setdefault(who, pot["buy_in"])
    each = line.top_up
    missing = sum(line.points) - sum(put.values())
    if pot["empty"] == "charge" and missing > 0:
        each += pot["top_up"] * -(-missing // (pot["top_up"] * len(line.seats)))
    for who, cents in zip(line.seats, line.points, strict=True):
        put[who] += each - cents
    return each


def compute_charges(evening: ChargedEvening, tariff: TariffRules) -> list[DueLeg]:
    """Compute the legs, sorted by kind, then account; each kind sums to 0. Absent people and guests depend on the others."""
    parts = (build_point_legs, build_pot_legs, build_fee_legs, build_guest_legs, build_host_legs, build_drink_legs, build_fine_legs)
    legs = merge_legs(leg for part in parts for leg in part(evening, tariff))
    legs += build_absence_legs(evening, tariff, legs)
    return merge_legs(_move_from_guests(legs, evening, tariff))


def build_fee_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    if tariff.fee is None:
        return
    paying = (None, "excused", "unexcused") if tariff.fee["absent"] else (None,)
    for person in evening.people:
        if not person.guest and person.absence in paying:
            yield from build_leg_pair("fee", build_member_account(person.id), tariff.fee["cents"], "income:fee")


def build_guest_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    for person in evening.present_people:
        if person.guest:
            yield from build_leg_pair("guest", build_member_account(person.id), tariff.guests["cents"], "income:guest")


def build_host_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    if tariff.host is None or evening.host is None:
        return
    others = [build_member_account(person.id) for person in evening.present_members if person.id != evening.host]
    for payer in ["expense:host"] if tariff.host["from"] == "club" else others:
        yield from build_leg_pair("host", payer, tariff.host["cents"], build_member_account(evening.host))


def build_drink_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    """Build the legs of the own drinks of each present person, and of their share of the bill, which goes to its payer."""
    here, prices = evening.present_people, tariff.drinks["list"]
    for person in here:
        drunk = sum(count * prices.get(code, 0) for code, count in person.drinks.items())
        yield from build_leg_pair("drinks", build_member_account(person.id), tariff.drinks["flat"] + drunk, "income:drinks")
    if not (tariff.drinks["shared"] and evening.bill and here):
        return
    creditor = "income:drinks" if evening.paid_by is None else build_member_account(evening.paid_by)
    for person, share in zip(here, split(evening.bill, [1] * len(here), evening.turn), strict=True):
        yield from build_leg_pair("drinks", build_member_account(person.id), share, creditor)


def build_fine_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    for code, fine in tariff.fines.items():
        if fine.lost_games:
            rows = [(person.id, person.lost) for person in evening.present_people]
        else:
            rows = [(row.who, row.amount) for row in evening.fines if (row.code, row.unit) == (code, fine.amount[0])]
        for who, cents in fine.compute_costs(rows).items():
            yield from build_leg_pair(FINE + code, build_member_account(who), cents, "income:fines")


def build_absence_legs(evening: ChargedEvening, tariff: TariffRules, legs: list[DueLeg]) -> Iterator[DueLeg]:
    """Build the legs of absent members: an average of what present members pay, and a fixed sum."""
    if tariff.absence is None:
        return
    for person in evening.people:
        if not person.guest and person.absence in ("excused", "unexcused"):
            cost = tariff.absence[person.absence]
            average = tariff.absence["round"].apply(_compute_average(evening, legs, cost["average"]))
            yield from build_leg_pair("absence", build_member_account(person.id), average + cost["plus"], "income:absence")


def _compute_average(evening: ChargedEvening, legs: list[DueLeg], parts: Collection[str]) -> Fraction:
    """Return what present members pay for these parts, each leg above 0, divided by their number."""
    accounts = {build_member_account(person.id) for person in evening.present_members}
    by_part = [("fines" if leg.kind.startswith(FINE) else leg.kind, leg) for leg in legs]
    paid = [leg.cents for part, leg in by_part if part in parts and leg.account in accounts and leg.cents > 0]
    return Fraction(sum(paid), len(accounts) or 1)


def _move_from_guests(legs: Iterable[DueLeg], evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    payers = {build_member_account(person.id): get_payer(person, evening, tariff) for person in evening.people if person.guest}
    for leg in legs:
        yield leg._replace(account=payers.get(leg.account, leg.account))


def get_payer(guest: ChargedPerson, evening: ChargedEvening, tariff: TariffRules) -> str:
    """Return the account that pays for a guest; the guest's own if the evening names no other payer."""
    if tariff.guests["payer"] == "club":
        return "expense:guests"
    payers = {"host": evening.host, "bringer": guest.brought_by, "guest": guest.id}
    return build_member_account(payers[tariff.guests["payer"]] or guest.id)


# The kind, the account, and the booked and the computed cents of it, which differ.
LegDifference = tuple[str, str, int, int]


def compare_legs(booked: Iterable[DueLeg], legs: Iterable[DueLeg]) -> list[LegDifference]:
    """List the differences of two lists of legs, sorted by kind, then account."""
    was = {(leg.kind, leg.account): leg.cents for leg in merge_legs(booked)}
    is_now = {(leg.kind, leg.account): leg.cents for leg in legs}
    keys = sorted(was.keys() | is_now.keys())
    return [(*key, was.get(key, 0), is_now.get(key, 0)) for key in keys if was.get(key, 0) != is_now.get(key, 0)]
