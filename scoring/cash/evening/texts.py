"""What an evening costs, explained: for every person the steps that lead to their amount; fines, and changes of amounts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.cash.models import Fine, Tariff
from scoring.cash.rules.money import member
from scoring.cash.tariff.rules import FINE, Points
from scoring.cash.tariff.texts import AVERAGED, fine_name, fine_said, kind_name
from scoring.cash.texts import euros
from scoring.club.models import Player
from scoring.core.formats import fill_in_names, format_day, format_month, mark_as_name
from scoring.core.formats import format_points as figure
from scoring.play.models import Evening

from .queries import Changed, Facts, counts
from .rules import ChargedEvening, ChargedPerson, PotHeld, charges, groups, owes, payer_of, pot_parts


@dataclass(frozen=True)
class BillStep:
    """One amount that somebody pays (below 0: gets), the guest for whom they pay it, if any, and how it came about."""

    label: str
    how: str
    cents: int
    guest: str = ""

    @property
    def said(self) -> str:
        return said(self.cents)


@dataclass
class PersonBill:
    """What an evening costs one person. Above 0 they pay."""

    player: Player | None
    steps: list[BillStep] = field(default_factory=list)
    absence: str = ""
    is_guest: bool = False

    @property
    def cents(self) -> int:
        return sum(step.cents for step in self.steps)

    @property
    def said(self) -> str:
        return said(self.cents)


def said(cents: int) -> str:
    """What somebody pays or gets."""
    if cents > 0:
        return _("zahlt %(amount)s") % {"amount": euros(cents)}
    return _("bekommt %(amount)s") % {"amount": euros(-cents)} if cents else _("nichts")


def bills(facts: Facts, tariff: Tariff) -> list[PersonBill]:
    """What an evening costs everybody, in their order, each amount with its steps. What the club pays for guests stands last, of
    nobody."""
    evening, rules = facts.under(tariff), tariff.rules
    people = {member(person.id): person for person in evening.people}
    found = {
        account: PersonBill(facts.who[person.id], absence=_absence(person), is_guest=person.guest)
        for account, person in people.items()
    }
    own = rules._replace(guests=rules.guests._replace(payer="guest"))
    told = _Explained(facts, tariff, evening)
    for leg in [] if facts.evening.dropped else charges(evening, own):
        person = people.get(leg.account)
        if person is None:
            continue
        account = payer_of(person, evening, rules) if person.guest else leg.account
        guest = "" if account == leg.account else str(facts.who[person.id])
        step = BillStep(kind_name(tariff.content, leg.kind), told.how(leg.kind, person, leg.cents), leg.cents, guest)
        found.setdefault(account, PersonBill(None)).steps.append(step)
    return list(found.values())


def kasse_said(bills: Iterable[PersonBill]) -> str:
    """What the Kasse gets of an evening, which is what all pay together, or what it gives."""
    return said(-sum(bill.cents for bill in bills if bill.player))


def _absence(person: ChargedPerson) -> str:
    texts = {"excused": _("entschuldigt"), "unexcused": _("unentschuldigt"), "free": _("frei")}
    return texts.get(person.absence or "", "")


class _Explained:
    """How each amount of an evening came about."""

    def __init__(self, facts: Facts, tariff: Tariff, evening: ChargedEvening) -> None:
        self.facts, self.tariff, self.evening = facts, tariff, evening
        points = tariff.rules.points
        self.groups = groups(evening, points) if points else []
        self.owed = [owes(group, points) for group in self.groups] if points else []

    def how(self, kind: str, person: ChargedPerson, cents: int) -> str:
        if kind.startswith(FINE):
            return self._fine(kind.removeprefix(FINE), person)
        match kind:
            case "points":
                return self._points(person, cents)
            case "pot":
                return self._pot(person, cents)
            case "drinks":
                return self._drinks(person, cents)
            case "absence":
                return self._absent(person, cents)
        return ""

    # --- Points

    def _points(self, person: ChargedPerson, cents: int) -> str:
        points = self.tariff.rules.points
        if points is None:
            return ""
        own = sum((group.get(person.id, Fraction(0)) for group in self.groups), Fraction(0))
        if cents < 0:
            said = figure(int(own)) if own.denominator == 1 else _number(own)
            return _("%(own)s Punkte: Anteil an dem, was die anderen zahlen") % {"own": said}
        net = sum((owed.get(person.id, Fraction(0)) for owed in self.owed), Fraction(0))
        return "; ".join([self._scheme(points, own, net), *_rounded(points, net, cents)])

    def _scheme(self, points: Points, own: Fraction, net: Fraction) -> str:
        one_rate = points.scheme != "rank" and points.beyond is None
        amount = {"exact": _exact(net), "rate": f"{_number(points.rate)}\u00a0ct"}
        if points.scheme == "rank":
            return _("nach dem Platz: %(exact)s") % amount
        if not one_rate:
            return _("nach den Punkten: %(exact)s") % amount
        distance = net / points.rate
        amount["points"] = _number(distance)
        if points.scheme == "minus":
            many = distance.numerator if distance.denominator == 1 else 2
            return (
                ngettext(
                    "%(points)s Minuspunkt zu %(rate)s: %(exact)s",
                    "%(points)s Minuspunkte zu %(rate)s: %(exact)s",
                    many,
                )
                % amount
            )
        amount["own"] = figure(int(own)) if own.denominator == 1 else _number(own)
        if points.scheme == "best":
            return _("%(own)s Punkte, %(points)s hinter dem Besten, zu %(rate)s: %(exact)s") % amount
        if points.scheme == "better":
            return _("%(own)s Punkte, zusammen %(points)s hinter allen Besseren, zu %(rate)s: %(exact)s") % amount
        return _("%(own)s Punkte, zusammen %(points)s hinter allen anderen, zu %(rate)s: %(exact)s") % amount

    # --- Everything else

    def _drinks(self, person: ChargedPerson, cents: int) -> str:
        drinks, bill, parts = self.tariff.rules.drinks, self.evening.bill, []
        if person.absence is None:
            flat, drunk = drinks.flat, person.drinks
            if flat:
                parts.append(_("pauschal %(amount)s") % {"amount": euros(flat)})
            parts += [f"{count}\u00a0× {code} {euros(drinks.prices[code])}" for code, count in drunk.items()]
            cents -= flat + sum(count * drinks.prices[code] for code, count in drunk.items())
        paid = bill.cents if bill and bill.paid_by == person.id else 0
        if bill and cents + paid:
            said = {"share": euros(cents + paid), "bill": euros(bill.cents)}
            parts.append(_("Anteil an der Rechnung von %(bill)s: %(share)s") % said)
        if paid:
            parts.append(_("Rechnung ausgelegt: %(amount)s") % {"amount": euros(paid)})
        return "; ".join(parts)

    def _pot(self, person: ChargedPerson, cents: int) -> str:
        pot = self.tariff.rules.pot
        part = pot_parts(self.evening, pot).get(person.id) if pot else None
        if part is None:
            return ""
        rest = part.put - part.won - cents
        parts = [_("eingelegt %(amount)s") % {"amount": euros(part.put)}]
        if part.won:
            said = _("durch Spiele bekommen %(amount)s") if part.won > 0 else _("durch Spiele gezahlt %(amount)s")
            parts.append(said % {"amount": euros(abs(part.won))})
        if rest:
            said = _("vom Rest bekommen %(amount)s") if rest > 0 else _("was fehlte, mitgezahlt %(amount)s")
            parts.append(said % {"amount": euros(abs(rest))})
        return "; ".join(parts)

    def _fine(self, code: str, person: ChargedPerson) -> str:
        form = self.tariff.rules.fines[code]
        if form.lost_games:
            return "; ".join([_("verlorene Spiele: %(count)s") % {"count": person.lost}, fine_said(form)])
        own = [
            fine
            for fine in self.facts.fines
            if fine.code == code and counts(fine, self.tariff) and self.facts.id_of(fine.player_id) == person.id
        ]
        entered = " + ".join(amount_said(fine) for fine in own)
        if form.open:
            return entered
        return "; ".join([entered, fine_said(form)]) if form.minutes or form.steps else f"{entered} {fine_said(form)}"

    def _absent(self, person: ChargedPerson, cents: int) -> str:
        absence = self.tariff.rules.absence
        if absence is None:
            return ""
        cost = absence.unexcused if person.absence == "unexcused" else absence.excused
        if not cost.average:
            return ""
        said = {"parts": ", ".join(str(AVERAGED[part]) for part in cost.average), "amount": euros(cents - cost.plus)}
        average = _("Durchschnitt der Anwesenden (%(parts)s): %(amount)s") % said
        return "; ".join([average, *([_("dazu %(amount)s") % {"amount": euros(cost.plus)}] if cost.plus else [])])


def pot_said(pot: PotHeld) -> str:
    """What lies in the pot of a table, and whether money is due."""
    if pot.cents < 0:
        return _("Der Topf ist leer, und Geld ist fällig: %(amount)s fehlen.") % {"amount": euros(-pot.cents)}
    found = _("Im Topf: %(amount)s.") % {"amount": euros(pot.cents)}
    if not pot.topped_up:
        return found
    return f"{found} " + _("Nachgelegt bisher: %(amount)s.") % {"amount": euros(pot.topped_up)}


def _rounded(points: Points, net: Fraction, cents: int) -> Iterator[str]:
    rounded = points.round.apply(net)
    if rounded != net:
        yield _("gerundet %(amount)s") % {"amount": euros(rounded)}
    if cents != rounded:
        yield _("höchstens %(amount)s") % {"amount": euros(cents)}


def _exact(cents: Fraction) -> str:
    return euros(int(cents)) if cents.denominator == 1 else f"{_number(cents)}\u00a0ct"


def _number(value: Fraction) -> str:
    """A whole number, or a fraction as it is written in the tariff."""
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def money_lines(found: Iterable[tuple[Evening, Sequence[Changed]]]) -> list[str]:
    """What a change does to the money of closed evenings, a line for everybody it touches."""
    return [
        fill_in_names(
            _("Geld am %(day)s: %(who)s %(is_now)s statt %(was)s"),
            day=format_day(evening.held_on),
            who=mark_as_name(one.player),
            is_now=said(one.is_now),
            was=_amount(one),
        )
        for evening, changes in found
        for one in changes
        if one.player is not None
    ]


def closed_in_kasse(month: str) -> str:
    """What becomes of a difference in the money of an evening whose month is closed."""
    said = {"month": format_month(month)}
    return _("%(month)s ist in der Kasse abgeschlossen: Der Unterschied wird mit dem heutigen Tag gebucht.") % said


def change_said(changes: Iterable[Changed]) -> list[dict[str, Any]]:
    """Was, is and difference as they are written."""
    return [
        {
            "player": one.player,
            "was_said": said(one.was),
            "is_said": said(one.is_now),
            "difference_said": _difference(one),
        }
        for one in changes
    ]


def _difference(one: Changed) -> str:
    """How much more or less: of what is paid or got, where it is the same both times."""
    gets = one.was <= 0 and one.is_now <= 0
    return more(-one.difference if gets else one.difference)


def more(cents: int) -> str:
    """How much more or less somebody pays."""
    if cents > 0:
        return _("%(amount)s mehr") % {"amount": euros(cents)}
    return _("%(amount)s weniger") % {"amount": euros(-cents)}


def _amount(one: Changed) -> str:
    """What an evening was for somebody before. The verb is added if it is another one now."""
    is_alike = one.was and (one.was > 0) == (one.is_now > 0) and one.is_now
    return euros(abs(one.was)) if is_alike else said(one.was)


def fine_in_words(fine: Fine, content: Mapping[str, Any]) -> str:
    """Who is fined what for what, by the content of a tariff."""
    return f"{fine.player}: {fine_name(content, fine.code)}, {amount_said(fine)}"


def amount_said(fine: Fine) -> str:
    """How many, how long or how much a fine is for."""
    if fine.unit == Fine.Unit.MINUTES:
        return _("%(count)s Minuten") % {"count": fine.amount}
    return euros(fine.amount) if fine.unit == Fine.Unit.CENTS else f"{fine.amount}\u00a0×"
