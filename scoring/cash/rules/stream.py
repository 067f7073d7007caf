"""Answer the lines that `manage.py charges` reads; the answer to a refused line lists its faults by path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

from scoring.cash.dues.rules import build_dues_legs, read_month
from scoring.cash.evening.rules import compare_legs, compute_charges, read_evening
from scoring.cash.settling.rules import KASSE, settle
from scoring.cash.tariff.rules import TariffRules, read_tariff
from scoring.rules.score_lines import NO_OBJECT, UNREADABLE, parse_object
from scoring.rules.steps import encode
from scoring.rules.validation import Refused, Sentence, _, whole_number

from .fields import BALANCE, IDENTITY, MOST_PEOPLE, TURN, Fields, a_list, a_text, anything, entries, parse_fraction
from .money import DueLeg, split

Answer = dict[str, Any]
# The kinds of lines, and the keys that are ignored.
KINDS: Final = ("evening", "month", "settle", "split")
IGNORED: Final = ("expect", "note")
MOST_LEG: Final = 10**10

_ONE_OF_FOUR: Final = Sentence(_("Bitte genau eines davon angeben: „evening“, „month“, „settle“ oder „split“."))
_NO_WEIGHTS: Final = Sentence(
    _('Bitte 1 bis 60 Gewichte angeben, ganze Zahlen oder Brüche wie "1/2" ab 0, davon mindestens eines über 0.')
)
_NO_LEG_CENTS: Final = Sentence(_("Bitte ganze Cent angeben, nicht 0."))
_NO_BALANCES: Final = Sentence(_("Bitte eine Liste von höchstens 60 Salden angeben, jeden als [Name, Cent]."))
_NO_BALANCE: Final = Sentence(
    _("Bitte [Name, Cent] angeben: jeden Namen nur einmal und nicht „kasse“, ganze Cent bis 100000000, ein Guthaben mit Minus.")
)  # fmt: skip


class ChargesStream:
    def __init__(self) -> None:
        self.refused = 0

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield one answer per line, as JSON; none for a blank line."""
        for line in filter(None, map(str.strip, lines)):
            try:
                yield encode(answer(_parse_line(line)))
            except Refused as refused:
                self.refused += 1
                yield encode({"error": {path: str(sentence) for path, sentence in refused.fields.items()}})


def _parse_line(line: str) -> dict[str, Any]:
    try:
        return parse_object(line)
    except UNREADABLE as error:
        raise Refused({"line": NO_OBJECT}) from error


def answer(data: dict[str, Any]) -> Answer:
    """Return the answer to one object. Raises Refused with a sentence for every faulty path."""
    kinds = [kind for kind in KINDS if kind in data]
    if len(kinds) != 1:
        raise Refused({"line": _ONE_OF_FOUR})
    line = Fields(data, "", {})
    return {"evening": _answer_evening, "month": _answer_month, "settle": _answer_settle, "split": _answer_split}[kinds[0]](line)


def _read_tariff(line: Fields) -> TariffRules:
    """Read the tariff of a line. It is checked first: its faults are answered alone."""
    line.require("tariff", lambda _value: None)
    tariff = read_tariff(line.get_inner("tariff"))
    line.finish()
    return tariff


def _answer_evening(line: Fields) -> Answer:
    tariff = _read_tariff(line)
    line.allow_only("tariff", "evening", "booked", *IGNORED)
    evening = read_evening(line.get_inner("evening"), tariff)
    booked = _read_booked(line)
    line.finish()
    legs = compute_charges(evening, tariff)
    answer: Answer = {"legs": _serialize_legs(legs)}
    if booked is not None:
        found = compare_legs(booked, legs)
        answer["difference"] = [{"account": account, "kind": kind, "was": was, "is": now} for kind, account, was, now in found]
    return answer


def _read_booked(line: Fields) -> list[DueLeg] | None:
    if line.get("booked", a_list) is None:
        return None
    return [_read_leg(entry) for entry in line.list_objects("booked")]


def _read_leg(fields: Fields) -> DueLeg:
    fields.allow_only("account", "cents", "kind")
    return DueLeg(fields.require("kind", a_text), fields.require("account", a_text), fields.require("cents", _check_leg_cents))


def _check_leg_cents(value: Any) -> Sentence | None:
    return None if value != 0 and whole_number(value, -MOST_LEG, MOST_LEG) else _NO_LEG_CENTS


def _serialize_legs(legs: Iterable[DueLeg]) -> list[Answer]:
    return [{"account": leg.account, "cents": leg.cents, "kind": leg.kind} for leg in legs]


def _answer_month(line: Fields) -> Answer:
    tariff = _read_tariff(line)
    line.allow_only("tariff", "month", *IGNORED)
    month = read_month(line.get_inner("month"))
    line.finish()
    return {"legs": _serialize_legs(build_dues_legs(*month, tariff))}


def _answer_settle(line: Fields) -> Answer:
    line.allow_only("settle", *IGNORED)
    seen = {KASSE}
    if line.get("settle", entries(anything, 0, MOST_PEOPLE, _NO_BALANCES)) is not None:
        for balance, at in line.list_entries("settle"):
            if not _is_balance(balance) or balance[0] in seen:
                line.faults[at] = _NO_BALANCE
            else:
                seen.add(balance[0])
    line.finish()
    transfers = settle([(who, cents) for who, cents in line.data["settle"]])
    return {"transfers": [{"from": payer, "to": receiver, "cents": cents} for payer, receiver, cents in transfers]}


def _is_balance(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and IDENTITY(value[0]) is None and BALANCE(value[1]) is None


def _answer_split(line: Fields) -> Answer:
    line.allow_only("split", *IGNORED)
    fields = line.get_inner("split")
    fields.allow_only("cents", "weights", "turn")
    cents, turn = fields.require("cents", BALANCE), fields.get("turn", TURN, 0)
    written = fields.require("weights", entries(_is_weight, 1, MOST_PEOPLE, _NO_WEIGHTS), [])
    weights = [parse_fraction(weight) or Fraction(0) for weight in written]
    if weights and not any(weights):
        fields.refuse("weights", _NO_WEIGHTS)
    line.finish()
    return {"shares": split(cents, weights, turn)}


def _is_weight(value: Any) -> bool:
    return parse_fraction(value) is not None
