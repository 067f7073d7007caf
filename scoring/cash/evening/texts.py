"""Explain the cost of an evening: for every person the steps that lead to their amount; fines, and changes of amounts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.cash.models import Attendance, Fine, Tariff
from scoring.cash.rules.money import build_member_account
from scoring.cash.tariff.rules import FINE, Points
from scoring.cash.tariff.texts import AVERAGED, describe_fine, get_fine_name, get_kind_name
from scoring.cash.texts import format_euros
from scoring.club.models import Player
from scoring.core.formats import fill_in_names, format_day, format_month, mark_as_name
from scoring.core.formats import format_points as figure
from scoring.play.models import Evening

from .queries import CostChange, Facts
from .rules import (
    ChargedEvening,
    ChargedPerson,
    FineRow,
    build_groups,
    compute_charges,
    compute_owed,
    compute_pot_parts,
    get_payer,
)


@dataclass
class PersonBill:
    """The cost of an evening for one person. Above 0 they pay. `player` is None for what the club pays for guests. Each of the
    `steps` has its `label`, its `cents`, also as `amount_text`, the `guest` that it is for ("" for none), and `how` it follows."""

    player: Player | None
    steps: list[dict[str, Any]] = field(default_factory=list)
    absence: str = ""
    is_guest: bool = False

    @property
    def cents(self) -> int:
        return sum(step["cents"] for step in self.steps)

    @property
    def amount_text(self) -> str:
        return describe_amount(self.cents)


def describe_amount(cents: int) -> str:
    if cents > 0:
        return _("zahlt %(amount)s") % {"amount": format_euros(cents)}
    return _("bekommt %(amount)s") % {"amount": format_euros(-cents)} if cents else _("nichts")


def build_bills(facts: Facts, tariff: Tariff) -> list[PersonBill]:
    """Build the bills of an evening in the order of its people; what the club pays for guests stands last."""
    evening, rules = facts.charged, tariff.rules
    people = {build_member_account(person.id): person for person in evening.people}
    found = {
        account: PersonBill(facts.players[person.id], absence=_describe_absence(person), is_guest=person.guest)
        for account, person in people.items()
    }
    own = rules._replace(guests={**rules.guests, "payer": "guest"})
    explanations = _Explanations(tariff, evening)
    for leg in [] if facts.evening.dropped else compute_charges(evening, own):
        person = people.get(leg.account)
        if person is None:
            continue
        account = get_payer(person, evening, rules) if person.guest else leg.account
        guest = "" if account == leg.account else str(facts.players[person.id])
        how = explanations.explain(leg.kind, person, leg.cents)
        step = {"label": get_kind_name(tariff.content, leg.kind), "how": how, "cents": leg.cents, "guest": guest}
        found.setdefault(account, PersonBill(None)).steps.append(step | {"amount_text": describe_amount(leg.cents)})
    return list(found.values())


def describe_kasse_share(bills: Iterable[PersonBill]) -> str:
    """Describe the share of the Kasse: all payments of people together, or what it gives."""
    return describe_amount(-sum(bill.cents for bill in bills if bill.player))


def _describe_absence(person: ChargedPerson) -> str:
    return str(Attendance.Absence(person.absence).label) if person.absence else ""


class _Explanations:
    def __init__(self, tariff: Tariff, evening: ChargedEvening) -> None:
        self.tariff, self.evening = tariff, evening
        points = tariff.rules.points
        self.groups = build_groups(evening, points) if points else []
        self.owed = [compute_owed(group, points) for group in self.groups] if points else []

    def explain(self, kind: str, person: ChargedPerson, cents: int) -> str:
        if kind.startswith(FINE):
            return self._explain_fine(kind.removeprefix(FINE), person)
        match kind:
            case "points":
                return self._explain_points(person, cents)
            case "pot":
                return self._explain_pot(person, cents)
            case "drinks":
                return self._explain_drinks(person, cents)
            case "absence":
                return self._explain_absence(person, cents)
        return ""

    def _explain_points(self, person: ChargedPerson, cents: int) -> str:
        points = self.tariff.rules.points
        if points is None:
            return ""
        own = sum((group.get(person.id, Fraction(0)) for group in self.groups), Fraction(0))
        if cents < 0:
            text = figure(int(own)) if own.denominator == 1 else _format_number(own)
            return _("%(own)s Punkte: Anteil an dem, was die anderen zahlen") % {"own": text}
        net = sum((owed.get(person.id, Fraction(0)) for owed in self.owed), Fraction(0))
        return "; ".join([self._explain_scheme(points, own, net), *_describe_rounding(points, net, cents)])

    def _explain_scheme(self, points: Points, own: Fraction, net: Fraction) -> str:
        amount = {"exact": _format_cents(net), "rate": f"{_format_number(points.rate)}\u00a0ct"}
        if points.scheme == "rank":
            return _("nach dem Platz: %(exact)s") % amount
        if points.beyond is not None:
            return _("nach den Punkten: %(exact)s") % amount
        distance = net / points.rate
        amount["points"] = _format_number(distance)
        if points.scheme == "minus":
            many = distance.numerator if distance.denominator == 1 else 2
            sentence = ngettext(
                "%(points)s Minuspunkt zu %(rate)s: %(exact)s", "%(points)s Minuspunkte zu %(rate)s: %(exact)s", many
            )
            return sentence % amount
        amount["own"] = figure(int(own)) if own.denominator == 1 else _format_number(own)
        if points.scheme == "best":
            return _("%(own)s Punkte, %(points)s hinter dem Besten, zu %(rate)s: %(exact)s") % amount
        if points.scheme == "better":
            return _("%(own)s Punkte, zusammen %(points)s hinter allen Besseren, zu %(rate)s: %(exact)s") % amount
        return _("%(own)s Punkte, zusammen %(points)s hinter allen anderen, zu %(rate)s: %(exact)s") % amount

    def _explain_drinks(self, person: ChargedPerson, cents: int) -> str:
        drinks, parts = self.tariff.rules.drinks, []
        bill = self.evening.bill if drinks["shared"] else 0
        if person.absence is None:
            flat, prices = drinks["flat"], drinks["list"]
            drunk = {code: count for code, count in person.drinks.items() if code in prices}
            if flat:
                parts.append(_("pauschal %(amount)s") % {"amount": format_euros(flat)})
            parts += [f"{count}\u00a0× {code} {format_euros(prices[code])}" for code, count in drunk.items()]
            cents -= flat + sum(count * prices[code] for code, count in drunk.items())
        paid = bill if self.evening.paid_by == person.id else 0
        if bill and cents + paid:
            values = {"share": format_euros(cents + paid), "bill": format_euros(bill)}
            parts.append(_("Anteil an der Rechnung von %(bill)s: %(share)s") % values)
        if paid:
            parts.append(_("Rechnung ausgelegt: %(amount)s") % {"amount": format_euros(paid)})
        return "; ".join(parts)

    def _explain_pot(self, person: ChargedPerson, cents: int) -> str:
        pot = self.tariff.rules.pot
        part = compute_pot_parts(self.evening, pot).get(person.id) if pot else None
        if part is None:
            return ""
        put, won = part
        rest = put - won - cents
        parts = [_("eingelegt %(amount)s") % {"amount": format_euros(put)}]
        if won:
            sentence = _("durch Spiele bekommen %(amount)s") if won > 0 else _("durch Spiele gezahlt %(amount)s")
            parts.append(sentence % {"amount": format_euros(abs(won))})
        if rest:
            sentence = _("vom Rest bekommen %(amount)s") if rest > 0 else _("was fehlte, mitgezahlt %(amount)s")
            parts.append(sentence % {"amount": format_euros(abs(rest))})
        return "; ".join(parts)

    def _explain_fine(self, code: str, person: ChargedPerson) -> str:
        form = self.tariff.rules.fines[code]
        if form.lost_games:
            return "; ".join([_("verlorene Spiele: %(count)s") % {"count": person.lost}, describe_fine(form)])
        own = [row for row in self.evening.fines if (row.who, row.code, row.unit) == (person.id, code, form.amount[0])]
        entered = " + ".join(map(describe_fine_amount, own))
        if form.open:
            return entered
        return "; ".join([entered, describe_fine(form)]) if form.minutes or form.steps else f"{entered} {describe_fine(form)}"

    def _explain_absence(self, person: ChargedPerson, cents: int) -> str:
        absence = self.tariff.rules.absence
        if absence is None:
            return ""
        cost = absence[person.absence or "excused"]
        if not cost["average"]:
            return ""
        parts, plus = ", ".join(str(AVERAGED[part]) for part in cost["average"]), cost["plus"]
        values = {"parts": parts, "amount": format_euros(cents - plus)}
        average = _("Durchschnitt der Anwesenden (%(parts)s): %(amount)s") % values
        return "; ".join([average, *([_("dazu %(amount)s") % {"amount": format_euros(plus)}] if plus else [])])


def describe_pot(cents: int, topped_up: int) -> str:
    if cents < 0:
        return _("Der Topf ist leer, und Geld ist fällig: %(amount)s fehlen.") % {"amount": format_euros(-cents)}
    found = _("Im Topf: %(amount)s.") % {"amount": format_euros(cents)}
    return f"{found} " + _("Nachgelegt bisher: %(amount)s.") % {"amount": format_euros(topped_up)} if topped_up else found


def _describe_rounding(points: Points, net: Fraction, cents: int) -> Iterator[str]:
    rounded = points.round.apply(net)
    if rounded != net:
        yield _("gerundet %(amount)s") % {"amount": format_euros(rounded)}
    if cents != rounded:
        yield _("höchstens %(amount)s") % {"amount": format_euros(cents)}


def _format_cents(cents: Fraction) -> str:
    return format_euros(int(cents)) if cents.denominator == 1 else f"{_format_number(cents)}\u00a0ct"


def _format_number(value: Fraction) -> str:
    """Format a whole number, or a fraction as it is written in the tariff."""
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def describe_money_changes(found: Iterable[tuple[Evening, Sequence[CostChange]]]) -> list[str]:
    """Describe what a change does to the money of closed evenings, a line per person."""
    return [
        fill_in_names(
            _("Geld am %(day)s: %(who)s %(is_now)s statt %(was)s"),
            day=format_day(evening.held_on),
            who=mark_as_name(one.player),
            is_now=describe_amount(one.is_now),
            was=_describe_previous(one),
        )
        for evening, changes in found
        for one in changes
        if one.player is not None
    ]


def describe_closed_month(month: str) -> str:
    values = {"month": format_month(month)}
    return _("%(month)s ist in der Kasse abgeschlossen: Der Unterschied wird mit dem heutigen Tag gebucht.") % values


def describe_changes(changes: Iterable[CostChange]) -> list[dict[str, Any]]:
    return [
        {
            "player": one.player,
            "was_said": describe_amount(one.was),
            "is_said": describe_amount(one.is_now),
            "difference_said": _describe_difference(one),
        }
        for one in changes
    ]


def _describe_difference(one: CostChange) -> str:
    """Describe the difference as more or less: of what is received if it is received both times, otherwise of what is paid."""
    gets = one.was <= 0 and one.is_now <= 0
    cents = one.was - one.is_now if gets else one.is_now - one.was
    sentence = _("%(amount)s mehr") if cents > 0 else _("%(amount)s weniger")
    return sentence % {"amount": format_euros(abs(cents))}


def _describe_previous(one: CostChange) -> str:
    """Describe the amount before. The verb is left out if it is the same one now."""
    is_alike = one.was and (one.was > 0) == (one.is_now > 0) and one.is_now
    return format_euros(abs(one.was)) if is_alike else describe_amount(one.was)


def describe_entered_fine(fine: Fine, content: Mapping[str, Any]) -> str:
    return f"{fine.player}: {get_fine_name(content, fine.code)}, {describe_fine_amount(fine)}"


def describe_fine_amount(fine: Fine | FineRow) -> str:
    if fine.unit == Fine.Unit.MINUTES:
        return _("%(count)s Minuten") % {"count": fine.amount}
    return format_euros(fine.amount) if fine.unit == Fine.Unit.CENTS else f"{fine.amount}\u00a0×"
