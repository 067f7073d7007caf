"""The facts of an evening that money depends on, as plain data, and how they are read against the tariff: who was there, the
tables, host, drinks, fines. What cannot be is refused by its path, all faults together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scoring.rules.validation import Check, Sentence, _, number, one_of, or_null

from .fields import MOST_PEOPLE, SOME_CENTS, TURN, Fields, a_day, a_list, anything, entries, identity
from .tables import ChargedTable, read_table
from .tariff import TariffRules

ABSENCES: Final = ("excused", "unexcused", "free")
MOST_DRINKS: Final = 999
MOST_LOST: Final = 999

_SOME_PEOPLE: Final = entries(anything, 1, MOST_PEOPLE, Sentence(_("Bitte 1 bis 60 Personen in einer Liste angeben.")))
_UNKNOWN: Final = Sentence(
    _("Diese Person gibt es an diesem Abend nicht. Bitte jemanden aus der Liste der Personen angeben.")
)
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
    """Somebody in the attendance of the evening; `lost` counts the games that they lost."""

    id: str
    guest: bool
    absence: str | None
    brought_by: str | None = None
    drinks: Mapping[str, int] = {}
    lost: int = 0

    @property
    def is_member_there(self) -> bool:
        return not self.guest and self.absence is None


class Bill(NamedTuple):
    """A bill for drinks, and who paid it if it was not the Kasse."""

    cents: int
    paid_by: str | None


class FineRow(NamedTuple):
    """One fine of one person; `amount` counts what the form of the fine asks for: events, minutes or cents."""

    who: str
    code: str
    amount: int


class ChargedEvening(NamedTuple):
    """One evening. `people` stand in the order that odd cents go by, `turn` says where it begins."""

    people: tuple[ChargedPerson, ...]
    tables: tuple[ChargedTable, ...]
    host: str | None
    bill: Bill | None
    fines: tuple[FineRow, ...]
    turn: int

    @property
    def here(self) -> list[ChargedPerson]:
        """Everybody there, guests too."""
        return [person for person in self.people if person.absence is None]

    @property
    def members_there(self) -> list[ChargedPerson]:
        return [person for person in self.people if person.is_member_there]


class KnownPeople:
    """Who can be named. Where an id was refused nobody is called unknown: the name may be the one that is missing."""

    def __init__(self, people: Mapping[str, ChargedPerson], is_whole: bool) -> None:
        self.people = people
        self.is_whole = is_whole

    def anybody(self, value: Any) -> Sentence | None:
        """Somebody of this evening, absent or not."""
        is_known = isinstance(value, str) and (value in self.people or not self.is_whole)
        return None if is_known else _UNKNOWN

    def host(self, value: Any) -> Sentence | None:
        """A member who is there."""
        person = self.people.get(value) if isinstance(value, str) else None
        return _NO_HOST if person and not person.is_member_there else self.anybody(value)

    def bringer(self, value: Any) -> Sentence | None:
        """A member, there or not."""
        person = self.people.get(value) if isinstance(value, str) else None
        return _NO_BRINGER if person and person.guest else self.anybody(value)

    def is_there(self, value: Any) -> bool:
        """Can this be somebody who is there?"""
        if not isinstance(value, str):
            return False
        person = self.people.get(value)
        return person.absence is None if person else not self.is_whole


def read_evening(fields: Fields, tariff: TariffRules) -> ChargedEvening:
    """The evening from the object that somebody typed. It holds only where no fault is noted."""
    fields.only("people", "tables", "host", "drinks", "fines", "turn", "date")
    known, people = _people(fields, tariff)
    fields.get("tables", a_list)
    fields.get("fines", a_list)
    fields.get("date", a_day)
    return ChargedEvening(
        people=people,
        tables=tuple(
            read_table(Fields(table, at, fields.faults), known.is_there) for table, at in fields.each("tables")
        ),
        host=fields.get("host", known.host),
        bill=_bill(fields, tariff, known) if "drinks" in fields else None,
        fines=tuple(_fine(Fields(row, at, fields.faults), tariff, known) for row, at in fields.each("fines")),
        turn=fields.get("turn", TURN, 0),
    )


def _people(fields: Fields, tariff: TariffRules) -> tuple[KnownPeople, tuple[ChargedPerson, ...]]:
    """Everybody of the evening: first who there is, then what depends on the others."""
    if fields.need("people", _SOME_PEOPLE) is None:
        return KnownPeople({}, is_whole=False), ()
    seen: set[str] = set()
    rows = [Fields(row, at, fields.faults) for row, at in fields.each("people")]
    first = [(row, _person(row, identity(row, seen))) for row in rows]
    known = KnownPeople({person.id: person for _row, person in first if person.id}, all(person.id for _row, person in first))
    return known, tuple(_with_the_rest(row, person, tariff, known) for row, person in first)


def _person(fields: Fields, found: str | None) -> ChargedPerson:
    fields.only("id", "guest", "absence", "brought_by", "drinks", "lost")
    return ChargedPerson(
        id=found or "",
        guest=fields.get("guest", one_of(True, False), False),
        absence=fields.get("absence", or_null(one_of(*ABSENCES))),
    )


def _with_the_rest(fields: Fields, person: ChargedPerson, tariff: TariffRules, known: KnownPeople) -> ChargedPerson:
    bringer: Check = known.bringer if person.guest else lambda _value: _NO_BRINGER
    drinks = _drinks(fields.inner("drinks"), tariff)
    lost = fields.get("lost", number(0, MOST_LOST), 0)
    if person.absence is not None:
        if drinks:
            fields.refuse("drinks", _NOT_THERE)
        if lost:
            fields.refuse("lost", _NOT_THERE)
    return person._replace(brought_by=fields.get("brought_by", or_null(bringer)), drinks=drinks, lost=lost)


def _drinks(fields: Fields, tariff: TariffRules) -> Mapping[str, int]:
    count = number(0, MOST_DRINKS)
    return {
        code: fields.get(code, count if code in tariff.drinks.prices else lambda _value: _NO_DRINK, 0)
        for code in fields.data
    }


def _bill(fields: Fields, tariff: TariffRules, known: KnownPeople) -> Bill | None:
    if not tariff.drinks.shared:
        fields.refuse("drinks", _NOT_SHARED)
        return None
    bill = fields.inner("drinks")
    bill.only("cents", "paid_by")
    return Bill(cents=bill.need("cents", SOME_CENTS), paid_by=bill.get("paid_by", known.anybody))


def _fine(fields: Fields, tariff: TariffRules, known: KnownPeople) -> FineRow:
    """One row; what it says beside who and which fine depends on the fine, and is not judged where that is refused."""

    def in_catalogue(value: Any) -> Sentence | None:
        fine = tariff.fines.get(value) if isinstance(value, str) else None
        return _NO_FINE if fine is None or fine.lost_games else None

    who, code = fields.need("who", known.anybody), fields.need("code", in_catalogue)
    if code is None:
        fields.only("who", "code", "count", "minutes", "cents")
        return FineRow(who, "", 0)
    key, check, default = tariff.fines[code].amount
    fields.only("who", "code", key)
    amount = fields.get(key, check, default) if default is not None else fields.need(key, check)
    return FineRow(who, code, amount)
