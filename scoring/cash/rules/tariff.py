"""The tariff as plain data, and how it is read: every key is a part, a part that is left out charges nothing.
What cannot be is refused by its path, all faults together. Nothing here knows what an evening costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeVar

from scoring.rules.validation import Sentence, _, number, one_of, subset_of, whole_number

from .fields import CENTS, MOST_CENTS, SOME_CENTS, Fields, entries, fraction
from .fines import TariffFine, read_fine
from .money import Rounding

SCHEMES: Final = ("minus", "each", "best", "better", "rank")
SCOPES: Final = ("evening", "table", "game")
PAYERS: Final = ("guest", "bringer", "host", "club")
AVERAGED: Final = ("points", "pot", "fines", "drinks")
EVERY: Final = ("month", "quarter", "year")
HIGHEST_RATE: Final = 10_000
HIGHEST_FACTOR: Final = 100
MOST_AMOUNTS: Final = 60
MOST_BEYOND: Final = 100_000
# The keys of parts that are amounts in cents, or lists and objects of them.
_AMOUNTS: Final = frozenset(
    {"cents", "plus", "cap", "buy_in", "top_up", "flat", "reduced", "list", "amounts", "steps"}
)

_PLACES_PAY: Final = Sentence(_("Bei „nach dem Platz“ kosten die Plätze, nicht die Punkte. Bitte weglassen."))
_ONLY_RANK: Final = Sentence(_("Beträge für Plätze gibt es nur bei „nach dem Platz“. Bitte weglassen."))
_ONLY_MINUS: Final = Sentence(_("Einen Anteil der Gewinner gibt es nur bei „minus“. Bitte weglassen."))
_NO_AMOUNTS: Final = Sentence(_("Bitte 1 bis 60 Beträge in ganzen Cent angeben, für Platz 1, 2 und so weiter."))
_TOP_UP_FROM_1: Final = Sentence(_("Zum Nachlegen braucht es mehr als 0 Cent. Bitte einen Betrag ab 1 angeben."))
_ONLY_MONTHLY: Final = Sentence(_("Nur Beiträge je Monat können von den Abenden abhängen. Bitte „always“ angeben."))
_TRUE_OR_FALSE: Final = one_of(True, False)
_RATE: Final = fraction(HIGHEST_RATE, from_0=False)


class Points(NamedTuple):
    """What points cost: by `scheme`, `rate` cents for a point, or the `amounts` of the places. The rate is `dearer` for a
    whole group where somebody has more than `beyond`.
    """

    scheme: str
    rate: Fraction
    amounts: tuple[int, ...]
    winners: Fraction
    scope: str
    guests: bool
    beyond: int | None
    dearer: Fraction
    round: Rounding
    cap: int | None
    factors: Mapping[str, Fraction]


class Pot(NamedTuple):
    """What everybody puts in; whether an empty pot is topped up by itself; whether the rest is the Kasse's or split."""

    buy_in: int
    top_up: int
    charges: bool
    splits: bool


class Fee(NamedTuple):
    """What an evening costs every member there, and the absent if they pay as well."""

    cents: int
    absent: bool


class Guests(NamedTuple):
    """What an evening costs a guest, and on whom all legs of a guest fall."""

    cents: int = 0
    payer: str = "guest"


class Host(NamedTuple):
    """What a host gets: from every other member there, or once from the club."""

    cents: int
    from_club: bool


class Drinks(NamedTuple):
    """A sum for everybody here, prices by code, and whether a bill is shared."""

    flat: int = 0
    prices: Mapping[str, int] = {}
    shared: bool = False


class Absent(NamedTuple):
    """What one kind of absence costs: the average of these parts, and so much more."""

    average: tuple[str, ...] = ()
    plus: int = 0


class Absence(NamedTuple):
    excused: Absent
    unexcused: Absent
    round: Rounding


class Dues(NamedTuple):
    """What a member pays for a month, a quarter or a year."""

    cents: int
    reduced: int
    every: str
    without_evening: bool


class TariffRules(NamedTuple):
    """One version of what a club charges. A part that is None charges nothing."""

    points: Points | None
    pot: Pot | None
    fee: Fee | None
    guests: Guests
    host: Host | None
    drinks: Drinks
    fines: Mapping[str, TariffFine]
    absence: Absence | None
    dues: Dues | None


Part = TypeVar("Part")


def read_tariff(fields: Fields) -> TariffRules:
    """The tariff from the object that somebody typed. It holds only where no fault is noted."""
    fields.only("points", "pot", "fee", "guests", "host", "drinks", "fines", "absence", "dues", "joining", "leaving")

    def part(key: str, read: Callable[[Fields], Part]) -> Part | None:
        return read(fields.inner(key)) if key in fields else None

    part("joining", _judge_joining)
    part("leaving", _judge_leaving)
    return TariffRules(
        points=part("points", _points),
        pot=part("pot", _pot),
        fee=part("fee", _fee),
        guests=part("guests", _guests) or Guests(),
        host=part("host", _host),
        drinks=part("drinks", _drinks) or Drinks(),
        fines={code: read_fine(catalogue.inner(code)) for code, catalogue in fields.by_code("fines")},
        absence=part("absence", _absence),
        dues=part("dues", _dues),
    )


