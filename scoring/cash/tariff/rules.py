"""The tariff as plain data: how it is read and refused by path, what fines cost, and the five questions that set it up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from scoring.cash.rules.fields import CENTS, MOST_CENTS, SOME_CENTS, Fields, characters, entries, fraction
from scoring.cash.rules.money import Rounding
from scoring.rules.validation import Check, Sentence, _, number, one_of, subset_of, whole_number

FINE = "fine."


LONGEST_NAME: Final = 60
MOST_STEPS: Final = 9
MOST_COUNT: Final = 999
MOST_MINUTES: Final = 1440

_NO_STEPS: Final = Sentence(
    _("Bitte 1 bis 9 Stufen angeben, jede als [Anzahl, Cent]; nur die letzte hat keine Anzahl: [null, Cent].")
)
_ONLY_PER_MINUTES: Final = Sentence(
    _("Eine Obergrenze gibt es nur, wo nach Minuten gezahlt wird. Bitte weglassen oder „minutes“ angeben.")
)
# The amount of a row of fines: its key, its check, and its default.
Amount = tuple[str, Check, int | None]
_COUNT: Final[Amount] = ("count", number(1, MOST_COUNT), 1)
_MINUTES: Final[Amount] = ("minutes", number(0, MOST_MINUTES), None)
_CENTS: Final[Amount] = ("cents", SOME_CENTS, None)


class TariffFine(NamedTuple):
    """One fine of a tariff. Its form is one of four: cents per event; cents per started `minutes` of a row, at most `cap`;
    `steps` of (count, cents each), where the last step counts for all further events; or, if `open`, a typed amount."""

    cents: int = 0
    minutes: int | None = None
    cap: int | None = None
    steps: tuple[tuple[int | None, int], ...] = ()
    lost_games: bool = False
    open: bool = False

    @property
    def amount(self) -> Amount:
        """Return the key, check and default of the amount that a row of this fine has."""
        return _CENTS if self.open else _MINUTES if self.minutes else _COUNT

    def compute_row(self, amount: int) -> int:
        """Compute the cents of one row, for a fine without steps."""
        if self.open:
            return amount
        if self.minutes is None:
            return self.cents * amount
        cents = self.cents * -(-amount // self.minutes)
        return cents if self.cap is None else min(cents, self.cap)

    def compute_steps(self, count: int) -> int:
        cents = 0
        for many, each in self.steps:
            taken = count if many is None else min(count, many)
            cents += taken * each
            count -= taken
        return cents

    def compute_costs(self, rows: Iterable[tuple[str, int]]) -> Mapping[str, int]:
        """Compute the cents of each person for rows of (person, amount); steps take the sum of a person."""
        sums: dict[str, int] = {}
        for who, amount in rows:
            sums[who] = sums.get(who, 0) + (amount if self.steps else self.compute_row(amount))
        return {who: self.compute_steps(count) for who, count in sums.items()} if self.steps else sums


def read_fine(fields: Fields) -> TariffFine:
    """Read a fine. It has the form of its key `steps` or `open`, otherwise that of `cents`."""
    fields.get("name", characters(LONGEST_NAME))
    if "steps" in fields:
        fields.allow_only("name", "steps", "counts")
        steps = fields.require("steps", entries(_is_step, 1, MOST_STEPS, _NO_STEPS), [])
        if any((many is None) != (place == len(steps)) for place, (many, _cents) in enumerate(steps, 1)):
            fields.refuse("steps", _NO_STEPS)
        counts = fields.get("counts", one_of("entries", "lost_games"), "entries")
        return TariffFine(steps=tuple(map(tuple, steps)), lost_games=counts == "lost_games")
    if "open" in fields:
        fields.allow_only("name", "open")
        fields.get("open", one_of(True))
        return TariffFine(open=True)
    fields.allow_only("name", "cents", "minutes", "cap")
    if "minutes" not in fields:
        fields.forbid("cap", _ONLY_PER_MINUTES)
        return TariffFine(cents=fields.require("cents", CENTS, 0))
    return TariffFine(
        cents=fields.require("cents", CENTS, 0),
        minutes=fields.get("minutes", number(1, MOST_MINUTES), 1),
        cap=fields.get("cap", SOME_CENTS),
    )


# The fines to tick, as a small club has them.
OFFERED_FINES: Final[Mapping[str, Mapping[str, Any]]] = {
    "misdeal": {"cents": 50},
    "late": {"cents": 50, "minutes": 5, "cap": 500},
    "phone": {"cents": 100},
}


def _is_step(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    many, cents = value
    return (many is None or whole_number(many, 1, MOST_COUNT)) and whole_number(cents, 0, MOST_CENTS)


SCHEMES: Final = ("minus", "each", "best", "better", "rank")
SCOPES: Final = ("evening", "table", "game")
PAYERS: Final = ("guest", "bringer", "host", "club")
AVERAGED: Final = ("points", "pot", "fines", "drinks")
EVERY: Final = ("month", "quarter", "year")
HIGHEST_RATE: Final = 10_000
HIGHEST_FACTOR: Final = 100
MOST_AMOUNTS: Final = 60
MOST_BEYOND: Final = 100_000
# The keys whose values are amounts in cents, or lists and objects of amounts.
_AMOUNTS: Final = frozenset({"cents", "plus", "cap", "buy_in", "top_up", "flat", "reduced", "list", "amounts", "steps"})

_PLACES_PAY: Final = Sentence(_("Bei „nach dem Platz“ kosten die Plätze, nicht die Punkte. Bitte weglassen."))
_ONLY_RANK: Final = Sentence(_("Beträge für Plätze gibt es nur bei „nach dem Platz“. Bitte weglassen."))
_ONLY_MINUS: Final = Sentence(_("Einen Anteil der Gewinner gibt es nur bei „minus“. Bitte weglassen."))
_NO_AMOUNTS: Final = Sentence(_("Bitte 1 bis 60 Beträge in ganzen Cent angeben, für Platz 1, 2 und so weiter."))
_TOP_UP_FROM_1: Final = Sentence(_("Zum Nachlegen braucht es mehr als 0 Cent. Bitte einen Betrag ab 1 angeben."))
_ONLY_MONTHLY: Final = Sentence(_("Nur Beiträge je Monat können von den Abenden abhängen. Bitte „always“ angeben."))
_TRUE_OR_FALSE: Final = one_of(True, False)
_RATE: Final = fraction(HIGHEST_RATE, from_0=False)


class Points(NamedTuple):
    """The price of points by `scheme`: `rate` cents per point, or the `amounts` of the ranks. The rate is `dearer` for a whole
    group if one of it has more than `beyond` points."""

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


# The values of a smaller part by key, with defaults for the missing ones.
Part = Mapping[str, Any]


class TariffRules(NamedTuple):
    """One version of a tariff, ready to charge by. A part that is None charges nothing."""

    points: Points | None
    pot: Part | None
    fee: Part | None
    guests: Part
    host: Part | None
    drinks: Part
    fines: Mapping[str, TariffFine]
    absence: Part | None
    dues: Part | None


REQUIRED: Final = object()
_ROUND: Final = {"to": (one_of(1, 5, 10, 50, 100), 1), "how": (one_of("down", "up", "nearest"), "nearest")}
_ABSENT: Final = {"average": (subset_of(AVERAGED), ()), "plus": (CENTS, 0)}
# The keys of each part, with the check and the default of each value, or with the keys of an object. Keys that depend on others
# are checked further below.
PARTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "points": {
        "winners": (fraction(1), 0),
        "scope": (one_of(*SCOPES), "evening"),
        "guests": (_TRUE_OR_FALSE, True),
        "round": _ROUND,
        "cap": (SOME_CENTS, None),
    },
    "pot": {
        "buy_in": (CENTS, REQUIRED),
        "top_up": (CENTS, None),
        "empty": (one_of("charge", "warn"), "charge"),
        "rest": (one_of("split", "kasse"), "split"),
    },
    "fee": {"cents": (CENTS, REQUIRED), "absent": (_TRUE_OR_FALSE, False)},
    "guests": {"cents": (CENTS, 0), "payer": (one_of(*PAYERS), "guest")},
    "host": {"cents": (SOME_CENTS, REQUIRED), "from": (one_of("others", "club"), "others")},
    "drinks": {"flat": (CENTS, 0), "shared": (_TRUE_OR_FALSE, False)},
    "absence": {"excused": _ABSENT, "unexcused": _ABSENT, "round": _ROUND},
    "dues": {
        "cents": (CENTS, REQUIRED),
        "reduced": (CENTS, 0),
        "every": (one_of(*EVERY), "month"),
        "when": (one_of("always", "no_evening"), "always"),
    },
    "joining": {"cents": (CENTS, REQUIRED)},
}


def get_default(path: str) -> Any:
    """Return the default of the value at a path of the tariff; None for a required one, or one that depends on others."""
    found: Any = PARTS
    for key in path.split("."):
        found = found.get(key, {}) if isinstance(found, Mapping) else {}
    return found[1] if isinstance(found, tuple) and found[1] is not REQUIRED else None


def _read_keys(fields: Fields, keys: Mapping[str, Any], *others: str) -> Any:
    """Read the values of these keys; None for a required one that is missing or refused. `others` may be there as well."""
    fields.allow_only(*keys, *others)
    found: dict[str, Any] = {}
    for key, expected in keys.items():
        if isinstance(expected, Mapping):
            found[key] = _read_keys(fields.get_inner(key), expected)
        elif expected[1] is REQUIRED:
            found[key] = fields.require(key, expected[0])
        else:
            found[key] = fields.get(key, *expected)
    return found


def read_tariff(fields: Fields) -> TariffRules:
    """Read the tariff from a typed object. The result is valid only if no fault was noted."""
    fields.allow_only(*PARTS, "fines", "leaving")

    def part(key: str, read: Callable[[Fields], Any] | None = None) -> Any:
        inner = fields.get_inner(key) if key in fields else None
        return None if inner is None else read(inner) if read else _read_keys(inner, PARTS[key])

    part("joining")
    if "leaving" in fields:
        _check_leaving(fields.get_inner("leaving"))
    return TariffRules(
        points=_read_points(fields.get_inner("points")) if "points" in fields else None,
        pot=part("pot", _read_pot),
        fee=part("fee"),
        guests=_read_keys(fields.get_inner("guests"), PARTS["guests"]),
        host=part("host"),
        drinks=_read_drinks(fields.get_inner("drinks")),
        fines={code: read_fine(catalogue.get_inner(code)) for code, catalogue in fields.list_codes("fines")},
        absence=part("absence", _read_absence),
        dues=part("dues", _read_dues),
    )


def _read_points(fields: Fields) -> Points:
    scheme = fields.require("scheme", one_of(*SCHEMES), "minus")
    rate, beyond, dearer, amounts = Fraction(0), None, Fraction(0), ()
    if scheme == "rank":
        fields.forbid("rate", _PLACES_PAY)
        fields.forbid("dearer", _PLACES_PAY)
        amounts = fields.require("amounts", entries(_is_cents, 1, MOST_AMOUNTS, _NO_AMOUNTS), ())
    else:
        fields.forbid("amounts", _ONLY_RANK)
        rate = Fraction(fields.require("rate", _RATE, 0))
        if "dearer" in fields:
            beyond, dearer = _read_dearer(fields.get_inner("dearer"))
    if scheme != "minus":
        fields.forbid("winners", _ONLY_MINUS)
    values = _read_keys(fields, PARTS["points"], "scheme", "rate", "amounts", "dearer", "factors")
    return Points(
        scheme=scheme,
        rate=rate,
        amounts=tuple(amounts),
        winners=Fraction(values["winners"] if scheme == "minus" else 0),
        scope=values["scope"],
        guests=values["guests"],
        beyond=beyond,
        dearer=dearer,
        round=Rounding(**values["round"]),
        cap=values["cap"],
        factors=_read_factors(fields.get_inner("factors")),
    )


def _read_dearer(fields: Fields) -> tuple[int | None, Fraction]:
    fields.allow_only("beyond", "rate")
    return fields.require("beyond", number(1, MOST_BEYOND)), Fraction(fields.require("rate", _RATE, 0))


def _read_factors(fields: Fields) -> Mapping[str, Fraction]:
    return {name: Fraction(fields.get(name, fraction(HIGHEST_FACTOR), 1)) for name in fields.data}


def _read_pot(fields: Fields) -> Any:
    pot = _read_keys(fields, PARTS["pot"])
    if pot["top_up"] is None:
        pot["top_up"] = pot["buy_in"]
    if pot["empty"] == "charge" and pot["top_up"] == 0:
        fields.refuse("top_up", _TOP_UP_FROM_1)
    return pot


def _read_drinks(fields: Fields) -> Part:
    prices = {code: prices.get(code, CENTS) for code, prices in fields.list_codes("list")}
    return {**_read_keys(fields, PARTS["drinks"], "list"), "list": prices}


def _read_absence(fields: Fields) -> Part:
    absence = _read_keys(fields, PARTS["absence"])
    return {**absence, "round": Rounding(**absence["round"])}


def _read_dues(fields: Fields) -> Part:
    dues: Part = _read_keys(fields, PARTS["dues"])
    if dues["when"] == "no_evening" and dues["every"] != "month":
        fields.refuse("when", _ONLY_MONTHLY)
    return dues


def _check_leaving(fields: Fields) -> None:
    fields.allow_only("payout", "cents")
    if fields.require("payout", one_of("nothing", "share", "fixed")) == "fixed":
        fields.require("cents", SOME_CENTS)
    else:
        fields.get("cents", SOME_CENTS)


def list_amounts(part: Any, priced: bool = False) -> Iterator[int]:
    """List all amounts in cents of a tariff or of a `part` of it; `priced` marks a part that holds only amounts."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield from list_amounts(value, priced or key in _AMOUNTS)
    elif isinstance(part, list):
        for value in part:
            yield from list_amounts(value, priced)
    elif priced and isinstance(part, int) and not isinstance(part, bool):
        yield part


def _is_cents(value: Any) -> bool:
    return whole_number(value, 0, MOST_CENTS)