def _points(fields: Fields) -> Points:
    fields.only(
        "scheme", "rate", "amounts", "winners", "scope", "guests", "dearer", "round", "cap", "factors",
    )  # fmt: skip
    scheme = fields.need("scheme", one_of(*SCHEMES), "minus")
    rate, beyond, dearer, amounts = Fraction(0), None, Fraction(0), ()
    if scheme == "rank":
        fields.forbid("rate", _PLACES_PAY)
        fields.forbid("dearer", _PLACES_PAY)
        amounts = fields.need("amounts", entries(_is_cents, 1, MOST_AMOUNTS, _NO_AMOUNTS), ())
    else:
        fields.forbid("amounts", _ONLY_RANK)
        rate = Fraction(fields.need("rate", _RATE, 0))
        if "dearer" in fields:
            beyond, dearer = _dearer(fields.inner("dearer"))
    if scheme != "minus":
        fields.forbid("winners", _ONLY_MINUS)
    return Points(
        scheme=scheme,
        rate=rate,
        amounts=tuple(amounts),
        winners=Fraction(fields.get("winners", fraction(1), 0)) if scheme == "minus" else Fraction(0),
        scope=fields.get("scope", one_of(*SCOPES), "evening"),
        guests=fields.get("guests", _TRUE_OR_FALSE, True),
        beyond=beyond,
        dearer=dearer,
        round=_round(fields.inner("round")),
        cap=fields.get("cap", SOME_CENTS),
        factors=_factors(fields.inner("factors")),
    )


def _dearer(fields: Fields) -> tuple[int | None, Fraction]:
    fields.only("beyond", "rate")
    return fields.need("beyond", number(1, MOST_BEYOND)), Fraction(fields.need("rate", _RATE, 0))


def _round(fields: Fields) -> Rounding:
    fields.only("to", "how")
    return Rounding(
        to=fields.get("to", one_of(1, 5, 10, 50, 100), 1),
        how=fields.get("how", one_of("down", "up", "nearest"), "nearest"),
    )


def _factors(fields: Fields) -> Mapping[str, Fraction]:
    return {name: Fraction(fields.get(name, fraction(HIGHEST_FACTOR), 1)) for name in fields.data}


def _pot(fields: Fields) -> Pot:
    fields.only("buy_in", "top_up", "empty", "rest")
    buy_in = fields.need("buy_in", CENTS)
    top_up = fields.get("top_up", CENTS, buy_in)
    charges = fields.get("empty", one_of("charge", "warn"), "charge") == "charge"
    if charges and top_up == 0:
        fields.refuse("top_up", _TOP_UP_FROM_1)
    return Pot(buy_in, top_up, charges, splits=fields.get("rest", one_of("split", "kasse"), "split") == "split")


def _fee(fields: Fields) -> Fee:
    fields.only("cents", "absent")
    return Fee(cents=fields.need("cents", CENTS), absent=fields.get("absent", _TRUE_OR_FALSE, False))


def _guests(fields: Fields) -> Guests:
    fields.only("cents", "payer")
    return Guests(cents=fields.get("cents", CENTS, 0), payer=fields.get("payer", one_of(*PAYERS), "guest"))


def _host(fields: Fields) -> Host:
    fields.only("cents", "from")
    cents = fields.need("cents", SOME_CENTS)
    return Host(cents, from_club=fields.get("from", one_of("others", "club"), "others") == "club")


def _drinks(fields: Fields) -> Drinks:
    fields.only("flat", "list", "shared")
    return Drinks(
        flat=fields.get("flat", CENTS, 0),
        prices={code: prices.get(code, CENTS) for code, prices in fields.by_code("list")},
        shared=fields.get("shared", _TRUE_OR_FALSE, False),
    )


def _absence(fields: Fields) -> Absence:
    fields.only("excused", "unexcused", "round")
    return Absence(_absent(fields.inner("excused")), _absent(fields.inner("unexcused")), _round(fields.inner("round")))


def _absent(fields: Fields) -> Absent:
    fields.only("average", "plus")
    return Absent(tuple(fields.get("average", subset_of(AVERAGED), ())), fields.get("plus", CENTS, 0))


def _dues(fields: Fields) -> Dues:
    fields.only("cents", "reduced", "every", "when")
    dues = Dues(
        cents=fields.need("cents", CENTS),
        reduced=fields.get("reduced", CENTS, 0),
        every=fields.get("every", one_of(*EVERY), "month"),
        without_evening=fields.get("when", one_of("always", "no_evening"), "always") == "no_evening",
    )
    if dues.without_evening and dues.every != "month":
        fields.refuse("when", _ONLY_MONTHLY)
    return dues


def _judge_joining(fields: Fields) -> None:
    fields.only("cents")
    fields.need("cents", CENTS)


def _judge_leaving(fields: Fields) -> None:
    fields.only("payout", "cents")
    if fields.need("payout", one_of("nothing", "share", "fixed")) == "fixed":
        fields.need("cents", SOME_CENTS)
    else:
        fields.get("cents", SOME_CENTS)


def amounts_in(part: Any, priced: bool = False) -> Iterator[int]:
    """Every amount in cents of a tariff or of a `part` of it; `priced` is a part that holds nothing else."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield from amounts_in(value, priced or key in _AMOUNTS)
    elif isinstance(part, list):
        for value in part:
            yield from amounts_in(value, priced)
    elif priced and isinstance(part, int) and not isinstance(part, bool):
        yield part


def _is_cents(value: Any) -> bool:
    return whole_number(value, 0, MOST_CENTS)
